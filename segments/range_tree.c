/* SPDX-License-Identifier: MIT */
/*
 * range_tree.c: first fit from either end of a window, in bytes; the holes are those of a hole map.
 *
 * I1  Holes are sorted by offset, and no two touch: every release joins its neighbours.
 * I2  Used and free bytes are all bytes: free_bytes is the sum of the holes.
 * I3  A block that promises enough for a known alignment has a place, unless the window cuts it or
 *     it is longer than the map can count. So a search meets at most one block in vain for each
 *     border of its window, and one for each hole of 2^31 pages or more.
 * I4  A hole, and what is taken or released, is a multiple of the page, at a multiple of the page.
 */
#include "segments/range_tree.h"

#include "segments/hole_node.h"

/* The map learns an alignment when searches have met more blocks in vain than this. */
enum { MISSES_TOLERATED = 64 };

/* A request in pages or in bytes, with its window inside the range. */
struct wanted {
    uint64_t size, alignment, low, high;
};

static inline bool fits(const struct wanted *wanted, bool down, struct hole hole, uint64_t *place)
{
    uint64_t start = max_u64(hole.first, wanted->low);
    uint64_t end = min_u64(hole.end, wanted->high);
    if (end < wanted->size || end - wanted->size < start)
        return false;
    uint64_t last = end - wanted->size;
    *place = down ? align_down(last, wanted->alignment) : align_up(start, wanted->alignment);
    return start <= *place && *place <= last;
}

bool range_tree_fit(const struct range_request *request, struct range hole, uint64_t *offset)
{
    const struct wanted wanted = { request->bytes, request->alignment, request->low,
                                   request->high };
    uint64_t place;
    if (!fits(&wanted, request->from_end, (struct hole){ hole.offset, range_end(hole) }, &place))
        return false;
    *offset = place;
    return true;
}

static bool is_whole(const struct range_tree *tree, uint64_t bytes)
{
    return !(bytes & (tree->page_bytes - 1));
}

static struct hole in_pages(const struct range_tree *tree, struct range range)
{
    return (struct hole){ range.offset >> tree->page_shift, range_end(range) >> tree->page_shift };
}

static struct range in_bytes(const struct range_tree *tree, struct hole hole)
{
    return (struct range){ hole.first << tree->page_shift, (hole.end - hole.first)
                                                               << tree->page_shift };
}

static uint64_t alignment_in_pages(const struct range_tree *tree, uint64_t alignment)
{
    if (alignment <= tree->page_bytes) {
        CHECK(is_power_of_two(alignment));
        return 1;
    }
    CHECK(is_whole(tree, alignment));
    return alignment >> tree->page_shift;
}

/* The largest known alignment that divides the wanted one: its maxima are never too small. */
static int best_row(const struct hole_map *map, uint64_t alignment)
{
    int best = 0;
    for (int row = 1; row < map->rows; row++)
        if (is_aligned(alignment, map->alignment[row]) &&
            map->alignment[row] > map->alignment[best])
            best = row;
    return best;
}

/* The first place in one of the holes that end in this block. */
static inline bool fits_block(struct hole_map *map, const struct wanted *wanted, bool down,
                              struct hole_spot spot, uint64_t *place)
{
    const struct hole_block *block = block_of(map, spot.node, spot.page);
    for (uint64_t ends = block->ends; ends;) {
        int bit = down ? highest_bit(ends) : lowest_bit(ends);
        struct hole hole = hole_in_block(block, spot.page, bit);
        if (fits(wanted, down, hole, place)) {
            map->found = hole;
            map->found_leaf = spot.node;
            return true;
        }
        ends &= ~(UINT64_C(1) << bit);
    }
    return false;
}

/* The first block that promises a place at the border of the window or inside it. */
static inline struct hole_spot seek_window(const struct hole_map *map, const struct wanted *wanted,
                                           struct hole_search search)
{
    struct hole border;
    if (!search.down)
        return wanted->low ? seek_from(map, search, wanted->low) : seek_all(map, search);
    if (wanted->high < map->pages && hole_map_after(map, wanted->high - 1, &border))
        return seek_from(map, search, border.end - 1);
    return seek_all(map, search);
}

/*
 * A block keeps what its most promises, unless a border of the window cuts its hole, or the map
 * does not know the alignment, or the most is HOLE_MOST_MAX (I3).
 */
static inline bool find(struct hole_map *map, const struct wanted *wanted, bool down,
                        uint64_t *place)
{
    struct hole_search search = { best_row(map, wanted->alignment),
                                  (int32_t)min_u64(wanted->size, HOLE_MOST_MAX), down };
    struct hole_spot spot = seek_window(map, wanted, search);
    for (; spot.node; spot = seek_beside(map, search, spot)) {
        if (fits_block(map, wanted, down, spot, place))
            return true;
        map->misses += map->alignment[search.row] != wanted->alignment;
        const struct hole_block *block = block_of(map, spot.node, spot.page);
        if (down ? spot.page <= wanted->low
                 : spot.page + (uint64_t)highest_bit(block->ends) >= wanted->high)
            return false;
    }
    return false;
}

