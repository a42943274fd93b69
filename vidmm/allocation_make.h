/* SPDX-License-Identifier: MIT */
/* allocation_make.h: one creation call on its way. Private to allocation*.c. */
#ifndef VIDMM_ALLOCATION_MAKE_H
#define VIDMM_ALLOCATION_MAKE_H

#include "vidmm/manager.h"

enum { CREATION_PRIVATE_ALIGN = 16 };

struct creation {
    adapter_t *adapter;
    struct device *device;
    struct resource *resource; /* NULL: they belong to the device */
    const struct vidmm_allocation_args *args;
    size_t count;
    struct standard_answer *standards; /* of `count` elements; NULL when none is standard */
    uint8_t *private_data;             /* room for a copy of what all elements bring */
    /* of `count` elements */
    DXGK_ALLOCATIONINFO *infos;
    DXGK_OPENALLOCATIONINFO *opens;
    struct allocation **made; /* NULL: not made yet */
    /* how far it came */
    bool created; /* the driver has it */
    bool opened;  /* the driver has opened it */
    bool joined;  /* it lives: an ordinary destruction ends it */
};

/* All steps; after a failure `creation` says how much there is to undo. */
vidmm_status creation_carry_out(struct creation *creation);
/* MINI-032, MINI-040. */
bool creation_code_is_legal(NTSTATUS status);

#endif
