/* SPDX-License-Identifier: MIT */
/*
 * allocation_check.h: the shape of a check of what a miniport answered to a creation.
 *
 * A row is a rule, a condition that breaks it, and a sentence; a table holds the rules of one area
 * in the order of their numbers. Read by allocation_check.c, the tables it
 * goes through, and allocation/check/.
 */
#ifndef VIDMM_ALLOCATION_CHECK_H
#define VIDMM_ALLOCATION_CHECK_H

#include "segments/segments.h"
#include "vidmm/tell/tell.h"

enum {
    ALLOCATION_ANY_EXISTING = ALLOCATION_EXISTING | ALLOCATION_EXISTING_KERNEL,
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

struct check {
    enum vidmm_rule rule;
    bool (*broken)(const struct answer *answer);
    const char *message;
    vidmm_status status; /* 0: STATUS_INVALID_PARAMETER */
};

/* The sentence about a broken check: the cause that applied, where there are several. It may be
   written to `text`. */
const char *check_sentence(const struct check *check, const struct answer *answer, char *text,
                           size_t bytes);
/* check_alloc.c: the most that one allocation can ever take in this segment. */
uint64_t answer_room(const struct answer *answer, uint32_t segment);

/* Each ends with a row without a condition. */
extern const struct check allocation_checks[]; /* check_alloc.c: ALLOC */
extern const struct check standard_checks[];   /* check_standard.c: ALLOC-047, ALLOC-048 */
extern const struct check cross_checks[];      /* check_cross.c: ALLOC-050, ALLOC-051 */
extern const struct check flag_checks[];       /* check_flag.c: FLAG */
extern const struct check flag_wddm2_checks[]; /* check_flag_wddm2.c: FLAG from 055 on */

static inline uint32_t segment_bit(uint32_t segment)
{
    return UINT32_C(1) << (segment - 1);
}

static inline bool answer_has(const struct answer *answer, uint32_t flag)
{
    return (answer->flags & flag) != 0;
}

static inline bool answer_in_vpr(const struct answer *answer)
{
    return answer->view == VIDMM_FLAGS_ALLOCATION2_0 &&
           answer_has(answer, VIDMM_ALLOCATION2_0_CreateInVpr);
}

/* Banks of SegmentId0; 0 when the hint means nothing (ALLOC-028). */
static inline uint32_t answer_hinted_banks(const struct answer *answer)
{
    uint32_t id = preference_segment(answer->raw->PreferredSegment.Value, 0);
    if (!id || id > answer->adapter->setup->segments_each)
        return 0;
    return answer->adapter->setup->descs[id - 1]->bank_count;
}

#endif
