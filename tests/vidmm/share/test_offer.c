/* SPDX-License-Identifier: MIT */
/* test_offer.c: cases of offers that no scenario can write: wrong lists, answers, handles. */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/d3dukmdt.h"
#include "vidmm/ddi/ntstatus.h"

enum { BYTES = 16 * MOCK_PAGE, UNTOUCHED = 77 };

static int setup(void **state)
{
    static struct mock_adapter fixture;
    *state = &fixture;
    mock_adapter_init(&fixture, VIDMM_WDDM_1_2);
    mock_adapter_start(&fixture);
    return 0;
}

static vidmm_handle resident(struct mock_adapter *mock)
{
    const struct vidmm_mock_allocation wish = mock_wish(BYTES);
    vidmm_handle handle = 0;
    assert_int_equal(mock_allocate(mock, &wish, &handle), STATUS_SUCCESS);
    assert_int_equal(vidmm_page_in(mock->adapter, handle, true), STATUS_SUCCESS);
    assert_int_equal(vidmm_wait_idle(mock->adapter), STATUS_SUCCESS);
    return handle;
}

/* A resource of one allocation. */
static vidmm_handle resource_of(struct mock_adapter *mock, vidmm_handle *handle)
{
    const struct vidmm_mock_allocation wish = mock_wish(BYTES);
    const struct vidmm_allocation_args args = mock_args("part", &wish);
    const struct vidmm_creation_args call = {
        .device = mock->device, .flags = VIDMM_KMT_CreateResource, .allocations = &args, .count = 1
    };
    struct vidmm_creation_result result;
    assert_int_equal(vidmm_create_allocations(mock->adapter, &call, handle, &result),
                     STATUS_SUCCESS);
    return result.resource;
}

static struct vidmm_offer_args offer_of(const struct mock_adapter *mock,
                                        const vidmm_handle *handles, size_t count)
{
    return (struct vidmm_offer_args){
        .list = { .device = mock->device, .allocations = handles, .count = count },
        .priority = D3DDDI_OFFER_PRIORITY_LOW,
    };
}

static void a_call_has_one_list_of_a_length_that_can_be(void **state)
{
    struct mock_adapter *mock = *state;
    vidmm_handle handle, resource = resource_of(mock, &handle);
    struct vidmm_offer_args args = offer_of(mock, &handle, 1);
    args.list.resources = &resource;
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    mock_refused(mock, VIDMM_RULE(OFFER_002));
    args = offer_of(mock, NULL, 1);
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    args = offer_of(mock, &handle, VIDMM_LIST_MAX + 1);
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    assert_string_equal(vidmm_last_refusal(mock->adapter)->text,
                        "NumAllocations is 65537, and not 1 to 65536");
    static vidmm_handle longest[VIDMM_LIST_MAX];
    for (size_t i = 0; i < ARRAY_COUNT(longest); i++)
        longest[i] = handle;
    args = offer_of(mock, longest, ARRAY_COUNT(longest));
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(mock->adapter, &args.list, NULL), STATUS_SUCCESS);
    args = offer_of(mock, &handle, 1);
    args.priority = UINT32_MAX;
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    args = offer_of(mock, NULL, 1);
    args.list.resources = &handle; /* an allocation */
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    args = offer_of(mock, &handle, 1);
    args.list.device = handle;
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_offer_state(mock->adapter, handle), VIDMM_OFFER_NONE);
}

static void a_reclaim_has_one_list(void **state)
{
    struct mock_adapter *mock = *state;
    vidmm_handle handle, resource = resource_of(mock, &handle);
    const struct vidmm_offer_args args = offer_of(mock, &handle, 1);
    struct vidmm_offer_list list = args.list;
    uint32_t result = UNTOUCHED;
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_SUCCESS);
    list.resources = &resource;
    assert_int_equal(vidmm_reclaim(mock->adapter, &list, &result), STATUS_INVALID_PARAMETER);
    mock_refused(mock, VIDMM_RULE(OFFER_013));
    list.resources = list.allocations = NULL;
    assert_int_equal(vidmm_reclaim(mock->adapter, &list, &result), STATUS_INVALID_PARAMETER);
    assert_int_equal(result, UNTOUCHED);
    assert_int_equal(vidmm_offer_state(mock->adapter, handle), VIDMM_OFFER_OFFERED);
}

