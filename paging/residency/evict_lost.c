/* SPDX-License-Identifier: MIT */
/*
 * evict_lost.c: an eviction that cannot keep the content: what is pinned blocks every range that
 * would hold it, or the content is hardware-protected and the segment cannot encrypt it. It is
 * discarded. Also the words for what is wrong with an eviction set.
 */
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

#include <stdio.h>
#include <string.h>

/* What does not fit any more is cut off. */
static void add_text(char *text, size_t bytes, const char *before, const char *name)
{
    size_t length = strlen(text);
    (void)snprintf(text + length, bytes - length, "%s%s", before, name);
}

/* A few by name, of the others how many there are. */
enum { PINNED_NAMED = 4 };

static void name_pinned(adapter_t *adapter, uint32_t id, char *text, size_t bytes)
{
    const char *before = ": ";
    unsigned count = 0;
    char more[32];
    for (const struct pageable *a = adapter->residency->residents[id].pinned; a;
         a = a->place.pinned_next) {
        if (count++ >= PINNED_NAMED)
            continue;
        add_text(text, bytes, before, a->label);
        before = ", ";
    }
    (void)snprintf(more, sizeof more, "%u more", count - PINNED_NAMED);
    if (count > PINNED_NAMED)
        add_text(text, bytes, " and ", more);
    if (places_held(adapter, id)->buffers.count) {
        add_text(text, bytes, before, "DMA buffers");
        before = ", ";
    }
    if (!places_held(adapter, id)->fixed.count)
        return;
    add_text(text, bytes, before, "pagingbuffer");
    applies(adapter, RULE(PLACE_032));
}

/* Which limit of the segment is too low for `allocation`: its own ones, or what pinned ones leave
   of them. NULL: none of the first. */
static const char *name_limit(const adapter_t *adapter, const struct pageable *allocation,
                              uint32_t id, uint64_t *limit)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, id);
    if (allocation->info.bytes > (*limit = desc->bytes))
        return ": larger than its ";
    if (allocation->info.bytes > (*limit = desc->limit))
        return ": larger than its commit limit of ";
    if (allocation->info.bytes > (*limit = adapter->setup->shared_limit))
        return ": larger than the commit limit of all apertures, ";
    return NULL;
}

static const char *name_shortage(const adapter_t *adapter, const struct pageable *allocation,
                                 uint32_t id, uint64_t *limit)
{
    const struct segment *segment = segment_at(adapter, id);
    *limit = segment->desc.limit;
    if (allocation->info.bytes > *limit - min_u64(*limit, segment->pinned_bytes))
        return ": pinned allocations use up its commit limit of ";
    *limit = adapter->setup->shared_limit;
    return ": pinned allocations use up the commit limit of all apertures, ";
}

void evict_name_obstacles(adapter_t *adapter, const struct pageable *allocation, bool ever,
                          struct evict_obstacles *obstacles)
{
    char *text = obstacles->text;
    size_t bytes = sizeof obstacles->text;
    *text = '\0';
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        uint64_t limit = 0;
        if (!evict_set_has(adapter, allocation, id))
            continue;
        add_text(text, bytes, *text ? "; " : "", segment_name(adapter, id));
        const char *reason = name_limit(adapter, allocation, id, &limit);
        if (!reason && ever) {
            add_text(text, bytes, ": larger than what the paging buffers leave of its ",
                     words_size(segment_desc(adapter, id)->bytes).it);
        } else if (!reason && evict_blocked(adapter, allocation, id)) {
            name_pinned(adapter, id, text, bytes);
        } else {
            reason = reason ? reason : name_shortage(adapter, allocation, id, &limit);
            add_text(text, bytes, reason, words_size(limit).it);
        }
    }
}

static void tell_blocked(adapter_t *adapter, const struct pageable *allocation)
{
    struct evict_obstacles blockers;
    evict_name_obstacles(adapter, allocation, false, &blockers);
    finding(adapter, RULE(PAGE_024), allocation->handle, "eviction of %s blocked: %s",
            allocation->label, blockers.text);
    EMIT(adapter, LOST, RULE(PLACE_030), allocation->handle, f_word("reason", "blocked"),
         f_bytes("bytes", allocation->info.bytes), f_text("blocker", blockers.text));
}

vidmm_status evict_discard(adapter_t *adapter, struct pageable *allocation)
{
    vidmm_status status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_discard(adapter, allocation, &allocation->place.at);
    if (!status)
        status = adapter->pageable_hooks->leave(adapter, allocation);
    return status;
}

vidmm_status evict_lose(adapter_t *adapter, struct pageable *allocation, enum way_out way)
{
    vidmm_status status = evict_discard(adapter, allocation);
    if (status)
        return status;
    residency_unplace(adapter, allocation, true);
    allocation_lose(adapter, allocation);
    if (way == OUT_LOST)
        tell_blocked(adapter, allocation);
    else
        EMIT(adapter, LOST, RULE(SEG_063), allocation->handle, f_word("reason", "protected"),
             f_bytes("bytes", allocation->info.bytes));
    return STATUS_SUCCESS;
}
