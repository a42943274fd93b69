/* SPDX-License-Identifier: MIT */
/*
 * vidmm_share.h: one resource and several devices, part of vidmm.h.
 *
 * A resource created with CreateShared belongs to the adapter (ALLOC-006): other devices open it,
 * as a whole and with handles of their own, and it goes when the last one closes it. The handles of
 * the creation name resource and allocations until then, for events and for looking; for use by
 * their device only as long as that one has not closed them.
 */
#ifndef VIDMM_SHARE_H
#define VIDMM_SHARE_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/*
 * D3DKMTOpenResource. `shared` is any handle of the resource or of one of its allocations, and
 * stands for hGlobalShare or the NT handle by which the opener knows it; `*handle` becomes the
 * device's own handle of the same. `label`, or NULL, is copied: vidmm_label() of that handle, and
 * of a resource `label[0]`, `label[1]` ... of its allocations. Refused with
 * STATUS_INVALID_PARAMETER: ALLOC-049 (not shared), KMT-003 (no such device), KMT-011, KMT-014,
 * KMT-016; with STATUS_DEVICE_REMOVED when the device is in error or the adapter gone; otherwise as
 * the miniport answers.
 */
VIDMM_CHECKED vidmm_status vidmm_open(struct vidmm_adapter *adapter, const char *label,
                                      vidmm_handle device, vidmm_handle shared,
                                      vidmm_handle *handle);
/* Allocation `index` of a resource, as the device of this handle has it open; 0 behind the last. */
vidmm_handle vidmm_resource_member(const struct vidmm_adapter *adapter, vidmm_handle resource,
                                   size_t index);
/*
 * The device of this handle gives the whole resource up; waits for its own packets only. The last
 * close destroys it. vidmm_destroy() of a handle of a shared resource does the same.
 */
VIDMM_CHECKED vidmm_status vidmm_close(struct vidmm_adapter *adapter, vidmm_handle handle);
/*
 * D3DKMTShareObjects: makes an NT handle for a resource created with NtSecuritySharing (KMT-017).
 * With `read_only` it carries no write access: those who open by it can only read. The last one
 * counts. `*nt_handle` is 0 when the call fails.
 */
VIDMM_CHECKED vidmm_status vidmm_share(struct vidmm_adapter *adapter, const vidmm_handle *objects,
                                       size_t count, bool read_only, uint32_t *nt_handle);
/* Lets a device open a resource that was created with RestrictSharedAccess (KMT-014). */
VIDMM_CHECKED vidmm_status vidmm_grant(struct vidmm_adapter *adapter, vidmm_handle shared,
                                       vidmm_handle device);

#ifdef __cplusplus
}
#endif
#endif
