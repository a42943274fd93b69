/* SPDX-License-Identifier: MIT */
/*
 * preempt.c: asks a node to stop, and resubmits the packets that were taken back.
 *
 * What a request does depends on GraphicsPreemptionGranularity. NONE: nothing is stopped, the
 * answer comes when the queue is empty. DMA_BUFFER_BOUNDARY: the packet in execution ends, those
 * after it are taken back; what is submitted meanwhile waits with them. Finer: the packet in
 * execution is stopped too, after preempt-ns, unless it hangs.
 *
 * What comes back gets new numbers, so everything that waits for an old one has to learn the new:
 * marks of allocations, dependencies of packets, paging buffers, and callers (struct renamed). A
 * paging packet keeps its number as long as no other packet of its node has to run before it: an
 * eviction must not overtake the work whose memory it takes.
 *
 * Rules not named below: TDR-015.
 */
#include "paging/schedule/schedule_state.h"
#include "paging/schedule/scheduler.h"

/* ---- the request ---------------------------------------------------------------------------- */

static bool stops_at_boundary(const adapter_t *adapter)
{
    return adapter->setup->caps.preemption_granularity != D3DKMDT_GRAPHICS_PREEMPTION_NONE;
}

static bool stops_half_way(const adapter_t *adapter)
{
    return adapter->setup->caps.preemption_granularity >
           D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
}

bool preempt_holds(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->watch->guards[node].holds;
}

bool preempt_waits(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->watch->guards[node].preempt_id != 0;
}

bool preempt_answered(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->watch->guards[node].answered;
}

static NTSTATUS call_preempt(adapter_t *adapter, uint32_t node, uint32_t id)
{
    static const char name[] = "DxgkDdiPreemptCommand";
    DXGKARG_PREEMPTCOMMAND arg = { .PreemptionFenceId = id, .NodeOrdinal = node };
    driver_call_begin(adapter, name, adapter->setup->cost.ddi_ns);
    scheduler_call_begin(adapter);
    NTSTATUS answer = adapter->setup->ddi->DxgkDdiPreemptCommand(adapter->setup->driver, &arg);
    scheduler_call_end(adapter);
    const struct vidmm_field fields[] = {
        f_number("PreemptionFenceId", id),
        f_node("NodeOrdinal", node),
        f_number("EngineOrdinal", 0),
        f_hex("Flags", arg.Flags.Value),
    };
    driver_call_end(adapter, name, answer, 0, fields, ARRAY_COUNT(fields));
    return answer;
}

/* SUBMIT-057: with nothing to stop the driver answers by itself. */
static void judge_idle(adapter_t *adapter, const struct node_guard *guard, uint32_t node)
{
    applies(adapter, RULE(SUBMIT_057));
    if (!guard->answered)
        finding(adapter, RULE(SUBMIT_057), 0,
                "node %u has nothing to stop, and the driver does not report the preemption", node);
}

vidmm_status preempt_request(adapter_t *adapter, uint32_t node)
{
    struct node_guard *guard = &adapter->schedule->watch->guards[node];
    const struct packet *running = adapter->schedule->engines.engines[node].running;
    bool idle = engine_idle(&adapter->schedule->engines, node);
    if (guard->preempt_id || !adapter->setup->ddi->DxgkDdiPreemptCommand)
        return STATUS_SUCCESS;
    uint32_t watched = running ? running->fence : 0;
    uint32_t id = fence_issue(&adapter->schedule->fences, node);
    if (!id)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                        "node %u has used up its fence numbers", node);
    guard->preempt_id = id;
    guard->preempts++;
    count_up(adapter, VIDMM_COUNTER_PREEMPTS, 1);
    EMIT(adapter, PREEMPT, RULE(SUBMIT_051), 0, f_node("node", node), f_number("fence", id),
         f_word("phase", "request"));
    if (stops_at_boundary(adapter) && !idle) {
        guard->holds = true;
        adapter->schedule->jobs[node].held = 0;
        engine_hold(&adapter->schedule->engines, node, true);
    }
    if (stops_half_way(adapter) && running && !running->endless)
        timeline_arm(clock_of(adapter), &guard->stop,
                     timeline_after(clock_of(adapter), adapter->setup->cost.preempt_ns));
    NTSTATUS answer = call_preempt(adapter, node, id);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_051), 0x119, 0x2,
                        (uint64_t[3]){ (uint32_t)answer, id, 0 },
                        "DxgkDdiPreemptCommand failed; it may not");
    interrupt_run_dpc(adapter);
    if (guard->holds && guard->preempt_id)
        watch_answer(adapter, guard, watched);
    if (idle && !adapter_stopped(adapter))
        judge_idle(adapter, guard, node);
    return adapter_usable(adapter);
}