bool range_tree_find(const struct range_tree *tree, const struct range_request *request,
                     uint64_t *offset)
{
    struct hole_map *map = tree->holes;
    struct wanted wanted = { .size = request->bytes >> tree->page_shift,
                             .alignment = alignment_in_pages(tree, request->alignment),
                             .low =
                                 (request->low >> tree->page_shift) + !is_whole(tree, request->low),
                             .high = min_u64(request->high >> tree->page_shift, map->pages) };
    uint64_t place;
    CHECK(wanted.size && is_whole(tree, request->bytes));
    if (request->bytes > tree->free_bytes) /* as in a full segment, where each miss asks */
        return false;
    if (wanted.alignment > map->pages) { /* offset 0 is the only multiple */
        wanted.high = min_u64(wanted.high, wanted.size);
        wanted.alignment = 1;
    }
    if (wanted.high < wanted.size || wanted.high - wanted.size < wanted.low)
        return false;
    bool found =
        request->from_end ? find(map, &wanted, true, &place) : find(map, &wanted, false, &place);
    if (map->misses > MISSES_TOLERATED && map->rows < HOLE_MAP_ROWS) {
        map->misses = 0;
        hole_map_add_row(map, wanted.alignment);
    }
    if (found)
        *offset = place << tree->page_shift;
    return found;
}

/* (I4) */
static void range_tree_check_range(const struct range_tree *tree, struct range range)
{
    CHECK(range.bytes && is_whole(tree, range.bytes | range.offset));
    CHECK(range.bytes <= tree->bytes && range.offset <= tree->bytes - range.bytes);
}

void range_tree_take(struct range_tree *tree, struct range range)
{
    range_tree_check_range(tree, range);
    hole_map_take(tree->holes, in_pages(tree, range));
    tree->free_bytes -= range.bytes;
}

struct range range_tree_release(struct range_tree *tree, struct range range)
{
    range_tree_check_range(tree, range);
    tree->free_bytes += range.bytes;
    return in_bytes(tree, hole_map_release(tree->holes, in_pages(tree, range)));
}

bool range_tree_next_hole(const struct range_tree *tree, uint64_t offset, struct range *hole)
{
    struct hole found;
    if (offset >= tree->bytes || !tree->free_bytes ||
        !hole_map_after(tree->holes, offset >> tree->page_shift, &found))
        return false;
    *hole = in_bytes(tree, found);
    return true;
}

bool range_tree_is_free(const struct range_tree *tree, struct range range)
{
    range_tree_check_range(tree, range);
    struct range hole;
    return range_tree_next_hole(tree, range.offset, &hole) && range_contains(hole, range);
}

uint64_t range_tree_largest_hole(const struct range_tree *tree)
{
    return hole_map_largest(tree->holes) << tree->page_shift;
}

/* By halving, as it is quickly known whether so many bytes are free, and there may be many holes.
 */
struct range range_tree_largest_in(const struct range_tree *tree, uint64_t low, uint64_t high)
{
    uint64_t page = tree->page_bytes;
    uint64_t least = 0, most = hole_map_largest(tree->holes);
    struct range_request request = { 0, page, low, high, false };
    struct range largest = { 0 };
    while (least < most) {
        uint64_t pages = most - (most - least) / 2;
        request.bytes = pages * page;
        if (range_tree_find(tree, &request, &largest.offset))
            largest.bytes = (least = pages) * page;
        else
            most = pages - 1;
    }
    return largest;
}

size_t range_tree_hole_count(const struct range_tree *tree)
{
    return tree->holes->count;
}

size_t range_tree_host_bytes(const struct range_tree *tree)
{
    return hole_map_host_bytes(tree->holes);
}

void range_tree_init(struct range_tree *tree, uint64_t bytes, uint64_t page_bytes)
{
    CHECK(is_power_of_two(page_bytes));
    CHECK(is_aligned(bytes, page_bytes));
    CHECK(bytes <= UINT64_C(1) << 62);
    *tree = (struct range_tree){ .bytes = bytes,
                                 .page_bytes = page_bytes,
                                 .page_shift = lowest_bit(page_bytes) };
    tree->holes = base_alloc(1, sizeof *tree->holes);
    hole_map_init(tree->holes, bytes >> tree->page_shift);
    if (bytes)
        (void)range_tree_release(tree, (struct range){ 0, bytes });
}

void range_tree_fini(struct range_tree *tree)
{
    hole_map_fini(tree->holes);
    base_free(tree->holes);
}

void range_tree_check(const struct range_tree *tree)
{
    hole_map_check(tree->holes); /* I1, I3 */
    struct range hole = { 0, 0 };
    uint64_t sum = 0;
    while (range_tree_next_hole(tree, range_end(hole), &hole))
        sum += hole.bytes;
    CHECK(sum == tree->free_bytes); /* I2 */
}
