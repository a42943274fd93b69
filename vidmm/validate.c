/* SPDX-License-Identifier: MIT */
/*
 * validate.c: vidmm_check(): does everything fit together?
 *
 * Segments: nobody overlaps, taken and free add up, the books agree with who is there. Allocations:
 * place, state, store and fences belong together. System pages: none has two owners, none is lost.
 * DMA buffers: no idle one is lost. CPU access: locks, ranges and mappings agree with all places
 * (vidmm/cpu/cpu_check.c). Counters: the identities of TIME-023 (validate_counters.c). The first
 * thing that is wrong is said in a sentence. This is meant for tests; a paranoid build checks
 * single structures on the way (CHECK_SLOW).
 *
 * With the setting `checked` this is asked after every call of the miniport, but for what holds
 * only between two calls of the API, and in any case when the adapter goes away. What does not hold
 * then is a defect of ours, whatever the driver did: it stops the process.
 *
 * Rules not named below: ALLOC-009, PAGE-003, PAGE-062, PAGE-064 to PAGE-066, PLACE-019,
 * SUBMIT-062.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paging/buffer/buffer.h"
#include "paging/residency/offer.h"
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/validate.h"

typedef unsigned long long ull;

struct report {
    const adapter_t *adapter;
    char *text;
    size_t bytes;
    bool between; /* two calls of the API: no operation is half-way */
    /* sums over all live allocations */
    uint64_t charged, backing_bytes, locked_pages, segment_zero_bytes;
    struct range *pages; /* system pages and who has them, as runs */
    size_t page_runs, page_capacity;
    size_t idle_buffers; /* of contexts, but those that are due to be unmapped */
    struct placed_buffers placed;
};

VIDMM_PRINTF(2, 3)
static bool wrong(struct report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->text, report->bytes, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- segments ------------------------------------------------------------------------------- */

struct sums {
    uint64_t free, pinned, gaps;
};

/* Not by the handles of the layout: one that was destroyed may be held up on its way out. */
static uint64_t pinned_residents(const adapter_t *adapter, uint32_t id)
{
    struct resident_walk walk = residents_begin(adapter, id);
    uint64_t bytes = 0;
    for (const struct pageable *a; (a = residents_next(&walk)) != NULL;)
        bytes += a->place.pinned ? place_bytes(a) : 0;
    return bytes;
}

static bool check_layout(struct report *report, uint32_t id, const struct layout *layout,
                         struct sums *sums)
{
    const struct vidmm_segment_desc *desc = segment_desc(report->adapter, id);
    const char *name = segment_name(report->adapter, id);
    uint64_t at = 0;
    for (size_t i = 0; i < layout->count; i++) {
        const struct vidmm_segment_span *span = &layout->spans[i];
        if (span->offset < at)
            return wrong(report, "segment %s: two owners of offset 0x%llx", name,
                         (ull)span->offset);
        if (!is_aligned(span->offset, desc->page_bytes) ||
            !is_aligned(span->bytes, desc->page_bytes))
            return wrong(report, "segment %s: a range at 0x%llx is no multiple of the page", name,
                         (ull)span->offset);
        sums->gaps += span->offset - at;
        at = span->offset + span->bytes;
        /* What is occupied from the start never moves (SEG-052). */
        sums->pinned += strchr("prd", span->what[0]) ? span->bytes : 0;
        sums->free += span->what[0] == 'f' ? span->bytes : 0;
    }
    if (at > desc->bytes)
        return wrong(report, "segment %s: a range leaves it", name);
    sums->gaps += desc->bytes - at;
    if (sums->gaps && !(segment_is_aperture(desc) && places_leaving(report->adapter)))
        return wrong(report, "segment %s: %llu taken bytes belong to nobody", name,
                     (ull)sums->gaps);
    return true;
}

static bool check_books(struct report *report, uint32_t id, const struct sums *sums)
{
    const adapter_t *adapter = report->adapter;
    const struct segment *segment = segment_at(adapter, id);
    const char *name = segment_name(adapter, id);
    uint64_t used = segment->desc.bytes - sums->free;
    if (segment->space.free_bytes != sums->free)
        return wrong(report, "segment %s: free bytes are not the sum of the holes", name);
    if (segment->used_bytes != used)
        return wrong(report, "segment %s: %llu bytes are used, the books say %llu", name, (ull)used,
                     (ull)segment->used_bytes);
    if (segment->pinned_bytes != sums->pinned)
        return wrong(report, "segment %s: %llu bytes are pinned, the books say %llu", name,
                     (ull)sums->pinned, (ull)segment->pinned_bytes);
    if (segment->committed_bytes > segment->desc.limit)
        return wrong(report, "segment %s: more is committed than its limit allows", name);
    if (counter_of_segment(adapter, VIDMM_COUNTER_RESIDENT_BYTES, id) != used)
        return wrong(report, "segment %s: resident_bytes is not the sum of its ranges", name);
    return true;
}

static bool check_segments(struct report *report)
{
    const adapter_t *adapter = report->adapter;
    uint64_t mapped = 0;
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        const struct segment *segment = segment_at(adapter, id);
        struct layout layout = layout_of(adapter, id, &report->placed);
        struct sums sums = { .pinned = pinned_residents(adapter, id) };
        bool right = check_layout(report, id, &layout, &sums) && check_books(report, id, &sums);
        base_free(layout.spans);
        if (!right)
            return false;
        mapped += segment_is_aperture(&segment->desc) ? segment->committed_bytes : 0;
    }
    if (mapped + report->segment_zero_bytes != places_committed(adapter))
        return wrong(report, "%llu bytes are mapped in all apertures, the books say %llu",
                     (ull)(mapped + report->segment_zero_bytes), (ull)places_committed(adapter));
    if (places_committed(adapter) > adapter->setup->shared_limit)
        return wrong(report, "more is mapped in all apertures than the global limit allows");
    return true;
}

