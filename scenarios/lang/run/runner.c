/* SPDX-License-Identifier: MIT */
/*
 * runner.c: the tests of a scenario, one statement after the other, and what follows an operation.
 *
 * A file with tests runs its preamble once for each of them, on an adapter of its own and with the
 * random stream of the preamble; then the stream of the test begins. So no test can see another.
 */
#include "scenarios/lang/run/run.h"
#include "scenarios/lang/run/statements.h"

#include <string.h>

void run_nothing(struct runner *runner, const struct statement *statement)
{
    (void)runner;
    (void)statement;
}

static run_kind *const runs[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) run,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

/* ---- statements ------------------------------------------------------------------------------ */

enum { TEXT_BYTES = 1024 };

static void walk_block(struct runner *runner, const struct statement *first);

/* Stops the run when an invariant of the manager is broken. */
static void walk_check_invariants(struct runner *runner)
{
    char problem[TEXT_BYTES];
    if (vidmm_check(runner->adapter, problem, sizeof problem))
        return;
    runner_message(runner, SCENARIO_STOPPED, NULL, "an invariant of vidmm itself is broken: %s",
                   problem);
    runner_halt(runner, SCENARIO_EXIT_INVARIANT);
}

static void run_always(struct runner *runner)
{
    const struct statement *statement = runner->statement;
    const struct bulk_line *line = runner->line;
    const uint32_t *numbers = runner->numbers;
    runner->after = describe_place(runner);
    runner->steps->in_always = true;
    for (size_t i = 0; i < runner->steps->always_count && !runner->halted; i++) {
        runner->line = NULL;
        if (runner->operations % runner->steps->always[i].every == 0)
            walk_block(runner, runner->steps->always[i].statement->body);
    }
    runner->steps->in_always = false;
    runner->after = (struct place){ 0 };
    runner->statement = statement;
    runner->line = line;
    runner->numbers = numbers;
}

/*
 * Checked builds look after every operation of an ordinary scenario. The cost of a look grows with
 * the number of allocations: long random runs are looked at now and then.
 */
static bool is_looked_at(uint64_t operation)
{
#ifdef VIDMM_PARANOID
    return operation < 10000 || operation % 256 == 0;
#else
    (void)operation;
    return false;
#endif
}

static void finish_operation(struct runner *runner)
{
    runner->operations++;
    runner->result->operations++;
    if (!runner->adapter || runner->halted || !runner_within_limits(runner))
        return;
    if (runner->options->check_invariants || is_looked_at(runner->operations))
        walk_check_invariants(runner);
    if (runner->steps->always_count && !runner->steps->in_always && !runner->halted)
        run_always(runner);
}

/* For a look at the adapter before anything is done with it; `start` may be NULL. */
static void walk_only_start(struct runner *runner, const struct statement *start)
{
    if (start)
        run_start_asked(runner, start);
    else
        (void)run_start_implied(runner);
    runner->halted = true;
}

static void run_statement(struct runner *runner, const struct statement *statement)
{
    const struct statement_row *row = statements_row(statement->kind);
    runner->statement = statement;
    runner->scenario->now_at = describe_place(runner);
    runner->warned_count = 0;
    runner->ownerless = false;
    runner->missing = NULL;
    runner->missing_others = false;
    if (runs[statement->kind] == run_nothing)
        return;
    bool operation = row->traits & TRAIT_OPERATION;
    if (runner->options->tell_statements && (operation || statement->kind == STATEMENT_EXPECT))
        runner_tell(runner, SCENARIO_TELL_STATEMENT, describe_place(runner), 0);
    bool start = statement->kind == STATEMENT_START;
    if (row->traits & TRAIT_SETUP && runner->adapter) {
        run_start_late(runner);
        return;
    }
    if (operation && runner->options->start_only) {
        walk_only_start(runner, start ? statement : NULL);
        return;
    }
    /* An implied start names the first owners. */
    if (row->traits & TRAIT_GIVES || (operation && !runner->adapter))
        event_log_hold(runner);
    if (operation && !start && !run_start_implied(runner)) {
        event_log_let_go(runner);
        return;
    }
    runner->rounds += !operation && row->traits & TRAIT_AFTER_STOP; /* what is told is work */
    run_outcome_begin(runner);
    runs[statement->kind](runner, statement);
    runner->statement = statement;
    event_log_let_go(runner);
    if (operation)
        finish_operation(runner);
}

static void run_bulk(struct runner *runner, const struct statement *statement)
{
    const struct bulk *bulk = runner->scenario->bulk;
    const struct bulk_run *run = statement->bulk;
    size_t number = run->first_number;
    runner->line_source = statement->at.source;
    run_now_enter_loop(&runner->scenario->now, run->line_count);
    for (size_t i = 0; i < run->line_count && !runner->halted; i++) {
        run_now_begin_round(&runner->scenario->now);
        runner->line = &bulk->lines[run->first_line + i];
        runner->numbers = bulk->numbers + number;
        const struct bulk_form *form = &bulk->forms[runner->line->form];
        run_statement(runner, form->statement);
        number += form->holes;
    }
    run_now_leave_loop(&runner->scenario->now);
    runner->line = NULL;
    runner->numbers = NULL;
}

