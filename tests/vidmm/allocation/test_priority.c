/* SPDX-License-Identifier: MIT */
/*
 * test_priority.c: priorities at birth and later, and other properties that change, against the
 * mock miniport.
 */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

/* PRIO-004: the forms of the call. */
static void priorities_are_set_in_one_of_two_forms(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args[] = { mock_args("a", &wish), mock_args("b", &wish) };
    vidmm_handle handles[2];
    static const uint32_t values[] = { 0x50000000, 0xA0000000 }, zero[] = { 0x28000000, 0 };
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, true, args, 2, handles), 0);
    vidmm_handle resource = mock_view(mock, handles[0]).resource;
    assert_int_equal(vidmm_page_in(mock->adapter, handles[0], true), 0);

    struct vidmm_priority_args list = { .allocations = handles, .count = 2, .priorities = values };
    assert_int_equal(vidmm_set_priority(mock->adapter, &list), 0);
    assert_int_equal(mock_view(mock, handles[0]).priority, values[0]);
    assert_int_equal(mock_view(mock, handles[1]).priority, values[1]);
    struct vidmm_priority_args all = { .resource = resource, .priorities = values };
    assert_int_equal(vidmm_set_priority(mock->adapter, &all), 0);
    assert_int_equal(mock_view(mock, handles[0]).priority, values[0]);
    assert_int_equal(mock_view(mock, handles[1]).priority, values[0]);

    const vidmm_handle mixed[] = { handles[0], resource };
    struct vidmm_priority_args bad[] = {
        { .resource = resource, .allocations = handles, .count = 2, .priorities = values },
        { .resource = resource, .allocations = handles, .priorities = values },
        { .resource = resource, .count = 2, .priorities = values },
        { .priorities = values },
        { .allocations = handles, .priorities = values },
        { .count = 2, .priorities = values },
        { .resource = handles[0], .priorities = values },
        { .allocations = &resource, .count = 1, .priorities = values },
        { .resource = resource, .priorities = zero + 1 },
        { .allocations = handles, .count = 2, .priorities = zero },
        { .allocations = mixed, .count = 2, .priorities = values },
    };
    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(vidmm_set_priority(mock->adapter, &bad[i]), STATUS_INVALID_PARAMETER);
        mock_refused(mock, RULE(PRIO_004));
        assert_int_equal(mock_view(mock, handles[0]).priority, values[0]);
        assert_int_equal(mock_view(mock, handles[1]).priority, values[0]);
    }
}

/* ALLOC-035. */
static void a_caller_may_override_the_priority_from_2_2_on(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    args.override_priority = true;
    args.priority = 0x28000000;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(ALLOC_035));
    assert_int_equal(mock->call_count, 0);

    static struct mock_adapter newer;
    mock_adapter_init(&newer, 22);
    mock_adapter_start(&newer);
    wish.fills_wddm2 = true;
    assert_int_equal(vidmm_allocate(newer.adapter, newer.device, false, &args, 1, &handle), 0);
    assert_int_equal(mock_view(&newer, handle).priority, 0x28000000);
    mock_adapter_stop(&newer);
}

/* ALLOC-053: a value counts only together with its mask bit. */
static void a_property_without_its_mask_bit_stays(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_property_result result;
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_2_0);
    mock.config.link_adapters = 2;
    mock_adapter_start(&mock);
    wish.fills_wddm2 = true;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    const struct vidmm_allocation_view before = mock_view(&mock, handle);
    struct vidmm_property_args args = { .allocation = handle,
                                        .segments = 0x2,
                                        .preferred = 2,
                                        .physically = true,
                                        .unmoveable = true };
    const struct vidmm_offer_args offer = {
        .list = { .device = mock.device, .allocations = &handle, .count = 1 }, .priority = 1
    };
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), STATUS_SUCCESS);
    /* What is offered could not become immovable (OFFER-006). */
    assert_int_equal(vidmm_offer(mock.adapter, &offer), STATUS_SUCCESS);
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(mock.adapter, &offer.list, NULL), STATUS_SUCCESS);
    const struct vidmm_allocation_view after = mock_view(&mock, handle);
    assert_int_equal(after.write_set, before.write_set);
    assert_int_equal(after.preferred, before.preferred);
    assert_int_equal(after.flags, before.flags);
    args.set_segments = args.set_preferred = args.set_physically = true;
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_PENDING);
    assert_int_equal(mock_view(&mock, handle).write_set, 0x2);
    assert_int_equal(mock_view(&mock, handle).preferred, 2);
    assert_int_not_equal(mock_view(&mock, handle).flags, before.flags);
    assert_int_equal(result.node, mock_adapter_view(&mock).paging_node);
    assert_int_not_equal(result.node, 0);

    /* A segment that does not exist is none beside one that does, either. A set counts those of one
       adapter: the other one's have no bit of their own. */
    args.segments = 0x5;
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(RES_029));
    assert_non_null(strstr(vidmm_last_refusal(mock.adapter)->text, "the new set 0x5 "));
    assert_int_equal(mock_view(&mock, handle).write_set, 0x2);
    /* Nor is one after the last, or a reserved bit, among the preferences. */
    args.segments = 0x2;
    for (uint32_t wrong = 3; wrong; wrong = wrong == 3 ? 0x80000002 : 0) {
        args.preferred = wrong;
        assert_int_equal(vidmm_update_property(mock.adapter, &args, &result),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(ALLOC_053));
        assert_int_equal(mock_view(&mock, handle).preferred, 2);
    }
    /* 0 is one, too: none is preferred any more. */
    args.preferred = 0;
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_PENDING);
    assert_int_equal(mock_view(&mock, handle).preferred, 0);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(priorities_are_set_in_one_of_two_forms, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_caller_may_override_the_priority_from_2_2_on,
                                        mock_adapter_setup, mock_adapter_teardown),
        cmocka_unit_test(a_property_without_its_mask_bit_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
