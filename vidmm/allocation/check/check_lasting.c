/* SPDX-License-Identifier: MIT */
/*
 * check_lasting.c: what holds as long as an allocation lives, of its segments, its sizes and the
 * flags that can change. The driver's answer to a creation is judged by this, and later what an
 * update makes of the allocation (RES-029).
 */
#include "paging/store/store.h"
#include "vidmm/allocation/check/allocation_check.h"

enum { LARGE_PAGE = 64 * 1024 };

/* ---- sizes ---------------------------------------------------------------------------------- */

void lasting_alignment(struct verdict *verdict, const struct answer *answer)
{
    uint64_t alignment = answer->raw->Alignment;
    verdict_if(verdict, RULE(ALLOC_012),
               (answer->supported & answer->large_paged) &&
                   (!alignment || !is_aligned(alignment, LARGE_PAGE)),
               "Alignment is no multiple of 64 KiB although a supported segment has pages of that "
               "size");
}

/* The most that one allocation can ever take in this segment. */
static uint64_t room_in(const struct answer *answer, const struct vidmm_segment_desc *desc)
{
    bool pinned = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE);
    uint64_t low = pinned ? desc->pin_start : 0, high = desc->bytes;
    if (answer_in_vpr(answer) && desc->vpr_end > desc->vpr_start) {
        low = max_u64(low, desc->vpr_start);
        high = min_u64(high, desc->vpr_end);
    }
    return low < high ? min_u64(high - low, desc->limit) : 0;
}

/* How many descriptors come before those of its adapter? An index that names none is another
   mistake (ALLOC-038). */
static uint32_t segments_before(const struct answer *answer)
{
    const struct setup *setup = answer->adapter->setup;
    uint32_t index = answer->raw->PhysicalAdapterIndex; /* of renaming below 2.0 */
    bool named = answer->wddm >= VIDMM_WDDM_2_0 && index < setup->link_count;
    return named ? index * setup->segments_each : 0;
}

/* The sentence names the largest of the segments, and what it offers. */
void lasting_room(struct verdict *verdict, enum vidmm_rule rule, vidmm_status status,
                  const struct answer *answer)
{
    const struct setup *setup = answer->adapter->setup;
    const struct vidmm_segment_desc *best = NULL;
    uint64_t most = 0;
    for (uint32_t id = 1; id <= setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = setup->descs[segments_before(answer) + id - 1];
        uint64_t room = room_in(answer, desc);
        if (!(answer->supported & answer->existing & segment_bit(id)))
            continue;
        /* A footprint of 0 is another mistake (ALLOC-017). */
        if (segment_footprint(desc, answer->bytes, answer->pitch_bytes) <= room)
            return;
        if (!best || room > most) {
            best = desc;
            most = room;
        }
    }
    if (!best)
        return; /* no segment is allowed at all: other rules refuse that */
    const char *why = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE)
                          ? ", its pinned region, to an allocation of this kind"
                      : answer_in_vpr(answer) ? ", its protected range"
                      : most < best->bytes    ? ", its commit limit"
                                              : "";
    verdict_add(verdict, rule, status,
                "no supported segment is ever large enough for %s: %s offers no more than %s%s",
                words_size(segment_footprint(best, answer->bytes, answer->pitch_bytes)).it,
                segment_name(answer->adapter, best->id), words_size(most).it, why);
}

void lasting_pitch(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(ALLOC_017),
               !answer->raw->PitchAlignedSize && (answer->named & answer->pitch_aligned),
               "PitchAlignedSize is 0 but a PitchAlignment segment is named");
}

/* ---- preferences ---------------------------------------------------------------------------- */

struct preferences lasting_preferences(const struct answer *answer)
{
    const uint32_t reserved = 0xC0000000;
    uint32_t preferred = answer->raw->PreferredSegment.Value;
    struct preferences wrong = { .unknown = preferred & reserved };
    if (!preferred) /* as most */
        return wrong;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = preference_segment(preferred, i);
        if (id > answer->adapter->setup->segments_each)
            wrong.unknown = true;
        else
            wrong.unsupported |= id && !(answer->supported & segment_bit(id));
    }
    return wrong;
}

