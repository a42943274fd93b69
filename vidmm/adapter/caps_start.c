/* SPDX-License-Identifier: MIT */
/*
 * caps_start.c: how a miniport is asked, and what it can do: DXGK_DRIVERCAPS, read once when the
 * adapter starts.
 *
 * What is newer than the version is not read: the members were not there when the driver was built,
 * or the system does not know them. The driver's version is WDDMVersion and where that is not
 * enough the version of its call table; the older one of it and the system's counts (MINI-087).
 * From 2.0 on the paging node has a question of its own, after the segments (MINI-002).
 *
 * Rules not named below: MINI-002.
 */
#include "vidmm/adapter/start.h"

#include <string.h>

/* ---- DxgkDdiQueryAdapterInfo, which costs nothing (TIME-003) --------------------------------- */

static const char query_name[] = "DxgkDdiQueryAdapterInfo";

enum { FIELDS_MAX = 16 };

NTSTATUS start_query(adapter_t *adapter, DXGKARG_QUERYADAPTERINFO *arg)
{
    DXGKARG_QUERYADAPTERINFO given = *arg; /* who reads the answer relies on the question */
    return DRIVER_CALL(adapter, 0, QueryAdapterInfo, adapter->setup->driver, &given);
}

/* Event driver-call: the type, then `fields`. For a question that may fail without effect. */
static void start_query_tell(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg,
                             NTSTATUS answer, const struct vidmm_field *fields, size_t count)
{
    struct vidmm_field all[FIELDS_MAX] = { f_number("Type", (uint64_t)arg->Type) };
    CHECK(count < FIELDS_MAX);
    if (count)
        memcpy(all + 1, fields, count * sizeof *fields);
    driver_call_end(adapter, query_name, answer, 0, all, count + 1);
}

/* Those that the start asks for. */
static const char *type_name(const DXGKARG_QUERYADAPTERINFO *arg)
{
#define NAME(type) [DXGKQAITYPE_##type] = #type
    static const char *const names[] = {
        NAME(DRIVERCAPS),    NAME(QUERYSEGMENT),       NAME(QUERYSEGMENT3),
        NAME(QUERYSEGMENT4), NAME(SEGMENTMEMORYSTATE), NAME(PHYSICALADAPTERCAPS),
    };
#undef NAME
    return names[arg->Type];
}

vidmm_status start_query_end(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg,
                             NTSTATUS answer, const struct vidmm_field *fields, size_t count)
{
    bool of_segments = arg->Type == DXGKQAITYPE_QUERYSEGMENT ||
                       arg->Type == DXGKQAITYPE_QUERYSEGMENT3 ||
                       arg->Type == DXGKQAITYPE_QUERYSEGMENT4;
    start_query_tell(adapter, arg, answer, fields, count);
    if (answer != STATUS_SUCCESS && answer != STATUS_INVALID_PARAMETER &&
        answer != STATUS_NO_MEMORY && answer != STATUS_GRAPHICS_DRIVER_MISMATCH)
        finding(adapter, RULE(MINI_008), 0, "%s may not answer 0x%08x to %s", query_name,
                (unsigned)answer, type_name(arg));
    if (!NT_SUCCESS(answer))
        return refuse(adapter, of_segments ? RULE(SEG_001) : RULE(MINI_008), answer,
                      "the miniport fails the query %s", type_name(arg));
    return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
}

/* ---- the caps ------------------------------------------------------------------------------- */

static uint32_t driver_version(const adapter_t *adapter, const DXGK_DRIVERCAPS *raw)
{
    uint32_t version = (uint32_t)raw->WDDMVersion;
    if (version >= DXGKDDI_WDDMv1_2)
        return (version >> 12) * 10 + (version >> 8 & 15);
    return adapter->setup->ddi->Version >= DXGKDDI_INTERFACE_VERSION_WIN7 ? VIDMM_WDDM_1_1
                                                                          : VIDMM_WDDM_1_0;
}

/* ---- checks, one rule each ------------------------------------------------------------------ */

static vidmm_status check_machine(adapter_t *adapter)
{
    const struct caps *caps = &adapter->setup->caps;
    uint64_t memory = adapter->setup->config.machine.memory_bytes;
    if (!caps->nodes || caps->nodes > VIDMM_NODES_MAX)
        return refuse(adapter, RULE(MINI_018), STATUS_INVALID_PARAMETER,
                      "NbAsymetricProcessingNodes is %u, a GPU has 1 to %d nodes", caps->nodes,
                      VIDMM_NODES_MAX);
    if (memory - 1 > caps->highest_address)
        return refuse(adapter, RULE(MINI_019), STATUS_INVALID_PARAMETER,
                      "the machine has memory up to 0x%llx, HighestAcceptableAddress is 0x%llx",
                      (unsigned long long)(memory - 1), (unsigned long long)caps->highest_address);
    return STATUS_SUCCESS;
}