/* OFFER-004: of an element of a list, too. */
static void a_priority_is_one_that_there_is(void **state)
{
    struct mock_adapter *mock = *state;
    const struct vidmm_use use = { .allocation = resident(mock),
                                   .offer = D3DDDI_OFFER_PRIORITY_AUTO + 1 };
    const struct vidmm_work work = { .context = mock->context, .uses = &use, .use_count = 1 };
    struct vidmm_submission submission;
    assert_int_equal(vidmm_submit(mock->adapter, &work, &submission), STATUS_INVALID_PARAMETER);
    mock_refused(mock, VIDMM_RULE(OFFER_004));
    assert_non_null(strstr(vidmm_last_refusal(mock->adapter)->text, ": 5 is no OfferPriority"));
    assert_int_equal(vidmm_offer_state(mock->adapter, use.allocation), VIDMM_OFFER_NONE);
}

static void a_refused_reclaim_writes_no_answer(void **state)
{
    struct mock_adapter *mock = *state;
    vidmm_handle handles[] = { resident(mock), 0x1234567 };
    uint32_t results[] = { UNTOUCHED, UNTOUCHED };
    const struct vidmm_offer_list list = { .device = mock->device,
                                           .allocations = handles,
                                           .count = 2 };
    assert_int_equal(vidmm_reclaim(mock->adapter, &list, results), STATUS_INVALID_PARAMETER);
    mock_refused(mock, VIDMM_RULE(OFFER_013));
    assert_int_equal(results[0], UNTOUCHED);
    assert_int_equal(results[1], UNTOUCHED);
}

static void a_name_given_twice_is_offered_once(void **state)
{
    struct mock_adapter *mock = *state;
    const vidmm_handle handle = resident(mock);
    const vidmm_handle twice[] = { handle, handle };
    const struct vidmm_offer_args args = offer_of(mock, twice, 2);
    uint32_t results[] = { UNTOUCHED, UNTOUCHED };
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_SUCCESS);
    assert_int_equal(vidmm_offer_state(mock->adapter, handle), VIDMM_OFFER_OFFERED);
    assert_int_equal(vidmm_evict(mock->adapter, handle), STATUS_SUCCESS);
    assert_int_equal(vidmm_reclaim(mock->adapter, &args.list, results), STATUS_SUCCESS);
    assert_int_equal(results[0], D3DDDI_RECLAIM_RESULT_DISCARDED);
    assert_int_equal(results[1], D3DDDI_RECLAIM_RESULT_OK); /* the offer was over by then */
    assert_int_equal(mock->events[VIDMM_EVENT_DISCARD_OFFERED], 1);
    mock_adapter_check(mock);
}

/* Offered, pending and discarded ones end while others stay. */
static void an_offer_ends_with_its_allocation(void **state)
{
    struct mock_adapter *mock = *state;
    const vidmm_handle handles[] = { resident(mock), resident(mock), resident(mock) };
    const struct vidmm_offer_args args = offer_of(mock, handles, ARRAY_COUNT(handles));
    assert_int_equal(vidmm_offer(mock->adapter, &args), STATUS_SUCCESS);
    assert_int_equal(vidmm_evict(mock->adapter, handles[2]), STATUS_SUCCESS);
    for (size_t i = 1; i < ARRAY_COUNT(handles); i++) {
        assert_int_equal(vidmm_destroy(mock->adapter, &handles[i], 1), STATUS_SUCCESS);
        assert_int_equal(vidmm_offer_state(mock->adapter, handles[i]), VIDMM_OFFER_NONE);
        mock_adapter_check(mock);
    }
    assert_int_equal(vidmm_offer_state(mock->adapter, handles[0]), VIDMM_OFFER_OFFERED);
    assert_int_equal(vidmm_destroy(mock->adapter, &handles[0], 1), STATUS_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_call_has_one_list_of_a_length_that_can_be, setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_reclaim_has_one_list, setup, mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_priority_is_one_that_there_is, setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_refused_reclaim_writes_no_answer, setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_name_given_twice_is_offered_once, setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(an_offer_ends_with_its_allocation, setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
