/* SPDX-License-Identifier: MIT */
/*
 * mock_standard.c: the mock describes standard allocations, as every driver has to.
 *
 * The private data that it answers is the same structure as that of any other creation.
 * vidmm_mock_standard_set() says what comes next; the defaults here are those of a driver without
 * manners worth mentioning.
 *
 * Rules not named below: ALLOC-045, ALLOC-047, ALLOC-048, ALLOC-051 from the driver's side.
 */
#include "vidmm/mock/mock_faults.h"

enum { PITCH_ALIGN = 64, CROSS_ADAPTER_PITCH_ALIGN = 128, CROSS_ADAPTER_ROWS = 4 };

static uint32_t bytes_per_pixel(uint32_t format)
{
    switch (format) {
    case D3DDDIFMT_UNKNOWN: /* existing memory: bytes that are no picture */
    case D3DDDIFMT_A8:
    case D3DDDIFMT_P8: return 1;
    case D3DDDIFMT_R5G6B5:
    case D3DDDIFMT_X1R5G5B5:
    case D3DDDIFMT_A1R5G5B5: return 2;
    case D3DDDIFMT_R8G8B8: return 3;
    case D3DDDIFMT_A16B16G16R16F: return 8;
    default: return 4;
    }
}

/* ---- what an ordinary driver answers -------------------------------------------------------- */

static uint32_t segments_with(const struct vidmm_mock_config *config, DXGK_SEGMENTFLAGS mask,
                              DXGK_SEGMENTFLAGS flags)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < config->segment_count && i < VIDMM_SEGMENTS_MAX; i++)
        if ((config->segments[i].flags & mask.Value) == flags.Value)
            set |= UINT32_C(1) << i;
    return set;
}

static void answer_gdi(const struct vidmm_mock_config *config, uint32_t gdi_type,
                       struct vidmm_mock_allocation *answer)
{
    const DXGK_SEGMENTFLAGS aperture = { .Aperture = 1 };
    const DXGK_SEGMENTFLAGS coherent = { .Aperture = 1, .CacheCoherent = 1 };
    DXGK_ALLOCATIONINFOFLAGS flags = { .Value = 0 };
    uint32_t set = 0;
    if (gdi_type == D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE ||
        gdi_type == D3DKMDT_GDISURFACE_EXISTINGSYSMEM) {
        flags.CpuVisible = 1;
        set = segments_with(config, coherent, coherent);
    }
    if (gdi_type == D3DKMDT_GDISURFACE_EXISTINGSYSMEM)
        flags.ExistingSysMem = 1;
    if (gdi_type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER)
        set = segments_with(config, aperture, aperture);
    answer->flags = flags.Value;
    if (set)
        answer->read_set = answer->write_set = set;
}

void vidmm_mock_standard_defaults(const struct vidmm_mock_config *config, uint32_t type,
                                  uint32_t gdi_type, struct vidmm_mock_standard *standard)
{
    const DXGK_SEGMENTFLAGS aperture = { .Aperture = 1 };
    const DXGK_SEGMENTFLAGS visible = { .CpuVisible = 1 };
    const DXGK_SEGMENTFLAGS either = { .Aperture = 1, .CpuVisible = 1 };
    const DXGK_ALLOCATIONINFOFLAGS seen = { .CpuVisible = 1 };
    struct vidmm_mock_allocation *answer = &standard->answer;
    uint32_t set = 0;
    standard->bytes = sizeof *answer;
    standard->resource_bytes = 0;
    standard->pitched = false;
    if (type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE)
        set = segments_with(config, either, visible);
    if (type == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE ||
        type == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE) {
        answer->flags = seen.Value;
        set = segments_with(config, aperture, aperture);
    }
    if (set)
        answer->read_set = answer->write_set = set;
    if (type == D3DKMDT_STANDARDALLOCATION_GDISURFACE)
        answer_gdi(config, gdi_type, answer);
}

void vidmm_mock_heap_defaults(const struct vidmm_mock_config *config,
                              struct vidmm_mock_allocation *answer)
{
    DXGK_ALLOCATIONINFOFLAGS flags = { .ExistingSysMem = 1 };
    answer_gdi(config, D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER, answer);
    answer->flags = flags.Value;
}

