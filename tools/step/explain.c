/* SPDX-License-Identifier: MIT */
/*
 * explain.c: what led to an event of a run, and what was the life of an allocation?
 *
 * The file is run, and the answer printed at the moment that it is about, while the adapter can
 * still be asked for names. Nothing else of the run is told, but for errors.
 */
#define _DEFAULT_SOURCE /* strtok_r */
#include <inttypes.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/step/step.h"
#include "tools/step/where.h"
#include "tools/step/why.h"
#include "tools/story/show.h"

struct explain {
    struct sink sink;
    bool hears[VIDMM_EVENT_KINDS];
    struct host host;
    void (*on_message)(struct scenario_host *host, const struct scenario_message *message);
    const struct step_question *question;
    struct where where; /* the event that is asked for */
    struct screen screen;
    struct trail *trail;
    struct text title, nearest; /* title: of what comes, until it was printed */
    size_t steps;               /* between the name and the nearest one */
    vidmm_handle subject;       /* the allocation that is asked for; 0: not there */
    uint64_t last, answers;
    bool nameless; /* an event of the kind that is asked for names nothing */
};

/* ---- a moment ------------------------------------------------------------------------------- */

/* What counts in the life of an allocation. */
static bool is_of_life(enum vidmm_event_kind kind)
{
    static const enum vidmm_event_kind kinds[] = {
        VIDMM_EVENT_CREATE,   VIDMM_EVENT_DESTROY, VIDMM_EVENT_PLACE,   VIDMM_EVENT_EVICT,
        VIDMM_EVENT_PIN,      VIDMM_EVENT_UNPIN,   VIDMM_EVENT_LOST,    VIDMM_EVENT_RENAME,
        VIDMM_EVENT_PRIORITY, VIDMM_EVENT_OFFER,   VIDMM_EVENT_RECLAIM, VIDMM_EVENT_DISCARD_OFFERED,
        VIDMM_EVENT_PROPERTY, VIDMM_EVENT_WARN,    VIDMM_EVENT_FINDING, VIDMM_EVENT_REFUSE,
    };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

static const char *asked_name(const struct explain *explain)
{
    const char *allocation = explain->question->allocation;
    return allocation ? allocation : explain->where.subject;
}

static void learn_name(struct explain *explain, const char *name)
{
    const char *asked = asked_name(explain);
    size_t steps = words_distance(asked, strlen(asked), name, strlen(name));
    if (!*name || steps >= explain->steps)
        return;
    explain->steps = steps;
    text_clear(&explain->nearest);
    text_add(&explain->nearest, "%s", name);
}

/* Of a time, a line or the start the first decision. */
static bool is_there(const struct explain *explain, const struct vidmm_event *event)
{
    bool decision = explain->trail->decisions.of[event->kind];
    switch (explain->where.kind) {
    case WHERE_LINE: return decision && explain->trail->line == explain->where.number;
    case WHERE_TIME: return decision && where_is_event(&explain->where, event);
    case WHERE_START: return decision;
    default: return where_is_event(&explain->where, event);
    }
}

static bool is_asked(struct explain *explain, const struct vidmm_event *event)
{
    const struct step_question *question = explain->question;
    if (!question->allocation && event->kind == explain->where.event) {
        const char *label = event->label ? event->label : "";
        explain->nameless = explain->nameless || !*label;
        learn_name(explain, label);
    }
    if (!question->allocation)
        return !explain->answers && is_there(explain, event);
    if (event->kind == VIDMM_EVENT_REFUSE && explain->subject)
        return why_comer(explain->trail, trail_decision(explain->trail, "")) == explain->subject;
    const char *name = names_subject(event);
    if (strcmp(name, question->allocation) == 0)
        return is_of_life(event->kind);
    if (event->kind == VIDMM_EVENT_CREATE && !explain->answers &&
        strcmp(names_word(event, "kind"), "allocation") == 0)
        learn_name(explain, name);
    return false;
}

static void begin_answer(struct explain *explain)
{
    FILE *out = explain->screen.out;
    if (explain->answers++)
        (void)fputc('\n', out);
    if (explain->title.length) {
        (void)fprintf(out, "%s\n", text_get(&explain->title));
        text_clear(&explain->title);
    }
}

/* At a place without an event the last decision before it; `failure` is what is there, or NULL. */
static void answer_at(struct explain *explain, enum where_kind place,
                      const struct scenario_message *failure)
{
    uint64_t number = trail_decision(explain->trail, "");
    bool decided = number != UINT64_MAX;
    if (explain->question->allocation || explain->where.kind != place || explain->answers ||
        !(decided || failure))
        return;
    begin_answer(explain);
    if (failure) {
        screen_message(&explain->screen, failure->severity, failure->rendered);
        (void)fprintf(explain->screen.out, "\n%s\n",
                      decided ? "The last decision before it:\n"
                              : "Nothing was decided before it.");
    }
    if (decided)
        why_decision(&explain->screen, explain->trail, number);
}

static void explain_answer(struct explain *explain, const struct vidmm_event *event)
{
    begin_answer(explain);
    if (explain->question->allocation && event->kind == VIDMM_EVENT_CREATE)
        explain->subject = event->subject;
    if (explain->question->allocation)
        why_of_life(&explain->screen, explain->trail, event);
    else
        why_event(&explain->screen, explain->trail, event);
}

/* ---- hearing -------------------------------------------------------------------------------- */

static struct explain *explain_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct explain, sink);
}

