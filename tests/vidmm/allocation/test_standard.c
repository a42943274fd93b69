/* SPDX-License-Identifier: MIT */
/* test_standard.c: standard allocations that no scenario can ask for, what the driver says of
   them, and what is kept of a usage hint. */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { OF_RESOURCE = 1 }; /* the mock may take it for what it knows, with members of type bool */

static UINT standard_bytes, resource_bytes;
static unsigned standard_calls;
static D3DKMDT_VIRTUALGPUSURFACEDATA asked;
static D3DKMDT_SHAREDPRIMARYSURFACEDATA asked_primary;

static NTSTATUS describe(IN_CONST_HANDLE adapter,
                         INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg)
{
    bool sizes = !arg->pAllocationPrivateDriverData && !arg->pResourcePrivateDriverData;
    standard_calls++;
    if (!sizes) { /* nothing for no bytes */
        assert_int_equal(!arg->pAllocationPrivateDriverData, !standard_bytes);
        assert_int_equal(!arg->pResourcePrivateDriverData, !resource_bytes);
    }
    if (sizes && arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE)
        assert_int_equal(arg->pCreateStagingSurfaceData->Pitch, 0); /* the driver's to say */
    if (arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_VGPU)
        asked = *arg->pCreateVirtualGpuSurfaceData;
    if (arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        asked_primary = *arg->pCreateSharedPrimarySurfaceData;
    NTSTATUS answer = mock_front.real.DxgkDdiGetStandardAllocationDriverData(adapter, arg);
    if (arg->pResourcePrivateDriverData)
        memset(arg->pResourcePrivateDriverData, OF_RESOURCE, resource_bytes);
    if (sizes) {
        arg->AllocationPrivateDriverDataSize = standard_bytes;
        arg->ResourcePrivateDriverDataSize = resource_bytes;
    }
    return answer;
}

/* What the caller brought for the call is never the driver's. */
static NTSTATUS create(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    assert_int_equal(arg->PrivateDriverDataSize, resource_bytes);
    assert_int_equal(!arg->pPrivateDriverData, !resource_bytes);
    return mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
}

static void describes_much(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = create;
    table->DxgkDdiGetStandardAllocationDriverData = describe;
}

/* ALLOC-045: a mebibyte is enough for any of them, and each may have it. */
static void private_data_of_standard_allocations(void **state)
{
    static const UINT most = 1 << 20;
    const struct vidmm_standard standard = { .type = D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE,
                                             .width = 4,
                                             .height = 4 };
    const struct vidmm_allocation_args args = { .label = "stage", .standard = &standard };
    vidmm_handle handle;
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, describes_much);
    standard_calls = 0;
    standard_bytes = most + 1;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle),
                     STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(ALLOC_045));
    standard_bytes = most;
    resource_bytes = most + 1;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle),
                     STATUS_NO_MEMORY);
    assert_int_equal(standard_calls, 2);
    resource_bytes = most; /* which it is then asked for, and the mock has no use for */
    assert_int_not_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    assert_int_equal(standard_calls, 4);
    standard_bytes = 0;
    assert_int_not_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    standard_bytes = most;
    resource_bytes = 0;
    assert_int_not_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    const struct vidmm_creation_args call = { .device = mock.device,
                                              .private_data = "call",
                                              .private_bytes = 4,
                                              .allocations = &args,
                                              .count = 1 };
    assert_int_not_equal(vidmm_create_allocations(mock.adapter, &call, &handle, NULL), 0);
    assert_int_equal(standard_calls, 10);
    mock_adapter_stop(&mock);
}

/* ALLOC-045: what a description says that the driver does not have to answer. */
static void the_driver_sees_what_is_described(void **state)
{
    static const struct vidmm_standard gpu = { .type = D3DKMDT_STANDARDALLOCATION_VGPU,
                                               .bytes = 4 * MOCK_PAGE,
                                               .alignment = 2 * MOCK_PAGE,
                                               .segment = 2 };
    static const struct vidmm_standard primary = {
        .type = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE,
        .width = 4,
        .height = 2,
        .format = D3DDDIFMT_X8R8G8B8,
    };
    struct vidmm_allocation_args args = { .label = "gpu", .standard = &gpu };
    vidmm_handle handle;
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_1, describes_much);
    standard_bytes = resource_bytes = 0; /* they end with the sizes */
    assert_int_not_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    mock_refused(&mock, RULE(ALLOC_045));
    assert_int_equal(asked.Size, gpu.bytes);
    assert_int_equal(asked.Alignment, gpu.alignment);
    assert_int_equal(asked.DriverSegmentId, gpu.segment);
    args.standard = &primary;
    args.vidpn_source = 3;
    assert_int_not_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    mock_refused(&mock, RULE(ALLOC_045));
    assert_int_equal(asked_primary.VidPnSourceId, 3);
    assert_int_equal(asked_primary.RefreshRate.Numerator, 60);
    assert_int_equal(asked_primary.RefreshRate.Denominator, 1);
    mock_adapter_stop(&mock);
}

