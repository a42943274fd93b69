/* SPDX-License-Identifier: MIT */
/*
 * device_space.c: the device on its bus as a driver finds it: resources, memory behind them, and
 * PCI configuration space (MINI-085).
 *
 *   0x00 vendor 0x1234, device 0x5649   0x08 revision 1, class 0x030000 (a display controller)
 *   0x10 registers, 32 bits, 16 MiB at 0xF0000000
 *   0x18 frame buffer, 64 bits, prefetchable, 256 MiB at 0x1000000000
 *   0x3C interrupt line 16, pin A
 *
 * What is mapped is plain memory, zero at first: registers do nothing, and content of segments is
 * one tag a page and lies elsewhere. Two mappings of one address show the same bytes.
 */
#include <string.h>

#include "vidmm/adapter/start.h"
#include "vidmm/adapter/start_state.h"

enum { RANGES = 2, RESOURCES = RANGES + 1, CONFIG_BYTES = 256, VECTOR = 16 };

static const struct device_range {
    uint64_t start;
    ULONG bytes;
    USHORT flags;
} ranges[RANGES] = {
    { 0xF0000000, 16u << 20, CM_RESOURCE_MEMORY_READ_WRITE },
    { UINT64_C(0x1000000000), 256u << 20, CM_RESOURCE_MEMORY_PREFETCHABLE },
};

struct mapping {
    uint8_t *address;
    struct mapping *next;
};

struct device_space {
    uint8_t config[CONFIG_BYTES];
    uint8_t *memory[RANGES]; /* made by the first mapping */
    struct mapping *mappings;
    union {
        CM_RESOURCE_LIST list;
        uint8_t room[sizeof(CM_RESOURCE_LIST) +
                     (RESOURCES - 1) * sizeof(CM_PARTIAL_RESOURCE_DESCRIPTOR)];
    } resources;
};

/* ---- the device ----------------------------------------------------------------------------- */

static void put(struct device_space *space, size_t offset, uint64_t value, size_t bytes)
{
    memcpy(&space->config[offset], &value, bytes);
}

static void fill_config(struct device_space *space)
{
    enum { MEMORY_64 = 0x4, PREFETCHABLE = 0x8, DECODES_AND_MASTERS = 0x6 };
    put(space, 0x00, 0x1234, 2);
    put(space, 0x02, 0x5649, 2);
    put(space, 0x04, DECODES_AND_MASTERS, 2);
    put(space, 0x08, 0x03000001, 4);
    put(space, 0x10, ranges[0].start, 4);
    put(space, 0x18, ranges[1].start | MEMORY_64 | PREFETCHABLE, 8);
    put(space, 0x3C, VECTOR, 1);
    put(space, 0x3D, 1, 1);
}

static void fill_resources(struct device_space *space)
{
    CM_FULL_RESOURCE_DESCRIPTOR *full = &space->resources.list.List[0];
    CM_PARTIAL_RESOURCE_DESCRIPTOR *at = full->PartialResourceList.PartialDescriptors;
    space->resources.list.Count = 1;
    full->InterfaceType = PCIBus;
    full->PartialResourceList.Version = full->PartialResourceList.Revision = 1;
    full->PartialResourceList.Count = RESOURCES;
    for (size_t i = 0; i < RANGES; i++, at++) {
        at->Type = CmResourceTypeMemory;
        at->ShareDisposition = CmResourceShareDeviceExclusive;
        at->Flags = ranges[i].flags;
        at->u.Memory.Start.QuadPart = (LONGLONG)ranges[i].start;
        at->u.Memory.Length = ranges[i].bytes;
    }
    at->Type = CmResourceTypeInterrupt;
    at->ShareDisposition = CmResourceShareShared;
    at->Flags = CM_RESOURCE_INTERRUPT_LEVEL_SENSITIVE;
    at->u.Interrupt.Level = VECTOR;
    at->u.Interrupt.Vector = VECTOR;
    at->u.Interrupt.Affinity = 1;
}

struct device_space *device_space_new(void)
{
    struct device_space *space = base_alloc(1, sizeof *space);
    fill_config(space);
    fill_resources(space);
    return space;
}

void device_space_free(struct device_space *space)
{
    while (space->mappings) {
        struct mapping *mapping = space->mappings;
        space->mappings = mapping->next;
        base_free(mapping);
    }
    for (size_t i = 0; i < RANGES; i++)
        base_free(space->memory[i]);
    base_free(space);
}

CM_RESOURCE_LIST *device_space_resources(struct device_space *space)
{
    return &space->resources.list;
}

/* ---- mappings ------------------------------------------------------------------------------- */