static void explain_on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct explain *explain = explain_of(CONTAINER_OF(self, struct sink, observer));
    trail_hear(explain->trail, event);
    if (trail_only(event->kind))
        return;
    explain->last = max_u64(explain->last, event->seq);
    if (is_asked(explain, event))
        explain_answer(explain, event);
}

static void explain_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct explain *explain = explain_of(self);
    if (telling->kind == SCENARIO_TELL_STATEMENT)
        trail_statement(explain->trail, telling);
    if (telling->kind == SCENARIO_TELL_TEST_BEGIN) {
        text_clear(&explain->title);
        text_add(&explain->title, "Test \"%s\"", telling->text);
    }
    if (telling->kind == SCENARIO_TELL_TEST_END) {
        text_clear(&explain->title);
        text_add(&explain->title, "What comes before every test, once more");
        trail_statement(explain->trail, NULL);
    }
}

static void explain_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    trail_adapter(explain_of(self)->trail, adapter);
}

/* Where a life that has not ended leads to. */
static void explain_ended(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct explain *explain =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct explain, host);
    if (vidmm_object_kind(adapter, explain->subject) == VIDMM_OBJECT_ALLOCATION) {
        (void)fprintf(explain->screen.out, "\nAt the end\n");
        show_allocation(&explain->screen, NULL, adapter, explain->subject);
    }
    answer_at(explain, WHERE_END, NULL);
    explain->subject = 0;
    trail_adapter(explain->trail, NULL);
}

/* The answer to the question is known. */
static bool explain_done(struct scenario_host *base)
{
    const struct explain *explain =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct explain, host);
    return !explain->question->allocation && explain->answers;
}

static void explain_message(struct sink *self, const struct scenario_message *message)
{
    (void)self;
    (void)message;
}

/* That an expectation fails is no part of the answer, but may be its moment. */
static void explain_on_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct explain *explain =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct explain, host);
    bool there = explain->where.kind == WHERE_LINE && message->at.line == explain->where.number;
    if (message->severity == SCENARIO_FAILED)
        answer_at(explain, there ? WHERE_LINE : WHERE_FAIL, message);
    if (message->severity == SCENARIO_ERROR || message->severity == SCENARIO_STOPPED)
        explain->on_message(base, message);
}

static void explain_end(struct sink *self, const char *file, const struct scenario_result *result)
{
    (void)self;
    (void)file;
    (void)result;
    (void)fflush(stdout);
}

static void explain_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    explain_end(self, file, NULL);
    (void)exit;
}

/* ---- a question ----------------------------------------------------------------------------- */

