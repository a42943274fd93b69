/* SPDX-License-Identifier: MIT */
/*
 * transfer_part.h: what paging/buffer keeps of each allocation. It alone writes it.
 */
#ifndef PAGING_TRANSFER_PART_H
#define PAGING_TRANSFER_PART_H

#include <stdbool.h>
#include <stdint.h>

/* What a reset cut off: see paging_job.c. */
enum aborted { ABORTED_NOTHING, ABORTED_IN, ABORTED_FILL, ABORTED_OUT };

struct transfer_part {
    uint32_t *fences;       /* last fence per node that refers to it (SUBMIT-062) */
    uint32_t *write_fences; /* the same, WriteOperation and paging only */
    uint32_t dirty_count;   /* raised whenever gpu_dirty is set: PAGE-034 clears only what it saw */
    bool gpu_dirty;         /* PAGE-033 */
    bool last_notified_resident; /* what the driver heard last (MINI-079) */
    enum aborted aborted : 8;    /* during the clean-up after a reset only */
    uint64_t paged_in_bytes, paged_out_bytes;
};

#endif