/* The range that holds all of it; RANGES: none does. */
static size_t range_of(uint64_t start, uint64_t bytes)
{
    for (size_t i = 0; i < RANGES; i++)
        if (start - ranges[i].start < ranges[i].bytes && /* below it that wraps, and is larger */
            bytes <= ranges[i].bytes - (start - ranges[i].start))
            return i;
    return RANGES;
}

static NTSTATUS map_memory(HANDLE handle, PHYSICAL_ADDRESS address, ULONG length, BOOLEAN io,
                           BOOLEAN user, MEMORY_CACHING_TYPE cache, PVOID *virtual_address)
{
    adapter_t *adapter = handle;
    struct device_space *space = adapter->start->space;
    uint64_t start = (uint64_t)address.QuadPart;
    size_t range = range_of(start, length);
    (void)user;
    (void)cache;
    callbacks_called(adapter, "DxgkCbMapMemory");
    *virtual_address = NULL;
    if (io || !length || range == RANGES) {
        finding(adapter, RULE(MINI_085), 0,
                "DxgkCbMapMemory: %u bytes at 0x%llx are no resource of the device", length,
                (unsigned long long)start);
        return STATUS_INVALID_PARAMETER;
    }
    if (!space->memory[range])
        space->memory[range] = base_alloc(ranges[range].bytes, 1);
    struct mapping *mapping = base_alloc(1, sizeof *mapping);
    mapping->address = space->memory[range] + (start - ranges[range].start);
    mapping->next = space->mappings;
    space->mappings = mapping;
    *virtual_address = mapping->address;
    return STATUS_SUCCESS;
}

static NTSTATUS unmap_memory(HANDLE handle, PVOID virtual_address)
{
    adapter_t *adapter = handle;
    callbacks_called(adapter, "DxgkCbUnmapMemory");
    for (struct mapping **at = &adapter->start->space->mappings; *at; at = &(*at)->next) {
        struct mapping *mapping = *at;
        if (mapping->address != virtual_address)
            continue;
        *at = mapping->next;
        base_free(mapping);
        return STATUS_SUCCESS;
    }
    finding(adapter, RULE(MINI_085), 0, "DxgkCbUnmapMemory: nothing is mapped at this address");
    return STATUS_INVALID_PARAMETER;
}

/* ---- configuration space -------------------------------------------------------------------- */

/* How much of [offset, offset + length) there is. */
static ULONG there(ULONG offset, ULONG length)
{
    return offset < CONFIG_BYTES ? min_u32(length, CONFIG_BYTES - offset) : 0;
}

static bool is_config(adapter_t *adapter, ULONG type, const char *name)
{
    callbacks_called(adapter, name);
    if (type != DXGK_WHICHSPACE_CONFIG)
        finding(adapter, RULE(MINI_085), 0, "%s: the device has no space 0x%x", name, type);
    return type == DXGK_WHICHSPACE_CONFIG;
}

static NTSTATUS read_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                  ULONG length, PULONG bytes)
{
    adapter_t *adapter = handle;
    *bytes = 0;
    if (!is_config(adapter, type, "DxgkCbReadDeviceSpace"))
        return STATUS_NOT_SUPPORTED;
    *bytes = there(offset, length);
    memcpy(buffer, adapter->start->space->config + min_u32(offset, CONFIG_BYTES), *bytes);
    return STATUS_SUCCESS;
}

static NTSTATUS write_device_space(HANDLE handle, ULONG type, PVOID buffer, ULONG offset,
                                   ULONG length, PULONG bytes)
{
    adapter_t *adapter = handle;
    *bytes = 0;
    if (!is_config(adapter, type, "DxgkCbWriteDeviceSpace"))
        return STATUS_NOT_SUPPORTED;
    *bytes = there(offset, length);
    /* Command, cache line and latency, interrupt line; the rest says what the device is. */
    static const bool writable[CONFIG_BYTES] = {
        [0x04] = true, [0x05] = true, [0x0C] = true, [0x0D] = true, [0x3C] = true,
    };
    for (ULONG i = 0; i < *bytes; i++)
        if (writable[offset + i])
            adapter->start->space->config[offset + i] = ((const uint8_t *)buffer)[i];
    return STATUS_SUCCESS;
}

void interface_fill_space(DXGKRNL_INTERFACE *interface)
{
    interface->DxgkCbMapMemory = map_memory;
    interface->DxgkCbUnmapMemory = unmap_memory;
    interface->DxgkCbReadDeviceSpace = read_device_space;
    interface->DxgkCbWriteDeviceSpace = write_device_space;
}
