/* SPDX-License-Identifier: MIT */
/*
 * hole_map.c: nodes that come and go, maxima, and what happens to the holes when pages are taken or
 * released.
 *
 * I1  A bit of `ends` for each hole, in the block of its last page; a bit of `starts` if it starts
 *     in the same block. Only the first hole of a block may start earlier: `reach`.
 * I2  For each row, `most` of a lane is what fits into one of the holes of its block, or the
 *     maximum of its child: exactly.
 * I3  A child exists if and only if its lane in row 0 is not zero. A node without holes has nothing
 *     but zeros behind its head.
 * I4  `found` is a hole of the map in `found_leaf`, or empty: every change empties it.
 *
 * Overview. First fit from below takes the front of a hole, nearly always: its end stays, and with
 * it the block and the leaf. That is why a hole belongs to the block where it ends. (Where it
 * starts, each take would move it to another block: two updates, and with large allocations a node
 * that goes and one that comes.) A search keeps the hole that it found and its leaf, because a take
 * follows; a release finds the hole after it once, and the one before it by a bit.
 *
 * An increase goes up as long as it is the maximum. A decrease goes up only if it was the maximum,
 * and then reads the sixteen lanes of a node, the changed one from a register: reading them after
 * the store would wait for it.
 *
 * Rejected, with instructions for a release, or a search and its take, at a thousand live ranges of
 * 4 KiB to 1 MiB, where this one has 506 (README.md has the times):
 * - A B-tree of holes with their maxima, which was here before: 1,071. Half of it went into
 *   shifting entries and into the maxima of 32 entries; what a release has to search are keys.
 * - The nodes of a path in an array, instead of a parent in each node: 579. Filling and copying
 *   arrays, 12 percent of the time.
 * - The maximum of a block found again after every change instead of only after the loss of it:
 *   518, but one more branch of an operation was mispredicted: 6 percent of the time.
 * - Flat arrays, without pointers, whose addresses follow from the page: by arithmetic 6 MB for 64
 *   GiB at once and 1.6 GB for 16 TiB; not tried.
 * - Bounds that only a failed search repairs: a pair of operations recomputes one maximum, so there
 *   is nothing to be lazy about.
 * - Two rows from the start, for the page and for 64 KiB: each update would keep both; not tried.
 */
#include "segments/hole_node.h"

#include <string.h>

/* ---- nodes ---------------------------------------------------------------------------------- */

static size_t node_bytes(const struct hole_map *map, uint64_t level)
{
    size_t payload = level ? sizeof(struct hole_node *) : sizeof(struct hole_block);
    return sizeof(struct hole_node) + (size_t)map->rows * sizeof(struct hole_row) +
           HOLE_LANES * payload;
}

static struct hole_node *node_create(struct hole_map *map, struct hole_node *parent, uint64_t level)
{
    struct hole_pool *pool = level ? &map->inners : &map->leaves;
    struct hole_node *node = pool->spare_count ? pool->spare[--pool->spare_count]
                                               : base_alloc(1, node_bytes(map, level));
    pool->live++;
    node->parent = parent;
    node->level = level;
    return node;
}

/* The rows and the payload of a node without holes are zero: it is kept for the next one. */
static void node_destroy(struct hole_map *map, struct hole_node *node)
{
    struct hole_pool *pool = node->level ? &map->inners : &map->leaves;
    pool->live--;
    if (pool->spare_count < HOLE_MAP_SPARES)
        pool->spare[pool->spare_count++] = node;
    else
        base_free(node);
}

static void drop_spares(struct hole_pool *pool)
{
    while (pool->spare_count)
        base_free(pool->spare[--pool->spare_count]);
}

static void free_below(struct hole_map *map, struct hole_node *node)
{
    for (int lane = 0; node->level && lane < HOLE_LANES; lane++)
        if (children_of(map, node)[lane])
            free_below(map, children_of(map, node)[lane]);
    base_free(node);
}

static inline bool same_leaf(uint64_t page, uint64_t other)
{
    return page >> HOLE_LEAF_BITS == other >> HOLE_LEAF_BITS;
}

/* The leaf of a page. `node` is the lowest node above `near`. */
static inline struct hole_node *leaf_at(struct hole_map *map, uint64_t page, uint64_t near,
                                        struct hole_node *node)
{
    if (!same_leaf(page, near))
        node = node_at(map, page);
    while (node->level) {
        struct hole_node *child = node_create(map, node, node->level - 1);
        children_of(map, node)[lane_of(page, shift_of(node->level))] = child;
        node = child;
    }
    return node;
}

