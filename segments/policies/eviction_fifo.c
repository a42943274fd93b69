/* SPDX-License-Identifier: MIT */
/*
 * eviction_fifo.c: first in, first out. The oldest arrival leaves, however often it was used.
 */
#include "segments/policies/policies.h"

static uint64_t key(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return resident->arrival;
}

const struct vidmm_eviction_policy eviction_fifo = {
    .name = "fifo",
    .summary = "the oldest arrival",
    .source = "Belady, A study of replacement algorithms for a virtual-storage computer, 1966",
    .key = key,
};
