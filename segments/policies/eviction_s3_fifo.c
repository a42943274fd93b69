/* SPDX-License-Identifier: MIT */
/*
 * eviction_s3_fifo.c: S3-FIFO. Three queues: a small one of a tenth of the capacity, which what is
 * new enters; a main one; and one of ghosts, which left the small one. Who was used twice goes from
 * the small queue to the main one instead of leaving; a ghost that is wanted again enters the main
 * one at once. In the main queue each use, up to three, is worth another round.
 *
 * The small queue gives the victim unless it is empty or the main one is above its share. As in the
 * paper's simulator (libCacheSim), the shares are rounded down to whole pages, ghosts may have nine
 * tenths of the capacity, and what is promoted begins without uses.
 *
 * `word` of a resident counts its uses, `place` is its queue. A walk plays the queues ahead: what
 * would be sent to the end of the main queue is chained there by `walk_newer`, with the uses left
 * to it in `walk_word`.
 */
#include "segments/policies/policies.h"
#include "vidmm/base/base.h"

enum place { NOWHERE, SMALL, MAIN, GHOST, RETURNING };
enum { USES_TO_PROMOTE = 2, USES_MAX = 3 };

struct state {
    struct vidmm_queue small, main, ghosts;
    uint64_t main_most, ghosts_most; /* bytes */
};

static void begin(void *memory, const struct vidmm_eviction_group *group)
{
    struct state *state = memory;
    uint64_t pages = group->capacity / group->page;
    state->main_most = (pages - pages / 10) * group->page;
    state->ghosts_most = (pages - pages / 10 - (pages % 10 != 0)) * group->page;
}

