/* SPDX-License-Identifier: MIT */
/*
 * tdr.c: a packet runs for too long (paging/schedule/watch.c): what is done, what is recorded, when
 * it is too much, and how the adapter is reset as a whole.
 *
 * The engine reset (tdr_engine.c) comes first where the driver has it, the adapter reset where that
 * is not enough:
 *
 *   record 0x117  DxgkDdiCollectDbgInfo  DxgkDdiResetFromTimeout
 *   every number given out is over: what had ended counts, what had not never will
 *   clean-up (tdr_cleanup.c)  DxgkDdiRestartFromTimeout
 *   what the driver wrote during clean-up is the first paging packet
 *   devices: the one that hung is HUNG, all others are RESET
 *
 * Nothing is decided while a timer fires or while a preparation is open: callers that wait inside
 * of one are refused first, and the reset finds nothing half done.
 *
 * Rules not named below: BUG-004, SUBMIT-060, TDR-021, TDR-025.
 */
#include "vidmm/recovery/tdr.h"
#include "paging/buffer/buffer.h"
#include "vidmm/recovery/recovery_state.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

/* ---- records and limits --------------------------------------------------------------------- */

void tdr_collect(adapter_t *adapter, uint32_t code)
{
    DXGKARG_COLLECTDBGINFO_EXT extension = { 0 };
    uint8_t buffer[64] = { 0 };
    DXGKARG_COLLECTDBGINFO arg = {
        .Reason = code, .pBuffer = buffer, .BufferSize = sizeof buffer, .pExtension = &extension
    };
    if (!adapter->setup->ddi->DxgkDdiCollectDbgInfo)
        return;
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, CollectDbgInfo,
                                  adapter->setup->driver, &arg);
    applies(adapter, RULE(TDR_007));
    DRIVER_CALL_END(adapter, CollectDbgInfo, answer, 0, f_hex("Reason", code));
}

bool tdr_limit(adapter_t *adapter, vidmm_ns *times, size_t *count, uint64_t less)
{
    vidmm_ns now = clock_now(adapter);
    vidmm_ns window = setting(adapter, VIDMM_SETTING_TDR_LIMIT_TIME);
    uint64_t limit = setting(adapter, VIDMM_SETTING_TDR_LIMIT_COUNT);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (now - times[i] <= window)
            times[kept++] = times[i];
    *count = kept;
    return kept >= limit - min_u64(less, limit);
}

/* A timeout that cannot be recovered from. */
static vidmm_status tdr_fail(adapter_t *adapter, enum vidmm_rule rule,
                             const struct tdr_cause *cause, NTSTATUS status, const char *why)
{
    return bugcheck(adapter, rule, 0x116, watch_resets(adapter) + 1,
                    (uint64_t[3]){ cause->node, (uint32_t)status, cause->reason },
                    "recovery from a timeout of node %u is not possible: %s", cause->node, why);
}

/* ---- the adapter as a whole ----------------------------------------------------------------- */

static void abort_all(adapter_t *adapter)
{
    schedule_abort_all(adapter);
    context_unload_all(adapter);
    applies(adapter, RULE(SUBMIT_058));
}

/* DxgkDdiResetFromTimeout, or DxgkDdiRestartFromTimeout. `why`: it failed. */
static vidmm_status call_driver(adapter_t *adapter, const char *name, const char *why,
                                DXGKDDI_RESETFROMTIMEOUT *call, const struct tdr_cause *cause)
{
    driver_call_begin(adapter, name, adapter->setup->cost.ddi_ns);
    NTSTATUS answer = call(adapter->setup->driver); /* it is there: MINI-023 */
    driver_call_end(adapter, name, answer, 0, NULL, 0);
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    return NT_SUCCESS(answer) ? STATUS_SUCCESS
                              : tdr_fail(adapter, RULE(TDR_020), cause, answer, why);
}

