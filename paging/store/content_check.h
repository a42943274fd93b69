/* SPDX-License-Identifier: MIT */
/*
 * content_check.h: what pages should hold, what changes that, and whether they do. The third door
 * of this folder.
 */
#ifndef PAGING_STORE_CONTENT_CHECK_H
#define PAGING_STORE_CONTENT_CHECK_H

#include "paging/pageable.h"
#include "paging/store/content.h"
#include "vidmm/tell/tell.h"

/* A new stamp for a write to `label`; tags are stamp x 2^36 + page. `writer` is a literal. */
uint64_t content_stamp(adapter_t *adapter, const char *label, const char *writer);
/* What a tag stands for: whose page, by whom, since when. */
struct content_words {
    char it[160];
};
struct content_words content_words(const adapter_t *adapter, uint64_t tag);
/* Compares a place, or the store, with the allocation's content. False: *page is the first wrong.
 */
bool content_place_intact(const adapter_t *adapter, const struct pageable *allocation,
                          const struct place *place, uint64_t *page);
bool content_backing_intact(const adapter_t *adapter, const struct pageable *allocation,
                            uint64_t *page);
/* Is the newest copy of every page what was written last? While the CPU holds pages of the store,
   those are newer than the copy in the segment (PAGE-036), unless it sees that one. What is under
   way counts as arrived. False: `place` says where the first wrong page is, segment 0 for the
   store; of lost content there is no such page. */
bool content_newest_intact(const adapter_t *adapter, const struct pageable *allocation,
                           bool cpu_sees_it, struct place *place, uint64_t *page);
/* "there is X, not Y" for a page of this place; segment 0: of the store. */
struct content_difference {
    char it[360];
};
struct content_difference content_difference(const adapter_t *adapter,
                                             const struct pageable *allocation,
                                             const struct place *place, uint64_t page);
/* Finding when not intact; `when`: what was to have brought it. Place NULL: the store. */
void content_verify(adapter_t *adapter, struct pageable *allocation, const struct place *place,
                    const char *when);
/* What lies in the pages of the store now is the content: PAGE-013, pages that are not zeroed, and
   writes that a reset took away. */
void content_from_store(adapter_t *adapter, struct pageable *allocation);
/* A store that was just populated is zeroed, or keeps what lay in its pages (KMT-022). */
void allocation_first_content(adapter_t *adapter, struct pageable *allocation);
/* A fill brings its first content to a segment (PAGE-005). */
void content_filled(adapter_t *adapter, struct pageable *allocation);
/* Nobody asks any more what it held; in memory it may count as a pattern that nobody changed. */
void content_given_up(struct pageable *allocation, bool offered, bool pattern_only);
/* It was offered, and there is nothing to save (OFFER-013). */
void content_discarded(struct pageable *allocation);
/* Somebody wrote it: it is more than the pattern of a fill (PAGE-005). */
static inline void content_written(struct pageable *allocation)
{
    allocation->store.pattern_only = false;
}
/* Its only copy is the linear one, or no longer (SWIZ-001). */
static inline void content_is_linear(struct pageable *allocation, bool linear)
{
    allocation->store.linear = linear;
}
/* The GPU wrote it in the AGP segment and the CPU has not read it since, or has (LOCK-048). */
static inline void content_agp_written(struct pageable *allocation, bool written)
{
    allocation->store.agp_written = written;
}
/* The CPU writes the pattern of a fresh allocation into its store. */
void content_store_pattern(adapter_t *adapter, struct pageable *allocation);
/* Pages [first, first + pages) of the store get tags that begin with `tag` at page `first`. */
void content_write_backing(adapter_t *adapter, const struct pageable *allocation, uint64_t first,
                           uint64_t pages, uint64_t tag, uint64_t step);

#endif
