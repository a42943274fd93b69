/* SPDX-License-Identifier: MIT */
/*
 * host_aperture.c: the CPU host aperture, a pool of pages through which the CPU sees a memory
 * segment that has no CpuVisible. The driver points them at pages of the segment.
 *
 * A mapping belongs to the place of an allocation. Under a lock it is held; after the last unlock
 * it is offered: the next lock of the same allocation takes it back without a call of the driver,
 * and when pages are short those offered first go first. It ends with the place.
 *
 * Rules not named below: RES-067, RES-072.
 */
#include "paging/store/store.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"

/* The pool counts pages of the segment; for the tree of ranges each is one unit. */
enum { UNIT = PAGE_SIZE };

struct host_mapping {
    struct allocation *allocation;
    uint32_t segment;
    struct range *runs; /* in pages of the host aperture */
    size_t run_count;
    uint64_t pages;
    bool offered;
    struct host_mapping *older, *newer; /* of the offered ones */
};

void host_aperture_start(adapter_t *adapter, uint32_t segment)
{
    uint64_t pages = segment_desc(adapter, segment)->host_pages;
    CHECK(!adapter->cpu->hosts[segment].oldest); /* whatever was here before a restart has ended */
    if (pages)
        range_tree_init(&adapter->cpu->hosts[segment].space, pages * UNIT, UNIT);
}

void host_aperture_stop(adapter_t *adapter)
{
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++)
        if (segment_desc(adapter, id)->host_pages)
            range_tree_fini(&adapter->cpu->hosts[id].space);
}

static void tell(adapter_t *adapter, const struct host_mapping *mapping, enum vidmm_rule rule,
                 const char *kind)
{
    EMIT(adapter, HOST_APERTURE, rule, mapping->allocation->pageable.handle, f_word("kind", kind),
         f_segment("segment", mapping->segment), f_number("pages", mapping->pages),
         f_number("page", mapping->runs[0].offset));
}

/* An offered range is in the list of its aperture, oldest first; any other counts as held. */
static void count_held(adapter_t *adapter, const struct host_mapping *mapping, bool held)
{
    count_segment(adapter, VIDMM_COUNTER_CPU_HOST_APERTURE_PAGES_USED, mapping->segment,
                  held ? mapping->pages : 0 - mapping->pages);
    applies(adapter, RULE(RES_075));
}

/* ---- calls of the driver -------------------------------------------------------------------- */

static UINT32 *aperture_pages(const struct host_mapping *mapping)
{
    UINT32 *list = base_alloc(mapping->pages, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < mapping->run_count; i++)
        for (uint64_t page = 0; page < mapping->runs[i].bytes; page++)
            list[n++] = (UINT32)(mapping->runs[i].offset + page);
    return list;
}

static UINT64 *memory_pages(const adapter_t *adapter, const struct host_mapping *mapping)
{
    const struct place *place = &mapping->allocation->pageable.place.at;
    uint64_t page_bytes = segment_desc(adapter, mapping->segment)->page_bytes;
    UINT64 *list = base_alloc(mapping->pages, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < place->run_count; i++) {
        struct range run = place_runs(place)[i];
        for (uint64_t at = 0; at < run.bytes; at += page_bytes)
            list[n++] = (run.offset + at) / page_bytes;
    }
    return list;
}

/* Of the lists the trace shows the first element. */
static NTSTATUS call_map(adapter_t *adapter, const struct host_mapping *mapping)
{
    const struct allocation *allocation = mapping->allocation;
    UINT32 *host = aperture_pages(mapping);
    UINT64 *memory = memory_pages(adapter, mapping);
    const DXGKARG_MAPCPUHOSTAPERTURE arg = {
        .hAllocation = allocation->pageable.driver_handle,
        .SegmentId = (USHORT)segment_driver_id(adapter, mapping->segment),
        .PhysicalAdapterIndex = (USHORT)allocation->pageable.info.physical,
        .NumberOfPages = mapping->pages,
        .pCpuHostAperturePages = host,
        .pMemorySegmentPages = memory,
    };
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, MapCpuHostAperture,
                                  adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, MapCpuHostAperture, answer, allocation->pageable.handle,
                    f_segment("SegmentId", arg.SegmentId),
                    f_number("PhysicalAdapterIndex", arg.PhysicalAdapterIndex),
                    f_number("NumberOfPages", arg.NumberOfPages),
                    f_number("pCpuHostAperturePages", host[0]),
                    f_number("pMemorySegmentPages", memory[0]));
    base_free(host);
    base_free(memory);
    return answer;
}

