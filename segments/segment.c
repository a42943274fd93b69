/* SPDX-License-Identifier: MIT */
/*
 * segment.c: the books of a segment, searches in it, and places that are single pages; where its
 * banks (SEG-039) and its pinned region (PLACE-022) lie.
 *
 * I1  used_bytes is what the space has taken: both change in the same call.
 * I2  pinned_bytes and committed_bytes are parts of used_bytes.
 * I3  A search lies in its own segment; its footprint is a multiple of the segment's page.
 */
#include "segments/segment.h"

#include "segments/prospect.h"

/* A part of the segment, page-aligned. */
struct window {
    uint64_t low, high;
};

uint64_t segment_footprint(const struct vidmm_segment_desc *desc, uint64_t bytes,
                           uint64_t pitch_bytes)
{
    uint64_t wanted = desc->flags & SEGMENT_PITCH_ALIGNMENT ? pitch_bytes : bytes;
    if (wanted > UINT64_MAX - desc->page_bytes) /* more than any segment, but still a number */
        return align_down(UINT64_MAX, desc->page_bytes);
    return align_up(wanted, desc->page_bytes);
}

/* It is counted in whole segment pages, rounded down, so that it is never more than its percentage.
   A segment with too few pages has none: the region then starts where the segment ends. */
uint64_t pinned_tail_start(uint64_t bytes, uint64_t page_bytes, uint32_t percent)
{
    CHECK(page_bytes);
    CHECK(is_aligned(bytes, page_bytes));
    CHECK(percent <= 100);
    uint64_t pages = bytes / page_bytes;
    CHECK(pages <= UINT64_MAX / 100);
    return (pages - pages * percent / 100) * page_bytes;
}

/* The table holds ends. The last bank ends with the segment, whatever its entry says, so that entry
   is never read. */
struct range bank_range(const struct vidmm_segment_desc *desc, uint32_t bank)
{
    CHECK(bank >= 1);
    CHECK(bank <= desc->bank_count);
    uint64_t start = bank == 1 ? 0 : desc->bank_ends[bank - 2];
    uint64_t end = bank == desc->bank_count ? desc->bytes : desc->bank_ends[bank - 1];
    CHECK(start < end);
    return (struct range){ start, end - start };
}

bool segment_find(const struct segment *segment, const struct vidmm_search *search,
                  uint64_t *offset)
{
    CHECK(search->segment == segment->desc.id); /* I3 */
    struct range_request request = { .bytes = search->footprint,
                                     .alignment = search->alignment,
                                     .low = search->low,
                                     .high = search->high,
                                     .from_end = search->from_end };
    return range_tree_find(&segment->space, &request, offset);
}

bool segment_can_search(const struct vidmm_segment_desc *desc, const struct vidmm_search *search)
{
    return search->footprint && search->alignment &&
           is_aligned(search->footprint, desc->page_bytes) &&
           (is_aligned(search->alignment, desc->page_bytes) ||
            is_aligned(desc->page_bytes, search->alignment));
}

struct vidmm_fit segment_fit_at(const struct segment *segment, const struct vidmm_search *search,
                                uint64_t place)
{
    struct range hole;
    bool found = range_tree_next_hole(&segment->space, place, &hole);
    CHECK(found && hole.offset <= place);
    uint64_t start = align_up(max_u64(hole.offset, search->low), search->alignment);
    return (struct vidmm_fit){ .place = place,
                               .room = min_u64(range_end(hole), search->high) - start,
                               .low = hole.offset,
                               .high = range_end(hole) };
}

void segment_pass(struct vidmm_search *rest, const struct vidmm_fit *fit)
{
    if (rest->from_end)
        rest->high = fit->low;
    else
        rest->low = fit->high;
}

bool segment_next_fit(const struct segment *segment, struct vidmm_search *rest,
                      struct vidmm_fit *fit)
{
    uint64_t place;
    base_work(1);
    if (!segment_can_search(&segment->desc, rest) || !segment_find(segment, rest, &place))
        return false;
    *fit = segment_fit_at(segment, rest, place);
    segment_pass(rest, fit);
    return true;
}

void segment_take(struct segment *segment, struct range range, enum segment_hold hold)
{
    range_tree_take(&segment->space, range);
    if (segment->prospect)
        prospect_take(segment->prospect, range);
    segment->used_bytes += range.bytes;
    segment->committed_bytes += range.bytes;
    if (hold == SEGMENT_PINNED)
        segment->pinned_bytes += range.bytes;
}

void segment_release(struct segment *segment, struct range range, enum segment_hold hold)
{
    CHECK(segment->used_bytes >= range.bytes);
    CHECK(segment->committed_bytes >= range.bytes);
    segment->used_bytes -= range.bytes;
    segment->committed_bytes -= range.bytes;
    if (hold == SEGMENT_PINNED)
        segment_repin(segment, range.bytes, SEGMENT_MOVABLE);
    range_tree_release(&segment->space, range);
    if (segment->prospect)
        prospect_release(segment->prospect, range);
}

void segment_repin(struct segment *segment, uint64_t bytes, enum segment_hold hold)
{
    if (hold == SEGMENT_PINNED) {
        segment->pinned_bytes += bytes;
        CHECK(segment->pinned_bytes <= segment->used_bytes); /* I2 */
    } else {
        CHECK(segment->pinned_bytes >= bytes);
        segment->pinned_bytes -= bytes;
    }
}

