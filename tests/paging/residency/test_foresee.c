/* SPDX-License-Identifier: MIT */
/*
 * test_foresee.c: a look for room that considered many victims makes a prospect of the segment,
 * where one can answer, and the next looks choose the victims that a walk would choose.
 *
 * The linker puts __wrap_turns_foresee() in front of the making. In most scenarios allocations of
 * low and of ordinary priority lie in turn: for one of twice their size, all of the low ones are
 * considered and the first of each leaves.
 */
#include <stdio.h>
#include <string.h>

#include "paging/store/turns.h"
#include "scenarios/lang/scenario.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_host.h"

static unsigned made;

void __real_turns_foresee(adapter_t *adapter, uint32_t segment);
void __wrap_turns_foresee(adapter_t *adapter, uint32_t segment);

void __wrap_turns_foresee(adapter_t *adapter, uint32_t segment)
{
    made += !turns_prospect(adapter, segment);
    __real_turns_foresee(adapter, segment);
}

static void message(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    print_message("%s", message->rendered);
}

static void ignore(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    (void)event;
}

/* What can be in the way of a prospect. */
struct row {
    const char *name;
    const char *start;  /* settings of the adapter, and more lines */
    const char *create; /* attributes of all allocations */
    const char *rest;   /* more lines at the end; NULL: none */
    bool makes;         /* does any look make a prospect? How many do is left open */
    const bool *heard;  /* by an observer; NULL: there is none */
    const char *before; /* more lines before the looks; NULL: none */
};

#define ADAPTER(wddm)                                                                              \
    "adapter wddm=" wddm "\n"                                                                      \
    "segment vram id=1 kind=memory   size=8448K\n"                                                 \
    "segment aper id=2 kind=aperture size=8448K\n"

static const bool turns[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_TURN] = true };
static const bool passed_over[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_PASS_OVER] = true };

static const struct row rows[] = {
    { "memory", ADAPTER("1.3"), "segments=vram", NULL, true, NULL, NULL },
    { "turns that change: those that arrive, are used, leave, and have another priority",
      ADAPTER("1.3"), "segments=vram",
      "evict mid[10..12]\nwait idle\n"
      "create young[0..2] : t priority=low\n"
      "for i in 0..2\n"
      "  page-in young[$i]\n"
      "  expect offset(young[$i]) == (10 + $i) * 128K + 64K\n"
      "end\n"
      "submit one read=young[0]\nsubmit two read=young[2]\nwait idle\n"
      "create both : t size=128K\npage-in both\n"
      "expect offset(both) == 11 * 128K\n"
      "submit three read=low[10]\nwait idle\n" /* after the one at 12 */
      "create third : t size=128K\npage-in third\n"
      "expect offset(third) == 12 * 128K\n"
      "priority low[10] high\n"
      "create next : t size=128K\npage-in next\n"
      "expect offset(next) == 3 * 128K\n"
      "priority mid[20] low\n"
      "create last : t size=128K\npage-in last\n"
      "expect offset(last) == 20 * 128K\n",
      true, NULL, NULL },
    { "what is pinned has no turn, whatever becomes of its priority", ADAPTER("1.3"),
      "segments=vram",
      "pin low[3]\npriority low[3] high\npriority low[3] low\n"
      "create next : t size=128K\npage-in next\n"
      "expect offset(next) == 448K\n"
      "expect low[3] in vram\n",
      true, NULL, NULL },
    { "somebody listens to turns", ADAPTER("1.3"), "segments=vram", NULL, false, turns, NULL },
    { "or to what stays", ADAPTER("1.3"), "segments=vram", NULL, false, passed_over, NULL },
    { "an aperture has a limit", ADAPTER("1.3"), "segments=aper", NULL, false, NULL, NULL },
    { "a link", "link adapters=2\n" ADAPTER("1.3"), "segments=vram", NULL, false, NULL, NULL },
    { "all adapters of a link", "link adapters=2\n" ADAPTER("1.3"),
      "segments=vram flags=LinkMirrored", NULL, false, NULL, NULL },
    { "a policy of placement", ADAPTER("1.3") "policy placement=best-fit\n", "segments=vram", NULL,
      false, NULL, NULL },
    { "one for all adapters of a link",
      "link adapters=2\n" ADAPTER("1.3") "policy placement=best-fit\n",
      "segments=vram flags=LinkMirrored", NULL, false, NULL, NULL },
    { "a policy of eviction", ADAPTER("1.3") "policy eviction=fifo\n", "segments=vram", NULL, false,
      NULL, NULL },
    { "one that lists its victims", ADAPTER("1.3") "policy eviction=sieve\n", "segments=vram", NULL,
      false, NULL, NULL },
    { "a resident of single pages", ADAPTER("2.0"), "segments=vram flags=AccessedPhysically",
      "expect state odd runs=2\n"
      "create lot size=4M segments=vram\n" /* it wants pages, wherever they are */
      "page-in lot\n",
      true, NULL,
      "evict low[20]\nevict low[40]\n"
      "create odd size=128K segments=vram priority=low\n"
      "page-in odd\nwait idle\n" },
    { "one that arrives later", ADAPTER("2.0"), "segments=vram flags=AccessedPhysically",
      "evict mid[30]\nevict low[50]\nwait idle\n"
      "create late size=128K segments=vram priority=low\n"
      "page-in late\nwait idle\n"
      "expect state late runs=2\n"
      "create next : t size=128K\npage-in next\n"
      "expect offset(next) == 30 * 128K\n" /* beside a page of it */
      "expect late evicted\n",
      true, NULL, NULL },
    { "too few system pages for those that it names", "machine memory=12M\n" ADAPTER("1.3"),
      "segments=vram content=1",
      "create hog size=8M segments=aper\n"
      "page-in hog\nwait idle\n"
      "create lot size=6M segments=vram\n"
      "page-in lot -> fails\n"
      "expect findings == 0\n",
      true, NULL, NULL },
    { "an overlay wants the pinned region, whoever lies there", ADAPTER("1.3"), "segments=vram",
      "create overlay size=128K segments=vram flags=Overlay\n"
      "expect offset(overlay) >= 80% of vram\n"
      "expect count(evict,reason=pin) == 3\n", /* it begins in the middle of one */
      true, NULL, NULL },
};

