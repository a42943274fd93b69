/* SPDX-License-Identifier: MIT */
/*
 * policies.h: the policies that are built in. They are found by vidmm_eviction_policy_row()
 * (vidmm/vidmm_eviction.h), in the order of the words of the setting.
 */
#ifndef SEGMENTS_POLICIES_H
#define SEGMENTS_POLICIES_H

#include "vidmm/vidmm_eviction.h"

extern const struct vidmm_eviction_policy eviction_arc;
extern const struct vidmm_eviction_policy eviction_belady;
extern const struct vidmm_eviction_policy eviction_clock;
extern const struct vidmm_eviction_policy eviction_fifo;
extern const struct vidmm_eviction_policy eviction_gds;
extern const struct vidmm_eviction_policy eviction_largest;
extern const struct vidmm_eviction_policy eviction_lru;
extern const struct vidmm_eviction_policy eviction_random;
extern const struct vidmm_eviction_policy eviction_s3_fifo;
extern const struct vidmm_eviction_policy eviction_sieve;
extern const struct vidmm_eviction_policy eviction_wddm;

#endif
