/* SPDX-License-Identifier: MIT */
/*
 * parse_operation.c: statements that drive the memory manager.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <ctype.h>
#include <string.h>

static bool read_target(struct parser *parser, struct statement *statement, const char *what)
{
    struct item *item = arena_alloc(&parser->scenario->arena, sizeof *item);
    if (!parser_named(parser, what))
        return false;
    item->from = expression_target(parser, what);
    if (!item->from)
        return false;
    item->at = item->from->at;
    statement->subjects = item;
    return true;
}

bool parse_operation_create(struct parser *parser, struct statement *statement)
{
    if (!read_target(parser, statement, "the name of the new allocation"))
        return false;
    if (parser_accept_mark(parser, ':') &&
        !parser_name(parser, "the name of a class", &statement->name, &statement->name_at))
        return false;
    return attribute_parse(parser, statement);
}

bool parse_operation_names(struct parser *parser, struct statement *statement)
{
    /* The word that stands for names. */
    const char *all = statement->kind == STATEMENT_DESTROY  ? "all"
                      : statement->kind == STATEMENT_UNLOCK ? "last"
                                                            : NULL;
    if (all && parser_accept_word(parser, all)) {
        statement->mode = MODE_ALL;
        return attribute_parse(parser, statement);
    }
    if (!parser_named(parser, "a name"))
        return false;
    statement->subjects = expression_targets(parser, "a name");
    return attribute_parse_rest(parser, statement, statement->subjects != NULL);
}

bool parse_operation_submit(struct parser *parser, struct statement *statement)
{
    /* The block is known before the line is understood, so that its `end` finds it. */
    statement->opens = parser_has_word(parser, parser_peek(parser), "with");
    return parse_operation_target(parser, statement);
}

bool parse_operation_at(struct parser *parser, struct statement *statement)
{
    if (!expression_value(parser, statement))
        return false;
    if (!parser_accept_word(parser, "slot"))
        return parser_expected(parser, "'slot'");
    statement->extra = expression_parse(parser);
    if (!statement->extra)
        return false;
    if (parser_accept_word(parser, "none"))
        return attribute_parse(parser, statement);
    if (parser_accept_word(parser, "read"))
        statement->mode = MODE_READ;
    else if (parser_accept_word(parser, "write"))
        statement->mode = MODE_WRITE;
    else
        return parser_expected(parser, "read, write or none");
    return attribute_parse_rest(parser, statement, read_target(parser, statement, "an allocation"));
}

bool parse_operation_wait(struct parser *parser, struct statement *statement)
{
    static const char what[] = "the name of a submission or 'idle'";
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    statement->mode = MODE_ALL;
    if (parser_accept_word(parser, "idle"))
        return true;
    statement->mode = MODE_NONE;
    if (token->kind == TOKEN_NUMBER) {
        const char *text = parser_text(parser, token);
        bool unit = token->length && !isdigit((unsigned char)text[token->length - 1]);
        snprintf(help, sizeof help, "time passes with `advance %.*s%s`",
                 (int)min_u64(token->length, 40), text, unit ? "" : "us");
        return parser_expected_help(parser, what, help);
    }
    if (parser_at_word(parser, "all"))
        return parser_expected_help(parser, what, "`wait idle` waits for all");
    snprintf(help, sizeof help, "write `wait %.*s`", (int)min_u64(token[1].length, 80),
             parser_text(parser, &token[1]));
    if ((parser_at_word(parser, "for") || parser_at_word(parser, "until")) &&
        token[1].kind == TOKEN_WORD)
        return parser_expected_help(parser, what, help);
    return read_target(parser, statement, what);
}

bool parse_operation_target(struct parser *parser, struct statement *statement)
{
    const char *what = statement->kind == STATEMENT_RESOURCE ? "the name of the new resource"
                       : statement->kind == STATEMENT_SUBMIT ? "the name of the submission"
                                                             : "the name of an allocation";
    return attribute_parse_rest(parser, statement, read_target(parser, statement, what));
}

bool parse_operation_display(struct parser *parser, struct statement *statement)
{
    if (!parser_accept_word(parser, "off"))
        return parse_operation_target(parser, statement);
    statement->mode = MODE_OFF;
    return true;
}

