/* SPDX-License-Identifier: MIT */
/*
 * cmd_test.c: `vidmm test PATH...`: which files run, with which seeds, in how many processes, and
 * who is told.
 *
 * A job is a file with one seed. Jobs run in any order; verdicts come in that of the command line.
 */
#define _DEFAULT_SOURCE /* isatty, fileno */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/test/find.h"
#include "tools/test/report.h"
#include "tools/test/test.h"
#include "tools/test/test_run.h"

enum { REPORTS_MOST = 8, SEEDS_MOST = 1000000 };

enum {
    KEY_CHECK = 256,
    KEY_COLOR,
    KEY_FAIL_FAST,
    KEY_FORMAT,
    KEY_GOLDEN,
    KEY_LIMIT,
    KEY_LIST,
    KEY_ONLY,
    KEY_REPORT,
    KEY_SEED,
    KEY_SET,
    KEY_TAGS,
    KEY_UPDATE
};

struct form {
    const char *name;
    struct report *(*open)(const struct report_options *options);
};

static const struct form forms[] = {
    { "text", report_text_open },
    { "tap", report_tap_open },
    { "junit", report_junit_open },
    { "jsonl", report_jsonl_open },
};

/* stdout, and each --report=FORM:FILE. */
struct listener {
    const struct form *form;
    const char *path; /* NULL: stdout */
    struct output output;
    struct report_options options;
    struct report *report;
};

struct suite {
    struct test_plan plan;
    struct options_words paths;
    struct found files;
    unsigned jobs;
    bool fail_fast, verbose, listing;
    enum screen_color color;
    struct listener listeners[1 + REPORTS_MOST];
    size_t listener_count;
    struct text again; /* report_options.options */
    struct text tags, params;
    struct totals totals;
    enum tool_exit worst;
    size_t handed;
    bool progress, shown;
};

/* ---- options ----------------------------------------------------------------------------------
 */

static const struct form *find_form(const char *name, size_t length, struct argp_state *state)
{
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        if (strlen(forms[i].name) == length && strncmp(forms[i].name, name, length) == 0)
            return &forms[i];
    argp_error(state, "'%.*s' is no format: text, tap, junit or jsonl", (int)length, name);
    return &forms[0];
}

static void read_report(struct suite *suite, const char *word, struct argp_state *state)
{
    size_t length = strcspn(word, ":");
    const struct form *form = find_form(word, length, state);
    if (!word[length] || !word[length + 1])
        argp_error(state, "'%s' names no file: write --report=junit:FILE", word);
    else if (suite->listener_count > REPORTS_MOST)
        argp_error(state, "more than %d reports", REPORTS_MOST);
    else
        suite->listeners[suite->listener_count++] =
            (struct listener){ .form = form, .path = word + length + 1 };
}

/* "3" or "1..100". */
static void read_seeds(struct test_plan *plan, const char *word, struct argp_state *state)
{
    struct text first = { 0 };
    const char *range = strstr(word, "..");
    text_add_bytes(&first, word, range ? (size_t)(range - word) : strlen(word));
    plan->seed_first = run_options_seed(text_get(&first), state);
    uint64_t last = range ? run_options_seed(range + 2, state) : plan->seed_first;
    if (last < plan->seed_first)
        argp_error(state, "'%s' has no seed: write --seed=1..100", word);
    if (last - plan->seed_first >= SEEDS_MOST)
        argp_error(state, "'%s' has more than %d seeds", word, SEEDS_MOST);
    plan->seed_count = last - plan->seed_first + 1;
    text_free(&first);
}

static void read_jobs(struct suite *suite, const char *word, struct argp_state *state)
{
    uint64_t jobs = 0;
    if (!text_read_size(word, &jobs) || !jobs || jobs > 128)
        argp_error(state, "'%s' is no number of processes: write -j N, 1 to 128", word);
    suite->jobs = (unsigned)jobs;
}

static void check_tags(const char *word, struct argp_state *state)
{
    for (const char *at = word; *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == 0 || (length == 1 && *at == '-') || strcspn(at, " \t") < length)
            argp_error(state, "'%s' is no list of tags: write --tags=a,b,-c", word);
        at += length;
    }
}

