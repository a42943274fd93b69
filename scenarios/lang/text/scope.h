/* SPDX-License-Identifier: MIT */
/*
 * scope.h: a door of scenarios/lang/text: words that are declared in blocks.
 */
#ifndef SCENARIOS_LANG_TEXT_SCOPE_H
#define SCENARIOS_LANG_TEXT_SCOPE_H

#include "scenarios/lang/text/text.h"

/* Words in the order in which they were declared, each known by its latest declaration, until a
   block ends and takes back what it declared. */
struct scope {
    struct names latest; /* of a word: 1 + the index of its declaration, or 0 */
    struct scope_entry {
        word name;
        uint64_t before; /* of the same word, like in `latest` */
    } * entries;
    size_t count, capacity;
};

/* A new declaration; its index is how many there were. */
void scope_add(struct scope *scope, word name);
/* False: it is not declared. */
bool scope_find(const struct scope *scope, word name, size_t *index);
/* Takes declarations back, the latest first, until there are no more than `count`. */
void scope_cut(struct scope *scope, size_t count);
void scope_fini(struct scope *scope);

#endif
