/* SPDX-License-Identifier: MIT */
/*
 * format.c: the canonical layout.
 *
 * Works on tokens and not on the tree, so nothing that was written is lost: comments stay, numbers
 * keep their base and unit, blank lines stay (several become one). Two spaces for each block; one
 * space between words, none inside lists, ranges and attributes. Neighbouring lines that say the
 * same kind of thing (segments, classes, lines of a list) are laid out in columns, as far as their
 * columns agree in meaning.
 */
#include "scenarios/lang/syntax/syntax.h"

#include <string.h>

enum { COLUMNS_MAX = 64, GROUP_MAX = 256, INDENT = 2 };

/* One line that waits for its neighbours. */
struct row {
    char *text; /* cells, each followed by a NUL */
    size_t cells[COLUMNS_MAX];
    size_t cell_count, length, capacity;
    char *comment;
    size_t comment_length;
    size_t indent;
    bool columns;
    int kind;
};

struct formatter {
    struct scenario *scenario;
    struct lexer lexer;
    void (*write)(void *context, const char *text, size_t bytes);
    void *context;
    int blocks[LANG_NESTING_MAX + 2]; /* statement kinds */
    size_t depth;
    struct row rows[GROUP_MAX];
    size_t row_count;
    bool blank; /* a blank line is due */
};

/* ---- spacing -------------------------------------------------------------------------------- */

static const struct token *at(const struct formatter *formatter, size_t index)
{
    return &formatter->lexer.tokens[index];
}

static const char *format_text_of(const struct formatter *formatter, const struct token *token)
{
    return formatter->scenario->sources[0]->text + token->offset;
}

static bool format_is_mark(const struct token *token, int mark)
{
    return token->kind == TOKEN_MARK && token->mark == mark;
}

static bool is_one_of(const struct token *token, const char *marks)
{
    return token->kind == TOKEN_MARK && token->mark < MARK_RANGE && strchr(marks, token->mark);
}

static bool format_is_word(const struct formatter *formatter, size_t index, const char *wanted)
{
    const struct token *token = at(formatter, index);
    return token->kind == TOKEN_WORD && token->length == strlen(wanted) &&
           memcmp(format_text_of(formatter, token), wanted, token->length) == 0;
}

static bool equals_before(const struct formatter *formatter, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (format_is_mark(at(formatter, i), '='))
            return true;
    return false;
}

/* In `create x : class` the colon stands free, in `vram:top` it does not. */
static bool is_class_colon(const struct formatter *formatter, size_t index, int kind)
{
    return kind == STATEMENT_CREATE && format_is_mark(at(formatter, index), ':') &&
           !equals_before(formatter, index);
}

/* `let n = 1`, `param n = 1` and `ask "why?" = n`: further signs in the line name arguments, as in
 * `key=value`. */
static bool is_free_equals(const struct formatter *formatter, size_t index, int kind)
{
    return (kind == STATEMENT_LET || kind == STATEMENT_PARAM || kind == STATEMENT_ASK) &&
           format_is_mark(at(formatter, index), '=') && !equals_before(formatter, index);
}

static bool touches(const struct formatter *formatter, size_t index, int kind)
{
    const struct token *left = at(formatter, index - 1);
    const struct token *right = at(formatter, index);
    /* They take any text as it is written, an arrow too. */
    bool raw = kind == STATEMENT_MINIPORT || kind == STATEMENT_INJECT || kind == STATEMENT_TEST;
    if (raw)
        return !right->spaced;
    if (is_class_colon(formatter, index, kind) || is_class_colon(formatter, index - 1, kind))
        return false;
    if (is_free_equals(formatter, index - 1, kind) || is_free_equals(formatter, index, kind))
        return false;
    if (format_is_mark(left, '=') || format_is_mark(right, '='))
        return true;
    if (format_is_mark(right, '(') || format_is_mark(right, '['))
        return left->kind == TOKEN_WORD || is_one_of(left, "([,") ||
               format_is_mark(left, MARK_RANGE);
    if (is_one_of(left, "([,:") || is_one_of(right, ")],:"))
        return true;
    return format_is_mark(left, MARK_RANGE) || format_is_mark(right, MARK_RANGE);
}

/* The '/' between the code and the parameter of a bug check is no division. */
static bool is_stop_slash(const struct formatter *formatter, size_t index)
{
    return index >= 2 && format_is_mark(at(formatter, index), '/') &&
           format_is_word(formatter, index - 2, "bugcheck");
}

