/* SPDX-License-Identifier: MIT */
/*
 * preempt.c: asks a node to stop, and resubmits the packets that were taken back; what becomes of
 * them, of numbers and of reports when the hardware is reset.
 *
 * What a request does depends on GraphicsPreemptionGranularity. NONE: nothing is stopped, the
 * answer comes when the queue is empty. DMA_BUFFER_BOUNDARY: the packet in execution ends, those
 * after it are taken back; what is submitted meanwhile waits with them. Finer: the packet in
 * execution is stopped too, after preempt-ns, unless it hangs.
 *
 * What comes back gets new numbers, so everything that waits for an old one has to learn the new:
 * fences of allocations, dependencies of packets, paging buffers, and waits (struct fence_wait). A
 * paging packet keeps its number as long as no other packet of its node has to run before it: an
 * eviction must not overtake the work whose memory it takes.
 *
 * What the driver and the devices hear of a reset is told by recovery.
 *
 * Rules not named below: SUBMIT-056, TDR-015.
 */
#include "paging/schedule/schedule_state.h"

/* ---- the request ---------------------------------------------------------------------------- */

static vidmm_status numbers_used_up(adapter_t *adapter, uint32_t node)
{
    return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                    "node %u has used up its fence numbers", node);
}

static NTSTATUS call_preempt(adapter_t *adapter, uint32_t node, uint32_t id)
{
    DXGKARG_PREEMPTCOMMAND arg = { .PreemptionFenceId = id, .NodeOrdinal = node };
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, PreemptCommand,
                                     adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, PreemptCommand, answer, 0, f_number("PreemptionFenceId", id),
                    f_node("NodeOrdinal", node), f_number("EngineOrdinal", 0),
                    f_hex("Flags", arg.Flags.Value));
    return answer;
}

/* The packets that the engine gave back find their jobs. */
static void keep_packets(struct packet *packet)
{
    while (packet) {
        struct packet *next = packet->next;
        ((struct job *)packet->cookie)->packet = packet;
        packet = next;
    }
}

/* The packet in execution stops half-way; it goes on from there when it comes back. */
static void on_stop(struct timer *timer, void *context)
{
    adapter_t *adapter = ((struct node_guard *)context)->adapter;
    struct packet *packet = engine_interrupt(&adapter->schedule->engines, timer->node);
    if (!packet || adapter_stopped(adapter))
        return;
    keep_packets(packet);
    interrupt_raise(adapter, timer->node, packet->fence);
}

vidmm_status preempt_request(adapter_t *adapter, uint32_t node)
{
    struct schedule *schedule = adapter->schedule;
    struct node_guard *guard = guard_of(adapter, node);
    const struct packet *running = schedule->engines.engines[node].running;
    const D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY stops =
        adapter->setup->caps.preemption_granularity;
    bool idle = engine_idle(&schedule->engines, node);
    if (guard->now.preempt_id || !adapter->setup->ddi->DxgkDdiPreemptCommand)
        return STATUS_SUCCESS;
    uint32_t watched = running ? running->fence : 0;
    uint32_t id = fence_issue(&schedule->fences, node);
    if (!id)
        return numbers_used_up(adapter, node);
    guard->now.preempt_id = id;
    guard->now.preempts++;
    count_up(adapter, VIDMM_COUNTER_PREEMPTS, 1);
    EMIT(adapter, PREEMPT, RULE(SUBMIT_051), 0, f_node("node", node), f_number("fence", id),
         f_word("phase", "request"));
    if (stops != D3DKMDT_GRAPHICS_PREEMPTION_NONE && !idle) {
        guard->now.holds = true;
        schedule->jobs[node].held = 0;
        engine_hold(&schedule->engines, node, true);
    }
    if (stops > D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY && running && !running->endless) {
        guard->stop.fire = on_stop;
        timeline_arm(clock_of(adapter), &guard->stop,
                     timeline_after(clock_of(adapter), adapter->setup->cost.preempt_ns));
    }
    NTSTATUS answer = call_preempt(adapter, node, id);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_051), 0x119, 0x2,
                        (uint64_t[3]){ (uint32_t)answer, id, 0 },
                        "DxgkDdiPreemptCommand failed; it may not");
    interrupt_run_dpc(adapter);
    if (guard->now.holds && guard->now.preempt_id)
        watch_answer(adapter, guard, watched);
    if (idle && !adapter_stopped(adapter)) {
        /* With nothing to stop the driver answers by itself. */
        if (!guard->now.answered)
            finding(adapter, RULE(SUBMIT_057), 0,
                    "node %u has nothing to stop, and the driver does not report the preemption",
                    node);
    }
    return adapter_usable(adapter);
}

