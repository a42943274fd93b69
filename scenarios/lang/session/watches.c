/* SPDX-License-Identifier: MIT */
/*
 * watches.c: the events that `count(...)` and `expect no ...` ask for, counted as they come.
 *
 * Each event would be compared with every watch of its kind. Two things keep that small: questions
 * with the same words are one watch; and a watch whose subject is a plain name is filed under the
 * name, and the name under the handle that it stands for, so that an event meets only those that
 * name its subject. A name of something that events do not carry as their subject (a segment, a
 * node, a submission) is compared with every event of the kind, and so is every name once an
 * allocation is known by several handles.
 */
#include "scenarios/lang/session/session.h"
#include "vidmm/base/base_hash.h"

#include <string.h>

/* ---- filed under names ----------------------------------------------------------------------- */

struct watched_name {
    struct watched_name *next;        /* of all */
    struct watched_name *next_beside; /* of the same handle */
    struct watch *watches;
    vidmm_handle handle; /* 0: stands for nothing yet */
    uint64_t life;       /* of the adapter that gave the handle */
    bool loose;          /* its watches are compared with every event */
};

static struct watched_name *watched_at(const struct names *names, name_key key)
{
    const struct name_slot *slot = names->slot_count ? names_find(names, key) : NULL;
    return slot ? (struct watched_name *)(uintptr_t)slot->value : NULL;
}

static void watched_put(struct names *names, name_key key, const struct watched_name *name)
{
    if (!names->slot_count)
        names_init(names);
    names_slot(names, key)->value = (uintptr_t)name;
}

static void push_loose(struct runner *runner, struct watch *watch)
{
    watch->next = runner->watches[watch->kind];
    runner->watches[watch->kind] = watch;
}

static void name_loosen(struct runner *runner, struct watched_name *name)
{
    while (name->watches) {
        struct watch *watch = name->watches;
        name->watches = watch->next;
        push_loose(runner, watch);
    }
    name->loose = true;
}

void watches_loosen(struct runner *runner)
{
    for (struct watched_name *name = runner->watched_names; name; name = name->next)
        name_loosen(runner, name);
}

static void name_leave(struct runner *runner, struct watched_name *name)
{
    struct watched_name *first = watched_at(&runner->watched_handles, name->handle);
    if (first == name) {
        watched_put(&runner->watched_handles, name->handle, name->next_beside);
        return;
    }
    while (first->next_beside != name)
        first = first->next_beside;
    first->next_beside = name->next_beside;
}

void watches_bound(struct runner *runner, name_key key, binding value)
{
    struct watched_name *name = watched_at(&runner->watched, key);
    vidmm_handle handle = bindings_number(value);
    enum object object = bindings_object(value);
    bool held = name && name->handle && name->life == runner->life;
    if (!name || name->loose || (held && name->handle == handle))
        return;
    if (object == OBJECT_SUBMISSION || object == OBJECT_SEGMENT || object == OBJECT_NODE) {
        name_loosen(runner, name);
        return;
    }
    if (held)
        name_leave(runner, name);
    name->handle = handle;
    name->life = runner->life;
    if (!handle)
        return;
    name->next_beside = watched_at(&runner->watched_handles, handle);
    watched_put(&runner->watched_handles, handle, name);
}

void watches_reset(struct runner *runner)
{
    names_fini(&runner->watched_handles);
    runner->watched_handles = (struct names){ 0 };
    runner->life++; /* what was counted before counts no more */
}

void watches_fini(struct runner *runner)
{
    names_fini(&runner->watched_handles);
    names_fini(&runner->watched);
}

/* ---- hearing --------------------------------------------------------------------------------- */

static void note_counted(struct held_events *held, const struct watch *watch)
{
    if (!held->holding)
        return;
    BASE_GROW(held->counted, held->counted_capacity, held->counted_count + 1);
    held->counted[held->counted_count++] = (struct counted){ held->log.count, watch };
}

