/* SPDX-License-Identifier: MIT */
/*
 * mock_fault.c: a packet of the mock's chip ends in a fault: a DMA fault, or a page fault.
 *
 * Nothing of the packet is done. The driver reports it at the interrupt, instead of a completion.
 * A page fault comes with the flags that the switch names: where they ask for a reset, or say that
 * the hardware is broken, the node stands still until a reset. `faulted-fence` makes the
 * driver name another packet than the one that faulted.
 *
 * Rules not named below: BUG-005, SUBMIT-059, SUBMIT-060.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_gpu.h"

/* A packet ended in a fault, and the driver has not reported it. */
struct mock_fault {
    uint32_t node, fence;
    bool page;      /* a page fault, */
    uint32_t flags; /* with these DXGK_PAGE_FAULT_FLAGS */
};

static const uint32_t stopping = DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED |
                                 DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED |
                                 DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR;

bool mock_fault_hits(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet)
{
    bool of_system = packet->paging || packet->switches;
    enum vidmm_mock_switch dma = of_system ? VIDMM_MOCK_FAULT_PAGING : VIDMM_MOCK_FAULT;
    enum vidmm_mock_switch page = of_system ? VIDMM_MOCK_PAGE_FAULT_PAGING : VIDMM_MOCK_PAGE_FAULT;
    struct mock_fault fault = { .node = node, .fence = packet->fence };
    bool faults = mock_faults_hit(mock, dma);
    fault.page = !faults && mock_faults_hit(mock, page);
    if (!faults && !fault.page)
        return false;
    if (fault.page)
        fault.flags = (uint32_t)mock_faults_value(mock, page);
    BASE_GROW(mock->faults, mock->fault_capacity, mock->fault_count + 1);
    mock->faults[mock->fault_count++] = fault;
    mock->rings[node].stuck |= (fault.flags & stopping) != 0;
    return true;
}

/* ---- reporting ------------------------------------------------------------------------------ */

/* The packet that the driver names: the right one, unless a switch says otherwise. */
static uint32_t named(struct vidmm_mock *mock, const struct mock_fault *fault, uint32_t right)
{
    const struct mock_ring *ring = &mock->rings[fault->node];
    switch (mock_faults_value(mock, VIDMM_MOCK_FAULTED_FENCE)) {
    case MOCK_FAULTED_ZERO: return 0;
    case MOCK_FAULTED_GIVEN: return fault->fence;
    case MOCK_FAULTED_HIGH: return ring->submitted + 100;
    case MOCK_FAULTED_LOW: return ring->reported > 1 ? ring->reported - 1 : right;
    case MOCK_FAULTED_AGAIN: return ring->reported ? ring->reported : right;
    case MOCK_FAULTED_AHEAD: return ring->submitted;
    default: return right; /* `node` */
    }
}

static void report_page_fault(struct vidmm_mock *mock, const struct mock_fault *fault)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED };
    bool wrong = mock_faults_hit(mock, VIDMM_MOCK_FAULTED_FENCE);
    bool nowhere = wrong && mock_faults_value(mock, VIDMM_MOCK_FAULTED_FENCE) == MOCK_FAULTED_NODE;
    uint32_t right = fault->flags & DXGK_PAGE_FAULT_FENCE_INVALID ? 0 : fault->fence;
    data.DmaPageFaulted.FaultedFenceId = wrong ? named(mock, fault, right) : right;
    data.DmaPageFaulted.FaultedPipelineStage = DXGK_RENDER_PIPELINE_STAGE_UNKNOWN;
    data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)fault->flags;
    data.DmaPageFaulted.NodeOrdinal = nowhere ? mock->nodes : fault->node;
    data.DmaPageFaulted.FaultErrorCode.GeneralErrorCode = DXGK_GENERAL_ERROR_PAGE_FAULT;
    mock->dxgkrnl.DxgkCbNotifyInterrupt(mock->dxgkrnl.DeviceHandle, &data);
}

bool mock_fault_unreported(const struct vidmm_mock *mock, uint32_t node)
{
    for (size_t i = 0; i < mock->fault_count; i++)
        if (mock->faults[i].node == node)
            return true;
    return false;
}

/* Takes out the first fault of the node; false: there is none. */
static bool take(struct vidmm_mock *mock, uint32_t node, uint32_t last, struct mock_fault *fault)
{
    size_t i = 0;
    while (i < mock->fault_count && (mock->faults[i].node != node || mock->faults[i].fence > last))
        i++;
    if (i == mock->fault_count)
        return false;
    *fault = mock->faults[i];
    mock->fault_count--;
    memmove(&mock->faults[i], &mock->faults[i + 1], (mock->fault_count - i) * sizeof *mock->faults);
    return true;
}

bool mock_fault_report(struct vidmm_mock *mock, uint32_t node, uint32_t last)
{
    struct mock_fault fault = { 0 };
    while (take(mock, node, last, &fault)) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_FAULTED };
        if (fault.page) {
            report_page_fault(mock, &fault);
            continue;
        }
        data.DmaFaulted.FaultedFenceId = fault.fence;
        data.DmaFaulted.Status = STATUS_UNSUCCESSFUL;
        data.DmaFaulted.NodeOrdinal = node;
        mock->dxgkrnl.DxgkCbNotifyInterrupt(mock->dxgkrnl.DeviceHandle, &data);
    }
    return fault.fence == last && last;
}

void mock_fault_forget(struct vidmm_mock *mock, uint32_t node)
{
    struct mock_fault fault;
    while (take(mock, node, UINT32_MAX, &fault))
        continue;
}
