/* SPDX-License-Identifier: MIT */
/*
 * table.c: lines of columns, and which column means what.
 *
 * A field may stand in "quotes", which it cannot hold. Without options the first line decides: its
 * delimiter is the first of tab, comma, semicolon and space that it has; it is a header when one
 * of its words is a usual name of a column.
 */
#include "tools/convert/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *usual;
} roles[ROLES] = {
    [ROLE_TIME] = { "time", "time|timestamp|ts|clock_time|clock|datetime|seconds" },
    [ROLE_ID] = { "id", "id|obj_id|object_id|objid|object|obj|key|cache_key|block|lba|address|addr|"
                        "url|name|buffer|buffer_id" },
    [ROLE_SIZE] = { "size",
                    "size|obj_size|object_size|objsize|bytes|length|len|length_bytes|nbytes" },
    [ROLE_LOWER] = { "lower", "lower|start|begin|birth|first" },
    [ROLE_UPPER] = { "upper", "upper|end|death|last" },
};

const char *table_role(enum role role)
{
    return roles[role].name;
}

const char *table_delimiter(const struct table *table)
{
    switch (table->delimiter) {
    case '\t': return "tab";
    case ' ': return "space";
    case ',': return "comma";
    case ';': return "semicolon";
    default: return "another character";
    }
}

bool table_wrong(struct table *table, const struct field *field, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return input_row_wrong(table->input, &table->row,
                           (struct input_place){ field->column, field->length }, "%s", text);
}

/* ---- one line ------------------------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* The field at `at`, up to its delimiter; quotes and spaces around it do not belong to it. */
static size_t cut_field(const struct table *table, size_t at, struct field *field)
{
    const struct input_row *row = &table->row;
    size_t end = at;
    bool quoted = at < row->length && row->text[at] == '"';
    if (quoted) {
        const char *close = memchr(row->text + at + 1, '"', row->length - at - 1);
        end = close ? (size_t)(close - row->text) + 1 : row->length;
    }
    while (end < row->length && row->text[end] != table->delimiter)
        end++;
    size_t last = end;
    while (last > at && is_space(row->text[last - 1]))
        last--;
    while (at < last && is_space(row->text[at]))
        at++;
    if (quoted && last - at >= 2 && row->text[last - 1] == '"') {
        at++;
        last--;
    }
    *field = (struct field){ row->text + at, at, last - at };
    return end;
}

static bool cut_fields(struct table *table)
{
    size_t at = 0;
    table->count = 0;
    for (;;) {
        struct field field;
        /* Several spaces are one. */
        while (table->delimiter == ' ' && at < table->row.length && table->row.text[at] == ' ')
            at++;
        if (table->delimiter == ' ' && table->count && at >= table->row.length)
            return true;
        at = cut_field(table, at, &field);
        if (table->count == TABLE_COLUMNS)
            return table_wrong(table, &field, "more than %d columns", TABLE_COLUMNS);
        table->fields[table->count++] = field;
        if (at >= table->row.length)
            return true;
        at++;
    }
}

static bool is_blank(const struct input_row *row)
{
    size_t at = 0;
    while (at < row->length && is_space(row->text[at]))
        at++;
    return at == row->length || row->text[at] == '#';
}

bool table_next(struct table *table)
{
    if (table->waiting) {
        table->waiting = false;
        return true;
    }
    do {
        if (!input_line(table->input, &table->row))
            return false;
    } while (is_blank(&table->row));
    return cut_fields(table);
}