static enum tool_exit say_nothing_found(const struct explain *explain)
{
    const struct step_question *question = explain->question;
    const char *file = host_name(explain->host.path);
    const char *kind = explain->where.event ? vidmm_event_info(explain->where.event)->name : "";
    if (!question->allocation && explain->where.kind == WHERE_EVENT)
        (void)fprintf(stderr,
                      "vidmm explain: %s has no event %" PRIu64 "; the last one is %" PRIu64 "\n",
                      file, explain->where.number, explain->last);
    else if (!question->allocation && explain->nearest.length)
        (void)fprintf(stderr,
                      "vidmm explain: there is no '%s' in the run of %s; did you mean '%s %s'?\n",
                      question->event, file, kind, text_get(&explain->nearest));
    else if (!question->allocation && explain->nameless)
        (void)fprintf(stderr,
                      "vidmm explain: there is no '%s' in the run of %s: '%s' names nothing; "
                      "--event=%s explains the first one, --allocation=%s those of %s\n",
                      question->event, file, kind, kind, explain->where.subject,
                      explain->where.subject);
    else if (!question->allocation)
        (void)fprintf(stderr, "vidmm explain: %s '%s' in the run of %s\n",
                      explain->where.kind == WHERE_TIME   ? "nothing is decided after"
                      : explain->where.kind == WHERE_LINE ? "nothing is decided at"
                                                          : "there is no",
                      question->event, file);
    else if (explain->nearest.length)
        (void)fprintf(stderr, "vidmm explain: %s creates no allocation '%s'; did you mean '%s'?\n",
                      file, question->allocation, text_get(&explain->nearest));
    else
        (void)fprintf(stderr, "vidmm explain: %s creates no allocation '%s'\n", file,
                      question->allocation);
    return TOOL_USAGE;
}

/* False, and a message: no event can be there. */
static bool read_where(struct explain *explain)
{
    char *words[WHERE_WORDS + 1], line[2 * WHERE_BYTES], *rest = line;
    struct text why = { 0 };
    size_t count = 0;
    (void)snprintf(line, sizeof line, "%s", explain->question->event);
    for (char *word; count <= WHERE_WORDS && (word = strtok_r(rest, " \t", &rest)) != NULL;)
        words[count++] = word;
    bool good = where_read(&explain->where, words, count, &why);
    if (!good)
        wrap_print(stderr, "vidmm explain: ", WRAP_LABEL_COLUMN, text_get(&why));
    text_free(&why);
    return good;
}

enum tool_exit step_explain(const struct step_question *question, struct run_line *line)
{
    struct explain explain = {
        .sink = { .observer = { .on_event = explain_on_event, .kinds = explain.hears },
                  .started = explain_started,
                  .tell = explain_tell,
                  .message = explain_message,
                  .refused = explain_refused,
                  .end = explain_end },
        .question = question,
        .trail = trail_new(),
    };
    struct host_file file;
    if (question->event && !read_where(&explain)) {
        trail_free(explain.trail);
        return TOOL_USAGE;
    }
    explain.steps = text_likeness(asked_name(&explain)).least;
    for (size_t i = 0; i < VIDMM_EVENT_KINDS; i++)
        explain.hears[i] = true;
    screen_init(&explain.screen, stdout, SCREEN_COLOR_AUTO, SCREEN_LETTERS_ALL, 0);
    run_file_host(&explain.host, &explain.sink, line);
    line->options.tell_statements = true;
    explain.on_message = explain.host.base.message;
    explain.host.base.message = explain_on_message;
    explain.host.base.done = explain_done;
    explain.host.base.ended = explain_ended;
    enum tool_exit code = run_file_open(&explain.host, line, line->files.first[0], &file);
    code = run_file_end(&explain.host, line, &file,
                        run_file_only(&explain.host.tests, line->options.only, code));
    /* The run is left, as if it were interrupted, once the answer is known. */
    bool ran = code == TOOL_GOOD || code == TOOL_FAILED || code == TOOL_BUGCHECK ||
               code == TOOL_INTERRUPTED;
    if (ran && !interrupt_seen())
        code = explain.answers ? TOOL_GOOD : say_nothing_found(&explain);
    trail_free(explain.trail);
    text_free(&explain.title);
    text_free(&explain.nearest);
    return code;
}
