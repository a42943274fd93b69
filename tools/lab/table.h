/* SPDX-License-Identifier: MIT */
/*
 * table.h: rows of words in columns: aligned for people, as CSV (RFC 4180), as Markdown.
 */
#ifndef TOOLS_LAB_TABLE_H
#define TOOLS_LAB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_MARKDOWN };

struct table {
    size_t columns; /* of each row; the first row is the head */
    char **cells;
    size_t count, capacity;
};

/* Cells from left to right, row after row; copied. */
void table_add(struct table *table, const char *cell);
/* As text the first column stands left and the others right. */
void table_print(const struct table *table, enum table_format format, FILE *out);
void table_put_markdown(FILE *out, const char *text); /* none of it is a mark */
void table_free(struct table *table);

#endif
