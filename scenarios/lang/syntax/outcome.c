/* SPDX-License-Identifier: MIT */
/*
 * outcome.c: what a statement is meant to end with.
 *
 *     -> fails [STATUS] [by RULE,...]   -> pending   -> bugcheck CODE[/PARAM]
 *     -> device-error                   -> warns [RULE,...]        -> either        -> ok
 */
#include "scenarios/lang/syntax/suggest.h"

#include <string.h>

/* In the order of enum outcome_kind. */
static const char outcome_words[] = "ok|either|pending|device-error|fails|bugcheck|warns";

static bool complain_status(struct parser *parser, const struct token *token, const char *text)
{
    char help[128];
    struct nearest nearest = nearest_begin(text, strlen(text));
    for (size_t i = 0; vidmm_status_row(i); i++) {
        const struct vidmm_status_info *row = vidmm_status_row(i);
        static const char *const prefixes[] = { "", "STATUS_", "STATUS_GRAPHICS_" };
        for (size_t j = 0; j < ARRAY_COUNT(prefixes); j++) {
            size_t length = strlen(prefixes[j]);
            if (strncmp(row->name, prefixes[j], length) == 0)
                nearest_try(&nearest, row->name + length);
        }
        if (row->hresult_name)
            nearest_try(&nearest, row->hresult_name);
    }
    nearest_choice(&nearest, help, sizeof help);
    if (vidmm_rule_by_id(text) != VIDMM_RULE_NONE)
        snprintf(help, sizeof help, "a rule follows 'by': -> fails by %s", text);
    else if (!nearest.best[0])
        snprintf(help, sizeof help, "such as STATUS_INVALID_PARAMETER; without one, any is meant");
    return message_error(parser->scenario, parser_place(parser, token), help,
                         "'%s' is not a status", text);
}

/* `-> fails 0xC000000D` */
static bool complain_number(struct parser *parser, const struct token *token)
{
    char help[160];
    const struct vidmm_status_info *info = NULL;
    for (size_t i = 0; !info && vidmm_status_row(i); i++) {
        const struct vidmm_status_info *row = vidmm_status_row(i);
        if ((uint32_t)row->status == token->value || (row->hresult && row->hresult == token->value))
            info = row;
    }
    snprintf(help, sizeof help, info ? "write -> fails %s" : "the form is `-> fails %s`",
             info ? info->name : "STATUS [by RULE,...]");
    return message_error(parser->scenario, parser_place(parser, token), help,
                         "a status is written by its name");
}

/* `-> fails by PLACE-001 STATUS_NO_MEMORY` */
static bool complain_turned(struct parser *parser, const struct token *token)
{
    char help[160];
    snprintf(help, sizeof help, "the form is `-> fails STATUS [by RULE,...]`: -> fails %s by ...",
             parser_word_text(parser, token->name));
    return message_error(parser->scenario, parser_place(parser, token), help,
                         "the status stands before 'by'");
}

static bool read_fails(struct parser *parser, struct outcome *outcome)
{
    const struct token *token = parser_peek(parser);
    if (token->kind == TOKEN_NUMBER)
        return complain_number(parser, token);
    if (token->kind == TOKEN_WORD && !parser_at_word(parser, "by")) {
        const char *text = parser_word_text(parser, token->name);
        outcome->status = vidmm_status_by_name(text);
        if (!outcome->status)
            return complain_status(parser, token, text);
        if (!((uint32_t)outcome->status->status >> 31))
            return message_error(parser->scenario, parser_place(parser, token),
                                 "leave the outcome out: a statement without one has to succeed",
                                 "%s is no failure", outcome->status->name);
        parser->next++;
    }
    if (!parser_accept_word(parser, "by"))
        return true;
    if (!parser_rules(parser, &outcome->rules, false))
        return false;
    token = parser_peek(parser);
    bool status = token->kind == TOKEN_WORD &&
                  vidmm_status_by_name(parser_word_text(parser, token->name)) != NULL;
    if (status)
        return complain_turned(parser, token);
    return true;
}

/* Not an expression: here '/' stands between two numbers. */
static struct expr *read_code(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    if (token->kind != TOKEN_NUMBER) {
        parser_expected(parser, "the number of a stop code such as 0x10E");
        return NULL;
    }
    parser->next++;
    return expression_number(parser, token);
}

static bool read_bugcheck(struct parser *parser, struct outcome *outcome)
{
    outcome->code = read_code(parser);
    if (outcome->code && parser_accept_mark(parser, '/')) {
        outcome->parameter = read_code(parser);
        return outcome->parameter != NULL;
    }
    return outcome->code != NULL;
}

static bool read_kind(struct parser *parser, struct outcome *outcome)
{
    size_t index = 0;
    char help[128];
    word name = 0;
    if (!parser_name(parser, "an outcome", &name, &outcome->at))
        return false;
    const char *text = parser_word_text(parser, name);
    if (word_list_has(outcome_words, text, &index)) {
        outcome->kind = (enum outcome_kind)index;
        return true;
    }
    struct nearest nearest = nearest_begin(text, strlen(text));
    nearest_try_words(&nearest, outcome_words);
    const char *habit = habit_find(HABIT_OUTCOME, text, strlen(text));
    if (vidmm_status_by_name(text))
        snprintf(help, sizeof help, "write -> fails %s", text);
    else if (vidmm_rule_by_id(text) != VIDMM_RULE_NONE)
        snprintf(help, sizeof help, "write -> fails by %s, or -> warns %s", text, text);
    else if (habit)
        snprintf(help, sizeof help, "did you mean '%s'?", habit);
    else if (!nearest_help(&nearest, help, sizeof help))
        snprintf(help, sizeof help,
                 "an outcome is ok, either, pending, device-error, fails, bugcheck or warns");
    return message_error(parser->scenario, outcome->at, help, "'%s' is not an outcome", text);
}

bool outcome_parse(struct parser *parser, struct statement *statement)
{
    if (!parser_accept_mark(parser, MARK_ARROW))
        return true;
    struct outcome *outcome = arena_alloc(&parser->scenario->arena, sizeof *outcome);
    if (!read_kind(parser, outcome))
        return false;
    statement->outcome = outcome;
    switch (outcome->kind) {
    case OUTCOME_FAILS: return read_fails(parser, outcome);
    case OUTCOME_BUGCHECK: return read_bugcheck(parser, outcome);
    case OUTCOME_WARNS:
        return parser_peek(parser)->kind == TOKEN_END ||
               parser_rules(parser, &outcome->rules, false);
    default: return true;
    }
}
