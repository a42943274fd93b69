/* SPDX-License-Identifier: MIT */
/*
 * prop_ranges.c: random operations on range_tree, roster and page_store against slow references.
 *
 *   prop_ranges [SEED [OPERATIONS]]
 *
 * Sizes, alignments, windows, directions and page sizes vary from round to round; the page bitmap
 * of model_ranges.h says what the answer has to be (PLACE-006, PLACE-012). In some rounds a page of
 * the model stands for many pages of the tree: then holes lie far apart, and are longer than the
 * tree can count. A difference ends the run with the seed of its round, which alone replays it.
 */
#include "segments/page_store.h"
#include "segments/roster.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_OPERATIONS = 10 * 1000, REQUESTS_MAX = 3, STORE_PAGES = 600 };

struct world {
    uint64_t seed, random;
    uint64_t page_bytes, largest; /* of the model; largest: pages of a request */
    unsigned operation, releases; /* releases: percent */
    struct model_ranges model;
    struct range_tree tree;
    struct model_range live[MODEL_PAGES_MAX];
    size_t count;
};

static void demand(const struct world *world, bool truth, const char *text)
{
    if (truth)
        return;
    printf("differs at operation %u: %s\n", world->operation, text);
    printf("replay with: prop_ranges %" PRIu64 " %d\n", world->seed, ROUND_OPERATIONS);
    exit(1);
}

static uint64_t below(struct world *world, uint64_t limit)
{
    return random_below(&world->random, limit);
}

static struct range in_bytes(const struct world *world, struct model_range range)
{
    return (struct range){ range.page * world->page_bytes, range.pages * world->page_bytes };
}

static struct range_request request_in_bytes(const struct world *world,
                                             const struct model_request *request)
{
    uint64_t page = world->page_bytes;
    return (struct range_request){ .bytes = request->pages * page,
                                   .alignment = request->alignment * page,
                                   .low = request->low * page,
                                   .high = request->high * page,
                                   .from_end = request->from_end };
}

static struct model_request some_request(struct world *world)
{
    static const uint64_t ALIGNMENTS[] = { 1, 1, 1, 2, 4, 8, 16, 16, 32, 64, 3, 48, 512, 8192 };
    struct model_request request = { .pages = 1 + below(world, world->largest),
                                     .alignment = ALIGNMENTS[below(world, ARRAY_COUNT(ALIGNMENTS))],
                                     .high = world->model.pages,
                                     .from_end = below(world, 2) };
    if (below(world, 3) == 0) {
        request.low = below(world, world->model.pages + 1);
        request.high = request.low + below(world, world->model.pages + 3);
    }
    return request;
}

static void remember(struct world *world, struct model_range range)
{
    world->live[world->count++] = range;
    model_ranges_set(&world->model, range, true);
    range_tree_take(&world->tree, in_bytes(world, range));
}

static void forget(struct world *world, size_t index)
{
    struct model_range range = world->live[index];
    world->live[index] = world->live[--world->count];
    model_ranges_set(&world->model, range, false);
    struct range hole = range_tree_release(&world->tree, in_bytes(world, range));
    demand(world, range_contains(hole, in_bytes(world, range)), "the hole that a release returns");
    demand(world, range_tree_is_free(&world->tree, hole), "is that hole free");
}

/* What anybody may ask about the holes, who has not just searched for one. */
static void ask(struct world *world)
{
    struct model_range range = { below(world, world->model.pages), 1 };
    range.pages += below(world, min_u64(6, world->model.pages - range.page));
    uint64_t first = range.page, end, used = 0;
    for (uint64_t i = 0; i < range.pages; i++)
        used += world->model.used[range.page + i];
    demand(world, range_tree_is_free(&world->tree, in_bytes(world, range)) == !used, "is it free");
    while (first < world->model.pages && world->model.used[first])
        first++;
    for (end = first; end < world->model.pages && !world->model.used[end];)
        end++;
    while (first > 0 && !world->model.used[first - 1])
        first--;
    struct range hole = { 0, 0 },
                 wanted = in_bytes(world, (struct model_range){ first, end - first });
    uint64_t at =
        (range.page + 1) * world->page_bytes - 1 - below(world, 2) * (world->page_bytes - 1);
    bool found = range_tree_next_hole(&world->tree, at, &hole);
    demand(world, found == (first < world->model.pages), "is there another hole");
    demand(world, !found || (hole.offset == wanted.offset && hole.bytes == wanted.bytes),
           "which hole is the next");
    if (!used)
        remember(world, range);
}

static void allocate(struct world *world)
{
    struct model_request request = some_request(world);
    struct range_request asked = request_in_bytes(world, &request);
    uint64_t page = 0, offset = 0;
    bool wanted = model_ranges_find(&world->model, &request, &page);
    bool found = range_tree_find(&world->tree, &asked, &offset);
    demand(world, wanted == found, "is there a place");
    demand(world, !found || page * world->page_bytes == offset, "which place");
    if (found && below(world, 16))
        remember(world, (struct model_range){ page, request.pages });
}

