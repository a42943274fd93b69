/* SPDX-License-Identifier: MIT */
/*
 * test_lists.c: lists that a scenario cannot write: a driver spoils one bit of them (SUBMIT-003,
 * SUBMIT-010), a caller has an allocation twice and refers to it once (SUBMIT-008), or names
 * nothing, or far too much (SUBMIT-015); and a Patch that spoils one byte of its buffer
 * (SUBMIT-040).
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { OWN = 0x7EDCBA98 }; /* a DriverId */

/* What the driver does to the lists of its next Render, and what it gets back with Patch. */
struct spoiling {
    bool locations; /* else the allocation list */
    size_t at;
    UINT bits;   /* that are set in Reserved */
    bool astray; /* and the location refers to no element */
};
static struct spoiling spoiling;
static UINT patched_ids[2];

static NTSTATUS spoil(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    D3DDDI_PATCHLOCATIONLIST *out = arg->pPatchLocationListOut;
    NTSTATUS answer = mock_front.real.DxgkDdiRender(context, arg);
    for (size_t i = 0; i < ARRAY_COUNT(patched_ids); i++)
        out[i].DriverId = OWN + (UINT)i;
    if (!spoiling.locations)
        ((DXGK_ALLOCATIONLIST *)arg->pAllocationList)[spoiling.at].Reserved =
            spoiling.bits & 0x3FFFFFF;
    else
        out[spoiling.at].Reserved = spoiling.bits & 0xFF;
    if (spoiling.astray)
        out[spoiling.at].AllocationIndex = UINT32_MAX;
    return answer;
}

static NTSTATUS keep_ids(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    for (UINT i = 0; i < arg->PatchLocationListSize && i < ARRAY_COUNT(patched_ids); i++)
        patched_ids[i] = arg->pPatchLocationList[i].DriverId;
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static void spoils_lists(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiRender = spoil;
    table->DxgkDdiPatch = keep_ids;
}

/* A NULL element, and two of one allocation, of which element `written` is written. */
static vidmm_status submit_twice(const struct mock_adapter *mock, vidmm_handle handle,
                                 size_t written, size_t locations,
                                 struct vidmm_submission *submission)
{
    const struct vidmm_use uses[] = { { 0 },
                                      { .allocation = handle, .write = written == 1 },
                                      { .allocation = handle, .write = written == 2 } };
    const struct vidmm_patch patches[] = { { .allocation_index = 1 },
                                           { .allocation_index = 2, .slot = 1 } };
    const struct vidmm_work lists = {
        .uses = uses, .use_count = 3, .patches = patches, .patch_count = locations
    };
    return mock_submit(mock, lists, (struct vidmm_mock_command){ .cost_ns = 1000 }, submission);
}

/* Locations that are shown with the DriverId of the driver. */
static UINT ids_told;

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    for (size_t i = 0; i < event->field_count && event->kind == VIDMM_EVENT_PATCH_LOCATION; i++)
        ids_told += strcmp(event->fields[i].name, "DriverId") == 0 && event->fields[i].value >= OWN;
}

static void a_reserved_bit_is_found_wherever_it_is(void **state)
{
    static const struct spoiling spoilings[] = {
        { false, 0, 1, false },      { false, 1, 1u << 25, false }, { true, 0, 1, false },
        { true, 1, 1u << 7, false }, { true, 1, 1, true },
    };
    struct vidmm_observer observer = { .on_event = on_event };
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_lists);
    vidmm_observe(mock.adapter, &observer);
    const vidmm_handle handle = mock_make(&mock);
    for (size_t i = 0; i < ARRAY_COUNT(spoilings); i++) {
        const uint64_t before = mock_findings(&mock);
        spoiling = spoilings[i];
        memset(patched_ids, 0, sizeof patched_ids);
        ids_told = 0;
        assert_int_equal(submit_twice(&mock, handle, 2, 2, NULL),
                         spoiling.astray ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS);
        /* One is for the allocation that stands in the list twice, or for the location. */
        assert_int_equal(mock_findings(&mock) - before, 2);
        for (UINT k = 0; k < ARRAY_COUNT(patched_ids); k++)
            assert_int_equal(patched_ids[k], spoiling.astray ? 0 : OWN + k);
        assert_int_equal(ids_told, spoiling.astray ? 2 : 4); /* after Render, and after Patch */
    }
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_SUCCESS);
    mock_adapter_stop(&mock);
}

