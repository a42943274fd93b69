/* SPDX-License-Identifier: MIT */
/*
 * expect_list.c: lists of expected events and layouts.
 *
 * Events are matched in order, gaps allowed, each line with the first event that fits after the
 * previous match. `next` fits only directly after it, where what the lists of a driver-call hold
 * belongs to that call; a `not` line may not fit anything between the matches around it. In any
 * order, each line takes the first event that no other line took.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { DETAIL_BYTES = 1024, SPANS_MAX = 1 << 20 };

/* ---- events ---------------------------------------------------------------------------------- */

static bool fits(const struct runner *runner, const struct predicate *predicate, size_t index)
{
    struct vidmm_field fields[LOG_FIELDS_MAX];
    const struct log_event *kept = &runner->log.events[index];
    if (kept->event.kind != predicate->event)
        return false;
    struct vidmm_event event = event_match_unpack(&runner->log, kept, fields);
    return event_match_event(runner, predicate->left, predicate->fields, &event);
}

static void add_value(const struct runner *runner, const struct vidmm_field *field, char *text,
                      size_t size)
{
    char bytes[64];
    const char *status = "";
    switch (field->kind) {
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: words_add(text, size, "%s", field->text); break;
    case VIDMM_FIELD_SEGMENT:
        words_add(text, size, "%s", describe_segment(runner, (uint32_t)field->value));
        break;
    case VIDMM_FIELD_STATUS:
        status = spell_status((vidmm_status)(uint32_t)field->value, bytes, sizeof bytes);
        words_add(text, size, "%.*s", (int)strcspn(status, " "), status);
        break;
    case VIDMM_FIELD_ALLOCATION:
        words_add(text, size, "%s", vidmm_label(runner->adapter, (vidmm_handle)field->value));
        break;
    case VIDMM_FIELD_FLAG: words_add(text, size, "%s", field->value ? "on" : "off"); break;
    case VIDMM_FIELD_HEX: words_add(text, size, "0x%" PRIX64, field->value); break;
    default: words_add(text, size, "%" PRIu64, field->value); break;
    }
}

enum asked { ASKED_DIFFERS, ASKED_SAME, ASKED_NOT };

static enum asked is_asked(const struct runner *runner, const struct predicate *predicate,
                           const struct vidmm_field *field)
{
    for (const struct attribute *at = predicate->fields; at; at = at->next) {
        if (strcmp(runner_word(runner, at->key), field->name) == 0)
            return event_match_field(runner, at, field) ? ASKED_SAME : ASKED_DIFFERS;
    }
    return ASKED_NOT;
}

/* One event as a line of a list would write it: first what is not as asked. */
static void describe_event(const struct runner *runner, const struct predicate *predicate,
                           size_t index, char *text, size_t size)
{
    enum { FIELDS_SHOWN = 6 };
    struct vidmm_field fields[LOG_FIELDS_MAX];
    struct vidmm_event event = event_match_unpack(&runner->log, &runner->log.events[index], fields);
    const char *label = vidmm_label(runner->adapter, event.subject);
    size_t shown = 0;
    snprintf(text, size, "event %" PRIu64 ": %s%s%s", event.seq, vidmm_event_info(event.kind)->name,
             label[0] ? " " : "", label);
    for (enum asked pass = ASKED_DIFFERS; pass <= ASKED_NOT; pass++) {
        for (size_t i = 0; i < event.field_count; i++) {
            enum asked asked = is_asked(runner, predicate, &fields[i]);
            if (asked != pass || (asked == ASKED_NOT && shown >= FIELDS_SHOWN))
                continue;
            words_add(text, size, " %s=", fields[i].name);
            add_value(runner, &fields[i], text, size);
            shown++;
        }
    }
}

/* How much of what is asked an event has; one of another call has nothing. */
static unsigned likeness(const struct runner *runner, const struct predicate *predicate,
                         size_t index)
{
    unsigned same = 1;
    struct vidmm_field fields[LOG_FIELDS_MAX];
    struct vidmm_event event = event_match_unpack(&runner->log, &runner->log.events[index], fields);
    if (event.kind != predicate->event)
        return 0;
    for (size_t i = 0; i < event.field_count; i++) {
        enum asked asked = is_asked(runner, predicate, &fields[i]);
        if (asked == ASKED_DIFFERS && strcmp(fields[i].name, "ddi") == 0)
            return 0;
        same += asked == ASKED_SAME;
    }
    return same + (predicate->left && event_match_event(runner, predicate->left, NULL, &event));
}

