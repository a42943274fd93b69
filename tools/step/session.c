/* SPDX-License-Identifier: MIT */
/*
 * session.c: where does the run stop, what is printed on the way, and how does it go back?
 *
 * Everything that `vidmm run` would print is composed in each run, by the same sink, so that a
 * place reads the same however it was reached; what was passed silently is dropped.
 */
#include "tools/step/session.h"

#include <inttypes.h>
#include <string.h>

#include "tools/step/why.h"
#include "tools/story/story.h"

static void session_print(struct session *session)
{
    capture_print(&session->out);
    (void)fflush(session->out.to);
    capture_print(&session->errors);
}

/* ---- stopping ------------------------------------------------------------------------------- */

/* What is there to stop at. */
struct moment {
    const struct vidmm_event *event; /* NULL: it is none */
    bool statement, failed;
    bool step;       /* `next` stops here */
    uint64_t number; /* from 1 */
};

/* Lines of files that are included have other places. */
static bool is_in_file(const struct session *session)
{
    return strcmp(session->at.file, session->file.name) == 0;
}

static bool is_at(const struct session *session, const struct where *where,
                  const struct moment *moment)
{
    if (where->kind == WHERE_LINE)
        return moment->statement && session->at.line == where->number && is_in_file(session);
    if (where->kind == WHERE_FAIL)
        return moment->failed;
    return moment->event && where_is_event(where, moment->event);
}

static bool is_target(const struct session *session, const struct moment *moment)
{
    const struct target *target = &session->target;
    switch (target->kind) {
    case TARGET_STEP: return moment->step && session->step == target->count;
    case TARGET_STATEMENT: return moment->statement && session->statement == target->count;
    case TARGET_MOMENT: return moment->number == target->count;
    case TARGET_WHERE: return is_at(session, &target->where, moment);
    case TARGET_BREAK:
    case TARGET_LAST: return false;
    }
    return false;
}

/* The break that is here; SIZE_MAX: none. Breaks stop only `run`: `to` names a place itself. */
static size_t find_break(const struct session *session, const struct moment *moment)
{
    bool runs = session->target.kind == TARGET_BREAK;
    for (size_t i = 0; i < session->break_count && runs; i++)
        if (is_at(session, &session->breaks[i], moment))
            return i;
    return SIZE_MAX;
}

/* Ctrl-C on a terminal stops on the way; elsewhere it ends the run. */
static bool is_interrupted(const struct session *session)
{
    return prompt_is_terminal(session->prompt) && interrupt_seen();
}

/* What stands above a place that was reached silently: the statement that runs. */
static void print_landing(struct session *session, const struct moment *moment, size_t at_break)
{
    FILE *out = session->out.to;
    if (session->target.restarted && is_target(session, moment))
        (void)fprintf(out, "'%s' does not come again; it came here first:\n",
                      session->target.where.text);
    if (at_break != SIZE_MAX)
        (void)fprintf(out, "break %zu: %s\n", at_break + 1, session->breaks[at_break].text);
    if (!session->target.loud && !moment->statement && session->last.length)
        (void)fwrite(session->last.bytes, 1, session->last.length, out);
    (void)fflush(session->out.file);
    if (moment->statement && !session->out.held.length)
        (void)fprintf(out, "> %s\n", text_get(&session->trail->text));
    /* An event that this run does not print. */
    if (moment->event && !session->out.held.length) {
        struct screen screen = session->line->shown.screen;
        screen.out = out;
        why_line(&screen, session->trail, moment->event);
    }
}

static void session_stop(struct session *session, const struct moment *moment, size_t at_break)
{
    if (is_interrupted(session))
        interrupt_drop();
    print_landing(session, moment, at_break);
    session_print(session);
    session->trail->told = moment->event ? session->seq : 0;
    session->farthest = max_u64(session->farthest, session->moment);
    session->standing = moment->event;
    enum session_go go = commands_read(session);
    session->standing = NULL;
    if (go != SESSION_ON)
        session->leaving = go;
}