/* Whichever it is, and whether or not a location names it. */
static void what_one_of_its_elements_writes_is_dirty(void **state)
{
    struct mock_adapter *mock = *state;
    for (size_t written = 1; written <= 2; written++) {
        struct vidmm_submission submission;
        const vidmm_handle handle = mock_make(mock);
        assert_int_equal(vidmm_page_in(mock->adapter, handle, true), STATUS_SUCCESS);
        assert_int_equal(submit_twice(mock, handle, written, 1, &submission), STATUS_SUCCESS);
        assert_int_equal(vidmm_wait(mock->adapter, submission), STATUS_SUCCESS);
        assert_true(mock_view(mock, handle).gpu_dirty);
    }
}

/* SUBMIT-015: a list without any element, too, and whatever else is wrong. */
static void a_device_in_error_is_the_first_reason(void **state)
{
    static const struct vidmm_use uses[VIDMM_LIST_MAX + 1];
    static const struct vidmm_work works[] = {
        { 0 },
        { .uses = uses, .use_count = ARRAY_COUNT(uses) },
        { .patch_count = VIDMM_LIST_MAX + 1 },
        { .dma_bytes = VIDMM_DMA_BYTES_MAX + 1 },
    };
    struct mock_adapter *mock = *state;
    char calls[32];
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(mock->mock);
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    assert_true(vidmm_mock_switch_set(switches, "render-status",
                                      "STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE"));
    assert_int_equal(mock_submit(mock, works[0], command, NULL),
                     STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
    (void)mock_calls(mock, calls, sizeof calls);
    for (size_t i = 0; i < ARRAY_COUNT(works); i++) {
        assert_int_equal(mock_submit(mock, works[i], command, NULL), STATUS_DEVICE_REMOVED);
        mock_refused(mock, RULE(SUBMIT_015));
    }
    assert_string_equal(mock_calls(mock, calls, sizeof calls), "");
}

/* SUBMIT-014: the first two do not fit together, and nothing stays bound over the split. */
static void any_element_may_be_the_one_that_empties_a_slot(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_SEGMENT_BYTES * 3 / 4);
    const struct vidmm_mock_command command = { .cost_ns = 1000, .bytes = 0x200 };
    struct vidmm_use uses[4] = { 0 };
    wish.read_set = wish.write_set = 0x1;
    assert_int_equal(mock_allocate(mock, &wish, &uses[1].allocation), STATUS_SUCCESS);
    assert_int_equal(mock_allocate(mock, &wish, &uses[3].allocation), STATUS_SUCCESS);
    uses[1].write = uses[3].write = true;
    const struct vidmm_patch patches[] = {
        { .allocation_index = 1 },
        { .allocation_index = 2, .patch_offset = 0x80, .split_offset = 0x80 },
        { .allocation_index = 3, .slot = 1, .patch_offset = 0x100, .split_offset = 0x100 },
    };
    const struct vidmm_work lists = {
        .uses = uses, .use_count = 4, .patches = patches, .patch_count = ARRAY_COUNT(patches)
    };
    struct vidmm_submission submission;
    assert_int_equal(mock_submit(mock, lists, command, &submission), STATUS_SUCCESS);
    assert_int_equal(vidmm_wait(mock->adapter, submission), STATUS_SUCCESS);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_DMA_SPLITS), 1);
    assert_string_equal(vidmm_device_state(mock->adapter, mock->device), "active");
}

static vidmm_handle patched_for; /* the allocation of the location that was shown last */

static void note_location(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind == VIDMM_EVENT_PATCH_LOCATION)
        patched_for = event->subject;
}

/* Nor has it the allocation that an earlier packet had there. */
static void the_last_element_may_be_none(void **state)
{
    struct mock_adapter *mock = *state;
    static struct vidmm_observer observer = { .on_event = note_location }; /* to the end of it */
    struct vidmm_use uses[] = { { .allocation = mock_make(mock) },
                                { .allocation = mock_make(mock) } };
    static const struct vidmm_patch patches[] = { { .allocation_index = 0 },
                                                  { .allocation_index = 1, .slot = 1 } };
    const struct vidmm_work lists = {
        .uses = uses, .use_count = 2, .patches = patches, .patch_count = 2
    };
    vidmm_observe(mock->adapter, &observer);
    for (int i = 0; i < 2; i++) {
        patched_for = mock->device;
        assert_int_equal(mock_submit(mock, lists, (struct vidmm_mock_command){ 0 }, NULL), 0);
        assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
        assert_int_equal(patched_for, uses[1].allocation);
        uses[1].allocation = 0;
    }
}

