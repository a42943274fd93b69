/* SPDX-License-Identifier: MIT */
/*
 * prompt.h: lines that somebody types, or that come from a file or a pipe. Private.
 *
 * On a terminal the line can be edited, earlier ones come back, and Tab completes words. Elsewhere
 * there is no prompt, so that the output is that of the commands alone.
 */
#ifndef TOOLS_STEP_PROMPT_H
#define TOOLS_STEP_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

enum { PROMPT_BYTES = 512 };

enum prompt_end {
    PROMPT_LINE,
    PROMPT_OVER,        /* nothing more comes */
    PROMPT_LONG,        /* the line was too long, and is left out */
    PROMPT_INTERRUPTED, /* Ctrl-C */
};

struct prompt;

/* Word `index` that can stand first in a line, or after the first; NULL: there are no more. */
typedef const char *prompt_words(bool first, size_t index);

struct prompt *prompt_open(prompt_words *words);
bool prompt_is_terminal(const struct prompt *prompt);
/* `line` has PROMPT_BYTES; it comes without its end. */
enum prompt_end prompt_line(struct prompt *prompt, const char *shown, char *line);
void prompt_close(struct prompt *prompt);

#endif
