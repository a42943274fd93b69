/* SPDX-License-Identifier: MIT */
/*
 * sink_jsonl.c: the run as JSON lines, for programs.
 *
 * jsonl.md describes every line and member, and what readers may rely on; tests/tools/jsonl.sh
 * compares.
 */
#include <string.h>

#include "tools/common/json.h"
#include "tools/story/names.h"
#include "tools/story/show.h"
#include "tools/story/show_json.h"
#include "tools/story/story.h"

struct jsonl_sink {
    struct sink sink;
    struct sink_options options;
    struct names names;
    struct json json;
};

static struct jsonl_sink *sink_jsonl_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct jsonl_sink, sink);
}

/* Opens a line: {"type":"note". One that the process could not go on with ends before it. */
static struct json *open_type(struct jsonl_sink *sink, const char *type)
{
    json_give_up(&sink->json);
    json_open(&sink->json, NULL, '{');
    json_string(&sink->json, "type", type);
    return &sink->json;
}

/* {"type":"note","note":"value" */
static struct json *open_line(struct jsonl_sink *sink, const char *type, const char *value)
{
    json_string(open_type(sink, type), type, value);
    return &sink->json;
}

static void close_line(struct jsonl_sink *sink)
{
    json_close(&sink->json, '}');
    json_end_line(&sink->json);
}

/* ---- events -------------------------------------------------------------------------------- */

static void put_named(struct json *json, const struct vidmm_field *field, const char *name)
{
    char key[80];
    json_number(json, field->name, field->value);
    (void)snprintf(key, sizeof key, "%s_name", field->name);
    json_string(json, key, name);
}

static void put_field(struct jsonl_sink *sink, const struct vidmm_field *field)
{
    struct json *json = &sink->json;
    switch (field->kind) {
    case VIDMM_FIELD_NUMBER:
    case VIDMM_FIELD_HEX:
    case VIDMM_FIELD_BYTES:
    case VIDMM_FIELD_NS:
    case VIDMM_FIELD_NODE: json_number(json, field->name, field->value); return;
    case VIDMM_FIELD_SEGMENT:
        put_named(json, field, names_segment(&sink->names, (uint32_t)field->value).it);
        return;
    case VIDMM_FIELD_ALLOCATION:
        put_named(json, field, names_allocation(&sink->names, (vidmm_handle)field->value).it);
        return;
    case VIDMM_FIELD_STATUS:
        json_string(json, field->name, names_status((vidmm_status)(uint32_t)field->value).it);
        return;
    case VIDMM_FIELD_FLAG: json_flag(json, field->name, field->value != 0); return;
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: json_string(json, field->name, field->text); return;
    }
}

static void sink_jsonl_on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct jsonl_sink *sink = sink_jsonl_of(CONTAINER_OF(self, struct sink, observer));
    struct json *json = &sink->json;
    names_learn(&sink->names, event);
    json_number(open_type(sink, "event"), "seq", event->seq);
    json_number(json, "time", event->time);
    json_string(json, "event", vidmm_event_info(event->kind)->name);
    if (event->rule != VIDMM_RULE_NONE)
        json_string(json, "rule", vidmm_rule_id(event->rule));
    if (event->subject)
        json_number(json, "subject", event->subject);
    if (*names_subject(event))
        json_string(json, "label", names_subject(event));
    for (size_t i = 0; i < event->field_count; i++)
        put_field(sink, &event->fields[i]);
    close_line(sink);
}

/* ---- what the scenario says ---------------------------------------------------------------- */

static void put_show(struct jsonl_sink *sink, const struct scenario_telling *telling)
{
    struct json *json = open_line(sink, "show", telling->text);
    if (telling->state) {
        json_string(json, "of", telling->answer);
        json_open(json, "state", '{');
        for (size_t i = 0; i < telling->state_count; i++)
            json_string(json, telling->state[i].key, telling->state[i].value);
        json_close(json, '}');
    } else if (strcmp(telling->text, "map") == 0)
        show_json_map(json, telling->adapter, telling->segment);
    else if (strcmp(telling->text, "alloc") == 0)
        show_json_allocation(json, telling->adapter, telling->handle);
    else if (strcmp(telling->text, "queue") == 0)
        show_json_queue(json, telling->adapter);
    else if (strcmp(telling->text, "memory") == 0)
        show_json_memory(json, telling->adapter);
    else
        show_json_counters(json, telling->adapter, telling->counters);
    close_line(sink);
}

/* {"type":"expect","expect":"grass in vram","file":"a.vms","line":3,"held":false,"why":"..."}
 */
static void put_held(struct jsonl_sink *sink, const struct scenario_telling *telling)
{
    static const char word[] = "expect ";
    bool expectation = telling->kind == SCENARIO_TELL_HELD;
    const char *text = telling->text;
    if (strncmp(text, word, sizeof word - 1) == 0)
        text += sizeof word - 1;
    struct json *json = open_line(sink, expectation ? "expect" : "unexpected", text);
    json_string(json, "file", telling->at.file);
    json_number(json, "line", telling->at.line);
    if (expectation)
        json_flag(json, "held", telling->value != 0);
    if (!telling->value)
        json_string(json, "why", telling->answer);
    close_line(sink);
}

