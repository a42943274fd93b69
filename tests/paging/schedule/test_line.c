/* SPDX-License-Identifier: MIT */
/* test_line.c: an interrupt that comes while nobody listens is found out, and forgotten
 * (SUBMIT-064). */
#include <stdio.h>
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/adapter.h"
#include "vidmm/vidmm_accidents.h"

enum { TEXT_BYTES = 200, NEVER_SUBMITTED = 5 };

static struct {
    bool early; /* the interrupt comes before the start is complete */
    unsigned findings;
    char text[TEXT_BYTES]; /* of the last one */
} front;

static void interrupt(void)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    data.DmaCompleted.SubmissionFenceId = NEVER_SUBMITTED;
    mock_front_interrupt(&data);
}

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    if (front.early)
        interrupt();
    front.early = false;
    return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
}

static void stands(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query;
}

static void remember(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind != VIDMM_EVENT_FINDING)
        return;
    assert_int_equal(event->rule, RULE(SUBMIT_064));
    front.findings++;
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0)
            (void)snprintf(front.text, sizeof front.text, "%s", event->fields[i].text);
}

static void start(struct mock_adapter *mock, bool early)
{
    memset(&front, 0, sizeof front);
    front.early = early;
    mock_adapter_init(mock, VIDMM_WDDM_1_1);
    mock->observer.on_event = remember;
    mock->hook = stands;
    mock_adapter_start(mock);
}

/* The DPC acts upon nothing: the number was never given out, which would stop the system. */
static void run_dpc(struct mock_adapter *mock)
{
    mock_front.system.DxgkCbNotifyDpc(mock_front.system.DeviceHandle);
    assert_null(vidmm_bugcheck(mock->adapter));
}

static void before_the_start_is_complete(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock, true);
    assert_false(front.early);
    assert_int_equal(mock_findings(&mock), 1);
    run_dpc(&mock);
    mock_adapter_stop(&mock);
}

static void after_a_stop(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock, false);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    interrupt();
    assert_int_equal(front.findings, 1);
    assert_non_null(strstr(front.text, "after the adapter was stopped"));
    mock_front.system.DxgkCbNotifyDpc(mock_front.system.DeviceHandle);
    assert_int_equal(front.findings, 2);
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    run_dpc(&mock);
    assert_int_equal(front.findings, 2);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_start_is_complete),
        cmocka_unit_test(after_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
