/* SPDX-License-Identifier: MIT */
/*
 * prop_owners.h: two devices, and the open allocations of each. Private to prop_run.c and
 * prop_owners.c.
 *
 * Most allocations belong to one device. A shared one may be open on both; it is in the model for
 * as long as one of them has it open. All outstanding locks of an allocation are of one device.
 */
#ifndef TESTS_PROP_OWNERS_H
#define TESTS_PROP_OWNERS_H

#include "tests/model/prop_manager.h"

struct prop_owners {
    struct vidmm_adapter *adapter;
    vidmm_handle process;
    vidmm_handle devices[PROP_DEVICES], contexts[PROP_DEVICES];
    vidmm_handle open[PROP_DEVICES][MODEL_ALLOCATIONS]; /* 0: not open there */
    uint8_t lock_device[MODEL_ALLOCATIONS];
};

/* Makes a device and its context; false when that fails. */
bool prop_owners_start(struct prop_owners *owners, uint8_t device);
/* Of those that have it open the preferred one, else the other. */
uint8_t prop_owners_pick(const struct prop_owners *owners, uint8_t slot, uint8_t preferred);
/* A handle that is open; 0: none. */
vidmm_handle prop_owners_any(const struct prop_owners *owners, uint8_t slot);
/* Everything that is open of it; the status of the first that failed. */
/* Is it where this device may use it? Yes, when the device does not have it open. */
bool prop_owners_in_place(const struct prop_owners *owners, uint8_t device, uint8_t slot,
                          bool write);
bool prop_owners_active(const struct prop_owners *owners, uint8_t device);
/* Operations on open allocations of one device. All work that refers to one has run before an
 * offer. A reclaim answers the result that it is given. */
vidmm_status prop_owners_priority(const struct prop_owners *owners, const struct prop_op *op);
vidmm_status prop_owners_offer(const struct prop_owners *owners, const struct prop_op *op);
vidmm_status prop_owners_reclaim(const struct prop_owners *owners, const struct prop_op *op);
vidmm_status prop_owners_destroy(struct prop_owners *owners, uint8_t slot);

#endif
