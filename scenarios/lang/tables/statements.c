/* SPDX-License-Identifier: MIT */
/*
 * statements.c: the statements, their attributes and what each of these may hold, and the words
 * that may follow `reset`, `exclude` and `power`.
 */
#include "scenarios/lang/tables/tables.h"
#include "vidmm/vidmm_mock.h"

#include <string.h>

static const struct statement_row statements[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help)                           \
    { name, traits, syntax, help },
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

const struct statement_row *statements_row(unsigned kind)
{
    CHECK(kind < STATEMENT_KINDS);
    return &statements[kind];
}

void statements_intern(struct words *words, struct arena *arena)
{
    for (word kind = 0; kind < STATEMENT_KINDS; kind++) {
        word name =
            words_intern(words, arena, statements[kind].name, strlen(statements[kind].name));
        CHECK(name == kind + 1);
    }
}

enum statement_kind statements_find(word name)
{
    return name <= STATEMENT_KINDS ? (enum statement_kind)(name - 1) : STATEMENT_KINDS;
}

static const struct accident_row accidents[ACCIDENTS] = {
#define ACCIDENT(statement, symbol, word, call, help) { STATEMENT_##statement, word, help },
#include "scenarios/lang/tables/accidents.def"
#undef ACCIDENT
};

const struct accident_row *accident_row(size_t index)
{
    return index < ACCIDENTS ? &accidents[index] : NULL;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static const struct attribute_row attributes[] = {
#define ATTRIBUTE(on, id, name, kind, argument, words, traits, help)                               \
    { STATEMENT_##on, name, kind, argument, words, traits, ATTRIBUTE_##on##_##id, help },
#define LATER(on, name)                                                                            \
    { STATEMENT_##on, name, VALUE_RAW, 0, NULL, TRAIT_LATER, ATTRIBUTE_NONE, "" },
#include "scenarios/lang/tables/attributes.def"
#undef ATTRIBUTE
#undef LATER
};

const struct attribute_row *attribute_row(size_t index)
{
    return index < ARRAY_COUNT(attributes) ? &attributes[index] : NULL;
}

uint64_t attribute_most(const struct attribute_row *row)
{
    enum { BANK_MOST = 127 }; /* HintedBank has seven bits for each */
    if (row->statement < 0 && row->argument >= ATTRIBUTE_CAP)
        return vidmm_mock_cap_most((size_t)(row->argument - ATTRIBUTE_CAP));
    if (row->traits & TRAIT_BIT)
        return 1;
    if (row->traits & (TRAIT_32_BITS | TRAIT_64_BITS))
        return row->traits & TRAIT_32_BITS ? UINT32_MAX : UINT64_MAX;
    switch (row->kind) {
    case VALUE_NUMBER: return row->statement < 0 ? UINT64_MAX : UINT32_MAX; /* settings check */
    case VALUE_BANKS: return BANK_MOST;
    case VALUE_FLAGS:
    case VALUE_NAMED:
    case VALUE_NODE:
    case VALUE_PRIORITY:
    case VALUE_SEGMENT_SET: return UINT32_MAX;
    default: return UINT64_MAX;
    }
}

bool attribute_is_list(const struct attribute_row *row)
{
    switch (row->kind) {
    case VALUE_FLAGS:
    case VALUE_NAMES:
    case VALUE_SEGMENTS:
    case VALUE_SEGMENT_SET:
    case VALUE_PREFER:
    case VALUE_BANKS:
    case VALUE_OFFERS:
    case VALUE_SIZES:
    case VALUE_SIZE_RANGES:
    case VALUE_RANGES: return true;
    default: return false;
    }
}

bool attribute_is_policy(const struct attribute_row *row)
{
    const struct vidmm_setting_info *info = vidmm_setting_row(vidmm_setting_by_name(row->name));
    return row->kind == VALUE_WORD && info && info->policies;
}

bool attribute_has_word(const struct attribute_row *row, const struct scenario_host *host,
                        const char *name, size_t *index)
{
    if (!attribute_is_policy(row))
        return word_list_has(row->words, name, index);
    const struct vidmm_setting_info *info = vidmm_setting_row(vidmm_setting_by_name(row->name));
    size_t found = vidmm_setting_policy(info, name, host->policies, host->policy_count);
    if (index)
        *index = found;
    return found != SIZE_MAX;
}

/* ---- settings, driver caps, switches --------------------------------------------------------- */

static const struct attribute_row *make_row(struct arena *arena, const char *name,
                                            enum value_kind kind, size_t index, const char *words)
{
    struct attribute_row *row = arena_alloc(arena, sizeof *row);
    *row = (struct attribute_row){
        .statement = -1, .name = name, .kind = kind, .argument = (int)index, .words = words
    };
    return row;
}

static const struct attribute_row *find_setting(struct arena *arena, const char *name)
{
    static const enum value_kind kinds[] = {
        [VIDMM_SETTING_VERSION] = VALUE_VERSION, [VIDMM_SETTING_COUNT] = VALUE_NUMBER,
        [VIDMM_SETTING_BYTES] = VALUE_SIZE,      [VIDMM_SETTING_NS] = VALUE_TIME,
        [VIDMM_SETTING_RATE] = VALUE_SIZE,       [VIDMM_SETTING_WORDS] = VALUE_WORD,
    };
    size_t index = vidmm_setting_by_name(name);
    if (index == SIZE_MAX)
        return NULL;
    const struct vidmm_setting_info *info = vidmm_setting_row(index);
    const char *words = info->kind == VIDMM_SETTING_WORDS ? info->words : NULL;
    return make_row(arena, info->name, kinds[info->kind], index, words);
}

/* SIZE_MAX: none has this name. */
static size_t find_name(const char *(*name_of)(size_t index), const char *name)
{
    size_t i = 0;
    while (name_of(i) && strcmp(name_of(i), name) != 0)
        i++;
    return name_of(i) ? i : SIZE_MAX;
}

static bool takes_settings(int statement)
{
    return statement == STATEMENT_ADAPTER || statement == STATEMENT_SET;
}

bool attribute_takes_switches(int statement)
{
    return statement == STATEMENT_MINIPORT || statement == STATEMENT_INJECT;
}

const struct attribute_row *attribute_row_of(struct arena *arena, int statement, const char *name)
{
    const struct attribute_row *row = NULL;
    size_t index;
    if (takes_settings(statement))
        row = find_setting(arena, name);
    if (!row && statement == STATEMENT_ADAPTER) {
        index = find_name(vidmm_mock_cap_name, name); /* after those of the settings */
        if (index != SIZE_MAX)
            row = make_row(arena, vidmm_mock_cap_name(index), VALUE_SIZE, ATTRIBUTE_CAP + index,
                           NULL);
    }
    if (attribute_takes_switches(statement)) {
        index = find_name(vidmm_mock_switch_name, name);
        return index == SIZE_MAX
                   ? NULL
                   : make_row(arena, vidmm_mock_switch_name(index), VALUE_RAW, index, NULL);
    }
    if (statement == STATEMENT_SET)
        statement = STATEMENT_ADAPTER;
    if (statement == STATEMENT_CLASS)
        statement = STATEMENT_CREATE;
    for (size_t i = 0; i < ARRAY_COUNT(attributes) && !row; i++)
        if (attributes[i].statement == statement && strcmp(attributes[i].name, name) == 0)
            row = &attributes[i];
    return row;
}

void attribute_suggest(int statement, struct nearest *nearest)
{
    for (size_t i = 0; takes_settings(statement) && vidmm_setting_row(i); i++)
        nearest_try(nearest, vidmm_setting_row(i)->name);
    for (size_t i = 0; statement == STATEMENT_ADAPTER && vidmm_mock_cap_name(i); i++)
        nearest_try(nearest, vidmm_mock_cap_name(i));
    for (size_t i = 0; attribute_takes_switches(statement) && vidmm_mock_switch_name(i); i++)
        nearest_try(nearest, vidmm_mock_switch_name(i));
    if (statement == STATEMENT_CLASS)
        statement = STATEMENT_CREATE;
    const struct attribute_row *row;
    for (size_t i = 0; (row = attribute_row(i)) != NULL; i++) {
        if (row->statement == statement && !(row->traits & TRAIT_LATER))
            nearest_try(nearest, row->name);
    }
}

/* `create-fails`, `fail-submit`: what a call answers is its -status. */
const char *attribute_suggest_status(const char *name, char *help, size_t bytes)
{
    static const char failing[] = "fail|fails|failed|failure|error|status|refuse|deny";
    bool fails = false;
    while (*name) {
        char part[40];
        char named[64];
        size_t length = strcspn(name, "-");
        snprintf(part, sizeof part, "%.*s", (int)min_u64(length, sizeof part - 1), name);
        snprintf(named, sizeof named, "%s-status", part);
        if (find_name(vidmm_mock_switch_name, named) != SIZE_MAX) {
            snprintf(help, bytes, "did you mean '%s=STATUS'?", named);
            return help;
        }
        fails |= word_list_has(failing, part, NULL);
        name += length + (name[length] == '-');
    }
    snprintf(help, bytes,
             "what a call answers is create-status=STATUS, render-status=STATUS, "
             "bpb-status=STATUS ...; `vidmm explain inject` lists all");
    return fails ? help : NULL;
}

/* ---- members of the interface ---------------------------------------------------------------- */

enum member {
    MEMBER_PREFERRED = 1 << 0,
    MEMBER_READ_SET = 1 << 1,
    MEMBER_WRITE_SET = 1 << 2,
    MEMBER_EVICTION_SET = 1 << 3,
    MEMBER_BANK = 1 << 4,
    MEMBER_PRIORITY = 1 << 5,
    MEMBER_FLAGS = 1 << 6,
    MEMBER_LIMIT_OR_INDEX = 1 << 7,
    MEMBER_FORMAT = 1 << 8,
};

static const struct {
    enum member member;
    const char *text;
} member_names[] = {
    { MEMBER_PREFERRED, "the member PreferredSegment" },
    { MEMBER_READ_SET, "the member SupportedReadSegmentSet" },
    { MEMBER_WRITE_SET, "the member SupportedWriteSegmentSet" },
    { MEMBER_EVICTION_SET, "the member EvictionSegmentSet" },
    { MEMBER_BANK, "the member HintedBank" },
    { MEMBER_PRIORITY, "the member AllocationPriority" },
    { MEMBER_FLAGS, "the union of Flags and FlagsWddm2" },
    { MEMBER_LIMIT_OR_INDEX, "the union of MaximumRenamingListLength and PhysicalAdapterIndex" },
    { MEMBER_FORMAT, "the union of Format and PrivateFormat" },
};

static const struct {
    enum attribute_id attribute;
    unsigned members;
} writers[] = {
    { ATTRIBUTE_CREATE_PREFER, MEMBER_PREFERRED },
    { ATTRIBUTE_CREATE_MEMBER_PREFERRED_SEGMENT, MEMBER_PREFERRED },
    { ATTRIBUTE_CREATE_SEGMENTS, MEMBER_READ_SET | MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_READ, MEMBER_READ_SET },
    { ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET, MEMBER_READ_SET },
    { ATTRIBUTE_CREATE_WRITE, MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET, MEMBER_WRITE_SET },
    { ATTRIBUTE_CREATE_EVICT_TO, MEMBER_EVICTION_SET },
    { ATTRIBUTE_CREATE_MEMBER_EVICTION_SEGMENT_SET, MEMBER_EVICTION_SET },
    { ATTRIBUTE_CREATE_BANKS, MEMBER_BANK },
    { ATTRIBUTE_CREATE_MEMBER_HINTED_BANK, MEMBER_BANK },
    { ATTRIBUTE_CREATE_PRIORITY, MEMBER_PRIORITY },
    { ATTRIBUTE_CREATE_MEMBER_ALLOCATION_PRIORITY, MEMBER_PRIORITY },
    { ATTRIBUTE_CREATE_FLAGS, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_MEMBER_FLAGS, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2, MEMBER_FLAGS },
    { ATTRIBUTE_CREATE_RENAME_LIMIT, MEMBER_LIMIT_OR_INDEX },
    { ATTRIBUTE_CREATE_ADAPTER_INDEX, MEMBER_LIMIT_OR_INDEX },
    { ATTRIBUTE_CREATE_USAGE_FORMAT, MEMBER_FORMAT },
    { ATTRIBUTE_CREATE_USAGE_PRIVATE_FORMAT, MEMBER_FORMAT },
};

unsigned attribute_members(const struct attribute_row *row)
{
    for (size_t i = 0; i < ARRAY_COUNT(writers); i++)
        if (writers[i].attribute == row->id)
            return writers[i].members;
    return 0;
}

const char *attribute_member_name(unsigned members)
{
    size_t i = 0;
    while (!(member_names[i].member & members))
        i++;
    return member_names[i].text;
}
