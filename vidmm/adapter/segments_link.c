/* SPDX-License-Identifier: MIT */
/*
 * segments_link.c: segments of linked physical adapters.
 *
 * In WDDM 2.0 and later the segment query names the adapter that it asks about, and each one
 * answers for itself. A segment id in a set of an allocation means every adapter alike, so the
 * answers have to agree on what a segment is; addresses and sizes are each adapter's own. The
 * manager numbers all segments one after the other: those of adapter 0 first, whose numbers are
 * the driver's, then as many of each other adapter.
 *
 * Rules not named below: PLACE-021.
 */
#include <stdio.h>
#include <string.h>

#include "paging/store/store.h"
#include "vidmm/adapter/segments_start.h"

vidmm_status segments_link_check(const struct segments_answer *first,
                                 const struct segments_answer *other, uint32_t index)
{
    adapter_t *adapter = first->adapter;
    applies(adapter, RULE(SEG_003));
    if (first->count != other->count)
        return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                      "adapter %u of the link has %u segments, adapter 0 has %u", index,
                      other->count, first->count);
    for (uint32_t i = 0; i < first->count; i++)
        if (first->segments[i].flags != other->segments[i].flags)
            return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                          "%s has flags 0x%x on adapter %u of the link, and 0x%x on adapter 0",
                          segment_name(adapter, i + 1), other->segments[i].flags, index,
                          first->segments[i].flags);
    return STATUS_SUCCESS;
}

/* vram[1], as a scenario writes it. */
static void call_it(adapter_t *adapter, uint32_t id, uint32_t index)
{
    char text[120];
    (void)snprintf(text, sizeof text, "%s[%u]", segment_name(adapter, id), index);
    places_rename(adapter, segment_of_adapter(adapter, id, index),
                  base_strndup(text, strlen(text)));
}

void segments_link_number(struct segments_answer *answer, uint32_t index)
{
    adapter_t *adapter = answer->adapter;
    for (uint32_t i = 0; i < answer->count && index; i++) {
        call_it(adapter, i + 1, index);
        answer->segments[i].id = segment_of_adapter(adapter, i + 1, index);
    }
}
