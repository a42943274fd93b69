/* SPDX-License-Identifier: MIT */
/*
 * test_engine.c: when packets start, end and are reported: TIME-004 to 006, SUBMIT-048, 052, 053.
 *
 * The worked sequences are replayed as the manager would drive them: calls move the CPU line,
 * packets are charged by the cost table, and every time printed in the catalogue is compared.
 */
#include <string.h>

#include "paging/time/cost.h"
#include "paging/time/engine.h"
#include "tests/support/unit.h"

enum { MIB = 1024 * 1024, NOTES_MAX = 64, B_BYTES = 0x0FD00000 };
enum { RENDER = 0, PAGING = 1 };

struct note {
    char what; /* b begin, f finish, i interrupt */
    uint32_t node, fence;
    vidmm_ns at;
};

struct rig {
    struct timeline timeline;
    struct fence_board board;
    struct engine_set set;
    struct cost_params params;
    struct note notes[NOTES_MAX];
    size_t count;
};

static void write_down(struct rig *rig, char what, const struct packet *packet)
{
    assert_true(rig->count < NOTES_MAX);
    rig->notes[rig->count++] =
        (struct note){ what, packet->node, packet->fence, rig->timeline.now };
}

/* The cookie points to the cost of the packet. */
static vidmm_ns on_begin(void *owner, struct packet *packet)
{
    const vidmm_ns *cost = packet->cookie;
    struct rig *rig = owner;
    assert_int_equal(packet->start, rig->timeline.now);
    assert_true(fences_ended(&rig->board, packet->waits));
    write_down(rig, 'b', packet);
    return *cost;
}

static void on_finish(void *owner, struct packet *packet)
{
    struct rig *rig = owner;
    assert_int_equal(packet->end, rig->timeline.now);
    assert_int_equal(packet->end, packet->start + packet->cost);
    assert_int_equal(rig->board.ended[packet->node], packet->fence);
    write_down(rig, 'f', packet);
}

static void on_interrupt(void *owner, struct packet *packet)
{
    struct rig *rig = owner;
    assert_true(rig->board.completed[packet->node] < packet->fence);
    assert_true(fence_report(&rig->board, packet->node, packet->fence));
    write_down(rig, 'i', packet);
}

static const struct engine_hooks hooks = { on_begin, on_finish, on_interrupt };

static void rig_init(struct rig *rig, uint32_t nodes)
{
    memset(rig, 0, sizeof *rig);
    cost_load_profile(&rig->params, COST_PROFILE_PCIE3);
    fence_board_init(&rig->board, nodes);
    engine_set_init(&rig->set, &rig->timeline, &rig->board, &hooks, rig);
    rig->set.irq_ns = rig->params.irq_ns;
}

static void rig_fini(struct rig *rig)
{
    engine_set_fini(&rig->set);
    fence_board_fini(&rig->board);
    timeline_fini(&rig->timeline);
}

static void call(struct rig *rig, int times)
{
    while (times-- > 0)
        timeline_run_until(&rig->timeline, timeline_after(&rig->timeline, rig->params.ddi_ns));
}

static struct packet *packet_for(struct rig *rig, uint32_t node, const vidmm_ns *cost)
{
    struct packet *packet = engine_packet_take(&rig->set);
    packet->node = node;
    packet->fence = fence_issue(&rig->board, node);
    packet->cookie = (void *)(uintptr_t)cost;
    return packet;
}

/* DxgkDdiPatch, then DxgkDdiSubmitCommand; `after` with fence 0 depends on nothing. */
static void patch_and_submit(struct rig *rig, uint32_t node, const vidmm_ns *cost,
                             struct fence_ref after)
{
    call(rig, 1);
    timeline_run_until(&rig->timeline, timeline_after(&rig->timeline, rig->params.submit_ns));
    struct packet *packet = packet_for(rig, node, cost);
    fences_raise(packet->waits, after);
    engine_submit(&rig->set, packet);
}

static void wait_for(struct rig *rig, uint32_t node, uint32_t fence)
{
    while (rig->board.completed[node] < fence)
        assert_true(timeline_step(&rig->timeline));
}

static vidmm_ns noted(const struct rig *rig, char what, uint32_t node, uint32_t fence)
{
    for (size_t i = 0; i < rig->count; i++)
        if (rig->notes[i].what == what && rig->notes[i].node == node &&
            rig->notes[i].fence == fence)
            return rig->notes[i].at;
    fail_msg("nothing noted for %c of %u.%u", what, node, fence);
    return 0;
}

