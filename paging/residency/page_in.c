/* SPDX-License-Identifier: MIT */
/*
 * page_in.c: bringing an allocation where an access can use it.
 *
 * Resident in an allowed segment: nothing happens. Elsewhere: a place is found, victims leave, the
 * place is booked, and the content is filled, transferred, mapped or moved, as its state asks for.
 *
 * Rules not named below: ALLOC-020, ALLOC-021, ALLOC-041, PAGE-001, PLACE-003, SEG-036.
 */
#include "paging/residency/link.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

/* ---- what is asked for ---------------------------------------------------------------------- */

uint32_t residency_allowed_set(const struct pageable *allocation, bool write)
{
    const struct allocation_info *info = &allocation->info;
    return write || info->primary ? info->write_set : info->read_set;
}

/* ---- making the place free ------------------------------------------------------------------ */

static bool has_room(const adapter_t *adapter, const struct found_place *found,
                     const struct pageable *allocation)
{
    const struct place *place = &found->place;
    if (allocation_is_mirrored(allocation))
        return places_free_in_all(adapter, place);
    if (!place->segment)
        return places_committed(adapter) + allocation->info.bytes <= adapter->setup->shared_limit;
    if (!place_in_aperture(adapter, place))
        return true;
    return range_tree_is_free(&segment_at(adapter, place->segment)->space, place->one) &&
           places_allow(adapter, place->segment, place->one.bytes);
}

/* Aperture ranges become free, and count no longer, when their unmap has run (PAGE-026). */
vidmm_status page_in_wait_for_room(adapter_t *adapter, const struct found_place *found,
                                   const struct pageable *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    while (!status && !has_room(adapter, found, allocation)) {
        CHECK(paging_under_way(adapter));
        status = paging_finish(adapter, RULE(PAGE_026));
    }
    return status;
}

static vidmm_status make_free(adapter_t *adapter, const struct found_place *found,
                              const struct pageable *allocation)
{
    for (size_t i = 0; i < found->victim_count; i++) {
        const struct chosen_victim *victim = &found->victims[i];
        enum vidmm_rule rule = victim->reason == EVICT_PIN      ? RULE(PLACE_024)
                               : victim->reason == EVICT_COMMIT ? RULE(PLACE_019)
                                                                : RULE(PLACE_012);
        /* Making an eviction range may have pushed it out already. */
        if (victim->allocation->store.state != ALLOCATION_RESIDENT)
            continue;
        vidmm_status status = evict_allocation(adapter, victim->allocation, victim->reason, rule);
        if (status)
            return status;
    }
    return page_in_wait_for_room(adapter, found, allocation);
}

vidmm_status page_in_no_pages(adapter_t *adapter, const struct pageable *allocation)
{
    return system_refuse(adapter, RULE(PAGE_015), allocation->info.bytes, "the backing store of ",
                         allocation->label);
}

