/* SPDX-License-Identifier: MIT */
/* wrap.h: running text broken into lines of at most 80 columns. */
#ifndef TOOLS_WRAP_H
#define TOOLS_WRAP_H

#include <stdio.h>

enum { WRAP_COLUMNS = 80 };

/*
 * Prints `label`, then `text` from column `indent` on, and a line end. A line of the text that
 * begins with '|' belongs to a table and stays as it is, however long.
 */
void wrap_print(FILE *out, const char *label, int indent, const char *text);

#endif
