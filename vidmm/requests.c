/* SPDX-License-Identifier: MIT */
/*
 * requests.c: what callers ask of the manager directly: submit, wait, let time pass, bring in, push
 * out, pin, and CPU access under a lock.
 *
 * Rules not named below: PLACE-001, TIME-020.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

static vidmm_status find_any(adapter_t *adapter, vidmm_handle handle,
                             struct allocation **allocation)
{
    *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    shared_spoken(adapter, handle);
    if (*allocation)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(SUBMIT_002), STATUS_INVALID_HANDLE, "%s names no live allocation",
                  shared_word(adapter, handle).it);
}

static vidmm_status find_allocation(adapter_t *adapter, vidmm_handle handle,
                                    struct allocation **allocation)
{
    vidmm_status status = adapter_usable(adapter);
    return status ? status : find_any(adapter, handle, allocation);
}

/* For the CPU, which may go on where the GPU may not (LOCK-060). */
static vidmm_status find_for_cpu(adapter_t *adapter, vidmm_handle handle,
                                 struct allocation **allocation)
{
    if (!exclude_holds(adapter))
        return find_allocation(adapter, handle, allocation);
    vidmm_status status = adapter_alive(adapter);
    if (!status)
        status = find_any(adapter, handle, allocation);
    return status ? status : exclude_access(adapter, *allocation);
}

/* ---- rendering and time --------------------------------------------------------------------- */

vidmm_status vidmm_submit(struct vidmm_adapter *adapter, const struct vidmm_work *work,
                          struct vidmm_submission *submission)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    for (size_t i = 0; i < work->use_count; i++)
        shared_spoken(adapter, work->uses[i].allocation);
    turns_begin(adapter);
    return submit_work(adapter, work, submission);
}

vidmm_status vidmm_wait(struct vidmm_adapter *adapter, struct vidmm_submission submission)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (submission.node >= adapter->setup->caps.nodes ||
        submission.fence > fences_of(adapter)->issued[submission.node])
        return refuse(adapter, RULE(TIME_012), STATUS_INVALID_PARAMETER,
                      "fence %u of node %u was never given out", submission.fence, submission.node);
    return schedule_wait_fence(adapter, submission.node, submission.fence, VIDMM_WAIT_SCRIPT,
                               RULE(TIME_012), NULL);
}

vidmm_status vidmm_wait_idle(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    return status ? status : schedule_wait_idle(adapter, VIDMM_WAIT_SCRIPT, RULE(TIME_014));
}

vidmm_status vidmm_advance(struct vidmm_adapter *adapter, vidmm_ns duration)
{
    vidmm_status status = adapter_alive(adapter);
    vidmm_ns until;
    if (status)
        return status;
    if (!add_fits(clock_now(adapter), duration, &until) || until == VIDMM_NEVER)
        return refuse(adapter, RULE(TIME_002), STATUS_INVALID_PARAMETER, "time ends after 2^64 ns");
    schedule_deferred(adapter); /* what an access of the CPU has left */
    vidmm_ns due;
    while (timeline_next_due(clock_of(adapter), &due) && due <= until &&
           !adapter_stopped(adapter)) {
        (void)timeline_step(clock_of(adapter));
        schedule_deferred(adapter);
    }
    /* Deferred work costs time itself and may have gone beyond. */
    if (!adapter_stopped(adapter) && clock_now(adapter) < until)
        timeline_run_until(clock_of(adapter), until);
    return adapter_alive(adapter);
}

/* ---- residency ------------------------------------------------------------------------------ */

static vidmm_status end_preparation(adapter_t *adapter, vidmm_status status)
{
    residency_unbind(adapter);
    vidmm_status ended = paging_close(adapter);
    return status ? status : ended;
}

vidmm_status vidmm_page_in(struct vidmm_adapter *adapter, vidmm_handle handle, bool write)
{
    struct allocation *allocation;
    vidmm_status status = find_allocation(adapter, handle, &allocation);
    if (status)
        return status;
    pageable_fetch(adapter, &allocation->pageable);
    status = offer_check_use(adapter, allocation, handle, RULE(OFFER_005));
    if (status)
        return status;
    turns_begin(adapter);
    struct device *device = shared_caller(allocation, handle);
    paging_begin(adapter, device);
    residency_bind(adapter, &allocation->pageable);
    return end_preparation(adapter,
                           residency_require(adapter, &allocation->pageable, write, device));
}

