/* SPDX-License-Identifier: MIT */
/*
 * swizzle.c: swizzling ranges: windows of the GPU through which the CPU sees an allocation as
 * linear while it stays as it is.
 *
 * A range is remembered under its allocation and the private data of the lock that asked for it,
 * until the allocation leaves its place, or until another allocation needs a range and nobody locks
 * this one. The calls are ordinary CPU work: no paging buffer and no fence has to do with them.
 */
#include "vidmm/cpu/swizzle.h"
#include "paging/buffer/buffer.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"

/* ---- the books ------------------------------------------------------------------------------ */

/* Into or out of the list of ranges that may be taken away, as the one that was used last. */
static void set_idle(struct swizzling_ranges *all, struct swizzling_range *range, bool idle)
{
    if (range->idle)
        DL_DELETE2(all->oldest, range, older, newer);
    if (idle)
        DL_APPEND2(all->oldest, range, older, newer);
    range->idle = idle;
}

/* The lowest free number; false: all are set up. */
static bool free_id(adapter_t *adapter, uint32_t *id)
{
    struct swizzling_ranges *all = &adapter->cpu->swizzling;
    while (all->first_free < all->count && all->by_id[all->first_free])
        all->first_free++;
    *id = all->first_free;
    return *id < min_u64(adapter->setup->caps.swizzling_ranges, VIDMM_RANGES_MAX);
}

static void leave_books(adapter_t *adapter, struct swizzling_range *range)
{
    struct swizzling_ranges *all = &adapter->cpu->swizzling;
    struct swizzling_range **at = &cpu_own(range->allocation)->ranges;
    while (*at != range)
        at = &(*at)->next;
    *at = range->next;
    set_idle(all, range, false);
    all->by_id[range->id] = NULL;
    if (range->id < all->first_free)
        all->first_free = range->id;
}

/* Within an allocation they stand in the order of their last use, the newest last. */
void swizzle_use(adapter_t *adapter, struct swizzling_range *range)
{
    struct swizzling_range **at = &cpu_own(range->allocation)->ranges;
    while (*at) {
        set_idle(&adapter->cpu->swizzling, *at, false);
        if (*at == range)
            *at = range->next;
        else
            at = &(*at)->next;
    }
    range->next = NULL;
    *at = range;
}

void swizzle_unuse(adapter_t *adapter, struct allocation *allocation)
{
    for (struct swizzling_range *range = cpu_of(allocation)->ranges; range; range = range->next)
        set_idle(&adapter->cpu->swizzling, range, !range->kept);
}

/* ---- release -------------------------------------------------------------------------------- */

vidmm_status swizzle_release(adapter_t *adapter, struct swizzling_range *range,
                             enum vidmm_rule rule)
{
    const struct swizzling_range gone = *range;
    struct allocation *allocation = gone.allocation;
    DXGKARG_RELEASESWIZZLINGRANGE arg = { allocation->pageable.driver_handle, gone.data, gone.id };
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, ReleaseSwizzlingRange,
                                  adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, ReleaseSwizzlingRange, answer, allocation->pageable.handle,
                    f_number("RangeId", gone.id), f_number("PrivateDriverData", gone.data));
    if (answer)
        return bugcheck(adapter, RULE(BUG_017), 0x10E, 0x10,
                        (uint64_t[3]){ allocation->pageable.handle, (uint32_t)answer, 0 },
                        "DxgkDdiReleaseSwizzlingRange fails for range %u of %s", gone.id,
                        allocation->pageable.label);
    leave_books(adapter, range);
    base_free(range);
    count_up(adapter, VIDMM_COUNTER_NB_RANGES_RELEASED, 1);
    EMIT(adapter, RELEASE_RANGE, rule, allocation->pageable.handle, f_number("id", gone.id),
         f_number("data", gone.data));
    if (gone.alternate && !alternate_in_use(allocation))
        alternate_release(adapter, allocation);
    return adapter_usable(adapter);
}

/* By number: the order in which they were acquired does not matter. */
static struct swizzling_range *lowest_of(const struct allocation *allocation, bool kept)
{
    struct swizzling_range *lowest = NULL;
    for (struct swizzling_range *range = cpu_of(allocation)->ranges; range; range = range->next)
        if ((kept || !range->kept) && (!lowest || range->id < lowest->id))
            lowest = range;
    return lowest;
}

/* All that are over the place of the allocation, and if `kept` that of SWIZ-023, too; fails when
   the driver does. */
