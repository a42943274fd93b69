/* SPDX-License-Identifier: MIT */
/*
 * test_text.c: the tools of scenarios/lang/text that need no scenario: declarations in blocks,
 * numbers that never wrap, characters, paths, forms of lines.
 */
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/text/scope.h"
#include "scenarios/lang/text/source.h"
#include "scenarios/lang/text/twin.h"
#include "tests/support/unit.h"

/* ---- declarations -----------------------------------------------------------------------------
 */

static size_t index_of(const struct scope *scope, word name)
{
    size_t index = SIZE_MAX;
    return scope_find(scope, name, &index) ? index : SIZE_MAX;
}

static void test_a_block_takes_back_what_it_declared(void **state)
{
    struct scope scope = { .count = 0 };
    (void)state;
    assert_int_equal(index_of(&scope, 1), SIZE_MAX);
    scope_add(&scope, 1);
    scope_add(&scope, 2);
    size_t outside = scope.count;
    scope_add(&scope, 1);
    scope_add(&scope, 3);
    scope_add(&scope, 1);
    assert_int_equal(index_of(&scope, 1), 4);
    assert_int_equal(index_of(&scope, 2), 1);
    assert_int_equal(index_of(&scope, 3), 3);
    scope_cut(&scope, 4);
    assert_int_equal(index_of(&scope, 1), 2);
    scope_cut(&scope, outside);
    assert_int_equal(index_of(&scope, 1), 0);
    assert_int_equal(index_of(&scope, 2), 1);
    assert_int_equal(index_of(&scope, 3), SIZE_MAX);
    scope_cut(&scope, 9); /* there are fewer */
    assert_int_equal(scope.count, 2);
    scope_cut(&scope, 0);
    assert_int_equal(index_of(&scope, 1), SIZE_MAX);
    assert_int_equal(index_of(&scope, 2), SIZE_MAX);
    scope_fini(&scope);
}

