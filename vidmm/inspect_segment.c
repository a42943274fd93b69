/* SPDX-License-Identifier: MIT */
/*
 * inspect_segment.c: looking at segments: numbers, banks, and the map of who lies where.
 *
 * A range that is taken and has no owner any more is on its way out: its unmap has not run yet. The
 * map shows it like the ranges that serve an eviction.
 */
#include <stdlib.h>

#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/submit/submit.h"
#include "vidmm/validate.h"

static const struct segment *segment_of(const adapter_t *adapter, uint32_t id)
{
    return id && id <= adapter->setup->segment_count ? segment_at(adapter, id) : NULL;
}

const char *vidmm_segment_kind(uint32_t flags)
{
    return segment_kind_word(flags);
}

uint32_t vidmm_segment_count(const adapter_t *adapter)
{
    return adapter->setup->segment_count;
}

uint32_t vidmm_segment_of(const adapter_t *adapter, uint32_t id, uint32_t index)
{
    bool known = id && id <= adapter->setup->segments_each && index < adapter->setup->link_count;
    return known ? segment_of_adapter(adapter, id, index) : 0;
}

bool vidmm_segment_view(const adapter_t *adapter, uint32_t id, struct vidmm_segment_view *view)
{
    const struct segment *segment = segment_of(adapter, id);
    if (!segment)
        return false;
    const uint64_t held =
        counter_of_segment(adapter, VIDMM_COUNTER_CPU_HOST_APERTURE_PAGES_USED, id);
    const struct vidmm_segment_desc *desc = &segment->desc;
    *view = (struct vidmm_segment_view){
        .id = id,
        .flags = desc->flags,
        .name = segment_name(adapter, id),
        .kind = segment_kind_word(desc->flags),
        .bytes = desc->bytes,
        .page_bytes = desc->page_bytes,
        .base = desc->base,
        .cpu_base = segment_is_aperture(desc) ? 0 : desc->cpu_base,
        .limit = desc->limit,
        .committed = segment->committed_bytes,
        .used = segment->used_bytes,
        .pinned = segment->pinned_bytes,
        .free_bytes = segment->space.free_bytes,
        .largest_free = range_tree_largest_hole(&segment->space),
        .holes = range_tree_hole_count(&segment->space),
        .pin_start = desc->pin_start,
        .pin_bytes = desc->bytes - desc->pin_start,
        .banks = desc->bank_count,
        .memory_end = desc->memory_end,
        .host_aperture = desc->host_pages * desc->page_bytes,
        .host_aperture_free = (desc->host_pages - held) * desc->page_bytes,
        .vpr_start = desc->vpr_start,
        .vpr_bytes = desc->vpr_end - desc->vpr_start,
        .vpr_limit = desc->vpr_limit,
        .uefi_ranges = desc->uefi_ranges,
        .group = budget_group_word(budget_group_of(desc)),
    };
    return true;
}

bool vidmm_segment_bank(const adapter_t *adapter, uint32_t id, uint32_t index, uint64_t *start,
                        uint64_t *end)
{
    const struct segment *segment = segment_of(adapter, id);
    if (!segment || index >= segment->desc.bank_count)
        return false;
    struct range bank = bank_range(&segment->desc, index + 1);
    *start = bank.offset;
    *end = range_end(bank);
    return true;
}

/* ---- the layout ----------------------------------------------------------------------------- */

static void add(struct layout *layout, struct range range, vidmm_handle allocation,
                const char *what)
{
    BASE_GROW(layout->spans, layout->capacity, layout->count + 1);
    layout->spans[layout->count++] =
        (struct vidmm_segment_span){ range.offset, range.bytes, allocation, what };
}

static int by_offset(const void *a, const void *b)
{
    const struct vidmm_segment_span *left = a, *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return left->bytes < right->bytes ? -1 : left->bytes > right->bytes;
}

void layout_gather(struct placed_buffers *placed, const struct dma_buffer *buffer)
{
    if (!buffer->placed || !buffer->segment)
        return;
    BASE_GROW(placed->list, placed->capacity, placed->count + 1);
    placed->list[placed->count++] = buffer;
}

struct layout layout_of(const adapter_t *adapter, uint32_t id, const struct placed_buffers *placed)
{
    const struct range_list *fixed = &places_held(adapter, id)->fixed;
    const struct range_list *evicting = &places_held(adapter, id)->evicting;
    struct resident_walk walk = residents_begin(adapter, id);
    /* Buffers are reserved last (SEG-052). */
    const struct setup *setup = adapter->setup;
    size_t buffers = setup->paging_segment == id ? setup->paging_count : 0;
    struct layout layout = { 0 };
    for (const struct allocation *a; (a = allocation_of(residents_next(&walk))) != NULL;)
        for (size_t i = 0; i < a->pageable.place.at.run_count; i++)
            add(&layout, place_runs(&a->pageable.place.at)[i], a->pageable.handle, "allocation");
    for (size_t i = 0; i < fixed->count; i++)
        add(&layout, fixed->ranges[i], 0,
            i + buffers < fixed->count ? "reserved" : "paging-buffer");
    for (size_t i = 0; i < evicting->count; i++)
        add(&layout, evicting->ranges[i], 0, "eviction");
    for (size_t i = 0; i < placed->count; i++)
        if (placed->list[i]->segment == id)
            add(&layout, placed->list[i]->range, 0, "dma-buffer");
    struct range hole;
    for (uint64_t at = 0; range_tree_next_hole(&segment_at(adapter, id)->space, at, &hole);
         at = range_end(hole))
        add(&layout, hole, 0, "free");
    if (layout.count)
        qsort(layout.spans, layout.count, sizeof *layout.spans, by_offset);
    return layout;
}

static void put(struct vidmm_segment_span *spans, size_t max, size_t *count,
                struct vidmm_segment_span span)
{
    if (*count < max)
        spans[*count] = span;
    ++*count;
}

size_t vidmm_segment_map(const adapter_t *adapter, uint32_t id, struct vidmm_segment_span *spans,
                         size_t max)
{
    const struct segment *segment = segment_of(adapter, id);
    if (!segment || adapter_ending(adapter)) /* what lies there goes away without leaving */
        return 0;
    struct placed_buffers placed = { 0 };
    for (const struct dma_buffer *b = dma_buffer_first(adapter); b; b = b->behind)
        layout_gather(&placed, b);
    struct layout layout = layout_of(adapter, id, &placed);
    base_free(placed.list);
    size_t count = 0;
    uint64_t at = 0;
    for (size_t i = 0; i <= layout.count; i++) {
        uint64_t next = i < layout.count ? layout.spans[i].offset : segment->desc.bytes;
        if (next > at)
            put(spans, max, &count, (struct vidmm_segment_span){ at, next - at, 0, "eviction" });
        if (i == layout.count)
            break;
        put(spans, max, &count, layout.spans[i]);
        at = next + layout.spans[i].bytes;
    }
    base_free(layout.spans);
    return count;
}
