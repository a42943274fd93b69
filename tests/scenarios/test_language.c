/* SPDX-License-Identifier: MIT */
/*
 * test_language.c: the scenario language: expressions, limits, includes, tests, bulk lines.
 * Messages about mistakes are tested in test_diagnostics.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/lang/session/random.h"
#include "scenarios/lang/syntax/syntax.h"
#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

static struct scenario_result run_with(struct listener *listener, const char *text,
                                       const struct scenario_options *options)
{
    struct scenario_result result = { .exit = SCENARIO_EXIT_INPUT };
    struct scenario *scenario = scenario_parse(text, strlen(text), "dir/test.vms", &listener->host);
    if (scenario_check(scenario))
        scenario_run(scenario, options, &result);
    scenario_free(scenario);
    if (result.exit != SCENARIO_EXIT_OK)
        print_message("%s", listener->said.bytes);
    return result;
}

static enum scenario_exit run(const char *text)
{
    struct listener listener;
    const struct scenario_options options = { .check_invariants = true };
    listener_open(&listener);
    struct scenario_result result = run_with(&listener, text, &options);
    listener_close(&listener);
    return result.exit;
}

#define HEAD "vidmm-scenario 1\n"
#define SEGMENTS                                                                                   \
    "segment vram id=1 kind=memory   size=64M flags=CpuVisible\n"                                  \
    "segment aper id=2 kind=aperture size=32M\n"

/* ---- expressions -------------------------------------------------------------------------------
 */

static void test_expressions(void **state)
{
    (void)state;
    assert_int_equal(run(HEAD SEGMENTS
                         "let seven = 7\n"
                         "let zero = rand(0..0)\n" /* keeps the checker from knowing */
                         "expect $seven + $zero == 7\n"
                         "expect 1 + 2 * 3 + $zero == 7\n"
                         "expect (1 + 2) * 3 + $zero == 9\n"
                         "expect 100 / 7 % 4 + $zero == 2\n"
                         "expect 10 - 3 - 2 + $zero == 5\n"
                         "expect 0x40 + $zero == 64\n"
                         "expect 1K + 1KiB + $zero == 2048\n"
                         "expect 1s + $zero == 1000ms\n"
                         "expect 1ms + $zero == 1000000\n"
                         "expect 80% of vram + $zero == 64M * 80 / 100\n"
                         "expect 25% of aper + $zero == 8M\n"
                         "expect size(vram) == 64M\n"
                         "expect vram + $zero == 1\n"
                         "expect rand(5..5) == 5\n"
                         "expect rand(4K..64K,step=4K) <= 64K\n"),
                     SCENARIO_EXIT_OK);
}

static void test_names_with_indexes(void **state)
{
    (void)state;
    assert_int_equal(run(HEAD SEGMENTS "create t[0..3] size=64K\n"
                                       "for i in 0..3\n"
                                       "  submit f read=t[$i] write=t[3 - $i]\n"
                                       "  wait f\n"
                                       "end\n"
                                       "expect t[0] in vram\n"
                                       "expect live() == 4\n"
                                       "destroy t[1..2],t[0]\n"
                                       "expect live() == 1\n"
                                       "repeat 3 as i\n"
                                       "  create u[$i] size=4K\n"
                                       "end\n"
                                       "destroy all\n"
                                       "expect live() == 0\n"),
                     SCENARIO_EXIT_OK);
}

/* The published sequence of xoshiro256** from the state 1, 2, 3, 4. */
static void test_generator(void **state)
{
    static const uint64_t expected[] = { 11520, 0, 1509978240, 1215971899390074240 };
    struct random random = { { 1, 2, 3, 4 } };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++)
        assert_true(random_next(&random) == expected[i]);
    bool seen[7] = { false };
    for (int i = 0; i < 1000; i++)
        seen[random_below(&random, 7)] = true;
    for (size_t i = 0; i < ARRAY_COUNT(seen); i++)
        assert_true(seen[i]);
}

/* ---- limits ------------------------------------------------------------------------------------
 */

static bool reads(struct listener *listener, const char *text, size_t length)
{
    listener_open(listener);
    struct scenario *scenario = scenario_parse(text, length, "dir/test.vms", &listener->host);
    bool whole = scenario_check(scenario);
    scenario_free(scenario);
    return whole;
}

static void add(struct text *text, const char *bytes, int times)
{
    for (int i = 0; i < times; i++)
        listener_append(text, bytes, strlen(bytes));
}

static bool reads_and_frees(struct text *text)
{
    struct listener listener;
    bool whole = reads(&listener, text->bytes, text->length);
    listener_close(&listener);
    base_free(text->bytes);
    return whole;
}

