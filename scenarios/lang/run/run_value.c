/* SPDX-License-Identifier: MIT */
/*
 * run_value.c: an attribute as one number, by the kind that its row says.
 *
 * The documented bit layouts of preferences and bank hints are put together here.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

static uint32_t segment_bit(const struct runner *runner, const struct expr *expr)
{
    uint32_t id = bindings_number(bindings_of_word(runner, expr->name));
    return id >= 1 && id <= 32 ? 1u << (id - 1) : 0;
}

static uint32_t value_segments(const struct runner *runner, const struct attribute *attribute)
{
    uint32_t set = 0;
    for (const struct item *item = attribute->items; item; item = item->next)
        set |= segment_bit(runner, item->from);
    return set;
}

static bool is_top(const struct runner *runner, const struct item *item)
{
    return item->suffix && strcmp(runner_word(runner, item->suffix), "top") == 0;
}

/* SegmentId0, Direction0, SegmentId1 ...: five bits and one, lowest first. */
static uint32_t value_preferences(const struct runner *runner, const struct attribute *attribute)
{
    uint32_t value = 0;
    unsigned shift = 0;
    for (const struct item *item = attribute->items; item && shift < 30; item = item->next) {
        uint32_t id = bindings_number(bindings_of_word(runner, item->from->name)) & 0x1F;
        value |= (id | (is_top(runner, item) ? 0x20u : 0)) << shift;
        shift += 6;
    }
    return value;
}

/* Bank0, Direction0, Bank1 ...: seven bits and one. */
static bool value_banks(struct runner *runner, const struct attribute *attribute, uint32_t *value)
{
    uint64_t bank = 0;
    unsigned shift = 0;
    *value = 0;
    for (const struct item *item = attribute->items; item && shift < 32; item = item->next) {
        if (!evaluate_item(runner, attribute, item, &bank))
            return false;
        *value |= (uint32_t)((bank & 0x7F) | (is_top(runner, item) ? 0x80u : 0)) << shift;
        shift += 8;
    }
    return true;
}

bool run_value_flags(struct runner *runner, const struct attribute *attribute,
                     enum vidmm_flag_set set, uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = attribute->items; item; item = item->next) {
        uint64_t value = 0;
        if (item->from->kind != EXPR_NAME) {
            if (!evaluate_item(runner, attribute, item, &value))
                return false;
        } else {
            const char *name = runner_word(runner, item->from->name);
            enum vidmm_flag_set seen = set;
            const struct vidmm_flag *flag = vidmm_flag_by_name(set, name);
            /* Its bit is reserved in this version: the manager says so. */
            if (!flag)
                flag = vidmm_flag_by_other_name(&seen, name);
            value = flag ? flag->value : 0;
        }
        *flags |= (uint32_t)value;
    }
    return true;
}

bool run_value_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                     uint32_t *number)
{
    uint64_t value = 0;
    const struct vidmm_flag *named =
        expr->kind == EXPR_NAME ? vidmm_flag_by_name(set, runner_word(runner, expr->name)) : NULL;
    if (named)
        value = named->value;
    else if (!evaluate_32(runner, expr, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

bool run_value_flag_list(struct runner *runner, const struct attribute *attribute,
                         enum vidmm_flag_set set, uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = attribute ? attribute->items : NULL; item; item = item->next) {
        uint32_t value = 0;
        if (!runner_stop_unless(runner, run_value_named(runner, item->from, set, &value)))
            return false;
        *flags |= value;
    }
    return true;
}

/* Words count from 1; a word that stands alone is 1. */
bool run_value(struct runner *runner, const struct attribute *attribute, uint64_t *value)
{
    const struct attribute_row *row = attribute->row;
    const struct expr *first = attribute->items ? attribute->items->from : NULL;
    uint32_t bits = 0;
    bool known = true;
    size_t index = 0;
    switch (row->kind) {
    case VALUE_BARE: bits = 1; break;
    case VALUE_NAME: bits = bindings_number(bindings_of_word(runner, first->name)); break;
    case VALUE_SEGMENTS: bits = value_segments(runner, attribute); break;
    case VALUE_PREFER: bits = value_preferences(runner, attribute); break;
    case VALUE_BANKS: known = value_banks(runner, attribute, &bits); break;
    case VALUE_FLAGS:
        known = run_value_flags(runner, attribute, (enum vidmm_flag_set)row->argument, &bits);
        break;
    case VALUE_NAMED:
        known = run_value_named(runner, first, (enum vidmm_flag_set)row->argument, &bits);
        break;
    case VALUE_PRIORITY: known = run_value_named(runner, first, VIDMM_FLAGS_PRIORITY, &bits); break;
    default:
        if (first->kind != EXPR_NAME || !row->words)
            return evaluate_item(runner, attribute, attribute->items, value);
        word_list_has(row->words, runner_word(runner, first->name), &index);
        bits = (uint32_t)index + 1;
    }
    *value = bits;
    return known;
}
