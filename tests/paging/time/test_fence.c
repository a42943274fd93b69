/* SPDX-License-Identifier: MIT */
/* test_fence.c: numbers, reports and fences: SUBMIT-050, 052, 053, 062. */
#include <string.h>

#include "paging/time/fence.h"
#include "tests/support/unit.h"

static void numbers_start_at_one_per_node(void **state)
{
    (void)state;
    struct fence_board board;
    fence_board_init(&board, 2);
    assert_int_equal(fence_issue(&board, 0), 1);
    assert_int_equal(fence_issue(&board, 0), 2);
    assert_int_equal(fence_issue(&board, 1), 1);
    assert_int_equal(board.issued[0], 2);
    assert_int_equal(board.submitted[0], 0);
    fence_board_fini(&board);
}

static void numbers_run_out_and_do_not_wrap(void **state)
{
    (void)state;
    struct fence_board board;
    fence_board_init(&board, 1);
    board.issued[0] = UINT32_MAX - 1;
    assert_int_equal(fence_issue(&board, 0), UINT32_MAX);
    assert_int_equal(fence_issue(&board, 0), 0);
    assert_int_equal(board.issued[0], UINT32_MAX);
    fence_board_fini(&board);
}

static void reports_are_checked(void **state)
{
    (void)state;
    static const struct {
        uint32_t node, fence;
        bool legal;
        uint32_t completed; /* of node 1 afterwards */
    } reports[] = {
        { 1, 5, true, 5 },           { 1, 5, true, 5 },  { 1, 4, false, 5 }, { 1, 9, true, 9 },
        { 1, 10, false, 9 },         { 2, 0, false, 9 }, { 0, 1, false, 9 }, { 0, 0, true, 9 },
        { UINT32_MAX, 0, false, 9 }, { 1, 0, false, 9 },
    };
    struct fence_board board;
    fence_board_init(&board, 2);
    board.issued[1] = 12;
    board.submitted[1] = 9;
    for (size_t i = 0; i < ARRAY_COUNT(reports); i++) {
        assert_int_equal(fence_report(&board, reports[i].node, reports[i].fence), reports[i].legal);
        assert_int_equal(board.completed[1], reports[i].completed);
        assert_int_equal(board.completed[0], 0);
    }
    fence_board_fini(&board);
}

static void marks_only_rise(void **state)
{
    (void)state;
    struct fence_board board;
    fence_board_init(&board, 3);
    uint32_t fences[3] = { 0 };
    fences_raise(fences, (struct fence_ref){ 1, 4 });
    fences_raise(fences, (struct fence_ref){ 1, 3 });
    fences_raise(fences, (struct fence_ref){ 2, 7 });
    assert_memory_equal(fences, ((uint32_t[]){ 0, 4, 7 }), sizeof fences);
    const uint32_t other[3] = { 2, 5, 6 };
    fences_merge(&board, fences, other);
    assert_memory_equal(fences, ((uint32_t[]){ 2, 5, 7 }), sizeof fences);
    fence_board_fini(&board);
}

static void ended_comes_before_completed(void **state)
{
    (void)state;
    for (uint32_t nodes = 1; nodes <= VIDMM_NODES_MAX; nodes++) {
        struct fence_board board;
        fence_board_init(&board, nodes);
        uint32_t fences[VIDMM_NODES_MAX] = { 0 };
        assert_true(fences_completed(&board, fences));
        assert_int_equal(fences_pending(&board, fences, 0), nodes);
        for (uint32_t node = 0; node < nodes; node++) {
            struct fence_ref ref = { node, 3 };
            memset(fences, 0, sizeof fences);
            fences_raise(fences, ref);
            assert_false(fences_ended(&board, fences));
            board.ended[node] = 3;
            assert_true(fences_ended(&board, fences));
            assert_false(fences_completed(&board, fences));
            assert_int_equal(fences_pending(&board, fences, 0), node);
            assert_int_equal(fences_pending(&board, fences, node), node);
            assert_int_equal(fences_pending(&board, fences, node + 1), nodes);
            board.completed[node] = 4;
            assert_true(fences_completed(&board, fences));
        }
        fence_board_fini(&board);
    }
}

/* What ended on the hardware before the reset is over, though the driver names an older number. */
static void a_reset_never_goes_back(void **state)
{
    (void)state;
    struct fence_board board;
    fence_board_init(&board, 2);
    board.issued[1] = board.submitted[1] = 9;
    board.ended[1] = 5;
    board.completed[1] = 2;
    fence_reset(&board, 1, 3);
    assert_int_equal(board.submitted[1], 5);
    assert_int_equal(board.ended[1], 5);
    assert_int_equal(board.completed[1], 5);
    fence_reset(&board, 1, 8);
    assert_int_equal(board.completed[1], 8);
    assert_int_equal(board.completed[0], 0);
    fence_board_fini(&board);
}

static void the_later_of_two_fences_counts(void **state)
{
    (void)state;
    struct fence_board board;
    uint32_t into[VIDMM_NODES_MAX] = { 4, 1, 7 };
    const uint32_t from[VIDMM_NODES_MAX] = { 3, 2, 7 };
    fence_board_init(&board, 3);
    fences_merge(&board, into, from);
    fences_raise(into, (struct fence_ref){ 2, 6 });
    fences_raise(into, (struct fence_ref){ 1, 3 });
    assert_int_equal(into[0], 4);
    assert_int_equal(into[1], 3);
    assert_int_equal(into[2], 7);
    fence_board_fini(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_start_at_one_per_node),
        cmocka_unit_test(numbers_run_out_and_do_not_wrap),
        cmocka_unit_test(reports_are_checked),
        cmocka_unit_test(marks_only_rise),
        cmocka_unit_test(ended_comes_before_completed),
        cmocka_unit_test(a_reset_never_goes_back),
        cmocka_unit_test(the_later_of_two_fences_counts),
    };
    return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}
