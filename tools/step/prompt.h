/* SPDX-License-Identifier: MIT */
/*
 * prompt.h: lines that somebody types, or that come from a file or a pipe. Private.
 *
 * On a terminal the line can be edited, earlier ones come back, and Tab completes words. Elsewhere
 * each line is printed after the prompt, so that the output can be read alone.
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

/* Words that can stand where one begins with `start` are handed to prompt_offer(). `command`: the
   first word of the line; NULL: that is the one. `of`: as prompt_open() was given it. */
struct prompt_offers;
typedef void prompt_words(const void *of, const char *command, const char *start,
                          struct prompt_offers *offers);
void prompt_offer(struct prompt_offers *offers, const char *word);

struct prompt *prompt_open(prompt_words *words, const void *of);
bool prompt_is_terminal(const struct prompt *prompt);
/* `line` has PROMPT_BYTES; it comes without its end. */
enum prompt_end prompt_line(struct prompt *prompt, const char *shown, char *line);
void prompt_close(struct prompt *prompt);

#endif