static error_t cmd_test_parse(int key, char *argument, struct argp_state *state)
{
    struct suite *suite = state->input;
    struct scenario_options *options = &suite->plan.options;
    switch (key) {
    case 'j': read_jobs(suite, argument, state); return 0;
    case 'v': suite->verbose = true; return 0;
    case 'D': run_options_define(&suite->plan.defines, argument, state); return 0;
    case KEY_CHECK: options->check_invariants = true; return 0;
    case KEY_COLOR: suite->color = run_options_color(argument, state); return 0;
    case KEY_FAIL_FAST: suite->fail_fast = true; return 0;
    case KEY_FORMAT:
        suite->listeners[0].form = find_form(argument, strlen(argument), state);
        return 0;
    case KEY_GOLDEN: suite->plan.goldens.folder = argument; return 0;
    case KEY_UPDATE: suite->plan.goldens.update = true; return 0;
    case KEY_LIMIT: run_options_limit(&options->limits, argument, state); return 0;
    case KEY_LIST: suite->plan.list = true; return 0;
    case KEY_ONLY: options->only = argument; return 0;
    case KEY_REPORT: read_report(suite, argument, state); return 0;
    case KEY_SEED: read_seeds(&suite->plan, argument, state); return 0;
    case KEY_SET: run_options_set(&suite->plan.settings, argument, state); return 0;
    case KEY_TAGS:
        check_tags(argument, state);
        options->tags = argument;
        return 0;
    default:
        return options_words(&suite->paths, "a file or folder is missing, such as scenarios/", key,
                             state);
    }
}

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

/* Only what everybody can wait for is worth a line: nothing is shown before the first second. */
static void on_tick(void *context, size_t finished)
{
    struct suite *suite = context;
    if (!suite->progress || finished == count_jobs(suite))
        return;
    (void)fflush(stdout);
    (void)fprintf(stderr, "\r\033[K%zu of %zu, %" PRIu64 " failed", finished, count_jobs(suite),
                  suite->totals.failed);
    suite->shown = true;
}

/* ---- jobs -------------------------------------------------------------------------------------
 */

static struct test_job job_of(const struct suite *suite, size_t number)
{
    uint64_t seeds = suite->plan.seed_count;
    return (struct test_job){ .path = suite->files.paths[seeds ? number / seeds : number],
                              .seed = seeds ? suite->plan.seed_first + number % seeds : 0 };
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
    clear_progress(suite);
    count_units(suite, &verdict);
    for (size_t i = 0; i < suite->listener_count; i++)
        suite->listeners[i].report->verdict(suite->listeners[i].report, &verdict);
    suite->handed = number + verdict.known;
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
    if (*unit->tags)
        (void)printf("  tags=%s", unit->tags);
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
        report_quote(text, words->words[i]);
        text_add(text, " ");
    }
}

