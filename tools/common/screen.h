/* SPDX-License-Identifier: MIT */
/*
 * screen.h: what the place can show where the output goes, and running text in its lines.
 *
 * A terminal decides by itself: its width, colours unless NO_COLOR or TERM=dumb say otherwise,
 * drawing characters when the locale is UTF-8. What is no terminal gets 80 columns, no colour and
 * ASCII, so that files are the same everywhere.
 */
#ifndef TOOLS_COMMON_SCREEN_H
#define TOOLS_COMMON_SCREEN_H

#include "scenarios/lang/scenario.h"
#include "tools/common/text.h"

enum screen_color { SCREEN_COLOR_AUTO, SCREEN_COLOR_ALWAYS, SCREEN_COLOR_NEVER };

enum screen_style {
    SCREEN_PLAIN,
    SCREEN_TITLE,
    SCREEN_NOTE,
    SCREEN_QUIET, /* what matters less: the time, the rule */
    SCREEN_SOURCE,
    SCREEN_GOOD,
    SCREEN_WARN,
    SCREEN_BAD,
    SCREEN_STYLES
};

struct screen {
    FILE *out;
    bool color, utf8;
    int width;
};

/* Drawing characters where the locale has them, or none at all. */
enum screen_letters { SCREEN_LETTERS_ALL, SCREEN_LETTERS_ASCII };
void screen_init(struct screen *screen, FILE *out, enum screen_color color,
                 enum screen_letters letters, int width); /* `width` 0: find out */
/* Empty without colours. screen_off() ends every style. */
const char *screen_on(const struct screen *screen, enum screen_style style);
const char *screen_off(const struct screen *screen);
/* The first on a screen that can draw, else the second. */
const char *screen_pick(const struct screen *screen, const char *utf8, const char *ascii);
enum { SCREEN_BLOCKS = 6 }; /* so many backgrounds: that of `number` modulo them */
const char *screen_block(const struct screen *screen, unsigned number);

/* ---- running text in lines ------------------------------------------------------------------- */

enum { WRAP_COLUMNS = 80, WRAP_LABEL_COLUMN = 2, WRAP_FIELD_COLUMN = 14 };

struct wrap {
    FILE *out;   /* of wrap_from() */
    int indent;  /* of every line but the first */
    int columns; /* no line is longer, unless a single word is */
};

/* Prints or adds `text` with the cursor standing in `column`; without a line end of its own. */
void wrap_from(const struct wrap *wrap, int column, const char *text);
void wrap_add(struct text *to, const struct wrap *wrap, int column, const char *text);

/*
 * Prints `label`, then `text` from column `indent` on, in 80 columns, and a line end. A line of the
 * text that begins with '|' belongs to a table and stays as it is, however long.
 */
void wrap_print(FILE *out, const char *label, int indent, const char *text);
/* The same on stdout, with `label` in column `from`. */
void wrap_row(int from, const char *label, int indent, const char *text);
/* A row of what `explain` says of a word: "  Rule        PLACE-012 ...". */
void wrap_field(const char *label, const char *text);
/* A message with the word that says how bad it is in colour; on a terminal reasons are wrapped. */
void screen_message(const struct screen *screen, enum scenario_severity how, const char *rendered);

#endif