/* Returns the work that was counted. */
static uint64_t run(const struct row *row)
{
    static const char text[] = "vidmm-scenario 1\n%s"
                               "class t size=64K %s\n"
                               "for i in 0..65\n"
                               "  create low[$i] : t priority=low\n"
                               "  create mid[$i] : t\n"
                               "  page-in low[$i],mid[$i]\n"
                               "end\n"
                               "wait idle\n"
                               "%s"
                               "for i in 0..2\n"
                               "  create pair[$i] : t size=128K\n"
                               "  page-in pair[$i]\n"
                               "  expect offset(pair[$i]) == $i * 128K\n"
                               "  expect low[$i] evicted\n"
                               "  expect mid[$i] evicted\n"
                               "  expect count(evict,reason=room) == ($i + 1) * 2\n"
                               "end\n"
                               "%s";
    char whole[2000];
    struct vidmm_observer observer = { .on_event = ignore, .kinds = row->heard };
    struct scenario_host host = { .message = message, .observers = row->heard ? &observer : NULL };
    struct scenario_options options = { .check_invariants = true };
    struct scenario_result result = { 0 };
    int bytes = snprintf(whole, sizeof whole, text, row->start, row->create,
                         row->before ? row->before : "", row->rest ? row->rest : "");
    assert_in_range(bytes, 1, sizeof whole - 1);
    made = 0;
    uint64_t worked = vidmm_host_worked();
    struct scenario *scenario = scenario_parse(whole, strlen(whole), row->name, &host);
    assert_true(scenario_check(scenario));
    assert_int_equal(scenario_run(scenario, &options, &result), SCENARIO_EXIT_OK);
    scenario_free(scenario);
    worked = vidmm_host_worked() - worked;
    assert_int_equal(made != 0, row->makes);
    return worked;
}

static void a_prospect_is_made_where_it_can_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        print_message("%s\n", rows[i].name);
        uint64_t worked = run(&rows[i]);
        if (rows[i].heard) /* the first one, by walks: a limit of work is the same for both */
            assert_int_equal(worked, run(&rows[0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prospect_is_made_where_it_can_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
