/* SPDX-License-Identifier: MIT */
/*
 * mock_state.h: the mock miniport from the inside. Private to mock_*.c.
 *
 * Two halves that meet in memory only, as a driver and its chip do. The driver half
 * (mock_miniport.c, mock_query.c, mock_paging.c, mock_render.c) writes commands into buffers and
 * hands the chip a range of one at DxgkDdiSubmitCommand. The chip half (mock_gpu.c) executes what
 * stands in that range when virtual time says so. mock_config.c and mock_faults.c hold what the
 * driver was told to answer.
 *
 * The stream. A byte 0 means nothing and is skipped; any other byte begins a command:
 *     MOCK_TRANSFER, FILL, MAP, UNMAP, READ   32 bytes, struct mock_command
 *     MOCK_REFERENCE                    16 bytes, struct mock_reference: an address slot
 * so a range may begin anywhere between two commands, which a split point needs. Commands lie at
 * any byte offset: they are copied in and out, never used in place.
 */
#ifndef VIDMM_MOCK_STATE_H
#define VIDMM_MOCK_STATE_H

#include <string.h>

#include "vidmm/base/base.h"
#include "vidmm/vidmm_mock.h"

enum mock_op {
    MOCK_NOTHING,
    MOCK_TRANSFER = 0xA1,
    MOCK_FILL,
    MOCK_MAP,
    MOCK_UNMAP,
    MOCK_READ,
    MOCK_REFERENCE,
    MOCK_NOTE, /* the driver's own: costs nothing and does nothing */
};

/* What stands in from_segment of a MAP whose `from` is an address of system memory. */
enum { MOCK_SYSTEM = 0xFF };

/* The command goes on where the one before it ends: both cost as much as one. */
enum { MOCK_CONTINUES = 0x80, MOCK_TRANSFER_FLAGS = 0x1F };

/*
 * One operation on memory. Segment id 0 means that `from` or `to` is a pointer to an MDL, which
 * then begins with page `word`. Both sides of MAP and UNMAP count bytes: `to` is the offset in the
 * aperture. With MOCK_SYSTEM MAP has the address of system pages in `from`. UNMAP has the dummy
 * page in `from`, FILL its pattern in `word`.
 */
struct mock_command {
    uint8_t op, flags, from_segment, to_segment;
    uint32_t word;
    uint64_t bytes, from, to;
};

enum { MOCK_COMMAND_BYTES = 32, MOCK_REFERENCE_BYTES = 16 };
_Static_assert(sizeof(struct mock_command) == MOCK_COMMAND_BYTES, "one command is 32 bytes");

/* What a render packet reads or writes: element `index` at the address that Patch put here. */
struct mock_reference {
    uint8_t op, write, segment, reserved;
    uint32_t index;
    uint64_t address;
};
_Static_assert(sizeof(struct mock_reference) == MOCK_REFERENCE_BYTES, "one slot is 16 bytes");

/* Objects of one size, given back to a list and never to the host before the end. */
struct mock_link {
    struct mock_link *next;
};

struct mock_pool {
    size_t object_bytes;
    struct mock_link *free, *blocks;
};

/* hAllocation: what creation answered. */
struct mock_surface {
    struct mock_link link; /* in the pool */
    uint32_t answers;      /* how often its handle was given out: once, but for `same-handle` */
    bool fills_wddm2;
    uint32_t width, height; /* of a picture, as its usage hint says; 0: no hint */
    D3DDDIFORMAT format;
};

/* hDeviceSpecificAllocation: what opening answered. */
struct mock_binding {
    struct mock_link link;
    D3DKMT_HANDLE allocation;
};

/* A context allocation: its address is hDriverAllocation. */
struct mock_save {
    struct mock_save *next;
    HANDLE allocation; /* the system's own handle */
    uint64_t bytes;
};

/* hDevice and hContext; a driver without multi-engine support renders on devices. */
struct mock_client {
    struct mock_link link;
    struct vidmm_mock *mock;
    uint32_t buffers[VIDMM_MOCK_BUFFER_COUNT];
    uint32_t adapter;       /* the lowest one of EngineAffinity */
    const uint8_t *dma;     /* the DMA buffer of the last DxgkDdiRender or DxgkDdiPresent */
    const uint8_t *patched; /* that of DxgkDdiPatch, until the submission that follows */
};

/* What DxgkDdiRender or DxgkDdiPresent made, until all of it was submitted. */
struct mock_translation {
    const uint8_t *dma;
    uint32_t bytes;
    uint64_t cost_ns, cost_left;
    bool hangs;
};

/* What stands in paging buffers, and was not submitted yet. */
struct mock_written {
    const uint8_t *begin, *end;
};

