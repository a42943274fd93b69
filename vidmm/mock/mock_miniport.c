/* SPDX-License-Identifier: MIT */
/*
 * mock_miniport.c: the mock as a display miniport driver: its table, start and stop, and objects.
 *
 * The PhysicalDeviceObject of DxgkDdiAddDevice is the mock itself, and so is the context that it
 * answers. An allocation is described by the private data of its creation (struct
 * vidmm_mock_allocation): the driver answers with it and keeps next to nothing.
 *
 * Calls that memory management does not make are NULL in the table: those of displays.
 *
 * Objects come from pools and go back there: ten million creations cost no more memory than the
 * largest number of objects alive.
 *
 * Rules not named below: MINI-030 to MINI-043 from the driver's side, BUG-005.
 */
#include "vidmm/ddi/d3dkmddi_versions.h"
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_gpu.h"
#include "vidmm/mock/mock_objects.h"

enum { POOL_BLOCK = 256 };

/* What a device or context of this driver asks for; the caller may grow them (SUBMIT-022). */
enum { DMA_BUFFER_BYTES = 65536, ALLOCATION_LIST_SIZE = 1024, PATCH_LIST_SIZE = 1024 };

/* ---- pools ---------------------------------------------------------------------------------- */

static void pool_give(struct mock_pool *pool, struct mock_link *link)
{
    link->next = pool->free;
    pool->free = link;
}

/* Not zeroed. */
static void *pool_take(struct mock_pool *pool)
{
    if (!pool->free) {
        /* The first object of a block is its link in the list of blocks. */
        uint8_t *block = base_alloc(POOL_BLOCK + 1, pool->object_bytes);
        struct mock_link *head = (struct mock_link *)(void *)block;
        head->next = pool->blocks;
        pool->blocks = head;
        for (size_t i = POOL_BLOCK; i > 0; i--)
            pool_give(pool, (struct mock_link *)(void *)(block + i * pool->object_bytes));
    }
    struct mock_link *link = pool->free;
    pool->free = link->next;
    return link;
}

static void pool_fini(struct mock_pool *pool)
{
    while (pool->blocks) {
        struct mock_link *next = pool->blocks->next;
        base_free(pool->blocks);
        pool->blocks = next;
    }
}

/* ---- the adapter ---------------------------------------------------------------------------- */

static NTSTATUS add_device(IN_CONST_PDEVICE_OBJECT device, OUT_PPVOID context)
{
    *context = device;
    return STATUS_SUCCESS;
}

