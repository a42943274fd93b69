/* SPDX-License-Identifier: MIT */
/*
 * test_verify.c: a driver whose commands map and unmap other pages than it was told (MINI-071,
 * MINI-074). One packet maps `in` into the last quarter of the aperture and unmaps `out` from the
 * rest.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

enum { ALL_PAGES = MOCK_SEGMENT_BYTES / MOCK_PAGE, IN_PAGES = ALL_PAGES / 4 };

/* What it does instead of what it is told. */
struct stray {
    bool unmaps;         /* in an unmap, or in a map */
    ULONG skipped, left; /* so many pages at the start, and at the end, are not named */
    ULONG moved;         /* the first page of the list is another one */
};

static const struct stray *stray; /* NULL: it does as it is told */
static char finding[240];
static HANDLE first_mapped; /* NULL: nothing is yet */

static NTSTATUS build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    DXGKARG_BUILDPAGINGBUFFER other = *arg;
    if (arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT && !first_mapped)
        first_mapped = arg->MapApertureSegment.hAllocation;
    if (arg->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
        assert_ptr_equal(arg->UnmapApertureSegment.hAllocation, first_mapped);
    if (stray && !stray->unmaps && arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT) {
        other.MapApertureSegment.OffsetInPages += stray->skipped;
        other.MapApertureSegment.MdlOffset += stray->skipped + stray->moved;
        other.MapApertureSegment.NumberOfPages -= stray->skipped + stray->left;
    }
    if (stray && stray->unmaps && arg->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT) {
        other.UnmapApertureSegment.OffsetInPages += stray->skipped;
        other.UnmapApertureSegment.NumberOfPages -= stray->skipped + stray->left;
    }
    NTSTATUS answer = mock_front.real.DxgkDdiBuildPagingBuffer(adapter, &other);
    arg->pDmaBuffer = other.pDmaBuffer;
    arg->pDmaBufferPrivateData = other.pDmaBufferPrivateData;
    arg->MultipassOffset = other.MultipassOffset;
    return answer;
}

static void stand(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build;
}

/* The first one of each case is kept. */
static void note(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind != VIDMM_EVENT_FINDING || finding[0])
        return;
    for (size_t i = 0; i < event->field_count; i++)
        if (!strcmp(event->fields[i].name, "text"))
            (void)snprintf(finding, sizeof finding, "%s", event->fields[i].text);
}

static vidmm_handle make(struct mock_adapter *mock, const char *label, uint64_t content,
                         uint64_t pages)
{
    struct vidmm_mock_allocation wish = mock_wish(pages * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args(label, &wish);
    vidmm_handle handle;
    args.content = content;
    wish.read_set = wish.write_set = wish.eviction_set = 0x2;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle), 0);
    return handle;
}

static void what_a_command_did_is_looked_at(void **state)
{
    static const struct {
        struct stray stray;
        const char *finding, *problem; /* of the content that is mapped; NULL: there is none */
    } cases[] = {
        { { false, 0, 0, 0 }, "", NULL },
        { { true, 0, 0, 0 }, "", NULL },
        { { false, 1, 0, 0 },
          "after MAP_APERTURE_SEGMENT page 192 of segment 2 does not show page 0 of in, but the "
          "dummy page",
          "page 0 in segment 2: there is no page of system memory, not page 0 of in (first content "
          "2)" },
        { { false, 0, 1, 0 },
          "after MAP_APERTURE_SEGMENT page 255 of segment 2 does not show page 63 of in, but the "
          "dummy page",
          "page 63 in segment 2: there is no page of system memory, not page 63 of in (first "
          "content 2)" },
        { { false, 0, 1, 1 },
          "after MAP_APERTURE_SEGMENT page 192 of segment 2 does not show page 0 of in, but page 1 "
          "of in (first content 2)",
          "page 0 in segment 2: there is page 1 of in (first content 2), not page 0 of in (first "
          "content 2)" },
        { { true, 1, 0, 0 },
          "after UNMAP_APERTURE_SEGMENT page 0 of segment 2 does not show the dummy page, but page "
          "0 of out (first content 1)",
          NULL },
        { { true, 0, 1, 0 },
          "after UNMAP_APERTURE_SEGMENT page 191 of segment 2 does not show the dummy page, but "
          "page 191 of out (first content 1)",
          NULL },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct mock_adapter mock;
        char problem[240];
        stray = NULL;
        first_mapped = NULL;
        finding[0] = '\0';
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.hook = stand;
        mock.observer.on_event = note;
        mock_adapter_start(&mock);
        vidmm_handle out = make(&mock, "out", 1, ALL_PAGES - IN_PAGES);
        vidmm_handle in = make(&mock, "in", 2, IN_PAGES), late = make(&mock, "late", 3, IN_PAGES);
        assert_int_equal(vidmm_page_in(mock.adapter, out, false), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);

        stray = &cases[i].stray;
        const struct vidmm_use uses[] = { { .allocation = in }, { .allocation = late } };
        const struct vidmm_patch patches[] = { { .allocation_index = 0 },
                                               { .allocation_index = 1, .slot = 1 } };
        assert_int_equal(mock_submit(&mock,
                                     (struct vidmm_work){ .uses = uses,
                                                          .use_count = 2,
                                                          .patches = patches,
                                                          .patch_count = 2 },
                                     (struct vidmm_mock_command){ 0 }, NULL),
                         0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_string_equal(finding, cases[i].finding);
        if (vidmm_content_problem(mock.adapter, in, problem, sizeof problem))
            assert_string_equal(problem, cases[i].problem);
        else
            assert_null(cases[i].problem);
        mock_adapter_free(&mock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_command_did_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
