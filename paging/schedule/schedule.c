/* SPDX-License-Identifier: MIT */
/*
 * schedule.c: time and waiting.
 *
 * The CPU line is the timeline's `now`. It moves in three ways only: a miniport call costs time,
 * the script lets time pass, the CPU waits for a fence. Whatever becomes due on the way happens in
 * order. A finished packet executes its commands and a reported fence closes the books; neither
 * ever places, evicts, queues or calls for paging: that is marked as deferred work and done by
 * schedule_deferred() (deferred.c), from straight-line code.
 *
 * Rules not named below: SUBMIT-062, TIME-003, TIME-014.
 */
#include "paging/schedule/schedule_state.h"

/* ---- the engine's hooks --------------------------------------------------------------------- */

static vidmm_ns packet_begins(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    const struct vidmm_hardware *hardware = adapter->setup->config.miniport.hardware;
    if (adapter_stopped(adapter))
        return VIDMM_NEVER;
    const char *before = door_out(adapter, "the hardware");
    vidmm_ns cost = hardware->begin(hardware->self, packet->node, packet->fence);
    door_in(adapter, before);
    if (packet->left && packet->left < cost)
        cost = packet->left;
    packet->endless = cost == VIDMM_NEVER;
    if (packet->endless)
        applies(adapter, RULE(TIME_011));
    applies(adapter, RULE(TIME_018));
    const struct job *job = packet->cookie;
    EMIT(adapter, BEGIN, RULE(TIME_005), 0, f_node("node", packet->node),
         f_number("fence", packet->fence), f_word("kind", job->ops->kind(job)),
         f_ns("cost", packet->endless ? 0 : cost), f_flag("endless", packet->endless));
    watch_packet(adapter, packet, cost);
    return cost;
}

static void packet_ends(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    const struct vidmm_hardware *hardware = adapter->setup->config.miniport.hardware;
    if (adapter_stopped(adapter)) /* also during a reset: what the GPU has is unknown then */
        return;
    struct job *job = packet->cookie;
    adapter->schedule->executing = job;
    /* The answer to a request may still be missing: then the node is watched on. */
    struct node_guard *guard = guard_of(adapter, packet->node);
    bool answer_missing = guard->now.holds && guard->waiting;
    if (!answer_missing)
        watch_end(adapter, guard);
    const char *before = door_out(adapter, "the hardware");
    hardware->finish(hardware->self, packet->node, packet->fence);
    door_in(adapter, before);
    adapter->schedule->executing = NULL;
    EMIT(adapter, END, RULE(TIME_004), 0, f_node("node", packet->node),
         f_number("fence", packet->fence), f_word("kind", job->ops->kind(job)));
    job->ops->ended(adapter, job);
}

static void packet_interrupts(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    applies(adapter, RULE(TIME_006));
    applies(adapter, RULE(TIME_015));
    if (!adapter_stopped(adapter))
        interrupt_raise(adapter, packet->node, packet->fence);
}

static const struct engine_hooks hooks = {
    .begin = packet_begins,
    .finish = packet_ends,
    .interrupt = packet_interrupts,
};

static void free_nodes(adapter_t *adapter)
{
    vidmm_ns due;
    watch_stop(adapter);
    engine_set_fini(&adapter->schedule->engines);
    CHECK(!timeline_next_due(clock_of(adapter), &due)); /* all timers are those of nodes */
    fence_board_fini(&adapter->schedule->fences);
    base_free(adapter->schedule->jobs);
}

/* A driver that starts again finds the numbers where they were, unless its GPU has changed. */
static bool goes_on(adapter_t *adapter)
{
    struct schedule *schedule = adapter->schedule;
    bool same = schedule->engines.nodes == adapter->setup->caps.nodes;
    for (uint32_t node = 0; node < schedule->engines.nodes; node++)
        CHECK(!schedule->jobs[node].head);
    for (uint32_t node = 0; same && node < schedule->engines.nodes; node++) {
        (void)engine_abort(&schedule->engines, node); /* its interrupts never come */
        preempt_forget(adapter, node, 0);
    }
    return same;
}

void schedule_start(adapter_t *adapter)
{
    struct schedule *schedule = adapter->schedule;
    uint32_t nodes = adapter->setup->caps.nodes;
    schedule->interrupts.connected = true;
    if (schedule->engines.nodes) {
        if (goes_on(adapter))
            return;
        free_nodes(adapter);
    }
    fence_board_init(&schedule->fences, nodes);
    engine_set_init(&schedule->engines, clock_of(adapter), &schedule->fences, &hooks, adapter);
    schedule->engines.irq_ns = adapter->setup->cost.irq_ns;
    schedule->jobs = base_alloc(nodes, sizeof *schedule->jobs);
    watch_start(adapter);
    applies(adapter, RULE(TIME_001));
    applies(adapter, RULE(TIME_008));
    applies(adapter, RULE(TIME_009));
}

