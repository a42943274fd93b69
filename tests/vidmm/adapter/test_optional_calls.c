/* SPDX-License-Identifier: MIT */
/*
 * test_optional_calls.c: a driver whose table lacks a call that only some drivers need, or that
 * leaves out an answer, gives two that differ, or answers what it was not asked.
 */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

static void no_map(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiMapCpuHostAperture = NULL;
}

static void no_unmap(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiUnmapCpuHostAperture = NULL;
}

static void no_acquire(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiAcquireSwizzlingRange = NULL;
}

static void no_release(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiReleaseSwizzlingRange = NULL;
}

typedef void hook_of_table(DRIVER_INITIALIZATION_DATA *table);

static void lock_without_host_aperture(hook_of_table *hook)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    mock_adapter_init(&mock, VIDMM_WDDM_2_0);
    mock.segments[0].flags = VIDMM_SEGMENT_SupportsCpuHostAperture;
    mock.segments[0].host_aperture = MOCK_SEGMENT_BYTES;
    mock.hook = hook;
    mock_adapter_start(&mock);
    wish.fills_wddm2 = true;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(mock_view(&mock, handle).segment, 1);

    struct vidmm_lock_args lock = { .device = mock.device, .allocation = handle, .lock2 = true };
    struct vidmm_lock_result result;
    assert_int_equal(vidmm_lock(mock.adapter, &lock, &result), 0);
    assert_int_equal(result.via, VIDMM_VIEW_BACKING);
    assert_int_equal(mock_view(&mock, handle).segment, 0);
    assert_int_equal(mock_view(&mock, handle).via, VIDMM_VIEW_BACKING);
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &handle, 1), 0);
    assert_int_equal(mock_view(&mock, handle).via, VIDMM_VIEW_NONE);
    mock_adapter_stop(&mock);
}

/* RES-067: the aperture cannot be used without one of the calls that point its pages at something,
   and back. */
static void a_host_aperture_without_calls_is_passed_over(void **state)
{
    (void)state;
    lock_without_host_aperture(no_map);
    lock_without_host_aperture(no_unmap);
}

static void lock_without_ranges(hook_of_table *hook)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = hook;
    mock_adapter_start(&mock);
    wish.flags = VIDMM_ALLOCATION_CpuVisible | VIDMM_ALLOCATION_Swizzled;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    struct vidmm_lock_args lock = { .device = mock.device,
                                    .allocation = handle,
                                    .flags = VIDMM_LOCK_AcquireAperture | VIDMM_LOCK_LockEntire };
    struct vidmm_lock_result result;
    assert_int_equal(vidmm_lock(mock.adapter, &lock, &result), 0);
    assert_int_equal(result.via, VIDMM_VIEW_BACKING);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_NB_RANGES_ACQUIRED), 0);
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &handle, 1), 0);
    mock_adapter_check(&mock);
    mock_adapter_stop(&mock);
}

/* SWIZ-012: a driver that cannot take a range back has none, whatever it reports. */
static void ranges_without_calls_are_none(void **state)
{
    (void)state;
    lock_without_ranges(no_acquire);
    lock_without_ranges(no_release);
}

static DXGKARG_RELEASESWIZZLINGRANGE released;

static NTSTATUS write_over(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg)
{
    (void)adapter;
    arg->PrivateDriverData += 5;
    arg->RangeId += 3;
    arg->SegmentId += 1;
    return STATUS_SUCCESS;
}

static NTSTATUS note_release(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE arg)
{
    (void)adapter;
    released = *arg;
    return STATUS_SUCCESS;
}

static void writes_over(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiAcquireSwizzlingRange = write_over;
    table->DxgkDdiReleaseSwizzlingRange = note_release;
}

/* SWIZ-020: of a range the driver answers with size and address; the rest stays as it was given. */
static void a_range_has_the_number_that_the_driver_was_given(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = writes_over;
    mock_adapter_start(&mock);
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    struct vidmm_lock_args lock = { .device = mock.device,
                                    .allocation = handle,
                                    .flags = VIDMM_LOCK_AcquireAperture,
                                    .private_data = 7 };
    struct vidmm_lock_result result;
    for (int i = 0; i < 2; i++) { /* the second lock finds the range by its private data */
        assert_int_equal(vidmm_lock(mock.adapter, &lock, &result), 0);
        assert_int_equal(result.via, VIDMM_VIEW_RANGE);
        assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &handle, 1), 0);
    }
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_NB_RANGES_ACQUIRED), 1);
    assert_int_equal(vidmm_evict(mock.adapter, handle), 0);
    assert_int_equal(released.PrivateDriverData, 7);
    assert_int_equal(released.RangeId, 0);
    mock_adapter_stop(&mock);
}

static void no_store(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiSetAllocationBackingStore = NULL;
}

