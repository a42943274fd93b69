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

/* Driver caps, and two sizes in bytes of a paging buffer; a command takes at least 32. */
enum vidmm_mock_cap {
#define CAP(part, member, kind, value, since, until, ours) VIDMM_MOCK_CAP_##member,
#include "vidmm/vidmm_caps.def"
#undef CAP
    VIDMM_MOCK_CAP_COMMAND_SIZE,
    VIDMM_MOCK_CAP_COMMAND_PER_PAGE,
    VIDMM_MOCK_CAP_COUNT
};

/* `=V@n` as a value means: only at the n-th call of that kind, without @ at every call. */
enum vidmm_mock_switch {
#define SWITCH(symbol, name, value, moment, help) VIDMM_MOCK_##symbol,
#include "vidmm/vidmm_mock_switches.def"
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

/* False when no cap has this name. What is above its most (below) loses its upper bits. */
bool vidmm_mock_cap_set(struct vidmm_mock_config *config, const char *name, uint64_t value);
/* What the mock would report for the cap of this name; 0: there is none. UINT64_MAX: no limit. */
uint64_t vidmm_mock_cap_value(const struct vidmm_mock_config *config, const char *name);
/* The largest number that the member of row `index` holds; 0: there is no such row. */
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
