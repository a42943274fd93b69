/* SPDX-License-Identifier: MIT */
/*
 * abort.c: the hardware was reset: what becomes of the packets, the numbers and the reports of its
 * nodes. What the driver and the devices hear of it is told by recovery.
 */
#include "paging/schedule/schedule_state.h"
#include "paging/schedule/scheduler.h"

bool sync_node_idle(const adapter_t *adapter, uint32_t node)
{
    return engine_idle(&adapter->schedule->engines, node) && !preempt_holds(adapter, node);
}

uint32_t sync_running(const adapter_t *adapter, uint32_t node)
{
    const struct packet *packet = adapter->schedule->engines.engines[node].running;
    return packet ? packet->fence : 0;
}

struct job *sync_pop_job(adapter_t *adapter, uint32_t node)
{
    struct job_fifo *fifo = &adapter->schedule->jobs[node];
    struct job *job = fifo->head;
    fifo->head = job->next;
    if (!fifo->head)
        fifo->tail = NULL;
    return job;
}

/* Held back before the hardware had it, or given back: its packet is not the engine's. */
void sync_release(adapter_t *adapter, struct job *job)
{
    if (job->packet)
        engine_packet_release(&adapter->schedule->engines, job->packet);
    job->packet = NULL;
}

void sync_kick(adapter_t *adapter)
{
    engine_kick(&adapter->schedule->engines);
}

/* ---- one node ------------------------------------------------------------------------------- */

void sync_abort_node(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    watch_node_reset(adapter, &adapter->schedule->watch->guards[node]);
    preempt_keep(engine_abort(&adapter->schedule->engines, node));
    fence_reset(&adapter->schedule->fences, node, fence);
}

/* ---- all nodes ------------------------------------------------------------------------------ */

static void forget_guard(adapter_t *adapter, struct node_guard *guard)
{
    watch_node_reset(adapter, guard);
    guard->ignores = guard->drop_due = false;
}

static void release_all(adapter_t *adapter, struct packet *packet)
{
    while (packet) {
        struct packet *next = packet->next;
        ((struct job *)packet->cookie)->packet = NULL;
        engine_packet_release(&adapter->schedule->engines, packet);
        packet = next;
    }
}

/* Jobs up to `ended` were carried out, the others never will be. */
static void close_jobs(adapter_t *adapter, uint32_t node, uint32_t ended)
{
    while (sync_jobs(adapter, node)) {
        struct job *job = sync_pop_job(adapter, node);
        bool executed = job->fence <= ended && !job->packet;
        sync_release(adapter, job);
        if (executed)
            job->ops->done(adapter, job);
        else
            job->ops->aborted(adapter, job);
    }
}

void sync_abort_all(adapter_t *adapter)
{
    struct fence_board *fences = &adapter->schedule->fences;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        forget_guard(adapter, &adapter->schedule->watch->guards[node]);
        release_all(adapter, engine_abort(&adapter->schedule->engines, node));
    }
    adapter->schedule->interrupts.count = 0;
    adapter->schedule->interrupts.dpc_queued = false;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        uint32_t ended = fences->ended[node], known = fences->completed[node];
        preempt_drop(adapter, node, ended + 1, fences->issued[node]);
        fence_reset(fences, node, fences->issued[node]);
        preempt_forget(adapter, node, known);
        close_jobs(adapter, node, ended);
    }
}
