/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c: expressions and targets while a scenario runs.
 */
#include "scenarios/lang/run/statements.h"

#include <stdarg.h>
#include <string.h>

bool evaluate_problem(struct runner *runner, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(runner->problem, sizeof runner->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- variables ------------------------------------------------------------------------------- */

void evaluate_set_variable(struct runner *runner, word name, uint64_t value)
{
    for (size_t i = runner->variable_count; i; i--) {
        if (runner->variables[i - 1].name == name) {
            runner->variables[i - 1].value = value;
            return;
        }
    }
    BASE_GROW(runner->variables, runner->variable_capacity, runner->variable_count + 1);
    runner->variables[runner->variable_count++] = (struct run_variable){ name, value };
}

/* ---- values ---------------------------------------------------------------------------------- */

void evaluate_seed(struct runner *runner)
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

bool evaluate_random(struct runner *runner, const struct item *items, uint64_t *value)
{
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t step = 1;
    if (!evaluate(runner, items->from, &from) || !evaluate(runner, items->to, &to))
        return false;
    if (items->next && !evaluate(runner, items->next->from, &step))
        return false;
    if (to < from || !step)
        return evaluate_problem(runner,
                                "the range %" PRIu64 "..%" PRIu64 " step %" PRIu64
                                " holds no number",
                                from, to, step);
    uint64_t last = (to - from) / step;
    uint64_t rank =
        last == UINT64_MAX ? random_next(&runner->random) : random_below(&runner->random, last + 1);
    *value = from + rank * step;
    return true;
}

static bool binary(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    uint64_t left = 0;
    uint64_t right = 0;
    const char *why = NULL;
    if (!evaluate(runner, expr->left, &left) || !evaluate(runner, expr->right, &right))
        return false;
    return evaluate_apply(expr, left, right, value, &why) || evaluate_problem(runner, "%s", why);
}

/* A bare name: the number of a segment, or a counter. */
static bool bare_name(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    binding named = bindings_of_word(runner, expr->name);
    if (bindings_object(named) == OBJECT_SEGMENT || expr->name == runner->scenario->word_system) {
        *value = bindings_number(named);
        return true;
    }
    return functions_counter(runner, expr, value);
}

bool evaluate(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    switch (expr->kind) {
    case EXPR_NUMBER: *value = expr_number(expr, runner->numbers); return true;
    case EXPR_BINARY: return binary(runner, expr, value);
    case EXPR_CALL: return functions_call(runner, expr, value);
    case EXPR_NAME: return bare_name(runner, expr, value);
    case EXPR_VARIABLE:
        return evaluate_variable(runner, expr->name, value) ||
               evaluate_problem(runner, "'$%s' has no value yet", runner_word(runner, expr->name));
    case EXPR_PERCENT:
        return evaluate_percent(runner, expr, value) ||
               evaluate_problem(runner, "there is no such part of a segment");
    default: return evaluate_problem(runner, "this is no number");
    }
}

bool evaluate_32(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    if (!evaluate(runner, expr, value))
        return false;
    return *value <= UINT32_MAX || evaluate_problem(runner, "this does not fit in 32 bits");
}

bool evaluate_item(struct runner *runner, const struct attribute *attribute,
                   const struct item *item, uint64_t *value)
{
    uint64_t most = attribute_most(attribute->row);
    if (!evaluate(runner, item->from, value))
        return false;
    return *value <= most ||
           evaluate_problem(runner, "'%s' is at most %" PRIu64 ", and this is %" PRIu64,
                            attribute->row->name, most, *value);
}

bool evaluate_attribute(struct runner *runner, const struct statement *statement,
                        enum attribute_id id, uint64_t *value)
{
    const struct attribute *attribute = attribute_find(statement, id);
    if (!attribute)
        return false;
    return runner_stop_unless(runner, evaluate_item(runner, attribute, attribute->items, value));
}

/* ---- targets --------------------------------------------------------------------------------- */

static void evaluate_push(struct runner *runner, binding value)
{
    BASE_GROW(runner->targets, runner->target_capacity, runner->target_count + 1);
    runner->targets[runner->target_count++] = value;
}

/* What a name stands for; a name of nothing is remembered for the message. */
static binding known(struct runner *runner, const struct expr *expr, binding value)
{
    if (value)
        return value;
    runner->missing_others |= runner->missing && !evaluate_same(runner, runner->missing, expr);
    if (!runner->missing)
        runner->missing = expr;
    return bindings_make(OBJECT_ALLOCATION, 0, RUN_NO_HANDLE);
}

static bool pick(struct runner *runner, const struct expr *expr)
{
    uint64_t count = 1;
    if (expr->kind == EXPR_CALL && expr->items->to) {
        if (!evaluate_random(runner, expr->items, &count))
            return false;
    } else if (expr->kind == EXPR_CALL && !evaluate(runner, expr->items->from, &count)) {
        return false;
    }
    bindings_pick(runner, count);
    return true;
}

static bool push_members(struct runner *runner, const struct expr *expr)
{
    uint64_t first = 0;
    uint64_t last = 0;
    if (!evaluate(runner, expr->left, &first))
        return false;
    last = first;
    if (expr->right && !evaluate(runner, expr->right, &last))
        return false;
    if (last < first || last > NAME_INDEX_MAX || last - first > VIDMM_LIVE_MAX)
        return evaluate_problem(runner, "there are no members %" PRIu64 "..%" PRIu64, first, last);
    runner->rounds += last - first; /* each is work */
    for (uint64_t index = first; index <= last; index++) {
        binding value = bindings_get(runner, false, name_key_member(expr->name, (uint32_t)index));
        evaluate_push(runner, known(runner, expr, value));
    }
    return true;
}

static bool add_target(struct runner *runner, const struct expr *expr)
{
    if (expr->kind == EXPR_HANDLE) {
        binding value = bindings_get(runner, true, expr_number(expr, runner->numbers));
        evaluate_push(runner, known(runner, expr, value));
        return true;
    }
    if (expr->kind == EXPR_CALL || expr->name == runner->scenario->word_any)
        return pick(runner, expr);
    if (expr->left)
        return push_members(runner, expr);
    binding value = bindings_of_word(runner, expr->name);
    evaluate_push(runner, known(runner, expr, value));
    return true;
}

bool evaluate_targets(struct runner *runner, const struct item *items)
{
    for (const struct item *item = items; item; item = item->next) {
        if (!runner_stop_unless(runner, add_target(runner, item->from)))
            return false;
    }
    return true;
}

binding evaluate_binding(struct runner *runner, const struct expr *expr)
{
    size_t before = runner->target_count;
    binding value = 0;
    if (add_target(runner, expr) && runner->target_count > before)
        value = runner->targets[before];
    runner->target_count = before;
    return value;
}
