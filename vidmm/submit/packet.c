/* SPDX-License-Identifier: MIT */
/* packet.c: packets of rendering: taken, looked into, and given back. */
#include "vidmm/submit/packet.h"
#include "paging/schedule/schedule.h"
#include "vidmm/submit/submit_state.h"

struct render_packet *submit_take_packet(adapter_t *adapter, struct context *context)
{
    struct render_packet *packet = adapter->submit->free_packets;
    if (packet)
        adapter->submit->free_packets = packet->next_free;
    else
        packet = base_alloc(1, sizeof *packet);
    packet->context = context;
    packet->start = packet->end = 0;
    packet->first = packet->length = 0;
    packet->unpatched = packet->null_rendering = packet->present = false;
    packet->switches = packet->paged = false;
    packet->count = packet->location_count = packet->list_count = 0;
    return packet;
}

/* A link has them alone. */
static void forget_copies(const adapter_t *adapter, struct render_packet *packet)
{
    for (size_t i = 0; i < packet->count && adapter->setup->link_count > 1; i++) {
        base_free(packet->bindings[i].copies);
        packet->bindings[i].copies = NULL;
    }
}

void submit_give_packet(adapter_t *adapter, struct render_packet *packet)
{
    if (packet->buffer)
        dma_buffer_drop(adapter, packet->buffer);
    packet->buffer = NULL;
    forget_copies(adapter, packet);
    packet->next_free = adapter->submit->free_packets;
    adapter->submit->free_packets = packet;
}

static void free_packet(struct render_packet *packet)
{
    base_free(packet->bindings);
    base_free(packet->locations);
    base_free(packet);
}

static bool is_rendering(const struct job *job, const void *context)
{
    (void)context;
    return !job->paging;
}

void submit_stop(adapter_t *adapter)
{
    while (adapter->submit->free_packets) {
        struct render_packet *packet = adapter->submit->free_packets;
        adapter->submit->free_packets = packet->next_free;
        free_packet(packet);
    }
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        struct job *job = sync_take_jobs(adapter, node, is_rendering, NULL);
        while (job) {
            struct job *next = job->next;
            forget_copies(adapter, (struct render_packet *)job);
            free_packet((struct render_packet *)job);
            job = next;
        }
    }
    dma_buffers_stop(adapter);
    base_free(adapter->submit->scratch.list);
    base_free(adapter->submit->scratch.in);
    base_free(adapter->submit->scratch.out);
    base_free(adapter->submit->scratch.elements);
    base_free(adapter->submit->scratch.slots);
    base_free(adapter->submit->scratch.group);
    base_free(adapter->submit->patch_guard_copy);
}

struct binding *submit_binding(const struct render_packet *packet, uint32_t index)
{
    size_t low = 0, high = packet->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (packet->bindings[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < packet->count && packet->bindings[low].index == index;
    return found ? &packet->bindings[low] : NULL;
}

struct context *submit_loads(const struct render_packet *packet)
{
    return packet->switches ? NULL : packet->context;
}
