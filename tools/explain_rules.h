/* SPDX-License-Identifier: MIT */
/*
 * explain_rules.h: which rules are about a word.
 *
 * First those that glossary.md or members.md names for it, then those with the word in their title,
 * then those with the word in their text. A word of four letters and more may begin a longer one.
 */
#ifndef TOOLS_EXPLAIN_RULES_H
#define TOOLS_EXPLAIN_RULES_H

#include <stdbool.h>

#include "vidmm/vidmm_rules.h"

/* Lists them on stdout, and says how many are left out; false when there is none. */
bool explain_rules_print(const char *word);
bool explain_rules_about(const struct vidmm_rule_info *info, const char *word);

#endif
