/* SPDX-License-Identifier: MIT */
/*
 * test_calls.c: what a driver is handed when the machine sleeps, wakes, or loses the adapter: these
 * are calls without a structure, so the driver alone can see it (TDR-032, TDR-036, TDR-044). And
 * settings at their bounds.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"

enum { CALLS_MAX = 4 };

struct power_call {
    ULONG uid;
    DEVICE_POWER_STATE state;
    POWER_ACTION action;
};

static struct {
    struct power_call power[CALLS_MAX];
    size_t powers, removals, stops;
    DXGK_SURPRISE_REMOVAL_TYPE removal;
    ULONG target;
} seen;

static NTSTATUS set_power(IN_CONST_PVOID context, IN_ULONG uid, IN_DEVICE_POWER_STATE state,
                          IN_POWER_ACTION action)
{
    assert_true(seen.powers < CALLS_MAX);
    seen.power[seen.powers++] = (struct power_call){ uid, state, action };
    return mock_front.real.DxgkDdiSetPowerState(context, uid, state, action);
}

static NTSTATUS removed(PVOID context, DXGK_SURPRISE_REMOVAL_TYPE type)
{
    seen.removals++;
    seen.removal = type;
    return mock_front.real.DxgkDdiNotifySurpriseRemoval(context, type);
}

static NTSTATUS stop(PVOID context, D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                     DXGK_DISPLAY_INFORMATION *display)
{
    static const DXGK_DISPLAY_INFORMATION empty; /* to be filled in */
    assert_memory_equal(display, &empty, sizeof empty);
    seen.stops++;
    seen.target = target;
    return mock_front.real.DxgkDdiStopDeviceAndReleasePostDisplayOwnership(context, target,
                                                                           display);
}

static void looks(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&seen, 0, sizeof seen);
    mock_front_stand(table);
    table->DxgkDdiSetPowerState = set_power;
    table->DxgkDdiNotifySurpriseRemoval = removed;
    table->DxgkDdiStopDeviceAndReleasePostDisplayOwnership = stop;
}

/* The same action on the way up, whichever it was. */
static void each_transition_names_its_state_and_its_action(void **state)
{
    static const struct {
        vidmm_status (*down)(struct vidmm_adapter *adapter);
        POWER_ACTION action;
    } rows[] = {
        { vidmm_standby, PowerActionSleep },
        { vidmm_hybrid_sleep, PowerActionSleep },
        { vidmm_hibernate, PowerActionHibernate },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_3, looks);
        assert_int_equal(rows[i].down(mock.adapter), 0);
        assert_int_equal(vidmm_resume(mock.adapter), 0);
        assert_int_equal(seen.powers, 2);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(seen.power[k].uid, DISPLAY_ADAPTER_HW_ID);
            assert_int_equal(seen.power[k].state, k ? PowerDeviceD0 : PowerDeviceD3);
            assert_int_equal(seen.power[k].action, rows[i].action);
        }
        mock_adapter_stop(&mock);
    }
}

static void a_removal_says_whether_the_machine_slept(void **state)
{
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_3, looks);
        if (asleep)
            assert_int_equal(vidmm_standby(mock.adapter), 0);
        assert_int_equal(vidmm_surprise_removal(mock.adapter), 0);
        assert_int_equal(seen.removals, 1);
        assert_int_equal(seen.removal, asleep ? DxgkRemovalHibernation : DxgkRemovalPnPNotify);
        assert_int_equal(seen.stops, 1);
        assert_int_equal(seen.target, 0);
        mock_adapter_stop(&mock);
    }
}

static uint32_t reporting;

static NTSTATUS restart(IN_CONST_HANDLE adapter)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    data.DmaCompleted.NodeOrdinal = reporting;
    mock_front_interrupt(&data);
    return mock_front.real.DxgkDdiRestartFromTimeout(adapter);
}

static void reports_early(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiRestartFromTimeout = restart;
}

/* TDR-021, whoever hung. */
static void every_node_is_still_until_the_restart(void **state)
{
    (void)state;
    for (reporting = 0; reporting < 2; reporting++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_3, reports_early);
        assert_int_equal(vidmm_reset_adapter(mock.adapter), STATUS_DEVICE_REMOVED);
        mock_stopped_with(&mock, RULE(TDR_021), 0x119, (uint64_t[4]){ 0x10, 0, reporting, 0 });
        mock_adapter_free(&mock);
    }
}

/* TDR-002: a default, the value at the bound, and the one behind it. */
static void settings_of_recovery_have_bounds(void **state)
{
    static const struct {
        size_t setting;
        uint64_t at_first, last, wrong;
    } rows[] = {
        { VIDMM_SETTING_TDR_LEVEL, 3, 3, 4 },
        { VIDMM_SETTING_TDR_DEBUG_MODE, 2, 3, 4 },
        { VIDMM_SETTING_TDR_DELAY, 2000000000, 1000, 999 },
        { VIDMM_SETTING_TDR_DDI_DELAY, 5000000000, 1000, 999 },
        { VIDMM_SETTING_TDR_LIMIT_TIME, 60000000000, 1000, 999 },
    };
    struct mock_adapter *mock = *state;
    assert_int_equal(vidmm_setting_default(VIDMM_SETTING_TDR_LIMIT_COUNT, 0), 5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(vidmm_setting_default(rows[i].setting, 0), rows[i].at_first);
        assert_int_equal(vidmm_set(mock->adapter, rows[i].setting, rows[i].last), 0);
        assert_int_equal(vidmm_set(mock->adapter, rows[i].setting, rows[i].wrong),
                         STATUS_INVALID_PARAMETER);
        mock_refused(mock, RULE(TDR_002));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_transition_names_its_state_and_its_action),
        cmocka_unit_test(a_removal_says_whether_the_machine_slept),
        cmocka_unit_test(every_node_is_still_until_the_restart),
        cmocka_unit_test_setup_teardown(settings_of_recovery_have_bounds, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