void preempt_make_due(adapter_t *adapter, uint32_t node)
{
    struct node_guard *guard = guard_of(adapter, node);
    if (guard->request_due) {
        watch_answer(adapter, guard, guard->fence);
        (void)preempt_request(adapter, node);
    }
    if (guard->drop_due && !adapter_stopped(adapter))
        (void)preempt_request(adapter, node);
    guard->drop_due = false;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* A packet in execution after the last completed one was stopped, whatever was requested. */
static bool running_after(const adapter_t *adapter, uint32_t node, uint32_t last)
{
    const struct packet *running = adapter->schedule->engines.engines[node].running;
    return running && running->fence > last;
}

void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known)
{
    struct node_guard *guard = guard_of(adapter, node);
    if (known != guard->over) /* else it has completed nothing since the last time */
        guard->known = known;
    guard->over = adapter->schedule->fences.completed[node];
}

void preempt_report(adapter_t *adapter, uint32_t node, uint32_t id, uint32_t last)
{
    const struct fence_board *fences = &adapter->schedule->fences;
    struct node_guard *guard = node < adapter->setup->caps.nodes ? guard_of(adapter, node) : NULL;
    if (adapter_stopped(adapter) || (guard && guard->now.ignores))
        return;
    /* A start, and a reset of the adapter, end numbers that the driver never had. Until it
       completes a newer one, it can only repeat what it knew. */
    if (guard && fences->completed[node] == guard->over && last >= guard->known)
        last = max_u32(last, fences->completed[node]);
    if (!guard || !id || id != guard->now.preempt_id || last < fences->completed[node] ||
        last > fences->submitted[node]) {
        (void)bugcheck(adapter, RULE(SUBMIT_053), 0x119, 0x1, (uint64_t[3]){ id, node, last },
                       "the miniport reports preemption %u of node %u, which nobody asked for, or "
                       "a last completed fence %u that cannot be right",
                       id, node, last);
        return;
    }
    EMIT(adapter, PREEMPT, RULE(SUBMIT_051), 0, f_node("node", node), f_number("fence", id),
         f_word("phase", "answer"), f_number("completed", last));
    if (last > fences->completed[node])
        schedule_report(adapter, node, last);
    guard->now.preempt_id = 0;
    watch_end(adapter, guard);
    guard->now.answered = true;
    guard->answered_last = last;
    guard->stopped = running_after(adapter, node, last);
    adapter->schedule->watch.due = true;
}

/* ---- new numbers ---------------------------------------------------------------------------- */

uint32_t preempt_new_number(const struct renaming *renaming, uint32_t fence)
{
    uint32_t number = min_u32(fence, renaming->last);
    size_t low = 0, high = renaming->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (renaming->list[middle].from <= fence)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? max_u32(number, renaming->list[low - 1].to) : number;
}

static uint32_t new_number(void *context, uint32_t fence)
{
    return preempt_new_number(context, fence);
}

static void rename_all(adapter_t *adapter, uint32_t node, struct renaming *renaming)
{
    struct schedule *schedule = adapter->schedule;
    adapter->schedule_hooks->renumber(adapter, node, renaming);
    /* Deferred work waits for paging. */
    for (size_t i = 0; node == adapter->setup->caps.paging_node && i < schedule->deferred_count;
         i++)
        schedule->deferred[i].after = preempt_new_number(renaming, schedule->deferred[i].after);
    if (schedule->doing && node == adapter->setup->caps.paging_node)
        schedule->doing->after = preempt_new_number(renaming, schedule->doing->after);
    /* Packets that were taken back or held wait outside of the engine. */
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        for (const struct job *job = schedule->jobs[i].head; job; job = job->next)
            if (job->packet) /* none waits for its own node: its number there is 0, and stays so */
                job->packet->waits[node] = preempt_new_number(renaming, job->packet->waits[node]);
    engine_rename(&schedule->engines, node, new_number, renaming);
}

void preempt_drop(adapter_t *adapter, uint32_t node, uint32_t from, uint32_t through)
{
    struct watch *watch = &adapter->schedule->watch;
    if (from > through)
        return;
    for (struct fence_wait *wait = watch->wait; wait; wait = wait->outer)
        wait->dropped |= wait->node == node && wait->first >= from && wait->first <= through;
    struct dropped *last = watch->dropped_count ? &watch->dropped[watch->dropped_count - 1] : NULL;
    if (last && last->node == node && last->through + 1 == from) {
        last->through = through;
        return;
    }
    BASE_GROW(watch->dropped, watch->dropped_capacity, watch->dropped_count + 1);
    watch->dropped[watch->dropped_count++] = (struct dropped){ node, from, through };
}

void preempt_wait_begin(adapter_t *adapter, struct fence_wait *wait, const struct job *job)
{
    struct watch *watch = &adapter->schedule->watch;
    if (job) {
        wait->first = job->first;
        wait->fence = job->fence;
    }
    for (size_t i = 0; i < watch->dropped_count; i++) {
        const struct dropped *dropped = &watch->dropped[i];
        wait->dropped |= dropped->node == wait->node && wait->first >= dropped->from &&
                         wait->first <= dropped->through;
    }
    wait->outer = watch->wait;
    watch->wait = wait;
}

