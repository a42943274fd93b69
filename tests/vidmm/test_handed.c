/* SPDX-License-Identifier: MIT */
/*
 * test_handed.c: members that a driver is handed and no event shows: handles, and in which order.
 * vidmm/rules/unobservable.txt names this file for the clauses that it shows.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

enum { COUNT = 3, PRIVATE_BYTES = 64, BUFFERS = 4, MARK = 0x5A };

/* What the driver in front of the mock was given, and gave. */
static struct {
    HANDLE device, made[COUNT], mapped;
    uint64_t mapped_at, submitted_at; /* offset in the aperture; address of a paging buffer */
    const void *data[COUNT];
    UINT bytes[COUNT];
    D3DKMT_HANDLE opened[COUNT];
    unsigned opens, maps, queries, states;
    size_t stranger;
    uint8_t *ends[BUFFERS];           /* the last byte of the private data of each paging buffer */
    unsigned buffers, again, renders; /* again: recycled, with all of its private data */
} handed;

/* ---- SEG-001(b), SEG-002, SEG-003(d), SEG-065, MINI-002(c) ---------------------------------- */

/* The two calls of each form: no array in the first; the sizes are those of the form. What a driver
   need not fill in is 0. */
static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    static const DXGK_DRIVERCAPS no_caps;
    if (arg->Type == DXGKQAITYPE_DRIVERCAPS)
        assert_memory_equal(arg->pOutputData, &no_caps, sizeof no_caps);
    bool old = arg->Type == DXGKQAITYPE_QUERYSEGMENT || arg->Type == DXGKQAITYPE_QUERYSEGMENT3;
    if (old || arg->Type == DXGKQAITYPE_QUERYSEGMENT4) {
        const DXGK_QUERYSEGMENTOUT4 *out = arg->pOutputData;
        const DXGK_QUERYSEGMENTOUT *out1 = arg->pOutputData;
        bool first = handed.queries++ % 2 == 0;
        assert_int_equal(out1->NbSegment, first ? 0 : 2);
        assert_int_equal((old ? (void *)out1->pSegmentDescriptor : out->pSegmentDescriptor) == NULL,
                         first);
        assert_int_equal(arg->InputDataSize,
                         old ? sizeof(DXGK_QUERYSEGMENTIN) : sizeof(DXGK_QUERYSEGMENTIN4));
        assert_int_equal(arg->OutputDataSize, old ? sizeof *out1 : sizeof *out);
        if (!first)
            assert_int_equal(out1->PagingBufferPrivateDataSize, 0);
    }
    return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
}

static void looks_at_questions(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&handed, 0, sizeof handed);
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query;
}

static void the_first_question_has_no_array(void **state)
{
    static const uint32_t versions[] = { VIDMM_WDDM_1_1, VIDMM_WDDM_1_3, VIDMM_WDDM_2_0 };
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, versions[i], looks_at_questions);
        assert_int_equal(handed.queries, 2);
        mock_adapter_stop(&mock);
    }
}

static NTSTATUS query_state(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    if (arg->Type == DXGKQAITYPE_SEGMENTMEMORYSTATE) {
        const DXGK_QUERYSEGMENTMEMORYSTATE *in = arg->pInputData;
        assert_int_equal(in->DriverSegmentId, 1);
        assert_int_equal(in->PhysicalAdapterIndex, handed.states++);
        assert_int_equal(in->NumInvalidMemoryRanges, 2); /* as many as were announced */
        assert_non_null(in->pMemoryRanges);
        assert_memory_equal(arg->pOutputData, in, sizeof *in);
        assert_ptr_not_equal(arg->pOutputData, in);
    }
    return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
}

static void looks_at_states(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&handed, 0, sizeof handed);
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query_state;
}

static void each_adapter_of_a_link_is_asked_for_its_broken_memory(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_2_0);
    mock.config.link_adapters = 2;
    mock.segments[0].invalid_count = 2;
    mock.segments[0].invalid[0] = (DXGK_MEMORYRANGE){ MOCK_PAGE, MOCK_PAGE };
    mock.segments[0].invalid[1] = (DXGK_MEMORYRANGE){ 4 * MOCK_PAGE, MOCK_PAGE };
    mock.hook = looks_at_states;
    mock_adapter_start(&mock);
    assert_int_equal(handed.states, 2);
    mock_adapter_stop(&mock);
}

