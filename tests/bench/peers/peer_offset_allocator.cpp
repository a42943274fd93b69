/* SPDX-License-Identifier: MIT */
/*
 * peer_offset_allocator.cpp: OffsetAllocator, which has no order and no alignment.
 *
 * It counts pages. What is aligned takes as much more as that needs; it has no way from the end.
 */
#include "tests/bench/peers/peer.h"
#include <offsetAllocator.hpp>

#include <vector>

static OffsetAllocator::Allocator *allocator;
static std::vector<OffsetAllocator::Allocation> live;
static uint64_t page_bytes;

bool peer_open(uint64_t bytes, uint64_t page, size_t slots)
{
    if (bytes / page >= UINT32_MAX)
        return false;
    page_bytes = page;
    allocator = new OffsetAllocator::Allocator(uint32_t(bytes / page), uint32_t(2 * slots + 2));
    live.resize(slots);
    return true;
}

uint64_t peer_take(size_t slot, uint64_t bytes, uint64_t alignment, bool high)
{
    (void)high;
    uint64_t more = alignment > page_bytes ? alignment - page_bytes : 0;
    live[slot] = allocator->allocate(uint32_t((bytes + more) / page_bytes));
    if (live[slot].offset == OffsetAllocator::Allocation::NO_SPACE)
        return UINT64_MAX;
    uint64_t offset = live[slot].offset * page_bytes;
    return alignment ? (offset + alignment - 1) / alignment * alignment : offset;
}

void peer_release(size_t slot)
{
    allocator->free(live[slot]);
}
