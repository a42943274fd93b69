/* SPDX-License-Identifier: MIT */
/*
 * parse_block.c: tests, loops and choices, which statements may stand in which block, and what a
 * scenario says to its reader.
 */
#include "scenarios/lang/syntax/parser.h"

#include <string.h>

/* ---- position -------------------------------------------------------------------------------- */

static bool is_inside(struct parser *parser, enum statement_kind kind)
{
    for (size_t i = 1; i <= parser->depth; i++) {
        if (parser->blocks[i].opener->kind == kind)
            return true;
    }
    return false;
}

/* NULL, or where the statement would have to stand. */
static const char *misplaced(struct parser *parser, const struct statement *statement)
{
    unsigned traits = statements_row(statement->kind)->traits;
    const struct statement *opener = parser->blocks[parser->depth].opener;
    int around = opener ? opener->kind : -1;
    if (around == STATEMENT_CHOOSE)
        return statement->kind == STATEMENT_CASE ? NULL : "inside a case of choose";
    if (around == STATEMENT_RESOURCE)
        return statement->kind == STATEMENT_CREATE ? NULL
                                                   : "outside a resource, which holds create only";
    if (around == STATEMENT_ALWAYS)
        return statement->kind == STATEMENT_EXPECT ? NULL
                                                   : "outside always, which holds expect only";
    if (around == STATEMENT_SUBMIT)
        return statement->kind == STATEMENT_AT ? NULL : "outside a submit, which holds at only";
    if (statement->kind == STATEMENT_AT)
        return "inside `submit ... with`";
    if (statement->kind == STATEMENT_CASE)
        return around == STATEMENT_CASE ? NULL : "inside choose";
    if (traits & TRAIT_FILE && parser->depth)
        return "outside every block";
    if (traits & TRAIT_TOP && parser->depth && around != STATEMENT_TEST)
        return "at the top of a file or test";
    if (traits & TRAIT_SETUP && is_inside(parser, STATEMENT_REPEAT))
        return "outside repeat";
    if ((traits & TRAIT_SETUP || statement->kind == STATEMENT_ASK) &&
        is_inside(parser, STATEMENT_QUIETLY))
        return "outside quietly";
    return NULL;
}

bool parse_position(struct parser *parser, const struct statement *statement)
{
    char help[160];
    struct scenario_span span;
    const struct statement *opener = parser->blocks[parser->depth].opener;
    const char *where = misplaced(parser, statement);
    if (!where)
        return true;
    if (opener) {
        message_where(parser->scenario, opener->at, &span);
        snprintf(help, sizeof help, "the block of '%s' in line %" PRIu32 " is open: %s",
                 statements_row(opener->kind)->name, span.line, "is its `end` missing?");
    }
    return message_error(parser->scenario, statement->at, opener ? help : NULL,
                         "'%s' has to stand %s", statements_row(statement->kind)->name, where);
}

/* ---- statements ------------------------------------------------------------------------------ */

bool parse_block_test(struct parser *parser, struct statement *statement)
{
    return attribute_parse_rest(parser, statement, parser_string(parser, &statement->text));
}

bool parse_block_repeat(struct parser *parser, struct statement *statement)
{
    if (!expression_value(parser, statement))
        return false;
    return !parser_accept_word(parser, "as") ||
           parser_name(parser, "the name of a variable", &statement->name, &statement->name_at);
}

bool parse_block_for(struct parser *parser, struct statement *statement)
{
    if (!parser_name(parser, "the name of a variable", &statement->name, &statement->name_at))
        return false;
    if (!parser_accept_word(parser, "in"))
        return parser_expected(parser, "'in'");
    if (!expression_value(parser, statement) || !parser_expect_mark(parser, MARK_RANGE, "'..'"))
        return false;
    statement->extra = expression_parse(parser);
    return attribute_parse_rest(parser, statement, statement->extra != NULL);
}

bool parse_teach_text(struct parser *parser, struct statement *statement)
{
    return parser_string(parser, &statement->text);
}

#define PICTURE_WORDS "map|alloc|state|queue|counters|memory"
#define PICTURE_LIST  "map, alloc, state, queue, counters or memory"

static bool complain_picture(struct parser *parser, const struct token *token)
{
    char help[96];
    const char *text = parser_word_text(parser, token->name);
    struct nearest nearest = nearest_begin(text, strlen(text));
    nearest_try_words(&nearest, PICTURE_WORDS);
    const char *near = nearest_help(&nearest, help, sizeof help);
    return message_error(parser->scenario, parser_place(parser, token),
                         near ? near : "`show map SEGMENT`, or `show alloc NAME` for an allocation",
                         "expected " PICTURE_LIST ", found '%s'", text);
}

bool parse_teach_show(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD)
        return parser_expected(parser, PICTURE_LIST);
    if (!word_list_has(PICTURE_WORDS, parser_word_text(parser, token->name), NULL))
        return complain_picture(parser, token);
    statement->name = token->name;
    statement->name_at = parser_place(parser, token);
    bool subject = parser_at_word(parser, "map") || parser_at_word(parser, "alloc") ||
                   parser_at_word(parser, "state");
    bool counters = parser_at_word(parser, "counters");
    parser->next++;
    if (counters && parser_peek(parser)->kind != TOKEN_END) {
        statement->subjects = expression_targets(parser, "the name of a counter");
        return statement->subjects != NULL;
    }
    if (!subject)
        return true;
    statement->value = expression_target(parser, "a name");
    return statement->value != NULL;
}
