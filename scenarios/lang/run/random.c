/* SPDX-License-Identifier: MIT */
/*
 * random.c: the generator of language version 1: xoshiro256**, filled by splitmix64.
 *
 * It is part of the language: the same seed gives the same scenario for ever. README.md of the
 * folder above writes the algorithm down.
 */
#include "scenarios/lang/run/statements.h"

static uint64_t split(uint64_t *state)
{
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

void random_init(struct random *random, uint64_t seed, const char *name, size_t bytes)
{
    /* FNV-1a of the name, so that adding a test changes no other. */
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001B3u;
    uint64_t state = seed ^ hash;
    for (size_t i = 0; i < ARRAY_COUNT(random->state); i++)
        random->state[i] = split(&state);
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    CHECK(bound);
    /* The lowest (2^64 mod bound) values would come once more often: they are thrown again. */
    uint64_t unfair = (0 - bound) % bound;
    uint64_t value = random_next(random);
    while (value < unfair)
        value = random_next(random);
    return value % bound;
}