/* ---- allocations ---------------------------------------------------------------------------- */

static bool check_place(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    const char *problem = pageable_state_problem(pageable);
    if (pageable->place.at.segment > report->adapter->setup->segment_count)
        return wrong(report, "%s lies in a segment that does not exist", pageable->label);
    return problem ? wrong(report, "%s%s", pageable->label, problem) : true;
}

static bool check_fences(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    const adapter_t *adapter = report->adapter;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        /* What is built names the fence that it is going to carry. */
        bool next = node == adapter->setup->caps.paging_node;
        if (pageable->transfer.fences[node] > fences_of(adapter)->issued[node] + next)
            return wrong(report, "%s: marked with fence %u of node %u, which was never issued",
                         pageable->label, pageable->transfer.fences[node], node);
        if (pageable->transfer.write_fences[node] > pageable->transfer.fences[node])
            return wrong(report, "%s: written by a fence of node %u that does not refer to it",
                         pageable->label, node);
    }
    if (pageable->packet_refs && !allocation_busy(adapter, pageable))
        return wrong(report, "%s: packets refer to it, but it is idle", pageable->label);
    return true;
}

static void own_pages(struct report *report, const struct range *runs, size_t count)
{
    BASE_GROW(report->pages, report->page_capacity, report->page_runs + count);
    for (size_t i = 0; i < count; i++)
        report->pages[report->page_runs++] = runs[i];
}

/* How often pages of its store are mapped: by each copy in an aperture or in segment 0. */
static uint32_t mapped_times(const adapter_t *adapter, const struct pageable *allocation)
{
    bool all = allocation_is_mirrored(allocation);
    uint32_t times = 0;
    for (const struct pageable *a = allocation; a; a = all ? a->place.next_copy : NULL)
        times += (a->store.state == ALLOCATION_RESIDENT || a->place.at.run_count) &&
                 !place_in_memory(adapter, &a->place.at);
    return times;
}

static bool check_store(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    const struct backing *backing = backing_of(pageable);
    uint64_t pages = 0;
    if (allocation_of(pageable->store.owner) != allocation)
        return true; /* it has none */
    for (size_t i = 0; i < backing->run_count; i++)
        pages += backing_runs(backing)[i].bytes;
    if (backing->populated && pages * report->adapter->setup->page != pageable->info.bytes)
        return wrong(report, "%s: its store has %llu pages", pageable->label, (ull)pages);
    if (!backing->populated && (backing->run_count || backing->page_locks))
        return wrong(report, "%s: an empty store has pages or locks", pageable->label);
    if (report->between && !paging_under_way(report->adapter) &&
        backing->page_locks != mapped_times(report->adapter, pageable))
        return wrong(report, "%s: %u locks of its pages", pageable->label, backing->page_locks);
    report->charged += pageable->store.charged ? pageable->info.bytes : 0;
    report->locked_pages += backing->page_locks ? backing->pages : 0;
    if (backing->populated && !allocation_is_existing(pageable))
        report->backing_bytes += pageable->info.bytes;
    if (backing->populated && !backing->existing)
        own_pages(report, backing_runs(backing), backing->run_count);
    return true;
}

