/* SPDX-License-Identifier: MIT */
/*
 * paging_build.c: one paging operation, in as many DxgkDdiBuildPagingBuffer calls as it takes.
 *
 * The driver may run out of space (the buffer goes out, the call is repeated on the next one), may
 * find the allocation busy (the CPU waits, the call is repeated with AllocationIsIdle), and may
 * write nothing at all (the operation is done at once). Everything else that it does is judged
 * here.
 *
 * Rules not named below: MINI-001, MINI-057, SUBMIT-062, TIME-010.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

#include <string.h>

bool paging_within(const void *at, const uint8_t *from, size_t bytes)
{
    const uint8_t *guard = from + bytes, *end = at;
    /* Each is like the one after it: a few words, and no branch for each byte. */
    return guard[0] == PAGING_GUARD && !memcmp(guard, guard + 1, PAGING_GUARD_BYTES - 1) &&
           end >= from && end <= guard;
}

/* What events and stop records name; 0: no allocation. */
static vidmm_handle subject_of(const struct paging_call *call)
{
    return call->op.allocation ? call->op.allocation->handle : 0;
}

/* `after`: not before what it got. */
static vidmm_status overrun(adapter_t *adapter, const struct paging_call *call, uint64_t subcode,
                            const char *what, bool after)
{
    const char *how =
        after ? "wrote behind the end of" : "moved its pointer back to before what it got of";
    return bugcheck(adapter, RULE(MINI_051), 0x10E, subcode,
                    (uint64_t[3]){ subject_of(call), 0, 0 },
                    "the miniport %s the paging buffer's %s", how, what);
}

/* MINI-051: both pointers advanced by what was left at most, nothing written after it. */
static vidmm_status check_advance(adapter_t *adapter, const struct paging_call *call,
                                  struct paging_buffer *buffer)
{
    uint8_t *end = call->arg.pDmaBuffer, *private_end = call->arg.pDmaBufferPrivateData;
    uint8_t *from = buffer->memory + buffer->used;
    uint8_t *private_from = buffer->private_data + buffer->private_used;
    if (!paging_within(end, from, adapter->setup->paging_bytes - buffer->used))
        return overrun(adapter, call, 0x12, "bytes", end >= from);
    if (!paging_within(private_end, private_from,
                       adapter->setup->paging_private_bytes - buffer->private_used))
        return overrun(adapter, call, 0x13, "private data", private_end >= private_from);
    buffer->used = (uint32_t)(end - buffer->memory);
    buffer->private_used = (uint32_t)(private_end - buffer->private_data);
    return STATUS_SUCCESS;
}

/* ---- the call and its trace ----------------------------------------------------------------- */

enum { FIELDS_MAX = PAGING_OPERANDS_MAX + 6 };

/* What the driver found in the buffer before it wrote. */
struct before {
    uint32_t used, left, multipass, private_left;
};

VIDMM_APART static void tell_call(adapter_t *adapter, const struct paging_call *call,
                                  struct before before, NTSTATUS answer)
{
    struct vidmm_field fields[FIELDS_MAX];
    size_t n = 0;
    fields[n++] = f_word("Operation", paging_operation_name(call->arg.Operation));
    n += paging_operand_fields(call, fields + n);
    fields[n++] = f_number("MultipassOffset", before.multipass);
    fields[n++] = f_number("buffer", before.used);
    fields[n++] = f_number("DmaSize", before.left);
    const uint8_t *end = call->arg.pDmaBuffer;
    const struct buffers *paging = adapter->buffers;
    const uint8_t *from = paging->buffers[paging->current].memory + before.used;
    fields[n++] = f_number("written", end < from ? 0 : (uint64_t)(end - from));
    fields[n++] = f_number("DmaBufferPrivateDataSize", before.private_left);
    driver_call_end(adapter, "DxgkDdiBuildPagingBuffer", answer, subject_of(call), fields, n);
}

static NTSTATUS call_driver(adapter_t *adapter, struct paging_call *call,
                            struct paging_buffer *buffer)
{
    DXGKARG_BUILDPAGINGBUFFER *arg = &call->arg;
    struct before before = { buffer->used, adapter->setup->paging_bytes - buffer->used,
                             arg->MultipassOffset,
                             adapter->setup->paging_private_bytes - buffer->private_used };
    arg->pDmaBuffer = buffer->memory + buffer->used;
    arg->DmaSize = before.left;
    arg->pDmaBufferPrivateData = buffer->private_data + buffer->private_used;
    arg->DmaBufferPrivateDataSize = before.private_left;
    arg->hSystemContext = adapter->setup->system_contexts[adapter->buffers->adapter];

