/* SPDX-License-Identifier: MIT */
/* test_stops.c: the tables of stop codes, as they are read out of the catalogue. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "vidmm/vidmm_stops.h"

static void subcode(void **state)
{
    struct vidmm_stop stop;
    (void)state;
    assert_true(vidmm_stop(0x10E, 0x12, &stop));
    assert_string_equal(stop.name, "VIDEO_MEMORY_MANAGEMENT_INTERNAL");
    assert_string_equal(stop.meaning, "DMA buffer overrun by the driver");
    assert_string_equal(stop.raised, "driver");
    assert_string_equal(vidmm_rule_id(stop.rule), "BUG-002");
    assert_true(vidmm_stop(0x119, 0x3, &stop));
    assert_string_equal(stop.trigger, "SUBMIT-042");
}

/* A row may stand for several numbers, and for those between two. */
static void several_subcodes(void **state)
{
    struct vidmm_stop stop;
    (void)state;
    for (uint64_t parameter = 0x2B; parameter <= 0x2E; parameter++) {
        assert_true(vidmm_stop(0x10E, parameter, &stop));
        assert_string_equal(stop.raised, "check");
        assert_non_null(strstr(stop.meaning, "host aperture"));
    }
    assert_true(vidmm_stop(0x10E, 0x32, &stop));
    assert_non_null(strstr(stop.meaning, "paging queue deleted"));
    assert_true(vidmm_stop(0x10E, 0x2F, &stop));
    assert_string_equal(stop.trigger, "MINI-016");
}

/* Every documented subcode of 0x10E is there, and nothing after the last. */
static void all_subcodes(void **state)
{
    struct vidmm_stop stop;
    (void)state;
    for (uint64_t parameter = 0x1; parameter <= 0x44; parameter++)
        assert_true(vidmm_stop(0x10E, parameter, &stop));
    assert_false(vidmm_stop(0x10E, 0x45, &stop));
    assert_string_equal(stop.name, "VIDEO_MEMORY_MANAGEMENT_INTERNAL");
    assert_false(vidmm_stop(0x10E, 0, &stop));
}

/* BUG-004: a stop, or a record after which all goes on. */
static void other_codes(void **state)
{
    static const struct {
        uint32_t code;
        const char *name, *kind;
    } codes[] = {
        { 0x113, "VIDEO_DXGKRNL_FATAL_ERROR", "bug check" },
        { 0x116, "VIDEO_TDR_FAILURE", "bug check" },
        { 0x117, "VIDEO_TDR_TIMEOUT_DETECTED", "live dump" },
        { 0x141, "VIDEO_ENGINE_TIMEOUT_DETECTED", "live dump" },
        { 0x142, "VIDEO_TDR_APPLICATION_BLOCKED", "live dump" },
    };
    struct vidmm_stop stop;
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        assert_true(vidmm_stop(codes[i].code, 0, &stop));
        assert_string_equal(stop.name, codes[i].name);
        assert_string_equal(stop.kind, codes[i].kind);
        assert_string_equal(stop.meaning, "");
        assert_string_equal(vidmm_rule_id(stop.rule), "BUG-004");
    }
    assert_false(vidmm_stop(0x118, 0, &stop));
    assert_int_equal(stop.rule, VIDMM_RULE_NONE);
}

static void switches(void **state)
{
    struct vidmm_stop_switch row;
    (void)state;
    assert_true(vidmm_stop_switch(0x10E, 0xB, 0, &row));
    assert_string_equal(row.name, "bpb-status=S@n");
    assert_true(vidmm_stop_switch(0x10E, 0xB, 1, &row));
    assert_string_equal(row.name, "bpb-stall");
    assert_true(vidmm_stop_switch(0x10E, 0xB, 2, &row));
    assert_string_equal(row.name, "present-rects=k");
    assert_true(vidmm_stop_switch(0x10E, 0xB, 3, &row));
    assert_string_equal(row.name, "present-restart");
    assert_false(vidmm_stop_switch(0x10E, 0xB, 4, &row));
    assert_true(vidmm_stop_switch(0x10E, 0x8, 0, &row));
    assert_true(vidmm_stop_switch(0x10E, 0x10, 0, &row));
    assert_string_equal(row.name, "swizzle-status=S");
    assert_true(vidmm_stop_switch(0x141, 0, 0, &row));
    assert_string_equal(row.name, "hang=n");
    assert_false(vidmm_stop_switch(0x10E, 0x5, 0, &row));
}

/* A stop that can happen has a switch or a scenario; one that cannot has neither. */
static void shown(void **state)
{
    static const uint32_t codes[] = { 0x10E, 0x119 };
    struct vidmm_stop stop;
    char numbers[40];
    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        for (size_t row = 0; vidmm_stop_row(codes[i], row, numbers, &stop); row++) {
            bool happens = strcmp(stop.raised, "driver") == 0 || strcmp(stop.raised, "caller") == 0;
            const char *by = vidmm_stop_shown_by(codes[i], strtoull(numbers, NULL, 0), 0);
            assert_int_equal(by != NULL, happens);
        }
    assert_non_null(strstr(vidmm_stop_shown_by(0x10E, 0xB, 0), "scenarios/rules/MINI-055.vms"));
    assert_null(vidmm_stop_shown_by(0x10E, 0xB, 1));
    assert_non_null(strstr(vidmm_stop_shown_by(0x116, 6, 0), "scenarios/rules/TDR-005.vms"));
    assert_non_null(strstr(vidmm_stop_shown_by(0x117, 0, 0), "scenarios/rules/TDR-004.vms"));
    assert_non_null(vidmm_stop_shown_by(0x141, 0, 0));
    assert_non_null(vidmm_stop_shown_by(0x142, 0, 0));
    assert_null(vidmm_stop_shown_by(0x113, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subcode),      cmocka_unit_test(several_subcodes),
        cmocka_unit_test(all_subcodes), cmocka_unit_test(other_codes),
        cmocka_unit_test(switches),     cmocka_unit_test(shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
