/* SPDX-License-Identifier: MIT */
/*
 * test_ddi.c: the interface headers agree with the documentation: layouts, values, flag bits,
 * statuses.
 *
 * The same layouts are checked in the drivers' dialect by ddi_dialect.c, so a driver and its host
 * cannot disagree.
 */
#include <stdio.h>

#include "tests/support/unit.h"
#include "tests/vidmm/ddi/ddi_facts.h"
#include "vidmm/ddi/d3dkmthk.h"
#include "vidmm/ddi/dispmprt.h"
#include "vidmm/ddi/ntddk.h"
#include "vidmm/ddi/ntintsafe.h"
#include "vidmm/ddi/ntstrsafe.h"

struct fact {
    const char *name;
    unsigned long long found, expected;
};

#define SIZE_FACT(type, bytes)           { "sizeof " #type, sizeof(type), bytes },
#define OFFSET_FACT(type, member, bytes) { #type "." #member, offsetof(type, member), bytes },
#define VALUE_FACT(name, value)                                                                    \
    {                                                                                              \
#name, (unsigned)(name), value                                                             \
    }

static void check_facts(const struct fact *facts, size_t count)
{
    size_t wrong = 0;

    for (size_t i = 0; i < count; i++) {
        if (facts[i].found == facts[i].expected)
            continue;
        print_error("%s is %llu, documented %llu\n", facts[i].name, facts[i].found,
                    facts[i].expected);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

#define CHECK_FACTS(facts) check_facts(facts, sizeof(facts) / sizeof *(facts))

static void test_layout(void **state)
{
    static const struct fact facts[] = { DDI_SIZES(SIZE_FACT) DDI_OFFSETS(OFFSET_FACT) };

    (void)state;
    CHECK_FACTS(facts);
}

static void test_values(void **state)
{
    static const struct fact facts[] = {
        VALUE_FACT(DXGK_OPERATION_TRANSFER, 0),
        VALUE_FACT(DXGK_OPERATION_FILL, 1),
        VALUE_FACT(DXGK_OPERATION_DISCARD_CONTENT, 2),
        VALUE_FACT(DXGK_OPERATION_MAP_APERTURE_SEGMENT, 5),
        VALUE_FACT(DXGK_OPERATION_UNMAP_APERTURE_SEGMENT, 6),
        VALUE_FACT(DXGK_OPERATION_SPECIAL_LOCK_TRANSFER, 7),
        VALUE_FACT(DXGK_OPERATION_INIT_CONTEXT_RESOURCE, 10),
        VALUE_FACT(DXGK_OPERATION_NOTIFY_RESIDENCY, 15),
        VALUE_FACT(DXGK_OPERATION_MAP_APERTURE_SEGMENT2, 17),
        VALUE_FACT(DXGK_OPERATION_NOTIFY_ALLOC, 22),
        VALUE_FACT(DXGKQAITYPE_DRIVERCAPS, 1),
        VALUE_FACT(DXGKQAITYPE_QUERYSEGMENT, 2),
        VALUE_FACT(DXGKQAITYPE_QUERYSEGMENT3, 5),
        VALUE_FACT(DXGKQAITYPE_QUERYSEGMENT4, 11),
        VALUE_FACT(DXGKQAITYPE_SEGMENTMEMORYSTATE, 12),
        VALUE_FACT(DXGKQAITYPE_PHYSICALADAPTERCAPS, 15),
        VALUE_FACT(DXGKDDI_WDDMv1, 0x1000),
        VALUE_FACT(DXGKDDI_WDDMv1_3, 0x1300),
        VALUE_FACT(DXGKDDI_WDDMv2, 0x2000),
        VALUE_FACT(DXGKDDI_WDDMv2_9, 0x2900),
        VALUE_FACT(DXGKDDI_WDDMv3_2, 0x3200),
        VALUE_FACT(DXGKDDI_INTERFACE_VERSION_WIN7, 0x2005),
        VALUE_FACT(DXGKDDI_INTERFACE_VERSION_WDDM2_0, 0x5023),
        VALUE_FACT(DXGK_INTERRUPT_DMA_COMPLETED, 1),
        VALUE_FACT(DXGK_INTERRUPT_DMA_PREEMPTED, 2),
        VALUE_FACT(DXGK_INTERRUPT_DMA_FAULTED, 4),
        VALUE_FACT(DXGK_HANDLE_ALLOCATION, 1),
        VALUE_FACT(D3DKMDT_STANDARDALLOCATION_GDISURFACE, 4),
        VALUE_FACT(D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY, 100),
        VALUE_FACT(D3DDDI_ALLOCATIONPRIORITY_MINIMUM, 0x28000000),
        VALUE_FACT(D3DDDI_ALLOCATIONPRIORITY_NORMAL, 0x78000000),
        VALUE_FACT(D3DDDI_ALLOCATIONPRIORITY_MAXIMUM, 0xC8000000),
        VALUE_FACT(D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL, 0xFFFFFFFF),
        VALUE_FACT(D3DDDIFMT_X8R8G8B8, 22),
        VALUE_FACT(D3DDDIFMT_INDEX32, 102),
        VALUE_FACT(D3DDDIFMT_YUY2, 0x32595559),
        VALUE_FACT(MAKEFOURCC('Y', 'U', 'Y', '2'), 0x32595559),
        VALUE_FACT(MDL_PAGES_LOCKED, 2),
        VALUE_FACT(MmWriteCombined, 2),
    };

    (void)state;
    CHECK_FACTS(facts);
}

static void test_statuses(void **state)
{
    static const struct fact facts[] = {
        VALUE_FACT(STATUS_SUCCESS, 0x00000000),
        VALUE_FACT(STATUS_PENDING, 0x00000103),
        VALUE_FACT(STATUS_UNSUCCESSFUL, 0xC0000001),
        VALUE_FACT(STATUS_INVALID_HANDLE, 0xC0000008),
        VALUE_FACT(STATUS_INVALID_PARAMETER, 0xC000000D),
        VALUE_FACT(STATUS_NO_MEMORY, 0xC0000017),
        VALUE_FACT(STATUS_ILLEGAL_INSTRUCTION, 0xC000001D),
        VALUE_FACT(STATUS_PRIVILEGED_INSTRUCTION, 0xC0000096),
        VALUE_FACT(STATUS_INSUFFICIENT_RESOURCES, 0xC000009A),
        VALUE_FACT(STATUS_NOT_SUPPORTED, 0xC00000BB),
        VALUE_FACT(STATUS_INVALID_USER_BUFFER, 0xC00000E8),
        VALUE_FACT(STATUS_DEVICE_REMOVED, 0xC00002B6),
        VALUE_FACT(STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER, 0xC01E0001),
        VALUE_FACT(STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER, 0xC01E0002),
        VALUE_FACT(STATUS_GRAPHICS_ADAPTER_WAS_RESET, 0xC01E0003),
        VALUE_FACT(STATUS_GRAPHICS_CANNOTCOLORCONVERT, 0xC01E0008),
        VALUE_FACT(STATUS_GRAPHICS_DRIVER_MISMATCH, 0xC01E0009),
        VALUE_FACT(STATUS_GRAPHICS_NO_VIDEO_MEMORY, 0xC01E0100),
        VALUE_FACT(STATUS_GRAPHICS_CANT_LOCK_MEMORY, 0xC01E0101),
        VALUE_FACT(STATUS_GRAPHICS_ALLOCATION_BUSY, 0xC01E0102),
        VALUE_FACT(STATUS_GRAPHICS_TOO_MANY_REFERENCES, 0xC01E0103),
        VALUE_FACT(STATUS_GRAPHICS_ALLOCATION_INVALID, 0xC01E0106),
        VALUE_FACT(STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE, 0xC01E0107),
        VALUE_FACT(STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED, 0xC01E0108),
        VALUE_FACT(STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION, 0xC01E0109),
        VALUE_FACT(STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE, 0xC01E0110),
        VALUE_FACT(STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION, 0xC01E0111),
        VALUE_FACT(STATUS_GRAPHICS_INVALID_ALLOCATION_INSTANCE, 0xC01E0113),
        VALUE_FACT(STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE, 0xC01E0114),
        VALUE_FACT(STATUS_GRAPHICS_WRONG_ALLOCATION_DEVICE, 0xC01E0115),
        VALUE_FACT(STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST, 0xC01E0116),
        VALUE_FACT(STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE, 0xC01E0200),
        VALUE_FACT(E_PENDING, 0x8000000A),
        VALUE_FACT(E_INVALIDARG, 0x80070057),
        VALUE_FACT(E_OUTOFMEMORY, 0x8007000E),
        VALUE_FACT(S_NOT_RESIDENT, 0x08760875),
        VALUE_FACT(D3DERR_OUTOFVIDEOMEMORY, 0x8876017C),
        VALUE_FACT(D3DERR_WASSTILLDRAWING, 0x8876021C),
        VALUE_FACT(D3DDDIERR_NOTAVAILABLE, 0x8876086A),
        VALUE_FACT(D3DDDIERR_DEVICEREMOVED, 0x88760870),
        VALUE_FACT(D3DDDIERR_CANTEVICTPINNEDALLOCATION, 0xC0262109),
        VALUE_FACT(ERROR_GRAPHICS_GPU_EXCEPTION_ON_DEVICE, 0xC0262200),
    };

    (void)state;
    CHECK_FACTS(facts);
    assert_true(NT_SUCCESS(STATUS_PENDING));
    assert_false(NT_SUCCESS(STATUS_GRAPHICS_ALLOCATION_BUSY));
    assert_true(NT_ERROR(STATUS_GRAPHICS_ALLOCATION_BUSY));
    assert_true(NT_WARNING(STATUS_BUFFER_OVERFLOW));
}

/* Sets one member and expects exactly one word of bits. */
#define BIT_FACT(type, member, bits)                                                               \
    do {                                                                                           \
        type word = { .Value = 0 };                                                                \
        word.member = ~0u;                                                                         \
        if (word.Value != (bits))                                                                  \
            fail_msg(#type "." #member " is 0x%08X", word.Value);                                  \
    } while (0)

/* The value of a bit field is cut to its width on purpose. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Woverflow"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wbitfield-constant-conversion"
#endif

static void test_segment_bits(void **state)
{
    (void)state;
    BIT_FACT(DXGK_SEGMENTFLAGS, Aperture, 0x1u);
    BIT_FACT(DXGK_SEGMENTFLAGS, CpuVisible, 0x4u);
    BIT_FACT(DXGK_SEGMENTFLAGS, UseBanking, 0x8u);
    BIT_FACT(DXGK_SEGMENTFLAGS, CacheCoherent, 0x10u);
    BIT_FACT(DXGK_SEGMENTFLAGS, PopulatedFromSystemMemory, 0x40u);
    BIT_FACT(DXGK_SEGMENTFLAGS, DirectFlip, 0x400u);
    BIT_FACT(DXGK_SEGMENTFLAGS, Use64KBPages, 0x800u);
    BIT_FACT(DXGK_SEGMENTFLAGS, PopulatedByReservedDDRByFirmware, 0x200000u);
    BIT_FACT(DXGK_SEGMENTFLAGS, Reserved, 0xFFC00000u);
    BIT_FACT(DXGK_SEGMENTBANKPREFERENCE, Bank1, 0x7F00u);
    BIT_FACT(DXGK_SEGMENTPREFERENCE, SegmentId0, 0x1Fu);
    BIT_FACT(DXGK_SEGMENTPREFERENCE, Direction0, 0x20u);
    BIT_FACT(DXGK_SEGMENTPREFERENCE, SegmentId4, 0x1F000000u);
    BIT_FACT(DXGK_VIDMMCAPS, OutOfOrderLock, 0x1u);
    BIT_FACT(DXGK_VIDMMCAPS, MapAperture2Supported, 0x4000u);
    BIT_FACT(DXGK_VIDSCHCAPS, HwQueuePacketCap, 0x780u);
    BIT_FACT(DXGK_PRESENTATIONCAPS, MaxTextureWidthShift, 0x1C000u);
    BIT_FACT(DXGK_PRESENTATIONCAPS, Reserved, 0x80000000u);
}

static void test_allocation_bits(void **state)
{
    (void)state;
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, CpuVisible, 0x1u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, FromEndOfSegment, 0x40u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, SynchronousPaging, 0x800u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, HistoryBuffer, 0x4000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, CpuVisibleOnDemand, 0x40000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, DXGK_ALLOC_RESERVED16, 0x80000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, DXGK_ALLOC_RESERVED4, 0x8000000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS, DXGK_ALLOC_RESERVED0, 0x80000000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, DisableLargePageMapping, 0x80u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, CreateInVpr, 0x400u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, MapApertureCpuVisible, 0x2000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, AccessedPhysically, 0x8000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, CpuVisibleOnDemand, 0x40000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, DXGK_ALLOC_RESERVED0, 0x80000000u);
    BIT_FACT(DXGK_ALLOCATIONINFOFLAGS2, NotifyIoMmuUnmap, 0x20u);
    BIT_FACT(DXGK_TRANSFERFLAGS, AllocationIsIdle, 0x4u);
    BIT_FACT(DXGK_TRANSFERFLAGS, TransferStart, 0x8u);
    BIT_FACT(DXGK_TRANSFERFLAGS, TransferEnd, 0x10u);
    BIT_FACT(DXGK_DISCARDCONTENTFLAGS, AllocationIsIdle, 0x1u);
    BIT_FACT(DXGK_MAPAPERTUREFLAGS, CacheCoherent, 0x1u);
    BIT_FACT(DXGK_SUBMITCOMMANDFLAGS, Resubmission, 0x80u);
    BIT_FACT(D3DDDI_PATCHLOCATIONLIST, SlotId, 0xFFFFFFu);
    BIT_FACT(D3DDDICB_LOCKFLAGS, ReadOnly, 0x1u);
    BIT_FACT(D3DDDICB_LOCKFLAGS, DonotWait, 0x4u);
    BIT_FACT(D3DDDICB_LOCKFLAGS, AcquireAperture, 0x40u);
    BIT_FACT(D3DDDICB_LOCKFLAGS, IgnoreReadSync, 0x400u);
    BIT_FACT(D3DDDICB_LOCKFLAGS, Reserved, 0xFFFFF800u);
}

#pragma GCC diagnostic pop

static void test_helpers(void **state)
{
    struct {
        int before;
        LIST_ENTRY link;
    } a = { 1, { NULL, NULL } }, b = { 2, { NULL, NULL } };
    LIST_ENTRY head;
    char text[8] = "";
    ULONG sum = 0;

    (void)state;
    InitializeListHead(&head);
    assert_true(IsListEmpty(&head));
    InsertTailList(&head, &a.link);
    InsertHeadList(&head, &b.link);
    assert_ptr_equal(RemoveHeadList(&head), &b.link);
    assert_true(RemoveEntryList(&a.link));

    assert_int_equal(RtlULongAdd(MAXULONG, 1, &sum), STATUS_INTEGER_OVERFLOW);
    assert_int_equal(sum, MAXULONG);
    assert_int_equal(RtlULongMult(6, 7, &sum), STATUS_SUCCESS);
    assert_int_equal(sum, 42);

    assert_int_equal(RtlStringCbPrintfA(text, sizeof text, "%s-%d", "abc", 5), STATUS_SUCCESS);
    assert_int_equal(RtlStringCbCatA(text, sizeof text, "defg"), STATUS_BUFFER_OVERFLOW);
    assert_string_equal(text, "abc-5de");
    assert_int_equal(RtlStringCbCopyA(text, 0, "x"), STATUS_INVALID_PARAMETER);
}

/* Page numbers follow the list; a range that begins inside a page may span one page more. */
static void test_memory_descriptor_list(void **state)
{
    union {
        MDL mdl;
        UCHAR bytes[sizeof(MDL) + 3 * sizeof(PFN_NUMBER)];
    } store;

    (void)state;
    assert_ptr_equal(MmGetMdlPfnArray(&store.mdl), store.bytes + sizeof(MDL));
    assert_int_equal(ADDRESS_AND_SIZE_TO_SPAN_PAGES(0x1FFF, 0x1002), 3);
    assert_int_equal(MmSizeOfMdl(0x1FFF, 0x1002), sizeof store.bytes);
    assert_int_equal(BYTES_TO_PAGES(0x1001), 2);
    assert_int_equal(ROUND_TO_PAGES(0x1001), 0x2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_segment_bits),
        cmocka_unit_test(test_allocation_bits),
        cmocka_unit_test(test_helpers),
        cmocka_unit_test(test_memory_descriptor_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
