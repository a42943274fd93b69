/* SPDX-License-Identifier: MIT */
/*
 * vidmm_mock.h: the mock miniport, an ordinary display miniport driver that is told what to answer.
 *
 * It is reached through the same table as any other driver. Its engine executes exactly the
 * commands that stand in the submitted range of a DMA or paging buffer, with the addresses that
 * DxgkDdiPatch put there, and charges their cost.
 *
 * Three things are configured: what it reports (caps, segments), what it answers to a creation (the
 * private data of the call), and its bad manners (switches). Names are those of scenarios.
 */
#ifndef VIDMM_MOCK_H
#define VIDMM_MOCK_H

#include "vidmm/vidmm_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Driver caps by member name: CAP(symbol, name, default). UINT64_MAX: the default is by version.
 * The two command sizes are bytes of a paging buffer; a command takes at least 32.
 */
#define VIDMM_MOCK_CAPS(CAP)                                                                       \
    CAP(MULTI_ENGINE_AWARE, "MultiEngineAware", 1)                                                 \
    CAP(PREEMPTION_AWARE, "PreemptionAware", 0)                                                    \
    CAP(NO_DMA_PATCHING, "NoDmaPatching", 0)                                                       \
    CAP(CANCEL_COMMAND_AWARE, "CancelCommandAware", 0)                                             \
    CAP(HW_QUEUE_PACKET_CAP, "HwQueuePacketCap", 0)                                                \
    CAP(PAGING_NODE, "PagingNode", UINT64_MAX)                                                     \
    CAP(SUPPORT_PER_ENGINE_TDR, "SupportPerEngineTDR", UINT64_MAX)                                 \
    CAP(SUPPORT_NON_VGA, "SupportNonVGA", UINT64_MAX)                                              \
    CAP(MAX_ALLOCATION_LIST_SLOT_ID, "MaxAllocationListSlotId", 1024)                              \
    CAP(HIGHEST_ACCEPTABLE_ADDRESS, "HighestAcceptableAddress", UINT64_MAX)                        \
    CAP(APERTURE_SEGMENT_COMMIT_LIMIT, "ApertureSegmentCommitLimit", 0)                            \
    CAP(NUMBER_OF_SWIZZLING_RANGES, "NumberOfSwizzlingRanges", UINT64_MAX)                         \
    CAP(MAX_OVERLAYS, "MaxOverlays", 1)                                                            \
    CAP(OUT_OF_ORDER_LOCK, "OutOfOrderLock", 0)                                                    \
    CAP(SECTION_BACKED_PRIMARY, "SectionBackedPrimary", 0)                                         \
    CAP(CROSS_ADAPTER_RESOURCE, "CrossAdapterResource", 0)                                         \
    CAP(NON_CPU_VISIBLE_PRIMARY, "NonCpuVisiblePrimary", 0)                                        \
    CAP(MAP_APERTURE2_SUPPORTED, "MapAperture2Supported", 0)                                       \
    CAP(VIRTUAL_ADDRESSING_SUPPORTED, "VirtualAddressingSupported", 0)                             \
    CAP(GPU_MMU_SUPPORTED, "GpuMmuSupported", 0)                                                   \
    CAP(IO_MMU_SUPPORTED, "IoMmuSupported", 0)                                                     \
    CAP(DISABLE_SELF_REFRESH_VRAM_IN_S3, "DisableSelfRefreshVRAMInS3", 0)                          \
    CAP(GRAPHICS_PREEMPTION_GRANULARITY, "GraphicsPreemptionGranularity", UINT64_MAX)              \
    CAP(DISPLAYABLE_SUPPORT, "DisplayableSupport", 0)                                              \
    CAP(COMMAND_SIZE, "command-size", 32)                                                          \
    CAP(COMMAND_PER_PAGE, "command-per-page", 0)

/*
 * Misbehaviour, BUG-005 and what the start and allocation rules need: SWITCH(symbol, name, help).
 * A value is a number, a status or a word (vidmm_mock_switch_set knows); `=V@n` means: only at the
 * n-th call of that kind, without @ at every call.
 */