/* Nodes below which no hole ends any more go. */
static inline void prune(struct hole_map *map, struct hole_node *node, uint64_t page)
{
    for (struct hole_node *parent = node->parent; parent; node = parent, parent = node->parent) {
        unsigned lane = lane_of(page, shift_of(parent->level));
        if (parent->row[0].most[lane])
            return;
        children_of(map, parent)[lane] = NULL;
        node_destroy(map, node);
    }
}

/* ---- maxima --------------------------------------------------------------------------------- */

/* What a hole counts in a row. */
static inline int32_t fit_of(const struct hole_map *map, struct hole hole, int row)
{
    uint64_t start = row ? align_up(hole.first, map->alignment[row]) : hole.first;
    return start < hole.end ? (int32_t)min_u64(hole.end - start, HOLE_MOST_MAX) : 0;
}

static int32_t most_of_block(const struct hole_map *map, const struct hole_block *block,
                             uint64_t page, int row)
{
    int32_t most = 0;
    for (uint64_t ends = block->ends; ends; ends &= ends - 1) {
        int32_t fit = fit_of(map, hole_in_block(block, page, lowest_bit(ends)), row);
        most = fit > most ? fit : most;
    }
    return most;
}

static int32_t most_of(const struct hole_row *row)
{
    int32_t most = 0;
    for (int lane = 0; lane < HOLE_LANES; lane++)
        most = row->most[lane] > most ? row->most[lane] : most;
    return most;
}

/* The same when one lane has another value. It is not in memory yet: reading a row right after
   writing into it stalls. */
static inline int32_t most_with(const struct hole_row *row, int32_t changed, int32_t most)
{
    static const int32_t LANE[HOLE_LANES] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    };
    for (int lane = 0; lane < HOLE_LANES; lane++) {
        int32_t value = row->most[lane] & -(LANE[lane] != changed);
        most = value > most ? value : most;
    }
    return most;
}

/* A hole of the page's block has come or grown. Most concern few maxima. */
static inline void raise_most(const struct hole_map *map, struct hole_node *leaf, struct hole hole)
{
    for (int row = 0; row < map->rows; row++) {
        int32_t fit = fit_of(map, hole, row), *most;
        uint64_t lane = (hole.end - 1) >> HOLE_PAGE_BITS;
        for (struct hole_node *node = leaf; node; node = node->parent, lane >>= HOLE_LANE_BITS) {
            most = &node->row[row].most[lane % HOLE_LANES];
            if (*most >= fit)
                break;
            *most = fit;
        }
    }
}

static void lower_row(struct hole_node *node, uint64_t page, int row, int32_t most)
{
    for (uint64_t lane = page >> HOLE_PAGE_BITS;; lane >>= HOLE_LANE_BITS) {
        struct hole_row *lanes = &node->row[row];
        int32_t *old = &lanes->most[lane % HOLE_LANES];
        struct hole_node *parent = node->parent;
        if (*old == most)
            return;
        if (!parent || *old < parent->row[row].most[(lane >> HOLE_LANE_BITS) % HOLE_LANES]) {
            *old = most;
            return;
        }
        int32_t next = most_with(lanes, (int32_t)(lane % HOLE_LANES), most);
        *old = most;
        most = next;
        node = parent;
    }
}

/* A hole of the page's block has gone or shrunk. */
static inline void lower_most(const struct hole_map *map, struct hole_node *leaf, struct hole hole)
{
    uint64_t page = hole.end - 1;
    const struct hole_block *block = block_of(map, leaf, page);
    for (int row = 0; row < map->rows; row++)
        if (fit_of(map, hole, row) == leaf->row[row].most[lane_of(page, HOLE_PAGE_BITS)])
            lower_row(leaf, page, row, most_of_block(map, block, block_start(page), row));
}

/* Like hole_map_after() from a page whose node is known. Returns the leaf of the hole, or NULL. */
static inline struct hole_node *find_after(const struct hole_map *map, uint64_t page,
                                           struct hole_node *node, struct hole *hole)
{
    const struct hole_search any = { .row = 0, .least = 1, .down = false };
    struct hole_spot spot = { node, page };
    if (node->level == 0) {
        const struct hole_block *block = block_of(map, node, page);
        uint64_t ends = block->ends & -bit_of(page);
        if (ends) {
            *hole = hole_in_block(block, block_start(page), lowest_bit(ends));
            return node;
        }
    }
    spot = seek_beside(map, any, spot);
    if (spot.node) {
        const struct hole_block *block = block_of(map, spot.node, spot.page);
        *hole = hole_in_block(block, spot.page, lowest_bit(block->ends));
    }
    return spot.node;
}

