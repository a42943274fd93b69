/* SPDX-License-Identifier: MIT */
/* plan_text.h: the lines of a plan, its words, and messages that point at them. Private. */
#ifndef TOOLS_SWEEP_PLAN_TEXT_H
#define TOOLS_SWEEP_PLAN_TEXT_H

#include "tools/common/text.h"

/* A part of the present line. */
struct plan_word {
    const char *at;
    size_t length;
};

struct plan_text {
    const char *name;       /* of the file */
    const char *line, *end; /* the present one, without its comment and line end */
    const char *whole_end;
    uint32_t number; /* of the line, from 1 */
    const char *next;
    const char *text_end;
    unsigned mistakes;
};

/* Takes the next line; false after the last. */
bool plan_text_line(struct plan_text *text);
/* The next word from `*at` on, which it passes; "quotes" are not part of a word. Length 0: none. */
struct plan_word plan_text_word(struct plan_text *text, const char **at);
/* The same up to a comma, without blanks around; the comma is passed too. */
struct plan_word plan_text_item(const struct plan_text *text, const char **at);
bool plan_word_is(struct plan_word word, const char *text);
/* A copy. */
char *plan_word_copy(struct plan_word word);

/* file:line:column, the line, and a mark under the word. `help` may be NULL. */
VIDMM_PRINTF(4, 5)
void plan_text_mistake(struct plan_text *text, struct plan_word word, const char *help,
                       const char *format, ...);

#endif
