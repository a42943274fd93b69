/* SPDX-License-Identifier: MIT */
/*
 * mock_query.c: what the mock miniport is to report, with its defaults, and
 * DxgkDdiQueryAdapterInfo: caps, and segments in the form of its version.
 *
 * A cap left at UINT64_MAX has a default that depends on the interface version or on the nodes. The
 * table of defaults is chapter 4 of the guide to the rules ("What the mock miniport reports").
 *
 * The segment query comes twice: without an array only the count is answered, with an array
 * everything (MINI-004, MINI-005). The three forms differ in layout alone; of the fourth one only
 * the stride that the caller gives says where an element begins (MINI-015).
 */
#include "vidmm/mock/mock_faults.h"

/* ---- what is to be reported ----------------------------------------------------------------- */

/* The largest number that a member of this kind holds: a PHYSICAL_ADDRESS and a SIZE_T have 64
   bits, an enumeration has those of a UINT. */
#define MOST_BIT         1
#define MOST_NIBBLE      15
#define MOST_UINT        UINT32_MAX
#define MOST_SIZE        UINT64_MAX
#define MOST_ADDRESS     UINT64_MAX
#define MOST_GRANULARITY UINT32_MAX

static const struct cap_row {
    const char *name;
    uint64_t value, most;
    uint32_t since, until;
} cap_rows[VIDMM_MOCK_CAP_COUNT] = {
#define CAP(part, member, kind, value, since, until, ours)                                         \
    { #member, value, MOST_##kind, since, until },
#include "vidmm/vidmm_caps.def"
#undef CAP
    { "command-size", 32, MOST_UINT, 10, 99 },
    { "command-per-page", 0, MOST_UINT, 10, 99 },
};

/* The default of a member that some versions lack depends on the version. */
static bool is_versioned(const struct cap_row *row)
{
    return row->since > 10 || row->until < 99;
}

void vidmm_mock_config_init(struct vidmm_mock_config *config, uint32_t wddm)
{
    *config = (struct vidmm_mock_config){
        .wddm = wddm,
        .nodes = 2,
        .page_bytes = PAGE_SIZE,
        .paging_buffer_bytes = 65536,
    };
    for (size_t i = 0; i < VIDMM_MOCK_CAP_COUNT; i++)
        config->caps[i] = is_versioned(&cap_rows[i]) ? UINT64_MAX : cap_rows[i].value;
}

const char *vidmm_mock_cap_name(size_t index)
{
    return index < VIDMM_MOCK_CAP_COUNT ? cap_rows[index].name : NULL;
}

uint64_t vidmm_mock_cap_most(size_t index)
{
    return index < VIDMM_MOCK_CAP_COUNT ? cap_rows[index].most : 0;
}

/* VIDMM_MOCK_CAP_COUNT: no cap has this name. */
static size_t mock_query_find(const char *name)
{
    size_t cap = 0;
    while (cap < VIDMM_MOCK_CAP_COUNT && strcmp(cap_rows[cap].name, name) != 0)
        cap++;
    return cap;
}

bool vidmm_mock_cap_set(struct vidmm_mock_config *config, const char *name, uint64_t value)
{
    size_t cap = mock_query_find(name);
    if (cap < VIDMM_MOCK_CAP_COUNT)
        config->caps[cap] = value;
    return cap < VIDMM_MOCK_CAP_COUNT;
}

uint64_t mock_query_cap(const struct vidmm_mock_config *config, enum vidmm_mock_cap cap)
{
    const struct cap_row *row = &cap_rows[cap];
    uint64_t value = config->caps[cap];
    if (value == UINT64_MAX && cap == VIDMM_MOCK_CAP_PagingNode)
        return config->nodes > 1;
    if (value != UINT64_MAX || !is_versioned(row))
        return value;
    return row->since <= config->wddm && config->wddm <= row->until ? row->value : 0;
}

uint64_t vidmm_mock_cap_value(const struct vidmm_mock_config *config, const char *name)
{
    size_t cap = mock_query_find(name);
    return cap < VIDMM_MOCK_CAP_COUNT ? mock_query_cap(config, (enum vidmm_mock_cap)cap) : 0;
}

/* ---- caps ----------------------------------------------------------------------------------- */

/* How a number becomes a member of DXGK_DRIVERCAPS; of one above vidmm_mock_cap_most() the lowest
   bits. */
#define FILL_BIT(value)         ((value)&1)
#define FILL_NIBBLE(value)      ((value)&15)
#define FILL_UINT(value)        ((UINT)(value))
#define FILL_SIZE(value)        ((SIZE_T)(value))
#define FILL_ADDRESS(value)     ((PHYSICAL_ADDRESS){ .QuadPart = (LONGLONG)(value) })
#define FILL_GRANULARITY(value) ((D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY)(value))

static NTSTATUS answer_caps(const struct vidmm_mock *mock, const DXGKARG_QUERYADAPTERINFO *arg)
{
    DXGK_DRIVERCAPS *caps = arg->pOutputData;
    if (arg->OutputDataSize < sizeof *caps)
        return STATUS_INVALID_PARAMETER;
    memset(caps, 0, sizeof *caps);
    /* 1.0 and 1.1 share a number; 2.0 is 0x2000, 2.1 0x2100 and so on. */
    uint32_t wddm = mock->config.wddm;
    caps->WDDMVersion =
        (DXGK_WDDMVERSION)(wddm < VIDMM_WDDM_1_2 ? 0x1000 : wddm / 10 * 0x1000 + wddm % 10 * 0x100);
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = mock->config.nodes;
#define CAP(part, member, kind, value, since, until, ours)                                         \
    caps->part member = FILL_##kind(mock_query_cap(&mock->config, VIDMM_MOCK_CAP_##member));
#include "vidmm/vidmm_caps.def"
#undef CAP
    return STATUS_SUCCESS;
}

static NTSTATUS answer_physical_caps(const struct vidmm_mock *mock,
                                     const DXGKARG_QUERYADAPTERINFO *arg)
{
    DXGK_PHYSICALADAPTERCAPS *caps = arg->pOutputData;
    if (arg->OutputDataSize < sizeof *caps)
        return STATUS_INVALID_PARAMETER;
    memset(caps, 0, sizeof *caps);
    caps->NumExecutionNodes = (USHORT)mock->config.nodes;
    /* A node that does not exist stays one that does not exist. */
    caps->PagingNodeIndex =
        (USHORT)min_u64(mock_query_cap(&mock->config, VIDMM_MOCK_CAP_PagingNode), UINT16_MAX);
    return STATUS_SUCCESS;
}

/* What the first two forms of a descriptor have in common. */
#define DESCRIBED(from)                                                                            \
    .BaseAddress.QuadPart = (LONGLONG)(from)->base, .Size = (from)->size,                          \
    .CpuTranslatedAddress.QuadPart = (LONGLONG)(from)->cpu_base, .NbOfBanks = (from)->bank_count,  \
    .pBankRangeTable = (from)->bank_ends ? (from)->banks : NULL,                                   \
    .CommitLimit = (from)->commit_limit, .Flags.Value = (from)->flags

/* In pages of the segment. */
static DXGK_CPUHOSTAPERTURE host_aperture(const struct vidmm_mock *mock,
                                          const struct vidmm_mock_segment *from, uint64_t address)
{
    enum { LARGE_PAGE = 64 * 1024 };
    const DXGK_SEGMENTFLAGS flags = { .Value = from->flags };
    uint64_t page = mock->config.page_bytes;
    if (flags.Use64KBPages)
        page = max_u64(page, LARGE_PAGE);
    return (DXGK_CPUHOSTAPERTURE){ address,
                                   (UINT32)min_u64(from->host_aperture / page, UINT32_MAX) };
}

static void describe4(const struct vidmm_mock *mock, const struct vidmm_mock_segment *from,
                      UINT adapter, UCHAR *at)
{
    enum { ADAPTER_SHIFT = 42 }; /* each adapter of a link has its memory at a place of its own */
    uint64_t cpu_base = from->cpu_base ? from->cpu_base + ((uint64_t)adapter << ADAPTER_SHIFT) : 0;
    DXGK_SEGMENTDESCRIPTOR4 to = { 0 };
    to.Flags.Value = from->flags;
    to.BaseAddress.QuadPart = (LONGLONG)from->base;
    to.Size = from->size;
    to.CommitLimit = from->commit_limit;
    to.SystemMemoryEndAddress = from->system_memory_end;
    to.CpuTranslatedAddress.QuadPart = (LONGLONG)cpu_base;
    if (to.Flags.SupportsCpuHostAperture)
        to.CpuHostAperture = host_aperture(mock, from, cpu_base);
    to.NumInvalidMemoryRanges = from->invalid_count;
    to.VprRangeStartOffset = from->vpr_start;
    to.VprRangeSize = from->vpr_size;
    to.VprAlignment = from->vpr_alignment;
    to.NumVprSupported = from->vpr_supported;
    to.VprReserveSize = from->vpr_reserve;
    to.NumUEFIFrameBufferRanges = from->uefi_ranges;
    memcpy(at, &to, sizeof to);
}

/* `size`: the last descriptor stays as it came. */
static uint32_t described(struct vidmm_mock *mock, uint32_t room)
{
    uint32_t count = mock->config.segment_count < room ? mock->config.segment_count : room;
    if (count && mock_faults_hit(mock, VIDMM_MOCK_LEAVE_UNSET) &&
        mock_faults_value(mock, VIDMM_MOCK_LEAVE_UNSET) == MOCK_UNSET_SIZE)
        count--;
    return count;
}

static bool leaves_buffer_size(const struct vidmm_mock *mock)
{
    return mock->config.switches[VIDMM_MOCK_LEAVE_UNSET].on &&
           mock_faults_value(mock, VIDMM_MOCK_LEAVE_UNSET) == MOCK_UNSET_BUFFER_SIZE;
}

static UINT answered_count(struct vidmm_mock *mock, bool second)
{
    enum vidmm_mock_switch which = second ? VIDMM_MOCK_SEGMENT_COUNT_2 : VIDMM_MOCK_SEGMENT_COUNT;
    if (mock_faults_hit(mock, which))
        return (UINT)mock_faults_value(mock, which);
    return mock->config.segment_count;
}

/* What the same members of all three forms of the answer become. */
#define ANSWER_REST(mock, out, second)                                                             \
    do {                                                                                           \
        if ((second) || mock_faults_hit(mock, VIDMM_MOCK_FIRST_QUERY_WRITES)) {                    \
            (out)->PagingBufferSegmentId = (mock)->config.paging_buffer_segment;                   \
            (out)->PagingBufferPrivateDataSize = (mock)->config.paging_buffer_private_bytes;       \
            if (!leaves_buffer_size(mock))                                                         \
                (out)->PagingBufferSize = (mock)->config.paging_buffer_bytes;                      \
        }                                                                                          \
        (out)->NbSegment = answered_count(mock, second);                                           \
    } while (0)

static NTSTATUS answer_segments(struct vidmm_mock *mock, DXGK_QUERYSEGMENTOUT *out)
{
    bool second = out->pSegmentDescriptor != NULL;
    struct vidmm_mock_segment *from = mock->config.segments;
    for (uint32_t i = 0, count = second ? described(mock, out->NbSegment) : 0; i < count; i++)
        out->pSegmentDescriptor[i] = (DXGK_SEGMENTDESCRIPTOR){ DESCRIBED(&from[i]) };
    ANSWER_REST(mock, out, second);
    return STATUS_SUCCESS;
}

static NTSTATUS answer_segments3(struct vidmm_mock *mock, DXGK_QUERYSEGMENTOUT3 *out)
{
    bool second = out->pSegmentDescriptor != NULL;
    struct vidmm_mock_segment *from = mock->config.segments;
    for (uint32_t i = 0, count = second ? described(mock, out->NbSegment) : 0; i < count; i++)
        out->pSegmentDescriptor[i] = (DXGK_SEGMENTDESCRIPTOR3){
            DESCRIBED(&from[i]),
            .SystemMemoryEndAddress = from[i].system_memory_end,
        };
    ANSWER_REST(mock, out, second);
    return STATUS_SUCCESS;
}

/* In the first call only NbSegment is defined, the pointer is not (MINI-004). */
static NTSTATUS answer_segments4(struct vidmm_mock *mock, const DXGK_QUERYSEGMENTIN4 *in,
                                 DXGK_QUERYSEGMENTOUT4 *out)
{
    UINT index = in ? in->PhysicalAdapterIndex : 0;
    bool second = out->NbSegment != 0;
    uint32_t count = second ? described(mock, out->NbSegment) : 0;

    if (second && mock_faults_hit(mock, VIDMM_MOCK_STRIDE))
        out->SegmentDescriptorStride = (SIZE_T)mock_faults_value(mock, VIDMM_MOCK_STRIDE);
    for (uint32_t i = 0; i < count; i++)
        describe4(mock, &mock->config.segments[i], index,
                  out->pSegmentDescriptor + i * out->SegmentDescriptorStride);
    ANSWER_REST(mock, out, second);
    return STATUS_SUCCESS;
}

/* Broken memory of one segment (MINI-016). */
static NTSTATUS answer_memory_state(struct vidmm_mock *mock, DXGK_SEGMENTMEMORYSTATE *out)
{
    if (!out->DriverSegmentId || out->DriverSegmentId > mock->config.segment_count)
        return STATUS_INVALID_PARAMETER;
    const struct vidmm_mock_segment *segment = &mock->config.segments[out->DriverSegmentId - 1];
    for (uint32_t i = 0; i < segment->invalid_count && i < out->NumInvalidMemoryRanges; i++)
        out->pMemoryRanges[i] = segment->invalid[i];
    out->NumInvalidMemoryRanges = segment->invalid_count;
    if (mock_faults_hit(mock, VIDMM_MOCK_RANGES))
        out->NumInvalidMemoryRanges = (UINT)mock_faults_value(mock, VIDMM_MOCK_RANGES);
    return STATUS_SUCCESS;
}

NTSTATUS mock_query_adapter_info(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    struct vidmm_mock *mock = adapter;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_QUERY_STATUS);
    if (status)
        return status;

    switch (arg->Type) {
    case DXGKQAITYPE_DRIVERCAPS: return answer_caps(mock, arg);
    case DXGKQAITYPE_PHYSICALADAPTERCAPS: return answer_physical_caps(mock, arg);
    case DXGKQAITYPE_SEGMENTMEMORYSTATE: return answer_memory_state(mock, arg->pOutputData);
    case DXGKQAITYPE_QUERYSEGMENT: return answer_segments(mock, arg->pOutputData);
    case DXGKQAITYPE_QUERYSEGMENT3: return answer_segments3(mock, arg->pOutputData);
    case DXGKQAITYPE_QUERYSEGMENT4:
        return answer_segments4(mock, arg->pInputData, arg->pOutputData);
    default: return STATUS_INVALID_PARAMETER;
    }
}
