/* SPDX-License-Identifier: MIT */
/*
 * evaluate_quietly.c: what an expression is worth, as far as that can be told without asking the
 * adapter and without a message: inside an observer.
 */
#include "scenarios/lang/run/runner.h"

bool evaluate_variable(const struct runner *runner, word name, uint64_t *value)
{
    for (size_t i = runner->variable_count; i; i--) {
        if (runner->variables[i - 1].name == name) {
            *value = runner->variables[i - 1].value;
            return true;
        }
    }
    return false;
}

bool evaluate_apply(const struct expr *expr, uint64_t left, uint64_t right, uint64_t *value,
                    const char **why)
{
    enum arithmetic problem = arithmetic_apply(expr->op, left, right, value);
    *why = arithmetic_problem(problem);
    return problem == ARITHMETIC_OK;
}

bool evaluate_percent(const struct runner *runner, const struct expr *expr, uint64_t *value)
{
    binding segment = bindings_of_word(runner, expr->left->name);
    uint32_t id = bindings_number(segment);
    if (bindings_object(segment) != OBJECT_SEGMENT || !id)
        return false;
    return arithmetic_percent(expr_number(expr, runner->numbers), runner->segments[id - 1].size,
                              value) == ARITHMETIC_OK;
}

bool evaluate_quietly(const struct runner *runner, const struct expr *expr, uint64_t *value)
{
    uint64_t left = 0;
    uint64_t right = 0;
    const char *why = NULL;
    switch (expr->kind) {
    case EXPR_NUMBER: *value = expr_number(expr, runner->numbers); return true;
    case EXPR_VARIABLE: return evaluate_variable(runner, expr->name, value);
    case EXPR_PERCENT: return evaluate_percent(runner, expr, value);
    case EXPR_BINARY:
        return evaluate_quietly(runner, expr->left, &left) &&
               evaluate_quietly(runner, expr->right, &right) &&
               evaluate_apply(expr, left, right, value, &why);
    default: return false;
    }
}

bool evaluate_binding_quietly(const struct runner *runner, const struct expr *expr, binding *value)
{
    uint64_t index = 0;
    *value = 0;
    if (expr->kind == EXPR_HANDLE)
        *value = bindings_get(runner, true, expr_number(expr, runner->numbers));
    else if (expr->kind == EXPR_NAME && !expr->left)
        *value = bindings_of_word(runner, expr->name);
    else if (expr->kind == EXPR_NAME && evaluate_quietly(runner, expr->left, &index) &&
             index <= NAME_INDEX_MAX)
        *value = bindings_get(runner, false, name_key_member(expr->name, (uint32_t)index));
    return *value != 0;
}

/* What all members of a range have in common is kept without an index. */
bool evaluate_key(const struct runner *runner, const struct expr *target, name_key *key)
{
    uint64_t index = 0;
    const struct scenario *scenario = runner->scenario;
    if (target->kind != EXPR_NAME || target->name == scenario->word_new ||
        target->name == scenario->word_auto || target->name == scenario->word_any)
        return false;
    bool one = target->left && !target->right;
    if (one && (!evaluate_quietly(runner, target->left, &index) || index > NAME_INDEX_MAX))
        return false;
    *key = name_key_of(target->name, one, (uint32_t)index);
    return true;
}

bool evaluate_same(const struct runner *runner, const struct expr *left, const struct expr *right)
{
    name_key keys[2];
    return left == right ||
           (!left->right && !right->right && evaluate_key(runner, left, &keys[0]) &&
            evaluate_key(runner, right, &keys[1]) && keys[0] == keys[1]);
}
