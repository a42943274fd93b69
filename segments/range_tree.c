/* SPDX-License-Identifier: MIT */
/*
 * range_tree.c: first fit from either end of a window; taking, releasing and joining holes.
 *
 * I1  Holes are sorted by offset, and no two touch: every release joins its neighbours.
 * I2  Used and free bytes are all bytes: free_bytes is the sum of the holes.
 * I3  For each known alignment, an inner node has the exact largest aligned fit below each child: a
 *     child that promises enough for that alignment has a place, unless the window cuts it.
 * I4  A hole, and what is taken or released, is a multiple of the page, at a multiple of the page.
 *
 * Rejected: an AVL tree of holes with the largest fit in each node (two to three times slower with
 * a million live ranges: a cache line for each of twenty comparisons), and a bitmap with summaries
 * (size follows the range and not its use; alignment makes it scan runs). A maximum for every power
 * of two would avoid learning, and charge each operation for 36 of them. README.md has the numbers.
 */
#include "segments/range_tree.h"

/* A search that meets more badly aligned holes than this makes the tree learn the alignment. */
enum { MISSES_TOLERATED = 64 };

/* A request with everything decided that is the same for all nodes. */
struct search {
    struct range_request request;
    int row; /* which maximum of an inner node tells most about this alignment */
    int misses;
    bool has_high; /* the window ends before the range does */
};

/* The most that fits into one of the holes when the start has to be aligned. */
static uint64_t largest_fit(const uint64_t *offsets, const uint64_t *bytes, int count,
                            uint64_t alignment)
{
    uint64_t most = 0;
    for (int i = 0; i < count; i++) {
        uint64_t skipped = align_up(offsets[i], alignment) - offsets[i];
        most = max_u64(most, skipped < bytes[i] ? bytes[i] - skipped : 0);
    }
    return most;
}

bool range_tree_fit(const struct range_request *request, struct range hole, uint64_t *offset)
{
    uint64_t start = max_u64(hole.offset, request->low);
    uint64_t end = min_u64(range_end(hole), request->high);
    if (start >= end || end - start < request->bytes)
        return false;
    uint64_t last = end - request->bytes;
    uint64_t place = request->from_end ? align_down(last, request->alignment)
                                       : align_up(start, request->alignment);
    if (place < start || place > last)
        return false;
    *offset = place;
    return true;
}

static bool find_below(struct search *search, const struct key_node *node, int slot,
                       uint64_t *offset);

/*
 * A child whose holes all lie inside the window keeps what its maximum promises (I3). Only the
 * child that holds a border of the window may break the promise, and there is one of those per
 * level and border: hence O(log n). The loop reads keys last, because most searches have no window
 * and never need their cache lines.
 */
static bool find_lowest(struct search *search, const struct key_node *node, uint64_t *offset)
{
    const struct range_request *request = &search->request;
    const uint64_t *fits = node->row[node->leaf ? KEY_ROW_VALUE : search->row];
    int slot = request->low ? key_node_slot(node, request->low) : 0;
    for (slot = slot < 0 ? 0 : slot; slot < node->count; slot++) {
        if (fits[slot] < request->bytes)
            continue;
        if (node->row[KEY_ROW][slot] >= request->high)
            return false;
        if (find_below(search, node, slot, offset))
            return true;
    }
    return false;
}

static bool find_highest(struct search *search, const struct key_node *node, uint64_t *offset)
{
    const struct range_request *request = &search->request;
    const uint64_t *fits = node->row[node->leaf ? KEY_ROW_VALUE : search->row];
    int last = node->count - 1;
    for (int slot = search->has_high ? key_node_slot(node, request->high - 1) : last; slot >= 0;
         slot--) {
        if (fits[slot] < request->bytes)
            continue;
        if (slot < last && node->row[KEY_ROW][slot + 1] <= request->low)
            return false; /* it ends where the next one begins, or earlier (I1) */
        if (find_below(search, node, slot, offset))
            return true;
    }
    return false;
}

