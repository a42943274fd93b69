/* SPDX-License-Identifier: MIT */
/*
 * test_roster.c: victims treated as gone and put back (PLACE-012, PAGE-023), and all sequences
 * of six operations on sixteen pages against the model.
 */
#include <stdio.h>

#include "segments/roster.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/unit.h"

enum { PAGE = 4096, PAGES = 16 };

static struct range pages(uint64_t first, uint64_t count)
{
    return (struct range){ first * PAGE, count * PAGE };
}

/* Sixteen pages, all used. */
static int setup(void **state)
{
    struct range_tree *space = base_alloc(1, sizeof *space);
    range_tree_init(space, PAGES * PAGE, PAGE);
    range_tree_take(space, pages(0, PAGES));
    *state = space;
    return 0;
}

static int teardown(void **state)
{
    struct range_tree *space = *state;
    range_tree_check(space);
    range_tree_fini(space);
    base_free(space);
    return 0;
}

static const struct range_request FOUR_PAGES = { 4 * PAGE, PAGE, 0, UINT64_MAX, false };

/* Is the place where nothing fitted before? Then roster_look() has to find the same. */
static bool add_pieces(struct roster *roster, const struct range *pieces, size_t count,
                       struct roster_place *place)
{
    struct roster_place same = { 0 };
    roster_remove(roster, pieces, count);
    bool found = roster_look(roster, pieces, count, place);
    assert_int_equal(roster_look(roster, NULL, 0, &same), found);
    assert_true(!found ||
                (same.request == place->request && same.range.offset == place->range.offset));
    return found;
}

static bool add(struct roster *roster, struct range range, struct roster_place *place)
{
    return add_pieces(roster, &range, 1, place);
}

static void stay(struct roster *roster, struct range range)
{
    roster_put_back(roster, &range, 1);
}

static void room_is_found_where_two_holes_become_one(void **state)
{
    struct range_tree *space = *state;
    struct roster roster;
    struct roster_place place;
    roster_init(&roster, space, &FOUR_PAGES, 1);
    assert_false(roster_look(&roster, NULL, 0, &place));
    assert_false(add(&roster, pages(0, 2), &place));
    assert_false(add(&roster, pages(12, 2), &place));
    assert_true(add(&roster, pages(10, 2), &place));
    assert_int_equal(place.range.offset, 10 * PAGE);
    assert_int_equal(place.range.bytes, 4 * PAGE);
    stay(&roster, pages(12, 2));
    stay(&roster, pages(0, 2));
    stay(&roster, pages(10, 2));
    roster_fini(&roster);
    assert_int_equal(space->free_bytes, 0);
}

static void who_is_not_needed_is_put_back(void **state)
{
    struct range_tree *space = *state;
    struct roster roster;
    struct roster_place place;
    roster_init(&roster, space, &FOUR_PAGES, 1);
    assert_false(add(&roster, pages(2, 2), &place));
    assert_true(add(&roster, pages(4, 4), &place));
    assert_int_equal(place.range.offset, 2 * PAGE);
    stay(&roster, pages(2, 2));
    assert_true(roster_look(&roster, NULL, 0, &place)); /* the other one is enough */
    assert_int_equal(place.range.offset, 4 * PAGE);
    stay(&roster, pages(4, 4));
    assert_false(roster_look(&roster, NULL, 0, &place));
    assert_true(add(&roster, pages(11, 5), &place)); /* the search continues */
    assert_int_equal(place.range.offset, 11 * PAGE);
    stay(&roster, pages(11, 5));
    roster_fini(&roster);
    assert_int_equal(space->free_bytes, 0);
}

static void the_first_request_that_fits_wins(void **state)
{
    struct range_tree *space = *state;
    const struct range_request requests[] = {
        { 2 * PAGE, PAGE, 8 * PAGE, 16 * PAGE, true },
        { 2 * PAGE, PAGE, 0, 16 * PAGE, false },
    };
    struct roster roster;
    struct roster_place place;
    roster_init(&roster, space, requests, ARRAY_COUNT(requests));
    assert_true(add(&roster, pages(0, 3), &place));
    assert_int_equal(place.request, 1);
    stay(&roster, pages(0, 3));
    assert_true(add(&roster, pages(7, 4), &place));
    assert_int_equal(place.request, 0);
    assert_int_equal(place.range.offset, 9 * PAGE);
    stay(&roster, pages(7, 4));
    roster_fini(&roster);
    assert_int_equal(space->free_bytes, 0);
}

