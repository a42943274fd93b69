/* SPDX-License-Identifier: MIT */
/* screen.c: what the place can show where the output goes, and running text in its lines. */
#define _DEFAULT_SOURCE /* fileno, isatty, ioctl */
#include "tools/common/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vidmm/base/base.h"

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40, WIDTH_MOST = 400 };

static int find_width(int descriptor)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (columns && *columns) {
        long width = strtol(columns, NULL, 10);
        if (width >= WIDTH_LEAST && width <= WIDTH_MOST)
            return (int)width;
    }
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= WIDTH_LEAST)
        return size.ws_col < WIDTH_MOST ? size.ws_col : WIDTH_MOST;
    return WIDTH_DEFAULT;
}

void screen_init(struct screen *screen, FILE *out, enum screen_color color,
                 enum screen_letters letters, int width)
{
    int descriptor = fileno(out);
    bool terminal = isatty(descriptor) == 1;
    const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    bool can = terminal && !(term && strcmp(term, "dumb") == 0);
    screen->out = out;
    bool wanted = can && !(plain && *plain);
    screen->color = color == SCREEN_COLOR_ALWAYS || (color == SCREEN_COLOR_AUTO && wanted);
    screen->utf8 = can && letters == SCREEN_LETTERS_ALL && setlocale(LC_CTYPE, "") != NULL &&
                   strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    screen->width = width ? width : terminal ? find_width(descriptor) : WIDTH_DEFAULT;
}

const char *screen_on(const struct screen *screen, enum screen_style style)
{
    static const char *const codes[SCREEN_STYLES] = {
        [SCREEN_PLAIN] = "",        [SCREEN_TITLE] = "\033[1m",   [SCREEN_NOTE] = "\033[36m",
        [SCREEN_QUIET] = "\033[2m", [SCREEN_SOURCE] = "\033[34m", [SCREEN_GOOD] = "\033[32m",
        [SCREEN_WARN] = "\033[33m", [SCREEN_BAD] = "\033[31;1m",
    };
    CHECK(style < SCREEN_STYLES);
    return screen->color ? codes[style] : "";
}

const char *screen_off(const struct screen *screen)
{
    return screen->color ? "\033[0m" : "";
}

const char *screen_pick(const struct screen *screen, const char *utf8, const char *ascii)
{
    return screen->utf8 ? utf8 : ascii;
}

const char *screen_block(const struct screen *screen, unsigned number)
{
    static const char *const codes[SCREEN_BLOCKS] = {
        "\033[30;46m", "\033[30;43m", "\033[30;42m", "\033[30;45m", "\033[30;44m", "\033[30;47m",
    };
    return screen->color ? codes[number % SCREEN_BLOCKS] : "";
}

/* ---- running text in lines ------------------------------------------------------------------- */

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
    const char *end = memchr(text, ' ', bytes);
    return end ? (size_t)(end - text) : bytes;
}

/* What belongs to the number or the sign before it, or waits for what follows. */
static bool is_glued(const char *before, size_t before_bytes, const char *word, size_t bytes)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "us", "ns", "=" };
    char last = before_bytes ? before[before_bytes - 1] : ' ';
    if (last < '0' || last > '9')
        return last == '=' && before_bytes == 1;
    for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
        size_t length = strlen(units[i]);
        bool whole = bytes == length || (bytes == length + 1 && strchr(",.:;)", word[length]));
        if (whole && memcmp(word, units[i], length) == 0)
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

/* Words such as "a|b|c", of which no line can hold all: as many as fit into `columns`, at least
 * one. */
static size_t break_at_bar(const char *word, size_t bytes, int columns)
{
    size_t length = 0;
    for (size_t i = 0; i < bytes; i++)
        if (word[i] == '|' && (!length || columns_of(word, i + 1) <= columns))
            length = i + 1;
    return length && columns_of(word, bytes) > columns ? length : bytes;
}

