/* SPDX-License-Identifier: MIT */
/* test_tables.c: statuses, flags, events, counters, reasons and settings as data. */
#include <stdio.h>
#include <string.h>

#include "paging/time/cost.h"
#include "tests/support/unit.h"
#include "vidmm/catalogue/catalogue.h"
#include "vidmm/ddi/ntstatus.h"

/* ---- statuses ---------------------------------------------------------------------------------
 */

static void status_rows_are_found_by_all_their_names(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct vidmm_status_info *row; (row = vidmm_status_row(count)) != NULL; count++) {
        assert_ptr_equal(vidmm_status_info(row->status), row);
        assert_ptr_equal(vidmm_status_by_name(row->name), row);
        assert_ptr_equal(vidmm_status_by_name(row->name + strlen("STATUS_")), row);
        if (row->hresult_name)
            assert_ptr_equal(vidmm_status_by_name(row->hresult_name), row);
    }
    assert_int_equal(count, 32);
}

static void status_values_are_the_documented_ones(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t status, hresult;
    } facts[] = {
        { "SUCCESS", 0, 0 },
        { "PENDING", 0x103, 0x8000000A },
        { "INVALID_PARAMETER", 0xC000000D, 0x80070057 },
        { "NO_MEMORY", 0xC0000017, 0x8007000E },
        { "NO_VIDEO_MEMORY", 0xC01E0100, 0x8876017C },
        { "STATUS_NO_VIDEO_MEMORY", 0xC01E0100, 0x8876017C },
        { "ALLOCATION_BUSY", 0xC01E0102, 0x8876021C },
        { "D3DDDIERR_WASSTILLDRAWING", 0xC01E0102, 0x8876021C },
        { "D3DDDIERR_NOTAVAILABLE", 0xC01E0107, 0x8876086A },
        { "ERROR_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION", 0xC01E0109, 0xC0262109 },
        { "CANT_RENDER_LOCKED_ALLOCATION", 0xC01E0111, 0xC0262111 },
        { "ALLOCATION_CONTENT_LOST", 0xC01E0116, 0xC0262116 },
        { "DEVICE_REMOVED", 0xC00002B6, 0x88760870 },
        { "CANNOTCOLORCONVERT", 0xC01E0008, 0 },
        { "DRIVER_MISMATCH", 0xC01E0009, 0 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(facts); i++) {
        const struct vidmm_status_info *row = vidmm_status_by_name(facts[i].name);
        assert_non_null(row);
        assert_int_equal((uint32_t)row->status, facts[i].status);
        assert_int_equal(row->hresult, facts[i].hresult);
    }
    assert_null(vidmm_status_by_name("NO_SUCH_STATUS"));
    assert_null(vidmm_status_by_name(""));
    assert_null(vidmm_status_info(0x12345));
    assert_string_equal(vidmm_status_info(STATUS_GRAPHICS_ALLOCATION_BUSY)->hresult_name,
                        "D3DERR_WASSTILLDRAWING");
}

/* ---- flags ------------------------------------------------------------------------------------
 */

