/* SPDX-License-Identifier: MIT */
/*
 * mock_recovery.c: the mock when it is asked to stop, and after a timeout.
 *
 * A request to preempt takes back what GraphicsPreemptionGranularity allows, and is answered by the
 * interrupt that finds the node empty; at once where it is empty already (SUBMIT-057). What was
 * taken back is remembered by its place in memory, because it comes again under another number.
 *
 * Rules not named below: BUG-005, SUBMIT-051, SUBMIT-055 to SUBMIT-058, TDR-011 to TDR-013,
 * TDR-020.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_gpu.h"

/* ---- what was taken back -------------------------------------------------------------------- */

static void mock_recovery_take_back(struct vidmm_mock *mock, struct mock_ring *ring, uint32_t fence)
{
    struct mock_packet *packet = mock_gpu_slot(ring, fence);
    if (packet->fence != fence)
        return;
    BASE_GROW(mock->taken, mock->taken_capacity, mock->taken_count + 1);
    mock->taken[mock->taken_count++] = *packet;
    packet->fence = 0;
}

static void take_back_after(struct vidmm_mock *mock, struct mock_ring *ring, uint32_t last)
{
    for (uint32_t fence = last + 1; ring->capacity && fence <= ring->submitted; fence++)
        mock_recovery_take_back(mock, ring, fence);
    ring->submitted = last;
}

bool mock_recovery_taken(struct vidmm_mock *mock, struct mock_packet *packet)
{
    for (size_t i = 0; i < mock->taken_count; i++) {
        const struct mock_packet *taken = &mock->taken[i];
        bool same = taken->paging == packet->paging && taken->switches == packet->switches &&
                    taken->start == packet->start && taken->end == packet->end &&
                    (!packet->buffer || taken->buffer == packet->buffer);
        if (!same)
            continue;
        packet->buffer = taken->buffer;
        packet->cost_ns = taken->cost_ns;
        packet->hangs = taken->hangs;
        mock->taken_count--;
        memmove(&mock->taken[i], &mock->taken[i + 1],
                (mock->taken_count - i) * sizeof *mock->taken);
        return true;
    }
    return false;
}

void mock_recovery_forget(struct vidmm_mock *mock, const uint8_t *begin, size_t bytes)
{
    size_t kept = 0;
    for (size_t i = 0; i < mock->taken_count; i++) {
        const struct mock_packet *taken = &mock->taken[i];
        bool over =
            taken->buffer + taken->start < begin + bytes && begin < taken->buffer + taken->end;
        if (!over)
            mock->taken[kept++] = *taken;
    }
    mock->taken_count = kept;
}

/* ---- preemption ----------------------------------------------------------------------------- */

static void report_preempted(struct vidmm_mock *mock, uint32_t node)
{
    struct mock_ring *ring = &mock->rings[node];
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED };
    data.DmaPreempted.PreemptionFenceId = ring->preempt_id;
    data.DmaPreempted.LastCompletedFenceId = ring->finished;
    data.DmaPreempted.NodeOrdinal = node;
    ring->preempt_id = 0;
    ring->reported = ring->finished; /* interrupts that are under way tell nothing new */
    mock->dxgkrnl.DxgkCbNotifyInterrupt(mock->dxgkrnl.DeviceHandle, &data);
    if (!mock_faults_hit(mock, VIDMM_MOCK_NO_DPC))
        (void)mock->dxgkrnl.DxgkCbQueueDpc(mock->dxgkrnl.DeviceHandle);
}

void mock_recovery_answer(struct vidmm_mock *mock, uint32_t node, enum mock_answer state)
{
    struct mock_ring *ring = &mock->rings[node];
    if (!ring->preempt_id || mock_faults_hit(mock, VIDMM_MOCK_NO_PREEMPT))
        return;
    if (state == MOCK_NODE_STOPPED) {
        mock_recovery_take_back(mock, ring, ring->running);
        ring->running = 0;
        ring->submitted = ring->finished;
    }
    if (ring->running || ring->finished != ring->submitted)
        return;
    /* A fault is reported first, by its own interrupt, if that still comes. */
    if (mock_fault_unreported(mock, node) && ring->lost != ring->finished)
        return;
    (void)mock_fault_report(mock, node, ring->finished);
    report_preempted(mock, node);
}

