/* SPDX-License-Identifier: MIT */
/*
 * foresee.c: what a scenario will do, as far as its text says: whether it acts at all, and of which
 * warnings and findings it speaks.
 */
#include "scenarios/lang/scenario_items.h"

#include <string.h>

#include "scenarios/lang/syntax/syntax.h"

static bool has_operation(const struct statement *at)
{
    for (; at; at = at->next) {
        unsigned traits = at->kind < STATEMENT_KINDS ? statements_row(at->kind)->traits : 0;
        if (at->kind == STATEMENT_BULK || at->kind == STATEMENT_EXPECT ||
            traits & (TRAIT_OPERATION | TRAIT_BLOCK))
            return true;
    }
    return false;
}

bool scenario_acts(struct scenario *scenario)
{
    return has_operation(scenario->statements);
}

/* ---- warnings and findings --------------------------------------------------------------------
 */

struct complaint {
    const struct statement *test; /* NULL: any */
    const char *word;
    enum vidmm_rule rule;
};

static bool proves(const struct statement *at, enum vidmm_rule rule)
{
    const struct rule_item *item = at->kind == STATEMENT_PROVES ? at->rules : NULL;
    while (item && vidmm_rule_canonical(item->rule) != vidmm_rule_canonical(rule))
        item = item->next;
    return item != NULL;
}

static bool mentions(struct scenario *scenario, const struct statement *at, const char *tag)
{
    char line[1024];
    return (at->kind == STATEMENT_EXPECT || at->kind == STATEMENT_EVENT_LINE) &&
           strstr(source_copy(scenario, at->line, line, sizeof line), tag);
}

static bool foresees(struct scenario *scenario, const struct statement *at,
                     const struct complaint *complaint)
{
    for (; at; at = at->next) {
        if (at->kind == STATEMENT_TEST && complaint->test && complaint->test != at)
            continue;
        if (proves(at, complaint->rule) || mentions(scenario, at, complaint->word) ||
            foresees(scenario, at->body, complaint))
            return true;
    }
    return false;
}

bool scenario_foresees(struct scenario *scenario, const struct scenario_item *test,
                       enum scenario_severity severity, enum vidmm_rule rule)
{
    const struct complaint complaint = { test ? test->statement : NULL,
                                         severity == SCENARIO_WARNING ? "warn" : "finding", rule };
    return foresees(scenario, scenario->statements, &complaint);
}
