/* SPDX-License-Identifier: MIT */
/*
 * primary.c: what a caller may say about a surface that will be displayed.
 *
 * What the driver may answer for one stands in check_alloc.c and check_flag.c.
 */
#include "vidmm/allocation/allocation_make.h"

/* ALLOC-044: the page's constant for "not applicable" is 0, so the id is dropped, not refused. */
static vidmm_status check_source(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    if (primary_asked(args) || !args->vidpn_source)
        return STATUS_SUCCESS;
    return warn(adapter, RULE(ALLOC_044), 0, "%s: VidPnSourceId is ignored, it is no primary",
                args->label);
}

bool primary_asked(const struct vidmm_allocation_args *args)
{
    return (args->info_flags & VIDMM_INFO_Primary) ||
           (args->standard &&
            args->standard->type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);
}

vidmm_status primary_check(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    uint32_t defined = vidmm_flags_defined(VIDMM_FLAGS_INFO, adapter->setup->caps.wddm);
    uint32_t flags = args->info_flags & ~(uint32_t)VIDMM_INFO_OverridePriority; /* ALLOC-035 */
    if (flags & ~defined)
        return refuse(adapter, RULE(ALLOC_043), STATUS_INVALID_PARAMETER,
                      "%s: reserved bits 0x%x of D3DDDI_ALLOCATIONINFO.Flags are set", args->label,
                      flags & ~defined);
    if ((flags & VIDMM_INFO_Stereo) && !(flags & VIDMM_INFO_Primary))
        return refuse(adapter, RULE(ALLOC_043), STATUS_INVALID_PARAMETER,
                      "%s: Stereo is set without Primary", args->label);
    if (flags & VIDMM_INFO_Stereo)
        applies(adapter, RULE(ALLOC_043));
    return check_source(adapter, args);
}
