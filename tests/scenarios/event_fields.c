/* SPDX-License-Identifier: MIT */
/*
 * event_fields.c: vidmm_event.def and vidmm_event_fields.def describe events as they are.
 *
 *     event_fields SCENARIO...
 *
 * Every event of the scenarios is compared with the tables: its fields, their order and kinds, the
 * words that stand in them, and its subject and rule, which are there if the table has them. And
 * everything that the tables list has to occur in one of the scenarios.
 */
#include "scenarios/lang/scenario.h"
#include "tests/support/run_file.h"
#include "vidmm/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MOST = 24, LIST_MOST = 64, PROBLEMS_MOST = 100, LINE_MOST = 200 };

/* The fields seen so far, of one kind of event. */
static struct {
    uint64_t events, subjects;
    bool fields[FIELDS_MOST];
    uint64_t words[FIELDS_MOST], rules; /* bit i: word or rule i of the list */
} seen[VIDMM_EVENT_KINDS];

static const char *file;
static const struct vidmm_adapter *adapter; /* from its start on */
static bool empty;          /* this adapter has not started yet: there is no object */
static bool stopped;        /* the system, by a bug check */
static unsigned calls_left; /* calls of the driver that may end after that */
static unsigned problems;

/* The same message is printed once. */
static void complain(const struct vidmm_event_info *info, const char *what, const char *name,
                     const char *text)
{
    static char said[PROBLEMS_MOST][LINE_MOST];
    char line[LINE_MOST];
    (void)snprintf(line, sizeof line, "%s: %s%s%s%s", info->name, what, name, *text ? ": " : "",
                   text);
    for (unsigned i = 0; i < problems; i++)
        if (strcmp(said[i], line) == 0)
            return;
    (void)printf("%s%s%s\n", file ? file : "", file ? ": " : "", line);
    if (problems < PROBLEMS_MOST)
        memcpy(said[problems++], line, sizeof line);
}

/* The position of `text` in a list, or -1. */
static int place_in(const char *list, char separator, const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; *list && i < LIST_MOST; i++) {
        const char *end = strchr(list, separator);
        size_t bytes = end ? (size_t)(end - list) : strlen(list);
        if (bytes == length && memcmp(list, text, length) == 0)
            return i;
        list += bytes + (end != NULL);
    }
    return -1;
}

static int list_length(const char *list, char separator)
{
    int count = *list != '\0';
    for (; *list; list++)
        count += *list == separator;
    return count;
}

/* "the rule that was broken" is not a list of ids. */
static bool is_list(const char *rules)
{
    return *rules && strncmp(rules, "the ", 4) != 0;
}

/* ---- one event ----------------------------------------------------------------------------- */

static void check_word(const struct vidmm_event *event, size_t index,
                       const struct vidmm_event_field_info *info, const char *text)
{
    int at = place_in(info->words, '|', text);
    if (info->kind != VIDMM_FIELD_WORD || !*info->words)
        return;
    if (at < 0)
        at = place_in(info->words, '|', "SEGMENT");
    if (at < 0)
        at = place_in(info->words, '|', "LOCK_FLAGS");
    if (at < 0)
        complain(vidmm_event_info(event->kind), "a word that is not listed, of ", info->name, text);
    else
        seen[event->kind].words[index] |= UINT64_C(1) << at;
}

/* `row`: of the field before, and then of this one. */
static void check_field(const struct vidmm_event *event, const struct vidmm_field *field,
                        size_t *row)
{
    const struct vidmm_event_field_info *info;
    for (size_t i = 0; (info = vidmm_event_field(event->kind, i)) != NULL; i++) {
        if (strcmp(info->name, field->name) != 0)
            continue;
        if (i < *row)
            complain(vidmm_event_info(event->kind),
                     "in another order than the table: ", field->name, "");
        *row = i;
        CHECK(i < FIELDS_MOST);
        seen[event->kind].fields[i] = true;
        if (info->kind != field->kind)
            complain(vidmm_event_info(event->kind), "another kind of value in ", field->name, "");
        check_word(event, i, info, field->text ? field->text : "");
        return;
    }
    if (event->kind != VIDMM_EVENT_DRIVER_CALL)
        complain(vidmm_event_info(event->kind), "no row for the field ", field->name, "");
    if (field->kind == VIDMM_FIELD_ALLOCATION && field->value && adapter &&
        !vidmm_object_kind(adapter, (vidmm_handle)field->value))
        complain(vidmm_event_info(event->kind), "an object that is gone: ", field->name, "");
}