static void call_unmap(adapter_t *adapter, const struct host_mapping *mapping)
{
    UINT32 *host = aperture_pages(mapping);
    const DXGKARG_UNMAPCPUHOSTAPERTURE arg = {
        .NumberOfPages = mapping->pages,
        .pCpuHostAperturePages = host,
        .SegmentId = (USHORT)segment_driver_id(adapter, mapping->segment),
        .PhysicalAdapterIndex = (USHORT)mapping->allocation->pageable.info.physical,
    };
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, UnmapCpuHostAperture,
                                  adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, UnmapCpuHostAperture, answer, mapping->allocation->pageable.handle,
                    f_segment("SegmentId", arg.SegmentId),
                    f_number("PhysicalAdapterIndex", arg.PhysicalAdapterIndex),
                    f_number("NumberOfPages", arg.NumberOfPages),
                    f_number("pCpuHostAperturePages", host[0]));
    if (answer)
        finding(adapter, RULE(RES_074), mapping->allocation->pageable.handle,
                "DxgkDdiUnmapCpuHostAperture answers 0x%08x: the pages count as free",
                (unsigned)answer);
    base_free(host);
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* RES-073: the lowest free ones. */
static void take_pages(struct host_aperture *host, struct host_mapping *mapping)
{
    struct range_tree *space = &host->space;
    size_t capacity = 0;
    for (uint64_t missing = mapping->pages; missing;) {
        struct range hole;
        bool found = range_tree_next_hole(space, 0, &hole);
        CHECK(found);
        hole.bytes = min_u64(hole.bytes, missing * UNIT);
        range_tree_take(space, hole);
        BASE_GROW(mapping->runs, capacity, mapping->run_count + 1);
        mapping->runs[mapping->run_count++] =
            (struct range){ hole.offset / UNIT, hole.bytes / UNIT };
        missing -= hole.bytes / UNIT;
    }
}

static void give_pages(struct host_aperture *host, const struct host_mapping *mapping)
{
    for (size_t i = 0; i < mapping->run_count; i++) {
        struct range run = mapping->runs[i];
        (void)range_tree_release(&host->space,
                                 (struct range){ run.offset * UNIT, run.bytes * UNIT });
    }
}

void host_aperture_forget(struct allocation *allocation)
{
    if (!allocation->cpu || !allocation->cpu->host)
        return;
    base_free(allocation->cpu->host->runs);
    base_free(allocation->cpu->host);
    allocation->cpu->host = NULL;
}

static void end_mapping(adapter_t *adapter, struct host_mapping *mapping, const char *kind)
{
    struct host_aperture *host = &adapter->cpu->hosts[mapping->segment];
    if (mapping->offered)
        DL_DELETE2(host->oldest, mapping, older, newer);
    else
        count_held(adapter, mapping, false);
    if (!adapter_stopped(adapter))
        call_unmap(adapter, mapping);
    give_pages(host, mapping);
    tell(adapter, mapping, RULE(RES_074), kind);
    host_aperture_forget(mapping->allocation);
}

/* Can so many pages be had, if all offered ranges go? Then those go that have to. */
static bool make_room(adapter_t *adapter, struct host_aperture *host, uint64_t pages)
{
    uint64_t free = host->space.free_bytes / UNIT;
    uint64_t offered = 0;
    for (const struct host_mapping *at = host->oldest; at; at = at->newer)
        offered += at->pages;
    if (pages > free + offered)
        return false;
    while (host->space.free_bytes / UNIT < pages)
        end_mapping(adapter, host->oldest, "discard");
    return true;
}

