/* SPDX-License-Identifier: MIT */
/* test_shrink.c: the rest when every removable part is removed. */
#include <stdio.h>
#include <string.h>

#include "tests/support/shrink.h"
#include "tests/support/unit.h"

static const char *const *wanted;
static unsigned asked;

/* It fails as long as all of these are in it. */
static bool fails(void *self, const char *text)
{
    (void)self;
    asked++;
    for (size_t i = 0; wanted[i]; i++)
        if (!strstr(text, wanted[i]))
            return false;
    return true;
}

static void shrinks_to(const char *text, const char *const *words, const char *rest)
{
    char copy[1024];
    (void)snprintf(copy, sizeof copy, "%s", text);
    wanted = words;
    shrink_text(copy, fails, NULL);
    assert_string_equal(copy, rest);
}

static void test_statements(void **state)
{
    (void)state;
    shrinks_to("one\ntwo\nthree\nfour\nfive\n", (const char *const[]){ "two", "five", NULL },
               "two\nfive\n");
    shrinks_to("one\ntwo\n", (const char *const[]){ NULL }, "");
    shrinks_to("one\ntwo", (const char *const[]){ "two", NULL }, "two");
}

static void test_words(void **state)
{
    (void)state;
    shrinks_to("submit f read=a write=b cost=1us -> either\nwait f\n",
               (const char *const[]){ "write=b", NULL }, "submit write=b\n");
    shrinks_to("a -> fails X by Y\n", (const char *const[]){ "fails", NULL },
               "a -> fails X by Y\n");
}

/* A block is removed as a whole, or its parts are. */
static void test_blocks(void **state)
{
    static const char text[] = "first\n"
                               "submit f with -> either\n"
                               "  at 0 slot 0 read a\n"
                               "end\n"
                               "repeat 3\n"
                               "  resource r\n"
                               "    create b\n"
                               "  end\n"
                               "end\n"
                               "last\n";
    (void)state;
    shrinks_to(text, (const char *const[]){ "last", NULL }, "last\n");
    shrinks_to(text, (const char *const[]){ "submit", "with", "at 0", "end", NULL },
               "submit with\n  at 0\nend\n");
}

/* The number of questions must not grow with the square of the length. */
static void test_questions(void **state)
{
    static char text[4096];
    size_t length = 0;
    (void)state;
    for (int i = 0; i < 256; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "s%d\n", i);
    wanted = (const char *const[]){ "s77\n", "s200\n", NULL };
    asked = 0;
    shrink_text(text, fails, NULL);
    assert_string_equal(text, "s77\ns200\n");
    assert_true(asked < 120);
}

static void test_same_kind(void **state)
{
    (void)state;
    assert_true(shrink_same_kind("a3 is lost at 16", "a7 is lost at 99"));
    assert_true(shrink_same_kind("it broke (x)", "it broke (y)"));
    assert_false(shrink_same_kind("it broke", "it broke off"));
    assert_false(shrink_same_kind("a1 is lost", "a1 is found"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements), cmocka_unit_test(test_words),
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_questions),
        cmocka_unit_test(test_same_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
