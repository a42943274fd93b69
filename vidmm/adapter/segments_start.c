/* SPDX-License-Identifier: MIT */
/*
 * segments_start.c: from the miniport's answers to the segments of the adapter.
 *
 * Asked, checked, taken over; then the numbers that follow from all segments together, and the
 * ranges that are occupied from the start. Until everything is checked the adapter has no segment.
 *
 * No answer says whether a driver implements the aperture operations (SEG-012). It is asked to
 * unmap nothing, in a buffer that is thrown away: only the two codes that mean "not here" count.
 *
 * Rules not named below: RES-044, SEG-001 to SEG-004, SEG-006, SEG-008, SEG-010, SEG-011, SEG-019
 * to SEG-024, SEG-031, SEG-051 to SEG-053, SEG-067, SEG-068.
 */
#include "vidmm/adapter/segments_start.h"
#include "vidmm/adapter/adapter.h"

#include <string.h>

#include "paging/buffer/buffer.h"
#include "paging/store/store.h"
#include "vidmm/adapter/start.h"
#include "vidmm/cpu/cpu.h"

static const char *const default_names[VIDMM_SEGMENTS_MAX + 1] = {
    "system",     "segment 1",  "segment 2",  "segment 3",  "segment 4",  "segment 5",
    "segment 6",  "segment 7",  "segment 8",  "segment 9",  "segment 10", "segment 11",
    "segment 12", "segment 13", "segment 14", "segment 15", "segment 16", "segment 17",
    "segment 18", "segment 19", "segment 20", "segment 21", "segment 22", "segment 23",
    "segment 24", "segment 25", "segment 26", "segment 27", "segment 28", "segment 29",
    "segment 30", "segment 31",
};

/* ---- one segment ---------------------------------------------------------------------------- */

static void adopt(adapter_t *adapter, const struct segment_answer *answer)
{
    bool aperture = answer->flags & (SEGMENT_APERTURE | SEGMENT_AGP);
    bool visible = answer->flags & SEGMENT_CPU_VISIBLE;
    bool lowered = aperture && answer->commit_limit;
    bool banks = answer->flags & SEGMENT_USE_BANKING;
    struct range vpr = segments_vpr_usable(adapter, answer);
    const struct vidmm_segment_desc desc = {
        .id = answer->id,
        .flags = answer->flags,
        .bytes = answer->bytes,
        .page_bytes = segments_page(adapter, answer->flags),
        .base = answer->base,
        .cpu_base = visible ? answer->cpu_base : 0, /* SEG-022, SWIZ-024 */
        .host_address = answer->host_pages ? answer->cpu_base : 0,
        .host_pages = answer->host_pages,
        .limit = lowered ? min_u64(answer->commit_limit, answer->bytes) : answer->bytes,
        .bank_count = banks ? answer->bank_count : 0,
        .bank_ends = banks ? answer->bank_ends : NULL,
        .memory_end = answer->memory_end,
        .vpr_start = vpr.offset,
        .vpr_end = range_end(vpr),
        .vpr_limit = vpr.bytes ? answer->vpr_limit : 0,
        .uefi_ranges = answer->uefi_ranges,
    };
    struct segment *segment = segment_at(adapter, answer->id);
    segment_init(segment, &desc, (uint32_t)setting(adapter, VIDMM_SETTING_PINNED_PERCENT));
    if (aperture) /* MINI-071: what was never mapped shows the dummy page, to the next call */
        aperture_unmap(&segment->table, 0, desc.bytes / adapter->setup->page,
                       adapter->setup->dummy_page);
    adapter->setup->descs[answer->id - 1] = &segment->desc;
    adapter->setup->segment_count = answer->id;
    host_aperture_start(adapter, answer->id);
    if (answer->host_pages)
        applies(adapter, RULE(RES_072));
    applies(adapter, RULE(PLACE_022));
    if (answer->flags & VIDMM_SEGMENT_DirectFlip)
        applies(adapter, RULE(SEG_030));
    if (answer->uefi_ranges)
        applies(adapter, RULE(SEG_066));
    EMIT(adapter, REPORT_SEGMENT, RULE(SEG_005), 0, f_segment("segment", answer->id),
         f_word("kind", segment_kind_word(answer->flags)),
         f_text("name", segment_name(adapter, answer->id)), f_hex("flags", desc.flags),
         f_bytes("size", desc.bytes), f_bytes("page", desc.page_bytes), f_hex("base", desc.base),
         f_hex("cpu", aperture ? 0 : desc.cpu_base), f_bytes("limit", desc.limit),
         f_hex("pinstart", segment->desc.pin_start), f_number("banks", desc.bank_count),
         f_word("group", budget_group_word(budget_group_of(&desc))),
         f_bytes("host-aperture", desc.host_pages * desc.page_bytes));
}

/* ---- SEG-012 -------------------------------------------------------------------------------- */

/* A buffer that nobody submits, each part with its guard. */
struct probe {
    uint8_t *storage, *memory, *private_data;
    UINT private_bytes;
};

static struct probe new_probe(const adapter_t *adapter)
{
    enum { PRIVATE_MOST = 1 << 16 };
    struct probe probe = { .private_bytes =
                               (UINT)min_u64(adapter->setup->paging_private_bytes, PRIVATE_MOST) };
    size_t private_bytes = probe.private_bytes + PAGING_GUARD_BYTES;
    probe.storage = base_alloc(2 * PAGE_SIZE + PAGING_GUARD_BYTES + private_bytes, 1);
    /* Aligned to a page as a buffer would be. */
    probe.memory = probe.storage + (PAGE_SIZE - (uintptr_t)probe.storage % PAGE_SIZE);
    probe.private_data = probe.memory + PAGE_SIZE + PAGING_GUARD_BYTES;
    memset(probe.memory + PAGE_SIZE, PAGING_GUARD, PAGING_GUARD_BYTES);
    memset(probe.private_data + probe.private_bytes, PAGING_GUARD, PAGING_GUARD_BYTES);
    return probe;
}