/* Of a link, on any adapter: what a request finds there it pins, or pushes out. */
static bool is_somewhere(const struct pageable *allocation)
{
    bool resident = false;
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        resident |= a->store.state == ALLOCATION_RESIDENT;
    return resident;
}

vidmm_status vidmm_evict(struct vidmm_adapter *adapter, vidmm_handle handle)
{
    struct allocation *allocation;
    vidmm_status status = find_allocation(adapter, handle, &allocation);
    if (status)
        return status;
    if (!is_somewhere(&allocation->pageable))
        return STATUS_SUCCESS;
    bool by_context = context_is_loaded(adapter, &allocation->pageable) &&
                      !allocation->pageable.place.pinned_anyway;
    if (link_pinned(&allocation->pageable) && !by_context)
        return refuse(adapter, RULE(PAGE_051), STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                      "%s is pinned: %s", allocation->pageable.label,
                      pageable_pinned_by(&allocation->pageable).why);
    paging_begin(adapter, shared_caller(allocation, handle));
    return end_preparation(adapter, link_evict(adapter, &allocation->pageable, EVICT_SCRIPT,
                                               RULE(PAGE_027)));
}

vidmm_status vidmm_pin(struct vidmm_adapter *adapter, vidmm_handle handle)
{
    struct allocation *allocation;
    vidmm_status status = find_allocation(adapter, handle, &allocation);
    if (status)
        return status;
    if (!is_somewhere(&allocation->pageable))
        return refuse(adapter, RULE(PAGE_051), STATUS_INVALID_PARAMETER,
                      "%s is not resident, there is nothing to pin", allocation->pageable.label);
    status = offer_check_use(adapter, allocation, handle, RULE(OFFER_006));
    if (status)
        return status;
    residency_keep_pinned(&allocation->pageable, true);
    residency_pin(adapter, &allocation->pageable, true);
    return STATUS_SUCCESS;
}

vidmm_status vidmm_unpin(struct vidmm_adapter *adapter, vidmm_handle handle)
{
    struct allocation *allocation;
    vidmm_status status = find_allocation(adapter, handle, &allocation);
    if (status)
        return status;
    /* What holds it besides may hold a request's pin as well: that one is taken back. */
    const struct pageable *pageable = &allocation->pageable;
    bool held = pageable->place.displayed || context_is_loaded(adapter, pageable);
    if (allocation_is_pinned_at_creation(pageable) || (held && !pageable->place.pinned_anyway)) {
        const struct pin_cause cause = pageable_pinned_by(pageable);
        return refuse(adapter, cause.rule, STATUS_INVALID_PARAMETER,
                      "a request cannot unpin %s: %s", pageable->label, cause.why);
    }
    /* The pin of a request ends with its place. */
    if (!link_pinned(&allocation->pageable))
        return refuse(adapter, RULE(PAGE_051), STATUS_INVALID_PARAMETER,
                      "%s is not pinned, there is nothing to take back", pageable->label);
    residency_pin(adapter, &allocation->pageable, held);
    /* After the event, which says what pinned it. */
    residency_keep_pinned(&allocation->pageable, false);
    return STATUS_SUCCESS;
}

vidmm_status vidmm_reset_watch(struct vidmm_adapter *adapter, vidmm_handle handle)
{
    struct allocation *allocation;
    vidmm_status status = find_allocation(adapter, handle, &allocation);
    if (status)
        return status;
    if (!(allocation->pageable.kmt & VIDMM_KMT_WriteWatch))
        return refuse(adapter, RULE(KMT_023), STATUS_INVALID_PARAMETER,
                      "%s was created without WriteWatch", allocation->pageable.label);
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable)))
        if (a->cpu)
            page_set_clear(&a->cpu->written);
    return STATUS_SUCCESS;
}

/* ---- CPU access under a lock ---------------------------------------------------------------- */

enum { LOCK_FLAG_READ_ONLY = 0x1, LOCK_FLAG_WRITE_ONLY = 0x2 };

