/* SPDX-License-Identifier: MIT */
/*
 * segments_query.c: the segment query in two calls, in the form that the driver's version asks for.
 *
 * The first call has no array and a count of 0: both styles of driver see that only the count is
 * wanted. Its other members hold a pattern, which has to be there afterwards. In the second call
 * the array and what need not be answered are zero, as on real systems, where drivers set single
 * bits of Flags; Size and PagingBufferSize hold the pattern, so that leaving them out shows.
 *
 * A version 4 array is walked by the stride as it stands after the call: this is more than the
 * documentation asks for, and there is room for it.
 *
 * The machine has one AGP aperture in its own address space; the GPU sees it at the same bus
 * addresses as everybody else, so nothing is translated. What the driver says about base and size
 * of its segment is ignored. The interface of 2.0 tells no driver of one any more: there is none.
 *
 * Rules not named below: MINI-005, SEG-015.
 */
#include <string.h>

#include "vidmm/adapter/segments_start.h"

enum { STRIDE_MAX = 4096, ANSWER_FIELDS_MAX = 7 };

/* All forms of the answer, and of the array. */
union out {
    DXGK_QUERYSEGMENTOUT v1;
    DXGK_QUERYSEGMENTOUT3 v3;
    DXGK_QUERYSEGMENTOUT4 v4;
};

union in {
    DXGK_QUERYSEGMENTIN v1; /* SEG-004: all zero when the machine has no AGP aperture */
    DXGK_QUERYSEGMENTIN4 v4;
};

/* v1, v3 and v4 begin with the same five members. */
_Static_assert(offsetof(DXGK_QUERYSEGMENTOUT, PagingBufferPrivateDataSize) ==
                   offsetof(DXGK_QUERYSEGMENTOUT4, PagingBufferPrivateDataSize),
               "one view of the answer");
_Static_assert(offsetof(DXGK_QUERYSEGMENTOUT, PagingBufferSize) ==
                   offsetof(DXGK_QUERYSEGMENTOUT3, PagingBufferSize),
               "one view of the answer");

struct asking {
    adapter_t *adapter;
    DXGKARG_QUERYADAPTERINFO arg;
    union in in;
    union out out;
};

/* Where the AGP aperture lies: far above the memory of a machine of that time. Our choice. */
static const uint64_t agp_base = UINT64_C(0xE0000000);

static uint64_t agp_bytes(const adapter_t *adapter)
{
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        return 0;
    return align_down(adapter->setup->config.machine.agp_bytes, adapter->setup->page);
}

bool segments_agp_exists(const adapter_t *adapter)
{
    return agp_bytes(adapter) != 0;
}

static DXGK_QUERYSEGMENTIN agp_input(const adapter_t *adapter)
{
    DXGK_QUERYSEGMENTIN in = { 0 };
    if (!segments_agp_exists(adapter))
        return in;
    in.AgpApertureBase.QuadPart = (LONGLONG)agp_base;
    in.AgpApertureSize.QuadPart = (LONGLONG)adapter->setup->config.machine.agp_bytes;
    in.AgpFlags.Agp = 1;
    return in;
}

static struct asking ask_about(adapter_t *adapter, uint32_t index)
{
    struct asking asking = { .adapter = adapter };
    uint32_t wddm = adapter->setup->caps.wddm;
    asking.arg.Type = DXGKQAITYPE_QUERYSEGMENT;
    asking.arg.InputDataSize = sizeof asking.in.v1;
    asking.arg.OutputDataSize = sizeof asking.out.v1;
    if (wddm >= VIDMM_WDDM_2_0) {
        asking.arg.Type = DXGKQAITYPE_QUERYSEGMENT4;
        asking.arg.InputDataSize = sizeof asking.in.v4;
        asking.arg.OutputDataSize = sizeof asking.out.v4;
        asking.in.v4.PhysicalAdapterIndex = index;
    } else if (wddm >= VIDMM_WDDM_1_2) {
        asking.arg.Type = DXGKQAITYPE_QUERYSEGMENT3;
    }
    if (asking.arg.Type != DXGKQAITYPE_QUERYSEGMENT4)
        asking.in.v1 = agp_input(adapter);
    applies(adapter, RULE(SEG_002));
    applies(adapter, asking.arg.Type == DXGKQAITYPE_QUERYSEGMENT4 ? RULE(SEG_003) : RULE(SEG_004));
    return asking;
}

static NTSTATUS call(struct asking *asking)
{
    asking->arg.pInputData = &asking->in;
    asking->arg.pOutputData = &asking->out;
    return start_query(asking->adapter, &asking->arg);
}