static void assert_runs(const struct rig *rig, uint32_t node, uint32_t fence,
                        const vidmm_ns times[3])
{
    assert_int_equal(noted(rig, 'b', node, fence), times[0]);
    assert_int_equal(noted(rig, 'f', node, fence), times[1]);
    assert_int_equal(noted(rig, 'i', node, fence), times[2]);
}

#define ASSERT_RUNS(rig, node, fence, start, end, report)                                          \
    assert_runs(rig, node, fence, (const vidmm_ns[]){ start, end, report })

static vidmm_ns charge(const struct rig *rig, enum cost_operation operation, enum cost_place from,
                       enum cost_place to, uint64_t bytes)
{
    struct cost_command command = { operation, from, to, bytes, 4096, false };
    return cost_charge(&rig->params, &command);
}

static const vidmm_ns render_ns = 1000000;
static const struct fence_ref nothing = { 0, 0 };

/* Sequence 1 up to the interrupt of R1, which sequences 2 and 3 continue. */
static void first_page_in(struct rig *rig, vidmm_ns *fill_a)
{
    *fill_a = charge(rig, COST_FILL, COST_MEMORY, COST_MEMORY, 4 * MIB);
    call(rig, 2); /* Render, FILL */
    assert_int_equal(rig->timeline.now, 1000);
    patch_and_submit(rig, PAGING, fill_a, nothing);
    assert_int_equal(rig->timeline.now, 6500);
    patch_and_submit(rig, RENDER, &render_ns, (struct fence_ref){ PAGING, 1 });
    assert_int_equal(rig->timeline.now, 12000);
    wait_for(rig, RENDER, 1);
    assert_int_equal(rig->timeline.now, 1021533);
    ASSERT_RUNS(rig, PAGING, 1, 6500, 16533, 21533);
    ASSERT_RUNS(rig, RENDER, 1, 16533, 1016533, 1021533);
}

static void sequence_1_and_2_through_an_aperture(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    vidmm_ns fill_a;
    first_page_in(&rig, &fill_a);
    vidmm_ns map = charge(&rig, COST_MAP, COST_MEMORY, COST_MEMORY, 4 * MIB);
    vidmm_ns out = charge(&rig, COST_TRANSFER, COST_MEMORY, COST_APERTURE, 4 * MIB);
    vidmm_ns p2 = map + out + charge(&rig, COST_FILL, COST_MEMORY, COST_MEMORY, B_BYTES);
    call(&rig, 4); /* Render, MAP, TRANSFER, FILL */
    patch_and_submit(&rig, PAGING, &p2, nothing);
    assert_int_equal(rig.timeline.now, 1029033);
    patch_and_submit(&rig, RENDER, &render_ns, (struct fence_ref){ PAGING, 2 });
    assert_int_equal(rig.timeline.now, 1034533);
    wait_for(&rig, PAGING, 2); /* inside the wait for R2 */
    assert_int_equal(rig.timeline.now, 1976885);
    call(&rig, 1); /* UNMAP */
    patch_and_submit(&rig, PAGING, &map, nothing);
    assert_int_equal(rig.timeline.now, 1982885);
    wait_for(&rig, RENDER, 2);
    ASSERT_RUNS(&rig, PAGING, 2, 1029033, 1971885, 1976885);
    ASSERT_RUNS(&rig, RENDER, 2, 1971885, 2971885, 2976885);
    ASSERT_RUNS(&rig, PAGING, 3, 1982885, 1993625, 1998625);
    assert_true(engine_idle(&rig.set, RENDER) && engine_idle(&rig.set, PAGING));
    struct engine_stats stats = engine_stats(&rig.set, RENDER);
    assert_int_equal(stats.busy_ns, 2000000);
    assert_int_equal(stats.dependency_ns, (16533 - 12000) + (1971885 - 1034533));
    rig_fini(&rig);
}

static void sequence_3_straight_to_system_pages(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    vidmm_ns fill_a;
    first_page_in(&rig, &fill_a);
    vidmm_ns p2 = charge(&rig, COST_TRANSFER, COST_MEMORY, COST_MDL, 4 * MIB) +
                  charge(&rig, COST_FILL, COST_MEMORY, COST_MEMORY, B_BYTES);
    call(&rig, 3); /* Render, TRANSFER, FILL */
    patch_and_submit(&rig, PAGING, &p2, nothing);
    patch_and_submit(&rig, RENDER, &render_ns, (struct fence_ref){ PAGING, 2 });
    assert_int_equal(rig.timeline.now, 1034033);
    wait_for(&rig, RENDER, 2);
    ASSERT_RUNS(&rig, PAGING, 2, 1028533, 2022085, 2027085);
    ASSERT_RUNS(&rig, RENDER, 2, 2022085, 3022085, 3027085);
    rig_fini(&rig);
}

