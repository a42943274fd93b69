/* SPDX-License-Identifier: MIT */
/*
 * bus.c: what the hardware behind the miniport reaches: pages of segments, of MDLs, and the page
 * tables of apertures.
 *
 * Everything is done in stretches: the longest piece of an address range that lies in one store. An
 * address outside of every segment is a finding; nothing is moved there.
 *
 * Rules not named below: MINI-065.
 */
#include "paging/schedule/schedule.h"
#include "paging/schedule/watch.h"
#include "paging/store/store_state.h"

#define DUMMY_TAG UINT64_C(0xD0D0D0D0D0D0D0D0)

static struct vidmm_bus *bus_of_adapter(struct vidmm_bus *bus, uint32_t index)
{
    adapter_t *adapter = bus->owner;
    return index < adapter->setup->link_count ? &adapter->store->bus[index] : NULL;
}

/* Consecutive pages of one store. `store` NULL: nobody is there. */
struct stretch {
    struct page_store *store;
    uint64_t first, pages;
};

/* ---- from addresses to pages ---------------------------------------------------------------- */

static struct stretch mdl_stretch(adapter_t *adapter, const MDL *mdl, uint64_t page, uint64_t max)
{
    const struct backing *backing = mdl_backing(mdl);
    for (size_t i = 0; i < backing->run_count; i++) {
        const struct range *run = &backing_runs(backing)[i];
        if (page < run->bytes)
            return (struct stretch){ &adapter->store->system_pages, run->offset + page,
                                     min_u64(max, run->bytes - page) };
        page -= run->bytes;
    }
    return (struct stretch){ NULL, 0, max };
}

uint32_t bus_slot(const struct vidmm_bus *bus, uint32_t segment)
{
    const adapter_t *adapter = bus->owner;
    return segment <= adapter->setup->segments_each
               ? segment_of_adapter(adapter, segment, bus->physical)
               : 0;
}

static struct stretch segment_stretch(adapter_t *adapter, uint32_t id, uint64_t address,
                                      uint64_t max)
{
    struct segment *segment = &adapter->store->segments[id].segment; /* 0 has no bytes */
    uint64_t offset = address - segment->desc.base; /* of an address below the base it is huge */
    if (offset >= segment->desc.bytes)
        return (struct stretch){ NULL, 0, max };
    uint64_t page = offset / adapter->setup->page;
    max = min_u64(max, segment->desc.bytes / adapter->setup->page - page);
    if (!segment_is_aperture(&segment->desc))
        return (struct stretch){ &segment->pages, page, max };
    uint64_t system, pages;
    enum aperture_target target = aperture_translate(&segment->table, page, max, &system, &pages);
    CHECK(target != APERTURE_NOTHING); /* the start maps all of it to the dummy page (MINI-074) */
    if (target == APERTURE_DUMMY)      /* one page behind all of them */
        return (struct stretch){ &adapter->store->system_pages, system, 1 };
    return (struct stretch){ &adapter->store->system_pages, system, pages };
}

static uint64_t system_page_count(const adapter_t *adapter)
{
    return adapter->setup->config.machine.memory_bytes / adapter->setup->page;
}

/* What a driver makes of page frame numbers. */
static struct stretch system_stretch(adapter_t *adapter, uint64_t address, uint64_t max)
{
    uint64_t page = address / adapter->setup->page;
    uint64_t all = system_page_count(adapter);
    if (page >= all)
        return (struct stretch){ NULL, 0, max };
    return (struct stretch){ &adapter->store->system_pages, page, min_u64(max, all - page) };
}

static struct stretch stretch_at(const struct vidmm_bus *bus, const struct vidmm_bus_place *place,
                                 uint64_t page, uint64_t max)
{
    adapter_t *adapter = bus->owner;
    if (place->mdl)
        return mdl_stretch(adapter, place->mdl, place->mdl_page + page, max);
    uint64_t address = place->address + page * adapter->setup->page;
    return place->system ? system_stretch(adapter, address, max)
                         : segment_stretch(adapter, bus_slot(bus, place->segment), address, max);
}

/* At this page of it. */
static void nobody_there(adapter_t *adapter, const struct vidmm_bus_place *place, uint64_t page)
{
    unsigned long long address = place->address + page * adapter->setup->page;
    if (place->mdl)
        finding(adapter, RULE(MINI_088), 0,
                "the GPU accessed page %llu of a list, which has %llu pages",
                (unsigned long long)(place->mdl_page + page),
                (unsigned long long)mdl_backing(place->mdl)->pages);
    else if (place->system)
        finding(adapter, RULE(MINI_088), 0, "the GPU accessed 0x%llX, which is no system memory",
                address);
    else
        finding(adapter, RULE(MINI_088), 0,
                "the GPU accessed segment %u at 0x%llX, where nothing is mapped", place->segment,
                address);
}

/* ---- the operations ------------------------------------------------------------------------- */

/* Only what is written here can change the dummy page, so nothing else makes it worth a look; a
   page of this number in another store does, too. */
