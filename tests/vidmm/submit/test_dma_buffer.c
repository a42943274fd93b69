/* SPDX-License-Identifier: MIT */
/* test_dma_buffer.c: sizes of DMA buffers that a driver asks for (SUBMIT-022, SUBMIT-026). */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"

static NTSTATUS without_room(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS status = mock_front.real.DxgkDdiCreateContext(device, arg);
    arg->ContextInfo.DmaBufferSize = 0;
    return status;
}

static void front(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateContext = without_room;
}

/* Nothing fits: the driver asks for another buffer again and again, which ends in a bug check. */
static void a_buffer_may_have_no_room(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission submission;
    (void)state;
    mock_front_start(&mock, 11, front);
    assert_int_equal(mock_front_submit(&mock, 1000, &submission), STATUS_DEVICE_REMOVED);
    mock_adapter_free(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_may_have_no_room),
    };
    return cmocka_run_group_tests_name("dma_buffer", tests, NULL, NULL);
}
