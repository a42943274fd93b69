/* SPDX-License-Identifier: MIT */
/*
 * wiring.c: every place where a lower floor reaches a higher one.
 *
 * Calls go down the floors. Where a floor needs an answer from above, it has a table of hooks in
 * its header, and calls what this file puts there. The tables are constant: all adapters share
 * them.
 */
#include "vidmm/wiring.h"
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/validate.h"

/* vidmm/tell: how events and refusals name objects, and whether everything holds. */
static const struct tell_hooks tell_hooks = {
    .label = vidmm_label,
    .add_names = shared_add_names,
    .check = self_check,
};

static void renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    paging_renumber(adapter, node, renaming);
    dma_buffers_renumber(adapter, node, renaming);
}

/* paging/schedule: between two steps of a wait, and when a DPC reports a fault. */
static const struct schedule_hooks schedule_hooks = {
    .recover = tdr_work,
    .flush = paging_flush,
    .renumber = renumber,
    .faulted = fault_reported,
};

/* paging: a place is given up. First what is scanned out, then what the CPU sees. */
static void place_left(adapter_t *adapter, struct pageable *pageable)
{
    display_forget(adapter, allocation_of(pageable));
    host_aperture_release(adapter, allocation_of(pageable));
}

static void alternate_range(const struct pageable *pageable, uint32_t *id, uint32_t *data)
{
    const struct alternate *alternate = cpu_of(allocation_of(pageable))->alternate;
    *id = alternate->range_id;
    *data = alternate->range_data;
}

static const struct pageable_hooks pageable_hooks = {
    .record_bytes = sizeof(struct allocation),
    .may_leave = context_switch_away,
    .leave = swizzle_leave,
    .move = swizzle_move,
    .left = place_left,
    .arrived = alternate_arrived,
    .cpu_use = lock_cpu_use,
    .range = alternate_range,
};

/* paging/store: who gives up system memory when it is short. */
static const struct shrinker shrinker = {
    .pages = discard_for_pages,
    .commitment = discard_for_commitment,
};

void wiring_connect(adapter_t *adapter)
{
    adapter->setup = base_alloc(1, sizeof *adapter->setup);
    adapter->tell = tell_new();
    adapter->schedule = schedule_new();
    adapter->store = store_new();
    adapter->buffers = buffers_new();
    adapter->residency = residency_new();
    adapter->share = share_new();
    adapter->cpu = cpu_new();
    adapter->submit = submit_new();
    adapter->allocations = allocations_new();
    adapter->recovery = recovery_new();
    adapter->start = start_new();
    adapter->schedule_hooks = &schedule_hooks;
    adapter->tell_hooks = &tell_hooks;
    adapter->pageable_hooks = &pageable_hooks;
    adapter->shrinker = &shrinker;
}

void wiring_free(adapter_t *adapter)
{
    base_free(adapter->start);
    base_free(adapter->recovery);
    base_free(adapter->allocations);
    base_free(adapter->submit);
    base_free(adapter->cpu);
    base_free(adapter->share);
    base_free(adapter->residency);
    base_free(adapter->buffers);
    base_free(adapter->store);
    base_free(adapter->schedule);
    base_free(adapter->tell);
    base_free(adapter->setup);
}