/* The events that have most of what is asked, which are what the reader looks for first. */
static void add_similar(const struct runner *runner, const struct statement *line, size_t from,
                        char *details)
{
    char text[320];
    unsigned shown = 0;
    unsigned most = 1;
    for (size_t i = from; i < runner->log.count; i++) {
        unsigned same = likeness(runner, line->predicate, i);
        most = same > most ? same : most;
    }
    for (size_t i = from; i < runner->log.count && shown < 3; i++) {
        if (likeness(runner, line->predicate, i) != most)
            continue;
        describe_event(runner, line->predicate, i, text, sizeof text);
        words_add(details, DETAIL_BYTES, "\n%s", text);
        shown++;
    }
    if (!shown)
        words_add(details, DETAIL_BYTES, "\nno such '%s' came %s",
                  vidmm_event_info(line->predicate->event)->name, from ? "after that" : "at all");
}

static void fail_line(struct runner *runner, const struct statement *line, const char *reason,
                      size_t from)
{
    char details[DETAIL_BYTES];
    char text[192];
    runner->statement = line;
    snprintf(details, sizeof details, "%s: %s", reason,
             source_copy(runner->scenario, line->line, text, sizeof text));
    add_similar(runner, line, from, details);
    runner_failed(runner, details);
}

/* `next` is the event that came instead, and may be like the wanted one. */
static void fail_next(struct runner *runner, const struct statement *line, size_t next)
{
    char details[DETAIL_BYTES] = "no event came next";
    char text[320];
    runner->statement = line;
    if (next < runner->log.count) {
        describe_event(runner, line->predicate, next, text, sizeof text);
        snprintf(details, sizeof details, "next came %s", text);
        add_similar(runner, line, next + 1, details);
    }
    runner_failed(runner, details);
}

/* The next event that fits is near: what is passed over is not looked at again. */
static size_t find_next(const struct runner *runner, const struct statement *line, size_t from,
                        size_t to)
{
    size_t i = from;
    while (i < to && !fits(runner, line->predicate, i))
        i++;
    return i;
}

/* Wherever it is, and more than once in the same events: by the index, unless they are few. */
static size_t find_event(struct runner *runner, const struct statement *line, size_t from,
                         size_t to)
{
    enum { FEW = 32 };
    if (to - from > FEW)
        return event_index_find(runner, line->predicate, from, to, fits);
    for (size_t i = from; i < to; i++) {
        if (!runner->log.events[i].matched && fits(runner, line->predicate, i))
            return i;
    }
    return to;
}

/* None of the `not` lines from `first` up to `line` may fit in [from, to). */
static bool check_absent(struct runner *runner, const struct statement *first,
                         const struct statement *line, size_t from, size_t to)
{
    for (const struct statement *at = first; at != line; at = at->next) {
        CHECK(at->mode == MODE_NOT);
        if (find_event(runner, at, from, to) != to) {
            fail_line(runner, at, "this came", from);
            return false;
        }
    }
    return true;
}

static bool is_of_a_call(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_LIST_ELEMENT || kind == VIDMM_EVENT_PATCH_LOCATION;
}

/* The event that a `next` line means, or the end: one that asks for another kind passes over the
   lists of the call before it. */
static size_t find_following(const struct runner *runner, const struct statement *line, size_t from)
{
    const struct event_log *log = &runner->log;
    while (!is_of_a_call(line->predicate->event) && from < log->count &&
           is_of_a_call(log->events[from].event.kind))
        from++;
    return from;
}

static void match_in_order(struct runner *runner, const struct statement *statement)
{
    size_t from = 0;
    const struct statement *absent = statement->body;
    const size_t count = runner->log.count;
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (line->mode == MODE_NOT)
            continue;
        bool next = line->mode == MODE_NEXT;
        size_t found =
            next ? find_following(runner, line, from) : find_next(runner, line, from, count);
        if (found == count || (next && !fits(runner, line->predicate, found))) {
            if (next)
                fail_next(runner, line, found);
            else
                fail_line(runner, line, "this did not come", from);
            return;
        }
        if (!check_absent(runner, absent, line, from, found))
            return;
        from = found + 1;
        absent = line->next;
    }
    check_absent(runner, absent, NULL, from, count);
}

