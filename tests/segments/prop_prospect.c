/* SPDX-License-Identifier: MIT */
/*
 * prop_prospect.c: the prospect of a segment against a walk that begins anew.
 *
 * The model has an owner for each page. To look for room it sorts the residents, takes one after
 * the other out of a copy, and searches that page by page. Usage: prop_prospect [seed [looks]].
 */
#include "segments/prospect.h"
#include "segments/segment.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 96, PAGE = 4096, RESIDENTS = 64, DEFAULT_LOOKS = 20000, BETWEEN = 6 };

struct resident {
    struct victim_node node;
    struct range at;
    bool stays; /* now */
};

struct world {
    struct segment segment;
    struct victim_index order;
    struct resident residents[RESIDENTS];
    const struct resident *sorted[RESIDENTS];
    size_t count, met;
    uint64_t random, use, places, fulls, broken;
    uint64_t stubborn; /* so many of sixteen stay */
};

static struct resident *anyone(struct world *world)
{
    return &world->residents[random_below(&world->random, RESIDENTS)];
}

/* ---- what happens ---------------------------------------------------------------------------- */

static void enter(struct world *world, struct resident *resident)
{
    struct prospect *prospect = world->segment.prospect;
    victim_insert(&world->order, &resident->node);
    if (prospect)
        prospect_enter(prospect, &resident->node, resident->at);
    if (prospect && prospect_is_done(prospect))
        segment_forget_prospect(&world->segment);
}

static void leave(struct world *world, struct resident *resident)
{
    if (world->segment.prospect)
        prospect_leave(world->segment.prospect, &resident->node);
    victim_remove(&world->order, &resident->node);
}

static void arrive(struct world *world, struct resident *resident)
{
    struct range_request request = { (1 + random_below(&world->random, 4)) * PAGE, PAGE, 0,
                                     PAGES * PAGE, random_below(&world->random, 2) };
    if (!range_tree_find(&world->segment.space, &request, &resident->at.offset))
        return;
    resident->at.bytes = request.bytes;
    resident->node = (struct victim_node){
        .offset = resident->at.offset,
        .priority = (uint32_t)random_below(&world->random, 3),
        .rank = (int8_t) - (random_below(&world->random, 8) == 0),
        .last_use = random_below(&world->random, 4) ? world->use : world->use / 2,
    };
    segment_take(&world->segment, resident->at, SEGMENT_MOVABLE);
    enter(world, resident);
}

static void depart(struct world *world, struct resident *resident)
{
    leave(world, resident);
    segment_release(&world->segment, resident->at, SEGMENT_MOVABLE);
}

static void use(struct world *world, struct resident *resident)
{
    world->use += random_below(&world->random, 2);
    victim_touch(&resident->node, world->use);
    if (resident->node.away && world->segment.prospect)
        prospect_used(world->segment.prospect, &resident->node);
}