static vidmm_status check_scheduling(adapter_t *adapter)
{
    const struct caps *caps = &adapter->setup->caps;
    const char *missing = NULL;
    if (caps->preemption && !caps->multi_engine)
        missing = "PreemptionAware needs MultiEngineAware";
    else if (caps->no_dma_patching && !caps->preemption)
        missing = "NoDmaPatching needs PreemptionAware and MultiEngineAware";
    else if (caps->cancel_command && !caps->multi_engine)
        missing = "CancelCommandAware needs MultiEngineAware";
    if (!missing)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(MINI_021), STATUS_INVALID_PARAMETER, "%s", missing);
}

/* From 1.2 on a driver may promise to reset single engines; the whole adapter it has to. */
static vidmm_status check_entries(adapter_t *adapter)
{
    const DRIVER_INITIALIZATION_DATA *ddi = adapter->setup->ddi;
    const char *missing = NULL;
    if (!ddi->DxgkDdiResetFromTimeout)
        missing = "DxgkDdiResetFromTimeout";
    else if (!ddi->DxgkDdiRestartFromTimeout)
        missing = "DxgkDdiRestartFromTimeout";
    else if (!adapter->setup->caps.per_engine_tdr)
        return STATUS_SUCCESS;
    else if (!ddi->DxgkDdiQueryDependentEngineGroup)
        missing = "DxgkDdiQueryDependentEngineGroup";
    else if (!ddi->DxgkDdiQueryEngineStatus)
        missing = "DxgkDdiQueryEngineStatus";
    else if (!ddi->DxgkDdiResetEngine)
        missing = "DxgkDdiResetEngine";
    if (!missing)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(MINI_023), STATUS_INVALID_PARAMETER, "the driver has no %s%s",
                  missing,
                  adapter->setup->caps.per_engine_tdr ? ", and says SupportPerEngineTDR" : "");
}

static vidmm_status check_addressing(adapter_t *adapter)
{
    const struct caps *caps = &adapter->setup->caps;
    const char *problem = NULL;
    if (caps->gpu_mmu && caps->io_mmu)
        problem = "GpuMmuSupported and IoMmuSupported exclude each other";
    else if (!caps->gpu_mmu && !caps->io_mmu)
        return STATUS_SUCCESS;
    else if (!caps->virtual_addressing)
        problem = "GpuMmuSupported and IoMmuSupported need VirtualAddressingSupported";
    else if (caps->wddm < VIDMM_WDDM_2_0)
        problem = "GPU virtual addresses exist from 2.0 on";
    else
        problem = "GPU virtual addresses are not simulated";
    return refuse(adapter, RULE(MINI_024), STATUS_INVALID_PARAMETER, "%s", problem);
}

/* Real systems refuse the driver; small ones may run here. */
static vidmm_status report_missing(adapter_t *adapter)
{
    const struct caps *caps = &adapter->setup->caps;
    bool preemption = caps->preemption_granularity != D3DKMDT_GRAPHICS_PREEMPTION_NONE;
    if (caps->wddm < VIDMM_WDDM_1_2 || (caps->per_engine_tdr && caps->non_vga && preemption))
        return STATUS_SUCCESS;
    finding(adapter, RULE(MINI_025), 0, "a driver of 1.2 and later has to support:%s%s%s",
            caps->per_engine_tdr ? "" : " SupportPerEngineTDR",
            caps->non_vga ? "" : " SupportNonVGA", preemption ? "" : " PreemptionCaps");
    return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
}

/* ---- the paging node ------------------------------------------------------------------------ */

static vidmm_status check_paging_node(adapter_t *adapter, const char *member)
{
    uint32_t node = adapter->setup->caps.paging_node;
    if (!adapter->setup->caps.multi_engine)
        adapter->setup->caps.paging_node = 0;
    if (adapter->setup->caps.paging_node < adapter->setup->caps.nodes)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(MINI_022), STATUS_INVALID_PARAMETER,
                  "%s is %u, the GPU has %u nodes", member, node, adapter->setup->caps.nodes);
}