enum gap { GAP_NONE, GAP_SPACE, GAP_CELL };

static enum gap gap_before(const struct formatter *formatter, size_t index, int kind)
{
    const struct token *left = at(formatter, index - 1);
    const struct token *right = at(formatter, index);
    if (is_stop_slash(formatter, index) || is_stop_slash(formatter, index - 1))
        return GAP_NONE;
    if (touches(formatter, index, kind))
        return GAP_NONE;
    bool inside =
        is_one_of(left, "+-*/%") || is_one_of(right, "+-*/%") || left->kind == TOKEN_PERCENT;
    bool of = index >= 2 && at(formatter, index - 2)->kind == TOKEN_PERCENT;
    return inside || of ? GAP_SPACE : GAP_CELL;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void add_text(struct row *row, const char *text, size_t length)
{
    BASE_GROW(row->text, row->capacity, row->length + length + 1);
    memcpy(row->text + row->length, text, length);
    row->length += length;
    row->text[row->length] = '\0';
}

static void build_row(struct formatter *formatter, struct row *row)
{
    row->length = row->cell_count = 0;
    row->cells[row->cell_count++] = 0;
    for (size_t i = 0; i + 1 < formatter->lexer.count; i++) {
        const struct token *token = at(formatter, i);
        enum gap gap = i ? gap_before(formatter, i, row->kind) : GAP_NONE;
        bool cell = gap == GAP_CELL && row->columns && row->cell_count < COLUMNS_MAX;
        if (cell) {
            add_text(row, "", 1);
            row->cells[row->cell_count++] = row->length;
        } else if (gap != GAP_NONE) {
            add_text(row, " ", 1);
        }
        add_text(row, format_text_of(formatter, token), token->length);
    }
}

static const char *cell(const struct row *row, size_t column)
{
    return row->text + row->cells[column];
}

/* All rows that go on after `column` go on with the same thing. */
static bool column_agrees(const struct formatter *formatter, size_t column)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < formatter->row_count; i++) {
        const struct row *row = &formatter->rows[i];
        if (row->cell_count <= column + 1)
            continue;
        /* The meaning of a cell is the key of its attribute; what has none goes by position. */
        const char *next = cell(row, column + 1);
        const char *equals = strchr(next, '=');
        size_t key = equals ? (size_t)(equals - next) + 1 : 0;
        if (!first) {
            first = next;
            length = key;
        } else if (key != length || strncmp(first, next, length) != 0) {
            return false;
        }
    }
    return first != NULL;
}