/* FLAG-063: a driver that asks for a backing store has to be able to take it. */
static void a_store_that_nobody_takes_fails_the_creation(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("store", &wish);
    struct vidmm_creation_result result;
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_3_0);
    mock.hook = no_store;
    mock_adapter_start(&mock);
    wish.fills_wddm2 = true;
    wish.read_set = wish.write_set = 2;
    wish.preferred_segment = 0;
    wish.flags2 = VIDMM_ALLOCATION2_ShareBackingStoreWithKmd;
    const struct vidmm_creation_args call = {
        .device = mock.device,
        .flags = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared,
        .allocations = &args,
        .count = 1,
    };
    assert_int_equal(vidmm_create_allocations(mock.adapter, &call, &handle, &result),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(FLAG_063));
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    mock_adapter_stop(&mock);
}

/* ---- a device without contexts -------------------------------------------------------------- */

static bool answers_null;

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    const DXGK_CREATEDEVICEFLAGS flags = arg->Flags;
    NTSTATUS answer = mock_front.real.DxgkDdiCreateDevice(adapter, arg);
    if (answers_null)
        arg->pInfo = NULL;
    else
        arg->Flags = flags; /* what the union held */
    return answer;
}

static void says_nothing_of_buffers(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateDevice = create_device;
}

/* Then its buffers have no bytes, whatever the union held before. */
static void a_device_that_says_nothing_of_its_buffers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct mock_adapter mock;
        struct vidmm_context_view view;
        answers_null = i != 0;
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        assert_true(vidmm_mock_cap_set(&mock.mock_config, "MultiEngineAware", 0));
        mock.hook = says_nothing_of_buffers;
        mock_adapter_start(&mock);
        assert_true(vidmm_context_view(mock.adapter, mock.context, &view));
        assert_int_equal(view.dma_bytes, 0);
        assert_int_equal(view.list_size, 0);
        mock_adapter_stop(&mock);
    }
}

/* ---- two answers ----------------------------------------------------------------------------- */

static NTSTATUS page_elsewhere(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    if (arg->Type == DXGKQAITYPE_PHYSICALADAPTERCAPS)
        ((DXGK_PHYSICALADAPTERCAPS *)arg->pOutputData)->PagingNodeIndex = 0;
    return answer;
}

static void pages_elsewhere(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = page_elsewhere;
}

/* MINI-022. */
static void the_paging_node_is_that_of_the_physical_adapter(void **state)
{
    static const struct {
        uint32_t wddm, node;
    } versions[] = { { VIDMM_WDDM_1_3, 1 }, { VIDMM_WDDM_2_0, 0 } };
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, versions[i].wddm, pages_elsewhere);
        assert_int_equal(mock_adapter_view(&mock).paging_node, versions[i].node);
        mock_adapter_stop(&mock);
    }
}

static NTSTATUS set_the_stride(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT4)
        ((DXGK_QUERYSEGMENTOUT4 *)arg->pOutputData)->SegmentDescriptorStride =
            sizeof(DXGK_SEGMENTDESCRIPTOR4);
    return answer;
}

static void sets_the_stride(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = set_the_stride;
}

/* MINI-004: also a member that only the form of 2.0 has, behind all that the older ones have. */
static void a_stride_in_the_first_segment_query_is_a_finding(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, sets_the_stride);
    assert_int_equal(mock_findings(&mock), 1);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_004)), 1);
    mock_adapter_stop(&mock);
}

static void lacks_three(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiStopDevice = NULL;
    table->DxgkDdiPatch = NULL;
    table->DxgkDdiSubmitCommand = NULL;
}

static void lacks_all(DRIVER_INITIALIZATION_DATA *table)
{
    memset(table, 0, sizeof *table);
}

static void a_driver_needs_its_table_and_its_hardware(void **state)
{
    struct mock_adapter mock;
    (void)state;
    for (int lacks = 0; lacks < 2; lacks++) {
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock_adapter_prepare(&mock);
        if (lacks)
            mock.config.miniport.hardware = NULL;
        else
            mock.config.miniport.ddi = NULL;
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(MINI_002));
        mock_adapter_free(&mock);
    }
}

/* Whoever writes a driver need not begin again for each. */
static void all_calls_that_lack_are_listed(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = lacks_three;
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    assert_string_equal(
        vidmm_last_refusal(mock.adapter)->text,
        "the miniport has no DxgkDdiStopDevice, DxgkDdiPatch, DxgkDdiSubmitCommand");
    mock_adapter_free(&mock);
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = lacks_all;
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    assert_string_equal(
        vidmm_last_refusal(mock.adapter)->text,
        "the miniport has no DxgkDdiAddDevice, DxgkDdiStartDevice, DxgkDdiStopDevice, "
        "DxgkDdiRemoveDevice, DxgkDdiDpcRoutine, DxgkDdiQueryAdapterInfo, DxgkDdiCreateDevice, "
        "DxgkDdiDestroyDevice, DxgkDdiCreateContext, DxgkDdiDestroyContext, "
        "DxgkDdiCreateAllocation, DxgkDdiDestroyAllocation, DxgkDdiOpenAllocation, "
        "DxgkDdiCloseAllocation, DxgkDdiBuildPagingBuffer, DxgkDdiRender, DxgkDdiPatch, "
        "DxgkDdiSubmitCommand");
    mock_adapter_free(&mock);
}