/* ---- what reaches it ------------------------------------------------------------------------ */

/* What the CPU reaches: memory that it sees, a host aperture, or system pages. */
void lasting_primary(struct verdict *verdict, const struct answer *answer)
{
    const struct setup *setup = answer->adapter->setup;
    uint32_t invisible = answer->raw->SupportedWriteSegmentSet & answer->invisible;
    bool out_of_reach = false;
    for (uint32_t id = 1; id <= setup->segments_each; id++)
        out_of_reach |= (invisible & segment_bit(id)) &&
                        !(setup->descs[id - 1]->flags & VIDMM_SEGMENT_SupportsCpuHostAperture);
    verdict_if(verdict, RULE(ALLOC_041), out_of_reach && !setup->caps.invisible_primary,
               "the write set of a primary names memory that the CPU cannot reach");
}

void lasting_visible(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(FLAG_006),
               answer->wddm >= VIDMM_WDDM_2_0 && answer_has(answer, ALLOCATION_ANY_VISIBLE) &&
                   (answer->supported & answer->invisible) &&
                   !(answer->supported & answer->apertures),
               "the CPU cannot see all supported memory and no aperture segment is supported");
}

void lasting_swizzled(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(FLAG_034),
               answer_has_old(answer, ALLOCATION_SWIZZLED) &&
                   answer_has(answer, ALLOCATION_ANY_VISIBLE) &&
                   !(answer->supported & ~answer->apertures),
               "Swizzled and CpuVisible, but no memory segment is supported");
}

/* ---- flags ---------------------------------------------------------------------------------- */

/* CpuVisible, Cached where an aperture is coherent, and nothing else. */
void lasting_history_buffer(struct verdict *verdict, const struct answer *answer)
{
    uint32_t legal = ALLOCATION_HISTORY_BUFFER | ALLOCATION_CPU_VISIBLE | ALLOCATION_CACHED;
    bool cached = answer_has(answer, ALLOCATION_CACHED);
    if (!answer_has(answer, ALLOCATION_HISTORY_BUFFER))
        return;
    if (!answer_has(answer, ALLOCATION_CPU_VISIBLE))
        verdict_add(verdict, RULE(FLAG_052), STATUS_INVALID_PARAMETER,
                    "HistoryBuffer requires CpuVisible");
    else if (answer->coherent && !cached)
        verdict_add(verdict, RULE(FLAG_052), STATUS_INVALID_PARAMETER,
                    "HistoryBuffer requires Cached on an adapter with a CacheCoherent aperture "
                    "segment");
    else if (!answer->coherent && cached)
        verdict_add(verdict, RULE(FLAG_052), STATUS_INVALID_PARAMETER,
                    "HistoryBuffer excludes Cached on an adapter without a CacheCoherent aperture "
                    "segment");
    else if (answer->flags & ~legal)
        verdict_add(verdict, RULE(FLAG_052), STATUS_INVALID_PARAMETER, "HistoryBuffer excludes %s",
                    answer_flags(answer, ~legal).it);
}

void lasting_notification(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(FLAG_055),
               answer_has(answer, ALLOCATION_RESIDENCY_NOTIFICATION) &&
                   !answer_has(answer, ALLOCATION_ACCESSED_PHYSICALLY),
               "ExplicitResidencyNotification is set without AccessedPhysically");
}

void lasting_protected(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(FLAG_059),
               answer_in_vpr(answer) && (answer->supported & answer->existing & ~answer->protected),
               "CreateInVpr is set and a supported segment has no protected range");
}

/* Flags2 of a driver below 3.0 is another mistake (FLAG-061). */
void lasting_shared_store(struct verdict *verdict, const struct answer *answer)
{
    verdict_if(verdict, RULE(FLAG_064),
               answer->raw->Flags2.ShareBackingStoreWithKmd &&
                   (!answer->request->shared || (answer->supported & ~answer->apertures) ||
                    answer_has(answer, ALLOCATION_ANY_EXISTING)),
               "ShareBackingStoreWithKmd is set and it is not shared, in memory segments or "
               "existing");
}
