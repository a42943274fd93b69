/* SPDX-License-Identifier: MIT */
/* roff.c: how does a text become roff? */
#include <string.h>

#include "tools/manual/parts.h"

static void roff_bytes(FILE *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\\')
            (void)fputs("\\e", out);
        else if (text[i] == '-')
            (void)fputs("\\-", out);
        else if (text[i] == '\'')
            (void)fputs("\\(aq", out);
        else if (text[i] == '`')
            (void)fputs("\\(ga", out);
        else if (text[i] == '^')
            (void)fputs("\\(ha", out);
        else if (text[i] == '~')
            (void)fputs("\\(ti", out);
        else
            (void)fputc(text[i], out);
    }
}

void roff_word(FILE *out, const char *word)
{
    roff_bytes(out, word, strlen(word));
}

/* A line may begin with anything: a full stop would be a request. */
void roff_text(FILE *out, const char *text)
{
    bool kept = false, empty = false;
    while (*text) {
        size_t length = strcspn(text, "\n\v");
        bool keep = length > 2 && text[0] == ' ' && text[1] == ' ';
        if (!length || text[length] == '\v')
            empty = true;
        if (length && keep != kept) {
            (void)fputs(keep ? ".PP\n.nf\n" : ".fi\n.PP\n", out);
            kept = keep;
            empty = false;
        }
        if (length) {
            if (empty)
                (void)fputs(kept ? "\n" : ".PP\n", out);
            empty = text[length] == '\v';
            (void)fputs("\\&", out);
            roff_bytes(out, text, length);
            (void)fputc('\n', out);
        }
        text += length + (text[length] != '\0');
    }
    if (kept)
        (void)fputs(".fi\n", out);
}
