/* SPDX-License-Identifier: MIT */
/*
 * flag_rules.h: the sets of flags as structures of the interface, and the rules of one flag.
 *
 * No list says which rules belong to a flag: the catalogue does. A rule belongs to it when its
 * title, its source or its text speaks of the name, and when it is of an area that has to do with
 * the structure: `CpuVisible` of a segment is another matter than that of an allocation.
 */
#ifndef TOOLS_FLAG_RULES_H
#define TOOLS_FLAG_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "vidmm/vidmm_flags.h"
#include "vidmm/vidmm_rules.h"

struct flag_structure {
    const char *name;  /* of the documented structure, or of the enumeration */
    const char *areas; /* of the rules that speak of it, with spaces between */
    bool bits;         /* false: named values, of which a word holds one */
};

const struct flag_structure *flag_structure(enum vidmm_flag_set set);

/* How closely a rule has to do with a flag. */
enum flag_nearness {
    FLAG_TITLE,  /* it is about the flag */
    FLAG_SOURCE, /* it comes from the page of the structure */
    FLAG_TEXT,   /* it mentions the flag */
    FLAG_UNRELATED
};

/* Pointers have no text of their own: they are near by their title or not at all. */
enum flag_nearness flag_nearness(const struct vidmm_flag *flag, const struct vidmm_rule_info *rule);

/* `word` stands in `text` as a whole word. */
bool flag_mentions(const char *text, const char *word);

#endif
