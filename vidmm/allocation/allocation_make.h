/* SPDX-License-Identifier: MIT */
/* allocation_make.h: one creation call on its way. Private to allocation*.c. */
#ifndef VIDMM_ALLOCATION_MAKE_H
#define VIDMM_ALLOCATION_MAKE_H

#include "vidmm/manager.h"

enum { CREATION_PRIVATE_ALIGN = 16 };

struct creation {
    adapter_t *adapter;
    const struct vidmm_creation_args *call;
    uint32_t flags; /* of the call, those that the interface version has */
    struct device *device;
    struct resource *resource; /* NULL: they stand alone on the device */
    bool new_resource;         /* made by this call */
    const struct vidmm_allocation_args *args;
    size_t count;
    uint64_t heap_bytes;               /* ExistingHeapData.Size of a StandardAllocation, else 0 */
    struct standard_answer *standards; /* of `count` elements; NULL when none is standard */
    uint8_t *private_data;             /* room for a copy of what the call and all elements bring */
    /* of `count` elements */
    DXGK_ALLOCATIONINFO *infos;
    DXGK_OPENALLOCATIONINFO *opens;
    struct allocation **made; /* NULL: not made yet */
    /* how far it came */
    bool created; /* the driver has it */
    bool opened;  /* the driver has opened it */
    bool joined;  /* it lives: an ordinary destruction ends it */
};

/* For messages: the first allocation, or what has none. */
static inline const char *creation_label(const struct creation *creation)
{
    return creation->count ? creation->args[0].label : "resource";
}

/* check_kmt.c: finds device and resource, refuses what the flags of the call do not allow. */
vidmm_status creation_check(struct creation *creation);
/* All steps; after a failure `creation` says how much there is to undo. */
vidmm_status creation_carry_out(struct creation *creation);
/* allocation_calls.c: the two calls of the driver. */
vidmm_status creation_call_driver(struct creation *creation);
vidmm_status creation_open(struct creation *creation);
/* And the one that primaries have in addition, behind them. */
vidmm_status creation_describe(struct creation *creation);
/* The steps that context_allocation.c takes, too. */
struct allocation *allocation_new(const adapter_t *adapter, const char *label);
vidmm_status allocation_charge(adapter_t *adapter, struct allocation *allocation);
vidmm_status allocation_keep_driver_handle(adapter_t *adapter, struct allocation *allocation,
                                           HANDLE handle);
/* MINI-032, MINI-040. */
bool creation_code_is_legal(NTSTATUS status);
/* What a call did to the driver's handle of a resource. */
const char *creation_resource_word(HANDLE before, HANDLE after);

/* allocation_store.c: hands the store out to the driver, if its flags ask for that. */
vidmm_status creation_share_store(adapter_t *adapter, struct allocation *allocation);

#endif