static void flags_have_names_versions_and_texts(void **state)
{
    (void)state;
    char text[80];
    assert_int_equal(vidmm_flag_by_name(VIDMM_FLAGS_ALLOCATION, "Swizzled")->value, 0x80);
    assert_null(vidmm_flag_by_name(VIDMM_FLAGS_ALLOCATION2_0, "Swizzled"));
    assert_null(vidmm_flag_by_name(VIDMM_FLAGS_ALLOCATION, "swizzled"));
    assert_int_equal(vidmm_flag_by_name(VIDMM_FLAGS_PRIORITY, "normal")->value, 0x78000000);
    assert_string_equal(vidmm_flag_row(VIDMM_FLAGS_SEGMENT, 0)->name, "Aperture");
    assert_null(vidmm_flag_row(VIDMM_FLAGS_LOCK, 11));

    /* FLAG-003: the reserved bits depend on the version. */
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION, 10), 0x00003FFF);
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION, 13), 0x00007FFF);
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION, 20), 0x0007FFFF);
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION2_0, 20), 0x0007C37F);
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION2_0, 21), 0x0007C7FF);
    assert_int_equal(vidmm_flags_defined(VIDMM_FLAGS_ALLOCATION2_0, 29), 0x0007E7FF);

    /* Each set has its rows, and together they have all: the order of the enum. */
    size_t rows = 0;
    for (int set = 0; set < VIDMM_FLAG_SETS; set++) {
        const struct vidmm_flag *row;
        for (size_t i = 0; (row = vidmm_flag_row((enum vidmm_flag_set)set, i)) != NULL; i++, rows++)
            assert_int_equal(row->set, set);
    }
    static const char all[] = {
#define FLAG(set, name, value, since, until) 0,
#include "vidmm/vidmm_flags.def"
    };
    assert_int_equal(rows, sizeof all);

    /* KMT-001: the masks of reserved bits. */
    static const struct {
        uint32_t wddm, reserved;
    } widths[] = {
        { 11, 0xFFFFFFC0 }, { 12, 0xFFFFF800 }, { 13, 0xFFFF0000 }, { 22, 0xFFFF0000 },
        { 23, 0xFFFC0000 }, { 25, 0xFFFC0000 }, { 26, 0xFFF80000 }, { 27, 0xFFE00000 },
        { 29, 0xFFE00000 }, { 30, 0xFFC00000 }, { 31, 0xFFC00000 }, { 32, 0xFF800000 },
    };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        assert_int_equal(~vidmm_flags_defined(VIDMM_FLAGS_KMT, widths[i].wddm), widths[i].reserved);

    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_ALLOCATION, 5, text, sizeof text),
                        "CpuVisible,Cached");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_ALLOCATION, 0x80000001, text, sizeof text),
                        "CpuVisible,0x80000000");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_ALLOCATION, 0, text, sizeof text), "0");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_PRIORITY, 0x78000000, text, sizeof text),
                        "NORMAL");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_PRIORITY, 0x78000001, text, sizeof text),
                        "0x78000001");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_ALLOCATION, 5, text, 7), "CpuVis");

    char long_text[120];
    assert_string_equal(vidmm_flags_reserved_text(VIDMM_FLAGS_SEGMENT, 0x80001C04, 11, long_text,
                                                  sizeof long_text),
                        "DirectFlip exists from WDDM 1.2 on, Use64KBPages, ReservedSysMem exist "
                        "from WDDM 2.0 on, 0x80000000");
    assert_string_equal(vidmm_flags_reserved_text(VIDMM_FLAGS_SEGMENT, 0x1C04, 20, text,
                                                  sizeof text),
                        "");
    assert_string_equal(vidmm_flags_reserved_text(VIDMM_FLAGS_SEGMENT, 0x1C04, 13, text, 7),
                        "Use64K");
    assert_string_equal(vidmm_flags_text(VIDMM_FLAGS_ALLOCATION, 5, text, 1), "");
}

/* ---- events, counters, reasons ----------------------------------------------------------------
 */

static void names_lead_back_to_their_numbers(void **state)
{
    (void)state;
    for (int i = 1; i < VIDMM_EVENT_KINDS; i++) {
        const struct vidmm_event_info *info = vidmm_event_info((enum vidmm_event_kind)i);
        assert_int_equal(vidmm_event_by_name(info->name), i);
        assert_true(info->group[0] && info->text[0]);
    }
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        assert_int_equal(vidmm_counter_by_name(vidmm_counter_info((enum vidmm_counter)i)->name), i);
    for (int i = 0; i < VIDMM_WAIT_REASON_COUNT; i++)
        assert_int_equal(vidmm_wait_reason_by_name(
                             vidmm_wait_reason_name((enum vidmm_wait_reason)i)),
                         i);
    assert_int_equal(vidmm_event_by_name("no-such-event"), VIDMM_EVENT_NONE);
    assert_int_equal(vidmm_counter_by_name("no_such_counter"), VIDMM_COUNTERS);
    assert_int_equal(vidmm_wait_reason_by_name("boredom"), VIDMM_WAIT_REASON_COUNT);
}

/* Gauges are followed by their maximum, sums by their causes (events.c, validate.c). */
static void counters_stand_where_code_expects_them(void **state)
{
    (void)state;
    assert_int_equal(VIDMM_COUNTER_BACKING_BYTES_MAX, VIDMM_COUNTER_BACKING_BYTES + 1);
    assert_int_equal(VIDMM_COUNTER_LOCKED_PAGES_MAX, VIDMM_COUNTER_LOCKED_PAGES + 1);
    assert_int_equal(VIDMM_COUNTER_EVICTIONS_SUSPENDED - VIDMM_COUNTER_EVICTIONS, 5);
    assert_int_equal(VIDMM_COUNTER_FAULTS_RECLAIMED - VIDMM_COUNTER_FAULTS, 6);
}

/* ---- settings ---------------------------------------------------------------------------------
 */

static bool store(struct vidmm_settings *settings, const char *name, uint64_t value)
{
    const char *why = NULL;
    size_t index = vidmm_setting_by_name(name);
    assert_int_not_equal(index, SIZE_MAX);
    bool stored = vidmm_setting_store(settings, index, value, &why);
    assert_true(stored == (why == NULL));
    return stored;
}

