/* SPDX-License-Identifier: MIT */
/*
 * expression.c: expressions, targets and lists.
 *
 *     expr   = term { ("+"|"-") term }        term = factor { ("*"|"/"|"%") factor }
 *     factor = NUMBER | PERCENT "of" NAME | VAR | STRING | "(" expr ")" | target | WORD "(" args
 * ")" item   = expr [ ".." expr ] [ ":" WORD ]
 *
 * The only recursion is over parentheses and arguments, LANG_NESTING_MAX deep.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

static struct expr *new_expr(struct parser *parser, enum expr_kind kind, const struct token *token)
{
    struct expr *expr = arena_alloc(&parser->scenario->arena, sizeof *expr);
    expr->kind = (uint8_t)kind;
    expr->at = parser_place(parser, token);
    return expr;
}

struct expr *expression_number(struct parser *parser, const struct token *token)
{
    struct expr *expr = new_expr(parser, EXPR_NUMBER, token);
    expr->unit = token->unit;
    expr->hole = parser->holes ? token->hole : 0;
    expr->value = expr->hole ? token->factor : token->value;
    if (token->kind == TOKEN_HANDLE)
        expr->kind = EXPR_HANDLE;
    return expr;
}

struct item *expression_constant(struct parser *parser, uint64_t value)
{
    const struct token *token = parser_take(parser);
    struct item *item = arena_alloc(&parser->scenario->arena, sizeof *item);
    item->from = new_expr(parser, EXPR_NUMBER, token);
    item->from->value = value;
    item->at = item->from->at;
    return item;
}

static bool enter(struct parser *parser)
{
    if (++parser->nesting <= LANG_NESTING_MAX)
        return true;
    return message_error(parser->scenario, parser_place(parser, parser_peek(parser)), NULL,
                         "parentheses nest deeper than %d", LANG_NESTING_MAX);
}

static struct expr *read_percent(struct parser *parser)
{
    word name = 0;
    struct place at;
    struct expr *expr = new_expr(parser, EXPR_PERCENT, parser_take(parser));
    const struct token *token = parser_peek(parser) - 1;
    expr->value = token->value; /* no form has a hole here */
    expr->unit = UNIT_SIZE;
    if (!parser_accept_word(parser, "of")) {
        parser_expected(parser, "'of'");
        return NULL;
    }
    const struct token *whole = parser_peek(parser);
    if (!parser_name(parser, "the name of a segment", &name, &at))
        return NULL;
    expr->left = new_expr(parser, EXPR_NAME, whole);
    expr->left->name = name;
    expr->at = parser_span(parser, token);
    return expr;
}

static struct item *read_argument(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    if (!parser_is_key(token))
        return expression_item(parser);
    parser->next += 2;
    struct item *item = expression_item(parser);
    if (item) {
        item->key = token->name;
        item->at = parser_place(parser, token);
    }
    return item;
}

static bool read_arguments(struct parser *parser, struct expr *call)
{
    struct item **tail = &call->items;
    if (parser_accept_mark(parser, ')'))
        return true;
    do {
        *tail = read_argument(parser);
        if (!*tail)
            return false;
        tail = &(*tail)->next;
    } while (parser_accept_mark(parser, ','));
    return parser_expect_mark(parser, ')', "')'");
}

static struct expr *read_call(struct parser *parser)
{
    const struct token *first = parser_take(parser);
    size_t begin = parser->next - 1;
    struct expr *call = new_expr(parser, EXPR_CALL, first);
    call->name = first->name;
    parser->next++;
    bool whole = enter(parser) && read_arguments(parser, call);
    parser->nesting--;
    if (!whole)
        return NULL;
    call->at = parser_span(parser, &parser->lexer.tokens[begin]);
    return call;
}

static bool read_index(struct parser *parser, struct expr *target)
{
    static const char form[] = "t[0], t[$i] or t[0..3]";
    if (!enter(parser))
        return false;
    if (parser_at_mark(parser, ']') || parser_at_mark(parser, '*'))
        return parser_expected_as(parser, "the number of a member", form);
    target->left = expression_parse(parser);
    if (target->left && parser_accept_mark(parser, MARK_RANGE)) {
        target->right = expression_parse(parser);
        if (!target->right)
            return false;
    }
    parser->nesting--;
    if (target->left && !parser_accept_mark(parser, ']'))
        return parser_expected_as(parser, "']'", form);
    return target->left != NULL;
}

static struct expr *read_name(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    const struct token *second = token + 1;
    if (second->kind == TOKEN_MARK && second->mark == '(' && !second->spaced)
        return read_call(parser);
    parser->next++;
    size_t begin = parser->next - 1;
    struct expr *target = new_expr(parser, EXPR_NAME, token);
    target->name = token->name;
    if (second->kind == TOKEN_MARK && second->mark == '[' && !second->spaced) {
        parser->next++;
        if (!read_index(parser, target))
            return NULL;
        target->at = parser_span(parser, &parser->lexer.tokens[begin]);
    }
    return target;
}

static struct expr *read_parentheses(struct parser *parser)
{
    if (!enter(parser))
        return NULL;
    parser->next++;
    struct expr *inner = expression_parse(parser);
    parser->nesting--;
    return inner && parser_expect_mark(parser, ')', "')'") ? inner : NULL;
}