static bool find_below(struct search *search, const struct key_node *node, int slot,
                       uint64_t *offset)
{
    if (!node->leaf) {
        const struct key_node *child = key_node_child(node, slot);
        return search->request.from_end ? find_highest(search, child, offset)
                                        : find_lowest(search, child, offset);
    }
    struct range hole = { node->row[KEY_ROW][slot], node->row[KEY_ROW_VALUE][slot] };
    bool fits = range_tree_fit(&search->request, hole, offset);
    search->misses += !fits && search->misses <= MISSES_TOLERATED;
    return fits;
}

/* The largest known alignment that divides the wanted one: its maxima are never too small (I3). */
static int best_row(const struct range_tree *tree, uint64_t alignment)
{
    int best = 0;
    for (int i = 1; i < tree->holes->weights; i++)
        if (is_aligned(alignment, tree->holes->parameter[i]) &&
            tree->holes->parameter[i] > tree->holes->parameter[best])
            best = i;
    return KEY_ROW_WEIGHT + best;
}

static uint64_t page_alignment(const struct range_tree *tree, uint64_t alignment)
{
    CHECK(alignment);
    if (is_aligned(tree->page_bytes, alignment))
        return tree->page_bytes;
    CHECK(is_aligned(alignment, tree->page_bytes));
    return alignment;
}

bool range_tree_find(const struct range_tree *tree, const struct range_request *request,
                     uint64_t *offset)
{
    CHECK(request->bytes);
    CHECK(is_aligned(request->bytes, tree->page_bytes));
    struct search search = { .request = *request };
    search.request.high = min_u64(request->high, tree->bytes);
    search.request.alignment = page_alignment(tree, request->alignment);
    if (search.request.alignment > tree->bytes) { /* offset 0 is the only multiple */
        search.request.high = min_u64(search.request.high, request->bytes);
        search.request.alignment = tree->page_bytes;
    }
    if (search.request.low >= search.request.high)
        return false;
    if (search.request.high - search.request.low < request->bytes)
        return false;
    search.row = best_row(tree, search.request.alignment);
    search.has_high = search.request.high < tree->bytes;
    bool found = request->from_end ? find_highest(&search, tree->holes->root, offset)
                                   : find_lowest(&search, tree->holes->root, offset);
    if (search.misses > MISSES_TOLERATED && tree->holes->weights < RANGE_TREE_ALIGNMENTS)
        key_tree_add_weight(tree->holes, search.request.alignment);
    return found;
}

/* (I4) */
static void range_tree_check_range(const struct range_tree *tree, struct range range)
{
    CHECK(range.bytes);
    CHECK(is_aligned(range.bytes, tree->page_bytes));
    CHECK(is_aligned(range.offset, tree->page_bytes));
    CHECK(range.bytes <= tree->bytes && range.offset <= tree->bytes - range.bytes);
}

static struct range hole_at(const struct range_tree *tree, const struct key_cursor *cursor)
{
    return (struct range){ key_tree_key(tree->holes, cursor),
                           key_tree_value(tree->holes, cursor, 0) };
}

void range_tree_take(struct range_tree *tree, struct range range)
{
    range_tree_check_range(tree, range);
    struct key_cursor cursor;
    bool found = key_tree_seek(tree->holes, range.offset, &cursor);
    CHECK(found);
    struct range hole = hole_at(tree, &cursor);
    CHECK(range_contains(hole, range));
    /* What is left on either side touches no other hole, because `hole` did not (I1). */
    struct range before = { hole.offset, range.offset - hole.offset };
    struct range after = { range_end(range), range_end(hole) - range_end(range) };

    tree->free_bytes -= range.bytes;
    if (!before.bytes && !after.bytes) {
        key_tree_erase(tree->holes, &cursor);
    } else if (!before.bytes) {
        key_tree_change(tree->holes, &cursor, after.offset, &after.bytes);
    } else {
        key_tree_change(tree->holes, &cursor, before.offset, &before.bytes);
        if (after.bytes)
            key_tree_insert(tree->holes, &cursor, after.offset, &after.bytes);
    }
}

