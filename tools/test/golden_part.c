/* SPDX-License-Identifier: MIT */
/*
 * golden_part.c: compares the decisions of a file that runs with its golden, test by test.
 *
 * What differs is a message of the test that ends next. A run with a seed or parameters of its own
 * makes other decisions, of course: it is not compared, and that is said. Of tests that were not
 * chosen nothing is expected.
 */
#include "tools/test/golden_part.h"

#include <inttypes.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"

static void say(struct golden_part *part, struct golden_told *told, uint32_t line)
{
    struct text rendered = { 0 };
    part->failed = part->failed || told->failed;
    part->unwritten = part->unwritten || told->unwritten;
    line = told->line ? (uint32_t)told->line : line;
    if (told->text.length) {
        /* A golden that was written is news, and no complaint. */
        text_add(&rendered, "%s:%" PRIu32 ":1: %s%s\n", part->file, line,
                 told->failed ? "failed: " : "", text_get(&told->text));
        text_add(&rendered, "%s", text_get(&told->details));
        answer_write(part->answer,
                     &(struct answer){ .kind = ANSWER_MESSAGE,
                                       .number = told->failed ? SCENARIO_FAILED : SCENARIO_WARNING,
                                       .golden = true,
                                       .line = line,
                                       .column = 1,
                                       .name = part->file,
                                       .text = text_get(&told->text),
                                       .more = text_get(&rendered) });
    }
    text_free(&rendered);
    golden_told_free(told);
}

/* False: no test of the file runs. */
static bool choose(struct scenario *scenario, const struct scenario_options *options, bool *partial)
{
    struct scenario_item test = { 0 };
    bool any = false, tests = false;
    for (; scenario_next(scenario, SCENARIO_TESTS, &test); tests = true) {
        bool chosen = scenario_chosen(scenario, &test, options);
        any = any || chosen;
        *partial = *partial || !chosen;
    }
    return tests ? any : scenario_chosen(scenario, NULL, options);
}

void golden_part_begin(struct golden_part *part, const struct test_plan *plan,
                       const struct golden_start *start, struct scenario_options *options)
{
    struct golden_options wish = plan->goldens;
    struct scenario_item golden = { 0 };
    if (!choose(start->scenario, options, &wish.partial))
        return;
    bool asked = scenario_next(start->scenario, SCENARIO_GOLDEN, &golden);
    part->line = asked ? golden.at.line : 1;
    if (plan->seed_count || part->defined) {
        if (wish.folder || asked)
            answer_write(part->answer, &(struct answer){ .kind = ANSWER_UNCOMPARED });
        return;
    }
    part->golden = golden_open(&wish, start->scenario, part->file);
    if (!part->golden && wish.update)
        answer_write(part->answer, &(struct answer){ .kind = ANSWER_GOLDENLESS });
    if (!part->golden)
        return;
    start->host->sink = golden_sink(part->golden, start->inner);
    start->host->base.observers = &start->host->sink->observer;
    start->host->base.started = start->started;
    options->tell_statements = true;
    part->update = wish.update;
}

bool golden_part_test_ended(struct golden_part *part, uint32_t line)
{
    struct golden_told told = { .line = 0 };
    part->tested = true;
    if (part->golden)
        golden_test_ended(part->golden, &told);
    bool same = !told.failed;
    say(part, &told, line);
    return same;
}

/* What a test decides that fails is no measure; a policy may fail one and yet be remembered. */
void golden_part_failed(struct golden_part *part, const struct known *known, const char *test)
{
    if (!part->golden || part->kept.length || known_has(known, part->file, test))
        return;
    if (*test)
        text_add(&part->kept, "test \"%s\" failed", test);
    else
        text_add(&part->kept, "the run failed");
}

void golden_part_end(struct golden_part *part, struct scenario_result *result)
{
    struct golden_told told = { .line = 0 };
    bool whole = result->exit == SCENARIO_EXIT_OK || result->exit == SCENARIO_EXIT_FAILED ||
                 result->exit == SCENARIO_EXIT_BUGCHECK;
    if (!part->golden)
        return;
    if (whole && !part->tested)
        (void)golden_part_test_ended(part, part->line);
    golden_end(part->golden, whole, part->kept.length ? text_get(&part->kept) : NULL, &told);
    part->golden = NULL;
    text_free(&part->kept);
    say(part, &told, part->line);
    if (result->exit == SCENARIO_EXIT_OK && part->failed)
        result->exit = part->unwritten ? SCENARIO_EXIT_INPUT : SCENARIO_EXIT_FAILED;
}
