/* SPDX-License-Identifier: MIT */
/*
 * foresee.c: what a scenario will do, as far as its text says: whether it acts at all, in which
 * lines, and of which warnings and findings it speaks.
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

/* ---- lines ------------------------------------------------------------------------------------
 */

/* In the order of the text: included ones stand between, and have offsets of their own. */
static uint32_t find_from(struct scenario *scenario, const struct statement *first, uint32_t from)
{
    uint32_t found = UINT32_MAX;
    for (const struct statement *at = first; at && found == UINT32_MAX; at = at->next) {
        bool bulk = at->kind == STATEMENT_BULK, told = bulk || at->kind == STATEMENT_EXPECT;
        if (!bulk && at->kind < STATEMENT_KINDS)
            told |= (statements_row(at->kind)->traits & TRAIT_OPERATION) != 0;
        if (!told)
            found = find_from(scenario, at->body, from);
        else if (!bulk && !at->at.source && at->at.offset >= from)
            found = at->at.offset;
        for (size_t i = 0; bulk && !at->at.source && i < at->bulk->line_count; i++) {
            uint32_t offset = scenario->bulk->lines[at->bulk->first_line + i].offset;
            if (offset >= from && offset < found)
                found = offset;
        }
    }
    return found;
}

uint32_t scenario_line_from(struct scenario *scenario, uint32_t line)
{
    const struct source *source = scenario->sources[0];
    struct scenario_span span;
    uint32_t from = 0;
    for (uint32_t number = 1; number < line; number++) {
        const char *end = memchr(source->text + from, '\n', source->bytes - from);
        if (!end)
            return 0;
        from = (uint32_t)(end - source->text) + 1;
    }
    from = find_from(scenario, scenario->statements, from);
    if (from == UINT32_MAX)
        return 0;
    message_where(scenario, (struct place){ .offset = from }, &span);
    return span.line;
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