static void a_victim_may_lie_in_pieces(void **state)
{
    struct range_tree *space = *state;
    struct roster roster;
    struct roster_place place;
    const struct range pieces[] = { pages(1, 4), pages(8, 5) };
    const struct range_request highest = { 4 * PAGE, PAGE, 0, UINT64_MAX, true };
    roster_init(&roster, space, &highest, 1);
    assert_true(add_pieces(&roster, pieces, ARRAY_COUNT(pieces), &place));
    assert_int_equal(place.range.offset, 9 * PAGE);
    roster_put_back(&roster, pieces, ARRAY_COUNT(pieces));
    roster_fini(&roster);
    roster_init(&roster, space, &FOUR_PAGES, 1);
    assert_true(add_pieces(&roster, pieces, ARRAY_COUNT(pieces), &place));
    assert_int_equal(place.range.offset, 1 * PAGE);
    roster_put_back(&roster, pieces, ARRAY_COUNT(pieces));
    roster_fini(&roster);
    assert_int_equal(space->free_bytes, 0);
}

/*
 * The small world: every sequence of DEPTH operations. After each, tree and model are compared;
 * then the operation is undone and the next one tried.
 */
enum { DEPTH = 6, VICTIMS_MAX = DEPTH };

struct small_world {
    struct range_tree tree;
    struct model_ranges model;
    struct model_range live[DEPTH]; /* oldest first */
    size_t count;
    uint64_t steps, evictions;
};

enum operation_kind { ALLOCATE, EVICT, RELEASE_OLDEST, RELEASE_NEWEST };

struct operation {
    enum operation_kind kind;
    struct model_request request;
};

static const struct operation OPERATIONS[] = {
    { ALLOCATE, { 1, 1, 0, PAGES, false } },   { ALLOCATE, { 1, 1, 0, PAGES, true } },
    { ALLOCATE, { 3, 1, 0, PAGES, false } },   { ALLOCATE, { 3, 1, 0, PAGES, true } },
    { ALLOCATE, { 5, 4, 0, PAGES, false } },   { ALLOCATE, { 5, 4, 0, PAGES, true } },
    { ALLOCATE, { 2, 2, 5, 13, false } },      { ALLOCATE, { 2, 2, 5, 13, true } },
    { EVICT, { 9, 1, 0, PAGES, false } },      { EVICT, { 4, 4, 3, PAGES, true } },
    { RELEASE_OLDEST, { 0, 0, 0, 0, false } }, { RELEASE_NEWEST, { 0, 0, 0, 0, false } },
};

static struct range_request in_bytes(const struct model_request *request)
{
    return (struct range_request){ request->pages * PAGE, request->alignment * PAGE,
                                   request->low * PAGE, request->high * PAGE, request->from_end };
}

static void insert(struct small_world *world, size_t at, struct model_range range)
{
    for (size_t i = world->count++; i > at; i--)
        world->live[i] = world->live[i - 1];
    world->live[at] = range;
    model_ranges_set(&world->model, range, true);
    range_tree_take(&world->tree, pages(range.page, range.pages));
}

static struct model_range withdraw(struct small_world *world, size_t at)
{
    struct model_range range = world->live[at];
    world->count--;
    for (size_t i = at; i < world->count; i++)
        world->live[i] = world->live[i + 1];
    model_ranges_set(&world->model, range, false);
    range_tree_release(&world->tree, pages(range.page, range.pages));
    return range;
}

static bool find(struct small_world *world, const struct model_request *request, uint64_t *page)
{
    struct range_request asked = in_bytes(request);
    uint64_t offset = 0;
    bool wanted = model_ranges_find(&world->model, request, page);
    assert_int_equal(range_tree_find(&world->tree, &asked, &offset), wanted);
    if (wanted)
        assert_int_equal(offset, *page * PAGE);
    return wanted;
}

