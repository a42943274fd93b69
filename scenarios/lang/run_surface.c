/* SPDX-License-Identifier: MIT */
/*
 * run_surface.c: `create` for surfaces that are displayed: members of D3DDDI_ALLOCATIONINFO.
 */
#include "scenarios/lang/run_create.h"

static bool apply_flags(struct runner *runner, const struct attribute *attribute,
                        struct vidmm_allocation_args *args)
{
    uint32_t flags = 0;
    if (!run_create_flags(runner, attribute, VIDMM_FLAGS_INFO, &flags))
        return false;
    args->info_flags |= flags;
    args->override_priority |= (flags & VIDMM_INFO_OverridePriority) != 0;
    return true;
}

bool run_surface_apply(struct runner *runner, const struct attribute *attribute,
                       struct creation *creation, bool *known)
{
    uint64_t value = 0;
    struct vidmm_allocation_args *args = &creation->args;
    *known = true;
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_PRIMARY: args->info_flags |= VIDMM_INFO_Primary; return true;
    case ATTRIBUTE_CREATE_STEREO: args->info_flags |= VIDMM_INFO_Stereo; return true;
    case ATTRIBUTE_CREATE_INFO_FLAGS: return apply_flags(runner, attribute, args);
    case ATTRIBUTE_CREATE_MEMBER_VIDPN_SOURCE_ID:
        if (!evaluate(runner, attribute->items->from, &value))
            return false;
        args->vidpn_source = (uint32_t)value;
        return true;
    default: *known = false; return true;
    }
}
