/* SPDX-License-Identifier: MIT */
/*
 * test_mdl.c: the MDL of an operation, as a driver reads it: a header, the page frame numbers of
 * system memory, and on request an address. The numbers are those that the bus knows.
 */
#include <string.h>

#include "paging/store/store.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_host.h"

enum { PAGES = 5, EXISTING_SYS_MEM = 0x10 };

static struct {
    struct vidmm_bus *bus;
    bool copies;                  /* by page frame numbers, and not as the mock does */
    unsigned ins, outs, maps;     /* operations with a list */
    PFN_NUMBER numbers[3][PAGES]; /* of each of them */
    PVOID start;                  /* where the last list begins */
    PFN_NUMBER wrong;             /* is given to the hardware instead of a right one; 0: none is */
} driver;

static void attach(void *self, struct vidmm_bus *bus)
{
    driver.bus = bus;
    mock_front.real_hardware->attach(self, bus);
}

/* The header as documented for a locked list, and a mapping that is made and ended. */
static void read_list(MDL *mdl, PFN_NUMBER numbers[PAGES])
{
    assert_non_null(mdl);
    driver.start = mdl->StartVa;
    assert_null(mdl->Next);
    assert_int_equal(mdl->Size, MmSizeOfMdl(NULL, PAGES * MOCK_PAGE));
    assert_int_equal(mdl->MdlFlags & MDL_PAGES_LOCKED, MDL_PAGES_LOCKED);
    assert_int_equal(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA, 0);
    assert_int_equal(MmGetMdlByteCount(mdl), PAGES * MOCK_PAGE);
    assert_int_equal(MmGetMdlByteOffset(mdl), 0);
    assert_ptr_equal(MmGetMdlVirtualAddress(mdl), mdl->StartVa);
    memcpy(numbers, MmGetMdlPfnArray(mdl), sizeof(PFN_NUMBER) * PAGES);

    uint64_t held = vidmm_host_held();
    char *address = MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority);
    assert_non_null(address);
    memset(address, 0x5A, MmGetMdlByteCount(mdl));
    assert_ptr_equal(MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority), address);
    assert_int_equal(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA, MDL_MAPPED_TO_SYSTEM_VA);
    assert_ptr_equal(MmMapLockedPagesSpecifyCache(mdl, KernelMode, MmCached, NULL, FALSE,
                                                  NormalPagePriority),
                     address);
    MmUnmapLockedPages(address + 1, mdl); /* no mapping of it begins there */
    assert_int_equal(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA, MDL_MAPPED_TO_SYSTEM_VA);
    MmUnmapLockedPages(address, mdl);
    assert_int_equal(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA, 0);
    assert_int_equal(vidmm_host_held(), held);
    /* A remaining mapping ends with the list. */
    assert_non_null(MmGetSystemAddressForMdlSafe(mdl, NormalPagePriority));
}

/* As a driver that moves pages itself, at once: from or to the addresses of its list. */
static void copy(const DXGKARG_BUILDPAGINGBUFFER *arg, const PFN_NUMBER *numbers, bool in)
{
    uint64_t segment = (uint64_t)(in ? arg->Transfer.Destination.SegmentAddress.QuadPart
                                     : arg->Transfer.Source.SegmentAddress.QuadPart);
    for (uint64_t page = 0; page < PAGES; page++) {
        PFN_NUMBER number = driver.wrong && page == 1 ? driver.wrong : numbers[page];
        struct vidmm_bus_place system = { .system = true, .address = number * MOCK_PAGE };
        struct vidmm_bus_place video = { .segment = 1, .address = segment + page * MOCK_PAGE };
        driver.bus->copy(driver.bus, in ? &video : &system, in ? &system : &video, MOCK_PAGE);
    }
}

static NTSTATUS build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT && arg->MapApertureSegment.pMdl) {
        read_list(arg->MapApertureSegment.pMdl, driver.numbers[2]);
        driver.maps++;
    }
    if (arg->Operation != DXGK_OPERATION_TRANSFER)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    bool in = !arg->Transfer.Source.SegmentId;
    MDL *mdl = in ? arg->Transfer.Source.pMdl : arg->Transfer.Destination.pMdl;
    read_list(mdl, driver.numbers[in ? 0 : 1]);
    driver.ins += in;
    driver.outs += !in;
    if (!driver.copies)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    copy(arg, driver.numbers[in ? 0 : 1], in);
    return STATUS_SUCCESS;
}

static struct mock_adapter mock;

static void stand(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build;
    mock_front_hardware(&mock)->attach = attach;
}

