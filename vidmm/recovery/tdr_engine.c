/* SPDX-License-Identifier: MIT */
/*
 * tdr_engine.c: one engine is reset, and everything else goes on.
 *
 *   reports of the node count for nothing from here on; nothing queued: done
 *   pending DPCs  DxgkDdiCollectDbgInfo  which nodes depend on it?
 *   dependents get a preempt request and 500 ms; one that does not answer is reset too
 *   DxgkDdiResetEngine, and the number that it aborted
 *   the device of that packet is HUNG, what it had queued is dropped
 *   reports count again; what others had queued comes back with new numbers
 *
 * A paging packet that was hit, a failure of the driver: the adapter is reset as a whole.
 *
 * Rules not named below: SUBMIT-058, TDR-018.
 */
#include "paging/buffer/buffer.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

static const vidmm_ns dependent_ns = UINT64_C(500) * 1000 * 1000;

enum { PROMOTED = 9 }; /* TDR-017: reason of the adapter reset */

struct engine_reset {
    uint32_t node;
    uint32_t submitted, completed; /* when its reports stopped to count */
    uint32_t ended;                /* executed by then, reported or not */
    uint32_t aborted;              /* the driver's answer */
    bool paging;                   /* a paging packet was hit */
    bool unknown;                  /* what faulted was hit: the driver could not say before */
};

/* ---- which nodes depend on it --------------------------------------------------------------- */

static void judge_query(adapter_t *adapter, NTSTATUS answer, const char *name)
{
    if (!NT_SUCCESS(answer))
        finding(adapter, RULE(TDR_012), 0, "%s answers 0x%08x; it may not fail", name,
                (unsigned)answer);
}

static vidmm_status find_group(adapter_t *adapter, uint32_t node, uint64_t *mask)
{
    uint64_t known = adapter->setup->caps.nodes < 64
                         ? (UINT64_C(1) << adapter->setup->caps.nodes) - 1
                         : UINT64_MAX;
    DXGKARG_QUERYDEPENDENTENGINEGROUP arg = { .NodeOrdinal = node };
    *mask = UINT64_C(1) << node;
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns,
                                     QueryDependentEngineGroup, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, QueryDependentEngineGroup, answer, 0, f_node("NodeOrdinal", node),
                    f_hex("DependentNodeOrdinalMask", arg.DependentNodeOrdinalMask));
    if (NT_SUCCESS(answer))
        *mask = arg.DependentNodeOrdinalMask;
    judge_query(adapter, answer, "DxgkDdiQueryDependentEngineGroup");
    if (!(*mask >> node & 1))
        return bugcheck(adapter, RULE(TDR_012), 0x119, 0x8, (uint64_t[3]){ node, *mask, 0 },
                        "the dependent nodes of node %u do not contain it", node);
    if (*mask & ~known)
        finding(adapter, RULE(TDR_012), 0,
                "DependentNodeOrdinalMask names nodes that do not exist (0x%llx)",
                (unsigned long long)*mask);
    return adapter_alive(adapter);
}

static void ask_status(adapter_t *adapter, uint32_t node)
{
    DXGKARG_QUERYENGINESTATUS arg = { .NodeOrdinal = node };
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, QueryEngineStatus,
                                     adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, QueryEngineStatus, answer, 0, f_node("NodeOrdinal", node),
                    f_flag("Responsive", arg.EngineStatus.Responsive));
    judge_query(adapter, answer, "DxgkDdiQueryEngineStatus");
}

/* 500 ms for all of them together; the mask keeps those that have to be reset. */
static vidmm_status stop_dependents(adapter_t *adapter, uint32_t node, uint64_t *mask)
{
    vidmm_status status = STATUS_SUCCESS;
    uint64_t asked = 0;
    for (uint32_t i = 0; i < adapter->setup->caps.nodes && !status; i++) {
        if (i == node || !(*mask >> i & 1))
            continue;
        ask_status(adapter, i);
        asked |= UINT64_C(1) << i;
        status = preempt_request(adapter, i);
    }
    vidmm_ns until = timeline_after(clock_of(adapter), dependent_ns);
    bool open = asked != 0;
    while (open && !status) {
        vidmm_ns due;
        open = false;
        for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
            open |= (asked >> i & 1) && !watch_node(adapter, i)->answered;
        if (!open || !timeline_next_due(clock_of(adapter), &due) || due > until)
            break;
        (void)timeline_step(clock_of(adapter));
        status = adapter_alive(adapter);
    }
    if (open && !status)
        timeline_run_until(clock_of(adapter), until);
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        if (watch_node(adapter, i)->answered)
            *mask &= ~(asked & UINT64_C(1) << i);
    return status;
}