/* Pending releases of ranges or pages may free enough: they finish before a search fails. */
static vidmm_status find_in_time(adapter_t *adapter, const struct pageable *allocation,
                                 const struct vidmm_search *searches, size_t count,
                                 struct found_place *found)
{
    bool aperture = false;
    for (size_t i = 0; i < count; i++)
        aperture |= segment_is_aperture(segment_desc(adapter, searches[i].segment));
    /* TIME-016: an unmap may be due, and free a range at once. */
    vidmm_status status = aperture ? schedule_deferred_now(adapter) : STATUS_SUCCESS;
    if (status || adapter_stopped(adapter))
        return status ? status : adapter_usable(adapter);
    while (!find_place(adapter, allocation, searches, count, found)) {
        bool waits =
            places_leaving(adapter) || (found->no_system_pages && paging_under_way(adapter));
        if (!waits && adapter->residency->miss != MISS_REFUSED)
            return found->no_system_pages ? STATUS_NO_MEMORY : STATUS_GRAPHICS_NO_VIDEO_MEMORY;
        if (!waits && !found->no_system_pages)
            return no_place(adapter, allocation, searches, count);
        if (!waits) /* system memory is the cause if it kept a victim in place */
            return system_refuse(adapter, RULE(PAGE_015), 0, "what could be evicted for ",
                                 allocation->label);
        found->no_system_pages = false;
        status = paging_finish(adapter, RULE(PAGE_026));
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

/* ---- bringing the content ------------------------------------------------------------------- */

static vidmm_status fill_new(adapter_t *adapter, struct pageable *allocation)
{
    content_filled(adapter, allocation);
    /* PAGE-005: a permanent copy gets the same pattern, by the CPU. */
    if (allocation_is_permanent(allocation)) {
        if (!backing_populate(adapter, allocation))
            return page_in_no_pages(adapter, allocation);
        content_store_pattern(adapter, allocation);
    }
    if (!allocation->of_context)
        return paging_fill(adapter, allocation);
    /* MINI-078: the driver brings the first content of a context allocation, and brings it once. */
    content_written(allocation);
    return paging_init_context(adapter, allocation);
}

/* PAGE-007: the pages of the store appear in the aperture; a new store is zeroed first. */
static vidmm_status map_store(adapter_t *adapter, struct pageable *allocation, bool fresh)
{
    if (!backing_populate(adapter, allocation))
        return page_in_no_pages(adapter, allocation);
    if (fresh)
        allocation_first_content(adapter, allocation);
    if (!allocation->place.at.segment) {
        backing_lock(adapter, allocation); /* PLACE-017: resident means locked */
        return STATUS_SUCCESS;
    }
    return paging_map(adapter, allocation, allocation->place.at.segment, allocation->place.at.one,
                      !(fresh && allocation->of_context));
}

vidmm_status page_in_bring(adapter_t *adapter, struct pageable *allocation,
                           enum allocation_state before)
{
    bool fresh = before == ALLOCATION_NO_CONTENT;
    applies(adapter, RULE(SEG_011));
    if (!allocation->place.at.segment || place_in_aperture(adapter, &allocation->place.at)) {
        vidmm_status status = map_store(adapter, allocation, fresh);
        if (status || !fresh || !allocation->of_context)
            return status;
        return paging_init_context(adapter, allocation); /* MINI-078: after the mapping */
    }
    vidmm_status status =
        fresh ? fill_new(adapter, allocation) : paging_transfer_in(adapter, allocation);
    return status ? status : paging_notify_arrival(adapter, allocation);
}

vidmm_status page_in_settle(adapter_t *adapter, struct pageable *allocation,
                            struct found_place *found)
{
    enum allocation_state before = allocation->store.state;
    allocation->place.pinned = allocation_is_pinned_at_creation(allocation) ||
                               context_is_loaded(adapter, allocation); /* it came after that */
    residency_place(adapter, allocation, found->place, found->search);
    found->place = (struct place){ 0 };
    vidmm_status status = page_in_bring(adapter, allocation, before);
    if (status && !adapter_stopped(adapter))
        residency_undo(adapter, allocation, before);
    return status;
}

/* ---- one reference -------------------------------------------------------------------------- */

static enum vidmm_rule way_in(const adapter_t *adapter, const struct pageable *allocation,
                              const struct place *to)
{
    if (allocation->place.displayed)
        return RULE(RES_057);
    if (allocation->store.state == ALLOCATION_RESIDENT)
        return RULE(PAGE_008);
    if (!to->segment)
        return RULE(PLACE_017);
    if (place_in_aperture(adapter, to))
        return RULE(PAGE_007);
    return allocation->store.state == ALLOCATION_NO_CONTENT ? RULE(PAGE_005) : RULE(PAGE_006);
}

/* In the segments of its adapter (PLACE-021). */
static size_t plan(adapter_t *adapter, const struct pageable *allocation, uint32_t set,
                   struct vidmm_search *searches)
{
    const struct vidmm_demand demand = {
        .bytes = allocation->info.bytes,
        .pitch_bytes = allocation->info.pitch_bytes,
        .alignment = allocation->info.alignment,
        .segments = set,
        .preferred = allocation->info.preferred,
        .hinted_bank = allocation->info.hinted_bank,
        .from_end = allocation_has(allocation, ALLOCATION_FROM_END),
        .pinned = allocation_is_overlay(allocation),
        .in_vpr = allocation_in_vpr(allocation),
        .wddm = adapter->setup->caps.wddm,
        .direction_zero = (enum vidmm_direction_zero)setting(adapter, VIDMM_SETTING_DIRECTION_ZERO),
    };
    const struct setup *setup = adapter->setup;
    uint32_t first = allocation->info.physical * setup->segments_each;
    size_t count = placement_plan(&demand, setup->descs + first, setup->segments_each, searches);
    for (size_t i = 0; i < count; i++)
        searches[i].segment += first;
    applies(adapter, RULE(PLACE_001));
    if (adapter->setup->link_count > 1)
        applies(adapter, RULE(PLACE_021));
    /* A demand that says from which end says so within each segment only. */
    if (demand.from_end || (demand.preferred & PREFERENCES_TOP_DOWN))
        applies(adapter, RULE(PLACE_009));
    return count;
}

static vidmm_status place_and_bring(adapter_t *adapter, struct pageable *allocation, uint32_t set,
                                    const char *reason, enum evict_reason leaving)
{
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    size_t count = plan(adapter, allocation, set, searches);
    struct found_place found = { 0 };
    if (count)
        turns_missed(adapter, allocation, searches[0].segment);
    vidmm_status status = find_in_time(adapter, allocation, searches, count, &found);
    if (status)
        return status;
    status = make_free(adapter, &found, allocation);
    if (status)
        goto out;
    EMIT(adapter, PAGE_IN, way_in(adapter, allocation, &found.place), allocation->handle,
         f_segment("segment", found.place.segment), f_hex("offset", place_offset(&found.place)),
         f_word("reason", reason));
    if (allocation_is_mirrored(allocation))
        status = link_settle(adapter, allocation, &found, leaving);
    else if (allocation->store.state == ALLOCATION_RESIDENT)
        status = page_in_move(adapter, allocation, &found, leaving);
    else
        status = page_in_settle(adapter, allocation, &found);
out:
    found_place_fini(adapter, &found);
    return status;
}

bool residency_stays(const adapter_t *adapter, const struct pageable *allocation, uint32_t set)
{
    const struct place *place = &allocation->place.at;
    if (!place->segment)
        return allocation->store.state == ALLOCATION_RESIDENT &&
               !allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY) &&
               (set & places_aperture_set(adapter));
    return (set & segment_set_bit(adapter, place->segment)) &&
           !means_system_memory(adapter, allocation, place->segment) &&
           (place->run_count == 1 || !needs_range(adapter, allocation, place->segment));
}

/* LINK-008: it came for a request that failed on another adapter, so it leaves, unless it would
   lose its content, or has no way out now. */
static vidmm_status take_back_instance(adapter_t *adapter, struct pageable *instance)
{
    enum evict_route way = evict_route(adapter, instance);
    if (way == OUT_LOST || way == OUT_PROTECTED || way == OUT_LATER)
        return STATUS_SUCCESS;
    return evict_allocation(adapter, instance, EVICT_LINK, RULE(LINK_008));
}

/* LINK-007, LINK-008: each instance on its adapter, and none when one has no room. */
static vidmm_status bring_instances(adapter_t *adapter, struct pageable *allocation, uint32_t set,
                                    const char *reason, enum evict_reason leaving)
{
    vidmm_status status = STATUS_SUCCESS;
    applies(adapter, RULE(LINK_008));
    /* Is there room, or could there be? */
    for (struct pageable *a = allocation; a && !status; a = a->place.next_copy) {
        struct vidmm_search searches[VIDMM_SEARCHES_MAX];
        struct found_place found = { 0 };
        if (!residency_stays(adapter, a, set))
            status = find_in_time(adapter, a, searches, plan(adapter, a, set, searches), &found);
        found_place_fini(adapter, &found);
    }
    uint32_t brought = 0; /* bits of adapters */
    for (struct pageable *a = allocation; a && !status; a = a->place.next_copy)
        if (!residency_stays(adapter, a, set)) {
            status = place_and_bring(adapter, a, set, reason, leaving);
            brought |= status ? 0 : UINT32_C(1) << a->info.physical;
        }
    /* One instance may take what the next one needs: system memory, the limit of all apertures. */
    vidmm_status undone = STATUS_SUCCESS;
    for (struct pageable *a = allocation; a && status && !undone && !adapter_stopped(adapter);
         a = a->place.next_copy)
        if (brought >> a->info.physical & 1 && a->store.state == ALLOCATION_RESIDENT)
            undone = take_back_instance(adapter, a);
    return status;
}

/*
 * Locks of the CPU narrow the set. `migration`: it is resident in memory, and has to move.
 *
 * WDDM 2.0 and later: locks are no matter (RES-071), but what the CPU holds in system memory stays
 * there (RES-070). Below, what the CPU holds is never used from a memory segment (LOCK-051).
 */
VIDMM_APART static vidmm_status narrow_by_locks(adapter_t *adapter,
                                                const struct pageable *allocation, uint32_t uses,
                                                uint32_t *set, bool *migration)
{
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0) {
        bool memory = true;
        for (const struct pageable *a = allocation; a; a = lock_next_part(a))
            memory &= place_in_memory(adapter, &a->place.at);
        if (memory || allocation_is_permanent(allocation))
            return STATUS_SUCCESS;
        *set &= places_aperture_set(adapter);
        if (*set)
            return STATUS_SUCCESS;
        return refuse(adapter, RULE(RES_070), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                      "%s was locked while it was not resident, and it supports no aperture",
                      allocation->label);
    }
    if (!(uses & CPU_LOCKED))
        return STATUS_SUCCESS;
    *migration = place_in_memory(adapter, &allocation->place.at);
    *set &= places_aperture_set(adapter);
    if (!*set || (*migration && allocation->place.pinned))
        return refuse(adapter, RULE(LOCK_052), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                      "%s is locked by the CPU and cannot be used from an aperture",
                      allocation->label);
    bool mapped = place_in_aperture(adapter, &allocation->place.at);
    applies(adapter, mapped ? RULE(LOCK_055) : RULE(LOCK_051));
    return STATUS_SUCCESS;
}