void preempt_wait_end(adapter_t *adapter, const struct fence_wait *wait)
{
    CHECK(adapter->schedule->watch.wait == wait);
    adapter->schedule->watch.wait = wait->outer;
}

/* ---- resubmission --------------------------------------------------------------------------- */

/* Numbers first: what is handed over depends on them. One that is kept is listed, too: what waits
   for it goes on to do so. So is that of a packet which has ended without a report, though the
   answer may have it still before it. */
static void give_numbers(adapter_t *adapter, uint32_t node, uint32_t last)
{
    struct renamed *list = NULL;
    size_t count = 0, capacity = 0;
    bool rendered = false;
    for (struct job *job = adapter->schedule->jobs[node].head; job; job = job->next) {
        uint32_t from = job->fence;
        rendered |= job->packet && !job->paging;
        if (rendered && job->packet)
            job->fence = fence_issue(&adapter->schedule->fences, node);
        if (!job->fence) {
            job->fence = from;
            (void)numbers_used_up(adapter, node);
        }
        BASE_GROW(list, capacity, count + 1);
        list[count++] = (struct renamed){ from, job->fence }; /* the same: it is not over */
        for (struct fence_wait *wait = adapter->schedule->watch.wait; wait; wait = wait->outer)
            if (wait->node == node && wait->first == job->first)
                wait->fence = job->fence;
    }
    rename_all(adapter, node, &(struct renaming){ list, count, last });
    base_free(list);
}

void preempt_resubmit(adapter_t *adapter, uint32_t node, uint32_t last)
{
    give_numbers(adapter, node, last);
    for (struct job *job = adapter->schedule->jobs[node].head; job && !adapter_stopped(adapter);
         job = job->next) {
        if (!job->packet || job->ops->again(adapter, job))
            continue;
        struct packet *packet = job->packet;
        job->packet = NULL;
        job->fresh = false;
        packet->fence = job->fence;
        engine_submit(&adapter->schedule->engines, packet);
    }
}

bool preempt_take_back(adapter_t *adapter, uint32_t node, uint32_t *completed)
{
    struct schedule *schedule = adapter->schedule;
    struct node_guard *guard = guard_of(adapter, node);
    uint32_t last = *completed = guard->answered_last;
    bool back = guard->now.holds || guard->stopped;
    guard->now.answered = guard->now.holds = false;
    timeline_cancel(clock_of(adapter), &guard->stop);
    if (!back)
        return false;
    if (guard->stopped)
        keep_packets(engine_interrupt(&schedule->engines, node));
    keep_packets(engine_unqueue(&schedule->engines, node));
    schedule->fences.submitted[node] = max_u32(last, schedule->fences.ended[node]);
    engine_hold(&schedule->engines, node, false);
    return true;
}

/* ---- the hardware was reset ----------------------------------------------------------------- */

void schedule_kick(adapter_t *adapter)
{
    engine_kick(&adapter->schedule->engines);
}

/* No request is open, and nothing is due. */
static void reset_guard(adapter_t *adapter, struct node_guard *guard)
{
    watch_end(adapter, guard);
    timeline_cancel(clock_of(adapter), &guard->stop);
    guard->now.preempt_id = 0;
    guard->now.holds = guard->now.answered = guard->now.reset_due = guard->drop_due = false;
}

void schedule_abort_node(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    reset_guard(adapter, guard_of(adapter, node));
    keep_packets(engine_abort(&adapter->schedule->engines, node));
    fence_reset(&adapter->schedule->fences, node, fence);
}

/* Jobs up to `ended` were carried out, the others never will be. */
static void close_jobs(adapter_t *adapter, uint32_t node, uint32_t ended)
{
    while (schedule_jobs(adapter, node)) {
        struct job *job = schedule_pop_job(adapter, node);
        bool executed = job->fence <= ended && !job->packet;
        schedule_release(adapter, job);
        if (!executed && job->first <= ended) /* all above are dropped already */
            preempt_drop(adapter, node, job->first, job->first);
        if (executed)
            job->ops->done(adapter, job);
        else
            job->ops->aborted(adapter, job);
    }
}

void schedule_abort_all(adapter_t *adapter)
{
    struct fence_board *fences = &adapter->schedule->fences;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        reset_guard(adapter, guard_of(adapter, node));
        struct packet *packet = engine_abort(&adapter->schedule->engines, node);
        for (struct packet *next; packet; packet = next) {
            next = packet->next;
            ((struct job *)packet->cookie)->packet = NULL;
            engine_packet_release(&adapter->schedule->engines, packet);
        }
    }
    adapter->schedule->interrupts.count = 0;
    adapter->schedule->interrupts.dpc_queued = false;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        uint32_t ended = fences->ended[node], known = fences->completed[node];
        preempt_drop(adapter, node, ended + 1, fences->issued[node]);
        fence_reset(fences, node, fences->issued[node]);
        preempt_forget(adapter, node, known);
        close_jobs(adapter, node, ended);
    }
}
