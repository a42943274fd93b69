/* SPDX-License-Identifier: MIT */
/*
 * tdr_cleanup.c: the hardware was reset: nothing is in video memory any more.
 *
 * The driver is told of every allocation in a memory segment by a transfer of no bytes, and unmaps
 * every range of an aperture, those that served an eviction too. Nothing runs meanwhile: what it
 * writes into paging buffers is submitted after the restart. Segments ascend, and offsets inside of
 * them.
 *
 *   content was in                     afterwards
 *   memory, and in no other place      lost
 *   memory, and in a permanent copy    evicted, as of the last copy-back
 *   memory, where it never came       evicted, for the store still has it
 *   an aperture                        evicted
 *   a transfer out that never ran      lost, wherever it should have come
 *   any of these, and it was offered   discarded
 *
 * Rules not named below: MINI-082.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/offer.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

#include <stdlib.h>

/* ---- what is where -------------------------------------------------------------------------- */

/* A resident, or a range of an aperture that its owner has left. */
struct item {
    uint64_t offset;
    struct pageable *allocation;
    bool resident;
    struct deferred_work work; /* otherwise */
    struct dma_buffer *buffer; /* or this one */
};

struct items {
    uint32_t segment;
    struct item *list;
    size_t count, capacity;
};

static void add(struct items *items, struct item item)
{
    BASE_GROW(items->list, items->capacity, items->count + 1);
    items->list[items->count++] = item;
}

