/* SPDX-License-Identifier: MIT */
/*
 * compare.c: `vidmm compare FILE...` runs files under several policies, and puts what was measured
 * side by side.
 *
 * Each run is a process of its own. A table is printed as soon as its file is done; the order is
 * that of the command line, however many processes there are.
 */
#include "tools/lab/compare.h"

#include <string.h>
#include <sys/stat.h>

#include "tools/common/host.h"
#include "tools/common/policy_load.h"
#include "tools/common/run_options.h"
#include "tools/lab/lab.h"
#include "tools/lab/plot.h"

enum { KEY_POLICIES = 256, KEY_FORMAT, KEY_SET, KEY_SEED, KEY_LIMIT, KEY_PLOT, KEY_POLICY };

struct compare {
    struct options_words files;
    struct policies policies;
    struct text names; /* of --policies */
    struct run_settings loaded;
    struct run_settings settings, defines;
    struct measure_job job; /* what all runs have in common */
    enum compare_format format;
    bool alone; /* no policy was named: one row, of what the file says */
    unsigned processes;
    const char *plot;       /* NULL: no picture */
    struct result *results; /* by policy, of one file; for a plot of all */
    struct compare_summary *summaries;
    enum tool_exit worst;
    char told[MEASURE_MESSAGE]; /* the last problem */
    int files_done, files_measured;
};

/* ---- options ----------------------------------------------------------------------------------
 */

static void compare_read_format(struct compare *compare, const char *word, struct argp_state *state)
{
    static const char *const words[] = { "text", "csv", "md", "jsonl" };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        if (strcmp(word, words[i]) == 0) {
            compare->format = (enum compare_format)i;
            return;
        }
    }
    argp_error(state, "'%s' is no format: text, csv, md or jsonl", word);
}

/* What was loaded beside what the file says, where --policies names nothing. */
static void name_loaded(const struct run_settings *loaded, struct text *names)
{
    text_add(names, "file");
    for (size_t i = 0; i < loaded->policy_count; i++) {
        const struct vidmm_policies *policies = loaded->policies[i];
        if (policies->placement)
            text_add(names, ",%s", policies->placement->name);
        if (policies->eviction)
            text_add(names, ",%s", policies->eviction->name);
    }
}

/* A policy decides about two settings; where only the file does, they may be set like any other. */
static void compare_read_policies(struct compare *compare, struct argp_state *state)
{
    struct text why = { 0 };
    bool named = compare->names.length || compare->loaded.policy_count;
    for (size_t i = 0; i < compare->settings.count && named; i++)
        if (policy_is_setting(compare->settings.words[i]))
            argp_error(state, "--set=%s contradicts --policies, which sets it for each row",
                       compare->settings.words[i]);
    compare->policies.loaded = compare->job.loaded = &compare->loaded;
    compare->alone = !named;
    if (!compare->names.length)
        name_loaded(&compare->loaded, &compare->names);
    if (!policies_read(&compare->policies, text_get(&compare->names), &why))
        argp_error(state, "%s", text_get(&why));
    text_free(&why);
}

/* A picture of another kind would not open under its name. */
static void compare_read_plot(struct compare *compare, const char *name, struct argp_state *state)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');
    if (dot && dot[1] && strcmp(dot, ".svg") != 0)
        argp_error(state, "--plot writes SVG: name a file *.svg, not '%s'", name);
    compare->plot = name;
}

/* A file that is named again would count again in the sums. */
static void leave_out_again(struct options_words *files)
{
    struct stat *seen = base_alloc((size_t)files->count, sizeof *seen);
    int count = 0;
    for (int i = 0; i < files->count; i++) {
        bool again = false;
        bool there = stat(files->first[i], &seen[count]) == 0;
        for (int other = 0; there && other < count; other++)
            again |= seen[other].st_dev == seen[count].st_dev &&
                     seen[other].st_ino == seen[count].st_ino;
        if (!again)
            files->first[count++] = files->first[i];
    }
    files->count = count;
    base_free(seen);
}

