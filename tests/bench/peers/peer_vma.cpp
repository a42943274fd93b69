/* SPDX-License-Identifier: MIT */
/*
 * peer_vma.cpp: a virtual block of the Vulkan Memory Allocator (TLSF), which has no order.
 *
 * Of Vulkan only the header is needed: no function of it is called. It has no way from the end.
 */
#include "tests/bench/peers/peer.h"

#define VMA_IMPLEMENTATION
#define VMA_STATIC_VULKAN_FUNCTIONS  0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 0
#include <vk_mem_alloc.h>

#include <vector>

static VmaVirtualBlock block;
static std::vector<VmaVirtualAllocation> live;

bool peer_open(uint64_t bytes, uint64_t page, size_t slots)
{
    (void)page;
    VmaVirtualBlockCreateInfo info = {};
    info.size = bytes;
    live.resize(slots);
    return vmaCreateVirtualBlock(&info, &block) == VK_SUCCESS;
}

uint64_t peer_take(size_t slot, uint64_t bytes, uint64_t alignment, bool high)
{
    (void)high;
    VmaVirtualAllocationCreateInfo info = {};
    info.size = bytes;
    info.alignment = alignment;
    VkDeviceSize offset;
    bool good = vmaVirtualAllocate(block, &info, &live[slot], &offset) == VK_SUCCESS;
    return good ? offset : UINT64_MAX;
}

void peer_release(size_t slot)
{
    vmaVirtualFree(block, live[slot]);
}