/* Width of a cell as people see it. */
static size_t width(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

static void find_widths(const struct formatter *formatter, size_t *widths)
{
    memset(widths, 0, COLUMNS_MAX * sizeof *widths);
    for (size_t column = 0; column + 1 < COLUMNS_MAX; column++) {
        if (!column_agrees(formatter, column))
            return;
        for (size_t i = 0; i < formatter->row_count; i++) {
            const struct row *row = &formatter->rows[i];
            if (row->cell_count > column + 1)
                widths[column] = (size_t)max_u64(widths[column], width(cell(row, column)));
        }
    }
}

static void put(struct formatter *formatter, const char *text, size_t length)
{
    formatter->write(formatter->context, text, length);
}

static void put_spaces(struct formatter *formatter, size_t count)
{
    static const char spaces[] = "                ";
    while (count) {
        size_t part = (size_t)min_u64(count, sizeof spaces - 1);
        put(formatter, spaces, part);
        count -= part;
    }
}

static void put_row(struct formatter *formatter, struct row *row, const size_t *widths)
{
    put_spaces(formatter, row->indent);
    for (size_t i = 0; i < row->cell_count && row->length; i++) {
        put(formatter, cell(row, i), strlen(cell(row, i)));
        if (i + 1 < row->cell_count) {
            size_t own = width(cell(row, i));
            put_spaces(formatter, widths[i] > own ? widths[i] - own + 1 : 1);
        }
    }
    if (row->comment_length && row->length)
        put_spaces(formatter, 2);
    put(formatter, row->comment, row->comment_length);
    put(formatter, "\n", 1);
    base_free(row->comment);
    base_free(row->text);
    *row = (struct row){ 0 };
}

static void flush(struct formatter *formatter)
{
    size_t widths[COLUMNS_MAX];
    find_widths(formatter, widths);
    for (size_t i = 0; i < formatter->row_count; i++)
        put_row(formatter, &formatter->rows[i], widths);
    formatter->row_count = 0;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool opens_block(const struct formatter *formatter, int kind)
{
    if (kind == STATEMENT_EXPECT)
        return format_is_word(formatter, 1, "events") || format_is_word(formatter, 1, "map");
    if (kind != STATEMENT_SUBMIT)
        return kind < STATEMENT_KINDS && statements_row((unsigned)kind)->traits & TRAIT_BLOCK;
    for (size_t i = 1; i + 1 < formatter->lexer.count; i++)
        if (format_is_word(formatter, i, "with"))
            return true;
    return false;
}

static int top_block(const struct formatter *formatter)
{
    return formatter->depth ? formatter->blocks[formatter->depth - 1] : -1;
}

static int line_kind(const struct formatter *formatter)
{
    const struct token *first = at(formatter, 0);
    if (format_is_word(formatter, 0, "end") && formatter->lexer.count == 2)
        return STATEMENT_END;
    if (top_block(formatter) == STATEMENT_EXPECT)
        return STATEMENT_EVENT_LINE;
    return (int)statements_find(first->name);
}

static void close_blocks(struct formatter *formatter, int kind)
{
    bool in_case = top_block(formatter) == STATEMENT_CASE;
    if (kind != STATEMENT_END && kind != STATEMENT_CASE)
        return;
    if (in_case)
        formatter->depth--;
    if (kind == STATEMENT_END)
        formatter->depth--; /* a text without errors has a block here */
}

/* Rows are kept while the lines around belong together. */
static struct row *next_row(struct formatter *formatter, bool columns, int kind)
{
    const struct row *last =
        formatter->row_count ? &formatter->rows[formatter->row_count - 1] : NULL;
    bool together = last && columns && last->columns && last->kind == kind && !formatter->blank;
    if (!together || formatter->row_count == GROUP_MAX)
        flush(formatter);
    if (formatter->blank)
        put(formatter, "\n", 1);
    formatter->blank = false;
    return &formatter->rows[formatter->row_count++];
}

static void format_line(struct formatter *formatter, uint32_t from, uint32_t to)
{
    bool read = lexer_line(&formatter->lexer, from, to);
    CHECK(read);
    bool empty = formatter->lexer.count == 1;
    if (empty && formatter->lexer.comment == to) {
        formatter->blank = true;
        return;
    }
    bool in_list =
        top_block(formatter) == STATEMENT_EXPECT || top_block(formatter) == STATEMENT_SUBMIT;
    int kind = empty ? STATEMENT_KINDS : line_kind(formatter);
    bool columns = !empty && kind != STATEMENT_END &&
                   (in_list || (kind < STATEMENT_KINDS &&
                                statements_row((unsigned)kind)->traits & TRAIT_COLUMNS));
    close_blocks(formatter, kind);
    struct row *row = next_row(formatter, columns, kind);
    row->indent = INDENT * formatter->depth;
    row->columns = columns;
    row->kind = kind;
    build_row(formatter, row);
    const char *text = formatter->scenario->sources[0]->text;
    uint32_t comment = formatter->lexer.comment;
    while (to > comment && (text[to - 1] == ' ' || text[to - 1] == '\t'))
        to--;
    row->comment_length = to - comment;
    row->comment = base_strndup(text + comment, to - comment);
    if (!empty && !in_list && opens_block(formatter, kind))
        formatter->blocks[formatter->depth++] = kind;
}

static void format_lines(struct formatter *formatter)
{
    struct source *source = formatter->scenario->sources[0];
    source_complete(source);
    uint32_t from = 0;
    bool is_one = source_is_scenario(source->text, source->bytes, &from);
    CHECK(is_one);
    while (from < source->bytes) {
        const char *begin = source->text + from;
        const char *end = memchr(begin, '\n', source->bytes - from);
        uint32_t to = end ? (uint32_t)(end - source->text) : source->bytes;
        uint32_t next = end ? to + 1 : to;
        if (to > from && source->text[to - 1] == '\r')
            to--;
        format_line(formatter, from, to);
        from = next;
    }
    flush(formatter);
}

bool scenario_format(struct scenario *scenario,
                     void (*write)(void *context, const char *text, size_t bytes), void *context)
{
    if (scenario->messages.errors) {
        message_flush(scenario);
        return false;
    }
    struct formatter *formatter = base_alloc(1, sizeof *formatter);
    formatter->scenario = scenario;
    formatter->lexer.scenario = scenario;
    formatter->write = write;
    formatter->context = context;
    format_lines(formatter);
    lexer_fini(&formatter->lexer);
    base_free(formatter);
    return true;
}
