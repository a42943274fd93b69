/* SPDX-License-Identifier: MIT */
/*
 * allocation_check.h: the answer of a miniport to a creation, as the checks see it. Private to this
 * folder.
 *
 * A check is one call of verdict_if(): a rule, a condition that breaks it, and a sentence. They
 * stand in the order of the rules' numbers, each area in a function of its own.
 */
#ifndef VIDMM_ALLOCATION_CHECK_H
#define VIDMM_ALLOCATION_CHECK_H

#include "segments/segments.h"
#include "vidmm/tell/tell.h"

enum {
    ALLOCATION_ANY_EXISTING = ALLOCATION_EXISTING | ALLOCATION_EXISTING_KERNEL,
    ALLOCATION_ANY_VISIBLE = ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND, /* FLAG-007 */
};

/* The answer, and what the conditions ask about it again and again. */
struct answer {
    const adapter_t *adapter;
    const DXGK_ALLOCATIONINFO *raw;
    const struct allocation_request *request;
    const struct system_range *range; /* given with the call, or NULL */
    uint32_t wddm;
    bool wddm2_flags;
    enum vidmm_flag_set view;
    uint32_t flags;
    uint32_t supported; /* union of both sets, from 2.0 on the write set */
    uint32_t named;     /* the same, and the preferred segments */
    /* segments of the adapter, by what they are */
    uint32_t existing, apertures, pitch_aligned, large_paged, invisible, coherent, protected;
    uint64_t bytes, pitch_bytes; /* rounded; what cannot be rounded is larger than any segment */
};

/* Each adds what `answer` breaks. */
void check_alloc(struct verdict *verdict, const struct answer *answer);   /* ALLOC */
void check_surface(struct verdict *verdict, const struct answer *answer); /* ALLOC-047 to 051 */
void check_flag(struct verdict *verdict, const struct answer *answer);    /* FLAG */
/* Where a surface may lie, which an update can break, too: ALLOC-048, ALLOC-050. */
void check_surface_set(struct verdict *verdict, const struct answer *answer);

/* Those of them that an update can break (check_lasting.c). Each reports one rule. */
void lasting_alignment(struct verdict *verdict, const struct answer *answer);      /* ALLOC-012 */
void lasting_pitch(struct verdict *verdict, const struct answer *answer);          /* ALLOC-017 */
void lasting_primary(struct verdict *verdict, const struct answer *answer);        /* ALLOC-041 */
void lasting_visible(struct verdict *verdict, const struct answer *answer);        /* FLAG-006 */
void lasting_swizzled(struct verdict *verdict, const struct answer *answer);       /* FLAG-034 */
void lasting_history_buffer(struct verdict *verdict, const struct answer *answer); /* FLAG-052 */
void lasting_notification(struct verdict *verdict, const struct answer *answer);   /* FLAG-055 */
void lasting_protected(struct verdict *verdict, const struct answer *answer);      /* FLAG-059 */
void lasting_shared_store(struct verdict *verdict, const struct answer *answer);   /* FLAG-064 */
/* Reports `rule` when no segment of the set is ever large enough. */
void lasting_room(struct verdict *verdict, enum vidmm_rule rule, vidmm_status status,
                  const struct answer *answer);

/* What the preferred segments name: one that does not exist (or a reserved bit), one that is not
   supported. */
struct preferences {
    bool unknown, unsupported;
};
struct preferences lasting_preferences(const struct answer *answer);

static inline uint32_t segment_bit(uint32_t segment)
{
    return UINT32_C(1) << (segment - 1);
}

static inline bool answer_has(const struct answer *answer, uint32_t flag)
{
    return (answer->flags & flag) != 0;
}

/* A flag that view C reads as something else. */
static inline bool answer_has_old(const struct answer *answer, uint32_t flag)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION && answer_has(answer, flag);
}

/* A flag that only view C has. Below 2.0 the bits of that member mean nothing (FLAG-001). */
static inline bool answer_has_new(const struct answer *answer, uint32_t flag)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION2_0 && answer->wddm >= VIDMM_WDDM_2_0 &&
           answer_has(answer, flag);
}

static inline bool answer_in_vpr(const struct answer *answer)
{
    return answer_has_new(answer, VIDMM_ALLOCATION2_0_CreateInVpr);
}

/* Banks of SegmentId0; 0 when the hint means nothing (ALLOC-028). */
static inline uint32_t answer_hinted_banks(const struct answer *answer)
{
    uint32_t id = preference_segment(answer->raw->PreferredSegment.Value, 0);
    if (!id || id > answer->adapter->setup->segments_each)
        return 0;
    return answer->adapter->setup->descs[id - 1]->bank_count;
}

/* Which of `flags` the answer has, by their names. */
struct answer_flags {
    char it[160];
};
static inline struct answer_flags answer_flags(const struct answer *answer, uint32_t flags)
{
    struct answer_flags names;
    vidmm_flags_text(answer->view, answer->flags & flags, names.it, sizeof names.it);
    return names;
}

#endif
