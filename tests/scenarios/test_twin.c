/* SPDX-License-Identifier: MIT */
/* test_twin.c: which lines of a text become records of its twin, and which twins are refused. */
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/scenario_twin.h"
#include "scenarios/lang/text/twin.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

/* So many records has the twin of the text, which comes back from it. */
static void expect_records(const char *text, uint64_t records)
{
    struct twin_header header;
    char problem[160];
    size_t count, bytes;
    char *twin = scenario_pack(text, strlen(text), &count);
    assert_true(scenario_is_twin(twin, count));
    char *again = scenario_unpack(twin, count, &bytes, problem);
    assert_non_null(again);
    assert_int_equal(bytes, strlen(text));
    assert_memory_equal(again, text, bytes);
    memcpy(&header, twin, sizeof header);
    assert_int_equal(header.records, records);
    base_free(twin);
    base_free(again);
}

/* The line, ten times; the first line of a text is none. */
static void expect_line(const char *line, bool record)
{
    struct {
        char text[2048];
    } text = { "vidmm-scenario 1\n" };
    for (int i = 0; i < 10; i++) {
        size_t length = strlen(text.text);
        (void)snprintf(text.text + length, sizeof text.text - length, "%s\n", line);
    }
    expect_records(text.text, record ? 10 : 0);
}

static void knows_records(void **state)
{
    static const char *const records[] = {
        "page-in @0",
        "page-in @4294967295",
        "\tsubmit @1 read=@10,@200 cost=3000us",
        "create @7 : tex size=40000K content=1 ",
        "submit @1 write=@2 -> fails",
    };
    static const char *const others[] = {
        "page-in @4294967296", "page-in @007",      "page-in @1 # why",  "note \"@1\"",
        "lock @1 data=0x10",   "create a size=4K",  "page-in  @1",       "create @1 size=10%",
        "page-in @1\r",        "create @1 size=4x", "create @1 size=1T", "page-in",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(records); i++)
        expect_line(records[i], true);
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        expect_line(others[i], false);
    expect_records("", 0);
    expect_records("page-in @1\npage-in @2\n", 0); /* too few */
}

/* More than 256 forms: two bytes for each. */
struct scanned {
    char form[128];
    uint32_t numbers[128];
    size_t length, count, read;
    bool good;
};

static struct scanned scan_line(const char *line)
{
    struct scanned scanned = { .good = false };
    struct form_scan scan = { line, line + strlen(line), scanned.form,
                              scanned.form + sizeof scanned.form, scanned.numbers };
    scanned.good = form_scan(&scan);
    scanned.length = (size_t)(scan.out - scanned.form);
    scanned.count = (size_t)(scan.found - scanned.numbers);
    scanned.read = (size_t)(scan.at - line);
    return scanned;
}

/* Pieces of lines, so that neighbours make names, units, fractions and hexadecimal numbers. */
static void join_pieces(char line[static 128], const unsigned char *pieces, size_t count,
                        const char *end)
{
    static const char *const words[] = { "page-in @", ",@",         "x",         ".", "-",  "K",
                                         " ",         "T",          "%",         "#", "\r", "_",
                                         "a",         "=",          "\"",        "0", "7",  "12",
                                         "00",        "4294967295", "4294967296" };
    int length = 0;
    for (size_t i = 0; i < count; i++)
        length += snprintf(line + length, 128 - (size_t)length, "%s",
                           words[pieces[i] % ARRAY_COUNT(words)]);
    (void)snprintf(line + length, 128 - (size_t)length, "%s", end);
}