/* Chooses victims, oldest first, in the tree and in the model. No victim moves. */
static bool choose(struct small_world *world, const struct model_request *request, bool *chosen,
                   uint64_t *page)
{
    struct range_request asked = in_bytes(request);
    struct roster roster;
    struct roster_place place = { 0 };
    size_t wanted =
        model_ranges_evict(&world->model, request, world->live, world->count, chosen, page);
    bool found = false;
    roster_init(&roster, &world->tree, &asked, 1);
    size_t away = 0;
    for (; !found && away < world->count; away++)
        found = add(&roster, pages(world->live[away].page, world->live[away].pages), &place);
    assert_int_equal(found, wanted > 0);
    if (found) {
        assert_int_equal(away, wanted);
        assert_int_equal(place.range.offset, *page * PAGE);
        for (size_t i = 0; i < wanted; i++) {
            struct range victim = pages(world->live[i].page, world->live[i].pages);
            assert_int_equal(range_overlaps(victim, place.range), chosen[i]);
        }
    }
    while (away-- > 0)
        stay(&roster, pages(world->live[away].page, world->live[away].pages));
    roster_fini(&roster);
    assert_true(model_ranges_agree(&world->model, &world->tree));
    return found;
}

static void try_all(struct small_world *world, int depth);

static void try_evicting(struct small_world *world, const struct model_request *request, int depth)
{
    bool chosen[VICTIMS_MAX] = { false };
    struct model_range gone[VICTIMS_MAX];
    uint64_t page;
    size_t victims = world->count;
    if (!choose(world, request, chosen, &page))
        return;
    world->evictions++;
    for (size_t i = victims; i-- > 0;)
        if (chosen[i])
            gone[i] = withdraw(world, i);
    insert(world, world->count, (struct model_range){ page, request->pages });
    try_all(world, depth);
    withdraw(world, world->count - 1);
    for (size_t i = 0; i < victims; i++)
        if (chosen[i])
            insert(world, i, gone[i]);
}

static void try_one(struct small_world *world, const struct operation *operation, int depth)
{
    uint64_t page;
    if (operation->kind == RELEASE_OLDEST || operation->kind == RELEASE_NEWEST) {
        if (world->count == 0)
            return;
        size_t at = operation->kind == RELEASE_OLDEST ? 0 : world->count - 1;
        struct model_range range = withdraw(world, at);
        try_all(world, depth);
        insert(world, at, range);
    } else if (find(world, &operation->request, &page)) {
        insert(world, world->count, (struct model_range){ page, operation->request.pages });
        try_all(world, depth);
        withdraw(world, world->count - 1);
    } else if (operation->kind == EVICT) {
        try_evicting(world, &operation->request, depth);
    }
}

static void try_all(struct small_world *world, int depth)
{
    world->steps++;
    assert_true(model_ranges_agree(&world->model, &world->tree));
    for (size_t i = 0; depth < DEPTH && i < ARRAY_COUNT(OPERATIONS); i++)
        try_one(world, &OPERATIONS[i], depth + 1);
}

static void all_short_sequences_agree_with_the_model(void **state)
{
    (void)state;
    struct small_world *world = base_alloc(1, sizeof *world);
    model_ranges_init(&world->model, PAGES);
    range_tree_init(&world->tree, PAGES * PAGE, PAGE);
    try_all(world, 0);
    print_message("%llu states, %llu evictions\n", (unsigned long long)world->steps,
                  (unsigned long long)world->evictions);
    assert_true(world->steps > 1000 * 1000);
    assert_true(world->evictions > 50 * 1000);
    assert_int_equal(world->tree.free_bytes, PAGES * PAGE);
    range_tree_fini(&world->tree);
    base_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(room_is_found_where_two_holes_become_one, setup, teardown),
        cmocka_unit_test_setup_teardown(who_is_not_needed_is_put_back, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_request_that_fits_wins, setup, teardown),
        cmocka_unit_test_setup_teardown(a_victim_may_lie_in_pieces, setup, teardown),
        cmocka_unit_test(all_short_sequences_agree_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
