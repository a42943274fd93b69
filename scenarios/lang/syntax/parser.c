/* SPDX-License-Identifier: MIT */
/*
 * parser.c: the tools of all parsers: looking at the next token, taking it, saying what was
 * expected instead.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

/* ---- tokens --------------------------------------------------------------------------------- */

const struct token *parser_peek(const struct parser *parser)
{
    return &parser->lexer.tokens[parser->next];
}

const struct token *parser_take(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    CHECK(token->kind != TOKEN_END);
    parser->next++;
    return token;
}

struct place parser_place(const struct parser *parser, const struct token *token)
{
    return (struct place){ .offset = token->offset,
                           .length = (uint16_t)min_u64(token->length, UINT16_MAX),
                           .source = parser->lexer.source };
}

struct place parser_span(const struct parser *parser, const struct token *first)
{
    const struct token *last = parser_peek(parser);
    if (last > first)
        last--;
    uint32_t length = last->offset + last->length - first->offset;
    return (struct place){ .offset = first->offset,
                           .length = (uint16_t)min_u64(length, UINT16_MAX),
                           .source = parser->lexer.source };
}

const char *parser_text(const struct parser *parser, const struct token *token)
{
    return parser->scenario->sources[parser->lexer.source]->text + token->offset;
}

const char *parser_word_text(const struct parser *parser, word name)
{
    return words_text(&parser->scenario->words, name);
}

bool parser_at_end(const struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    return token->kind == TOKEN_END || (token->kind == TOKEN_MARK && token->mark == MARK_ARROW);
}

bool parser_at_mark(const struct parser *parser, int mark)
{
    const struct token *token = parser_peek(parser);
    return token->kind == TOKEN_MARK && token->mark == mark;
}

bool parser_accept_mark(struct parser *parser, int mark)
{
    if (!parser_at_mark(parser, mark))
        return false;
    parser->next++;
    return true;
}

bool parser_at_word(const struct parser *parser, const char *text)
{
    const struct token *token = parser_peek(parser);
    return token->kind == TOKEN_WORD && strcmp(parser_word_text(parser, token->name), text) == 0;
}

bool parser_accept_word(struct parser *parser, const char *text)
{
    if (!parser_at_word(parser, text))
        return false;
    parser->next++;
    return true;
}

bool parser_is_key(const struct token *token)
{
    return token->kind == TOKEN_WORD && token[1].kind == TOKEN_MARK && token[1].mark == '=';
}

bool parser_has_word(const struct parser *parser, const struct token *token, const char *text)
{
    while (token->kind != TOKEN_END &&
           (token->kind != TOKEN_WORD || strcmp(parser_word_text(parser, token->name), text) != 0))
        token++;
    return token->kind != TOKEN_END;
}

void parser_mend(struct parser *parser, const struct token *first)
{
    enum { MENDED_MOST = 10 };
    bool enough = ++parser->mended == MENDED_MOST;
    if (parser_peek(parser) == first)
        parser->next += first->kind != TOKEN_END;
    while (!parser_at_end(parser) &&
           (enough || !parser_is_key(parser_peek(parser)) || !parser_peek(parser)->spaced))
        parser->next++;
}

bool parser_expected_help(struct parser *parser, const char *what, const char *help)
{
    char instead[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    struct place at = parser_place(parser, token);
    if (parser->lexer.hurt)
        return false; /* the number that is none was told */
    if (!help)
        help = suggest_instead(parser, token, instead, sizeof instead);
    if (token->kind == TOKEN_END)
        return message_error(parser->scenario, at, help, "expected %s, found the end of the line",
                             what);
    return message_error(parser->scenario, at, help, "expected %s, found '%.*s'", what,
                         (int)min_u64(token->length, 80), parser_text(parser, token));
}

bool parser_expected_as(struct parser *parser, const char *what, const char *form)
{
    parser->form = form;
    return parser_expected(parser, what);
}

bool parser_expected(struct parser *parser, const char *what)
{
    return parser_expected_help(parser, what, NULL);
}

bool parser_expect_mark(struct parser *parser, int mark, const char *what)
{
    if (!parser_accept_mark(parser, mark))
        return parser_expected(parser, what);
    return true;
}

bool parser_name(struct parser *parser, const char *what, word *name, struct place *at)
{
    const struct token *token = parser_peek(parser);
    char help[SUGGEST_BYTES];
    if (token->kind == TOKEN_VARIABLE && token->spaced) {
        snprintf(help, sizeof help, "write %s: the '$' stands where a value is used",
                 parser_word_text(parser, token->name));
        return parser_expected_help(parser, what, help);
    }
    if (token->kind != TOKEN_WORD)
        return parser_expected(parser, what);
    *name = token->name;
    *at = parser_place(parser, token);
    parser->next++;
    return true;
}

/* `note hello there` */
static bool complain_text(struct parser *parser)
{
    char help[SUGGEST_BYTES];
    const struct token *first = parser_peek(parser);
    const struct token *last = &parser->lexer.tokens[parser->lexer.count - 1];
    if (first == last || first->kind != TOKEN_WORD)
        return parser_expected(parser, "a text in quotes");
    snprintf(help, sizeof help, "write \"%.*s\"",
             (int)min_u64(last[-1].offset + last[-1].length - first->offset, 200),
             parser_text(parser, first));
    return parser_expected_help(parser, "a text in quotes", help);
}

bool parser_string(struct parser *parser, struct place *inside)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_STRING)
        return complain_text(parser);
    *inside = parser_place(parser, token);
    inside->offset++;
    inside->length = (uint16_t)min_u64(token->length - 2, UINT16_MAX);
    parser->next++;
    return true;
}

bool parser_named(struct parser *parser, const char *what)
{
    char help[SUGGEST_BYTES];
    const struct token *key = parser_peek(parser);
    const struct token *first = parser->lexer.tokens;
    if (!parser_is_key(key))
        return true;
    snprintf(help, sizeof help, "the name comes first: `%.*s NAME %.*s=...`",
             (int)min_u64(first->length, 40), parser_text(parser, first),
             (int)min_u64(key->length, 40), parser_text(parser, key));
    return parser_expected_help(parser, what, help);
}

static bool read_rule(struct parser *parser, struct rule_item *item)
{
    char help[96] = "`vidmm rules` lists all rules";
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD)
        return parser_expected(parser, "a rule such as PLACE-022");
    const char *text = parser_word_text(parser, parser_take(parser)->name);
    item->at = parser_place(parser, token);
    item->rule = vidmm_rule_by_id(text);
    if (item->rule != VIDMM_RULE_NONE)
        return true;
    enum vidmm_rule nearest = vidmm_rule_nearest(text);
    if (nearest != VIDMM_RULE_NONE)
        snprintf(help, sizeof help, "did you mean '%s'?", vidmm_rule_id(nearest));
    return message_error(parser->scenario, item->at, help, "'%s' is not a rule", text);
}

bool parser_rules(struct parser *parser, struct rule_item **rules, bool clauses)
{
    struct rule_item **tail = rules;
    do {
        struct rule_item *item = arena_alloc(&parser->scenario->arena, sizeof *item);
        if (!read_rule(parser, item))
            return false;
        if (clauses && parser_accept_mark(parser, '(')) {
            item->clauses = expression_list(parser);
            if (!item->clauses || !parser_expect_mark(parser, ')', "')'"))
                return false;
        }
        *tail = item;
        tail = &item->next;
    } while (parser_accept_mark(parser, ','));
    return true;
}
