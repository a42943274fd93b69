/* SPDX-License-Identifier: MIT */
/*
 * range_tree.h: the free holes of one address range, and first fit in them (PLACE-006).
 *
 * Only holes are kept; a used range is two numbers that its owner remembers and hands back to
 * range_tree_release(). All offsets and sizes are multiples of the page given at the start.
 *
 * range_tree_find() answers with the strictly lowest place, or with from_end the strictly highest:
 * the first start, counted from that end of the window [low, high), which is a multiple of
 * `alignment` and begins `bytes` free bytes inside the window. `alignment` is any divisor or
 * multiple of the page; `high` may lie beyond the end of the range.
 *
 * The answer is exact for every alignment, and takes O(log n) steps for those that the tree knows:
 * for each it keeps the largest aligned fit below every node. It knows the page from the start, and
 * learns another when searches have met many holes that were long enough but badly aligned: so only
 * alignments that hurt are paid for, each with one walk over the tree. A tree knows up to sixteen;
 * what comes later stays exact and looks at such holes one by one. Learning changes no answer,
 * therefore searching a const tree may do it.
 *
 * Misuse (taking what is used, releasing what is free) is our own mistake and ends in a CHECK.
 */
#ifndef SEGMENTS_RANGE_TREE_H
#define SEGMENTS_RANGE_TREE_H

#include "vidmm/base/base.h"

struct hole_map;

struct range {
    uint64_t offset, bytes;
};

struct range_request {
    uint64_t bytes, alignment;
    uint64_t low, high; /* the place lies inside [low, high) */
    bool from_end;
};

struct range_tree {
    struct hole_map *holes;
    uint64_t bytes, page_bytes, free_bytes;
    int page_shift;
};

/* Everything is free. `bytes` is a multiple of `page_bytes`, at most 2^62. */
void range_tree_init(struct range_tree *tree, uint64_t bytes, uint64_t page_bytes);
void range_tree_fini(struct range_tree *tree);

bool range_tree_find(const struct range_tree *tree, const struct range_request *request,
                     uint64_t *offset);
void range_tree_take(struct range_tree *tree, struct range range);
/* Returns the hole that the range is now a part of. */
struct range range_tree_release(struct range_tree *tree, struct range range);

/* The place that the request would get if `hole` were the only hole. */
bool range_tree_fit(const struct range_request *request, struct range hole, uint64_t *offset);

/* Holes in address order: the first one that ends above `offset`.
   for (uint64_t at = 0; range_tree_next_hole(tree, at, &hole); at = range_end(hole)) */
bool range_tree_next_hole(const struct range_tree *tree, uint64_t offset, struct range *hole);
bool range_tree_is_free(const struct range_tree *tree, struct range range);
/* The largest part of a hole inside [low, high), the lowest of several; 0 bytes: there is none. */
struct range range_tree_largest_in(const struct range_tree *tree, uint64_t low, uint64_t high);
uint64_t range_tree_largest_hole(const struct range_tree *tree);
size_t range_tree_hole_count(const struct range_tree *tree);
size_t range_tree_host_bytes(const struct range_tree *tree);

/* CHECKs the whole structure: order, no touching holes, sums, all maxima. */
void range_tree_check(const struct range_tree *tree);

static inline uint64_t range_end(struct range range)
{
    return range.offset + range.bytes;
}

static inline bool range_overlaps(struct range a, struct range b)
{
    return a.offset < range_end(b) && b.offset < range_end(a);
}

static inline bool range_contains(struct range outer, struct range inner)
{
    return outer.offset <= inner.offset && range_end(inner) <= range_end(outer);
}

#endif
