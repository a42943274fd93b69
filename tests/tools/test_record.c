/* SPDX-License-Identifier: MIT */
/*
 * test_record.c: lines of a decision log and their parts, logs that are broken, how differences
 * count.
 */
#define _DEFAULT_SOURCE /* alarm */
#include <string.h>
#include <unistd.h>

#include "tests/support/unit.h"

#include "tools/record/align.h"
#include "tools/record/diff.h"
#include "tools/record/reader.h"

/* ---- lines ---------------------------------------------------------------------------------- */

static void assert_slice(struct slice slice, const char *text)
{
    assert_int_equal(slice.length, strlen(text));
    assert_memory_equal(slice.at, text, slice.length);
}

static void lines_have_parts(void **state)
{
    struct slice key, value;
    struct slice line = slice_of("evict a[3] segment=vram passed=\"b: full, c\" rule=R-1 time=5ns");
    struct slice bare = slice_of("refuse status=X");
    (void)state;
    assert_slice(line_event(line), "evict");
    assert_slice(line_subject(line), "a[3]");
    assert_slice(line_value(line, "segment"), "vram");
    assert_slice(line_value(line, "passed"), "\"b: full, c\"");
    assert_slice(line_value(line, "none"), "");
    assert_slice(line_timeless(line), "evict a[3] segment=vram passed=\"b: full, c\" rule=R-1");
    assert_slice(line_timeless(bare), "refuse status=X");
    assert_slice(line_subject(bare), "");
    assert_true(line_pair(bare, 0, &key, &value));
    assert_slice(key, "status");
    assert_slice(value, "X");
    assert_false(line_pair(bare, 1, &key, &value));
    assert_slice(line_event(slice_of("")), "");
    assert_slice(line_subject(slice_of("")), "");
}

static void values_have_units(void **state)
{
    static const struct {
        struct vidmm_field field;
        const char *name, *text;
    } rows[] = {
        { { "bytes", VIDMM_FIELD_BYTES, 0, NULL }, "", " bytes=0" },
        { { "bytes", VIDMM_FIELD_BYTES, 1536 << 10, NULL }, "", " bytes=1536K" },
        { { "bytes", VIDMM_FIELD_BYTES, UINT64_C(5) << 40, NULL }, "", " bytes=5T" },
        { { "bytes", VIDMM_FIELD_BYTES, UINT64_MAX, NULL }, "", " bytes=18446744073709551615" },
        { { "offset", VIDMM_FIELD_HEX, 80 << 20, NULL }, "", " offset=80M" },
        { { "flags", VIDMM_FIELD_HEX, 0xB0, NULL }, "", " flags=0xB0" },
        { { "flags", VIDMM_FIELD_HEX, UINT64_MAX, NULL }, "", " flags=0xFFFFFFFFFFFFFFFF" },
        { { "cost", VIDMM_FIELD_NS, 7, NULL }, "", " cost=7ns" },
        { { "segment", VIDMM_FIELD_SEGMENT, 1, NULL }, "vram", " segment=vram" },
        { { "pages", VIDMM_FIELD_WORD, 0, "4k" }, "", " pages=\"4k\"" },
        { { "via", VIDMM_FIELD_WORD, 0, "vram[1]" }, "", " via=vram[1]" },
        { { "passed", VIDMM_FIELD_TEXT, 0, "a \"b\"\n" }, "", " passed=\"a 'b''\"" },
        { { "passed", VIDMM_FIELD_TEXT, 0, NULL }, "", " passed=\"\"" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct text out = { 0 };
        assert_true(line_add_value(&out, &rows[i].field, rows[i].name));
        assert_slice((struct slice){ out.bytes, out.length }, rows[i].text);
        text_free(&out);
    }
}

/* ---- logs ----------------------------------------------------------------------------------- */

#define HEAD "vidmm-decisions 1\nkinds place,evict\n"

static FILE *file_of(const char *bytes, size_t count)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    rewind(file);
    return file;
}

struct compared {
    struct diff_counts counts;
    struct text summary;
    bool same, good;
};

