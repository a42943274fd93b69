/* SPDX-License-Identifier: MIT */
/*
 * use_part.h: what vidmm/submit keeps of each allocation. It alone writes it.
 */
#ifndef VIDMM_USE_PART_H
#define VIDMM_USE_PART_H

#include <stdint.h>

struct use_part {
    uint64_t listed_in;   /* preparation whose allocation list names it (SUBMIT-008) */
    uint64_t packed_in;   /* packet whose bindings name it (SUBMIT-063) */
    uint64_t bound_write; /* preparation that binds it for writing */
};

#endif
