/* SPDX-License-Identifier: MIT */
/*
 * handed_looks.c: what members of calls are, where no field of the event has them.
 */
#include <string.h>

#include "paging/buffer/paging.h"
#include "tests/vidmm/handed/handed.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/device/device.h"
#include "vidmm/submit/submission.h"

const struct vidmm_field *handed_field(const struct seen *seen, const char *name)
{
    for (size_t i = 0; i < seen->count; i++)
        if (!strcmp(seen->fields[i].name, name))
            return &seen->fields[i];
    return NULL;
}

/* The value of a field that need not be there. */
static uint64_t field_or(const struct seen *seen, const char *name, uint64_t other)
{
    const struct vidmm_field *field = handed_field(seen, name);
    return field ? field->value : other;
}

/* ---- what the driver can say in the call ---------------------------------------------------- */

static bool agree(const void *pointer, uint64_t bytes)
{
    return (pointer != NULL) == (bytes != 0);
}

bool look_input_size(const struct seen *seen, const void *member)
{
    (void)member;
    return agree(IN(seen, DXGKARG_QUERYADAPTERINFO)->pInputData,
                 IN(seen, DXGKARG_QUERYADAPTERINFO)->InputDataSize);
}

bool look_output_size(const struct seen *seen, const void *member)
{
    (void)member;
    return IN(seen, DXGKARG_QUERYADAPTERINFO)->pOutputData &&
           IN(seen, DXGKARG_QUERYADAPTERINFO)->OutputDataSize;
}

bool look_engines(const struct seen *seen, const void *member)
{
    (void)member;
    return IN(seen, DXGKARG_CREATECONTEXT)->EngineAffinity != 0;
}

/* The driver fills all but its private data. */
bool look_elements_are_empty(const struct seen *seen, const void *member)
{
    const DXGKARG_CREATEALLOCATION *arg = IN(seen, DXGKARG_CREATEALLOCATION);
    static const DXGK_ALLOCATIONINFO empty;
    (void)member;
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO info = arg->pAllocationInfo[i];
        bool data = agree(info.pPrivateDriverData, info.PrivateDriverDataSize);
        info.pPrivateDriverData = NULL;
        info.PrivateDriverDataSize = 0;
        if (!data || memcmp(&info, &empty, sizeof info) != 0)
            return false;
    }
    return arg->NumAllocations || !arg->pAllocationInfo || arg->Flags.Resource;
}

bool look_opened_data(const struct seen *seen, const void *member)
{
    (void)member;
    return agree(IN(seen, DXGKARG_OPENALLOCATION)->pPrivateDriverData,
                 IN(seen, DXGKARG_OPENALLOCATION)->PrivateDriverSize);
}

bool look_closed_elements(const struct seen *seen, const void *member)
{
    const DXGKARG_CLOSEALLOCATION *arg = IN(seen, DXGKARG_CLOSEALLOCATION);
    (void)member;
    for (UINT i = 0; i < arg->NumAllocations; i++)
        for (UINT j = 0; j < i; j++)
            if (arg->pOpenHandleList[i] && arg->pOpenHandleList[i] == arg->pOpenHandleList[j])
                return false;
    return arg->NumAllocations > 0;
}

bool look_room_for_data(const struct seen *seen, const void *member)
{
    const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *arg =
        IN(seen, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA);
    (void)member;
    return agree(arg->pAllocationPrivateDriverData, arg->AllocationPrivateDriverDataSize) &&
           agree(arg->pResourcePrivateDriverData, arg->ResourcePrivateDriverDataSize);
}

bool look_paging_buffer(const struct seen *seen, const void *member)
{
    (void)member;
    return IN(seen, DXGKARG_BUILDPAGINGBUFFER)->pDmaBuffer != NULL;
}

bool look_paging_data(const struct seen *seen, const void *member)
{
    (void)member;
    return IN(seen, DXGKARG_BUILDPAGINGBUFFER)->pDmaBufferPrivateData ||
           !IN(seen, DXGKARG_BUILDPAGINGBUFFER)->DmaBufferPrivateDataSize;
}