/* SWIZ-001, SWIZ-002, SWIZ-016. */
static bool check_format(struct report *report, const struct allocation *allocation)
{
    bool resident = allocation->pageable.store.state == ALLOCATION_RESIDENT;
    if (allocation->pageable.store.linear &&
        (resident || allocation->pageable.store.state == ALLOCATION_NO_CONTENT))
        return wrong(report, "%s is linear outside of system memory", allocation->pageable.label);
    if (allocation->pageable.store.linear &&
        !allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED))
        return wrong(report, "%s is linear, and was never swizzled", allocation->pageable.label);
    if (cpu_of(allocation)->ranges && !resident && !swizzle_keeps(allocation) &&
        allocation->pageable.store.state != ALLOCATION_CLOSED)
        return wrong(report, "%s has a swizzling range and no place", allocation->pageable.label);
    if ((lock_cpu_use(&allocation->pageable) & CPU_ELSEWHERE) && resident)
        return wrong(report, "%s has its content in two places", allocation->pageable.label);
    return true;
}

/* OFFER-006, PRIO-006. */
static bool check_offer(struct report *report, const struct allocation *allocation)
{
    bool given = offer_gives_up(&allocation->pageable);
    if (allocation->pageable.store.state == ALLOCATION_CLOSED)
        return true;
    if ((allocation->pageable.place.victim.rank != 0) != given)
        return wrong(report, "%s: its rank among the victims does not fit its offer",
                     allocation->pageable.label);
    if (offer_of(&allocation->pageable)->state != VIDMM_OFFER_NONE &&
        (cpu_of(allocation)->lock_count || allocation->pageable.place.pinned))
        return wrong(report, "%s is offered, and locked or pinned", allocation->pageable.label);
    return true;
}

/* PAGE-062: what a loaded context saves its state in may not leave unnoticed. */
static bool check_saved(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    if (!context_is_loaded(report->adapter, pageable) || pageable->store.state == ALLOCATION_CLOSED)
        return true;
    if (pageable->store.state == ALLOCATION_RESIDENT && !pageable->place.pinned)
        return wrong(report, "%s is not pinned, and its context is loaded", pageable->label);
    /* One that was made since has been nowhere, also if a page-in of it was taken back. */
    if (pageable->store.state != ALLOCATION_RESIDENT && pageable->place.last_segment)
        return wrong(report, "%s has left, and its context is loaded", pageable->label);
    return true;
}

static bool check_allocation(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    const adapter_t *adapter = report->adapter;
    const struct allocation *named = allocation_of(pageable->place.first_copy)
                                         ? allocation_of(pageable->place.first_copy)
                                         : allocation;
    if (handle_object(adapter, pageable->handle, VIDMM_OBJECT_ALLOCATION) != named &&
        pageable->store.state != ALLOCATION_CLOSED)
        return wrong(report, "%s is not what its handle names", pageable->label);
    if (pageable->store.state == ALLOCATION_RESIDENT && !pageable->place.at.segment)
        report->segment_zero_bytes += pageable->info.bytes;
    const char *problem = lock_problem(allocation);
    if (!problem && allocation_is_shared(allocation))
        problem = shared_problem(adapter, allocation);
    if (problem)
        return wrong(report, "%s: %s", pageable->label, problem);
    return check_place(report, allocation) && check_fences(report, allocation) &&
           check_store(report, allocation) && check_format(report, allocation) &&
           check_offer(report, allocation) && check_saved(report, allocation);
}

bool validate_allocation(const adapter_t *adapter, const struct allocation *allocation)
{
    char text[1];
    struct report report = { .adapter = adapter, .text = text, .bytes = sizeof text };
    bool right = check_allocation(&report, allocation);
    base_free(report.pages);
    return right;
}