#define VIDMM_MOCK_SWITCHES(SWITCH)                                                                \
    SWITCH(QUERY_STATUS, "query-status", "DxgkDdiQueryAdapterInfo answers this status")            \
    SWITCH(SEGMENT_COUNT, "segment-count", "the first segment query answers this count")           \
    SWITCH(SEGMENT_COUNT_2, "segment-count-2", "the second segment query answers this count")      \
    SWITCH(FIRST_QUERY_WRITES, "first-query-writes", "the first query fills other members too")    \
    SWITCH(LEAVE_UNSET, "leave-unset", "the second query leaves a member: buffer-size or size")    \
    SWITCH(STRIDE, "stride", "bytes between two v4 descriptors")                                   \
    SWITCH(RANGES, "ranges", "so many invalid ranges instead of the announced count")              \
    SWITCH(NO_APERTURE_OPS, "no-aperture-ops", "answers NOT_SUPPORTED to map and unmap")           \
    SWITCH(STANDARD_STATUS, "standard-status", "GetStandardAllocationDriverData answers this")     \
    SWITCH(NO_ENTRY, "no-entry", "the table of the driver lacks this call")                        \
    SWITCH(DESCRIBE_STATUS, "describe-status", "DxgkDdiDescribeAllocation answers this status")    \
    SWITCH(CREATE_STATUS, "create-status", "DxgkDdiCreateAllocation answers this status")          \
    SWITCH(OPEN_STATUS, "open-status", "DxgkDdiOpenAllocation answers this status")                \
    SWITCH(CLOSE_STATUS, "close-status", "DxgkDdiCloseAllocation answers this status")             \
    SWITCH(DESTROY_STATUS, "destroy-status", "DxgkDdiDestroyAllocation answers this status")       \
    SWITCH(HOST_APERTURE_STATUS, "host-aperture-status",                                           \
           "DxgkDdiMapCpuHostAperture answers this status")                                        \
    SWITCH(BACKING_STORE_STATUS, "backing-store-status",                                           \
           "DxgkDdiSetAllocationBackingStore answers this status")                                 \
    SWITCH(HOST_UNMAP_STATUS, "host-unmap-status",                                                 \
           "DxgkDdiUnmapCpuHostAperture answers this status")                                      \
    SWITCH(NULL_HANDLE, "null-handle", "creation returns hAllocation NULL")                        \
    SWITCH(SAME_HANDLE, "same-handle", "creation returns the handle of an earlier allocation")     \
    SWITCH(REPLACE_RESOURCE, "replace-resource", "an allocation comes or goes: another hResource") \
    SWITCH(NULL_OPEN_HANDLE, "null-open-handle", "open returns a NULL device handle")              \
    SWITCH(CHANGE_PRIVATE_DATA, "change-private-data", "open without Create changes private data") \
    SWITCH(BPB_STATUS, "bpb-status", "BuildPagingBuffer answers this status")                      \
    SWITCH(BPB_OVERRUN, "bpb-overrun", "writes so many bytes too many")                            \
    SWITCH(PRIV_OVERRUN, "priv-overrun", "the same for private data")                              \
    SWITCH(BPB_STALL, "bpb-stall", "out of space for ever")                                        \
    SWITCH(BUSY, "busy", "always-first: BUSY on each first call")                                  \
    SWITCH(SPACE, "space", "uses so many bytes of a paging buffer per call")                       \
    SWITCH(RENDER_STATUS, "render-status", "DxgkDdiRender answers this status")                    \
    SWITCH(RENDER_INSUFFICIENT, "render-insufficient", "Render says the buffer is too short")      \
    SWITCH(DMA_OVERRUN, "dma-overrun", "Render and Present write so many bytes too many")          \
    SWITCH(PRESENT_STATUS, "present-status", "DxgkDdiPresent answers this status")                 \
    SWITCH(PRESENT_RECTS, "present-rects", "Present puts so many rectangles into a buffer")        \
    SWITCH(PRESENT_RESTART, "present-restart", "Present begins anew in each buffer")               \
    SWITCH(PATCH_ENTRY, "patch-entry", "bad-index, bad-slot or bad-split in the output list")      \
    SWITCH(KEEP_BINDING, "keep-binding", "Render leaves out locations that empty a slot")          \
    SWITCH(RESERVED_BITS, "reserved-bits", "list or patch: sets reserved bits there")              \
    SWITCH(FLIP_WRITE, "flip-write", "Render and Present invert WriteOperation")                   \
    SWITCH(NO_PREPATCH, "no-prepatch", "Render and Present ignore pre-patch information")          \
    SWITCH(PATCH_STATUS, "patch-status", "DxgkDdiPatch answers this status")                       \
    SWITCH(PATCH_OUTSIDE, "patch-outside", "Patch changes a byte outside the submission")          \
    SWITCH(PATCH_BEHIND, "patch-behind", "Patch spoils the patch location behind its portion")     \
    SWITCH(FORGET_PATCH, "forget-patch", "Patch writes no address")                                \
    SWITCH(SUBMIT_STATUS, "submit-status", "DxgkDdiSubmitCommand answers this status")             \
    SWITCH(RELEASE_STATUS, "release-status",                                                       \
           "DxgkDdiStopDeviceAndReleasePostDisplayOwnership answers this status")                  \
    SWITCH(REMOVAL_STATUS, "removal-status", "DxgkDdiNotifySurpriseRemoval answers this status")   \
    SWITCH(POWER_STATUS, "power-status", "DxgkDdiSetPowerState answers this status")               \
    SWITCH(SWIZZLE_STATUS, "swizzle-status", "Acquire or ReleaseSwizzlingRange answers this")      \
    SWITCH(RANGE_SIZE, "range-size", "Acquire answers another RangeSize")                          \
    SWITCH(RANGE_ADDRESS, "range-address", "none, moved: Acquire answers no address, or another")  \
    SWITCH(SWAP_TRANSFER, "swap-transfer", "source and destination exchanged")                     \
    SWITCH(IGNORE_OFFSET, "ignore-offset", "TransferOffset ignored")                               \
    SWITCH(SHORT_COPY, "short-copy", "copies one page too few")                                    \
    SWITCH(SKIP_TRANSFER, "skip-transfer", "a fill or transfer succeeds, and moves nothing")       \
    SWITCH(SKIP_MAP, "skip-map", "a mapping into an aperture succeeds, and maps nothing")          \
    SWITCH(KEEP_MAPPING, "keep-mapping", "unmap leaves the old pages in place")                    \
    SWITCH(STALE_WRITE, "stale-write", "a render packet writes through an unmapped range")         \
    SWITCH(PREEMPT_STATUS, "preempt-status", "DxgkDdiPreemptCommand answers this status")          \
    SWITCH(NO_PREEMPT, "no-preempt", "a preempt request is never answered")                        \
    SWITCH(CANCEL_STATUS, "cancel-status", "DxgkDdiCancelCommand answers this status")             \
    SWITCH(COLLECT_STATUS, "collect-status", "DxgkDdiCollectDbgInfo answers this status")          \
    SWITCH(RESET_STATUS, "reset-status", "DxgkDdiResetFromTimeout answers this status")            \
    SWITCH(RESTART_STATUS, "restart-status", "DxgkDdiRestartFromTimeout answers this status")      \
    SWITCH(ENGINE_STATUS, "engine-status", "DxgkDdiResetEngine answers this status")               \
    SWITCH(GROUP_STATUS, "group-status", "DxgkDdiQueryDependentEngineGroup answers this status")   \
    SWITCH(QUERY_ENGINE_STATUS, "query-engine-status",                                             \
           "DxgkDdiQueryEngineStatus answers this status")                                         \
    SWITCH(DEPENDENT_MASK, "dependent-mask",                                                       \
           "nodes that depend on the one that is reset, as bits")                                  \
    SWITCH(MASK_OMIT_SELF, "mask-omit-self", "the mask of dependent nodes lacks the node itself")  \
    SWITCH(ABORTED, "aborted", "low, high: a LastAbortedFenceId that cannot be right")             \
    SWITCH(LATE_INTERRUPT, "late-interrupt", "reports a fence between a reset and its end")        \
    SWITCH(HANG, "hang",                                                                           \
           "the packet with this number never ends; all of all nodes count, from the start on")    \
    SWITCH(FAULT, "fault", "a render packet ends in a DMA fault: nothing of it is done")           \
    SWITCH(FAULT_PAGING, "fault-paging", "the same for paging, or a context switch")               \
    SWITCH(                                                                                        \
        PAGE_FAULT, "page-fault",                                                                  \
        "a render packet ends in a page fault with these DXGK_PAGE_FAULT_FLAGS, from 2.0 on: "     \
        "0x1 write, 0x2 fence unknown, 0x4 reset the adapter, 0x8 reset the engine, 0x10 fatal")   \
    SWITCH(PAGE_FAULT_PAGING, "page-fault-paging", "the same for paging, or a context switch")     \
    SWITCH(FAULTED_FENCE, "faulted-fence",                                                         \
           "zero, given, high, low, again, ahead, node: a page fault names another packet")        \
    SWITCH(NO_IRQ, "no-irq",                                                                       \
           "the completion with this number is not reported; counted as for hang")                 \
    SWITCH(SLOW_DDI, "slow-ddi", "Render, Present and BuildPagingBuffer take so many ns")          \
    SWITCH(FENCE, "fence", "low, high, early, preempt: reports a wrong completion")                \
    SWITCH(NO_DPC, "no-dpc", "queues no DPC after the interrupt")                                  \
    SWITCH(REENTER, "reenter", "calls back while inside BuildPagingBuffer")