/* LOCK-067: what a lock does not permit is reported, and done. */
static vidmm_status check_access(adapter_t *adapter, const struct allocation *allocation,
                                 uint32_t forbidding, const char *verb)
{
    if (lock_has_without(allocation, forbidding))
        return STATUS_SUCCESS;
    return warn(adapter, RULE(LOCK_067), allocation->pageable.handle, "the CPU %s %s %s", verb,
                allocation->pageable.label,
                cpu_of(allocation)->lock_count ? "against its lock flags" : "without a lock");
}

static vidmm_status check_range(adapter_t *adapter, const struct allocation *allocation,
                                uint64_t offset, uint64_t bytes)
{
    uint64_t all = lock_bytes(&allocation->pageable);
    if (bytes && offset < all && bytes <= all - offset)
        return STATUS_SUCCESS;
    if (!bytes)
        return refuse(adapter, RULE(LOCK_067), STATUS_INVALID_PARAMETER,
                      "from %s on 0 bytes of %s are meant: an access has one at least",
                      words_size(offset).it, allocation->pageable.label);
    return refuse(adapter, RULE(LOCK_067), STATUS_INVALID_PARAMETER,
                  "%s from %s on are not all inside %s, which has %s", words_size(bytes).it,
                  words_size(offset).it, allocation->pageable.label, words_size(all).it);
}

/* By way of which view: without a lock, where one would lead. Through an aperture the CPU sees the
   pages of the store, too (SWIZ-024). */
static const char *access_word(const struct allocation *allocation, bool segment)
{
    if (cpu_of(allocation)->lock_count)
        return lock_view_word(allocation);
    return segment ? "segment" : "backing";
}

/* LINK-010: the bytes [*offset, *offset + *bytes) that are in this part, which begins at `start`.
 */
static bool clip(const struct allocation *part, uint64_t start, uint64_t *offset, uint64_t *bytes)
{
    uint64_t low = max_u64(*offset, start);
    uint64_t high = min_u64(*offset + *bytes, start + part->pageable.info.bytes);
    *offset = low - start;
    *bytes = low < high ? high - low : 0;
    return low < high;
}

/* Costs time by what it shows; true: a segment. */
static bool spend(adapter_t *adapter, const struct allocation *part, uint64_t bytes,
                  uint64_t segment_rate)
{
    bool segment = lock_shows_segment(adapter, part);
    cpu_spend(adapter,
              cost_time(bytes, segment ? segment_rate : adapter->setup->cost.cpu_sys_rate));
    return segment;
}

/* What can be written are the pages that writable locks name, on whichever adapter of a link. */
static bool is_named(const adapter_t *adapter, struct allocation *allocation, uint64_t offset,
                     uint64_t bytes)
{
    bool named = true, any = false;
    uint64_t start = 0;
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable))) {
        uint64_t at = offset, length = bytes;
        uint64_t first = clip(a, start, &at, &length) ? at / adapter->setup->page : 0;
        uint64_t pages = length ? divide_up(at + length, adapter->setup->page) - first : 0;
        named &= !pages || page_set_has(&a->pageable.store.cpu_dirty, first, pages);
        any |= page_set_count(&a->pageable.store.cpu_dirty) != 0;
        start += a->pageable.info.bytes;
    }
    return named || !any;
}

static vidmm_status check_write(adapter_t *adapter, struct allocation *allocation, uint64_t offset,
                                uint64_t bytes)
{
    if (is_named(adapter, allocation, offset, bytes))
        return check_access(adapter, allocation, LOCK_FLAG_READ_ONLY, "writes");
    return warn(adapter, RULE(LOCK_067), allocation->pageable.handle,
                "the CPU writes pages of %s that its locks do not name",
                allocation->pageable.label);
}

/* What it is about, over all parts of the allocation. */
struct cpu_access {
    struct device *device;
    uint64_t offset, bytes;
};

