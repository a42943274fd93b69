/* SPDX-License-Identifier: MIT */
/*
 * report_tap.c: verdicts as TAP 14: one test point each, what went wrong as YAML below it.
 *
 * Nothing in it is new since TAP 13, but for the number in the first line, at which older readers
 * stop (Test::Harness of Perl 5.36, for one): for them there is tap13.
 */
#include <inttypes.h>
#include <string.h>

#include "tools/test/report.h"

struct tap_report {
    struct report report;
    uint64_t count;
};

/* A '#' would begin a directive. Line breaks have no place there. */
void report_tap_name(struct text *text, const char *name)
{
    for (; *name; name++) {
        if (*name == '#' || *name == '\\')
            text_add(text, "\\");
        text_add(text, "%c", (unsigned char)*name < ' ' ? ' ' : *name);
    }
}

/* A YAML scalar in double quotes, which holds everything. */
static void yaml_string(FILE *out, const char *key, const char *text)
{
    (void)fprintf(out, "  %s: \"", key);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            (void)fprintf(out, "\\%c", c);
        else if (c < ' ' || c == 0x7F)
            (void)fprintf(out, "\\x%02X", c);
        else
            (void)fputc(c, out);
    }
    (void)fputs("\"\n", out);
}

/* The lines of a literal block; each is set in, so none of them can end it. */
static void yaml_block(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        (void)fputs("    ", out);
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)text[i];
            (void)fputc((c < ' ' && c != '\t') || c == 0x7F ? '?' : c, out);
        }
        (void)fputc('\n', out);
        text += length + (text[length] == '\n');
    }
}

static void tap_details(const struct report *report, const struct verdict *verdict,
                        const struct unit *unit)
{
    FILE *out = report->options->screen.out;
    const struct unit_message *first = &verdict->messages[unit->first];
    (void)fputs("  ---\n", out);
    if (unit->count)
        yaml_string(out, "message", first->text);
    (void)fprintf(out, "  severity: %s\n", unit->state == UNIT_FAILED ? "fail" : "comment");
    if (unit->state == UNIT_FAILED)
        (void)fprintf(out, "  kind: %s\n", verdict_kind(verdict));
    yaml_string(out, "file", unit->count ? first->file : verdict->file);
    (void)fprintf(out, "  line: %" PRIu32 "\n",
                  unit->count && first->line ? first->line : unit->line + !unit->line);
    if (*unit->name)
        yaml_string(out, "test", unit->name);
    if (verdict->seeded)
        (void)fprintf(out, "  seed: %" PRIu64 "\n", verdict->seed);
    if (*report->options->options) {
        struct text options = { 0 };
        text_add_bytes(&options, report->options->options, strlen(report->options->options) - 1);
        yaml_string(out, "options", text_get(&options));
        text_free(&options);
    }
    if (unit->count)
        (void)fputs("  output: |\n", out);
    for (size_t i = unit->first; i < unit->first + unit->count; i++)
        yaml_block(out, verdict->messages[i].rendered);
    (void)fputs("  ...\n", out);
}

static void tap_verdict(struct report *self, const struct verdict *verdict)
{
    struct tap_report *report = CONTAINER_OF(self, struct tap_report, report);
    FILE *out = self->options->screen.out;
    struct text name = { 0 }, escaped = { 0 };
    for (size_t i = 0; i < verdict->unit_count; i++) {
        const struct unit *unit = &verdict->units[i];
        bool told = unit->state == UNIT_FAILED;
        if (unit->state < UNIT_PASSED)
            continue;
        for (size_t j = unit->first; j < unit->first + unit->count; j++)
            told = told || !verdict->messages[j].foreseen;
        text_clear(&name);
        text_clear(&escaped);
        verdict_name(verdict, unit, &name);
        report_tap_name(&escaped, text_get(&name));
        (void)fprintf(out, "%sok %" PRIu64 " - %s",
                      unit->state == UNIT_FAILED || unit->known ? "not " : "", ++report->count,
                      text_get(&escaped));
        (void)fprintf(out, "%s%s\n",
                      unit->known                   ? " # TO"
                                                      "DO "
                      : unit->state == UNIT_SKIPPED ? " # SKIP "
                                                    : "",
                      unit->why);
        if (told)
            tap_details(self, verdict, unit);
    }
    text_free(&name);
    text_free(&escaped);
    (void)fflush(out);
}

static void tap_end(struct report *self, const struct totals *totals)
{
    struct tap_report *report = CONTAINER_OF(self, struct tap_report, report);
    FILE *out = self->options->screen.out;
    (void)fprintf(out, "1..%" PRIu64 "\n", report->count);
    (void)fprintf(out, "# %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n",
                  totals->passed, totals->failed, totals->skipped);
    if (!totals->whole)
        (void)fputs("Bail out! not all files were run\n", out);
    base_free(report);
}

static struct report *tap_open(const struct report_options *options, int version)
{
    struct tap_report *report = base_alloc(1, sizeof *report);
    report->report = (struct report){ options, tap_verdict, tap_end };
    (void)fprintf(options->screen.out, "TAP version %d\n", version);
    return &report->report;
}

struct report *report_tap_open(const struct report_options *options)
{
    return tap_open(options, 14);
}

struct report *report_tap13_open(const struct report_options *options)
{
    return tap_open(options, 13);
}
