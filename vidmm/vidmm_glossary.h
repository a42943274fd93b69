/* SPDX-License-Identifier: MIT */
/*
 * vidmm_glossary.h: what words mean, and the rules about them, as data.
 *
 * The build makes the table of glossary.md (words of the field) and members.md (members of the
 * documented structures, keys of `state`) in vidmm/rules/. Everything here is constant and may be
 * used from any thread.
 */
#ifndef VIDMM_GLOSSARY_H
#define VIDMM_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

#include "vidmm/vidmm_rules.h"

enum { VIDMM_WORD_RULES_MAX = 16 };

enum vidmm_word_kind {
    VIDMM_WORD_FIELD,  /* "fence" */
    VIDMM_WORD_MEMBER, /* "Alignment" of "DXGK_ALLOCATIONINFO" */
    VIDMM_WORD_KEY     /* "dirty" of `state` with an "ALLOCATION" */
};

struct vidmm_word_info {
    enum vidmm_word_kind kind;
    const char *of;      /* structure or kind of subject; "" for a word of the field */
    const char *names;   /* "fence, fences": the first is the usual one */
    const char *meaning; /* one sentence or more */
    enum vidmm_rule rules[VIDMM_WORD_RULES_MAX + 1]; /* VIDMM_RULE_NONE ends the list */
};

/* Row after row; NULL after the last. */
const struct vidmm_word_info *vidmm_word_row(size_t index);

/*
 * True when `text` is one of the names. For words of the field upper and lower case are alike, and
 * so are '-' and ' '.
 */
bool vidmm_word_is(const struct vidmm_word_info *word, const char *text);

#endif
