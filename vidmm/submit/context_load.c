/* SPDX-License-Identifier: MIT */
/*
 * context_load.c: which context is loaded on a node, what has to be resident for it, and how a node
 * is told to let go of it.
 *
 * What the driver made for a context is in memory while it runs: bound like what the allocation
 * list names, and pinned for as long as any of its contexts is the last one on its node.
 *
 * A GPU saves the state of a context where the driver wants it, in allocations that it made for it,
 * at the latest when it switches to another one. So before one of these leaves its place, every
 * node that has the context loaded gets a packet of length zero with ContextSwitch, which saves the
 * state for the last time. It has a number like any packet, so what has to wait for the allocation
 * waits for it too; where everything is promised to be idle, that is done at once.
 *
 * A node may have worked for the paging of that context last; then Paging is set as well.
 *
 * Rules not named below: ALLOC-052, PAGE-062, SUBMIT-048.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/watch.h"
#include "vidmm/submit/packet.h"

/* ---- what is loaded ------------------------------------------------------------------------- */

struct allocation *context_saved_after(const struct context *context, const struct allocation *last)
{
    struct allocation *next = last ? last->group_next : context->allocations;
    bool own = !last || last->pageable.context;
    return next || !own ? next : context->device->context_allocations;
}

vidmm_status context_require(adapter_t *adapter, struct context *context)
{
    vidmm_status status = STATUS_SUCCESS;
    struct allocation *a = NULL;
    while ((a = context_saved_after(context, a)) != NULL)
        if (a->pageable.store.state != ALLOCATION_CLOSED)
            residency_bind(adapter, &a->pageable);
    while (!status && (a = context_saved_after(context, a)) != NULL)
        if (a->pageable.store.state != ALLOCATION_CLOSED)
            status = residency_require(adapter, &a->pageable, true, context->device);
    return status;
}

static void pin(adapter_t *adapter, struct allocation *allocation, bool pinned)
{
    if (allocation->pageable.store.state == ALLOCATION_RESIDENT)
        residency_pin(adapter, &allocation->pageable,
                      pinned || allocation->pageable.place.pinned_anyway);
}

static void replace(adapter_t *adapter, uint32_t node, struct context *next)
{
    struct context *before = node_loaded(adapter, node);
    struct allocation *a = NULL;
    node_load(adapter, node, next);
    if (!before || before == next)
        return;
    bool shared = false; /* with a context that is the last one on another node */
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        shared |= node_loaded(adapter, i) && node_loaded(adapter, i)->device == before->device;
    while ((a = context_saved_after(before, a)) != NULL)
        if (a->pageable.context || !shared)
            pin(adapter, a, false);
}

void context_load(adapter_t *adapter, struct context *context)
{
    struct allocation *a = NULL;
    replace(adapter, context->node, context);
    while ((a = context_saved_after(context, a)) != NULL)
        pin(adapter, a, true);
}

/* Nobody is loaded any more: what it needs may leave. */
static void context_unload(adapter_t *adapter, uint32_t node)
{
    replace(adapter, node, NULL);
}

void context_node_reset(adapter_t *adapter, uint32_t node)
{
    const struct context *last = NULL;
    for (const struct job *job = schedule_jobs(adapter, node); job; job = job->next)
        if (!job->paging)
            last = ((const struct render_packet *)job)->switches
                       ? NULL
                       : ((const struct render_packet *)job)->context;
    if (last != node_loaded(adapter, node))
        context_unload(adapter, node);
}

void context_unload_all(adapter_t *adapter)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        context_unload(adapter, node);
}

/* ---- the node lets go of it ----------------------------------------------------------------- */

static vidmm_status hand_over(adapter_t *adapter, struct render_packet *packet, uint32_t *fence)
{
    const struct context *context = packet->context;
    uint32_t node = context->node;
    *fence = schedule_fence_next(adapter, node);
    if (!*fence)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                        "node %u has used up its fence numbers", node);
    vidmm_status status = STATUS_SUCCESS;
    if (!watch_node(adapter, node)->holds)
        status = submit_command(adapter, packet, *fence, false);
    if (status)
        return status;
    EMIT(adapter, SUBMIT, RULE(SUBMIT_047), context->handle, f_node("node", node),
         f_number("fence", *fence), f_word("kind", switch_job_ops.kind(&packet->job)),
         f_bytes("bytes", 0), f_hex("start", 0), f_hex("end", 0));
    struct packet *queued = schedule_packet_new(adapter, node, *fence);
    submit_mark_saved(adapter, context, queued);
    schedule_submit(adapter, queued, &packet->job, &switch_job_ops);
    return STATUS_SUCCESS;
}

static vidmm_status switch_node(adapter_t *adapter, uint32_t node)
{
    struct context *context = node_loaded(adapter, node);
    struct device *device = context->device;
    struct render_packet *packet = submit_take_packet(adapter, context);
    uint32_t fence;
    /* What is built has the next numbers already. */
    vidmm_status status = paging_flush(adapter);
    if (!status)
        status = submit_wait_for_turn(adapter, packet);
    context = node_loaded(adapter, node);
    if (status || !context) { /* a reset came meanwhile */
        submit_give_packet(adapter, packet);
        return status;
    }
    packet->switches = true;
    packet->adapters = context->engines;
    packet->paged = node_paged_since(adapter, node);
    status = hand_over(adapter, packet, &fence);
    if (status) {
        submit_give_packet(adapter, packet);
        return status;
    }
    context_unload(adapter, node);
    if (paging_is_drained(adapter))
        status =
            schedule_wait_fence(adapter, node, fence, VIDMM_WAIT_DRAIN, RULE(SUBMIT_047), device);
    return status;
}

vidmm_status context_switch_away(adapter_t *adapter, const struct pageable *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    bool there = allocation->store.state == ALLOCATION_RESIDENT;
    for (uint32_t node = 0; there && node < adapter->setup->caps.nodes && !status; node++)
        if (context_saves_to(adapter, node, allocation))
            status = switch_node(adapter, node);
    return status;
}

/* Queued behind its work, so that one wait is for both. */
vidmm_status context_switch_end(adapter_t *adapter, const struct context *context)
{
    const struct allocation *a = context->allocations;
    while (a && a->pageable.store.state != ALLOCATION_RESIDENT)
        a = a->group_next;
    return a ? context_switch_away(adapter, &a->pageable) : STATUS_SUCCESS;
}
