/* SPDX-License-Identifier: MIT */
/*
 * operands.c: what the attributes of a statement are worth: a number, or one of their words.
 */
#include "scenarios/lang/session/session.h"

#include <string.h>

bool evaluate_item(struct runner *runner, const struct attribute *attribute,
                   const struct item *item, uint64_t *value)
{
    uint64_t most = attribute_most(attribute->row);
    if (!evaluate(runner, item->from, value))
        return false;
    if (*value > most)
        evaluate_problem(runner, "'%s' is at most %" PRIu64 ", and this is %" PRIu64,
                         attribute->row->name, most, *value);
    return evaluate_at(runner, item->from, *value <= most);
}

bool evaluate_word(const struct runner *runner, const struct attribute *attribute,
                   const struct item *item, size_t *index)
{
    return item->from->kind == EXPR_NAME && attribute->row->words &&
           attribute_has_word(attribute->row, runner->scenario->host,
                              runner_word(runner, item->from->name), index);
}

bool evaluate_choice(struct runner *runner, const struct attribute *attribute, uint64_t *value)
{
    size_t index = 0;
    if (!evaluate_word(runner, attribute, attribute->items, &index))
        return runner_stop_unless(runner,
                                  evaluate_item(runner, attribute, attribute->items, value));
    *value = index;
    return true;
}

bool evaluate_optional(struct runner *runner, const struct statement *statement,
                       enum attribute_id id, uint64_t *value)
{
    const struct attribute *attribute = attribute_find(statement, id);
    return !attribute || evaluate_choice(runner, attribute, value);
}

bool evaluate_optional_32(struct runner *runner, const struct statement *statement,
                          enum attribute_id id, uint32_t *value)
{
    uint64_t wide = *value;
    bool known = evaluate_optional(runner, statement, id, &wide);
    *value = (uint32_t)wide;
    return known;
}

bool evaluate_is_word(const struct runner *runner, const struct statement *statement,
                      enum attribute_id id, const char *text)
{
    const struct item *item = attribute_items(statement, id);
    return item && strcmp(runner_word(runner, item->from->name), text) == 0;
}