static void note_dummy(adapter_t *adapter, const struct stretch *target)
{
    adapter->store->dummy_written |= adapter->setup->dummy_page - target->first < target->pages;
}

static void bus_copy(struct vidmm_bus *bus, const struct vidmm_bus_place *to,
                     const struct vidmm_bus_place *from, uint64_t bytes)
{
    adapter_t *adapter = bus->owner;
    uint64_t pages = bytes / adapter->setup->page;
    for (uint64_t page = 0; page < pages;) {
        struct stretch source = stretch_at(bus, from, page, pages - page);
        struct stretch target = stretch_at(bus, to, page, pages - page);
        uint64_t count = min_u64(source.pages, target.pages);
        if (!source.store || !target.store) {
            nobody_there(adapter, source.store ? to : from, page);
            return;
        }
        page_store_copy(target.store, target.first, source.store, source.first, count);
        note_dummy(adapter, &target);
        page += count;
    }
}

/* Page i of them gets tag + i * step. */
static void write_pages(const struct vidmm_bus *bus, const struct vidmm_bus_place *to,
                        uint64_t pages, uint64_t tag, uint64_t step)
{
    for (uint64_t page = 0; page < pages;) {
        struct stretch target = stretch_at(bus, to, page, pages - page);
        if (!target.store) {
            nobody_there(bus->owner, to, page);
            return;
        }
        page_store_write(target.store, target.first, target.pages, tag + page * step, step);
        note_dummy(bus->owner, &target);
        page += target.pages;
    }
}

static void bus_fill(struct vidmm_bus *bus, const struct vidmm_bus_place *to, uint64_t bytes,
                     uint32_t pattern)
{
    adapter_t *adapter = bus->owner;
    write_pages(bus, to, divide_up(bytes, adapter->setup->page), pattern, 0);
}

/* The page table of the aperture; NULL, with a finding, when the range is not one of an aperture.
 */
static struct aperture *table_of(struct vidmm_bus *bus, uint32_t segment, uint64_t first,
                                 uint64_t pages)
{
    adapter_t *adapter = bus->owner;
    uint32_t id = bus_slot(bus, segment);
    struct segment *target = &adapter->store->segments[id].segment;
    if (segment_is_aperture(segment_desc(adapter, id))) {
        uint64_t all = target->desc.bytes / adapter->setup->page;
        if (first <= all && pages <= all - first)
            return &target->table;
    }
    finding(adapter, RULE(MINI_071), 0, "pages %llu to %llu of segment %u are no aperture range",
            (unsigned long long)first, (unsigned long long)(first + pages), segment);
    return NULL;
}

static void bus_map(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                    const MDL *mdl, uint64_t mdl_page)
{
    struct aperture *table = table_of(bus, segment, first, pages);
    for (uint64_t page = 0; table && page < pages;) {
        struct stretch source = mdl_stretch(bus->owner, mdl, mdl_page + page, pages - page);
        if (!source.store) {
            finding(bus->owner, RULE(MINI_071), 0, "a mapping leaves its MDL");
            return;
        }
        aperture_map(table, first + page, source.pages, source.first);
        page += source.pages;
    }
}

static void bus_map_pages(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                          uint64_t system)
{
    adapter_t *adapter = bus->owner;
    struct aperture *table = pages ? table_of(bus, segment, first, pages) : NULL;
    uint64_t all = system_page_count(adapter);
    if (table && system < all && pages <= all - system)
        aperture_map(table, first, pages, system);
    else if (table)
        finding(adapter, RULE(MINI_080), 0, "page %llu is no page of system memory",
                (unsigned long long)system);
}

static void bus_unmap(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                      uint64_t dummy_page)
{
    adapter_t *adapter = bus->owner;
    struct aperture *table = pages ? table_of(bus, segment, first, pages) : NULL;
    if (table && dummy_page < system_page_count(adapter))
        aperture_unmap(table, first, pages, dummy_page);
    else if (table)
        finding(adapter, RULE(MINI_074), 0, "page %llu is no page of system memory",
                (unsigned long long)dummy_page);
}

/* ---- what commands of rendering do ---------------------------------------------------------- */

bool bus_intact(const struct vidmm_bus *bus, const struct vidmm_bus_place *at,
                const struct pageable *allocation, struct page_run run, uint64_t *page)
{
    const struct content *content = &allocation->store.owner->store.content;
    struct content_run one;
    const struct content_run *runs = content_runs(content, &one);
    size_t count = content_shares_pages(allocation) ? 0 : content_count(content);
    for (size_t i = 0; i < count; i++) {
        uint64_t low = max_u64(runs[i].first, run.first);
        uint64_t high = min_u64(runs[i].first + runs[i].pages, run.first + run.pages);
        for (*page = low; *page < high;) {
            struct stretch stretch = stretch_at(bus, at, *page - run.first, high - *page);
            struct page_store_run expected = { stretch.first, stretch.pages,
                                               runs[i].tag + (*page - runs[i].first) * runs[i].step,
                                               runs[i].step };
            uint64_t bad = stretch.first;
            if (!stretch.store || !page_store_matches(stretch.store, &expected, &bad)) {
                *page += bad - stretch.first;
                return false;
            }
            *page += stretch.pages;
        }
    }
    return true;
}

