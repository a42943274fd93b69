/* SPDX-License-Identifier: MIT */
/*
 * parse_setup.c: statements that describe the machine, the adapter and its owners.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

static bool read_new_name(struct parser *parser, struct statement *statement, const char *what)
{
    if (!parser_name(parser, what, &statement->name, &statement->name_at))
        return false;
    const char *name = parser_word_text(parser, statement->name);
    if (!word_list_has("system|any|all|new|auto|idle|last|none|free|off|end", name, NULL))
        return true;
    return message_error(parser->scenario, statement->name_at,
                         "take another name, such as a or tex",
                         "'%s' means something in the language and cannot be a name", name);
}

bool parse_setup_named(struct parser *parser, struct statement *statement)
{
    return attribute_parse_rest(parser, statement,
                                parser_named(parser, "a name") &&
                                    read_new_name(parser, statement, "a name"));
}

bool parse_setup_attributes(struct parser *parser, struct statement *statement)
{
    if (parser_at_end(parser))
        return parser_expected(parser, "an attribute");
    return attribute_parse(parser, statement);
}

bool parse_setup_node(struct parser *parser, struct statement *statement)
{
    return attribute_parse_rest(parser, statement, expression_value(parser, statement));
}

bool parse_setup_miniport(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (token->kind == TOKEN_STRING)
        return message_error(parser->scenario, parser_place(parser, token),
                             "write `miniport mock`; a driver of your own is called from C, as "
                             "vidmm/vidmm.h says",
                             "miniports of other files are not supported yet");
    if (!parser_accept_word(parser, "mock"))
        return parser_expected(parser, "'mock'");
    return attribute_parse(parser, statement);
}

bool parse_nothing(struct parser *parser, struct statement *statement)
{
    (void)parser;
    (void)statement;
    return true;
}

bool parse_setup_let(struct parser *parser, struct statement *statement)
{
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    if (token->kind == TOKEN_VARIABLE) {
        snprintf(help, sizeof help, "write `%s %s = ...`: the '$' stands where it is used",
                 statements_row(statement->kind)->name, parser_word_text(parser, token->name));
        return parser_expected_help(parser, "the name of a variable", help);
    }
    return read_new_name(parser, statement, "the name of a variable") &&
           parser_expect_mark(parser, '=', "'='") && expression_value(parser, statement);
}

bool parse_setup_tags(struct parser *parser, struct statement *statement)
{
    struct item **tail = &statement->subjects;
    do {
        struct item *tag = arena_alloc(&parser->scenario->arena, sizeof *tag);
        if (!parser_name(parser, "a tag", &tag->key, &tag->at))
            return false;
        *tail = tag;
        tail = &tag->next;
    } while (parser_accept_mark(parser, ','));
    return true;
}

/* ---- include -------------------------------------------------------------------------------- */

static const char *refuse_include(const struct parser *parser, const char *name)
{
    unsigned depth = 0;
    for (const struct parser *at = parser; at; at = at->includer, depth++)
        if (strcmp(at->scenario->sources[at->lexer.source]->name, name) == 0)
            return "includes itself";
    if (depth > LANG_INCLUDE_MAX)
        return "is included more than 16 files deep";
    if (parser->scenario->source_count == LANG_SOURCES_MAX)
        return "is one file too many: a scenario may include 4096";
    return NULL;
}

/* Of what is no scenario nothing is shown: it may be somebody's secret. */
static const char *refuse_text(const char *text, size_t bytes)
{
    if (bytes < UINT32_MAX && source_is_scenario(text, bytes, &(uint32_t){ 0 }))
        return NULL;
    return bytes < UINT32_MAX ? "is no scenario: its first line is not 'vidmm-scenario 1'"
                              : "has 4 GiB or more, which is too much for a scenario";
}

static bool load(struct parser *parser, struct place at, char *name)
{
    struct scenario_host *host = parser->scenario->host;
    char *text = NULL;
    size_t bytes = 0;
    const char *refused = refuse_include(parser, name);
    if (refused)
        return message_error(parser->scenario, at, NULL, "'%s' %s", name, refused);
    if (!host->load || !host->load(host, name, &text, &bytes))
        return message_error(parser->scenario, at,
                             "a regular file, counted from the folder of the one that includes it",
                             "'%s' cannot be read", name);
    refused = refuse_text(text, bytes);
    if (refused) {
        base_free(text);
        return message_error(parser->scenario, at, NULL, "'%s' %s", name, refused);
    }
    struct source *source = source_add(parser->scenario, name, text, bytes);
    source->owned = text;
    lines_read_file(parser->scenario, source, parser, &parser->blocks[0]);
    return true;
}

bool parse_setup_include(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (!parser_string(parser, &statement->text))
        return false;
    const struct source *here = parser->scenario->sources[parser->lexer.source];
    char *name =
        source_join(here->name, here->text + statement->text.offset, statement->text.length);
    /* What follows the name is checked first: the included file brings its own messages. */
    if (parser_peek(parser)->kind != TOKEN_END) {
        base_free(name);
        return parser_expected(parser, "the end of the line");
    }
    bool loaded = load(parser, parser_place(parser, token), name);
    if (!loaded)
        parser->scenario->include_blamed = parser->scenario->segment_blamed = true;
    base_free(name);
    return loaded;
}
