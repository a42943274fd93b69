/* SPDX-License-Identifier: MIT */
/*
 * mock_state.h: the mock miniport from the inside. Private to this folder, as are the other
 * headers.
 *
 * Two halves that meet in memory only, as a driver and its chip do. The driver half
 * (mock_miniport.c, mock_query.c, mock_paging.c, mock_render.c) writes commands into buffers and
 * hands the chip a range of one at DxgkDdiSubmitCommand. The chip half (mock_gpu.c) executes what
 * stands in that range when virtual time says so. mock_query.c and mock_faults.c hold what the
 * driver is to answer.
 */
#ifndef VIDMM_MOCK_STATE_H
#define VIDMM_MOCK_STATE_H

#include <string.h>

#include "vidmm/base/base.h"
#include "vidmm/vidmm_mock.h"

/* ---- packets on the nodes of the chip ------------------------------------------------------- */

/* A range that a node has been given. The cost is for render packets: how long the shaders run. */
struct mock_packet {
    uint32_t fence; /* 0: no packet */
    uint32_t start, end;
    uint32_t adapters; /* bit EngineOrdinal of each submission: the adapters that execute it */
    bool paging, hangs;
    bool switches; /* empty: the node lets go of its context */
    const uint8_t *buffer;
    uint64_t cost_ns;
};

/* Packets of one node; fence f stands at f modulo the capacity, a power of two. */
struct mock_ring {
    struct mock_packet *packets;
    uint32_t capacity;
    uint32_t submitted, finished, reported; /* newest fence of each */
    uint32_t line;       /* the interrupt line is raised for this fence; 0: it is not */
    uint32_t running;    /* what is executed now; 0: nothing */
    uint32_t lost;       /* the interrupt of this packet never comes; 0: none was lost */
    bool stuck;          /* after a page fault: only a reset makes it go on */
    uint32_t preempt_id; /* of a request that is not answered yet; 0: none */
};

/* ---- the mock ------------------------------------------------------------------------------- */

/* Objects of one size, given back to a list and never to the host before the end. */
struct mock_link {
    struct mock_link *next;
};

struct mock_pool {
    size_t object_bytes;
    struct mock_link *free, *blocks;
};

struct vidmm_mock {
    struct vidmm_mock_config config;
    DRIVER_INITIALIZATION_DATA ddi;
    struct vidmm_hardware hardware;
    struct vidmm_miniport miniport;
    DXGKRNL_INTERFACE dxgkrnl; /* what StartDevice was given */
    bool started;
    uint32_t wddm; /* that it speaks: its own version, or that of an older system */

    /* the driver */
    struct mock_pool surfaces, bindings, clients;
    struct mock_surface *newest; /* for `same-handle` */
    struct vidmm_mock_standard standard;
    struct vidmm_mock_allocation *wishes; /* of the next creation, for elements without a word */
    size_t wish_count, wish_capacity;
    struct mock_save *saves;        /* mock_context.c */
    struct vidmm_mock_buffers next; /* for the next client */
    uint64_t resources;             /* how many handles of resources were given */
    DXGK_DEVICEINFO device_info;    /* for devices without contexts */
    struct mock_translation *translations;
    size_t translation_count, translation_capacity;
    struct mock_written *written; /* in the order of the calls */
    size_t written_count, written_capacity;
    const uint8_t *paging_dma; /* the buffer of the last Patch with Paging, until its Submit */

    /* the chip */
    struct vidmm_bus *bus;
    uint32_t nodes; /* what there is, whatever it reports */
    struct mock_ring rings[VIDMM_NODES_MAX];
    /* Packets that were taken back: they come again with another number. */
    struct mock_packet *taken;
    size_t taken_count, taken_capacity;
    struct mock_fault *faults; /* in the order of their ends */
    size_t fault_count, fault_capacity;
    uint64_t begun;            /* packets, for `hang` */
    uint64_t completions;      /* for `no-irq` */
    uint32_t unmapped_segment; /* of the last unmap, for `stale-write` */
    uint64_t unmapped_offset;
};

/* The value of a cap, defaults by version resolved. */
uint64_t mock_query_cap(const struct vidmm_mock_config *config, enum vidmm_mock_cap cap);

/* ---- what the driver's table points to, as a driver declares it ------------------------------ */

DXGKDDI_QUERYADAPTERINFO mock_query_adapter_info;
DXGKDDI_BUILDPAGINGBUFFER mock_paging_build;
DXGKDDI_RENDER mock_render_translate;
DXGKDDI_PRESENT mock_present_build;
DXGKDDI_PATCH mock_render_patch;
DXGKDDI_SUBMITCOMMAND mock_render_submit;
DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA mock_standard_driver_data;

/* Calls without books. */
DXGKDDI_DESCRIBEALLOCATION mock_memory_describe;
DXGKDDI_SETALLOCATIONBACKINGSTORE mock_memory_set_store;
DXGKDDI_MAPCPUHOSTAPERTURE mock_memory_map_host;
DXGKDDI_UNMAPCPUHOSTAPERTURE mock_memory_unmap_host;
DXGKDDI_ACQUIRESWIZZLINGRANGE mock_memory_acquire;
DXGKDDI_RELEASESWIZZLINGRANGE mock_memory_release;

DXGKDDI_INTERRUPT_ROUTINE mock_gpu_interrupt_routine;
DXGKDDI_DPC_ROUTINE mock_gpu_dpc_routine;
DXGKDDI_QUERYCURRENTFENCE mock_gpu_query_current_fence;

/* Preemption, and what follows a timeout. */
DXGKDDI_PREEMPTCOMMAND mock_recovery_preempt;
DXGKDDI_CANCELCOMMAND mock_recovery_cancel;
DXGKDDI_COLLECTDBGINFO mock_recovery_collect;
DXGKDDI_RESETFROMTIMEOUT mock_recovery_reset;
DXGKDDI_RESTARTFROMTIMEOUT mock_recovery_restart;
DXGKDDI_QUERYDEPENDENTENGINEGROUP mock_recovery_group;
DXGKDDI_QUERYENGINESTATUS mock_recovery_status;
DXGKDDI_RESETENGINE mock_recovery_reset_engine;

#endif
