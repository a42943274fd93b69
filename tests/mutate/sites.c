/* SPDX-License-Identifier: MIT */
/*
 * sites.c: where a source file could be wrong by one token, and the file with that mistake.
 *
 *     mutate_sites list SEED FILE...    ORDER FILE NUMBER LINE OPERATOR BEFORE AFTER, by tabs
 *     mutate_sites make FILE NUMBER     the file with this mistake; 0: as it is
 *
 * ORDER is a number by chance that depends on the seed and on the words of the line, not on where
 * it stands: the first thousand by it are a sample that another change of the file leaves as it is.
 * BEFORE and AFTER are the lines of the mistake without their indentation. Left alone are
 * preprocessor lines, what checks vidmm itself (CHECK), whatever is outside of functions but for
 * its numbers and truths, and what nothing can notice: more memory than is needed, what is asked
 * for in advance, arguments whose order does not matter.
 */
#include "tests/mutate/tokens.h"
#include "vidmm/base/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct site {
    size_t at, length; /* what is replaced */
    const char *operator;
    char with[256];
};

struct visit {
    struct source *source;
    void (*meet)(struct visit *visit, const struct site *site);
    size_t number, wanted;
    uint64_t seed;
    uint64_t *seen; /* of each site: which words; the same words twice are two sites */
    size_t seen_capacity;
};

/* ---- mistakes ------------------------------------------------------------------------------ */

/* Tokens [from, to) replaced. */
static void offer(struct visit *visit, const char *operator, size_t from, size_t to,
                  const char *with)
{
    const struct token *tokens = visit->source->tokens;
    struct site site = { .at = tokens[from].at, .operator= operator};
    site.length = tokens[to - 1].at + tokens[to - 1].length - site.at;
    if (strlen(with) >= sizeof site.with)
        return;
    (void)snprintf(site.with, sizeof site.with, "%s", with);
    visit->number++;
    visit->meet(visit, &site);
}

/* One sign for another. */
static void mutate_sign(struct visit *visit, size_t i)
{
    static const char *const rows[][3] = {
        { "comparison", "<", "<=" },  { "comparison", "<", ">=" },  { "comparison", "<=", "<" },
        { "comparison", "<=", ">" },  { "comparison", ">", ">=" },  { "comparison", ">", "<=" },
        { "comparison", ">=", ">" },  { "comparison", ">=", "<" },  { "comparison", "==", "!=" },
        { "comparison", "!=", "==" }, { "and-or", "&&", "||" },     { "and-or", "||", "&&" },
        { "plus-minus", "+", "-" },   { "plus-minus", "-", "+" },   { "plus-minus", "+=", "-=" },
        { "plus-minus", "-=", "+=" }, { "plus-minus", "++", "--" }, { "plus-minus", "--", "++" },
    };
    const struct source *source = visit->source;
    bool binary = kind_of(source, i - 1) == WORD || kind_of(source, i - 1) == NUMBER ||
                  is(source, i - 1, ")") || is(source, i - 1, "]") || is(source, i, "++") ||
                  is(source, i, "--");
    for (size_t row = 0; row < ARRAY_COUNT(rows); row++)
        if (is(source, i, rows[row][1]) && binary && !is(source, i - 1, "return"))
            offer(visit, rows[row][0], i, i + 1, rows[row][2]);
}

/* A number one higher; and a step of one left out. */
static void mutate_number(struct visit *visit, size_t i)
{
    const struct source *source = visit->source;
    char with[64];
    char *end;
    const char *text = source->text + source->tokens[i].at;
    uint64_t value = strtoull(text, &end, 0);
    size_t suffix = source->tokens[i].length - (size_t)(end - text);
    /* The size of an array: one more is never missed. */
    bool size = is(source, i - 1, "[") && kind_of(source, i - 2) == WORD &&
                ((kind_of(source, i - 3) == WORD && !is(source, i - 3, "return")) ||
                 is(source, i + 2, ")"));
    if (!size && !source->tokens[i].amount && suffix < 4 && value < UINT64_MAX &&
        !memchr(text, '.', source->tokens[i].length)) {
        (void)snprintf(with, sizeof with, text[1] == 'x' ? "0x%" PRIX64 "%.*s" : "%" PRIu64 "%.*s",
                       value + 1, (int)suffix, end);
        offer(visit, "constant", i, i + 1, with);
    }
    bool step = is(source, i - 1, "+") || is(source, i - 1, "-");
    if (value == 1 && step && kind_of(source, i - 2) != SIGN)
        offer(visit, "step", i - 1, i + 1, "");
}