/* A segment of adapter 1 differs from that of adapter 0 in one flag. */
static const struct {
    size_t segment;
    UINT flag;
    const char *text;
} strangers[] = {
    { 0, 0x4, "segment 1 has flags 0x0 on adapter 1 of the link, and 0x4 on adapter 0" },
    { 1, 0x100000, "segment 2 has flags 0x100001 on adapter 1 of the link, and 0x1 on adapter 0" },
};

static NTSTATUS query_stranger(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    const DXGK_QUERYSEGMENTIN4 *in = arg->pInputData;
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT4 && in->PhysicalAdapterIndex == 1) {
        const DXGK_QUERYSEGMENTOUT4 *out = arg->pOutputData;
        UCHAR *at = out->pSegmentDescriptor;
        if (at) {
            at += strangers[handed.stranger].segment * out->SegmentDescriptorStride;
            ((DXGK_SEGMENTDESCRIPTOR4 *)(void *)at)->Flags.Value ^= strangers[handed.stranger].flag;
        }
    }
    return answer;
}

static void has_a_stranger(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query_stranger;
}

static void adapters_of_a_link_agree_on_flags(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        struct mock_adapter mock;
        handed.stranger = i;
        mock_adapter_init(&mock, VIDMM_WDDM_2_0);
        mock.config.link_adapters = 2;
        mock.hook = has_a_stranger;
        mock_adapter_prepare(&mock);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(SEG_003));
        assert_string_equal(vidmm_last_refusal(mock.adapter)->text, strangers[i].text);
        mock_adapter_free(&mock);
    }
}

/* ---- SEG-053(b) ----------------------------------------------------------------------------- */

static void look_at_private_data(const DXGKARG_BUILDPAGINGBUFFER *arg)
{
    const uint8_t *start = arg->pDmaBufferPrivateData;
    uint8_t *end = (uint8_t *)arg->pDmaBufferPrivateData + arg->DmaBufferPrivateDataSize - 1;
    for (unsigned i = 0; i < handed.buffers; i++) {
        if (handed.ends[i] == end) {
            assert_int_equal(*end, MARK);
            handed.again += arg->DmaBufferPrivateDataSize == PRIVATE_BYTES;
            return;
        }
    }
    assert_true(handed.buffers < BUFFERS);
    assert_int_equal(arg->DmaBufferPrivateDataSize, PRIVATE_BYTES);
    assert_int_equal((uintptr_t)arg->pDmaBuffer % MOCK_PAGE, 0); /* MINI-050(b) */
    for (unsigned i = 0; i < PRIVATE_BYTES; i++)
        assert_int_equal(start[i], 0);
    *end = MARK;
    handed.ends[handed.buffers++] = end;
}

static NTSTATUS build_fill(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation == DXGK_OPERATION_FILL)
        look_at_private_data(arg);
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void keeps_private_data(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&handed, 0, sizeof handed);
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build_fill;
}

static void private_data_of_paging_buffers_is_the_drivers(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.mock_config.paging_buffer_private_bytes = PRIVATE_BYTES;
    mock.mock_config.paging_buffer_bytes = MOCK_PAGE;
    assert_true(vidmm_mock_cap_set(&mock.mock_config, "command-size", MOCK_PAGE / 2));
    mock.config.paging_buffers = BUFFERS;
    mock.hook = keeps_private_data;
    mock_adapter_start(&mock);
    for (unsigned i = 0; i < 4 * BUFFERS; i++) { /* two fills in each buffer, twice */
        assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    }
    assert_int_equal(handed.buffers, BUFFERS);
    assert_int_equal(handed.again, BUFFERS);
    mock_adapter_stop(&mock);
}

/* ---- MINI-030(b) ---------------------------------------------------------------------------- */

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateDevice(adapter, arg);
    handed.device = arg->hDevice;
    return answer;
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
    for (UINT i = 0; i < arg->NumAllocations && i < COUNT; i++) {
        handed.made[i] = arg->pAllocationInfo[i].hAllocation;
        handed.data[i] = arg->pAllocationInfo[i].pPrivateDriverData;
        handed.bytes[i] = arg->pAllocationInfo[i].PrivateDriverDataSize;
    }
    return answer;
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    assert_ptr_equal(device, handed.device);
    for (UINT i = 0; i < arg->NumAllocations && i < COUNT; i++) {
        handed.opened[i] = arg->pOpenAllocation[i].hAllocation;
        assert_ptr_equal(arg->pOpenAllocation[i].pPrivateDriverData, handed.data[i]);
        assert_int_equal(arg->pOpenAllocation[i].PrivateDriverDataSize, handed.bytes[i]);
        handed.opens++;
    }
    return mock_front.real.DxgkDdiOpenAllocation(device, arg);
}