static NTSTATUS start_device(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                             IN_PDXGKRNL_INTERFACE dxgkrnl, OUT_PULONG sources, OUT_PULONG children)
{
    struct vidmm_mock *mock = context;
    UNREFERENCED_PARAMETER(info);
    mock->dxgkrnl = *dxgkrnl;
    /* A driver that is newer than the system speaks as the system does (MINI-087). */
    mock->wddm = (uint32_t)min_u64(mock->config.wddm, ddi_version_wddm(dxgkrnl->Version));
    mock->started = true;
    mock_gpu_start(mock);
    *sources = 0;
    *children = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS stop_device(IN_CONST_PVOID context)
{
    struct vidmm_mock *mock = context;
    mock->started = false;
    mock_gpu_reset(mock);
    return STATUS_SUCCESS;
}

static NTSTATUS mock_miniport_stop_and_release(PVOID context, D3DDDI_VIDEO_PRESENT_TARGET_ID target,
                                               PDXGK_DISPLAY_INFORMATION information)
{
    NTSTATUS status = mock_faults_status(context, VIDMM_MOCK_RELEASE_STATUS);
    UNREFERENCED_PARAMETER(target);
    UNREFERENCED_PARAMETER(information); /* nothing is displayed */
    return status ? status : stop_device(context);
}

static NTSTATUS notify_surprise_removal(PVOID context, DXGK_SURPRISE_REMOVAL_TYPE type)
{
    UNREFERENCED_PARAMETER(type);
    return mock_faults_status(context, VIDMM_MOCK_REMOVAL_STATUS);
}

static NTSTATUS remove_device(IN_CONST_PVOID context)
{
    struct vidmm_mock *mock = context;
    CHECK(!mock->started);
    return STATUS_SUCCESS;
}

/* Contexts and page tables of this chip are its commands' alone: nothing has to be saved. */
static NTSTATUS mock_miniport_set_power_state(IN_CONST_PVOID context, IN_ULONG uid,
                                              IN_DEVICE_POWER_STATE state, IN_POWER_ACTION action)
{
    UNREFERENCED_PARAMETER(uid);
    UNREFERENCED_PARAMETER(state);
    UNREFERENCED_PARAMETER(action);
    return mock_faults_status(context, VIDMM_MOCK_POWER_STATUS);
}

/* ---- devices and contexts ------------------------------------------------------------------- */

/* What was asked for it, else what its owner has, else the defaults. */
static struct mock_client *new_client(struct vidmm_mock *mock, const struct mock_client *owner)
{
    static const uint32_t defaults[VIDMM_MOCK_BUFFER_COUNT] = {
        [VIDMM_MOCK_DMA_SIZE] = DMA_BUFFER_BYTES,
        [VIDMM_MOCK_LIST_SIZE] = ALLOCATION_LIST_SIZE,
        [VIDMM_MOCK_PATCH_SIZE] = PATCH_LIST_SIZE,
    };
    struct mock_client *client = pool_take(&mock->clients);
    *client = (struct mock_client){ .mock = mock };
    for (size_t i = 0; i < VIDMM_MOCK_BUFFER_COUNT; i++)
        client->buffers[i] = mock->next.given[i] ? mock->next.value[i]
                             : owner             ? owner->buffers[i]
                                                 : defaults[i];
    return client;
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    struct vidmm_mock *mock = adapter;
    struct mock_client *client = new_client(mock, NULL);
    const uint32_t *buffers = client->buffers;
    mock->next = (struct vidmm_mock_buffers){ 0 };
    /* pInfo takes the place of Flags. NULL: the sizes are those of each context. */
    arg->pInfo = NULL;
    if (!mock_query_cap(&mock->config, VIDMM_MOCK_CAP_MultiEngineAware)) {
        mock->device_info = (DXGK_DEVICEINFO){
            .DmaBufferSize = buffers[VIDMM_MOCK_DMA_SIZE],
            .DmaBufferSegmentSet = buffers[VIDMM_MOCK_DMA_SEGMENT_SET],
            .DmaBufferPrivateDataSize = buffers[VIDMM_MOCK_DMA_PRIVATE_SIZE],
            .AllocationListSize = buffers[VIDMM_MOCK_LIST_SIZE],
            .PatchLocationListSize = buffers[VIDMM_MOCK_PATCH_SIZE],
            .Flags.GuaranteedDmaBufferContract = 1,
        };
        arg->pInfo = &mock->device_info;
    }
    arg->hDevice = client;
    return STATUS_SUCCESS;
}

static NTSTATUS mock_miniport_create_context(IN_CONST_HANDLE device,
                                             INOUT_PDXGKARG_CREATECONTEXT arg)
{
    const struct mock_client *owner = device;
    struct vidmm_mock *mock = owner->mock;
    if (arg->NodeOrdinal >= mock->nodes)
        return STATUS_INVALID_PARAMETER;
    struct mock_client *client = new_client(mock, owner);
    while (arg->EngineAffinity >> client->adapter > 1 &&
           !(arg->EngineAffinity >> client->adapter & 1))
        client->adapter++;
    uint32_t list_size = client->buffers[VIDMM_MOCK_LIST_SIZE];
    if (arg->Flags.GdiContext && !mock->next.given[VIDMM_MOCK_LIST_SIZE])
        list_size = DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT;
    mock->next = (struct vidmm_mock_buffers){ 0 };
    arg->ContextInfo = (DXGK_CONTEXTINFO){
        .DmaBufferSize = client->buffers[VIDMM_MOCK_DMA_SIZE],
        .DmaBufferSegmentSet = client->buffers[VIDMM_MOCK_DMA_SEGMENT_SET],
        .DmaBufferPrivateDataSize = client->buffers[VIDMM_MOCK_DMA_PRIVATE_SIZE],
        .AllocationListSize = list_size,
        .PatchLocationListSize = client->buffers[VIDMM_MOCK_PATCH_SIZE],
    };
    arg->hContext = client;
    return STATUS_SUCCESS;
}

static NTSTATUS destroy_client(IN_CONST_HANDLE handle)
{
    struct mock_client *client = handle;
    pool_give(&client->mock->clients, &client->link);
    return STATUS_SUCCESS;
}

/* ---- allocations ---------------------------------------------------------------------------- */

static struct mock_surface *new_surface(struct vidmm_mock *mock,
                                        const struct vidmm_mock_allocation *wish)
{
    struct mock_surface *surface = mock->newest;
    if (surface && mock_faults_hit(mock, VIDMM_MOCK_SAME_HANDLE)) {
        surface->answers++;
        return surface;
    }
    surface = pool_take(&mock->surfaces);
    *surface = (struct mock_surface){ .answers = 1, .fills_wddm2 = wish->fills_wddm2 };
    surface->width = wish->hint.v1.Width;
    surface->height = wish->hint.v1.Height;
    surface->format = wish->hint.v1.Format;
    mock->newest = surface;
    return surface;
}

/* The usage hint lives as long as the call: in the private data of the element, or in our list. */
static DXGK_ALLOCATIONUSAGEHINT *mock_miniport_hint_of(struct vidmm_mock *mock,
                                                       const DXGK_ALLOCATIONINFO *info, size_t i)
{
    if (info->PrivateDriverDataSize >= sizeof(struct vidmm_mock_allocation))
        return (DXGK_ALLOCATIONUSAGEHINT *)(void *)((uint8_t *)info->pPrivateDriverData +
                                                    offsetof(struct vidmm_mock_allocation, hint));
    return i < mock->wish_count ? &mock->wishes[i].hint : NULL;
}

static void mock_miniport_answer(const struct vidmm_mock *mock,
                                 const struct vidmm_mock_allocation *wish,
                                 DXGK_ALLOCATIONINFO *info)
{
    info->Alignment = wish->alignment;
    info->Size = wish->size;
    info->PitchAlignedSize = wish->pitch_aligned_size;
    info->HintedBank.Value = wish->hinted_bank;
    info->PreferredSegment.Value = wish->preferred_segment;
    info->SupportedReadSegmentSet = wish->read_set;
    info->SupportedWriteSegmentSet = wish->write_set;
    info->EvictionSegmentSet = wish->eviction_set;
    if (mock->wddm < VIDMM_WDDM_2_0)
        info->MaximumRenamingListLength = wish->rename_or_adapter;
    else
        info->PhysicalAdapterIndex = wish->rename_or_adapter;
    if (wish->fills_wddm2)
        info->FlagsWddm2.Value = wish->flags;
    else
        info->Flags.Value = wish->flags;
    info->Flags2.Value = wish->flags2;
    info->AllocationPriority = wish->priority;
}

/* Which member of the flag union creation filled (FLAG-001). */
static bool filled_wddm2(void *device, HANDLE allocation)
{
    const struct mock_surface *surface = allocation;
    UNREFERENCED_PARAMETER(device);
    return surface && surface->fills_wddm2;
}

/* Private data of the element, or of all, or what was said beside the call; NULL: this driver has
   nothing to go by. */
static const void *description(const struct vidmm_mock *mock, const DXGKARG_CREATEALLOCATION *arg,
                               size_t i)
{
    const DXGK_ALLOCATIONINFO *info = &arg->pAllocationInfo[i];
    if (info->PrivateDriverDataSize >= sizeof(struct vidmm_mock_allocation))
        return info->pPrivateDriverData;
    if (arg->PrivateDriverDataSize >= sizeof(struct vidmm_mock_allocation))
        return arg->pPrivateDriverData;
    return i < mock->wish_count ? &mock->wishes[i] : NULL;
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    struct vidmm_mock *mock = adapter;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_CREATE_STATUS);
    if (status)
        return status;
    for (UINT i = 0; i < arg->NumAllocations; i++)
        if (!description(mock, arg, i))
            return STATUS_INVALID_PARAMETER;

    for (UINT i = 0; i < arg->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO *info = &arg->pAllocationInfo[i];
        struct vidmm_mock_allocation wish;
        memcpy(&wish, description(mock, arg, i), sizeof wish);
        mock_miniport_answer(mock, &wish, info);
        info->pAllocationUsageHint = wish.hinted ? mock_miniport_hint_of(mock, info, i) : NULL;
        info->hAllocation = NULL;
        if (!wish.no_handle && !mock_faults_hit(mock, VIDMM_MOCK_NULL_HANDLE))
            info->hAllocation = new_surface(mock, &wish);
    }
    mock->wish_count = 0;
    /* The driver keeps nothing for a resource: its handle is a number of its own. */
    if (arg->Flags.Resource &&
        (!arg->hResource || mock_faults_hit(mock, VIDMM_MOCK_REPLACE_RESOURCE)))
        arg->hResource = (HANDLE)(uintptr_t)++mock->resources;
    return STATUS_SUCCESS;
}