/* What helps with a question. */
static void put_teaching(struct json *json, const struct scenario_telling *telling)
{
    if (telling->rule_count)
        json_open(json, "rules", '[');
    for (size_t i = 0; i < telling->rule_count; i++)
        json_string(json, NULL, vidmm_rule_id(telling->rules[i]));
    if (telling->rule_count)
        json_close(json, ']');
    if (telling->hint)
        json_string(json, "hint", telling->hint);
}

static void sink_jsonl_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct jsonl_sink *sink = sink_jsonl_of(self);
    switch (telling->kind) {
    case SCENARIO_TELL_LESSON: open_line(sink, "lesson", telling->text); break;
    case SCENARIO_TELL_NOTE: open_line(sink, "note", telling->text); break;
    case SCENARIO_TELL_ASK:
        json_string(open_line(sink, "ask", telling->text), "answer", telling->answer);
        json_number(&sink->json, "value", telling->value);
        put_teaching(&sink->json, telling);
        break;
    case SCENARIO_TELL_PARAM: return;
    case SCENARIO_TELL_SHOW: put_show(sink, telling); return;
    case SCENARIO_TELL_HELD:
    case SCENARIO_TELL_UNEXPECTED: put_held(sink, telling); return;
    case SCENARIO_TELL_TEST_BEGIN: open_line(sink, "test", telling->text); break;
    case SCENARIO_TELL_TEST_END:
        json_number(open_line(sink, "test_end", telling->text), "failures", telling->value);
        json_number(&sink->json, "unexpected", telling->test.unexpected);
        json_flag(&sink->json, "passed", telling->test.passed);
        json_flag(&sink->json, "reached", telling->test.reached);
        break;
    case SCENARIO_TELL_STATEMENT:
        json_number(open_line(sink, "statement", telling->text), "line", telling->at.line);
        break;
    }
    close_line(sink);
}

/* ---- begin and end ------------------------------------------------------------------------- */

static void sink_jsonl_begin(struct sink *self, const char *file)
{
    struct jsonl_sink *sink = sink_jsonl_of(self);
    sink->names = (struct names){ 0 };
    (void)open_line(sink, "file", file);
    close_line(sink);
}

static void sink_jsonl_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    sink_jsonl_of(self)->names.adapter = adapter;
}

/* {"type":"error","error":"...","file":"a.vms","line":3,"column":1}; a failure is written as an
 * expectation. */
static void sink_jsonl_message(struct sink *self, const struct scenario_message *message)
{
    struct jsonl_sink *sink = sink_jsonl_of(self);
    if (message->severity != SCENARIO_FAILED) {
        struct json *json =
            open_line(sink, scenario_severity_word(message->severity), message->text);
        json_string(json, "file", message->at.file);
        if (message->at.line) {
            json_number(json, "line", message->at.line);
            json_number(json, "column", message->at.column);
        }
        if (message->help)
            json_string(json, "help", message->help);
        close_line(sink);
    }
    (void)fflush(sink->json.out);
}

static void sink_jsonl_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    struct jsonl_sink *sink = sink_jsonl_of(self);
    if (exit == SCENARIO_EXIT_INVARIANT) {
        json_string(open_line(sink, "stopped", "vidmm broke a promise of its own"), "file", file);
        close_line(sink);
    }
    json_number(open_line(sink, "end", file), "exit", exit);
    close_line(sink);
}

static void sink_jsonl_end(struct sink *self, const char *file,
                           const struct scenario_result *result)
{
    struct jsonl_sink *sink = sink_jsonl_of(self);
    struct json *json = open_line(sink, "end", file);
    json_number(json, "exit", (uint64_t)result->exit);
    json_number(json, "tests", result->tests);
    json_number(json, "tests_failed", result->tests_failed);
    json_number(json, "operations", result->operations);
    json_number(json, "expectations", result->expectations);
    json_number(json, "failures", result->failures);
    json_number(json, "unexpected", result->unexpected);
    json_number(json, "met", result->met);
    json_number(json, "findings", result->findings);
    json_number(json, "warnings", result->warnings);
    if (result->bugcheck || result->exit == SCENARIO_EXIT_BUGCHECK)
        json_number(json, "bugcheck", result->bugcheck);
    json_number(json, "seed", result->seed);
    close_line(sink);
}

static void sink_jsonl_close(struct sink *self)
{
    base_free(sink_jsonl_of(self));
}

struct sink *sink_jsonl_open(const struct sink_options *options)
{
    struct jsonl_sink *sink = base_alloc(1, sizeof *sink);
    sink->sink = (struct sink){
        .observer = { .on_event = sink_jsonl_on_event },
        .begin = sink_jsonl_begin,
        .started = sink_jsonl_started,
        .tell = sink_jsonl_tell,
        .message = sink_jsonl_message,
        .refused = sink_jsonl_refused,
        .end = sink_jsonl_end,
        .close = sink_jsonl_close,
    };
    sink->options = *options;
    sink->json.out = options->screen.out;
    json_number(open_type(sink, "vidmm_events"), "vidmm_events", STORY_JSONL_VERSION);
    close_line(sink);
    return &sink->sink;
}
