/* SPDX-License-Identifier: MIT */
/* explain_meaning.c: what a word of the field, a member or a key of `state` means. */
#include "tools/explain_meaning.h"

#include <stdio.h>
#include <string.h>

#include "tools/text.h"
#include "tools/wrap.h"
#include "vidmm/vidmm_glossary.h"

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
