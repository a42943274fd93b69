/* SPDX-License-Identifier: MIT */
/*
 * vidmm_memory.h: how the hardware behind a miniport meets the simulated machine.
 *
 * A miniport is called through its DRIVER_INITIALIZATION_DATA and nothing else. What it hands to
 * hardware with DxgkDdiSubmitCommand is executed by a `struct vidmm_hardware`: virtual time says
 * when a packet begins and ends, the hardware says what it costs and what it does. It reaches
 * memory only through the bus, and only by addresses that stand in the buffer it executes.
 *
 * Content is one 64-bit tag for each page; copies move tags, fills and writes make new ones.
 */
#ifndef VIDMM_MEMORY_H
#define VIDMM_MEMORY_H

#include "vidmm/ddi/dispmprt.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One side of a move: a segment address; or system memory, by its address, which is what a driver
 * makes of a page frame number; or by pages of an MDL when `mdl` is not NULL, which reaches the
 * pages that a list cannot name as well (4 GiB and more).
 */
struct vidmm_bus_place {
    uint32_t segment;
    uint64_t address; /* BaseAddress + offset */
    const MDL *mdl;
    uint64_t mdl_page;
    bool system; /* `address` is one of system memory: page frame number x page */
};

enum vidmm_bus_op {
    VIDMM_BUS_TRANSFER,
    VIDMM_BUS_FILL,
    VIDMM_BUS_MAP,
    VIDMM_BUS_UNMAP,
    VIDMM_BUS_READ, /* READ_PHYSICAL */
};

/* Given to the hardware when the adapter starts; valid until it stops. */
struct vidmm_bus {
    void *owner;
    uint32_t physical; /* the physical adapter whose segments it reaches; 0 outside a link */
    /* The bus of another physical adapter of the link; NULL: there is none. */
    struct vidmm_bus *(*of_adapter)(struct vidmm_bus *bus, uint32_t index);

    /* Moves whole pages. An address outside every segment is a finding and moves nothing. */
    void (*copy)(struct vidmm_bus *bus, const struct vidmm_bus_place *to,
                 const struct vidmm_bus_place *from, uint64_t bytes);
    void (*fill)(struct vidmm_bus *bus, const struct vidmm_bus_place *to, uint64_t bytes,
                 uint32_t pattern);

    /* The page table of an aperture segment: pages of an MDL, or the dummy page, from page `first`.
     */
    void (*map)(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                const MDL *mdl, uint64_t mdl_page);
    /* The same from system page `system` on, for a driver that was given page numbers. */
    void (*map_pages)(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                      uint64_t system);
    void (*unmap)(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                  uint64_t dummy_page);

    /*
     * A render packet reads or writes list element `index` of the buffer with this fence, which
     * finishes now, at an address it found in the buffer. The manager knows what should be there
     * and compares (MINI-088). In a link each adapter that it was submitted to does it on its bus.
     */
    void (*touch)(struct vidmm_bus *bus, uint32_t node, uint32_t fence, uint32_t index, bool write,
                  uint32_t segment, uint64_t address);

    /* Virtual ns of one command by the cost model (TIME-007); `flags` are DXGK_TRANSFERFLAGS. */
    vidmm_ns (*cost)(struct vidmm_bus *bus, enum vidmm_bus_op op, const struct vidmm_bus_place *to,
                     const struct vidmm_bus_place *from, uint64_t bytes, uint32_t flags);

    /* Lets the CPU line pass `ns`: MMIO in Render, Present or BuildPagingBuffer (TIME-010). */
    void (*spend)(struct vidmm_bus *bus, vidmm_ns ns);
};

#define VIDMM_NEVER UINT64_MAX

/* The engines of one adapter. All calls come from the virtual clock, never from inside the
 * miniport. */
struct vidmm_hardware {
    void *self;
    void (*attach)(void *self, struct vidmm_bus *bus);
    /* A packet begins: how many ns will it run? VIDMM_NEVER: it hangs. */
    vidmm_ns (*begin)(void *self, uint32_t node, uint32_t fence);
    /* The packet ends: its commands take effect now. */
    void (*finish)(void *self, uint32_t node, uint32_t fence);
    /* The interrupt line: `fence` has ended, or was in execution and has stopped half-way
       (SUBMIT-051). The driver is expected to call DxgkCbNotifyInterrupt and queue its DPC. */
    void (*interrupt)(void *self, uint32_t node, uint32_t fence);
};

/* A driver and its hardware. `physical_device` is what DxgkDdiAddDevice receives. */
struct vidmm_miniport {
    const DRIVER_INITIALIZATION_DATA *ddi;
    void *physical_device;
    const struct vidmm_hardware *hardware;
    /*
     * DXGK_ALLOCATIONINFO does not show which member of its flag union was filled (FLAG-001). A
     * driver may say it here, for an hAllocation that it just created. NULL: Flags below 2.0,
     * FlagsWddm2 from 2.0 on.
     */
    bool (*fills_wddm2)(void *physical_device, HANDLE allocation);
};

#ifdef __cplusplus
}
#endif
#endif