/* The same roster, once in the tree and once as a bitmap. */
struct eviction {
    struct world *world;
    struct roster roster;
    struct model_ranges pretended;
    struct victim {
        size_t live; /* index */
        bool away;
    } * victims; /* in the order in which they were treated as gone */
    size_t victim_count;
    struct model_request requests[REQUESTS_MAX];
    struct range_request asked[REQUESTS_MAX];
    size_t count; /* requests */
};

static void compare_place(struct eviction *eviction, bool found, const struct roster_place *place)
{
    struct world *world = eviction->world;
    uint64_t page = 0;
    size_t request = 0;
    while (request < eviction->count &&
           !model_ranges_find(&eviction->pretended, &eviction->requests[request], &page))
        request++;
    demand(world, found == (request < eviction->count), "does the roster find room");
    if (!found)
        return;
    demand(world, place->request == request, "which request is satisfied");
    demand(world, place->range.offset == page * world->page_bytes, "where there is room");
    demand(world, place->range.bytes == eviction->asked[request].bytes, "how much room");
}

/* A victim leaves in one piece or, like a page set, in two. */
static size_t pieces_of(const struct world *world, size_t index, struct range *pieces)
{
    struct range whole = in_bytes(world, world->live[index]);
    pieces[0] = whole;
    if (whole.bytes == world->page_bytes || world->live[index].page % 4 != 0)
        return 1;
    pieces[0].bytes = world->page_bytes;
    pieces[1] = (struct range){ range_end(pieces[0]), whole.bytes - world->page_bytes };
    return 2;
}

static bool add_victim(struct eviction *eviction, size_t index, struct roster_place *place)
{
    struct world *world = eviction->world;
    struct range pieces[2];
    size_t count = pieces_of(world, index, pieces);
    model_ranges_set(&eviction->pretended, world->live[index], false);
    eviction->victims[eviction->victim_count++] = (struct victim){ index, true };
    roster_remove(&eviction->roster, pieces, count);
    bool found = roster_look(&eviction->roster, pieces, count, place);
    compare_place(eviction, found, place);
    return found;
}

static void put_back(struct eviction *eviction, struct victim *victim)
{
    struct range pieces[2];
    size_t count = pieces_of(eviction->world, victim->live, pieces);
    roster_put_back(&eviction->roster, pieces, count);
    model_ranges_set(&eviction->pretended, eviction->world->live[victim->live], true);
    victim->away = false;
}

static bool is_in_the_way(const struct eviction *eviction, const struct victim *victim,
                          const struct roster_place *place)
{
    struct range range = in_bytes(eviction->world, eviction->world->live[victim->live]);
    return victim->away && range_overlaps(range, place->range);
}

/* Now and then a victim in the way has no eviction route. */
static bool reject_some(struct eviction *eviction, struct roster_place *place)
{
    bool found = true;
    for (size_t i = 0; found && i < eviction->victim_count; i++) {
        if (!is_in_the_way(eviction, &eviction->victims[i], place) ||
            below(eviction->world, 4) != 0)
            continue;
        put_back(eviction, &eviction->victims[i]);
        found = roster_look(&eviction->roster, NULL, 0, place);
        compare_place(eviction, found, place);
    }
    return found;
}

static bool find_victims(struct eviction *eviction, struct roster_place *place)
{
    struct world *world = eviction->world;
    for (size_t i = world->count; i > 1; i--) {
        size_t other = below(world, i);
        struct model_range swapped = world->live[i - 1];
        world->live[i - 1] = world->live[other];
        world->live[other] = swapped;
    }
    for (size_t i = 0; i < world->count; i++)
        if (add_victim(eviction, i, place) && reject_some(eviction, place))
            return true;
    return false;
}

/* All victims come back; if the eviction takes place, those in the way leave. */
static void finish(struct eviction *eviction, const struct roster_place *place, bool leave)
{
    struct world *world = eviction->world;
    size_t kept = 0;
    bool *leaves = base_alloc(world->count + 1, sizeof *leaves);
    for (size_t i = 0; i < eviction->victim_count; i++) {
        struct victim *victim = &eviction->victims[i];
        leaves[victim->live] = leave && is_in_the_way(eviction, victim, place);
        if (victim->away)
            put_back(eviction, victim);
    }
    roster_fini(&eviction->roster);
    for (size_t i = 0; i < world->count; i++) {
        if (leaves[i]) {
            model_ranges_set(&world->model, world->live[i], false);
            range_tree_release(&world->tree, in_bytes(world, world->live[i]));
        } else {
            world->live[kept++] = world->live[i];
        }
    }
    world->count = kept;
    base_free(leaves);
}

