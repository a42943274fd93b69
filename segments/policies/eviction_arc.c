/* SPDX-License-Identifier: MIT */
/*
 * eviction_arc.c: ARC. T1 holds what was referenced once, T2 what was referenced again, each in the
 * order of the last use; B1 and B2 hold ghosts of what left them. A ghost that is wanted again says
 * which of the two was too small, and moves the target p of T1.
 *
 * Sizes are bytes. p moves by the size of what is wanted, times the ratio of the ghosts; with one
 * size for all that is the paper's unit. p is not rounded to whole pages, as in the simulator
 * libCacheSim, whose decisions about the ends of B1 and B2 are kept, too: they are made when a
 * victim leaves, not when something arrives in free memory.
 *
 * `place` of a resident is its queue.
 */
#include "segments/policies/policies.h"
#include "segments/policies/real.h"
#include "vidmm/base/base.h"

enum place { NOWHERE, T1, T2, B1, B2, PLACES };
enum heard { HEARD_NOTHING, HEARD_OF_B1, HEARD_OF_B2 };

struct state {
    struct vidmm_queue queue[PLACES];
    uint64_t capacity;
    struct real p; /* target of T1 */
    /* The miss at hand. */
    const struct vidmm_resident *wanted;
    enum heard heard;
};

static void begin(void *memory, const struct vidmm_eviction_group *group)
{
    struct state *state = memory;
    state->capacity = group->capacity / group->page * group->page;
}

static void enter(struct state *state, struct vidmm_resident *resident, enum place place)
{
    if (resident->place)
        vidmm_queue_remove(&state->queue[resident->place], resident);
    if (place)
        vidmm_queue_append(&state->queue[place], resident);
    resident->place = place;
}

/* ---- the order ------------------------------------------------------------------------------- */

/* What decides about the next victim: now, or further on in a walk. */
struct balance {
    uint64_t t1, t2, b1; /* bytes */
};

static bool ghosts_full(const struct state *state, const struct balance *balance)
{
    uint64_t wanted = state->wanted ? state->wanted->bytes : 0;
    return !state->heard && balance->t1 + balance->b1 + wanted > state->capacity;
}

/* Neither is empty. The paper's REPLACE, and before it case IV (A): T1 alone fills all. */
static bool t1_gives(const struct state *state, const struct balance *balance)
{
    int above = real_compare(real_of(balance->t1), state->p);
    CHECK(balance->t1 && balance->t2);
    if (ghosts_full(state, balance) && !balance->b1)
        return true;
    return above > 0 || (above == 0 && state->heard == HEARD_OF_B2);
}

/* word: the balance and whether it began. at: the next of T1 and T2, and the next ghost of B1 that
   would be forgotten, which may be a victim of this walk. */
static void look(const struct state *state, struct vidmm_eviction_walk *walk)
{
    walk->word[0] = 1;
    walk->word[1] = state->queue[T1].bytes;
    walk->word[2] = state->queue[T2].bytes;
    walk->word[3] = state->queue[B1].bytes;
    walk->at[0] = state->queue[T1].oldest;
    walk->at[1] = state->queue[T2].oldest;
    walk->at[2] = state->queue[B1].oldest ? state->queue[B1].oldest : state->queue[T1].oldest;
}

/* The oldest ghost of B1 is forgotten; behind those of today stand the victims of T1. */
static void pretend_forgotten(const struct state *state, struct vidmm_eviction_walk *walk)
{
    const struct vidmm_resident *ghost = walk->at[2];
    walk->word[3] -= ghost->bytes;
    walk->at[2] = ghost->newer || ghost->place == T1 ? ghost->newer : state->queue[T1].oldest;
}

static struct vidmm_resident *next(const void *memory, struct vidmm_eviction_walk *walk)
{
    const struct state *state = memory;
    if (!walk->word[0])
        look(state, walk);
    const struct balance balance = { walk->word[1], walk->word[2], walk->word[3] };
    bool full = ghosts_full(state, &balance);
    if (!walk->at[0] && !walk->at[1])
        return NULL;
    bool first = walk->at[0] && (!walk->at[1] || t1_gives(state, &balance));
    struct vidmm_resident *resident = walk->at[first ? 0 : 1];
    walk->at[first ? 0 : 1] = resident->newer;
    walk->word[first ? 1 : 2] -= resident->bytes;
    if (full && balance.b1)
        pretend_forgotten(state, walk);
    if (first && !(full && !balance.b1)) /* then it leaves no ghost, as all after it */
        walk->word[3] += resident->bytes;
    return resident;
}

/* ---- notifications --------------------------------------------------------------------------- */

static void missed(void *memory, struct vidmm_resident *resident)
{
    struct state *state = memory;
    uint64_t b1 = state->queue[B1].bytes, b2 = state->queue[B2].bytes;
    state->wanted = resident;
    state->heard = resident->place == B1   ? HEARD_OF_B1
                   : resident->place == B2 ? HEARD_OF_B2
                                           : HEARD_NOTHING;
    if (!state->heard)
        return;
    uint64_t own = resident->place == B1 ? b1 : b2, other = resident->place == B1 ? b2 : b1;
    struct real step = real_times(real_ratio(other > own ? other : own, own), resident->bytes);
    struct real most = real_of(state->capacity);
    if (state->heard == HEARD_OF_B2)
        state->p = real_minus(state->p, step);
    else
        state->p = real_plus(state->p, step);
    if (real_compare(state->p, most) > 0)
        state->p = most;
    enter(state, resident, NOWHERE);
}

static void end_miss(struct state *state, const struct vidmm_resident *resident)
{
    if (state->wanted != resident)
        return;
    state->wanted = NULL;
    state->heard = HEARD_NOTHING;
}

static void arrived(void *memory, struct vidmm_resident *resident)
{
    struct state *state = memory;
    bool again = state->wanted == resident && state->heard;
    enter(state, resident, again ? T2 : T1);
    end_miss(state, resident);
}

static void used(void *memory, struct vidmm_resident *resident)
{
    enter(memory, resident, T2);
}

static void forget_oldest(struct state *state, enum place place)
{
    if (state->queue[place].oldest)
        enter(state, state->queue[place].oldest, NOWHERE);
}

static void left(void *memory, struct vidmm_resident *resident, bool victim)
{
    struct state *state = memory;
    const struct balance balance = { state->queue[T1].bytes, state->queue[T2].bytes,
                                     state->queue[B1].bytes };
    bool full = ghosts_full(state, &balance);
    enum place ghost = resident->place == T1 ? B1 : B2;
    if (!victim || (ghost == B1 && full && !balance.b1)) {
        enter(state, resident, NOWHERE);
        return;
    }
    uint64_t all = balance.t1 + balance.t2 + balance.b1 + state->queue[B2].bytes;
    if (full)
        forget_oldest(state, B1);
    else if (!state->heard && all / 2 >= state->capacity)
        forget_oldest(state, B2);
    enter(state, resident, ghost);
}

static void forgotten(void *memory, struct vidmm_resident *resident)
{
    struct state *state = memory;
    enter(state, resident, NOWHERE);
    end_miss(state, resident);
}

const struct vidmm_eviction_policy eviction_arc = {
    .name = "arc",
    .summary = "recency against frequency, balanced by what was evicted too early",
    .source = "Megiddo and Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003",
    .state_bytes = sizeof(struct state),
    .begin = begin,
    .next = next,
    .missed = missed,
    .arrived = arrived,
    .used = used,
    .left = left,
    .forgotten = forgotten,
};
