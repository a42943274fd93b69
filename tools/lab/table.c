/* SPDX-License-Identifier: MIT */
/* table.c: how wide is a column, and what has to be quoted in a cell? */
#include "tools/lab/table.h"

#include <string.h>

#include "vidmm/base/base.h"

void table_add(struct table *table, const char *cell)
{
    BASE_GROW(table->cells, table->capacity, table->count + 1);
    table->cells[table->count++] = base_strndup(cell, strlen(cell));
}

/* Characters, not bytes. */
static size_t width_of(const char *cell)
{
    size_t width = 0;
    for (; *cell; cell++)
        width += (*cell & 0xC0) != 0x80;
    return width;
}

static size_t column_width(const struct table *table, size_t column)
{
    size_t width = 0;
    for (size_t i = column; i < table->count; i += table->columns) {
        size_t wide = width_of(table->cells[i]);
        width = wide > width ? wide : width;
    }
    return width;
}

static void put_csv(FILE *out, const char *cell)
{
    if (!cell[strcspn(cell, ",\"\r\n")]) {
        (void)fputs(cell, out);
        return;
    }
    (void)fputc('"', out);
    for (; *cell; cell++) {
        if (*cell == '"')
            (void)fputc('"', out);
        (void)fputc((unsigned char)*cell, out);
    }
    (void)fputc('"', out);
}

void table_put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>", *text))
            (void)fputc('\\', out);
        (void)fputc((unsigned char)*text, out);
    }
}

static void put_markdown(FILE *out, const char *cell, size_t pad, bool left)
{
    (void)fprintf(out, "| %*s", left ? 0 : (int)pad, "");
    table_put_markdown(out, cell);
    (void)fprintf(out, "%*s ", left ? (int)pad : 0, "");
}

static void put_text(FILE *out, const char *cell, size_t pad, size_t column)
{
    if (column == 0)
        (void)fprintf(out, "%s%*s", cell, (int)pad, "");
    else
        (void)fprintf(out, "  %*s%s", (int)pad, "", cell);
}

static void print_row(const struct table *table, size_t row, enum table_format format, FILE *out)
{
    for (size_t column = 0; column < table->columns; column++) {
        const char *cell = table->cells[row * table->columns + column];
        size_t pad = format == TABLE_CSV ? 0 : column_width(table, column) - width_of(cell);
        switch (format) {
        case TABLE_TEXT: put_text(out, cell, pad, column); break;
        case TABLE_MARKDOWN: put_markdown(out, cell, pad, column == 0); break;
        case TABLE_CSV:
            if (column)
                (void)fputc(',', out);
            put_csv(out, cell);
            break;
        }
    }
    (void)fputs(format == TABLE_MARKDOWN ? "|\n" : "\n", out);
}

static void print_rule(const struct table *table, FILE *out)
{
    for (size_t column = 0; column < table->columns; column++) {
        size_t width = column_width(table, column);
        (void)fputs(column ? "| " : "|:", out);
        for (size_t i = 0; i < width; i++)
            (void)fputc('-', out);
        (void)fputs(column ? ":" : " ", out);
    }
    (void)fputs("|\n", out);
}

void table_print(const struct table *table, enum table_format format, FILE *out)
{
    for (size_t row = 0; row < table->count / table->columns; row++) {
        print_row(table, row, format, out);
        if (row == 0 && format == TABLE_MARKDOWN)
            print_rule(table, out);
    }
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        base_free(table->cells[i]);
    base_free(table->cells);
    *table = (struct table){ 0 };
}