enum vidmm_mock_cap {
#define CAP(symbol, name, value) VIDMM_MOCK_CAP_##symbol,
    VIDMM_MOCK_CAPS(CAP)
#undef CAP
        VIDMM_MOCK_CAP_COUNT
};

enum vidmm_mock_switch {
#define SWITCH(symbol, name, help) VIDMM_MOCK_##symbol,
    VIDMM_MOCK_SWITCHES(SWITCH)
#undef SWITCH
        VIDMM_MOCK_SWITCH_COUNT
};

enum { VIDMM_MOCK_INVALID_MAX = 16 };

/* One descriptor as the mock reports it, in the form that its version asks for. */
struct vidmm_mock_segment {
    uint32_t flags; /* DXGK_SEGMENTFLAGS */
    uint64_t base, size, commit_limit, cpu_base;
    uint32_t bank_count;                 /* NbOfBanks */
    uint64_t banks[VIDMM_BANKS_MAX + 1]; /* end offsets; one more than legal, to be refused */
    uint32_t bank_ends;                  /* how many entries of `banks` are given */
    uint64_t host_aperture;              /* bytes of the CPU host aperture, if the flags have one */
    uint64_t system_memory_end;          /* SystemMemoryEndAddress */
    uint32_t invalid_count;              /* NumInvalidMemoryRanges, from 2.0 on */
    DXGK_MEMORYRANGE invalid[VIDMM_MOCK_INVALID_MAX];
    /* members of version 4 that are reported as they are */
    uint64_t vpr_start, vpr_size;
    uint32_t vpr_alignment, vpr_supported, vpr_reserve;
    uint32_t uefi_ranges; /* NumUEFIFrameBufferRanges */
};