static error_t compare_parse(int key, char *argument, struct argp_state *state)
{
    struct compare *compare = state->input;
    switch (key) {
    case KEY_POLICIES:
        text_add(&compare->names, "%s%s", compare->names.length ? "," : "", argument);
        return 0;
    case KEY_POLICY: policy_load(&compare->loaded, argument, state); return 0;
    case KEY_FORMAT: compare_read_format(compare, argument, state); return 0;
    case KEY_SET: run_options_set(&compare->settings, argument, state); return 0;
    case 'D': run_options_define(&compare->defines, argument, state); return 0;
    case KEY_LIMIT: run_options_limit(&compare->job.limits, argument, state); return 0;
    case KEY_PLOT: compare_read_plot(compare, argument, state); return 0;
    case KEY_SEED:
        compare->job.has_seed = true;
        compare->job.seed = run_options_seed(argument, state);
        return 0;
    case 'j': compare->processes = options_jobs(argument, state); return 0;
    case ARGP_KEY_END:
        options_reread(&compare->files, state);
        leave_out_again(&compare->files);
        if (compare->plot && compare->files.count > PLOT_FILES)
            argp_error(state, "--plot shows %d files at most", PLOT_FILES);
        compare_read_policies(compare, state);
        return 0;
    default: return options_words(&compare->files, "a file to compare is missing", key, state);
    }
}

/* ---- runs -------------------------------------------------------------------------------------
 */

static struct measure_job compare_job(const struct compare *compare, size_t index)
{
    struct measure_job job = compare->job;
    const struct policy *policy = &compare->policies.list[index % compare->policies.count];
    job.file = job.path = compare->files.first[index / compare->policies.count];
    job.policy = policy->name;
    for (size_t i = 0; i < compare->settings.count; i++)
        job.settings[job.setting_count++] = compare->settings.words[i];
    for (size_t i = 0; i < compare->defines.count; i++)
        job.parameters[job.parameter_count++] = compare->defines.words[i];
    for (size_t i = 0; i < policy->setting_count; i++)
        job.settings[job.setting_count++] = policy->settings[i];
    return job;
}

static int compare_work(void *context, size_t index, FILE *answer)
{
    struct measure_job job = compare_job(context, index);
    return result_answer(&job, answer);
}

static void compare_file_done(struct compare *compare, const struct measure_job *job,
                              const struct result *results)
{
    bool words = compare->format == COMPARE_TEXT || compare->format == COMPARE_MARKDOWN;
    if (compare->format == COMPARE_CSV && !compare->files_done)
        compare_print_csv_head();
    if (words && compare->files_done)
        (void)puts("");
    compare_print_file(compare->format, job, &compare->policies, results);
    compare->files_measured += compare_summarize(&compare->policies, results, compare->summaries);
    compare->files_done++;
}

/* A table may go into a file: why a run has no numbers is told here, once for all policies. */
static void tell_problem(struct compare *compare, const struct result *result)
{
    const char *message = result->measured.message;
    if (compare_is_measured(result) || !*message || strcmp(message, compare->told) == 0)
        return;
    (void)fprintf(stderr, "vidmm: %s\n", message);
    (void)snprintf(compare->told, sizeof compare->told, "%s", message);
}

static bool compare_done(void *context, size_t index, const struct workers_answer *answer)
{
    struct compare *compare = context;
    size_t column = index % compare->policies.count;
    struct result *result = &compare->results[compare->plot ? index : column];
    struct measure_job job = compare_job(compare, index);
    if (answer->cut)
        return true;
    result_take(result, answer);
    if (result->known && result->measured.undefined)
        result->exit = TOOL_USAGE; /* it is the command line that names the parameter */
    tell_problem(compare, result);
    enum tool_exit code = result_exit(result);
    compare->worst = code > compare->worst ? code : compare->worst;
    if (compare->format == COMPARE_JSONL)
        result_write(stdout, &job, result);
    else if (column + 1 == compare->policies.count)
        compare_file_done(compare, &job, result - column);
    return true;
}