static bool reads_comment_of(int length)
{
    struct text text = { 0 };
    add(&text, HEAD "#", 1);
    add(&text, "x", length - 1);
    return reads_and_frees(&text);
}

static void test_length_of_lines(void **state)
{
    (void)state;
    assert_true(reads_comment_of(64 * 1024));
    assert_false(reads_comment_of(64 * 1024 + 1));
}

static bool reads_nested(const char *open, const char *close, int depth)
{
    struct text text = { 0 };
    add(&text, HEAD, 1);
    add(&text, open, depth);
    add(&text, close, depth);
    return reads_and_frees(&text);
}

static bool reads_parentheses(int depth)
{
    struct text text = { 0 };
    add(&text, HEAD "let a = ", 1);
    add(&text, "(", depth);
    add(&text, "1", 1);
    add(&text, ")", depth);
    return reads_and_frees(&text);
}

static void test_nesting(void **state)
{
    (void)state;
    assert_true(reads_nested("repeat 1\n", "end\n", 64));
    assert_false(reads_nested("repeat 1\n", "end\n", 65));
    assert_false(reads_nested("repeat 1\n", "end\n", 5000));
    assert_true(reads_parentheses(64));
    assert_false(reads_parentheses(65));
    assert_false(reads_parentheses(30000));
}

static bool reads_sum(int operators)
{
    struct text text = { 0 };
    add(&text, HEAD "let a = 1", 1);
    add(&text, "+1", operators);
    return reads_and_frees(&text);
}

static void test_operators_of_a_line(void **state)
{
    (void)state;
    assert_true(reads_sum(1000));
    assert_false(reads_sum(1001));
    assert_false(reads_sum(30000));
}

/* File n includes file n + 1; the last one is `depth` files deep. */
static bool includes(unsigned depth)
{
    enum { FILES = 32 };
    struct listener listener;
    char names[FILES][24];
    char texts[FILES][64];
    const char *files[2 * FILES + 1] = { NULL };
    for (unsigned i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "dir/%u.vms", i);
        snprintf(texts[i], sizeof texts[i], i + 1 < depth ? HEAD "include \"%u.vms\"\n" : HEAD,
                 i + 1);
        files[2 * i] = names[i];
        files[2 * i + 1] = texts[i];
    }
    listener_open(&listener);
    listener.files = files;
    const char text[] = HEAD "include \"./x/../0.vms\"\n";
    struct scenario *scenario = scenario_parse(text, strlen(text), "dir/test.vms", &listener.host);
    bool whole = scenario_check(scenario);
    scenario_free(scenario);
    listener_close(&listener);
    return whole;
}

static void test_includes(void **state)
{
    static const char *const files[] = { "adapters/card.vms",
                                         HEAD SEGMENTS "include \"more.vms\"\n",
                                         "adapters/more.vms", HEAD "class tex size=64K\n", NULL };
    struct listener listener;
    const struct scenario_options options = { 0 };
    (void)state;
    assert_true(includes(16));
    assert_false(includes(17));
    listener_open(&listener);
    listener.files = files;
    struct scenario_result result =
        run_with(&listener,
                 HEAD "include \"../adapters/card.vms\"\ncreate a : tex\nexpect size(a) == 64K\n",
                 &options);
    assert_int_equal(result.exit, SCENARIO_EXIT_OK);
    listener_close(&listener);
}

/* ---- tests and streams -------------------------------------------------------------------------
 */

#define STREAM(name)                                                                               \
    "test \"" name "\"\n"                                                                          \
    "  repeat 20\n"                                                                                \
    "    create new size=rand(4K..1M,step=4K)\n"                                                   \
    "    submit auto write=any(1..3)\n"                                                            \
    "  end\n"                                                                                      \
    "  wait idle\n"                                                                                \
    "  ask \"used\" = used(vram)\n"                                                                \
    "end\n"

static uint64_t value_told(const struct listener *listener, const char *name)
{
    const char *at = strstr(listener->told.bytes, name);
    assert_non_null(at);
    return strtoull(at + strlen(name), NULL, 10);
}

/* The numbers that a test draws depend on the seed and its name, and on nothing before it. */
static void test_streams(void **state)
{
    struct listener alone, second, other, seeded;
    const struct scenario_options options = { 0 };
    const struct scenario_options seed = { .has_seed = true, .seed = 7 };
    (void)state;
    listener_open(&alone);
    listener_open(&second);
    listener_open(&other);
    listener_open(&seeded);
    const char one[] = HEAD SEGMENTS "create keep size=rand(4K..1M,step=4K)\n" STREAM("x");
    const char two[] =
        HEAD SEGMENTS "create keep size=rand(4K..1M,step=4K)\n" STREAM("w") STREAM("x");
    assert_int_equal(run_with(&alone, one, &options).tests, 1);
    assert_int_equal(run_with(&second, two, &options).tests, 2);
    assert_int_equal(run_with(&seeded, one, &seed).seed, 7);
    const struct scenario_options only = { .only = "x" };
    assert_int_equal(run_with(&other, two, &only).tests, 1);
    uint64_t used = value_told(&alone, "used ");
    assert_true(used == value_told(&other, "used "));
    assert_non_null(strstr(second.told.bytes, strstr(alone.told.bytes, "2 used")));
    assert_true(used != value_told(&seeded, "used "));
    listener_close(&alone);
    listener_close(&second);
    listener_close(&other);
    listener_close(&seeded);
}

