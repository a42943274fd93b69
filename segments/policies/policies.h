/* SPDX-License-Identifier: MIT */
/*
 * policies.h: the policies that are built in. They are found by vidmm_placement_policy_row()
 * (vidmm/vidmm_policy.h) and vidmm_eviction_policy_row() (vidmm/vidmm_eviction.h), in the order of
 * the words of the settings.
 */
#ifndef SEGMENTS_POLICIES_H
#define SEGMENTS_POLICIES_H

#include "vidmm/vidmm_eviction.h"
#include "vidmm/vidmm_policy.h"

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

extern const struct vidmm_placement_policy placement_best_fit;
extern const struct vidmm_placement_policy placement_buddy;
extern const struct vidmm_placement_policy placement_next_fit;
extern const struct vidmm_placement_policy placement_segregated;
extern const struct vidmm_placement_policy placement_wddm;
extern const struct vidmm_placement_policy placement_worst_fit;

#endif
