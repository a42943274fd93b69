/* SPDX-License-Identifier: MIT */
/*
 * attribute.c: key=value, validated against attributes.def and the manager's own tables.
 *
 * What a value looks like is checked here, with the names of flags, levels and switches. What a
 * value means (a segment that exists, a size that fits) is checked after parsing, because names
 * may come from anywhere above in the text.
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

const struct attribute *attribute_find(const struct statement *statement, enum attribute_id id)
{
    const struct attribute *attribute = statement->attributes;
    while (attribute && attribute->row->id != id)
        attribute = attribute->next;
    return attribute;
}

const struct attribute *attribute_inherited(const struct statement *own,
                                            const struct statement *class, enum attribute_id id)
{
    const struct attribute *attribute = attribute_find(own, id);
    return attribute || !class ? attribute : attribute_find(class, id);
}

const struct item *attribute_items(const struct statement *statement, enum attribute_id id)
{
    const struct attribute *attribute = attribute_find(statement, id);
    return attribute ? attribute->items : NULL;
}

/* ---- which attribute ------------------------------------------------------------------------ */

/* What there is instead: the first few names, and where the others are. */
static const char *list_names(int statement, const struct nearest *nearest, char *help,
                              size_t bytes)
{
    const char *all = attribute_takes_switches(statement) ? "inject"
                      : statement == STATEMENT_SET        ? "adapter"
                                                   : statements_row((unsigned)statement)->name;
    if (!nearest_choice(nearest, help, bytes))
        return NULL;
    size_t length = strlen(help);
    if (nearest->more)
        snprintf(help + length, bytes - length, "; `vidmm explain %s` lists all", all);
    return help;
}

static bool complain_attribute(struct parser *parser, const struct statement *statement,
                               struct place at, const char *name)
{
    char near[96];
    char help[SUGGEST_BYTES];
    int kind = statement->kind;
    if (suggest_unit(parser, parser_peek(parser), help, sizeof help))
        return message_error(parser->scenario, at, help, "a number and its unit are one word");
    struct nearest nearest = nearest_begin(name, strlen(name));
    attribute_suggest(kind, &nearest);
    const char *best =
        suggest_attribute(parser, statement, nearest_help(&nearest, near, sizeof near), help,
                          sizeof help);
    if (!best && attribute_takes_switches(kind))
        best = attribute_suggest_status(name, help, sizeof help);
    if (!best)
        best = list_names(kind, &nearest, help, sizeof help);
    if (!best)
        best = suggest_form(parser, help, sizeof help);
    return message_error(parser->scenario, at, best,
                         attribute_takes_switches(kind)
                             ? "'%s' is not a switch of the mock miniport"
                         : kind == STATEMENT_SET ? "'%s' is not a setting"
                                                 : "'%s' is not an attribute of '%s'",
                         name, statements_row((unsigned)kind)->name);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_raw(struct parser *parser, struct attribute *attribute)
{
    const struct token *first = parser_peek(parser);
    if (first->kind == TOKEN_END)
        return parser_expected(parser, "a value");
    do
        parser->next++;
    while (parser_peek(parser)->kind != TOKEN_END && !parser_peek(parser)->spaced);
    attribute->text = parser_span(parser, first);
    return true;
}

static bool read_value(struct parser *parser, struct attribute *attribute)
{
    const struct attribute_row *row = attribute->row;
    if (row->kind == VALUE_RAW)
        return read_raw(parser, attribute);
    if (row->kind == VALUE_VERSION) {
        const struct token *token = parser_peek(parser);
        if (token->kind != TOKEN_FRACTION)
            return parser_expected(parser, "an interface version such as 1.1");
        attribute->items = expression_constant(parser, token->value);
        return true;
    }
    attribute->items = expression_list(parser);
    if (!attribute->items)
        return false;
    return attribute_value_check(parser, attribute);
}

static bool check_equals(struct parser *parser, const struct token *key)
{
    char help[SUGGEST_BYTES];
    const struct token *equals = key + 1;
    if (!equals->spaced && !(equals + 1)->spaced)
        return true;
    return message_error(parser->scenario, parser_place(parser, equals),
                         suggest_pair(parser, key, help, sizeof help),
                         "attributes are written without spaces around '='");
}

static bool check_supported(struct parser *parser, const struct statement *statement,
                            const struct attribute *attribute)
{
    char help[128];
    if (attribute->row->traits & TRAIT_LATER)
        return message_error(parser->scenario, attribute->at, NULL,
                             "'%s' of '%s' is not supported yet", attribute->row->name,
                             statements_row(statement->kind)->name);
    for (const struct attribute *other = statement->attributes; other; other = other->next) {
        if (other->key == attribute->key) {
            snprintf(help, sizeof help, "one of them is enough%s%s%s",
                     attribute_is_list(attribute->row) ? ", with a list: " : "",
                     attribute_is_list(attribute->row) ? attribute->row->name : "",
                     attribute_is_list(attribute->row) ? "=A,B" : "");
            return message_error(parser->scenario, attribute->at, help, "'%s' is given twice",
                                 attribute->row->name);
        }
    }
    return true;
}

static bool read_attribute(struct parser *parser, struct statement *statement,
                           struct attribute *attribute)
{
    char help[SUGGEST_BYTES];
    const struct token *key = parser_peek(parser);
    if (key->kind != TOKEN_WORD)
        return parser_expected_help(parser, "an attribute",
                                    suggest_attribute(parser, statement, NULL, help, sizeof help));
    const char *name = parser_word_text(parser, key->name);
    attribute->key = key->name;
    attribute->at = parser_place(parser, key);
    attribute->row = attribute_row_of(&parser->scenario->arena, statement->kind, name);
    if (!attribute->row)
        return complain_attribute(parser, statement, attribute->at, name);
    if (!check_supported(parser, statement, attribute))
        return false;
    parser->next++;
    if (parser_at_mark(parser, '=')) {
        if (!check_equals(parser, key))
            return false;
        parser->next++;
        if (attribute->row->kind != VALUE_BARE)
            return read_value(parser, attribute);
        snprintf(help, sizeof help, "write '%s' alone, or leave it out", name);
        return message_error(parser->scenario, attribute->at, help, "'%s' takes no value", name);
    }
    if (attribute->row->kind == VALUE_BARE || attribute_takes_switches(statement->kind))
        return true;
    return message_error(parser->scenario, attribute->at,
                         suggest_pair(parser, key, help, sizeof help), "'%s' needs a value: %s=...",
                         name, name);
}

bool attribute_parse_one(struct parser *parser, struct statement *statement)
{
    const struct token *first = parser_peek(parser);
    struct attribute **tail = &statement->attributes;
    struct attribute *attribute = arena_alloc(&parser->scenario->arena, sizeof *attribute);
    while (*tail)
        tail = &(*tail)->next;
    if (!read_attribute(parser, statement, attribute))
        return false;
    attribute->whole = parser_span(parser, first);
    *tail = attribute;
    return true;
}

void attribute_parse_next(struct parser *parser, struct statement *statement)
{
    const struct token *first = parser_peek(parser);
    if (!attribute_parse_one(parser, statement))
        parser_mend(parser, first);
}

bool attribute_parse(struct parser *parser, struct statement *statement)
{
    while (!parser_at_end(parser))
        attribute_parse_next(parser, statement);
    return true;
}

bool attribute_parse_rest(struct parser *parser, struct statement *statement, bool whole)
{
    if (whole)
        attribute_parse(parser, statement);
    return whole;
}
