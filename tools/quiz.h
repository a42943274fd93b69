/* SPDX-License-Identifier: MIT */
/*
 * quiz.h: an answer to the question of a lesson is read, and judged.
 */
#ifndef TOOLS_QUIZ_H
#define TOOLS_QUIZ_H

#include <stdio.h>

#include "scenarios/lang/scenario.h"

/* Asks until the answer is a number; false when there is no more input. */
bool quiz_read(FILE *out, char *given, size_t bytes);
/* The same number may be written as 24M, 0x1800000 or 25165824. */
bool quiz_is_right(const char *given, const struct scenario_telling *telling);

#endif
