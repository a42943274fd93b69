/* SPDX-License-Identifier: MIT */
/*
 * position.c: which statements may stand in which block.
 */
#include "scenarios/lang/syntax/parse.h"

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
    return NULL;
}

bool position_check(struct parser *parser, const struct statement *statement)
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