static struct compared compare(const char *a, const char *b)
{
    struct compared out = { .good = true };
    struct text problem = { 0 };
    struct diff_options options = { .times = false };
    record_kinds_default(&options.kinds);
    FILE *first = file_of(a, strlen(a)), *second = file_of(b, strlen(b));
    struct diff *diff = diff_open(first, "a", &options, &problem);
    if (diff) {
        out.good = diff_read(diff, second, "b", &problem);
        out.same = diff_end(diff, &problem);
        out.counts = *diff_counts(diff);
        diff_summary(diff, NULL, &out.summary);
        diff_close(diff);
    }
    out.good = out.good && !problem.length;
    (void)fclose(first);
    (void)fclose(second);
    text_free(&problem);
    return out;
}

static void assert_difference(const char *a, const char *b, const char *summary)
{
    struct compared found = compare(a, b);
    assert_true(found.good);
    assert_string_equal(text_get(&found.summary), summary);
    assert_int_equal(found.same, strcmp(summary, "no decision differs") == 0);
    text_free(&found.summary);
}

static void differences_count(void **state)
{
    (void)state;
    assert_difference(HEAD, HEAD, "no decision differs");
    assert_difference(HEAD "place a offset=0\n", HEAD "# c\nplace a offset=0\n  hole\n",
                      "no decision differs");
    assert_difference(HEAD "place ov segment=vram offset=80M rule=P-1\n",
                      HEAD "place ov segment=vram offset=90M rule=P-1\n",
                      "1 placement differs; first: ov at 80 MiB -> 90 MiB by P-1");
    assert_difference(HEAD "place ov segment=vram offset=80M rule=P-1\n",
                      HEAD "place ov segment=aper offset=0 rule=P-2\n",
                      "1 placement differs; first: ov vram at 80 MiB -> aper at 0 by P-1 -> P-2");
    /* Another victim is one difference; an order alone is none of any decision. */
    assert_difference(HEAD "evict a rule=P-1\nplace b\n", HEAD "evict c rule=P-1\nplace b\n",
                      "1 victim differs; first: victim a -> c by P-1");
    assert_difference(HEAD "evict a\nevict b\n", HEAD "evict b\nevict a\n",
                      "the same decisions in another order; first: victim a -> b");
    /* What follows from a place. */
    assert_difference(HEAD "place a offset=0\nevict a offset=0\nplace a offset=0\n",
                      HEAD "place a offset=4K\nevict a offset=4K\nplace a offset=0\n",
                      "1 placement differs, and 1 follows from that; first: a at 0 -> 4 KiB");
    /* One more at the front shifts nothing. */
    assert_difference(HEAD "place a\nplace b\nplace c\nplace a\n",
                      HEAD "place x\nplace a\nplace b\nplace c\nplace a\n",
                      "1 placement differs; first: place a -> place x");
    assert_difference(HEAD "place a\n", HEAD, "1 placement differs; first: place a -> nothing");
    assert_difference(HEAD, HEAD "place a\n", "1 placement differs; first: nothing -> place a");
}

/* In any order of differences; and a log may name no event that is known, or no line. */
static void words_are_complete(void **state)
{
    (void)state;
    assert_difference(HEAD "place a offset=0\nevict b\n",
                      HEAD "place a offset=4K\nevict b\nplace c\n",
                      "2 placements differ; first: a at 0 -> 4 KiB");
    assert_difference(HEAD "> create a\nplace a\n", HEAD "> 1234567890: create a\nplace b\n",
                      "1 placement differs; first: place a -> place b");
    assert_difference(HEAD "> 12\nplace a\n", HEAD "> 12345678901: x\n> 7:\nplace b\n",
                      "1 placement differs; first: place a -> place b");
    assert_difference(HEAD "place a rule=P-1\n", HEAD "place a rule=P-2\n",
                      "1 placement differs; first: a rule P-1 -> P-2");
    assert_difference(HEAD "place\n", HEAD "evict\n",
                      "1 placement and 1 victim differ; first: place -> evict");
}

