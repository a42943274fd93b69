/* SPDX-License-Identifier: MIT */
/*
 * standard.c: allocations that the kernel creates without a user-mode driver.
 *
 * The driver describes each before it is created: a first call asks for the sizes of its private
 * data, a second one for the data and the pitch. Then the normal creation runs with that data. What
 * the driver may answer to the creation stands in check_surface.c.
 *
 * StandardAllocation of the kernel thunk makes a cross-adapter resource of memory, or of a section,
 * that the caller has. The caller brings no private data of a driver: the kernel asks the miniport
 * to describe a GDI surface as long as the memory, and creates that. What the call may say stands
 * in check_kmt.c.
 *
 * Rules not named below: ALLOC-039.
 */
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/allocation_state.h"

/* No driver needs more; a size beyond is nonsense. */
enum { PRIVATE_BYTES_MAX = 1024 * 1024 };

union surface_data {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary;
    D3DKMDT_SHADOWSURFACEDATA shadow;
    D3DKMDT_STAGINGSURFACEDATA staging;
    D3DKMDT_GDISURFACEDATA gdi;
    D3DKMDT_VIRTUALGPUSURFACEDATA virtual_gpu;
};

/* ---- what is asked for ---------------------------------------------------------------------- */

static vidmm_status check_type(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    const struct vidmm_standard *standard = args->standard;
    if (standard->type < D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE ||
        standard->type > D3DKMDT_STANDARDALLOCATION_VGPU)
        return refuse(adapter, RULE(ALLOC_045), STATUS_INVALID_PARAMETER,
                      "%s: %u is no type of standard allocations", args->label, standard->type);
    bool gdi = standard->type == D3DKMDT_STANDARDALLOCATION_GDISURFACE;
    bool used = standard->gdi_type <= D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER &&
                standard->gdi_type != D3DKMDT_GDISURFACE_TEXTURE_CPUVISIBLE;
    if (gdi && standard->gdi_type == D3DKMDT_GDISURFACE_INVALID)
        return refuse(adapter, RULE(ALLOC_048), STATUS_INVALID_PARAMETER,
                      "%s: the type of the GDI surface is missing (gdi-type)", args->label);
    if (gdi && !used)
        return refuse(adapter, RULE(ALLOC_048), STATUS_INVALID_PARAMETER,
                      "%s: no driver creates GDI surfaces of type %u", args->label,
                      standard->gdi_type);
    uint32_t since = standard->type == D3DKMDT_STANDARDALLOCATION_VGPU ? VIDMM_WDDM_2_1
                     : !gdi                                            ? VIDMM_WDDM_1_0
                     : standard->gdi_type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER
                         ? VIDMM_WDDM_1_3
                         : VIDMM_WDDM_1_1;
    if (adapter->setup->caps.wddm < since)
        return refuse(adapter, gdi ? RULE(ALLOC_048) : RULE(ALLOC_045), STATUS_INVALID_PARAMETER,
                      "%s: this standard allocation exists from %u.%u on", args->label, since / 10,
                      since % 10);
    return STATUS_SUCCESS;
}

/* ALLOC-047: a shadow is a second copy of the primary. */
static vidmm_status match_primary(adapter_t *adapter, const char *label, struct surface *shadow)
{
    const struct surface *primary =
        adapter->allocations->shared_primary ? adapter->allocations->shared_primary->surface : NULL;
    if (primary && !shadow->width && !shadow->height && !shadow->format) {
        shadow->width = primary->width;
        shadow->height = primary->height;
        shadow->format = primary->format;
    }
    if (!primary || (shadow->width == primary->width && shadow->height == primary->height &&
                     shadow->format == primary->format))
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(ALLOC_047), STATUS_INVALID_PARAMETER,
                  "%s: a shadow has the size and format of the primary, %u x %u", label,
                  primary->width, primary->height);
}

static vidmm_status check_surface(adapter_t *adapter, const char *label, struct surface *surface)
{
    vidmm_status status = STATUS_SUCCESS;
    if (surface->standard == D3DKMDT_STANDARDALLOCATION_VGPU)
        return STATUS_SUCCESS; /* its size and alignment are given */
    if (surface->standard == D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE)
        status = match_primary(adapter, label, surface);
    if (surface->standard == D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE) {
        if (surface->format && surface->format != D3DDDIFMT_X8R8G8B8)
            return refuse(adapter, RULE(ALLOC_047), STATUS_INVALID_PARAMETER,
                          "%s: a staging surface is always X8R8G8B8", label);
        surface->format = D3DDDIFMT_X8R8G8B8; /* the structure does not even ask for alpha */
    }
    if (!status && (!surface->width || !surface->height || !surface->format))
        status = refuse(adapter, RULE(ALLOC_045), STATUS_INVALID_PARAMETER,
                        "%s: a standard surface has a width, a height and a format", label);
    return status;
}

