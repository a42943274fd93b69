/* SPDX-License-Identifier: MIT */
/*
 * event_match.c: whether an event, or a key of `state`, is what a line asks for.
 *
 * A line names only the fields it cares about. A word is compared by the kind of the field: a
 * segment by its number, a status by its value, flags bit by bit, words as they are printed.
 * Comparing asks no adapter, because observers may not. Whoever expects something asks first
 * whether the numbers of the line can be computed; to an event that came earlier, a variable that
 * had no value yet means nothing.
 */
#include "scenarios/lang/session/session.h"

#include <string.h>

/* ---- one value ------------------------------------------------------------------------------- */

enum vidmm_flag_set event_match_set(const char *name)
{
    static const struct {
        const char *name;
        enum vidmm_flag_set set;
    } fields[] = {
        { "kmt", VIDMM_FLAGS_KMT },
        { "usage", VIDMM_FLAGS_USAGE },
        { "format", VIDMM_FLAGS_FORMAT },
        { "Format", VIDMM_FLAGS_FORMAT },
        { "PrimaryFormat", VIDMM_FLAGS_FORMAT },
    };
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].set;
    return VIDMM_FLAG_SETS;
}

static bool match_flags(const struct runner *runner, const struct item *items,
                        const struct vidmm_field *field)
{
    static const enum vidmm_flag_set sets[] = {
        VIDMM_FLAGS_TRANSFER,    VIDMM_FLAGS_ALLOCATION, VIDMM_FLAGS_ALLOCATION2_0,
        VIDMM_FLAGS_ALLOCATION2, VIDMM_FLAGS_SEGMENT,    VIDMM_FLAGS_LOCK,
    };
    const uint64_t value = field->value;
    /* The names come from one set; the first that knows them all decides, if the field does not. */
    enum vidmm_flag_set own = event_match_set(field->name);
    bool decided = own != VIDMM_FLAG_SETS;
    for (size_t i = 0; i < (decided ? 1 : ARRAY_COUNT(sets)); i++) {
        enum vidmm_flag_set set = decided ? own : sets[i];
        uint64_t wanted = 0;
        bool known = true;
        for (const struct item *item = items; item && known; item = item->next) {
            const struct vidmm_flag *flag =
                item->from->kind == EXPR_NAME
                    ? vidmm_flag_by_name(set, runner_word(runner, item->from->name))
                    : NULL;
            known = flag != NULL;
            wanted |= flag ? flag->value : 0;
        }
        if (known)
            return wanted == value;
    }
    return false;
}

static bool match_segment(const struct runner *runner, const struct expr *wanted, uint64_t value)
{
    binding named = 0;
    if (wanted->kind == EXPR_NAME && wanted->name == runner->scenario->word_system)
        return value == 0;
    return evaluate_binding_quietly(runner, wanted, &named) &&
           bindings_object(named) == OBJECT_SEGMENT && bindings_number(named) == value;
}

/* A word as it is printed: vram, or vram[1] in a link. */
static bool match_word(const struct runner *runner, const struct expr *wanted, const char *name,
                       const char *text)
{
    char whole[160];
    uint64_t index = 0;
    if (wanted->kind != EXPR_NAME || !wanted->left)
        return strcmp(text, name) == 0;
    if (!evaluate_quietly(runner, wanted->left, &index))
        return false;
    snprintf(whole, sizeof whole, "%s[%" PRIu64 "]", name, index);
    return strcmp(text, whole) == 0;
}

bool event_match_no_preference(const struct vidmm_field *field)
{
    return strcmp(field->name, "prefer") == 0 && !field->value;
}

