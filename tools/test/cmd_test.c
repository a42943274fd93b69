/* SPDX-License-Identifier: MIT */
/* cmd_test.c: `vidmm test PATH...`: what does the command line ask for? */
#include "tools/test/test.h"

#include <string.h>

#include "tools/common/host.h"
#include "tools/common/policy_load.h"
#include "tools/test/suite.h"

enum { SEEDS_MOST = 1000000 };

enum {
    KEY_CHECK = 256,
    KEY_COLOR,
    KEY_FAIL_FAST,
    KEY_FORMAT,
    KEY_GOLDEN,
    KEY_KNOWN,
    KEY_LIMIT,
    KEY_LIST,
    KEY_ONLY,
    KEY_REPORT,
    KEY_SEED,
    KEY_SET,
    KEY_POLICY,
    KEY_TAGS,
    KEY_UPDATE
};

static const struct form forms[] = {
    { "text", report_text_open },   { "tap", report_tap_open },     { "tap13", report_tap13_open },
    { "junit", report_junit_open }, { "jsonl", report_jsonl_open },
};

/* ---- options ----------------------------------------------------------------------------------
 */

static const struct form *find_form(const char *name, size_t length, struct argp_state *state)
{
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        if (strlen(forms[i].name) == length && strncmp(forms[i].name, name, length) == 0)
            return &forms[i];
    argp_error(state, "'%.*s' is no format: text, tap, tap13, junit or jsonl", (int)length, name);
    return &forms[0];
}

/* The listener that writes there already; NULL: none. Other words for the same file fail later, as
   each file begins under another name that may not be there (output.h). */
static const struct form *writes_there(const struct suite *suite, const char *path)
{
    if (strcmp(path, "-") == 0)
        return suite->listeners[0].form;
    for (size_t i = 1; i < suite->listener_count; i++)
        if (strcmp(suite->listeners[i].path, path) == 0)
            return suite->listeners[i].form;
    return NULL;
}

static void read_report(struct suite *suite, const char *word, struct argp_state *state)
{
    size_t length = strcspn(word, ":");
    const struct form *form = find_form(word, length, state), *there;
    if (!word[length] || !word[length + 1])
        argp_error(state, "'%s' names no file: write --report=junit:FILE", word);
    else if ((there = writes_there(suite, word + length + 1)) != NULL)
        argp_error(state, "'%s' is where the %s goes: each report needs a file of its own",
                   word + length + 1, there->name);
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
    uint64_t last = 0;
    const char *range = strstr(word, "..");
    text_add_bytes(&first, word, range ? (size_t)(range - word) : strlen(word));
    if (!text_read_size(text_get(&first), &plan->seed_first) ||
        !text_read_size(range ? range + 2 : word, &last))
        argp_error(state, "'%s' is no seed and no range of seeds: write --seed=7 or --seed=1..100",
                   word);
    if (last < plan->seed_first)
        argp_error(state, "'%s' has no seed: write --seed=1..100", word);
    if (last - plan->seed_first >= SEEDS_MOST)
        argp_error(state, "'%s' has more than %d seeds", word, SEEDS_MOST);
    plan->seed_count = last - plan->seed_first + 1;
    text_free(&first);
}

static void check_tags(const char *word, struct argp_state *state)
{
    if (!*word)
        argp_error(state, "a tag is missing: write --tags=a,b,-c");
    for (const char *at = word; *at; at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == 0 || (length == 1 && *at == '-') || strcspn(at, " \t") < length)
            argp_error(state, "'%s' is no list of tags: write --tags=a,b,-c", word);
        at += length;
    }
}

static void check_paths(const struct suite *suite, struct argp_state *state)
{
    for (int i = 0; i < suite->paths.count; i++)
        if (strcmp(suite->paths.first[i], "-") == 0)
            argp_error(state, "a test is a file or a folder; `vidmm run -` reads stdin");
}

static void keep_word(struct run_settings *words, const char *word, struct argp_state *state)
{
    if (words->count == RUN_SETTINGS_MOST)
        argp_error(state, "more than %d options like '%s'", RUN_SETTINGS_MOST, word);
    else
        words->words[words->count++] = word;
}

static void read_golden(struct suite *suite, const char *word, struct argp_state *state)
{
    if (!*word)
        argp_error(state, "a folder is missing: write --golden=DIR, or --golden=. for this one");
    suite->plan.goldens.folder = word;
}