/* ---- the reset of one node ------------------------------------------------------------------ */

static void begin(adapter_t *adapter, struct engine_reset *reset, uint32_t node)
{
    reset->node = node;
    reset->submitted = fences_of(adapter)->submitted[node];
    reset->completed = fences_of(adapter)->completed[node];
    reset->ended = fences_of(adapter)->ended[node];
    watch_ignore(adapter, node);
}

static NTSTATUS call_reset(adapter_t *adapter, struct engine_reset *reset)
{
    DXGKARG_RESETENGINE arg = { .NodeOrdinal = reset->node };
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, ResetEngine,
                                     adapter->setup->driver, &arg);
    reset->aborted = arg.LastAbortedFenceId;
    DRIVER_CALL_END(adapter, ResetEngine, answer, 0, f_node("NodeOrdinal", reset->node),
                    f_number("LastAbortedFenceId", arg.LastAbortedFenceId));
    interrupt_forget(adapter, reset->node);
    watch_close(adapter, reset->node);
    return answer;
}

static vidmm_status check_aborted(adapter_t *adapter, const struct engine_reset *reset)
{
    if (reset->aborted >= reset->completed && reset->aborted <= reset->submitted)
        return STATUS_SUCCESS;
    return bugcheck(adapter, RULE(TDR_013), 0x119, 0xA,
                    (uint64_t[3]){ reset->aborted, reset->completed, reset->submitted },
                    "LastAbortedFenceId %u of node %u is not between the last completed (%u) and "
                    "the last submitted one (%u)",
                    reset->aborted, reset->node, reset->completed, reset->submitted);
}

/* ---- what becomes of its packets ------------------------------------------------------------ */

/* It was on its way to the hardware, up to `last`: what had ended has left the list before. */
static bool is_aborted(const struct job *job, uint32_t last)
{
    return job->fence <= last && !job->paging;
}

static bool is_dropped(const struct job *job, const void *context)
{
    const uint32_t *last = context;
    const struct device *device = job->ops->device(job);
    /* The system waits for what is its own, whatever becomes of the device. */
    bool failed = job->packet && device && device->drops && !job->ops->of_system;
    return failed || is_aborted(job, *last);
}

/* Rendering up to `last`, which was aborted, and what devices in error have queued after it. */
static void drop_jobs(adapter_t *adapter, uint32_t node, uint32_t last)
{
    struct job *job = schedule_take_jobs(adapter, node, is_dropped, &last);
    while (job) {
        struct job *next = job->next;
        preempt_drop(adapter, node, job->first, job->first);
        if (!is_aborted(job, last))
            submit_cancel(adapter, job);
        schedule_release(adapter, job);
        job->ops->aborted(adapter, job);
        job = next;
    }
}

void tdr_resubmit(adapter_t *adapter, uint32_t node, uint32_t last)
{
    drop_jobs(adapter, node, 0);
    preempt_resubmit(adapter, node, last);
}

/* One that has ended meanwhile was (TDR-014). The packet that faulted has ended, too, but nothing
   came of it (SUBMIT-060). */
static bool was_aborted(const struct engine_reset *reset, const struct job *job)
{
    if (job->fence > reset->ended)
        return job->fence <= reset->aborted;
    return reset->unknown && job->fence == reset->aborted;
}

/* TDR-014: the devices whose packets were aborted. */
static void blame(adapter_t *adapter, struct engine_reset *reset)
{
    const struct pageable *named;
    for (struct job *job = schedule_jobs(adapter, reset->node); job; job = job->next) {
        if (!was_aborted(reset, job))
            continue;
        if (!job->paging) {
            device_fail(adapter, job->ops->device(job), DEVICE_HUNG, RULE(TDR_014));
            continue;
        }
        reset->paging = true;
        for (size_t at = 0; (named = paging_next_named(job, &at));)
            device_fail(adapter, named->creator, DEVICE_HUNG, RULE(TDR_016));
    }
}