uint64_t segment_free_in(const struct segment *segment, uint64_t low, uint64_t high)
{
    const struct range_tree *space = &segment->space;
    if (low == 0 && high >= space->bytes)
        return space->free_bytes;
    uint64_t sum = 0;
    struct range hole;
    while (low < high && range_tree_next_hole(space, low, &hole) && hole.offset < high) {
        low = max_u64(low, hole.offset);
        sum += min_u64(high, range_end(hole)) - low;
        low = range_end(hole);
    }
    return sum;
}

/* Finds the next free pages from one end of the window, at most `most` bytes; shrinks the window.
 */
static bool next_pages(const struct range_tree *space, bool from_end, struct window *window,
                       uint64_t most, struct range *pages)
{
    const struct range_request page = { .bytes = space->page_bytes,
                                        .alignment = space->page_bytes,
                                        .low = window->low,
                                        .high = window->high,
                                        .from_end = true };
    uint64_t at = window->low;
    struct range hole;
    if (window->low >= window->high)
        return false;
    /* From the end, the highest free page says which hole it is. */
    if (from_end && !range_tree_find(space, &page, &at))
        return false;
    bool found = range_tree_next_hole(space, at, &hole);
    CHECK(found || !from_end);
    if (!found || hole.offset >= window->high)
        return false;
    uint64_t start = max_u64(hole.offset, window->low);
    uint64_t end = from_end ? at + space->page_bytes : min_u64(range_end(hole), window->high);
    uint64_t bytes = min_u64(end - start, most);
    *pages = (struct range){ from_end ? end - bytes : start, bytes };
    *(from_end ? &window->high : &window->low) = from_end ? start : end;
    return true;
}

static void reverse(struct range *runs, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct range other = runs[count - 1 - i];
        runs[count - 1 - i] = runs[i];
        runs[i] = other;
    }
}

size_t segment_find_pages(const struct segment *segment, const struct vidmm_search *search,
                          struct range **runs)
{
    const struct range_tree *space = &segment->space;
    struct window window = { search->low, min_u64(search->high, space->bytes) };
    uint64_t missing = search->footprint;
    CHECK(search->segment == segment->desc.id); /* I3 */
    CHECK(missing);
    CHECK(is_aligned(missing | window.low | window.high, space->page_bytes));

    *runs = NULL;
    if (missing > space->free_bytes)
        return 0;
    struct range *found = NULL, pages;
    size_t count = 0, capacity = 0;
    for (; missing; missing -= pages.bytes) {
        if (!next_pages(space, search->from_end, &window, missing, &pages)) {
            base_free(found);
            return 0;
        }
        BASE_GROW(found, capacity, count + 1);
        found[count++] = pages;
    }
    if (search->from_end)
        reverse(found, count);
    *runs = found;
    return count;
}

void segment_check(const struct segment *segment)
{
    range_tree_check(&segment->space);
    if (segment->prospect)
        prospect_check(segment->prospect, &segment->space);
    CHECK(segment->used_bytes == segment->space.bytes - segment->space.free_bytes); /* I1 */
    CHECK(segment->committed_bytes <= segment->used_bytes);                         /* I2 */
    CHECK(segment->pinned_bytes <= segment->used_bytes);
    if (segment_is_aperture(&segment->desc))
        aperture_check(&segment->table);
    else
        page_store_check(&segment->pages);
}

void segment_init(struct segment *segment, const struct vidmm_segment_desc *desc,
                  uint32_t pinned_percent)
{
    CHECK(desc->id >= 1);
    CHECK(desc->bank_count <= VIDMM_BANKS_MAX);
    *segment = (struct segment){ .desc = *desc };
    segment->desc.pin_start = pinned_tail_start(desc->bytes, desc->page_bytes, pinned_percent);
    segment->desc.bank_ends = segment->bank_ends;
    for (uint32_t i = 0; i + 1 < desc->bank_count; i++)
        segment->bank_ends[i] = desc->bank_ends[i];
    if (desc->bank_count)
        segment->bank_ends[desc->bank_count - 1] = desc->bytes;
    range_tree_init(&segment->space, desc->bytes, desc->page_bytes);
    if (segment_is_aperture(desc))
        aperture_init(&segment->table);
    else
        page_store_init(&segment->pages);
}

void segment_foresee(struct segment *segment, struct victim_index *order)
{
    if (segment->prospect)
        return;
    segment->prospect = base_alloc(1, sizeof *segment->prospect);
    prospect_init(segment->prospect, &segment->space, order);
}

void segment_forget_prospect(struct segment *segment)
{
    if (segment->prospect)
        prospect_fini(segment->prospect);
    base_free(segment->prospect);
    segment->prospect = NULL;
}

void segment_fini(struct segment *segment)
{
    segment_forget_prospect(segment);
    range_tree_fini(&segment->space);
    if (segment_is_aperture(&segment->desc))
        aperture_fini(&segment->table);
    else
        page_store_fini(&segment->pages);
}

const char *segment_kind_word(uint32_t flags)
{
    if (flags & SEGMENT_AGP)
        return "agp";
    return flags & SEGMENT_APERTURE ? "aperture" : "memory";
}
