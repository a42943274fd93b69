/* SPDX-License-Identifier: MIT */
/*
 * syntax.h: the door of scenarios/lang/syntax: from a text to the tree of its statements.
 */
#ifndef SCENARIOS_LANG_SYNTAX_SYNTAX_H
#define SCENARIOS_LANG_SYNTAX_SYNTAX_H

#include "scenarios/lang/syntax/tree.h"
#include "scenarios/lang/text/twin.h"

/* Reads the text into the statements of the scenario; every mistake is a message. */
void lines_read_text(struct scenario *scenario, const char *name, const char *text, size_t bytes);
/* NULL when the statement does not have it; its items are NULL for a bare word, too. */
const struct attribute *attribute_find(const struct statement *statement, enum attribute_id id);
/* The same of a creation, whose own attributes hide those of its class, which may be NULL. */
const struct attribute *attribute_inherited(const struct statement *own,
                                            const struct statement *class, enum attribute_id id);
const struct item *attribute_items(const struct statement *statement, enum attribute_id id);

/* items.c: is the test to run? NULL: is the file, which has none? */
bool items_chosen(struct scenario *scenario, const struct statement *test,
                  const struct scenario_options *options);

/* A form of bulk line: its text with the numbers taken out, and the tree of its first line. */
struct bulk_form {
    const char *text;
    uint32_t length, hash;
    struct statement *statement;
    uint32_t holes;
};

struct bulk_line {
    uint32_t form, offset;
};

/* Neighbouring bulk lines of one block; their numbers lie one after the other. */
struct bulk_run {
    size_t first_line, line_count, first_number;
};

struct bulk {
    struct bulk_form *forms;
    size_t form_count;
    uint32_t *slots;
    uint32_t likely[1 << FORM_KEY_BITS]; /* the last form with that key, and one more */
    struct bulk_line *lines;
    size_t line_count, line_capacity;
    uint32_t *numbers;
    size_t number_count, number_capacity;
};

/* lines.c: the line as a statement of its own, with places in it: for messages. */
struct statement *lines_expand(struct scenario *scenario, const struct bulk_line *line,
                               uint16_t source);
void bulk_free(struct bulk *bulk);

#endif