static void walk_statement(struct runner *runner, const struct statement *statement)
{
    if (statement->kind == STATEMENT_BULK)
        run_bulk(runner, statement);
    else if (statement->kind < STATEMENT_KINDS)
        run_statement(runner, statement);
}

/* Runs a block until its end or until something halts it. */
static void walk_block(struct runner *runner, const struct statement *first)
{
    for (const struct statement *at = first; at && !runner->halted; at = at->next)
        walk_statement(runner, at);
}

/* ---- loops and choices ----------------------------------------------------------------------- */

/* One more round of a loop; what it does nothing in still ends. */
static bool begin_round(struct runner *runner, const struct statement *statement)
{
    runner->statement = statement;
    run_now_begin_round(&runner->scenario->now);
    if (runner->halted)
        return false;
    runner->rounds++;
    return runner_within_limits(runner);
}

void run_block_repeat(struct runner *runner, const struct statement *statement)
{
    uint64_t count = 0;
    size_t variables = runner->variables.count;
    if (!evaluate_or_stop(runner, statement->value, &count))
        return;
    run_now_enter_loop(&runner->scenario->now, count);
    for (uint64_t i = 0; i < count && begin_round(runner, statement); i++) {
        if (statement->name)
            evaluate_set_variable(runner, statement->name, i);
        walk_block(runner, statement->body);
    }
    run_now_leave_loop(&runner->scenario->now);
    if (statement->name)
        scope_cut(&runner->variables, variables);
}

void run_block_for(struct runner *runner, const struct statement *statement)
{
    uint64_t from = 0, to = 0, step = 1;
    size_t variables = runner->variables.count;
    if (!evaluate_or_stop(runner, statement->value, &from) ||
        !evaluate_or_stop(runner, statement->extra, &to) ||
        !evaluate_optional(runner, statement, ATTRIBUTE_FOR_STEP, &step))
        return;
    if (!step) {
        runner_stop(runner, "a step of zero goes nowhere");
        return;
    }
    run_now_enter_loop(&runner->scenario->now, from <= to ? (to - from) / step + 1 : 0);
    for (uint64_t i = from; i <= to && begin_round(runner, statement); i += step) {
        evaluate_set_variable(runner, statement->name, i);
        walk_block(runner, statement->body);
        if (to - i < step)
            break;
    }
    run_now_leave_loop(&runner->scenario->now);
    scope_cut(&runner->variables, variables);
}

void run_block_choose(struct runner *runner, const struct statement *statement)
{
    uint64_t sum = 0, weight = 0;
    for (const struct statement *at = statement->body; at; at = at->next) {
        if (!evaluate_or_stop(runner, at->value, &weight))
            return;
        if (!add_fits(sum, weight, &sum)) {
            runner_stop(runner, "the weights do not fit in 64 bits");
            return;
        }
    }
    if (!sum)
        return;
    uint64_t chosen = random_below(&runner->random, sum);
    for (const struct statement *at = statement->body; at; at = at->next) {
        if (!evaluate_or_stop(runner, at->value, &weight))
            return;
        if (chosen < weight) {
            walk_block(runner, at->body);
            return;
        }
        chosen -= weight;
    }
}

void run_block_quietly(struct runner *runner, const struct statement *statement)
{
    runner->quiet++;
    walk_block(runner, statement->body);
    runner->quiet--;
}

/* ---- proofs ---------------------------------------------------------------------------------- */

static void note_proofs(struct runner *runner)
{
    if (!runner->adapter)
        return;
    for (size_t rule = 1; rule <= vidmm_rule_count(); rule++) {
        if (!runner->steps->proved[rule] && vidmm_rule_uses(runner->adapter, (enum vidmm_rule)rule))
            runner->steps->proved[rule] = 1;
    }
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
            if (!runner->steps->proved[item->rule] &&
                !runner->steps->proved[vidmm_rule_canonical(item->rule)])
                runner_failed(runner, text);
            runner_expect_end(runner);
        }
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Each of n tests begins with the preamble, which has no reason to meet the other n - 1. */
static void list_preamble(struct runner *runner)
{
    struct steps *steps = runner->steps;
    for (const struct statement *at = runner->scenario->statements; at; at = at->next) {
        if (at->kind == STATEMENT_TEST) {
            steps->tests = true;
            continue;
        }
        BASE_GROW(steps->preamble, steps->preamble_capacity, steps->preamble_count + 1);
        steps->preamble[steps->preamble_count++] = at;
    }
}

