/* SPDX-License-Identifier: MIT */
/*
 * rules_clauses.c: the numbered clauses of a rule, and what shows each of them.
 *
 * A line of the text of a rule that begins with "(a) " is its first clause, "(b) " the second, and
 * so on; what stands above the first holds for all of them. `proves PLACE-016(a,c)` names two.
 */
#include <stdio.h>
#include <string.h>

#include "tools/common/text.h"
#include "tools/rules_catalogue.h"

static struct clause *add_clause(struct rule *rule)
{
    BASE_GROW(rule->clause, rule->clause_capacity, rule->clause_count + 1);
    struct clause *clause = &rule->clause[rule->clause_count++];
    *clause = (struct clause){ 0 };
    return clause;
}

void clauses_read_line(struct catalogue_reader *reader, struct rule *rule, const char *line)
{
    bool marked = line[0] == '(' && line[1] >= 'a' && line[1] <= 'z' && line[2] == ')';
    struct text text = { 0 };
    if (marked) {
        size_t number = (size_t)(line[1] - 'a');
        if (number != rule->clause_count)
            catalogue_complain(reader, 0, "clause (%c) of %s stands where (%c) is expected",
                               line[1], rule->id, (char)('a' + rule->clause_count));
        text_add(&text, "%s", line + 3 + strspn(line + 3, " "));
        if (text.length == 0)
            catalogue_complain(reader, 0, "clause (%c) of %s says nothing", line[1], rule->id);
        add_clause(rule)->text = text.bytes;
    } else if (rule->clause_count > 0) {
        struct clause *last = &rule->clause[rule->clause_count - 1];
        text_add(&text, "%s\n%s", last->text, line);
        base_free(last->text);
        last->text = text.bytes;
    }
}

void clauses_finish(struct catalogue_reader *reader, const struct rule *rule)
{
    if (rule->clause_count == 1)
        catalogue_complain(reader, rule->line,
                           "%s has one clause only: several are numbered, or none", rule->id);
}

struct clause *clauses_next(const struct rule *rule, const char **at)
{
    while (**at == '(' || **at == ',' || **at == ' ') {
        size_t number = (size_t)(*++*at - 'a');
        if (number < rule->clause_count) {
            ++*at;
            return &rule->clause[number];
        }
    }
    return NULL;
}

void clauses_fini(struct rule *rule)
{
    for (size_t i = 0; i < rule->clause_count; i++) {
        base_free(rule->clause[i].text);
        base_free(rule->clause[i].proved_by);
        base_free(rule->clause[i].unobservable);
    }
    base_free(rule->clause);
}