static NTSTATUS build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT) {
        handed.mapped = arg->MapApertureSegment.hAllocation;
        handed.mapped_at = arg->MapApertureSegment.OffsetInPages * (uint64_t)MOCK_PAGE;
        handed.maps++;
    }
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static NTSTATUS submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    if (arg->Flags.Paging)
        handed.submitted_at = (uint64_t)arg->DmaBufferPhysicalAddress.QuadPart;
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static void notes(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&handed, 0, sizeof handed);
    mock_front_stand(table);
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiBuildPagingBuffer = build;
    table->DxgkDdiSubmitCommand = submit;
}

static void elements_are_opened_in_their_order_on_their_device(void **state)
{
    struct mock_adapter mock;
    vidmm_handle handles[COUNT], other;
    struct vidmm_allocation_args args[COUNT];
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, notes);
    struct vidmm_mock_allocation wishes[2] = { mock_wish(MOCK_PAGE) }; /* the second: room */
    for (size_t i = 0; i < COUNT; i++) {
        args[i] = mock_args("a", wishes);
        args[i].private_bytes += (uint32_t)i; /* each has data of its own length */
    }
    /* The devices differ, and the one of the creation is not the latest. */
    HANDLE first = handed.device;
    assert_int_equal(vidmm_device_create(mock.adapter, "other", mock.process, &other), 0);
    assert_ptr_not_equal(handed.device, first);
    handed.device = first;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, args, COUNT, handles), 0);
    assert_int_equal(handed.opens, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(handed.opened[i], handles[i]);
        assert_int_equal(handed.bytes[i], sizeof *wishes + i);
    }
    mock_adapter_stop(&mock);
}

/* ---- SUBMIT-020(e), SUBMIT-026(a) ----------------------------------------------------------- */

/* Contexts whose DMA buffers lie in the aperture. */
static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateContext(device, arg);
    if (!arg->Flags.SystemContext) {
        arg->ContextInfo.DmaBufferSegmentSet = 0x2;
        arg->ContextInfo.DmaBufferPrivateDataSize = PRIVATE_BYTES;
    }
    return answer;
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    uint8_t *data = arg->pDmaBufferPrivateData;
    assert_int_equal((uintptr_t)arg->pDmaBuffer % MOCK_PAGE, 0);
    assert_int_equal(arg->DmaBufferPrivateDataSize, PRIVATE_BYTES);
    if (handed.renders++)
        assert_int_equal(data[PRIVATE_BYTES - 1], MARK);
    for (unsigned i = 0; i < PRIVATE_BYTES && handed.renders == 1; i++)
        assert_int_equal(data[i], 0);
    data[PRIVATE_BYTES - 1] = MARK;
    return mock_front.real.DxgkDdiRender(context, arg);
}

static void maps_its_buffers(DRIVER_INITIALIZATION_DATA *table)
{
    notes(table);
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiRender = render;
}

/* MINI-072(e) as well. */
static void a_dma_buffer_begins_at_a_page_and_keeps_private_data(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, maps_its_buffers);
    for (unsigned i = 0; i < COUNT; i++) {
        mock_front_work(&mock, 10);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    }
    assert_int_equal(handed.renders, COUNT);
    assert_int_equal(handed.maps, 1);
    assert_null(handed.mapped);
    mock_adapter_stop(&mock);
}

/* MINI-013(d). */
static void a_paging_buffer_is_mapped_for_nobody(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.mock_config.paging_buffer_segment = 2;
    mock.hook = notes;
    mock_adapter_start(&mock);
    assert_true(handed.maps > 0);
    assert_null(handed.mapped);
    /* The last one that was mapped maps itself with its first commands. */
    assert_true(handed.mapped_at > 0);
    assert_int_equal(handed.submitted_at, mock.segments[1].base + handed.mapped_at);
    mock_adapter_stop(&mock);
}

/* MINI-072(d). */
static void a_map_names_the_allocation_of_the_driver(void **state)
{
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, notes);
    (void)mock_make(&mock);
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    wish.read_set = wish.write_set = 0x2;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(handed.maps, 1);
    assert_non_null(handed.mapped);
    assert_ptr_equal(handed.mapped, handed.made[0]);
    mock_adapter_stop(&mock);
}

/* ---- RES-073(b), RES-074(b,c) ---------------------------------------------------------------- */

enum { HOST_PAGES = 16, PIECE = 4 };

/* Which page of memory each page of the CPU host aperture shows. */
static struct {
    bool mapped;
    UINT64 page;
} host[HOST_PAGES];

