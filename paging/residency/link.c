/* SPDX-License-Identifier: MIT */
/*
 * link.c: the copies that a mirrored or instanced allocation has on the adapters of a link.
 *
 * Rules not named below: LINK-008.
 */
#include "paging/residency/link.h"
#include "paging/residency/pager.h"

static struct pageable *new_copy(adapter_t *adapter, struct pageable *whole, uint32_t index)
{
    struct pageable *copy = allocation_new(adapter, whole->label);
    copy->place.first_copy = whole;
    copy->info = whole->info;
    copy->info.physical = (uint8_t)index;
    copy->handle = whole->handle;
    copy->creator = whole->creator;
    copy->kmt = whole->kmt;
    copy->driver_handle = whole->driver_handle;
    copy->place.victim.priority = whole->place.victim.priority;
    pageable_share_fences(copy, whole);
    if (allocation_is(whole, VIDMM_ALLOCATION_LinkMirrored))
        backing_share(copy, whole);
    return copy;
}

vidmm_status link_make_copies(adapter_t *adapter, struct pageable *allocation)
{
    struct pageable **next = &allocation->place.next_copy;
    vidmm_status status = STATUS_SUCCESS;
    if (!allocation_is(allocation, VIDMM_ALLOCATION_LinkMirrored | VIDMM_ALLOCATION_LinkInstanced))
        return STATUS_SUCCESS;
    for (uint32_t index = 1; index < adapter->setup->link_count && !status; index++) {
        struct pageable *copy = new_copy(adapter, allocation, index);
        *next = copy;
        next = &copy->place.next_copy;
        if (copy->store.owner != copy)
            continue;
        applies(adapter, RULE(LINK_007));
        status = allocation_charge(adapter, copy);
        if (backing_of(allocation)->existing)
            backing_adopt(adapter, copy, backing_of(allocation)->existing);
    }
    return status;
}

void link_free_copies(adapter_t *adapter, struct pageable *allocation)
{
    turns_forget(allocation);
    while (allocation->place.next_copy) {
        struct pageable *copy = allocation->place.next_copy;
        allocation->place.next_copy = copy->place.next_copy;
        turns_forget(copy);
        pageable_free(adapter, copy); /* its handles are those of the allocation */
    }
}

/* ---- which adapters ------------------------------------------------------------------------- */

uint32_t link_adapters(const adapter_t *adapter, uint32_t asked)
{
    return asked ? asked : (1u << adapter->setup->link_count) - 1;
}

vidmm_status link_check_adapters(adapter_t *adapter, const struct vidmm_work *work)
{
    const uint32_t all = link_adapters(adapter, 0);
    vidmm_status status = STATUS_SUCCESS;
    applies(adapter, RULE(LINK_006));
    if (work->adapters & ~all)
        return refuse(adapter, RULE(LINK_006), STATUS_INVALID_PARAMETER,
                      "the submission is for adapters 0x%x, and there are %u", work->adapters,
                      adapter->setup->link_count);
    bool some = link_adapters(adapter, work->adapters) != all;
    /* What only some adapters write is not the same everywhere any more. */
    for (size_t i = 0; some && i < work->use_count && status >= 0; i++) {
        const struct pageable *a =
            handle_object(adapter, work->uses[i].allocation, VIDMM_OBJECT_ALLOCATION);
        if (a && work->uses[i].write && allocation_is_mirrored(a))
            status = warn(adapter, RULE(LINK_006), a->handle,
                          "%s is mirrored and written on some adapters only: its copies differ "
                          "from now on",
                          a->label);
    }
    return status;
}

struct pageable *link_copy_on(struct pageable *allocation, uint32_t index)
{
    for (struct pageable *a = allocation->place.next_copy; a; a = a->place.next_copy)
        if (a->info.physical == index)
            return a;
    return allocation;
}

uint32_t link_first(uint32_t adapters)
{
    uint32_t index = 0;
    while (!(adapters >> index & 1))
        index++;
    return index;
}

struct pageable *link_patched_copy(struct pageable *allocation, uint32_t adapters)
{
    return link_copy_on(allocation, link_first(adapters));
}