static bool match_name(const struct runner *runner, const struct expr *wanted,
                       const struct vidmm_field *field)
{
    binding named = 0;
    const char *text = wanted->kind == EXPR_NAME ? runner_word(runner, wanted->name) : "";
    const struct vidmm_status_info *status = NULL;
    const struct vidmm_flag *level = NULL;
    switch (field->kind) {
    case VIDMM_FIELD_SEGMENT:
        return event_match_no_preference(field) ? strcmp(text, "none") == 0
                                                : match_segment(runner, wanted, field->value);
    case VIDMM_FIELD_STATUS:
        status = vidmm_status_by_name(text);
        CHECK(status); /* the check knows all names */
        return (uint32_t)status->status == (field->value & UINT32_MAX);
    case VIDMM_FIELD_ALLOCATION:
        return evaluate_binding_quietly(runner, wanted, &named) &&
               bindings_identity(runner, bindings_number(named)) ==
                   bindings_identity(runner, (vidmm_handle)field->value);
    case VIDMM_FIELD_NODE:
        return evaluate_binding_quietly(runner, wanted, &named) &&
               bindings_number(named) == field->value;
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: return field->text && match_word(runner, wanted, text, field->text);
    case VIDMM_FIELD_FLAG:
        return strcmp(text, field->value ? "on" : "off") == 0 ||
               strcmp(text, field->value ? "yes" : "no") == 0;
    default: break;
    }
    level = vidmm_flag_by_name(event_match_set(field->name) == VIDMM_FLAGS_FORMAT
                                   ? VIDMM_FLAGS_FORMAT
                                   : VIDMM_FLAGS_PRIORITY,
                               text);
    return level && level->value == field->value;
}

static bool match_string(const struct runner *runner, const struct expr *wanted,
                         const struct vidmm_field *field)
{
    size_t length = wanted->at.length - 2u;
    return field->text && strlen(field->text) == length &&
           memcmp(field->text, source_text(runner->scenario, wanted->at) + 1, length) == 0;
}

static bool match_number(const struct runner *runner, const struct item *item,
                         const struct vidmm_field *field)
{
    uint64_t from = 0, to = 0;
    char text[32];
    if (!evaluate_quietly(runner, item->from, &from))
        return false;
    if (item->to)
        return evaluate_quietly(runner, item->to, &to) && field->value >= from &&
               field->value <= to;
    if (field->kind == VIDMM_FIELD_STATUS)
        return (field->value & UINT32_MAX) == (from & UINT32_MAX);
    if (field->kind != VIDMM_FIELD_WORD && field->kind != VIDMM_FIELD_TEXT)
        return field->value == from;
    snprintf(text, sizeof text, "%" PRIu64, from);
    return field->text && strcmp(field->text, text) == 0;
}

static bool match_item(const struct runner *runner, const struct item *item,
                       const struct vidmm_field *field)
{
    switch (item->from->kind) {
    case EXPR_NAME:
    case EXPR_HANDLE: return match_name(runner, item->from, field);
    case EXPR_STRING: return match_string(runner, item->from, field);
    default: return match_number(runner, item, field);
    }
}

static bool names_word(const struct runner *runner, const struct item *items, const char *text,
                       size_t length)
{
    for (const struct item *item = items; item; item = item->next) {
        const char *name =
            item->from->kind == EXPR_NAME ? runner_word(runner, item->from->name) : "";
        if (strlen(name) == length && memcmp(name, text, length) == 0)
            return true;
    }
    return false;
}

/* Exactly these flags, as they are printed: "a,b", in any order. */
static bool match_words(const struct runner *runner, const struct item *items, const char *text)
{
    size_t wanted = 0, found = 0;
    for (const struct item *item = items; item; item = item->next)
        wanted++;
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        if (!names_word(runner, items, at, strcspn(at, ",")))
            return false;
        found++;
    }
    return found == wanted;
}

