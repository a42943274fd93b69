/* SPDX-License-Identifier: MIT */
/*
 * hole_node.h: the way through the nodes of a hole map, for hole_map.c and hole_seek.c only.
 * Inline, because an operation has three hundred instructions, and a call of each would be a fifth
 * more.
 */
#ifndef SEGMENTS_HOLE_NODE_H
#define SEGMENTS_HOLE_NODE_H

#include "segments/hole_map.h"

enum { HOLE_PAGE_BITS = 6, HOLE_LANE_BITS = 4, HOLE_LEAF_BITS = HOLE_PAGE_BITS + HOLE_LANE_BITS };
_Static_assert(HOLE_BLOCK_PAGES == 1 << HOLE_PAGE_BITS && HOLE_LANES == 1 << HOLE_LANE_BITS, "");

static inline struct hole_block *blocks_of(const struct hole_map *map, struct hole_node *leaf)
{
    return (struct hole_block *)(void *)&leaf->row[map->rows];
}

static inline struct hole_node **children_of(const struct hole_map *map, struct hole_node *node)
{
    return (struct hole_node **)(void *)&node->row[map->rows];
}

/* How far to shift a page for the lane of a node: the one of a child, or of a block of a leaf. */
static inline unsigned shift_of(uint64_t level)
{
    return HOLE_PAGE_BITS + HOLE_LANE_BITS * (unsigned)level;
}

static inline unsigned lane_of(uint64_t page, unsigned shift)
{
    return (unsigned)(page >> shift) % HOLE_LANES;
}

static inline struct hole_block *block_of(const struct hole_map *map, struct hole_node *leaf,
                                          uint64_t page)
{
    return &blocks_of(map, leaf)[lane_of(page, HOLE_PAGE_BITS)];
}

static inline uint64_t block_start(uint64_t page)
{
    return page & ~(uint64_t)(HOLE_BLOCK_PAGES - 1);
}

static inline uint64_t bit_of(uint64_t page)
{
    return UINT64_C(1) << (page % HOLE_BLOCK_PAGES);
}

/* The hole that ends with page `bit` of the block at `page`. Without a branch: whether it starts in
   the same block cannot be predicted. */
static inline struct hole hole_in_block(const struct hole_block *block, uint64_t page, int bit)
{
    uint64_t starts = block->starts << (63 - bit), last = page + (uint64_t)bit;
    uint64_t first = last - (uint64_t)__builtin_clzll(starts | 1);
    return (struct hole){ starts ? first : block->reach, last + 1 };
}

/* The lowest node above a page: a leaf, if a hole ends near. */
static inline struct hole_node *node_at(const struct hole_map *map, uint64_t page)
{
    struct hole_node *node = map->root, *child;
    for (unsigned shift = shift_of(node->level); shift > HOLE_PAGE_BITS; shift -= HOLE_LANE_BITS) {
        child = children_of(map, node)[lane_of(page, shift)];
        if (!child)
            break;
        node = child;
    }
    return node;
}

/* What is looked for: blocks into whose holes at least so many pages fit, says the row. */
struct hole_search {
    int row;
    int32_t least;
    bool down;
};

/* Down from a node to the first block below one of these lanes. Here every promise is kept. */
static inline struct hole_spot seek_below(const struct hole_map *map, struct hole_search search,
                                          struct hole_spot from, unsigned lanes)
{
    unsigned shift = shift_of(from.node->level);
    from.page = from.page >> shift >> HOLE_LANE_BITS;
    for (;; shift -= HOLE_LANE_BITS) {
        unsigned lane = (unsigned)(search.down ? highest_bit(lanes) : lowest_bit(lanes));
        from.page = from.page << HOLE_LANE_BITS | lane;
        if (shift == HOLE_PAGE_BITS)
            break;
        from.node = children_of(map, from.node)[lane];
        lanes = lanes_with(&from.node->row[search.row], search.least);
    }
    from.page <<= HOLE_PAGE_BITS;
    return from;
}

/* The first block of all. No node: there is none. */
static inline struct hole_spot seek_all(const struct hole_map *map, struct hole_search search)
{
    struct hole_spot root = { map->root, 0 };
    unsigned lanes = lanes_with(&map->root->row[search.row], search.least);
    return lanes ? seek_below(map, search, root, lanes) : (struct hole_spot){ NULL, 0 };
}

/* Up from a node to the first one that promises enough beside the page. No node: none does. */
static inline struct hole_spot seek_beside(const struct hole_map *map, struct hole_search search,
                                           struct hole_spot from)
{
    for (; from.node; from.node = from.node->parent) {
        unsigned beside = 1U << lane_of(from.page, shift_of(from.node->level));
        unsigned lanes = lanes_with(&from.node->row[search.row], search.least);
        lanes &= search.down ? beside - 1 : ~(beside | (beside - 1));
        if (lanes)
            return seek_below(map, search, from, lanes);
    }
    return from;
}

/* The first block from the one of the page on. */
static inline struct hole_spot seek_from(const struct hole_map *map, struct hole_search search,
                                         uint64_t page)
{
    struct hole_spot spot = { node_at(map, page), block_start(page) };
    if (spot.node->level == 0 &&
        spot.node->row[search.row].most[lane_of(page, HOLE_PAGE_BITS)] >= search.least)
        return spot;
    return seek_beside(map, search, spot);
}

#endif
