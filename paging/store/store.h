/* SPDX-License-Identifier: MIT */
/*
 * store.h: which pages hold what, in system memory and in segments: the door of this folder.
 *
 * Pageables, their backing stores, what every page should hold, the books of ranges, the processor
 * cache, and the bus through which the hardware reaches all of it.
 */
#ifndef PAGING_STORE_H
#define PAGING_STORE_H

#include "paging/pageable.h"
#include "paging/store/content.h"
#include "paging/store/content_check.h"
#include "paging/store/places.h"
#include "vidmm/tell/tell.h"

/* ---- pageable.c: birth, states, end --------------------------------------------------------- */

/* Its own store, and nothing in it; after the record of its owner so many bytes for others. */
struct pageable *pageable_new(adapter_t *adapter, const char *label, size_t more_bytes);
/* What can still be charged (ALLOC-009). */
uint64_t commitment_left(const adapter_t *adapter);
uint64_t commitment_charged(const adapter_t *adapter);
/* The store of an offered allocation is charged again, or no longer (OFFER-018). */
void commitment_change(adapter_t *adapter, struct pageable *allocation, bool charged);
/* Its bytes count as commitment (ALLOC-009). */
vidmm_status allocation_charge(adapter_t *adapter, struct pageable *allocation);
/* Gives back what the pager holds for it. It has no place any more, or the adapter ends. */
void pageable_free(adapter_t *adapter, struct pageable *allocation);
/* The same when the adapter ends, with which pages and commitment go. */
void pageable_forget(adapter_t *adapter, struct pageable *allocation);
/* All that live, in no order that could be told. Nothing may come or go while somebody walks. */
struct pageable *pageable_first(const adapter_t *adapter);
static inline struct pageable *pageable_next(const struct pageable *allocation)
{
    return allocation->store.all.next;
}
/* Does the CPU use it in one of these ways (enum cpu_use)? */
static inline bool pageable_cpu_use(const adapter_t *adapter, const struct pageable *allocation,
                                    uint32_t uses)
{
    return (adapter->pageable_hooks->cpu_use(allocation) & uses) != 0;
}
/* Prefetches its record, whose cache lines would else be waited for one after the other. */
static inline void pageable_fetch(const adapter_t *adapter, const struct pageable *allocation)
{
    for (size_t at = 0; at < adapter->pageable_hooks->record_bytes; at += 64)
        VIDMM_PREFETCH((const char *)allocation + at);
}
/* The only assignment of `state`; checks that the step is one of PAGE-003. */
void allocation_become(struct pageable *allocation, enum allocation_state state);
/* Its content is gone for good; the caller decided so, and tells why. */
void allocation_lose(adapter_t *adapter, struct pageable *allocation);
/* What pins it: a word for events, words for a refusal, and the rule. */
struct pin_cause {
    const char *kind, *why;
    enum vidmm_rule rule;
};
struct pin_cause pageable_pinned_by(const struct pageable *pageable);
/* Pages for the store; of an allocation that was never used: zeros are its first content. */
vidmm_status allocation_make_store(adapter_t *adapter, struct pageable *allocation);

/* ---- backing.c: system pages ---------------------------------------------------------------- */

/* Makes sure that the store holds pages; false: system memory is exhausted. */
bool backing_populate(adapter_t *adapter, struct pageable *allocation);
/* Its pages go as soon as no operation names them (OFFER-011). */
void backing_release_unlocked(adapter_t *adapter, struct pageable *allocation);
/* A fence says that nobody needs it: it goes as deferred work, unless it is kept (PAGE-011). */
void backing_release_at_fence(adapter_t *adapter, struct pageable *allocation);
static inline void backing_keep(struct pageable *allocation)
{
    if (allocation->store.owner->store.backing)
        allocation->store.owner->store.backing->release_due = RELEASE_NOT;
}
/* A copy in a link without a store of its own. */
static inline void backing_share(struct pageable *copy, struct pageable *owner)
{
    copy->store.owner = owner;
}
/* The pages of the range that came with the creation are the store (PAGE-013), until the end. */
void backing_adopt(adapter_t *adapter, struct pageable *allocation, struct system_range *range);
/* The range shows the pages of the store to others, who may keep them; NULL: no longer. */
static inline void backing_lend(struct pageable *allocation, struct system_range *range)
{
    allocation->store.backing->existing = range;
}
/* The pages that it lent are the range's alone. */
void backing_hand_over(adapter_t *adapter, struct pageable *allocation);
void backing_lock(adapter_t *adapter, struct pageable *allocation);
void backing_unlock(adapter_t *adapter, struct pageable *allocation);
/* All memory of the machine is free, but for one page that belongs to nobody else ever: returns its
   number (MINI-074). */