vidmm_status caps_ask_paging_node(adapter_t *adapter)
{
    DXGK_QUERYPHYSICALADAPTERCAPSIN in = { 0 };
    DXGK_PHYSICALADAPTERCAPS out = { 0 };
    DXGKARG_QUERYADAPTERINFO arg = {
        .Type = DXGKQAITYPE_PHYSICALADAPTERCAPS,
        .pInputData = &in,
        .InputDataSize = sizeof in,
        .pOutputData = &out,
        .OutputDataSize = sizeof out,
    };
    if (adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return check_paging_node(adapter, "PagingNode");
    NTSTATUS answer = start_query(adapter, &arg);
    const struct vidmm_field fields[] = {
        f_number("NumExecutionNodes", out.NumExecutionNodes),
        f_node("PagingNodeIndex", out.PagingNodeIndex),
    };
    if (!NT_SUCCESS(answer)) { /* may fail without effect: MINI-008 */
        start_query_tell(adapter, &arg, answer, NULL, 0);
        return check_paging_node(adapter, "PagingNode");
    }
    vidmm_status status = start_query_end(adapter, &arg, answer, fields, ARRAY_COUNT(fields));
    if (status)
        return status;
    adapter->setup->caps.paging_node = out.PagingNodeIndex;
    return check_paging_node(adapter, "PagingNodeIndex");
}

/* ---- start ---------------------------------------------------------------------------------- */

#define TAKE_BIT(member)         (member)
#define TAKE_NIBBLE(member)      (member)
#define TAKE_UINT(member)        (member)
#define TAKE_SIZE(member)        (member)
#define TAKE_ADDRESS(member)     ((uint64_t)(member).QuadPart)
#define TAKE_GRANULARITY(member) (member)

static void take_over(adapter_t *adapter, const DXGK_DRIVERCAPS *raw)
{
    /* What the two sides have in common is what the older one knows. */
    uint32_t wddm = (uint32_t)min_u64(driver_version(adapter, raw),
                                      setting(adapter, VIDMM_SETTING_SYSTEM_WDDM));
    applies(adapter, RULE(MINI_087));
    adapter->setup->caps = (struct caps){
        .wddm = wddm,
        .nodes = raw->GpuEngineTopology.NbAsymetricProcessingNodes,
#define CAP(part, member, kind, value, since, until, ours)                                         \
    .ours = since <= wddm && wddm <= until ? TAKE_##kind(raw->part member) : 0u,
#include "vidmm/vidmm_caps.def"
#undef CAP
    };
    /* Eight walks over the rows of sets took 1,300 of 5,800 instructions of each creation. */
    for (int set = 0; set < VIDMM_FLAG_SETS; set++)
        adapter->setup->caps.defined[set] = vidmm_flags_defined((enum vidmm_flag_set)set, wddm);
}

static vidmm_status ask_caps(adapter_t *adapter, DXGK_DRIVERCAPS *raw)
{
    DXGKARG_QUERYADAPTERINFO arg = {
        .Type = DXGKQAITYPE_DRIVERCAPS,
        .pOutputData = raw,
        .OutputDataSize = sizeof *raw,
    };
    NTSTATUS answer = start_query(adapter, &arg);
    const struct vidmm_field fields[] = {
        f_hex("WDDMVersion", (uint64_t)raw->WDDMVersion),
        f_hex("HighestAcceptableAddress", (uint64_t)raw->HighestAcceptableAddress.QuadPart),
        f_number("MaxAllocationListSlotId", raw->MaxAllocationListSlotId),
        f_bytes("ApertureSegmentCommitLimit", raw->ApertureSegmentCommitLimit),
        f_number("NumberOfSwizzlingRanges", raw->NumberOfSwizzlingRanges),
        f_number("MaxOverlays", raw->MaxOverlays),
        f_hex("SchedulingCaps", raw->SchedulingCaps.Value),
        f_hex("MemoryManagementCaps", raw->MemoryManagementCaps.Value),
        f_node("PagingNode", raw->MemoryManagementCaps.PagingNode),
        f_number("NbAsymetricProcessingNodes", raw->GpuEngineTopology.NbAsymetricProcessingNodes),
        f_number("GraphicsPreemptionGranularity",
                 (uint64_t)raw->PreemptionCaps.GraphicsPreemptionGranularity),
        f_flag("SupportPerEngineTDR", raw->SupportPerEngineTDR),
        f_flag("SupportNonVGA", raw->SupportNonVGA),
    };
    return start_query_end(adapter, &arg, answer, fields, ARRAY_COUNT(fields));
}

vidmm_status caps_start(adapter_t *adapter)
{
    DXGK_DRIVERCAPS raw = { 0 };
    vidmm_status status = ask_caps(adapter, &raw);
    if (status)
        return status;
    take_over(adapter, &raw);
    status = check_machine(adapter);
    if (!status)
        status = check_scheduling(adapter);
    if (!status)
        status = check_entries(adapter);
    if (!status)
        status = check_addressing(adapter);
    if (!status)
        status = report_missing(adapter);
    return status;
}