static void enter(struct state *state, struct vidmm_resident *resident, enum place place)
{
    struct vidmm_queue *const queues[] = {
        [SMALL] = &state->small,
        [MAIN] = &state->main,
        [GHOST] = &state->ghosts,
    };
    if (resident->place == SMALL || resident->place == MAIN || resident->place == GHOST)
        vidmm_queue_remove(queues[resident->place], resident);
    if (place == SMALL || place == MAIN || place == GHOST)
        vidmm_queue_append(queues[place], resident);
    resident->place = place;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* What a walk keeps: the next one of each queue, and the ends of what was chained. */
enum walker { AT_SMALL, AT_MAIN, CHAIN_FIRST, CHAIN_LAST };
enum counter { STARTED, MAIN_BYTES };

static void chain(struct vidmm_eviction_walk *walk, struct vidmm_resident *resident, uint64_t uses)
{
    resident->walk = walk->number;
    resident->walk_word = uses;
    resident->walk_newer = NULL;
    if (walk->at[CHAIN_LAST])
        walk->at[CHAIN_LAST]->walk_newer = resident;
    else
        walk->at[CHAIN_FIRST] = resident;
    walk->at[CHAIN_LAST] = resident;
    if (!walk->at[AT_MAIN])
        walk->at[AT_MAIN] = resident;
}

static struct vidmm_resident *next_of_small(struct vidmm_eviction_walk *walk)
{
    struct vidmm_resident *resident;
    while ((resident = walk->at[AT_SMALL]) != NULL) {
        walk->at[AT_SMALL] = resident->newer;
        if (resident->word < USES_TO_PROMOTE)
            return resident;
        chain(walk, resident, 0);
        walk->word[MAIN_BYTES] += resident->bytes;
    }
    return NULL;
}

/* There is one: each round leaves one use less to those that it chains. */
static struct vidmm_resident *next_of_main(struct vidmm_eviction_walk *walk)
{
    for (;;) {
        struct vidmm_resident *resident = walk->at[AT_MAIN];
        CHECK(resident);
        bool chained = resident->walk == walk->number;
        uint64_t uses = chained ? resident->walk_word : resident->word;
        walk->at[AT_MAIN] = chained           ? resident->walk_newer
                            : resident->newer ? resident->newer
                                              : walk->at[CHAIN_FIRST];
        if (!walk->at[AT_MAIN])
            walk->at[CHAIN_FIRST] = walk->at[CHAIN_LAST] = NULL;
        if (!uses) {
            walk->word[MAIN_BYTES] -= resident->bytes;
            return resident;
        }
        chain(walk, resident, uses - 1);
    }
}

static struct vidmm_resident *next(const void *memory, struct vidmm_eviction_walk *walk)
{
    const struct state *state = memory;
    struct vidmm_resident *resident = NULL;
    if (!walk->word[STARTED]) {
        walk->word[STARTED] = 1;
        walk->word[MAIN_BYTES] = state->main.bytes;
        walk->at[AT_SMALL] = state->small.oldest;
        walk->at[AT_MAIN] = state->main.oldest;
    }
    while (!resident && (walk->at[AT_SMALL] || walk->at[AT_MAIN]))
        resident = walk->word[MAIN_BYTES] > state->main_most || !walk->at[AT_SMALL]
                       ? next_of_main(walk)
                       : next_of_small(walk);
    return resident;
}

/* ---- a victim leaves ------------------------------------------------------------------------- */

/* As the walk, but for good, up to the victim. Those that the walk named before it stay where they
   are. */
struct scan {
    struct state *state;
    struct vidmm_resident *small, *main;
    uint64_t main_bytes;
};

/* The next one that would leave. */
static struct vidmm_resident *scan_small(struct scan *scan)
{
    struct vidmm_resident *resident;
    while ((resident = scan->small) != NULL) {
        scan->small = resident->newer;
        if (resident->word < USES_TO_PROMOTE)
            return resident;
        enter(scan->state, resident, MAIN);
        resident->word = 0;
        scan->main_bytes += resident->bytes;
        if (!scan->main)
            scan->main = resident;
    }
    return NULL;
}

static struct vidmm_resident *scan_main(struct scan *scan)
{
    for (;;) {
        struct vidmm_resident *resident = scan->main;
        CHECK(resident);
        scan->main = resident->newer;
        if (!resident->word) {
            scan->main_bytes -= resident->bytes;
            return resident;
        }
        enter(scan->state, resident, MAIN);
        resident->word--;
        if (!scan->main)
            scan->main = resident;
    }
}

static void scan_up_to(struct state *state, const struct vidmm_resident *victim)
{
    struct scan scan = { state, state->small.oldest, state->main.oldest, state->main.bytes };
    const struct vidmm_resident *resident = NULL;
    while (resident != victim)
        resident = scan.main_bytes > state->main_most || !scan.small ? scan_main(&scan)
                                                                     : scan_small(&scan);
}

static void left(void *memory, struct vidmm_resident *resident, bool victim)
{
    struct state *state = memory;
    if (victim)
        scan_up_to(state, resident);
    bool ghost = victim && resident->place == SMALL && resident->bytes <= state->ghosts_most;
    while (ghost && state->ghosts.bytes > state->ghosts_most - resident->bytes)
        enter(state, state->ghosts.oldest, NOWHERE);
    enter(state, resident, ghost ? GHOST : NOWHERE);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void missed(void *memory, struct vidmm_resident *resident)
{
    if (resident->place == GHOST)
        enter(memory, resident, RETURNING);
}

static void arrived(void *memory, struct vidmm_resident *resident)
{
    resident->word = 0;
    enter(memory, resident, resident->place == RETURNING ? MAIN : SMALL);
}

static void used(void *memory, struct vidmm_resident *resident)
{
    (void)memory;
    if (resident->word < USES_MAX)
        resident->word++;
}

static void forgotten(void *memory, struct vidmm_resident *resident)
{
    enter(memory, resident, NOWHERE);
}

const struct vidmm_eviction_policy eviction_s3_fifo = {
    .name = "s3-fifo",
    .summary = "three queues: what is not used twice leaves a small one quickly",
    .source = "Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023",
    .state_bytes = sizeof(struct state),
    .begin = begin,
    .next = next,
    .missed = missed,
    .arrived = arrived,
    .used = used,
    .left = left,
    .forgotten = forgotten,
};