static enum tool_exit compare_run(struct compare *compare)
{
    const struct workers workers = {
        .count = compare->policies.count * (size_t)compare->files.count,
        .most = compare->processes,
        .context = compare,
        .work = compare_work,
        .done = compare_done,
    };
    bool words = compare->format == COMPARE_TEXT || compare->format == COMPARE_MARKDOWN;
    compare->results = base_alloc(compare->plot ? workers.count : compare->policies.count,
                                  sizeof *compare->results);
    compare->summaries = base_alloc(compare->policies.count, sizeof *compare->summaries);
    enum tool_exit ended = workers_run(&workers);
    compare->worst = ended > compare->worst ? ended : compare->worst;
    if (words && compare->files_measured > 1 && compare->files_done == compare->files.count) {
        (void)puts("");
        compare_print_summary(compare->format, &compare->policies, compare->summaries,
                              compare->files_measured, compare->files.count);
    }
    if (compare->format == COMPARE_TEXT && compare->alone && compare->worst <= TOOL_FAILED)
        (void)puts("\n--policies=wddm,lru or --policies=all sets policies side by side.");
    if (ended == TOOL_INTERRUPTED)
        (void)fprintf(stderr, "vidmm: interrupted after %d of %d files\n", compare->files_done,
                      compare->files.count);
    /* A run that came to no end, for want of memory or in a crash, leaves no half of a plot. */
    bool drawn = compare->plot && ended == TOOL_GOOD;
    for (size_t i = 0; drawn && i < workers.count; i++)
        drawn = compare->results[i].known;
    const struct plot plot = { .policies = &compare->policies,
                               .files = compare->files.first,
                               .file_count = (size_t)compare->files.count,
                               .results = compare->results };
    if (drawn && !plot_write(&plot, compare->plot) && compare->worst < TOOL_INPUT)
        compare->worst = TOOL_INPUT;
    base_free(compare->results);
    base_free(compare->summaries);
    return compare->worst;
}

int cmd_compare(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "policies", KEY_POLICIES, "NAMES", 0,
          "placement or eviction policies, or pairs PLACEMENT+EVICTION, separated by commas; "
          "'file': what the file says (default), 'all': each of them",
          1 },
        { "policy", KEY_POLICY, "FILE", 0,
          "policies in a shared object, which --policies may name; by default they stand beside "
          "what the file says (segments/policies/README.md)",
          1 },
        { "set", KEY_SET, "NAME=VALUE", 0, "a setting of every run, after those of the file", 1 },
        { "define", 'D', "NAME=VALUE", 0, "a parameter of the files", 1 },
        { "seed", KEY_SEED, "N", 0, "where random numbers begin", 1 },
        { "limit", KEY_LIMIT, "ops=N|work=N|live=N|time=T|memory=SIZE", 0,
          "a limit of operations, of the work that they cause, live allocations, time or host "
          "memory",
          1 },
        { "jobs", 'j', "N", 0, "processes at once; default: one per processor", 2 },
        { "format", KEY_FORMAT, "text|md|csv|jsonl", 0,
          "text (default), md, csv or jsonl, with every number", 2 },
        { "plot", KEY_PLOT, "FILE", 0,
          "also draw hit ratios and fragmentation over time, as SVG; 16 files at most", 2 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = compare_parse,
        .args_doc = "FILE...",
        .doc =
            "Runs scenarios under several policies and compares what each of them costs.\v"
            "Examples:\n"
            "  vidmm compare --policies=wddm,lru,best-fit+arc FILE\n"
            "  vidmm compare --policies=wddm,lru,sieve --plot=policies.svg FILE\n"
            "  vidmm compare --policies=all --format=csv FILE... >all.csv\n\n"
            "Columns: 'hits' of the references that need an allocation in a segment, by count and "
            "by size, those that found it there; 'x bound' the misses over a lower bound for "
            "every order of eviction; 'in', 'out' bytes copied into and out of segments; "
            "'stalled' how long the CPU waited, without the waits that the file asks for (`wait`); "
            "'touched/peak' the bytes that were ever in use over the most at once, 1.00 where no "
            "place was wasted; 'frag' the part of the free bytes outside the largest hole, its "
            "mean over time, and 'frag max' the highest. "
            "Of several files a last table, 'all N files', has the sums, and ratios of sums; a "
            "file that is named again counts once; "
            "'best in': how many files in which no other policy has fewer misses; 'passed': how "
            "many whose run passed. "
            "tools/lab/README.md defines each number.\n\n"
            "The exit code is that of the worst run, as of 'vidmm run': expectations of a file "
            "may fail under other policies than its own.",
    };
    struct compare compare = { .worst = TOOL_GOOD };
    if (!options_parse(&grammar, argc, argv, &compare))
        return TOOL_USAGE;
    enum tool_exit code = compare_run(&compare);
    policies_free(&compare.policies);
    text_free(&compare.names);
    return host_end(code);
}
