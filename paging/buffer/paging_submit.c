/* SPDX-License-Identifier: MIT */
/*
 * paging_submit.c: DxgkDdiPatch and DxgkDdiSubmitCommand of a paging buffer, in their order; and
 * how its submission is told.
 *
 * Rules not named below: SUBMIT-044.
 */
#include "paging/buffer/paging.h"

#include <inttypes.h>
#include <stdio.h>

/* What both calls are told of the bytes, in members of the same names. */
#define SUBMISSION(adapter, buffer, span, fence)                                                   \
    .hContext = paging_context(adapter, span), .DmaBufferSegmentId = (buffer)->segment,            \
    .DmaBufferPhysicalAddress.QuadPart = (LONGLONG)(buffer)->address,                              \
    .DmaBufferSize = (adapter)->setup->paging_bytes,                                               \
    .DmaBufferSubmissionStartOffset = (span)->start, .DmaBufferSubmissionEndOffset = (span)->end,  \
    .pDmaBufferPrivateData = (buffer)->private_data,                                               \
    .DmaBufferPrivateDataSize = (adapter)->setup->paging_private_bytes,                            \
    .DmaBufferPrivateDataSubmissionStartOffset = (span)->private_start,                            \
    .DmaBufferPrivateDataSubmissionEndOffset = (span)->private_end, .SubmissionFenceId = (fence),  \
    .EngineOrdinal = (span)->adapter, .Flags.Paging = 1

struct call {
    bool submits; /* else it is the Patch before */
    uint32_t flags, fence;
};

static HANDLE paging_context(const adapter_t *adapter, const struct paging_span *span)
{
    return adapter->buffers->drained ? NULL : adapter->setup->system_contexts[span->adapter];
}

/* A Patch names no node. */
static size_t call_fields(const adapter_t *adapter, const struct call *call,
                          const struct paging_span *span, struct vidmm_field *fields)
{
    size_t n = 0;
    fields[n++] = f_hex("Flags", call->flags);
    if (call->submits)
        fields[n++] = f_number("NodeOrdinal", adapter->setup->caps.paging_node);
    fields[n++] = f_number("DmaBufferSubmissionStartOffset", span->start);
    fields[n++] = f_number("DmaBufferSubmissionEndOffset", span->end);
    fields[n++] = f_number("DmaBufferPrivateDataSubmissionStartOffset", span->private_start);
    fields[n++] = f_number("DmaBufferPrivateDataSubmissionEndOffset", span->private_end);
    fields[n++] = f_number("SubmissionFenceId", call->fence);
    fields[n++] = f_flag("hContext", paging_context(adapter, span) != NULL);
    if (adapter->setup->link_count > 1)
        fields[n++] = f_number("EngineOrdinal", span->adapter);
    return n;
}

static void tell(adapter_t *adapter, const struct call *call, const struct paging_span *span,
                 NTSTATUS answer)
{
    struct vidmm_field fields[9];
    bool told = heard(adapter, VIDMM_EVENT_DRIVER_CALL); /* for each packet: 2 % of a page-in */
    driver_call_end(adapter, call->submits ? "DxgkDdiSubmitCommand" : "DxgkDdiPatch", answer, 0,
                    fields, told ? call_fields(adapter, call, span, fields) : 0);
}

static vidmm_status patch(adapter_t *adapter, const struct paging_buffer *buffer,
                          const struct paging_span *span, uint32_t fence)
{
    DXGKARG_PATCH arg = { SUBMISSION(adapter, buffer, span, fence), .pDmaBuffer = buffer->memory };
    NTSTATUS answer =
        SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, Patch, adapter->setup->driver, &arg);
    applies(adapter, RULE(SUBMIT_041));
    tell(adapter, &(struct call){ false, arg.Flags.Value, fence }, span, answer);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_042), 0x119, 0x3,
                        (uint64_t[3]){ (uint32_t)answer, fence, 0 },
                        "DxgkDdiPatch of a paging buffer failed; it may not");
    return adapter_usable(adapter);
}

static vidmm_status submit(adapter_t *adapter, const struct paging_buffer *buffer,
                           const struct paging_span *span, uint32_t fence, bool again)
{
    DXGKARG_SUBMITCOMMAND arg = { SUBMISSION(adapter, buffer, span, fence),
                                  .NodeOrdinal = adapter->setup->caps.paging_node };
    arg.Flags.Resubmission = again && adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.submit_ns, SubmitCommand,
                                     adapter->setup->driver, &arg);
    applies(adapter, RULE(SUBMIT_046));
    tell(adapter, &(struct call){ true, arg.Flags.Value, fence }, span, answer);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_045), 0x119, 0x2,
                        (uint64_t[3]){ (uint32_t)answer, fence, 0 },
                        "DxgkDdiSubmitCommand of a paging buffer failed; it may not");
    return adapter_usable(adapter);
}

vidmm_status paging_give(adapter_t *adapter, const struct paging_buffer *buffer,
                         const struct paging_span *span, uint32_t fence, bool again)
{
    vidmm_status status = STATUS_SUCCESS;
    if (!setting(adapter, VIDMM_SETTING_PATCH_PAGING)) /* word 0 is "on" */
        status = patch(adapter, buffer, span, fence);
    return status ? status : submit(adapter, buffer, span, fence, again);
}

/* As NODE:FENCE, what has not ended of what it depends on. */
static const char *waits_text(const adapter_t *adapter, const uint32_t *waits, char *text,
                              size_t size)
{
    const struct fence_board *board = fences_of(adapter);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t node = 0; node < board->nodes; node++)
        if (waits[node] > board->ended[node])
            used += (size_t)snprintf(text + used, size - used, "%s%" PRIu32 ":%" PRIu32,
                                     used ? " " : "", node, waits[node]);
    return text;
}

void paging_tell_submit(adapter_t *adapter, const uint32_t *waits, uint32_t fence, uint32_t bytes,
                        uint32_t was)
{
    char text[VIDMM_NODES_MAX * sizeof "63:4294967295"];
    if (!heard(adapter, VIDMM_EVENT_SUBMIT))
        return;
    struct vidmm_field fields[6] = {
        f_node("node", adapter->setup->caps.paging_node),
        f_number("fence", fence),
        f_word("kind", "paging"),
        f_bytes("bytes", bytes),
    };
    size_t count = 4;
    enum vidmm_rule rule = RULE(PAGE_009);
    if (*waits_text(adapter, waits, text, sizeof text)) {
        rule = RULE(PAGE_044);
        fields[count++] = f_text("waits", text);
    }
    if (was) {
        rule = RULE(SUBMIT_056);
        fields[count++] = f_number("was", was);
    }
    emit_fields(adapter, VIDMM_EVENT_SUBMIT, rule, 0, fields, count);
}
