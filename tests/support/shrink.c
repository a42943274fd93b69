/* SPDX-License-Identifier: MIT */
/* shrink.c: see shrink.h. */
#include "tests/support/shrink.h"
#include "vidmm/base/base.h"

#include <string.h>

/* ---- lists --------------------------------------------------------------------------------- */

static bool one_pass(const struct shrinker *shrinker, size_t piece)
{
    bool changed = false;
    for (size_t first = 0; first + piece <= shrinker->count(shrinker->self);) {
        if (shrinker->leave_out(shrinker->self, first, piece))
            changed = true;
        else
            first += piece;
    }
    return changed;
}

void shrink_list(const struct shrinker *shrinker)
{
    for (size_t piece = shrinker->count(shrinker->self) / 2; piece > 1; piece /= 2)
        (void)one_pass(shrinker, piece);
    while (one_pass(shrinker, 1))
        continue;
}

bool shrink_same_kind(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (!*a || *a != *b || strchr("(,:", *a))
            return *a == *b;
    }
}

/* ---- texts --------------------------------------------------------------------------------- */

struct piece {
    size_t begin, end;
};

struct cutter {
    char *text, *shorter;
    struct piece *pieces;
    size_t count, capacity;
    void (*divide)(struct cutter *cutter);
    bool (*fails)(void *self, const char *text);
    void *self;
};

static void add_piece(struct cutter *cutter, size_t begin, size_t end)
{
    BASE_GROW(cutter->pieces, cutter->capacity, cutter->count + 1);
    cutter->pieces[cutter->count++] = (struct piece){ begin, end };
}

static bool has_word(const char *line, size_t length, const char *word)
{
    size_t bytes = strlen(word);
    for (size_t i = 0; i + bytes <= length; i++)
        if (memcmp(line + i, word, bytes) == 0 && (i == 0 || line[i - 1] == ' ') &&
            (i + bytes == length || line[i + bytes] == ' '))
            return true;
    return false;
}

/* Statements of which every line up to `end` is a part; `events` and `map` follow `expect`. */
static bool opens(const char *line, size_t length)
{
    static const char *const words[] = { "resource", "test",   "repeat", "for",
                                         "choose",   "always", "quietly" };
    size_t first = strcspn(line, " \n");
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strlen(words[i]) == first && memcmp(line, words[i], first) == 0)
            return true;
    return has_word(line, length, "with") || has_word(line, length, "events") ||
           has_word(line, length, "map");
}

/* A statement with its block is one piece. */
static void divide_statements(struct cutter *cutter)
{
    size_t depth = 0, begin = 0;
    for (size_t at = 0; cutter->text[at];) {
        const char *line = cutter->text + at + strspn(cutter->text + at, " ");
        size_t length = strcspn(line, "\n");
        at = (size_t)(line - cutter->text) + length;
        at += cutter->text[at] == '\n';
        if (opens(line, length))
            depth++;
        else if (depth && length == 3 && memcmp(line, "end", 3) == 0)
            depth--;
        if (depth == 0) {
            add_piece(cutter, begin, at);
            begin = at;
        }
    }
    if (cutter->text[begin])
        add_piece(cutter, begin, strlen(cutter->text));
}

/* The lines of blocks, but for the first and the last one. */
static void divide_blocks(struct cutter *cutter)
{
    size_t depth = 0;
    for (size_t at = 0; cutter->text[at];) {
        const char *line = cutter->text + at + strspn(cutter->text + at, " ");
        size_t begin = at, length = strcspn(line, "\n");
        bool ends = length == 3 && memcmp(line, "end", 3) == 0;
        at = (size_t)(line - cutter->text) + length;
        at += cutter->text[at] == '\n';
        if (opens(line, length))
            depth++;
        else if (depth && ends)
            depth--;
        else if (depth)
            add_piece(cutter, begin, at);
    }
}

/* All words after the first of a line, each with the blank before it; an outcome is one. */
static void divide_words(struct cutter *cutter)
{
    const char *text = cutter->text;
    for (size_t at = 0; text[at];) {
        size_t end = at + 1 + strcspn(text + at + 1, " \n");
        bool word = text[at] == ' ' && text[at + 1] != ' ';
        if (word && memcmp(text + at, " -> ", 4) == 0)
            end = at + 1 + strcspn(text + at + 1, "\n");
        if (word && at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ')
            add_piece(cutter, at, end);
        at = end;
    }
}

static void divide_again(struct cutter *cutter)
{
    cutter->count = 0;
    cutter->divide(cutter);
}

static size_t count_pieces(void *self)
{
    return ((const struct cutter *)self)->count;
}

static bool cut(void *self, size_t first, size_t count)
{
    struct cutter *cutter = self;
    size_t from = 0, length = 0;
    for (size_t i = first; i <= first + count; i++) {
        size_t to = i < first + count ? cutter->pieces[i].begin : strlen(cutter->text);
        memcpy(cutter->shorter + length, cutter->text + from, to - from);
        length += to - from;
        from = i < first + count ? cutter->pieces[i].end : to;
    }
    cutter->shorter[length] = '\0';
    if (!cutter->fails(cutter->self, cutter->shorter))
        return false;
    memcpy(cutter->text, cutter->shorter, length + 1);
    divide_again(cutter);
    return true;
}

void shrink_text(char *text, bool (*fails)(void *self, const char *text), void *self)
{
    static void (*const ways[])(struct cutter *) = { divide_statements, divide_blocks, divide_words,
                                                     divide_statements };
    struct cutter cutter = {
        .text = text, .shorter = base_alloc(strlen(text) + 1, 1), .fails = fails, .self = self
    };
    const struct shrinker shrinker = { count_pieces, cut, &cutter };
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        cutter.divide = ways[i];
        divide_again(&cutter);
        shrink_list(&shrinker);
    }
    base_free(cutter.pieces);
    base_free(cutter.shorter);
}
