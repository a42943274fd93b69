/* SPDX-License-Identifier: MIT */
/*
 * hash.h: 64 bits that stand for a text, the same on every machine and for ever: they are written
 * into results. FNV-1a, and the finalizer of splitmix64 so that every bit of the end depends on
 * all.
 */
#ifndef TOOLS_COMMON_HASH_H
#define TOOLS_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_BEGIN UINT64_C(0xCBF29CE484222325)

/* The length comes before the bytes: no two lists of texts look alike. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const uint64_t prime = UINT64_C(0x100000001B3);
    const unsigned char *at = bytes;
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (count >> 8 * i & 0xFF)) * prime;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * prime;
    return hash;
}

static inline uint64_t hash_word(uint64_t hash, const char *word)
{
    return hash_bytes(hash, word, strlen(word));
}

static inline uint64_t hash_mix(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

#endif
