/* SPDX-License-Identifier: MIT */
/*
 * peer_drm_mm.c: drm_mm of Linux, lowest or highest first fit with an alignment.
 *
 * Compiled beside a copy of drm_mm.c and of the trees that it needs from a checkout; linux.h stands
 * for everything else.
 */
#include "tests/bench/peers/peer.h"
#include <drm/drm_mm.h>

static struct drm_mm mm;
static struct drm_mm_node *nodes;

bool peer_open(uint64_t bytes, uint64_t page, size_t slots)
{
    (void)page;
    drm_mm_init(&mm, 0, bytes);
    nodes = calloc(slots, sizeof *nodes);
    return nodes;
}

uint64_t peer_take(size_t slot, uint64_t bytes, uint64_t alignment, bool high)
{
    enum drm_mm_insert_mode mode = high ? DRM_MM_INSERT_HIGH : DRM_MM_INSERT_LOW;
    if (drm_mm_insert_node_in_range(&mm, &nodes[slot], bytes, alignment, 0, 0, UINT64_MAX, mode))
        return UINT64_MAX;
    return nodes[slot].start;
}

void peer_release(size_t slot)
{
    drm_mm_remove_node(&nodes[slot]);
}
