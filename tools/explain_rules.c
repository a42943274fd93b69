/* SPDX-License-Identifier: MIT */
/* explain_rules.c: what the glossary says of a word, and which rules are about it. */
#include "tools/explain_words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "vidmm/vidmm_glossary.h"

/* A shorter word would begin too many others. */
enum { PREFIX_LEAST = 4, RULES_MOST = 12, ID_COLUMN = 4, TITLE_COLUMN = 16 };

/* How a rule has to do with a word; the nearest are printed first. */
enum nearness { NEAR_NAMED, NEAR_TITLE, NEAR_TEXT, NEAR_NOT };

/* "fence" is in "fences" and in "Fence numbers", "MDL" in "MDLs" and not in "MDLX". */
static bool explain_rules_holds(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        if (strncasecmp(at, word, length) != 0 || (at > text && text_is_letter(at[-1])))
            continue;
        const char *rest = at + length;
        if (length >= PREFIX_LEAST || !text_is_letter(*rest) ||
            (*rest == 's' && !text_is_letter(rest[1])))
            return true;
    }
    return false;
}

static bool explain_rules_is_named(enum vidmm_rule rule, const char *word)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++)
        for (size_t j = 0; vidmm_word_is(row, word) && row->rules[j] != VIDMM_RULE_NONE; j++)
            if (row->rules[j] == rule)
                return true;
    return false;
}

static enum nearness near_to(const struct vidmm_rule_info *info, const char *word)
{
    if (explain_rules_is_named(info->rule, word))
        return NEAR_NAMED;
    if (vidmm_rule_is_pointer(info->rule))
        return NEAR_NOT;
    if (explain_rules_holds(info->title, word))
        return NEAR_TITLE;
    return explain_rules_holds(info->text, word) || explain_rules_holds(info->violation, word)
               ? NEAR_TEXT
               : NEAR_NOT;
}

bool explain_rules_about(const struct vidmm_rule_info *info, const char *word)
{
    return near_to(info, word) != NEAR_NOT;
}

bool explain_rules_print(const char *word)
{
    size_t printed = 0, left_out = 0;
    for (int near = NEAR_NAMED; near < NEAR_NOT; near++) {
        for (size_t i = 1; i <= vidmm_rule_count(); i++) {
            const struct vidmm_rule_info *info = vidmm_rule_info((enum vidmm_rule)i);
            if ((int)near_to(info, word) != near)
                continue;
            /* What the glossary names is never left out. */
            if (near != NEAR_NAMED && printed >= RULES_MOST) {
                left_out++;
                continue;
            }
            if (!printed++)
                (void)printf("  Rules that speak of it:\n");
            wrap_row(ID_COLUMN, info->id, TITLE_COLUMN, info->title);
        }
    }
    if (left_out)
        (void)printf("    and %zu more: vidmm rules --about='%s'\n", left_out, word);
    return printed != 0;
}

/* ---- the glossary ---------------------------------------------------------------------------- */

/* "fence: ...", or "Size of DXGK_ALLOCATIONINFO: ...". */
static void explain_meaning_print(const struct vidmm_word_info *row, const char *word)
{
    const struct wrap wrap = { .out = stdout,
                               .indent = WRAP_LABEL_COLUMN,
                               .columns = WRAP_COLUMNS };
    struct text text = { 0 };
    if (row->kind == VIDMM_WORD_MEMBER)
        text_add(&text, "%s of %s: ", word, row->of);
    else
        text_add(&text, "%.*s: ", (int)strcspn(row->names, ","), row->names);
    (void)fputs(text_get(&text), stdout);
    wrap_from(&wrap, (int)text.length, row->meaning);
    (void)putchar('\n');
    text_free(&text);
}

bool explain_meaning_word(const char *word)
{
    const struct vidmm_word_info *row;
    bool found = false;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        if (row->kind == VIDMM_WORD_KEY || !vidmm_word_is(row, word))
            continue;
        explain_meaning_print(row, word);
        found = true;
    }
    return found;
}

void explain_meaning_key(const char *key, const char *subject)
{
    const struct vidmm_word_info *row;
    for (size_t i = 0; (row = vidmm_word_row(i)) != NULL; i++) {
        if (row->kind != VIDMM_WORD_KEY || strcmp(row->of, subject) != 0 ||
            !vidmm_word_is(row, key))
            continue;
        wrap_field(subject, row->meaning);
    }
}
