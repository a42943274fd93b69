/* SPDX-License-Identifier: MIT */
/*
 * sink_text.c: the run as a story.
 *
 *     > submit frame1 read=grass
 *          1.500 us  grass was placed in vram at 0 (bottom-up, first fit)
 *                    PLACE-007 Default direction is bottom-up [documented]
 *
 * The statement that runs, then what it brought about: the time in microseconds since the start and
 * one sentence an event. An expectation is printed when it is known to have held, and its reason
 * when it failed: who reads the story later has no stderr. What fails again has no message: it is
 * printed as failed, without its reason.
 */
#define _DEFAULT_SOURCE /* fileno */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/story/narrate.h"
#include "tools/story/rounds.h"
#include "tools/story/show.h"
#include "tools/story/story.h"

enum { TIME_COLUMNS = 14, SENTENCE_COLUMN = 16 };

struct text_sink {
    struct sink sink;
    struct sink_options options;
    struct narrator narrator;
    struct map_memory maps; /* of this run, or of this test */
    struct text line;       /* that is put together; empty between two lines */
    struct text sentence;
    struct text expectation; /* the one that runs now; or a statement that ended unexpectedly */
    struct text paragraph;   /* notes that follow each other */
    struct text before;      /* the same, left out so far: of a question they are told */
    struct rounds rounds;
    bool missed;    /* `expectation` failed, and no message has said so */
    bool fresh;     /* an empty line was just printed, or nothing yet */
    bool stopping;  /* a bug check was printed, and its refusals follow */
    bool beside;    /* messages stand there already: stderr goes to the same place */
    bool repeating; /* after a test: the preamble runs again for the next one */
};

static struct text_sink *sink_text_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct text_sink, sink);
}

/* ---- pieces -------------------------------------------------------------------------------- */

static void gap(struct text_sink *sink)
{
    if (!sink->fresh)
        (void)fputc('\n', sink->options.screen.out);
    sink->fresh = true;
}

/* The rest of `line` is `text`, which goes on in column `indent`. */
static void end_line(struct text_sink *sink, int indent, const char *text, const char *off)
{
    const struct screen *screen = &sink->options.screen;
    const struct wrap wrap = { NULL, indent, screen->width };
    wrap_add(&sink->line, &wrap, indent, text);
    text_add_string(&sink->line, off);
    text_add_bytes(&sink->line, "\n", 1);
    text_put(screen->out, sink->line.bytes, sink->line.length);
    text_clear(&sink->line);
    sink->fresh = false;
}

/* A whole line in one style; where it goes on in another one, that begins in column `indent`. */
static void sink_text_line(struct text_sink *sink, enum screen_style style, int start, int indent,
                           const char *text)
{
    text_add_string(&sink->line, screen_on(&sink->options.screen, style));
    text_add_spaces(&sink->line, start);
    end_line(sink, indent, text, screen_off(&sink->options.screen));
}

/* Notes that follow each other are one paragraph. */
static void settle_notes(struct text_sink *sink)
{
    if (!sink->paragraph.length)
        return;
    gap(sink);
    sink_text_line(sink, SCREEN_NOTE, 0, 0, text_get(&sink->paragraph));
    text_clear(&sink->paragraph);
    gap(sink);
}

/* It is over, and no message came: it held, or a message of its failure would be one too many. */
static void settle_expectation(struct text_sink *sink)
{
    const struct screen *screen = &sink->options.screen;
    enum screen_style style = sink->missed ? SCREEN_BAD : SCREEN_GOOD;
    const char *good = screen_pick(screen, "\u2713", "ok");
    if (sink->expectation.length) {
        text_add(&sink->line, "%s%*s  ", screen_on(screen, style), TIME_COLUMNS,
                 sink->missed ? "failed" : good);
        end_line(sink, SENTENCE_COLUMN, text_get(&sink->expectation), screen_off(screen));
    }
    text_clear(&sink->expectation);
    sink->missed = false;
}

/* ---- events -------------------------------------------------------------------------------- */

static enum screen_style style_of(enum vidmm_event_kind kind)
{
    switch (kind) {
    case VIDMM_EVENT_REFUSE:
    case VIDMM_EVENT_WARN: return SCREEN_WARN;
    case VIDMM_EVENT_FINDING:
    case VIDMM_EVENT_LOST:
    case VIDMM_EVENT_BUGCHECK: return SCREEN_BAD;
    default: return SCREEN_PLAIN;
    }
}

static bool is_shown(const struct text_sink *sink, const struct vidmm_event *event)
{
    const struct sink_options *options = &sink->options;
    if (event->time < options->from || event->time > options->to)
        return false;
    if (!options->verbose &&
        (sink->repeating || (sink->rounds.later && style_of(event->kind) != SCREEN_BAD)))
        return false;
    switch (narrate_level_of(event)) {
    case NARRATE_DETAILS: return options->verbose;
    case NARRATE_CALLS: return options->calls;
    default: return true;
    }
}