static struct expr *read_factor(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    switch (token->kind) {
    case TOKEN_NUMBER:
    case TOKEN_HANDLE: parser->next++; return expression_number(parser, token);
    case TOKEN_PERCENT: return read_percent(parser);
    case TOKEN_WORD: return read_name(parser);
    case TOKEN_STRING: parser->next++; return new_expr(parser, EXPR_STRING, token);
    case TOKEN_VARIABLE: {
        struct expr *variable = new_expr(parser, EXPR_VARIABLE, token);
        parser->next++;
        variable->name = token->name;
        return variable;
    }
    case TOKEN_FRACTION:
        message_error(parser->scenario, parser_place(parser, token),
                      "only the interface version is written with a point",
                      "fractions are not numbers of this language");
        return NULL;
    default: break;
    }
    if (parser_at_mark(parser, '('))
        return read_parentheses(parser);
    if (parser_at_mark(parser, '-')) {
        message_error(parser->scenario, parser_place(parser, token),
                      "numbers are 0 and more; '-' stands between two of them",
                      "there are no negative numbers");
        return NULL;
    }
    parser_expected(parser, "a number or a name");
    return NULL;
}

static struct expr *expression_combine(struct parser *parser, size_t begin, uint8_t op,
                                       struct expr *left, struct expr *right)
{
    if (!right)
        return NULL;
    if (++parser->operators > LANG_OPERATORS_MAX) {
        message_error(parser->scenario, parser_place(parser, &parser->lexer.tokens[begin]), NULL,
                      "a line has at most %d operators", LANG_OPERATORS_MAX);
        return NULL;
    }
    struct expr *expr = new_expr(parser, EXPR_BINARY, &parser->lexer.tokens[begin]);
    expr->at = parser_span(parser, &parser->lexer.tokens[begin]);
    expr->op = op;
    expr->left = left;
    expr->right = right;
    return expr;
}

static bool at_any(const struct parser *parser, const char *marks)
{
    const struct token *token = parser_peek(parser);
    return token->kind == TOKEN_MARK && token->mark < MARK_RANGE && strchr(marks, token->mark);
}

static struct expr *read_term(struct parser *parser)
{
    size_t begin = parser->next;
    struct expr *left = read_factor(parser);
    while (left && at_any(parser, "*/%")) {
        uint8_t op = parser_take(parser)->mark;
        left = expression_combine(parser, begin, op, left, read_factor(parser));
    }
    return left;
}

struct expr *expression_parse(struct parser *parser)
{
    size_t begin = parser->next;
    struct expr *left = read_term(parser);
    while (left && at_any(parser, "+-")) {
        uint8_t op = parser_take(parser)->mark;
        left = expression_combine(parser, begin, op, left, read_term(parser));
    }
    return left;
}

bool expression_value(struct parser *parser, struct statement *statement)
{
    statement->value = expression_parse(parser);
    return statement->value != NULL;
}

struct item *expression_item(struct parser *parser)
{
    size_t begin = parser->next;
    struct item *item = arena_alloc(&parser->scenario->arena, sizeof *item);
    item->from = expression_parse(parser);
    if (!item->from)
        return NULL;
    if (parser_accept_mark(parser, MARK_RANGE)) {
        item->to = expression_parse(parser);
        if (!item->to)
            return NULL;
    }
    const struct token *colon = parser_peek(parser);
    if (parser_at_mark(parser, ':') && !colon->spaced) {
        parser->next++;
        if (!parser_name(parser, "a word behind ':'", &item->suffix, &item->suffix_at))
            return NULL;
    }
    item->at = parser_span(parser, &parser->lexer.tokens[begin]);
    return item;
}

/* "a, b" is written "a,b": a word after white space begins something else. */
static bool check_comma(struct parser *parser)
{
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    if (parser_is_key(token) && !token->spaced) /* `read=a,write=b` */
        return message_error(parser->scenario, parser_place(parser, token - 1),
                             suggest_list(parser, token - 1, help, sizeof help),
                             "'%.*s=' begins another attribute", (int)min_u64(token->length, 80),
                             parser_text(parser, token));
    if (!token->spaced && !(token - 1)->spaced)
        return true;
    return message_error(parser->scenario, parser_place(parser, token - 1),
                         suggest_list(parser, token - 1, help, sizeof help),
                         "lists are written without spaces around the comma");
}

struct item *expression_list(struct parser *parser)
{
    struct item *first = expression_item(parser);
    struct item **tail = &first;
    while (*tail) {
        tail = &(*tail)->next;
        if (!parser_accept_mark(parser, ','))
            return first;
        *tail = check_comma(parser) ? expression_item(parser) : NULL;
    }
    return NULL;
}

struct expr *expression_target(struct parser *parser, const char *what)
{
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    if (token->kind == TOKEN_HANDLE) {
        parser->next++;
        return expression_number(parser, token);
    }
    if (token->kind != TOKEN_WORD) {
        parser_expected(parser, what);
        return NULL;
    }
    struct expr *target = read_name(parser);
    if (target && target->kind == EXPR_CALL &&
        strcmp(parser_word_text(parser, target->name), "any") != 0) {
        snprintf(help, sizeof help, "a name stands alone, and a member is %s[0]",
                 parser_word_text(parser, target->name));
        message_error(parser->scenario, target->at, help, "expected %s, found a function", what);
        return NULL;
    }
    return target;
}

struct item *expression_targets(struct parser *parser, const char *what)
{
    struct item *first = NULL;
    struct item **tail = &first;
    do {
        struct item *item = arena_alloc(&parser->scenario->arena, sizeof *item);
        if (first && !check_comma(parser))
            return NULL;
        item->from = expression_target(parser, what);
        if (!item->from)
            return NULL;
        item->at = item->from->at;
        *tail = item;
        tail = &item->next;
    } while (parser_accept_mark(parser, ','));
    return first;
}
