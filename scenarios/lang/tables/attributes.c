/* SPDX-License-Identifier: MIT */
/*
 * attributes.c: the attributes of all statements, and what each may hold.
 */
#include "scenarios/lang/tables/tables.h"
#include "vidmm/vidmm_mock.h"

#include <string.h>

static const struct attribute_row rows[] = {
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
    return index < ARRAY_COUNT(rows) ? &rows[index] : NULL;
}

const struct attribute_row *attribute_row_find(int statement, const char *name)
{
    if (statement == STATEMENT_CLASS)
        statement = STATEMENT_CREATE;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        if (rows[i].statement == statement && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

uint64_t attribute_most(const struct attribute_row *row)
{
    enum { BANK_MOST = 127 }; /* HintedBank has seven bits for each */
    if (row->statement < 0 && row->argument >= ATTRIBUTE_CAP)
        return vidmm_mock_cap_most((size_t)(row->argument - ATTRIBUTE_CAP));
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