bool parse_operation_open(struct parser *parser, struct statement *statement)
{
    if (!read_target(parser, statement, "the name of a shared allocation or resource"))
        return false;
    if (!parser_accept_word(parser, "as"))
        return parser_expected(parser, "'as'");
    statement->value = expression_target(parser, "the new name");
    return attribute_parse_rest(parser, statement, statement->value != NULL);
}

/* "as" stands last, and names the instance that a lock with Discard hands out. */
bool parse_operation_lock(struct parser *parser, struct statement *statement)
{
    if (!read_target(parser, statement, "the name of an allocation"))
        return false;
    while (!parser_at_end(parser)) {
        if (parser_accept_word(parser, "as"))
            return parser_name(parser, "a name for the instance", &statement->name,
                               &statement->name_at);
        attribute_parse_next(parser, statement);
    }
    return true;
}

static bool complain_level(struct parser *parser)
{
    char help[SUGGEST_BYTES];
    const struct token *token = parser_peek(parser);
    const char *text = parser_text(parser, token);
    const char *level = habit_find(HABIT_PRIORITY, text, token->length);
    struct nearest nearest =
        nearest_begin(level ? level : text, level ? strlen(level) : token->length);
    nearest_try_words(&nearest, "minimum|low|normal|high|maximum");
    return parser_expected_help(parser, "minimum, low, normal, high, maximum or a number",
                                nearest_help(&nearest, help, sizeof help));
}

static bool read_level(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    const char *name = parser_word_text(parser, token->name);
    const struct vidmm_flag *level = vidmm_flag_by_name(VIDMM_FLAGS_PRIORITY, name);
    if (!level)
        return complain_level(parser);
    statement->value = expression_constant(parser, level->value)->from;
    return true;
}

bool parse_operation_priority(struct parser *parser, struct statement *statement)
{
    statement->subjects = expression_targets(parser, "a name");
    if (!statement->subjects)
        return false;
    const struct token *token = parser_peek(parser);
    bool call = token->kind == TOKEN_WORD && token[1].kind == TOKEN_MARK && token[1].mark == '(';
    if (token->kind == TOKEN_WORD && !call)
        return read_level(parser, statement);
    return expression_value(parser, statement);
}

bool parse_operation_inject(struct parser *parser, struct statement *statement)
{
    if (!attribute_parse_one(parser, statement))
        return false;
    if (parser_accept_word(parser, "off"))
        statement->mode = MODE_OFF;
    return true;
}

bool parse_preempt(struct parser *parser, struct statement *statement)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_WORD && token->kind != TOKEN_NUMBER)
        return parser_expected(parser, "the number or name of a node");
    return expression_value(parser, statement);
}

/* ---- reset, power, exclude ------------------------------------------------------------------ */

enum { WORDS_BYTES = 160 };

/* "a|b|c": what the statement may be followed by. */
static const char *accident_words(int statement, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < ACCIDENTS; i++)
        if (accident_row(i)->statement == statement)
            words_add(text, size, "%s%s", *text ? "|" : "", accident_row(i)->word);
    return text;
}

bool parse_accident(struct parser *parser, struct statement *statement)
{
    char words[WORDS_BYTES];
    char listed[WORDS_BYTES];
    char help[96];
    const struct token *token = parser_peek(parser);
    accident_words(statement->kind, words, sizeof words);
    attribute_value_list(words, listed, sizeof listed);
    if (token->kind != TOKEN_WORD)
        return parser_expected(parser, listed);
    const char *text = parser_word_text(parser, token->name);
    for (size_t i = 0; i < ACCIDENTS; i++) {
        if (accident_row(i)->statement != statement->kind ||
            strcmp(accident_row(i)->word, text) != 0)
            continue;
        statement->mode = (uint8_t)i;
        parser->next++;
        return true;
    }
    struct nearest nearest = nearest_begin(text, strlen(text));
    nearest_try_words(&nearest, words);
    return message_error(parser->scenario, parser_place(parser, token),
                         nearest_help(&nearest, help, sizeof help), "expected %s, found '%s'",
                         listed, text);
}