static bool has(const struct vidmm_event *event, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < event->field_count; i++)
        count += strcmp(event->fields[i].name, name) == 0;
    return count == 1;
}

/* Processes, devices and contexts come and go by no rule. */
static bool is_client(const struct vidmm_event *event)
{
    static const char clients[] = "process|device|context";
    return (event->kind == VIDMM_EVENT_CREATE || event->kind == VIDMM_EVENT_DESTROY) &&
           place_in(clients, '|', event->fields[0].text) >= 0;
}

static void check_rule(const struct vidmm_event *event, const struct vidmm_event_info *info)
{
    const char *id = event->rule ? vidmm_rule_id(event->rule) : "";
    if (!*id && *info->rules && !is_client(event))
        complain(info, "no rule", "", "");
    if (*id && !*info->rules)
        complain(info, "a rule: ", id, "");
    if (!*id || (*info->rules && !is_list(info->rules)))
        return;
    int at = place_in(info->rules, ' ', id);
    if (at < 0)
        complain(info, "a rule that is not listed: ", id, "");
    else
        seen[event->kind].rules |= UINT64_C(1) << at;
}

/* The allocation, or a copy of it in a link. */
static bool lies_in(vidmm_handle allocation, uint64_t segment)
{
    struct vidmm_allocation_view view;
    bool there = false;
    for (uint32_t index = 0; index < VIDMM_LINK_MAX; index++)
        there |= vidmm_allocation_copy(adapter, allocation, index, &view) &&
                 view.residency == VIDMM_RESIDENCY_RESIDENT && view.segment == segment;
    return there;
}

/* What is placed, filled or pinned, and what arrives, lies where the event says. */
static void check_place(const struct vidmm_event *event, const struct vidmm_event_info *info)
{
    static const bool lies[VIDMM_EVENT_KINDS] = {
        [VIDMM_EVENT_PLACE] = true,  [VIDMM_EVENT_FILL] = true, [VIDMM_EVENT_INIT_CONTEXT] = true,
        [VIDMM_EVENT_ARRIVE] = true, [VIDMM_EVENT_PIN] = true,
    };
    if (lies[event->kind] && !lies_in(event->subject, event->fields[0].value))
        complain(info, "it is somewhere else", "", "");
}

/* The kinds of objects that the table names, unless it names none. */
static void check_subject(const struct vidmm_event *event, const struct vidmm_event_info *info)
{
    static const char *const words[] = {
        [VIDMM_OBJECT_PROCESS] = "process",   [VIDMM_OBJECT_DEVICE] = "device",
        [VIDMM_OBJECT_CONTEXT] = "context",   [VIDMM_OBJECT_ALLOCATION] = "allocation",
        [VIDMM_OBJECT_RESOURCE] = "resource", [VIDMM_OBJECT_SYSTEM_RANGE] = "range",
    };
    if (!*info->subject || empty)
        complain(info, "a subject", "", "");
    enum vidmm_object kind =
        adapter ? vidmm_object_kind(adapter, event->subject) : VIDMM_OBJECT_NONE;
    /* What is closed has its name until it has been destroyed; a resource may have none. */
    if (!kind && !*event->label && event->kind != VIDMM_EVENT_DESTROY)
        complain(info, "a subject that is gone", "", "");
    bool names = false;
    for (size_t i = VIDMM_OBJECT_PROCESS; i < ARRAY_COUNT(words); i++)
        names |= strstr(info->subject, words[i]) != NULL;
    if (kind && names && !strstr(info->subject, words[kind]))
        complain(info, "a subject of another kind: ", words[kind], "");
    if (kind != VIDMM_OBJECT_ALLOCATION)
        return;
    struct vidmm_allocation_view view;
    if (!vidmm_allocation_view(adapter, event->subject, &view) ||
        (!vidmm_object_kind(adapter, view.owner) && !stopped))
        complain(info, "an allocation without a device", "", "");
    check_place(event, info);
}