static void mutate_word(struct visit *visit, size_t i)
{
    struct source *source = visit->source;
    if (is(source, i, "true"))
        offer(visit, "truth", i, i + 1, "false");
    else if (is(source, i, "false"))
        offer(visit, "truth", i, i + 1, "true");
    else if (is(source, i, "if") && is(source, i + 1, "(")) {
        const struct token *open = &source->tokens[i + 1];
        size_t length = source->tokens[open->partner].at - open->at - 1;
        char with[256];
        (void)snprintf(with, sizeof with, "(!(%.*s))", (int)length, source->text + open->at + 1);
        offer(visit, "negated-if", i + 1, open->partner + 1, with);
    }
}

/* An expression, `break`, `continue` or `return` as a statement; no declaration. */
static void mutate_statement(struct visit *visit, size_t i)
{
    static const char *const jumps[] = { "break", "continue", "return", NULL };
    static const char *const others[] = { "case",  "default", "if",     "for",  "while", "do",
                                          "else",  "switch",  "struct", "enum", "union", "static",
                                          "const", "goto",    "return", NULL };
    static const char *const follow[] = { "(",  ".",  "->", "[",  "=",  "+=", "-=", "*=",
                                          "|=", "&=", "^=", "++", "--", "/=", NULL };
    const struct source *source = visit->source;
    size_t end = i;
    while (end < source->count && !is(source, end, ";")) {
        bool opens = is(source, end, "(") || is(source, end, "[") || is(source, end, "{");
        end = opens ? source->tokens[end].partner + 1 : end + 1;
    }
    bool jump = is_any(source, i, jumps) && end == i + 1;
    bool expression =
        kind_of(source, i) == WORD && !is_any(source, i, others) && is_any(source, i + 1, follow);
    bool other = is(source, i, "++") || is(source, i, "--") || is(source, i, "*") ||
                 (is(source, i, "(") && is(source, i + 1, "void") && end > i + 4);
    if (jump || expression || other)
        offer(visit, "deleted", i, end, "");
}

/* Neighbouring arguments of a call. */
static void mutate_call(struct visit *visit, size_t i)
{
    /* Statements; and calls whose arguments have no order. */
    static const char *const heads[] = { "if",
                                         "for",
                                         "while",
                                         "switch",
                                         "return",
                                         "sizeof",
                                         "min_u32",
                                         "min_u64",
                                         "max_u32",
                                         "max_u64",
                                         "multiply_capped",
                                         "base_alloc",
                                         "va_start",
                                         "range_overlaps",
                                         "memcmp",
                                         "strcmp",
                                         NULL };
    const struct source *source = visit->source;
    if (kind_of(source, i) != WORD || is_any(source, i, heads) || !is(source, i + 1, "("))
        return;
    size_t close = source->tokens[i + 1].partner;
    size_t first = i + 2; /* the argument before */
    size_t comma = 0;     /* at its end; 0: there is none */
    size_t start = i + 2; /* this argument */
    for (size_t at = start; at <= close; at++) {
        if (is(source, at, ",") || at == close) {
            char with[256];
            const struct token *t = source->tokens;
            size_t one = comma ? t[comma - 1].at + t[comma - 1].length - t[first].at : 0;
            size_t two = t[at - 1].at + t[at - 1].length - t[start].at;
            (void)snprintf(with, sizeof with, "%.*s, %.*s", (int)two, source->text + t[start].at,
                           (int)one, source->text + t[first].at);
            if (comma && one + two < sizeof with - 3 && t[first].kind != TEXT &&
                t[start].kind != TEXT &&
                (one != two || memcmp(source->text + t[first].at, source->text + t[start].at, one)))
                offer(visit, "swapped", first, at, with);
            first = start;
            comma = at;
            start = at + 1;
        } else if (is(source, at, "(") || is(source, at, "[") || is(source, at, "{")) {
            at = source->tokens[at].partner;
        }
    }
}