static void settings_have_documented_defaults(void **state)
{
    (void)state;
    struct vidmm_settings settings;
    vidmm_settings_init(&settings);
    assert_int_equal(settings.value[VIDMM_SETTING_WDDM], 11);
    assert_int_equal(settings.value[VIDMM_SETTING_PAGE], 4096);
    assert_int_equal(settings.value[VIDMM_SETTING_PINNED_PERCENT], 20);
    assert_int_equal(settings.value[VIDMM_SETTING_MAX_LOCK_REFS], 2147483647);
    assert_int_equal(settings.cost_set, 0);
    size_t count = 0;
    for (const struct vidmm_setting_info *row; (row = vidmm_setting_row(count)) != NULL; count++)
        assert_int_equal(vidmm_setting_by_name(row->name), count);
    assert_int_equal(count, VIDMM_SETTINGS + 18);
    assert_int_equal(vidmm_setting_by_name("line-rate"), SIZE_MAX); /* for information only */
    assert_false(vidmm_setting_row(VIDMM_SETTING_WDDM)->at_run_time);
    assert_false(vidmm_setting_row(VIDMM_SETTING_PINNED_PERCENT)->at_run_time);
    assert_true(vidmm_setting_row(VIDMM_SETTING_STRICT)->at_run_time);
}

static void settings_refuse_what_is_out_of_range(void **state)
{
    (void)state;
    struct vidmm_settings settings;
    vidmm_settings_init(&settings);
    assert_true(store(&settings, "wddm", 32));
    assert_false(store(&settings, "wddm", 28));
    assert_false(store(&settings, "wddm", 14));
    assert_true(store(&settings, "page", 16384));
    assert_false(store(&settings, "page", 5000));
    assert_false(store(&settings, "page", 0));
    assert_true(store(&settings, "pinned-percent", 100));
    assert_false(store(&settings, "pinned-percent", 101));
    assert_true(store(&settings, "max-transfer", 32768));
    assert_false(store(&settings, "max-transfer", 4096));
    assert_false(store(&settings, "max-lock-refs", 0));
    assert_true(store(&settings, "strict", 1));
    assert_false(store(&settings, "strict", 2));
    assert_int_equal(settings.value[VIDMM_SETTING_STRICT], 1);
}

static void words_of_a_setting_are_numbered(void **state)
{
    (void)state;
    const struct vidmm_setting_info *row = vidmm_setting_row(VIDMM_SETTING_DIRECTION_ZERO);
    assert_int_equal(vidmm_setting_word(row, "auto"), 0);
    assert_int_equal(vidmm_setting_word(row, "bottom-up"), 1);
    assert_int_equal(vidmm_setting_word(row, "vidmm"), 2);
    assert_int_equal(vidmm_setting_word(row, "bottom"), SIZE_MAX);
    assert_int_equal(vidmm_setting_word(row, ""), SIZE_MAX);
    assert_int_equal(vidmm_setting_word(vidmm_setting_row(VIDMM_SETTING_PAGE), "auto"), SIZE_MAX);
}

static void single_cost_parameters_win_over_the_profile(void **state)
{
    (void)state;
    struct vidmm_settings settings;
    struct cost_params cost;
    vidmm_settings_init(&settings);
    assert_true(store(&settings, "submit-ns", 7));
    assert_true(store(&settings, "profile", COST_PROFILE_UNIT));
    settings_cost(&settings, &cost);
    assert_int_equal(cost.submit_ns, 7);
    assert_int_equal(cost.ddi_ns, 0);
    assert_int_equal(cost.h2d_rate, 1000000000);
    assert_true(store(&settings, "profile", COST_PROFILE_PCIE3));
    assert_true(store(&settings, "h2d-rate", 0));
    settings_cost(&settings, &cost);
    assert_int_equal(cost.submit_ns, 7);
    assert_int_equal(cost.ddi_ns, 500);
    assert_int_equal(cost.h2d_rate, 0);
    assert_int_equal(cost.d2h_rate, 12800000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_rows_are_found_by_all_their_names),
        cmocka_unit_test(status_values_are_the_documented_ones),
        cmocka_unit_test(flags_have_names_versions_and_texts),
        cmocka_unit_test(names_lead_back_to_their_numbers),
        cmocka_unit_test(counters_stand_where_code_expects_them),
        cmocka_unit_test(settings_have_documented_defaults),
        cmocka_unit_test(settings_refuse_what_is_out_of_range),
        cmocka_unit_test(words_of_a_setting_are_numbered),
        cmocka_unit_test(single_cost_parameters_win_over_the_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
