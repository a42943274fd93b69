/* SPDX-License-Identifier: MIT */
/*
 * tdr_reset.c: the adapter as a whole is reset, and everything goes on without what was on it.
 *
 *   record 0x117  DxgkDdiCollectDbgInfo  DxgkDdiResetFromTimeout
 *   every number given out is over: what had ended counts, what had not never will
 *   clean-up (tdr_cleanup.c)  DxgkDdiRestartFromTimeout
 *   what the driver wrote during clean-up is the first paging packet
 *   devices: the one that hung is HUNG, all others are RESET
 *
 * Rules not named below: TDR-025.
 */
#include "paging/buffer/paging.h"
#include "paging/schedule/schedule_state.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share_state.h"
#include "vidmm/submit/submit.h"

/* ---- what was on its way -------------------------------------------------------------------- */

static void forget_guard(adapter_t *adapter, struct node_guard *guard)
{
    tdr_unwatch(adapter, guard);
    timeline_cancel(clock_of(adapter), &guard->stop);
    guard->preempt_id = 0;
    guard->holds = guard->answered = guard->ignores = guard->drop_due = false;
    guard->demanded = NO_RESET;
}

static void release(adapter_t *adapter, struct packet *packet)
{
    while (packet) {
        struct packet *next = packet->next;
        ((struct job *)packet->cookie)->packet = NULL;
        engine_packet_release(&adapter->schedule->engines, packet);
        packet = next;
    }
}

/* Held back before the hardware had it: its packet is not the engine's. */
static void release_held(adapter_t *adapter, struct job *job)
{
    if (job->packet)
        engine_packet_release(&adapter->schedule->engines, job->packet);
    job->packet = NULL;
}

void tdr_close_jobs(adapter_t *adapter, uint32_t node, uint32_t ended)
{
    struct job_fifo *fifo = &adapter->schedule->jobs[node];
    while (fifo->head) {
        struct job *job = fifo->head;
        bool executed = job->fence <= ended && !job->packet;
        fifo->head = job->next;
        if (!fifo->head)
            fifo->tail = NULL;
        release_held(adapter, job);
        if (executed)
            job->ops->done(adapter, job);
        else
            job->ops->aborted(adapter, job);
    }
}

void tdr_abort_all(adapter_t *adapter)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        forget_guard(adapter, &adapter->schedule->tdr->guards[node]);
        release(adapter, engine_abort(&adapter->schedule->engines, node));
    }
    adapter->schedule->interrupts.count = 0;
    adapter->schedule->interrupts.dpc_queued = false;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        uint32_t ended = sync_last_ended(adapter, node);
        preempt_drop(adapter, node, ended + 1, sync_last_issued(adapter, node));
        uint32_t known = sync_last_completed(adapter, node);
        fence_reset(&adapter->schedule->fences, node, sync_last_issued(adapter, node));
        preempt_forget(adapter, node, known);
        tdr_close_jobs(adapter, node, ended);
    }
    context_unload_all(adapter);
    applies(adapter, RULE(SUBMIT_058));
}

/* ---- the driver ----------------------------------------------------------------------------- */

static NTSTATUS call_driver(adapter_t *adapter, const char *name, DXGKDDI_RESETFROMTIMEOUT *call)
{
    driver_call_begin(adapter, name, adapter->setup->cost.ddi_ns);
    NTSTATUS answer = call ? call(adapter->setup->driver) : STATUS_NOT_IMPLEMENTED;
    driver_call_end(adapter, name, answer, 0, NULL, 0);
    return answer;
}

static vidmm_status reset(adapter_t *adapter, const struct tdr_cause *cause)
{
    NTSTATUS answer = call_driver(adapter, "DxgkDdiResetFromTimeout",
                                  adapter->setup->ddi->DxgkDdiResetFromTimeout);
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    if (!NT_SUCCESS(answer))
        return tdr_fail(adapter, RULE(TDR_020), cause, answer, "DxgkDdiResetFromTimeout failed");
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        adapter->schedule->tdr->guards[node].closed = true; /* TDR-021 */
    return STATUS_SUCCESS;
}

static vidmm_status restart(adapter_t *adapter, const struct tdr_cause *cause)
{
    NTSTATUS answer = call_driver(adapter, "DxgkDdiRestartFromTimeout",
                                  adapter->setup->ddi->DxgkDdiRestartFromTimeout);
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        adapter->schedule->tdr->guards[node].closed = false;
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    if (!NT_SUCCESS(answer))
        return tdr_fail(adapter, RULE(TDR_020), cause, answer, "DxgkDdiRestartFromTimeout failed");
    return STATUS_SUCCESS;
}

/* ---- records and devices -------------------------------------------------------------------- */

static vidmm_status record(adapter_t *adapter, const struct tdr_cause *cause)
{
    struct tdr *tdr = adapter->schedule->tdr;
    bool over = tdr_limit(adapter, tdr->dumps, &tdr->dump_count, 0);
    applies(adapter, RULE(TDR_005));
    if (over && setting(adapter, VIDMM_SETTING_TDR_DEBUG_MODE) != DEBUG_ALWAYS)
        return tdr_fail(adapter, RULE(TDR_005), cause, STATUS_SUCCESS,
                        "there were TdrLimitCount recoveries within TdrLimitTime");
    BASE_GROW(tdr->dumps, tdr->dump_capacity, tdr->dump_count + 1);
    tdr->dumps[tdr->dump_count++] = clock_now(adapter);
    count_up(adapter, VIDMM_COUNTER_TDR_ADAPTER, 1);
    EMIT(adapter, TDR, RULE(TDR_004), 0, f_word("phase", "live-dump"), f_hex("code", 0x117),
         f_node("node", cause->node), f_number("fence", cause->fence),
         f_number("reason", cause->reason));
    tdr_collect(adapter, 0x117);
    return STATUS_SUCCESS;
}

static struct device *owner_of(const adapter_t *adapter, const struct tdr_cause *cause)
{
    for (const struct job *job = sync_jobs(adapter, cause->node); job; job = job->next)
        if (job->fence == cause->fence)
            return job->ops->device(job);
    return NULL;
}

static void mark_devices(adapter_t *adapter, struct device *hung)
{
    if (hung)
        device_fail(adapter, hung, DEVICE_HUNG, RULE(TDR_028));
    for (struct device *device = adapter->share->devices; device; device = device->next)
        device_fail(adapter, device, DEVICE_RESET, RULE(TDR_028));
}

void tdr_reset_adapter(adapter_t *adapter, const struct tdr_cause *cause)
{
    struct device *hung = owner_of(adapter, cause);
    vidmm_status status = record(adapter, cause);
    if (status)
        return;
    EMIT(adapter, TDR, RULE(TDR_020), 0, f_word("phase", "reset"), f_node("node", cause->node),
         f_number("fence", cause->fence));
    status = reset(adapter, cause);
    if (status)
        return;
    tdr_abort_all(adapter);
    applies(adapter, RULE(TDR_021));
    status = tdr_clean(adapter);
    if (!status)
        status = restart(adapter, cause);
    if (!status)
        status = paging_submit_deferred(adapter);
    adapter->schedule->tdr->adapter_resets++;
    if (status)
        return;
    mark_devices(adapter, hung);
    EMIT(adapter, TDR, RULE(TDR_020), 0, f_word("phase", "recovered"));
}

vidmm_status tdr_hardware_gone(adapter_t *adapter)
{
    adapter->schedule->tdr->busy = true;
    tdr_abort_all(adapter);
    vidmm_status status = tdr_clean(adapter);
    paging_discard_deferred(adapter);
    adapter->schedule->tdr->busy = false;
    return status;
}