/* ---- what a lock asks ----------------------------------------------------------------------- */

bool host_aperture_map(adapter_t *adapter, struct allocation *allocation)
{
    struct host_aperture *host = &adapter->cpu->hosts[allocation->pageable.place.at.segment];
    const struct vidmm_segment_desc *desc =
        segment_desc(adapter, allocation->pageable.place.at.segment);
    struct host_mapping *mapping = cpu_of(allocation)->host;
    if (mapping && mapping->offered) {
        DL_DELETE2(host->oldest, mapping, older, newer);
        mapping->offered = false;
        count_held(adapter, mapping, true);
        tell(adapter, mapping, RULE(RES_074), "reclaim");
    }
    if (mapping)
        return true;
    if (!adapter->setup->ddi->DxgkDdiMapCpuHostAperture ||
        !adapter->setup->ddi->DxgkDdiUnmapCpuHostAperture)
        return false;
    uint64_t pages = place_bytes(&allocation->pageable) / desc->page_bytes;
    if (!make_room(adapter, host, pages))
        return false;
    mapping = base_alloc(1, sizeof *mapping);
    mapping->allocation = allocation;
    mapping->segment = allocation->pageable.place.at.segment;
    mapping->pages = pages;
    take_pages(host, mapping);
    cpu_own(allocation)->host = mapping;
    if (call_map(adapter, mapping)) {
        give_pages(host, mapping);
        host_aperture_forget(allocation);
        return false;
    }
    count_held(adapter, mapping, true);
    tell(adapter, mapping, RULE(RES_073), "map");
    return true;
}

void host_aperture_offer(adapter_t *adapter, struct allocation *allocation)
{
    struct host_mapping *mapping = cpu_of(allocation)->host;
    if (!mapping || mapping->offered)
        return;
    count_held(adapter, mapping, false);
    DL_APPEND2(adapter->cpu->hosts[mapping->segment].oldest, mapping, older, newer);
    mapping->offered = true;
    tell(adapter, mapping, RULE(RES_074), "offer");
}

void host_aperture_release(adapter_t *adapter, struct allocation *allocation)
{
    if (cpu_of(allocation)->host)
        end_mapping(adapter, cpu_of(allocation)->host, "release");
}

const char *host_aperture_problem(const adapter_t *adapter, uint32_t segment)
{
    const struct host_aperture *host = &adapter->cpu->hosts[segment];
    uint64_t held = 0, offered = 0;
    uint64_t used =
        counter_of_segment(adapter, VIDMM_COUNTER_CPU_HOST_APERTURE_PAGES_USED, segment);
    for (const struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        const struct host_mapping *mapping = cpu_of(allocation_of(a))->host;
        if (!mapping || mapping->segment != segment)
            continue;
        if (a->place.at.segment != segment ||
            place_bytes(a) != mapping->pages * segment_desc(adapter, segment)->page_bytes)
            return "an allocation has a mapping of another place";
        if (mapping->offered == (cpu_of(allocation_of(a))->lock_count > 0))
            return "a mapping is offered and locked, or neither";
        *(mapping->offered ? &offered : &held) += mapping->pages;
    }
    if (held != used)
        return "the used pages of a host aperture are counted wrongly";
    if (host->space.free_bytes / UNIT + held + offered !=
        segment_desc(adapter, segment)->host_pages)
        return "pages of a host aperture are lost";
    for (const struct host_mapping *at = host->oldest; at; at = at->newer)
        offered -= at->pages;
    return offered ? "the list of offered mappings is wrong" : NULL;
}

uint64_t host_aperture_address(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct vidmm_segment_desc *desc =
        segment_desc(adapter, cpu_of(allocation)->host->segment);
    return desc->host_address + cpu_of(allocation)->host->runs[0].offset * desc->page_bytes;
}
