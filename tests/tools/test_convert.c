/* SPDX-License-Identifier: MIT */
/* test_convert.c: each reader of a trace, with bytes made here, plain and packed. */
#define _POSIX_C_SOURCE 200809L /* fmemopen, open_memstream */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

#include "tests/support/unit.h"
#include "tools/convert/convert.h"
#include "tools/convert/objects.h"

struct outcome {
    bool whole;
    char *text;
    struct convert_report report;
};

static struct outcome convert(const void *bytes, size_t count,
                              const struct convert_options *options)
{
    struct outcome outcome = { 0 };
    size_t length;
    FILE *in = fmemopen((void *)(uintptr_t)bytes, count, "rb");
    FILE *out = open_memstream(&outcome.text, &length);
    assert_non_null(in);
    assert_non_null(out);
    outcome.whole = convert_trace(in, "t", options, out, &outcome.report);
    assert_int_equal(fclose(in) | fclose(out), 0);
    return outcome;
}

static void forget(struct outcome *outcome)
{
    convert_report_free(&outcome->report);
    free(outcome->text);
}

/* The lines of the scenario that do something with an object. */
static void expect_body(const struct outcome *outcome, const char *wanted)
{
    char body[4096] = "";
    assert_true(outcome->whole);
    for (char *line = outcome->text; *line; line += strcspn(line, "\n") + 1)
        if (strncmp(line, "create", 6) == 0 || strncmp(line, "page-in", 7) == 0 ||
            strncmp(line, "destroy", 7) == 0)
            strncat(body, line, strcspn(line, "\n") + 1);
    assert_string_equal(body, wanted);
}

static void expect_refused(const void *bytes, size_t count, const struct convert_options *options,
                           const char *why)
{
    struct outcome outcome = convert(bytes, count, options);
    assert_false(outcome.whole);
    assert_string_equal(outcome.text, "");
    if (!strstr(text_get(&outcome.report.problem), why))
        fail_msg("'%s' is not in: %s", why, text_get(&outcome.report.problem));
    forget(&outcome);
}

/* ---- oracleGeneral ------------------------------------------------------------------------- */

enum { RECORD = 24 };

static void put_record(unsigned char *to, uint64_t object, uint32_t size, int64_t next)
{
    const uint32_t time = 7;
    memcpy(to, &time, 4);
    memcpy(to + 4, &object, 8);
    memcpy(to + 12, &size, 4);
    memcpy(to + 16, &next, 8);
}

static void reads_oracle(void **state)
{
    unsigned char trace[4 * RECORD];
    const struct convert_options options = { .capacity.amount = 1 << 20 };
    (void)state;
    put_record(trace, UINT64_MAX, 4096, 2);
    put_record(trace + RECORD, 0, 4097, INT64_MAX);
    put_record(trace + 2 * RECORD, UINT64_MAX, 4096, -1);
    put_record(trace + 3 * RECORD, 5, 0, -1); /* of no byte: as libCacheSim does, left out */
    struct outcome outcome = convert(trace, sizeof trace, &options);
    expect_body(&outcome, "create @1 : object size=4K\npage-in @1\n"
                          "create @2 : object size=8K\npage-in @2\npage-in @1\n");
    assert_non_null(strstr(text_get(&outcome.report.assumed), "left out: 1 request of size 0"));
    assert_null(strstr(text_get(&outcome.report.doubts), "foretell"));
    forget(&outcome);
}

static void refuses_broken_oracle(void **state)
{
    unsigned char trace[2 * RECORD];
    const struct convert_options options = { .from = CONVERT_ORACLE };
    (void)state;
    put_record(trace, 1, 1, -1);
    put_record(trace + RECORD, 2, 1, INT64_MIN);
    for (size_t count = 1; count < RECORD; count++)
        expect_refused(trace, count, &options, "t: byte 0: error: the last record has");
    expect_refused(trace, sizeof trace, &options, "t: byte 40: error: the next access of record 1");
}

/* Names that whoever knows a fixed hash would choose: a finalizer, run backwards. */
static uint64_t name_wanting(uint64_t hash)
{
    uint64_t name = hash ^ hash >> 32;
    name *= 0x96DE1B173F119089u; /* of 0xBF58476D1CE4E5B9, modulo 2^64 */
    name ^= name >> 29 ^ name >> 58;
    name *= 0xF1DE83E19937733Du; /* of 0x9E3779B97F4A7C15 */
    return name ^ name >> 32;
}

/* Each new one would look at all before it: minutes. */
static void numbers_hostile_names(void **state)
{
    enum { NAMES = 200000, SECONDS = 5 };
    struct objects objects = { 0 };
    clock_t before = clock();
    (void)state;
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(objects_number(&objects, name_wanting((uint64_t)i << 32)), i);
        if (i % 1024 == 0 && clock() - before > SECONDS * CLOCKS_PER_SEC)
            fail_msg("%u names took %d seconds", (unsigned)i, SECONDS);
    }
    for (uint32_t i = 0; i < NAMES; i += 1000)
        assert_int_equal(objects_number(&objects, name_wanting((uint64_t)i << 32)), i);
    assert_int_equal(objects.count, NAMES);
    objects_free(&objects);
}

/* ---- zstd ---------------------------------------------------------------------------------- */