/* ---- answers that change nothing ------------------------------------------------------------ */

/* Each call answers another status, which is a failure. */
#define ENDS(X)                                                                                    \
    X(DestroyContext, 0xC0000101)                                                                  \
    X(DestroyDevice, 0xC0000102)                                                                   \
    X(StopDevice, 0xC0000103)                                                                      \
    X(RemoveDevice, 0xC0000104)

#define ANSWER(Name, status)                                                                       \
    static NTSTATUS end_##Name(HANDLE object)                                                      \
    {                                                                                              \
        (void)mock_front.real.DxgkDdi##Name(object);                                               \
        return (NTSTATUS)status;                                                                   \
    }
ENDS(ANSWER)

static void ends_badly(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
#define TAKE(Name, status) table->DxgkDdi##Name = end_##Name;
    ENDS(TAKE)
}

static struct {
    struct vidmm_observer observer;
    vidmm_handle context, device;
    unsigned told;
} ending;

/* Of what callers made it is the end, and of the system's own nobody's. */
static void look_at_end(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind != VIDMM_EVENT_DRIVER_CALL)
        return;
    const char *name = event->fields[0].text;
#define LOOK(Name, status)                                                                         \
    if (strcmp(name, "DxgkDdi" #Name) == 0) {                                                      \
        assert_int_equal(event->fields[1].value, (uint32_t)status);                                \
        ending.told++;                                                                             \
    }
    ENDS(LOOK)
    vidmm_handle subject = strcmp(name, "DxgkDdiDestroyContext") == 0  ? ending.context
                           : strcmp(name, "DxgkDdiDestroyDevice") == 0 ? ending.device
                                                                       : 0;
    assert_int_equal(event->subject, subject);
}

static void the_end_is_told_with_the_answers(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, ends_badly);
    memset(&ending, 0, sizeof ending);
    ending.observer.on_event = look_at_end;
    vidmm_observe(mock.adapter, &ending.observer);
    ending.context = mock.context;
    ending.device = mock.device;
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.device, 1), 0);
    ending.context = ending.device = 0;
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    assert_int_equal(ending.told, 6);
    mock_adapter_free(&mock);
}

/* ---- SEG-012 -------------------------------------------------------------------------------- */

/* What a driver may say to an unmap of nothing when it starts: only two words mean "not here". */
static const struct probe {
    NTSTATUS answer;
    bool starts;
} probes[] = {
    { STATUS_SUCCESS, true },
    { STATUS_PENDING, true },
    { STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, true },
    { STATUS_NOT_SUPPORTED, false },
    { STATUS_NOT_IMPLEMENTED, false },
};
static NTSTATUS probe_answer;
static unsigned probe_calls;

static NTSTATUS answer_probe(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    (void)adapter;
    probe_calls++;
    assert_int_equal(arg->Operation, DXGK_OPERATION_UNMAP_APERTURE_SEGMENT);
    assert_int_equal(arg->UnmapApertureSegment.SegmentId, 2);
    assert_int_equal(arg->UnmapApertureSegment.NumberOfPages, 0);
    return probe_answer;
}

static void answers_a_probe(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiBuildPagingBuffer = answer_probe;
}

static void only_two_answers_mean_that_it_cannot_unmap(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        struct mock_adapter mock;
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.hook = answers_a_probe;
        mock_adapter_prepare(&mock);
        probe_answer = probes[i].answer;
        probe_calls = 0;
        vidmm_status status = vidmm_adapter_start(&mock.config, &mock.adapter);
        assert_int_equal(status, probes[i].starts ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER);
        assert_int_equal(probe_calls, 1);
        if (status)
            mock_refused(&mock, RULE(SEG_012));
        mock_adapter_free(&mock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_calls_that_lack_are_listed),
        cmocka_unit_test(a_driver_needs_its_table_and_its_hardware),
        cmocka_unit_test(a_host_aperture_without_calls_is_passed_over),
        cmocka_unit_test(ranges_without_calls_are_none),
        cmocka_unit_test(a_range_has_the_number_that_the_driver_was_given),
        cmocka_unit_test(a_store_that_nobody_takes_fails_the_creation),
        cmocka_unit_test(a_device_that_says_nothing_of_its_buffers),
        cmocka_unit_test(the_paging_node_is_that_of_the_physical_adapter),
        cmocka_unit_test(a_stride_in_the_first_segment_query_is_a_finding),
        cmocka_unit_test(the_end_is_told_with_the_answers),
        cmocka_unit_test(only_two_answers_mean_that_it_cannot_unmap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