/* One that goes straight to system memory, or through the aperture, with content in it. */
static vidmm_handle make(uint32_t segments, uint32_t eviction_set)
{
    struct vidmm_mock_allocation wish = mock_wish((uint64_t)PAGES * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    args.content = 1;
    wish.read_set = wish.write_set = segments;
    wish.eviction_set = eviction_set;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    return handle;
}

static void in_and_out(vidmm_handle handle)
{
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(vidmm_content_intact(mock.adapter, handle));
    assert_int_equal(vidmm_evict(mock.adapter, handle), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(vidmm_content_intact(mock.adapter, handle));
}

/* ---- content of the list -------------------------------------------------------------------- */

static void a_list_names_pages_of_the_machine(void **state)
{
    const uint64_t all = (UINT64_C(8) << 30) / MOCK_PAGE;
    (void)state;
    memset(&driver, 0, sizeof driver);
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand);
    vidmm_handle tex = make(0x1, 0), other = make(0x2, 0x2);
    in_and_out(tex);
    assert_int_equal(driver.ins, 1);
    assert_int_equal(vidmm_page_in(mock.adapter, other, true), 0);
    assert_int_equal(driver.maps, 1);
    for (size_t i = 0; i < PAGES; i++)
        for (size_t k = 0; k < PAGES; k++) {
            assert_true(driver.numbers[0][i] < all && driver.numbers[2][k] < all);
            assert_true(driver.numbers[0][i] != driver.numbers[2][k]); /* no page is shared */
        }
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

/* Memory of a caller, where that sees it. */
static void a_list_of_a_range_begins_where_the_range_does(void **state)
{
    const struct vidmm_system_range_args range = { .label = "range",
                                                   .bytes = (uint64_t)PAGES * MOCK_PAGE };
    struct vidmm_mock_allocation wish = mock_wish((uint64_t)PAGES * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle, tex;
    (void)state;
    memset(&driver, 0, sizeof driver);
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand);
    assert_int_equal(vidmm_system_range_create(mock.adapter, &range, &handle), 0);
    wish.flags |= EXISTING_SYS_MEM;
    args.system_range = handle;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &tex), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, tex, true), 0);
    const struct system_range *declared =
        handle_object(mock.adapter, handle, VIDMM_OBJECT_SYSTEM_RANGE);
    assert_true(declared->address);
    assert_int_equal((uintptr_t)driver.start, declared->address);
    mock_adapter_stop(&mock);
}

/* ---- use by a driver ------------------------------------------------------------------------ */

/* Neither a finding nor a stop, and all content arrives. */
static void a_driver_that_copies_by_page_numbers_is_right(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.copies = true;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand);
    in_and_out(make(0x1, 0));
    assert_true(driver.ins && driver.outs);
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

/* The numbers matter: with one that is wrong the content does not arrive. */
static void a_wrong_page_number_brings_no_content(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.copies = true;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand);
    vidmm_handle handle = make(0x1, 0);
    driver.wrong = 12345;
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_false(vidmm_content_intact(mock.adapter, handle));
    mock_adapter_stop(&mock);
}

/* MINI-088: no page of the machine. */
static void a_page_number_beyond_memory_is_a_finding(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof driver);
    driver.copies = true;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand);
    vidmm_handle handle = make(0x1, 0);
    driver.wrong = UINT64_C(1) << 40;
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_true(vidmm_rule_uses(mock.adapter, RULE(MINI_088)) >= 1);
    assert_true(mock_findings(&mock) >= 1);
    mock_adapter_free(&mock);
}

/* A list of the driver's own, of what does not begin at a page. */
static void only_what_is_mapped_is_unmapped(void **state)
{
    MDL part = { .ByteOffset = 8, .ByteCount = 16 };
    uint64_t held = vidmm_host_held();
    (void)state;
    MmUnmapLockedPages(NULL, &part);
    char *address = MmGetSystemAddressForMdlSafe(&part, NormalPagePriority);
    assert_non_null(address);
    memset(address, 0x5A, part.ByteCount);
    MmUnmapLockedPages(address, &part);
    MmUnmapLockedPages(address, &part);
    assert_null(part.MappedSystemVa);
    assert_int_equal(vidmm_host_held(), held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_names_pages_of_the_machine),
        cmocka_unit_test(a_list_of_a_range_begins_where_the_range_does),
        cmocka_unit_test(a_driver_that_copies_by_page_numbers_is_right),
        cmocka_unit_test(a_wrong_page_number_brings_no_content),
        cmocka_unit_test(a_page_number_beyond_memory_is_a_finding),
        cmocka_unit_test(only_what_is_mapped_is_unmapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