static void print_why(struct text_sink *sink, enum vidmm_rule rule)
{
    const struct vidmm_rule_info *info = vidmm_rule_info(rule);
    if (!info)
        return;
    text_clear(&sink->sentence);
    text_add(&sink->sentence, "%s %s [%s]", info->id, info->title, names_standing(info->standing));
    sink_text_line(sink, SCREEN_QUIET, SENTENCE_COLUMN, SENTENCE_COLUMN, text_get(&sink->sentence));
}

static void add_time(struct text_sink *sink, vidmm_ns time)
{
    const struct screen *screen = &sink->options.screen;
    struct text_short said = text_time(time);
    text_add_string(&sink->line, screen_on(screen, SCREEN_QUIET));
    text_add_spaces(&sink->line, TIME_COLUMNS - (int)strlen(said.it));
    text_add_string(&sink->line, said.it);
    text_add_string(&sink->line, screen_off(screen));
    text_add_spaces(&sink->line, SENTENCE_COLUMN - TIME_COLUMNS);
}

static void sink_text_on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct text_sink *sink = sink_text_of(CONTAINER_OF(self, struct sink, observer));
    const struct screen *screen = &sink->options.screen;
    enum screen_style style = style_of(event->kind);
    /* The call that ends in a bug check is refused on each level on the way out: that is no news.
     */
    bool refused = event->kind == VIDMM_EVENT_REFUSE && sink->stopping;
    sink->stopping = refused || event->kind == VIDMM_EVENT_BUGCHECK;
    bool known = refused && !sink->options.verbose;
    bool shown = is_shown(sink, event);
    /* The narrator remembers nothing of calls and their lists, and there are many of them. */
    if (!shown && narrate_level(event->kind) == NARRATE_CALLS)
        return;
    bool unread = sink->options.unread && *sink->options.unread;
    text_clear(&sink->sentence);
    if ((shown && !unread) || narrate_remembers(event))
        narrate(&sink->narrator, event, &sink->sentence);
    if (known || !shown)
        return;
    if (sink->missed)
        settle_expectation(sink);
    settle_notes(sink);    /* an expectation that starts the adapter is not over */
    if (sink->repeating) { /* said once, before its first event */
        sink->repeating = false;
        gap(sink);
        sink_text_line(sink, SCREEN_TITLE, 0, 0, "What comes before every test, once more");
    }
    if (unread) {
        (void)fputc('\n', screen->out);
        sink->fresh = false;
        return;
    }
    add_time(sink, event->time);
    text_add_string(&sink->line, screen_on(screen, style));
    end_line(sink, SENTENCE_COLUMN, text_get(&sink->sentence),
             style == SCREEN_PLAIN ? "" : screen_off(screen));
    if (!sink->options.why)
        return;
    print_why(sink, event->rule);
    /* An eviction has two: why it leaves, and by which way its content does. */
    const struct tale tale = { &sink->narrator, event, &sink->sentence };
    const char *id = tale_word(&tale, "way");
    enum vidmm_rule way = *id ? vidmm_rule_by_id(id) : VIDMM_RULE_NONE;
    if (way != event->rule)
        print_why(sink, way);
}

/* ---- what the scenario says ---------------------------------------------------------------- */

static void tell_lesson(struct text_sink *sink, const char *title)
{
    const struct screen *screen = &sink->options.screen;
    gap(sink);
    sink_text_line(sink, SCREEN_TITLE, 0, 0, title);
    for (size_t i = 0; title[i] && (int)i < screen->width; i++)
        if (((unsigned char)title[i] & 0xC0) != 0x80)
            (void)fputs(screen_pick(screen, "\u2550", "="), screen->out);
    (void)fputc('\n', screen->out);
    gap(sink);
}

static void tell_ask(struct text_sink *sink, const struct scenario_telling *telling)
{
    gap(sink);
    text_clear(&sink->sentence);
    text_add(&sink->sentence, "Question: %s", telling->text);
    sink_text_line(sink, SCREEN_TITLE, 0, 0, text_get(&sink->sentence));
    if (!sink->options.quiz)
        (void)fprintf(sink->options.screen.out, "Answer: %s\n", telling->answer);
    sink->fresh = false;
}

static void tell_show(struct text_sink *sink, const struct scenario_telling *telling)
{
    const struct screen *screen = &sink->options.screen;
    CHECK(telling->adapter);
    gap(sink);
    if (strcmp(telling->text, "map") == 0)
        show_map(screen, &sink->maps, telling->adapter, telling->segment);
    else if (strcmp(telling->text, "alloc") == 0)
        show_allocation(screen, &sink->maps, telling->adapter, telling->handle);
    else if (strcmp(telling->text, "state") == 0)
        show_state(screen, telling);
    else if (strcmp(telling->text, "queue") == 0)
        show_queue(screen, telling->adapter);
    else if (strcmp(telling->text, "memory") == 0)
        show_memory(screen, telling->adapter);
    else
        show_counters(screen, telling->adapter, telling->counters);
    sink->fresh = false;
    gap(sink);
}