bool event_match_field(const struct runner *runner, const struct attribute *wanted,
                       const struct vidmm_field *field)
{
    const struct item *items = wanted->items;
    bool words = field->kind == VIDMM_FIELD_WORD || field->kind == VIDMM_FIELD_TEXT;
    if (field->kind == VIDMM_FIELD_HEX && items->from->kind == EXPR_NAME &&
        match_flags(runner, items, field))
        return true;
    if (words && items->next && strcmp(field->name, "flags") == 0)
        return field->text && match_words(runner, items, field->text);
    for (const struct item *item = items; item; item = item->next) {
        if (match_item(runner, item, field))
            return true;
    }
    return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool match_rule(const struct runner *runner, const struct item *items,
                       const struct vidmm_event *event)
{
    for (const struct item *item = items; item; item = item->next) {
        enum vidmm_rule rule = vidmm_rule_by_id(runner_word(runner, item->from->name));
        if (vidmm_rule_canonical(rule) == vidmm_rule_canonical(event->rule))
            return true;
    }
    return false;
}

const struct vidmm_field *event_match_find(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++) {
        if (strcmp(event->fields[i].name, name) == 0)
            return &event->fields[i];
    }
    return NULL;
}

static bool field_is(const struct vidmm_event *event, const char *name, uint64_t value)
{
    const struct vidmm_field *field = event_match_find(event, name);
    return field && field->value == value;
}

static bool match_subject(const struct runner *runner, const struct expr *subject,
                          const struct vidmm_event *event)
{
    binding named = 0;
    if (!evaluate_binding_quietly(runner, subject, &named))
        return false;
    uint32_t number = bindings_number(named);
    switch ((int)bindings_object(named)) {
    case OBJECT_SUBMISSION:
        return field_is(event, "fence", number) && field_is(event, "node", bindings_extra(named));
    case OBJECT_SEGMENT: return field_is(event, "segment", number) || field_is(event, "id", number);
    case OBJECT_NODE: return field_is(event, "node", number);
    default: return event->subject == bindings_identity(runner, number);
    }
}

static bool match_key(const struct runner *runner, const char *key, const struct item *items,
                      const struct vidmm_event *event)
{
    struct attribute wanted = { .items = (struct item *)items };
    if (strcmp(key, "rule") == 0)
        return match_rule(runner, items, event);
    if (strcmp(key, "subject") == 0) {
        while (items && !match_subject(runner, items->from, event))
            items = items->next;
        return items != NULL;
    }
    if (strcmp(key, "time") == 0) {
        struct vidmm_field time = { .kind = VIDMM_FIELD_NS, .value = event->time };
        return event_match_field(runner, &wanted, &time);
    }
    const struct vidmm_field *field = event_match_find(event, key);
    return field && event_match_field(runner, &wanted, field);
}

bool event_match_event(const struct runner *runner, const struct expr *subject,
                       const struct attribute *fields, const struct vidmm_event *event)
{
    if (subject && !match_subject(runner, subject, event))
        return false;
    for (const struct attribute *field = fields; field; field = field->next) {
        if (!match_key(runner, runner_word(runner, field->key), field->items, event))
            return false;
    }
    return true;
}

struct vidmm_event event_match_unpack(const struct event_log *log, const struct log_event *kept,
                                      struct vidmm_field *fields)
{
    struct vidmm_event event = kept->event;
    for (size_t i = 0; i < event.field_count; i++) {
        const struct log_field *field = &log->fields[kept->first_field + i];
        fields[i] =
            (struct vidmm_field){ field->name, field->kind, field->value,
                                  field->text == UINT32_MAX ? NULL : log->texts + field->text };
    }
    event.fields = fields;
    event.label = log->texts + kept->label;
    return event;
}

/* ---- watches --------------------------------------------------------------------------------- */

bool event_match_watch(const struct runner *runner, const struct watch *watch,
                       const struct vidmm_event *event)
{
    if (!event_match_event(runner, watch->subject, watch->fields, event))
        return false;
    for (const struct item *item = watch->items; item; item = item->next) {
        struct item alone = *item;
        alone.next = NULL;
        if (!match_key(runner, runner_word(runner, item->key), &alone, event))
            return false;
    }
    return true;
}
