/* SPDX-License-Identifier: MIT */
/*
 * direction.c: which word decided the direction of a search: a hinted bank, the list of preferred
 * segments, or the flag FromEndOfSegment (PLACE-008)? Which preferred segment is not searched at
 * all? Is a victim of lower priority?
 *
 * The event names the rule alone, so the allocation is asked what it was created with.
 */
#include "tools/step/direction.h"

#include <string.h>

/* Entries of DXGK_SEGMENTPREFERENCE: SegmentIdN:5, DirectionN:1. */
enum { PREFERENCE_BITS = 6, PREFERENCE_TOP = 32 };

/* The entry for `segment`; 0: it is not in the list. */
static uint32_t find_preference(uint32_t preferred, uint64_t segment)
{
    for (unsigned at = 0; at + PREFERENCE_BITS <= 32; at += PREFERENCE_BITS) {
        uint32_t entry = preferred >> at & (2 * PREFERENCE_TOP - 1);
        if (entry && entry % PREFERENCE_TOP == segment)
            return entry;
    }
    return 0;
}

const char *direction_words(const struct names *names, const struct vidmm_event *candidate)
{
    struct vidmm_allocation_view view;
    const char *rule = vidmm_rule_id(candidate->rule);
    if (strcmp(rule, "PLACE-010") == 0)
        return " (a hinted bank, which beats preference and flag)";
    if (strcmp(rule, "PLACE-008") != 0 || !names->adapter ||
        !vidmm_allocation_view(names->adapter, candidate->subject, &view))
        return "";
    bool down = strcmp(names_word(candidate, "direction"), "top-down") == 0;
    bool flag = view.flags & VIDMM_ALLOCATION_FromEndOfSegment; /* in both views of the flags */
    uint32_t entry = find_preference(view.preferred, names_number(candidate, "segment"));
    bool preferred = entry && ((entry & PREFERENCE_TOP) != 0) == down;
    if (preferred)
        return !flag  ? " (as its preference says)"
               : down ? " (as its preference and FromEndOfSegment say)"
                      : " (as its preference says, which beats FromEndOfSegment)";
    return flag && down ? " (as FromEndOfSegment says)" : "";
}

void direction_too_small(const struct names *names, vidmm_handle allocation, struct text *out)
{
    struct vidmm_allocation_view view;
    struct vidmm_segment_view segment;
    if (!names->adapter || !vidmm_allocation_view(names->adapter, allocation, &view))
        return;
    for (unsigned at = 0; at + PREFERENCE_BITS <= 32; at += PREFERENCE_BITS) {
        uint32_t id = view.preferred >> at & (PREFERENCE_TOP - 1);
        if (!id || !vidmm_segment_view(names->adapter, id, &segment) || segment.bytes >= view.bytes)
            continue;
        text_add(out, "%s%s is preferred, but never searched: it has %s, and %s needs %s",
                 out->length ? "; " : "", segment.name, text_size(segment.bytes).it,
                 names_allocation(names, allocation).it, text_size(view.bytes).it);
    }
}

void direction_outranks(const struct names *names, const struct vidmm_event *turn, struct text *out)
{
    vidmm_handle comes = (vidmm_handle)names_number(turn, "for");
    struct vidmm_allocation_view view;
    if (names->adapter && vidmm_allocation_view(names->adapter, comes, &view) &&
        view.priority > names_number(turn, "priority"))
        text_add(out, ", whose priority is lower than that of %s",
                 names_allocation(names, comes).it);
}