/* Mirrored copies are together, and at one offset (PLACE-021). */
static bool check_copies(struct report *report, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    bool mirrored = allocation_is_mirrored(pageable);
    for (const struct allocation *a = allocation_of(pageable->place.next_copy); a;
         a = allocation_of(a->pageable.place.next_copy)) {
        if (!check_allocation(report, a))
            return false;
        bool together = (a->pageable.store.state == ALLOCATION_RESIDENT) ==
                            (pageable->store.state == ALLOCATION_RESIDENT) &&
                        a->pageable.place.at.one.offset == pageable->place.at.one.offset;
        if (mirrored && a->pageable.store.state != ALLOCATION_CLOSED && !together)
            return wrong(report, "the copies of %s are not in the same place", pageable->label);
        uint32_t locks = lock_part_count(pageable) > 1 ? cpu_of(allocation)->lock_count : 0;
        if (cpu_of(a)->lock_count != locks)
            return wrong(report, "the instances of %s are not locked together", pageable->label);
    }
    return true;
}

/* The device lists the original only. */
static bool check_instances(struct report *report, const struct allocation *original)
{
    const struct rename_list *list = rename_of(original)->list;
    const struct allocation *live = list ? list->live : NULL;
    uint32_t count = 0;
    uint64_t generation = 0;
    if (!list)
        return true;
    for (const struct allocation *a = list->first; a; a = rename_of(a)->next, count++) {
        if (a != original && (!check_allocation(report, a) || !check_copies(report, a)))
            return false;
        if (rename_of(a)->list != list || rename_of(a)->generation < generation ||
            (rename_of(a)->retired ? !rename_of(a)->superseded : a != live))
            return wrong(report, "%s stands wrongly among its instances", a->pageable.label);
        live = a == live ? rename_of(a)->live_next : live;
        generation = rename_of(a)->generation;
    }
    if (count != list->count || list->original != original)
        return wrong(report, "%s has %u instances, %u are counted", original->pageable.label, count,
                     list->count);
    return true;
}

static bool check_allocations(struct report *report)
{
    const adapter_t *adapter = report->adapter;
    uint64_t live = 0;
    for (const struct device *device = device_first(adapter); device; device = device->next)
        for (const struct allocation *a = device->allocations; a; a = a->device_next) {
            /* A driver need not have anything of its own for a context allocation. */
            live += !a->pageable.of_context || a->pageable.driver_handle;
            if (a->pageable.creator != device)
                return wrong(report, "%s is listed for a device that it is not of",
                             a->pageable.label);
            if (!check_allocation(report, a) || !check_instances(report, a) ||
                !check_copies(report, a))
                return false;
        }
    if (live != driver_handle_count(adapter) + allocations_no_kmd(adapter))
        return wrong(report, "%llu allocations live, the driver has %llu and does not know %llu",
                     (ull)live, (ull)driver_handle_count(adapter),
                     (ull)allocations_no_kmd(adapter));
    if (report->charged != commitment_charged(adapter))
        return wrong(report, "%llu bytes of commitment are charged, the books say %llu",
                     (ull)report->charged, (ull)commitment_charged(adapter));
    uint64_t commit_bytes = adapter->setup->config.machine.commit_bytes;
    if (commit_bytes && report->charged > commit_bytes)
        return wrong(report, "more commitment is charged than the machine has");
    if (report->backing_bytes != counters_of(adapter)[VIDMM_COUNTER_BACKING_BYTES])
        return wrong(report, "backing_bytes is not the sum of all stores");
    if (report->locked_pages != counters_of(adapter)[VIDMM_COUNTER_LOCKED_PAGES])
        return wrong(report, "locked_pages is not the sum over all stores");
    return true;
}

/* ---- system pages --------------------------------------------------------------------------- */