/* ---- the calls ------------------------------------------------------------------------------ */

static void fill_data(const struct vidmm_allocation_args *args, const struct surface *surface,
                      union surface_data *data)
{
    D3DDDIFORMAT format = (D3DDDIFORMAT)surface->format;
    UINT width = surface->width, height = surface->height;
    switch (surface->standard) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        data->primary = (D3DKMDT_SHAREDPRIMARYSURFACEDATA){
            width, height, format, { 60, 1 }, args->vidpn_source
        };
        break;
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        data->shadow = (D3DKMDT_SHADOWSURFACEDATA){ width, height, format, 0 };
        break;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        data->staging = (D3DKMDT_STAGINGSURFACEDATA){ width, height, 0 };
        break;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        data->gdi = (D3DKMDT_GDISURFACEDATA){
            width, height, format, (D3DKMDT_GDISURFACETYPE)surface->gdi_type, { { { 0 } } }, 0
        };
        break;
    default:
        data->virtual_gpu =
            (D3DKMDT_VIRTUALGPUSURFACEDATA){ args->standard->bytes, args->standard->alignment,
                                             args->standard->segment, 0 };
        break;
    }
}

static uint32_t answered_pitch(uint32_t standard, const union surface_data *data)
{
    switch (standard) {
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE: return data->shadow.Pitch;
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE: return data->staging.Pitch;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE: return data->gdi.Pitch;
    default: return 0;
    }
}

static vidmm_status call(adapter_t *adapter, const struct vidmm_allocation_args *args,
                         const struct surface *surface,
                         DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arg)
{
    const union surface_data *data = (const void *)arg->pCreateSharedPrimarySurfaceData;
    NTSTATUS answer =
        DRIVER_CALL(adapter, 0, GetStandardAllocationDriverData, adapter->setup->driver, arg);
    DRIVER_CALL_END(adapter, GetStandardAllocationDriverData, answer, 0,
                    f_number("StandardAllocationType", surface->standard),
                    f_number("Type", surface->gdi_type), f_number("Width", surface->width),
                    f_number("Height", surface->height), f_number("Format", surface->format),
                    f_bytes("Pitch", answered_pitch(surface->standard, data)),
                    f_bytes("AllocationPrivateDriverDataSize",
                            arg->AllocationPrivateDriverDataSize),
                    f_bytes("ResourcePrivateDriverDataSize", arg->ResourcePrivateDriverDataSize));
    if (!answer)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(ALLOC_045), answer < 0 ? answer : STATUS_INVALID_PARAMETER,
                  "%s: the miniport does not describe this standard allocation", args->label);
}

/* First the sizes, then the data. */
static vidmm_status describe_one(adapter_t *adapter, const struct vidmm_allocation_args *args,
                                 struct standard_answer *answer)
{
    union surface_data data = { .primary = { 0 } };
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg = {
        .StandardAllocationType = (D3DKMDT_STANDARDALLOCATION_TYPE)answer->surface.standard,
        .pCreateSharedPrimarySurfaceData = (void *)&data,
    };
    fill_data(args, &answer->surface, &data);
    vidmm_status status = call(adapter, args, &answer->surface, &arg);
    if (status)
        return status;
    answer->bytes = arg.AllocationPrivateDriverDataSize;
    answer->resource_bytes = arg.ResourcePrivateDriverDataSize;
    if (!answer->bytes && !answer->resource_bytes)
        return refuse(adapter, RULE(ALLOC_045), STATUS_INVALID_PARAMETER,
                      "%s: the miniport has private data neither for the allocation nor for the "
                      "resource",
                      args->label);
    if (answer->bytes > PRIVATE_BYTES_MAX || answer->resource_bytes > PRIVATE_BYTES_MAX)
        return refuse(adapter, RULE(ALLOC_045), STATUS_NO_MEMORY,
                      "%s: the miniport wants %u and %u bytes of private data", args->label,
                      answer->bytes, answer->resource_bytes);
    answer->data = answer->bytes ? base_alloc(answer->bytes, 1) : NULL;
    answer->resource_data = answer->resource_bytes ? base_alloc(answer->resource_bytes, 1) : NULL;
    arg.pAllocationPrivateDriverData = answer->data;
    arg.pResourcePrivateDriverData = answer->resource_data;
    status = call(adapter, args, &answer->surface, &arg);
    answer->surface.pitch = answered_pitch(answer->surface.standard, &data);
    return status;
}

