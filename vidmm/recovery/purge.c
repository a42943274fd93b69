/* SPDX-License-Identifier: MIT */
/*
 * purge.c: everything that a purge names leaves video memory, and nothing is lost.
 *
 * The GPU is idle by then. Memory segments come first, ascending by id and offset, apertures last.
 * Where a pinned allocation would block an eviction, by its place or by its share of the global
 * limit, its segment is emptied before, also one that the purge would keep. Destructions that were
 * held up go on first.
 *
 * Rules not named below: FLAG-035, MINI-042, MINI-057, PLACE-026, SUBMIT-046, SUBMIT-047, TDR-041.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

#include <stdlib.h>

void purge_init(struct purge *purge, enum evict_reason reason, enum vidmm_rule rule)
{
    *purge = (struct purge){ .reason = reason };
    for (size_t id = 0; id < ARRAY_COUNT(purge->parts); id++)
        purge->parts[id].rule = rule;
}

/* ---- what is there -------------------------------------------------------------------------- */

/* The residents of a segment, by offset. */
struct residents {
    struct pageable **list;
    size_t count, capacity;
};

static int by_offset(const void *a, const void *b)
{
    uint64_t left = (*(struct pageable *const *)a)->place.victim.offset;
    uint64_t right = (*(struct pageable *const *)b)->place.victim.offset;
    return left < right ? -1 : left > right;
}

static struct residents residents_of(const adapter_t *adapter, uint32_t segment)
{
    struct residents residents = { 0 };
    struct resident_walk walk = residents_begin(adapter, segment);
    for (struct pageable *a; (a = residents_next(&walk)) != NULL;) {
        BASE_GROW(residents.list, residents.capacity, residents.count + 1);
        residents.list[residents.count++] = a;
    }
    if (residents.count)
        qsort(residents.list, residents.count, sizeof *residents.list, by_offset);
    return residents;
}

static bool stays(const struct purge *purge, const struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    const struct purge_part *part = &purge->parts[place->segment];
    if (!place->segment)
        return part->kept_bytes != 0;
    for (size_t i = 0; i < place->run_count; i++) {
        struct range run = place_runs(place)[i];
        bool kept =
            range_end(run) <= part->kept_bytes ||
            (run.offset >= part->also_kept.offset && range_end(run) <= range_end(part->also_kept));
        if (!kept)
            return false;
    }
    return true;
}

/* ---- out ------------------------------------------------------------------------------------ */

static vidmm_status empty_segment(adapter_t *adapter, const struct purge *purge, uint32_t id,
                                  bool whole);

static vidmm_status empty_segments(adapter_t *adapter, const struct purge *purge, uint32_t set)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 1; id <= adapter->setup->segment_count && !status; id++)
        if (set & segment_set_bit(adapter, id))
            status = empty_segment(adapter, purge, id, true);
    return status;
}

/* `object`: what cannot leave, 0 for a buffer. A reset that is due takes everything out itself. */
static vidmm_status stuck(adapter_t *adapter, uint64_t object, vidmm_status status)
{
    if (watch_pending(adapter))
        return status;
    return bugcheck(adapter, RULE(TDR_033), 0x10E, 0x14,
                    (uint64_t[3]){ object, (uint32_t)status, 0 },
                    "video memory cannot be emptied: %s", refusal_of(adapter)->text);
}

static vidmm_status push_out(adapter_t *adapter, const struct purge *purge,
                             struct pageable *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    if (evict_route(adapter, allocation->store.owner) == OUT_LOST) {
        /* First what can be in the way of its range, then what can fill the global limit. */
        status = empty_segments(adapter, purge, allocation->info.eviction_set);
        if (!status && evict_route(adapter, allocation->store.owner) == OUT_LOST)
            status = empty_segments(adapter, purge, places_aperture_set(adapter));
        if (!status && evict_route(adapter, allocation->store.owner) == OUT_LOST)
            status = empty_segment(adapter, purge, 0, true);
    }
    if (status)
        return status;
    status = evict_allocation(adapter, allocation, purge->reason,
                              purge->parts[allocation->place.at.segment].rule);
    return status ? stuck(adapter, allocation->handle, status) : STATUS_SUCCESS;
}

static vidmm_status empty_segment(adapter_t *adapter, const struct purge *purge, uint32_t id,
                                  bool whole)
{
    struct residents residents = residents_of(adapter, id);
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < residents.count && !status; i++) {
        struct pageable *allocation = residents.list[i];
        /* Emptying an aperture may have been first. */
        if (allocation->store.state == ALLOCATION_RESIDENT && (whole || !stays(purge, allocation)))
            status = push_out(adapter, purge, allocation);
    }
    base_free(residents.list);
    return status;
}

