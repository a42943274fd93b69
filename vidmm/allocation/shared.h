/* SPDX-License-Identifier: MIT */
/* shared.h: how shared resources are opened and closed. Private to vidmm/allocation. */
#ifndef VIDMM_SHARED_H
#define VIDMM_SHARED_H

#include "vidmm/share/share.h"

struct creation;

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

#endif