/* What the driver was told with the question: SEG-003 or SEG-004. How many fields that are. */
static size_t tell_input(const struct asking *asking, struct vidmm_field *fields)
{
    if (asking->arg.Type == DXGKQAITYPE_QUERYSEGMENT4) {
        fields[0] = f_number("PhysicalAdapterIndex", asking->in.v4.PhysicalAdapterIndex);
        return 1;
    }
    fields[0] = f_hex("AgpApertureBase", (uint64_t)asking->in.v1.AgpApertureBase.QuadPart);
    fields[1] = f_bytes("AgpApertureSize", (uint64_t)asking->in.v1.AgpApertureSize.QuadPart);
    fields[2] = f_hex("AgpFlags", asking->in.v1.AgpFlags.Value);
    return 3;
}

/* ---- the first call ------------------------------------------------------------------------- */

static vidmm_status ask_count(struct asking *asking, uint32_t *count)
{
    adapter_t *adapter = asking->adapter;
    memset(&asking->out, (uint8_t)SEGMENTS_UNSET, sizeof asking->out);
    asking->out.v1.NbSegment = 0;
    asking->out.v1.pSegmentDescriptor = NULL;
    union out before;
    memcpy(&before, &asking->out, sizeof before);
    NTSTATUS answer = call(asking);
    *count = asking->out.v1.NbSegment;
    struct vidmm_field fields[ANSWER_FIELDS_MAX] = { f_number("NbSegment", *count) };
    size_t used = 1 + tell_input(asking, fields + 1);
    vidmm_status status = start_query_end(adapter, &asking->arg, answer, fields, used);
    if (status)
        return status;
    const size_t count_bytes = sizeof before.v1.NbSegment;
    if (memcmp((const uint8_t *)&asking->out + count_bytes, (const uint8_t *)&before + count_bytes,
               asking->arg.OutputDataSize - count_bytes) != 0)
        finding(adapter, RULE(MINI_004), 0,
                "the first segment query may set nothing but NbSegment");
    if (*count >= 1 && *count <= VIDMM_SEGMENTS_MAX)
        return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
    return refuse(adapter, RULE(SEG_006), STATUS_INVALID_PARAMETER,
                  "NbSegment is %u, a driver has 1 to %d segments", *count, VIDMM_SEGMENTS_MAX);
}

/* ---- the second call ------------------------------------------------------------------------ */

/* What all three forms of a descriptor have. */
#define READ_COMMON(from, to)                                                                      \
    do {                                                                                           \
        (to)->flags = (to)->answered = (from)->Flags.Value;                                        \
        (to)->base = (uint64_t)(from)->BaseAddress.QuadPart;                                       \
        (to)->cpu_base = (uint64_t)(from)->CpuTranslatedAddress.QuadPart;                          \
        (to)->bytes = (from)->Size;                                                                \
        (to)->commit_limit = (from)->CommitLimit;                                                  \
    } while (0)

static void read_v1(const DXGK_SEGMENTDESCRIPTOR *from, struct segment_answer *to)
{
    READ_COMMON(from, to);
    to->bank_count = from->NbOfBanks;
    to->bank_ends = from->pBankRangeTable;
}

static void read_v3(const DXGK_SEGMENTDESCRIPTOR3 *from, struct segment_answer *to)
{
    READ_COMMON(from, to);
    to->bank_count = from->NbOfBanks;
    to->bank_ends = from->pBankRangeTable;
    to->memory_end = from->SystemMemoryEndAddress;
}

static void read_v4(const uint8_t *at, struct segment_answer *to)
{
    DXGK_SEGMENTDESCRIPTOR4 from;
    memcpy(&from, at, sizeof from);
    READ_COMMON(&from, to);
    if (from.Flags.SupportsCpuHostAperture) { /* the other member of the union */
        to->cpu_base = from.CpuHostAperture.PhysicalAddress;
        to->host_pages = from.CpuHostAperture.SizeInPages;
    }
    to->memory_end = from.SystemMemoryEndAddress;
    to->invalid_ranges = from.NumInvalidMemoryRanges;
    to->vpr_start = from.VprRangeStartOffset;
    to->vpr_bytes = from.VprRangeSize;
    to->vpr_alignment = from.VprAlignment;
    to->vpr_limit = from.NumVprSupported;
    to->vpr_reserve = from.VprReserveSize;
    to->uefi_ranges = from.NumUEFIFrameBufferRanges;
}

