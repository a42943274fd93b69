/* SPDX-License-Identifier: MIT */
/*
 * placement_buddy.c: the smallest free block, a power of two of bytes at a multiple of its size.
 *
 * K. C. Knowlton, A fast storage allocator, Communications of the ACM 8 (10), 1965; Knuth, volume
 * 1, section 2.5. The free space is seen as the largest such blocks that it consists of. A demand
 * needs a block at least as large as itself and its alignment; the smallest free one that is large
 * enough is halved until it would be too small. Of equal blocks the first one, and of the halves
 * the first one, counted from the end that the search begins at.
 *
 * The tail of the block is given back at once, as drm_buddy of Linux does when it trims a block: a
 * demand takes its footprint and no more. Where no block is large enough (9 MiB in a segment of
 * 12), or an alignment is no power of two, there is no opinion, and the documented place is taken.
 *
 * Cost: every hole that has such a block is looked at, until one is not larger than needed.
 */
#include "segments/policies/policies.h"

struct block {
    uint64_t offset, bytes;
};

/* The largest power of two that is at most `value`, which is not 0. */
static uint64_t power_below(uint64_t value)
{
    uint64_t power = 1;
    while (power <= value / 2)
        power *= 2;
    return power;
}

/* The largest block that begins at `offset` and ends at `end` or before. */
static struct block block_at(uint64_t offset, uint64_t end)
{
    uint64_t most = power_below(end - offset);
    uint64_t aligned = offset & (~offset + 1); /* its lowest bit; 0 is a multiple of everything */
    return (struct block){ offset, aligned && aligned < most ? aligned : most };
}

/* Takes a smaller block of [low, high), but none smaller than `unit`. */
static void look_into(uint64_t low, uint64_t high, const struct vidmm_search *unit,
                      struct block *best)
{
    for (struct block block; low < high; low += block.bytes) {
        block = block_at(low, high);
        bool better = block.bytes < best->bytes ||
                      (block.bytes == best->bytes && unit->from_end && block.offset > best->offset);
        if (block.bytes >= unit->footprint && better)
            *best = block;
    }
}

static bool pick(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search unit = *search, rest, inside = *search;
    struct vidmm_fit fit;
    struct block best = { 0, UINT64_MAX };
    uint64_t need = search->footprint > search->alignment ? search->footprint : search->alignment;
    (void)state;
    if (need > space->segment->bytes)
        return false;
    unit.footprint = power_below(need) < need ? 2 * power_below(need) : need;
    unit.alignment = unit.footprint;
    rest = unit;
    while (best.bytes > unit.footprint && space->next(space, &rest, &fit))
        look_into(fit.low > search->low ? fit.low : search->low,
                  fit.high < search->high ? fit.high : search->high, &unit, &best);
    if (best.bytes == UINT64_MAX)
        return false;
    inside.low = search->from_end ? best.offset + best.bytes - unit.footprint : best.offset;
    inside.high = inside.low + unit.footprint;
    bool fits = space->next(space, &inside, &fit);
    *offset = fit.place;
    return fits;
}

const struct vidmm_placement_policy placement_buddy = {
    .name = "buddy",
    .summary = "the smallest free block of a power of two; its tail is given back",
    .source = "Knowlton, A fast storage allocator, CACM 8 (10), 1965; drm_buddy of Linux",
    .blocks = true,
    .pick = pick,
};