static NTSTATUS map_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE arg)
{
    for (UINT64 i = 0; i < arg->NumberOfPages; i++) {
        UINT32 at = arg->pCpuHostAperturePages[i];
        assert_true(at < HOST_PAGES);
        assert_false(host[at].mapped);
        host[at].mapped = true;
        host[at].page = arg->pMemorySegmentPages[i];
    }
    return mock_front.real.DxgkDdiMapCpuHostAperture(adapter, arg);
}

static NTSTATUS unmap_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE arg)
{
    for (UINT64 i = 0; i < arg->NumberOfPages; i++) {
        UINT32 at = arg->pCpuHostAperturePages[i];
        assert_true(at < HOST_PAGES);
        assert_true(host[at].mapped);
        host[at].mapped = false;
    }
    return mock_front.real.DxgkDdiUnmapCpuHostAperture(adapter, arg);
}

static void keeps_host_pages(DRIVER_INITIALIZATION_DATA *table)
{
    memset(host, 0, sizeof host);
    mock_front_stand(table);
    table->DxgkDdiMapCpuHostAperture = map_host;
    table->DxgkDdiUnmapCpuHostAperture = unmap_host;
}

static vidmm_handle resident(struct mock_adapter *mock, unsigned pages)
{
    uint64_t page = mock->segments[0].host_aperture / HOST_PAGES;
    struct vidmm_mock_allocation wish = mock_wish(pages * page);
    vidmm_handle handle;
    wish.fills_wddm2 = true;
    wish.alignment = (uint32_t)page;
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    return handle;
}

static void lock_through_host(struct mock_adapter *mock, vidmm_handle handle)
{
    struct vidmm_lock_args lock = { .device = mock->device, .allocation = handle, .lock2 = true };
    struct vidmm_lock_result result;
    assert_int_equal(vidmm_lock(mock->adapter, &lock, &result), 0);
    assert_int_equal(result.via, VIDMM_VIEW_HOST_APERTURE);
}

static void pair_host_pages(uint64_t page, uint32_t flags)
{
    struct mock_adapter mock;
    vidmm_handle parts[COUNT], large;
    mock_adapter_init(&mock, VIDMM_WDDM_2_0);
    mock.segments[0].flags = VIDMM_SEGMENT_SupportsCpuHostAperture | flags;
    mock.segments[0].host_aperture = HOST_PAGES * page;
    mock.segments[0].size = 4 * HOST_PAGES * page;
    mock.hook = keeps_host_pages;
    mock_adapter_start(&mock);
    (void)resident(&mock, 1); /* so that no page has the number of the one that shows it */
    for (unsigned i = 0; i < COUNT; i++) {
        parts[i] = resident(&mock, PIECE);
        lock_through_host(&mock, parts[i]);
    }
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &parts[1], 1), 0);
    assert_int_equal(vidmm_evict(mock.adapter, parts[1]), 0);
    assert_false(host[PIECE].mapped);
    large = resident(&mock, 2 * PIECE); /* in two pieces, here and there */
    assert_int_equal(mock_view(&mock, large).runs, 2);
    lock_through_host(&mock, large);
    for (unsigned i = 0; i < HOST_PAGES; i++) {
        assert_true(host[i].mapped);
        assert_int_equal(host[i].page, i + 1);
    }
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &large, 1), 0);
    assert_int_equal(vidmm_evict(mock.adapter, large), 0);
    for (unsigned i = 0; i < HOST_PAGES; i++)
        assert_int_equal(host[i].mapped, i / PIECE % 2 == 0);
    mock_adapter_stop(&mock);
}

static void host_pages_are_paired_with_those_of_the_allocation(void **state)
{
    (void)state;
    pair_host_pages(MOCK_PAGE, 0);
    pair_host_pages(16 * MOCK_PAGE, VIDMM_SEGMENT_Use64KBPages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_question_has_no_array),
        cmocka_unit_test(each_adapter_of_a_link_is_asked_for_its_broken_memory),
        cmocka_unit_test(adapters_of_a_link_agree_on_flags),
        cmocka_unit_test(private_data_of_paging_buffers_is_the_drivers),
        cmocka_unit_test(elements_are_opened_in_their_order_on_their_device),
        cmocka_unit_test(a_dma_buffer_begins_at_a_page_and_keeps_private_data),
        cmocka_unit_test(a_paging_buffer_is_mapped_for_nobody),
        cmocka_unit_test(a_map_names_the_allocation_of_the_driver),
        cmocka_unit_test(host_pages_are_paired_with_those_of_the_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
