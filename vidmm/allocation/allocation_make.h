/* SPDX-License-Identifier: MIT */
/* allocation_make.h: steps of a birth or death that files of this folder share. Private to
 * vidmm/allocation. */
#ifndef VIDMM_ALLOCATION_MAKE_H
#define VIDMM_ALLOCATION_MAKE_H

#include "vidmm/allocation/allocation.h"
#include "vidmm/allocation/check/check.h"
#include "vidmm/share/share.h"

enum { CREATION_PRIVATE_ALIGN = 16 };

/* All steps; after a failure `creation` says how much there is to undo. */
vidmm_status creation_carry_out(struct creation *creation);
/* allocation_calls.c: the two calls of the driver. */
vidmm_status creation_call_driver(struct creation *creation);
vidmm_status creation_open(struct creation *creation);
/* MINI-040: only legal codes, and a handle for each: the rest ends the opening. */
vidmm_status creation_judge_open(adapter_t *adapter, const char *label, NTSTATUS answer);
vidmm_status creation_refuse_open(adapter_t *adapter, const struct allocation *allocation);
/* And the one that primaries have in addition, after them. */
vidmm_status creation_describe(struct creation *creation);
/* MINI-033: its handle is the driver's own, and no other allocation has it. */
vidmm_status allocation_keep_driver_handle(adapter_t *adapter, struct allocation *allocation,
                                           HANDLE handle);
/* What a call did to the driver's handle of a resource. */
const char *creation_resource_word(HANDLE before, HANDLE after);

/* Hands the store out to the driver, if its flags ask for that. */
vidmm_status creation_share_store(adapter_t *adapter, struct allocation *allocation);

/* ---- allocation_destroy.c ------------------------------------------------------------------- */

/* All of `list`, of one device, with one call each; `resource` goes with them when not NULL. */
vidmm_status allocation_destroy_all(adapter_t *adapter, struct allocation *const *list,
                                    size_t count, struct resource *resource);
/* MINI-043: what a driver answers to the end of allocations stops nothing. */
void allocation_judge_end(adapter_t *adapter, const char *ddi, NTSTATUS answer);
void allocation_tell_end(adapter_t *adapter, const struct allocation *allocation,
                         enum vidmm_rule rule);

/* ---- standard.c: allocations that the kernel creates ---------------------------------------- */

/* What the driver described, for one element of a creation. */
struct standard_answer {
    void *data; /* for the allocation, NULL when there is none */
    uint32_t bytes;
    void *resource_data;
    uint32_t resource_bytes;
    struct surface surface; /* what was asked for, and the pitch that the driver answered */
};

/*
 * ALLOC-045: DxgkDdiGetStandardAllocationDriverData for each standard element, before the creation.
 * Fills `creation->standards`; standard_fini() frees it in any case.
 */
vidmm_status standard_describe(struct creation *creation);
void standard_fini(struct creation *creation);

/* StandardAllocation: the one element is a surface made of the caller's memory. `heap` holds it as
   long as the creation lasts. */
struct existing_heap {
    struct vidmm_allocation_args args;
    struct vidmm_standard standard;
};
vidmm_status existing_heap_begin(struct creation *creation, struct existing_heap *heap);

/* Primary is set, or it is the shared primary. */
bool primary_asked(const struct vidmm_allocation_args *args);
/* The private data of element i, the caller's or the driver's own. */
const void *standard_private_data(const struct creation *creation, size_t i, uint32_t *bytes);
/* Remembers what is known about the picture, hint included (ALLOC-039). */
void standard_note(struct creation *creation, size_t i);

/* ---- allocation_advice.c: what should be otherwise about a new allocation ------------------- */

/* ALLOC-061: no segment of its eviction set can ever hold it. */
vidmm_status allocation_advice_eviction(adapter_t *adapter, const struct allocation *allocation);

/* FLAG-039: warns when the new allocation is the second of a bad pair, and remembers it. */
vidmm_status allocation_advice(adapter_t *adapter, struct allocation *allocation);
/* FLAG-018: what the caller declared about CPU access should fit to Cached. */
vidmm_status allocation_advice_cpu_use(adapter_t *adapter, const struct allocation *allocation,
                                       enum vidmm_cpu_use use);
void allocation_advice_count(adapter_t *adapter, const struct allocation *allocation, bool more);

/* ---- context_allocation.c ------------------------------------------------------------------- */

void context_allocation_forget(struct allocation *allocation);

/* ---- system_range.c ------------------------------------------------------------------------- */

/* Before it becomes a store: a range made of an allocation gets the pages of that. */
vidmm_status system_range_fetch(adapter_t *adapter, struct system_range *range);
/* The allocation goes away: its CPU address means nothing any more, lent pages stay. */
void system_range_orphan(adapter_t *adapter, struct allocation *allocation);

/* ---- shared.c: how shared resources are opened and closed ----------------------------------- */

/* A creation with CreateShared succeeded: its device is the first that has it open. */
void shared_begin(adapter_t *adapter, const struct creation *creation);
/* How a further device opens a resource. */
struct open_request {
    struct resource *resource;
    struct device *device;
    const struct allocation *named; /* NULL: the resource */
    const char *label;              /* or NULL */
    bool read_only;
};
/* DxgkDdiOpenAllocation; the caller has checked that the device may. */
vidmm_status shared_open(adapter_t *adapter, const struct open_request *request,
                         struct opening **opening);
/* The device gives it up; the last one takes the resource with it (ALLOC-006). May wait. */
vidmm_status shared_close(adapter_t *adapter, struct opening *opening);
/* The whole resource goes, whoever has it open: all but its owner close it first (MINI-041). */
void shared_close_others(adapter_t *adapter, struct resource *resource);
/* Its destruction cannot end: nobody shall use it by any handle. */
void shared_lose_names(adapter_t *adapter, struct resource *resource);
/* The resource goes, and its allocations after this: forgets who has it open. */
void shared_free(adapter_t *adapter, struct resource *resource);

/* Gives back what the manager holds for it. The driver does not know it any more. */
void allocation_free(adapter_t *adapter, struct allocation *allocation);

#endif
