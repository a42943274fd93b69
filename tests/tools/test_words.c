/* SPDX-License-Identifier: MIT */
/* test_words.c: sizes, times and words as people write them on a command line. */
#include <string.h>

#include "tests/support/unit.h"
#include "tools/common/text.h"

#define NO UINT64_MAX /* it cannot be read */

static void check(bool good, uint64_t value, uint64_t wanted, const char *word)
{
    if (good != (wanted != NO) || (good && value != wanted))
        fail_msg("'%s' is read as %llu", word, good ? (unsigned long long)value : 0);
}

static void sizes_have_units(void **state)
{
    static const struct {
        const char *word;
        uint64_t value;
    } rows[] = {
        { "0", 0 },
        { "17", 17 },
        { "17B", 17 },
        { " 17 bytes", 17 },
        { "4K", 4096 },
        { "4KiB", 4096 },
        { "4 MiB", 4 << 20 },
        { "0x10", 16 },
        { "0XfF", 255 },
        { "0xAbK", 0xAB << 10 },
        { "16777215T", UINT64_C(16777215) << 40 },
        { "18446744073709551614", UINT64_MAX - 1 },
        { "16777216T", NO },
        { "18446744073709551616", NO },
        { "", NO },
        { "x", NO },
        { "0x", NO },
        { "4k", NO },
        { "4KB", NO },
        { "4Kx", NO },
        { "4byte", NO },
        { "-1", NO },
        { "1.5K", NO },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint64_t value = 0;
        bool good = text_read_size(rows[i].word, &value);
        check(good, value, rows[i].value, rows[i].word);
    }
}

static void times_have_units(void **state)
{
    static const struct {
        const char *word;
        uint64_t value;
    } rows[] = {
        { "0ns", 0 },
        { "1.5us", 1500 },
        { "1.500us", 1500 },
        { "2ms", 2000000 },
        { "0.000000001s", 1 },
        { "18446744073s", UINT64_C(18446744073000000000) },
        { "0.0000000001s", NO },
        { "1.5ns", NO },
        { "1.us", NO },
        { "1./us", NO },
        { "18446744074s", NO },
        { "18446744073.8s", NO },
        { "5", NO },
        { "0", 0 },
        { "5h", NO },
        { "", NO },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        vidmm_ns value = 0;
        bool good = text_read_time(rows[i].word, &value);
        check(good, value, rows[i].value, rows[i].word);
    }
}

/* A shell reads each of them back as it was; a control character it never sees. */
static void a_shell_reads_words_back(void **state)
{
    static const char *const rows[][2] = {
        { "run", "run" },
        { "--set=a=1,b.c:d@e%/f+g", "--set=a=1,b.c:d@e%/f+g" },
        { "", "''" },
        { "two words", "'two words'" },
        { "it's", "'it'\\''s'" },
        { "a\tb\x7F", "'a?b?'" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct text text = { 0 };
        text_add_word(&text, rows[i][0]);
        assert_string_equal(text_get(&text), rows[i][1]);
        text_free(&text);
    }
}

static void control_characters_are_not_plain(void **state)
{
    static const char *const plain[] = { "", "a\tb", "\xC3\xA9", "\xE2\x82\xAC", "\xC2\xA0" };
    static const char *const other[] = { "\x1B[1m", "a\nb", "\x7F", "\xC2\x9B", "\x9B", "\x80x" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(plain); i++)
        assert_true(text_is_plain(plain[i]));
    for (size_t i = 0; i < ARRAY_COUNT(other); i++)
        assert_false(text_is_plain(other[i]));
}

static void a_list_ends_with_and(void **state)
{
    static const char *const lists[] = { "", "0", "0 and 1", "0, 1 and 2", "0, 1, 2 and 3" };
    (void)state;
    for (size_t count = 0; count < ARRAY_COUNT(lists); count++) {
        struct text text = { 0 };
        for (size_t i = 0; i < count; i++)
            text_add(&text, "%s%zu", text_between(i, count - i - 1), i);
        assert_string_equal(text_get(&text), lists[count]);
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(a_shell_reads_words_back),
        cmocka_unit_test(control_characters_are_not_plain),
        cmocka_unit_test(a_list_ends_with_and),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
