/* SPDX-License-Identifier: MIT */
/* wrap.c: running text broken into lines. */
#include "tools/wrap.h"

#include <string.h>

#include "vidmm/base/base.h"

/* Columns are counted as characters: a byte that continues a UTF-8 sequence takes no room. */
static int columns_of(const char *text, size_t bytes)
{
    int columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* The length of the word at the beginning of `text`. */
static size_t next_word(const char *text, size_t bytes)
{
    size_t word = 0;
    while (word < bytes && text[word] != ' ')
        word++;
    return word;
}

/* What belongs to the number or the sign before it, or waits for what follows. */
static bool is_glued(const char *before, size_t before_bytes, const char *word, size_t bytes)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "us", "ns", "=" };
    char last = before_bytes ? before[before_bytes - 1] : ' ';
    if (last == '=' && before_bytes == 1)
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        size_t length = strlen(units[i]);
        bool whole = bytes == length || (bytes == length + 1 && strchr(",.:;)", word[length]));
        if (whole && memcmp(word, units[i], length) == 0 && last >= '0' && last <= '9')
            return true;
    }
    return false;
}

/* The same, with the words after it that stay in its line: "8 MiB = 0x800000". */
static size_t next_piece(const char *text, size_t bytes)
{
    size_t begin = 0, piece = next_word(text, bytes);
    while (piece < bytes && piece + 1 < bytes && text[piece + 1] != ' ') {
        size_t word = next_word(text + piece + 1, bytes - piece - 1);
        if (!is_glued(text + begin, piece - begin, text + piece + 1, word))
            break;
        begin = piece + 1;
        piece = begin + word;
    }
    return piece;
}

/* One line of the text. */
static void wrap_line(const struct wrap *wrap, int column, const char *line, size_t bytes)
{
    bool first = true;
    for (size_t at = 0; at < bytes;) {
        size_t word = next_piece(line + at, bytes - at);
        int wide = columns_of(line + at, word);
        if (!first && column + 1 + wide > wrap->columns) {
            (void)fprintf(wrap->out, "\n%*s", wrap->indent, "");
            column = wrap->indent;
        } else if (!first) {
            (void)fputc(' ', wrap->out);
            column++;
        }
        (void)fwrite(line + at, 1, word, wrap->out);
        column += wide;
        first = false;
        at += word;
        while (at < bytes && line[at] == ' ')
            at++;
    }
}

void wrap_from(const struct wrap *wrap, int column, const char *text)
{
    int indent = wrap->indent;
    for (const char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n");
        (void)fprintf(wrap->out, "%*s", column < indent ? indent - column : 0, "");
        if (*line == '|')
            (void)fwrite(line, 1, bytes, wrap->out);
        else
            wrap_line(wrap, column < indent ? indent : column, line, bytes);
        line += bytes;
        if (*line == '\n') {
            (void)fputc('\n', wrap->out);
            column = 0;
            line++;
        }
    }
}

void wrap_print(FILE *out, const char *label, int indent, const char *text)
{
    const struct wrap wrap = { out, indent, WRAP_COLUMNS };
    (void)fputs(label, out);
    wrap_from(&wrap, columns_of(label, strlen(label)), text);
    (void)fputc('\n', out);
}

void wrap_row(int from, const char *label, int indent, const char *text)
{
    char head[WRAP_COLUMNS];
    (void)snprintf(head, sizeof head, "%*s%s", from, "", label);
    wrap_print(stdout, head, indent, text);
}

void wrap_field(const char *label, const char *text)
{
    wrap_row(WRAP_LABEL_COLUMN, label, WRAP_FIELD_COLUMN, text);
}