void schedule_stop(adapter_t *adapter)
{
    /* After a start that failed they are as many as before it. */
    for (uint32_t node = 0; node < adapter->schedule->engines.nodes; node++)
        for (struct job *job = adapter->schedule->jobs[node].head; job; job = job->next)
            schedule_release(adapter, job);
}

void schedule_fini(adapter_t *adapter)
{
    free_nodes(adapter);
    base_free(adapter->schedule->deferred);
    base_free(adapter->schedule->interrupts.reported);
}

void schedule_submit(adapter_t *adapter, struct packet *packet, struct job *job,
                     const struct job_ops *ops)
{
    struct job_fifo *fifo = &adapter->schedule->jobs[packet->node];
    *job = (struct job){ .ops = ops,
                         .node = packet->node,
                         .fence = packet->fence,
                         .first = packet->fence,
                         .paging = packet->paging };
    packet->cookie = job;
    if (fifo->tail)
        fifo->tail->next = job;
    else
        fifo->head = job;
    fifo->tail = job;
    /* A node executes in order; only other nodes can be waited for. */
    packet->waits[packet->node] = 0;
    if (guard_of(adapter, packet->node)->now.holds) {
        job->packet = packet; /* until the answer */
        job->fresh = true;
        fifo->held++;
    } else {
        engine_submit(&adapter->schedule->engines, packet);
    }
}

/* ---- completions: books only ---------------------------------------------------------------- */

/* The last packet that the GPU has finished: not the one that it is carrying out. */
static uint32_t last_ended(const struct schedule *schedule, uint32_t node)
{
    const struct job *executing = schedule->executing;
    if (!executing || executing->node != node)
        return schedule->fences.ended[node];
    uint32_t last = schedule->fences.completed[node];
    for (const struct job *job = schedule->jobs[node].head; job != executing; job = job->next)
        last = job->fence;
    return last;
}

/* A number that is possible, but ahead of the GPU: only what has really ended counts. */
static uint32_t without_early(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct fence_board *fences = &adapter->schedule->fences;
    uint32_t ended = node < fences->nodes ? last_ended(adapter->schedule, node) : 0;
    if (node >= fences->nodes || fence <= ended || fence > fences->submitted[node])
        return fence;
    const struct job *job = schedule_jobs(adapter, node);
    CHECK(job);
    while (job->fence <= ended) {
        job = job->next;
        CHECK(job);
    }
    const struct pageable *first = job->ops->subject(job);
    finding(adapter, RULE(SUBMIT_053), first ? first->handle : 0,
            "fence %u of node %u is reported, but the GPU has not finished the %s packet with "
            "fence %u, which uses %s",
            fence, node, job->ops->kind(job), job->fence, first ? first->label : "no allocation");
    return ended;
}

void schedule_report(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    struct schedule *schedule = adapter->schedule;
    const struct node_state *state =
        node < schedule->engines.nodes ? watch_node(adapter, node) : NULL;
    if (adapter_stopped(adapter) || (state && state->ignores))
        return;
    uint32_t before = state ? schedule->fences.completed[node] : 0;
    /* A request to preempt is no packet (SUBMIT-053). */
    bool packet = !state || !fence || state->preempt_id != fence;
    if (packet)
        fence = without_early(adapter, node, fence);
    if (!packet || !fence_report(&schedule->fences, node, fence)) {
        (void)bugcheck(adapter, RULE(SUBMIT_053), 0x119, 0x1, (uint64_t[3]){ fence, node, 0 },
                       "the miniport reported fence %u of node %u, which is not between the last "
                       "completed and the last submitted one",
                       fence, node);
        return;
    }
    if (fence == before) /* a repeated report: nothing is new */
        return;
    EMIT(adapter, FENCE, RULE(SUBMIT_052), 0, f_node("node", node), f_number("fence", fence));
    while (schedule->jobs[node].head && schedule->jobs[node].head->fence <= fence) {
        struct job *job = schedule_pop_job(adapter, node);
        job->ops->done(adapter, job);
    }
}

/* TDR-028: the fence that the CPU waited for will never be reported. */
VIDMM_APART static vidmm_status removed(adapter_t *adapter, const struct device *device)
{
    enum vidmm_rule by = device ? device->failed_by : RULE(TDR_028);
    bool faulted = by == RULE(SUBMIT_059) || by == RULE(SUBMIT_060);
    return refuse(adapter, faulted ? by : RULE(TDR_028), STATUS_DEVICE_REMOVED,
                  "%s: what was to come will not",
                  faulted ? "a packet of the device faulted"
                          : "the GPU was reset, or the packet was dropped");
}