NTSTATUS mock_recovery_preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    struct vidmm_mock *mock = adapter;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_PREEMPT_STATUS);
    if (status)
        return status;
    if (arg->NodeOrdinal >= mock->nodes)
        return STATUS_INVALID_PARAMETER;
    struct mock_ring *ring = &mock->rings[arg->NodeOrdinal];
    ring->preempt_id = arg->PreemptionFenceId;
    if (mock->wddm >= VIDMM_WDDM_1_2 &&
        mock_query_cap(&mock->config, VIDMM_MOCK_CAP_GraphicsPreemptionGranularity) !=
            D3DKMDT_GRAPHICS_PREEMPTION_NONE)
        take_back_after(mock, ring, ring->running ? ring->running : ring->finished);
    if (!ring->running && (ring->reported == ring->finished || ring->lost == ring->finished))
        mock_recovery_answer(mock, arg->NodeOrdinal, MOCK_NODE_RUNS);
    return STATUS_SUCCESS;
}

/* `late-interrupt`: the chip is not as still as it has to be. */
static void report_late(struct vidmm_mock *mock)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    if (!mock_faults_hit(mock, VIDMM_MOCK_LATE_INTERRUPT))
        return;
    data.DmaCompleted.SubmissionFenceId = mock->rings[0].finished;
    mock->dxgkrnl.DxgkCbNotifyInterrupt(mock->dxgkrnl.DeviceHandle, &data);
}

NTSTATUS mock_recovery_cancel(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND arg)
{
    UNREFERENCED_PARAMETER(arg); /* nothing is kept for it */
    report_late(adapter);
    return mock_faults_status(adapter, VIDMM_MOCK_CANCEL_STATUS);
}

/* ---- after a timeout ------------------------------------------------------------------------ */

NTSTATUS mock_recovery_collect(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO arg)
{
    UNREFERENCED_PARAMETER(arg);
    return mock_faults_status(adapter, VIDMM_MOCK_COLLECT_STATUS);
}

NTSTATUS mock_recovery_reset(IN_CONST_HANDLE adapter)
{
    mock_gpu_reset(adapter);
    return mock_faults_status(adapter, VIDMM_MOCK_RESET_STATUS);
}

NTSTATUS mock_recovery_restart(IN_CONST_HANDLE adapter)
{
    report_late(adapter);
    return mock_faults_status(adapter, VIDMM_MOCK_RESTART_STATUS);
}

NTSTATUS mock_recovery_group(IN_CONST_HANDLE adapter, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP arg)
{
    struct vidmm_mock *mock = adapter;
    uint64_t self = UINT64_C(1) << (arg->NodeOrdinal & 63);
    arg->DependentNodeOrdinalMask = self;
    if (mock_faults_hit(mock, VIDMM_MOCK_DEPENDENT_MASK))
        arg->DependentNodeOrdinalMask |=
            (uint64_t)mock_faults_value(mock, VIDMM_MOCK_DEPENDENT_MASK);
    if (mock_faults_hit(mock, VIDMM_MOCK_MASK_OMIT_SELF))
        arg->DependentNodeOrdinalMask &= ~self;
    return mock_faults_status(mock, VIDMM_MOCK_GROUP_STATUS);
}

NTSTATUS mock_recovery_status(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYENGINESTATUS arg)
{
    struct vidmm_mock *mock = adapter;
    if (arg->NodeOrdinal >= mock->nodes)
        return STATUS_INVALID_PARAMETER;
    const struct mock_ring *ring = &mock->rings[arg->NodeOrdinal];
    bool hangs = ring->running && mock_gpu_slot(ring, ring->running)->hangs;
    arg->EngineStatus.Responsive = !ring->stuck && !hangs;
    return mock_faults_status(mock, VIDMM_MOCK_QUERY_ENGINE_STATUS);
}

NTSTATUS mock_recovery_reset_engine(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg)
{
    struct vidmm_mock *mock = adapter;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_ENGINE_STATUS);
    if (status)
        return status;
    if (arg->NodeOrdinal >= mock->nodes)
        return STATUS_INVALID_PARAMETER;
    struct mock_ring *ring = &mock->rings[arg->NodeOrdinal];
    /* After a fault nothing was executed. */
    bool aborts = ring->running && !ring->stuck;
    uint32_t last = aborts ? ring->running : ring->finished;
    take_back_after(mock, ring, last);
    if (aborts)
        mock_gpu_slot(ring, last)->fence = 0;
    ring->running = ring->line = ring->preempt_id = ring->lost = 0;
    ring->stuck = false;
    mock_fault_forget(mock, arg->NodeOrdinal);
    ring->finished = ring->reported = last;
    arg->LastAbortedFenceId = last;
    if (mock_faults_hit(mock, VIDMM_MOCK_ABORTED))
        arg->LastAbortedFenceId =
            mock_faults_value(mock, VIDMM_MOCK_ABORTED) == MOCK_ABORTED_HIGH ? last + 100 : 0;
    return STATUS_SUCCESS;
}