/* A range that a node has been given. The cost is for render packets: how long the shaders run. */
struct mock_packet {
    uint32_t fence; /* 0: no packet */
    uint32_t start, end;
    uint32_t adapters; /* bit EngineOrdinal of each submission: who executes it */
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

/* A packet ended in a fault, and the driver has not told of it. */
struct mock_fault {
    uint32_t node, fence;
    bool page;      /* a page fault, */
    uint32_t flags; /* with these DXGK_PAGE_FAULT_FLAGS */
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
    struct mock_save *saves;
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

/* The largest value of `stride`: the manager gives room for it (MINI-015). */
enum { MOCK_STRIDE_MAX = 4096 };

/* ---- mock_faults.c -------------------------------------------------------------------------- */

/* A call that this switch can spoil: does it, this time? */
static inline bool mock_faults_hit(struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    struct vidmm_mock_switch_state *state = &mock->config.switches[which];
    if (!state->on)
        return false;
    state->calls++;
    return !state->at || state->calls == state->at;
}

static inline int64_t mock_faults_value(const struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    return mock->config.switches[which].value;
}

/* The status that a switch asks for, or STATUS_SUCCESS. */
static inline NTSTATUS mock_faults_status(struct vidmm_mock *mock, enum vidmm_mock_switch which)
{
    if (!mock_faults_hit(mock, which))
        return STATUS_SUCCESS;
    return (NTSTATUS)mock_faults_value(mock, which);
}

/* `slow-ddi`: the driver takes its time. */
static inline void mock_faults_dawdle(struct vidmm_mock *mock)
{
    if (mock_faults_hit(mock, VIDMM_MOCK_SLOW_DDI))
        mock->bus->spend(mock->bus, (vidmm_ns)mock_faults_value(mock, VIDMM_MOCK_SLOW_DDI));
}

/* `no-entry`: the table lacks a call. */
void mock_faults_leave_out(const struct vidmm_mock_config *config, DRIVER_INITIALIZATION_DATA *ddi);

/* Words of switches, in the order of their tables in mock_faults.c. */
enum { MOCK_UNSET_BUFFER_SIZE, MOCK_UNSET_SIZE };
enum {
    MOCK_ENTRY_GROUP,
    MOCK_ENTRY_STATUS,
    MOCK_ENTRY_RESET_ENGINE,
    MOCK_ENTRY_RESET,
    MOCK_ENTRY_RESTART,
    MOCK_ENTRY_PRESENT
};
enum { MOCK_BAD_INDEX, MOCK_BAD_SLOT, MOCK_BAD_SPLIT };
enum { MOCK_RESERVED_LIST, MOCK_RESERVED_PATCH };
enum { MOCK_FENCE_LOW, MOCK_FENCE_HIGH, MOCK_FENCE_EARLY, MOCK_FENCE_PREEMPT };
enum {
    MOCK_FAULTED_ZERO,
    MOCK_FAULTED_GIVEN,
    MOCK_FAULTED_HIGH,
    MOCK_FAULTED_LOW,
    MOCK_FAULTED_AGAIN,
    MOCK_FAULTED_AHEAD,
    MOCK_FAULTED_NODE
};
enum { MOCK_ABORTED_LOW, MOCK_ABORTED_HIGH };
enum { MOCK_ADDRESS_NONE, MOCK_ADDRESS_MOVED };

/* ---- mock_config.c -------------------------------------------------------------------------- */

/* The value of a cap, defaults by version resolved. */
uint64_t mock_config_cap(const struct vidmm_mock_config *config, enum vidmm_mock_cap cap);

/* ---- mock_query.c, mock_paging.c, mock_render.c: entry points of the driver ----------------- */

NTSTATUS mock_query_adapter_info(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg);
NTSTATUS mock_paging_build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg);
NTSTATUS mock_render_translate(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg);
/* DxgkDdiBuildPagingBuffer wrote something. */
void mock_render_wrote(struct vidmm_mock *mock, const uint8_t *begin, const uint8_t *end);
NTSTATUS mock_render_patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg);
NTSTATUS mock_render_submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg);

/* What Render and Present have in common: a slot, the lists that switches spoil, the ends of what
   was written. */
struct mock_lists {
    DXGK_ALLOCATIONLIST *list;
    UINT size;
    D3DDDI_PATCHLOCATIONLIST *locations;
    UINT count;
};
void mock_render_slot(uint8_t *at, UINT index, const DXGK_ALLOCATIONLIST *element, uint64_t offset,
                      bool prepatch);
void mock_render_spoil(struct vidmm_mock *mock, const struct mock_lists *lists);
void mock_render_translated(struct vidmm_mock *mock, struct mock_client *client,
                            const struct mock_translation *translation);
uint8_t *mock_render_count_use(struct vidmm_mock *mock, uint8_t *data, UINT bytes);
uint8_t *mock_render_end(struct vidmm_mock *mock, uint8_t *start, UINT size, uint64_t length);

/* ---- mock_present.c ------------------------------------------------------------------------- */