static vidmm_status release_all(adapter_t *adapter, struct allocation *allocation, bool kept,
                                enum vidmm_rule rule)
{
    vidmm_status status = STATUS_SUCCESS;
    struct swizzling_range *range;
    while (!status && (range = lowest_of(allocation, kept)) != NULL)
        status = swizzle_release(adapter, range, rule);
    return status;
}

vidmm_status swizzle_end(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable)))
        status = release_all(adapter, a, true, RULE(SWIZ_016));
    return status;
}

vidmm_status swizzle_release_every(adapter_t *adapter)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t id = 0; id < adapter->cpu->swizzling.count && !status; id++)
        if (adapter->cpu->swizzling.by_id[id] && !adapter->cpu->swizzling.by_id[id]->kept)
            status = swizzle_release(adapter, adapter->cpu->swizzling.by_id[id], RULE(SWIZ_029));
    return status;
}

/* SWIZ-017: the range that was used least recently, of an allocation without a lock through one
   that is not the one that needs it. Copies in a link are locked together. */
static vidmm_status take_one_away(adapter_t *adapter, const struct allocation *allocation,
                                  bool *taken)
{
    struct swizzling_range *range = adapter->cpu->swizzling.oldest;
    while (range && allocation_whole_of(&range->allocation->pageable) ==
                        allocation_whole_of(&allocation->pageable))
        range = range->newer;
    *taken = range != NULL;
    return range ? swizzle_release(adapter, range, RULE(SWIZ_017)) : STATUS_SUCCESS;
}

/* ---- acquire -------------------------------------------------------------------------------- */

/* SEG-022: where the CPU sees it without a range. Only an alternate one lies elsewhere than over
   memory that the CPU sees. */
static uint64_t plain_address(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct place *place = &allocation->pageable.place.at;
    return segment_desc(adapter, place->segment)->cpu_base + place->one.offset;
}

static NTSTATUS call_acquire(adapter_t *adapter, const struct allocation *allocation,
                             DXGKARG_ACQUIRESWIZZLINGRANGE *arg)
{
    const DXGKARG_ACQUIRESWIZZLINGRANGE asked = *arg;
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, AcquireSwizzlingRange,
                                  adapter->setup->driver, arg);
    arg->PrivateDriverData = asked.PrivateDriverData; /* members that the driver only reads */
    arg->RangeId = asked.RangeId;
    arg->SegmentId = asked.SegmentId;
    applies(adapter, RULE(SWIZ_025));
    DRIVER_CALL_END(adapter, AcquireSwizzlingRange, answer, allocation->pageable.handle,
                    f_number("RangeId", arg->RangeId),
                    f_number("PrivateDriverData", arg->PrivateDriverData),
                    f_segment("SegmentId", arg->SegmentId), f_hex("RangeSize", arg->RangeSize),
                    f_hex("CPUTranslatedAddress", (uint64_t)arg->CPUTranslatedAddress.QuadPart));
    return answer;
}

/* What is wrong with a success, or NULL. */
static const char *answer_wrong(const DXGKARG_ACQUIRESWIZZLINGRANGE *arg, uint64_t bytes,
                                uint64_t address, bool alternate, enum vidmm_rule *rule)
{
    *rule = RULE(SWIZ_014);
    if (!arg->CPUTranslatedAddress.QuadPart)
        return "no CPUTranslatedAddress";
    if (alternate)
        return NULL;
    *rule = RULE(SWIZ_020);
    if (arg->RangeSize != bytes)
        return "another RangeSize, which only a lock with UseAlternateVA permits";
    if ((uint64_t)arg->CPUTranslatedAddress.QuadPart != address)
        return "another offset in the CPU's view of the segment";
    return NULL;
}

static void set_up(adapter_t *adapter, struct allocation *allocation,
                   const DXGKARG_ACQUIRESWIZZLINGRANGE *arg, bool alternate,
                   struct swizzling_range **range)
{
    struct swizzling_ranges *all = &adapter->cpu->swizzling;
    *range = base_alloc(1, sizeof **range);
    **range = (struct swizzling_range){ .id = arg->RangeId,
                                        .data = arg->PrivateDriverData,
                                        .bytes = arg->RangeSize,
                                        .cpu = (uint64_t)arg->CPUTranslatedAddress.QuadPart,
                                        .alternate = alternate,
                                        .allocation = allocation };
    BASE_GROW(all->by_id, all->capacity, (size_t)arg->RangeId + 1);
    if (arg->RangeId == all->count) /* it is the lowest free one */
        all->count++;
    all->by_id[arg->RangeId] = *range;
    (*range)->next = cpu_of(allocation)->ranges;
    cpu_own(allocation)->ranges = *range;
    set_idle(all, *range, !swizzle_in_use(allocation));
    applies(adapter, RULE(SWIZ_012));
    if ((*range)->next)
        applies(adapter, RULE(SWIZ_018));
    count_up(adapter, VIDMM_COUNTER_NB_RANGES_ACQUIRED, 1);
    EMIT(adapter, ACQUIRE_RANGE, alternate ? RULE(SWIZ_019) : RULE(SWIZ_014),
         allocation->pageable.handle, f_number("id", arg->RangeId),
         f_number("data", arg->PrivateDriverData),
         f_segment("segment", allocation->pageable.place.at.segment),
         f_bytes("bytes", arg->RangeSize), f_hex("cpu", (*range)->cpu));
}

