/* SPDX-License-Identifier: MIT */
/* wrap.h: running text broken into lines. */
#ifndef TOOLS_WRAP_H
#define TOOLS_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 80, WRAP_LABEL_COLUMN = 2, WRAP_FIELD_COLUMN = 14 };

struct wrap {
    FILE *out;
    int indent;  /* of every line but the first */
    int columns; /* no line is longer, unless a single word is */
};

/* Prints `text` with the cursor standing in `column`; without a line end of its own. */
void wrap_from(const struct wrap *wrap, int column, const char *text);

/*
 * Prints `label`, then `text` from column `indent` on, in 80 columns, and a line end. A line of the
 * text that begins with '|' belongs to a table and stays as it is, however long.
 */
void wrap_print(FILE *out, const char *label, int indent, const char *text);
/* The same on stdout, with `label` in column `from`. */
void wrap_row(int from, const char *label, int indent, const char *text);
/* A row of what `explain` says of a word: "  Rule        PLACE-012 ...". */
void wrap_field(const char *label, const char *text);

#endif
