/* SPDX-License-Identifier: MIT */
/*
 * cmd_events.c: `vidmm events` prints the table of events, and `vidmm explain` one event of it.
 *
 * Both are loops over vidmm_event.def and vidmm_event_fields.def. The overview goes one event a
 * line; named ones come with their fields; `--format=jsonl` gives one object a line with all of it.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/json.h"
#include "tools/common/screen.h"
#include "tools/explain_words.h"
#include "tools/story/narrate.h"
#include "tools/tools.h"
#include "vidmm/vidmm.h"

enum { UNIT_COLUMN = 19, TEXT_COLUMN = 31, NAME_COLUMNS = 23 };

/* How the value of a field is written: in text and in JSON lines. */
static const struct {
    const char *unit, *json;
} kinds[] = {
    [VIDMM_FIELD_NUMBER] = { "number", "number" },
    [VIDMM_FIELD_HEX] = { "hex", "number" },
    [VIDMM_FIELD_BYTES] = { "bytes", "number" },
    [VIDMM_FIELD_NS] = { "ns", "number" },
    [VIDMM_FIELD_SEGMENT] = { "segment", "number" },
    [VIDMM_FIELD_NODE] = { "node", "number" },
    [VIDMM_FIELD_ALLOCATION] = { "allocation", "number" },
    [VIDMM_FIELD_STATUS] = { "status", "string" },
    [VIDMM_FIELD_FLAG] = { "yes or no", "boolean" },
    [VIDMM_FIELD_WORD] = { "word", "string" },
    [VIDMM_FIELD_TEXT] = { "text", "string" },
};

static const struct {
    const char *word, *text;
} levels[] = {
    [NARRATE_STORY] = { "story", "always" },
    [NARRATE_DETAILS] = { "details", "with --verbose" },
    [NARRATE_CALLS] = { "calls", "with --calls" },
};

/* ---- one event ----------------------------------------------------------------------------- */

/* What words in capitals stand for. */
static const struct {
    const char *word, *text;
} names[] = {
    { "SEGMENT", "the name of a segment" },
    { "DEVICE", "the name of a device" },
    { "PROCESS", "the name of a process" },
    { "PRIORITY", "the name of a priority" },
    { "LOCK_FLAGS", "names of lock flags" },
    { "SEGMENT_FLAGS", "names of segment flags" },
    { "TRANSFER_FLAGS", "names of transfer flags" },
    { "ALLOCATION_FLAGS", "names of allocation flags" },
};

/* "a|b|SEGMENT" as a list. */
static void add_words(struct text *text, const char *words)
{
    while (*words) {
        size_t length = strcspn(words, "|"), i = 0;
        while (i < ARRAY_COUNT(names) &&
               (strlen(names[i].word) != length || memcmp(names[i].word, words, length) != 0))
            i++;
        if (i < ARRAY_COUNT(names))
            text_add(text, "%s", names[i].text);
        else
            text_add_bytes(text, words, length);
        words += length;
        if (*words++)
            text_add(text, ", ");
        else
            return;
    }
}

static void cmd_events_print_field(const struct vidmm_event_field_info *info)
{
    struct text label = { 0 }, text = { 0 };
    text_add(&label, "    %s%s%s", info->always ? "" : "[", info->name, info->always ? "" : "]");
    do {
        text_add(&label, " ");
    } while (label.length < UNIT_COLUMN);
    text_add(&label, "%s", kinds[info->kind].unit);
    do {
        text_add(&label, " ");
    } while (label.length < TEXT_COLUMN);
    text_add(&text, "%s", info->text);
    if (*info->words) {
        text_add(&text, "; one of: ");
        add_words(&text, info->words);
    }
    wrap_print(stdout, text_get(&label), TEXT_COLUMN, text_get(&text));
    text_free(&label);
    text_free(&text);
}

static void print_event(enum vidmm_event_kind kind)
{
    const struct vidmm_event_info *info = vidmm_event_info(kind);
    const struct vidmm_event_field_info *field;
    bool rare = false; /* are there fields that not every such event has? */
    for (size_t i = 0; (field = vidmm_event_field(kind, i)) != NULL; i++)
        rare = rare || !field->always;
    (void)printf("%s is an event: %s\n", info->name, info->text);
    wrap_field("Group", info->group);
    bool opening = kind == VIDMM_EVENT_OPEN || kind == VIDMM_EVENT_CLOSE;
    bool trail = strcmp(info->group, "trail") == 0;
    wrap_field("Told", opening ? "of what is shared always, else with --verbose"
                       : trail ? "only in the trail of a log: with --record"
                               : levels[narrate_level(kind)].text);
    wrap_field("Subject", *info->subject ? info->subject : "none");
    wrap_field("Rule", *info->rules ? info->rules : "none");
    (void)printf("  Fields%s\n", rare ? "; those in [ ] are not in every event" : "");
    for (size_t i = 0; (field = vidmm_event_field(kind, i)) != NULL; i++)
        cmd_events_print_field(field);
    if (kind == VIDMM_EVENT_DRIVER_CALL)
        (void)printf("    and arguments of the call, under their documented names\n");
}

bool explain_words_event(const char *word)
{
    enum vidmm_event_kind kind = vidmm_event_by_name(word);
    if (kind != VIDMM_EVENT_NONE)
        print_event(kind);
    return kind != VIDMM_EVENT_NONE;
}

bool explain_words_event_brief(const char *word)
{
    enum vidmm_event_kind kind = vidmm_event_by_name(word);
    if (kind != VIDMM_EVENT_NONE)
        (void)printf("%s is an event: %s\n", word, vidmm_event_info(kind)->text);
    return kind != VIDMM_EVENT_NONE;
}