static void sequence_6_synchronous_paging(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    const vidmm_ns long_render = 3000000;
    vidmm_ns fill = charge(&rig, COST_FILL, COST_MEMORY, COST_MEMORY, 4 * MIB);
    vidmm_ns out = charge(&rig, COST_TRANSFER, COST_MEMORY, COST_MDL, 4 * MIB);
    call(&rig, 2); /* Render, FILL */
    patch_and_submit(&rig, PAGING, &fill, nothing);
    wait_for(&rig, PAGING, 1);
    assert_int_equal(rig.timeline.now, 21533);
    patch_and_submit(&rig, RENDER, &long_render, nothing);
    wait_for(&rig, RENDER, 1);
    assert_int_equal(rig.timeline.now, 3032033);
    call(&rig, 1); /* TRANSFER */
    patch_and_submit(&rig, PAGING, &out, nothing);
    call(&rig, 1); /* Render */
    wait_for(&rig, PAGING, 2);
    assert_int_equal(rig.timeline.now, 3433153);
    patch_and_submit(&rig, RENDER, &render_ns, nothing);
    wait_for(&rig, RENDER, 2);
    ASSERT_RUNS(&rig, PAGING, 1, 6500, 16533, 21533);
    ASSERT_RUNS(&rig, RENDER, 1, 27033, 3027033, 3032033);
    ASSERT_RUNS(&rig, PAGING, 2, 3038033, 3428153, 3433153);
    ASSERT_RUNS(&rig, RENDER, 2, 3438653, 4438653, 4443653);
    rig_fini(&rig);
}

static void sequence_7_multipass(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    vidmm_ns piece = charge(&rig, COST_TRANSFER, COST_MDL, COST_MEMORY, 8 * MIB);
    call(&rig, 2); /* Render, TRANSFER */
    patch_and_submit(&rig, PAGING, &piece, nothing);
    call(&rig, 1); /* TRANSFER */
    patch_and_submit(&rig, PAGING, &piece, nothing);
    assert_int_equal(rig.timeline.now, 12500);
    patch_and_submit(&rig, RENDER, &render_ns, (struct fence_ref){ PAGING, 2 });
    assert_int_equal(rig.timeline.now, 18000);
    assert_int_equal(engine_length(&rig.set, PAGING), 2);
    assert_int_equal(engine_length(&rig.set, RENDER), 1);
    wait_for(&rig, RENDER, 1);
    ASSERT_RUNS(&rig, PAGING, 1, 6500, 829431, 834431);
    ASSERT_RUNS(&rig, PAGING, 2, 829431, 1652362, 1657362);
    ASSERT_RUNS(&rig, RENDER, 1, 1652362, 2652362, 2657362);
    rig_fini(&rig);
}

static void one_end_starts_the_lowest_node_first(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 4);
    const vidmm_ns cost = 100;
    engine_submit(&rig.set, packet_for(&rig, 3, &cost));
    for (uint32_t node = 3; node-- > 0;) {
        struct packet *packet = packet_for(&rig, node, &cost);
        fences_raise(packet->waits, (struct fence_ref){ 3, 1 });
        engine_submit(&rig.set, packet);
    }
    engine_submit(&rig.set, packet_for(&rig, 3, &cost));
    timeline_run_until(&rig.timeline, 100);
    const struct note expected[] = { { 'b', 3, 1, 0 },   { 'f', 3, 1, 100 }, { 'b', 0, 1, 100 },
                                     { 'b', 1, 1, 100 }, { 'b', 2, 1, 100 }, { 'b', 3, 2, 100 } };
    assert_int_equal(rig.count, ARRAY_COUNT(expected));
    for (size_t i = 0; i < rig.count; i++) {
        assert_int_equal(rig.notes[i].what, expected[i].what);
        assert_int_equal(rig.notes[i].node, expected[i].node);
        assert_int_equal(rig.notes[i].fence, expected[i].fence);
        assert_int_equal(rig.notes[i].at, expected[i].at);
    }
    rig_fini(&rig);
}

