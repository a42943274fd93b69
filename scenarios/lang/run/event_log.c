/* SPDX-License-Identifier: MIT */
/*
 * event_log.c: hears every event and keeps what expectations may ask for.
 *
 * Three things, each bounded: counters for `count(...)` and `no ...`; the last move of each
 * allocation, for explanations; and, only when the scenario has a list of expected events, all
 * events since the last list, with copies of their fields and words.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { LOG_EVENTS_MAX = 1 << 20, LOG_TEXTS_MAX = 1 << 26 };

static const struct vidmm_field *find_field(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++) {
        if (strcmp(event->fields[i].name, name) == 0)
            return &event->fields[i];
    }
    return NULL;
}

static uint64_t field_value(const struct vidmm_event *event, const char *name)
{
    const struct vidmm_field *field = find_field(event, name);
    return field ? field->value : 0;
}

/* ---- the log --------------------------------------------------------------------------------- */

static uint32_t keep_text(struct event_log *log, const char *text)
{
    size_t length = (size_t)min_u64(strlen(text), LOG_TEXT_MAX - 1);
    size_t at = log->text_count;
    BASE_GROW(log->texts, log->text_capacity, at + length + 1);
    memcpy(log->texts + at, text, length);
    log->texts[at + length] = '\0';
    log->text_count += length + 1;
    return (uint32_t)at;
}

static void keep_field(struct event_log *log, const struct vidmm_field *field)
{
    BASE_GROW(log->fields, log->field_capacity, log->field_count + 1);
    log->fields[log->field_count++] = (struct log_field){
        .name = field->name,
        .kind = field->kind,
        .value = field->value,
        .text = field->text ? keep_text(log, field->text) : UINT32_MAX,
    };
}

static void event_log_keep(struct event_log *log, const struct vidmm_event *event)
{
    if (log->count == LOG_EVENTS_MAX || log->text_count > LOG_TEXTS_MAX) {
        log->full = true;
        return;
    }
    BASE_GROW(log->events, log->capacity, log->count + 1);
    log->events[log->count++] = (struct log_event){
        .seq = event->seq,
        .time = event->time,
        .kind = event->kind,
        .rule = event->rule,
        .subject = event->subject,
        .first_field = (uint32_t)log->field_count,
        .field_count = (uint32_t)min_u64(event->field_count, LOG_FIELDS_MAX),
    };
    for (size_t i = 0; i < event->field_count && i < LOG_FIELDS_MAX; i++)
        keep_field(log, &event->fields[i]);
}

void event_log_clear(struct event_log *log)
{
    log->count = log->field_count = log->text_count = 0;
    log->full = false;
}

void event_log_fini(struct event_log *log)
{
    base_free(log->events);
    base_free(log->fields);
    base_free(log->texts);
    *log = (struct event_log){ 0 };
}

/* ---- moves ----------------------------------------------------------------------------------- */

static size_t move_slot(vidmm_handle subject)
{
    return (subject * 0x9E3779B1u) >> 20 & (MOVES - 1);
}

static void keep_move(struct runner *runner, const struct vidmm_event *event)
{
    const struct vidmm_field *direction = find_field(event, "direction");
    const struct vidmm_field *reason = find_field(event, "reason");
    const struct vidmm_field *words = direction ? direction : reason;
    struct move *move = &runner->moves[move_slot(event->subject)];
    *move = (struct move){
        .subject = event->subject,
        .kind = event->kind,
        .rule = event->rule,
        .seq = event->seq,
        .time = event->time,
        .segment = (uint32_t)min_u64(field_value(event, "segment"), UINT32_MAX),
        .offset = field_value(event, "offset"),
    };
    snprintf(move->words, sizeof move->words, "%s%s", words == reason && reason ? "reason " : "",
             words && words->text ? words->text : "");
}

const struct move *event_log_move(const struct runner *runner, vidmm_handle subject)
{
    subject = bindings_identity(runner, subject);
    const struct move *move = runner->moves ? &runner->moves[move_slot(subject)] : NULL;
    return move && subject && move->subject == subject ? move : NULL;
}

/* ---- the observer ---------------------------------------------------------------------------- */

static void event_log_hear(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct runner *runner = CONTAINER_OF(observer, struct runner, observer);
    runner->last_seq = event->seq;
    for (struct watch *watch = runner->watches[event->kind]; watch; watch = watch->next) {
        if (event_match_watch(runner, watch, event)) {
            watch->count++;
            watch->last_seq = event->seq;
            if (watch->last)
                describe_heard(event, watch->last, WATCH_WORDS_MAX);
        }
    }
    bool warned = event->kind == VIDMM_EVENT_WARN || event->kind == VIDMM_EVENT_FINDING;
    if (warned && runner->warned_count < ARRAY_COUNT(runner->warned))
        runner->warned[runner->warned_count++] = event->rule;
    if (event->kind == VIDMM_EVENT_PLACE || event->kind == VIDMM_EVENT_EVICT ||
        event->kind == VIDMM_EVENT_LOST)
        keep_move(runner, event);
    if (runner->log.wanted)
        event_log_keep(&runner->log, event);
}

void event_log_attach(struct runner *runner)
{
    if (!runner->moves)
        runner->moves = base_alloc(MOVES, sizeof *runner->moves);
    memset(runner->moves, 0, MOVES * sizeof *runner->moves);
    runner->observer = (struct vidmm_observer){ .on_event = event_log_hear };
}
