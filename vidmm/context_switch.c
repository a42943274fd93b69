/* SPDX-License-Identifier: MIT */
/*
 * context_switch.c: a node is told to let go of the context that it has loaded.
 *
 * A GPU saves the state of a context where the driver wants it, in allocations that it made for it,
 * at the latest when it switches to another one. So before one of these leaves its place, every
 * node that has the context loaded gets a packet of length zero with ContextSwitch, which saves the
 * state for the last time. It has a number like any packet, so who has to wait for the allocation
 * waits for it too; where everything is promised to be idle, that is done at once.
 *
 * A node may have worked for the paging of that context last; then Paging is set as well.
 *
 * Rules not named below: PAGE-062, SUBMIT-048.
 */
#include "vidmm/context.h"
#include "vidmm/submit.h"

/* ---- the call ------------------------------------------------------------------------------- */

/* One adapter of a link. */
static vidmm_status call_one(adapter_t *adapter, const struct render_packet *packet, uint32_t fence,
                             bool again, uint32_t index)
{
    static const char name[] = "DxgkDdiSubmitCommand";
    DXGKARG_SUBMITCOMMAND arg = { 0 };
    arg.hContext = submit_client(packet->context);
    arg.SubmissionFenceId = fence;
    arg.NodeOrdinal = packet->context->node;
    arg.EngineOrdinal = index;
    arg.Flags.ContextSwitch = 1;
    arg.Flags.Paging = packet->paged;
    arg.Flags.Resubmission = again && adapter->caps.wddm >= VIDMM_WDDM_2_0;
    driver_call_begin(adapter, name, adapter->cost.submit_ns);
    adapter->in_scheduler_call = true;
    NTSTATUS answer = adapter->ddi->DxgkDdiSubmitCommand(adapter->driver, &arg);
    adapter->in_scheduler_call = false;
    const struct vidmm_field fields[] = {
        f_hex("Flags", arg.Flags.Value),
        f_number("NodeOrdinal", arg.NodeOrdinal),
        f_number("DmaBufferSubmissionStartOffset", 0),
        f_number("DmaBufferSubmissionEndOffset", 0),
        f_number("SubmissionFenceId", fence),
        f_flag("hContext", arg.hContext != NULL),
        f_number("EngineOrdinal", index), /* last: of a link only */
    };
    size_t told = ARRAY_COUNT(fields) - (adapter->link_count == 1);
    driver_call_end(adapter, name, answer, packet->context->handle, fields, told);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_045), 0x119, 0x2,
                        (uint64_t[3]){ (uint32_t)answer, fence, 0 },
                        "DxgkDdiSubmitCommand of a context switch failed; it may not");
    return adapter_usable(adapter);
}

/* All adapters that the context may run on, with one number (LINK-006). */
static vidmm_status call(adapter_t *adapter, const struct render_packet *packet, uint32_t fence,
                         bool again)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < adapter->link_count && !status; i++)
        if (packet->adapters >> i & 1)
            status = call_one(adapter, packet, fence, again, i);
    return status;
}

vidmm_status context_switch_again(adapter_t *adapter, const struct render_packet *packet,
                                  uint32_t fence)
{
    return call(adapter, packet, fence, true);
}

/* ---- the packet ----------------------------------------------------------------------------- */

static vidmm_status hand_over(adapter_t *adapter, struct render_packet *packet, uint32_t *fence)
{
    const struct context *context = packet->context;
    uint32_t node = context->node;
    *fence = fence_issue(&adapter->fences, node);
    if (!*fence)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                        "node %u has used up its fence numbers", node);
    vidmm_status status = STATUS_SUCCESS;
    if (!preempt_holds(adapter, node))
        status = call(adapter, packet, *fence, false);
    if (status)
        return status;
    applies(adapter, RULE(SUBMIT_047));
    EMIT(adapter, SUBMIT, RULE(SUBMIT_047), context->handle, f_node("node", node),
         f_number("fence", *fence), f_word("kind", submit_kind(&packet->job)), f_bytes("bytes", 0),
         f_hex("start", 0), f_hex("end", 0));
    struct packet *queued = engine_packet_take(&adapter->engines);
    queued->node = node;
    queued->fence = *fence;
    submit_mark_saved(adapter, context, queued);
    sync_submit(adapter, queued, &packet->job);
    return STATUS_SUCCESS;
}

static vidmm_status switch_node(adapter_t *adapter, uint32_t node)
{
    const struct loaded_context *loaded = &adapter->loaded[node];
    struct device *device = loaded->context->device;
    uint32_t fence;
    /* What is built has the next numbers already. */
    vidmm_status status = paging_flush(adapter);
    if (!status)
        status = submit_wait_for_queue(adapter, node, device);
    if (status || !loaded->context) /* a reset came meanwhile */
        return status;
    struct render_packet *packet = submit_take_packet(adapter, loaded->context);
    packet->switches = true;
    packet->adapters = loaded->context->engines;
    packet->paged = loaded->paging;
    status = hand_over(adapter, packet, &fence);
    if (status) {
        submit_give_packet(adapter, packet);
        return status;
    }
    context_unload(adapter, node);
    if (adapter->drained)
        status = sync_fence(adapter, node, fence, VIDMM_WAIT_DRAIN, RULE(SUBMIT_047), device);
    return status;
}

/* ---- when ----------------------------------------------------------------------------------- */

vidmm_status context_switch_away(adapter_t *adapter, const struct allocation *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    bool may_leave = allocation->of_context && allocation->state == ALLOCATION_RESIDENT;
    for (uint32_t node = 0; may_leave && node < adapter->caps.nodes && !status; node++)
        if (context_saves_to(adapter, node, allocation))
            status = switch_node(adapter, node);
    return status;
}

vidmm_status context_switch_end(adapter_t *adapter, const struct context *context)
{
    const struct allocation *a = context->allocations;
    while (a && a->state != ALLOCATION_RESIDENT)
        a = a->context_next;
    return a ? context_switch_away(adapter, a) : STATUS_SUCCESS;
}
