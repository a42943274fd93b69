/* SPDX-License-Identifier: MIT */
/*
 * hole_map.h: the holes in a range of pages, found by page number and by what fits into them.
 *
 * The pages are divided into blocks of 64. A hole belongs to the block of its last page, however
 * far it reaches back. A block has one bit for each page in which a hole ends, and one for each in
 * which one of these holes starts; the first of them may start in an earlier block, and then a word
 * says where. For each block the map keeps the most pages that fit into one of its holes, and above
 * that a tree of maxima with sixteen children a node. A node is found by shifting a page number, no
 * key is compared; and it exists only as long as a hole ends below it, so that a range costs what
 * its holes cost, and not what its length would.
 *
 * A map knows up to HOLE_MAP_ROWS alignments and keeps a row of maxima for each: what fits when the
 * start has to be a multiple of it. Row 0 is that of single pages. Maxima have 31 bits: a longer
 * fit counts as HOLE_MOST_MAX, so a search for more has to look at the holes themselves.
 *
 * All numbers are pages. Taking what is used or releasing what is free ends in a CHECK.
 */
#ifndef SEGMENTS_HOLE_MAP_H
#define SEGMENTS_HOLE_MAP_H

#include "segments/hole_lanes.h"
#include "vidmm/base/base.h"

enum { HOLE_BLOCK_PAGES = 64, HOLE_MAP_ROWS = 16, HOLE_MAP_SPARES = 16 };
enum { HOLE_MOST_MAX = INT32_MAX };

struct hole {
    uint64_t first, end; /* [first, end) */
};

struct hole_block {
    uint64_t ends, starts; /* a bit for each page */
    uint64_t reach;        /* where the first hole starts, if in an earlier block */
};

/* After the rows come the blocks of a leaf, or the children of an inner node. */
struct hole_node {
    struct hole_node *parent;
    uint64_t level; /* 0: a leaf */
    struct hole_row row[];
};

/* A block, by its leaf and one of its pages. */
struct hole_spot {
    struct hole_node *node;
    uint64_t page;
};

/* Nodes of one size. */
struct hole_pool {
    struct hole_node *spare[HOLE_MAP_SPARES];
    int spare_count;
    size_t live;
};

struct hole_map {
    struct hole_node *root;
    uint64_t pages;
    int rows;
    uint64_t alignment[HOLE_MAP_ROWS];
    size_t count; /* holes */
    struct hole_pool leaves, inners;
    /* What the last search found, because it is taken next; unknown is an empty hole. */
    struct hole found;
    struct hole_node *found_leaf;
    unsigned misses; /* blocks that searches met in vain */
};

/* A map of `pages` pages, at most 2^62, without a hole. */
void hole_map_init(struct hole_map *map, uint64_t pages);
void hole_map_fini(struct hole_map *map);
/* Adds a row: one pass over the map, then kept up to date by every change. */
void hole_map_add_row(struct hole_map *map, uint64_t alignment);

/* The pages lie in one hole and are in use now. */
void hole_map_take(struct hole_map *map, struct hole pages);
/* Returns the hole that the pages are now a part of. */
struct hole hole_map_release(struct hole_map *map, struct hole pages);

/* The first hole that ends after `page`. */
bool hole_map_after(const struct hole_map *map, uint64_t page, struct hole *hole);
uint64_t hole_map_largest(const struct hole_map *map);

size_t hole_map_host_bytes(const struct hole_map *map);
/* CHECKs the bits of each block, all maxima and all counts. */
void hole_map_check(const struct hole_map *map);

#endif