vidmm_status schedule_settle(adapter_t *adapter)
{
    uint64_t resets = watch_resets(adapter);
    schedule_recover(adapter);
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    return resets == watch_resets(adapter) ? STATUS_SUCCESS : removed(adapter, NULL);
}

/* ---- the CPU line --------------------------------------------------------------------------- */

/* SUBMIT-055: asks for completions that no interrupt has reported. False: nothing is new. */
static bool poll(adapter_t *adapter, uint32_t node)
{
    const uint32_t *completed = &adapter->schedule->fences.completed[node], before = *completed;
    DXGKARG_QUERYCURRENTFENCE arg = { .NodeOrdinal = node };
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, QueryCurrentFence,
                                  adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, QueryCurrentFence, answer, 0, f_node("NodeOrdinal", node),
                    f_number("CurrentFence", arg.CurrentFence));
    applies(adapter, RULE(SUBMIT_055));
    interrupt_run_dpc(adapter);
    interrupt_take_reports(adapter);
    if (!adapter_stopped(adapter) && NT_SUCCESS(answer) && arg.CurrentFence > *completed)
        finding(adapter, RULE(SUBMIT_055), 0,
                "fence %u of node %u is complete, and the driver does not report it",
                arg.CurrentFence, node);
    return *completed != before;
}

/* When a wait asks the driver, if it can be asked: at first after each interval, then ever more
   rarely. */
struct polls {
    vidmm_ns at;
    uint32_t count;
};

enum { POLLS_REGULAR = 60, POLLS_DOUBLINGS_MAX = 40 };

static void next_poll(const adapter_t *adapter, struct polls *polls)
{
    uint32_t late = polls->count < POLLS_REGULAR ? 0 : polls->count - POLLS_REGULAR + 1;
    uint32_t doublings = (uint32_t)min_u64(late, POLLS_DOUBLINGS_MAX);
    vidmm_ns interval = adapter->setup->cost.fence_poll_ns;
    polls->count++;
    interval = interval > TIMELINE_END >> doublings ? TIMELINE_END : interval << doublings;
    bool asks = interval && adapter->setup->ddi->DxgkDdiQueryCurrentFence;
    polls->at = asks ? timeline_after(clock_of(adapter), interval) : TIMELINE_END;
}

/* Lets one thing happen; false: nothing will, and the driver has reported all that has. */
static bool step(adapter_t *adapter, uint32_t node, struct polls *polls)
{
    const struct fence_board *fences = &adapter->schedule->fences;
    vidmm_ns due;
    bool more = timeline_next_due(clock_of(adapter), &due);
    bool untold = fences->ended[node] > fences->completed[node];
    if (more && due <= polls->at)
        return timeline_step(clock_of(adapter));
    if ((!more && !untold) || polls->at == TIMELINE_END)
        return false;
    if (polls->at > clock_now(adapter))
        timeline_run_until(clock_of(adapter), polls->at);
    next_poll(adapter, polls);
    return poll(adapter, node) || more;
}

/*
 * Steps until the fence is reported, and to the end of that moment (TIME-012), or until it never
 * will be. What completions before the last make due is done on the way (TIME-016), and a
 * packet may get another number (SUBMIT-056), or lose the one it has.
 */
static void step_until(adapter_t *adapter, const struct fence_wait *wait)
{
    const struct schedule *schedule = adapter->schedule;
    uint32_t node = wait->node;
    struct polls polls = { 0 };
    vidmm_ns due;
    next_poll(adapter, &polls);
    /* Deferred work takes time: the fence may be reported meanwhile, and nothing be left to step
     * to. */
    while (!wait->dropped && schedule->fences.completed[node] < wait->fence) {
        if (adapter_stopped(adapter) || watch_pending(adapter))
            return;
        if (!step(adapter, node, &polls)) {
            /* The time of a preempt request may have come before the wait: its answer, or the
               timeout, is left to happen. */
            schedule_recover(adapter);
            if (!timeline_next_due(clock_of(adapter), &due))
                return;
        }
        if (schedule->fences.completed[node] < wait->fence)
            schedule_deferred(adapter);
    }
    if (!wait->dropped)
        timeline_run_until(clock_of(adapter), clock_now(adapter));
}

/* That with this number, now or at first; NULL for what is over. Both ascend. */
static const struct job *job_of(const adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct job *job = adapter->schedule->jobs[node].head;
    while (job && job->first <= fence && job->first != fence && job->fence != fence)
        job = job->next;
    return job && job->first <= fence ? job : NULL;
}

