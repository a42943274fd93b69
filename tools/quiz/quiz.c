/* SPDX-License-Identifier: MIT */
/*
 * quiz.c: questions on the way of a run.
 *
 * The run is told by the sink for people or for programs, which knows nothing of questions. Of a
 * lesson it goes straight on, and stops at each question, so that nothing later can be seen yet.
 * Of an exercise it is held back up to the answer, and only what was given is shown before: the
 * parameters, the notes and the statements, but no expectation; questions that follow each other
 * are all answered before. What is held back has a limit, and what is beyond is left out, which is
 * said.
 *
 * A question has two tries, with a hint between them. End of input, or the word skip, leaves it
 * out.
 */
#include "tools/quiz/quiz.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "tools/common/host.h"
#include "tools/common/json.h"
#include "tools/common/output.h"
#include "tools/quiz/answer.h"
#include "tools/story/names.h"
#include "tools/story/story.h"

enum { ANSWER_BYTES = 256, HELD_MOST = 16 << 20, TRIES = 2 };

struct quiz {
    struct sink sink, *inner;
    struct screen screen; /* where people look */
    struct quiz_score score, file;
    FILE *told; /* what the inner sink writes to */
    struct text held;
    uint64_t lost; /* bytes beyond HELD_MOST */
    struct text given, line;
    struct text params;      /* "name=value;" of each */
    const char *file_listed; /* the last statement that was shown */
    uint32_t line_listed;
    uint64_t left_out; /* statements since then, of later rounds of a loop */
    struct json json;
    bool jsonl, exercise;
    bool due; /* the question is answered: what is held back may be shown */
};

static struct quiz *quiz_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct quiz, sink);
}

/* ---- what is held back --------------------------------------------------------------------- */

static ssize_t quiz_write(void *cookie, const char *bytes, size_t count)
{
    struct quiz *quiz = cookie;
    if (!quiz->exercise)
        return (ssize_t)fwrite(bytes, 1, count, quiz->screen.out);
    if (count > HELD_MOST - quiz->held.length)
        quiz->lost += count;
    else
        text_add_bytes(&quiz->held, bytes, count);
    return (ssize_t)count;
}

static void quiz_release(struct quiz *quiz)
{
    (void)fflush(quiz->told);
    if (quiz->held.length && !quiz->jsonl)
        (void)fputc('\n', quiz->screen.out);
    (void)fwrite(text_get(&quiz->held), 1, quiz->held.length, quiz->screen.out);
    text_clear(&quiz->held);
    quiz->due = false;
    if (quiz->lost)
        (void)fprintf(stderr, "vidmm: %" PRIu64 " bytes more were told and are left out here\n",
                      quiz->lost);
    quiz->lost = 0;
}

/* ---- what is given ------------------------------------------------------------------------- */

static struct json *open_line(struct quiz *quiz, const char *type, const char *text)
{
    json_open(&quiz->json, NULL, '{');
    json_string(&quiz->json, "type", type);
    json_string(&quiz->json, type, text);
    return &quiz->json;
}

static void close_line(struct quiz *quiz)
{
    json_close(&quiz->json, '}');
    json_end_line(&quiz->json);
}

/* A paragraph in one style. */
static void say(struct quiz *quiz, enum screen_style style, const char *text)
{
    const struct screen *screen = &quiz->screen;
    const struct wrap wrap = { screen->out, 0, screen->width };
    (void)fputs(screen_on(screen, style), screen->out);
    wrap_from(&wrap, 0, text);
    (void)fprintf(screen->out, "%s\n", screen_off(screen));
}

static void say_given(struct quiz *quiz)
{
    if (quiz->given.length)
        say(quiz, SCREEN_NOTE, text_get(&quiz->given));
    text_clear(&quiz->given);
}

static void take_param(struct quiz *quiz, const struct scenario_telling *telling)
{
    const char *bracket = strstr(telling->answer, " (");
    if (quiz->jsonl) {
        json_string(open_line(quiz, "given", telling->text), "value_text", telling->answer);
        json_number(&quiz->json, "value", telling->value);
        close_line(quiz);
        return;
    }
    text_add(&quiz->given, "%s$%s is %s", quiz->given.length ? ", " : "Given: ", telling->text,
             telling->answer);
    text_add(&quiz->params, "%s=%.*s;", telling->text,
             (int)(bracket ? bracket - telling->answer : (ptrdiff_t)strlen(telling->answer)),
             telling->answer);
}

