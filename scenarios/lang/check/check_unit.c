/* SPDX-License-Identifier: MIT */
/*
 * check_unit.c: what an expression measures: bytes, a time, or how many of something.
 *
 * A number without a unit is compared with anything: bytes with bytes, and ns with a time, as
 * events print it. What a statement takes is stricter: a time has a unit, for nobody means ns.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

static const char *const nouns[] = {
    [MEASURE_COUNT] = "a number", [MEASURE_SIZE] = "a size", [MEASURE_TIME] = "a time"
};

/* ---- what an expression measures ------------------------------------------------------------- */

static enum measure of_unit(enum unit unit, enum measure without)
{
    return unit == UNIT_SIZE ? MEASURE_SIZE : unit == UNIT_TIME ? MEASURE_TIME : without;
}

static enum measure of_counter(const char *name)
{
    enum vidmm_counter counter = vidmm_counter_by_name(name);
    if (counter == VIDMM_COUNTERS)
        return MEASURE_ANY;
    switch (vidmm_counter_info(counter)->unit) {
    case VIDMM_UNIT_BYTES: return MEASURE_SIZE;
    case VIDMM_UNIT_NS: return MEASURE_TIME;
    default: return MEASURE_COUNT;
    }
}

static enum measure of_call(const struct checker *checker, const struct expr *call)
{
    const char *name = check_word(checker, call->name);
    enum function function = function_find(name);
    switch (function) {
    case FUNCTIONS: return of_counter(name);
    case FUNCTION_OUT: return MEASURE_ANY;
    case FUNCTION_RAND:
        return call->items ? check_unit_of(checker, call->items->from) : MEASURE_ANY;
    default: return of_unit((enum unit)function_row_of(function)->unit, MEASURE_COUNT);
    }
}

static enum measure of_binary(const struct checker *checker, const struct expr *expr)
{
    enum measure left = check_unit_of(checker, expr->left);
    enum measure right = check_unit_of(checker, expr->right);
    if (expr->op == '+' || expr->op == '-')
        return left == right || right == MEASURE_BARE ? left
               : left == MEASURE_BARE                 ? right
                                                      : MEASURE_ANY;
    if (expr->op == '*')
        return left == MEASURE_BARE    ? (right == MEASURE_COUNT ? MEASURE_ANY : right)
               : right != MEASURE_BARE ? MEASURE_ANY
               : left == MEASURE_COUNT ? MEASURE_ANY /* 4096 times as many: bytes, perhaps */
                                       : left;
    if (right == MEASURE_BARE && left <= MEASURE_COUNT)
        return left;
    return MEASURE_ANY; /* bytes / 4096: how many pages, perhaps */
}

enum measure check_unit_of(const struct checker *checker, const struct expr *expr)
{
    struct variable *variable = NULL;
    switch (expr->kind) {
    case EXPR_NUMBER: return of_unit((enum unit)expr->unit, MEASURE_BARE);
    case EXPR_PERCENT: return MEASURE_SIZE;
    case EXPR_VARIABLE:
        return check_has_variable(checker, expr->name, &variable) ? variable->measure : MEASURE_ANY;
    case EXPR_NAME: return expr->left ? MEASURE_ANY : of_counter(check_word(checker, expr->name));
    case EXPR_CALL: return of_call(checker, expr);
    case EXPR_BINARY: return of_binary(checker, expr);
    default: return MEASURE_ANY;
    }
}

void check_unit_remember(struct checker *checker, word name, const struct expr *value)
{
    struct variable *variable = NULL;
    enum measure measure = check_unit_of(checker, value);
    if (!check_has_variable(checker, name, &variable))
        return;
    variable->measure = variable->known && variable->measure != measure ? MEASURE_ANY : measure;
    variable->known = true;
}

/* ---- what does not go together --------------------------------------------------------------- */

static bool differ(enum measure a, enum measure b)
{
    return a >= MEASURE_COUNT && b >= MEASURE_COUNT && a != b;
}

/* "a size is written 8K, 8M or 8G", with the digits that stand there; NULL: no number does. */
static const char *say_forms(struct checker *checker, const struct expr *expr, enum measure wanted,
                             char *help, size_t bytes)
{
    char text[40];
    uint64_t value = expr_number(expr, checker->numbers);
    source_copy(checker->scenario, expr->at, text, sizeof text);
    size_t digits = strspn(text, "0123456789");
    if (expr->kind != EXPR_NUMBER || !digits || text[digits] == 'x' || text[digits] == '.')
        return NULL;
    if (wanted == MEASURE_COUNT && expr->unit == UNIT_SIZE)
        return text_format(help, bytes, "write %" PRIu64, value);
    text[digits] = '\0';
    if (wanted == MEASURE_SIZE)
        return text_format(help, bytes, "a size is written %sK, %sM or %sG", text, text, text);
    if (wanted == MEASURE_TIME)
        return text_format(help, bytes, "a time is written %sns, %sus, %sms or %ss", text, text,
                           text, text);
    return text_format(help, bytes, "write %s", text);
}

