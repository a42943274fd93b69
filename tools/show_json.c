/* SPDX-License-Identifier: MIT */
/* show_json.c: what show.c and show_map.c print, as members of a JSON object. */
#include "tools/show.h"

#include "tools/names.h"

void show_json_map(struct json *json, const struct vidmm_adapter *adapter, uint32_t segment)
{
    struct vidmm_segment_view view;
    if (!vidmm_segment_view(adapter, segment, &view))
        return;
    size_t count = vidmm_segment_map(adapter, segment, NULL, 0);
    struct vidmm_segment_span *spans = base_alloc(count, sizeof *spans);
    (void)vidmm_segment_map(adapter, segment, spans, count);
    json_string(json, "segment", view.name);
    json_string(json, "kind", view.kind);
    json_number(json, "bytes", view.bytes);
    json_number(json, "used", view.used);
    json_number(json, "free", view.free_bytes);
    json_number(json, "largest_free", view.largest_free);
    json_number(json, "pin_start", view.pin_start);
    json_open(json, "spans", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_number(json, "offset", spans[i].offset);
        json_number(json, "bytes", spans[i].bytes);
        json_string(json, "what", spans[i].what);
        if (spans[i].allocation)
            json_string(json, "label", vidmm_label(adapter, spans[i].allocation));
        json_close(json, '}');
    }
    json_close(json, ']');
    base_free(spans);
}

void show_json_allocation(struct json *json, const struct vidmm_adapter *adapter,
                          vidmm_handle allocation)
{
    static const char *const residencies[] = {
        [VIDMM_RESIDENCY_NO_CONTENT] = "no-content",
        [VIDMM_RESIDENCY_EVICTED] = "evicted",
        [VIDMM_RESIDENCY_RESIDENT] = "resident",
        [VIDMM_RESIDENCY_LOST] = "lost",
    };
    struct vidmm_allocation_view view;
    if (!vidmm_allocation_view(adapter, allocation, &view))
        return;
    json_number(json, "handle", allocation);
    json_string(json, "label", vidmm_label(adapter, allocation));
    json_string(json, "residency", residencies[view.residency]);
    json_number(json, "segment", view.segment);
    json_number(json, "offset", view.offset);
    json_number(json, "runs", view.runs);
    json_number(json, "bytes", view.bytes);
    json_number(json, "footprint", view.footprint);
    json_number(json, "alignment", view.alignment);
    json_number(json, "flags", view.flags);
    json_number(json, "priority", view.priority);
    json_number(json, "read_set", view.read_set);
    json_number(json, "write_set", view.write_set);
    json_number(json, "eviction_set", view.eviction_set);
    json_number(json, "preferred", view.preferred);
    json_number(json, "hinted_bank", view.hinted_bank);
    json_number(json, "kmt", view.kmt);
    json_number(json, "rename_limit", view.rename_limit);
    json_number(json, "written_pages", view.written_pages);
    json_number(json, "address", view.address);
    json_string(json, "backing", view.backing);
    json_flag(json, "dirty", view.gpu_dirty);
    json_flag(json, "pattern_only", view.pattern_only);
    json_flag(json, "pinned", view.pinned);
    json_flag(json, "busy", view.busy);
    json_number(json, "locks", view.locks);
}

void show_json_queue(struct json *json, const struct vidmm_adapter *adapter)
{
    struct vidmm_adapter_view all;
    struct vidmm_node_view node;
    vidmm_adapter_view(adapter, &all);
    json_open(json, "nodes", '[');
    for (uint32_t i = 0; i < all.nodes; i++) {
        if (!vidmm_node_view(adapter, i, &node))
            continue;
        json_open(json, NULL, '{');
        json_number(json, "node", i);
        json_flag(json, "paging", i == all.paging_node);
        json_number(json, "issued", node.issued);
        json_number(json, "completed", node.completed);
        json_number(json, "queued", node.queued);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void show_json_counters(struct json *json, const struct vidmm_adapter *adapter, const bool *shown)
{
    json_open(json, "counters", '{');
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        enum vidmm_counter counter = (enum vidmm_counter)i;
        if (shown ? shown[counter] : vidmm_counter(adapter, counter) > 0)
            json_number(json, vidmm_counter_info(counter)->name, vidmm_counter(adapter, counter));
    }
    json_close(json, '}');
}
