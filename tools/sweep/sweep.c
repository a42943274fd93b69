/* SPDX-License-Identifier: MIT */
/*
 * sweep.c: `vidmm sweep PLAN`: every run of a plan, or a share of it, or what shares have found.
 *
 * The id of a run depends on what it is and not on where it stands, so shards stay the same when a
 * plan grows, and results that are there are known again.
 */
#include "tools/sweep/sweep_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/policy_load.h"
#include "tools/common/run_options.h"
#include "tools/sweep/sweep.h"

enum { KEY_LIST = 256, KEY_SHARD, KEY_OUTPUT, KEY_MERGE, KEY_RETRY, KEY_PROGRESS, KEY_POLICY };

/* ---- ids --------------------------------------------------------------------------------------
 */

static int by_id(const void *a, const void *b)
{
    const struct sweep_id *left = a, *right = b;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

size_t sweep_find(const struct sweep *sweep, uint64_t id)
{
    size_t low = 0, high = sweep->plan.runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sweep->ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sweep->plan.runs && sweep->ids[low].id == id ? sweep->ids[low].index : SIZE_MAX;
}

/* Ids are mixed: their remainders are as good as any. */
bool sweep_in_shard(const struct sweep *sweep, uint64_t id)
{
    return !sweep->shards || id % sweep->shards == sweep->shard;
}

void sweep_print_run(const struct sweep *sweep, size_t index, FILE *out)
{
    struct measure_job job;
    struct text text = { 0 };
    plan_job(&sweep->plan, index, &job);
    result_describe(&job, &text);
    (void)fprintf(out, "%016" PRIx64 "  %s\n", result_id(&job), text_get(&text));
    text_free(&text);
}

/* False: the plan has a run twice. */
static bool sweep_make_ids(struct sweep *sweep)
{
    size_t runs = sweep->plan.runs;
    struct measure_job job;
    sweep->ids = base_alloc(runs, sizeof *sweep->ids);
    for (size_t i = 0; i < runs; i++) {
        plan_job(&sweep->plan, i, &job);
        sweep->ids[i] = (struct sweep_id){ result_id(&job), i };
    }
    qsort(sweep->ids, runs, sizeof *sweep->ids, by_id);
    for (size_t i = 1; i < runs; i++) {
        if (sweep->ids[i].id != sweep->ids[i - 1].id)
            continue;
        (void)fprintf(stderr, "%s: error: the plan has a run twice:\n  ", sweep->words.first[0]);
        sweep_print_run(sweep, sweep->ids[i].index, stderr);
        return false;
    }
    return true;
}

/* ---- inputs -----------------------------------------------------------------------------------
 */

struct inputs {
    struct sweep *sweep;
    size_t *files;
    size_t count;
    size_t lacking[PLAN_AXES]; /* how many files have no such parameter */
    struct text why[PLAN_AXES];
};

static bool has_parameters(const struct plan *plan)
{
    for (size_t i = 0; i < plan->axis_count; i++)
        if (plan->axes[i].parameter)
            return true;
    return false;
}

/* What is said of each parameter that the file does not have: "AXIS SENTENCE". */
static void put_unknown(const struct plan *plan, const char *path, FILE *answer)
{
    struct host host;
    struct host_file file;
    host_init(&host, NULL, SCREEN_COLOR_NEVER);
    bool good = has_parameters(plan) && host_open(&host, path, &file);
    for (size_t i = 0; i < plan->axis_count && good; i++) {
        const char *const first[] = { plan->axes[i].values[0] };
        struct text why = { 0 };
        if (plan->axes[i].parameter && !run_options_give_params(file.scenario, first, 1, &why))
            (void)fprintf(answer, "%zu %s\n", i, text_get(&why));
        text_free(&why);
    }
    if (good)
        host_close(&file);
}

static int inputs_work(void *context, size_t job, FILE *answer)
{
    const struct inputs *inputs = context;
    const struct sweep *sweep = inputs->sweep;
    const char *path = sweep->plan.paths[inputs->files[job]];
    uint64_t input = measure_input(path, &sweep->loaded);
    bool good = fwrite(&input, sizeof input, 1, answer) == 1;
    put_unknown(&sweep->plan, path, answer);
    return good ? TOOL_GOOD : TOOL_LIMIT;
}

static bool inputs_done(void *context, size_t job, const struct workers_answer *answer)
{
    struct inputs *inputs = context;
    const size_t held = sizeof *inputs->sweep->inputs;
    if (answer->count < held)
        return true;
    memcpy(&inputs->sweep->inputs[inputs->files[job]], answer->bytes, held);
    for (const char *line = answer->bytes + held; *line; line += strcspn(line, "\n") + 1) {
        char *why = NULL;
        size_t axis = strtoul(line, &why, 10);
        /* A file with a parameter of nearly this name has the better sentence. */
        if (!inputs->lacking[axis]++ || strstr(line, "did you mean")) {
            text_clear(&inputs->why[axis]);
            text_add_bytes(&inputs->why[axis], why + 1, strcspn(why + 1, "\n"));
        }
    }
    return true;
}

/* A parameter that no file has is a mistake of the plan; one that some lack is that of their runs.
 */
static enum tool_exit inputs_check(struct inputs *inputs)
{
    struct plan *plan = &inputs->sweep->plan;
    enum tool_exit code = TOOL_GOOD;
    for (size_t i = 0; i < plan->axis_count; i++) {
        if (inputs->lacking[i] == plan->file_count) {
            plan_text_mistake(&plan->axes[i].line, plan->axes[i].name, NULL, "%s",
                              text_get(&inputs->why[i]));
            code = TOOL_INPUT;
        }
        text_free(&inputs->why[i]);
    }
    return code;
}

/* Results of each file stand in its runs, those of a shard or all of them; its parameters are
   looked at before the first. */
static bool is_wanted(const struct sweep *sweep, size_t file)
{
    const size_t each = sweep->plan.runs / sweep->plan.file_count;
    struct measure_job job;
    bool wanted = sweep->merge || has_parameters(&sweep->plan);
    for (size_t i = 0; i < each && !wanted && !sweep->list; i++) {
        plan_job(&sweep->plan, file * each + i, &job);
        wanted = sweep_in_shard(sweep, result_id(&job));
    }
    return wanted;
}

static enum tool_exit sweep_read_inputs(struct sweep *sweep)
{
    struct inputs inputs = { .sweep = sweep };
    sweep->inputs = base_alloc(sweep->plan.file_count, sizeof *sweep->inputs);
    inputs.files = base_alloc(sweep->plan.file_count, sizeof *inputs.files);
    for (size_t file = 0; file < sweep->plan.file_count; file++)
        if (is_wanted(sweep, file))
            inputs.files[inputs.count++] = file;
    const struct workers workers = { .count = inputs.count,
                                     .most = sweep->processes,
                                     .context = &inputs,
                                     .work = inputs_work,
                                     .done = inputs_done };
    enum tool_exit code = workers_run(&workers);
    enum tool_exit checked = inputs_check(&inputs);
    base_free(inputs.files);
    return code == TOOL_GOOD ? checked : code;
}

bool sweep_check_version(const struct results_line *line)
{
    if (strcmp(line->vidmm, measure_version()) == 0 && line->lab == RESULT_FORMAT)
        return true;
    (void)fprintf(stderr,
                  "%s:%" PRIu64 ": error: written by vidmm %s (results %" PRIu64
                  "), this is vidmm %s (results %d): results of two versions are not mixed\n"
                  "   = help: run the plan again with this program, into another --output, or go "
                  "on with the one that wrote %s\n",
                  line->file, line->number, line->vidmm, line->lab, measure_version(),
                  RESULT_FORMAT, line->file);
    return false;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static void read_shard(struct sweep *sweep, const char *word, struct argp_state *state)
{
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%s", word);
    char *slash = strchr(copy, '/');
    if (slash)
        *slash = '\0';
    if (!slash || !text_read_size(copy, &sweep->shard) ||
        !text_read_size(slash + 1, &sweep->shards) || sweep->shard >= sweep->shards)
        argp_error(state, "'%s' is no shard: I/N, with I from 0 to N - 1", word);
}

static void check_sweep(const struct sweep *sweep, struct argp_state *state)
{
    if (!sweep->merge && sweep->words.count > 1)
        argp_error(state, "one plan at a time; results of shards are put together with --merge");
    if (sweep->merge && sweep->words.count < 2)
        argp_error(state, "--merge needs the plan and the files of results: PLAN FILE...");
    if (sweep->merge + sweep->list > 1)
        argp_error(state, "--list and --merge are two things");
    if (sweep->merge && (sweep->shards || sweep->output || sweep->retry))
        argp_error(state, "--merge writes all results to stdout: neither --shard nor --output nor "
                          "--retry-failed");
    if (sweep->retry && !sweep->output)
        argp_error(state, "--retry-failed needs --output=FILE, which has what failed");
}

static error_t sweep_parse(int key, char *argument, struct argp_state *state)
{
    struct sweep *sweep = state->input;
    switch (key) {
    case KEY_LIST: sweep->list = true; return 0;
    case KEY_SHARD: read_shard(sweep, argument, state); return 0;
    case KEY_OUTPUT: sweep->output = argument; return 0;
    case KEY_MERGE: sweep->merge = true; return 0;
    case KEY_POLICY: policy_load(&sweep->loaded, argument, state); return 0;
    case KEY_RETRY: sweep->retry = true; return 0;
    case KEY_PROGRESS: sweep->forced = true; return 0;
    case 'j': sweep->processes = options_jobs(argument, state); return 0;
    case ARGP_KEY_END: check_sweep(sweep, state); return 0;
    default: return options_words(&sweep->words, "a plan is missing", key, state);
    }
}

static enum tool_exit sweep_list(const struct sweep *sweep)
{
    struct measure_job job;
    for (size_t i = 0; i < sweep->plan.runs; i++) {
        plan_job(&sweep->plan, i, &job);
        if (sweep_in_shard(sweep, result_id(&job)))
            sweep_print_run(sweep, i, stdout);
    }
    return TOOL_GOOD;
}

static enum tool_exit sweep_do(struct sweep *sweep)
{
    if (!plan_read(&sweep->plan, sweep->words.first[0], &sweep->loaded) || !sweep_make_ids(sweep))
        return TOOL_INPUT;
    enum tool_exit code = sweep_read_inputs(sweep);
    if (code != TOOL_GOOD)
        return code;
    if (sweep->list)
        return sweep_list(sweep);
    return sweep->merge ? sweep_merge(sweep) : sweep_run(sweep);
}

int cmd_sweep(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "list", KEY_LIST, NULL, 0, "print the runs, each with its id, and run nothing", 1 },
        { "shard", KEY_SHARD, "I/N", 0, "only share I (0 to N - 1) of N, chosen by id", 1 },
        { "output", KEY_OUTPUT, "FILE", 0, "append results to FILE, and leave out runs that it has",
          1 },
        { "retry-failed", KEY_RETRY, NULL, 0, "run those again that FILE has and did not pass", 1 },
        { "merge", KEY_MERGE, NULL, 0,
          "put results of shards together: PLAN FILE...; refused when a run is missing", 1 },
        { "policy", KEY_POLICY, "FILE", 0,
          "policies in a shared object, which the plan may name (segments/policies/README.md); "
          "runs count as others when it changes",
          2 },
        { "jobs", 'j', "N", 0, "processes at once; default: one per processor", 2 },
        { "progress", KEY_PROGRESS, NULL, 0, "show progress where stderr is no terminal, too",
          2 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = sweep_parse,
        .args_doc = "PLAN\n--merge PLAN FILE...",
        .doc =
            "Runs every combination of the files, policies, settings, parameters and seeds of "
            "a plan, and writes a line of JSON for each run.\v"
            "A plan:\n"
            "  vidmm-sweep 1\n"
            "  files    games/*.vms video.vms    # seen from the folder of the plan\n"
            "  policies wddm,lru,best-fit+arc\n"
            "  set      profile = pcie3,pcie5\n"
            "  seeds    1..10\n\n"
            "Examples:\n"
            "  vidmm sweep --output=all.jsonl PLAN    (go on after Ctrl-C: the same again)\n"
            "  vidmm sweep --shard=0/4 --output=0.jsonl PLAN\n"
            "  vidmm sweep --merge PLAN ?.jsonl >all.jsonl\n\n"
            "tools/sweep/sweeps.md has the plan line by line, and more than one machine.\n\n"
            "Exit codes, of --merge too: 0 every run passed, 1 all ran and some did not pass, or "
            "--merge misses runs; 3 the plan or a file of results has mistakes; 130 interrupted.",
    };
    struct sweep sweep = { .list = false };
    struct host host;
    if (!options_parse(&grammar, argc, argv, &sweep))
        return TOOL_USAGE;
    host_init(&host, NULL, SCREEN_COLOR_AUTO);
    enum tool_exit code = sweep_do(&sweep);
    base_free(sweep.ids);
    base_free(sweep.inputs);
    base_free(sweep.state);
    base_free(sweep.chosen);
    text_free(&sweep.why);
    plan_free(&sweep.plan);
    return host_end(code);
}