NTSTATUS mock_present_build(IN_CONST_HANDLE context, INOUT_PDXGKARG_PRESENT arg);

/* ---- mock_context.c ------------------------------------------------------------------------- */

void mock_context_command(const struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                          struct mock_command *command);
void mock_context_fini(struct vidmm_mock *mock);

/* ---- mock_standard.c ------------------------------------------------------------------------ */

NTSTATUS mock_standard_driver_data(IN_CONST_HANDLE adapter,
                                   INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg);

/* ---- mock_swizzle.c: windows through which the CPU sees an allocation as linear ----------------
 */

NTSTATUS mock_swizzle_acquire(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg);
NTSTATUS mock_swizzle_release(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE arg);

/* ---- mock_memory.c: calls without books ------------------------------------------------------ */

NTSTATUS mock_memory_describe(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_DESCRIBEALLOCATION arg);
NTSTATUS mock_memory_set_store(IN_CONST_HANDLE adapter,
                               IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE arg);
NTSTATUS mock_memory_map_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE arg);
NTSTATUS mock_memory_unmap_host(IN_CONST_HANDLE adapter,
                                IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE arg);

/* ---- mock_gpu.c: the chip ------------------------------------------------------------------- */

extern const struct vidmm_hardware mock_gpu_hardware;
struct mock_packet *mock_gpu_slot(const struct mock_ring *ring, uint32_t fence);
/* The chip takes a packet: node's newest. */
/* True: the node has it already, and now one adapter more of a link executes it. */
bool mock_gpu_broadcast(const struct vidmm_mock *mock, uint32_t node,
                        const struct mock_packet *packet);
void mock_gpu_submit(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet);
/* Executes one command now, on one adapter: aperture changes by MMIO (TIME-010). Returns its cost.
 */
/* mock_mdl.c: pages of lists, by their page frame numbers. */
void mock_mdl_copy(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                   const struct vidmm_bus_place *to, const struct vidmm_bus_place *from,
                   uint64_t bytes);
void mock_mdl_map(const struct vidmm_mock *mock, struct vidmm_bus *bus,
                  const struct mock_command *command, const struct vidmm_bus_place *from);
vidmm_ns mock_gpu_execute_now(struct vidmm_mock *mock, const struct mock_command *command,
                              uint32_t adapter);
/* Moves a command `bytes` further on, to the part that follows. */
void mock_gpu_advance(const struct vidmm_mock *mock, struct mock_command *command, uint64_t bytes);
/* A fresh start: no number was ever given. */
void mock_gpu_start(struct vidmm_mock *mock);
/* All nodes forget what they were given. */
void mock_gpu_reset(struct vidmm_mock *mock);
void mock_gpu_fini(struct vidmm_mock *mock);
BOOLEAN mock_gpu_interrupt_routine(IN_CONST_PVOID adapter, IN_ULONG message);
VOID mock_gpu_dpc_routine(IN_CONST_PVOID adapter);
NTSTATUS mock_gpu_query_current_fence(IN_CONST_HANDLE adapter,
                                      INOUT_PDXGKARG_QUERYCURRENTFENCE arg);

/* ---- mock_fault.c: packets that end in a fault ----------------------------------------------- */

/* The packet ends: does it fault? Then nothing of it is done. */
bool mock_fault_hits(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet);
bool mock_fault_untold(const struct vidmm_mock *mock, uint32_t node);
/* Tells of the faults of a node up to this packet; true: it was one of them. */
bool mock_fault_report(struct vidmm_mock *mock, uint32_t node, uint32_t last);
/* The node was reset. */
void mock_fault_forget(struct vidmm_mock *mock, uint32_t node);
void mock_fault_fini(struct vidmm_mock *mock);

/* ---- mock_recovery.c: preemption, and what follows a timeout -------------------------------- */

NTSTATUS mock_recovery_preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg);
NTSTATUS mock_recovery_cancel(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND arg);
NTSTATUS mock_recovery_collect(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO arg);
NTSTATUS mock_recovery_reset(IN_CONST_HANDLE adapter);
NTSTATUS mock_recovery_restart(IN_CONST_HANDLE adapter);
NTSTATUS mock_recovery_group(IN_CONST_HANDLE adapter, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP arg);
NTSTATUS mock_recovery_status(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYENGINESTATUS arg);
NTSTATUS mock_recovery_reset_engine(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg);
/* After an interrupt of this node: is a request to be answered now? `stopped`: what was executed is
   not any more. */
void mock_recovery_answer(struct vidmm_mock *mock, uint32_t node, bool stopped);
/* A packet that comes once more: what it cost, and whether it hangs. False: it is new. */
bool mock_recovery_taken(struct vidmm_mock *mock, struct mock_packet *packet);
void mock_recovery_forget(struct vidmm_mock *mock, const uint8_t *begin, size_t bytes);

#endif