/* The value of the parameter whose name `text` begins with, as "6 MiB"; 0: it is none. */
static size_t find_param(const struct quiz *quiz, const char *text, size_t length,
                         const char **value)
{
    const char *at = text_get(&quiz->params);
    while (*at && !(strncmp(at, text, length) == 0 && at[length] == '='))
        at += strcspn(at, ";") + 1;
    if (!*at)
        return 0;
    *value = at + length + 1;
    return strcspn(*value, ";");
}

/* A note of an exercise, with the values of its parameters: "sky has 6 MiB". */
static void say_note(struct quiz *quiz, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *value = NULL;
    text_clear(&quiz->line);
    while (*text) {
        size_t before = strcspn(text, "$");
        text_add_bytes(&quiz->line, text, before);
        text += before;
        if (!*text)
            break;
        size_t name = strspn(text + 1, letters);
        size_t length = find_param(quiz, text + 1, name, &value);
        text_add_bytes(&quiz->line, length ? value : text, length ? length : name + 1);
        text += name + 1;
    }
    say(quiz, SCREEN_NOTE, text_get(&quiz->line));
}

static void say_left_out(struct quiz *quiz)
{
    struct text_short count = text_count(quiz->left_out, "statement");
    if (quiz->left_out && !quiz->jsonl)
        say(quiz, SCREEN_QUIET, text_print("(%s of loops left out)", count.it).it);
    quiz->left_out = 0;
}

/*
 * What is done, and not what comes of it; of a loop the first round. Another question may be about
 * what is held back.
 */
static void take_statement(struct quiz *quiz, const struct scenario_telling *telling)
{
    const char *text = telling->text + strspn(telling->text, " \t");
    bool same = quiz->file_listed && strcmp(telling->at.file, quiz->file_listed) == 0;
    bool later = same && telling->at.line <= quiz->line_listed;
    static const char silent[] = "lesson|exercise|note|ask|show|test|proves|mark|param|expect|"
                                 "always|let|for|repeat|choose|case|quietly|end";
    text_clear(&quiz->line);
    text_add_bytes(&quiz->line, text, strcspn(text, " \t"));
    if (quiz->due && strcmp(text_get(&quiz->line), "ask") != 0)
        quiz_release(quiz);
    if (quiz->jsonl || text_listed(silent, text_get(&quiz->line)))
        return;
    quiz->left_out += later;
    if (later)
        return;
    quiz->file_listed = telling->at.file;
    quiz->line_listed = telling->at.line;
    text_clear(&quiz->line);
    say_left_out(quiz);
    say_given(quiz);
    text_clear(&quiz->line);
    text_add(&quiz->line, "> %s", text);
    say(quiz, SCREEN_SOURCE, text_get(&quiz->line));
}

/* ---- a question ---------------------------------------------------------------------------- */

/* The next line of stdin, without spaces around it; false: there is none. A long one is cut. */
static bool read_line(char line[ANSWER_BYTES])
{
    bool whole;
    if (!interrupt_wait_input() || !text_read_line(stdin, line, ANSWER_BYTES, &whole))
        return false;
    size_t from = strspn(line, " \t"), end = strlen(line);
    while (end > from && strchr(" \t\r", line[end - 1]))
        end--;
    memmove(line, line + from, end - from);
    line[end - from] = '\0';
    return true;
}

/* Reads until it is an answer; false: there is none. */
static bool read_answer(struct quiz *quiz, const struct scenario_telling *asked,
                        char given[ANSWER_BYTES], bool *right)
{
    for (;;) {
        if (!quiz->jsonl)
            (void)fputs("? ", quiz->screen.out);
        (void)fflush(quiz->screen.out);
        if (!read_line(given))
            return false;
        if (strcasecmp(given, "skip") == 0)
            return false;
        enum answer_verdict verdict = answer_judge(given, asked);
        *right = verdict == ANSWER_RIGHT;
        if (verdict != ANSWER_UNREAD)
            return true;
        text_clear(&quiz->line);
        answer_complain(given, asked, &quiz->line);
        if (quiz->jsonl) {
            (void)open_line(quiz, "again", text_get(&quiz->line));
            close_line(quiz);
        } else {
            say(quiz, SCREEN_PLAIN, text_get(&quiz->line));
        }
    }
}

static void give_hint(struct quiz *quiz, const struct scenario_telling *asked, const char *given)
{
    struct text hint = { 0 };
    answer_hint(asked, &hint);
    if (quiz->jsonl) {
        (void)open_line(quiz, "hint", text_get(&hint));
        close_line(quiz);
    } else {
        text_clear(&quiz->line);
        text_add(&quiz->line, "No, not ");
        answer_understood(given, asked, &quiz->line);
        text_add(&quiz->line, ". A hint: %s", text_get(&hint));
        say(quiz, SCREEN_WARN, text_get(&quiz->line));
    }
    text_free(&hint);
}

