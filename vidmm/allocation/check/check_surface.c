/* SPDX-License-Identifier: MIT */
/*
 * check_surface.c: what an answer can break for what the kernel describes itself: a standard
 * allocation (ALLOC-047, ALLOC-048), and a cross-adapter resource (ALLOC-050, ALLOC-051).
 *
 * Another adapter reads the pages of a cross-adapter resource as they lie: shared system memory,
 * linear, write-combined, rows of 128 bytes, four rows at a time. Whoever creates it with
 * CrossAdapter has it CpuVisible; the GDI texture, which the kernel asks for, is described as not
 * CPU visible. A texture made of existing memory is one row as long as the memory: nothing is
 * rounded.
 */
#include "vidmm/allocation/check/allocation_check.h"

enum { PITCH_BYTES = 128, ROWS = 4 };

static const struct {
    uint32_t format, bytes;
} pixels[] = {
    { D3DDDIFMT_UNKNOWN, 1 }, /* bytes that nobody draws */
    { D3DDDIFMT_R8G8B8, 3 },
    { D3DDDIFMT_A8R8G8B8, 4 },
    { D3DDDIFMT_X8R8G8B8, 4 },
    { D3DDDIFMT_R5G6B5, 2 },
    { D3DDDIFMT_X1R5G5B5, 2 },
    { D3DDDIFMT_A1R5G5B5, 2 },
    { D3DDDIFMT_A8, 1 },
    { D3DDDIFMT_A2B10G10R10, 4 },
    { D3DDDIFMT_A8B8G8R8, 4 },
    { D3DDDIFMT_X8B8G8R8, 4 },
    { D3DDDIFMT_A2R10G10B10, 4 },
    { D3DDDIFMT_P8, 1 },
    { D3DDDIFMT_A16B16G16R16F, 8 },
};

#define GDI(name) (UINT32_C(1) << D3DKMDT_GDISURFACE_##name)

static const uint32_t gdi_visible = GDI(STAGING_CPUVISIBLE) | GDI(EXISTINGSYSMEM);
static const uint32_t gdi_hidden = GDI(TEXTURE) | GDI(STAGING) | GDI(LOOKUPTABLE);

/* The types of GDI surfaces as bits; 0 for anything else. */
static uint32_t gdi_bit(const struct surface *surface)
{
    bool gdi = surface && surface->standard == D3DKMDT_STANDARDALLOCATION_GDISURFACE;
    return gdi ? UINT32_C(1) << surface->gdi_type : 0;
}

static void check_standard(struct verdict *verdict, const struct answer *answer,
                           const struct surface *surface)
{
    uint32_t gdi = gdi_bit(surface);
    bool visible = answer_has(answer, ALLOCATION_ANY_VISIBLE);
    bool lockable = surface->standard == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE ||
                    surface->standard == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE;
    verdict_if(verdict, RULE(ALLOC_047), lockable && !visible,
               "a shadow or staging surface is CpuVisible");
    verdict_if(verdict, RULE(ALLOC_047), lockable && !surface->pitch,
               "the pitch of a shadow or staging surface is 0");
    verdict_if(verdict, RULE(ALLOC_048), (gdi & gdi_visible) && !visible,
               "this type of GDI surface is CpuVisible");
    verdict_if(verdict, RULE(ALLOC_048), (gdi & gdi_hidden) && visible,
               "this type of GDI surface is not CpuVisible");
    verdict_if(verdict, RULE(ALLOC_048),
               (gdi & (gdi_visible | GDI(TEXTURE_CROSSADAPTER))) && !surface->pitch,
               "the pitch of this type of GDI surface is 0");
    verdict_if(verdict, RULE(ALLOC_048),
               (gdi & GDI(TEXTURE_CROSSADAPTER)) && !is_aligned(surface->pitch, PITCH_BYTES),
               "the pitch of a cross-adapter surface is no multiple of 128");
    verdict_if(verdict, RULE(ALLOC_048),
               (gdi & gdi_visible) &&
                   answer->raw->Size < (uint64_t)surface->pitch * surface->height,
               "Size is less than the pitch times the height");
}

/* One row of pixels; 0 where the bytes of a pixel are not known. */
static uint64_t row_bytes(const struct surface *surface)
{
    for (size_t i = 0; i < ARRAY_COUNT(pixels); i++)
        if (pixels[i].format == surface->format)
            return align_up((uint64_t)surface->width * pixels[i].bytes, PITCH_BYTES);
    return 0;
}

static void check_cross_adapter(struct verdict *verdict, const struct answer *answer, bool texture)
{
    verdict_if(verdict, RULE(ALLOC_050), !answer->adapter->setup->caps.cross_adapter,
               "a cross-adapter resource needs the cap CrossAdapterResource");
    verdict_if(verdict, RULE(ALLOC_050), answer_has(answer, ALLOCATION_CACHED),
               "a cross-adapter resource is write-combined and not Cached");
    verdict_if(verdict, RULE(ALLOC_050),
               answer->view == VIDMM_FLAGS_ALLOCATION && answer_has(answer, ALLOCATION_SWIZZLED),
               "a cross-adapter resource is linear and not Swizzled");
    verdict_if(verdict, RULE(ALLOC_050), answer_has(answer, ALLOCATION_ANY_VISIBLE) == texture,
               "a cross-adapter resource is CpuVisible, but for the GDI texture, which is not");
}

void check_surface_set(struct verdict *verdict, const struct answer *answer)
{
    uint32_t gdi = gdi_bit(answer->request->surface);
    bool crosses = answer->request->cross_adapter || (gdi & GDI(TEXTURE_CROSSADAPTER));
    verdict_if(verdict, RULE(ALLOC_048),
               (gdi & gdi_visible) && (answer->supported & ~answer->coherent),
               "this type of GDI surface lies in cache-coherent aperture segments only");
    verdict_if(verdict, RULE(ALLOC_050), crosses && (answer->supported & ~answer->apertures),
               "a cross-adapter resource may lie in aperture segments only");
}

void check_surface(struct verdict *verdict, const struct answer *answer)
{
    const struct allocation_request *request = answer->request;
    const struct surface *surface = request->surface;
    bool texture = gdi_bit(surface) & GDI(TEXTURE_CROSSADAPTER);
    if (surface)
        check_standard(verdict, answer, surface);
    check_surface_set(verdict, answer);
    if (request->cross_adapter || texture)
        check_cross_adapter(verdict, answer, texture);
    if (!texture)
        return;
    uint64_t row = row_bytes(surface);
    verdict_if(verdict, RULE(ALLOC_050), surface->pitch && surface->pitch < row,
               "the pitch is less than a row, rounded up to 128 bytes");
    verdict_if(verdict, RULE(ALLOC_051),
               answer->raw->Size < (request->heap_bytes ? request->heap_bytes
                                                        : row * align_up(surface->height, ROWS)),
               "Size is less than the rounded pitch times the height, rounded up to 4 rows");
}