/* From token `i` on back to the first of an expression, or on to the end of one: to a bracket that
   is not its own, or to one of the signs. */
static size_t first_of(const struct source *source, size_t i, const char *const *signs)
{
    static const char *const opening[] = { "(", "[", "{",  ",",  ";",  "return", "case", "?",
                                           ":", "=", "|=", "&=", "+=", "-=",     NULL };
    while (!is_any(source, i - 1, opening) && !is_any(source, i - 1, signs)) {
        size_t partner = source->tokens[i - 1].partner;
        i = partner ? partner : i - 1;
    }
    return i;
}

static size_t end_of(const struct source *source, size_t i, const char *const *signs)
{
    static const char *const closing[] = { ")", "]", "}", ",", ";", "?", ":", NULL };
    while (!is_any(source, i, closing) && !is_any(source, i, signs)) {
        size_t partner = source->tokens[i].partner;
        i = (partner ? partner : i) + 1;
    }
    return i;
}

/* One side of a condition or of a set of bits alone; and one side of a choice. */
static void mutate_operand(struct visit *visit, size_t i)
{
    static const char *const joins[] = { "&&", "||", "|", NULL };
    static const char *const none[] = { NULL };
    const struct source *source = visit->source;
    const struct token *t = source->tokens;
    if (is_any(source, i, joins)) {
        size_t first = first_of(source, i, joins);
        if (!is_any(source, first - 1, joins))
            offer(visit, "operand", first, i + 1, "");
        offer(visit, "operand", i, end_of(source, i + 1, joins), "");
    }
    if (is(source, i, "?")) {
        size_t first = first_of(source, i, none);
        size_t colon = end_of(source, i + 1, none);
        size_t end = end_of(source, colon + 1, none);
        size_t sides[] = { i + 1, colon, colon + 1, end };
        for (size_t side = 0; is(source, colon, ":") && side < ARRAY_COUNT(sides); side += 2) {
            const struct token *last = &t[sides[side + 1] - 1];
            size_t from = t[sides[side]].at;
            char with[256];
            (void)snprintf(with, sizeof with, "%.*s", (int)(last->at + last->length - from),
                           source->text + from);
            offer(visit, "choice", first, end, with);
        }
    }
}

static size_t end_of_statement(const struct source *source, size_t i)
{
    static const char *const heads[] = { "if", "for", "while", "switch", NULL };
    if (is(source, i, "{"))
        return source->tokens[i].partner + 1;
    if (is_any(source, i, heads)) {
        size_t end = end_of_statement(source, source->tokens[i + 1].partner + 1);
        return is(source, end, "else") ? end_of_statement(source, end + 1) : end;
    }
    static const char *const semicolon[] = { ";", NULL };
    while (!is_any(source, i, semicolon))
        i = source->tokens[i].partner > i ? source->tokens[i].partner + 1 : i + 1;
    return i + 1;
}

/* A loop that runs once, or not for the last; one of the labels of a switch that is missing. */
static void mutate_block(struct visit *visit, size_t i)
{
    const struct source *source = visit->source;
    const struct token *t = source->tokens;
    if (is(source, i, "case"))
        offer(visit, "label", i, end_of(source, i + 1, (const char *const[]){ NULL }) + 1, "");
    if ((!is(source, i, "for") && !is(source, i, "while")) || !is(source, i + 1, "("))
        return;
    size_t close = t[i + 1].partner;
    size_t end = end_of_statement(source, close + 1);
    if (is(source, close + 1, "{")) {
        offer(visit, "once", end - 1, end, "break; }");
    } else if (!is(source, close + 1, ";")) {
        char with[256];
        size_t from = t[close + 1].at;
        (void)snprintf(with, sizeof with, "{ %.*s break; }",
                       (int)(t[end - 1].at + t[end - 1].length - from), source->text + from);
        offer(visit, "once", close + 1, end, with);
    }
    for (size_t at = i + 2; at < close && is(source, i, "for"); at++)
        if (is(source, at, "<"))
            offer(visit, "last", at, at + 1, "+ 1 <");
}