    /* MINI-053: a repeat asks for the same, so the driver gets a copy of what is not its own. */
    DXGKARG_BUILDPAGINGBUFFER given = *arg;
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, BuildPagingBuffer,
                                     adapter->setup->driver, &given);
    driver_call_returned(adapter);
    arg->pDmaBuffer = given.pDmaBuffer;
    arg->pDmaBufferPrivateData = given.pDmaBufferPrivateData;
    arg->MultipassOffset = given.MultipassOffset;
    applies(adapter, RULE(MINI_050));
    applies(adapter, RULE(MINI_060));
    if (heard(adapter, VIDMM_EVENT_DRIVER_CALL))
        tell_call(adapter, call, before, answer);
    return answer;
}

/* ---- the answers ---------------------------------------------------------------------------- */

/* MINI-056: what is queued goes out, the CPU waits, the call is repeated. */
VIDMM_APART static vidmm_status wait_until_idle(adapter_t *adapter, struct paging_call *call)
{
    vidmm_status status = paging_flush(adapter);
    if (!status)
        status = schedule_wait_fences(adapter, call->op.allocation->transfer.fences,
                                      VIDMM_WAIT_BUSY_RETRY, RULE(MINI_056),
                                      paging_waiter(adapter, call->op.allocation));
    if (call->arg.Operation == DXGK_OPERATION_TRANSFER)
        call->arg.Transfer.Flags.AllocationIsIdle = 1;
    else if (call->arg.Operation == DXGK_OPERATION_SPECIAL_LOCK_TRANSFER)
        call->arg.SpecialLockTransfer.Flags.AllocationIsIdle = 1;
    else
        call->arg.DiscardContent.Flags.AllocationIsIdle = 1;
    call->may_be_busy = false;
    return status;
}

/* A driver that takes one page at a time needs as many passes as there are pages; twice that and
   some more is no progress either, whatever it writes. */
enum { PASSES_SPARE = 1024 };

/* The buffer goes out, and the call is repeated on the next one. `stalled`: an empty buffer was not
   enough, and nothing came of the call. */
VIDMM_APART static vidmm_status make_space(adapter_t *adapter, struct paging_call *call,
                                           bool stalled)
{
    const struct pageable *allocation = call->op.allocation;
    uint64_t pages = allocation ? allocation->info.bytes / adapter->setup->page : 0;
    applies(adapter, RULE(MINI_053));
    applies(adapter, RULE(MINI_054));
    call->passes++;
    if (stalled || call->passes > 2 * pages + PASSES_SPARE) {
        finding(adapter, RULE(MINI_055), subject_of(call), "no progress in BuildPagingBuffer");
        return bugcheck(adapter, RULE(MINI_055), 0x10E, 0xB,
                        (uint64_t[3]){ subject_of(call), 0, 0 },
                        "the miniport asks for space again and again and makes no progress");
    }
    call->repeated = true;
    vidmm_status status = paging_flush(adapter);
    return status ? status : paging_next_buffer(adapter);
}

/* GPU-side dependencies: unfinished work of the allocation runs first (PAGE-044). */
static void depend(adapter_t *adapter, const struct pageable *allocation)
{
    struct buffers *paging = adapter->buffers;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        if (node != adapter->setup->caps.paging_node &&
            allocation->transfer.fences[node] > paging->waits[node])
            paging->waits[node] = allocation->transfer.fences[node];
}