/* ---- all of them --------------------------------------------------------------------------- */

/* Is it the first event of its group? Those that come later, apart from it, share its heading. */
static bool opens_group(enum vidmm_event_kind kind)
{
    const char *group = vidmm_event_info(kind)->group;
    int first = VIDMM_EVENT_NONE + 1;
    while (strcmp(vidmm_event_info((enum vidmm_event_kind)first)->group, group) != 0)
        first++;
    return first == (int)kind;
}

static void print_group(const char *group)
{
    (void)printf("%s\n", group);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++) {
        const enum vidmm_event_kind kind = (enum vidmm_event_kind)i;
        const struct vidmm_event_info *info = vidmm_event_info(kind);
        if (strcmp(group, info->group) == 0)
            wrap_print(stdout,
                       text_print("  %-*s %-8s ", NAME_COLUMNS, info->name,
                                  levels[narrate_level(kind)].word)
                           .it,
                       NAME_COLUMNS + 12, info->text);
    }
    (void)putchar('\n');
}

static void print_overview(void)
{
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
        if (opens_group((enum vidmm_event_kind)i))
            print_group(vidmm_event_info((enum vidmm_event_kind)i)->group);
    wrap_print(
        stdout, "", 0,
        "story is always printed, details with --verbose, calls with --calls; JSON lines have "
        "all.");
}

static void put_event(enum vidmm_event_kind kind)
{
    const struct vidmm_event_info *info = vidmm_event_info(kind);
    const struct vidmm_event_field_info *field;
    struct json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "event", info->name);
    json_string(&json, "group", info->group);
    json_string(&json, "level", levels[narrate_level(kind)].word);
    json_string(&json, "text", info->text);
    json_string(&json, "subject", info->subject);
    json_string(&json, "rules", info->rules);
    json_open(&json, "fields", '[');
    for (size_t i = 0; (field = vidmm_event_field(kind, i)) != NULL; i++) {
        json_open(&json, NULL, '{');
        json_string(&json, "name", field->name);
        json_string(&json, "type", kinds[field->kind].json);
        json_string(&json, "unit", kinds[field->kind].unit);
        json_flag(&json, "always", field->always);
        json_string(&json, "words", field->words);
        json_string(&json, "text", field->text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_end_line(&json);
}

bool explain_words_value(const char *word)
{
    const struct vidmm_event_field_info *field;
    struct text line = { 0 };
    bool found = false;
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++) {
        const enum vidmm_event_kind kind = (enum vidmm_event_kind)i;
        for (size_t j = 0; (field = vidmm_event_field(kind, j)) != NULL; j++) {
            if (!text_listed(field->words, word))
                continue;
            if (!found)
                (void)printf("%s is what fields of events can say:\n", word);
            found = true;
            text_add(&line, "%s %s=%s: %s", vidmm_event_info(kind)->name, field->name, word,
                     field->text);
            wrap_print(stdout, "  ", 2, text_get(&line));
            text_clear(&line);
        }
    }
    text_free(&line);
    return found;
}

/* ---- the command line ---------------------------------------------------------------------- */

struct request {
    bool named[VIDMM_EVENT_KINDS];
    bool any, all, jsonl;
};

static void cmd_events_read_name(struct request *request, const char *word,
                                 struct argp_state *state)
{
    enum vidmm_event_kind kind = vidmm_event_by_name(word);
    bool group = false;
    struct text_likeness likeness = text_likeness(word);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++)
        text_liken(&likeness, vidmm_event_info((enum vidmm_event_kind)i)->name);
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS && kind == VIDMM_EVENT_NONE; i++) {
        if (strcmp(vidmm_event_info((enum vidmm_event_kind)i)->group, word) != 0)
            continue;
        request->named[i] = request->any = group = true;
    }
    if (group)
        return;
    if (kind == VIDMM_EVENT_NONE && likeness.best)
        argp_error(state, "'%s' is not an event; did you mean '%s'?", word, likeness.best);
    if (kind == VIDMM_EVENT_NONE)
        argp_error(state, "'%s' is not an event; 'vidmm events' lists them", word);
    request->named[kind] = true;
    request->any = true;
}

static error_t cmd_events_parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'a': request->all = true; return 0;
    case 'f': request->jsonl = options_jsonl(argument, state); return 0;
    case ARGP_KEY_ARG: cmd_events_read_name(request, argument, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void cmd_events_print(const struct request *request)
{
    bool first = true;
    for (int i = VIDMM_EVENT_NONE + 1; i < VIDMM_EVENT_KINDS; i++) {
        const enum vidmm_event_kind kind = (enum vidmm_event_kind)i;
        if (request->any && !request->named[kind])
            continue;
        if (request->jsonl) {
            put_event(kind);
            continue;
        }
        if (!first)
            (void)putchar('\n');
        first = false;
        print_event(kind);
    }
}

int cmd_events(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "fields", 'a', NULL, 0, "all events with their fields", 0 },
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_events_parse,
        .args_doc = "[EVENT|GROUP...]",
        .doc = "Lists the events that a run reports, those named with their fields: the words of "
               "'expect events' in a scenario and of 'vidmm run --format=jsonl'. tools/jsonl.md "
               "describes the other lines of that format.\v"
               "Examples:\n"
               "  vidmm events\n"
               "  vidmm events evict place\n"
               "  vidmm events paging\n"
               "  vidmm events --format=jsonl",
    };
    struct request request = { 0 };
    if (!options_parse(&grammar, argc, argv, &request))
        return TOOL_USAGE;
    if (request.any || request.all || request.jsonl)
        cmd_events_print(&request);
    else
        print_overview();
    return TOOL_GOOD;
}