static int by_offset(const void *a, const void *b)
{
    const struct item *left = a, *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Unmaps that were due, or that were on their way, are made here. Those of buffers, and other work,
   name no segment. */
static bool stays_due(void *context, const struct deferred_work *work)
{
    struct items *items = context;
    if (work->segment != items->segment)
        return !work->buffer; /* those know it themselves */
    add(items, (struct item){
                   .offset = work->range.offset, .allocation = work->allocation, .work = *work });
    return false;
}

/* ---- what becomes of it --------------------------------------------------------------------- */

static void lose(adapter_t *adapter, struct pageable *allocation)
{
    allocation_lose(adapter, allocation);
    EMIT(adapter, LOST, RULE(TDR_027), allocation->handle, f_word("reason", "reset"),
         f_bytes("bytes", allocation->info.bytes));
}

/* The content is what the store holds; GPU writes since then are gone. */
static void forget_writes(adapter_t *adapter, struct pageable *allocation)
{
    content_from_store(adapter, allocation);
    finding(adapter, RULE(TDR_027), allocation->handle,
            "what the GPU wrote to %s since its last copy-back is gone", allocation->label);
}

/* The one store serves all adapters, and stays until the last of them has its content (LINK-003);
   that of an instance is gone when it has arrived. */
static bool mirror_never_came(const struct pageable *allocation)
{
    for (const struct pageable *a = allocation->place.next_copy; a; a = a->place.next_copy)
        if (a->store.owner == allocation && a->transfer.aborted == ABORTED_IN)
            return allocation->transfer.aborted == ABORTED_NOTHING;
    return false;
}

/* Of what the store of an aperture place, or of an eviction, should hold. */
static bool never_arrived(const struct pageable *allocation)
{
    return allocation->transfer.aborted == ABORTED_OUT ||
           allocation->transfer.aborted == ABORTED_FILL;
}

/* What is left of a place in memory. */
enum fate { FATE_DISCARDED, FATE_EMPTY, FATE_STORED, FATE_LOST };

static enum fate fate_of(const struct pageable *allocation)
{
    if (offer_gives_up(allocation))
        return FATE_DISCARDED;
    if (allocation->store.owner != allocation)
        return FATE_EMPTY; /* the first copy knows */
    if (allocation_is_permanent(allocation) || allocation->transfer.aborted == ABORTED_IN ||
        mirror_never_came(allocation))
        return FATE_STORED;
    return allocation->transfer.aborted == ABORTED_FILL
               ? FATE_EMPTY /* not even its pattern was there */
               : FATE_LOST;
}

/* `writes`: of the GPU, which the store does not have. */
static void settle(adapter_t *adapter, struct pageable *allocation, enum fate fate, bool writes)
{
    switch (fate) {
    case FATE_DISCARDED:
        allocation_become(allocation, discard_state(allocation));
        discard_content(adapter, allocation);
        break;
    case FATE_EMPTY: allocation_become(allocation, ALLOCATION_NO_CONTENT); break;
    case FATE_STORED:
        allocation_become(allocation, ALLOCATION_EVICTED);
        if (writes)
            forget_writes(adapter, allocation);
        break;
    case FATE_LOST: lose(adapter, allocation); break;
    }
    pageable_check_state(allocation);
}

static vidmm_status clean_memory(adapter_t *adapter, struct pageable *allocation)
{
    bool dirty = allocation->transfer.gpu_dirty;
    bool closed = allocation->store.state == ALLOCATION_CLOSED;
    enum fate fate = fate_of(allocation);
    struct evict_way way = { !closed && fate == FATE_LOST ? "lost" : "discard", RULE(TDR_022),
                             false };
    evict_tell(adapter, allocation, EVICT_TDR, RULE(TDR_022), way);
    vidmm_status status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_clean(adapter, allocation);
    if (status)
        return status;
    residency_unplace(adapter, allocation, true);
    if (!closed)
        settle(adapter, allocation, fate, dirty && allocation_is_permanent(allocation));
    return STATUS_SUCCESS;
}

static vidmm_status clean_aperture(adapter_t *adapter, struct pageable *allocation)
{
    struct place from = allocation->place.at;
    evict_tell(adapter, allocation, EVICT_TDR, RULE(TDR_023),
               (struct evict_way){ "unmap", RULE(TDR_023), false });
    residency_unplace(adapter, allocation, false);
    if (allocation->store.state != ALLOCATION_CLOSED)
        settle(adapter, allocation, offer_gives_up(allocation) ? FATE_DISCARDED : FATE_STORED,
               false);
    return paging_unmap(adapter, allocation, from.segment, from.one, true);
}

static vidmm_status clean_item(adapter_t *adapter, const struct item *item)
{
    if (item->buffer)
        return dma_buffer_clean(adapter, item->buffer);
    if (!item->resident)
        return paging_unmap(adapter, item->allocation, item->work.segment, item->work.range,
                            item->work.last);
    swizzle_redirect(allocation_of(item->allocation));
    offer_settle(adapter, item->allocation); /* what was dropped refers to nothing */
    if (offer_gives_up(item->allocation))
        discard_tell(adapter, item->allocation, RULE(OFFER_011));
    if (place_in_aperture(adapter, &item->allocation->place.at))
        return clean_aperture(adapter, item->allocation);
    return clean_memory(adapter, item->allocation);
}

static vidmm_status clean_segment(adapter_t *adapter, uint32_t segment)
{
    struct items items = { .segment = segment };
    vidmm_status status = STATUS_SUCCESS;
    /* Closed ones that have not left yet, too: the driver still knows them. */
    for (struct allocation *a = allocation_first(adapter); a; a = allocation_after(a))
        if (a->pageable.place.at.segment == segment)
            add(&items, (struct item){ .offset = place_offset(&a->pageable.place.at),
                                       .allocation = &a->pageable,
                                       .resident = true });
    schedule_deferred_filter(adapter, stays_due, &items);
    for (struct dma_buffer *buffer = dma_buffer_first(adapter); buffer; buffer = buffer->behind)
        if (dma_buffer_in(buffer, segment))
            add(&items, (struct item){ .offset = buffer->range.offset, .buffer = buffer });
    if (items.count)
        qsort(items.list, items.count, sizeof *items.list, by_offset);
    for (size_t i = 0; i < items.count && !status; i++)
        status = clean_item(adapter, &items.list[i]);
    base_free(items.list);
    return status;
}

/* What is resident in system memory stays, unless its content never came there (PLACE-017). */
static void clean_system(adapter_t *adapter)
{
    for (struct allocation *a = allocation_first(adapter); a; a = allocation_after(a)) {
        if (a->pageable.store.state != ALLOCATION_RESIDENT || !never_arrived(&a->pageable))
            continue;
        CHECK(!a->pageable.place.at.segment); /* those have been emptied */
        evict_tell(adapter, &a->pageable, EVICT_TDR, RULE(TDR_027),
                   (struct evict_way){ "lost", RULE(TDR_027), false });
        residency_unplace(adapter, &a->pageable, true);
        allocation_become(&a->pageable, ALLOCATION_EVICTED); /* for settle_evicted() */
        backing_unlock(adapter, &a->pageable);
    }
}

/* An eviction that never ran took the only copy with it. */
static void settle_evicted(adapter_t *adapter)
{
    for (struct allocation *a = allocation_first(adapter); a; a = allocation_after(a)) {
        bool dirty = a->pageable.transfer.gpu_dirty;
        bool out = a->pageable.store.state == ALLOCATION_EVICTED && never_arrived(&a->pageable);
        pageable_reset_judged(&a->pageable);
        if (!out)
            continue;
        offer_settle(adapter, &a->pageable);
        if (offer_gives_up(&a->pageable))
            discard_evicted(adapter, allocation_whole(&a->pageable), RULE(OFFER_011));
        else if (!allocation_is_permanent(&a->pageable))
            lose(adapter, &a->pageable);
        else if (dirty)
            forget_writes(adapter, &a->pageable);
    }
}

vidmm_status tdr_clean(adapter_t *adapter)
{
    paging_drain(adapter, true);
    paging_defer(adapter);
    EMIT(adapter, TDR, RULE(TDR_026), 0, f_word("phase", "clean-up"));
    vidmm_status status = swizzle_release_every(adapter); /* SWIZ-029 */
    for (uint32_t id = 1; id <= adapter->setup->segment_count && !status; id++)
        status = clean_segment(adapter, id);
    if (!status) {
        clean_system(adapter);
        settle_evicted(adapter);
    }
    applies(adapter, RULE(TDR_025));
    paging_drain(adapter, false);
    return status;
}
