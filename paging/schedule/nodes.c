/* SPDX-License-Identifier: MIT */
/*
 * nodes.c: what other floors ask about nodes and their fences, what a new packet needs, and which
 * context a node has loaded, with its saved state (PAGE-062).
 */
#include "paging/schedule/schedule_state.h"

struct schedule *schedule_new(void)
{
    return base_alloc(1, sizeof(struct schedule));
}

/* ---- a new packet --------------------------------------------------------------------------- */

uint32_t schedule_fence_next(adapter_t *adapter, uint32_t node)
{
    return fence_issue(&adapter->schedule->fences, node);
}

struct packet *schedule_packet_new(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    struct packet *packet = engine_packet_take(&adapter->schedule->engines);
    packet->node = node;
    packet->fence = fence;
    return packet;
}

/* ---- fences and engines --------------------------------------------------------------------- */

const struct fence_board *fences_of(const adapter_t *adapter)
{
    return &adapter->schedule->fences;
}

const struct engine_set *engines_of(const adapter_t *adapter)
{
    return &adapter->schedule->engines;
}

bool schedule_busy(const adapter_t *adapter, const uint32_t *fences)
{
    return !fences_completed(&adapter->schedule->fences, fences);
}

bool allocation_busy(const adapter_t *adapter, const struct pageable *allocation)
{
    return schedule_busy(adapter, allocation->transfer.fences);
}

/* ---- jobs ----------------------------------------------------------------------------------- */

struct job *schedule_jobs(const adapter_t *adapter, uint32_t node)
{
    CHECK(node < adapter->setup->caps.nodes);
    return adapter->schedule->jobs[node].head;
}

struct job *schedule_newest_job(const adapter_t *adapter, uint32_t node)
{
    CHECK(node < adapter->setup->caps.nodes);
    return adapter->schedule->jobs[node].tail;
}

struct job *schedule_pop_job(adapter_t *adapter, uint32_t node)
{
    struct job_fifo *fifo = &adapter->schedule->jobs[node];
    struct job *job = fifo->head;
    fifo->head = job->next;
    if (!fifo->head)
        fifo->tail = NULL;
    return job;
}

/* Held back before the hardware had it, or given back: its packet is not the engine's. */
void schedule_release(adapter_t *adapter, struct job *job)
{
    if (job->packet)
        engine_packet_release(&adapter->schedule->engines, job->packet);
    job->packet = NULL;
}

const struct job *schedule_executing(const adapter_t *adapter)
{
    return adapter->schedule->executing;
}

/* Before the first start there are no queues; and one that failed may have named other nodes. */
struct job *schedule_take_jobs(adapter_t *adapter, uint32_t node,
                               bool (*wanted)(const struct job *job, const void *context),
                               const void *context)
{
    struct job *taken = NULL, **end = &taken;
    if (node >= adapter->schedule->engines.nodes)
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

struct wait_sum schedule_waits(const adapter_t *adapter, enum vidmm_wait_reason reason)
{
    return adapter->schedule->waits[reason];
}

void schedule_costs_changed(adapter_t *adapter)
{
    adapter->schedule->engines.irq_ns = adapter->setup->cost.irq_ns;
}

/* ---- the loaded context --------------------------------------------------------------------- */

struct context *node_loaded(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->loaded[node].context;
}

void node_load(adapter_t *adapter, uint32_t node, struct context *context)
{
    adapter->schedule->loaded[node] = (struct loaded_context){ .context = context };
}

bool node_paged_since(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->loaded[node].paging;
}

void context_load_paging(adapter_t *adapter)
{
    adapter->schedule->loaded[adapter->setup->caps.paging_node].paging = true;
}

bool context_saves_to(const adapter_t *adapter, uint32_t node, const struct pageable *allocation)
{
    const struct context *context = adapter->schedule->loaded[node].context;
    if (!context || !allocation->of_context)
        return false;
    return allocation->context ? allocation->context == context
                               : allocation->creator == context->device;
}

bool context_is_loaded(const adapter_t *adapter, const struct pageable *allocation)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        if (context_saves_to(adapter, node, allocation))
            return true;
    return false;
}
