/* SPDX-License-Identifier: MIT */
/* test_report.c: any text in a report of `vidmm test`: what XML and TAP can hold, and what not. */
#include <string.h>

#include "tests/support/unit.h"
#include "tools/common/text.h"
#include "tools/test/report.h"

#define BAD "\xEF\xBF\xBD"

static void check_xml(const char *bytes, size_t count, const char *wanted)
{
    struct text text = { 0 };
    text_add_xml(&text, bytes, count);
    assert_string_equal(text_get(&text), wanted);
    text_free(&text);
}

static void xml_holds_every_text(void **state)
{
    static const struct {
        const char *bytes, *wanted;
    } rows[] = {
        { "", "" },
        { "plain, \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
          "plain, \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80" },
        { "<a & \"b\">", "&lt;a &amp; &quot;b&quot;&gt;" },
        { "]]>", "]]&gt;" },
        { "a\tb\nc\rd", "a&#9;b&#10;c&#13;d" },
        { "\x01\x1B[1m\x7F", BAD BAD "[1m\x7F" },
        /* Not UTF-8: a lone byte, one too few, too long a form, a surrogate, above U+10FFFF. */
        { "\x80x", BAD "x" },
        { "\xFFx", BAD "x" },
        { "\xC3", BAD },
        { "\xE2\x82x", BAD BAD "x" },
        { "\xC0\xAF", BAD BAD },
        { "\xE0\x80\xAF", BAD BAD BAD },
        { "\xF8\x88\x80\x80\x80", BAD BAD BAD BAD BAD },
        { "\xED\xA0\x80", BAD BAD BAD },
        { "\xF4\x90\x80\x80", BAD BAD BAD BAD },
        /* UTF-8, and no character of XML. */
        { "\xEF\xBF\xBE\xEF\xBF\xBF", BAD BAD },
        { "\xEF\xBF\xBD", BAD },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        check_xml(rows[i].bytes, strlen(rows[i].bytes), rows[i].wanted);
    check_xml("a\0b", 3, "a" BAD "b");
    check_xml("\xE2\x82\xAC", 2, BAD BAD); /* it ends before the character does */
}

static void tap_knows_the_end_of_a_name(void **state)
{
    struct text text = { 0 };
    (void)state;
    report_tap_name(&text, "a # SKIP \\ b\nnot ok");
    assert_string_equal(text_get(&text), "a \\# SKIP \\\\ b not ok");
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xml_holds_every_text),
        cmocka_unit_test(tap_knows_the_end_of_a_name),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
