/* SPDX-License-Identifier: MIT */
/*
 * test_format.c: the canonical layout of scenarios, and that it is a fixed point.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/scenario.h"
#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

#define HEAD "vidmm-scenario 1\n"

static void write_text(void *context, const char *bytes, size_t length)
{
    listener_append(context, bytes, length);
}

static struct text format(const char *text)
{
    struct listener listener;
    struct text out = { 0 };
    listener_open(&listener);
    listener_append(&out, "", 0);
    struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
    if (!scenario_format(scenario, write_text, &out))
        listener_append(&out, "refused\n", 8);
    scenario_free(scenario);
    listener_close(&listener);
    return out;
}

static void test_layout(void **state)
{
    static const struct {
        const char *from, *to;
    } cases[] = {
        { HEAD "\n\n\n  start   # now\n\n", HEAD "\nstart  # now\n" },
        { HEAD "repeat 2 as i\nadvance 1ms\nend", HEAD "repeat 2 as i\n  advance 1ms\nend\n" },
        { HEAD "choose\ncase 1\nstart\ncase 2\nend\n",
          HEAD "choose\n  case 1\n    start\n  case 2\nend\n" },
        { HEAD "let a=1+2*( 3 -1 )\n", HEAD "let a = 1 + 2 * (3 - 1)\n" },
        { HEAD "let b = 7%3\n", HEAD "let b = 7 % 3\n" },
        { HEAD "create t[ 0 .. 3 ]:tex size=rand( 64K..8M,step=64K ) prefer=vram:top,aper\n",
          HEAD "create t[0..3] : tex size=rand(64K..8M,step=64K) prefer=vram:top,aper\n" },
        { HEAD "start->bugcheck 0x10E / 0x2f\n", HEAD "start -> bugcheck 0x10E/0x2f\n" },
        { HEAD "expect used(vram)>=80%  of vram\n", HEAD "expect used(vram) >= 80% of vram\n" },
        { HEAD "miniport mock  bpb-status=STATUS_NO_MEMORY@2\n",
          HEAD "miniport mock bpb-status=STATUS_NO_MEMORY@2\n" },
        { HEAD "segment a id=1 kind=memory size=64M flags=CpuVisible\n"
               "segment long id=2 kind=aperture size=1M\n",
          HEAD "segment a    id=1 kind=memory   size=64M flags=CpuVisible\n"
               "segment long id=2 kind=aperture size=1M\n" },
        { HEAD
          "segment a id=1 kind=memory size=64M\n# between\nsegment long id=2 kind=agp size=1M\n",
          HEAD
          "segment a id=1 kind=memory size=64M\n# between\nsegment long id=2 kind=agp size=1M\n" },
        { HEAD "expect events\nevict g via=aper\ntransfer g from=vram\nend\n",
          HEAD "expect events\n  evict    g via=aper\n  transfer g from=vram\nend\n" },
        { HEAD "submit f with\nat 0 slot 1 none\nat 4096 slot 2 none\nend\n",
          HEAD "submit f with\n  at 0    slot 1 none\n  at 4096 slot 2 none\nend\n" },
        { HEAD "test  \"x\" tags=a->,b  c=1\nend\n", "refused\n" },
        { HEAD "test  \"x\"  tags=a->,b\nend\n", HEAD "test \"x\" tags=a->,b\nend\n" },
        { "\xEF\xBB\xBFvidmm-scenario  1\r\nstart\r\n", HEAD "start\n" },
        { HEAD "ask \"q?\"=free( vram )<=4M  by PLACE-006 , PAGE-010  hint  \"h\"\n",
          HEAD "ask \"q?\" = free(vram) <= 4M by PLACE-006,PAGE-010 hint \"h\"\n" },
        { HEAD "exercise  \"x\"\nask \"q?\"=\"a word\"\n",
          HEAD "exercise \"x\"\nask \"q?\" = \"a word\"\n" },
        { HEAD "let a=( ( 1 ) )\nfor i in 0..( 3 )\nend\n",
          HEAD "let a = ((1))\nfor i in 0..(3)\nend\n" },
        { HEAD "start # with spaces  \t\n# and alone \t \n",
          HEAD "start  # with spaces\n# and alone\n" },
        { HEAD "class a size=4K\n\nclass longer size=4K\n",
          HEAD "class a size=4K\n\nclass longer size=4K\n" },
        { HEAD "craete a\n", "refused\n" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct text once = format(cases[i].from);
        struct text twice = format(once.bytes);
        assert_string_equal(once.bytes, cases[i].to);
        if (strcmp(once.bytes, "refused\n") != 0)
            assert_string_equal(twice.bytes, once.bytes);
        base_free(once.bytes);
        base_free(twice.bytes);
    }
}

/* A line of more cells than are laid out, and more lines than wait for each other. */
static void test_columns_end(void **state)
{
    enum { LINES = 300, CELLS = 70 };
    struct text text = { 0 };
    char line[64];
    (void)state;
    listener_append(&text, HEAD "expect events\n", strlen(HEAD "expect events\n"));
    for (int i = 0; i < LINES; i++)
        listener_append(&text, line,
                        (size_t)snprintf(line, sizeof line, "  evict a%d via=aper\n",
                                         i < LINES - 1 ? 1 : 1000));
    listener_append(&text, "end\nexpect events\n  place a", 27);
    for (int i = 0; i < CELLS; i++)
        listener_append(&text, line, (size_t)snprintf(line, sizeof line, "  bytes=%d", i));
    listener_append(&text, "\nend\n", 5);
    struct text out = format(text.bytes), again = format(out.bytes);
    assert_string_equal(again.bytes, out.bytes);
    /* The first 256 lines do not know of the long name. */
    assert_non_null(strstr(out.bytes, HEAD "expect events\n  evict a1 via=aper\n"));
    assert_non_null(strstr(out.bytes, "  evict a1    via=aper\n  evict a1000 via=aper\nend\n"));
    assert_non_null(strstr(out.bytes, " bytes=68 bytes=69\nend\n"));
    base_free(text.bytes);
    base_free(out.bytes);
    base_free(again.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_columns_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
