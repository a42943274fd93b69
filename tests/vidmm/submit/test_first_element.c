/* SPDX-License-Identifier: MIT */
/*
 * test_first_element.c: element 0 of an allocation list, which a scenario keeps for NULL, counts
 * like any other.
 */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/d3dukmdt.h"
#include "vidmm/ddi/ntstatus.h"

static struct mock_adapter mock;
static bool reserved; /* the driver sets a reserved bit of the element */

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiRender(context, arg);
    if (reserved)
        arg->pAllocationList[0].Reserved = 1;
    return answer;
}

static void front(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiRender = render;
}

static int setup(void **state)
{
    (void)state;
    reserved = false;
    mock_front_start(&mock, VIDMM_WDDM_1_2, front);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mock_adapter_stop(&mock);
    return 0;
}

static vidmm_status use(struct vidmm_use element)
{
    const struct vidmm_patch patch = { .allocation_index = 0 };
    const struct vidmm_work lists = {
        .uses = &element, .use_count = 1, .patches = &patch, .patch_count = 1
    };
    return mock_submit(&mock, lists, (struct vidmm_mock_command){ .cost_ns = 1000 }, NULL);
}

static uint64_t counter(enum vidmm_counter index)
{
    return vidmm_counter(mock.adapter, index);
}

static void it_is_brought_in_and_written(void **state)
{
    const vidmm_handle handle = mock_make(&mock);
    (void)state;
    assert_int_equal(use((struct vidmm_use){ .allocation = handle, .write = true }), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(mock_view(&mock, handle).segment, 1);
    assert_true(mock_view(&mock, handle).gpu_dirty);
    assert_true(vidmm_content_intact(mock.adapter, handle));
    assert_int_equal(counter(VIDMM_COUNTER_ALLOCS_REFERENCED), 1);
    assert_int_equal(counter(VIDMM_COUNTER_WRITE_REFS), 1);
    assert_int_equal(counter(VIDMM_COUNTER_NULL_REFS), 0);
    assert_int_equal(counter(VIDMM_COUNTER_PREPATCH_INVALID), 1);
    assert_int_equal(mock_findings(&mock), 0);
}

static void it_is_offered(void **state)
{
    const vidmm_handle handle = mock_make(&mock);
    (void)state;
    assert_int_equal(use((struct vidmm_use){ .allocation = handle,
                                             .offer = D3DDDI_OFFER_PRIORITY_LOW }),
                     0);
    assert_int_equal(vidmm_offer_state(mock.adapter, handle), VIDMM_OFFER_PENDING);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_offer_state(mock.adapter, handle), VIDMM_OFFER_OFFERED);
}

/* Another instance, which has the handle from then on. */
static vidmm_handle write_anew(vidmm_handle handle)
{
    const struct vidmm_lock_args args = { .device = mock.device,
                                          .allocation = handle,
                                          .flags = VIDMM_LOCK_Discard };
    struct vidmm_lock_result locked;
    assert_int_equal(vidmm_lock(mock.adapter, &args, &locked), 0);
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &locked.allocation, 1), 0);
    return locked.allocation;
}

/* An instance that a later one has taken the place of is free after its last use. */
static void its_old_instance_is_retired(void **state)
{
    vidmm_handle handle = mock_make(&mock);
    (void)state;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(use((struct vidmm_use){ .allocation = handle }), 0);
        handle = write_anew(handle); /* the GPU uses the one before */
        assert_int_equal(use((struct vidmm_use){ .allocation = handle }), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_int_equal(mock_view(&mock, handle).instances, 2);
    }
}

/* SUBMIT-003. */
static void what_the_driver_does_to_it_is_found(void **state)
{
    (void)state;
    reserved = true;
    assert_int_equal(use((struct vidmm_use){ .allocation = mock_make(&mock) }), 0);
    assert_int_equal(mock_findings(&mock), 1);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(SUBMIT_003)), 1);
}

static void it_has_to_live(void **state)
{
    vidmm_handle handle = mock_make(&mock);
    const vidmm_handle was = handle;
    (void)state;
    assert_int_equal(vidmm_destroy(mock.adapter, &handle, 1), 0);
    assert_int_equal(use((struct vidmm_use){ .allocation = was }),
                     STATUS_GRAPHICS_ALLOCATION_INVALID);
    mock_refused(&mock, RULE(SUBMIT_015));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_is_brought_in_and_written),        TEST(it_is_offered),
        TEST(its_old_instance_is_retired),         TEST(it_has_to_live),
        TEST(what_the_driver_does_to_it_is_found),
    };
    return cmocka_run_group_tests_name("first_element", tests, NULL, NULL);
}