/* Nothing happens any more: what was under way ends, and calls are refused. */
static void check_stopped(const struct vidmm_event *event, const struct vidmm_event_info *info)
{
    static const enum vidmm_event_kind ends[] = {
        VIDMM_EVENT_REFUSE,      VIDMM_EVENT_START_ADAPTER, VIDMM_EVENT_WAIT,
        VIDMM_EVENT_DRIVER_CALL, VIDMM_EVENT_LIST_ELEMENT,  VIDMM_EVENT_PATCH_LOCATION,
    };
    bool late = event->kind == VIDMM_EVENT_DRIVER_CALL && !calls_left--;
    for (size_t i = 0; i < ARRAY_COUNT(ends) && !late; i++)
        if (event->kind == ends[i])
            return;
    complain(info, "after the system stopped", "", "");
}

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    const struct vidmm_event_info *info = vidmm_event_info(event->kind);
    const struct vidmm_event_field_info *field;
    size_t row = 0;
    (void)self;
    empty |= event->seq == 1; /* of the next test of the file */
    if (stopped)
        check_stopped(event, info);
    if (event->kind == VIDMM_EVENT_BUGCHECK) {
        stopped = true;
        calls_left = 1;
    }
    seen[event->kind].events++;
    seen[event->kind].subjects += event->subject != 0;
    if (event->subject)
        check_subject(event, info);
    else if (*info->subject && !strpbrk(info->subject, ",;"))
        complain(info, "no subject", "", "");
    for (size_t i = 0; i < event->field_count; i++)
        check_field(event, &event->fields[i], &row);
    for (size_t i = 0; (field = vidmm_event_field(event->kind, i)) != NULL; i++)
        if (field->always && !has(event, field->name))
            complain(info, "ALWAYS, and not there: ", field->name, "");
    check_rule(event, info);
}

/* ---- rows that never occurred -------------------------------------------------------------- */

static void look_for_words(enum vidmm_event_kind kind, size_t index,
                           const struct vidmm_event_field_info *field)
{
    /* All reasons of waits are in a table of their own, also those that a setting brings. */
    bool own = kind == VIDMM_EVENT_WAIT && strcmp(field->name, "reason") == 0;
    int count = field->kind == VIDMM_FIELD_WORD ? list_length(field->words, '|') : 0;
    const char *word = field->words;
    for (int i = 0; i < count && !own; i++, word += strcspn(word, "|") + 1) {
        char text[LINE_MOST / 2];
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "|"), word);
        if (!(seen[kind].words[index] >> i & 1))
            complain(vidmm_event_info(kind), "a word of the list never came, of ", field->name,
                     text);
    }
}

static void look_for_rest(enum vidmm_event_kind kind)
{
    const struct vidmm_event_info *info = vidmm_event_info(kind);
    const struct vidmm_event_field_info *field;
    if (!seen[kind].events) {
        complain(info, "never came", "", "");
        return;
    }
    if (*info->subject && !seen[kind].subjects)
        complain(info, "never had a subject", "", "");
    for (size_t i = 0; (field = vidmm_event_field(kind, i)) != NULL; i++) {
        if (!seen[kind].fields[i])
            complain(info, "never came: ", field->name, "");
        else
            look_for_words(kind, i, field);
    }
    for (int i = 0; is_list(info->rules) && i < list_length(info->rules, ' '); i++)
        if (!(seen[kind].rules >> i & 1))
            complain(info, "a rule of the list never came", "", info->rules);
}

/* ---- running ------------------------------------------------------------------------------- */

static void keep(struct scenario_host *host, struct vidmm_adapter *started)
{
    (void)host;
    adapter = started;
    empty = false;
}

static void forget(struct scenario_host *host, struct vidmm_adapter *ended)
{
    (void)host;
    (void)ended;
    adapter = NULL;
    stopped = false;
}

static void run(const char *path)
{
    bool kinds[VIDMM_EVENT_KINDS]; /* the trail, too */
    struct vidmm_observer observer = { .on_event = on_event, .kinds = kinds };
    struct scenario_host host = { .started = keep, .ended = forget, .observers = &observer };
    memset(kinds, true, sizeof kinds);
    empty = true;
    stopped = false;
    run_file(path, host);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        file = argv[i];
        run(file);
    }
    file = NULL;
    for (int kind = VIDMM_EVENT_NONE + 1; kind < VIDMM_EVENT_KINDS; kind++)
        look_for_rest((enum vidmm_event_kind)kind);
    (void)printf("%d scenarios, %u problems\n", argc - 1, problems);
    return problems || argc < 2;
}
