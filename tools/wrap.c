/* SPDX-License-Identifier: MIT */
/* wrap.c: running text broken into lines of at most 80 columns. */
#include "tools/wrap.h"

#include <string.h>

#include "vidmm/base.h"

/* Columns are counted as characters: a byte that continues a UTF-8 sequence takes no room. */
static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* One line of the text; `column` is where the cursor stands. */
static void wrap_line(FILE *out, int column, int indent, const char *line, size_t bytes)
{
    bool first = true;
    for (size_t at = 0; at < bytes;) {
        size_t word = 0;
        while (at + word < bytes && line[at + word] != ' ')
            word++;
        int wide = columns_of(line + at, word);
        if (!first && column + 1 + wide > WRAP_COLUMNS) {
            (void)fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            (void)fputc(' ', out);
            column++;
        }
        (void)fwrite(line + at, 1, word, out);
        column += wide;
        first = false;
        at += word;
        while (at < bytes && line[at] == ' ')
            at++;
    }
}

void wrap_print(FILE *out, const char *label, int indent, const char *text)
{
    int column = columns_of(label, strlen(label));
    (void)fputs(label, out);
    for (const char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n");
        (void)fprintf(out, "%*s", column < indent ? indent - column : 0, "");
        if (*line == '|')
            (void)fwrite(line, 1, bytes, out);
        else
            wrap_line(out, column < indent ? indent : column, indent, line, bytes);
        line += bytes;
        if (*line == '\n') {
            (void)fputc('\n', out);
            column = 0;
            line++;
        }
    }
    (void)fputc('\n', out);
}