bool look_listed_pages(const struct seen *seen, const void *member)
{
    const DXGKARG_BUILDPAGINGBUFFER *arg = IN(seen, DXGKARG_BUILDPAGINGBUFFER);
    (void)member;
    for (UINT32 i = 1; i < arg->MapApertureSegment2.Adl.PageCount; i++)
        if (arg->MapApertureSegment2.Adl.Pages[i] == arg->MapApertureSegment2.Adl.Pages[i - 1])
            return false;
    return arg->MapApertureSegment2.Adl.Pages != NULL;
}

bool look_command(const struct seen *seen, const void *member)
{
    (void)member;
    return agree(IN(seen, DXGKARG_RENDER)->pCommand, IN(seen, DXGKARG_RENDER)->CommandLength);
}

/* DMA buffers that translations were given, by their start. */
struct buffer {
    const void *start, *data;
    uint64_t bytes, data_bytes;
};
static struct buffer buffers[4096];
static size_t buffer_count;

#define BUFFER(arg)                                                                                \
    &(struct buffer)                                                                               \
    {                                                                                              \
        (arg)->pDmaBuffer, (arg)->pDmaBufferPrivateData, (arg)->DmaSize,                           \
            (arg)->DmaBufferPrivateDataSize                                                        \
    }

static bool note_buffer(const struct buffer *buffer)
{
    size_t i = 0;
    while (i < buffer_count && buffers[i].start != buffer->start)
        i++;
    for (size_t j = 0; j < buffer_count; j++) /* memory that was another one's before */
        if (buffers[j].data == buffer->data)
            buffers[j].data = NULL;
    if (i == buffer_count)
        buffer_count += buffer_count < ARRAY_COUNT(buffers);
    buffers[i < ARRAY_COUNT(buffers) ? i : 0] = *buffer;
    return buffer->start && is_aligned((uintptr_t)buffer->start, PAGE_SIZE) && buffer->bytes &&
           buffer->data;
}

bool look_render_buffer(const struct seen *seen, const void *member)
{
    (void)member;
    return note_buffer(BUFFER(IN(seen, DXGKARG_RENDER)));
}

bool look_present_buffer(const struct seen *seen, const void *member)
{
    const DXGKARG_PRESENT *arg = IN(seen, DXGKARG_PRESENT);
    (void)member;
    return note_buffer(BUFFER(arg)) &&
           (arg->DmaBufferSegmentId || !arg->DmaBufferPhysicalAddress.QuadPart ||
            is_aligned((uint64_t)arg->DmaBufferPhysicalAddress.QuadPart, PAGE_SIZE));
}

bool look_present_data(const struct seen *seen, const void *member)
{
    (void)member;
    return agree(IN(seen, DXGKARG_PRESENT)->pPrivateDriverData,
                 IN(seen, DXGKARG_PRESENT)->PrivateDriverDataSize);
}

bool look_render_list(const struct seen *seen, const void *member)
{
    const DXGKARG_RENDER *arg = IN(seen, DXGKARG_RENDER);
    (void)member;
    return arg->pAllocationList || !arg->AllocationListSize;
}

bool look_render_locations(const struct seen *seen, const void *member)
{
    const DXGKARG_RENDER *arg = IN(seen, DXGKARG_RENDER);
    (void)member;
    return (arg->pPatchLocationListIn || !arg->PatchLocationListInSize) &&
           (arg->pPatchLocationListOut || !arg->PatchLocationListOutSize) &&
           arg->PatchLocationListInSize == arg->PatchLocationListOutSize &&
           (!arg->PatchLocationListInSize ||
            arg->pPatchLocationListIn != arg->pPatchLocationListOut);
}

