/* SPDX-License-Identifier: MIT */
/*
 * sweep_run.c: which runs are still to do, and what becomes of them?
 *
 * A line is written when its run has ended, in the order of the plan. So a sweep may be ended at
 * any moment: the same command goes on where it stopped.
 */
#define _DEFAULT_SOURCE /* ftruncate, fdopen */
#include "tools/sweep/sweep_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ---- what is there ----------------------------------------------------------------------------
 */

static bool on_line_there(void *context, const struct results_line *line)
{
    struct sweep *sweep = context;
    size_t index = sweep_find(sweep, line->run);
    if (!sweep_check_version(line))
        return false;
    if (index == SIZE_MAX || line->input != sweep->inputs[plan_file(&sweep->plan, index)])
        return true;
    sweep->state[index] = results_passed(line->verdict) ? SWEEP_PASSED : SWEEP_FAILED;
    return true;
}

static bool fail_output(const struct sweep *sweep, const char *why)
{
    (void)fprintf(stderr, "vidmm: %s: %s\n", sweep->output ? sweep->output : "stdout", why);
    return false;
}

/* Of this process alone: a worker that outlives it does not hold the lock. Where a file cannot be
   locked, nobody else is known of. */
static bool is_taken(int file)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(file, F_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
}

/* What a killed process left of its last line is taken off. */
static bool sweep_open_output(struct sweep *sweep)
{
    struct results_reader reader = { .file = sweep->output,
                                     .context = sweep,
                                     .line = on_line_there };
    sweep->out = stdout;
    if (!sweep->output)
        return true;
    int file = open(sweep->output, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return fail_output(sweep, strerror(errno));
    sweep->out = fdopen(file, "r+");
    if (!sweep->out)
        return fail_output(sweep, strerror(errno));
    if (is_taken(file))
        return fail_output(sweep, "another sweep is writing to it");
    if (!results_read(sweep->out, &reader))
        return false;
    if (ftruncate(file, (off_t)reader.whole) != 0 || fseeko(sweep->out, 0, SEEK_END) != 0)
        return fail_output(sweep, strerror(errno));
    return true;
}

static bool is_in_shard(const struct sweep *sweep, size_t index)
{
    struct measure_job job;
    plan_job(&sweep->plan, index, &job);
    return sweep_in_shard(sweep, result_id(&job));
}

static void sweep_choose(struct sweep *sweep)
{
    sweep->chosen = base_alloc(sweep->plan.runs, sizeof *sweep->chosen);
    for (size_t i = 0; i < sweep->plan.runs; i++) {
        if (!is_in_shard(sweep, i))
            continue;
        bool again = sweep->retry && sweep->state[i] == SWEEP_FAILED;
        if (sweep->state[i] == SWEEP_OPEN || again) {
            sweep->chosen[sweep->chosen_count++] = i;
            continue;
        }
        sweep->there++;
        sweep->failed += sweep->state[i] == SWEEP_FAILED;
    }
}

/* ---- runs -------------------------------------------------------------------------------------
 */

static int sweep_work(void *context, size_t number, FILE *answer)
{
    const struct sweep *sweep = context;
    struct measure_job job;
    plan_job(&sweep->plan, sweep->chosen[number], &job);
    return result_answer(&job, answer);
}

static bool sweep_done(void *context, size_t number, const struct workers_answer *answer)
{
    struct sweep *sweep = context;
    size_t index = sweep->chosen[number];
    struct measure_job job;
    if (answer->cut)
        return true;
    struct result *result = base_alloc(1, sizeof *result);
    plan_job(&sweep->plan, index, &job);
    result_take(result, answer);
    if (!result->known)
        result->measured.input = sweep->inputs[plan_file(&sweep->plan, index)];
    sweep->done++;
    sweep->failed += result_exit(result) != TOOL_GOOD;
    if (result_exit(result) != TOOL_GOOD && !sweep->why.length) {
        sweep->first = index;
        text_add(&sweep->why, "%s: %s", result_verdict(result), result->measured.message);
    }
    result_write(sweep->out, &job, result);
    base_free(result);
    if (fflush(sweep->out) == 0)
        return true;
    int why = errno;
    progress_clear(&sweep->progress);
    return fail_output(sweep, strerror(why));
}

static void sweep_tick(void *context, size_t finished)
{
    struct sweep *sweep = context;
    progress_tell_jobs(&sweep->progress, finished, sweep->chosen_count, sweep->failed);
}

static void tell_end(const struct sweep *sweep, enum tool_exit ended)
{
    size_t runs = sweep->there + sweep->chosen_count, done = sweep->there + sweep->done;
    (void)fprintf(stderr, "vidmm: %s: %zu passed, %zu did not", text_count(runs, "run").it,
                  done - sweep->failed, sweep->failed);
    if (sweep->there)
        (void)fprintf(stderr, "; %zu %s there", sweep->there, sweep->there == 1 ? "was" : "were");
    if (done < runs)
        (void)fprintf(stderr, "; %zu %s open%s", runs - done, runs - done == 1 ? "is" : "are",
                      ended == TOOL_INTERRUPTED && sweep->output ? ": the same command goes on"
                                                                 : "");
    if (!sweep->why.length) {
        (void)fputc('\n', stderr);
        return;
    }
    (void)fputs("; the first of them:\n  ", stderr);
    sweep_print_run(sweep, sweep->first, stderr);
    (void)fprintf(stderr, "  %s\n", text_get(&sweep->why));
}

static enum tool_exit sweep_run_chosen(struct sweep *sweep)
{
    const struct workers workers = {
        .count = sweep->chosen_count,
        .most = sweep->processes,
        .context = sweep,
        .work = sweep_work,
        .done = sweep_done,
        .tick = sweep_tick,
    };
    progress_begin(&sweep->progress, 0, sweep->forced);
    enum tool_exit code = workers_run(&workers);
    progress_clear(&sweep->progress);
    tell_end(sweep, code);
    if (code == TOOL_GOOD && sweep->done < sweep->chosen_count)
        return TOOL_INPUT; /* a line could not be written */
    return code == TOOL_GOOD && sweep->failed ? TOOL_FAILED : code;
}

enum tool_exit sweep_run(struct sweep *sweep)
{
    sweep->state = base_alloc(sweep->plan.runs, sizeof *sweep->state);
    enum tool_exit code = TOOL_INPUT;
    if (sweep_open_output(sweep)) {
        sweep_choose(sweep);
        code = sweep_run_chosen(sweep);
    }
    if (sweep->output && sweep->out && fclose(sweep->out) != 0 && code < TOOL_INPUT) {
        (void)fail_output(sweep, strerror(errno));
        code = TOOL_INPUT;
    }
    return code;
}
