/* SPDX-License-Identifier: MIT */
/*
 * segments_start.h: what the miniport reported about its segments, in one form for all versions,
 * and the steps of taking it over. Read by the files of the start, and by memory_report.c.
 */
#ifndef VIDMM_SEGMENTS_START_H
#define VIDMM_SEGMENTS_START_H

#include "vidmm/adapter/start.h"

enum { LARGE_PAGE = 64 * 1024 };

/* One descriptor. What its form lacks is 0. */
struct segment_answer {
    uint32_t id, flags, answered; /* its flags, and as they were before any was ignored */
    uint64_t base, cpu_base, bytes, commit_limit;
    uint32_t bank_count;
    const SIZE_T *bank_ends;
    uint32_t invalid_ranges, uefi_ranges;
    uint64_t host_pages; /* of the CPU host aperture, whose address is then cpu_base */
    uint64_t memory_end; /* SystemMemoryEndAddress, from 1.2 on */
    /* the protected range (SEG-061), from 2.0 on */
    uint64_t vpr_start, vpr_bytes;
    uint32_t vpr_alignment, vpr_limit, vpr_reserve;
};

/* The whole answer to the second query. */
struct segments_answer {
    adapter_t *adapter;
    DXGK_QUERYADAPTERINFOTYPE type;
    struct segment_answer segments[VIDMM_SEGMENTS_MAX];
    uint32_t count;
    uint32_t paging_segment, paging_bytes, paging_private_bytes;
};

/* What stands in required members before the second query (MINI-005). */
#define SEGMENTS_UNSET UINT64_C(0xA5A5A5A5A5A5A5A5)

/* SEG-031. A host page may be larger still. */
static inline uint64_t segments_page(const adapter_t *adapter, uint32_t flags)
{
    return flags & SEGMENT_64KB_PAGES ? max_u64(LARGE_PAGE, adapter->setup->page)
                                      : adapter->setup->page;
}

/* segments_query.c: both calls about one physical adapter; the count and the stride are checked. */
vidmm_status segments_query(adapter_t *adapter, uint32_t index, struct segments_answer *answer);

/* segments_link.c: the answers of further physical adapters, and how their segments are called. */
vidmm_status segments_link_check(const struct segments_answer *first,
                                 const struct segments_answer *other, uint32_t index);
/* From here on the ids are those of the manager. */
void segments_link_number(struct segments_answer *answer, uint32_t index);

/* segments_check.c: what makes the start fail, then what is only odd. */
vidmm_status segments_check(const struct segments_answer *answer);
vidmm_status segments_advise(struct segments_answer *answer);

/* The CPU ranges of adapter `index` among themselves and with those of the
   adapters before it. */
vidmm_status segments_cpu_check(const struct segments_answer *answers, uint32_t index);

/* memory_report.c: the numbers that follow from all segments together. */
vidmm_status memory_report(adapter_t *adapter);

/* The AGP aperture, whose numbers count more than those of its segment. */
bool segments_agp_exists(const adapter_t *adapter);
void segments_agp_adopt(struct segments_answer *answer);

/* The protected range: is it possible, what of it may be used, and its reserve. */
bool segments_vpr_broken(const struct segments_answer *answer,
                         const struct segment_answer *segment);
struct range segments_vpr_usable(const adapter_t *adapter, const struct segment_answer *segment);
vidmm_status segments_vpr_reserve(adapter_t *adapter, const struct segment_answer *segment);

/* segments_ranges.c: ranges that nobody may use, in segments that exist already. */
vidmm_status segments_invalid_ranges(adapter_t *adapter, const struct segment_answer *segment);
vidmm_status segments_paging_buffers(adapter_t *adapter);

#endif