/* A success: good, or given back because the answer cannot be used. */
static vidmm_status judge_success(adapter_t *adapter, struct allocation *allocation,
                                  const DXGKARG_ACQUIRESWIZZLINGRANGE *arg, bool alternate,
                                  struct swizzling_range **range)
{
    struct pageable *pageable = &allocation->pageable;
    enum vidmm_rule rule;
    uint64_t address = plain_address(adapter, allocation);
    const char *wrong = answer_wrong(arg, pageable->info.bytes, address, alternate, &rule);
    set_up(adapter, allocation, arg, alternate, range);
    if (!wrong)
        return STATUS_SUCCESS;
    finding(adapter, rule, pageable->handle, "DxgkDdiAcquireSwizzlingRange answers for %s with %s",
            pageable->label, wrong);
    vidmm_status status = adapter_usable(adapter);
    if (!status)
        status = swizzle_release(adapter, *range, rule);
    *range = NULL;
    return status;
}

/* Asks until the driver agrees, refuses for good, or no range is left to be taken away. */
static vidmm_status ask(adapter_t *adapter, struct allocation *allocation, uint32_t data,
                        bool alternate, struct swizzling_range **range)
{
    vidmm_status status = STATUS_SUCCESS;
    bool again = true;
    while (again && !status) {
        DXGKARG_ACQUIRESWIZZLINGRANGE arg = {
            .hAllocation = allocation->pageable.driver_handle,
            .PrivateDriverData = data,
            .SegmentId = segment_driver_id(adapter, allocation->pageable.place.at.segment),
            .RangeSize = (SIZE_T)allocation->pageable.info.bytes,
        };
        if (!alternate)
            arg.CPUTranslatedAddress.QuadPart = (LONGLONG)plain_address(adapter, allocation);
        if (!free_id(adapter, &arg.RangeId)) {
            status = take_one_away(adapter, allocation, &again);
            continue;
        }
        NTSTATUS answer = call_acquire(adapter, allocation, &arg);
        if (answer == STATUS_SUCCESS)
            return judge_success(adapter, allocation, &arg, alternate, range);
        applies(adapter, RULE(SWIZ_017));
        if (answer == STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED)
            return adapter_usable(adapter);
        if (answer != STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE)
            return bugcheck(adapter, RULE(BUG_017), 0x10E, 0xF,
                            (uint64_t[3]){ allocation->pageable.handle, (uint32_t)answer, 0 },
                            "DxgkDdiAcquireSwizzlingRange may not answer 0x%08x", (unsigned)answer);
        status = take_one_away(adapter, allocation, &again);
    }
    return status;
}

vidmm_status swizzle_acquire(adapter_t *adapter, struct allocation *allocation, uint32_t data,
                             bool alternate, struct swizzling_range **range)
{
    *range = cpu_of(allocation)->ranges;
    while (*range && (*range)->data != data && !(*range)->kept)
        *range = (*range)->next;
    if (*range) {
        applies(adapter, RULE(SWIZ_015));
        return STATUS_SUCCESS;
    }
    /* A driver without these calls has no ranges, whatever it reports. */
    if (!adapter->setup->ddi->DxgkDdiAcquireSwizzlingRange ||
        !adapter->setup->ddi->DxgkDdiReleaseSwizzlingRange)
        return STATUS_SUCCESS;
    return ask(adapter, allocation, data, alternate, range);
}