static vidmm_status unmap_nothing(adapter_t *adapter, uint32_t id, NTSTATUS *answer)
{
    struct probe probe = new_probe(adapter);
    DXGKARG_BUILDPAGINGBUFFER arg = {
        .pDmaBuffer = probe.memory,
        .DmaSize = PAGE_SIZE,
        .pDmaBufferPrivateData = probe.private_data,
        .DmaBufferPrivateDataSize = probe.private_bytes,
        .Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT,
    };
    arg.UnmapApertureSegment.SegmentId = id;
    arg.UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(adapter->setup->dummy_page * adapter->setup->page);
    *answer = SCHEDULER_CALL(adapter, 0, BuildPagingBuffer, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, BuildPagingBuffer, *answer, 0,
                    f_word("Operation", "UNMAP_APERTURE_SEGMENT"), f_segment("SegmentId", id),
                    f_number("OffsetInPages", 0), f_number("NumberOfPages", 0),
                    f_hex("DummyPage", (uint64_t)arg.UnmapApertureSegment.DummyPage.QuadPart));
    bool dma = paging_within(arg.pDmaBuffer, probe.memory, PAGE_SIZE);
    bool both =
        dma && paging_within(arg.pDmaBufferPrivateData, probe.private_data, probe.private_bytes);
    base_free(probe.storage);
    if (both)
        return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
    return bugcheck(adapter, RULE(MINI_051), 0x10E, dma ? 0x13 : 0x12, (uint64_t[3]){ 0, 0, 0 },
                    "the miniport wrote behind the end of the paging buffer's %s",
                    dma ? "private data" : "bytes");
}

static vidmm_status check_aperture_calls(adapter_t *adapter)
{
    uint32_t id = 1; /* the first one that is not AGP: SEG-017 */
    while (id <= adapter->setup->segments_each &&
           !(adapter->setup->descs[id - 1]->flags & SEGMENT_APERTURE))
        id++;
    if (id > adapter->setup->segments_each)
        return STATUS_SUCCESS;
    NTSTATUS answer;
    vidmm_status status = unmap_nothing(adapter, id, &answer);
    if (status)
        return status;
    if (answer == STATUS_NOT_SUPPORTED || answer == STATUS_NOT_IMPLEMENTED)
        return refuse(adapter, RULE(SEG_012), STATUS_INVALID_PARAMETER,
                      "%s is an aperture, and the miniport cannot unmap pages of one",
                      segment_name(adapter, id));
    return STATUS_SUCCESS;
}

/* ---- start ---------------------------------------------------------------------------------- */

/* What one physical adapter has. Below 2.0 a question names none, and all have the same. */
static vidmm_status ask(adapter_t *adapter, uint32_t index, struct segments_answer *answers)
{
    struct segments_answer *answer = &answers[index];
    if (index && adapter->setup->caps.wddm < VIDMM_WDDM_2_0) {
        *answer = answers[0];
        return STATUS_SUCCESS;
    }
    vidmm_status status = segments_query(adapter, index, answer);
    if (!status) /* adapter 0 agrees with itself */
        status = segments_link_check(&answers[0], answer, index);
    if (!status) {
        segments_agp_adopt(answer);
        status = segments_check(answer);
    }
    if (!status)
        status = segments_cpu_check(answers, index);
    return status ? status : segments_advise(answer);
}

static vidmm_status take_over(adapter_t *adapter, struct segments_answer *answers)
{
    vidmm_status status = STATUS_SUCCESS;
    adapter->setup->segments_each = answers[0].count;
    adapter->setup->paging_segment = answers[0].paging_segment;
    adapter->setup->paging_bytes =
        (uint32_t)align_up(answers[0].paging_bytes, adapter->setup->page);
    adapter->setup->paging_private_bytes = answers[0].paging_private_bytes;
    for (uint32_t index = 0; index < adapter->setup->link_count; index++) {
        segments_link_number(&answers[index], index);
        for (uint32_t i = 0; i < answers[index].count; i++)
            adopt(adapter, &answers[index].segments[i]);
    }
    applies(adapter, RULE(SEG_007));
    applies(adapter, RULE(SEG_009));
    applies(adapter, RULE(MINI_017));
    status = memory_report(adapter);
    for (uint32_t index = 0; index < adapter->setup->link_count; index++) {
        const struct segments_answer *answer = &answers[index];
        for (uint32_t i = 0; i < answer->count && !status; i++)
            status = segments_invalid_ranges(adapter, &answer->segments[i]);
        for (uint32_t i = 0; i < answer->count && !status; i++)
            status = segments_vpr_reserve(adapter, &answer->segments[i]);
    }
    if (!status)
        status = caps_ask_paging_node(adapter);
    if (!status)
        status = check_aperture_calls(adapter);
    return status ? status : segments_paging_buffers(adapter);
}

vidmm_status segments_start(adapter_t *adapter)
{
    struct segments_answer *answers = base_alloc(adapter->setup->link_count, sizeof *answers);
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 0; id <= VIDMM_SEGMENTS_MAX; id++) {
        const char *given = adapter->setup->config.segment_names[id];
        places_name(adapter, id, given ? given : default_names[id], NULL);
    }
    for (uint32_t index = 0; index < adapter->setup->link_count && !status; index++)
        status = ask(adapter, index, answers);
    if (!status)
        status = take_over(adapter, answers);
    base_free(answers);
    return status;
}