/* The other copies of a mirrored allocation: at the same offset, with the same content. */
static vidmm_status settle_copies(adapter_t *adapter, struct pageable *allocation,
                                  const struct vidmm_search *search, enum allocation_state before,
                                  bool linear)
{
    vidmm_status status = STATUS_SUCCESS;
    applies(adapter, RULE(LINK_003));
    for (struct pageable *a = allocation->place.next_copy; a && !status; a = a->place.next_copy) {
        struct vidmm_search there = *search;
        struct place place = allocation->place.at;
        place.segment = segment_of_adapter(adapter, place.segment, a->info.physical);
        there.segment = place.segment;
        a->place.pinned = allocation->place.pinned;
        content_is_linear(a, linear);
        residency_place(adapter, a, place, &there);
        status = page_in_bring(adapter, a, before);
    }
    return status;
}

/* LINK-005, LINK-008: all together, from the one store when the content was somewhere else. */
vidmm_status link_settle(adapter_t *adapter, struct pageable *allocation, struct found_place *found,
                         enum evict_reason leaving)
{
    vidmm_status status = page_in_leave(adapter, allocation, found, leaving);
    if (status)
        return status;
    const struct vidmm_search *search = found->search;
    enum allocation_state before = allocation->store.state;
    bool linear = allocation->store.linear; /* the store, for each transfer (SWIZ-010) */
    status = page_in_settle(adapter, allocation, found);
    if (status)
        return status;
    status = settle_copies(adapter, allocation, search, before, linear);
    if (!status)
        return STATUS_SUCCESS;
    /* Not all could be brought: none is there. */
    for (struct pageable *a = allocation; a && !adapter_stopped(adapter); a = a->place.next_copy) {
        if (a->store.state == ALLOCATION_RESIDENT)
            residency_undo(adapter, a, before);
        content_is_linear(a, linear && a == allocation);
    }
    return status;
}

/* Nothing has to be copied: the first copy took the content with it, or it is not needed. */
static vidmm_status drop_copy(adapter_t *adapter, struct pageable *copy)
{
    if (!place_in_memory(adapter, &copy->place.at))
        return evict_unmap(adapter, copy);
    vidmm_status status = paging_notify_departure(adapter, copy);
    if (!status)
        status = paging_discard(adapter, copy, &copy->place.at);
    if (status)
        return status;
    residency_unplace(adapter, copy, true);
    allocation_become(copy, ALLOCATION_NO_CONTENT);
    pageable_check_state(copy);
    return STATUS_SUCCESS;
}

/* What the next submission has to wait for the first copy has said, which has the same fences. */
vidmm_status link_drop_copies(adapter_t *adapter, struct pageable *allocation, vidmm_status status)
{
    applies(adapter, RULE(LINK_005));
    for (struct pageable *a = allocation->place.next_copy; a; a = a->place.next_copy) {
        if (!status)
            status = drop_copy(adapter, a);
        if (a->store.state == ALLOCATION_RESIDENT && !adapter_stopped(adapter))
            residency_undo(adapter, a, ALLOCATION_NO_CONTENT);
    }
    return status;
}

vidmm_status link_spread_writes(adapter_t *adapter, struct pageable *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    applies(adapter, RULE(LINK_011));
    /* Of a permanent one the written pages, from the store that all copies share. */
    bool permanent = allocation_is_permanent(allocation);
    const struct page_set *dirty = &allocation->store.cpu_dirty;
    for (struct pageable *a = allocation->place.next_copy; permanent && a && !status;
         a = a->place.next_copy) {
        for (size_t i = 0; i < page_set_count(dirty); i++)
            page_set_add(&a->store.cpu_dirty, page_set_runs(dirty)[i].first,
                         page_set_runs(dirty)[i].pages);
        status = paging_update(adapter, a);
    }
    if (permanent)
        return status;
    CHECK(backing_of(allocation)->populated); /* since the lock */
    page_set_clear(&allocation->store.cpu_dirty);
    status = paging_copy_back(adapter, allocation);
    for (struct pageable *a = allocation->place.next_copy; a && !status; a = a->place.next_copy)
        status = paging_transfer_in(adapter, a);
    return status;
}

bool link_pinned(const struct pageable *allocation)
{
    while (allocation && !allocation->place.pinned)
        allocation = allocation->place.next_copy;
    return allocation != NULL;
}

vidmm_status link_evict(adapter_t *adapter, struct pageable *allocation, enum evict_reason reason,
                        enum vidmm_rule rule)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct pageable *a = allocation; a && !status; a = a->place.next_copy)
        if (a->store.state == ALLOCATION_RESIDENT)
            status = evict_allocation(adapter, a, reason, rule);
    return status;
}