static vidmm_status keep_one(adapter_t *adapter, struct allocation *allocation)
{
    struct swizzling_range *range = NULL;
    vidmm_status status = swizzle_acquire(adapter, allocation, 0, true, &range);
    if (status)
        return status;
    if (!range)
        return refuse(adapter, RULE(SWIZ_023), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
                      "no swizzling range is left for the alternate address of %s",
                      allocation->pageable.label);
    if (!alternate_assign(adapter, allocation, range))
        return refuse(adapter, RULE(SWIZ_019), STATUS_NO_MEMORY, "no address is left for %s",
                      allocation->pageable.label);
    range->kept = true;
    swizzle_unuse(adapter, allocation);
    return STATUS_SUCCESS;
}

/* Each instance in a link has an address of its own. */
vidmm_status swizzle_keep(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable)))
        status = keep_one(adapter, a);
    return status;
}

bool swizzle_keeps(const struct allocation *allocation)
{
    const struct swizzling_range *range = cpu_of(allocation)->ranges;
    return range && range->kept; /* every lock goes through it: it is the only one */
}

/* ---- what evictions do ---------------------------------------------------------------------- */

bool swizzle_unswizzles(const struct allocation *allocation)
{
    return allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED) &&
           (cpu_of(allocation)->unswizzle || swizzle_in_use(allocation));
}

void swizzle_redirect(struct allocation *allocation)
{
    if (lock_leave_ranges(allocation))
        cpu_own(allocation)->lock_view = VIDMM_VIEW_BACKING;
}

/* The CPU goes on where the content is going to be. */
static void redirect_locks(struct allocation *allocation)
{
    bool alternate = alternate_in_use(allocation);
    (void)lock_leave_ranges(allocation);
    if (alternate)
        cpu_own(allocation)->alternate->holds = true;
    cpu_own(allocation)->lock_view = alternate ? VIDMM_VIEW_ALTERNATE : VIDMM_VIEW_BACKING;
}

vidmm_status swizzle_leave(adapter_t *adapter, struct pageable *pageable)
{
    struct allocation *allocation = allocation_of(pageable);
    if (!allocation->cpu) /* no range, and what has a place is linear nowhere */
        return STATUS_SUCCESS;
    bool used = swizzle_in_use(allocation);
    bool linear = swizzle_unswizzles(allocation);
    vidmm_status status = STATUS_SUCCESS;
    if (used) {
        status = paging_flush(adapter);
        applies(adapter, RULE(PAGE_029));
        if (!status)
            status =
                schedule_wait_fences(adapter, pageable->transfer.fences, VIDMM_WAIT_LOCK_SUSPENDED,
                                     RULE(SWIZ_009), paging_waiter(adapter, pageable));
    }
    if (!status)
        status = release_all(adapter, allocation, false, used ? RULE(SWIZ_009) : RULE(SWIZ_016));
    if (status)
        return status;
    if (used)
        redirect_locks(allocation);
    content_is_linear(pageable, linear);
    if (linear)
        applies(adapter, RULE(SWIZ_001));
    return STATUS_SUCCESS;
}

const char *swizzle_problem(const adapter_t *adapter)
{
    const struct swizzling_ranges *all = &adapter->cpu->swizzling;
    const uint64_t *counters = counters_of(adapter);
    uint64_t idle = 0, live = 0, numbered = 0;
    for (const struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        const struct allocation *allocation = allocation_of(a);
        const struct swizzling_range *range = cpu_of(allocation)->ranges;
        for (; range; range = range->next, live++) {
            if (range->allocation != allocation || all->by_id[range->id] != range)
                return "a range is not that of its number";
            if (range->idle == (range->kept || swizzle_in_use(allocation)))
                return "a range may be taken away from a lock, or never";
            if (range->kept && range->next)
                return "a range that is kept is not the only one";
            idle += range->idle;
        }
    }
    for (size_t id = 0; id < all->count; id++)
        numbered += all->by_id[id] != NULL;
    for (const struct swizzling_range *range = all->oldest; range; range = range->newer)
        idle--;
    if (idle)
        return "the list of ranges that may be taken away is wrong";
    return numbered == live && live == counters[VIDMM_COUNTER_NB_RANGES_ACQUIRED] -
                                           counters[VIDMM_COUNTER_NB_RANGES_RELEASED]
               ? NULL
               : "ranges are counted wrongly";
}

void swizzle_stop(adapter_t *adapter)
{
    for (size_t id = 0; id < adapter->cpu->swizzling.count; id++)
        base_free(adapter->cpu->swizzling.by_id[id]);
    base_free(adapter->cpu->swizzling.by_id);
}

vidmm_status swizzle_move(adapter_t *adapter, struct pageable *pageable)
{
    return release_all(adapter, allocation_of(pageable), false, RULE(SWIZ_016));
}
