/* SPDX-License-Identifier: MIT */
/* tokens.c: a source file as tokens. */
#include "tests/mutate/tokens.h"
#include "vidmm/base/base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is(const struct source *source, size_t index, const char *sign)
{
    if (index >= source->count)
        return false;
    const struct token *token = &source->tokens[index];
    return token->length == strlen(sign) &&
           memcmp(source->text + token->at, sign, token->length) == 0;
}

bool is_any(const struct source *source, size_t index, const char *const *signs)
{
    for (; *signs; signs++)
        if (is(source, index, *signs))
            return true;
    return false;
}

enum kind kind_of(const struct source *source, size_t index)
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

struct source source_read(const char *name)
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

void source_free(struct source *source)
{
    base_free(source->tokens);
    base_free(source->text);
}
