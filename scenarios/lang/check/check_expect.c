/* SPDX-License-Identifier: MIT */
/*
 * check_expect.c: expectations: what they name exists, and they can be false.
 */
#include "scenarios/lang/check/checks.h"

#include <string.h>

static bool same_items(const struct item *a, const struct item *b);

/* The same text means the same value: random numbers are never the same. */
static bool same_expression(const struct expr *a, const struct expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op || a->name != b->name || a->value != b->value ||
        a->hole != b->hole)
        return false;
    return same_expression(a->left, b->left) && same_expression(a->right, b->right) &&
           same_items(a->items, b->items);
}

static bool same_items(const struct item *a, const struct item *b)
{
    while (a && b) {
        if (a->key != b->key || !same_expression(a->from, b->from) ||
            !same_expression(a->to, b->to))
            return false;
        a = a->next;
        b = b->next;
    }
    return a == b;
}

/* What asks the adapter can be false, even when the text says what it should answer. */
static bool asks_adapter(const struct expr *expr)
{
    return expr &&
           (expr->kind == EXPR_CALL || asks_adapter(expr->left) || asks_adapter(expr->right));
}

static bool is_random(struct checker *checker, const struct expr *expr)
{
    if (!expr)
        return false;
    if (expr->kind == EXPR_CALL) {
        enum function function = function_find(check_word(checker, expr->name));
        return function == FUNCTION_RAND || function == FUNCTION_ANY;
    }
    return is_random(checker, expr->left) || is_random(checker, expr->right);
}

static bool is_always_true(struct checker *checker, const struct predicate *predicate)
{
    uint64_t left = 0;
    uint64_t right = 0;
    bool left_known = check_values_constant(checker, predicate->left, &left);
    bool right_known = check_values_constant(checker, predicate->right, &right);
    bool asks = asks_adapter(predicate->left) || asks_adapter(predicate->right);
    if (left_known && right_known && !asks)
        return arithmetic_compare(predicate->op, left, right);
    if (right_known && right == 0 && predicate->op == MARK_AT_LEAST)
        return true;
    if (left_known && left == 0 && predicate->op == MARK_AT_MOST)
        return true;
    bool reflexive = predicate->op == MARK_EQUAL || predicate->op == MARK_AT_LEAST ||
                     predicate->op == MARK_AT_MOST;
    return reflexive && same_expression(predicate->left, predicate->right) &&
           !is_random(checker, predicate->left);
}

static void check_comparison(struct checker *checker, const struct statement *statement,
                             const struct predicate *predicate)
{
    check_values_expression(checker, statement, predicate->left);
    check_values_expression(checker, statement, predicate->right);
    if (is_always_true(checker, predicate))
        check_report(checker, predicate->at,
                     "ask what the adapter has: used(vram), offset(NAME), count(evict) ...",
                     "this expectation can never be false");
}

static void use_word(struct checker *checker, const struct statement *statement, word name,
                     struct place at, int objects)
{
    struct expr expr = { .kind = EXPR_NAME, .name = name, .at = at };
    check_names_use(checker, statement, &expr, objects);
}

static void use_segment(struct checker *checker, const struct statement *statement,
                        const struct expr *segment, int objects)
{
    if (segment->left || segment->name != checker->scenario->word_system)
        check_names_use(checker, statement, segment, objects);
}

void check_expect_subject(struct checker *checker, const struct expr *subject)
{
    bool adapter = subject->kind == EXPR_NAME && !subject->left &&
                   strcmp(check_word(checker, subject->name), "adapter") == 0;
    if (!adapter)
        check_names_known(checker, subject, OBJECT_ANY);
}

static void check_state(struct checker *checker, const struct predicate *predicate)
{
    check_expect_subject(checker, predicate->left);
    check_fields_all(checker, VIDMM_EVENT_NONE, predicate->fields);
}

static void check_expect_event(struct checker *checker, const struct predicate *predicate)
{
    if (predicate->left)
        check_names_known(checker, predicate->left, OBJECT_ANY);
    check_fields_all(checker, predicate->event, predicate->fields);
}

static void check_predicate(struct checker *checker, const struct statement *statement)
{
    const struct predicate *predicate = statement->predicate;
    const struct expr *left = predicate->left;
    if (left && left->kind == EXPR_NAME && left->right && predicate->kind != PREDICATE_NO) {
        check_report(checker, left->at,
                     "ask for each: `for i in 0..3`, `expect NAME[$i] ...`, `end`",
                     "an expectation is about one allocation, this is a range");
        return;
    }
    switch ((enum predicate_kind)predicate->kind) {
    case PREDICATE_COMPARE: check_comparison(checker, statement, predicate); break;
    case PREDICATE_IN:
        check_names_use(checker, statement, predicate->left, OBJECT_ALLOCATION);
        use_segment(checker, statement, predicate->segment, OBJECT_SEGMENT | OBJECT_SYSTEM);
        if (predicate->right)
            check_values_expression(checker, statement, predicate->right);
        break;
    case PREDICATE_IS:
    case PREDICATE_CONTENT:
        check_names_use(checker, statement, predicate->left, OBJECT_ALLOCATION);
        break;
    case PREDICATE_STATE: check_state(checker, predicate); break;
    case PREDICATE_NO:
        check_expect_event(checker, predicate);
        if (predicate->name)
            use_word(checker, statement, predicate->name, predicate->name_at, OBJECT_MARK);
        break;
    }
}

static void check_map_line(struct checker *checker, const struct statement *line,
                           uint64_t *expected)
{
    uint64_t from = 0;
    uint64_t to = 0;
    check_values_expression(checker, line, line->value);
    check_values_expression(checker, line, line->extra);
    if (line->subjects)
        check_names_known(checker, line->subjects->from, OBJECT_ALLOCATION);
    if (!check_values_constant(checker, line->value, &from) ||
        !check_values_constant(checker, line->extra, &to))
        return;
    if (to <= from)
        check_report(checker, line->at, NULL, "this range is empty");
    else if (from != *expected)
        check_report(checker, line->value->at, "the lines cover the segment from 0 to its end",
                     "this line does not begin where the one before ends");
    *expected = to;
}

static void check_list(struct checker *checker, const struct statement *statement)
{
    uint64_t expected = 0;
    if (!statement->body && !statement->hurt)
        check_report(
            checker, statement->at,
            statement->mode == MODE_MAP
                ? "its lines are such as `0..4M NAME` or `4M..8M free`, up to `end`"
                : "its lines are such as `evict NAME`, up to `end`; `expect no EVENT` says "
                  "that none came",
            "this list is empty: it can never be false");
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (line->kind == STATEMENT_MAP_LINE)
            check_map_line(checker, line, &expected);
        else if (line->kind == STATEMENT_EVENT_LINE)
            check_expect_event(checker, line->predicate);
    }
}

void check_expect_statement(struct checker *checker, struct statement *statement)
{
    if (statement->mode == MODE_PREDICATE) {
        check_predicate(checker, statement);
        return;
    }
    if (statement->mode == MODE_MAP && statement->value)
        use_segment(checker, statement, statement->value, OBJECT_SEGMENT);
    check_list(checker, statement);
}

void check_expect_mark(struct checker *checker, struct statement *statement)
{
    struct name_info info = check_states_info(checker, statement->name);
    if (info.object != OBJECT_MARK || info.state == NAME_UNKNOWN)
        check_names_declare(checker, statement, OBJECT_MARK);
}