static struct vidmm_mock_allocation described; /* what the creation got */

static NTSTATUS create_described(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    const uint8_t *of_resource = arg->pPrivateDriverData;
    assert_int_equal(arg->PrivateDriverDataSize, resource_bytes);
    for (UINT i = 0; i < resource_bytes; i++)
        assert_int_equal(of_resource[i], OF_RESOURCE);
    assert_int_equal(arg->pAllocationInfo->PrivateDriverDataSize, sizeof described);
    memcpy(&described, arg->pAllocationInfo->pPrivateDriverData, sizeof described);
    return mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
}

static NTSTATUS open_described(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    assert_int_equal(arg->pOpenAllocation->PrivateDriverDataSize, sizeof described);
    assert_memory_equal(arg->pOpenAllocation->pPrivateDriverData, &described, sizeof described);
    return mock_front.real.DxgkDdiOpenAllocation(device, arg);
}

static void looks_at_data(DRIVER_INITIALIZATION_DATA *table)
{
    describes_much(table);
    table->DxgkDdiCreateAllocation = create_described;
    table->DxgkDdiOpenAllocation = open_described;
}

/* ALLOC-045, ALLOC-008: the driver meets its data again, with a resource and without one. */
static void what_was_described_is_created_and_opened(void **state)
{
    static const struct vidmm_standard standard = {
        .type = D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE, .width = 4, .height = 4
    };
    const struct vidmm_allocation_args args = { .label = "stage", .standard = &standard };
    struct vidmm_mock_standard answer = { .answer = mock_wish(0) };
    vidmm_handle handle;
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, looks_at_data);
    vidmm_mock_standard_defaults(&mock.mock_config, standard.type, 0, &answer);
    vidmm_mock_standard_set(mock.mock, &answer);
    standard_bytes = sizeof described;
    resource_bytes = 24;
    for (int resource = 0; resource < 2; resource++) {
        memset(&described, 0, sizeof described);
        assert_int_equal(vidmm_allocate(mock.adapter, mock.device, resource, &args, 1, &handle), 0);
        assert_int_not_equal(described.size, 0);
    }
    mock_adapter_stop(&mock);
}

static void types_of_standard_allocations(void **state)
{
    struct mock_adapter *mock = *state;
    static const uint32_t types[] = { 0, D3DKMDT_STANDARDALLOCATION_VGPU + 1, UINT32_MAX };
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("stage", &wish);
    vidmm_handle handle;
    uint64_t calls = mock->events[VIDMM_EVENT_DRIVER_CALL];
    for (size_t i = 0; i < ARRAY_COUNT(types); i++) {
        const struct vidmm_standard standard = {
            .type = types[i], .width = 4, .height = 4, .format = D3DDDIFMT_X8R8G8B8
        };
        args.standard = &standard;
        assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle),
                         STATUS_INVALID_PARAMETER);
        mock_refused(mock, RULE(ALLOC_045));
    }
    assert_int_equal(mock->events[VIDMM_EVENT_DRIVER_CALL], calls);
}

/* ALLOC-039: version, flags and format. */
static void a_usage_hint_is_kept_in_part(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    wish.hinted = true;
    wish.hint = (DXGK_ALLOCATIONUSAGEHINT){
        .Version = 3,
        .v1 = { .Flags.Cube = 1, .PrivateFormat = 22, .Width = 64, .Height = 32, .Pitch = 256 },
    };
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    struct vidmm_allocation_view view = mock_view(mock, handle);
    assert_int_equal(view.hint_version, 3);
    assert_int_equal(view.hint_flags, VIDMM_USAGE_Cube);
    assert_int_equal(view.format, 22);
    assert_int_equal(view.width, 0);
    assert_int_equal(view.height, 0);
    assert_int_equal(view.pitch, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_data_of_standard_allocations),
        cmocka_unit_test(the_driver_sees_what_is_described),
        cmocka_unit_test(what_was_described_is_created_and_opened),
        cmocka_unit_test_setup_teardown(types_of_standard_allocations, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_usage_hint_is_kept_in_part, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