/* An operation, or an expectation, whose end is told with it. */
static void tell_statement(struct text_sink *sink, const char *text)
{
    static const char expect[] = "expect";
    text += strspn(text, " \t");
    if (strncmp(text, expect, sizeof expect - 1) == 0) {
        text_add(&sink->expectation, "%s", text);
        return;
    }
    text_clear(&sink->sentence);
    text_add_string(&sink->sentence, "> ");
    text_add_string(&sink->sentence, text);
    sink_text_line(sink, SCREEN_SOURCE, 0, 2, text_get(&sink->sentence));
}

static void tell_test(struct text_sink *sink, const struct scenario_telling *telling)
{
    text_clear(&sink->sentence);
    sink->repeating = telling->kind == SCENARIO_TELL_TEST_END;
    if (telling->kind == SCENARIO_TELL_TEST_BEGIN) {
        gap(sink);
        text_add(&sink->sentence, "Test \"%s\"", telling->text);
        sink_text_line(sink, SCREEN_TITLE, 0, 0, text_get(&sink->sentence));
        return;
    }
    narrate_reset(&sink->narrator);
    show_map_forget(&sink->maps);
    text_add(&sink->sentence, "Test \"%s\" %s", telling->text,
             !telling->test.reached ? "did not run"
             : telling->test.passed ? "passed"
                                    : "failed");
    sink_text_line(sink, telling->test.passed ? SCREEN_GOOD : SCREEN_BAD, 0, 0,
                   text_get(&sink->sentence));
}

static void tell_left_out(struct text_sink *sink)
{
    bool quiet = false;
    uint64_t count = rounds_left_out(&sink->rounds, &quiet);
    if (!count || sink->options.verbose)
        return;
    settle_notes(sink);
    text_clear(&sink->sentence);
    text_add(&sink->sentence, "(%s%s left out; --verbose tells %s)",
             text_count(count, "statement").it, quiet ? "" : " of later rounds",
             count == 1 ? "it" : "them");
    sink_text_line(sink, SCREEN_QUIET, 2, 4, text_get(&sink->sentence));
}

static void sink_text_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct text_sink *sink = sink_text_of(self);
    sink->stopping = false;
    bool unexpected = telling->kind == SCENARIO_TELL_UNEXPECTED;
    if (unexpected)
        text_clear(&sink->expectation); /* the start before it failed */
    sink->missed |= telling->kind == SCENARIO_TELL_HELD && !telling->value;
    settle_expectation(sink);
    bool left_out = rounds_leave_out(&sink->rounds, telling) && !sink->options.verbose;
    bool note = telling->kind == SCENARIO_TELL_NOTE;
    if (left_out && note)
        text_add(&sink->before, "%s%s", sink->before.length ? " " : "", telling->text);
    if (left_out) {
        if (!note)
            text_clear(&sink->before);
        return;
    }
    tell_left_out(sink);
    if (telling->kind == SCENARIO_TELL_ASK && sink->before.length) {
        settle_notes(sink);
        text_add(&sink->paragraph, "%s", text_get(&sink->before));
    }
    text_clear(&sink->before);
    if (unexpected && !sink->options.quiet)
        text_add_string(&sink->expectation, telling->text);
    sink->missed = sink->expectation.length > 0;
    if (unexpected || telling->kind == SCENARIO_TELL_HELD)
        return;
    if (telling->kind == SCENARIO_TELL_NOTE) {
        text_add(&sink->paragraph, "%s%s", sink->paragraph.length ? " " : "", telling->text);
        return;
    }
    settle_notes(sink);
    switch (telling->kind) {
    case SCENARIO_TELL_LESSON: tell_lesson(sink, telling->text); break;
    case SCENARIO_TELL_ASK: tell_ask(sink, telling); break;
    case SCENARIO_TELL_SHOW: tell_show(sink, telling); break;
    case SCENARIO_TELL_STATEMENT: tell_statement(sink, telling->text); break;
    case SCENARIO_TELL_TEST_BEGIN:
    case SCENARIO_TELL_TEST_END: tell_test(sink, telling); break;
    case SCENARIO_TELL_NOTE:
    case SCENARIO_TELL_HELD:
    case SCENARIO_TELL_UNEXPECTED:   /* done above */
    case SCENARIO_TELL_PARAM: break; /* no part of the story */
    }
}

/* ---- begin and end ------------------------------------------------------------------------- */