static void reads_packed(void **state)
{
    static const char trace[] = "id\na\nb\na\n";
    unsigned char packed[256];
    const struct convert_options options = { .capacity.amount = 1 << 20 };
    (void)state;
    size_t count = ZSTD_compress(packed, sizeof packed, trace, strlen(trace), 3);
    assert_false(ZSTD_isError(count));
    struct outcome outcome = convert(packed, count, &options);
    expect_body(&outcome, "create @1 : object\npage-in @1\ncreate @2 : object\npage-in @2\n"
                          "page-in @1\n");
    forget(&outcome);
    for (size_t less = 4; less < count; less++)
        expect_refused(packed, less, &options, "zstd frame");
}

static void refuses_traps(void **state)
{
    const size_t size = (size_t)200 << 20;
    char *zeros = calloc(size, 1);
    unsigned char *packed = malloc(1 << 20);
    const struct convert_options options = { .from = CONVERT_ORACLE };
    (void)state;
    assert_non_null(zeros);
    assert_non_null(packed);
    size_t count = ZSTD_compress(packed, 1 << 20, zeros, size, 1);
    assert_false(ZSTD_isError(count));
    expect_refused(packed, count, &options, "were unpacked from");
    free(zeros);
    free(packed);
}

/* A window of a gigabyte is more than anybody asked for. */
static void refuses_windows(void **state)
{
    static const unsigned char frame[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xA0, 0x01, 0x00, 0x00 };
    const struct convert_options options = { 0 };
    (void)state;
    expect_refused(frame, sizeof frame, &options, "requires too much memory");
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void reads_columns(void **state)
{
    static const char *const traces[] = {
        "time,id,size\n1,x,5000\n1,y,1\n2,x,5000\n",
        "size;key\r\n5000;x\r\n1;y\r\n5000;x", /* no break at the end */
        "\xEF\xBB\xBFobj_id\tBytes\nx\t5000\n\n# not a request\ny\t1\nx\t5000\n",
        "1 \"x\"  5000\n1 \"y\" 1\n2 \"x\" 5000\n",
        "0.5,x,5000,ignored\n0.75,y,1\n9,x,5000,,,,\n",
    };
    const struct convert_options options = { .capacity.amount = 1 << 20 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(traces); i++) {
        struct outcome outcome = convert(traces[i], strlen(traces[i]), &options);
        expect_body(&outcome, "create @1 : object size=8K\npage-in @1\n"
                              "create @2 : object size=4K\npage-in @2\npage-in @1\n");
        forget(&outcome);
    }
}

static void refuses_broken_columns(void **state)
{
    static const struct {
        const char *trace, *why;
    } rows[] = {
        { "time,id,size\n1,a,-1\n", "t:2:5: error: this is no size" },
        { "time,id,size\n1,a,NaN\n", "t:2:5: error: this is no size" },
        { "time,id,size\n1,a,18446744073709551616\n", "t:2:5: error: this is no size" },
        { "time,id,size\n1,a,18446744073709551615\n", "t:2:5: error: no object is larger" },
        { "time,id,size\n1,a,9223372036854775808\n", "t:2:5: error: no object is larger" },
        { "time,id,size\n1.,,1\n", "t:2:4: error: the id is missing here" },
        { "time,id,size\n", "t: error: it has no request" },
        { "1,2\n", "write --columns" },
        { "\n\n", "t: error: it has no line" },
    };
    const struct convert_options options = { 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        expect_refused(rows[i].trace, strlen(rows[i].trace), &options, rows[i].why);
}

/* ---- allocations --------------------------------------------------------------------------- */

static void reads_lives(void **state)
{
    static const char trace[] = "id,lower,upper,size\nb,3,9,2048\na,0,3,4096\nc,3,4,6144\n";
    const struct convert_options options = { 0 };
    (void)state;
    struct outcome outcome = convert(trace, strlen(trace), &options);
    /* 2048 is the common divisor, so a unit is two bytes. */
    expect_body(&outcome, "create @2 : life size=8K\npage-in @2\ndestroy @2\n"
                          "create @1 : life size=4K\npage-in @1\n"
                          "create @3 : life size=12K\npage-in @3\ndestroy @3\ndestroy @1\n");
    assert_non_null(strstr(text_get(&outcome.report.assumed), "peak:     16 KiB live at once"));
    forget(&outcome);
}

static void refuses_broken_lives(void **state)
{
    static const struct {
        const char *line, *why;
    } rows[] = {
        { "a,2,2,1", "t:2:5: error: it dies at 2, not after its birth at 2" },
        { "a,0,1,0", "t:2:7: error: an allocation has 1 byte to 4 PiB" },
        { "a,0,1,9223372036854775808", "t:2:7: error: an allocation has 1 byte" },
        { "a,0,18446744073709551616,1", "t:2:5: error: this is no upper" },
        { "a,0,1", "column 4 is the size" },
    };
    const struct convert_options options = { 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        char trace[128];
        (void)snprintf(trace, sizeof trace, "id,lower,upper,size\n%s\n", rows[i].line);
        expect_refused(trace, strlen(trace), &options, rows[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_oracle),          cmocka_unit_test(refuses_broken_oracle),
        cmocka_unit_test(numbers_hostile_names), cmocka_unit_test(reads_packed),
        cmocka_unit_test(refuses_traps),         cmocka_unit_test(refuses_windows),
        cmocka_unit_test(reads_columns),         cmocka_unit_test(refuses_broken_columns),
        cmocka_unit_test(reads_lives),           cmocka_unit_test(refuses_broken_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
