/* SPDX-License-Identifier: MIT */
/* test_dma_buffer.c: sizes of DMA buffers that a driver asks for (SUBMIT-022, SUBMIT-026). */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"

static UINT segments; /* in which the buffers of contexts may lie; 0: none */

static NTSTATUS without_room(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS status = mock_front.real.DxgkDdiCreateContext(device, arg);
    arg->ContextInfo.DmaBufferSize = 0;
    arg->ContextInfo.DmaBufferSegmentSet = segments;
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

static NTSTATUS write_nothing(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    (void)context;
    assert_int_equal(arg->DmaSize, 0);
    return STATUS_SUCCESS;
}

static void front_that_writes_nothing(DRIVER_INITIALIZATION_DATA *table)
{
    front(table);
    table->DxgkDdiRender = write_nothing;
}

/* It has a place all the same, in locked pages or in an aperture. */
static void a_buffer_without_room_has_a_place(void **state)
{
    (void)state;
    for (segments = 0; segments <= 2; segments += 2) {
        struct mock_adapter mock;
        struct vidmm_submission submission;
        mock_front_start(&mock, 11, front_that_writes_nothing);
        assert_int_equal(mock_front_submit(&mock, 1000, &submission), 0);
        assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
        mock_adapter_stop(&mock);
    }
    segments = 0;
}

static void use_a_context(struct mock_adapter *mock)
{
    assert_int_equal(vidmm_context_create(mock->adapter, "c", mock->device, 0, &mock->context), 0);
    mock_front_work(mock, 1000);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    assert_int_equal(vidmm_destroy(mock->adapter, &mock->context, 1), 0);
}

/* The buffers of a context go with it. */
static void contexts_leave_no_buffers(void **state)
{
    struct mock_adapter *mock = *state;
    use_a_context(mock);
    uint64_t held = vidmm_host_held();
    use_a_context(mock);
    assert_int_equal(vidmm_host_held(), held);
}

/* Buffers of these sizes, all of them in flight. */
static void fly(const struct mock_adapter *mock, const uint32_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct vidmm_work work = { .dma_bytes = sizes[i] };
        assert_int_equal(mock_submit(mock, work, (struct vidmm_mock_command){ .cost_ns = 1000 },
                                     NULL),
                         0);
    }
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
}

/* The memory that they are cut from is used again, whatever sizes come. */
static void the_same_sizes_need_no_more_memory(void **state)
{
    enum { KIB = 1024, MIB = 1024 * KIB };
    static const uint32_t sizes[] = { 64 * KIB, MIB,      64 * KIB, 64 * KIB, 4 * MIB,
                                      MIB,      64 * KIB, 2 * MIB,  64 * KIB };
    struct mock_adapter *mock = *state;
    uint64_t held = 0;
    fly(mock, &sizes[0], 1);
    fly(mock, &sizes[1], 1); /* what the first lay in is too small */
    for (int round = 0; round < 8; round++) {
        fly(mock, sizes, ARRAY_COUNT(sizes));
        for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
            fly(mock, &sizes[i], 1);
        if (round < 4) /* by then every table has grown */
            held = vidmm_host_held();
        assert_int_equal(vidmm_host_held(), held);
    }
}

/* However many have been in flight before. */
static void the_same_number_needs_no_more_memory(void **state)
{
    struct mock_adapter *mock = *state;
    uint32_t sizes[256];
    uint64_t held = 0;
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        sizes[i] = 64 * 1024;
    for (int round = 0; round < 8; round++) {
        fly(mock, sizes, ARRAY_COUNT(sizes));
        if (round < 4)
            held = vidmm_host_held();
        assert_int_equal(vidmm_host_held(), held);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_may_have_no_room),
        cmocka_unit_test(a_buffer_without_room_has_a_place),
        cmocka_unit_test_setup_teardown(contexts_leave_no_buffers, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(the_same_sizes_need_no_more_memory, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(the_same_number_needs_no_more_memory, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests_name("dma_buffer", tests, NULL, NULL);
}