static NTSTATUS mock_miniport_destroy_allocation(IN_CONST_HANDLE adapter,
                                                 IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    struct vidmm_mock *mock = adapter;
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        struct mock_surface *surface = arg->pAllocationList[i];
        if (!surface || --surface->answers)
            continue;
        if (mock->newest == surface)
            mock->newest = NULL;
        pool_give(&mock->surfaces, &surface->link);
    }
    /* The member goes both ways, though the call says that nothing does. */
    if (!arg->Flags.DestroyResource && arg->hResource &&
        mock_faults_hit(mock, VIDMM_MOCK_REPLACE_RESOURCE))
        ((DXGKARG_DESTROYALLOCATION *)arg)->hResource = (HANDLE)(uintptr_t)++mock->resources;
    return mock_faults_status(mock, VIDMM_MOCK_DESTROY_STATUS);
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    const struct mock_client *client = device;
    struct vidmm_mock *mock = client->mock;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_OPEN_STATUS);
    if (status)
        return status;

    for (UINT i = 0; i < arg->NumAllocations; i++) {
        DXGK_OPENALLOCATIONINFO *info = &arg->pOpenAllocation[i];
        info->hDeviceSpecificAllocation = NULL;
        if (!mock_faults_hit(mock, VIDMM_MOCK_NULL_OPEN_HANDLE)) {
            struct mock_binding *binding = pool_take(&mock->bindings);
            *binding = (struct mock_binding){ .allocation = info->hAllocation };
            info->hDeviceSpecificAllocation = binding;
        }
        if (!arg->Flags.Create && info->PrivateDriverDataSize &&
            mock_faults_hit(mock, VIDMM_MOCK_CHANGE_PRIVATE_DATA))
            ((uint8_t *)info->pPrivateDriverData)[info->PrivateDriverDataSize - 1] ^= 0xFF;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    const struct mock_client *client = device;
    struct vidmm_mock *mock = client->mock;
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        struct mock_binding *binding = arg->pOpenHandleList[i];
        if (binding)
            pool_give(&mock->bindings, &binding->link);
    }
    return mock_faults_status(mock, VIDMM_MOCK_CLOSE_STATUS);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* What DriverEntry of a real driver fills and hands to DxgkInitialize. */
