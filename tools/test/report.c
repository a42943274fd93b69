/* SPDX-License-Identifier: MIT */
/* report.c: what every report calls alike. */
#include "tools/test/report.h"

#include <inttypes.h>
#include <string.h>

void report_name(const struct verdict *verdict, const struct unit *unit, struct text *name)
{
    text_add(name, "%s%s%s", verdict->file, *unit->name ? ": " : "", unit->name);
    if (verdict->seeded)
        text_add(name, " [seed %" PRIu64 "]", verdict->seed);
}

void report_quote(struct text *text, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-+=.,:@%/";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_add(text, "%s", word);
        return;
    }
    text_add(text, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add(text, "'\\''");
        else
            text_add_bytes(text, word, 1);
    }
    text_add(text, "'");
}