static void sections_are_found(void **state)
{
    static const char one[] = HEAD "place p\ntest \"1\"\nplace a\ntest \"2\"\nplace b\ntest \"3\"\n"
                                   "place c\n";
    (void)state;
    assert_difference(one, one, "no decision differs");
    assert_difference(one,
                      HEAD "file x\nplace p\ntest \"1\"\nplace a\ntest \"2\"\nplace b\n"
                           "test \"3\"\nplace c\n",
                      "no decision differs");
    assert_difference(one, HEAD "place p\ntest \"1\"\nplace a\ntest \"3\"\nplace c\n",
                      "1 test only on the first side");
    assert_difference(HEAD "place p\ntest \"1\"\nplace a\ntest \"3\"\nplace c\n", one,
                      "1 test only on the second side");
    assert_difference(one, HEAD "place p\n", "3 tests only on the first side");
    assert_difference(one, HEAD "place p\ntest \"1\"\nplace a\ntest \"2\"\ntest \"3\"\nplace c\n",
                      "1 placement differs; first: place b -> nothing");
    /* The order of tests is that of both. */
    assert_difference(one, HEAD "place p\ntest \"3\"\nplace c\ntest \"1\"\nplace a\n",
                      "2 tests only on the first side; 1 test only on the second side");
}

static void json_lines_are_logs(void **state)
{
    static const char json[] =
        "{\"type\":\"vidmm_events\",\"vidmm_events\":2}\n"
        "{\"type\":\"file\",\"file\":\"a.vms\"}\n"
        "{\"type\":\"event\",\"seq\":1,\"time\":5,\"event\":\"submit\",\"node\":0}\n"
        "{\"type\":\"event\",\"seq\":2,\"time\":5,\"event\":\"unpin\",\"rule\":\"PAGE-051\","
        "\"subject\":7,\"label\":\"a\",\"segment\":1,\"segment_name\":\"vram\"}\n"
        "{\"type\":\"event\",\"seq\":3,\"time\":5,\"event\":\"lost\",\"label\":\"a\","
        "\"reason\":\"reset\",\"bytes\":9007199254740993}\n"
        "{\"type\":\"show\",\"show\":\"map\",\"spans\":[{\"offset\":0}]}\n"
        "{\"type\":\"end\",\"end\":\"a.vms\",\"exit\":0}\n";
    static const char broken[] =
        "{\"type\":\"vidmm_events\",\"vidmm_events\":2}\n"
        "{\"type\":\"event\",\"event\":\"place\",\"label\":\"a\\u00\",\"bytes\":true}\n"
        "{\"type\":\"event\",\"event\":\"place\",\"label\":\"b\",\"bytes\":-}\n"
        "{\"type\":\"event\",\"event\":\"place\",\"label\":\"c\",\"segment\":0,\"segment_name\":1}"
        "\n"
        "{\"type\":\"event\",\"event\":\"place\",\"label\":}\n"
        "{\"type\":\"event\",\"event\":\"place\",\"label\":\"d\\}\n";
    (void)state;
    assert_difference(HEAD "place a  bytes=1\nplace b bytes=0\nplace c segment=system\n"
                           "place d\\\n",
                      broken, "no decision differs");
    assert_difference(json,
                      "vidmm-decisions 1\nkinds unpin,lost\n"
                      "unpin a segment=vram rule=PAGE-051\n"
                      "lost a reason=reset bytes=9007199254740993\n",
                      "no decision differs");
}

/* Whatever stands there ends with an answer or a sentence. */
static void any_bytes_end(void **state)
{
    static const char good[] =
        HEAD "file a\n> 3: create a\nplace a segment=vram offset=80M rule=P-1 time=5ns\n"
             "  hole a offset=0\ntest \"t\"\nevict a via=\"x y\" rule=P-2\nplace b\n";
    static const char json[] = "{\"type\":\"vidmm_events\",\"vidmm_events\":2}\n"
                               "{\"type\":\"event\",\"event\":\"place\",\"label\":\"\\u0041\\\"\","
                               "\"segment\":1,\"segment_name\":\"v\",\"offset\":4096}\n"
                               "{\"type\":\"test\",\"test\":\"x\"}\n";
    uint32_t random = 1;
    (void)state;
    for (unsigned round = 0; round < 1500; round++) {
        char bytes[512];
        const char *from = round % 2 ? json : good;
        size_t length = strlen(from);
        memcpy(bytes, from, length + 1);
        for (unsigned i = 0; i < 1 + round % 5; i++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 8) % length;
            if (random >> 30 == 0)
                bytes[length = at] = '\0';
            else
                bytes[at] = (char)(1 + (random >> 16) % 255);
            if (!length)
                break;
        }
        struct compared found = compare(bytes, from);
        text_free(&found.summary);
        found = compare(from, bytes);
        text_free(&found.summary);
    }
}

