/* SPDX-License-Identifier: MIT */
/*
 * rules.c: the catalogue and the glossary as data; look-up by id and by word.
 *
 * The table is made by tools/rules_generate.c from vidmm/rules/, in the order of `enum vidmm_rule`.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "vidmm/base/base.h"
#include "vidmm/vidmm_glossary.h"
#include "vidmm/vidmm_rules.h"

/* A rule with a large table is longer than the 4,095 characters that every C compiler must take. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverlength-strings"
#endif

static const struct vidmm_rule_info table[] = {
#include "vidmm/vidmm_rules_table.inc"
};

/* Letters that may be wrong in the area of a mistyped id, of a short one and of a longer one. */
enum { WRONG_OF_SHORT = 1, WRONG_OF_LONG = 2, LONG_AREA = 5 };

/* Of a mistyped id, or of a right one: PALCE-22. */
struct id_parts {
    const char *area;
    size_t length;
    unsigned long number;
};

/* False: it does not end in a number. */
static bool split_id(const char *text, struct id_parts *parts)
{
    char *end;
    text += *text == '"';
    size_t digits = strcspn(text, "0123456789");
    size_t length = digits;
    while (length && (text[length - 1] == '-' || text[length - 1] == '_'))
        length--;
    *parts = (struct id_parts){ text, length, strtoul(text + digits, &end, 10) };
    bool written = length < digits || end - text >= (ptrdiff_t)digits + 3; /* no Lock2 */
    return end != text + digits && written && (!*end || *end == '"') && length <= VIDMM_RULE_ID_MAX;
}

size_t vidmm_rule_count(void)
{
    return ARRAY_COUNT(table);
}

const struct vidmm_rule_info *vidmm_rule_info(enum vidmm_rule rule)
{
    size_t number = (size_t)rule;
    if (number == 0 || number > ARRAY_COUNT(table))
        return NULL;
    CHECK(table[number - 1].rule == rule);
    return &table[number - 1];
}

const char *vidmm_rule_id(enum vidmm_rule rule)
{
    const struct vidmm_rule_info *info = vidmm_rule_info(rule);
    return info ? info->id : "";
}

enum vidmm_rule vidmm_rule_by_id(const char *id)
{
    for (size_t i = 0; i < ARRAY_COUNT(table); i++) {
        if (strcmp(table[i].id, id) == 0)
            return table[i].rule;
    }
    return VIDMM_RULE_NONE;
}

bool vidmm_rule_is_pointer(enum vidmm_rule rule)
{
    return vidmm_rule_canonical(rule) != rule;
}

enum vidmm_rule vidmm_rule_canonical(enum vidmm_rule rule)
{
    const struct vidmm_rule_info *info = vidmm_rule_info(rule);
    if (!info || info->same_as[0] == VIDMM_RULE_NONE)
        return rule;
    return info->same_as[0];
}

/* Another number is another rule: only the area is guessed. */
enum vidmm_rule vidmm_rule_nearest(const char *text)
{
    enum vidmm_rule nearest = VIDMM_RULE_NONE;
    struct id_parts wanted, parts;
    if (!split_id(text, &wanted))
        return nearest;
    size_t least = 1 + (wanted.length < LONG_AREA ? WRONG_OF_SHORT : WRONG_OF_LONG);
    for (size_t i = 0; i < ARRAY_COUNT(table); i++) {
        bool split = split_id(table[i].id, &parts);
        CHECK(split);
        if (parts.number != wanted.number)
            continue;
        size_t distance = words_distance(wanted.area, wanted.length, parts.area, parts.length);
        if (distance < least) {
            least = distance;
            nearest = table[i].rule;
        }
    }
    return nearest;
}

const char *vidmm_rule_standing_name(enum vidmm_rule_standing standing)
{
    static const char *const names[] = {
        [VIDMM_RULE_STANDING_DOCUMENTED] = "documented",
        [VIDMM_RULE_STANDING_CHOICE] = "choice",
        [VIDMM_RULE_STANDING_MIXED] = "mixed",
    };
    return (size_t)standing < ARRAY_COUNT(names) ? names[standing] : "";
}

/* ---- the words of glossary.md and members.md ------------------------------------------------ */

static const struct vidmm_word_info words[] = {
#define VIDMM_GLOSSARY_TABLE
#include "vidmm/vidmm_rules_table.inc"
#undef VIDMM_GLOSSARY_TABLE
};

const struct vidmm_word_info *vidmm_word_row(size_t index)
{
    return index < ARRAY_COUNT(words) ? &words[index] : NULL;
}

/* Of a word of the field also in another case, and with a hyphen for a blank. */
static bool same(const char *name, size_t length, const char *text, bool fold)
{
    if (strlen(text) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char a = name[i], b = text[i];
        if (a != b && (!fold || words_lower(a == '-' ? ' ' : a) != words_lower(b == '-' ? ' ' : b)))
            return false;
    }
    return true;
}

bool vidmm_word_is(const struct vidmm_word_info *word, const char *text)
{
    for (const char *name = word->names; *name;) {
        size_t length = strcspn(name, ",");
        if (same(name, length, text, word->kind == VIDMM_WORD_FIELD))
            return true;
        name += length;
        name += strspn(name, ", ");
    }
    return false;
}