static vidmm_status record(adapter_t *adapter, const struct tdr_cause *cause)
{
    struct recovery *recovery = adapter->recovery;
    bool over = tdr_limit(adapter, recovery->dumps, &recovery->dump_count, 0);
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

void tdr_reset_adapter(adapter_t *adapter, const struct tdr_cause *cause)
{
    const struct job *job = schedule_jobs(adapter, cause->node);
    while (job && job->fence != cause->fence)
        job = job->next;
    struct device *hung = job ? job->ops->device(job) : NULL;
    vidmm_status status = record(adapter, cause);
    if (status)
        return;
    EMIT(adapter, TDR, RULE(TDR_020), 0, f_word("phase", "reset"), f_node("node", cause->node),
         f_number("fence", cause->fence));
    status = call_driver(adapter, "DxgkDdiResetFromTimeout", "DxgkDdiResetFromTimeout failed",
                         adapter->setup->ddi->DxgkDdiResetFromTimeout, cause);
    if (status)
        return;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        watch_close(adapter, node);
    abort_all(adapter);
    status = tdr_clean(adapter);
    if (!status) {
        status =
            call_driver(adapter, "DxgkDdiRestartFromTimeout", "DxgkDdiRestartFromTimeout failed",
                        adapter->setup->ddi->DxgkDdiRestartFromTimeout, cause);
        watch_open_all(adapter);
    }
    if (!status)
        status = paging_submit_deferred(adapter);
    watch_count_reset(adapter);
    if (status)
        return;
    if (hung)
        device_fail(adapter, hung, DEVICE_HUNG, RULE(TDR_028));
    for (struct device *device = device_first(adapter); device; device = device->next)
        device_fail(adapter, device, DEVICE_RESET, RULE(TDR_028));
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

/* ---- a timeout ------------------------------------------------------------------------------ */

/* The engine first, where that is possible. */
static void recover(adapter_t *adapter, const struct tdr_cause *cause, bool whole)
{
    applies(adapter, RULE(TDR_010));
    if (!whole && adapter->setup->caps.per_engine_tdr)
        tdr_reset_engine(adapter, cause);
    else
        tdr_reset_adapter(adapter, cause);
}

static void time_out(adapter_t *adapter, uint32_t node)
{
    vidmm_ns at;
    struct tdr_cause cause = { .node = node, .fence = watch_take_timeout(adapter, node, &at) };
    applies(adapter, RULE(TDR_002));
    EMIT(adapter, TDR, RULE(TDR_001), 0, f_word("phase", "timeout"), f_node("node", node),
         f_number("fence", cause.fence), f_ns("at", at));
    if (setting(adapter, VIDMM_SETTING_TDR_LEVEL) == 1) {
        (void)tdr_fail(adapter, RULE(TDR_003), &cause, STATUS_SUCCESS, "TdrLevel forbids it");
        return;
    }
    if (watch_driver_stuck(adapter)) {
        (void)tdr_fail(adapter, RULE(TDR_006), &cause, STATUS_SUCCESS,
                       "a call of the driver does not return within TdrDdiDelay");
        return;
    }
    if (setting(adapter, VIDMM_SETTING_TDR_DEBUG_MODE) == DEBUG_BREAK)
        finding(adapter, RULE(TDR_003), 0, "node %u has timed out; here a debugger would stop",
                node);
    recover(adapter, &cause, false);
}

static void work_on(adapter_t *adapter, uint32_t node)
{
    uint32_t completed;
    preempt_make_due(adapter, node);
    if (watch_node(adapter, node)->answered && !adapter_stopped(adapter) &&
        preempt_take_back(adapter, node, &completed))
        tdr_resubmit(adapter, node, completed);
    if (!watch_node(adapter, node)->timeout_due)
        return;
    if (watch_in_the_middle(adapter))
        watch_work_again(adapter);
    else if (!adapter_stopped(adapter))
        time_out(adapter, node);
}

void tdr_work(adapter_t *adapter)
{
    watch_begin_work(adapter);
    for (uint32_t node = 0; node < adapter->setup->caps.nodes && !adapter_stopped(adapter); node++)
        if (!watch_node(adapter, node)->reset_due)
            work_on(adapter, node);
        else if (watch_in_the_middle(adapter))
            watch_work_again(adapter);
        else {
            /* SUBMIT-060: nothing has timed out, so the limits of detection do not count. */
            const struct demand *demand = &adapter->recovery->demands[node];
            const struct tdr_cause cause = { .node = node, .fence = demand->fence, .fault = true };
            recover(adapter, &cause, demand->whole);
        }
    watch_recovery(adapter, false);
}

/* ---- asked by the script -------------------------------------------------------------------- */

vidmm_status vidmm_preempt(struct vidmm_adapter *adapter, uint32_t node)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (node >= adapter->setup->caps.nodes)
        return refuse(adapter, RULE(SUBMIT_051), STATUS_INVALID_PARAMETER, "there is no node %u",
                      node);
    if (watch_node(adapter, node)->preempt_id)
        return refuse(adapter, RULE(SUBMIT_051), STATUS_INVALID_PARAMETER,
                      "a preempt request of node %u has no answer yet", node);
    status = preempt_request(adapter, node);
    tdr_work(adapter);
    return status ? status : adapter_usable(adapter);
}

static void reset_by_script(adapter_t *adapter,
                            void (*reset)(adapter_t *, const struct tdr_cause *))
{
    /* The lowest node that executes something; node 0 when none does. */
    struct tdr_cause cause = { 0 };
    for (uint32_t node = 0; node < adapter->setup->caps.nodes && !cause.fence; node++) {
        const struct packet *running = engines_of(adapter)->engines[node].running;
        if (running)
            cause = (struct tdr_cause){ .node = node, .fence = running->fence };
    }
    schedule_deferred(adapter);
    if (adapter_stopped(adapter))
        return;
    watch_recovery(adapter, true);
    reset(adapter, &cause);
    watch_recovery(adapter, false);
}

vidmm_status vidmm_reset_adapter(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    reset_by_script(adapter, tdr_reset_adapter);
    return adapter_usable(adapter);
}

vidmm_status vidmm_reset_engine(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (!adapter->setup->caps.per_engine_tdr)
        return refuse(adapter, RULE(TDR_010), STATUS_NOT_SUPPORTED,
                      "the driver cannot reset a single engine");
    reset_by_script(adapter, tdr_reset_engine);
    tdr_work(adapter);
    return adapter_usable(adapter);
}
