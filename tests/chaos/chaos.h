/* SPDX-License-Identifier: MIT */
/*
 * chaos.h: random lives of an adapter as scenarios, see prop_gpu.c.
 *
 * A life depends on its seed and on the language: statements, words and settings that it
 * refuses as not supported yet are left out, and are used as soon as they are supported.
 */
#ifndef TESTS_CHAOS_H
#define TESTS_CHAOS_H

#include "tests/support/random_text.h"

/* Asks the language which lines it accepts; once, before the first life. */
void chaos_learn(void);
/* How many lines are left out because the language does not know them yet. */
size_t chaos_left_out(void);
void chaos_write(struct script *script, uint64_t seed);

#endif
