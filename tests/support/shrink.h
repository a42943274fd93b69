/* SPDX-License-Identifier: MIT */
/*
 * shrink.h: makes a failing input as small as possible while it still fails.
 *
 * A list of anything, or the text of a scenario: whole statements go first (with their blocks),
 * then single words of those that stay. Nothing that is left can be left out alone.
 */
#ifndef TESTS_SHRINK_H
#define TESTS_SHRINK_H

#include <stdbool.h>
#include <stddef.h>

struct shrinker {
    /* How many items there are now. */
    size_t (*count)(void *self);
    /* Leaves out items [first, first + count) for good if the rest still fails. */
    bool (*leave_out)(void *self, size_t first, size_t count);
    void *self;
};

/* In pieces that get smaller; the last pass, item by item, is made until it changes nothing. */
void shrink_list(const struct shrinker *shrinker);

/* `text` ends in a zero; it is changed in place. `fails` may not keep what it is given. */
void shrink_text(char *text, bool (*fails)(void *self, const char *text), void *self);

/* Everything but names and numbers: two failures of the same kind. */
bool shrink_same_kind(const char *a, const char *b);

#endif