static void visit_source(struct visit *visit)
{
    struct source *source = visit->source;
    for (size_t i = 1; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        if (token->spared)
            continue;
        if (token->kind == NUMBER)
            mutate_number(visit, i);
        if (token->kind == WORD)
            mutate_word(visit, i);
        if (token->body && token->kind == SIGN)
            mutate_sign(visit, i);
        if (token->body && token->statement)
            mutate_statement(visit, i);
        if (token->body && token->kind == SIGN)
            mutate_operand(visit, i);
        if (token->body && token->kind == WORD)
            mutate_block(visit, i);
        if (token->body)
            mutate_call(visit, i);
    }
}

/* ---- answers ------------------------------------------------------------------------------- */

/* Of a piece of text without indentation, and with single blanks. */
static char *squeezed(const char *head, size_t head_bytes, const char *with, const char *tail,
                      size_t tail_bytes)
{
    size_t with_bytes = strlen(with);
    char *all = base_alloc(head_bytes + with_bytes + tail_bytes + 1, 1);
    memcpy(all, head, head_bytes);
    memcpy(all + head_bytes, with, with_bytes);
    memcpy(all + head_bytes + with_bytes, tail, tail_bytes);
    all[head_bytes + with_bytes + tail_bytes] = '\0';
    char *to = all;
    for (const char *from = all; *from; from++) {
        bool space = isspace((unsigned char)*from);
        if (!space)
            *to++ = *from;
        else if (to > all && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > all && to[-1] == ' ')
        to--;
    *to = '\0';
    return all;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3;
    return hash * 31;
}

static uint64_t mixed(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
}

static void print_site(struct visit *visit, const struct site *site)
{
    const char *text = visit->source->text;
    size_t from = site->at;
    size_t end = site->at + site->length;
    size_t to = end + strcspn(text + end, "\n");
    size_t line = 1;
    while (from && text[from - 1] != '\n')
        from--;
    for (size_t i = 0; i < from; i++)
        line += text[i] == '\n';
    char *before = squeezed(text + from, to - from, "", "", 0);
    char *after = squeezed(text + from, site->at - from, site->with, text + end, to - end);
    uint64_t words =
        hash_text(hash_text(hash_text(visit->seed, visit->source->name), before), after);
    uint64_t order = words;
    for (size_t i = 0; i + 1 < visit->number; i++)
        if (visit->seen[i] == words)
            order++;
    BASE_GROW(visit->seen, visit->seen_capacity, visit->number);
    visit->seen[visit->number - 1] = words;
    (void)printf("%016" PRIx64 "\t%s\t%zu\t%zu\t%s\t%s\t%s\n", mixed(order), visit->source->name,
                 visit->number, line, site->operator, before, after);
    base_free(before);
    base_free(after);
}

static void print_mutant(struct visit *visit, const struct site *site)
{
    if (visit->number != visit->wanted)
        return;
    const char *text = visit->source->text;
    (void)printf("%.*s%s", (int)site->at, text, site->with);
    /* As many lines as before. */
    for (size_t i = site->at; i < site->at + site->length; i++)
        if (text[i] == '\n' && !strchr(site->with, '\n'))
            (void)putchar('\n');
    (void)printf("%s", text + site->at + site->length);
}

int main(int argc, char **argv)
{
    bool list = argc > 3 && strcmp(argv[1], "list") == 0;
    if (!list && !(argc == 4 && strcmp(argv[1], "make") == 0)) {
        (void)fprintf(stderr, "usage: mutate_sites list SEED FILE... | make FILE NUMBER\n");
        return 2;
    }
    for (int i = list ? 3 : 2; i < (list ? argc : 3); i++) {
        struct source source = source_read(argv[i]);
        struct visit visit = { .source = &source, .meet = list ? print_site : print_mutant };
        visit.seed = list ? mixed(strtoull(argv[2], NULL, 0) + 1) : 0;
        visit.wanted = list ? 0 : strtoull(argv[3], NULL, 0);
        if (!list && !visit.wanted)
            (void)fwrite(source.text, 1, source.bytes, stdout);
        else
            visit_source(&visit);
        base_free(visit.seen);
        source_free(&source);
    }
    return 0;
}
