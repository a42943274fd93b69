/* SPDX-License-Identifier: MIT */
/*
 * test_engine_stop.c: a packet is stopped in the middle while another one waits: what comes back,
 * and from when on the one behind it has only dependencies in its way.
 */
#include <string.h>

#include "paging/time/engine.h"
#include "tests/support/unit.h"

enum { COST = 100 };

static struct timeline timeline;
static struct fence_board board;
static struct engine_set set;

static vidmm_ns begin(void *owner, struct packet *packet)
{
    (void)owner;
    (void)packet;
    return COST;
}

static void hear(void *owner, struct packet *packet)
{
    (void)owner;
    (void)packet;
}

static const struct engine_hooks hooks = { begin, hear, hear };

static struct packet *submit(void)
{
    struct packet *packet = engine_packet_take(&set);
    packet->fence = fence_issue(&board, 0);
    engine_submit(&set, packet);
    return packet;
}

static int setup(void **state)
{
    (void)state;
    memset(&timeline, 0, sizeof timeline);
    fence_board_init(&board, 1);
    engine_set_init(&set, &timeline, &board, &hooks, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    engine_set_fini(&set);
    fence_board_fini(&board);
    timeline_fini(&timeline);
    return 0;
}

static void only_the_one_that_ran_comes_back(void **state)
{
    engine_hold(&set, 0, true); /* both wait before one runs */
    struct packet *first = submit(), *second = submit();
    (void)state;
    engine_hold(&set, 0, false);
    engine_kick(&set);
    timeline_run_until(&timeline, 30);
    struct packet *back = engine_interrupt(&set, 0);
    assert_ptr_equal(back, first);
    assert_null(back->next);
    assert_ptr_equal(engine_unqueue(&set, 0), second);
    assert_null(second->next);
    engine_packet_release(&set, first);
    engine_packet_release(&set, second);
}

static void all_of_a_node_come_back_in_their_order(void **state)
{
    struct packet *packets[] = { submit(), submit(), submit() };
    (void)state;
    timeline_run_until(&timeline, 30);
    engine_hold(&set, 0, true);
    struct packet *back = engine_abort(&set, 0);
    for (int i = 0; i < 3; i++) {
        struct packet *next = back->next;
        assert_ptr_equal(back, packets[i]);
        engine_packet_release(&set, back);
        back = next;
    }
    assert_null(back);
    assert_true(engine_idle(&set, 0));
    const struct packet *later = submit();
    assert_ptr_equal(set.engines[0].running, later); /* nor is the node held any longer */
}

/* Busy until 30; nothing but a start was missing from then on until 40. */
static void the_next_one_could_begin_from_then_on(void **state)
{
    (void)state;
    (void)submit();
    const struct packet *second = submit();
    timeline_run_until(&timeline, 30);
    engine_packet_release(&set, engine_interrupt(&set, 0));
    timeline_run_until(&timeline, 40);
    assert_int_equal(engine_stats(&set, 0).busy_ns, 30);
    assert_int_equal(engine_stats(&set, 0).dependency_ns, 10);
    engine_kick(&set);
    assert_ptr_equal(set.engines[0].running, second);
    timeline_run_until(&timeline, 90);
    assert_int_equal(engine_stats(&set, 0).busy_ns, 80);
    assert_int_equal(engine_stats(&set, 0).dependency_ns, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_the_one_that_ran_comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(all_of_a_node_come_back_in_their_order, setup, teardown),
        cmocka_unit_test_setup_teardown(the_next_one_could_begin_from_then_on, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
