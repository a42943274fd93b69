/* SPDX-License-Identifier: MIT */
/*
 * evict_lost.c: an eviction that cannot keep the content: no eviction segment can ever supply a
 * range, or the content is hardware-protected and the segment cannot encrypt it. It is discarded.
 */
#include "vidmm/residency.h"
#include "vidmm/swizzle.h"

#include <stdio.h>
#include <string.h>

/* What does not fit any more is cut off. */
static void add_text(char *text, size_t bytes, const char *before, const char *name)
{
    size_t length = strlen(text);
    (void)snprintf(text + length, bytes - length, "%s%s", before, name);
}

/* A few by name, of the others how many there are. */
enum { PINNED_NAMED = 4, BLOCKERS_BYTES = 256 };

static void name_pinned(adapter_t *adapter, const struct segment_slot *slot, char *text,
                        size_t bytes)
{
    const char *before = ": ";
    unsigned count = 0;
    char more[32];
    for (const struct allocation *a = slot->pinned; a; a = a->pinned_next) {
        if (count++ >= PINNED_NAMED)
            continue;
        add_text(text, bytes, before, a->label);
        before = ", ";
    }
    (void)snprintf(more, sizeof more, "%u more", count - PINNED_NAMED);
    if (count > PINNED_NAMED)
        add_text(text, bytes, " and ", more);
    if (!slot->fixed.count)
        return;
    add_text(text, bytes, before, "pagingbuffer");
    applies(adapter, RULE(PLACE_032));
}

/* Who blocks every aperture of the eviction set, for the finding. */
static void name_blockers(adapter_t *adapter, const struct allocation *allocation, char *text,
                          size_t bytes)
{
    for (uint32_t id = 1; id <= adapter->segment_count; id++) {
        const struct segment_slot *slot = &adapter->segments[id];
        if (segment_adapter(adapter, id) != allocation->info.physical ||
            !(allocation->info.eviction_set & segment_set_bit(adapter, id)))
            continue;
        add_text(text, bytes, *text ? "; " : "", slot->name);
        if (allocation->info.bytes > min_u64(slot->segment.desc.bytes, slot->segment.desc.limit))
            add_text(text, bytes, ": ", "it is larger than the segment or its limit");
        else if (slot->pinned || slot->fixed.count)
            name_pinned(adapter, slot, text, bytes);
        else
            add_text(text, bytes, ": ", "the global commit limit");
    }
}

static void tell_blocked(adapter_t *adapter, const struct allocation *allocation)
{
    char blockers[BLOCKERS_BYTES] = "";
    name_blockers(adapter, allocation, blockers, sizeof blockers);
    finding(adapter, RULE(PAGE_024), allocation->handle, "eviction of %s blocked: %s",
            allocation->label, blockers);
    EMIT(adapter, LOST, RULE(PLACE_030), allocation->handle, f_word("reason", "blocked"),
         f_bytes("bytes", allocation->info.bytes), f_text("blocker", blockers));
}

vidmm_status evict_discard(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_discard(adapter, allocation, &allocation->place);
    if (!status)
        status = swizzle_leave(adapter, allocation);
    return status;
}

vidmm_status evict_lose(adapter_t *adapter, struct allocation *allocation, enum way_out way)
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