/* What was told meanwhile: printed, or dropped. */
static void pass_on(struct session *session)
{
    if (session->target.loud) {
        session_print(session);
        return;
    }
    capture_drop(&session->out);
    /* Messages were told when this moment was passed for the first time. */
    if (session->moment <= session->farthest)
        capture_drop(&session->errors);
}

/* After something happened that the story has heard of. */
static void session_pass(struct session *session, struct moment moment)
{
    (void)fflush(session->out.file);
    moment.step = !moment.statement && (session->out.held.length || moment.failed);
    moment.number = ++session->moment;
    session->step += moment.step;
    session->on_step = moment.step;
    size_t at_break = find_break(session, &moment);
    if (is_target(session, &moment) || at_break != SIZE_MAX || is_interrupted(session))
        session_stop(session, &moment, at_break);
    else
        pass_on(session);
}

/* ---- hearing -------------------------------------------------------------------------------- */

static struct session *session_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct session, sink);
}

/* Of a long run, most are dead: they make room before the list grows. */
static void forget_dead(struct session *session)
{
    size_t live = 0;
    for (size_t i = 0; i < session->created_count; i++)
        if (vidmm_object_kind(session->adapter, session->created[i]) == VIDMM_OBJECT_ALLOCATION)
            session->created[live++] = session->created[i];
    session->created_count = live;
    if (live > session->created_capacity / 2)
        BASE_GROW(session->created, session->created_capacity, 2 * live);
}

/* Those that can be printed by name. */
static void note_allocation(struct session *session, const struct vidmm_event *event)
{
    bool made =
        event->kind == VIDMM_EVENT_CREATE && strcmp(names_word(event, "kind"), "allocation") == 0;
    if (!made && event->kind != VIDMM_EVENT_RENAME)
        return;
    if (session->created_count && session->created_count == session->created_capacity)
        forget_dead(session);
    BASE_GROW(session->created, session->created_capacity, session->created_count + 1);
    session->created[session->created_count++] = event->subject;
}

/* On its way out, it still has its place. */
static void note_leaving(struct session *session, const struct vidmm_event *event)
{
    vidmm_handle *leaving = &session->maps.leaving;
    if (event->kind == VIDMM_EVENT_EVICT)
        *leaving = event->subject;
    else if (event->subject == *leaving &&
             (event->kind == VIDMM_EVENT_UNPLACE || event->kind == VIDMM_EVENT_PLACE ||
              event->kind == VIDMM_EVENT_LOST || event->kind == VIDMM_EVENT_DESTROY))
        *leaving = 0;
}

/* Known before it is told: the run will not stop here. */
static bool is_unread(const struct session *session, const struct moment *moment)
{
    const struct target *target = &session->target;
    if (target->loud || find_break(session, moment) != SIZE_MAX || interrupt_seen())
        return false;
    if (target->kind == TARGET_STEP)
        return session->step + 1 != target->count;
    return !is_target(session, moment);
}

static void session_on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct session *session = session_of(CONTAINER_OF(self, struct sink, observer));
    if (session->leaving != SESSION_STAY)
        return;
    if (event->seq == 1)
        session->created_count = 0;
    trail_hear(session->trail, event);
    if (trail_only(event->kind))
        return;
    note_allocation(session, event);
    note_leaving(session, event);
    where_learn(&session->target.where, event);
    session->seq = event->seq;
    session->time = event->time;
    session->unread =
        is_unread(session, &(struct moment){ .event = event, .number = session->moment + 1 });
    session->story->observer.on_event(&session->story->observer, event);
    session_pass(session, (struct moment){ .event = event });
}

static void session_tell_statement(struct session *session, const struct scenario_telling *telling)
{
    session->statement++;
    session->at = telling->at;
    trail_statement(session->trail, telling);
    (void)fflush(session->out.file);
    text_clear(&session->last);
    text_add_bytes(&session->last, text_get(&session->out.held), session->out.held.length);
    session_pass(session, (struct moment){ .statement = true });
}

