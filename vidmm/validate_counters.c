/* SPDX-License-Identifier: MIT */
/*
 * validate_counters.c: do the fences of the nodes stand in order, does an allocation wait for the
 * paging that names it, and do counters add up (TIME-023)?
 */
#include <stdio.h>

#include "paging/buffer/buffer.h"
#include "paging/schedule/schedule.h"
#include "vidmm/tell/tell.h"
#include "vidmm/validate.h"

static bool is_waited_for(const struct job *job)
{
    const struct pageable *named;
    for (size_t at = 0; job->paging && (named = paging_next_named(job, &at)) != NULL;)
        if (named->transfer.write_fences[job->node] < job->fence)
            return false;
    return true;
}

static const char *node_problem(const adapter_t *adapter, uint32_t node)
{
    const struct fence_board *fences = fences_of(adapter);
    uint32_t submitted = fences->submitted[node];
    if (fences->issued[node] < submitted || submitted < fences->ended[node] ||
        submitted < fences->completed[node])
        return "its fences are out of order";
    if (vidmm_counter_of_node(adapter, VIDMM_COUNTER_NODE_BUSY_NS, node) > clock_now(adapter))
        return "it was busy for longer than time has passed";
    for (const struct job *job = schedule_jobs(adapter, node); job; job = job->next)
        if (!is_waited_for(job))
            return "an allocation does not wait for paging that names it";
    return NULL;
}

/* Counters [first, last] add up to `total`. */
static bool adds_up(const adapter_t *adapter, enum vidmm_counter total, enum vidmm_counter first,
                    enum vidmm_counter last)
{
    uint64_t sum = 0;
    for (int i = (int)first; i <= (int)last; i++)
        sum += counters_of(adapter)[i];
    return sum == counters_of(adapter)[total];
}

static const char *counter_problem(const adapter_t *adapter)
{
    const uint64_t *counters = counters_of(adapter);
    uint64_t waits = 0, stall = 0;
    for (size_t i = 0; i < VIDMM_WAIT_REASON_COUNT; i++) {
        waits += vidmm_waits_of(adapter, (enum vidmm_wait_reason)i);
        stall += vidmm_stall_of(adapter, (enum vidmm_wait_reason)i);
    }
    if (waits != counters[VIDMM_COUNTER_WAITS] || stall != counters[VIDMM_COUNTER_STALL_NS])
        return "waits are not the sum over their reasons";
    if (counters[VIDMM_COUNTER_BYTES_UNMAPPED] > counters[VIDMM_COUNTER_BYTES_MAPPED])
        return "more was unmapped than mapped";
    if (!adds_up(adapter, VIDMM_COUNTER_EVICTIONS, VIDMM_COUNTER_EVICTIONS_PREPARATION,
                 VIDMM_COUNTER_EVICTIONS_SUSPENDED))
        return "evictions is not the sum over its causes";
    if (!adds_up(adapter, VIDMM_COUNTER_FAULTS, VIDMM_COUNTER_FAULTS_FIRST_ACCESS,
                 VIDMM_COUNTER_FAULTS_RECLAIMED))
        return "faults is not the sum over its causes";
    return NULL;
}

bool validate_counters(const adapter_t *adapter, char *problem, size_t bytes)
{
    const char *found = NULL;
    for (uint32_t node = 0; node < fences_of(adapter)->nodes && !found; node++) {
        found = node_problem(adapter, node);
        if (found)
            (void)snprintf(problem, bytes, "node %u: %s", node, found);
    }
    if (!found && (found = counter_problem(adapter)) != NULL)
        (void)snprintf(problem, bytes, "%s", found);
    return !found;
}