/* Flags of a lock are one list; of any other field the words are alternatives. */
static void test_words_of_a_field(void **state)
{
    (void)state;
#define LIFE                                                                                       \
    HEAD SEGMENTS "create a size=64K flags=CpuVisible evict-to=aper\n"                             \
                  "page-in a\nwait idle\n"                                                         \
                  "lock a flags=ReadOnly,DonotWait\n"                                              \
                  "unlock a\n"                                                                     \
                  "evict a\n"
    assert_int_equal(run(LIFE "expect no lock flags=ReadOnly\n"
                              "expect no evict reason=room,pin\n"
                              "expect count(lock,flags=DonotWait) == 0\n"),
                     SCENARIO_EXIT_OK);
    assert_int_equal(run(LIFE "expect no lock flags=DonotWait,ReadOnly\n"), SCENARIO_EXIT_FAILED);
    assert_int_equal(run(LIFE "expect no lock flags=ReadOnly,DonotWait\n"), SCENARIO_EXIT_FAILED);
    assert_int_equal(run(LIFE "expect no evict reason=room,script\n"), SCENARIO_EXIT_FAILED);
#undef LIFE
}

/* A value that only the run knows is not cut to 32 bits either. */
static void test_numbers_that_do_not_fit(void **state)
{
    (void)state;
#define WIDE HEAD SEGMENTS "let wide = rand(0x100000000..0x100000000)\ncreate a size=4K\n"
    assert_int_equal(run(WIDE "create b size=4K content=$wide\n"), SCENARIO_EXIT_OK);
    assert_int_equal(run(WIDE "priority a $wide -> either\n"), SCENARIO_EXIT_INPUT);
    assert_int_equal(run(WIDE "create b size=4K priority=$wide -> either\n"), SCENARIO_EXIT_INPUT);
    assert_int_equal(run(WIDE "create b size=4K flags=$wide -> either\n"), SCENARIO_EXIT_INPUT);
    assert_int_equal(run(WIDE "lock a data=$wide -> either\n"), SCENARIO_EXIT_INPUT);
    assert_int_equal(run(WIDE "context c DmaBufferSize=$wide -> either\n"), SCENARIO_EXIT_INPUT);
    assert_int_equal(run(WIDE "submit f bytes=$wide -> either\n"), SCENARIO_EXIT_INPUT);
#undef WIDE
}

static void test_two_runs_give_the_same_events(void **state)
{
    struct listener first, again;
    const struct scenario_options options = { 0 };
    (void)state;
    listener_open(&first);
    listener_open(&again);
    const char text[] = HEAD SEGMENTS STREAM("x") STREAM("y");
    run_with(&first, text, &options);
    run_with(&again, text, &options);
    assert_true(first.events.length > 1000);
    assert_string_equal(first.events.bytes, again.events.bytes);
    listener_close(&first);
    listener_close(&again);
}

static void test_narration(void **state)
{
    struct listener listener;
    const struct scenario_options options = { 0 };
    (void)state;
    listener_open(&listener);
    run_with(&listener,
             HEAD "lesson \"One\"\n" SEGMENTS
                  "note \"two\"\ntest \"three\"\n  ask \"four\" = size(aper)\n"
                  "  show map vram\nend\n",
             &options);
    assert_string_equal(listener.told.bytes,
                        "0 One 0\n1 two 0\n4 three 0\n2 four 33554432\n3 map 0\n5 three 0\n");
    listener_close(&listener);
}

static void test_settings_from_outside(void **state)
{
    static const char *const settings[] = { "wddm=1.3", "pinned-percent=50", "profile=unit" };
    struct listener listener;
    const struct scenario_options options = { .settings = settings, .setting_count = 3 };
    (void)state;
    listener_open(&listener);
    struct scenario_result result =
        run_with(&listener,
                 HEAD "adapter wddm=1.1 pinned-percent=20\n" SEGMENTS
                      "expect state adapter wddm=1.3\nexpect state vram pinstart=32M\n",
                 &options);
    assert_int_equal(result.exit, SCENARIO_EXIT_OK);
    listener_close(&listener);
}