/* Three elements: none, the source, the destination. */
bool look_present_list(const struct seen *seen, const void *member)
{
    const DXGKARG_PRESENT *arg = IN(seen, DXGKARG_PRESENT);
    const DXGK_ALLOCATIONLIST *list = arg->pAllocationList;
    (void)member;
    return list && !list[0].hDeviceSpecificAllocation &&
           (list[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation != NULL) == arg->Flags.Blt &&
           !list[DXGK_PRESENT_SOURCE_INDEX].WriteOperation &&
           list[DXGK_PRESENT_DESTINATION_INDEX].hDeviceSpecificAllocation &&
           list[DXGK_PRESENT_DESTINATION_INDEX].WriteOperation && arg->pPatchLocationListOut;
}

bool look_whole_surface(const struct seen *seen, const void *member)
{
    const DXGKARG_PRESENT *arg = IN(seen, DXGKARG_PRESENT);
    const RECT *rect = member;
    return !rect->left && !rect->top && rect->right > 0 && rect->bottom > 0 &&
           !memcmp(&arg->SrcRect, &arg->DstRect, sizeof arg->SrcRect);
}

/* In rows, each after the one before. */
bool look_rects_inside(const struct seen *seen, const void *member)
{
    const DXGKARG_PRESENT *arg = IN(seen, DXGKARG_PRESENT);
    RECT before = { 0 };
    (void)member;
    for (UINT i = 0; i < arg->SubRectCnt; i++) {
        const RECT rect = arg->pDstSubRects[i];
        bool inside = rect.left >= 0 && rect.right <= arg->DstRect.right && rect.top >= 0 &&
                      rect.bottom <= arg->DstRect.bottom;
        bool after = rect.top >= before.bottom || rect.left >= before.right;
        if (!inside || !after || rect.left >= rect.right || rect.top >= rect.bottom)
            return false;
        before = rect;
    }
    return arg->SubRectCnt != 0;
}

bool look_present_counts(const struct seen *seen, const void *member)
{
    const DXGKARG_PRESENT *arg = IN(seen, DXGKARG_PRESENT);
    (void)member;
    return arg->NumDstAllocations == 1 && arg->NumSrcAllocations == arg->Flags.Blt;
}

bool look_debug_room(const struct seen *seen, const void *member)
{
    static const DXGKARG_COLLECTDBGINFO_EXT empty;
    const DXGKARG_COLLECTDBGINFO *arg = IN(seen, DXGKARG_COLLECTDBGINFO);
    (void)member;
    for (SIZE_T i = 0; i < arg->BufferSize; i++)
        if (((const uint8_t *)arg->pBuffer)[i])
            return false;
    return arg->BufferSize && !memcmp(arg->pExtension, &empty, sizeof empty);
}

/* What Patch, SubmitCommand and CancelCommand say of one portion, in members of the same names. */
struct handed_portion {
    const void *buffer, *data;
    uint64_t bytes, start, end, data_bytes, data_start, data_end;
    bool paging, none; /* a switch of contexts has no buffer */
};

#define PORTION(arg)                                                                               \
    .bytes = (arg)->DmaBufferSize, .start = (arg)->DmaBufferSubmissionStartOffset,                 \
    .end = (arg)->DmaBufferSubmissionEndOffset, .data = (arg)->pDmaBufferPrivateData,              \
    .data_bytes = (arg)->DmaBufferPrivateDataSize,                                                 \
    .data_start = (arg)->DmaBufferPrivateDataSubmissionStartOffset,                                \
    .data_end = (arg)->DmaBufferPrivateDataSubmissionEndOffset

static struct handed_portion portion_of(const struct seen *seen)
{
    const DXGKARG_PATCH *patch = IN(seen, DXGKARG_PATCH);
    const DXGKARG_SUBMITCOMMAND *submit = IN(seen, DXGKARG_SUBMITCOMMAND);
    const DXGKARG_CANCELCOMMAND *cancel = IN(seen, DXGKARG_CANCELCOMMAND);
    if (!strcmp(seen->name, "Patch"))
        return (struct handed_portion){ .buffer = patch->pDmaBuffer,
                                        .paging = patch->Flags.Paging,
                                        PORTION(patch) };
    if (!strcmp(seen->name, "SubmitCommand"))
        return (struct handed_portion){ .paging = submit->Flags.Paging,
                                        .none = submit->Flags.ContextSwitch,
                                        PORTION(submit) };
    return (struct handed_portion){ .buffer = cancel->pDmaBuffer, PORTION(cancel) };
}

bool look_portion(const struct seen *seen, const void *member)
{
    const struct handed_portion it = portion_of(seen);
    (void)member;
    for (size_t i = 0; i < buffer_count && !it.paging && !it.none; i++)
        if (buffers[i].data == it.data && buffers[i].bytes != it.bytes)
            return false;
    return it.none || (it.bytes && it.start <= it.end && it.end <= it.bytes);
}

bool look_private_portion(const struct seen *seen, const void *member)
{
    const struct handed_portion it = portion_of(seen);
    size_t i = 0;
    (void)member;
    while (i < buffer_count && buffers[i].data != it.data)
        i++;
    bool known = i < buffer_count && buffers[i].data_bytes == it.data_bytes;
    return it.none || ((known || it.paging) && it.data_start <= it.data_end &&
                       it.data_end <= it.data_bytes && it.data != NULL);
}

bool look_same_buffer(const struct seen *seen, const void *member)
{
    const struct handed_portion it = portion_of(seen);
    (void)member;
    for (size_t i = 0; i < buffer_count; i++)
        if (buffers[i].start == it.buffer && buffers[i].bytes == it.bytes)
            return true;
    return it.paging && it.buffer;
}

bool look_patch_lists(const struct seen *seen, const void *member)
{
    const DXGKARG_PATCH *arg = IN(seen, DXGKARG_PATCH);
    (void)member;
    return (arg->pAllocationList || !arg->AllocationListSize) &&
           (arg->pPatchLocationList || !arg->PatchLocationListSize) &&
           (!arg->Flags.Paging || arg->Flags.Present || arg->AllocationListSize ||
            !arg->pAllocationList);
}

bool look_cancel_lists(const struct seen *seen, const void *member)
{
    const DXGKARG_CANCELCOMMAND *arg = IN(seen, DXGKARG_CANCELCOMMAND);
    (void)member;
    return (arg->pAllocationList || !arg->AllocationListSize) &&
           (arg->pPatchLocationList || !arg->PatchLocationListSize);
}

/* ---- what only the event can say ------------------------------------------------------------ */

/* Also one that has lost its name and has not left yet. */
static const struct allocation *allocation_named(const struct seen *seen)
{
    const struct pageable *pageable = seen->subject ? pageable_first(seen->adapter) : NULL;
    while (pageable && pageable->handle != seen->subject)
        pageable = pageable_next(pageable);
    return pageable ? allocation_of(pageable) : NULL;
}

bool look_handle_of_subject(const struct seen *seen, const void *member)
{
    const struct allocation *allocation = allocation_named(seen);
    return allocation && allocation->pageable.driver_handle == *(const HANDLE *)member;
}

/* The handle of the system itself. */
bool look_number_of_subject(const struct seen *seen, const void *member)
{
    return *(const HANDLE *)member == (HANDLE)(uintptr_t)seen->subject;
}

bool look_device_of_field(const struct seen *seen, const void *member)
{
    const struct device *device =
        handle_object(seen->adapter, (vidmm_handle)field_or(seen, "hDevice", 0),
                      VIDMM_OBJECT_DEVICE);
    return *(const HANDLE *)member == (device ? device->driver_handle : NULL);
}

bool look_mapped_allocation(const struct seen *seen, const void *member)
{
    return allocation_named(seen) ? look_handle_of_subject(seen, member) : !*(const HANDLE *)member;
}

bool look_client(const struct seen *seen, const void *member)
{
    HANDLE handle = *(const HANDLE *)member;
    const struct context *context =
        handle_object(seen->adapter, seen->subject, VIDMM_OBJECT_CONTEXT);
    if (context)
        return handle == context->driver_handle;
    /* MINI-022: what is for an adapter of a link carries the context of that one. */
    HANDLE system = seen->adapter->setup->system_contexts[field_or(seen, "EngineOrdinal", 0)];
    return field_or(seen, "hContext", 1) ? handle == system : !handle;
}

bool look_system_context(const struct seen *seen, const void *member)
{
    HANDLE handle = *(const HANDLE *)member;
    return handle == seen->adapter->setup->system_contexts[seen->adapter->buffers->adapter];
}

bool look_opened_elements(const struct seen *seen, const void *member)
{
    const struct allocation *allocation = allocation_named(seen);
    (void)member;
    return !allocation || seen->first == seen->subject || seen->second;
}

bool look_destroyed_elements(const struct seen *seen, const void *member)
{
    const struct allocation *allocation = allocation_named(seen);
    (void)member;
    return !allocation || seen->first == (uintptr_t)allocation->pageable.driver_handle;
}

bool look_destroyed_resource(const struct seen *seen, const void *member)
{
    const struct allocation *allocation = allocation_named(seen);
    HANDLE handle = *(const HANDLE *)member;
    if (!allocation)
        return true;
    allocation = allocation_of(allocation_whole_of(&allocation->pageable)); /* not of a copy */
    return handle == (allocation->resource ? allocation->resource->driver_handle : NULL);
}

bool look_placed_buffer(const struct seen *seen, const void *member)
{
    const DXGKARG_PATCH *patch = IN(seen, DXGKARG_PATCH);
    const DXGKARG_SUBMITCOMMAND *submit = IN(seen, DXGKARG_SUBMITCOMMAND);
    bool patches = !strcmp(seen->name, "Patch");
    uint64_t segment = patches ? patch->DmaBufferSegmentId : submit->DmaBufferSegmentId;
    uint64_t address = (uint64_t)(patches ? patch->DmaBufferPhysicalAddress.QuadPart
                                          : submit->DmaBufferPhysicalAddress.QuadPart);
    (void)member;
    if (handed_field(seen, "DmaBufferSegmentId"))
        return segment == field_or(seen, "DmaBufferSegmentId", 0) &&
               address == field_or(seen, "DmaBufferPhysicalAddress", 0);
    const struct buffers *paging = seen->adapter->buffers;
    for (uint32_t i = 0; i < paging->count; i++)
        if (paging->buffers[i].segment == segment && paging->buffers[i].address == address)
            return true;
    return !segment && !address; /* a switch of contexts */
}

bool look_kernel_address(const struct seen *seen, const void *member)
{
    return (uintptr_t) * (const PVOID *)member == field_or(seen, "VirtualAddress", 1);
}

bool look_is_resident(const struct seen *seen, const void *member)
{
    (void)member;
    return IN(seen, DXGKARG_BUILDPAGINGBUFFER)->NotifyResidency.Resident ==
           field_or(seen, "Resident", 2);
}

bool look_host_pages(const struct seen *seen, const void *member)
{
    (void)member;
    return seen->first == field_or(seen, "pCpuHostAperturePages", UINT64_MAX);
}

bool look_memory_pages(const struct seen *seen, const void *member)
{
    (void)member;
    return seen->second == field_or(seen, "pMemorySegmentPages", UINT64_MAX);
}

bool look_engine(const struct seen *seen, const void *member)
{
    return *(const UINT *)member == field_or(seen, "EngineOrdinal", 0);
}

bool look_responsive(const struct seen *seen, const void *member)
{
    const DXGKARG_QUERYENGINESTATUS *out = (const void *)seen->out;
    (void)member;
    return out->EngineStatus.Responsive == field_or(seen, "Responsive", 2);
}

#define LOOKS_LIKE(data)                                                                           \
    ((data)->Width == width && (data)->Height == height && (uint64_t)(data)->Format == format)

bool look_surface(const struct seen *seen, const void *member)
{
    const void *data = *(void *const *)member;
    uint64_t width = field_or(seen, "Width", 0), height = field_or(seen, "Height", 0);
    uint64_t format = field_or(seen, "Format", 0);
    switch (IN(seen, DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA)->StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE:
        return LOOKS_LIKE((const D3DKMDT_SHAREDPRIMARYSURFACEDATA *)data);
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE:
        return LOOKS_LIKE((const D3DKMDT_SHADOWSURFACEDATA *)data);
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE:
        return ((const D3DKMDT_STAGINGSURFACEDATA *)data)->Width == width &&
               ((const D3DKMDT_STAGINGSURFACEDATA *)data)->Height == height;
    case D3DKMDT_STANDARDALLOCATION_GDISURFACE:
        return LOOKS_LIKE((const D3DKMDT_GDISURFACEDATA *)data) &&
               ((const D3DKMDT_GDISURFACEDATA *)data)->Type == field_or(seen, "Type", 99) &&
               !((const D3DKMDT_GDISURFACEDATA *)data)->Flags.Value; /* all reserved */
    default: return data != NULL;
    }
}
