/* SPDX-License-Identifier: MIT */
/*
 * table.h: private: lines of columns, and which column means what.
 */
#ifndef TOOLS_CONVERT_TABLE_H
#define TOOLS_CONVERT_TABLE_H

#include "tools/convert/convert.h"
#include "tools/convert/input.h"

enum { TABLE_COLUMNS = 64 };
enum role { ROLE_TIME, ROLE_ID, ROLE_SIZE, ROLE_LOWER, ROLE_UPPER, ROLES };

struct field {
    const char *text;
    size_t column, length; /* where it stands in its line, from 0 */
};

struct table {
    struct input *input;
    char delimiter;
    bool has_header;
    int columns[ROLES]; /* from 0; -1: there is none */
    struct field fields[TABLE_COLUMNS];
    int count; /* of fields of the line */
    struct input_row row;
    bool waiting; /* the line is there already: it was no header */
};

/* "ROLE=COLUMN,..."; false: `why` says what is wrong. Others are never given to table_begin(). */
bool table_judge_columns(const char *columns, struct text *why);
/*
 * Reads as much as it takes to know the columns: the first line. False: `problem` says why, or
 * there is no line at all.
 */
bool table_begin(struct table *table, struct input *input, const struct convert_options *options);
/* The next line with something in it; lines that begin with '#' are none. False: as above. */
bool table_next(struct table *table);
/* The field of the role in this line. False: it has none, which is a mistake. */
bool table_field(struct table *table, enum role role, struct field *field);
/* The whole number there. False: there is none, and `problem` says so. */
bool table_number(struct table *table, enum role role, uint64_t *value);
/* Keeps a mistake in this field; false. */
VIDMM_PRINTF(3, 4)
bool table_wrong(struct table *table, const struct field *field, const char *format, ...);
const char *table_role(enum role role);
const char *table_delimiter(const struct table *table);

#endif