/* What had ended and was not reported was carried out, but what was aborted cannot be relied on. */
static void close_ended(adapter_t *adapter, const struct engine_reset *reset)
{
    while (schedule_jobs(adapter, reset->node) && !schedule_jobs(adapter, reset->node)->packet) {
        struct job *job = schedule_pop_job(adapter, reset->node);
        if (was_aborted(reset, job) && !job->paging)
            preempt_drop(adapter, reset->node, job->first, job->first);
        job->ops->done(adapter, job);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

/* TDR-019: one less than adapter timeouts, for each process. */
static void count_timeout(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    struct process *process = NULL;
    for (const struct job *job = schedule_jobs(adapter, node); job; job = job->next)
        if (job->fence == fence && !job->paging)
            process = job->ops->device(job)->process;
    count_up(adapter, VIDMM_COUNTER_TDR_ENGINE, 1);
    EMIT(adapter, TDR, RULE(TDR_019), 0, f_word("phase", "live-dump"), f_hex("code", 0x141),
         f_node("node", node), f_number("fence", fence));
    if (!process)
        return;
    bool over = tdr_limit(adapter, process->timeouts, &process->timeout_count, 1);
    BASE_GROW(process->timeouts, process->timeout_capacity, process->timeout_count + 1);
    process->timeouts[process->timeout_count++] = clock_now(adapter);
    if (!over || process->blocked)
        return;
    process->blocked = true;
    for (struct device *device = device_first(adapter); device; device = device->next)
        if (device->process == process)
            device_fail(adapter, device, DEVICE_HUNG, RULE(TDR_019));
    EMIT(adapter, TDR, RULE(TDR_019), process->handle, f_word("phase", "live-dump"),
         f_hex("code", 0x142), f_number("p4", process->handle));
}

/* ---- the sequence --------------------------------------------------------------------------- */

static vidmm_status reset_nodes(adapter_t *adapter, uint64_t mask, struct engine_reset *resets,
                                bool *failed)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < adapter->setup->caps.nodes && !status && !*failed; i++) {
        if (!(mask >> i & 1))
            continue;
        if (!watch_node(adapter, i)->ignores)
            begin(adapter, &resets[i], i);
        *failed = !NT_SUCCESS(call_reset(adapter, &resets[i]));
        status = adapter_alive(adapter);
        if (!status && !*failed)
            status = check_aborted(adapter, &resets[i]);
    }
    return status;
}

/* Step 13, after all nodes are sorted out: packets may depend on each other. */
static void resubmit_all(adapter_t *adapter, uint64_t mask, const struct engine_reset *resets)
{
    applies(adapter, RULE(TDR_015));
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        if (mask >> i & 1)
            tdr_resubmit(adapter, i, resets[i].aborted);
    if (!adapter_stopped(adapter)) {
        schedule_kick(adapter);
        fault_take_back(adapter);
    }
}

static void carry_out(adapter_t *adapter, struct tdr_cause cause, struct engine_reset *resets)
{
    uint64_t mask;
    uint32_t node = cause.node;
    bool failed = false, paging = false;
    count_timeout(adapter, node, cause.fence);
    tdr_collect(adapter, 0x141);
    vidmm_status status = find_group(adapter, node, &mask);
    if (!status)
        status = stop_dependents(adapter, node, &mask);
    if (!status)
        status = reset_nodes(adapter, mask, resets, &failed);
    if (status)
        return;
    if (failed) {
        watch_open_all(adapter);
        applies(adapter, RULE(TDR_017));
        cause.reason = PROMOTED;
        tdr_reset_adapter(adapter, &cause);
        return;
    }
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        if (mask >> i & 1) {
            schedule_abort_node(adapter, i, resets[i].aborted);
            blame(adapter, &resets[i]);
            close_ended(adapter, &resets[i]);
            drop_jobs(adapter, i, resets[i].aborted);
            context_node_reset(adapter, i);
            paging |= resets[i].paging;
        }
    watch_open_all(adapter);
    if (adapter_stopped(adapter)) /* a call to cancel failed */
        return;
    EMIT(adapter, TDR, RULE(TDR_011), 0, f_word("phase", "engine-reset"), f_node("node", node),
         f_number("fence", resets[node].aborted));
    if (paging) {
        cause.fence = 0;
        tdr_reset_adapter(adapter, &cause);
    } else {
        resubmit_all(adapter, mask, resets);
    }
}

void tdr_reset_engine(adapter_t *adapter, const struct tdr_cause *cause)
{
    uint32_t node = cause->node;
    struct engine_reset *resets = base_alloc(adapter->setup->caps.nodes, sizeof *resets);
    begin(adapter, &resets[node], node);
    resets[node].unknown = cause->fault && !cause->fence;
    if (engine_idle(engines_of(adapter), node) && !watch_node(adapter, node)->holds &&
        !cause->fault)
        watch_open_all(adapter); /* step 4 */
    else {
        interrupt_run_dpc(adapter); /* step 5 */
        if (!adapter_stopped(adapter))
            carry_out(adapter, *cause, resets);
    }
    base_free(resets);
}
