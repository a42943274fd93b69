/* SPDX-License-Identifier: MIT */
/*
 * cmd_quiz.c: `vidmm quiz FILE...` asks the questions of lessons and exercises.
 *
 * `--seed=N` makes a new exercise: the same numbers for the same N, everywhere. Of a lesson it
 * means the exercise of the same name in the folder exercises/ beside it.
 */
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"
#include "tools/quiz/quiz.h"

enum { KEY_FORMAT = 256, KEY_WHY };

struct quiz_command {
    struct run_line line;
    bool jsonl;
    struct text path; /* of the exercise that stands for the present file */
};

/* ---- options -------------------------------------------------------------------------------- */

static void quiz_check(const struct quiz_command *quiz, struct argp_state *state)
{
    for (int i = 0; i < quiz->line.files.count; i++)
        if (strcmp(quiz->line.files.first[i], "-") == 0)
            argp_error(state, "answers come from stdin, so the scenario has to be a file");
}

static error_t quiz_parse(int key, char *argument, struct argp_state *state)
{
    struct quiz_command *quiz = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = state->child_inputs[2] =
            state->child_inputs[3] = &quiz->line;
        return 0;
    case KEY_WHY: quiz->line.shown.why = true; return 0;
    case KEY_FORMAT: quiz->jsonl = options_jsonl(argument, state); return 0;
    case ARGP_KEY_END: quiz_check(quiz, state); return 0;
    default:
        return options_words(&quiz->line.files, "a lesson to ask about is missing", key, state);
    }
}

/* ---- running -------------------------------------------------------------------------------- */

/* For "lessons/03-no-room.vms" with a seed "lessons/exercises/03-no-room.vms", if it is there. */
static const char *choose_path(struct quiz_command *quiz, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    text_clear(&quiz->path);
    text_add_bytes(&quiz->path, path, folder);
    text_add(&quiz->path, "exercises/%s", path + folder);
    bool other = quiz->line.options.has_seed && host_has_file(text_get(&quiz->path), "");
    return other ? text_get(&quiz->path) : path;
}

/* False, and a message: there is nothing that a seed changes. */
static bool takes_seed(const struct quiz_command *quiz, struct host *host,
                       const struct host_file *file)
{
    struct scenario_item item = { 0 };
    if (!quiz->line.options.has_seed || scenario_next(file->scenario, SCENARIO_EXERCISES, &item))
        return true;
    host_tell_error(host, file->name,
                    "it has no statement `exercise`, and there is none of its name in exercises/ "
                    "beside it, so --seed would change nothing");
    return false;
}

static enum tool_exit quiz_file(struct quiz_command *quiz, struct host *host, const char *path)
{
    struct host_file file;
    enum tool_exit code = run_file_open(host, &quiz->line, path, &file);
    if (code == TOOL_GOOD && !takes_seed(quiz, host, &file))
        code = TOOL_USAGE;
    return run_file_end(host, &quiz->line, &file, code);
}

/* While a question was asked, too: then the run may have come to its end all the same. */
static bool is_interrupted(struct sink *sink, enum tool_exit worst)
{
    return worst == TOOL_INTERRUPTED || quiz_score(sink).interrupted;
}

static int quiz_all(struct quiz_command *quiz)
{
    struct host host;
    enum tool_exit worst = TOOL_GOOD;
    screen_init(&quiz->line.shown.screen, stdout, quiz->line.color, quiz->line.letters, 0);
    struct sink *sink = quiz_open(&quiz->line.shown, quiz->jsonl);
    run_file_host(&host, sink, &quiz->line);
    for (int i = 0; i < quiz->line.files.count && !is_interrupted(sink, worst); i++) {
        enum tool_exit code = quiz_file(quiz, &host, choose_path(quiz, quiz->line.files.first[i]));
        worst = code > worst ? code : worst;
    }
    struct quiz_score score = quiz_score(sink);
    if (is_interrupted(sink, worst))
        worst = TOOL_INTERRUPTED;
    if (score.right < score.asked && worst == TOOL_GOOD)
        worst = TOOL_FAILED;
    sink->close(sink);
    text_free(&quiz->path);
    return host_end(run_file_only(&host.tests, quiz->line.options.only, worst));
}

int cmd_quiz(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "format", KEY_FORMAT, "text|jsonl", 0,
          "text, for people (default), or jsonl, for programs", 1 },
        { "why", KEY_WHY, NULL, 0, "under each line, the rule that decided and its standing", 1 },
        { 0 },
    };
    static const struct argp_child children[] = { { .argp = &run_options_given },
                                                  { .argp = &run_options_chosen },
                                                  { .argp = &run_options_policy },
                                                  { .argp = &run_options_letters },
                                                  { 0 } };
    static const struct argp grammar = {
        .options = options,
        .children = children,
        .parser = quiz_parse,
        .args_doc = "FILE...",
        .doc = "Asks the questions of lessons and exercises before it shows what they are about. "
               "Answers come from stdin, one a line, in any unit: 20M, 20480 KiB, 0x1400000 and "
               "20971520 are the same. After a wrong answer there is a hint and a second try, then "
               "the answer and its rule. 'skip' and the end of the input skip a question. --seed=N "
               "makes "
               "a new exercise of the lesson's kind, others for another N.\v"
               "Examples:\n"
               "  vidmm quiz scenarios/lessons/03-no-room.vms\n"
               "  vidmm quiz --seed=7 scenarios/lessons/03-no-room.vms\n"
               "  vidmm quiz --format=jsonl FILE <answers.txt | grep '\"type\":\"score\"'\n\n"
               "Exit codes: 0 every answer was right, 1 not every one, or an expectation of the "
               "file failed; the others are those of `vidmm run`.",
    };
    struct quiz_command quiz = { .line.shown.to = UINT64_MAX };
    if (!options_parse(&grammar, argc, argv, &quiz))
        return TOOL_USAGE;
    quiz.line.options.tell_statements = quiz.line.options.tell_params = true;
    return quiz_all(&quiz);
}