struct range range_tree_release(struct range_tree *tree, struct range range)
{
    range_tree_check_range(tree, range);
    struct key_cursor before, after;
    bool joins_before = false, joins_after = false;
    struct range joined = range;
    if (key_tree_seek(tree->holes, range.offset, &before)) {
        struct range hole = hole_at(tree, &before);
        CHECK(range_end(hole) <= range.offset);
        joins_before = range_end(hole) == range.offset;
        if (joins_before)
            joined = (struct range){ hole.offset, hole.bytes + range.bytes };
    }
    after = before;
    if (key_tree_next(tree->holes, &after)) {
        struct range hole = hole_at(tree, &after);
        CHECK(hole.offset >= range_end(range));
        joins_after = hole.offset == range_end(range);
        joined.bytes += joins_after ? hole.bytes : 0;
    }

    tree->free_bytes += range.bytes;
    if (joins_before && joins_after) {
        key_tree_erase(tree->holes, &after);
        key_tree_seek(tree->holes, range.offset, &before);
    }
    if (joins_before)
        key_tree_change(tree->holes, &before, joined.offset, &joined.bytes);
    else if (joins_after)
        key_tree_change(tree->holes, &after, joined.offset, &joined.bytes);
    else
        key_tree_insert(tree->holes, &before, joined.offset, &joined.bytes);
    return joined;
}

bool range_tree_next_hole(const struct range_tree *tree, uint64_t offset, struct range *hole)
{
    struct key_cursor cursor;
    if (key_tree_seek(tree->holes, offset, &cursor)) {
        *hole = hole_at(tree, &cursor);
        if (range_end(*hole) > offset)
            return true;
    }
    if (!key_tree_next(tree->holes, &cursor))
        return false;
    *hole = hole_at(tree, &cursor);
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
    return key_tree_heaviest(tree->holes, 0);
}

void range_tree_init(struct range_tree *tree, uint64_t bytes, uint64_t page_bytes)
{
    CHECK(is_power_of_two(page_bytes));
    CHECK(is_aligned(bytes, page_bytes));
    CHECK(bytes <= UINT64_C(1) << 62);
    *tree = (struct range_tree){ .bytes = bytes, .page_bytes = page_bytes, .free_bytes = bytes };
    tree->holes = base_alloc(1, sizeof *tree->holes);
    key_tree_init(tree->holes, 1, largest_fit);
    key_tree_add_weight(tree->holes, page_bytes);
    if (page_bytes < RANGE_TREE_COARSE && bytes >= RANGE_TREE_COARSE)
        key_tree_add_weight(tree->holes, RANGE_TREE_COARSE);
    struct key_cursor cursor;
    key_tree_seek(tree->holes, 0, &cursor);
    if (bytes)
        key_tree_insert(tree->holes, &cursor, 0, &bytes);
}

void range_tree_fini(struct range_tree *tree)
{
    key_tree_fini(tree->holes);
    base_free(tree->holes);
    tree->holes = NULL;
}

void range_tree_check(const struct range_tree *tree)
{
    key_tree_check(tree->holes); /* I3 */
    struct range hole = { 0, 0 };
    uint64_t end = 0, sum = 0;
    size_t count = 0;
    while (range_tree_next_hole(tree, end, &hole)) {
        range_tree_check_range(tree, hole);
        CHECK(count == 0 || hole.offset > end); /* I1 */
        end = range_end(hole);
        sum += hole.bytes;
        count++;
    }
    CHECK(sum == tree->free_bytes); /* I2 */
    CHECK(count == tree->holes->count);
}
