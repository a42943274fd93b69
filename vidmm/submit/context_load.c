/* SPDX-License-Identifier: MIT */
/*
 * context_load.c: who is loaded on a node, and what has to be resident for it.
 *
 * What the driver made for a context is in memory while it runs: bound like what the allocation
 * list names, and pinned for as long as any of its contexts is the last one on its node.
 *
 * Rules not named below: ALLOC-052.
 */
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "vidmm/submit/packet.h"

static struct allocation *own(const struct context *context)
{
    return context->allocations;
}

static struct allocation *common(const struct context *context)
{
    return context->device->context_allocations;
}

static void bind(adapter_t *adapter, struct allocation *list)
{
    for (struct allocation *a = list; a; a = a->context_next)
        if (a->pageable.store.state != ALLOCATION_CLOSED)
            residency_bind(adapter, &a->pageable);
}

static vidmm_status require(adapter_t *adapter, struct allocation *list, struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct allocation *a = list; a && !status; a = a->context_next)
        if (a->pageable.store.state != ALLOCATION_CLOSED)
            status = residency_require(adapter, &a->pageable, true, device);
    return status;
}

vidmm_status context_require(adapter_t *adapter, struct context *context)
{
    bind(adapter, own(context));
    bind(adapter, common(context));
    vidmm_status status = require(adapter, own(context), context->device);
    return status ? status : require(adapter, common(context), context->device);
}

static void pin(adapter_t *adapter, struct allocation *list, bool pinned)
{
    for (struct allocation *a = list; a; a = a->context_next)
        if (a->pageable.store.state == ALLOCATION_RESIDENT)
            residency_pin(adapter, &a->pageable, pinned || a->pageable.place.pinned_anyway);
}

/* Is any context of the device the last one on its node? */
static bool runs(const adapter_t *adapter, const struct device *device)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        if (node_loaded(adapter, node) && node_loaded(adapter, node)->device == device)
            return true;
    return false;
}

static void replace(adapter_t *adapter, uint32_t node, struct context *next)
{
    struct context *before = node_loaded(adapter, node);
    node_load(adapter, node, next);
    if (!before || before == next)
        return;
    pin(adapter, own(before), false);
    if (!runs(adapter, before->device))
        pin(adapter, common(before), false);
}

void context_load(adapter_t *adapter, struct context *context)
{
    replace(adapter, context->node, context);
    if (own(context) || common(context))
        applies(adapter, RULE(PAGE_062));
    pin(adapter, own(context), true);
    pin(adapter, common(context), true);
}

void context_unload(adapter_t *adapter, uint32_t node)
{
    replace(adapter, node, NULL);
}

void context_node_reset(adapter_t *adapter, uint32_t node)
{
    const struct context *last = NULL;
    for (const struct job *job = sync_jobs(adapter, node); job; job = job->next)
        if (!job->paging)
            last = submit_loads((const struct render_packet *)job);
    if (last != node_loaded(adapter, node))
        context_unload(adapter, node);
}

void context_unload_all(adapter_t *adapter)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        context_unload(adapter, node);
}
