/* SPDX-License-Identifier: MIT */
/*
 * workload.h: private: a workload in the making: its parameters, and what all kinds write alike.
 */
#ifndef TOOLS_MAKE_WORKLOAD_H
#define TOOLS_MAKE_WORKLOAD_H

#include <stdint.h>
#include <stdio.h>

#include "tools/common/text.h"

enum {
    MAKE_PARAMS = 12,
    MAKE_SUBMISSIONS = 1000000000 /* handles of submissions begin after it */
};

struct make_param {
    const char *name;
    enum { MAKE_COUNT, MAKE_SIZE, MAKE_TIME, MAKE_SEED } kind;
    uint64_t value, least, most;
    const char *help;
};

struct make {
    const struct make_kind *kind;
    struct make_param params[MAKE_PARAMS + 1]; /* with the values that are wanted */
    bool given[MAKE_PARAMS];               /* on the command line */
    FILE *out;
    uint64_t random;    /* state of make_below() */
    uint64_t submitted; /* so far */
};

struct make_kind {
    const char *name, *summary;
    struct make_param params[MAKE_PARAMS + 1]; /* up to one without a name; values are defaults */
    /* False: the values do not go together, and `why` has a sentence. */
    bool (*fits)(const struct make *make, struct text *why);
    /* How many lines there will be, at most. */
    uint64_t (*lines)(const struct make *make);
    void (*write)(struct make *make);
};

/* make_game.c, make_video.c, make_training.c, make_llm.c */
extern const struct make_kind make_game, make_video, make_training, make_llm;

/* Of a parameter of this kind. */
uint64_t make_value(const struct make *make, const char *name);
/* Below `bound`, which is not 0; the same numbers for the same seed everywhere. */
uint64_t make_below(struct make *make, uint64_t bound);
/* A value as it is written after "NAME=". */
struct text_short make_text(const struct make_param *param);
/* "24M": in the largest unit that is exact. */
struct text_short make_size(uint64_t bytes);
/* One line, and its break. */
VIDMM_PRINTF(2, 3) void make_line(struct make *make, const char *format, ...);
/* False unless the card has `least` bytes; `why` says what it has no room for, and the smallest
 * card. */
bool make_has_room(const struct make *make, uint64_t least, const char *what, struct text *why);
/* Every kind begins with this: title, question, card. `needs` is what all allocations have. */
struct make_head {
    const char *title;
    const char *const *question; /* lines of notes, up to NULL */
    uint64_t needs, largest;
};
void make_begin(struct make *make, const struct make_head *head);
/* The handle of the next submission. */
uint64_t make_next(struct make *make);

#endif
