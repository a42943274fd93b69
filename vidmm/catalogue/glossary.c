/* SPDX-License-Identifier: MIT */
/* glossary.c: the words of glossary.md and members.md; the build makes the table. */
#include "vidmm/vidmm_glossary.h"

#include <string.h>

#include "vidmm/base/base.h"

static const struct vidmm_word_info table[] = {
#define VIDMM_GLOSSARY_TABLE
#include "vidmm/vidmm_rules_table.inc"
};

const struct vidmm_word_info *vidmm_word_row(size_t index)
{
    return index < ARRAY_COUNT(table) ? &table[index] : NULL;
}

/* Upper and lower case are alike, and a hyphen is a blank. */
static char folded(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (char)(c == '-' ? ' ' : c);
}

static bool same(const char *name, size_t length, const char *text, bool fold)
{
    if (strlen(text) != length)
        return false;
    if (!fold)
        return memcmp(name, text, length) == 0;
    for (size_t i = 0; i < length; i++)
        if (folded(name[i]) != folded(text[i]))
            return false;
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
