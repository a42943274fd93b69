/* SPDX-License-Identifier: MIT */
/*
 * rounds.h: what is counted and not told: in a lesson the later rounds of a loop, anywhere what
 * stands in `quietly`.
 *
 * A text runs from its top to its end, so a statement that stands no later than one that already
 * ran belongs to a later round. Only lessons leave something out: their readers want the state that
 * a loop makes, and the first round shows how. Every question is told.
 */
#ifndef TOOLS_STORY_ROUNDS_H
#define TOOLS_STORY_ROUNDS_H

#include "scenarios/lang/scenario.h"

/* Begins as {0}. */
struct rounds {
    bool lesson, later;  /* the file is a lesson; the statement that runs is left out */
    uint32_t line;       /* the last statement that was told; */
    const char *file;    /* its file */
    uint64_t statements; /* left out since then; */
    bool quiet;          /* some of them in `quietly` */
};

/* Should this be left out? */
bool rounds_leave_out(struct rounds *rounds, const struct scenario_telling *telling);

/*
 * How many statements were left out before the one that is told now, and whether some of them stand
 * in `quietly`; it counts from 0 again.
 */
uint64_t rounds_left_out(struct rounds *rounds, bool *quiet);

#endif