static void say_rules(struct quiz *quiz, const struct scenario_telling *asked)
{
    for (size_t i = 0; i < asked->rule_count; i++) {
        const struct vidmm_rule_info *info = vidmm_rule_info(asked->rules[i]);
        text_clear(&quiz->line);
        text_add(&quiz->line, "%s %s [%s]", info->id, info->title, names_standing(info->standing));
        say(quiz, SCREEN_QUIET, text_get(&quiz->line));
    }
}

/* `given` is NULL when there was no answer. */
static void give_answer(struct quiz *quiz, const struct scenario_telling *asked, const char *given,
                        bool right, unsigned tries)
{
    const struct screen *screen = &quiz->screen;
    if (!quiz->jsonl) {
        text_clear(&quiz->line);
        answer_right(asked, &quiz->line);
        (void)fprintf(screen->out, "%s%s%s%s %s.\n", given ? "" : "\n",
                      screen_on(screen, right ? SCREEN_GOOD : SCREEN_WARN),
                      right   ? "Right:"
                      : given ? "No, the answer is"
                              : "The answer is",
                      screen_off(screen), text_get(&quiz->line));
        say_rules(quiz, asked);
        return;
    }
    struct json *json = open_line(quiz, "answered", given ? given : "");
    json_flag(json, "right", right);
    json_flag(json, "skipped", !given);
    json_number(json, "tries", tries);
    json_string(json, "answer", asked->answer);
    json_number(json, "value", asked->value);
    json_open(json, "rules", '[');
    for (size_t i = 0; i < asked->rule_count; i++)
        json_string(json, NULL, vidmm_rule_id(asked->rules[i]));
    json_close(json, ']');
    close_line(quiz);
}

static void put_question(struct quiz *quiz, const struct scenario_telling *asked)
{
    if (quiz->jsonl) {
        struct json *json = open_line(quiz, "question", asked->text);
        json_string(json, "form", answer_form_word(asked));
        json_string(json, "file", asked->at.file);
        json_number(json, "line", asked->at.line);
        close_line(quiz);
    } else if (quiz->exercise) {
        say_left_out(quiz);
        say_given(quiz);
        text_clear(&quiz->line);
        text_add(&quiz->line, "Question: %s", asked->text);
        (void)fputc('\n', quiz->screen.out);
        say(quiz, SCREEN_TITLE, text_get(&quiz->line));
    } else {
        quiz->inner->tell(quiz->inner, asked);
        (void)fflush(quiz->told);
    }
}

static void quiz_ask(struct quiz *quiz, const struct scenario_telling *asked)
{
    char given[ANSWER_BYTES] = "";
    unsigned most = answer_has_second_try(asked) ? TRIES : 1, tries = 0;
    bool right = false, answered = true;
    (void)fflush(quiz->told);
    put_question(quiz, asked);
    while (tries < most && !right && answered) {
        answered = read_answer(quiz, asked, given, &right);
        tries += answered;
        if (answered && !right && tries < most)
            give_hint(quiz, asked, given);
    }
    quiz->file.asked++;
    quiz->file.right += right;
    quiz->file.second += right && tries > 1;
    quiz->file.skipped += !answered;
    quiz->score.interrupted |= !answered && interrupt_seen();
    if (!quiz->score.interrupted) /* who leaves has not asked for the answer */
        give_answer(quiz, asked, answered ? given : NULL, right, tries);
    quiz->due = true;
}

/* ---- the sink ------------------------------------------------------------------------------ */

static void tell_exercise(struct quiz *quiz, const struct scenario_telling *telling)
{
    switch (telling->kind) {
    case SCENARIO_TELL_PARAM: take_param(quiz, telling); return;
    case SCENARIO_TELL_ASK: quiz_ask(quiz, telling); return;
    case SCENARIO_TELL_NOTE:
        if (quiz->jsonl)
            break;
        say_given(quiz);
        say_note(quiz, telling->text);
        return;
    case SCENARIO_TELL_STATEMENT: take_statement(quiz, telling); break;
    default: break;
    }
    quiz->inner->tell(quiz->inner, telling);
}