void bus_write(const struct vidmm_bus *bus, const struct vidmm_bus_place *at, uint64_t pages,
               uint64_t tag)
{
    write_pages(bus, at, pages, tag, 1);
}

static void bus_touch(struct vidmm_bus *bus, uint32_t node, uint32_t fence, uint32_t index,
                      bool write, uint32_t segment, uint64_t address)
{
    adapter_t *adapter = bus->owner;
    const struct job *job = schedule_executing(adapter);
    const struct vidmm_bus_place at = { .segment = segment,
                                        .address = align_down(address, adapter->setup->page) };
    if (job && job->ops->touch && job->node == node && job->fence == fence)
        job->ops->touch(bus, job, &(struct bus_access){ index, write, at });
    else
        finding(adapter, RULE(MINI_088), 0,
                "the GPU used element %u of fence %u of node %u, which is not executed now", index,
                fence, node);
}

/* ---- cost and time -------------------------------------------------------------------------- */

static enum cost_place kind_of(const struct vidmm_bus *bus, const struct vidmm_bus_place *place)
{
    const adapter_t *adapter = bus->owner;
    if (!place || place->mdl || place->system)
        return COST_MDL;
    uint32_t id = bus_slot(bus, place->segment);
    if (!id)
        return COST_MDL;
    return segment_is_aperture(segment_desc(adapter, id)) ? COST_APERTURE : COST_MEMORY;
}

static vidmm_ns bus_cost(struct vidmm_bus *bus, enum vidmm_bus_op op,
                         const struct vidmm_bus_place *to, const struct vidmm_bus_place *from,
                         uint64_t bytes, uint32_t flags)
{
    adapter_t *adapter = bus->owner;
    static const enum cost_operation operations[] = {
        [VIDMM_BUS_TRANSFER] = COST_TRANSFER, [VIDMM_BUS_FILL] = COST_FILL,
        [VIDMM_BUS_MAP] = COST_MAP,           [VIDMM_BUS_UNMAP] = COST_MAP,
        [VIDMM_BUS_READ] = COST_PHYSICAL,
    };
    if ((size_t)op >= ARRAY_COUNT(operations))
        return 0;
    struct cost_command command = {
        .operation = operations[op],
        .source = kind_of(bus, from),
        .destination = kind_of(bus, to),
        .bytes = bytes,
        .page_bytes = adapter->setup->page,
        .swizzle = (flags & 0x3) != 0,
    };
    applies(adapter, RULE(TIME_002));
    applies(adapter, RULE(TIME_007));
    applies(adapter, RULE(TIME_010));
    return cost_charge(&adapter->setup->cost, &command);
}

/* Elsewhere nobody expects that time passes: what the engines do meanwhile would meet a call, or
   hardware, that is half done. */
static const char *const may_spend[] = { "DxgkDdiRender", "DxgkDdiPresent",
                                         "DxgkDdiBuildPagingBuffer" };

static void bus_spend(struct vidmm_bus *bus, vidmm_ns ns)
{
    adapter_t *adapter = bus->owner;
    if (!driver_call_is(adapter, may_spend, ARRAY_COUNT(may_spend))) {
        const char *call = driver_call_now(adapter);
        finding(adapter, RULE(TIME_010), 0,
                "%s spends %llu ns of the CPU, which only calls that build commands do",
                call ? call : "the hardware", (unsigned long long)ns);
        return;
    }
    cpu_spend(adapter, ns);
    watch_driver_spent(adapter);
}

struct vidmm_bus *bus_of(const adapter_t *adapter, uint32_t physical)
{
    return &adapter->store->bus[physical];
}

void bus_start(adapter_t *adapter)
{
    const struct vidmm_bus bus = {
        .owner = adapter,
        .of_adapter = bus_of_adapter,
        .copy = bus_copy,
        .fill = bus_fill,
        .map = bus_map,
        .map_pages = bus_map_pages,
        .unmap = bus_unmap,
        .touch = bus_touch,
        .cost = bus_cost,
        .spend = bus_spend,
    };
    for (uint32_t i = 0; i < adapter->setup->link_count; i++) {
        adapter->store->bus[i] = bus;
        adapter->store->bus[i].physical = i;
    }
    page_store_write(&adapter->store->system_pages, adapter->setup->dummy_page, 1, DUMMY_TAG, 0);
    const struct vidmm_hardware *hardware = adapter->setup->config.miniport.hardware;
    hardware->attach(hardware->self, &adapter->store->bus[0]);
}

void bus_watch_dummy(adapter_t *adapter)
{
    const struct store *store = adapter->store;
    if (store->dummy_written && !adapter_stopped(adapter) &&
        page_store_get(&store->system_pages, adapter->setup->dummy_page) != DUMMY_TAG)
        (void)bugcheck(adapter, RULE(MINI_075), 0x10E, 0x25, (uint64_t[3]){ 0, 0, 0 },
                       "the GPU wrote through an aperture range that is not mapped");
    adapter->store->dummy_written = false;
}