static bool has_counted(const struct held_events *held, const struct watch *watch)
{
    for (size_t i = held->first; !held->holding && i < held->counted_count; i++) {
        if (held->counted[i].event > held->event)
            return false;
        if (held->counted[i].watch == watch)
            return true;
    }
    return false;
}

static void count_if(struct runner *runner, struct watch *watch, const struct vidmm_event *event)
{
    if (watch->kind != event->kind || has_counted(&runner->held, watch) ||
        !event_match_watch(runner, watch, event))
        return;
    if (watch->life != runner->life) {
        watch->count = 0;
        watch->last_seq = 0;
    }
    watch->life = runner->life;
    watch->count++;
    note_counted(&runner->held, watch);
    if (event->seq < watch->last_seq)
        return;
    watch->last_seq = event->seq;
    if (watch->last)
        spell_event(event, watch->last, WATCH_WORDS_MAX);
}

void watches_hear(struct runner *runner, const struct vidmm_event *event)
{
    for (struct watch *watch = runner->watches[event->kind]; watch; watch = watch->next)
        count_if(runner, watch, event);
    const struct watched_name *name =
        event->subject ? watched_at(&runner->watched_handles, event->subject) : NULL;
    for (; name; name = name->next_beside) {
        for (struct watch *watch = name->watches; watch; watch = watch->next)
            count_if(runner, watch, event);
    }
}

uint64_t watches_count(const struct runner *runner, const struct watch *watch)
{
    return watch->life == runner->life ? watch->count : 0;
}