static vidmm_status write_part(adapter_t *adapter, struct allocation *part, uint64_t start,
                               const struct cpu_access *access)
{
    uint64_t offset = access->offset, bytes = access->bytes;
    if (!clip(part, start, &offset, &bytes))
        return STATUS_SUCCESS;
    vidmm_status status = lock_follow_eviction(adapter, part, access->device);
    if (status)
        return status;
    /* Pages of discarded content may be on their way out. */
    if (part->pageable.store.state == ALLOCATION_NO_CONTENT ||
        (!lock_shows_segment(adapter, part) && !backing_of(&part->pageable)->populated))
        return refuse(adapter, RULE(LOCK_067), STATUS_INVALID_PARAMETER,
                      cpu_of(part)->lock_count
                          ? "%s has lost its store under the lock: there is nothing to write to"
                          : "%s has no store to write to: lock it first",
                      part->pageable.label);
    uint64_t first = offset / adapter->setup->page;
    uint64_t pages = divide_up(offset + bytes, adapter->setup->page) - first;
    bool segment = spend(adapter, part, bytes, adapter->setup->cost.cpu_bar_write_rate);
    content_cpu_write(adapter, part, first, pages,
                      content_stamp(adapter, part->pageable.label, "the CPU"));
    if (!segment)
        coherency_cpu_wrote(&part->pageable, first, pages);
    EMIT(adapter, CPU_WRITE, RULE(LOCK_067), part->pageable.handle, f_hex("offset", start + offset),
         f_bytes("bytes", bytes), f_number("pages", pages),
         f_word("via", access_word(part, segment)));
    return STATUS_SUCCESS;
}

vidmm_status vidmm_cpu_write(struct vidmm_adapter *adapter, vidmm_handle handle, uint64_t offset,
                             uint64_t bytes)
{
    struct allocation *allocation;
    vidmm_status status = find_for_cpu(adapter, handle, &allocation);
    if (!status)
        status = check_range(adapter, allocation, offset, bytes);
    if (!status)
        status = check_write(adapter, allocation, offset, bytes);
    if (status)
        return status;
    struct cpu_access access = { shared_caller(allocation, handle), offset, bytes };
    uint64_t start = 0;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable))) {
        status = write_part(adapter, a, start, &access);
        start += a->pageable.info.bytes;
    }
    return status;
}

static vidmm_status read_part(adapter_t *adapter, struct allocation *part, uint64_t start,
                              const struct cpu_access *access, bool *intact)
{
    uint64_t offset = access->offset, bytes = access->bytes, page;
    if (!clip(part, start, &offset, &bytes))
        return STATUS_SUCCESS;
    vidmm_status status = lock_follow_eviction(adapter, part, access->device);
    if (status)
        return status;
    bool segment = spend(adapter, part, bytes, adapter->setup->cost.cpu_bar_read_rate);
    bool lost = part->pageable.store.state == ALLOCATION_LOST; /* nothing is promised any more */
    if (lost)
        status = warn(adapter, RULE(LOCK_067), part->pageable.handle,
                      "the CPU reads %s, whose content was lost", part->pageable.label);
    if (status)
        return status;
    bool right =
        lost      ? true
        : segment ? content_place_intact(adapter, &part->pageable, &part->pageable.place.at, &page)
        : backing_of(&part->pageable)->populated
            ? content_backing_intact(adapter, &part->pageable, &page)
            : part->pageable.store.state == ALLOCATION_NO_CONTENT;
    /* Without a lock the CPU may see an older copy: the caller's mistake, and warned of. */
    bool held = cpu_of(part)->lock_count != 0;
    if (!right && held)
        finding(adapter, RULE(LOCK_067), part->pageable.handle,
                "the CPU read of %s does not see what it should", part->pageable.label);
    EMIT(adapter, CPU_READ, RULE(LOCK_067), part->pageable.handle, f_hex("offset", start + offset),
         f_bytes("bytes", bytes), f_flag("intact", right && !lost),
         f_word("via", access_word(part, segment)));
    *intact &= right || !held;
    return STATUS_SUCCESS;
}

vidmm_status vidmm_cpu_read(struct vidmm_adapter *adapter, vidmm_handle handle, uint64_t offset,
                            uint64_t bytes, bool *intact)
{
    struct allocation *allocation;
    vidmm_status status = find_for_cpu(adapter, handle, &allocation);
    if (!status)
        status = check_range(adapter, allocation, offset, bytes);
    if (!status)
        status = check_access(adapter, allocation, LOCK_FLAG_WRITE_ONLY, "reads");
    if (status)
        return status;
    struct cpu_access access = { shared_caller(allocation, handle), offset, bytes };
    uint64_t start = 0;
    *intact = true;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable))) {
        status = read_part(adapter, a, start, &access, intact);
        start += a->pageable.info.bytes;
    }
    return status;
}