static void two_ends_of_one_moment_free_a_packet_that_needs_both(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 3);
    const vidmm_ns cost = 100;
    engine_submit(&rig.set, packet_for(&rig, 2, &cost));
    engine_submit(&rig.set, packet_for(&rig, 1, &cost));
    struct packet *packet = packet_for(&rig, 0, &cost);
    fences_raise(packet->waits, (struct fence_ref){ 1, 1 });
    fences_raise(packet->waits, (struct fence_ref){ 2, 1 });
    engine_submit(&rig.set, packet);
    timeline_run_until(&rig.timeline, 100);
    assert_int_equal(noted(&rig, 'b', 0, 1), 100);
    assert_int_equal(rig.notes[3].node, 2); /* ended after node 1, and only then node 0 began */
    assert_int_equal(rig.notes[4].what, 'b');
    rig_fini(&rig);
}

static void free_packets_end_at_once_and_in_order(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 1);
    rig.set.irq_ns = 0;
    const vidmm_ns cost = 0;
    for (int i = 0; i < 5; i++)
        engine_submit(&rig.set, packet_for(&rig, 0, &cost));
    assert_int_equal(rig.count, 1); /* begun, not ended: time has not been asked to move */
    timeline_run_until(&rig.timeline, 0);
    assert_int_equal(rig.count, 15);
    assert_int_equal(rig.board.completed[0], 5);
    assert_true(engine_idle(&rig.set, 0));
    rig_fini(&rig);
}

static void endless_packet_holds_its_node(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    const vidmm_ns cost = 100, forever = TIMELINE_END - 100;
    struct packet *hang = packet_for(&rig, 0, &cost);
    hang->endless = true;
    engine_submit(&rig.set, hang);
    engine_submit(&rig.set, packet_for(&rig, 0, &cost));
    assert_int_equal(hang->end, TIMELINE_END);
    engine_submit(&rig.set, packet_for(&rig, 1, &cost));
    engine_submit(&rig.set, packet_for(&rig, 1, &forever)); /* ends outside of time */
    timeline_run_until(&rig.timeline, 1000000);
    assert_false(timeline_step(&rig.timeline));
    assert_int_equal(engine_length(&rig.set, 0), 2);
    assert_int_equal(engine_length(&rig.set, 1), 1);
    assert_int_equal(engine_stats(&rig.set, 0).busy_ns, 1000000);
    assert_int_equal(engine_stats(&rig.set, 0).dependency_ns, 0);
    assert_int_equal(engine_stats(&rig.set, 1).busy_ns, 1000000);
    rig_fini(&rig);
}

/* What is left of an endless one nobody knows. */
static void what_is_interrupted_has_the_rest_before_it(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 1);
    const vidmm_ns cost = 100;
    engine_submit(&rig.set, packet_for(&rig, 0, &cost));
    timeline_run_until(&rig.timeline, 30);
    struct packet *packet = engine_interrupt(&rig.set, 0);
    assert_int_equal(packet->left, 70);
    packet->endless = true;
    engine_submit(&rig.set, packet);
    timeline_run_until(&rig.timeline, 40);
    assert_ptr_equal(engine_interrupt(&rig.set, 0), packet);
    assert_int_equal(packet->left, 0);
    assert_null(engine_interrupt(&rig.set, 0));
    engine_packet_release(&rig.set, packet);
    rig_fini(&rig);
}

/* On every node: what the packet waits for ended behind the back of the engine. */
static void a_kick_starts_what_is_ready(void **state)
{
    (void)state;
    const vidmm_ns cost = 100;
    for (uint32_t node = 0; node < 2; node++) {
        struct rig rig;
        rig_init(&rig, 2);
        struct packet *packet = packet_for(&rig, node, &cost);
        packet->waits[1 - node] = fence_issue(&rig.board, 1 - node);
        engine_submit(&rig.set, packet);
        engine_kick(&rig.set);
        assert_null(rig.set.engines[node].running);
        rig.board.ended[1 - node] = packet->waits[1 - node];
        engine_kick(&rig.set);
        assert_ptr_equal(rig.set.engines[node].running, packet);
        rig_fini(&rig);
    }
}

