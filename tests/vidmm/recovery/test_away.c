/* SPDX-License-Identifier: MIT */
/*
 * test_away.c: while the machine sleeps, while the driver has the adapter for itself, and after it
 * was stopped, every call is refused, whichever it is (TDR-031, TDR-035, TDR-044); after a reset
 * those for its devices are (TDR-028).
 */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

/* What a call may need. */
static struct {
    struct mock_adapter *mock;
    struct vidmm_adapter *adapter;
    struct vidmm_mock_allocation wish;
    vidmm_handle allocation, other;
    struct vidmm_submission submission;
} has;

/* A call `name`, which is the value of the rest. */
#define CALL(name, ...)                                                                            \
    static vidmm_status name(void)                                                                 \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

CALL(submits, mock_use(has.mock, has.allocation, true, (struct vidmm_mock_command){ 0 }, NULL))
CALL(presents,
     vidmm_present(has.adapter,
                   &(struct vidmm_present_args){
                       .label = "p", .context = has.mock->context, .destination = has.allocation },
                   &has.submission))
CALL(waits, vidmm_wait(has.adapter, has.submission))
CALL(waits_for_all, vidmm_wait_idle(has.adapter))
CALL(creates, mock_allocate(has.mock, &has.wish, &has.other))
CALL(locks, vidmm_lock(has.adapter,
                       &(struct vidmm_lock_args){ .device = has.mock->device,
                                                  .allocation = has.allocation },
                       &(struct vidmm_lock_result){ 0 }))
CALL(destroys, vidmm_destroy(has.adapter, &has.allocation, 1))
CALL(makes_context, vidmm_context_create(has.adapter, "c", has.mock->device, 0, &has.other))
CALL(makes_device, vidmm_device_create(has.adapter, "d", has.mock->process, &has.other))
CALL(pages_in, vidmm_page_in(has.adapter, has.allocation, true))
CALL(evicts, vidmm_evict(has.adapter, has.allocation))
CALL(pins, vidmm_pin(has.adapter, has.allocation))
CALL(unpins, vidmm_unpin(has.adapter, has.allocation))
CALL(shows, vidmm_display(has.adapter, has.allocation))
CALL(offers,
     vidmm_offer(has.adapter, &(struct vidmm_offer_args){ .list = { .device = has.mock->device,
                                                                    .allocations = &has.allocation,
                                                                    .count = 1 },
                                                          .priority = D3DDDI_OFFER_PRIORITY_LOW }))
CALL(reclaims,
     vidmm_reclaim(has.adapter,
                   &(struct vidmm_offer_list){
                       .device = has.mock->device, .allocations = &has.allocation, .count = 1 },
                   NULL))
CALL(updates, vidmm_update_property(has.adapter,
                                    &(struct vidmm_property_args){ .allocation = has.allocation },
                                    &(struct vidmm_property_result){ 0 }))
CALL(maps, vidmm_system_range_create(has.adapter,
                                     &(struct vidmm_system_range_args){ .label = "r",
                                                                        .bytes = MOCK_PAGE },
                                     &has.other))
CALL(shares, vidmm_share(has.adapter, &has.allocation, 1, false, &has.other))
CALL(opens, vidmm_open(has.adapter, "o", has.mock->device, has.allocation, &has.other))
CALL(grants, vidmm_grant(has.adapter, has.allocation, has.mock->device))
CALL(preempts, vidmm_preempt(has.adapter, 0))
CALL(resets, vidmm_reset_adapter(has.adapter))
CALL(resets_engine, vidmm_reset_engine(has.adapter))
CALL(rests, vidmm_level2(has.adapter))
CALL(empties, vidmm_level3(has.adapter))
CALL(excludes, vidmm_exclude(has.adapter, VIDMM_EXCLUDE_ON))
CALL(sleeps, vidmm_standby(has.adapter))
CALL(sleeps_safely, vidmm_hybrid_sleep(has.adapter))
CALL(hibernates, vidmm_hibernate(has.adapter))
CALL(stops, vidmm_pnp_stop(has.adapter))

static vidmm_status (*const calls[])(void) = {
    submits,  presents, waits,  waits_for_all, creates,    destroys, makes_context, makes_device,
    pages_in, evicts,   pins,   unpins,        shows,      offers,   reclaims,      updates,
    maps,     shares,   opens,  grants,        preempts,   resets,   resets_engine, rests,
    empties,  excludes, sleeps, sleeps_safely, hibernates, stops,
};

static void begin(struct mock_adapter *mock, uint32_t wddm)
{
    mock_adapter_init(mock, wddm);
    mock_adapter_start(mock);
    has.mock = mock;
    has.adapter = mock->adapter;
    has.wish = mock_wish(MOCK_PAGE);
    has.allocation = mock_make(mock);
}

static vidmm_status exclude(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_ON);
}

static void whatever_is_called(void **state)
{
    static const struct {
        vidmm_status (*leave)(struct vidmm_adapter *adapter);
        enum vidmm_rule rule;
        vidmm_status status;
    } rows[] = {
        { vidmm_standby, RULE(TDR_044), STATUS_UNSUCCESSFUL },
        { exclude, RULE(TDR_035), STATUS_UNSUCCESSFUL },
        { vidmm_pnp_stop, RULE(TDR_031), STATUS_DEVICE_REMOVED },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mock_adapter mock;
        begin(&mock, VIDMM_WDDM_1_3);
        assert_int_equal(mock_use(&mock, has.allocation, true,
                                  (struct vidmm_mock_command){ .cost_ns = 1 }, &has.submission),
                         0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_int_equal(rows[i].leave(mock.adapter), 0);
        mock.call_count = 0;
        for (size_t k = 0; k < ARRAY_COUNT(calls); k++) {
            if (calls[k] == destroys && rows[i].rule == RULE(TDR_031))
                continue; /* handles may go */
            assert_int_equal(calls[k](), rows[i].status);
            mock_refused(&mock, rows[i].rule);
        }
        assert_int_equal(mock.call_count, 0);
        mock_adapter_free(&mock);
    }
}

/* TDR-028: but what a device has can be destroyed, and the device itself. */
static void a_device_that_was_reset_takes_no_calls(void **state)
{
    static vidmm_status (*const of_device[])(void) = { submits, presents, creates, makes_context,
                                                       offers,  reclaims, updates, locks };
    struct mock_adapter mock;
    (void)state;
    begin(&mock, VIDMM_WDDM_2_0);
    assert_int_equal(vidmm_reset_adapter(mock.adapter), 0);
    for (size_t i = 0; i < ARRAY_COUNT(of_device); i++) {
        mock.call_count = 0;
        assert_int_equal(of_device[i](), STATUS_DEVICE_REMOVED);
        assert_int_equal(mock.call_count, 0);
    }
    assert_int_equal(destroys(), 0);
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.context, 1), 0);
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.device, 1), 0);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_called),
        cmocka_unit_test(a_device_that_was_reset_takes_no_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
