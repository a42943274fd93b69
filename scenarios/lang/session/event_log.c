/* SPDX-License-Identifier: MIT */
/*
 * event_log.c: hears every event and keeps what expectations may ask for.
 *
 * Three things, each bounded: counters for `count(...)` and `no ...` (watches.c); the last move of
 * each allocation, for explanations; and, only when the scenario has a list of expected events, all
 * events since the last list, with copies of their fields and words.
 */
#include "scenarios/lang/session/session.h"

#include <string.h>

enum { LOG_EVENTS_MAX = 1 << 20, LOG_TEXTS_MAX = 1 << 26 };

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
    struct log_event *kept = &log->events[log->count++];
    *kept = (struct log_event){ .event = *event, .first_field = (uint32_t)log->field_count };
    kept->event.field_count = (size_t)min_u64(event->field_count, LOG_FIELDS_MAX);
    kept->label = keep_text(log, event->label);
    for (size_t i = 0; i < kept->event.field_count; i++)
        keep_field(log, &event->fields[i]);
}

void event_log_clear(struct event_log *log)
{
    log->count = log->field_count = log->text_count = 0;
    log->full = false;
    event_index_clear(log);
}

void event_log_fini(struct event_log *log)
{
    event_index_clear(log);
    base_free(log->events);
    base_free(log->fields);
    base_free(log->texts);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static size_t move_slot(vidmm_handle subject)
{
    return (subject * 0x9E3779B1u) >> 20 & (MOVES - 1);
}

static void keep_move(struct runner *runner, const struct vidmm_event *event)
{
    const struct vidmm_field *direction = event_match_find(event, "direction");
    const struct vidmm_field *reason = event_match_find(event, "reason");
    const struct vidmm_field *words = direction ? direction : reason;
    const struct vidmm_field *segment = event_match_find(event, "segment");
    const struct vidmm_field *offset = event_match_find(event, "offset");
    struct move *move = &runner->moves[move_slot(event->subject)];
    *move = (struct move){
        .life = runner->life,
        .kind = event->kind,
        .rule = event->rule,
        .subject = event->subject,
        .seq = event->seq,
        .time = event->time,
        .segment = segment ? (uint32_t)min_u64(segment->value, UINT32_MAX) : 0,
        .offset = offset ? offset->value : 0,
    };
    snprintf(move->words, sizeof move->words, "%s%s", words == reason && reason ? "reason " : "",
             words && words->text ? words->text : "");
}

const struct move *event_log_move(const struct runner *runner, vidmm_handle subject)
{
    subject = bindings_identity(runner, subject);
    const struct move *move = runner->moves ? &runner->moves[move_slot(subject)] : NULL;
    bool known = move && subject && move->life == runner->life && move->subject == subject;
    return known ? move : NULL;
}

/* ---- the observer ---------------------------------------------------------------------------- */

static void event_log_hear(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct runner *runner = CONTAINER_OF(observer, struct runner, observer);
    runner->last_seq = event->seq;
    watches_hear(runner, event);
    if (runner->held.holding && runner->held.kinds[event->kind])
        event_log_keep(&runner->held.log, event);
    bool warned = event->kind == VIDMM_EVENT_WARN || event->kind == VIDMM_EVENT_FINDING;
    if (warned && runner->warned_count < ARRAY_COUNT(runner->warned))
        runner->warned[runner->warned_count++] = event->rule;
    if (event->kind == VIDMM_EVENT_PLACE || event->kind == VIDMM_EVENT_EVICT ||
        event->kind == VIDMM_EVENT_LOST)
        keep_move(runner, event);
    if (runner->log.wanted)
        event_log_keep(&runner->log, event);
}

struct vidmm_observer *event_log_attach(struct runner *runner, struct vidmm_observer *next)
{
    if (!runner->observing)
        return next;
    if (!runner->moves)
        runner->moves = base_alloc(MOVES, sizeof *runner->moves);
    runner->observer = (struct vidmm_observer){ .on_event = event_log_hear, .next = next };
    return &runner->observer;
}

/* ---- a statement that gives names ------------------------------------------------------------ */

void event_log_hold(struct runner *runner)
{
    runner->held.holding = true;
}

void event_log_let_go(struct runner *runner)
{
    struct held_events *held = &runner->held;
    struct vidmm_field fields[LOG_FIELDS_MAX];
    held->holding = false;
    for (held->event = held->first = 0; held->event < held->log.count; held->event++) {
        struct vidmm_event event =
            event_match_unpack(&held->log, &held->log.events[held->event], fields);
        while (held->first < held->counted_count && held->counted[held->first].event < held->event)
            held->first++;
        watches_hear(runner, &event);
    }
    event_log_clear(&held->log);
    held->first = held->counted_count = 0;
}