/* ---- what a Patch spoils -------------------------------------------------------------------- */

enum { START = 0x20000, END = START + 0x100, BYTES = END + 0x20000, AROUND = 0x10000 };

static uint32_t spoilt_byte; /* of the buffer, in the Patch of [START, END) */

static NTSTATUS spoil_byte(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    if (arg->DmaBufferSubmissionStartOffset == START)
        ((uint8_t *)arg->pDmaBuffer)[spoilt_byte] ^= 1;
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static void spoils_a_byte(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPatch = spoil_byte;
}

/* Three portions, as no two of the allocations fit together; the one in the middle is short. */
static vidmm_status submit_portions(struct mock_adapter *mock)
{
    static const struct vidmm_patch patches[] = {
        { .allocation_index = 0 },
        { .allocation_index = 1, .patch_offset = START, .split_offset = START },
        { .allocation_index = 2, .patch_offset = END, .split_offset = END },
    };
    struct vidmm_mock_allocation wish = mock_wish(MOCK_SEGMENT_BYTES * 3 / 4);
    struct vidmm_use uses[3] = { 0 };
    wish.read_set = wish.write_set = 0x1;
    for (size_t i = 0; i < ARRAY_COUNT(uses); i++)
        assert_int_equal(mock_allocate(mock, &wish, &uses[i].allocation), STATUS_SUCCESS);
    const struct vidmm_work lists = { .uses = uses,
                                      .use_count = ARRAY_COUNT(uses),
                                      .patches = patches,
                                      .patch_count = ARRAY_COUNT(patches),
                                      .dma_bytes = BYTES };
    const struct vidmm_mock_command command = { .cost_ns = 1000, .bytes = BYTES };
    return mock_submit(mock, lists, command, NULL);
}

static void a_patch_is_watched_for_64_kib_on_each_side(void **state)
{
    static const struct {
        uint32_t byte;
        bool found;
    } rows[] = {
        { START - AROUND - 1, false },
        { START - AROUND, true },
        { START - 1, true },
        { START, false },
        { END - 1, false },
        { END, true },
        { END + AROUND - 1, true },
        { BYTES - 1, false },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_a_byte);
        spoilt_byte = rows[i].byte;
        assert_int_equal(submit_portions(&mock), STATUS_SUCCESS);
        assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_DMA_SPLITS), 2);
        assert_int_equal(mock_findings(&mock), rows[i].found);
        assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_SUCCESS);
        mock_adapter_free(&mock);
    }
}

static NTSTATUS spoil_last(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    if (!arg->Flags.Paging && !arg->DmaBufferSubmissionStartOffset)
        ((D3DDDI_PATCHLOCATIONLIST *)arg->pPatchLocationList)[2].AllocationIndex = UINT32_MAX;
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static void spoils_the_last(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPatch = spoil_last;
}

/* SUBMIT-011: before the second portion all that are left are checked, not only its own. */
static void a_list_is_checked_to_its_end_after_a_split(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_the_last);
    assert_int_equal(submit_portions(&mock), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_DMA_SPLITS), 0);
    (void)mock_stopped(&mock, RULE(SUBMIT_011), 0x10E, 0x8);
    mock_adapter_free(&mock);
}

static void a_submission_names_a_context(void **state)
{
    struct mock_adapter *mock = *state;
    const vidmm_handle none[] = { 0, mock->device, UINT32_MAX };
    struct vidmm_submission submission;
    for (size_t i = 0; i < ARRAY_COUNT(none); i++) {
        const struct vidmm_work work = { .context = none[i], .label = "work" };
        assert_int_equal(vidmm_submit(mock->adapter, &work, &submission), STATUS_INVALID_HANDLE);
        mock_refused(mock, RULE(SUBMIT_002));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reserved_bit_is_found_wherever_it_is),
        cmocka_unit_test_setup_teardown(the_last_element_may_be_none, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(any_element_may_be_the_one_that_empties_a_slot,
                                        mock_adapter_setup, mock_adapter_teardown),
        cmocka_unit_test(a_patch_is_watched_for_64_kib_on_each_side),
        cmocka_unit_test(a_list_is_checked_to_its_end_after_a_split),
        cmocka_unit_test_setup_teardown(a_submission_names_a_context, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(what_one_of_its_elements_writes_is_dirty,
                                        mock_adapter_setup, mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_device_in_error_is_the_first_reason, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