/* The array as the driver finds it. */
static void prepare(struct asking *asking, uint8_t *array, uint32_t count)
{
    DXGK_SEGMENTDESCRIPTOR *v1 = (DXGK_SEGMENTDESCRIPTOR *)(void *)array;
    DXGK_SEGMENTDESCRIPTOR3 *v3 = (DXGK_SEGMENTDESCRIPTOR3 *)(void *)array;
    DXGK_SEGMENTDESCRIPTOR4 *v4 = (DXGK_SEGMENTDESCRIPTOR4 *)(void *)array;
    for (uint32_t i = 0; i < count; i++) {
        switch (asking->arg.Type) {
        case DXGKQAITYPE_QUERYSEGMENT: v1[i].Size = SEGMENTS_UNSET; break;
        case DXGKQAITYPE_QUERYSEGMENT3: v3[i].Size = SEGMENTS_UNSET; break;
        default: v4[i].Size = SEGMENTS_UNSET; break;
        }
    }
    memset(&asking->out, 0, sizeof asking->out);
    asking->out.v4.NbSegment = count;
    asking->out.v4.pSegmentDescriptor = array;
    asking->out.v4.PagingBufferSize = (UINT)SEGMENTS_UNSET;
    asking->out.v4.SegmentDescriptorStride = sizeof *v4;
}

static void read_array(const struct asking *asking, const uint8_t *array,
                       struct segments_answer *answer)
{
    for (uint32_t i = 0; i < answer->count; i++) {
        struct segment_answer *to = &answer->segments[i];
        to->id = i + 1; /* SEG-005 */
        switch (answer->type) {
        case DXGKQAITYPE_QUERYSEGMENT:
            read_v1((const DXGK_SEGMENTDESCRIPTOR *)(const void *)array + i, to);
            break;
        case DXGKQAITYPE_QUERYSEGMENT3:
            read_v3((const DXGK_SEGMENTDESCRIPTOR3 *)(const void *)array + i, to);
            break;
        default: read_v4(array + i * asking->out.v4.SegmentDescriptorStride, to); break;
        }
    }
    answer->paging_segment = asking->out.v1.PagingBufferSegmentId;
    answer->paging_bytes = asking->out.v1.PagingBufferSize;
    answer->paging_private_bytes = asking->out.v1.PagingBufferPrivateDataSize;
}

static vidmm_status check_shape(struct asking *asking, uint32_t count)
{
    uint32_t answered = asking->out.v1.NbSegment;
    uint64_t stride = asking->out.v4.SegmentDescriptorStride;
    if (answered != count)
        return refuse(asking->adapter, RULE(SEG_001), STATUS_INVALID_PARAMETER,
                      "NbSegment was %u in the first query and is %u in the second", count,
                      answered);
    if (asking->arg.Type == DXGKQAITYPE_QUERYSEGMENT4 &&
        (stride < sizeof(DXGK_SEGMENTDESCRIPTOR4) || stride > STRIDE_MAX))
        return refuse(asking->adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                      "a SegmentDescriptorStride of %llu is not possible",
                      (unsigned long long)stride);
    return STATUS_SUCCESS;
}

static vidmm_status ask_all(struct asking *asking, uint8_t *array, struct segments_answer *answer)
{
    prepare(asking, array, answer->count);
    NTSTATUS ntstatus = call(asking);
    struct vidmm_field fields[ANSWER_FIELDS_MAX] = {
        f_number("NbSegment", asking->out.v1.NbSegment),
        f_segment("PagingBufferSegmentId", asking->out.v1.PagingBufferSegmentId),
        f_bytes("PagingBufferSize", asking->out.v1.PagingBufferSize),
        f_bytes("PagingBufferPrivateDataSize", asking->out.v1.PagingBufferPrivateDataSize),
    };
    size_t used = 4 + tell_input(asking, fields + 4);
    vidmm_status status = start_query_end(asking->adapter, &asking->arg, ntstatus, fields, used);
    if (!status)
        status = check_shape(asking, answer->count);
    if (!status)
        read_array(asking, array, answer);
    return status;
}

vidmm_status segments_query(adapter_t *adapter, uint32_t index, struct segments_answer *answer)
{
    struct asking asking = ask_about(adapter, index);
    *answer = (struct segments_answer){ .adapter = adapter, .type = asking.arg.Type };
    vidmm_status status = ask_count(&asking, &answer->count);
    if (status)
        return status;
    uint8_t *array = base_alloc(answer->count, STRIDE_MAX);
    status = ask_all(&asking, array, answer);
    base_free(array);
    return status;
}

void segments_agp_adopt(struct segments_answer *answer)
{
    adapter_t *adapter = answer->adapter;
    for (uint32_t i = 0; i < answer->count; i++) {
        struct segment_answer *segment = &answer->segments[i];
        if (!(segment->flags & SEGMENT_AGP) || !segments_agp_exists(adapter))
            continue;
        segment->base = agp_base;
        segment->bytes = agp_bytes(adapter);
        applies(adapter, RULE(SEG_016));
        applies(adapter, RULE(SEG_018));
    }
}