struct vidmm_mock_switch_state {
    bool on;
    int64_t value;  /* a number, an NTSTATUS, or the index of a word */
    uint64_t at;    /* only at the n-th call; 0: every call */
    uint64_t calls; /* counted by the mock */
};

struct vidmm_mock_config {
    uint32_t wddm;
    uint32_t nodes;
    uint32_t page_bytes; /* host page (C1) */
    uint64_t caps[VIDMM_MOCK_CAP_COUNT];
    struct vidmm_mock_switch_state switches[VIDMM_MOCK_SWITCH_COUNT];
    struct vidmm_mock_segment *segments; /* not copied: must outlive the mock */
    uint32_t segment_count;
    uint32_t paging_buffer_segment; /* 0: locked system memory */
    uint32_t paging_buffer_bytes, paging_buffer_private_bytes;
    bool aperture_mmio; /* map and unmap at call time, without commands (TIME-010) */
};

/* Private data of a creation: what DxgkDdiCreateAllocation shall answer. Without holes, so that its
   bytes are the same on every machine. */
struct vidmm_mock_allocation {
    uint64_t size, pitch_aligned_size;
    uint32_t alignment;
    uint32_t hinted_bank, preferred_segment; /* documented bit layouts */
    uint32_t read_set, write_set, eviction_set;
    uint32_t rename_or_adapter; /* MaximumRenamingListLength, from 2.0 on PhysicalAdapterIndex */
    uint32_t flags;
    bool fills_wddm2; /* the flags go to FlagsWddm2 */
    uint8_t unused[3];
    uint32_t flags2;
    uint32_t priority;
    bool no_handle; /* hAllocation stays NULL */
    bool hinted;    /* pAllocationUsageHint points to `hint` */
    uint8_t unused2[2];
    DXGK_ALLOCATIONUSAGEHINT hint;
};

/* What DxgkDdiGetStandardAllocationDriverData answers next. */
struct vidmm_mock_standard {
    struct vidmm_mock_allocation
        answer;                     /* to the creation that follows; size 0: that of the picture */
    uint32_t bytes, resource_bytes; /* sizes of its private data */
    bool pitched;                   /* `pitch` is the answer, right or wrong */
    uint32_t pitch;
};

enum { VIDMM_MOCK_COMMAND_HANG = 1 };

/* The command buffer that DxgkDdiRender translates: cost and length of the DMA buffer to make. The
   private data of a present: the cost of all of it. */
struct vidmm_mock_command {
    uint64_t cost_ns;
    uint32_t bytes; /* length of the DMA buffer; 0: just enough for the patch locations */
    uint32_t flags;
};

