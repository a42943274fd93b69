/* SPDX-License-Identifier: MIT */
/*
 * plan_text.c: where does a line, a word, a list of a plan end, and how does a message point at it?
 *
 * Messages look like those of scenarios. The columns of a mark count characters; what would steer
 * a terminal is shown as '?'.
 */
#include "tools/sweep/plan_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { MISTAKES_MOST = 50, SHOWN_BYTES = 160 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* ---- lines and words --------------------------------------------------------------------------
 */

/* A '#' at the beginning or after a blank begins a comment: names of files may have one inside. */
static const char *comment_of(const char *line, const char *end)
{
    bool quoted = false;
    for (const char *at = line; at < end; at++) {
        quoted ^= *at == '"';
        if (*at == '#' && !quoted && (at == line || is_blank(at[-1])))
            return at;
    }
    return end;
}

bool plan_text_line(struct plan_text *text)
{
    if (text->next == text->text_end)
        return false;
    text->line = text->next;
    const char *end = memchr(text->line, '\n', (size_t)(text->text_end - text->line));
    text->whole_end = end ? end : text->text_end;
    text->next = end ? end + 1 : text->text_end;
    text->end = comment_of(text->line, text->whole_end);
    text->number++;
    return true;
}

static const char *plan_text_skip(const struct plan_text *text, const char *at)
{
    while (at < text->end && is_blank(*at))
        at++;
    return at;
}

struct plan_word plan_text_word(struct plan_text *text, const char **at)
{
    const char *start = plan_text_skip(text, *at), *end = start;
    if (start < text->end && *start == '"') {
        start++;
        const char *quote = memchr(start, '"', (size_t)(text->end - start));
        end = quote ? quote : text->end;
        if (!quote)
            plan_text_mistake(text, (struct plan_word){ start - 1, (size_t)(end - start) + 1 },
                              NULL, "this '\"' has no end");
        *at = quote ? quote + 1 : text->end;
        return (struct plan_word){ start, (size_t)(end - start) };
    }
    while (end < text->end && !is_blank(*end))
        end++;
    *at = end;
    return (struct plan_word){ start, (size_t)(end - start) };
}

struct plan_word plan_text_item(const struct plan_text *text, const char **at)
{
    const char *start = plan_text_skip(text, *at), *end = start;
    while (end < text->end && *end != ',')
        end++;
    *at = end < text->end ? end + 1 : end;
    while (end > start && is_blank(end[-1]))
        end--;
    return (struct plan_word){ start, (size_t)(end - start) };
}

bool plan_word_is(struct plan_word word, const char *text)
{
    return word.length == strlen(text) && strncmp(word.at, text, word.length) == 0;
}

char *plan_word_copy(struct plan_word word)
{
    return base_strndup(word.at, word.length);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

static int characters(const char *from, const char *to)
{
    int count = 0;
    for (; from < to; from++)
        count += (*from & 0xC0) != 0x80;
    return count;
}

static void print_line(const struct plan_text *text)
{
    for (const char *at = text->line; at < text->whole_end && at < text->line + SHOWN_BYTES; at++) {
        bool plain = (unsigned char)*at >= ' ' && *at != 0x7F;
        (void)fputc(plain ? (unsigned char)*at : is_blank(*at) ? ' ' : '?', stderr);
    }
    (void)fputc('\n', stderr);
}

void plan_text_mistake(struct plan_text *text, struct plan_word word, const char *help,
                       const char *format, ...)
{
    va_list arguments;
    int before = characters(text->line, word.at);
    int marked = characters(word.at, word.at + word.length);
    if (text->mistakes++ >= MISTAKES_MOST)
        return;
    (void)fprintf(stderr, "%s:%" PRIu32 ":%d: error: ", text->name, text->number, before + 1);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\n%5" PRIu32 " | ", text->number);
    print_line(text);
    if (word.at + word.length <= text->line + SHOWN_BYTES) {
        (void)fprintf(stderr, "      | %*s", before, "");
        for (int i = 0; i < (marked ? marked : 1); i++)
            (void)fputc('^', stderr);
        (void)fputc('\n', stderr);
    }
    if (help)
        (void)fprintf(stderr, "      = help: %s\n", help);
}
