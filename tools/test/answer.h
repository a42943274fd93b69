/* SPDX-License-Identifier: MIT */
/*
 * answer.h: private: what a job says of its file, line by line, as it happens.
 *
 * A job may crash, so each line says something that stays true. The bytes are those of this
 * process and its children, never a file's.
 */
#ifndef TOOLS_TEST_ANSWER_H
#define TOOLS_TEST_ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum answer_kind {
    ANSWER_TAG,        /* name: the file has it; or the test above has it */
    ANSWER_PARAM,      /* name, text: the default */
    ANSWER_TEST,       /* name, "" is the file itself; number: enum answer_choice */
    ANSWER_BEGIN,      /* the next chosen test; number: what failed before it is the file's */
    ANSWER_MESSAGE,    /* number: severity; name: the file; text; more: as people see it */
    ANSWER_END,        /* of the test that began; number: it passed */
    ANSWER_FINISH,     /* number: exit code */
    ANSWER_UNCOMPARED, /* the golden of the file: the run has other values */
    ANSWER_GOLDENLESS, /* there is none, and it should be written */
};

enum answer_choice {
    ANSWER_CHOSEN,
    ANSWER_NOT_BY_TAGS,
    ANSWER_NOTHING_RUNS, /* a file that is made to be included */
};

struct answer {
    enum answer_kind kind;
    bool foreseen; /* of a message: the scenario speaks of such complaints */
    bool golden;   /* of a message: it is about the golden of the file */
    uint32_t line, column;
    uint64_t number;
    uint64_t rule, like;            /* of a message: as those of struct scenario_message */
    const char *name, *text, *more; /* NULL is "" when written */
};

void answer_write(FILE *file, const struct answer *answer);
/* Reads at *at and moves it; false at the end, or where the writer was cut off. */
bool answer_next(const char **at, const char *end, struct answer *answer);

#endif