uint64_t system_start(adapter_t *adapter, uint64_t bytes);
void system_stop(adapter_t *adapter);
/* The system pages that are free; 0 bytes before the start. */
const struct range_tree *system_space(const adapter_t *adapter);
/* The tag that stands in a page. */
uint64_t system_page(const adapter_t *adapter, uint64_t page);
/* Tags of one write, from the first of these pages on. */
void system_write(adapter_t *adapter, struct range pages, uint64_t tag);
/* The last hole that holds one run of so many bytes; false: there is none. */
bool system_take_last(adapter_t *adapter, uint64_t bytes, struct range *run);
/* Takes `pages` system pages, as few runs of page numbers (base_free); 0 runs: not enough. */
size_t system_take(adapter_t *adapter, uint64_t pages, struct range **runs);
void system_release(adapter_t *adapter, const struct range *runs, size_t count);
/* System memory is exhausted: "WHATLABEL" needs so many bytes, or with 0 more than is free. */
vidmm_status system_refuse(adapter_t *adapter, enum vidmm_rule rule, uint64_t bytes,
                           const char *what, const char *label);
/*
 * What a driver is told about system pages: a memory descriptor list, as wdm.h declares it. The
 * list of a store is made when an operation names it, and lives as long as operations do
 * (PAGE-014). It lists every page, but no more than a list can have: ByteCount has 32 bits. Pages
 * after that are reached with the list and their number, on the bus (vidmm_memory.h).
 */
MDL *mdl_of(const adapter_t *adapter, struct backing *backing);
/* It names nothing any more, with its mapping. */
void mdl_end(struct backing *backing);

/* ---- coherency.c: the processor cache ------------------------------------------------------- */

/* Is the store mapped cacheable (FLAG-014)? */
bool coherency_store_cached(const struct pageable *allocation);
/* LOCK-045: after the last unlock; before `segment` sees the store; before a lock returns. */
void coherency_unlock(adapter_t *adapter, struct pageable *allocation);
void coherency_paging(adapter_t *adapter, struct pageable *allocation, uint32_t segment);
void coherency_lock(adapter_t *adapter, struct pageable *allocation,
                    const struct vidmm_lock_args *args);
/* FLAG-026: the CPU wrote the store; an operation reads it; a submission names it. */
void coherency_cpu_wrote(struct pageable *allocation, uint64_t first, uint64_t pages);
void coherency_gpu_reads(adapter_t *adapter, struct pageable *allocation);
void coherency_gpu_uses(adapter_t *adapter, struct pageable *allocation, bool write);

/* ---- bus.c: what the hardware reaches ------------------------------------------------------- */

void bus_start(adapter_t *adapter);
/* What hardware of this physical adapter reaches. */
struct vidmm_bus *bus_of(const adapter_t *adapter, uint32_t physical);
/* What a command of rendering uses: an element of the allocation list, by its segment address. */
struct bus_access {
    uint32_t index;
    bool write;
    struct vidmm_bus_place at; /* as it stands in the buffer, at the start of its page */
};
/* The slot of a segment that hardware of this physical adapter names; 0: it has none like that. */
uint32_t bus_slot(const struct vidmm_bus *bus, uint32_t segment);
/* Does the hardware read the pages of the allocation there? False: *page is the first wrong. */
bool bus_intact(const struct vidmm_bus *bus, const struct vidmm_bus_place *at,
                const struct pageable *allocation, struct page_run run, uint64_t *page);
/* Writes tags that count upwards from `tag`. */
void bus_write(const struct vidmm_bus *bus, const struct vidmm_bus_place *at, uint64_t pages,
               uint64_t tag);
/* MINI-075: did the GPU write through an unmapped range? */
void bus_watch_dummy(adapter_t *adapter);

struct store *store_new(void); /* the state of this folder, empty (base_free) */

#endif