/* The name says it: mdl-page-ns=60. */
static bool is_in_ns(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, "-ns") == 0;
}

bool check_unit_wanted(struct checker *checker, const struct expr *expr, enum measure wanted,
                       const char *name)
{
    char help[128], text[80];
    enum measure found = check_unit_of(checker, expr);
    bool bare = wanted == MEASURE_TIME && expr->kind == EXPR_NUMBER && found == MEASURE_BARE &&
                expr_number(expr, checker->numbers) && !is_in_ns(name);
    if (!bare && !differ(found, wanted))
        return true;
    source_copy(checker->scenario, expr->at, text, sizeof text);
    const char *form = say_forms(checker, expr, wanted, help, sizeof help);
    if (bare)
        check_report(checker, expr->at, form, "'%s' takes a time, and '%s' has no unit", name,
                     text);
    else
        check_report(checker, expr->at, form, "'%s' is %s, '%s' takes %s", text, nouns[found], name,
                     nouns[wanted]);
    return false;
}

/* What an attribute of this kind takes. */
static enum measure measure_of(const struct attribute_row *row)
{
    switch (row->kind) {
    case VALUE_SIZE:
    case VALUE_SIZES:
    case VALUE_RANGE:
    case VALUE_SIZE_RANGES: return MEASURE_SIZE;
    case VALUE_TIME: return MEASURE_TIME;
    case VALUE_NUMBER: return MEASURE_COUNT;
    default: return MEASURE_ANY;
    }
}

bool check_unit_attribute(struct checker *checker, const struct attribute_row *row,
                          const struct item *item)
{
    enum measure wanted = measure_of(row);
    /* 1K is so many, too; what is asked for in bytes is not. */
    bool asked = item->from->kind == EXPR_PERCENT || check_values_ask(checker, item->from);
    if (row->traits & TRAIT_MANY && !asked && check_unit_of(checker, item->from) == MEASURE_SIZE)
        return true;
    return check_unit_wanted(checker, item->from, wanted, row->name) &&
           (!item->to || check_unit_wanted(checker, item->to, wanted, row->name));
}

void check_unit_pair(struct checker *checker, const struct expr *left, const struct expr *right)
{
    char help[128], one[80], other[80];
    enum measure a = check_unit_of(checker, left), b = check_unit_of(checker, right);
    if (!differ(a, b))
        return;
    /* What is written is wrong sooner than what is asked. */
    bool turned = left->kind == EXPR_NUMBER && right->kind != EXPR_NUMBER;
    const struct expr *wrong = turned ? left : right;
    const struct expr *good = turned ? right : left;
    source_copy(checker->scenario, wrong->at, one, sizeof one);
    source_copy(checker->scenario, good->at, other, sizeof other);
    check_report(checker, wrong->at, say_forms(checker, wrong, turned ? b : a, help, sizeof help),
                 "'%s' is %s, '%s' is %s", one, nouns[turned ? a : b], other,
                 nouns[turned ? b : a]);
}

void check_unit_field(struct checker *checker, const struct expr *value,
                      const struct vidmm_event_field_info *field, const char *of)
{
    char help[128], text[80];
    enum measure found = check_unit_of(checker, value);
    enum measure wanted = field->kind == VIDMM_FIELD_NS ? MEASURE_TIME
                          : field->kind == VIDMM_FIELD_BYTES || field->kind == VIDMM_FIELD_HEX
                              ? MEASURE_SIZE
                          : field->kind == VIDMM_FIELD_NUMBER ? MEASURE_COUNT
                                                              : MEASURE_ANY;
    if (!differ(found, wanted) || (field->kind == VIDMM_FIELD_HEX && found == MEASURE_COUNT))
        return;
    source_copy(checker->scenario, value->at, text, sizeof text);
    check_report(checker, value->at, say_forms(checker, value, wanted, help, sizeof help),
                 "'%s' is %s, '%s' of '%s' is %s", text, nouns[found], field->name, of,
                 nouns[wanted]);
}
