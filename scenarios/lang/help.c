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

static bool help_for_statement(size_t index, struct scenario_word_help *help)
{
    if (index >= STATEMENT_KINDS)
        return false;
    const struct statement_row *row = statements_row((unsigned)index);
    help->name = row->name;
    help->value = row->syntax;
    help->help = row->help;
    help->supported = !(row->traits & TRAIT_LATER);
    return true;
}

const char *scenario_state_words(const char *key)
{
    const struct vidmm_event_field_info *field;
    for (size_t i = 0; (field = state_words_field(key, i)) != NULL; i++)
        if (*field->words)
            return field->words;
    return NULL;
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
    default: return "N|A..B"; /* any */
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
        { 0, "" },
    };
    size_t i = 0;
    while (names[i].object != subject) {
        i++;
        CHECK(i < ARRAY_COUNT(names));
    }
    return names[i].name;
}

static bool help_for_attribute(size_t index, struct scenario_word_help *help)
{
    const struct attribute_row *row = attribute_row(index);
    if (!row)
        return false;
    help->of = statements_row((unsigned)row->statement)->name;
    help->name = row->name;
    help->help = row->help;
    help->value = value_name(row);
    help->words = row->words;
    help->supported = !(row->traits & TRAIT_LATER);
    help->most = attribute_most(row);
    help->members = attribute_members(row);
    return true;
}

static bool help_for_function(size_t index, struct scenario_word_help *help)
{
    if (index >= FUNCTIONS) { /* after them, what out() can name */
        help->of = out_name(index - FUNCTIONS);
        help->name = "out";
        help->help = out_help(index - FUNCTIONS);
        return help->of != NULL;
    }
    const struct function_row *row = function_row_of((unsigned)index);
    help->of = row->subject < 0 ? arguments((unsigned)index) : subject_name(row->subject);
    help->name = row->name;
    help->help = row->help;
    return true;
}

static bool help_for_predicate(size_t index, struct scenario_word_help *help)
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
        { "content of A intact",
          "every page holds what it should; or lost: one does not, or an offer took all of it and "
          "nothing was written since (OFFER-011); or uncertain: nobody guarantees a page "
          "(FLAG-026)" },
        { "state SUBJECT KEY=VALUE", "by a key; `vidmm explain state` lists all" },
        { "no EVENT [SUBJECT] [KEY=VALUE] [since MARK]", "no such event came" },
        { "events [any-order] ... end", "such events came since the last list, in this order" },
        { "map SEGMENT ... end", "the layout of a segment: OFFSET..OFFSET NAME|free" },
    };
    if (index >= ARRAY_COUNT(rows))
        return false;
    help->of = "expect";
    help->name = rows[index].name;
    help->help = rows[index].help;
    return true;
}

static bool help_for_accident(size_t index, struct scenario_word_help *help)
{
    const struct accident_row *row = accident_row(index);
    if (!row)
        return false;
    help->of = statements_row((unsigned)row->statement)->name;
    help->name = row->word;
    help->help = row->help;
    return true;
}

static bool help_for_state(size_t index, struct scenario_word_help *help)
{
    const struct state_words *row = state_words_row(index);
    if (!row)
        return false;
    help->of = row->of;
    help->name = "state";
    help->words = row->words;
    help->supported = row->supported;
    return true;
}

bool scenario_word_help(enum scenario_words words, size_t index, struct scenario_word_help *help)
{
    static bool (*const rows[])(size_t index, struct scenario_word_help * help) = {
        [SCENARIO_STATEMENTS] = help_for_statement, [SCENARIO_ATTRIBUTES] = help_for_attribute,
        [SCENARIO_FUNCTIONS] = help_for_function,   [SCENARIO_PREDICATES] = help_for_predicate,
        [SCENARIO_ACCIDENTS] = help_for_accident,   [SCENARIO_STATE_KEYS] = help_for_state,
    };
    *help = (struct scenario_word_help){ .help = "", .value = "", .supported = true };
    return rows[words](index, help);
}
