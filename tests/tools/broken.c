/* SPDX-License-Identifier: MIT */
/*
 * broken.c: the program with one mistake in placement or eviction, so that a test can ask whether
 * the goldens notice.
 *
 * The linker puts these functions before those of the house. The environment (VIDMM_BROKEN) names
 * the mistake: page (one page off), direction (from the wrong end), banks (none), fifth (no pinned
 * region), recent (the most recently used leave first). Each is one that a change of a policy could
 * make: every rule about states still holds, only the choice is another.
 */
#include <stdlib.h>
#include <string.h>

#include "paging/residency/evict_plan.h"
#include "segments/segments.h"

bool __real_segment_find(const struct segment *segment, const struct vidmm_search *search,
                         uint64_t *offset);
void __real_segment_init(struct segment *segment, const struct vidmm_segment_desc *desc,
                         uint32_t pinned_percent);
struct range __real_bank_range(const struct vidmm_segment_desc *desc, uint32_t bank);
void __real_victim_walk_begin(struct victim_walk *walk, struct room_search *room,
                              const uint32_t *segments, uint32_t count);
struct pageable *__real_victim_walk_next(struct victim_walk *walk);

bool __wrap_segment_find(const struct segment *segment, const struct vidmm_search *search,
                         uint64_t *offset);
void __wrap_segment_init(struct segment *segment, const struct vidmm_segment_desc *desc,
                         uint32_t pinned_percent);
struct range __wrap_bank_range(const struct vidmm_segment_desc *desc, uint32_t bank);
void __wrap_victim_walk_begin(struct victim_walk *walk, struct room_search *room,
                              const uint32_t *segments, uint32_t count);
struct pageable *__wrap_victim_walk_next(struct victim_walk *walk);

static bool is_broken(const char *name)
{
    const char *wanted = getenv("VIDMM_BROKEN");
    return wanted && strcmp(wanted, name) == 0;
}

/* ---- where ---------------------------------------------------------------------------------- */

bool __wrap_segment_find(const struct segment *segment, const struct vidmm_search *search,
                         uint64_t *offset)
{
    struct vidmm_search turned = *search;
    turned.from_end ^= is_broken("direction");
    if (!__real_segment_find(segment, &turned, offset))
        return false;
    struct range next = { *offset + segment->desc.page_bytes, search->footprint };
    if (is_broken("page") && range_end(next) <= search->high &&
        search->alignment <= segment->desc.page_bytes && range_tree_is_free(&segment->space, next))
        *offset = next.offset;
    return true;
}

struct range __wrap_bank_range(const struct vidmm_segment_desc *desc, uint32_t bank)
{
    return is_broken("banks") ? (struct range){ 0, desc->bytes } : __real_bank_range(desc, bank);
}

void __wrap_segment_init(struct segment *segment, const struct vidmm_segment_desc *desc,
                         uint32_t pinned_percent)
{
    __real_segment_init(segment, desc, is_broken("fifth") ? 100 : pinned_percent);
}

/* ---- who ------------------------------------------------------------------------------------ */

enum { VICTIMS_MOST = 1 << 16 };

/* A walk is at its end before the next one begins. */
static struct pageable *victims[VICTIMS_MOST];
static size_t count, next;
static bool gathered;

static int by_recent_use(const void *a, const void *b)
{
    const struct victim_node *left = &(*(struct pageable *const *)a)->place.victim;
    const struct victim_node *right = &(*(struct pageable *const *)b)->place.victim;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->priority != right->priority)
        return left->priority < right->priority ? -1 : 1;
    if (left->last_use != right->last_use)
        return left->last_use > right->last_use ? -1 : 1;
    return left->offset < right->offset ? -1 : 1;
}

void __wrap_victim_walk_begin(struct victim_walk *walk, struct room_search *room,
                              const uint32_t *segments, uint32_t segment_count)
{
    gathered = false;
    __real_victim_walk_begin(walk, room, segments, segment_count);
}

struct pageable *__wrap_victim_walk_next(struct victim_walk *walk)
{
    if (!is_broken("recent"))
        return __real_victim_walk_next(walk);
    if (!gathered) {
        struct pageable *victim;
        count = next = 0;
        while ((victim = __real_victim_walk_next(walk)) != NULL && count < VICTIMS_MOST)
            victims[count++] = victim;
        qsort(victims, count, sizeof *victims, by_recent_use);
        gathered = true;
    }
    return next < count ? victims[next++] : NULL;
}