/* A golden is that of a whole file, with its own values. */
static void check_update(const struct test_plan *plan, struct argp_state *state)
{
    const char *other = plan->options.only    ? "--only"
                        : plan->seed_count    ? "--seed"
                        : plan->defines.count ? "-D"
                                              : NULL;
    if (plan->goldens.update && other)
        argp_error(state, "--update writes the goldens of whole files as they are: leave out %s",
                   other);
}

static error_t cmd_test_parse(int key, char *argument, struct argp_state *state)
{
    struct suite *suite = state->input;
    struct scenario_options *options = &suite->plan.options;
    switch (key) {
    case 'j': suite->jobs = options_jobs(argument, state); return 0;
    case 'v': suite->verbose = true; return 0;
    case 'D': run_options_define(&suite->plan.defines, argument, state); return 0;
    case KEY_CHECK: options->check_invariants = true; return 0;
    case KEY_COLOR: suite->color = run_options_color(argument, state); return 0;
    case KEY_FAIL_FAST: suite->fail_fast = true; return 0;
    case KEY_FORMAT:
        suite->listeners[0].form = find_form(argument, strlen(argument), state);
        return 0;
    case KEY_GOLDEN: read_golden(suite, argument, state); return 0;
    case KEY_KNOWN: suite->known_path = argument; return 0;
    case KEY_UPDATE: suite->plan.goldens.update = true; return 0;
    case KEY_LIMIT:
        run_options_limit(&options->limits, argument, state);
        keep_word(&suite->plan.limits, argument, state);
        return 0;
    case KEY_LIST: suite->plan.list = true; return 0;
    case KEY_ONLY: options->only = argument; return 0;
    case KEY_REPORT: read_report(suite, argument, state); return 0;
    case KEY_SEED: read_seeds(&suite->plan, argument, state); return 0;
    case KEY_POLICY:
        policy_load(&suite->plan.settings, argument, state);
        keep_word(&suite->plan.policies, argument, state);
        return 0;
    case KEY_SET: run_options_set(&suite->plan.settings, argument, state); return 0;
    case KEY_TAGS:
        check_tags(argument, state);
        options->tags = argument;
        return 0;
    case ARGP_KEY_END:
        check_paths(suite, state);
        check_update(&suite->plan, state);
        return 0;
    default:
        return options_words(&suite->paths, "a file or folder is missing, such as scenarios/", key,
                             state);
    }
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
        { "known", KEY_KNOWN, "FILE", 0,
          "failures that are known: lines of SETTINGS, SCENARIO (from the folder of FILE) and "
          "TEST; "
          "default: known-failures.txt in the DIR of --golden",
          2 },
        { "update", KEY_UPDATE, NULL, 0, "write goldens anew, and say what changed", 2 },
        { "define", 'D', "NAME=VALUE", 0, "the value of `param NAME`, where a file has it", 2 },
        { "seed", KEY_SEED, "N|A..B", 0, "where random numbers begin; each file once for each seed",
          2 },
        { "policy", KEY_POLICY, "FILE", 0, POLICY_LOAD_HELP, 2 },
        { "set", KEY_SET, "NAME=VALUE", 0, "a setting, after those of the file", 2 },
        { "limit", KEY_LIMIT, "ops=N|work=N|live=N|time=T|memory=SIZE", 0,
          "a limit of operations, of the work that they cause, live allocations, time or host "
          "memory",
          2 },
        { "check", KEY_CHECK, NULL, 0, "check all invariants after each operation", 2 },
        { "format", KEY_FORMAT, "text|tap|tap13|junit|jsonl", 0,
          "text (default), tap, tap13 (for prove), junit or jsonl", 3 },
        { "report", KEY_REPORT, "FORMAT:FILE", 0, "one more report, into a file", 3 },
        { "verbose", 'v', NULL, 0, "a line for each test, also if it passed", 3 },
        { "color", KEY_COLOR, "auto|always|never", 0,
          "auto (default; obeys NO_COLOR), always or never", 3 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_test_parse,
        .args_doc = "PATH...",
        .doc = "Runs scenarios as tests: files, and all *.vms and *.vmb below folders, in "
               "parallel; one that is named twice is tested once. What "
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
    enum tool_exit end = suite_run(&suite);
    return host_end(end);
}
