/* SPDX-License-Identifier: MIT */
/*
 * cmd_diff.c: `vidmm diff A B` says which decisions of two runs differ.
 *
 * A side is a decision log, a log of JSON lines, or a scenario, which is run; or both are one
 * scenario, with other settings for the second. The first side is written down when it is a run or
 * a pipe, the second one is compared as it comes.
 */
#define _DEFAULT_SOURCE /* fseeko */
#include <errno.h>
#include <string.h>

#include "tools/common/policy_load.h"
#include "tools/record/diff.h"
#include "tools/record/reader.h"
#include "tools/record/run.h"

enum { KEY_WITH = 256, KEY_TIMES, KEY_KINDS, KEY_FORMAT, KEY_TRAIL, KEY_POLICY };

enum { COPY_BYTES = 1 << 16, NAME_BYTES = 200 };

struct side {
    const char *path;
    FILE *file; /* of a log */
    bool scenario, piped;
};

struct cmd_diff {
    struct record_run run;
    struct diff_options options;
    bool jsonl;
    struct side side[2];
    char second[NAME_BYTES]; /* how the second side is called */
};

/* ---- options -------------------------------------------------------------------------------- */

static void diff_read_kinds(struct cmd_diff *cmd, const char *list, struct argp_state *state)
{
    struct text why = { 0 };
    if (!record_kinds_read(&cmd->options.kinds, list, &why))
        argp_error(state, "--kinds: %s", text_get(&why));
    cmd->options.only = true;
    text_free(&why);
}

static void diff_check(const struct cmd_diff *cmd, struct argp_state *state)
{
    if (cmd->run.line.files.count > 2)
        argp_error(state, "two logs or files can be compared, not %d", cmd->run.line.files.count);
    if (cmd->run.line.files.count == 1 && !cmd->run.line.settings.count)
        argp_error(state, "against what? Name a second log or file, or a setting: "
                          "--with=eviction=fifo");
}

static error_t diff_parse(int key, char *argument, struct argp_state *state)
{
    struct cmd_diff *cmd = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &cmd->run.line; return 0;
    case KEY_WITH: run_options_set(&cmd->run.line.settings, argument, state); return 0;
    case KEY_POLICY: policy_load(&cmd->run.line.settings, argument, state); return 0;
    case KEY_TIMES: cmd->options.times = true; return 0;
    case KEY_TRAIL: cmd->options.trail = true; return 0;
    case KEY_KINDS: diff_read_kinds(cmd, argument, state); return 0;
    case KEY_FORMAT: cmd->jsonl = options_jsonl(argument, state); return 0;
    case ARGP_KEY_END: diff_check(cmd, state); return 0;
    default:
        return options_words(&cmd->run.line.files, "two logs or files to compare are missing", key,
                             state);
    }
}

/* ---- sides ---------------------------------------------------------------------------------- */

static enum tool_exit complain(const char *name, const char *what)
{
    (void)fprintf(stderr, "vidmm: %s: %s\n", name, what);
    return TOOL_INPUT;
}

