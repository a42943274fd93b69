/* SPDX-License-Identifier: MIT */
/* peer_vidmm.c: the range tree of segments/, lowest or highest first fit. */
#include "segments/range_tree.h"
#include "tests/bench/peers/peer.h"

static struct range_tree tree;
static struct range *live;

bool peer_open(uint64_t bytes, uint64_t page, size_t slots)
{
    range_tree_init(&tree, bytes, page);
    live = base_alloc(slots, sizeof *live);
    return true;
}

uint64_t peer_take(size_t slot, uint64_t bytes, uint64_t alignment, bool high)
{
    const struct range_request request = { bytes, alignment, 0, UINT64_MAX, high };
    uint64_t offset;
    if (!range_tree_find(&tree, &request, &offset))
        return UINT64_MAX;
    live[slot] = (struct range){ offset, bytes };
    range_tree_take(&tree, live[slot]);
    return offset;
}

void peer_release(size_t slot)
{
    (void)range_tree_release(&tree, live[slot]);
}