/* A line has a form if form_scan() says so, whatever line the form came from. */
static void matches_what_it_scans(void **state)
{
    enum { PAIRS = 200000, PIECES = 7 };
    static const char *const ends[] = { "", "\n", "\r\n", "\nlock @1" };
    uint64_t random = 1;
    size_t alike = 0;
    (void)state;
    for (int i = 0; i < PAIRS; i++) {
        unsigned char pieces[PIECES];
        char one[128], other[128];
        size_t count = 1 + random_below(&random, PIECES);
        for (size_t k = 0; k < count; k++)
            pieces[k] = (unsigned char)random_below(&random, 21);
        join_pieces(one, pieces, count, "\n");
        for (size_t k = 0; k < count; k++) /* most often only the numbers change */
            if (pieces[k] >= 15 || !random_below(&random, 20))
                pieces[k] = (unsigned char)(15 + random_below(&random, 6));
        join_pieces(other, pieces, count, ends[random_below(&random, ARRAY_COUNT(ends))]);
        struct scanned form = scan_line(one), scanned = scan_line(other);
        if (!form.good)
            continue;
        bool same = scanned.good && scanned.length == form.length &&
                    memcmp(scanned.form, form.form, form.length) == 0;
        uint32_t numbers[128];
        struct form_scan match = { .at = other, .end = other + strlen(other), .found = numbers };
        assert_int_equal(form_matches(&match, form.form, form.length), same);
        if (!same)
            continue;
        alike++;
        assert_int_equal(match.at - other, scanned.read);
        assert_int_equal(match.found - numbers, scanned.count);
        assert_memory_equal(numbers, scanned.numbers, scanned.count * sizeof *numbers);
    }
    assert_true(alike > PAIRS / 20);
}

static void packs_many_forms(void **state)
{
    enum { FORMS = 700, LINE = 32 };
    char *text = base_alloc((size_t)3 * FORMS + 1, LINE);
    size_t length = (size_t)snprintf(text, LINE, "vidmm-scenario 1\n");
    (void)state;
    for (int i = 0; i < 3 * FORMS; i++)
        length += (size_t)snprintf(text + length, LINE, "evict @%d n%d=1\n", i, i % FORMS);
    expect_records(text, (uint64_t)3 * FORMS);
    base_free(text);
}

/* ---- twins that nobody packed -------------------------------------------------------------- */

struct made {
    struct twin_header header;
    char bytes[256];
    size_t count;
};

static void add(struct made *made, const void *bytes, size_t count)
{
    memcpy(made->bytes + made->count, bytes, count);
    made->count += count;
}

static void add_part(struct made *made, struct twin_part part, const char *verbatim)
{
    static const char zeros[4] = { 0 };
    static const uint32_t number = 5;
    add(made, &part, sizeof part);
    add(made, verbatim, strlen(verbatim));
    add(made, zeros, (4 - made->count % 4) % 4);
    for (uint32_t i = 0; i < part.numbers; i++)
        add(made, &number, sizeof number);
}

static void expect_made(const char *form, struct twin_part part, const char *why)
{
    static const char first[] = "vidmm-scenario 1\n";
    struct made made = { .header = { .version = TWIN_VERSION, .forms = 1, .parts = 1 } };
    uint32_t length = (uint32_t)strlen(form);
    char problem[160] = "";
    size_t bytes;
    memcpy(made.header.magic, twin_magic, sizeof twin_magic);
    add(&made, &length, sizeof length);
    add(&made, form, length);
    add(&made, "\0\0\0", (4 - made.count % 4) % 4);
    part.verbatim = sizeof first - 1;
    add_part(&made, part, first);
    made.header.text_bytes = sizeof first - 1 + part.record_bytes;
    twin_seal((char *)&made, sizeof made.header + made.count);
    char *text =
        scenario_unpack((const char *)&made, sizeof made.header + made.count, &bytes, problem);
    assert_int_equal(text != NULL, why == NULL);
    if (why && !strstr(problem, why))
        fail_msg("'%s' is not in: %s", why, problem);
    base_free(text);
}

