/* SPDX-License-Identifier: MIT */
/*
 * optimum.h: how few misses can there be, whatever the order in which allocations leave?
 *
 * Where all allocations have one size, Belady's MIN gives the exact optimum for references one
 * after the other: L. A. Belady, "A study of replacement algorithms for a virtual-storage
 * computer", IBM Systems Journal 5(2), 1966. For unequal sizes the optimum is NP-hard; PFOO-L is a
 * lower bound: D. S. Berger, N. Beckmann, M. Harchol-Balter, "Practical bounds on optimal caching
 * with variable object sizes", POMACS 2(2), 2018. A hit needs the size of an allocation for as
 * many references as passed since its last one; the cheapest hits are taken until capacity times
 * references is used up. Nothing that can happen has fewer misses; some order may have more than
 * that and still be the best.
 */
#ifndef TOOLS_LAB_OPTIMUM_H
#define TOOLS_LAB_OPTIMUM_H

#include <stdbool.h>
#include <stdint.h>

enum { OPTIMUM_SEGMENTS = 31 };

struct optimum;
struct optimum *optimum_new(void);
void optimum_free(struct optimum *optimum);

/* A reference to what can be in the segments of `set` (bit n: segment n + 1). `hit`: it was there.
 */
void optimum_use(struct optimum *optimum, uint64_t object, uint64_t bytes, uint32_t set, bool hit);
/* It comes and stays for other reasons than references: its references count for nothing. */
void optimum_exempt(struct optimum *optimum, uint64_t object);

struct optimum_bounds {
    bool known; /* not with more references than are remembered */
    uint64_t misses, miss_bytes;
};
/* `bytes` of segment n + 1 is bytes[n]. */
void optimum_bounds(const struct optimum *optimum, const uint64_t *bytes,
                    struct optimum_bounds *bounds);

#endif
