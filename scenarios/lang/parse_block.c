/* SPDX-License-Identifier: MIT */
/*
 * parse_block.c: tests, loops and choices, and what a scenario says to its reader.
 */
#include "scenarios/lang/parse.h"

bool parse_block_test(struct parser *parser, struct statement *statement)
{
    return parser_string(parser, &statement->text) && attribute_parse(parser, statement);
}

bool parse_block_repeat(struct parser *parser, struct statement *statement)
{
    statement->value = expression_parse(parser);
    if (!statement->value)
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
    statement->value = expression_parse(parser);
    if (!statement->value || !parser_expect_mark(parser, MARK_RANGE, "'..'"))
        return false;
    statement->extra = expression_parse(parser);
    return statement->extra && attribute_parse(parser, statement);
}

bool parse_block_choose(struct parser *parser, struct statement *statement)
{
    (void)parser;
    (void)statement;
    return true;
}

bool parse_block_case(struct parser *parser, struct statement *statement)
{
    statement->value = expression_parse(parser);
    return statement->value != NULL;
}

bool parse_teach_text(struct parser *parser, struct statement *statement)
{
    return parser_string(parser, &statement->text);
}

bool parse_teach_ask(struct parser *parser, struct statement *statement)
{
    if (!parser_string(parser, &statement->text) || !parser_expect_mark(parser, '=', "'='"))
        return false;
    statement->value = expression_parse(parser);
    return statement->value != NULL;
}

bool parse_teach_show(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (!parser_at_word(parser, "map") && !parser_at_word(parser, "alloc") &&
        !parser_at_word(parser, "queue") && !parser_at_word(parser, "counters") &&
        !parser_at_word(parser, "memory"))
        return parser_expected(parser, "map, alloc, queue, counters or memory");
    statement->name = token->name;
    statement->name_at = parser_place(parser, token);
    bool subject = parser_at_word(parser, "map") || parser_at_word(parser, "alloc");
    parser->next++;
    if (!subject)
        return true;
    statement->value = expression_target(parser, "a name");
    return statement->value != NULL;
}