static void a_zero_is_no_decision(void **state)
{
    static const char bytes[] = HEAD "place a\0b\n";
    struct record_kinds kinds;
    struct reader reader;
    FILE *file = file_of(bytes, sizeof bytes - 1);
    (void)state;
    record_kinds_default(&kinds);
    assert_true(reader_open(&reader, file, "a", &kinds));
    assert_int_equal(reader_next(&reader).kind, LINE_END);
    assert_string_equal(text_get(&reader.problem),
                        "a:3: there is a control character in this line");
    reader_close(&reader);
    (void)fclose(file);
}

/* ---- counterparts --------------------------------------------------------------------------- */

static void what_waits_is_bounded(void **state)
{
    enum { MANY = 200000 };
    struct diff_counts counts = { .follow = 0 };
    uint64_t before = vidmm_host_held();
    struct align *align = align_new(&counts);
    uint64_t most = 0;
    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        char line[40];
        int length = snprintf(line, sizeof line, "place a%u offset=0", i);
        align_add(align, 0, (struct slice){ line, (size_t)length });
        most = max_u64(most, vidmm_host_held() - before);
    }
    align_end(align);
    assert_int_equal(counts.placements.only[0], MANY);
    assert_true(most < UINT64_C(100) << 20);
    align_free(align);
    assert_int_equal(vidmm_host_held(), before);
}

/* Of one subject, one after the other: neither time nor memory grows with those that wait. */
static void many_of_one_subject(void **state)
{
    enum { MANY = 300000, WIDE = 60000, WIDE_LINES = 2000, SECONDS = 30 };
    struct diff_counts counts = { .follow = 0 };
    uint64_t before = vidmm_host_held(), most = 0;
    struct align *align = align_new(&counts);
    char *line = test_calloc(1, WIDE);
    (void)state;
    (void)alarm(SECONDS);
    for (unsigned i = 0; i < MANY; i++)
        align_add(align, 0, slice_of("finding status=1"));
    for (unsigned i = 0; i < MANY; i++)
        align_add(align, 1, slice_of("refuse status=1"));
    align_end(align);
    (void)alarm(0);
    assert_int_equal(counts.others.only[0], MANY);
    assert_int_equal(counts.others.only[1], MANY);
    memset(line, 'x', WIDE);
    for (unsigned i = 0; i < WIDE_LINES; i++) {
        (void)snprintf(line, WIDE, "place a%u offset=0", i);
        line[strlen(line)] = ' ';
        align_add(align, 0, (struct slice){ line, WIDE });
        most = max_u64(most, vidmm_host_held() - before);
    }
    assert_true(most < UINT64_C(50) << 20);
    align_free(align);
    test_free(line);
    assert_int_equal(counts.placements.only[0], WIDE_LINES);
}

static void counterparts_come_in_order(void **state)
{
    struct diff_counts counts = { .follow = 0 };
    struct align *align = align_new(&counts);
    (void)state;
    align_add(align, 0, slice_of("place a offset=1"));
    align_add(align, 0, slice_of("place a offset=2"));
    align_add(align, 0, slice_of("evict a offset=2"));
    align_add(align, 1, slice_of("place a offset=1"));
    align_add(align, 1, slice_of("evict a offset=2"));
    align_add(align, 1, slice_of("place a offset=2"));
    align_end(align);
    assert_int_equal(counts.placements.changed, 0);
    assert_int_equal(counts.placements.only[0] + counts.placements.only[1], 0);
    align_add(align, 0, slice_of("evict a reason=room"));
    align_add(align, 1, slice_of("evict a reason=commit"));
    align_end(align);
    assert_int_equal(counts.victims.changed, 1);
    align_free(align);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_parts),      cmocka_unit_test(values_have_units),
        cmocka_unit_test(words_are_complete),    cmocka_unit_test(differences_count),
        cmocka_unit_test(sections_are_found),    cmocka_unit_test(json_lines_are_logs),
        cmocka_unit_test(any_bytes_end),         cmocka_unit_test(a_zero_is_no_decision),
        cmocka_unit_test(what_waits_is_bounded), cmocka_unit_test(counterparts_come_in_order),
        cmocka_unit_test(many_of_one_subject),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
