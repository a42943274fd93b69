/* SPDX-License-Identifier: MIT */
/*
 * check_standard.c: what an answer to the creation of a standard allocation can break, one a line.
 */
#include "vidmm/allocation/check/allocation_check.h"

enum { CROSS_ADAPTER_PITCH = 128 };

static bool is_lockable(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    return surface && (surface->standard == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE ||
                       surface->standard == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE);
}

/* The types of GDI surfaces as bits; 0 for anything else. */
static uint32_t gdi_bit(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    bool gdi = surface && surface->standard == D3DKMDT_STANDARDALLOCATION_GDISURFACE;
    return gdi ? UINT32_C(1) << surface->gdi_type : 0;
}

#define GDI(name) (UINT32_C(1) << D3DKMDT_GDISURFACE_##name)

static const uint32_t gdi_visible = GDI(STAGING_CPUVISIBLE) | GDI(EXISTINGSYSMEM);
static const uint32_t gdi_hidden = GDI(TEXTURE) | GDI(STAGING) | GDI(LOOKUPTABLE);

static bool unseen(const struct answer *answer)
{
    return !answer_has(answer, ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND);
}

static bool lockable_unseen(const struct answer *answer)
{
    return is_lockable(answer) && unseen(answer);
}

static bool lockable_without_pitch(const struct answer *answer)
{
    return is_lockable(answer) && !answer->request->surface->pitch;
}

static bool gdi_unseen(const struct answer *answer)
{
    return (gdi_bit(answer) & gdi_visible) && unseen(answer);
}

static bool gdi_seen(const struct answer *answer)
{
    return (gdi_bit(answer) & gdi_hidden) && !unseen(answer);
}

static bool gdi_elsewhere(const struct answer *answer)
{
    return (gdi_bit(answer) & gdi_visible) && (answer->supported & ~answer->coherent);
}

static bool gdi_without_pitch(const struct answer *answer)
{
    return (gdi_bit(answer) & (gdi_visible | GDI(TEXTURE_CROSSADAPTER))) &&
           !answer->request->surface->pitch;
}

static bool gdi_odd_pitch(const struct answer *answer)
{
    return (gdi_bit(answer) & GDI(TEXTURE_CROSSADAPTER)) &&
           !is_aligned(answer->request->surface->pitch, CROSS_ADAPTER_PITCH);
}

static bool gdi_short(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    return (gdi_bit(answer) & gdi_visible) &&
           answer->raw->Size < (uint64_t)surface->pitch * surface->height;
}

const struct check standard_checks[] = {
    { RULE(ALLOC_047), lockable_unseen, "a shadow or staging surface is CpuVisible", 0 },
    { RULE(ALLOC_047), lockable_without_pitch, "the pitch of a shadow or staging surface is 0", 0 },
    { RULE(ALLOC_048), gdi_unseen, "this type of GDI surface is CpuVisible", 0 },
    { RULE(ALLOC_048), gdi_seen, "this type of GDI surface is not CpuVisible", 0 },
    { RULE(ALLOC_048), gdi_elsewhere,
      "this type of GDI surface lies in cache-coherent aperture segments only", 0 },
    { RULE(ALLOC_048), gdi_without_pitch, "the pitch of this type of GDI surface is 0", 0 },
    { RULE(ALLOC_048), gdi_odd_pitch, "the pitch of a cross-adapter surface is no multiple of 128",
      0 },
    { RULE(ALLOC_048), gdi_short, "Size is less than the pitch times the height", 0 },
    { VIDMM_RULE_NONE, NULL, NULL, 0 },
};
