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
#include "vidmm/base/base.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { WORD, NUMBER, TEXT, SIGN, END };

struct token {
    enum kind kind;
    size_t at, length; /* in the text */
    size_t partner;    /* of a bracket: the token of the other one */
    bool statement;    /* a statement begins here */
    bool body;         /* inside of a function */
    bool spared;       /* in a check of vidmm itself, or in what nothing depends on */
    bool amount;       /* in an amount of memory */
};

struct source {
    const char *name;
    char *text;
    size_t bytes;
    struct token *tokens;
    size_t count, capacity;
};

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

/* ---- tokens -------------------------------------------------------------------------------- */

static bool is(const struct source *source, size_t index, const char *sign)
{
    if (index >= source->count)
        return false;
    const struct token *token = &source->tokens[index];
    return token->length == strlen(sign) &&
           memcmp(source->text + token->at, sign, token->length) == 0;
}

static bool is_any(const struct source *source, size_t index, const char *const *signs)
{
    for (; *signs; signs++)
        if (is(source, index, *signs))
            return true;
    return false;
}

static enum kind kind_of(const struct source *source, size_t index)
{
    return index < source->count ? source->tokens[index].kind : END;
}

/* Blanks, comments and preprocessor lines. */
static size_t skip_space(const char *text, size_t at)
{
    for (;;) {
        bool first = at == 0 || text[at - 1] == '\n';
        if (first && text[at + strspn(text + at, " ")] == '#')
            while (text[at] && (text[at] != '\n' || text[at - 1] == '\\'))
                at++;
        else if (strncmp(text + at, "/*", 2) == 0)
            at = (size_t)(strstr(text + at, "*/") + 2 - text);
        else if (strncmp(text + at, "//", 2) == 0)
            at += strcspn(text + at, "\n");
        else if (isspace((unsigned char)text[at]))
            at++;
        else
            return at;
    }
}

static size_t quoted_length(const char *text)
{
    size_t length = 1;
    while (text[length] != text[0])
        length += text[length] == '\\' ? 2 : 1;
    return length + 1;
}

static size_t sign_length(const char *text)
{
    static const char *const longer[] = {
        "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
        "--",  "->",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL
    };
    for (const char *const *sign = longer; *sign; sign++)
        if (strncmp(text, *sign, strlen(*sign)) == 0)
            return strlen(*sign);
    return 1;
}

static void add_token(struct source *source, size_t at)
{
    const char *text = source->text + at;
    struct token token = { .at = at, .kind = SIGN };
    if (isdigit((unsigned char)*text)) {
        token.kind = NUMBER;
        while (isalnum((unsigned char)text[token.length]) || text[token.length] == '.')
            token.length++;
    } else if (isalpha((unsigned char)*text) || *text == '_') {
        token.kind = WORD;
        while (isalnum((unsigned char)text[token.length]) || text[token.length] == '_')
            token.length++;
    } else if (*text == '"' || *text == '\'') {
        token.kind = TEXT;
        token.length = quoted_length(text);
    } else {
        token.length = sign_length(text);
    }
    BASE_GROW(source->tokens, source->capacity, source->count + 1);
    source->tokens[source->count++] = token;
}

static void pair_brackets(struct source *source)
{
    size_t open[256];
    size_t depth = 0;
    for (size_t i = 0; i < source->count; i++) {
        char sign = source->text[source->tokens[i].at];
        if (source->tokens[i].kind != SIGN)
            continue;
        if (strchr("([{", sign) && depth < ARRAY_COUNT(open)) {
            open[depth++] = i;
        } else if (strchr(")]}", sign) && depth) {
            size_t partner = open[--depth];
            source->tokens[i].partner = partner;
            source->tokens[partner].partner = i;
        }
    }
}

/* What stands in functions, where statements begin, and what checks vidmm itself. */
static void mark(struct source *source)
{
    static const char *const checks[] = { "CHECK", "CHECK_SLOW", "_Static_assert", "VIDMM_PREFETCH",
                                          NULL };
    static const char *const amounts[] = { "base_alloc", "BASE_GROW", "pageable_new", NULL };
    static const char *const heads[] = { "if", "for", "while", "switch", NULL };
    size_t body_end = 0;
    size_t spared_end = 0;
    size_t amount_end = 0;
    size_t bracket_end = 0; /* of the outermost round or square one */
    for (size_t i = 0; i < source->count; i++) {
        struct token *token = &source->tokens[i];
        bool inside = i <= bracket_end;
        if ((is(source, i, "(") || is(source, i, "[")) && !inside)
            bracket_end = token->partner;
        if (is(source, i, "{") && i > body_end && i && is(source, i - 1, ")"))
            body_end = token->partner;
        token->body = i < body_end;
        if (is_any(source, i, checks) && is(source, i + 1, "("))
            spared_end = source->tokens[i + 1].partner;
        token->spared = i <= spared_end && spared_end;
        if (is_any(source, i, amounts) && is(source, i + 1, "("))
            amount_end = source->tokens[i + 1].partner;
        token->amount = i < amount_end;
        if (!token->body || inside)
            continue;
        bool label = is(source, i - 1, ":") && kind_of(source, i - 2) != SIGN &&
                     (is(source, i - 3, "case") || is(source, i - 2, "default"));
        size_t before = is(source, i - 1, ")") ? source->tokens[i - 1].partner : 0;
        token->statement = is(source, i - 1, ";") || is(source, i - 1, "{") ||
                           is(source, i - 1, "}") || is(source, i - 1, "else") || label ||
                           (before && is_any(source, before - 1, heads));
    }
}

static struct source read_source(const char *name)
{
    struct source source = { .name = name };
    size_t capacity = 0;
    size_t got;
    FILE *file = fopen(name, "rb");
    if (!file) {
        (void)fprintf(stderr, "%s: cannot be read\n", name);
        exit(2);
    }
    do {
        BASE_GROW(source.text, capacity, source.bytes + 4096);
        got = fread(source.text + source.bytes, 1, 4095, file);
        source.bytes += got;
    } while (got);
    source.text[source.bytes] = '\0';
    (void)fclose(file);
    for (size_t at = skip_space(source.text, 0); source.text[at];
         at = skip_space(source.text, at)) {
        add_token(&source, at);
        at += source.tokens[source.count - 1].length;
    }
    pair_brackets(&source);
    mark(&source);
    return source;
}

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
        struct source source = read_source(argv[i]);
        struct visit visit = { .source = &source, .meet = list ? print_site : print_mutant };
        visit.seed = list ? mixed(strtoull(argv[2], NULL, 0) + 1) : 0;
        visit.wanted = list ? 0 : strtoull(argv[3], NULL, 0);
        if (!list && !visit.wanted)
            (void)fwrite(source.text, 1, source.bytes, stdout);
        else
            visit_source(&visit);
        base_free(visit.seen);
        base_free(source.tokens);
        base_free(source.text);
    }
    return 0;
}
