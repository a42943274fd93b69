/* SPDX-License-Identifier: MIT */
/*
 * random.h: private: the random numbers of version 1 of the language.
 */
#ifndef SCENARIOS_LANG_SESSION_RANDOM_H
#define SCENARIOS_LANG_SESSION_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* FNV-1a. */
uint64_t random_hash(const char *text, size_t bytes);
/* A stream of its own for each pair of seed and name. */
void random_init(struct random *random, uint64_t seed, const char *name, size_t bytes);
uint64_t random_next(struct random *random);
/* Uniform in [0, bound); bound > 0. */
uint64_t random_below(struct random *random, uint64_t bound);

#endif
