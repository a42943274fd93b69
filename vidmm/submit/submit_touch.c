/* SPDX-License-Identifier: MIT */
/*
 * submit_touch.c: what a command of rendering reads and writes, when the GPU gets there.
 */
#include "paging/residency/link.h"
#include "paging/store/store.h"
#include "vidmm/submit/packet.h"

static void read_element(struct vidmm_bus *bus, const struct render_packet *packet,
                         const struct allocation *allocation, const struct vidmm_bus_place *at,
                         struct page_run run)
{
    adapter_t *adapter = bus->owner;
    uint64_t page;
    if (bus_intact(bus, at, &allocation->pageable, run, &page))
        return;
    const char *where = at->segment <= adapter->setup->segments_each
                            ? segment_name(adapter, bus_slot(bus, at->segment))
                            : "no segment,";
    /* Without Patch the driver's own pre-patching is to blame. */
    enum vidmm_rule rule = packet->unpatched ? RULE(SUBMIT_006) : RULE(LOCK_067);
    finding(adapter, rule, allocation->pageable.handle,
            "the GPU read %s at %s 0x%llx: page %llu does not hold what it should",
            allocation->pageable.label, where, (unsigned long long)at->address,
            (unsigned long long)page);
}

static void write_element(struct vidmm_bus *bus, struct allocation *allocation,
                          const struct vidmm_bus_place *at, struct page_run run, uint64_t stamp)
{
    uint64_t tag = stamp + run.first;
    content_set(&allocation_of(allocation->pageable.store.keeper)->pageable.store.content,
                run.first, run.pages, tag, 1);
    bus_write(bus, at, run.pages, tag);
}

/* One access of one adapter. */
struct touch {
    const struct render_packet *packet;
    struct binding *binding;
    bool write;
    struct vidmm_bus_place at; /* as it stands in the buffer */
};

/* Every adapter of a broadcast writes the same: the first one says what. */
static uint64_t stamp_of(adapter_t *adapter, struct binding *binding, uint32_t index)
{
    if (!binding->stamped || (binding->stamped >> index & 1)) {
        binding->stamped = 0;
        binding->stamp = content_stamp(adapter, binding->allocation->pageable.label, "the GPU");
    }
    binding->stamped |= 1u << index;
    return binding->stamp;
}

/* `index`: of the adapter that does it; the copy may be that of another one. */
static void touch_copy(adapter_t *adapter, const struct touch *touch, struct allocation *copy,
                       uint32_t index)
{
    struct binding *binding = touch->binding;
    struct vidmm_bus_place at = touch->at;
    uint64_t bytes = copy->pageable.info.bytes, start = binding->address;
    struct page_run run = { 0, bytes / adapter->setup->page };
    /* A patch location may point into the allocation (AllocationOffset). */
    if (at.segment && binding->segment == at.segment && at.address >= start &&
        at.address - start < bytes)
        run.first = (at.address - start) / adapter->setup->page;
    run.pages -= run.first;
    bool resident = copy->pageable.store.state == ALLOCATION_RESIDENT;
    /* LINK-007: another instance lies where its adapter has it. */
    if (binding->copies && allocation_of(copy->pageable.store.keeper) == copy &&
        copy->pageable.info.physical == index && index != link_first(touch->packet->adapters)) {
        at = binding->copies[index];
        at.address += run.first * adapter->setup->page;
    }
    /* PLACE-017: in WDDM 2.0 and later it can be resident in system memory, where it has no
     * address. */
    if (resident && !copy->pageable.place.at.segment)
        at = (struct vidmm_bus_place){
            .mdl =
                mdl_of(adapter, &allocation_of(copy->pageable.store.keeper)->pageable.store.backing)
        };
    struct vidmm_bus *bus = bus_of(adapter, copy->pageable.info.physical); /* PLACE-021 */
    if (touch->write)
        write_element(bus, copy, &at, run, stamp_of(adapter, binding, index));
    else
        read_element(bus, touch->packet, copy, &at, run);
}

void submit_touch(struct vidmm_bus *bus, const struct job *job, const struct bus_access *access)
{
    adapter_t *adapter = bus->owner;
    const struct render_packet *packet = CONTAINER_OF(job, const struct render_packet, job);
    struct touch touch = { packet, submit_binding(packet, access->index), access->write,
                           access->at };
    if (!touch.binding) {
        if (access->write)
            bus->fill(bus, &access->at, adapter->setup->page, 0);
        return;
    }
    struct allocation *allocation = touch.binding->allocation;
    /* What has one copy is used by the first adapter, as all would do the same with it. */
    if (allocation_of(allocation->pageable.place.next_copy) ||
        bus->physical == link_first(packet->adapters))
        touch_copy(adapter, &touch,
                   allocation_of(link_copy_on(&allocation->pageable, bus->physical)),
                   bus->physical);
}