/* ---- changing ------------------------------------------------------------------------------- */

/* The bit of a page, or none. */
static inline uint64_t bit_if(bool condition, uint64_t page)
{
    return (uint64_t)condition << (page % HOLE_BLOCK_PAGES);
}

/* Where a hole starts. Without a branch, like hole_in_block(). */
static inline void mark_start(struct hole_block *block, struct hole hole)
{
    uint64_t page = block_start(hole.end - 1);
    block->starts |= bit_if(hole.first >= page, hole.first);
    block->reach = hole.first >= page ? block->reach : hole.first;
}

static inline void unmark_start(struct hole_block *block, struct hole hole)
{
    block->starts &= ~bit_if(hole.first >= block_start(hole.end - 1), hole.first);
}

static inline void put(struct hole_map *map, struct hole_block *block, struct hole hole)
{
    block->ends |= bit_of(hole.end - 1);
    mark_start(block, hole);
    map->count++;
}

static inline void drop(struct hole_map *map, struct hole_block *block, struct hole hole)
{
    block->ends &= ~bit_of(hole.end - 1);
    unmark_start(block, hole);
    map->count--;
}

static inline bool same_block(uint64_t page, uint64_t other)
{
    return page / HOLE_BLOCK_PAGES == other / HOLE_BLOCK_PAGES;
}

void hole_map_take(struct hole_map *map, struct hole pages)
{
    struct hole_node *leaf = map->found_leaf;
    struct hole hole = map->found;
    if (pages.first < hole.first || pages.end > hole.end) {
        leaf = find_after(map, pages.first, node_at(map, pages.first), &hole);
        CHECK(leaf && hole.first <= pages.first && pages.end <= hole.end);
    }
    map->found.end = 0;
    struct hole before = { hole.first, pages.first }, after = { pages.end, hole.end };
    struct hole_block *block = block_of(map, leaf, hole.end - 1);
    if (after.first < after.end) {
        unmark_start(block, hole);
        mark_start(block, after);
    } else
        drop(map, block, hole);
    if (before.first < before.end) {
        struct hole_node *other = leaf_at(map, before.end - 1, hole.end - 1, leaf);
        put(map, block_of(map, other, before.end - 1), before);
        raise_most(map, other, before);
    }
    lower_most(map, leaf, hole);
    prune(map, leaf, hole.end - 1);
}

/* The leaf of the hole that ends before `page`, if one does. `node` is the lowest above the page.
 */
static inline struct hole_node *ends_before(const struct hole_map *map, uint64_t page,
                                            struct hole_node *node, struct hole *hole)
{
    uint64_t last = page - 1;
    if (page == 0)
        return NULL;
    if (!same_leaf(page, last))
        node = node_at(map, last);
    if (node->level)
        return NULL;
    const struct hole_block *block = block_of(map, node, last);
    if (!(block->ends & bit_of(last)))
        return NULL;
    *hole = hole_in_block(block, block_start(last), (int)(last % HOLE_BLOCK_PAGES));
    return node;
}

struct hole hole_map_release(struct hole_map *map, struct hole pages)
{
    struct hole before = pages, after = pages, joined = pages; /* gcc -O3 sees no other way */
    struct hole_node *node = node_at(map, pages.first);
    struct hole_node *leaf_before = ends_before(map, pages.first, node, &before);
    struct hole_node *leaf = find_after(map, pages.first, node, &after);
    CHECK(!leaf || pages.end <= after.first);
    map->found.end = 0;
    if (leaf_before) {
        joined.first = before.first;
        drop(map, block_of(map, leaf_before, before.end - 1), before);
    }
    if (leaf && pages.end == after.first) {
        joined.end = after.end;
        unmark_start(block_of(map, leaf, after.end - 1), after);
        mark_start(block_of(map, leaf, after.end - 1), joined);
    } else {
        leaf = leaf_at(map, pages.end - 1, pages.first, node);
        put(map, block_of(map, leaf, joined.end - 1), joined);
    }
    raise_most(map, leaf, joined);
    if (leaf_before && !same_block(before.end - 1, joined.end - 1)) {
        lower_most(map, leaf_before, before);
        prune(map, leaf_before, before.end - 1);
    }
    return joined;
}

/* ---- asking --------------------------------------------------------------------------------- */

bool hole_map_after(const struct hole_map *map, uint64_t page, struct hole *hole)
{
    return find_after(map, page, node_at(map, page), hole);
}