static void something(struct world *world)
{
    struct resident *resident = anyone(world);
    resident->stays = random_below(&world->random, 16) < world->stubborn;
    if (!victim_listed(&resident->node)) {
        arrive(world, resident);
        return;
    }
    switch (random_below(&world->random, 6)) {
    case 0: depart(world, resident); break;
    case 1:
        leave(world, resident);
        resident->node.priority = (uint32_t)random_below(&world->random, 3);
        enter(world, resident);
        break;
    default: use(world, resident); break;
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

static int by_turn(const void *left, const void *right)
{
    const struct resident *a = *(const struct resident *const *)left;
    const struct resident *b = *(const struct resident *const *)right;
    return victim_before(&a->node, &b->node) ? -1 : 1;
}

static bool model_fits(const bool *used, const struct range_request *request, uint64_t *offset)
{
    for (uint64_t i = 0; i <= PAGES - request->bytes / PAGE; i++) {
        uint64_t at = request->from_end ? PAGES - request->bytes / PAGE - i : i;
        bool fits = at * PAGE >= request->low && at * PAGE + request->bytes <= request->high &&
                    at * PAGE % request->alignment == 0;
        for (uint64_t page = at; page < at + request->bytes / PAGE && fits; page++)
            fits = !used[page];
        *offset = at * PAGE;
        if (fits)
            return true;
    }
    return false;
}

static void fill(bool *used, struct range range, bool value)
{
    memset(used + range.offset / PAGE, value, range.bytes / PAGE);
}

/* How many are met until a request fits; 0: none does, and `world->met` is how many were met. */
static uint64_t model_look(struct world *world, const struct range_request *requests, size_t count,
                           uint64_t below, struct roster_place *place)
{
    bool used[PAGES] = { false };
    world->count = 0;
    for (size_t i = 0; i < RESIDENTS; i++)
        if (victim_listed(&world->residents[i].node)) {
            world->sorted[world->count++] = &world->residents[i];
            fill(used, world->residents[i].at, true);
        }
    qsort(world->sorted, world->count, sizeof *world->sorted, by_turn);
    for (size_t i = 0; i < world->count; i++) {
        const struct victim_node *node = &world->sorted[i]->node;
        world->met = i;
        if (!node->rank && node->priority >= below)
            return 0;
        if (!world->sorted[i]->stays)
            fill(used, world->sorted[i]->at, false);
        for (place->request = 0; place->request < count; place->request++)
            if (model_fits(used, &requests[place->request], &place->range.offset))
                return i + 1;
    }
    world->met = world->count;
    return 0;
}

/* ---- looks ----------------------------------------------------------------------------------- */

static struct range_request any_request(struct world *world)
{
    uint64_t low = random_below(&world->random, 3) ? 0 : random_below(&world->random, PAGES / 2);
    return (struct range_request){
        .bytes = (1 + random_below(&world->random, 12)) * PAGE,
        .alignment = UINT64_C(1) << (12 + random_below(&world->random, 3)),
        .low = low * PAGE,
        .high = random_below(&world->random, 3) ? UINT64_MAX : (PAGES - low / 2) * PAGE,
        .from_end = random_below(&world->random, 2),
    };
}

static enum prospect_step ask(struct prospect *prospect)
{
    struct victim_node *node;
    enum prospect_step step;
    while ((step = prospect_step(prospect, &node)) == PROSPECT_ASK) {
        const struct resident *resident = CONTAINER_OF(node, struct resident, node);
        prospect_answer(prospect, node, resident->at, !resident->stays);
    }
    return step;
}

/* Those in the place are evicted, as the manager would do. */
static void evict(struct world *world, struct range place)
{
    for (size_t i = 0; i < RESIDENTS; i++) {
        struct resident *resident = &world->residents[i];
        if (!victim_listed(&resident->node) || !range_overlaps(resident->at, place))
            continue;
        CHECK(!resident->stays);
        depart(world, resident);
    }
}

static void look(struct world *world)
{
    const struct range_request requests[] = { any_request(world), any_request(world) };
    size_t count = 1 + random_below(&world->random, 2);
    uint64_t below = random_below(&world->random, 5), offset;
    struct roster_place place = { 0 };
    for (size_t i = 0; i < count; i++)
        if (range_tree_find(&world->segment.space, &requests[i], &offset))
            return;
    uint64_t met = model_look(world, requests, count, below, &place);
    segment_foresee(&world->segment, &world->order);
    struct prospect *prospect = world->segment.prospect;
    prospect_begin(prospect, requests, count, below);
    enum prospect_step step = ask(prospect);
    if (step == PROSPECT_BROKEN) {
        segment_forget_prospect(&world->segment);
        world->broken++;
        return;
    }
    segment_check(&world->segment);
    CHECK((step == PROSPECT_PLACE) == (met != 0));
    if (step == PROSPECT_FULL) {
        CHECK(prospect_met(prospect) == world->met);
        world->fulls++;
        return;
    }
    world->places++;
    CHECK(prospect->place.request == place.request);
    CHECK(prospect->place.range.offset == place.range.offset);
    CHECK(prospect_met(prospect) == met);
    uint64_t at = prospect->place.range.offset, bytes = 0, held = 0;
    for (struct victim_node *node; (node = prospect_victim(prospect, &at)) != NULL;)
        bytes += CONTAINER_OF(node, struct resident, node)->at.bytes;
    for (size_t i = 0; i < world->count; i++)
        if (range_overlaps(world->sorted[i]->at, prospect->place.range))
            held += world->sorted[i]->at.bytes;
    CHECK(bytes == held);
    if (random_below(&world->random, 2))
        evict(world, prospect->place.range);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t looks = argc > 2 ? strtoull(argv[2], NULL, 10) : DEFAULT_LOOKS;
    const struct vidmm_segment_desc desc = { .id = 1, .bytes = PAGES * PAGE, .page_bytes = PAGE };
    struct world *world = base_alloc(1, sizeof *world);
    world->random = seed;
    segment_init(&world->segment, &desc, 0);
    for (uint64_t i = 0; i < looks; i++) {
        world->stubborn = i / (looks / 8) % 4 == 3 ? 8 : 1;
        for (uint64_t k = random_below(&world->random, BETWEEN); k; k--)
            something(world);
        look(world);
    }
    printf("%llu places, %llu times none, %llu broken\n", (unsigned long long)world->places,
           (unsigned long long)world->fulls, (unsigned long long)world->broken);
    CHECK(world->places > looks / 16 && world->fulls > looks / 64 && world->broken);
    segment_fini(&world->segment);
    victim_fini(&world->order);
    base_free(world);
    return EXIT_SUCCESS;
}
