/* SPDX-License-Identifier: MIT */
/*
 * runner.c: the tests of a scenario: each starts from the same state.
 *
 * A file with tests runs its preamble once for each of them, on an adapter of its own and with the
 * random stream of the preamble; then the stream of the test begins. So no test can see another.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { TEXT_BYTES = 1024 };

/* ---- proofs ---------------------------------------------------------------------------------- */

static void note_proofs(struct runner *runner)
{
    if (!runner->adapter)
        return;
    for (size_t rule = 1; rule <= vidmm_rule_count(); rule++) {
        if (!runner->proved[rule] && vidmm_rule_uses(runner->adapter, (enum vidmm_rule)rule))
            runner->proved[rule] = 1;
    }
}

static bool in_play(const struct runner *runner, enum vidmm_rule rule)
{
    return runner->proved[rule] || runner->proved[vidmm_rule_canonical(rule)];
}

static void check_proofs(struct runner *runner, const struct statement *first)
{
    for (const struct statement *at = first; at; at = at->next) {
        if (at->kind != STATEMENT_PROVES)
            continue;
        for (const struct rule_item *item = at->rules; item; item = item->next) {
            char text[96];
            runner->statement = at;
            runner_expect_begin(runner);
            snprintf(text, sizeof text, "%s never came into play", vidmm_rule_id(item->rule));
            if (!in_play(runner, item->rule))
                runner_failed(runner, text);
            runner_expect_end(runner);
        }
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static bool is_wanted(const struct runner *runner, const struct statement *test)
{
    char name[TEXT_BYTES];
    if (!runner->options->only)
        return true;
    snprintf(name, sizeof name, "%.*s", (int)test->text.length,
             runner->scenario->sources[test->text.source]->text + test->text.offset);
    return strstr(name, runner->options->only);
}

static bool has_tests(const struct scenario *scenario)
{
    const struct statement *at = scenario->statements;
    while (at && at->kind != STATEMENT_TEST)
        at = at->next;
    return at != NULL;
}

static void run_preamble(struct runner *runner)
{
    runner->test = NULL;
    runner->failures = 0;
    runner->before = *runner->result;
    runner->findings_told = runner->warnings_told = 0;
    run_start_reset(runner);
    evaluate_seed(runner);
    walk_block(runner, runner->scenario->statements);
    if (runner->options->start_only && !runner->halted && !has_tests(runner->scenario))
        walk_only_start(runner,
                        NULL); /* a file to be included: it describes the adapter and no more */
}

enum complaints { COMPLAINTS_NEW, COMPLAINTS_OF_PREAMBLE };

/* The adapter counts: a scenario that expects nothing of events does not listen to them. */
static void count_complaints(struct runner *runner, enum complaints which)
{
    struct vidmm_adapter_view view = { .findings = 0 };
    if (runner->adapter)
        vidmm_adapter_view(runner->adapter, &view);
    view.findings -= view.warnings;
    if (which == COMPLAINTS_NEW) {
        runner->result->findings += view.findings - runner->findings_told;
        runner->result->warnings += view.warnings - runner->warnings_told;
    }
    runner->findings_told = view.findings;
    runner->warnings_told = view.warnings;
}

static void finish_test(struct runner *runner)
{
    if (runner->adapter && !runner->halted)
        walk_check_invariants(runner);
    note_proofs(runner); /* the check proves something itself: TIME-023 */
    repeats_settle(runner);
    count_complaints(runner, COMPLAINTS_NEW);
    runner->result->tests++;
    runner->result->tests_failed += runner->failures != 0;
}

static void run_test(struct runner *runner, const struct statement *test)
{
    uint8_t *before = runner->proved;
    size_t rules = vidmm_rule_count() + 1;
    run_preamble(runner);
    if (runner->repeated)
        count_complaints(runner, COMPLAINTS_OF_PREAMBLE);
    runner->repeated = false;
    runner->proved = base_alloc(rules, 1);
    runner->test = test;
    runner->statement = test;
    runner_tell(runner, SCENARIO_TELL_TEST_BEGIN, test->text, 0);
    evaluate_seed(runner);
    event_log_clear(&runner->log);
    walk_block(runner, test->body);
    if (runner->options->start_only && !runner->halted)
        walk_only_start(runner, NULL);
    note_proofs(runner);
    if (!runner->halted && !runner->options->start_only)
        check_proofs(runner, test->body);
    for (size_t i = 0; i < rules; i++)
        before[i] |= runner->proved[i];
    base_free(runner->proved);
    runner->proved = before;
    finish_test(runner);
    runner_tell(runner, SCENARIO_TELL_TEST_END, test->text,
                runner->result->failures - runner->before.failures);
    runner->repeated = true;
}

static void run_all(struct runner *runner)
{
    if (!has_tests(runner->scenario) && !runner->options->only) {
        run_preamble(runner);
        finish_test(runner);
    }
    for (const struct statement *at = runner->scenario->statements; at && !runner->ended;
         at = at->next) {
        if (at->kind == STATEMENT_TEST && is_wanted(runner, at))
            run_test(runner, at);
    }
    runner->repeated = false;
    if (!runner->ended && !runner->options->only && !runner->options->start_only)
        check_proofs(runner, runner->scenario->statements);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_runner(struct runner *runner)
{
    run_start_end(runner);
    event_log_fini(&runner->log);
    base_free(runner->variables);
    base_free(runner->classes);
    base_free(runner->marks);
    base_free(runner->live);
    base_free(runner->opened);
    base_free(runner->devices);
    base_free(runner->targets);
    base_free(runner->uses);
    base_free(runner->patches);
    base_free(runner->handle_list);
    base_free(runner->out.results);
    base_free(runner->moves);
    base_free(runner->proved);
    base_free(runner);
}

void run_scenario(struct scenario *scenario, const struct scenario_options *options,
                  struct scenario_result *result)
{
    struct runner *runner = base_alloc(1, sizeof *runner);
    runner->scenario = scenario;
    runner->options = options;
    runner->result = result;
    runner->seed = options->has_seed ? options->seed : 0;
    runner->proved = base_alloc(vidmm_rule_count() + 1, 1);
    limits_begin(runner);
    event_match_collect(runner);
    run_all(runner);
    repeats_end(runner);
    result->seed = runner->seed;
    limits_end(runner);
    free_runner(runner);
}
