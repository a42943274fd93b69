/* SPDX-License-Identifier: MIT */
/*
 * foresee.h: the references of a run, as they are made, and how few misses they could have had.
 *
 *     foresee_start -> (references) -> foresee_end, once for each adapter
 */
#ifndef TOOLS_LAB_FORESEE_H
#define TOOLS_LAB_FORESEE_H

#include "tools/lab/metrics.h"
#include "tools/lab/optimum.h"
#include "vidmm/vidmm.h"
#include "vidmm/vidmm_eviction.h"

struct foresee {
    struct vidmm_foresight foresight; /* for scenario_host */
    const struct vidmm_adapter *adapter;
    struct optimum *optimum;
    uint64_t misses; /* that the adapter had counted */
};

void foresee_init(struct foresee *foresee);
void foresee_start(struct foresee *foresee, const struct vidmm_adapter *adapter);
/* It came or stays for other reasons than references: it was pinned. */
void foresee_pinned(struct foresee *foresee, vidmm_handle allocation);
/* Adds the bounds of this adapter. */
void foresee_end(struct foresee *foresee, struct metrics *metrics);

#endif
