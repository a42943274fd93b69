/* SPDX-License-Identifier: MIT */
/*
 * run_walk.c: one statement after the other, and what follows an operation.
 */
#include "scenarios/lang/run/statements.h"

enum { TEXT_BYTES = 1024 };

void walk_check_invariants(struct runner *runner)
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
            walk_block(runner, runner->always[i].statement->body);
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
        walk_check_invariants(runner);
    if (runner->always_count && !runner->in_always && !runner->halted)
        run_always(runner);
}

/* For a look at the adapter before anything is done with it. */
void walk_only_start(struct runner *runner, const struct statement *start)
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
        runner_tell(runner, SCENARIO_TELL_STATEMENT, describe_place(runner), 0);
    bool start = statement->kind == STATEMENT_START;
    if (operation && runner->options->start_only) {
        walk_only_start(runner, start ? statement : NULL);
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

void walk_block(struct runner *runner, const struct statement *first)
{
    for (const struct statement *at = first; at && !runner->halted; at = at->next) {
        if (at->kind == STATEMENT_BULK)
            run_bulk(runner, at);
        else if (at->kind < STATEMENT_KINDS)
            run_statement(runner, at);
    }
}
