/* SPDX-License-Identifier: MIT */
/*
 * test_answers.c: a driver that leaves out a member of an answer of the start, answers with a
 * success that is not the plain one, or fails.
 */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

/* ---- members that have to be answered, and others ------------------------------------------- */

static UINT forgotten; /* the segment whose Size is left out; 0: none */

/* What need not be answered is 0, and may stay so: SEG-051, SEG-053. */
static void look_at_array(const DXGK_QUERYSEGMENTOUT *out)
{
    assert_int_equal(out->PagingBufferSegmentId, 0);
    assert_int_equal(out->PagingBufferPrivateDataSize, 0);
    assert_int_not_equal(out->PagingBufferSize, 0);
}

static NTSTATUS forget_size(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    DXGK_QUERYSEGMENTOUT *v1 = arg->pOutputData;
    DXGK_QUERYSEGMENTOUT3 *v3 = arg->pOutputData;
    DXGK_QUERYSEGMENTOUT4 *v4 = arg->pOutputData;
    SIZE_T unset = 0;
    UINT at = forgotten - 1;
    bool asks = arg->Type == DXGKQAITYPE_QUERYSEGMENT || arg->Type == DXGKQAITYPE_QUERYSEGMENT3 ||
                arg->Type == DXGKQAITYPE_QUERYSEGMENT4;
    if (!asks || !v1->NbSegment)
        return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    look_at_array(v1);
    SIZE_T *size = arg->Type == DXGKQAITYPE_QUERYSEGMENT ? &v1->pSegmentDescriptor[at].Size
                   : arg->Type == DXGKQAITYPE_QUERYSEGMENT3
                       ? &v3->pSegmentDescriptor[at].Size
                       : &((DXGK_SEGMENTDESCRIPTOR4 *)(void *)v4->pSegmentDescriptor)[at].Size;
    if (forgotten)
        unset = *size;
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    if (forgotten)
        *size = unset;
    return answer;
}

static void forgets_a_size(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = forget_size;
}

/* MINI-005: of memory and of an aperture, in each form of the answer. */
static void each_size_has_to_be_answered(void **state)
{
    static const uint32_t versions[] = { VIDMM_WDDM_1_1, VIDMM_WDDM_1_2, VIDMM_WDDM_2_0 };
    struct mock_adapter mock;
    (void)state;
    for (size_t i = 0; i < 3 * sizeof versions / sizeof *versions; i++) {
        mock_adapter_init(&mock, versions[i / 3]);
        mock.hook = forgets_a_size;
        mock_adapter_prepare(&mock);
        forgotten = (UINT)(i % 3);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         forgotten ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS);
        if (forgotten)
            mock_refused(&mock, RULE(MINI_005));
        mock_adapter_free(&mock);
    }
}

/* ---- a success that is not the plain one ---------------------------------------------------- */

static NTSTATUS otherwise(NTSTATUS answer)
{
    return answer ? answer : STATUS_PENDING;
}

static NTSTATUS add_device(IN_CONST_PDEVICE_OBJECT object, OUT_PPVOID context)
{
    return otherwise(mock_front.real.DxgkDdiAddDevice(object, context));
}

static PDXGKDDI_START_DEVICE front_start; /* that of mock_front */

static NTSTATUS start_device(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                             IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources,
                             OUT_PULONG children)
{
    return otherwise(front_start(context, info, interface, sources, children));
}

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    return otherwise(mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg));
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    return otherwise(mock_front.real.DxgkDdiCreateDevice(adapter, arg));
}

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    return otherwise(mock_front.real.DxgkDdiCreateContext(device, arg));
}

static void succeeds_otherwise(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    front_start = table->DxgkDdiStartDevice;
    table->DxgkDdiAddDevice = add_device;
    table->DxgkDdiStartDevice = start_device;
    table->DxgkDdiQueryAdapterInfo = query;
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiCreateContext = create_context;
}

/* MINI-008, MINI-022: it is no failure. Of the four queries it is a finding. */
static void another_success_starts_all_the_same(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, succeeds_otherwise);
    assert_int_equal(mock_findings(&mock), 4);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_008)), 4);
    mock_adapter_stop(&mock);
}

/* ---- failures ------------------------------------------------------------------------------- */

static NTSTATUS fail_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    (void)adapter;
    (void)arg;
    return STATUS_INSUFFICIENT_RESOURCES;
}

static NTSTATUS fail_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    (void)device;
    (void)arg;
    return STATUS_INSUFFICIENT_RESOURCES;
}

static void makes_no_device(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiCreateDevice = fail_device;
}

static void makes_no_context(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiCreateContext = fail_context;
}

/* MINI-022: with the status that the driver has for it. */
static void the_system_needs_its_device_and_its_context(void **state)
{
    struct mock_adapter mock;
    (void)state;
    for (int context = 0; context < 2; context++) {
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.hook = context ? makes_no_context : makes_no_device;
        mock_adapter_prepare(&mock);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         STATUS_INSUFFICIENT_RESOURCES);
        mock_refused(&mock, RULE(MINI_022));
        mock_adapter_free(&mock);
    }
}

/* ---- too many ------------------------------------------------------------------------------- */

static bool many;

static NTSTATUS too_many_engines(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO query)
{
    NTSTATUS status = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, query);
    if (query->Type == DXGKQAITYPE_DRIVERCAPS && many) {
        DXGK_DRIVERCAPS *caps = query->pOutputData;
        caps->GpuEngineTopology.NbAsymetricProcessingNodes = UINT32_MAX;
    }
    return status;
}

static void with_too_many_engines(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = too_many_engines;
}

/* The queues of an adapter are those of the engines that it had, whatever a later start reports. */
static void engines_of_a_failed_start_are_not_looked_for(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, with_too_many_engines);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    many = true;
    assert_int_equal(vidmm_pnp_start(mock.adapter), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(MINI_018));
    many = false;
    mock_adapter_free(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_size_has_to_be_answered),
        cmocka_unit_test(another_success_starts_all_the_same),
        cmocka_unit_test(the_system_needs_its_device_and_its_context),
        cmocka_unit_test(engines_of_a_failed_start_are_not_looked_for),
    };
    return cmocka_run_group_tests_name("answers", tests, NULL, NULL);
}