static const DRIVER_INITIALIZATION_DATA table = {
    .DxgkDdiAddDevice = add_device,
    .DxgkDdiStartDevice = start_device,
    .DxgkDdiStopDevice = stop_device,
    .DxgkDdiRemoveDevice = remove_device,
    .DxgkDdiNotifySurpriseRemoval = notify_surprise_removal,
    .DxgkDdiStopDeviceAndReleasePostDisplayOwnership = mock_miniport_stop_and_release,
    .DxgkDdiInterruptRoutine = mock_gpu_interrupt_routine,
    .DxgkDdiDpcRoutine = mock_gpu_dpc_routine,
    .DxgkDdiSetPowerState = mock_miniport_set_power_state,
    .DxgkDdiQueryAdapterInfo = mock_query_adapter_info,
    .DxgkDdiCreateDevice = create_device,
    .DxgkDdiDestroyDevice = destroy_client,
    .DxgkDdiCreateContext = mock_miniport_create_context,
    .DxgkDdiDestroyContext = destroy_client,
    .DxgkDdiCreateAllocation = create_allocation,
    .DxgkDdiGetStandardAllocationDriverData = mock_standard_driver_data,
    .DxgkDdiDestroyAllocation = mock_miniport_destroy_allocation,
    .DxgkDdiOpenAllocation = open_allocation,
    .DxgkDdiCloseAllocation = close_allocation,
    .DxgkDdiAcquireSwizzlingRange = mock_memory_acquire,
    .DxgkDdiReleaseSwizzlingRange = mock_memory_release,
    .DxgkDdiRender = mock_render_translate,
    .DxgkDdiPresent = mock_present_build,
    .DxgkDdiBuildPagingBuffer = mock_paging_build,
    .DxgkDdiPatch = mock_render_patch,
    .DxgkDdiSubmitCommand = mock_render_submit,
    .DxgkDdiSetAllocationBackingStore = mock_memory_set_store,
    .DxgkDdiMapCpuHostAperture = mock_memory_map_host,
    .DxgkDdiUnmapCpuHostAperture = mock_memory_unmap_host,
    .DxgkDdiDescribeAllocation = mock_memory_describe,
    .DxgkDdiQueryCurrentFence = mock_gpu_query_current_fence,
    .DxgkDdiPreemptCommand = mock_recovery_preempt,
    .DxgkDdiCancelCommand = mock_recovery_cancel,
    .DxgkDdiCollectDbgInfo = mock_recovery_collect,
    .DxgkDdiResetFromTimeout = mock_recovery_reset,
    .DxgkDdiRestartFromTimeout = mock_recovery_restart,
    .DxgkDdiQueryDependentEngineGroup = mock_recovery_group,
    .DxgkDdiQueryEngineStatus = mock_recovery_status,
    .DxgkDdiResetEngine = mock_recovery_reset_engine,
};

