/* SPDX-License-Identifier: MIT */
/*
 * writer.c: a run as a log of decisions, while it goes on.
 *
 * What a decision looked at comes before it, so the trail is held until then, a bounded number of
 * lines; what no decision follows, until the next statement, is dropped. The preamble of a file
 * with tests is run again for each of them: it stands in the log once.
 */
#include "tools/record/kinds.h"
#include "tools/record/line.h"

#include <errno.h>
#include <string.h>

enum { TRAIL_MOST = 32, HELD_BYTES = 1 << 18 };

struct record {
    struct sink sink;
    struct sink *inner;
    bool tells; /* inner hears what is told */
    struct record_options options;
    struct record_out *out;
    struct line_names names;
    bool hears[VIDMM_EVENT_KINDS];
    struct text line, trail, statement;
    unsigned trail_lines;
    uint64_t trail_more;
    bool statement_due; /* it stands in no line yet */
    bool again;         /* a preamble that was seen */
};

static struct record *record_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct record, sink);
}

static void put(struct record *record)
{
    record->out->line(record->out, record->line.bytes, record->line.length);
    text_clear(&record->line);
}

/* ---- events --------------------------------------------------------------------------------- */

static void drop_trail(struct record *record)
{
    text_clear(&record->trail);
    record->trail_lines = 0;
    record->trail_more = 0;
}

static void put_trail(struct record *record)
{
    const char *at = text_get(&record->trail), *end = at + record->trail.length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        record->out->line(record->out, at, (size_t)(stop - at));
        at = stop + 1;
    }
    if (record->trail_more) {
        text_add(&record->line, "  ... %llu more", (unsigned long long)record->trail_more);
        put(record);
    }
    drop_trail(record);
}

static void keep_trail(struct record *record, const struct vidmm_event *event)
{
    if (record->trail_lines == TRAIL_MOST) {
        record->trail_more++;
        return;
    }
    record->trail_lines++;
    text_add_bytes(&record->trail, "  ", 2);
    line_add(&record->trail, &record->names, event, false);
    text_add_bytes(&record->trail, "\n", 1);
}

static void record_on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct record *record = record_of(CONTAINER_OF(self, struct sink, observer));
    if (event->kind == VIDMM_EVENT_REPORT_SEGMENT)
        line_learn(&record->names, event);
    if (record->again)
        return;
    if (!record->options.kinds.of[event->kind]) {
        if (event->kind != VIDMM_EVENT_REPORT_SEGMENT)
            keep_trail(record, event);
        return;
    }
    if (record->statement_due)
        record->out->line(record->out, record->statement.bytes, record->statement.length);
    record->statement_due = false;
    line_add(&record->line, &record->names, event, record->options.kinds.times);
    put(record);
    put_trail(record);
}

/* ---- what the scenario says ----------------------------------------------------------------- */

/* One line, whatever it is. */
static void add_flat(struct text *out, const char *text)
{
    size_t length = strcspn(text, "\n\r");
    text_add_bytes(out, text, length);
}

static void record_begin(struct sink *self, const char *file)
{
    struct record *record = record_of(self);
    if (record->options.files) {
        text_add_bytes(&record->line, "file ", 5);
        add_flat(&record->line, file);
        put(record);
    }
    record->again = record->statement_due = false;
    if (record->inner)
        record->inner->begin(record->inner, file);
}

static void record_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    struct record *record = record_of(self);
    record->names.adapter = adapter;
    if (record->inner && record->inner->started)
        record->inner->started(record->inner, adapter);
}

static void record_source(struct sink *self, const char *name, const char *text, size_t bytes)
{
    struct sink *inner = record_of(self)->inner;
    if (inner && inner->source)
        inner->source(inner, name, text, bytes);
}

static void record_ended(struct sink *self, const struct vidmm_adapter *adapter)
{
    struct sink *inner = record_of(self)->inner;
    if (inner && inner->ended)
        inner->ended(inner, adapter);
}

static void keep_statement(struct record *record, const struct scenario_telling *telling)
{
    struct text *statement = &record->statement;
    text_clear(statement);
    text_add_bytes(statement, "> ", 2);
    if (record->options.lines) {
        line_add_number(statement, telling->at.line);
        text_add_bytes(statement, ": ", 2);
    }
    add_flat(statement, telling->text);
    record->statement_due = true;
    drop_trail(record);
}

