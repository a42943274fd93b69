/* SPDX-License-Identifier: MIT */
/*
 * suite.c: which files run with which seeds, and who is told.
 *
 * A job is a file with one seed. Jobs run in any order; verdicts come in that of the command line.
 */
#define _DEFAULT_SOURCE /* isatty, clock_gettime */
#include "tools/test/suite.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/host.h"

/* ---- progress ---------------------------------------------------------------------------------
 */

static void clear_progress(struct suite *suite)
{
    if (suite->shown)
        (void)fputs("\r\033[K", stderr);
    suite->shown = false;
}

static size_t count_jobs(const struct suite *suite)
{
    return suite->files.count * (suite->plan.seed_count ? suite->plan.seed_count : 1);
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

static struct test_job job_of(const struct suite *suite, size_t number)
{
    uint64_t seeds = suite->plan.seed_count;
    return (struct test_job){ .path = suite->files.paths[seeds ? number / seeds : number],
                              .seed = seeds ? suite->plan.seed_first + number % seeds : 0 };
}

/* Ten times a second at most; it names the file whose turn it is. */
static void on_tick(void *context, size_t finished)
{
    enum { TENTH = 100000000, SHOWN = 40 };
    struct suite *suite = context;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    long tenth = (long)now.tv_sec * 10 + now.tv_nsec / TENTH;
    if (!suite->progress || finished == count_jobs(suite) || tenth == suite->ticked)
        return;
    suite->ticked = tenth;
    (void)fflush(stdout);
    (void)fprintf(stderr, "\r\033[K%zu of %zu, %" PRIu64 " failed", finished, count_jobs(suite),
                  suite->totals.failed);
    const char *path = suite->turn < count_jobs(suite) ? job_of(suite, suite->turn).path : "";
    size_t length = strlen(path);
    (void)fprintf(stderr, "  %s%s", length > SHOWN ? "..." : "",
                  path + (length > SHOWN ? length - SHOWN : 0));
    suite->shown = true;
}

static int on_work(void *context, size_t number, FILE *answer)
{
    struct suite *suite = context;
    struct test_job job = job_of(suite, number);
    return test_run(&suite->plan, &job, answer);
}

static struct verdict verdict_of(const struct suite *suite, size_t number,
                                 const struct workers_answer *answer)
{
    struct test_job job = job_of(suite, number);
    struct verdict verdict = { .file = job.path,
                               .seed = job.seed,
                               .seeded = suite->plan.seed_count != 0 };
    verdict_read(&verdict, answer);
    return verdict;
}

static void count_units(struct suite *suite, const struct verdict *verdict)
{
    uint64_t *const counts[] = { [UNIT_PASSED] = &suite->totals.passed,
                                 [UNIT_FAILED] = &suite->totals.failed,
                                 [UNIT_SKIPPED] = &suite->totals.skipped };
    for (size_t i = 0; i < verdict->unit_count; i++)
        if (verdict->units[i].state >= UNIT_PASSED)
            (*counts[verdict->units[i].state])++;
    if (verdict->known && (enum tool_exit)verdict->exit > suite->worst)
        suite->worst = (enum tool_exit)verdict->exit;
    for (const char *tag = text_get(&verdict->tags); *tag; tag += *tag == '|') {
        struct text name = { 0 };
        text_add_bytes(&name, tag, strcspn(tag, "|"));
        if (!text_listed(text_get(&suite->tags), text_get(&name)))
            text_add(&suite->tags, "%s%s", suite->tags.length ? "|" : "", text_get(&name));
        tag += name.length;
        text_free(&name);
    }
}

static bool on_done(void *context, size_t number, const struct workers_answer *answer)
{
    struct suite *suite = context;
    struct verdict verdict = verdict_of(suite, number, answer);
    known_apply(&suite->known, &verdict);
    clear_progress(suite);
    count_units(suite, &verdict);
    for (size_t i = 0; i < suite->listener_count; i++)
        suite->listeners[i].report->verdict(suite->listeners[i].report, &verdict);
    suite->turn = number + 1;
    suite->finished += verdict.known;
    suite->uncompared +=
        verdict.uncompared && (!verdict.seeded || verdict.seed == suite->plan.seed_first);
    suite->goldenless += verdict.goldenless;
    verdict_free(&verdict);
    return !suite->fail_fast || !suite->totals.failed;
}

static enum tool_exit run_jobs(struct suite *suite,
                               bool (*done)(void *, size_t, const struct workers_answer *))
{
    const struct workers workers = { .count = count_jobs(suite),
                                     .most = suite->jobs,
                                     .context = suite,
                                     .work = on_work,
                                     .done = done,
                                     .tick = on_tick };
    return workers_run(&workers);
}

/* ---- a list -----------------------------------------------------------------------------------
 */

static void list_unit(const struct verdict *verdict, const struct unit *unit)
{
    (void)printf("%s:%" PRIu32 ":%s%s", verdict->file, unit->line, *unit->name ? " " : "",
                 unit->name);
    if (*unit->tags || verdict->file_tags.length)
        (void)printf("  tags=%s%s%s", text_get(&verdict->file_tags),
                     *unit->tags && verdict->file_tags.length ? "," : "", unit->tags);
    if (*unit->why)
        (void)printf("  (%s)", unit->why);
    (void)putchar('\n');
}

/* Names of parameters are collected; those of `--list` are printed, and what is wrong anywhere. */
static void take_params(struct suite *suite, const struct verdict *verdict)
{
    for (const char *line = text_get(&verdict->params); *line; line += strcspn(line, "\n") + 1) {
        struct text name = { 0 };
        text_add_bytes(&name, line, strcspn(line, " "));
        if (!text_listed(text_get(&suite->params), text_get(&name)))
            text_add(&suite->params, "%s%s", suite->params.length ? "|" : "", text_get(&name));
        text_free(&name);
        if (suite->listing)
            (void)printf("  param %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

static bool on_listed(void *context, size_t number, const struct workers_answer *answer)
{
    struct suite *suite = context;
    struct verdict verdict = verdict_of(suite, number, answer);
    clear_progress(suite);
    for (size_t i = 0; i < verdict.unit_count && suite->listing; i++)
        if (verdict.units[i].state != UNIT_FAILED)
            list_unit(&verdict, &verdict.units[i]);
    for (size_t i = 0; i < verdict.message_count && suite->listing; i++)
        (void)fputs(verdict.messages[i].rendered, stderr);
    take_params(suite, &verdict);
    if (suite->listing && verdict.exit > (int)suite->worst)
        suite->worst = (enum tool_exit)verdict.exit;
    verdict_free(&verdict);
    return true;
}

/* Each file is read, and nothing runs. */
static enum tool_exit list_files(struct suite *suite)
{
    struct test_plan plan = suite->plan;
    suite->plan.list = true;
    suite->plan.seed_count = 0;
    suite->plan.defines.count = suite->listing ? plan.defines.count : 0;
    enum tool_exit end = run_jobs(suite, on_listed);
    suite->plan = plan;
    return end;
}

/* A name that no file knows is a mistake of the command line. */
static enum tool_exit check_defines(struct suite *suite)
{
    struct text why = { 0 };
    enum tool_exit end = suite->plan.defines.count ? list_files(suite) : TOOL_GOOD;
    for (size_t i = 0; i < suite->plan.defines.count && end == TOOL_GOOD; i++) {
        struct text name = { 0 };
        const char *word = suite->plan.defines.words[i];
        text_add_bytes(&name, word, strcspn(word, "="));
        if (!text_listed(text_get(&suite->params), text_get(&name))) {
            run_options_unknown(word, text_get(&suite->params), &why);
            (void)fprintf(stderr, "vidmm test: %s\n", text_get(&why));
            end = TOOL_USAGE;
        }
        text_free(&name);
    }
    text_free(&why);
    return end;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static void add_words(struct text *text, const char *option, const struct run_settings *words)
{
    for (size_t i = 0; i < words->count; i++) {
        text_add(text, "%s", option);
        text_add_word(text, words->words[i]);
        text_add(text, " ");
    }
}

static bool open_reports(struct suite *suite)
{
    if (suite->plan.options.check_invariants)
        text_add(&suite->again, "--check ");
    add_words(&suite->again, "-D ", &suite->plan.defines);
    add_words(&suite->again, "--limit=", &suite->plan.limits);
    add_words(&suite->again, "--policy=", &suite->plan.policies);
    add_words(&suite->again, "--set=", &suite->plan.settings);
    for (size_t i = 0; i < suite->listener_count; i++) {
        struct listener *listener = &suite->listeners[i];
        if (!output_begin(&listener->output, listener->path)) {
            suite->listener_count = i;
            return false;
        }
        listener->options = (struct report_options){ .options = text_get(&suite->again),
                                                     .goldens = suite->plan.goldens.folder,
                                                     .update = suite->plan.goldens.update,
                                                     .seed_first = suite->plan.seed_first,
                                                     .seed_count = suite->plan.seed_count,
                                                     .verbose = suite->verbose };
        screen_init(&listener->options.screen, listener->output.file, suite->color,
                    SCREEN_LETTERS_ASCII, 0);
        listener->report = listener->form->open(&listener->options);
    }
    return true;
}

static bool close_reports(struct suite *suite, bool told)
{
    bool good = true;
    for (size_t i = 0; i < suite->listener_count; i++) {
        struct listener *listener = &suite->listeners[i];
        listener->report->end(listener->report, &suite->totals);
        good = output_end(&listener->output, told) && good;
    }
    return good && host_flush();
}

/* A tag that no file has is a slip of the pen, or of the mind. */
static void tell_tags(const struct suite *suite)
{
    for (const char *at = suite->plan.options.tags; at && *at; at += *at == ',') {
        struct text name = { 0 }, why = { 0 };
        at += *at == '-';
        text_add_bytes(&name, at, strcspn(at, ","));
        at += name.length;
        if (!text_listed(text_get(&suite->tags), text_get(&name))) {
            text_add(&why, "no file has the tag '%s'", text_get(&name));
            run_options_nearest(text_get(&name), text_get(&suite->tags), &why);
            (void)fprintf(stderr, "vidmm test: %s\n", text_get(&why));
        }
        text_free(&name);
        text_free(&why);
    }
}

static bool on_heard(void *context, size_t number, const struct workers_answer *answer)
{
    struct suite *suite = context;
    struct verdict verdict = verdict_of(suite, number, answer);
    const char *only = suite->plan.options.only;
    for (size_t i = 0; i < verdict.unit_count; i++) {
        const char *name = verdict.units[i].name;
        suite->tests.chosen |= strstr(name, only) != NULL;
        if (*name)
            run_file_note(&suite->tests, only, name);
    }
    verdict_free(&verdict);
    return !suite->tests.chosen;
}

/* All names are read once more, now that one of them is missed. */
static bool tell_only(struct suite *suite)
{
    const char *only = suite->plan.options.only;
    if (!only)
        return false;
    struct test_plan plan = suite->plan;
    suite->plan.list = suite->plan.every = true;
    suite->plan.seed_count = 0;
    suite->tests = (struct host_tests){ 0 };
    bool read = run_jobs(suite, on_heard) == TOOL_GOOD;
    suite->plan = plan;
    return read && run_file_only(&suite->tests, only, TOOL_GOOD) != TOOL_GOOD;
}

/* What must not look like a success: nothing ran, and not for want of files. */
static void tell_nothing(struct suite *suite)
{
    const struct scenario_options *options = &suite->plan.options;
    tell_tags(suite);
    if (suite->worst != TOOL_GOOD || suite->totals.passed || (!options->only && !options->tags))
        return;
    suite->worst = TOOL_USAGE;
    if (!tell_only(suite))
        (void)fprintf(stderr, "vidmm test: no test was chosen; --list shows them\n");
}

/* Nor may an update that writes nothing. */
static void tell_update(struct suite *suite)
{
    if (!suite->goldenless || suite->goldenless < suite->finished)
        return;
    (void)fprintf(stderr, "vidmm test: --update wrote nothing: no file has the statement `golden`, "
                          "and --golden=DIR names no folder\n");
    suite->worst = suite->worst == TOOL_GOOD ? TOOL_USAGE : suite->worst;
}

static enum tool_exit run_files(struct suite *suite)
{
    enum tool_exit end = check_defines(suite);
    if (end != TOOL_GOOD)
        return end;
    if (!known_open(&suite->known, suite->known_path, suite->plan.goldens.folder,
                    &suite->plan.settings))
        return TOOL_INPUT;
    suite->plan.known = &suite->known;
    if (!open_reports(suite)) {
        (void)close_reports(suite, false);
        return TOOL_INPUT;
    }
    end = run_jobs(suite, on_done);
    clear_progress(suite);
    size_t left = count_jobs(suite) - suite->finished;
    suite->totals.whole = left == 0;
    if (end == TOOL_GOOD && !left)
        tell_nothing(suite);
    if (end == TOOL_GOOD && !left)
        tell_update(suite);
    if (end == TOOL_GOOD && !left)
        known_tell(&suite->known, !suite->plan.options.only);
    if (suite->uncompared)
        (void)fprintf(stderr,
                      "vidmm test: %zu golden%s not compared: with --seed or -D a run decides "
                      "otherwise\n",
                      suite->uncompared, suite->uncompared == 1 ? "" : "s");
    (void)fflush(stdout);
    if (left)
        (void)fprintf(stderr, "vidmm test: %s, %zu of %zu not finished\n",
                      end == TOOL_INTERRUPTED ? "interrupted" : "stopped", left, count_jobs(suite));
    suite->worst = end > suite->worst ? end : suite->worst;
    if (!close_reports(suite, true) && suite->worst < TOOL_INPUT)
        suite->worst = TOOL_INPUT;
    return suite->worst;
}

enum tool_exit suite_run(struct suite *suite)
{
    bool found = true;
    for (int i = 0; i < suite->paths.count; i++)
        found = find_files(&suite->files, suite->paths.first[i]) && found;
    suite->jobs = suite->jobs ? suite->jobs : workers_processors();
    suite->plan.processes = suite->jobs;
    suite->progress = isatty(STDERR_FILENO) == 1 && !suite->listing;
    enum tool_exit end = suite->listing ? list_files(suite) : run_files(suite);
    if (suite->listing && suite->worst > end)
        end = suite->worst;
    known_close(&suite->known);
    find_free(&suite->files);
    text_free(&suite->again);
    text_free(&suite->tags);
    text_free(&suite->params);
    return found || end > TOOL_INPUT ? end : TOOL_INPUT;
}