static void match_any_order(struct runner *runner, const struct statement *statement)
{
    const size_t count = runner->log.count;
    for (const struct statement *line = statement->body; line; line = line->next) {
        size_t found = find_event(runner, line, 0, count);
        if (line->mode == MODE_NOT ? found != count : found == count) {
            fail_line(runner, line, line->mode == MODE_NOT ? "this came" : "this did not come", 0);
            return;
        }
        if (line->mode != MODE_NOT)
            runner->log.events[found].matched = true;
    }
}

void expect_list_events(struct runner *runner, const struct statement *statement)
{
    if (runner->log.full) {
        runner_halt(runner, SCENARIO_EXIT_LIMIT);
        runner_message(runner, SCENARIO_STOPPED, NULL,
                       "more events came since the last list than are kept");
        return;
    }
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (!evaluate_pattern(runner, line->predicate))
            return;
    }
    if (statement->mode == MODE_EVENTS)
        match_in_order(runner, statement);
    else
        match_any_order(runner, statement);
    event_log_clear(&runner->log);
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* What one line says: a range, and which allocation is there; 0: none. */
struct wanted_span {
    uint64_t from, to;
    vidmm_handle handle;
};

static bool read_span(struct runner *runner, const struct statement *line, struct wanted_span *span)
{
    if (!evaluate_or_stop(runner, line->value, &span->from) ||
        !evaluate_or_stop(runner, line->extra, &span->to))
        return false;
    binding named = line->subjects ? evaluate_binding(runner, line->subjects->from) : 0;
    span->handle = line->subjects ? bindings_identity(runner, bindings_number(named)) : 0;
    return true;
}

static void describe_span(const struct runner *runner, const struct vidmm_segment_span *span,
                          char *text, size_t size)
{
    char from[64];
    char to[64];
    const char *label =
        span->allocation ? vidmm_label(runner->adapter, span->allocation) : span->what;
    snprintf(text, size, "%s..%s %s", spell_bytes(span->offset, from, sizeof from),
             spell_bytes(span->offset + span->bytes, to, sizeof to), label);
}

static bool same_span(const struct wanted_span *wanted, const struct vidmm_segment_span *span)
{
    bool free = strcmp(span->what, "free") == 0;
    return wanted->from == span->offset && wanted->to == span->offset + span->bytes &&
           (wanted->handle ? wanted->handle == span->allocation : free);
}

static void compare_map(struct runner *runner, const struct statement *statement,
                        const struct vidmm_segment_span *spans, size_t count)
{
    char text[256];
    char details[320];
    size_t i = 0;
    for (const struct statement *line = statement->body; line; line = line->next, i++) {
        struct wanted_span wanted;
        if (!read_span(runner, line, &wanted))
            return;
        if (i < count && same_span(&wanted, &spans[i]))
            continue;
        runner->statement = line;
        snprintf(text, sizeof text, "nothing: the segment ends before");
        if (i < count)
            describe_span(runner, &spans[i], text, sizeof text);
        snprintf(details, sizeof details, "there is %s", text);
        runner_failed(runner, details);
        return;
    }
    if (i == count)
        return;
    describe_span(runner, &spans[i], text, sizeof text);
    snprintf(details, sizeof details, "the list ends before %s", text);
    runner_failed(runner, details);
}

void expect_list_map(struct runner *runner, const struct statement *statement)
{
    uint32_t id = bindings_number(evaluate_binding(runner, statement->value));
    size_t count = vidmm_segment_map(runner->adapter, id, NULL, 0);
    if (count > SPANS_MAX) {
        runner_stop(runner, "this segment has %zu parts, too many for a list", count);
        return;
    }
    struct vidmm_segment_span *spans = base_alloc(count + 1, sizeof *spans);
    count = vidmm_segment_map(runner->adapter, id, spans, count);
    compare_map(runner, statement, spans, count);
    base_free(spans);
}
