/* SPDX-License-Identifier: MIT */
/*
 * help.c: the tables of the language in words, for writers of scenarios.
 */
#include "scenarios/lang/tables/tables.h"

static const char *value_name(const struct attribute_row *row)
{
    static const char *const names[] = {
        [VALUE_BARE] = "",
        [VALUE_NUMBER] = "N",
        [VALUE_SIZE] = "SIZE",
        [VALUE_TIME] = "TIME",
        [VALUE_VERSION] = "VERSION",
        [VALUE_WORD] = "",
        [VALUE_FLAGS] = "FLAGS",
        [VALUE_PRIORITY] = "LEVEL",
        [VALUE_NAMED] = "VALUE",
        [VALUE_NAME] = "NAME",
        [VALUE_NAMES] = "NAMES",
        [VALUE_SEGMENTS] = "SEGS",
        [VALUE_SEGMENT_SET] = "SEGS",
        [VALUE_PREFER] = "SEGS",
        [VALUE_BANKS] = "BANKS",
        [VALUE_OFFERS] = "NAME:PRIORITY,...",
        [VALUE_SIZES] = "SIZES",
        [VALUE_RANGES] = "0..3,7",
        [VALUE_RANGE] = "A..B",
        [VALUE_NODE] = "NODE",
        [VALUE_SIZE_RANGES] = "A..B,C..D",
        [VALUE_NEW] = "NAME",
        [VALUE_RAW] = "TEXT",
    };
    return names[row->kind];
}

bool scenario_statement_help(size_t index, struct scenario_statement_help *help)
{
    if (index >= STATEMENT_KINDS)
        return false;
    const struct statement_row *row = statements_row((unsigned)index);
    *help = (struct scenario_statement_help){ row->name, row->syntax, row->help,
                                              !(row->traits & TRAIT_LATER) };
    return true;
}

bool scenario_accident_help(size_t index, struct scenario_word_help *help)
{
    const struct accident_row *row = accident_row(index);
    if (!row)
        return false;
    *help = (struct scenario_word_help){ .of = statements_row((unsigned)row->statement)->name,
                                         .name = row->word,
                                         .help = row->help,
                                         .value = "",
                                         .supported = true };
    return true;
}

bool scenario_state_help(size_t index, struct scenario_word_help *help)
{
    const struct scenario_word_help *row = state_words_row(index);
    if (!row)
        return false;
    *help = *row;
    help->name = "state";
    help->help = help->value = "";
    return true;
}

const char *scenario_state_words(const char *key)
{
    return state_words_values(key);
}

bool scenario_attribute_help(size_t index, struct scenario_word_help *help)
{
    const struct attribute_row *row = attribute_row(index);
    if (!row)
        return false;
    *help = (struct scenario_word_help){ .of = statements_row((unsigned)row->statement)->name,
                                         .name = row->name,
                                         .help = row->help,
                                         .value = value_name(row),
                                         .words = row->words,
                                         .supported = !(row->traits & TRAIT_LATER),
                                         .most = attribute_most(row),
                                         .members = attribute_members(row) };
    return true;
}

/* Between the parentheses of those that take no name. */
static const char *arguments(unsigned function)
{
    switch ((enum function)function) {
    case FUNCTION_COUNT: return "EVENT[,KEY=VALUE...]";
    case FUNCTION_BYTES: return "COUNTER";
    case FUNCTION_STALL: return "[REASON]";
    case FUNCTION_OUT: return "MEMBER";
    case FUNCTION_RAND: return "A..B[,step=S]";
    case FUNCTION_ANY: return "N|A..B";
    default: return "...";
    }
}

static const char *subject_name(int subject)
{
    static const struct {
        int object;
        const char *name;
    } names[] = {
        { OBJECT_ALLOCATION | OBJECT_SEGMENT | OBJECT_SYSMEM, "NAME" },
        { OBJECT_NODE | OBJECT_SUBMISSION, "NODE|SUBMISSION" },
        { OBJECT_ALLOCATION, "ALLOCATION" },
        { OBJECT_SEGMENT, "SEGMENT" },
        { OBJECT_NODE, "NODE" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        if (names[i].object == subject)
            return names[i].name;
    }
    return subject ? "..." : "";
}

static bool help_for_out(size_t index, struct scenario_word_help *help)
{
    if (!out_name(index))
        return false;
    *help = (struct scenario_word_help){
        .of = out_name(index),
        .name = "out",
        .help = out_help(index),
        .value = "",
        .supported = true,
    };
    return true;
}

bool scenario_function_help(size_t index, struct scenario_word_help *help)
{
    if (index >= FUNCTIONS) /* after them, what out() can name */
        return help_for_out(index - FUNCTIONS, help);
    const struct function_row *row = function_row_of((unsigned)index);
    *help = (struct scenario_word_help){ .of = row->subject < 0 ? arguments((unsigned)index)
                                                                : subject_name(row->subject),
                                         .name = row->name,
                                         .help = row->help,
                                         .value = "",
                                         .supported = !(row->traits & TRAIT_LATER) };
    return true;
}

bool scenario_predicate_help(size_t index, struct scenario_word_help *help)
{
    static const struct {
        const char *name, *help;
    } rows[] = {
        { "A in SEGMENT [at OFFSET]", "where it lies" },
        { "A in system", "it lies in no segment" },
        { "A resident", "it lies in a segment" },
        { "A evicted", "it lies in no segment, and nothing is lost" },
        { "A lost", "its content is lost" },
        { "A pinned", "it stays where it is" },
        { "A dirty",
          "the GPU wrote its copy in a memory segment since it came in; in an aperture it "
          "writes the system pages themselves, so there nothing is dirty (PAGE-030)" },
        { "A clean", "it is not dirty" },
        { "A locked", "the CPU has it locked" },
        { "A busy", "unfinished work of the GPU uses it" },
        { "A idle", "none does" },
        { "EXPR >= EXPR", "or == != < <= >, with the functions below" },
        { "content of A intact", "every page holds what it should; or lost; or uncertain: nobody "
                                 "guarantees a page (FLAG-026)" },
        { "state SUBJECT KEY=VALUE", "by a key; `vidmm explain state` lists all" },
        { "no EVENT [SUBJECT] [KEY=VALUE] [since MARK]", "no such event came" },
        { "events [any-order] ... end", "such events came since the last list, in this order" },
        { "map SEGMENT ... end", "the layout of a segment: OFFSET..OFFSET NAME|free" },
    };
    if (index >= ARRAY_COUNT(rows))
        return false;
    *help = (struct scenario_word_help){ .of = "expect",
                                         .name = rows[index].name,
                                         .help = rows[index].help,
                                         .value = "",
                                         .supported = true };
    return true;
}