/* One pass. *again: the call has to be repeated. */
static vidmm_status pass(adapter_t *adapter, struct paging_call *call, bool *again)
{
    struct buffers *paging = adapter->buffers;
    struct paging_buffer *buffer = &paging->buffers[paging->current];
    struct pageable *allocation = call->op.allocation;
    uint32_t used = buffer->used, multipass = call->arg.MultipassOffset;
    NTSTATUS answer = call_driver(adapter, call, buffer);
    vidmm_status status = check_advance(adapter, call, buffer);
    if (status)
        return status;

    /* A discard writes nothing, but what gets the range next has to wait for its last users. A call
       that is refused as busy leaves nothing to wait for. */
    uint32_t advance = buffer->used - used;
    call->written += advance;
    if (allocation && (advance || answer == STATUS_SUCCESS))
        depend(adapter, allocation);
    /* What was written refers to the allocation, under the fence that the next flush will carry. */
    if (allocation && advance) {
        struct fence_ref ref = { adapter->setup->caps.paging_node, paging_next_fence(adapter) };
        pageable_fence(allocation, ref, true);
        if (allocation_is(allocation, ALLOCATION_SYNCHRONOUS))
            paging->synchronous = true; /* also when this pass is not the last */
    }

    if (answer == STATUS_SUCCESS) {
        *again = false;
        return adapter_usable(adapter);
    }
    if (answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        return make_space(adapter, call,
                          call->repeated && !used && !advance &&
                              call->arg.MultipassOffset == multipass);
    if (answer == STATUS_GRAPHICS_ALLOCATION_BUSY && call->may_be_busy)
        return wait_until_idle(adapter, call);
    const struct vidmm_status_info *info = vidmm_status_info(answer);
    return bugcheck(adapter, RULE(MINI_052), 0x10E, 0xB,
                    (uint64_t[3]){ subject_of(call), (uint32_t)answer, 0 },
                    "DxgkDdiBuildPagingBuffer may not answer %s to %s",
                    info ? info->name : "an unknown status",
                    paging_operation_name(call->arg.Operation));
}

/* The last packet that carries a part of what is being built; NULL: it is over already. */
static struct paging_packet *last_packet_with_part(const adapter_t *adapter)
{
    const struct buffers *paging = adapter->buffers;
    const struct paging_buffer *buffer = &paging->buffers[paging->current];
    struct job *last = NULL;
    if (buffer->used != buffer->submitted || paging->deferring)
        return paging->open;
    for (struct job *job = schedule_jobs(adapter, adapter->setup->caps.paging_node); job;
         job = job->next)
        if (job->paging)
            last = job;
    return (struct paging_packet *)last;
}

VIDMM_APART static void grow(struct paging_packet *packet)
{
    bool own = packet->ops == packet->own;
    packet->ops = base_grow(own ? NULL : packet->ops, &packet->capacity, packet->count + 1,
                            sizeof *packet->ops);
    if (own)
        memcpy(packet->ops, packet->own, sizeof packet->own);
}

static void record(adapter_t *adapter, const struct paging_call *call)
{
    struct paging_packet *packet = call->written ? last_packet_with_part(adapter) : NULL;
    if (!call->written)
        applies(adapter, RULE(MINI_058));
    if (!packet) {
        /* What a context begins with only its driver knows (MINI-078). */
        if (call->arg.Operation != DXGK_OPERATION_INIT_CONTEXT_RESOURCE)
            paging_verify_op(adapter, &call->op);
        paging_op_done(adapter, &call->op);
        return;
    }
    if (packet->count == packet->capacity)
        grow(packet);
    packet->ops[packet->count++] = call->op;
}

/* Its pages are let go like those of what was done: with the packet that carries a part of it. */
void paging_give_up(adapter_t *adapter, struct paging_call *call)
{
    if (!call->op.page_lock || call->op.kind == PAGING_MAP || call->op.kind == PAGING_UNMAP)
        return;
    call->op.kind = PAGING_GIVEN_UP;
    record(adapter, call);
}

vidmm_status paging_build(adapter_t *adapter, struct paging_call *call)
{
    const struct paging_op *op = &call->op;
    bool again = true;
    /* What was due before may have stopped the system. */
    vidmm_status status = adapter_stopped(adapter) ? adapter_usable(adapter) : STATUS_SUCCESS;
    call->arg.MultipassOffset = 0;
    call->repeated = false;
    call->passes = 0;
    while (again && !status) {
        /* Work that became due in a wait between two passes may be for another adapter. */
        status = paging_turn_to(adapter, op->allocation ? op->allocation->info.physical
                                                        : segment_adapter(adapter, op->segment));
        if (!status)
            status = pass(adapter, call, &again);
    }
    if (status) {
        paging_give_up(adapter, call);
        return status;
    }
    if (!call->part)
        record(adapter, call);
    return STATUS_SUCCESS;
}