uint64_t hole_map_largest(const struct hole_map *map)
{
    const struct hole_search longest = { .row = 0, .least = HOLE_MOST_MAX, .down = false };
    uint64_t largest = (uint64_t)most_of(&map->root->row[0]);
    if (largest < HOLE_MOST_MAX)
        return largest;
    struct hole_spot spot = seek_all(map, longest);
    for (; spot.node; spot = seek_beside(map, longest, spot)) {
        const struct hole_block *block = block_of(map, spot.node, spot.page);
        struct hole hole = hole_in_block(block, spot.page, lowest_bit(block->ends));
        largest = max_u64(largest, hole.end - hole.first);
    }
    return largest;
}

/* ---- the map -------------------------------------------------------------------------------- */

void hole_map_init(struct hole_map *map, uint64_t pages)
{
    uint64_t level = 0;
    CHECK(pages <= UINT64_C(1) << 62);
    while (pages > UINT64_C(1) << shift_of(level + 1))
        level++;
    *map = (struct hole_map){ .pages = pages, .rows = 1, .alignment = { 1 } };
    map->root = node_create(map, NULL, level);
}

void hole_map_fini(struct hole_map *map)
{
    free_below(map, map->root);
    drop_spares(&map->leaves);
    drop_spares(&map->inners);
    map->root = NULL;
}

/* Gives a node and those below it one more row. The node begins at `page`. */
static struct hole_node *add_row(struct hole_map *map, struct hole_node *node, uint64_t page)
{
    int row = map->rows - 1;
    size_t bytes = node_bytes(map, node->level);
    node = base_realloc(node, 1, bytes);
    memmove(&node->row[row + 1], &node->row[row],
            bytes - sizeof *node - (size_t)map->rows * sizeof node->row[0]);
    for (int lane = 0; lane < HOLE_LANES; lane++) {
        int32_t *most = &node->row[row].most[lane];
        struct hole_node **child = &children_of(map, node)[lane];
        *most = 0;
        if (node->level == 0) {
            *most = most_of_block(map, &blocks_of(map, node)[lane], page, row);
        } else if (*child) {
            *child = add_row(map, *child, page);
            (*child)->parent = node;
            *most = most_of(&(*child)->row[row]);
        }
        page += UINT64_C(1) << shift_of(node->level);
    }
    return node;
}

void hole_map_add_row(struct hole_map *map, uint64_t alignment)
{
    CHECK(map->rows < HOLE_MAP_ROWS);
    drop_spares(&map->leaves);
    drop_spares(&map->inners);
    map->found.end = 0;
    map->alignment[map->rows] = alignment;
    map->rows++;
    map->root = add_row(map, map->root, 0);
}

size_t hole_map_host_bytes(const struct hole_map *map)
{
    return map->leaves.live * node_bytes(map, 0) + map->inners.live * node_bytes(map, 1);
}

/* Returns the number of holes. */
static size_t check_block(const struct hole_block *block, uint64_t page, uint64_t *free_from)
{
    size_t holes = 0;
    uint64_t starts = 0;
    for (uint64_t ends = block->ends; ends; ends &= ends - 1) {
        struct hole hole = hole_in_block(block, page, lowest_bit(ends));
        CHECK(hole.first < hole.end);
        CHECK(hole.first >= *free_from); /* no two touch or overlap */
        if (hole.first >= page)
            starts |= bit_of(hole.first);
        *free_from = hole.end + 1;
        holes++;
    }
    CHECK(starts == block->starts);
    return holes;
}

/* Returns the number of holes below. */
static size_t check_node(const struct hole_map *map, struct hole_node *node, uint64_t page,
                         uint64_t *free_from)
{
    size_t holes = 0;
    for (int lane = 0; lane < HOLE_LANES; lane++) {
        struct hole_node *child = node->level ? children_of(map, node)[lane] : NULL;
        for (int row = 0; row < map->rows; row++) {
            int32_t most = 0;
            if (node->level == 0)
                most = most_of_block(map, &blocks_of(map, node)[lane], page, row);
            else if (child)
                most = most_of(&child->row[row]);
            CHECK(node->row[row].most[lane] == most);
        }
        if (node->level == 0)
            holes += check_block(&blocks_of(map, node)[lane], page, free_from);
        if (child) {
            CHECK(child->parent == node && child->level == node->level - 1);
            CHECK(node->row[0].most[lane]);
            holes += check_node(map, child, page, free_from);
        }
        page += UINT64_C(1) << shift_of(node->level);
    }
    return holes;
}

void hole_map_check(const struct hole_map *map)
{
    uint64_t free_from = 0;
    CHECK(check_node(map, map->root, 0, &free_from) == map->count);
    CHECK(free_from <= map->pages + 1);
}
