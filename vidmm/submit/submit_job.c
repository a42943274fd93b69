/* SPDX-License-Identifier: MIT */
/*
 * submit_job.c: what the scheduler asks of a packet of rendering: what a command of it reads and
 * writes when the GPU gets there, and what follows when it ends.
 */
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "paging/store/store.h"
#include "vidmm/submit/packet.h"

static const struct render_packet *packet_of(const struct job *job)
{
    return CONTAINER_OF(job, const struct render_packet, job);
}

static const char *kind(const struct job *job)
{
    const struct render_packet *packet = packet_of(job);
    return packet->switches ? "switch" : packet->present ? "present" : "render";
}

static const struct pageable *subject(const struct job *job)
{
    const struct render_packet *packet = packet_of(job);
    return packet->count ? &packet->bindings[0].allocation->pageable : NULL;
}

static struct device *device(const struct job *job)
{
    return packet_of(job)->context->device;
}

static void ended(adapter_t *adapter, struct job *job)
{
    (void)job;
    bus_watch_dummy(adapter);
}

static void done(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = CONTAINER_OF(job, struct render_packet, job);
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        if (packet->bindings[i].again)
            continue;
        CHECK(allocation->pageable.packet_refs); /* SUBMIT-063 */
        if (!--allocation->pageable.packet_refs)
            offer_unreferenced(adapter, &allocation->pageable);
    }
    submit_give_packet(adapter, packet);
}

void submit_tell(adapter_t *adapter, const struct render_packet *packet, const char *name,
                 uint32_t fence)
{
    enum vidmm_rule rule = name ? RULE(SUBMIT_001) : RULE(SUBMIT_056);
    applies(adapter, rule);
    if (!heard(adapter, VIDMM_EVENT_SUBMIT))
        return;
    struct vidmm_field fields[8] = {
        f_node("node", packet->context->node),
        f_number("fence", fence),
        f_word("kind", kind(&packet->job)),
        f_bytes("bytes", packet->end - packet->start),
    };
    size_t count = 4;
    if (name)
        fields[count++] = f_text("name", name);
    fields[count++] = f_hex("start", packet->start);
    fields[count++] = f_hex("end", packet->end);
    if (!name)
        fields[count++] = f_number("was", packet->job.packet->fence);
    if (adapter->setup->link_count > 1)
        fields[count++] = f_hex("adapters", packet->adapters);
    emit_fields(adapter, VIDMM_EVENT_SUBMIT, rule, packet->context->handle, fields, count);
}

static vidmm_status again(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = CONTAINER_OF(job, struct render_packet, job);
    submit_tell(adapter, packet, NULL, job->fence);
    vidmm_status status = STATUS_SUCCESS;
    if (!packet->switches)
        status = submit_patch_again(adapter, packet, job->fence);
    packet->unpatched = false;
    return status ? status : submit_command(adapter, packet, job->fence, !job->fresh);
}

/* ---- what the GPU does ---------------------------------------------------------------------- */

/* "vram 0x1000", "0x1000, in no segment". */
struct spot {
    char it[160];
};

static struct spot spot_of(const struct vidmm_bus *bus, const struct vidmm_bus_place *at)
{
    const adapter_t *adapter = bus->owner;
    bool known = at->segment <= adapter->setup->segments_each;
    struct spot spot = { "" };
    words_add(spot.it, sizeof spot.it, "%s%s0x%llx%s",
              known ? segment_name(adapter, bus_slot(bus, at->segment)) : "", known ? " " : "",
              (unsigned long long)at->address, known ? "" : ", in no segment");
    return spot;
}

static void read_element(struct vidmm_bus *bus, const struct render_packet *packet,
                         const struct pageable *allocation, const struct vidmm_bus_place *at,
                         struct page_run run)
{
    adapter_t *adapter = bus->owner;
    uint64_t page;
    if (bus_intact(bus, at, allocation, run, &page))
        return;
    /* Without Patch the driver's own pre-patching is to blame. */
    enum vidmm_rule rule = packet->unpatched ? RULE(SUBMIT_006) : RULE(LOCK_067);
    finding(adapter, rule, allocation->handle,
            "the GPU read %s at %s: page %llu does not hold what it should", allocation->label,
            spot_of(bus, at).it, (unsigned long long)page);
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
static void touch_copy(adapter_t *adapter, const struct touch *touch, struct pageable *copy,
                       uint32_t index)
{
    struct binding *binding = touch->binding;
    struct vidmm_bus_place at = touch->at;
    uint64_t bytes = copy->info.bytes, start = binding->address;
    struct vidmm_bus *bus = bus_of(adapter, copy->info.physical); /* PLACE-021 */
    struct page_run run = { 0, bytes / adapter->setup->page };
    bool inside =
        binding->segment == at.segment && at.address >= start && at.address - start < bytes;
    /* A patch location may point into the allocation (AllocationOffset). */
    if (inside)
        run.first = (at.address - start) / adapter->setup->page;
    run.pages -= run.first;
    /* LINK-007: another instance lies where its adapter has it. */
    if (copy->store.owner == copy && index != link_first(touch->packet->adapters)) {
        at = binding->copies[index];
        at.address += run.first * adapter->setup->page;
    } else if (!inside && touch->write && touch->packet->unpatched) {
        finding(adapter, RULE(SUBMIT_006), copy->handle,
                "the GPU wrote %s at %s: it does not lie there", copy->label, spot_of(bus, &at).it);
    }
    if (!touch->write) {
        read_element(bus, touch->packet, copy, &at, run);
        return;
    }
    uint64_t tag = stamp_of(adapter, binding, index) + run.first;
    struct pageable *owner = copy->store.owner;
    /* What was discarded while the packet ran stays without content (OFFER-011). */
    if (owner->store.state != ALLOCATION_NO_CONTENT)
        content_set(&owner->store.content, run.first, run.pages, tag, 1);
    bus_write(bus, &at, run.pages, tag);
}

static void touch(struct vidmm_bus *bus, const struct job *job, const struct bus_access *access)
{
    adapter_t *adapter = bus->owner;
    const struct render_packet *packet = packet_of(job);
    struct touch one = { packet, submit_binding(packet, access->index), access->write, access->at };
    if (!one.binding) {
        if (access->write)
            bus->fill(bus, &access->at, adapter->setup->page, 0);
        return;
    }
    struct pageable *allocation = &one.binding->allocation->pageable;
    /* What has one copy is used by the first adapter, as all would do the same with it. */
    if (allocation->place.next_copy || bus->physical == link_first(packet->adapters))
        touch_copy(adapter, &one, link_copy_on(allocation, bus->physical), bus->physical);
}

#define RENDER_JOB_OPS                                                                             \
    .kind = kind, .subject = subject, .device = device, .ended = ended, .done = done,              \
    .aborted = done, .again = again, .touch = touch

const struct job_ops submit_job_ops = { RENDER_JOB_OPS };
const struct job_ops switch_job_ops = { RENDER_JOB_OPS, .of_system = true };
