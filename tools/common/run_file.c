/* SPDX-License-Identifier: MIT */
/* run_file.c: what happens to each file of a command line, and did --only choose any test? */
#include "tools/common/host.h"

#include <string.h>

#include "scenarios/lang/scenario_items.h"

enum { NAMES_MOST = 6 };

void run_file_host(struct host *host, struct sink *sink, struct run_line *line)
{
    host_init(host, sink, line->color);
    if (line->shown.screen.out)
        host->out = line->shown.screen.out;
    run_options_give(&line->settings, &line->options);
    run_options_load(&line->settings, &host->base);
    host_remember_files(line->files.count, line->files.first);
    line->options.machine_bytes = host->memory_bytes;
    if (line->options.limits.memory_bytes)
        host_limit(host, line->options.limits.memory_bytes);
}

/* ---- --only --------------------------------------------------------------------------------- */

/* A name is near when the whole of it is, or one of its words: --only is a part of a name. */
static size_t distance_of(const char *only, const char *name)
{
    size_t steps = words_distance(only, strlen(only), name, strlen(name));
    for (const char *at = name; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        steps = (size_t)min_u64(steps, words_distance(only, strlen(only), at, length));
        at += length;
    }
    return steps;
}

void run_file_note(struct host_tests *tests, const char *only, const char *name)
{
    size_t steps = distance_of(only, name), used = strlen(tests->names), length = strlen(name);
    tests->count++;
    if (tests->listed < NAMES_MOST && used + length + sizeof ", ''" <= sizeof tests->names) {
        tests->listed++;
        (void)snprintf(tests->names + used, sizeof tests->names - used, "%s'%s'", used ? ", " : "",
                       name);
    }
    if (steps >= text_likeness(only).least || length >= sizeof tests->nearest ||
        (*tests->nearest && steps >= tests->steps))
        return;
    tests->steps = steps;
    (void)snprintf(tests->nearest, sizeof tests->nearest, "%s", name);
}

static void note_tests(struct host_tests *tests, struct scenario *scenario,
                       const struct scenario_options *options)
{
    struct scenario_item item = { 0 };
    struct text name = { 0 };
    while (options->only && !tests->chosen && scenario_next(scenario, SCENARIO_TESTS, &item)) {
        tests->chosen = scenario_chosen(scenario, &item, options);
        text_clear(&name);
        text_add_bytes(&name, item.text, item.length);
        run_file_note(tests, options->only, text_get(&name));
    }
    text_free(&name);
}

/* A misspelt name must not look like a success, nor replace what was written before. */
enum tool_exit run_file_only(const struct host_tests *tests, const char *only, enum tool_exit code)
{
    if (!only || tests->chosen || code != TOOL_GOOD)
        return code;
    (void)fprintf(stderr, "vidmm: no test has a name that contains '%s'; ", only);
    if (!tests->count)
        (void)fprintf(stderr, "there are no tests\n");
    else if (*tests->nearest)
        (void)fprintf(stderr, "did you mean '%s'?\n", tests->nearest);
    else
        (void)fprintf(stderr, "there %s %s%s\n", tests->count == 1 ? "is" : "are", tests->names,
                      tests->count > tests->listed ? " ..." : "");
    return TOOL_USAGE;
}

/* ---- a file --------------------------------------------------------------------------------- */

/* -D, before the check of the file. */
static enum tool_exit define(struct host *host, const struct run_line *line,
                             const struct host_file *file)
{
    const struct run_settings *defines = &line->defines;
    struct text why = { 0 };
    bool good = run_options_give_params(file->scenario, defines->words, defines->count, &why);
    if (!good)
        host_tell_error(host, file->name, text_get(&why));
    text_free(&why);
    return good ? TOOL_GOOD : TOOL_USAGE;
}

enum tool_exit run_file_open(struct host *host, const struct run_line *line, const char *path,
                             struct host_file *file)
{
    if (host->sink->begin)
        host->sink->begin(host->sink, host_name(path));
    if (!host_open(host, path, file))
        return TOOL_INPUT;
    enum tool_exit code = define(host, line, file);
    if (!scenario_check(file->scenario) && code == TOOL_GOOD)
        code = scenario_misdefined(file->scenario) ? TOOL_USAGE : TOOL_INPUT;
    if (code == TOOL_GOOD)
        note_tests(&host->tests, file->scenario, &line->options);
    return code;
}

enum tool_exit run_file_end(struct host *host, const struct run_line *line, struct host_file *file,
                            enum tool_exit code)
{
    struct scenario_result result = { 0 };
    if (code == TOOL_GOOD) {
        code = host_run(host, file, &line->options, &result);
        host->sink->end(host->sink, file->name, &result);
    } else {
        host->sink->refused(host->sink, host_name(file->path), (enum scenario_exit)code);
    }
    host_close(file);
    return code;
}
