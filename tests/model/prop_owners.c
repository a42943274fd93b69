/* SPDX-License-Identifier: MIT */
/* prop_owners.c: two devices and their open allocations, see prop_owners.h. */
#include "tests/model/prop_owners.h"
#include "vidmm/ddi/ntstatus.h"

#include <string.h>

bool prop_owners_start(struct prop_owners *owners, uint8_t device)
{
    static const char *const devices[] = { "dev0", "dev1" };
    static const char *const contexts[] = { "ctx0", "ctx1" };
    return vidmm_device_create(owners->adapter, devices[device], owners->process,
                               &owners->devices[device]) == STATUS_SUCCESS &&
           vidmm_context_create(owners->adapter, contexts[device], owners->devices[device], 0,
                                &owners->contexts[device]) == STATUS_SUCCESS;
}

uint8_t prop_owners_pick(const struct prop_owners *owners, uint8_t slot, uint8_t preferred)
{
    return owners->open[preferred][slot] ? preferred : (uint8_t)(1 - preferred);
}

vidmm_handle prop_owners_any(const struct prop_owners *owners, uint8_t slot)
{
    return owners->open[prop_owners_pick(owners, slot, 0)][slot];
}

bool prop_owners_in_place(const struct prop_owners *owners, uint8_t device, uint8_t slot,
                          bool write)
{
    struct vidmm_allocation_view view;
    vidmm_handle handle = owners->open[device][slot];
    if (!handle)
        return true;
    return vidmm_allocation_view(owners->adapter, handle, &view) &&
           view.residency == VIDMM_RESIDENCY_RESIDENT &&
           (write ? view.write_set : view.read_set) >> (view.segment - 1) & 1;
}

bool prop_owners_active(const struct prop_owners *owners, uint8_t device)
{
    return strcmp(vidmm_device_state(owners->adapter, owners->devices[device]), "active") == 0;
}

vidmm_status prop_owners_priority(const struct prop_owners *owners, const struct prop_op *op)
{
    const vidmm_handle handle = prop_owners_any(owners, op->slot);
    struct vidmm_priority_args args = { .allocations = &handle,
                                        .count = 1,
                                        .priorities = &op->value };
    return vidmm_set_priority(owners->adapter, &args);
}

vidmm_status prop_owners_offer(const struct prop_owners *owners, const struct prop_op *op)
{
    uint8_t device = prop_owners_pick(owners, op->slot, op->device);
    const struct vidmm_offer_args args = {
        .list = { .device = owners->devices[device],
                  .allocations = &owners->open[device][op->slot],
                  .count = 1 },
        .priority = op->value,
    };
    vidmm_status status = vidmm_wait_idle(owners->adapter);
    return status ? status : vidmm_offer(owners->adapter, &args);
}

vidmm_status prop_owners_reclaim(const struct prop_owners *owners, const struct prop_op *op)
{
    uint8_t device = prop_owners_pick(owners, op->slot, op->device);
    const struct vidmm_offer_list list = { .device = owners->devices[device],
                                           .allocations = &owners->open[device][op->slot],
                                           .count = 1 };
    uint32_t result = 0;
    vidmm_status status = vidmm_reclaim(owners->adapter, &list, &result);
    return status ? status : (vidmm_status)result;
}

vidmm_status prop_owners_destroy(struct prop_owners *owners, uint8_t slot)
{
    vidmm_handle handles[PROP_DEVICES];
    size_t count = 0;
    for (size_t device = 0; device < PROP_DEVICES; device++) {
        if (owners->open[device][slot])
            handles[count++] = owners->open[device][slot];
        owners->open[device][slot] = 0;
    }
    return vidmm_destroy(owners->adapter, handles, count);
}
