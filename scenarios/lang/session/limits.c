/* SPDX-License-Identifier: MIT */
/*
 * limits.c: what ends a run with exit code 4, and the host's wish to end it, with 130.
 *
 * Every limit is looked at after each operation; then the run ends like any other, with a last
 * line. One operation may ask for any amount of memory and work, though: what passes a limit by an
 * eighth is stopped in the middle, by the account that vidmm keeps for this thread
 * (vidmm_host.h). The adapter is then half-way through something: nobody asks it, the process ends.
 */
#include "scenarios/lang/session/session.h"

/* ---- in the middle of an operation ---------------------------------------------------------- */

static void limits_say(struct runner *runner, enum vidmm_host_limit limit)
{
    const struct scenario_limits *limits = &runner->limits;
    bool enough = limit == VIDMM_HOST_ENOUGH;
    runner_halt(runner, enough ? SCENARIO_EXIT_INTERRUPTED : SCENARIO_EXIT_LIMIT);
    if (enough)
        runner_message(runner, SCENARIO_STOPPED, NULL, "interrupted");
    else if (limit == VIDMM_HOST_MACHINE)
        runner_message(runner, SCENARIO_STOPPED, NULL, "this machine has no memory left");
    else if (limit == VIDMM_HOST_WORK)
        runner_message(runner, SCENARIO_STOPPED, NULL, "%" PRIu64 " steps of work are the limit",
                       limits->work);
    else
        runner_message(runner, SCENARIO_STOPPED, runner->memory_why, "%s of memory is the limit",
                       words_size(limits->memory_bytes).it);
}

static void passed(void *caller, enum vidmm_host_limit limit)
{
    struct runner *runner = caller;
    struct scenario_host *host = runner->scenario->host;
    limits_say(runner, limit);
    repeats_end(runner);
    runner->result->seed = runner->seed;
    if (host->stopped)
        host->stopped(host, runner->result);
}

static bool enough(void *caller)
{
    const struct runner *runner = caller;
    struct scenario_host *host = runner->scenario->host;
    return host->interrupted && host->interrupted(host);
}

/* ---- setting them --------------------------------------------------------------------------- */

/* What the account may come to in the middle of an operation. */
static uint64_t with_slack(uint64_t start, uint64_t limit)
{
    uint64_t most = UINT64_MAX;
    bool fits = add_fits(start, limit, &most) && add_fits(most, limit / 8, &most);
    return fits ? most : UINT64_MAX;
}

void limits_hold(struct runner *runner)
{
    static const char of_machine[] = "three quarters of what this machine had left; "
                                     "--limit=memory=SIZE sets another limit";
    const struct scenario_limits *forced = &runner->options->limits;
    struct scenario_limits *limits = &runner->limits;
    uint64_t most = runner->options->machine_bytes;
    runner->memory_why = NULL;
    if (!forced->memory_bytes && most && most < limits->memory_bytes) {
        limits->memory_bytes = most;
        runner->memory_why = of_machine;
    }
    struct vidmm_host_limits host = {
        .memory_bytes = min_u64(with_slack(runner->scenario->held, limits->memory_bytes),
                                runner->callers.memory_bytes),
        .work = min_u64(with_slack(runner->worked, limits->work), runner->callers.work),
        .passed = passed,
        .enough = runner->scenario->host->interrupted ? enough : NULL,
        .caller = runner,
    };
    vidmm_host_limit(&host, NULL);
}

void limits_begin(struct runner *runner)
{
    static const struct vidmm_host_limits none = { .memory_bytes = UINT64_MAX, .work = UINT64_MAX };
    const struct scenario_limits *forced = &runner->options->limits;
    runner->limits = (struct scenario_limits){
        .operations = forced->operations ? forced->operations : 10 * 1000 * 1000,
        .work = forced->work ? forced->work : 10 * 1000 * 1000,
        .live = forced->live ? forced->live : VIDMM_LIVE_MAX,
        .memory_bytes = forced->memory_bytes ? forced->memory_bytes : 8ull << 30,
        .time = forced->time ? forced->time : UINT64_MAX,
    };
    vidmm_host_limit(&none, &runner->callers);
    runner->worked = vidmm_host_worked();
    limits_hold(runner);
}

/* ---- after each operation ------------------------------------------------------------------- */

void limits_stop(struct runner *runner, uint64_t limit, const char *one, const char *many)
{
    runner_halt(runner, SCENARIO_EXIT_LIMIT);
    runner_message(runner, SCENARIO_STOPPED, NULL, "%" PRIu64 " %s the limit", limit,
                   limit == 1 ? one : many);
}

void limits_stop_clock(struct runner *runner)
{
    runner_halt(runner, SCENARIO_EXIT_LIMIT);
    runner_message(runner, SCENARIO_STOPPED, NULL,
                   "virtual time ends: it has no more than 64 bits of ns (TIME-002)");
}

static void stop_late(struct runner *runner)
{
    char most[64];
    runner_halt(runner, SCENARIO_EXIT_LIMIT);
    runner_message(runner, SCENARIO_STOPPED, NULL, "%s of virtual time is the limit",
                   spell_value(runner->limits.time, UNIT_TIME, most, sizeof most));
}

bool runner_within_limits(struct runner *runner)
{
    const struct scenario_limits *limits = &runner->limits;
    struct scenario_host *host = runner->scenario->host;
    vidmm_ns now = runner->scenario->now.time = runner->adapter ? vidmm_now(runner->adapter) : 0;
    uint64_t held = vidmm_host_held();
    held -= min_u64(held, runner->scenario->held);
    if (runner->operations > limits->operations)
        limits_stop(runner, limits->operations, "operation is", "operations are");
    else if (runner->rounds > limits->operations)
        limits_stop(runner, limits->operations,
                    "round of a loop, member of a range or line told is",
                    "rounds of loops, members of ranges and lines told are");
    else if (now == VIDMM_NEVER)
        limits_stop_clock(runner);
    else if (now > limits->time)
        stop_late(runner);
    else if (vidmm_host_worked() - runner->worked > limits->work)
        limits_say(runner, VIDMM_HOST_WORK);
    else if (held > limits->memory_bytes)
        limits_say(runner, VIDMM_HOST_MEMORY);
    else if (enough(runner))
        limits_say(runner, VIDMM_HOST_ENOUGH);
    else if (host->done && host->done(host))
        runner_halt(runner, SCENARIO_EXIT_INTERRUPTED);
    return !runner->halted;
}
