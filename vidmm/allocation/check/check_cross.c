/* SPDX-License-Identifier: MIT */
/*
 * check_cross.c: what an answer for a cross-adapter resource can break, one a line.
 *
 * Another adapter reads its pages as they lie: shared system memory, linear, write-combined, rows
 * of 128 bytes, four rows at a time. Whoever creates it with CrossAdapter has it CpuVisible; the
 * GDI texture, which the kernel asks for, is described as not CPU visible. A texture made of
 * existing memory is one row as long as the memory: nothing is rounded.
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

static bool is_texture(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    return surface && surface->standard == D3DKMDT_STANDARDALLOCATION_GDISURFACE &&
           surface->gdi_type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER;
}

static bool crosses(const struct answer *answer)
{
    return answer->request->cross_adapter || is_texture(answer);
}

static bool no_cap(const struct answer *answer)
{
    return crosses(answer) && !answer->adapter->setup->caps.cross_adapter;
}

static bool outside_apertures(const struct answer *answer)
{
    return crosses(answer) && (answer->supported & ~answer->apertures);
}

static bool cached(const struct answer *answer)
{
    return crosses(answer) && answer_has(answer, ALLOCATION_CACHED);
}

static bool swizzled(const struct answer *answer)
{
    return crosses(answer) && answer->view == VIDMM_FLAGS_ALLOCATION &&
           answer_has(answer, ALLOCATION_SWIZZLED);
}

static bool wrongly_visible(const struct answer *answer)
{
    bool visible = answer_has(answer, ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND);
    return crosses(answer) && visible == is_texture(answer);
}

/* One row of pixels; 0 where the bytes of a pixel are not known. */
static uint64_t row_bytes(const struct surface *surface)
{
    for (size_t i = 0; i < ARRAY_COUNT(pixels); i++)
        if (pixels[i].format == surface->format)
            return align_up((uint64_t)surface->width * pixels[i].bytes, PITCH_BYTES);
    return 0;
}

static bool small_pitch(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    return is_texture(answer) && surface->pitch && surface->pitch < row_bytes(surface);
}

static uint64_t least_bytes(const struct answer *answer)
{
    const struct surface *surface = answer->request->surface;
    if (answer->request->heap_bytes)
        return answer->request->heap_bytes;
    return row_bytes(surface) * align_up(surface->height, ROWS);
}

static bool too_small(const struct answer *answer)
{
    return is_texture(answer) && answer->raw->Size < least_bytes(answer);
}

const struct check cross_checks[] = {
    { RULE(ALLOC_050), no_cap, "a cross-adapter resource needs the cap CrossAdapterResource", 0 },
    { RULE(ALLOC_050), outside_apertures,
      "a cross-adapter resource may lie in aperture segments only", 0 },
    { RULE(ALLOC_050), cached, "a cross-adapter resource is write-combined and not Cached", 0 },
    { RULE(ALLOC_050), swizzled, "a cross-adapter resource is linear and not Swizzled", 0 },
    { RULE(ALLOC_050), wrongly_visible,
      "a cross-adapter resource is CpuVisible, but for the GDI texture, which is not", 0 },
    { RULE(ALLOC_050), small_pitch, "the pitch is less than a row, rounded up to 128 bytes", 0 },
    { RULE(ALLOC_051), too_small,
      "Size is less than the rounded pitch times the height, rounded up to 4 rows", 0 },
    { VIDMM_RULE_NONE, NULL, NULL, 0 },
};