struct vidmm_mock *vidmm_mock_create(const struct vidmm_mock_config *config)
{
    struct vidmm_mock *mock = base_alloc(1, sizeof *mock);
    mock->config = *config;
    mock->nodes = (uint32_t)min_u64(config->nodes, VIDMM_NODES_MAX);
    mock->ddi = table;
    mock->ddi.Version = ddi_version_of(config->wddm);
    mock->wddm = config->wddm;
    mock_faults_leave_out(config, &mock->ddi);
    mock->hardware = mock_gpu_hardware;
    mock->hardware.self = mock;
    mock->miniport = (struct vidmm_miniport){
        .ddi = &mock->ddi,
        .physical_device = mock,
        .hardware = &mock->hardware,
        .fills_wddm2 = filled_wddm2,
    };
    mock->surfaces.object_bytes = sizeof(struct mock_surface);
    mock->bindings.object_bytes = sizeof(struct mock_binding);
    mock->clients.object_bytes = sizeof(struct mock_client);
    return mock;
}

void vidmm_mock_destroy(struct vidmm_mock *mock)
{
    if (!mock)
        return;
    pool_fini(&mock->surfaces);
    pool_fini(&mock->bindings);
    pool_fini(&mock->clients);
    mock_context_fini(mock);
    mock_gpu_fini(mock);
    base_free(mock->wishes);
    base_free(mock);
}

const struct vidmm_miniport *vidmm_mock_miniport(struct vidmm_mock *mock)
{
    return &mock->miniport;
}

struct vidmm_mock_switch_state *vidmm_mock_switches(struct vidmm_mock *mock)
{
    return mock->config.switches;
}

void vidmm_mock_set_aperture(struct vidmm_mock *mock, bool mmio)
{
    mock->config.aperture_mmio = mmio;
}

void vidmm_mock_next_buffers(struct vidmm_mock *mock, const struct vidmm_mock_buffers *buffers)
{
    mock->next = *buffers;
}