static void sink_text_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    sink_text_of(self)->narrator.names.adapter = adapter;
}

/* One terminal, pipe or file for both? What is no file is printed by somebody who has them. */
static bool has_messages(FILE *out)
{
    struct stat one, other;
    if (fstat(fileno(out), &one) != 0)
        return true;
    return fstat(STDERR_FILENO, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static void sink_text_message(struct sink *self, const struct scenario_message *message)
{
    struct text_sink *sink = sink_text_of(self);
    bool failed = message->severity == SCENARIO_FAILED || message->severity == SCENARIO_STOPPED;
    if (failed)
        text_clear(&sink->expectation);
    settle_notes(sink);
    if (failed && message->rendered && !sink->beside) {
        screen_message(&sink->options.screen, message->severity, message->rendered);
        sink->fresh = false;
    }
    (void)fflush(sink->options.screen.out);
}

/* Why a run ended before its last line. */
static void add_ending(struct text *text, const struct scenario_result *result)
{
    if (result->exit == SCENARIO_EXIT_INPUT)
        text_add(text, "; it could not go on");
    if (result->exit == SCENARIO_EXIT_LIMIT)
        text_add(text, "; stopped by a limit");
    if (result->exit == SCENARIO_EXIT_INTERRUPTED)
        text_add(text, "; interrupted");
    if (result->exit == SCENARIO_EXIT_INVARIANT)
        text_add(text, "; an invariant of vidmm broke");
    if (result->bugcheck)
        text_add(text, "; stopped by bug check 0x%" PRIX32 ", which was not expected",
                 result->bugcheck);
    else if (result->exit == SCENARIO_EXIT_BUGCHECK)
        text_add(text, "; stopped by a finding (findings=fatal)");
}

static void add_result(struct text *text, const struct scenario_result *result)
{
    const struct {
        uint64_t count, least;
        const char *what;
    } parts[] = {
        { result->operations, 0, "operation" },
        { result->tests, 2, "test" },
        { result->findings, 1, "finding" },
        { result->warnings, 1, "warning" },
    };
    if (result->failures)
        text_add(text, "%" PRIu64 " of ", result->failures);
    text_add(text, "%s %s", text_count(result->expectations, "expectation").it,
             result->failures ? "failed" : "held");
    if (result->unexpected)
        text_add(text, ", %s did not end as expected",
                 text_count(result->unexpected, "statement").it);
    if (result->met)
        text_add(text, ", %s as expected", text_count(result->met, "outcome").it);
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
        if (parts[i].count >= parts[i].least)
            text_add(text, ", %s", text_count(parts[i].count, parts[i].what).it);
    add_ending(text, result);
}

static void sink_text_end(struct sink *self, const char *file, const struct scenario_result *result)
{
    struct text_sink *sink = sink_text_of(self);
    const struct screen *screen = &sink->options.screen;
    bool good = result->exit == SCENARIO_EXIT_OK;
    settle_expectation(sink);
    settle_notes(sink);
    tell_left_out(sink);
    if (!sink->options.quiet)
        gap(sink);
    text_clear(&sink->sentence);
    add_result(&sink->sentence, result);
    (void)fprintf(screen->out, "%s%s%s: %s\n", screen_on(screen, good ? SCREEN_GOOD : SCREEN_BAD),
                  file, screen_off(screen), text_get(&sink->sentence));
    sink->fresh = false;
    narrate_reset(&sink->narrator);
}

/* What was printed so far stays; the messages said the rest. */
static void sink_text_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    (void)self;
    (void)file;
    (void)exit;
}

static void sink_text_begin(struct sink *self, const char *file)
{
    (void)file;
    struct text_sink *sink = sink_text_of(self);
    sink->repeating = false;
    show_map_forget(&sink->maps);
    sink->rounds = (struct rounds){ 0 };
    narrate_reset(&sink->narrator);
}

static void sink_text_close(struct sink *self)
{
    struct text_sink *sink = sink_text_of(self);
    narrate_reset(&sink->narrator);
    show_map_forget(&sink->maps);
    text_free(&sink->line);
    text_free(&sink->sentence);
    text_free(&sink->expectation);
    text_free(&sink->paragraph);
    text_free(&sink->before);
    base_free(sink);
}

struct sink *sink_text_open(const struct sink_options *options)
{
    struct text_sink *sink = base_alloc(1, sizeof *sink);
    sink->sink = (struct sink){
        .observer = { .on_event = sink_text_on_event },
        .begin = sink_text_begin,
        .started = sink_text_started,
        .tell = sink_text_tell,
        .message = sink_text_message,
        .refused = sink_text_refused,
        .end = sink_text_end,
        .close = sink_text_close,
    };
    sink->options = *options;
    sink->fresh = true;
    sink->beside = has_messages(options->screen.out);
    return &sink->sink;
}