void preempt_make_due(adapter_t *adapter, uint32_t node)
{
    struct node_guard *guard = &adapter->schedule->watch->guards[node];
    if (guard->request_due) {
        watch_request_begins(adapter, guard);
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

/*
 * A start, and a reset of the adapter, end numbers that the driver never had. Until it completes a
 * newer one, it can only repeat what it knew.
 */
static uint32_t last_known(const adapter_t *adapter, const struct node_guard *guard, uint32_t node,
                           uint32_t last)
{
    uint32_t completed = adapter->schedule->fences.completed[node];
    bool repeats = completed == guard->over && last >= guard->known;
    return repeats && last < completed ? completed : last;
}

void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known)
{
    struct node_guard *guard = &adapter->schedule->watch->guards[node];
    if (known != guard->over) /* else it has completed nothing since the last time */
        guard->known = known;
    guard->over = adapter->schedule->fences.completed[node];
}

void preempt_report(adapter_t *adapter, uint32_t node, uint32_t id, uint32_t last)
{
    const struct fence_board *fences = &adapter->schedule->fences;
    struct node_guard *guard =
        node < adapter->setup->caps.nodes ? &adapter->schedule->watch->guards[node] : NULL;
    if (adapter_stopped(adapter) || (guard && guard->ignores))
        return;
    if (guard)
        last = last_known(adapter, guard, node, last);
    if (!guard || !id || id != guard->preempt_id || last < fences->completed[node] ||
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
        sync_report(adapter, node, last);
    guard->preempt_id = 0;
    watch_end(adapter, guard);
    guard->answered = true;
    guard->answered_last = last;
    guard->stopped = running_after(adapter, node, last);
    adapter->schedule->watch->due = true;
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

/* Due work waits for paging. */
static void rename_due(adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    for (size_t i = 0; node == adapter->setup->caps.paging_node && i < adapter->schedule->due_count;
         i++)
        adapter->schedule->due[i].after =
            preempt_new_number(renaming, adapter->schedule->due[i].after);
}

/* Packets that were taken back or held wait outside of the engine. */
static void rename_held(const adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++)
        for (const struct job *job = adapter->schedule->jobs[i].head; job; job = job->next)
            if (job->packet && i != node)
                job->packet->waits[node] = preempt_new_number(renaming, job->packet->waits[node]);
}

static void rename_all(adapter_t *adapter, uint32_t node, struct renaming *renaming)
{
    adapter->schedule_hooks->renumber(adapter, node, renaming);
    rename_due(adapter, node, renaming);
    rename_held(adapter, node, renaming);
    engine_rename(&adapter->schedule->engines, node, new_number, renaming);
}

/* Drops numbers that are over: nothing waits for them any longer. */
static void forget_old(adapter_t *adapter)
{
    struct watch *watch = adapter->schedule->watch;
    size_t kept = 0;
    for (size_t i = 0; i < watch->renamed_count; i++) {
        const struct renamed *renamed = &watch->renamed[i];
        if (!renamed->to || renamed->to > adapter->schedule->fences.completed[renamed->node])
            watch->renamed[kept++] = *renamed;
    }
    watch->renamed_count = kept;
}

static void add_renamed(struct watch *watch, uint32_t node, uint32_t from, uint32_t to)
{
    BASE_GROW(watch->renamed, watch->renamed_capacity, watch->renamed_count + 1);
    watch->renamed[watch->renamed_count++] = (struct renamed){ node, from, from, to };
    watch->renamings++;
}

void preempt_drop(adapter_t *adapter, uint32_t node, uint32_t from, uint32_t through)
{
    struct watch *watch = adapter->schedule->watch;
    if (from > through)
        return;
    struct renamed *last = watch->renamed_count ? &watch->renamed[watch->renamed_count - 1] : NULL;
    bool goes_on = last && !last->to && last->node == node && last->through + 1 == from;
    if (!goes_on)
        add_renamed(watch, node, from, 0);
    watch->renamed[watch->renamed_count - 1].through = through;
    watch->renamings++;
}

bool preempt_current(const adapter_t *adapter, uint32_t node, uint32_t *fence)
{
    const struct watch *watch = adapter->schedule->watch;
    for (size_t i = 0; i < watch->renamed_count; i++) {
        const struct renamed *renamed = &watch->renamed[i];
        if (renamed->node != node || *fence < renamed->from || *fence > renamed->through)
            continue;
        if (!renamed->to)
            return false;
        *fence = renamed->to;
    }
    return true;
}

bool preempt_follow(const adapter_t *adapter, uint32_t node, uint32_t *fence, uint64_t *seen)
{
    if (*seen == adapter->schedule->watch->renamings)
        return true;
    *seen = adapter->schedule->watch->renamings;
    return preempt_current(adapter, node, fence);
}

/* ---- resubmission --------------------------------------------------------------------------- */

/* The packets that the engine gave back find their jobs. */
void preempt_keep(struct packet *packet)
{
    while (packet) {
        struct packet *next = packet->next;
        ((struct job *)packet->cookie)->packet = packet;
        packet = next;
    }
}

static vidmm_status hand_over(adapter_t *adapter, struct job *job)
{
    vidmm_status status = job->ops->again(adapter, job);
    if (!status)
        sync_resubmit(adapter, job);
    return status;
}

/* Numbers first: what is handed over depends on them. One that is kept is listed, too: what waits
   for it goes on to do so. */
static void give_numbers(adapter_t *adapter, uint32_t node, uint32_t last)
{
    struct watch *watch = adapter->schedule->watch;
    forget_old(adapter);
    size_t first = watch->renamed_count;
    bool rendered = false;
    for (struct job *job = adapter->schedule->jobs[node].head; job; job = job->next) {
        if (!job->packet)
            continue;
        uint32_t from = job->fence;
        rendered |= !job->paging;
        if (rendered)
            job->fence = fence_issue(&adapter->schedule->fences, node);
        if (!job->fence) {
            job->fence = from;
            (void)bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                           "node %u has used up its fence numbers", node);
            return;
        }
        add_renamed(watch, node, from, job->fence); /* the same: it is not over */
    }
    struct renaming renaming = { NULL, watch->renamed_count - first, last };
    if (renaming.count)
        renaming.list = watch->renamed + first;
    rename_all(adapter, node, &renaming);
}

void preempt_resubmit(adapter_t *adapter, uint32_t node, uint32_t last)
{
    applies(adapter, RULE(SUBMIT_056));
    give_numbers(adapter, node, last);
    for (struct job *job = adapter->schedule->jobs[node].head; job && !adapter_stopped(adapter);
         job = job->next)
        if (job->packet)
            (void)hand_over(adapter, job);
}

bool preempt_take_back(adapter_t *adapter, uint32_t node, uint32_t *completed)
{
    struct node_guard *guard = &adapter->schedule->watch->guards[node];
    uint32_t last = *completed = guard->answered_last;
    bool back = guard->holds || guard->stopped;
    guard->answered = guard->holds = false;
    timeline_cancel(clock_of(adapter), &guard->stop);
    if (!back)
        return false;
    if (guard->stopped && running_after(adapter, node, last))
        preempt_keep(engine_interrupt(&adapter->schedule->engines, node));
    preempt_keep(engine_unqueue(&adapter->schedule->engines, node));
    if (adapter->schedule->fences.submitted[node] > last)
        adapter->schedule->fences.submitted[node] = last > adapter->schedule->fences.ended[node]
                                                        ? last
                                                        : adapter->schedule->fences.ended[node];
    engine_hold(&adapter->schedule->engines, node, false);
    return true;
}

/* The packet in execution stops half-way; it goes on from there when it comes back. */
static void on_stop(struct timer *timer, void *context)
{
    struct node_guard *guard = context;
    adapter_t *adapter = guard->adapter;
    uint32_t node = timer->node;
    struct packet *packet = engine_interrupt(&adapter->schedule->engines, node);
    if (!packet || adapter_stopped(adapter))
        return;
    preempt_keep(packet);
    interrupt_raise(adapter, node, packet->fence);
}

void preempt_start(adapter_t *adapter)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        struct node_guard *guard = &adapter->schedule->watch->guards[node];
        guard->stop = (struct timer){
            .class = TIMER_PREEMPTION, /* an answer in time is in time (TIME-015) */
            .node = node,
            .fire = on_stop,
            .context = guard,
        };
    }
}