void vidmm_mock_next_allocations(struct vidmm_mock *mock, const struct vidmm_mock_allocation *list,
                                 size_t count)
{
    BASE_GROW(mock->wishes, mock->wish_capacity, count);
    memcpy(mock->wishes, list, count * sizeof *list);
    mock->wish_count = count;
}

void vidmm_mock_standard_set(struct vidmm_mock *mock, const struct vidmm_mock_standard *standard)
{
    mock->standard = *standard;
}

/* ---- the call ------------------------------------------------------------------------------- */

static uint32_t pitch_of(const struct vidmm_mock *mock, uint32_t width, uint32_t format,
                         uint32_t align)
{
    if (mock->standard.pitched)
        return mock->standard.pitch;
    return (uint32_t)align_up((uint64_t)width * bytes_per_pixel(format), align);
}

/* A surface for other adapters has whole groups of rows; existing memory is as it is. */
static uint64_t measure_gdi(const struct vidmm_mock *mock, D3DKMDT_GDISURFACEDATA *gdi)
{
    bool cross = gdi->Type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER;
    uint64_t rows = gdi->Height;
    gdi->Pitch =
        pitch_of(mock, gdi->Width, gdi->Format, cross ? CROSS_ADAPTER_PITCH_ALIGN : PITCH_ALIGN);
    if (cross && gdi->Format != D3DDDIFMT_UNKNOWN)
        rows = align_up(rows, CROSS_ADAPTER_ROWS);
    return gdi->Pitch * rows;
}

/* Answers the pitch where the structure has one; returns the bytes of the picture. */
static uint64_t mock_standard_measure(const struct vidmm_mock *mock,
                                      const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arg)
{
    D3DKMDT_SHADOWSURFACEDATA *shadow = arg->pCreateShadowSurfaceData;
    D3DKMDT_STAGINGSURFACEDATA *staging = arg->pCreateStagingSurfaceData;
    const D3DKMDT_SHAREDPRIMARYSURFACEDATA *primary = arg->pCreateSharedPrimarySurfaceData;
    switch (arg->StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        return (uint64_t)pitch_of(mock, primary->Width, primary->Format, PITCH_ALIGN) *
               primary->Height;
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        shadow->Pitch = pitch_of(mock, shadow->Width, shadow->Format, PITCH_ALIGN);
        return (uint64_t)shadow->Pitch * shadow->Height;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        staging->Pitch = pitch_of(mock, staging->Width, D3DDDIFMT_X8R8G8B8, PITCH_ALIGN);
        return (uint64_t)staging->Pitch * staging->Height;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        return measure_gdi(mock, arg->pCreateGdiSurfaceData);
    default: return arg->pCreateVirtualGpuSurfaceData->Size;
    }
}

/* Null data pointers: only the sizes are asked for. */
NTSTATUS mock_standard_driver_data(IN_CONST_HANDLE adapter,
                                   INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg)
{
    struct vidmm_mock *mock = adapter;
    const struct vidmm_mock_standard *standard = &mock->standard;
    struct vidmm_mock_allocation answer = standard->answer;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_STANDARD_STATUS);
    if (status)
        return status;
    uint64_t bytes = mock_standard_measure(mock, arg);
    if (!answer.size)
        answer.size = bytes;
    /* A driver knows the picture of a shared primary when it has to describe it (MINI-044). */
    const D3DKMDT_SHAREDPRIMARYSURFACEDATA *primary = arg->pCreateSharedPrimarySurfaceData;
    if (!answer.hinted &&
        arg->StandardAllocationType == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE) {
        answer.hint.v1.Width = primary->Width;
        answer.hint.v1.Height = primary->Height;
        answer.hint.v1.Format = primary->Format;
    }
    /* The creation that follows may bring too little of this back. */
    if (mock->wish_count == 1)
        mock->wishes[0] = answer;
    if (arg->pAllocationPrivateDriverData)
        memcpy(arg->pAllocationPrivateDriverData, &answer,
               min_u64(sizeof answer, arg->AllocationPrivateDriverDataSize));
    if (arg->pResourcePrivateDriverData)
        memcpy(arg->pResourcePrivateDriverData, &answer,
               min_u64(sizeof answer, arg->ResourcePrivateDriverDataSize));
    arg->AllocationPrivateDriverDataSize = standard->bytes;
    arg->ResourcePrivateDriverDataSize = standard->resource_bytes;
    return STATUS_SUCCESS;
}