/* A pipe has no way back: the log is copied. */
static FILE *seekable(FILE *file)
{
    char bytes[COPY_BYTES];
    size_t got;
    if (fseeko(file, 0, SEEK_SET) == 0)
        return file;
    FILE *copy = tmpfile();
    while (copy && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        (void)fwrite(bytes, 1, got, copy);
    if (copy)
        rewind(copy);
    if (file != stdin)
        (void)fclose(file);
    return copy;
}

/* What it begins with says what it is. */
static bool side_open(struct side *side)
{
    static const char scenario[] = "vidmm-scenario", twin[] = "\x8AVMB";
    char first[sizeof scenario] = "";
    FILE *file = strcmp(side->path, "-") == 0 ? stdin : fopen(side->path, "rb");
    FILE *given = file;
    if (!file || !(file = seekable(file)))
        return false;
    side->piped = file != given || file == stdin;
    size_t got = fread(first, 1, sizeof first - 1, file);
    if (ferror(file))
        return false;
    rewind(file);
    side->file = file;
    side->scenario = (got == sizeof first - 1 && memcmp(first, scenario, got) == 0) ||
                     (got >= sizeof twin - 1 && memcmp(first, twin, sizeof twin - 1) == 0);
    return true;
}

/* False: the log was recorded without one of the events that are asked for. */
static bool holds_kinds(const struct side *side, const struct record_kinds *held,
                        const struct record_kinds *wanted)
{
    for (int i = 0; i < VIDMM_EVENT_KINDS; i++) {
        if (!wanted->of[i] || held->of[i])
            continue;
        const char *name = vidmm_event_info((enum vidmm_event_kind)i)->name;
        (void)fprintf(stderr,
                      "vidmm: %s: this log was recorded without '%s'; record it with "
                      "--record-kinds=%s\n",
                      host_name(side->path), name, name);
        return false;
    }
    return true;
}

/* Logs say what they hold; a run gives what the other side has. */
static enum tool_exit agree_on_kinds(struct cmd_diff *cmd)
{
    struct record_kinds kinds[2];
    bool known[2] = { false, false };
    for (unsigned i = 0; i < 2; i++) {
        struct reader reader;
        if (cmd->side[i].scenario)
            continue;
        bool good = reader_open(&reader, cmd->side[i].file, host_name(cmd->side[i].path),
                                &cmd->options.kinds);
        if (!good)
            (void)fprintf(stderr, "vidmm: %s\n", text_get(&reader.problem));
        known[i] = good && !reader.jsonl;
        kinds[i] = reader.kinds;
        reader_close(&reader);
        rewind(cmd->side[i].file);
        if (!good)
            return TOOL_INPUT;
    }
    for (unsigned i = 0; i < 2 && cmd->options.only; i++)
        if (known[i] && !holds_kinds(&cmd->side[i], &kinds[i], &cmd->options.kinds))
            return TOOL_INPUT;
    if (!cmd->options.only && known[0] && known[1] &&
        memcmp(kinds[0].of, kinds[1].of, sizeof kinds[0].of) != 0)
        return complain(cmd->side[1].path, "the logs hold different events (their second line); "
                                           "record both with the same --record-kinds");
    if (!cmd->options.only && (known[0] || known[1]))
        cmd->options.kinds = kinds[known[0] ? 0 : 1];
    for (unsigned i = 0; i < 2; i++)
        if (known[i] && cmd->options.times && !kinds[i].times)
            return complain(cmd->side[i].path, "this log has no times; record it with "
                                               "--record-kinds=times");
    cmd->options.kinds.times = cmd->options.times;
    return TOOL_GOOD;
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* The log of the first side; NULL, and `code`. */
static FILE *write_first(struct cmd_diff *cmd, enum tool_exit *code)
{
    struct record_file to;
    FILE *file = tmpfile();
    struct record_run run = cmd->run;
    run.line.settings.count = run.line.settings.chosen_count = 0; /* the file may name a policy */
    if (!file) {
        *code = complain("a temporary file cannot be made", strerror(errno));
        return NULL;
    }
    record_file_open(&to, file);
    *code = record_run(cmd->side[0].path, &run, &to.out);
    if (!record_file_end(&to))
        *code = complain("a temporary file cannot be written", strerror(errno));
    rewind(file);
    return file;
}

static bool is_result(enum tool_exit code)
{
    return code == TOOL_GOOD || code == TOOL_FAILED || code == TOOL_BUGCHECK;
}

static enum tool_exit diff_second(struct cmd_diff *cmd, struct diff *diff)
{
    struct text problem = { 0 };
    enum tool_exit code = TOOL_GOOD;
    if (cmd->side[1].scenario) {
        code = record_run(cmd->side[1].path, &cmd->run, diff_out(diff));
    } else if (!diff_read(diff, cmd->side[1].file, host_name(cmd->side[1].path), &problem))
        code = complain("cannot be compared", text_get(&problem));
    text_free(&problem);
    return is_result(code) ? TOOL_GOOD : code;
}

static void print_text(const struct cmd_diff *cmd, const struct diff *diff, bool same)
{
    struct screen screen;
    struct text summary = { 0 };
    bool one = cmd->run.line.files.count == 1;
    const struct diff_labels labels = { .of = { one ? "as it is" : host_name(cmd->side[0].path),
                                                cmd->second } };
    screen_init(&screen, stdout, SCREEN_COLOR_AUTO, SCREEN_LETTERS_ALL, 0);
    diff_summary(diff, NULL, &summary);
    if (same)
        (void)printf("no difference: %s\n", text_count(diff_decisions(diff, 1), "decision").it);
    else
        (void)printf("%s%s%s\n", screen_on(&screen, SCREEN_TITLE), text_get(&summary),
                     screen_off(&screen));
    if (!same)
        diff_print(diff, &labels, &screen);
    text_free(&summary);
}

static void print_jsonl(const struct cmd_diff *cmd, const struct diff *diff, bool same)
{
    struct json json = { .out = stdout };
    struct text summary = { 0 };
    diff_summary(diff, NULL, &summary);
    json_open(&json, NULL, '{');
    json_string(&json, "type", "diff");
    json_string(&json, "diff", same ? "no difference" : text_get(&summary));
    json_string(&json, "expected", host_name(cmd->side[0].path));
    json_string(&json, "found", cmd->second);
    json_flag(&json, "same", same);
    json_number(&json, "decisions", diff_decisions(diff, 1));
    diff_print_json(diff, &json);
    json_close(&json, '}');
    json_end_line(&json);
    text_free(&summary);
}

static enum tool_exit compare(struct cmd_diff *cmd)
{
    enum tool_exit code = TOOL_GOOD;
    struct text problem = { 0 };
    FILE *first = cmd->side[0].file;
    cmd->run.recorded =
        (struct record_options){ .kinds = cmd->options.kinds, .files = false, .lines = true };
    if (cmd->side[0].scenario)
        first = write_first(cmd, &code);
    if (!is_result(code))
        return code;
    struct diff *diff = diff_open(first, host_name(cmd->side[0].path), &cmd->options, &problem);
    if (!diff) {
        code = complain("cannot be compared", text_get(&problem));
        text_free(&problem);
        return code;
    }
    code = diff_second(cmd, diff);
    if (code == TOOL_GOOD) {
        bool same = diff_end(diff, &problem);
        if (problem.length)
            code = complain("cannot be compared", text_get(&problem));
        else
            (cmd->jsonl ? print_jsonl : print_text)(cmd, diff, same);
        if (!problem.length && !same)
            code = TOOL_FAILED;
    }
    diff_close(diff);
    text_free(&problem);
    return code;
}

static enum tool_exit diff_sides(struct cmd_diff *cmd)
{
    struct text name = { 0 };
    for (unsigned i = 0; i < 2; i++) {
        cmd->side[i].path = cmd->run.line.files.first[cmd->run.line.files.count == 1 ? 0 : i];
        if (!side_open(&cmd->side[i]))
            return complain(host_name(cmd->side[i].path), strerror(errno));
        if (cmd->side[i].scenario && cmd->side[i].piped)
            return complain(host_name(cmd->side[i].path),
                            "a scenario that is run to be compared has to be a file; a log may "
                            "come from a pipe");
    }
    if (cmd->run.line.files.count == 2)
        text_add(&name, "%s", host_name(cmd->side[1].path));
    for (size_t i = 0; i < cmd->run.line.settings.count; i++)
        text_add(&name, "%s%s", name.length ? " " : "with ", cmd->run.line.settings.words[i]);
    (void)snprintf(cmd->second, sizeof cmd->second, "%s", text_get(&name));
    text_free(&name);
    if (cmd->run.line.settings.count && !cmd->side[1].scenario)
        return complain(host_name(cmd->side[1].path),
                        "--with is for a scenario; this is a log, whose run is over");
    if (!cmd->side[0].scenario && !cmd->side[1].scenario && cmd->run.line.given)
        return complain(host_name(cmd->side[1].path),
                        "--seed, -D and --limit are for a scenario; these are logs, whose runs "
                        "are over");
    enum tool_exit code = agree_on_kinds(cmd);
    return code ? code : compare(cmd);
}

int cmd_diff(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "with", KEY_WITH, "SETTING=VALUE", 0, "a setting of the second run; may be repeated", 1 },
        { "policy", KEY_POLICY, "FILE", 0,
          "policies in a shared object, for the second run unless the file names one "
          "(segments/policies/README.md)",
          1 },
        { "times", KEY_TIMES, NULL, 0, "the same decision at another time differs, too", 1 },
        { "trail", KEY_TRAIL, NULL, 0, "the same decision after looking at something else, too",
          1 },
        { "kinds", KEY_KINDS, "EVENT,...", 0,
          "which events are compared, such as place,evict; default: what a log holds, or those of "
          "--record",
          1 },
        { "format", KEY_FORMAT, "text|jsonl", 0, "text (default) or jsonl, for programs", 1 },
        { 0 },
    };
    static const struct argp_child children[] = { { .argp = &run_options_given }, { 0 } };
    static const struct argp grammar = {
        .options = options,
        .children = children,
        .parser = diff_parse,
        .args_doc = "A [B]",
        .doc =
            "Says which decisions of two runs differ, which is the first, and what each side had "
            "looked at there. A and B are scenarios, which are run, or logs that `vidmm run` wrote "
            "with --record=FILE or --format=jsonl.\v"
            "Examples:\n"
            "  vidmm diff FILE --with=eviction=fifo\n"
            "  vidmm run -q --record=before.log FILE   (change something, then)\n"
            "  vidmm diff before.log FILE\n"
            "  vidmm diff --times monday.jsonl tuesday.jsonl\n\n"
            "How it counts: decisions are matched by event and allocation, in their order: the "
            "second place of 'a' here is the second place of 'a' there. A placement differs when "
            "anything in it does, a victim when one side evicts it and the other does not, or for "
            "another reason. What only happens elsewhere because a placement differs is said "
            "apart (\"follows\").\n\n"
            "Exit codes: 0 no difference, 1 they differ, 2 wrong command line, 3 a log or file is "
            "missing or has errors, 4 stopped by a limit.",
    };
    struct cmd_diff cmd = { .jsonl = false };
    record_kinds_default(&cmd.options.kinds);
    if (!options_parse(&grammar, argc, argv, &cmd))
        return TOOL_USAGE;
    enum tool_exit code = diff_sides(&cmd);
    return host_end(code);
}
