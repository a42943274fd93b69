/* SPDX-License-Identifier: MIT */
/* nodes.c: what other floors ask about nodes and their fences, and what a new packet needs. */
#include "paging/schedule/schedule_state.h"

struct schedule *schedule_new(void)
{
    return base_alloc(1, sizeof(struct schedule));
}

/* ---- a new packet --------------------------------------------------------------------------- */

uint32_t sync_fence_next(adapter_t *adapter, uint32_t node)
{
    return fence_issue(&adapter->schedule->fences, node);
}

struct packet *sync_packet_new(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    struct packet *packet = engine_packet_take(&adapter->schedule->engines);
    packet->node = node;
    packet->fence = fence;
    return packet;
}

void sync_marks_merge(const adapter_t *adapter, uint32_t *into, const uint32_t *marks)
{
    fence_marks_merge(&adapter->schedule->fences, into, marks);
}

/* ---- fences --------------------------------------------------------------------------------- */

uint32_t sync_nodes(const adapter_t *adapter)
{
    return adapter->schedule->engines.nodes;
}

uint32_t sync_last_issued(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->fences.issued[node];
}

uint32_t sync_last_submitted(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->fences.submitted[node];
}

uint32_t sync_last_ended(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->fences.ended[node];
}

uint32_t sync_last_completed(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->fences.completed[node];
}

bool sync_busy(const adapter_t *adapter, const uint32_t *marks)
{
    return !fence_marks_completed(&adapter->schedule->fences, marks);
}

bool allocation_busy(const adapter_t *adapter, const struct pageable *allocation)
{
    return sync_busy(adapter, allocation->transfer.marks);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

struct job *sync_jobs(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->jobs[node].head;
}

struct job *sync_newest_job(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->jobs[node].tail;
}

const struct job *sync_executing(const adapter_t *adapter)
{
    return adapter->schedule->executing;
}

/* A start that failed has no queues. */
struct job *sync_take_jobs(adapter_t *adapter, uint32_t node,
                           bool (*wanted)(const struct job *job, const void *context),
                           const void *context)
{
    struct job *taken = NULL, **end = &taken;
    if (!adapter->schedule->jobs)
        return NULL;
    struct job_fifo *fifo = &adapter->schedule->jobs[node];
    struct job **at = &fifo->head;
    fifo->tail = NULL;
    while (*at) {
        struct job *job = *at;
        if (!wanted(job, context)) {
            fifo->tail = job;
            at = &job->next;
            continue;
        }
        *at = job->next;
        job->next = NULL;
        *end = job;
        end = &job->next;
    }
    return taken;
}

/* ---- figures -------------------------------------------------------------------------------- */

size_t sync_queued(const adapter_t *adapter, uint32_t node)
{
    return engine_length(&adapter->schedule->engines, node);
}

struct engine_stats sync_stats(const adapter_t *adapter, uint32_t node)
{
    return engine_stats(&adapter->schedule->engines, node);
}

uint64_t sync_waits(const adapter_t *adapter, enum vidmm_wait_reason reason)
{
    return adapter->schedule->waits[reason];
}

vidmm_ns sync_stalls(const adapter_t *adapter, enum vidmm_wait_reason reason)
{
    return adapter->schedule->stalls[reason];
}

void sync_costs_changed(adapter_t *adapter)
{
    adapter->schedule->engines.irq_ns = adapter->setup->cost.irq_ns;
}