vidmm_status residency_bring(adapter_t *adapter, struct pageable *allocation, uint32_t set,
                             const char *reason, enum evict_reason leaving)
{
    bool instances = allocation->place.next_copy && !allocation_is_mirrored(allocation);
    books_open(adapter);
    vidmm_status status = instances ? bring_instances(adapter, allocation, set, reason, leaving)
                                    : place_and_bring(adapter, allocation, set, reason, leaving);
    books_close(adapter);
    return status;
}

struct fault {
    enum vidmm_counter counter;
    const char *word;
};

/* PAGE-066: why this reference needs work. */
static struct fault cause_of(const struct pageable *allocation, bool migration)
{
    if (migration)
        return (struct fault){ VIDMM_COUNTER_FAULTS_MIGRATION, "migration" };
    if (allocation->store.state == ALLOCATION_RESIDENT)
        return (struct fault){ VIDMM_COUNTER_FAULTS_INCORRECT_RESOURCE, "incorrect-resource" };
    if (offer_of(allocation)->refill)
        return (struct fault){ VIDMM_COUNTER_FAULTS_RECLAIMED, "reclaimed" };
    if (!allocation->place.used_before)
        return (struct fault){ VIDMM_COUNTER_FAULTS_FIRST_ACCESS, "first-access" };
    return (struct fault){ VIDMM_COUNTER_FAULTS_EVICTED, "evicted" };
}

