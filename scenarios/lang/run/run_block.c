/* SPDX-License-Identifier: MIT */
/*
 * run_block.c: loops, choices and narration.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

static bool block_value_of(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    return runner_stop_unless(runner, evaluate(runner, expr, value));
}

/* One more round of a loop; what it does nothing in still ends. */
static bool begin_round(struct runner *runner, const struct statement *statement)
{
    runner->statement = statement;
    if (runner->halted)
        return false;
    runner->rounds++;
    return runner_within_limits(runner);
}

void run_block_repeat(struct runner *runner, const struct statement *statement)
{
    uint64_t count = 0;
    size_t variables = runner->variable_count;
    if (!block_value_of(runner, statement->value, &count))
        return;
    for (uint64_t i = 0; i < count && begin_round(runner, statement); i++) {
        if (statement->name)
            evaluate_set_variable(runner, statement->name, i);
        walk_block(runner, statement->body);
    }
    if (statement->name && runner->variable_count > variables)
        runner->variable_count = variables;
}

void run_block_for(struct runner *runner, const struct statement *statement)
{
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t step = 1;
    size_t variables = runner->variable_count;
    if (!block_value_of(runner, statement->value, &from) ||
        !block_value_of(runner, statement->extra, &to))
        return;
    if (attribute_find(statement, ATTRIBUTE_FOR_STEP) &&
        !evaluate_attribute(runner, statement, ATTRIBUTE_FOR_STEP, &step))
        return;
    if (!step) {
        runner_stop(runner, "a step of zero goes nowhere");
        return;
    }
    for (uint64_t i = from; i <= to && begin_round(runner, statement); i += step) {
        evaluate_set_variable(runner, statement->name, i);
        walk_block(runner, statement->body);
        if (to - i < step)
            break;
    }
    runner->variable_count = min_u64(runner->variable_count, variables);
}

void run_block_choose(struct runner *runner, const struct statement *statement)
{
    uint64_t sum = 0;
    uint64_t weight = 0;
    for (const struct statement *at = statement->body; at; at = at->next) {
        if (!block_value_of(runner, at->value, &weight))
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
        if (!block_value_of(runner, at->value, &weight))
            return;
        if (chosen < weight) {
            walk_block(runner, at->body);
            return;
        }
        chosen -= weight;
    }
}

/* ---- narration ------------------------------------------------------------------------------- */

void run_teach_text(struct runner *runner, const struct statement *statement)
{
    runner_tell(runner,
                statement->kind == STATEMENT_LESSON ? SCENARIO_TELL_LESSON : SCENARIO_TELL_NOTE,
                statement->text, 0);
}

void run_teach_ask(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    if (evaluate(runner, statement->value, &value))
        runner_tell(runner, SCENARIO_TELL_ASK, statement->text, value);
    else
        runner_failed(runner, runner->problem);
}

static void show_state(struct runner *runner, const struct statement *statement)
{
    enum { KEYS_MOST = 64 };
    struct scenario_state_row rows[KEYS_MOST];
    runner->shown_state = rows;
    runner->shown_state_count =
        state_all(runner, state_subject(runner, statement->value), rows, KEYS_MOST);
    runner_tell(runner, SCENARIO_TELL_SHOW, statement->name_at, 0);
    runner->shown_state = NULL;
    runner->shown_state_count = 0;
}

void run_teach_show(struct runner *runner, const struct statement *statement)
{
    bool counters[VIDMM_COUNTERS] = { false };
    runner->shown = 0;
    if (!run_start_implied(runner))
        return;
    for (const struct item *item = statement->subjects; item; item = item->next)
        counters[vidmm_counter_by_name(runner_word(runner, item->from->name))] = true;
    if (strcmp(runner_word(runner, statement->name), "state") == 0) {
        show_state(runner, statement);
        return;
    }
    runner->shown_counters = statement->subjects ? counters : NULL;
    if (statement->value)
        runner->shown = evaluate_binding(runner, statement->value);
    runner_tell(runner, SCENARIO_TELL_SHOW, statement->name_at, 0);
    runner->shown_counters = NULL;
}