static void session_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct session *session = session_of(self);
    bool outcome = telling->kind == SCENARIO_TELL_HELD || telling->kind == SCENARIO_TELL_UNEXPECTED;
    if (session->leaving != SESSION_STAY)
        return;
    session->story->tell(session->story, telling);
    if (telling->kind == SCENARIO_TELL_STATEMENT)
        session_tell_statement(session, telling);
    else if (outcome && !telling->value) {
        session->failed = true;
        session_pass(session, (struct moment){ .failed = true });
    } else
        pass_on(session);
    if (telling->kind == SCENARIO_TELL_TEST_END) {
        show_map_forget(&session->maps);
        session->at = (struct scenario_span){ 0 };
        text_clear(&session->last);
        trail_statement(session->trail, NULL);
    }
}

static void session_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    struct session *session = session_of(self);
    session->adapter = adapter;
    trail_adapter(session->trail, adapter);
    session->story->started(session->story, adapter);
}

static void session_ended(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct session *session =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct session, host);
    session->gone++;
    if (session->target.kind == TARGET_LAST && session->gone == session->adapters &&
        session->leaving == SESSION_STAY) {
        session->adapter = adapter;
        session->over = true;
        session->leaving = commands_read(session);
    }
    session->adapter = NULL;
    trail_adapter(session->trail, NULL);
}

static void session_message(struct sink *self, const struct scenario_message *message)
{
    struct session *session = session_of(self);
    if (!session->story)
        return;
    session->story->message(session->story, message);
    pass_on(session);
}

static void session_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    (void)file;
    (void)exit;
    session_print(session_of(self));
}

static void session_end(struct sink *self, const char *file, const struct scenario_result *result)
{
    struct session *session = session_of(self);
    if (!session->target.loud)
        capture_drop(&session->out);
    session->story->end(session->story, file, result);
    if (session->target.over) /* it was told when the run came here before */
        capture_drop(&session->out);
    session_print(session);
}

/* Asked between operations: the run can end whole here. */
static bool session_done(struct scenario_host *base)
{
    const struct session *session =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct session, host);
    return session->leaving != SESSION_STAY;
}

/* On a terminal, Ctrl-C leads to the next command, not out. */
static bool session_interrupted(struct scenario_host *base)
{
    const struct session *session =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct session, host);
    return !prompt_is_terminal(session->prompt) && interrupt_seen();
}

/* Of a run that is left, nobody wants to know that it was. */
static void session_on_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct session *session =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct session, host);
    if (session->leaving == SESSION_STAY || message->severity == SCENARIO_STOPPED)
        session->on_message(base, message);
    if (message->severity == SCENARIO_STOPPED) /* the process may end before a prompt */
        capture_print(&session->errors);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static void session_reset(struct session *session)
{
    struct sink_options shown = session->line->shown;
    shown.screen.out = session->out.file;
    shown.unread = &session->unread;
    if (session->story)
        session->story->close(session->story);
    session->story = sink_text_open(&shown);
    session->story->begin(session->story, session->file.name);
    trail_begin(session->trail);
    session->adapter = NULL;
    session->moment = session->step = session->statement = session->seq = session->time = 0;
    session->at = (struct scenario_span){ 0 };
    text_clear(&session->last);
    session->maps.leaving = 0;
    session->created_count = 0;
    session->gone = 0;
    session->failed = session->begun = session->over = session->on_step = false;
    session->leaving = SESSION_STAY;
    capture_drop(&session->out);
    capture_drop(&session->errors);
}

/* A place that was looked for does not come. */
static void session_return(struct session *session)
{
    struct target *target = &session->target;
    capture_drop(&session->out);
    capture_drop(&session->errors);
    if (target->restarts) {
        target->restarts = false;
        target->restarted = target->where.kind != WHERE_LINE;
        return;
    }
    session->missed |= target->where.kind != WHERE_FAIL && !prompt_is_terminal(session->prompt);
    struct text missing = { 0 };
    where_say_missing(&target->where, &missing);
    (void)printf("%s\n%s", text_get(&missing),
                 target->home && !target->over ? "Still here:\n" : "");
    text_free(&missing);
    if (!target->over)
        *target = (struct target){ .kind = TARGET_MOMENT, .count = target->home };
}