static void refuses_what_no_packer_made(void **state)
{
    const struct twin_part good = { .records = 2, .numbers = 2, .record_bytes = 22 };
    static const char *const forms[] = { "page-in @##",
                                         "page-in @#x",
                                         "page-in @#\n@#",
                                         "page-in @1",
                                         "page-in @# \"a",
                                         "page-in #",
                                         "",
                                         "page-in @#%",
                                         "page-in @#T",
                                         "page-in @1#" };
    struct twin_part part = good;
    (void)state;
    expect_made("page-in @#", good, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
        expect_made(forms[i], good, "this is no form of a line");
    part.form = 1;
    expect_made("page-in @#", part, "has the form 1 of 1");
    part = good, part.numbers = 1;
    expect_made("page-in @#", part, "says otherwise of its records");
    part = good, part.numbers = 3;
    expect_made("submit @# read=@#", part, "too few numbers");
    part = good, part.numbers = 3;
    expect_made("page-in @#", part, "and says otherwise");
    part = good, part.record_bytes = 23;
    expect_made("page-in @#", part, "and says otherwise");
    part = good, part.records = UINT32_MAX, part.width = 2;
    expect_made("page-in @#", part, "bytes were expected here");
    part = good, part.record_bytes = 100000;
    expect_made("page-in @#", part, "says otherwise of its records");
    part = good, part.records = 0;
    expect_made("page-in @#", part, "says otherwise of its records");
    part = good, part.records = 0, part.record_bytes = 0;
    expect_made("page-in @#", part, "a part without records");
    part = good, part.width = 3;
    expect_made("page-in @#", part, "a form in 3 bytes");
}

static void refuses_wrong_headers(void **state)
{
    struct twin_header header = { .version = TWIN_VERSION, .text_bytes = UINT64_C(1) << 63 };
    char problem[160];
    size_t bytes;
    (void)state;
    memcpy(header.magic, twin_magic, sizeof twin_magic);
    twin_seal((char *)&header, sizeof header);
    assert_null(scenario_unpack((const char *)&header, sizeof header, &bytes, problem));
    assert_non_null(strstr(problem, "at most 4 GiB"));
    header.text_bytes = 0;
    header.forms = UINT32_MAX;
    twin_seal((char *)&header, sizeof header);
    assert_null(scenario_unpack((const char *)&header, sizeof header, &bytes, problem));
    assert_non_null(strstr(problem, "4294967295 forms"));
    header.forms = 0;
    header.text_bytes = UINT32_MAX - 1;
    twin_seal((char *)&header, sizeof header);
    assert_null(scenario_unpack((const char *)&header, sizeof header, &bytes, problem));
    assert_non_null(strstr(problem, "its parts have 0 bytes of text"));
    header.parts = UINT32_MAX;
    twin_seal((char *)&header, sizeof header);
    assert_null(scenario_unpack((const char *)&header, sizeof header, &bytes, problem));
    assert_non_null(strstr(problem, "byte 64: 24 bytes were expected here, and 0 are left"));
    for (size_t i = 0; i < sizeof header; i++)
        assert_null(scenario_unpack((const char *)&header, i, &bytes, problem));
}

/* A packed text with another count of its bytes, or one of them changed. */
static void says_what_happened(void **state)
{
    static const char text[] = "vidmm-scenario 1\nadapter\n";
    size_t count, bytes;
    char problem[160], wanted[160];
    char *twin = scenario_pack(text, sizeof text - 1, &count);
    (void)state;
    for (size_t less = 0; less < count; less++) {
        assert_null(scenario_unpack(twin, less, &bytes, problem));
        (void)snprintf(wanted, sizeof wanted,
                       less < sizeof(struct twin_header)
                           ? "ends early: it has %zu bytes, and its header alone has 64"
                           : "ends early: it has %zu of %zu bytes",
                       less, count);
        assert_string_equal(problem, wanted);
    }
    char *more = base_alloc(count + 1, 1);
    memcpy(more, twin, count);
    assert_null(scenario_unpack(more, count + 1, &bytes, problem));
    (void)snprintf(wanted, sizeof wanted, "has %zu bytes, and ends after %zu", count + 1, count);
    assert_string_equal(problem, wanted);
    more[count - 1] ^= 1;
    assert_null(scenario_unpack(more, count, &bytes, problem));
    assert_string_equal(problem, "is damaged: its bytes are not those that were written");
    base_free(more);
    base_free(twin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_records),         cmocka_unit_test(matches_what_it_scans),
        cmocka_unit_test(packs_many_forms),      cmocka_unit_test(refuses_what_no_packer_made),
        cmocka_unit_test(refuses_wrong_headers), cmocka_unit_test(says_what_happened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
