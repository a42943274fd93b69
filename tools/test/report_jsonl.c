/* SPDX-License-Identifier: MIT */
/* report_jsonl.c: verdicts as JSON lines; tools/jsonl.md lists the members. */
#include <string.h>

#include "tools/common/json.h"
#include "tools/test/report.h"

static void json_messages(struct json *json, const struct verdict *verdict, const struct unit *unit)
{
    json_open(json, "messages", '[');
    for (size_t i = unit->first; i < unit->first + unit->count; i++) {
        const struct unit_message *message = &verdict->messages[i];
        json_open(json, NULL, '{');
        json_string(json, "severity", scenario_severity_word(message->severity));
        json_flag(json, "foreseen", message->foreseen);
        json_string(json, "file", message->file);
        json_number(json, "line", message->line);
        json_number(json, "column", message->column);
        json_string(json, "text", message->text);
        json_string(json, "rendered", message->rendered);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void jsonl_verdict(struct report *self, const struct verdict *verdict)
{
    static const char *const words[] = {
        [UNIT_PASSED] = "passed", [UNIT_FAILED] = "failed", [UNIT_SKIPPED] = "skipped"
    };
    struct json json = { .out = self->options->screen.out };
    for (size_t i = 0; i < verdict->unit_count; i++) {
        const struct unit *unit = &verdict->units[i];
        if (unit->state < UNIT_PASSED)
            continue;
        json_open(&json, NULL, '{');
        json_string(&json, "type", "verdict");
        json_string(&json, "verdict", words[unit->state]);
        json_string(&json, "file", verdict->file);
        json_number(&json, "line", unit->line + !unit->line);
        if (*unit->name)
            json_string(&json, "test", unit->name);
        if (verdict->seeded)
            json_number(&json, "seed", verdict->seed);
        if (unit->state == UNIT_FAILED)
            json_string(&json, "kind", verdict_kind(verdict));
        if (*unit->why)
            json_string(&json, "why", unit->why);
        if (unit->count)
            json_messages(&json, verdict, unit);
        json_close(&json, '}');
        json_end_line(&json);
    }
    (void)fflush(json.out);
}

static void jsonl_end(struct report *self, const struct totals *totals)
{
    struct json json = { .out = self->options->screen.out };
    json_open(&json, NULL, '{');
    json_string(&json, "type", "verdicts");
    json_number(&json, "passed", totals->passed);
    json_number(&json, "failed", totals->failed);
    json_number(&json, "skipped", totals->skipped);
    json_flag(&json, "whole", totals->whole);
    json_close(&json, '}');
    json_end_line(&json);
    base_free(self);
}

struct report *report_jsonl_open(const struct report_options *options)
{
    struct report *report = base_alloc(1, sizeof *report);
    *report = (struct report){ options, jsonl_verdict, jsonl_end };
    return report;
}
