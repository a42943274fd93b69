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
#include "paging/buffer/buffer.h"
#include "vidmm/recovery/recovery_state.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

/* ---- what was on its way -------------------------------------------------------------------- */

static void abort_all(adapter_t *adapter)
{
    sync_abort_all(adapter);
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
        watch_close(adapter, node); /* TDR-021 */
    return STATUS_SUCCESS;
}

static vidmm_status restart(adapter_t *adapter, const struct tdr_cause *cause)
{
    NTSTATUS answer = call_driver(adapter, "DxgkDdiRestartFromTimeout",
                                  adapter->setup->ddi->DxgkDdiRestartFromTimeout);
    watch_open_all(adapter);
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    if (!NT_SUCCESS(answer))
        return tdr_fail(adapter, RULE(TDR_020), cause, answer, "DxgkDdiRestartFromTimeout failed");
    return STATUS_SUCCESS;
}

/* ---- records and devices -------------------------------------------------------------------- */

static vidmm_status record(adapter_t *adapter, const struct tdr_cause *cause)
{
    struct recovery *recovery = adapter->recovery;
    bool over = tdr_limit(adapter, recovery->dumps, &recovery->dump_count, 0);
    applies(adapter, RULE(TDR_005));
    if (over && setting(adapter, VIDMM_SETTING_TDR_DEBUG_MODE) != DEBUG_ALWAYS)
        return tdr_fail(adapter, RULE(TDR_005), cause, STATUS_SUCCESS,
                        "there were TdrLimitCount recoveries within TdrLimitTime");
    BASE_GROW(recovery->dumps, recovery->dump_capacity, recovery->dump_count + 1);
    recovery->dumps[recovery->dump_count++] = clock_now(adapter);
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
    for (struct device *device = device_first(adapter); device; device = device->next)
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
    abort_all(adapter);
    applies(adapter, RULE(TDR_021));
    status = tdr_clean(adapter);
    if (!status)
        status = restart(adapter, cause);
    if (!status)
        status = paging_submit_deferred(adapter);
    watch_count_reset(adapter);
    if (status)
        return;
    mark_devices(adapter, hung);
    EMIT(adapter, TDR, RULE(TDR_020), 0, f_word("phase", "recovered"));
}

vidmm_status tdr_hardware_gone(adapter_t *adapter)
{
    watch_recovery(adapter, true);
    abort_all(adapter);
    vidmm_status status = tdr_clean(adapter);
    paging_discard_deferred(adapter);
    watch_recovery(adapter, false);
    return status;
}