/* What somebody wants when the run came to its end. */
static enum session_go session_at_end(struct session *session)
{
    if (session->target.tries) {
        session_return(session);
        return session->target.over ? SESSION_STAY : SESSION_AGAIN;
    }
    return SESSION_STAY;
}

static enum tool_exit session_run(struct session *session)
{
    struct scenario_result result = { 0 };
    session_reset(session);
    session->begun = true;
    enum tool_exit code =
        host_run(&session->host, &session->file, &session->line->options, &result);
    interrupt_begin(); /* the session goes on */
    if (session->leaving != SESSION_STAY)
        return session->over ? session->code : session->failed ? TOOL_FAILED : TOOL_GOOD;
    session->leaving = code == TOOL_INTERRUPTED ? SESSION_STAY : session_at_end(session);
    if (session->leaving != SESSION_STAY)
        return TOOL_GOOD;
    session_end(&session->sink, session->file.name, &result);
    session->over = true;
    session->adapters = session->gone;
    session->code = code;
    session->farthest = max_u64(session->farthest, session->moment);
    return code;
}

/* ---- a session ------------------------------------------------------------------------------ */

void session_open(struct session *session, struct run_line *line)
{
    session->line = line;
    for (size_t i = 0; i < VIDMM_EVENT_KINDS; i++)
        session->hears[i] = true;
    session->sink = (struct sink){
        .observer = { .on_event = session_on_event, .kinds = session->hears },
        .started = session_started,
        .tell = session_tell,
        .message = session_message,
        .refused = session_refused,
        .end = session_end,
    };
    capture_open(&session->out, stdout);
    capture_open(&session->errors, stderr);
    session->trail = trail_new();
    session->prompt = prompt_open(commands_words, session);
    run_file_host(&session->host, &session->sink, line);
    session->host.errors.out = session->errors.file;
    session->on_message = session->host.base.message;
    session->host.base.message = session_on_message;
    session->host.base.interrupted = session_interrupted;
    session->host.base.done = session_done;
    session->host.base.ended = session_ended;
}

void session_close(struct session *session)
{
    session_print(session);
    if (session->story)
        session->story->close(session->story);
    host_close(&session->file);
    prompt_close(session->prompt);
    trail_free(session->trail);
    capture_close(&session->out);
    capture_close(&session->errors);
    base_free(session->created);
    show_map_forget(&session->maps);
    text_free(&session->last);
    text_free(&session->repeat);
    text_free(&session->pending);
}

static bool is_start(const struct target *target)
{
    return target->count == 0 && (target->kind == TARGET_STEP || target->kind == TARGET_MOMENT);
}

enum tool_exit session_hold(struct session *session)
{
    enum tool_exit code = TOOL_GOOD;
    interrupt_begin();
    session_print(session); /* what the check of the file said */
    session_reset(session);
    if (prompt_is_terminal(session->prompt))
        (void)printf("%s; `help` lists the commands, `next` begins\n", session->file.name);
    enum session_go go = commands_read(session);
    while (go == SESSION_ON || go == SESSION_AGAIN) {
        if (is_start(&session->target)) {
            session_reset(session);
            commands_say_where(session);
            go = commands_read(session);
            continue;
        }
        code = session_run(session);
        go = session->leaving;
        if (go == SESSION_STAY)
            go = code == TOOL_INTERRUPTED ? SESSION_QUIT : commands_read(session);
    }
    interrupt_end();
    if (session->interrupted)
        return TOOL_INTERRUPTED;
    if (code == TOOL_GOOD && session->wrong)
        return TOOL_USAGE;
    return code == TOOL_GOOD && session->missed ? TOOL_FAILED : code;
}
