/* SPDX-License-Identifier: MIT */
/* explain_meaning.h: what the tables of vidmm_glossary.h say of a word, on stdout. */
#ifndef TOOLS_EXPLAIN_MEANING_H
#define TOOLS_EXPLAIN_MEANING_H

#include <stdbool.h>

/* Words of the field and members of structures; false when it is neither. */
bool explain_meaning_word(const char *word);
/* A key of `state` for one kind of subject: "ALLOCATION". */
void explain_meaning_key(const char *key, const char *subject);

#endif