static int by_page(const void *a, const void *b)
{
    const struct range *left = a, *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* With very many packets on their way nearly all of a look is to go through their buffers: once. */
static void gather_buffers(struct report *report)
{
    for (const struct dma_buffer *b = dma_buffer_first(report->adapter); b; b = b->behind) {
        layout_gather(&report->placed, b);
        report->idle_buffers += b->context && !b->refs && !b->unmap_lost;
        if (b->backing)
            own_pages(report, backing_runs(b->backing), b->backing->run_count);
    }
}

/* Each of them waits for the next submission of its context, once. */
static bool check_idle_buffers(struct report *report)
{
    size_t lost = report->idle_buffers;
    for (const struct device *device = device_first(report->adapter); device; device = device->next)
        for (const struct context *context = device->contexts; context; context = context->next)
            for (const struct dma_buffer *b = context->idle_buffers; b; b = b->next_idle)
                if (b->context != context || b->refs || !lost--)
                    return wrong(report, "%s has a DMA buffer that is not idle", context->label);
    return lost ? wrong(report, "%zu idle DMA buffers are lost", lost) : true;
}

/* New pages are taken from one side, so there is often nothing to sort. */
static void sort_pages(struct report *report)
{
    size_t in_order = 1;
    while (in_order < report->page_runs &&
           report->pages[in_order - 1].offset < report->pages[in_order].offset)
        in_order++;
    if (in_order < report->page_runs)
        qsort(report->pages, report->page_runs, sizeof *report->pages, by_page);
}

static bool check_pages(struct report *report)
{
    const adapter_t *adapter = report->adapter;
    struct range hole = { 0 };
    bool more = true; /* holes */
    const struct system_range *range;
    uint64_t owned = 1 + paging_pages(adapter); /* one belongs to nobody (MINI-074) */
    uint64_t pages = system_space(adapter)->bytes / adapter->setup->page;
    for (size_t at = 0; (range = handle_next(adapter, VIDMM_OBJECT_SYSTEM_RANGE, &at)) != NULL;)
        own_pages(report, range->pages, range->run_count);
    sort_pages(report);
    for (size_t i = 0; i < report->page_runs; i++) {
        struct range run = report->pages[i];
        if (i && range_overlaps(report->pages[i - 1], run))
            return wrong(report, "system page %llu has two owners", (ull)run.offset);
        struct range bytes = { run.offset * adapter->setup->page,
                               run.bytes * adapter->setup->page };
        if (more && range_end(hole) <= bytes.offset)
            more = range_tree_next_hole(system_space(adapter), bytes.offset, &hole);
        if (more && range_overlaps(hole, bytes))
            return wrong(report, "system page %llu is owned and free", (ull)run.offset);
        owned += run.bytes;
    }
    pages -= system_space(adapter)->free_bytes / adapter->setup->page;
    return pages == owned ||
           wrong(report, "%llu system pages are taken, and %llu owned", (ull)pages, (ull)owned);
}

/* ---- everything ----------------------------------------------------------------------------- */

/* A lock on its way is in no book yet. */
static bool check_cpu(struct report *report)
{
    const struct pageable *whose = NULL;
    const char *problem = report->between ? cpu_problem(report->adapter, &whose) : NULL;
    if (!problem)
        return true;
    return wrong(report, "%s: %s", whose ? whose->label : "CPU access", problem);
}

static bool check_all(const adapter_t *adapter, char *problem, size_t bytes, bool between)
{
    struct report report = {
        .adapter = adapter, .text = problem, .bytes = bytes, .between = between
    };
    if (bytes)
        problem[0] = '\0';
    if (!adapter_started(adapter) || adapter_stopped(adapter) || adapter_ending(adapter))
        return true; /* a stop leaves everything as it was in the middle of something */
    adapter->rule_uses[VIDMM_RULE(TIME_023)]++;
    gather_buffers(&report);
    bool right = check_allocations(&report) && check_segments(&report) && check_pages(&report) &&
                 check_idle_buffers(&report) && validate_counters(adapter, problem, bytes) &&
                 check_cpu(&report);
    base_free(report.pages);
    base_free(report.placed.list);
    return right;
}

bool vidmm_check(const adapter_t *adapter, char *problem, size_t bytes)
{
    return check_all(adapter, problem, bytes, true);
}

static void check_ourselves(adapter_t *adapter, bool between)
{
    char problem[240];
    applies(adapter, RULE(BUG_030));
    count_up(adapter, VIDMM_COUNTER_SELF_CHECKS, 1);
    if (!check_all(adapter, problem, sizeof problem, between))
        base_check_failed("simulator", 0, problem);
}

void self_check(adapter_t *adapter)
{
    check_ourselves(adapter, false);
}

void self_check_end(adapter_t *adapter)
{
    check_ourselves(adapter, true);
}
