/* SPDX-License-Identifier: MIT */
/*
 * test_evict_plan.c: what a plan of victims promises (I1 to I3 of evict_plan.c) holds when it is
 * made, and the check of it, which only the developers' build makes each time, notices each breach.
 *
 * The linker puts __wrap_evict_trial_end() in front of the end of each plan. In every scenario `k`
 * lies at 0 and stays, and half a MiB at the end is free.
 */
#include <stdio.h>
#include <string.h>

#include "paging/residency/evict_plan.h"
#include "scenarios/lang/scenario.h"
#include "tests/support/unit.h"

static unsigned plans, broken;

void __real_evict_trial_end(struct evict_trial *trial);
void __wrap_evict_trial_end(struct evict_trial *trial);

/* Of a place that is one range. */
static void misplace(struct evict_trial *trial, struct range range)
{
    struct place *place = &trial->room->found->place;
    struct range was = place->one;
    place->one = range;
    assert_false(evict_trial_holds(trial));
    place->one = was;
    broken++;
}

static void break_it(struct evict_trial *trial)
{
    struct room_search *room = trial->room;
    struct setup *setup = room->adapter->setup;
    uint64_t was = trial->store_bytes;
    trial->store_bytes = UINT64_MAX; /* no machine has so many pages */
    assert_false(evict_trial_holds(trial));
    trial->store_bytes = was;
    room->found->given_known = false;
    broken++;
    if (room->limited) {
        was = setup->shared_limit;
        setup->shared_limit = 0;
        assert_false(evict_trial_holds(trial));
        setup->shared_limit = was;
        broken++;
    }
    if (room->segment_count && room->found->place.run_count == 1) {
        uint64_t bytes = segment_desc(room->adapter, room->segments[0])->bytes;
        misplace(trial, (struct range){ 0, setup->page }); /* of `k` */
        if (!room->limited)                                /* and with a limit it may need one */
            misplace(trial, (struct range){ bytes - setup->page, setup->page });
    }
    assert_true(evict_trial_holds(trial));
}

void __wrap_evict_trial_end(struct evict_trial *trial)
{
    if (trial->room->found->victim_count) {
        assert_true(evict_trial_holds(trial));
        plans++;
        break_it(trial);
    }
    __real_evict_trial_end(trial);
}

static void message(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    print_message("%s", message->rendered);
}

/* Makes at least so many plans. */
static void run(const char *start, const char *rest, unsigned at_least)
{
    char text[1000];
    struct scenario_host host = { .message = message };
    struct scenario_options options = { 0 };
    struct scenario_result result = { 0 };
    plans = broken = 0;
    (void)snprintf(text, sizeof text, "vidmm-scenario 1\n%s%s", start, rest);
    struct scenario *scenario = scenario_parse(text, strlen(text), "plan.vms", &host);
    assert_true(scenario_check(scenario));
    assert_int_equal(scenario_run(scenario, &options, &result), SCENARIO_EXIT_OK);
    scenario_free(scenario);
    assert_true(plans >= at_least);
    assert_true(broken >= plans);
}

static const char card[] = "segment vram id=1 kind=memory   size=4M\n"
                           "segment aper id=2 kind=aperture size=4M\n";

static void a_range_of_memory(void **state)
{
    (void)state;
    run(card,
        "adapter wddm=1.3\n"
        "create k size=512K segments=vram\n"
        "page-in k\n"
        "pin k\n"
        "create a size=1M segments=vram content=1\n"
        "create b size=1M segments=vram content=2\n"
        "create c size=1M segments=vram content=3\n"
        "page-in a,b,c\n"
        "wait idle\n"
        "create d size=1M segments=vram content=4\n"
        "page-in d\n"
        "create e size=2M segments=vram content=5\n"
        "page-in e\n",
        2);
}

static void a_range_of_an_aperture(void **state)
{
    (void)state;
    run(card,
        "adapter wddm=1.3\n"
        "create k size=512K segments=aper\n"
        "page-in k\n"
        "pin k\n"
        "create a size=1M segments=aper content=1\n"
        "create b size=1M segments=aper content=2\n"
        "create c size=1M segments=aper content=3\n"
        "page-in a,b,c\n"
        "wait idle\n"
        "create d size=1M segments=aper content=4\n"
        "page-in d\n",
        1);
}

/* `a` leaves for the limit alone: it is not in the way. */
static void what_the_limit_of_an_aperture_leaves(void **state)
{
    (void)state;
    run("segment vram id=1 kind=memory   size=4M\n"
        "segment aper id=2 kind=aperture size=4M commit=2M\n",
        "adapter wddm=1.3\n"
        "create k size=512K segments=aper\n"
        "page-in k\n"
        "pin k\n"
        "create a size=1M segments=aper content=1 flags=FromEndOfSegment\n"
        "page-in a\n"
        "wait idle\n"
        "create b size=1M segments=aper content=2\n"
        "page-in b\n"
        "expect b in aper at 512K\n"
        "expect a evicted\n",
        1);
}

static void a_range_on_each_adapter_of_a_link(void **state)
{
    (void)state;
    run("adapter wddm=1.3\nlink adapters=2\n"
        "segment vram id=1 kind=memory   size=4M\n"
        "segment aper id=2 kind=aperture size=64M\n",
        "create k size=512K segments=vram flags=LinkMirrored\n"
        "page-in k\n"
        "pin k\n"
        "create a size=1M segments=vram flags=LinkMirrored content=1\n"
        "create b size=1M segments=vram flags=LinkMirrored content=2\n"
        "create c size=1M segments=vram flags=LinkInstanced content=3\n"
        "page-in a,b,c\n"
        "wait idle\n"
        "create d size=1M segments=vram flags=LinkMirrored content=4\n"
        "page-in d\n",
        1);
}

static void pages_of_a_set(void **state)
{
    (void)state;
    run(card,
        "adapter wddm=2.0\n"
        "create a size=1M segments=vram content=1\n"
        "create b size=1M segments=vram content=2\n"
        "create c size=1536K segments=vram content=3\n"
        "page-in a,b,c\n"
        "wait idle\n"
        "create d size=2M segments=vram content=4\n"
        "page-in d\n",
        1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_of_memory),
        cmocka_unit_test(a_range_of_an_aperture),
        cmocka_unit_test(what_the_limit_of_an_aperture_leaves),
        cmocka_unit_test(a_range_on_each_adapter_of_a_link),
        cmocka_unit_test(pages_of_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