bool table_field(struct table *table, enum role role, struct field *field)
{
    int column = table->columns[role];
    if (column >= table->count) {
        *field = (struct field){ "", table->row.length, 1 };
        return table_wrong(table, field, "this line has %d column%s, and column %d is the %s",
                           table->count, table->count == 1 ? "" : "s", column + 1,
                           roles[role].name);
    }
    *field = table->fields[column];
    if (!field->length)
        return table_wrong(table, field, "the %s is missing here", roles[role].name);
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits; of a time, a fraction too, which no scenario needs. */
static bool read_number(const struct field *field, enum role role, uint64_t *value)
{
    size_t at = 0;
    *value = 0;
    for (; at < field->length && is_digit(field->text[at]); at++) {
        uint64_t digit = (uint64_t)(field->text[at] - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    if (at && role == ROLE_TIME && at < field->length && field->text[at] == '.')
        for (at++; at < field->length && is_digit(field->text[at]);)
            at++;
    return at && at == field->length;
}

bool table_number(struct table *table, enum role role, uint64_t *value)
{
    struct field field;
    if (!table_field(table, role, &field))
        return false;
    if (read_number(&field, role, value))
        return true;
    return table_wrong(table, &field,
                       "this is no %s: a whole number from 0 to 18446744073709551615 was expected",
                       roles[role].name);
}

/* ---- the first line ------------------------------------------------------------------------ */

static bool is_named(const struct field *field, const char *name)
{
    return strlen(name) == field->length && strncasecmp(name, field->text, field->length) == 0;
}

/* Its words use '-' or '_' alike. */
static bool is_usual(const struct field *field, const char *usual)
{
    char name[40];
    if (!field->length || field->length >= sizeof name)
        return false;
    for (size_t i = 0; i < field->length; i++) {
        char c = field->text[i];
        name[i] = (char)(c == '-' || c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    name[field->length] = '\0';
    return text_listed(usual, name);
}

static char find_delimiter(const struct input_row *row)
{
    static const char usual[] = "\t,; ";
    for (const char *c = usual; *c; c++)
        if (memchr(row->text, *c, row->length))
            return *c;
    return ',';
}

static bool looks_like_header(const struct table *table)
{
    for (int i = 0; i < table->count; i++)
        for (int role = 0; role < ROLES; role++)
            if (is_usual(&table->fields[i], roles[role].usual))
                return true;
    return false;
}

static void map_usual(struct table *table)
{
    for (int role = 0; role < ROLES; role++)
        for (int i = table->count; i-- > 0;)
            if (is_usual(&table->fields[i], roles[role].usual))
                table->columns[role] = i;
}

/* ROLES: it is none. */
static enum role find_role(const char *word, size_t length)
{
    enum role role = ROLE_TIME;
    while (role < ROLES &&
           (strlen(roles[role].name) != length || strncmp(roles[role].name, word, length) != 0))
        role++;
    return role;
}

static bool read_column(const struct field *value, uint64_t *column)
{
    return read_number(value, ROLE_ID, column) && *column >= 1 && *column <= TABLE_COLUMNS;
}

/* "ROLE=COLUMN", with a role that there is: a number from 1, or a word of the header. */
static bool map_one(struct table *table, const char *word, size_t length)
{
    size_t name = strcspn(word, "=");
    enum role role = find_role(word, name);
    struct field value = { word + name + 1, 0, length - name - 1 };
    uint64_t number = 0;
    CHECK(role < ROLES);
    if (read_column(&value, &number)) {
        table->columns[role] = (int)number - 1;
        return true;
    }
    for (int i = 0; table->has_header && i < table->count; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "%.*s", (int)value.length, value.text);
        if (is_named(&table->fields[i], text)) {
            table->columns[role] = i;
            return true;
        }
    }
    struct field all = { table->row.text, 0, table->row.length };
    if (read_number(&value, ROLE_ID, &number) && !number)
        return table_wrong(table, &all, "--columns: columns count from 1, and not from 0");
    return table_wrong(table, &all, "--columns: there is no column '%.*s'%s", (int)value.length,
                       value.text,
                       table->has_header ? " in this header"
                                         : ": this line is no header (--header=yes makes it one)");
}

static bool map_columns(struct table *table, const char *columns)
{
    while (columns && *columns) {
        size_t length = strcspn(columns, ",");
        if (!map_one(table, columns, length))
            return false;
        columns += length + (columns[length] == ',');
    }
    return true;
}

/* A usual name of a column shows what was meant. */
static const char *nearest_role(const char *word)
{
    struct text_likeness likeness = text_likeness(word);
    struct field field = { word, 0, strlen(word) };
    for (int i = 0; i < ROLES; i++)
        if (is_usual(&field, roles[i].usual))
            return roles[i].name;
    for (int i = 0; i < ROLES; i++)
        text_liken(&likeness, roles[i].name);
    return likeness.best;
}

static bool complain_role(const char *word, size_t length, struct text *why)
{
    struct text name = { 0 };
    text_add_bytes(&name, word, length);
    const char *nearest = length ? nearest_role(text_get(&name)) : NULL;
    text_add(why, length ? "'%s' is no role of a column" : "a role is missing", text_get(&name));
    if (nearest)
        text_add(why, "; did you mean '%s'?", nearest);
    text_add(why, "%sthe roles are", nearest ? " " : "; ");
    for (int i = 0; i < ROLES; i++)
        text_add(why, "%s %s", i ? "," : "", roles[i].name);
    text_free(&name);
    return false;
}

bool table_judge_columns(const char *columns, struct text *why)
{
    bool taken[ROLES] = { false };
    const char *at = columns;
    do {
        size_t length = strcspn(at, ",");
        size_t name = min_u64(strcspn(at, "="), length);
        enum role role = find_role(at, name);
        if (role == ROLES)
            return complain_role(at, name, why);
        if (name + 1 >= length)
            text_add(why, "write %s=N with the number of the column, from 1, or %s=NAME",
                     roles[role].name, roles[role].name);
        else if (taken[role])
            text_add(why, "'%s' stands there twice", roles[role].name);
        if (why->length)
            return false;
        taken[role] = true;
        at += length;
    } while (*at++ == ',');
    return true;
}

/* Without a header and without --columns: what three or more columns usually are. */
static bool map_order(struct table *table)
{
    if (table->count == 2) {
        struct field all = { table->row.text, 0, table->row.length };
        return table_wrong(table, &all,
                           "two columns without a header can be time and object or "
                           "object and size: write --columns=id=N,size=N");
    }
    table->columns[ROLE_ID] = table->count == 1 ? 0 : 1;
    if (table->count > 2) {
        table->columns[ROLE_TIME] = 0;
        table->columns[ROLE_SIZE] = 2;
    }
    return true;
}

bool table_begin(struct table *table, struct input *input, const struct convert_options *options)
{
    *table = (struct table){ .input = input, .delimiter = options->delimiter };
    for (int i = 0; i < ROLES; i++)
        table->columns[i] = -1;
    if (input_have(input, 3) == 3 && memcmp(input->window + input->at, "\xEF\xBB\xBF", 3) == 0)
        input_take(input, 3);
    do {
        if (!input_line(input, &table->row))
            return false;
    } while (is_blank(&table->row));
    if (!table->delimiter)
        table->delimiter = find_delimiter(&table->row);
    if (!cut_fields(table))
        return false;
    table->has_header = options->header == HEADER_YES ||
                        (options->header == HEADER_AUTO && looks_like_header(table));
    table->waiting = !table->has_header;
    if (table->has_header)
        map_usual(table);
    if (options->columns)
        return map_columns(table, options->columns);
    return table->has_header || map_order(table);
}