static void run_preamble(struct runner *runner)
{
    struct steps *steps = runner->steps;
    runner->test = NULL;
    runner->failures = 0;
    runner->before = *runner->result;
    steps->findings_told = steps->warnings_told = 0;
    run_start_reset(runner);
    steps->class_count = steps->mark_count = steps->always_count = 0;
    evaluate_seed(runner);
    for (size_t i = 0; i < steps->preamble_count && !runner->halted; i++)
        walk_statement(runner, steps->preamble[i]);
    /* A file to be included describes the adapter and no more. */
    if (runner->options->start_only && !runner->halted && !steps->tests)
        walk_only_start(runner, NULL);
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
        runner->result->findings += view.findings - runner->steps->findings_told;
        runner->result->warnings += view.warnings - runner->steps->warnings_told;
    }
    runner->steps->findings_told = view.findings;
    runner->steps->warnings_told = view.warnings;
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

/* The reader of one test's verdict sees nothing of the failure that stopped the preamble. */
static void tell_unreached(struct runner *runner, const struct statement *test)
{
    char details[TEXT_BYTES];
    struct scenario_span at;
    if (!runner->unreached || runner->ended)
        return;
    message_where(runner->scenario, runner->halted_at, &at);
    text_format(details, sizeof details, "what comes before every test stopped at %s:%" PRIu32,
                at.file, at.line);
    runner_message(runner, SCENARIO_FAILED, details, "test \"%.*s\" did not run",
                   (int)test->text.length, source_text(runner->scenario, test->text));
}

static void run_test(struct runner *runner, const struct statement *test)
{
    uint8_t *before = runner->steps->proved;
    size_t rules = vidmm_rule_count() + 1;
    run_preamble(runner);
    if (runner->repeated)
        count_complaints(runner, COMPLAINTS_OF_PREAMBLE);
    runner->repeated = false;
    runner->unreached = runner->halted && !runner->options->start_only;
    if (!runner->halted) { /* what failed so far is no failure of this test */
        runner->failures = 0;
        runner->before = *runner->result;
    }
    runner->steps->proved = base_alloc(rules, 1);
    runner->test = test;
    runner->statement = test;
    runner_tell(runner, SCENARIO_TELL_TEST_BEGIN, test->text, 0);
    tell_unreached(runner, test);
    evaluate_seed(runner);
    event_log_clear(&runner->log);
    walk_block(runner, test->body);
    if (runner->options->start_only && !runner->halted)
        walk_only_start(runner, NULL);
    note_proofs(runner);
    if (!runner->halted && !runner->options->start_only)
        check_proofs(runner, test->body);
    for (size_t i = 0; i < rules; i++)
        before[i] |= runner->steps->proved[i];
    base_free(runner->steps->proved);
    runner->steps->proved = before;
    finish_test(runner);
    runner_tell(runner, SCENARIO_TELL_TEST_END, test->text,
                runner->result->failures - runner->before.failures);
    runner->repeated = true;
}

static void run_all(struct runner *runner)
{
    bool all = true;
    list_preamble(runner);
    if (!runner->steps->tests) {
        all = items_chosen(runner->scenario, NULL, runner->options);
        if (all) {
            run_preamble(runner);
            finish_test(runner);
        }
    }
    for (const struct statement *at = runner->scenario->statements; at && !runner->ended;
         at = at->next) {
        bool chosen =
            at->kind == STATEMENT_TEST && items_chosen(runner->scenario, at, runner->options);
        if (chosen)
            run_test(runner, at);
        all = all && (chosen || at->kind != STATEMENT_TEST);
    }
    runner->repeated = false;
    if (!runner->ended && all && !runner->options->start_only)
        check_proofs(runner, runner->scenario->statements);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_runner(struct runner *runner)
{
    struct steps *steps = runner->steps;
    void *const arrays[] = { steps->preamble, steps->classes,     steps->marks, steps->uses,
                             steps->patches,  steps->handle_list, steps->proved };
    for (size_t i = 0; i < ARRAY_COUNT(arrays); i++)
        base_free(arrays[i]);
    base_free(steps);
    run_start_free(runner);
}

void run_scenario(struct scenario *scenario, const struct scenario_options *options,
                  struct scenario_result *result)
{
    struct runner *runner = base_alloc(1, sizeof *runner);
    runner->scenario = scenario;
    runner->options = options;
    runner->steps = base_alloc(1, sizeof *runner->steps);
    runner->result = result;
    runner->seed = options->has_seed ? options->seed : 0;
    runner->steps->proved = base_alloc(vidmm_rule_count() + 1, 1);
    scenario->now = (struct run_now){ .result = result };
    limits_begin(runner);
    watches_collect(runner);
    run_all(runner);
    scenario->now.result = NULL;
    repeats_end(runner);
    result->seed = runner->seed;
    vidmm_host_limit(&runner->callers, NULL);
    free_runner(runner);
}