static bool open_reports(struct suite *suite)
{
    if (suite->plan.options.check_invariants)
        text_add(&suite->again, "--check ");
    add_words(&suite->again, "-D ", &suite->plan.defines);
    add_words(&suite->again, "--set=", &suite->plan.settings);
    for (size_t i = 0; i < suite->listener_count; i++) {
        struct listener *listener = &suite->listeners[i];
        if (!output_begin(&listener->output, listener->path)) {
            suite->listener_count = i;
            return false;
        }
        listener->options = (struct report_options){ .options = text_get(&suite->again),
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

/* What must not look like a success: nothing ran, and not for want of files. */
static void tell_nothing(struct suite *suite)
{
    const struct scenario_options *options = &suite->plan.options;
    const char *tags = options->tags ? options->tags : "";
    for (const char *at = tags; *at; at += *at == ',') {
        struct text name = { 0 };
        at += *at == '-';
        text_add_bytes(&name, at, strcspn(at, ","));
        at += name.length;
        if (!strstr(text_get(&suite->tags), text_get(&name)))
            (void)fprintf(stderr, "vidmm test: no file has the tag '%s'; there are: %s\n",
                          text_get(&name), suite->tags.length ? text_get(&suite->tags) : "none");
        text_free(&name);
    }
    if (suite->worst != TOOL_GOOD || suite->totals.passed || (!options->only && !options->tags))
        return;
    (void)fprintf(stderr, "vidmm test: no test was chosen; --list shows them\n");
    suite->worst = TOOL_USAGE;
}

static enum tool_exit run_suite(struct suite *suite)
{
    enum tool_exit end = check_defines(suite);
    if (end != TOOL_GOOD)
        return end;
    if (!open_reports(suite)) {
        (void)close_reports(suite, false);
        return TOOL_INPUT;
    }
    end = run_jobs(suite, on_done);
    clear_progress(suite);
    size_t left = count_jobs(suite) - suite->handed;
    suite->totals.whole = left == 0;
    if (end == TOOL_GOOD && !left)
        tell_nothing(suite);
    (void)fflush(stdout);
    if (left)
        (void)fprintf(stderr, "vidmm test: %s, %zu of %zu not run\n",
                      end == TOOL_INTERRUPTED ? "interrupted" : "stopped", left, count_jobs(suite));
    suite->worst = end > suite->worst ? end : suite->worst;
    if (!close_reports(suite, true) && suite->worst < TOOL_INPUT)
        suite->worst = TOOL_INPUT;
    return suite->worst;
}

static enum tool_exit test_all(struct suite *suite)
{
    bool found = true;
    for (int i = 0; i < suite->paths.count; i++)
        found = find_files(&suite->files, suite->paths.first[i]) && found;
    suite->jobs = suite->jobs ? suite->jobs : workers_processors();
    suite->plan.processes = suite->jobs;
    suite->progress = isatty(STDERR_FILENO) == 1 && !suite->listing;
    enum tool_exit end = suite->listing ? list_files(suite) : run_suite(suite);
    if (suite->listing && suite->worst > end)
        end = suite->worst;
    return found || end > TOOL_INPUT ? end : TOOL_INPUT;
}

int cmd_test(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "jobs", 'j', "N", 0, "processes at once; as many as there are processors", 1 },
        { "only", KEY_ONLY, "TEST", 0, "only tests whose name contains TEST", 1 },
        { "tags", KEY_TAGS, "A,B,-C", 0, "only tests with one of these tags, and none with a minus",
          1 },
        { "fail-fast", KEY_FAIL_FAST, NULL, 0, "end at the first file that fails", 1 },
        { "list", KEY_LIST, NULL, 0, "which tests, tags and parameters there are; nothing runs",
          1 },
        { "golden", KEY_GOLDEN, "DIR", 0, "compare the decisions of each file with a golden in DIR",
          2 },
        { "update", KEY_UPDATE, NULL, 0, "write goldens anew, and say what changed", 2 },
        { "define", 'D', "NAME=VALUE", 0, "the value of `param NAME`, where a file has it", 2 },
        { "seed", KEY_SEED, "N|A..B", 0, "where random numbers begin; each file once for each seed",
          2 },
        { "set", KEY_SET, "NAME=VALUE", 0, "a setting, after those of the file", 2 },
        { "limit", KEY_LIMIT, "NAME=N", 0, "ops=N, work=N, live=N, time=T, memory=SIZE", 2 },
        { "check", KEY_CHECK, NULL, 0, "check all invariants after each operation", 2 },
        { "format", KEY_FORMAT, "FORMAT", 0, "text (default), tap, junit or jsonl", 3 },
        { "report", KEY_REPORT, "FORMAT:FILE", 0, "one more report, into a file", 3 },
        { "verbose", 'v', NULL, 0, "a line for each test, also if it passed", 3 },
        { "color", KEY_COLOR, "WHEN", 0, "auto (default; obeys NO_COLOR), always or never", 3 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_test_parse,
        .args_doc = "PATH...",
        .doc = "Runs scenarios as tests: files, and all *.vms below folders, in parallel. What "
               "counts is each `test` of a file, or the file if it has none; a file that only "
               "describes an adapter is checked and skipped.\v"
               "Examples:\n"
               "  vidmm test scenarios/\n"
               "  vidmm test --update scenarios/policy\n"
               "  vidmm test --tags=-slow --seed=1..100 scenarios/policy\n"
               "  vidmm test --report=junit:report.xml scenarios/\n\n"
               "Exit codes are those of `vidmm run`; of several files the worst counts.",
    };
    struct suite suite = { .listeners[0].form = &forms[0], .listener_count = 1 };
    if (!options_parse(&grammar, argc, argv, &suite))
        return TOOL_USAGE;
    suite.listing = suite.plan.list;
    enum tool_exit end = test_all(&suite);
    find_free(&suite.files);
    text_free(&suite.again);
    text_free(&suite.tags);
    text_free(&suite.params);
    return host_flush() || end > TOOL_INPUT ? (int)end : TOOL_INPUT;
}
