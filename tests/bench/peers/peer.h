/* SPDX-License-Identifier: MIT */
/*
 * peer.h: an allocator of ranges as replay.c asks it: vidmm's, or a peer's. One at a time.
 *
 * A slot is the number of a live range, and comes again after its release: what an allocator wants
 * to be kept for a range is kept there.
 */
#ifndef TESTS_BENCH_PEERS_PEER_H
#define TESTS_BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes, alignments and offsets are multiples of `page`, all in bytes. False: it cannot have a
   range of this size. */
bool peer_open(uint64_t bytes, uint64_t page, size_t slots);
/* The offset; UINT64_MAX: there is no room. `high`: from the end, if it can. */
uint64_t peer_take(size_t slot, uint64_t bytes, uint64_t alignment, bool high);
void peer_release(size_t slot);

#ifdef __cplusplus
}
#endif

#endif