static void test_many_declarations_are_found(void **state)
{
    enum { NAMES = 1000 };
    struct scope scope = { .count = 0 };
    (void)state;
    for (word name = 1; name <= NAMES; name++)
        scope_add(&scope, name);
    for (word name = 1; name <= NAMES; name++)
        assert_int_equal(index_of(&scope, name), name - 1);
    scope_cut(&scope, NAMES / 2);
    assert_int_equal(index_of(&scope, NAMES / 2), NAMES / 2 - 1);
    assert_int_equal(index_of(&scope, NAMES / 2 + 1), SIZE_MAX);
    scope_fini(&scope);
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

static void test_arithmetic_never_wraps(void **state)
{
    static const struct {
        uint8_t op;
        uint64_t a, b;
        enum arithmetic problem;
        uint64_t result;
    } cases[] = {
        { '+', 1, 2, ARITHMETIC_OK, 3 },
        { '+', UINT64_MAX, 1, ARITHMETIC_OVERFLOW, 0 },
        { '-', 3, 3, ARITHMETIC_OK, 0 },
        { '-', 2, 3, ARITHMETIC_NEGATIVE, 0 },
        { '*', 0, UINT64_MAX, ARITHMETIC_OK, 0 },
        { '*', 1ull << 32, 1ull << 31, ARITHMETIC_OK, 1ull << 63 },
        { '*', 1ull << 32, 1ull << 32, ARITHMETIC_OVERFLOW, 0 },
        { '/', 7, 2, ARITHMETIC_OK, 3 },
        { '/', 7, 0, ARITHMETIC_ZERO, 0 },
        { '%', 7, 4, ARITHMETIC_OK, 3 },
        { '%', 7, 0, ARITHMETIC_ZERO, 0 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        uint64_t result = 0;
        assert_int_equal(arithmetic_apply(cases[i].op, cases[i].a, cases[i].b, &result),
                         cases[i].problem);
        if (cases[i].problem == ARITHMETIC_OK)
            assert_true(result == cases[i].result);
    }
}

static void test_parts_in_percent_are_exact(void **state)
{
    static const struct {
        uint64_t percent, whole;
        enum arithmetic problem;
        uint64_t result;
    } cases[] = {
        { 0, 1ull << 40, ARITHMETIC_OK, 0 },
        { 80, 64ull << 20, ARITHMETIC_OK, 53687091 },
        { 33, 10, ARITHMETIC_OK, 3 },
        { 100, UINT64_MAX, ARITHMETIC_OK, UINT64_MAX },
        { 101, UINT64_MAX, ARITHMETIC_OVERFLOW, 0 },        /* the sum */
        { UINT64_MAX, 1ull << 20, ARITHMETIC_OVERFLOW, 0 }, /* the hundreds */
        { UINT64_MAX, 50, ARITHMETIC_OVERFLOW, 0 },         /* the rest */
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        uint64_t result = 0;
        assert_int_equal(arithmetic_percent(cases[i].percent, cases[i].whole, &result),
                         cases[i].problem);
        if (cases[i].problem == ARITHMETIC_OK)
            assert_true(result == cases[i].result);
    }
}

static void test_large_pieces_of_the_arena(void **state)
{
    struct arena arena = { 0 };
    char *large[2];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        (void)arena_alloc(&arena, 1);
        large[i] = arena_alloc(&arena, 100000);
        assert_int_equal((uintptr_t)large[i] % alignof(max_align_t), 0);
        memset(large[i], 'x', 100000);
    }
    char *text = arena_text(&arena, "abc", 3);
    assert_string_equal(text, "abc");
    assert_true(large[0][99999] == 'x' && large[1][0] == 'x');
    arena_fini(&arena);
}

/* ---- characters and paths ---------------------------------------------------------------------
 */

/* Well-formed UTF-8 as the standard tells it: no overlong form, no surrogate, no more than
   U+10FFFF. */
static void test_characters(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        { "", 0 },
        { "a", 1 },
        { "\xC3\xA4", 2 },
        { "\xC1\xA4", 0 },
        { "\xC3", 0 },
        { "\xC3(", 0 },
        { "\x80", 0 },
        { "\xE2\x82\xAC", 3 },
        { "\xE2\x82", 0 },
        { "\xE0\x9F\xBF", 0 },
        { "\xE0\xA0\x80", 3 },
        { "\xED\x9F\xBF", 3 },
        { "\xED\xA0\x80", 0 },
        { "\xF0\x8F\xBF\xBF", 0 },
        { "\xF0\x90\x80\x80", 4 },
        { "\xF4\x8F\xBF\xBF", 4 },
        { "\xF4\x90\x80\x80", 0 },
        { "\xF5\x80\x80\x80", 0 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_int_equal(source_character(cases[i].bytes, strlen(cases[i].bytes)), cases[i].length);
}

static void test_paths_of_included_files(void **state)
{
    static const struct {
        const char *from, *path, *joined;
    } cases[] = {
        { "a.vms", "b.vms", "b.vms" },
        { "dir/a.vms", "b.vms", "dir/b.vms" },
        { "dir/a.vms", "./b.vms", "dir/b.vms" },
        { "dir/a.vms", "sub//b.vms", "dir/sub/b.vms" },
        { "dir/a.vms", "../b.vms", "b.vms" },
        { "dir/sub/a.vms", "../x/../b.vms", "dir/b.vms" },
        { "dir//sub/a.vms", "../../b.vms", "b.vms" },
        { "a.vms", "../b.vms", "../b.vms" },
        { "../a.vms", "../b.vms", "../../b.vms" },
        { "a/../b.vms", "..x/..", "a/.." },
        { "xy/b.vms", "../c.vms", "c.vms" },
        { "dir/a.vms", "/abs/b.vms", "/abs/b.vms" },
        { "dir/a.vms", "/../b.vms", "/../b.vms" },
        { "dir/a.vms", "/", "/" },
        { "dir/a.vms", "", "dir" },
        { "a.vms", "", "." },
        { "a.vms", "x/..", "." },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char *joined = source_join(cases[i].from, cases[i].path, strlen(cases[i].path));
        assert_string_equal(joined, cases[i].joined);
        base_free(joined);
    }
}

/* ---- forms ------------------------------------------------------------------------------------
 */

static void test_forms_of_lines(void **state)
{
    static const struct {
        const char *line, *form; /* NULL: it has none */
        size_t count;
        uint32_t numbers[4];
    } cases[] = {
        { "submit @18 read=@17,@12 cost=100us",
          "submit @# read=@#,@# cost=#us",
          4,
          { 18, 17, 12, 100 } },
        { "evict @1\n", "evict @#", 1, { 1 } },
        { "evict @1\r\n", "evict @#", 1, { 1 } },
        { "evict @1\r", NULL, 0, { 0 } },
        { "\tevict @1\t", "\tevict @#\t", 1, { 1 } },
        { "evict @4294967295", "evict @#", 1, { 4294967295u } },
        { "evict @4294967296", NULL, 0, { 0 } },
        { "create @1 size=4M", "create @# size=#M", 2, { 1, 4 } },
        { "create @1 size=4T", NULL, 0, { 0 } },
        { "create @1 size=0x40", NULL, 0, { 0 } },
        { "create @1 size=0X40", NULL, 0, { 0 } },
        { "create @1 size=50% of vram", NULL, 0, { 0 } },
        { "create @1 size=1.5M", NULL, 0, { 0 } },
        { "page-in @1..", "page-in @#..", 1, { 1 } },
        { "page-in @1.", "page-in @#.", 1, { 1 } },
        { "submit @1 ctx=a.b-c2", "submit @# ctx=a.b-c2", 1, { 1 } },
        { "submit @1 ctx=a-", "submit @# ctx=a-", 1, { 1 } },
        { "submit @1 ctx=a.", "submit @# ctx=a.", 1, { 1 } },
        { "submit @1 x=\"a\"", NULL, 0, { 0 } },
        { "submit @1 # x", NULL, 0, { 0 } },
        { "submit @1 \xC3\xA4", NULL, 0, { 0 } },
        { "submit @1 \x01", NULL, 0, { 0 } },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        char form[FORM_BYTES_MAX + 1];
        uint32_t found[FORM_BYTES_MAX + 1];
        const char *end = cases[i].line + strlen(cases[i].line);
        struct form_scan scan = { cases[i].line, end, form, form + FORM_BYTES_MAX, found };
        bool known = form_begins(cases[i].line, end) && form_scan(&scan);
        assert_int_equal(known, cases[i].form != NULL);
        if (!known)
            continue;
        *scan.out = '\0';
        assert_string_equal(form, cases[i].form);
        assert_int_equal(scan.found - found, cases[i].count);
        assert_memory_equal(found, cases[i].numbers, cases[i].count * sizeof *found);
    }
}

/* The second word has to be a handle. */
static void test_where_forms_begin(void **state)
{
    static const char *const lines[] = { "",         "   ",     "evict", "evict ", "evict @",
                                         "evict @x", "evict a", "@1",    "9 @1",   "evict  @1" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(lines); i++)
        assert_false(form_begins(lines[i], lines[i] + strlen(lines[i])));
    static const char line[] = "evict @1";
    assert_true(form_begins(line, line + strlen(line)));
}

/* A longer one is an ordinary line, wherever its end would have come. */
static void test_forms_have_a_longest(void **state)
{
    static const char *const parts[] = { "a", ",", "1,", " a" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
        char line[2 * FORM_BYTES_MAX] = "evict @1 ";
        char form[FORM_BYTES_MAX + 1];
        uint32_t found[FORM_BYTES_MAX + 1];
        while (strlen(line) < FORM_BYTES_MAX + 32)
            words_add(line, sizeof line, "%s", parts[i]);
        struct form_scan scan = { line, line + strlen(line), form, form + FORM_BYTES_MAX, found };
        assert_false(form_scan(&scan));
        assert_true(scan.out <= form + FORM_BYTES_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_takes_back_what_it_declared),
        cmocka_unit_test(test_many_declarations_are_found),
        cmocka_unit_test(test_arithmetic_never_wraps),
        cmocka_unit_test(test_parts_in_percent_are_exact),
        cmocka_unit_test(test_large_pieces_of_the_arena),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_paths_of_included_files),
        cmocka_unit_test(test_forms_of_lines),
        cmocka_unit_test(test_where_forms_begin),
        cmocka_unit_test(test_forms_have_a_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