static void evict(struct world *world)
{
    struct eviction eviction = { .world = world, .pretended = world->model };
    struct roster_place place;
    eviction.victims = base_alloc(world->count + 1, sizeof *eviction.victims);
    eviction.count = 1 + below(world, REQUESTS_MAX);
    for (size_t i = 0; i < eviction.count; i++) {
        eviction.requests[i] = some_request(world);
        eviction.asked[i] = request_in_bytes(world, &eviction.requests[i]);
    }
    roster_init(&eviction.roster, &world->tree, eviction.asked, eviction.count);
    bool found = roster_look(&eviction.roster, NULL, 0, &place);
    compare_place(&eviction, found, &place);
    found = !found && find_victims(&eviction, &place);
    bool commits = found && below(world, 2);
    finish(&eviction, &place, commits);
    base_free(eviction.victims);
    demand(world, model_ranges_agree(&world->model, &world->tree), "holes after an eviction");
    if (commits)
        remember(world, (struct model_range){ place.range.offset / world->page_bytes,
                                              place.range.bytes / world->page_bytes });
}

static void run_ranges(uint64_t seed, unsigned operations)
{
    static struct world world;
    world = (struct world){ .seed = seed, .random = seed };
    bool small = below(&world, 4) != 0;
    uint64_t pages = 1 + below(&world, small ? 400 : MODEL_PAGES_MAX);
    static const unsigned STRETCH[] = { 0, 0, 0, 0, 3, 6, 10, 21, 31 };
    uint64_t tree_page_bytes = UINT64_C(4096) << (4 * below(&world, 2));
    world.page_bytes = tree_page_bytes << STRETCH[below(&world, ARRAY_COUNT(STRETCH))];
    world.largest = 1 + below(&world, small ? 40 : 6);
    model_ranges_init(&world.model, pages);
    range_tree_init(&world.tree, pages * world.page_bytes, tree_page_bytes);
    for (unsigned i = 0; i < operations; i++) {
        world.operation = i;
        if (i % 1000 == 0)
            world.releases = 10 + (unsigned)below(&world, 60);
        uint64_t percent = below(&world, 100);
        if (percent == 99 && small)
            evict(&world);
        else if (percent < world.releases && world.count)
            forget(&world, below(&world, world.count));
        else if (percent >= 95)
            ask(&world);
        else
            allocate(&world);
        if (i % 128 == 0) {
            range_tree_check(&world.tree);
            demand(&world, model_ranges_agree(&world.model, &world.tree), "holes");
        }
    }
    range_tree_fini(&world.tree);
}

/* One tag a page, in two stores that copy from each other. */
static void run_pages(uint64_t seed, unsigned operations)
{
    struct world world = { .seed = seed, .random = seed };
    static uint64_t tags[2][STORE_PAGES], moved[STORE_PAGES];
    struct page_store stores[2];
    for (int i = 0; i < 2; i++) {
        page_store_init(&stores[i]);
        for (size_t page = 0; page < STORE_PAGES; page++)
            tags[i][page] = PAGE_STORE_POISON;
    }
    for (world.operation = 0; world.operation < operations; world.operation++) {
        uint64_t a = below(&world, 2), b = below(&world, 2), bad_page = UINT64_MAX;
        uint64_t first = below(&world, STORE_PAGES), other = below(&world, STORE_PAGES);
        uint64_t pages = below(&world, min_u64(40, STORE_PAGES - max_u64(first, other)) + 1);
        uint64_t step = below(&world, 2), tag = below(&world, 4) * 1000 + first * step;
        if (below(&world, 2)) {
            page_store_write(&stores[a], first, pages, tag, step);
            for (uint64_t i = 0; i < pages; i++)
                tags[a][first + i] = tag + i * step;
        } else {
            page_store_copy(&stores[a], first, &stores[b], other, pages);
            memcpy(moved, &tags[b][other], pages * sizeof moved[0]);
            memcpy(&tags[a][first], moved, pages * sizeof moved[0]);
        }
        uint64_t probe = below(&world, STORE_PAGES);
        demand(&world, page_store_get(&stores[a], probe) == tags[a][probe], "a tag");
        struct page_store_run expected = { first, pages, tag, step };
        uint64_t good = 0;
        while (good < pages && tags[a][first + good] == tag + good * step)
            good++;
        bool matches = page_store_matches(&stores[a], &expected, &bad_page);
        demand(&world, matches == (good == pages), "do tags match");
        demand(&world, matches || bad_page == first + good, "the first page that differs");
        if (world.operation % 64 == 0)
            page_store_check(&stores[a]);
    }
    for (int i = 0; i < 2; i++) {
        for (uint64_t page = 0; page < STORE_PAGES; page++)
            demand(&world, page_store_get(&stores[i], page) == tags[i][page], "a tag at the end");
        page_store_fini(&stores[i]);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t operations = argc > 2 ? strtoull(argv[2], NULL, 0) : 500 * 1000;
    printf("seed %" PRIu64 ", %" PRIu64 " operations\n", seed, operations);
    for (uint64_t done = 0; done < operations; done += ROUND_OPERATIONS, seed++) {
        run_ranges(seed, ROUND_OPERATIONS);
        run_pages(seed, ROUND_OPERATIONS);
    }
    printf("all answers agree with the models\n");
    return 0;
}