vidmm_status standard_describe(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    for (size_t i = 0; i < creation->count; i++) {
        const struct vidmm_allocation_args *args = &creation->args[i];
        const struct vidmm_standard *standard = args->standard;
        if (!standard)
            continue;
        if (!creation->standards)
            creation->standards = base_alloc(creation->count, sizeof *creation->standards);
        struct standard_answer *answer = &creation->standards[i];
        answer->surface = (struct surface){
            .standard = standard->type,
            .gdi_type = standard->gdi_type,
            .width = standard->width,
            .height = standard->height,
            .format = standard->format,
        };
        if (i)
            return refuse(adapter, RULE(ALLOC_004), STATUS_INVALID_PARAMETER,
                          "%s: what the kernel describes is the first element of a creation, not "
                          "number %zu",
                          args->label, i + 1);
        vidmm_status status = check_type(adapter, args);
        if (!status && !creation->heap_bytes)
            status = check_surface(adapter, args->label, &answer->surface);
        if (!status && !adapter->setup->ddi->DxgkDdiGetStandardAllocationDriverData)
            status = refuse(adapter, RULE(ALLOC_045), STATUS_INVALID_PARAMETER,
                            "%s: the miniport has no standard allocations", args->label);
        if (!status)
            status = describe_one(adapter, args, answer);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

void standard_fini(struct creation *creation)
{
    if (!creation->standards)
        return;
    for (size_t i = 0; i < creation->count; i++) {
        base_free(creation->standards[i].data);
        base_free(creation->standards[i].resource_data);
    }
    base_free(creation->standards);
}

bool primary_asked(const struct vidmm_allocation_args *args)
{
    return (args->info_flags & VIDMM_INFO_Primary) ||
           (args->standard &&
            args->standard->type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE);
}

/* ---- afterwards ----------------------------------------------------------------------------- */

const void *standard_private_data(const struct creation *creation, size_t i, uint32_t *bytes)
{
    const struct vidmm_allocation_args *args = &creation->args[i];
    *bytes = args->standard ? creation->standards[i].bytes : args->private_bytes;
    return args->standard ? creation->standards[i].data : args->private_data;
}

void standard_note(struct creation *creation, size_t i)
{
    struct allocation *allocation = creation->made[i];
    bool standard = creation->args[i].standard != NULL;
    const DXGK_ALLOCATIONUSAGEHINT *hint = creation->infos[i].pAllocationUsageHint;
    if (!standard && !hint)
        return;
    struct surface *surface = allocation->surface = base_alloc(1, sizeof *surface);
    if (standard)
        *surface = creation->standards[i].surface;
    allocation->pageable.shared_primary =
        surface->standard == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    if (!hint)
        return;
    surface->hint_version = hint->Version;
    surface->hint_flags = hint->v1.Flags.Value;
    surface->hint_format = hint->v1.PrivateFormat; /* Format has the same place */
}

vidmm_status existing_heap_begin(struct creation *creation, struct existing_heap *heap)
{
    adapter_t *adapter = creation->adapter;
    if (!(creation->flags & VIDMM_KMT_StandardAllocation))
        return STATUS_SUCCESS;
    CHECK(creation->count == 1 && creation->call->standard); /* KMT-024, KMT-027 */
    uint64_t bytes = creation->call->standard->existing_heap_bytes;
    if (bytes > UINT32_MAX)
        return refuse(adapter, RULE(KMT_033), STATUS_INVALID_PARAMETER,
                      "%s: %s do not fit into the width of a surface", creation_label(creation),
                      words_size(bytes).it);
    heap->standard = (struct vidmm_standard){
        .type = D3DKMDT_STANDARDALLOCATION_GDISURFACE,
        .gdi_type = D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER,
        .width = (uint32_t)bytes,
        .height = 1,
        .format = D3DDDIFMT_UNKNOWN,
    };
    heap->args = creation->args[0];
    heap->args.standard = &heap->standard;
    creation->args = &heap->args;
    creation->heap_bytes = bytes;
    applies(adapter, RULE(KMT_024));
    return STATUS_SUCCESS;
}