static vidmm_status empty_kind(adapter_t *adapter, const struct purge *purge, bool apertures)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 1; id <= adapter->setup->segment_count && !status; id++)
        if (segment_is_aperture(segment_desc(adapter, id)) == apertures)
            status = empty_segment(adapter, purge, id, false);
    return status;
}

/* SUBMIT-047: while there is no preparation that a reset would have to wait for. */
static vidmm_status unload_contexts(adapter_t *adapter, const struct purge *purge)
{
    vidmm_status status = STATUS_SUCCESS;
    for (const struct device *device = device_first(adapter); device; device = device->next)
        for (const struct allocation *a = device->allocations; a && !status; a = a->device_next)
            if (!stays(purge, &a->pageable))
                status = context_switch_away(adapter, &a->pageable);
    return status ? status : schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
}

static vidmm_status run_once(adapter_t *adapter, const struct purge *purge)
{
    vidmm_status status = unload_contexts(adapter, purge);
    if (!status)
        status = allocations_end_closed(adapter);
    /* From here on nothing is refused: no lock that loses its range stays where it is. */
    if (!status && purge->ranges)
        status = swizzle_release_every(adapter);
    if (status)
        return status;
    paging_drain(adapter, true);
    paging_begin(adapter, NULL);
    /* SUBMIT-021: all buffers are idle, and what they hold is not needed any more. */
    for (uint32_t id = 1; id <= adapter->setup->segment_count && !status; id++)
        if (purge->parts[id].kept_bytes < segment_desc(adapter, id)->bytes)
            status = dma_buffers_empty(adapter, id);
    if (!status)
        status = empty_kind(adapter, purge, false);
    if (!status)
        status = empty_kind(adapter, purge, true);
    if (!status)
        status = empty_segment(adapter, purge, 0, false);
    if (status)
        status = stuck(adapter, 0, status);
    vidmm_status ended = paging_close(adapter);
    if (!status)
        status = ended;
    if (!status)
        status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
    paging_drain(adapter, false);
    return status;
}

/* TDR-028: a wait for paging inside of it is refused before a reset. That takes out more than was
   asked for, and the system goes on. */
vidmm_status purge_run(adapter_t *adapter, const struct purge *purge)
{
    for (;;) {
        uint64_t resets = watch_resets(adapter);
        vidmm_status status = run_once(adapter, purge);
        tdr_work(adapter);
        if (adapter_stopped(adapter))
            return adapter_usable(adapter);
        if (!status || resets == watch_resets(adapter))
            return status;
    }
}

/* ---- what should have gone before ----------------------------------------------------------- */

/* Pinned, and about to leave all the same. */
static bool loses_pin(const struct purge *purge, const struct pageable *allocation)
{
    return allocation->store.state == ALLOCATION_RESIDENT && allocation->place.pinned &&
           !stays(purge, allocation);
}

/* Of the copies in a link the first one stands for all. */
static bool is_first(const struct purge *purge, const struct pageable *copy)
{
    const struct pageable *first = allocation_whole_of(copy);
    while (!loses_pin(purge, first))
        first = first->place.next_copy;
    return first == copy;
}

static const char *occasion(enum evict_reason reason)
{
    if (reason == EVICT_LEVEL3)
        return "at level three";
    return reason == EVICT_PNP_STOP ? "when the driver is stopped"
                                    : "when the machine goes to sleep";
}

vidmm_status purge_warn(adapter_t *adapter, const struct purge *purge)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 0; id <= adapter->setup->segment_count; id++) {
        struct residents residents = residents_of(adapter, id);
        for (size_t i = 0; i < residents.count && !status; i++) {
            const struct pageable *a = residents.list[i], *whole = allocation_whole_of(a);
            /* Scan-out is not the caller's to end, and a context cannot unload itself. */
            bool of_caller =
                !whole->place.displayed && !whole->of_context && !whole->shared_primary;
            const struct pin_cause cause = pageable_pinned_by(a);
            bool by_request = cause.rule == RULE(PAGE_051);
            if (of_caller && loses_pin(purge, a) && is_first(purge, a))
                status =
                    warn(adapter, RULE(PAGE_053), a->handle, "%s is still pinned %s: %s%s",
                         a->label, occasion(purge->reason), cause.why,
                         by_request ? "" : "; overlays are destroyed and captures stopped before");
        }
        base_free(residents.list);
    }
    return status;
}

vidmm_status purge_everything(adapter_t *adapter, enum evict_reason reason, enum vidmm_rule rule)
{
    struct purge purge;
    purge_init(&purge, reason, rule);
    purge.ranges = true;
    return purge_run(adapter, &purge);
}