static void record_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct record *record = record_of(self);
    if (telling->kind == SCENARIO_TELL_STATEMENT)
        keep_statement(record, telling);
    if (telling->kind == SCENARIO_TELL_TEST_BEGIN) {
        text_add_bytes(&record->line, "test \"", 6);
        add_flat(&record->line, telling->text);
        text_add_bytes(&record->line, "\"", 1);
        put(record);
        record->again = record->statement_due = false;
        drop_trail(record);
    }
    if (telling->kind == SCENARIO_TELL_TEST_END)
        record->again = true;
    if (record->inner && record->tells)
        record->inner->tell(record->inner, telling);
}

/* ---- handed on ------------------------------------------------------------------------------ */

static void record_message(struct sink *self, const struct scenario_message *message)
{
    struct sink *inner = record_of(self)->inner;
    if (inner)
        inner->message(inner, message);
}

static void end_file(struct record *record)
{
    if (record->out->end)
        record->out->end(record->out);
}

static void record_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    struct sink *inner = record_of(self)->inner;
    end_file(record_of(self));
    if (inner)
        inner->refused(inner, file, exit);
}

static void record_end(struct sink *self, const char *file, const struct scenario_result *result)
{
    struct sink *inner = record_of(self)->inner;
    end_file(record_of(self));
    if (inner)
        inner->end(inner, file, result);
}

static void record_close(struct sink *self)
{
    struct record *record = record_of(self);
    if (record->inner && record->inner->close)
        record->inner->close(record->inner);
    text_free(&record->line);
    text_free(&record->trail);
    text_free(&record->statement);
    base_free(record);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* What this sink has to hear. */
static void choose_kinds(struct record *record)
{
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++) {
        enum vidmm_event_kind kind = (enum vidmm_event_kind)i;
        record->hears[i] = record->options.kinds.of[i] || kinds_of_trail(kind);
    }
    record->hears[VIDMM_EVENT_REPORT_SEGMENT] = true;
}

struct sink *record_open(const struct record_options *options, struct record_out *out,
                         struct sink *inner, bool quiet)
{
    struct record *record = base_alloc(1, sizeof *record);
    record->sink = (struct sink){
        .observer = { .on_event = record_on_event, .kinds = record->hears },
        .begin = record_begin,
        .source = record_source,
        .started = record_started,
        .ended = record_ended,
        .tell = record_tell,
        .message = record_message,
        .refused = record_refused,
        .end = record_end,
        .close = record_close,
    };
    record->inner = inner;
    record->tells = inner && !quiet;
    record->options = *options;
    record->out = out;
    choose_kinds(record);
    if (inner && !quiet && inner->observer.on_event)
        record->sink.observer.next = &inner->observer;
    text_add(&record->line, "vidmm-decisions %d", RECORD_VERSION);
    put(record);
    text_add(&record->line, "kinds ");
    kinds_add_text(&options->kinds, &record->line);
    put(record);
    return &record->sink;
}

/* ---- into a file ---------------------------------------------------------------------------- */

static void file_flush(struct record_file *to)
{
    if (to->held.length)
        (void)fwrite(to->held.bytes, 1, to->held.length, to->file);
    text_clear(&to->held);
}

static void file_line(struct record_out *out, const char *text, size_t bytes)
{
    struct record_file *to = CONTAINER_OF(out, struct record_file, out);
    text_add_bytes(&to->held, text, bytes);
    text_add_bytes(&to->held, "\n", 1);
    if (to->held.length >= HELD_BYTES)
        file_flush(to);
}

/* It may be the last that happens. */
static void file_ended(struct record_out *out)
{
    struct record_file *to = CONTAINER_OF(out, struct record_file, out);
    file_flush(to);
    (void)fflush(to->file);
}

void record_file_open(struct record_file *to, FILE *file)
{
    *to = (struct record_file){ .out = { .line = file_line, .end = file_ended }, .file = file };
}

bool record_file_end(struct record_file *to)
{
    file_flush(to);
    text_free(&to->held);
    return fflush(to->file) == 0 && !ferror(to->file);
}