uint64_t watches_last(const struct runner *runner, const struct watch *watch)
{
    return watch->life == runner->life ? watch->last_seq : 0;
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* A plain name, or a member with a written index. False: it may stand for anything. */
static bool subject_key(const struct runner *runner, const struct expr *subject, name_key *key)
{
    bool member = subject && subject->left;
    bool plain = subject && subject->kind == EXPR_NAME && !subject->right &&
                 (!member || subject->left->kind == EXPR_NUMBER);
    bool known = !plain || evaluate_key(runner, subject, key);
    CHECK(known);
    return plain;
}

static const struct expr *subject_of(const struct runner *runner, const struct item *items)
{
    while (items && strcmp(runner_word(runner, items->key), "subject") != 0)
        items = items->next;
    return items ? items->from : NULL;
}

/* A new watch is filed under its subject; one that is shared has been. */
static void watch_file(struct runner *runner, struct watch *watch, const struct expr *subject)
{
    name_key key;
    if (watch->filed)
        return;
    watch->filed = true;
    runner->held.kinds[watch->kind] |= watch->subject || watch->fields || watch->items;
    if (!subject_key(runner, subject, &key)) {
        push_loose(runner, watch);
        return;
    }
    struct watched_name *name = watched_at(&runner->watched, key);
    if (!name) {
        name = arena_alloc(&runner->scenario->arena, sizeof *name);
        name->next = runner->watched_names;
        runner->watched_names = name;
        watched_put(&runner->watched, key, name);
    }
    watch->next = name->watches;
    name->watches = watch;
}

/* n questions after the same events are one watch: each event is compared with all of its kind. */
struct shared_watch {
    UT_hash_handle hh;
    struct watch *watch;
};

struct collector {
    struct runner *runner;
    struct shared_watch *shared; /* by the text of what it counts */
    char *key;
    size_t key_bytes, key_capacity;
};

static void add_text(struct collector *collector, const char *text, size_t length)
{
    BASE_GROW(collector->key, collector->key_capacity, collector->key_bytes + length + 1);
    memcpy(collector->key + collector->key_bytes, text, length);
    collector->key_bytes += length;
    collector->key[collector->key_bytes++] = '\n';
}

static void add_key(struct collector *collector, struct place part)
{
    add_text(collector, source_text(collector->runner->scenario, part), part.length);
}

static struct watch *watch_add(struct runner *runner, enum vidmm_event_kind kind)
{
    struct watch *watch = arena_alloc(&runner->scenario->arena, sizeof *watch);
    watch->kind = kind;
    runner->observing = true;
    return watch;
}

/* The watch whose key has been added; a new one has nothing but its kind. */
static struct watch *watch_find(struct collector *collector, enum vidmm_event_kind kind)
{
    struct arena *arena = &collector->runner->scenario->arena;
    struct shared_watch *shared = NULL;
    HASH_FIND(hh, collector->shared, collector->key, collector->key_bytes, shared);
    if (!shared) {
        shared = arena_alloc(arena, sizeof *shared);
        shared->watch = watch_add(collector->runner, kind);
        HASH_ADD_KEYPTR(hh, collector->shared,
                        arena_text(arena, collector->key, collector->key_bytes),
                        collector->key_bytes, shared);
    }
    return shared->watch;
}

static void collect_expr(struct collector *collector, struct expr *expr)
{
    if (!expr)
        return;
    struct runner *runner = collector->runner;
    bool count =
        expr->kind == EXPR_CALL && function_find(runner_word(runner, expr->name)) == FUNCTION_COUNT;
    if (count) { /* a silent run before this one had watches of its own */
        const char *event = runner_word(runner, expr->items->from->name);
        collector->key_bytes = 0;
        add_key(collector, expr->at);
        expr->watch = watch_find(collector, vidmm_event_by_name(event));
        expr->watch->items = expr->items->next;
        watch_file(runner, expr->watch, subject_of(runner, expr->items->next));
    }
    for (struct item *item = count ? NULL : expr->items; item; item = item->next) {
        collect_expr(collector, item->from);
        collect_expr(collector, item->to);
    }
    collect_expr(collector, expr->left);
    collect_expr(collector, expr->right);
}

static void collect_predicate(struct collector *collector, struct predicate *predicate)
{
    collect_expr(collector, predicate->left);
    collect_expr(collector, predicate->right);
    if (predicate->kind != PREDICATE_NO)
        return;
    collector->key_bytes = 0;
    const char *event = vidmm_event_info(predicate->event)->name;
    add_text(collector, event, strlen(event));
    if (predicate->left)
        add_key(collector, predicate->left->at);
    for (const struct attribute *field = predicate->fields; field; field = field->next)
        add_key(collector, field->whole);
    struct watch *watch = watch_find(collector, predicate->event);
    predicate->watch = watch;
    watch->subject = predicate->left;
    watch->fields = predicate->fields;
    if (!watch->last)
        watch->last = arena_alloc(&collector->runner->scenario->arena, WATCH_WORDS_MAX);
    watch_file(collector->runner, watch, predicate->left);
}

static void collect(struct collector *collector, struct statement *first)
{
    struct runner *runner = collector->runner;
    for (struct statement *at = first; at; at = at->next) {
        if (at->kind == STATEMENT_BULK || at->kind >= STATEMENT_KINDS)
            continue;
        if (at->kind == STATEMENT_EXPECT)
            runner->observing = true;
        if (at->kind == STATEMENT_EXPECT &&
            (at->mode == MODE_EVENTS || at->mode == MODE_EVENTS_ANY_ORDER))
            runner->log.wanted = true;
        if (at->outcome && at->outcome->kind == OUTCOME_WARNS)
            runner->observing = true;
        if (at->predicate)
            collect_predicate(collector, at->predicate);
        collect_expr(collector, at->value);
        collect_expr(collector, at->extra);
        for (struct attribute *field = at->attributes; field; field = field->next) {
            for (struct item *item = field->items; item; item = item->next)
                collect_expr(collector, item->from);
        }
        collect(collector, at->body);
    }
}

void watches_collect(struct runner *runner)
{
    const struct bulk *bulk = runner->scenario->bulk;
    struct collector collector = { .runner = runner };
    collect(&collector, runner->scenario->statements);
    for (size_t i = 0; i < bulk->form_count; i++)
        collect(&collector, bulk->forms[i].statement);
    HASH_CLEAR(hh, collector.shared);
    base_free(collector.key);
}