/* ---- bulk lines --------------------------------------------------------------------------------
 */

/* The same lines, once as bulk lines and once each with a comment, which no form has. */
static char *bulk_text(bool plain)
{
    struct text text = { 0 };
    struct random random = { { 5, 6, 7, 8 } };
    char line[128];
    listener_append(&text, HEAD SEGMENTS, strlen(HEAD SEGMENTS));
    listener_append(&text, "class tex prefer=vram\n", strlen("class tex prefer=vram\n"));
    for (unsigned i = 0; i < 300; i++) {
        int length =
            snprintf(line, sizeof line,
                     "create @%u : tex size=%uK%s\n"
                     "submit @%u read=@%u,@%u write=@%u cost=%uus%s\n",
                     i, 64 * (unsigned)(1 + random_below(&random, 30)), plain ? "" : " # x",
                     100000 + i, i, i / 2, i / 3, 10 + i % 7, plain ? "" : " # x");
        listener_append(&text, line, (size_t)length);
    }
    static const char last[] = "wait @100299\ndestroy @7\ndestroy @8\n";
    listener_append(&text, last, strlen(last));
    return text.bytes;
}

static void test_bulk_lines_mean_the_same(void **state)
{
    struct listener bulk, general;
    const struct scenario_options options = { 0 };
    char *texts[] = { bulk_text(true), bulk_text(false) };
    (void)state;
    listener_open(&bulk);
    listener_open(&general);
    assert_int_equal(run_with(&bulk, texts[0], &options).operations, 603);
    assert_int_equal(run_with(&general, texts[1], &options).operations, 603);
    assert_string_equal(bulk.events.bytes, general.events.bytes);
    struct scenario *scenario = scenario_parse(texts[0], strlen(texts[0]), "test.vms", &bulk.host);
    assert_int_equal(scenario->bulk->line_count, 603);
    assert_int_equal(scenario->bulk->form_count, 4);
    scenario_free(scenario);
    listener_close(&bulk);
    listener_close(&general);
    base_free(texts[0]);
    base_free(texts[1]);
}

/* ---- a run that is left --------------------------------------------------------------------- */

struct leaver {
    struct listener listener;
    uint64_t asked, most;
};

static bool leaver_done(struct scenario_host *host)
{
    struct leaver *leaver =
        CONTAINER_OF(CONTAINER_OF(host, struct listener, host), struct leaver, listener);
    return ++leaver->asked > leaver->most;
}

static void test_run_left_and_begun_again(void **state)
{
    static const char text[] = "vidmm-scenario 1\n"
                               "segment vram id=1 kind=memory size=64M\n"
                               "create a size=4M segments=vram\n"
                               "repeat 3\n"
                               "  page-in a\n"
                               "  evict a\n"
                               "end\n"
                               "expect a in system\n";
    struct leaver leaver = { .most = UINT64_MAX };
    struct scenario_result whole = { 0 }, part = { 0 }, again = { 0 };
    const struct scenario_options options = { 0 };
    (void)state;
    listener_open(&leaver.listener);
    leaver.listener.host.done = leaver_done;
    struct scenario *scenario = scenario_parse(text, strlen(text), "t.vms", &leaver.listener.host);
    assert_true(scenario_check(scenario));
    scenario_run(scenario, &options, &whole);
    assert_int_equal(whole.exit, SCENARIO_EXIT_OK);
    uint64_t asked = leaver.asked;
    assert_true(asked >= whole.operations);
    for (leaver.most = 0; leaver.most < asked; leaver.most++) {
        leaver.asked = 0;
        part = (struct scenario_result){ 0 };
        scenario_run(scenario, &options, &part);
        assert_int_equal(part.exit, SCENARIO_EXIT_INTERRUPTED);
        assert_int_equal(leaver.asked, leaver.most + 1);
        assert_true(part.operations < whole.operations || leaver.most == asked - 1);
    }
    leaver.asked = 0;
    scenario_run(scenario, &options, &again);
    assert_memory_equal(&again, &whole, sizeof whole);
    scenario_free(scenario);
    listener_close(&leaver.listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_names_with_indexes),
        cmocka_unit_test(test_generator),
        cmocka_unit_test(test_length_of_lines),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_operators_of_a_line),
        cmocka_unit_test(test_includes),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_words_of_a_field),
        cmocka_unit_test(test_numbers_that_do_not_fit),
        cmocka_unit_test(test_two_runs_give_the_same_events),
        cmocka_unit_test(test_narration),
        cmocka_unit_test(test_settings_from_outside),
        cmocka_unit_test(test_bulk_lines_mean_the_same),
        cmocka_unit_test(test_run_left_and_begun_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