/* A search that is tried again is no reference of its own. */
VIDMM_APART static vidmm_status bring_fault(adapter_t *adapter, struct pageable *allocation,
                                            uint32_t set, bool migration, struct device *device)
{
    struct fault fault = cause_of(allocation, migration);
    vidmm_status status = residency_bring(adapter, allocation, set, fault.word, EVICT_MIGRATION);
    if (status && adapter->residency->miss != MISS_REFUSED)
        return status;
    /* After a refusal the next reference needs the same work, for the same cause. */
    if (!status) {
        allocation->place.used_before = true;
        if (allocation->place.offer)
            allocation->place.offer->refill = false;
    }
    applies(adapter, RULE(PAGE_066));
    count_fault(adapter, fault.counter, device);
    return status;
}

vidmm_status residency_gpu_use(adapter_t *adapter, const struct pageable *allocation)
{
    if (!allocation_is_no_kmd(allocation))
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(KMT_039), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                  "%s was created with NoKmdAccess: the GPU cannot use it", allocation->label);
}

vidmm_status residency_refuse_pinned(adapter_t *adapter, const struct pageable *allocation)
{
    const struct pin_cause cause = pageable_pinned_by(allocation);
    return refuse(adapter, cause.rule, STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                  "%s is pinned where this access does not permit it: %s", allocation->label,
                  cause.why);
}

