/* SPDX-License-Identifier: MIT */
/*
 * vidmm_flags.h: names and values of the documented flag words, from vidmm_flags.def.
 * PRIORITY holds the named levels of D3DDDI_ALLOCATIONPRIORITY, which are values and not bits; so
 * do FORMAT and GDI.
 */
#ifndef VIDMM_FLAGS_H
#define VIDMM_FLAGS_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vidmm_flag_set {
    VIDMM_FLAGS_ALLOCATION,     /* DXGK_ALLOCATIONINFOFLAGS */
    VIDMM_FLAGS_ALLOCATION2_0,  /* DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 */
    VIDMM_FLAGS_ALLOCATION2,    /* DXGK_ALLOCATIONINFOFLAGS2 */
    VIDMM_FLAGS_INFO,           /* D3DDDI_ALLOCATIONINFO2, Flags */
    VIDMM_FLAGS_KMT,            /* D3DKMT_CREATEALLOCATIONFLAGS */
    VIDMM_FLAGS_DDI_CREATE,     /* DXGK_CREATEALLOCATIONFLAGS */
    VIDMM_FLAGS_SEGMENT,        /* DXGK_SEGMENTFLAGS */
    VIDMM_FLAGS_LOCK,           /* D3DDDICB_LOCKFLAGS */
    VIDMM_FLAGS_OFFER,          /* D3DKMT_OFFER_FLAGS */
    VIDMM_FLAGS_OFFER_CALLBACK, /* D3DDDI_OFFER_FLAGS */
    VIDMM_FLAGS_TRANSFER,       /* DXGK_TRANSFERFLAGS */
    VIDMM_FLAGS_USAGE,          /* DXGK_ALLOCATIONUSAGEINFO1, Flags */
    VIDMM_FLAGS_PRIORITY,       /* D3DDDI_ALLOCATIONPRIORITY */
    VIDMM_FLAGS_FORMAT,         /* D3DDDIFORMAT, those of surfaces; values, not bits */
    VIDMM_FLAGS_GDI,            /* D3DKMDT_GDISURFACETYPE; values, not bits */
    VIDMM_FLAG_SETS
};

/*
 * A constant for each bit, by its set and its documented name: VIDMM_ALLOCATION_CpuVisible. The two
 * views of the flags of an allocation share most bits; where they differ, name the right set.
 */
enum {
#define FLAG(set, name, value, since, until) VIDMM_##set##_##name = (value),
#define VALUE(set, name, value, since, until)
#include "vidmm/vidmm_flags.def"
};

struct vidmm_flag {
    enum vidmm_flag_set set;
    const char *name; /* as documented, without the prefix of its structure */
    uint32_t value;
    uint32_t since, until; /* interface versions times ten */
    bool whole;            /* a value: only the whole word has this name */
};

/* Row `index` of one set, in bit order; NULL behind the last. */
const struct vidmm_flag *vidmm_flag_row(enum vidmm_flag_set set, size_t index);
/* The flag with this name, NULL if the set has none. Priorities are found without regard to case.
 */
const struct vidmm_flag *vidmm_flag_by_name(enum vidmm_flag_set set, const char *name);
/* The same in the other view of the flags of an allocation, which `*set` is then; a bit that both
 * have means the same in both. */
const struct vidmm_flag *vidmm_flag_by_other_name(enum vidmm_flag_set *set, const char *name);
/* All bits that the set defines for an interface version: every other bit is reserved. */
uint32_t vidmm_flags_defined(enum vidmm_flag_set set, uint32_t wddm);
/*
 * Writes "CpuVisible,Cached" into `text`, unknown bits as one hexadecimal number, "0" for none.
 * Cut to `bytes` including the NUL; returns `text`.
 */
const char *vidmm_flags_text(enum vidmm_flag_set set, uint32_t value, char *text, size_t bytes);
/*
 * What is wrong with the bits of `value` that the version reserves: "Use64KBPages exists from WDDM
 * 2.0 on" for those that are too new, the others as one hexadecimal number; "" when all are
 * defined. Cut to `bytes` including the NUL; returns `text`.
 */
const char *vidmm_flags_reserved_text(enum vidmm_flag_set set, uint32_t value, uint32_t wddm,
                                      char *text, size_t bytes);

/* Is there an interface version with this number, times ten? Which ones: "1.0 to 1.3, ...". */
bool vidmm_wddm_exists(uint64_t wddm);
const char *vidmm_wddm_versions(void);

#ifdef __cplusplus
}
#endif
#endif
