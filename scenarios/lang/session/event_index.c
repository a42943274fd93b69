/* SPDX-License-Identifier: MIT */
/*
 * event_index.c: the kept events of one kind by what a line of a list asks of them.
 *
 * A list of n lines in any order would compare every line with every event. A line that names its
 * subject, or one number, looks only at the events that have it: they stand together in an array
 * that is sorted when a line first asks for that subject or field. What else a line asks is still
 * compared, so an index may hold too much and never too little; a line for which there is none is
 * compared with every event of its kind.
 */
#include "scenarios/lang/session/session.h"

#include <stdlib.h>
#include <string.h>

struct indexed {
    uint64_t value;
    uint32_t event;
    uint32_t taken; /* in the first one of a value: how many from there on are taken */
};

struct event_index {
    struct event_index *next;
    enum vidmm_event_kind kind;
    const char *field; /* NULL: the subject; "": no field, all have the same value */
    struct indexed *list;
    size_t count, capacity;
    bool useless; /* the field is compared otherwise than by its number */
};

void event_index_clear(struct event_log *log)
{
    while (log->indexes) {
        struct event_index *index = log->indexes;
        log->indexes = index->next;
        base_free(index->list);
        base_free(index);
    }
}

static int by_value(const void *left, const void *right)
{
    const struct indexed *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->event > b->event) - (a->event < b->event);
}

/* False: the event has no such field. */
static bool value_of(const struct event_log *log, const struct log_event *kept, const char *name,
                     struct event_index *index, uint64_t *value)
{
    *value = name ? 0 : kept->event.subject;
    if (!name || !*name)
        return true;
    for (size_t i = 0; i < kept->event.field_count; i++) {
        const struct log_field *field = &log->fields[kept->first_field + i];
        if (strcmp(field->name, name) != 0)
            continue;
        *value = field->value;
        index->useless |= field->kind == VIDMM_FIELD_STATUS || field->kind == VIDMM_FIELD_WORD ||
                          field->kind == VIDMM_FIELD_TEXT;
        return true;
    }
    return false;
}

static struct event_index *index_find(struct event_log *log, enum vidmm_event_kind kind,
                                      const char *field)
{
    struct event_index *index = log->indexes;
    while (index && (index->kind != kind || !index->field != !field ||
                     (field && strcmp(index->field, field) != 0)))
        index = index->next;
    if (index)
        return index;
    index = base_alloc(1, sizeof *index);
    index->kind = kind;
    index->field = field;
    index->next = log->indexes;
    log->indexes = index;
    for (size_t i = 0; i < log->count && !index->useless; i++) {
        uint64_t value;
        if (log->events[i].event.kind != kind ||
            !value_of(log, &log->events[i], field, index, &value))
            continue;
        BASE_GROW(index->list, index->capacity, index->count + 1);
        index->list[index->count++] = (struct indexed){ .value = value, .event = (uint32_t)i };
    }
    if (index->count)
        qsort(index->list, index->count, sizeof *index->list, by_value);
    return index;
}

/* The first that is neither of a lower value nor an earlier event of the same one. */
static size_t lower_bound(const struct event_index *index, uint64_t value, size_t from)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct indexed *at = &index->list[middle];
        if (at->value < value || (at->value == value && at->event < from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the line asks of a subject that events carry themselves. False: nothing like that. */
static bool asks_subject(const struct runner *runner, const struct predicate *line, uint64_t *value)
{
    binding named = 0;
    if (!line->left || !evaluate_binding_quietly(runner, line->left, &named))
        return false;
    enum object object = bindings_object(named);
    *value = bindings_identity(runner, bindings_number(named));
    return object != OBJECT_SUBMISSION && object != OBJECT_SEGMENT && object != OBJECT_NODE;
}

static bool asks_number(const struct runner *runner, const struct attribute *field, uint64_t *value)
{
    static const char other[] = "rule|subject|time";
    const struct item *item = field->items;
    return !item->next && !item->to && item->from->kind != EXPR_NAME &&
           !word_list_has(other, runner_word(runner, field->key), NULL) &&
           evaluate_quietly(runner, item->from, value);
}

/* The index with the fewest events for the line. */
static struct event_index *index_best(struct runner *runner, const struct predicate *line,
                                      uint64_t *value)
{
    struct event_log *log = &runner->log;
    struct event_index *best = index_find(log, line->event, "");
    size_t fewest = best->count;
    uint64_t asked;
    *value = 0;
    bool subject = asks_subject(runner, line, &asked);
    for (const struct attribute *field = line->fields; subject || field;
         field = subject ? field : field->next, subject = false) {
        if (!subject && !asks_number(runner, field, &asked))
            continue;
        struct event_index *index =
            index_find(log, line->event, subject ? NULL : runner_word(runner, field->key));
        size_t count = index->useless
                           ? SIZE_MAX
                           : lower_bound(index, asked, UINT32_MAX) - lower_bound(index, asked, 0);
        if (count >= fewest)
            continue;
        best = index;
        fewest = count;
        *value = asked;
    }
    return best;
}

size_t event_index_find(struct runner *runner, const struct predicate *line, size_t from, size_t to,
                        event_index_fits *fits)
{
    uint64_t value;
    struct event_log *log = &runner->log;
    struct event_index *index = index_best(runner, line, &value);
    size_t at = lower_bound(index, value, from);
    struct indexed *first = from || at == index->count ? NULL : &index->list[at];
    bool passing = first != NULL; /* everything so far is taken */
    at += first ? first->taken : 0;
    for (; at < index->count; at++) {
        const struct indexed *candidate = &index->list[at];
        if (candidate->value != value || candidate->event >= to)
            return to;
        bool taken = log->events[candidate->event].matched;
        passing = passing && taken;
        if (passing)
            first->taken++;
        if (!taken && fits(runner, line, candidate->event))
            return candidate->event;
    }
    return to;
}
