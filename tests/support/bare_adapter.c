/* SPDX-License-Identifier: MIT */
/* bare_adapter.c: an adapter without a miniport. */
#include "tests/support/bare_adapter.h"
#include "paging/schedule/schedule_state.h"
#include "paging/store/store_state.h"
#include "vidmm/tell/tell_state.h"
#include "vidmm/wiring.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };

static const char *const names[] = { "system", "one", "two", "three", "four", "five" };

static void remember(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct bare_adapter *bare = CONTAINER_OF(self, struct bare_adapter, observer);
    bare->events[event->kind]++;
    bare->last_rule = event->rule;
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0)
            (void)snprintf(bare->last_text, sizeof bare->last_text, "%s", event->fields[i].text);
}

struct bare_adapter *bare_adapter_create(uint64_t memory_bytes, uint32_t wddm)
{
    struct bare_adapter *bare = base_alloc(1, sizeof *bare);
    adapter_t *adapter = &bare->adapter;
    wiring_connect(adapter);
    vidmm_settings_init(&adapter->setup->config.settings);
    adapter->setup->config.settings.value[VIDMM_SETTING_WDDM] = wddm;
    adapter->setup->page = PAGE_BYTES;
    adapter->setup->caps = (struct caps){ .wddm = wddm, .nodes = 2, .highest_address = UINT64_MAX };
    for (int set = 0; set < VIDMM_FLAG_SETS; set++)
        adapter->setup->caps.defined[set] = vidmm_flags_defined((enum vidmm_flag_set)set, wddm);
    adapter->rule_uses = base_alloc(vidmm_rule_count() + 1, sizeof *adapter->rule_uses);
    adapter->tell->last_call = "";
    adapter->tell->started = true;
    bare->observer.on_event = remember;
    observers_set(adapter, &bare->observer);
    range_tree_init(&adapter->store->system_space, memory_bytes, PAGE_BYTES);
    page_store_init(&adapter->store->system_pages);
    fence_board_init(&adapter->schedule->fences, adapter->setup->caps.nodes);
    return bare;
}

static void add_segment(struct bare_adapter *bare, struct vidmm_segment_desc desc)
{
    adapter_t *adapter = &bare->adapter;
    uint32_t id = ++adapter->setup->segment_count;
    adapter->setup->segments_each = id;
    adapter->setup->link_count = 1;
    CHECK(id < ARRAY_COUNT(names));
    desc.id = id;
    desc.page_bytes = desc.flags & SEGMENT_64KB_PAGES ? 16 * PAGE_BYTES : PAGE_BYTES;
    desc.base = (uint64_t)id << 32;
    desc.limit = desc.bytes;
    segment_init(&adapter->store->segments[id].segment, &desc, 20);
    adapter->store->names[id].name = names[id];
    adapter->setup->descs[id - 1] = &adapter->store->segments[id].segment.desc;
}

void bare_adapter_segment(struct bare_adapter *bare, uint32_t flags, uint64_t bytes)
{
    add_segment(bare, (struct vidmm_segment_desc){ .flags = flags, .bytes = bytes });
}

void bare_adapter_banks(struct bare_adapter *bare, uint64_t bytes, uint32_t banks)
{
    uint64_t ends[VIDMM_BANKS_MAX];
    for (uint32_t i = 0; i < banks; i++)
        ends[i] = bytes / banks * (i + 1);
    add_segment(bare, (struct vidmm_segment_desc){ .flags = SEGMENT_USE_BANKING,
                                                   .bytes = bytes,
                                                   .bank_count = banks,
                                                   .bank_ends = ends });
}

void bare_adapter_destroy(struct bare_adapter *bare)
{
    adapter_t *adapter = &bare->adapter;
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        segment_fini(&adapter->store->segments[id].segment);
        base_free(adapter->store->segments[id].policy_state);
    }
    fence_board_fini(&adapter->schedule->fences);
    page_store_fini(&adapter->store->system_pages);
    range_tree_fini(&adapter->store->system_space);
    tell_fini(adapter);
    base_free(adapter->rule_uses);
    wiring_free(adapter);
    base_free(bare);
}

struct allocation *bare_allocation(struct bare_adapter *bare, uint64_t bytes)
{
    static char label[] = "bare";
    struct allocation *allocation = base_alloc(1, sizeof *allocation);
    allocation->pageable.store.owner = &allocation->pageable;
    CHECK(is_aligned(bytes, bare->adapter.setup->page));
    allocation->pageable.label = label;
    allocation->pageable.info.bytes = bytes;
    return allocation;
}