vidmm_status residency_require(adapter_t *adapter, struct pageable *allocation, bool write,
                               struct device *device)
{
    uint32_t set = residency_allowed_set(allocation, write);
    uint32_t uses = adapter->pageable_hooks->cpu_use(allocation);
    bool migration = false, there = true, held = false;

    /* What the GPU may never use, or not now. */
    vidmm_status status = residency_gpu_use(adapter, allocation);
    if (status)
        return status;
    if (allocation_is_lost(allocation)) {
        count_fault(adapter, VIDMM_COUNTER_FAULTS_LOST_CONTENT, device);
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", allocation->label);
    }
    if (!set)
        return refuse(adapter, RULE(PLACE_005), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                      "%s supports no segment for %s", allocation->label,
                      write ? "writing" : "reading");
    if ((uses & CPU_BARS_GPU) && adapter->setup->caps.wddm < VIDMM_WDDM_2_0) /* RES-071 */
        return refuse(adapter, RULE(LOCK_053), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                      "%s is locked: CPU and GPU never use it at the same time", allocation->label);

    /* What has the wrong form for the GPU in system memory, or stands at an alternate address
       (SWIZ-022), comes to memory and nowhere else. */
    if (allocation->store.state == ALLOCATION_EVICTED &&
        (allocation->store.linear || (uses & CPU_ELSEWHERE))) {
        set &= ~places_aperture_set(adapter);
        applies(adapter, RULE(SWIZ_008));
        if (!set)
            return refuse(adapter, RULE(SWIZ_008), STATUS_GRAPHICS_NO_VIDEO_MEMORY,
                          "%s is linear: its pages cannot be mapped, and it supports no memory",
                          allocation->label);
    }
    if (uses & CPU_HOLDS)
        status = narrow_by_locks(adapter, allocation, uses, &set, &migration);
    if (status)
        return status;

    /* Every copy is where this access can use it: nothing to do. */
    for (const struct pageable *a = allocation; a; a = a->place.next_copy) {
        bool stays = residency_stays(adapter, a, set);
        there &= stays;
        held |= !stays && a->place.pinned;
    }
    if (there) {
        if (uses & CPU_RANGES)
            applies(adapter, RULE(SWIZ_007));
        allocation->place.used_before = true;
        turns_used(adapter, allocation, paging_uses(adapter));
        return STATUS_SUCCESS;
    }

    if (held)
        return residency_refuse_pinned(adapter, allocation);
    if (allocation->store.state == ALLOCATION_RESIDENT && !migration)
        applies(adapter, RULE(PLACE_005));
    applies(adapter, RULE(PAGE_004));
    turns_wanted(adapter, allocation);
    return bring_fault(adapter, allocation, set, migration, device);
}

vidmm_status residency_pin_new(adapter_t *adapter, struct pageable *allocation)
{
    uint32_t set =
        allocation->info.write_set ? allocation->info.write_set : allocation->info.read_set;
    if (allocation_is_overlay(allocation)) /* else the event pin names the rule (ALLOC-046) */
        applies(adapter, RULE(FLAG_036));
    return residency_bring(adapter, allocation, set, "pin", EVICT_MIGRATION);
}