static void quiz_tell(struct sink *self, const struct scenario_telling *telling)
{
    struct quiz *quiz = quiz_of(self);
    bool begins = telling->kind == SCENARIO_TELL_LESSON && telling->value && !quiz->exercise;
    if (quiz->exercise) {
        tell_exercise(quiz, telling);
        return;
    }
    if (telling->kind == SCENARIO_TELL_ASK) {
        quiz_ask(quiz, telling);
        return;
    }
    quiz->inner->tell(quiz->inner, telling);
    if (!begins)
        return;
    (void)fflush(quiz->told);
    quiz->exercise = true;
}

static void quiz_hear(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct quiz *quiz = quiz_of(CONTAINER_OF(self, struct sink, observer));
    quiz->inner->observer.on_event(&quiz->inner->observer, event);
}

static void quiz_begin(struct sink *self, const char *file)
{
    struct quiz *quiz = quiz_of(self);
    quiz->exercise = false;
    quiz->file = (struct quiz_score){ 0 };
    quiz->file_listed = NULL;
    quiz->left_out = 0;
    text_clear(&quiz->params);
    text_clear(&quiz->given);
    quiz->inner->begin(quiz->inner, file);
    (void)fflush(quiz->told);
}

static void quiz_started(struct sink *self, const struct vidmm_adapter *adapter)
{
    quiz_of(self)->inner->started(quiz_of(self)->inner, adapter);
}

static void quiz_message(struct sink *self, const struct scenario_message *message)
{
    struct quiz *quiz = quiz_of(self);
    quiz->inner->message(quiz->inner, message);
    (void)fflush(quiz->told);
    (void)fflush(quiz->screen.out);
}

static void quiz_refused(struct sink *self, const char *file, enum scenario_exit exit)
{
    struct quiz *quiz = quiz_of(self);
    quiz_release(quiz);
    quiz->inner->refused(quiz->inner, file, exit);
    (void)fflush(quiz->told);
}

static void say_score(struct quiz *quiz, const char *name)
{
    const struct quiz_score *file = &quiz->file;
    if (quiz->jsonl) {
        json_open(&quiz->json, NULL, '{');
        json_string(&quiz->json, "type", "score");
        json_number(&quiz->json, "score", file->right);
        json_number(&quiz->json, "second", file->second);
        json_number(&quiz->json, "asked", file->asked);
        json_number(&quiz->json, "skipped", file->skipped);
        close_line(quiz);
    } else if (file->asked) {
        struct text_short second =
            text_print(", %" PRIu64 " of them at the second try", file->second);
        struct text_short skipped = text_print(", %" PRIu64 " skipped", file->skipped);
        (void)fprintf(quiz->screen.out, "Quiz: %" PRIu64 " of %" PRIu64 " answers were right%s%s\n",
                      file->right, file->asked, file->second ? second.it : "",
                      file->skipped ? skipped.it : "");
    } else {
        (void)fprintf(quiz->screen.out, "Quiz: %s asks nothing\n", name);
    }
}

static void quiz_end(struct sink *self, const char *file, const struct scenario_result *result)
{
    struct quiz *quiz = quiz_of(self);
    quiz_release(quiz);
    quiz->exercise = false;
    quiz->inner->end(quiz->inner, file, result);
    (void)fflush(quiz->told);
    say_score(quiz, file);
    quiz->score.asked += quiz->file.asked;
    quiz->score.right += quiz->file.right;
    quiz->score.second += quiz->file.second;
    quiz->score.skipped += quiz->file.skipped;
}

static void quiz_close(struct sink *self)
{
    struct quiz *quiz = quiz_of(self);
    quiz->inner->close(quiz->inner);
    (void)fclose(quiz->told);
    text_free(&quiz->held);
    text_free(&quiz->given);
    text_free(&quiz->params);
    text_free(&quiz->line);
    base_free(quiz);
}

struct sink *quiz_open(const struct sink_options *options, bool jsonl)
{
    struct quiz *quiz = base_alloc(1, sizeof *quiz);
    struct sink_options inner = *options;
    *quiz = (struct quiz){
        .sink = { .observer = { .on_event = quiz_hear },
                  .begin = quiz_begin,
                  .started = quiz_started,
                  .tell = quiz_tell,
                  .message = quiz_message,
                  .refused = quiz_refused,
                  .end = quiz_end,
                  .close = quiz_close },
        .screen = options->screen,
        .json = { .out = options->screen.out },
        .jsonl = jsonl,
    };
    quiz->told = output_into(quiz_write, quiz);
    inner.screen.out = quiz->told;
    inner.quiz = true;
    quiz->inner = jsonl ? sink_jsonl_open(&inner) : sink_text_open(&inner);
    return &quiz->sink;
}

struct quiz_score quiz_score(struct sink *sink)
{
    return quiz_of(sink)->score;
}