static void idle_means_reported(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 1);
    const vidmm_ns cost = 100;
    assert_true(engine_idle(&rig.set, 0));
    engine_submit(&rig.set, packet_for(&rig, 0, &cost));
    assert_false(engine_idle(&rig.set, 0));
    timeline_run_until(&rig.timeline, 100 + rig.set.irq_ns - 1);
    assert_int_equal(engine_length(&rig.set, 0), 0);
    assert_int_equal(rig.board.ended[0], 1);
    assert_int_equal(rig.board.completed[0], 0);
    assert_false(engine_idle(&rig.set, 0));
    timeline_run_until(&rig.timeline, 100 + rig.set.irq_ns);
    assert_int_equal(rig.board.completed[0], 1);
    assert_true(engine_idle(&rig.set, 0));
    rig_fini(&rig);
}

static void waiting_for_another_node_is_counted_while_it_lasts(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    const vidmm_ns slow = 1000, quick = 100;
    engine_submit(&rig.set, packet_for(&rig, 1, &slow));
    engine_submit(&rig.set, packet_for(&rig, 0, &quick));
    struct packet *packet = packet_for(&rig, 0, &quick);
    fences_raise(packet->waits, (struct fence_ref){ 1, 1 });
    engine_submit(&rig.set, packet); /* after its own node until 100, then after node 1 */
    timeline_run_until(&rig.timeline, 50);
    assert_int_equal(engine_stats(&rig.set, 0).dependency_ns, 0);
    assert_int_equal(engine_stats(&rig.set, 0).busy_ns, 50);
    timeline_run_until(&rig.timeline, 400);
    assert_int_equal(engine_stats(&rig.set, 0).dependency_ns, 300);
    assert_int_equal(engine_stats(&rig.set, 0).busy_ns, 100);
    timeline_run_until(&rig.timeline, 5000);
    assert_int_equal(engine_stats(&rig.set, 0).dependency_ns, 900);
    assert_int_equal(engine_stats(&rig.set, 0).busy_ns, 200);
    assert_int_equal(engine_stats(&rig.set, 0).packets, 2);
    rig_fini(&rig);
}

static void illegal_reports_are_refused(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    const vidmm_ns cost = 100;
    engine_submit(&rig.set, packet_for(&rig, 0, &cost));
    engine_packet_release(&rig.set, packet_for(&rig, 0, &cost)); /* number 2 is no packet */
    assert_false(fence_report(&rig.board, 0, 2));
    assert_false(fence_report(&rig.board, 1, 1));
    assert_false(fence_report(&rig.board, 2, 0));
    timeline_run_until(&rig.timeline, 10000);
    assert_true(fence_report(&rig.board, 0, 1));
    assert_false(fence_report(&rig.board, 0, 0));
    rig_fini(&rig);
}

static uint32_t ten_more(void *context, uint32_t fence)
{
    (*(unsigned *)context)++;
    return fence + 10;
}

/* The packets of the node itself stand in its queue, and wait for no number of it. */
static void renaming_changes_what_others_wait_for(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig, 2);
    const vidmm_ns cost = 1000;
    unsigned renamed = 0;
    patch_and_submit(&rig, PAGING, &cost, nothing);
    patch_and_submit(&rig, PAGING, &cost, nothing);
    patch_and_submit(&rig, PAGING, &cost, nothing);
    struct packet *packet = packet_for(&rig, RENDER, &cost);
    fences_raise(packet->waits, (struct fence_ref){ PAGING, 3 });
    engine_hold(&rig.set, PAGING, true);
    engine_submit(&rig.set, packet);
    engine_rename(&rig.set, PAGING, ten_more, &renamed);
    assert_int_equal(renamed, 1);
    assert_int_equal(packet->waits[PAGING], 13);
    packet->waits[PAGING] = 0;
    engine_hold(&rig.set, PAGING, false);
    rig_fini(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequence_1_and_2_through_an_aperture),
        cmocka_unit_test(sequence_3_straight_to_system_pages),
        cmocka_unit_test(sequence_6_synchronous_paging),
        cmocka_unit_test(sequence_7_multipass),
        cmocka_unit_test(one_end_starts_the_lowest_node_first),
        cmocka_unit_test(two_ends_of_one_moment_free_a_packet_that_needs_both),
        cmocka_unit_test(free_packets_end_at_once_and_in_order),
        cmocka_unit_test(endless_packet_holds_its_node),
        cmocka_unit_test(what_is_interrupted_has_the_rest_before_it),
        cmocka_unit_test(a_kick_starts_what_is_ready),
        cmocka_unit_test(idle_means_reported),
        cmocka_unit_test(waiting_for_another_node_is_counted_while_it_lasts),
        cmocka_unit_test(illegal_reports_are_refused),
        cmocka_unit_test(renaming_changes_what_others_wait_for),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
