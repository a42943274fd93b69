/* SPDX-License-Identifier: MIT */
/*
 * lock_parts.c: a lock of an instanced allocation in a link is a lock of each instance.
 *
 * The CPU sees one range of N * size bytes: part i leads to the instance of adapter i, by whatever
 * way that one needs, and a page list counts through all of it. Each instance has a record of the
 * lock and a view of its own, so everything that asks one allocation about its locks is right for
 * instances, too. Any other allocation is one part; of a mirrored one that of adapter 0.
 *
 * Rules not named below: LINK-011, LOCK-014.
 */
#include "paging/store/store.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* ---- taking apart --------------------------------------------------------------------------- */

static void clip_pages(const adapter_t *adapter, struct lock_part *part, uint32_t index)
{
    const struct vidmm_page_range *list = part->args.pages;
    size_t count = part->args.page_runs, kept = 0;
    uint64_t pages = part->request.allocation->pageable.info.bytes / adapter->setup->page;
    uint64_t first = index * pages;
    part->pages = base_alloc(count, sizeof *part->pages);
    for (size_t i = 0; i < count; i++) {
        uint64_t low = max_u64(list[i].first, first);
        uint64_t high = min_u64(list[i].first + list[i].count, first + pages);
        if (low < high)
            part->pages[kept++] = (struct vidmm_page_range){ low - first, high - low };
    }
    part->args.pages = part->pages;
    part->args.page_runs = kept;
    part->untouched = !kept;
}

void lock_parts_init(const adapter_t *adapter, struct lock_parts *parts,
                     const struct lock_request *request)
{
    *parts = (struct lock_parts){ .count = lock_part_count(&request->allocation->pageable) };
    struct allocation *allocation = request->allocation;
    for (uint32_t i = 0; i < parts->count;
         i++, allocation = allocation_of(allocation->pageable.place.next_copy)) {
        struct lock_part *part = &parts->part[i];
        part->request = *request;
        part->request.allocation = allocation;
        part->args = *request->args;
        if (!part->args.page_runs)
            part->args.pages = NULL; /* a list of which nothing is left is one */
        else if (parts->count > 1)
            clip_pages(adapter, part, i);
        part->request.args = &part->args;
    }
}

void lock_parts_fini(struct lock_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        base_free(parts->part[i].pages);
}

/* ---- reaching ------------------------------------------------------------------------------- */

/* What has moved stays where it is. */
static void give_up(adapter_t *adapter, const struct lock_request *request)
{
    if (!cpu_of(request->allocation)->lock_count)
        lock_end_view(adapter, request->allocation);
}

/* What is written goes to the other adapters through the store: without pages now, the unlock could
   not keep the copies equal. */
static vidmm_status have_way_to_copies(adapter_t *adapter, const struct lock_part *part)
{
    struct allocation *allocation = part->request.allocation;
    if ((part->args.flags & VIDMM_LOCK_ReadOnly) || !allocation_is_mirrored(&allocation->pageable))
        return STATUS_SUCCESS;
    return allocation_make_store(adapter, &allocation->pageable);
}

/* A reset during a wait takes away what was reached: the content is lost, or the lock is suspended,
   as those that hold already are (PAGE-029). */
static vidmm_status look_again(adapter_t *adapter, struct lock_request *part)
{
    const struct swizzling_range *range = cpu_of(part->allocation)->ranges;
    while (range && range != part->range)
        range = range->next;
    if (part->range && !range) {
        part->range = NULL;
        cpu_own(part->allocation)->lock_view = VIDMM_VIEW_BACKING;
    }
    return allocation_is_lost(&part->allocation->pageable) ? lock_check_allocation(adapter, part)
                                                           : STATUS_SUCCESS;
}

vidmm_status lock_parts_reach(adapter_t *adapter, struct lock_parts *parts,
                              struct lock_request *request)
{
    bool level2 = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    vidmm_status status = STATUS_SUCCESS;
    /* Addresses for all of them first: without, nothing moves. */
    for (uint32_t i = 0; i < parts->count && !status; i++)
        status = cpu_va_lock(adapter, parts->part[i].request.allocation);
    for (uint32_t i = 0; i < parts->count && !status; i++) {
        struct lock_request *part = &parts->part[i].request;
        status = level2 ? lock2_reach(adapter, part) : lock_reach(adapter, part);
        status = status ? status : have_way_to_copies(adapter, &parts->part[i]);
        request->complex |= part->complex;
        request->linear |= part->linear;
    }
    for (uint32_t i = 0; i < parts->count && !status; i++)
        status = look_again(adapter, &parts->part[i].request);
    for (uint32_t i = 0; i < parts->count && status; i++)
        give_up(adapter, &parts->part[i].request);
    if (status)
        return status;
    request->rule = parts->part[0].request.rule;
    request->range = parts->part[0].request.range;
    return STATUS_SUCCESS;
}

/* ---- telling -------------------------------------------------------------------------------- */

void lock_parts_tell(adapter_t *adapter, const struct lock_parts *parts)
{
    for (uint32_t i = 0; i < parts->count && parts->count > 1; i++) {
        const struct lock_request *part = &parts->part[i].request;
        const struct pageable *a = &part->allocation->pageable;
        EMIT(adapter, LOCK_PART, RULE(LINK_010), a->handle, f_number("part", i),
             f_hex("offset", i * a->info.bytes), f_bytes("bytes", a->info.bytes),
             f_segment("segment", a->place.at.segment),
             f_word("via", lock_view_word(part->allocation)),
             f_hex("cpu", lock_cpu_address(adapter, part)));
    }
}