uint32_t schedule_first_number(const adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct job *job = job_of(adapter, node, fence);
    return job ? job->first : fence;
}

static bool is_hung(const struct device *device)
{
    return device && device->state == DEVICE_HUNG;
}

vidmm_status schedule_wait_fence(adapter_t *adapter, uint32_t node, uint32_t fence,
                                 enum vidmm_wait_reason reason, enum vidmm_rule rule,
                                 struct device *device)
{
    vidmm_ns since = clock_now(adapter);
    uint64_t resets = watch_resets(adapter);
    const struct job *job = job_of(adapter, node, fence);
    const struct device *owner = device || !job ? device : job->ops->device(job);
    bool hung_before = is_hung(owner); /* no reason to give up */
    struct fence_wait wait = { node, fence, fence, false, NULL };
    CHECK(!adapter->schedule->watch.busy);
    preempt_wait_begin(adapter, &wait, job);
    step_until(adapter, &wait);
    preempt_wait_end(adapter, &wait);
    vidmm_ns stall = clock_now(adapter) - since;

    /* Did recovery take away what was waited for? The system itself goes on after a reset; so does
       an object that only waits for its end. */
    bool reached = adapter->schedule->fences.completed[node] >= wait.fence;
    bool outlives = reason == VIDMM_WAIT_DRAIN || reason == VIDMM_WAIT_DESTROY;
    bool reset = resets != watch_resets(adapter) || (is_hung(owner) && !hung_before);
    bool ends = outlives && (reached || wait.dropped);
    bool gone = !ends && (reset || wait.dropped || watch_pending(adapter));
    if (!ends && !gone && !reached && !adapter_stopped(adapter))
        return deadlock_refuse(adapter, node, fence, reason);

    applies(adapter, RULE(TIME_012));
    applies(adapter, RULE(TIME_013));
    adapter->schedule->waits[reason].count++;
    adapter->schedule->waits[reason].ns += stall;
    count_device(adapter, VIDMM_COUNTER_WAITS, device, 1);
    count_device(adapter, VIDMM_COUNTER_STALL_NS, device, stall);
    EMIT(adapter, WAIT, rule, 0, f_word("reason", vidmm_wait_reason_name(reason)),
         f_node("node", node), f_number("fence", fence), f_ns("ns", stall));
    if (adapter_stopped(adapter))
        return adapter_alive(adapter);
    if (gone)
        return removed(adapter, owner);
    schedule_deferred(adapter); /* takes time that is no part of the stall */
    return adapter_alive(adapter);
}

vidmm_status schedule_wait_fences(adapter_t *adapter, const uint32_t *fences,
                                  enum vidmm_wait_reason reason, enum vidmm_rule rule,
                                  struct device *device)
{
    for (uint32_t node = fences_pending(&adapter->schedule->fences, fences, 0);
         node < adapter->setup->caps.nodes;
         node = fences_pending(&adapter->schedule->fences, fences, node + 1)) {
        vidmm_status status =
            schedule_wait_fence(adapter, node, fences[node], reason, rule, device);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

vidmm_status schedule_wait_idle(adapter_t *adapter, enum vidmm_wait_reason reason,
                                enum vidmm_rule rule)
{
    /* Deferred work may queue new paging packets: go on until nothing is left. */
    for (;;) {
        uint32_t node = 0;
        while (node < adapter->setup->caps.nodes && !schedule_newest_job(adapter, node))
            node++;
        if (node == adapter->setup->caps.nodes)
            return STATUS_SUCCESS;
        vidmm_status status =
            schedule_wait_fence(adapter, node, schedule_newest_job(adapter, node)->fence, reason,
                                rule, NULL);
        if (status)
            return status;
    }
}

/* More packets than this on one node wait like those after HwQueuePacketCap: host memory is
 * finite. */
enum { QUEUE_MAX = 1 << 20 };

/* What the node has been given, and what it gets with the answer to a preempt request. */
static size_t queue_length(const adapter_t *adapter, uint32_t node)
{
    size_t held = watch_node(adapter, node)->holds ? adapter->schedule->jobs[node].held : 0;
    return engine_length(&adapter->schedule->engines, node) + held;
}

vidmm_status schedule_wait_for_room(adapter_t *adapter, uint32_t node, struct device *device)
{
    uint32_t cap = adapter->setup->caps.queue_cap ? adapter->setup->caps.queue_cap : QUEUE_MAX;
    vidmm_status status = STATUS_SUCCESS;
    while (queue_length(adapter, node) >= cap && !status)
        status = schedule_wait_fence(adapter, node, schedule_jobs(adapter, node)->fence,
                                     VIDMM_WAIT_QUEUE_FULL, RULE(SUBMIT_048), device);
    return status;
}