/* What a device or context asks for its DMA buffers: members of DXGK_DEVICEINFO and CONTEXTINFO. */
enum vidmm_mock_buffer {
    VIDMM_MOCK_DMA_SEGMENT_SET,
    VIDMM_MOCK_DMA_SIZE,
    VIDMM_MOCK_DMA_PRIVATE_SIZE,
    VIDMM_MOCK_LIST_SIZE,
    VIDMM_MOCK_PATCH_SIZE,
    VIDMM_MOCK_BUFFER_COUNT
};

/* A member that is not given is what the device has, or the default. */
struct vidmm_mock_buffers {
    bool given[VIDMM_MOCK_BUFFER_COUNT];
    uint32_t value[VIDMM_MOCK_BUFFER_COUNT];
};

struct vidmm_mock;

/* All defaults: caps as documented for `wddm`, no switch, two nodes, 64 KiB paging buffers. */
void vidmm_mock_config_init(struct vidmm_mock_config *config, uint32_t wddm);

/* False when no cap has this name. */
bool vidmm_mock_cap_set(struct vidmm_mock_config *config, const char *name, uint64_t value);
/* What the mock would report for the cap of this name; 0 when there is none. UINT64_MAX: no limit.
 */
uint64_t vidmm_mock_cap_value(const struct vidmm_mock_config *config, const char *name);
/* The largest number that the member holds. */
uint64_t vidmm_mock_cap_most(size_t index);
/* Row `index` of the cap and switch tables, NULL behind the last. */
const char *vidmm_mock_cap_name(size_t index);
const char *vidmm_mock_switch_name(size_t index);
/* What the switch does, and its value: "status", "number", words with '|' between; "": none. */
const char *vidmm_mock_switch_help(size_t index);
const char *vidmm_mock_switch_value(size_t index);
/* When the mock looks at the switch: each time, when the adapter starts, or when it is made. */
enum vidmm_mock_moment { VIDMM_MOCK_AT_CALL, VIDMM_MOCK_AT_START, VIDMM_MOCK_AT_LOAD };
enum vidmm_mock_moment vidmm_mock_switch_moment(size_t index);
/*
 * `value` may be NULL (the bare switch), "off", and end in "@N". Numbers may have a unit, statuses
 * are numbers or names. False when the name is unknown or the value is none of this switch.
 */
bool vidmm_mock_switch_set(struct vidmm_mock_switch_state *switches, const char *name,
                           const char *value);

/* The mock keeps a copy of `config`, but not of its segments. */
struct vidmm_mock *vidmm_mock_create(const struct vidmm_mock_config *config);
void vidmm_mock_destroy(struct vidmm_mock *mock);
/* Driver table and hardware; valid as long as the mock. */
const struct vidmm_miniport *vidmm_mock_miniport(struct vidmm_mock *mock);
/* The switches of a running mock, for `inject`. */
struct vidmm_mock_switch_state *vidmm_mock_switches(struct vidmm_mock *mock);
/*
 * What an ordinary driver would answer for a D3DKMDT_STANDARDALLOCATION_TYPE, and a
 * D3DKMDT_GDISURFACETYPE: flags, segment sets, sizes of private data. Other members stay.
 */
void vidmm_mock_standard_defaults(const struct vidmm_mock_config *config, uint32_t type,
                                  uint32_t gdi_type, struct vidmm_mock_standard *standard);
/* The same for a surface made of existing memory (KMT-033). */
void vidmm_mock_heap_defaults(const struct vidmm_mock_config *config,
                              struct vidmm_mock_allocation *answer);
/*
 * What the elements of the next DxgkDdiCreateAllocation describe, one after the other; it is used
 * up by that call. For elements whose private data is no struct vidmm_mock_allocation: too short,
 * while the data of the call is none either.
 */
void vidmm_mock_next_allocations(struct vidmm_mock *mock, const struct vidmm_mock_allocation *list,
                                 size_t count);
/* The answer to the next description of a standard allocation. */
void vidmm_mock_standard_set(struct vidmm_mock *mock, const struct vidmm_mock_standard *standard);
/*
 * The driver makes an allocation for a context, or with `shared` for a device: their handles are
 * those of vidmm.h. DxgkCbCreateContextAllocation answers.
 */
NTSTATUS vidmm_mock_context_allocation(struct vidmm_mock *mock, uint32_t context, bool shared,
                                       const struct vidmm_mock_allocation *answer,
                                       uint32_t *allocation);
/* What the next device or context is going to ask for; it is used up by that one. */
void vidmm_mock_next_buffers(struct vidmm_mock *mock, const struct vidmm_mock_buffers *buffers);
/* From now on aperture changes are made at call time, or queued (TIME-010). */
void vidmm_mock_set_aperture(struct vidmm_mock *mock, bool mmio);

#ifdef __cplusplus
}
#endif
#endif
