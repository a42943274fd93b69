/* SPDX-License-Identifier: MIT */
/*
 * runner.c: walks the statements, counts, and starts every test from the same state.
 *
 * A file with tests runs its preamble once for each of them, on an adapter of its own and with the
 * random stream of the preamble; then the stream of the test begins. So no test can see another.
 */
#include "scenarios/lang/run/run.h"

#include <string.h>

enum { TEXT_BYTES = 1024 };

const char *runner_word(const struct runner *runner, word name)
{
    return words_text(&runner->scenario->words, name);
}

void runner_seed(struct runner *runner)
{
    const struct statement *test = runner->test;
    const char *name = "";
    size_t length = 0;
    if (test) {
        name = runner->scenario->sources[test->text.source]->text + test->text.offset;
        length = test->text.length;
    }
    random_init(&runner->random, runner->seed, name, length);
}

/* ---- operations --------------------------------------------------------------------------------
 */

static void check_invariants(struct runner *runner)
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
    runner->in_always = true;
    for (size_t i = 0; i < runner->always_count && !runner->halted; i++) {
        runner->line = NULL;
        if (runner->operations % runner->always[i].every == 0)
            runner_block(runner, runner->always[i].statement->body);
    }
    runner->in_always = false;
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
    if (!runner->adapter || runner->halted)
        return;
    if (!runner_within_limits(runner))
        return;
    if (runner->options->check_invariants || is_looked_at(runner->operations))
        check_invariants(runner);
    if (runner->always_count && !runner->in_always && !runner->halted)
        run_always(runner);
}

/* For who wants to look at the adapter and at nothing that is done with it. */
static void only_start(struct runner *runner, const struct statement *start)
{
    if (start)
        run_setup_start(runner, start);
    else
        (void)run_start_implied(runner);
    runner->halted = true;
}

static void run_statement(struct runner *runner, const struct statement *statement)
{
    const struct statement_row *row = statements_row(statement->kind);
    runner->statement = statement;
    runner->warned_count = 0;
    runner->ownerless = false;
    runner->missing = NULL;
    runner->missing_others = false;
    if (!run_has_effect(statement))
        return;
    bool operation = row->traits & TRAIT_OPERATION;
    if (runner->options->tell_statements && (operation || statement->kind == STATEMENT_EXPECT))
        runner_tell(runner, SCENARIO_TELL_STATEMENT, runner_place(runner), 0);
    bool start = statement->kind == STATEMENT_START;
    if (operation && runner->options->start_only) {
        only_start(runner, start ? statement : NULL);
        return;
    }
    if (operation && !start && !run_start_implied(runner))
        return;
    runner->rounds += !operation && row->traits & TRAIT_AFTER_STOP; /* what is told is work */
    run_by_kind(runner, statement);
    runner->statement = statement;
    if (operation)
        finish_operation(runner);
}

static void run_bulk(struct runner *runner, const struct statement *statement)
{
    const struct bulk *bulk = runner->scenario->bulk;
    const struct bulk_run *run = statement->bulk;
    size_t number = run->first_number;
    runner->line_source = statement->at.source;
    for (size_t i = 0; i < run->line_count && !runner->halted; i++) {
        runner->line = &bulk->lines[run->first_line + i];
        runner->numbers = bulk->numbers + number;
        const struct bulk_form *form = &bulk->forms[runner->line->form];
        run_statement(runner, form->statement);
        number += form->holes;
    }
    runner->line = NULL;
    runner->numbers = NULL;
}

void runner_block(struct runner *runner, const struct statement *first)
{
    for (const struct statement *at = first; at && !runner->halted; at = at->next) {
        if (at->kind == STATEMENT_BULK)
            run_bulk(runner, at);
        else if (at->kind < STATEMENT_KINDS)
            run_statement(runner, at);
    }
}

/* ---- proofs ------------------------------------------------------------------------------------
 */

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

/* ---- tests -------------------------------------------------------------------------------------
 */

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
    runner_seed(runner);
    runner_block(runner, runner->scenario->statements);
    if (runner->options->start_only && !runner->halted && !has_tests(runner->scenario))
        only_start(runner, NULL); /* a file to be included: it describes the adapter and no more */
}

/* The adapter counts: a scenario that expects nothing of events does not listen to them. */
static void count_complaints(struct runner *runner, bool told)
{
    struct vidmm_adapter_view view = { .findings = 0 };
    if (runner->adapter)
        vidmm_adapter_view(runner->adapter, &view);
    view.findings -= view.warnings;
    if (!told) {
        runner->result->findings += view.findings - runner->findings_told;
        runner->result->warnings += view.warnings - runner->warnings_told;
    }
    runner->findings_told = view.findings;
    runner->warnings_told = view.warnings;
}

static void finish_test(struct runner *runner)
{
    if (runner->adapter && !runner->halted)
        check_invariants(runner);
    note_proofs(runner); /* the check proves something itself: TIME-023 */
    repeats_settle(runner);
    count_complaints(runner, false);
    runner->result->tests++;
    runner->result->tests_failed += runner->failures != 0;
}

static void run_test(struct runner *runner, const struct statement *test)
{
    uint8_t *before = runner->proved;
    size_t rules = vidmm_rule_count() + 1;
    run_preamble(runner);
    if (runner->repeated)
        count_complaints(runner, true);
    runner->repeated = false;
    runner->proved = base_alloc(rules, 1);
    runner->test = test;
    runner->statement = test;
    runner_tell(runner, SCENARIO_TELL_TEST_BEGIN, test->text, 0);
    runner_seed(runner);
    event_log_clear(&runner->log);
    runner_block(runner, test->body);
    if (runner->options->start_only && !runner->halted)
        only_start(runner, NULL);
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

/* ---- life --------------------------------------------------------------------------------------
 */

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

enum scenario_exit scenario_run(struct scenario *scenario, const struct scenario_options *options,
                                struct scenario_result *result)
{
    struct runner *runner = base_alloc(1, sizeof *runner);
    *result = (struct scenario_result){ .exit = SCENARIO_EXIT_OK };
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
    return result->exit;
}