/* Does it fit, and do its words stand as they have to? */
static bool is_line(const char *text, size_t bytes, int columns)
{
    if (columns < 0 || bytes > (size_t)columns || text[bytes - 1] == ' ')
        return false;
    for (size_t i = 1; i < bytes; i++)
        if (text[i] == ' ' && text[i - 1] == ' ')
            return false;
    return true;
}

static void wrap_line(struct text *to, const struct wrap *wrap, int column, const char *line,
                      size_t bytes)
{
    int space = 0; /* before the next piece, if it is on the same line */
    for (size_t at = 0; at < bytes;) {
        bool last = is_line(line + at, bytes - at, wrap->columns - column - space);
        size_t word = last ? bytes - at : next_piece(line + at, bytes - at);
        int wide = columns_of(line + at, word);
        if (wide > wrap->columns - wrap->indent) {
            word = break_at_bar(line + at, word, wrap->columns - column - space);
            wide = columns_of(line + at, word);
        }
        if (at && column + space + wide > wrap->columns) {
            text_add_bytes(to, "\n", 1);
            text_add_spaces(to, wrap->indent);
            column = wrap->indent;
        } else {
            text_add_spaces(to, space);
            column += space;
        }
        text_add_bytes(to, line + at, word);
        column += wide;
        at += word;
        space = at < bytes && line[at] == ' ';
        while (at < bytes && line[at] == ' ')
            at++;
    }
}

void wrap_add(struct text *to, const struct wrap *wrap, int column, const char *text)
{
    int indent = wrap->indent;
    for (const char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n");
        text_add_spaces(to, indent - column);
        if (*line == '|')
            text_add_bytes(to, line, bytes);
        else
            wrap_line(to, wrap, column < indent ? indent : column, line, bytes);
        line += bytes;
        if (*line == '\n') {
            text_add_bytes(to, "\n", 1);
            column = 0;
            line++;
        }
    }
}

void wrap_from(const struct wrap *wrap, int column, const char *text)
{
    struct text lines = { 0 };
    wrap_add(&lines, wrap, column, text);
    text_put(wrap->out, text_get(&lines), lines.length);
    text_free(&lines);
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

/* ---- messages ------------------------------------------------------------------------------- */

/* On a terminal the reasons of a failure end at its edge, as events do. Elsewhere each is one line,
   which a program can search. The columns of a table stay as they are. */
static void wrap_reasons(const struct screen *screen, const char *rendered, struct text *wrapped)
{
    enum { INDENT = 3 };
    const struct wrap wrap = { NULL, INDENT, screen->width };
    while (*rendered) {
        size_t length = strcspn(rendered, "\n");
        if (strspn(rendered, " ") == INDENT) {
            char *line = base_strndup(rendered + INDENT, length - INDENT);
            text_add_spaces(wrapped, INDENT);
            wrap_add(wrapped, &wrap, INDENT, line);
            base_free(line);
        } else {
            text_add_bytes(wrapped, rendered, length);
        }
        rendered += length;
        text_add_bytes(wrapped, rendered, *rendered == '\n');
        rendered += *rendered == '\n';
    }
}

static void put_message(const struct screen *screen, enum scenario_severity severity,
                        const char *rendered)
{
    struct text word = { 0 };
    text_add(&word, ": %s: ", scenario_severity_word(severity));
    const char *found = screen->color ? strstr(rendered, text_get(&word)) : NULL;
    if (!found)
        (void)fputs(rendered, screen->out);
    else
        (void)fprintf(screen->out, "%.*s%s%s%s%s", (int)(found - rendered), rendered,
                      screen_on(screen, severity == SCENARIO_WARNING ? SCREEN_WARN : SCREEN_BAD),
                      text_get(&word), screen_off(screen), found + word.length);
    text_free(&word);
}

void screen_message(const struct screen *screen, enum scenario_severity how, const char *rendered)
{
    struct text wrapped = { 0 };
    bool wraps = how == SCENARIO_FAILED && isatty(fileno(screen->out)) == 1;
    if (wraps)
        wrap_reasons(screen, rendered, &wrapped);
    put_message(screen, how, wraps ? text_get(&wrapped) : rendered);
    text_free(&wrapped);
}
