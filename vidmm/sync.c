/* SPDX-License-Identifier: MIT */
/*
 * sync.c: time and waiting.
 *
 * The CPU line is the timeline's `now`. It moves in three ways only: a miniport call costs time,
 * the script lets time pass, the CPU waits for a fence. Whatever becomes due on the way happens in
 * order. A finished packet executes its commands and a reported fence closes the books; neither
 * ever places, evicts, queues or calls for paging: that is marked as due work and done by
 * sync_due(), from straight-line code.
 *
 * Rules: TIME-001, TIME-003 to TIME-006, TIME-011 to TIME-018, SUBMIT-052, SUBMIT-053, SUBMIT-062.
 */
#include "vidmm/manager.h"
#include "vidmm/paging.h"
#include "vidmm/submit.h"

/* ---- the engine's hooks --------------------------------------------------------------------- */

static vidmm_ns packet_begins(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    const struct vidmm_hardware *hardware = adapter->config.miniport.hardware;
    vidmm_ns cost = hardware->begin(hardware->self, packet->node, packet->fence);
    packet->endless = cost == VIDMM_NEVER;
    if (packet->endless)
        applies(adapter, RULE(TIME_011));
    applies(adapter, RULE(TIME_018));
    EMIT(adapter, BEGIN, RULE(TIME_005), 0, f_node("node", packet->node),
         f_number("fence", packet->fence), f_word("kind", packet->paging ? "paging" : "render"),
         f_ns("cost", packet->endless ? 0 : cost));
    return cost;
}

static void packet_ends(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    const struct vidmm_hardware *hardware = adapter->config.miniport.hardware;
    adapter->executing = packet->cookie;
    hardware->finish(hardware->self, packet->node, packet->fence);
    adapter->executing = NULL;
    EMIT(adapter, END, RULE(TIME_004), 0, f_node("node", packet->node),
         f_number("fence", packet->fence), f_word("kind", packet->paging ? "paging" : "render"));
    if (packet->paging)
        paging_verify(adapter, packet->cookie);
    bus_watch_dummy(adapter);
}

static void packet_interrupts(void *owner, struct packet *packet)
{
    adapter_t *adapter = owner;
    const struct vidmm_hardware *hardware = adapter->config.miniport.hardware;
    applies(adapter, RULE(TIME_006));
    applies(adapter, RULE(TIME_015));
    if (adapter->stopped)
        return;
    hardware->interrupt(hardware->self, packet->node, packet->fence);
    callbacks_run_dpc(adapter);
}

static const struct engine_hooks hooks = {
    .begin = packet_begins,
    .finish = packet_ends,
    .interrupt = packet_interrupts,
};

/* A driver that starts once more finds the numbers where they were, unless its GPU has changed. */
static bool goes_on(adapter_t *adapter)
{
    bool idle = true;
    for (uint32_t node = 0; node < adapter->engines.nodes; node++)
        idle &= !adapter->jobs[node].head;
    if (adapter->engines.nodes == adapter->caps.nodes && idle)
        return true;
    engine_set_fini(&adapter->engines);
    fence_board_fini(&adapter->fences);
    base_free(adapter->jobs);
    adapter->sync_fence = 0;
    return false;
}

void sync_start(adapter_t *adapter)
{
    if (adapter->engines.nodes && goes_on(adapter))
        return;
    fence_board_init(&adapter->fences, adapter->caps.nodes);
    engine_set_init(&adapter->engines, &adapter->timeline, &adapter->fences, &hooks, adapter);
    adapter->engines.irq_ns = adapter->cost.irq_ns;
    adapter->jobs = base_alloc(adapter->caps.nodes, sizeof *adapter->jobs);
    applies(adapter, RULE(TIME_001));
    applies(adapter, RULE(TIME_008));
    applies(adapter, RULE(TIME_009));
}

void sync_submit(adapter_t *adapter, struct packet *packet, struct job *job)
{
    struct job_fifo *fifo = &adapter->jobs[packet->node];
    *job = (struct job){ .node = packet->node, .fence = packet->fence, .paging = packet->paging };
    packet->cookie = job;
    if (fifo->tail)
        fifo->tail->next = job;
    else
        fifo->head = job;
    fifo->tail = job;
    /* A node executes in order; only other nodes can be waited for. */
    packet->waits[packet->node] = 0;
    applies(adapter, RULE(SUBMIT_048));
    engine_submit(&adapter->engines, packet);
}

/* ---- completions: books only ---------------------------------------------------------------- */

static void job_done(adapter_t *adapter, struct job *job)
{
    if (job->paging)
        paging_done(adapter, job);
    else
        submit_done(adapter, job);
}

/* A number that is possible, but ahead of the GPU: only what has really ended counts. */
static uint32_t without_early(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    if (node >= adapter->fences.nodes || fence <= adapter->fences.ended[node] ||
        fence > adapter->fences.submitted[node])
        return fence;
    uint32_t ended = adapter->fences.ended[node];
    const struct job *job = adapter->jobs[node].head;
    while (job && job->fence <= ended)
        job = job->next;
    CHECK(job);
    const struct allocation *first = job->paging ? paging_subject(job) : submit_subject(job);
    finding(adapter, RULE(SUBMIT_053), first ? first->handle : 0,
            "fence %u of node %u is reported, but the GPU has not finished the %s packet with "
            "fence %u, which uses %s",
            fence, node, job->paging ? "paging" : "render", job->fence,
            first ? first->label : "no allocation");
    return ended;
}

void sync_report(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    if (adapter->stopped)
        return;
    fence = without_early(adapter, node, fence);
    if (!engine_report(&adapter->engines, node, fence)) {
        (void)bugcheck(adapter, RULE(SUBMIT_053), 0x119, 0x1, (uint64_t[3]){ fence, node, 0 },
                       "the miniport reported fence %u of node %u, which is not between the last "
                       "completed and the last submitted one",
                       fence, node);
        return;
    }
    EMIT(adapter, FENCE, RULE(SUBMIT_052), 0, f_node("node", node), f_number("fence", fence));
    struct job_fifo *fifo = &adapter->jobs[node];
    while (fifo->head && fifo->head->fence <= fence) {
        struct job *job = fifo->head;
        fifo->head = job->next;
        if (!fifo->head)
            fifo->tail = NULL;
        job_done(adapter, job);
    }
}

/* ---- work that completions made due --------------------------------------------------------- */

void sync_due_add(adapter_t *adapter, struct due_work work)
{
    BASE_GROW(adapter->due, adapter->due_capacity, adapter->due_count + 1);
    adapter->due[adapter->due_count++] = work;
}

static void do_due(adapter_t *adapter, const struct due_work *work)
{
    struct allocation *allocation = work->allocation;
    switch (work->kind) {
    case DUE_RELEASE_BACKING:
        /* Somebody may have needed the store again since (PAGE-011). */
        if (allocation->backing.release_due && !allocation->backing.page_locks) {
            allocation->backing.release_due = false;
            backing_release(adapter, allocation);
        }
        break;
    case DUE_UNMAP:
        (void)paging_unmap(adapter, allocation, work->segment, work->range, false);
        break;
    }
}

void sync_due(adapter_t *adapter)
{
    /* An unmap may wait for a paging buffer, and a wait comes back here. */
    if (adapter->doing_due || !adapter->due_count || adapter->stopped)
        return;
    adapter->doing_due = true;
    applies(adapter, RULE(TIME_016));
    for (size_t i = 0; i < adapter->due_count; i++) {
        struct due_work work = adapter->due[i]; /* the list may grow and move meanwhile */
        do_due(adapter, &work);
    }
    adapter->due_count = 0;
    adapter->doing_due = false;
    /* Inside a preparation the operations go out with the rest of the buffer (PAGE-009). */
    if (!adapter->preparation)
        (void)paging_flush(adapter);
}

/* ---- the CPU line --------------------------------------------------------------------------- */

void cpu_spend(adapter_t *adapter, vidmm_ns ns)
{
    if (ns)
        timeline_run_until(&adapter->timeline, timeline_after(&adapter->timeline, ns));
}

static vidmm_status deadlock(adapter_t *adapter, uint32_t node, uint32_t fence,
                             enum vidmm_wait_reason reason)
{
    return refuse(
        adapter, RULE(TIME_017), STATUS_UNSUCCESSFUL,
        "deadlock: the CPU waits for fence %u of node %u (reason %s), and nothing is left "
        "to happen",
        fence, node, vidmm_wait_reason_name(reason));
}

/*
 * Until the fence is reported, in steps, and to the end of that moment (TIME-012); false when it
 * never will be. What completions before the last make due is done on the way (TIME-016).
 */
static bool step_until(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    if (adapter->fences.completed[node] >= fence)
        return true;
    /* Due work takes time: the fence may be reported meanwhile, and nothing be left to step to. */
    while (adapter->fences.completed[node] < fence) {
        if (adapter->stopped || !timeline_step(&adapter->timeline))
            return false;
        if (adapter->fences.completed[node] < fence)
            sync_due(adapter);
    }
    timeline_run_until(&adapter->timeline, adapter->timeline.now);
    return true;
}

vidmm_status sync_fence(adapter_t *adapter, uint32_t node, uint32_t fence,
                        enum vidmm_wait_reason reason, enum vidmm_rule rule, struct device *device)
{
    vidmm_ns since = adapter->timeline.now;
    bool reached = step_until(adapter, node, fence);
    vidmm_ns stall = adapter->timeline.now - since;
    if (!reached && !adapter->stopped)
        return deadlock(adapter, node, fence, reason);

    applies(adapter, RULE(TIME_012));
    applies(adapter, RULE(TIME_013));
    adapter->waits[reason]++;
    adapter->stalls[reason] += stall;
    count_device(adapter, VIDMM_COUNTER_WAITS, device, 1);
    count_device(adapter, VIDMM_COUNTER_STALL_NS, device, stall);
    EMIT(adapter, WAIT, rule, 0, f_word("reason", vidmm_wait_reason_name(reason)),
         f_node("node", node), f_number("fence", fence), f_ns("ns", stall));
    if (adapter->stopped)
        return adapter_usable(adapter);
    sync_due(adapter); /* takes time that is no stall any more */
    return adapter_usable(adapter);
}

vidmm_status sync_marks(adapter_t *adapter, const uint32_t *marks, enum vidmm_wait_reason reason,
                        enum vidmm_rule rule, struct device *device)
{
    for (uint32_t node = fence_marks_pending(&adapter->fences, marks, 0);
         node < adapter->caps.nodes;
         node = fence_marks_pending(&adapter->fences, marks, node + 1)) {
        vidmm_status status = sync_fence(adapter, node, marks[node], reason, rule, device);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

vidmm_status sync_idle(adapter_t *adapter, enum vidmm_wait_reason reason, enum vidmm_rule rule)
{
    /* Due work may queue new paging packets: go on until nothing is left. */
    for (;;) {
        uint32_t node = 0;
        while (node < adapter->caps.nodes && !adapter->jobs[node].tail)
            node++;
        if (node == adapter->caps.nodes)
            return STATUS_SUCCESS;
        vidmm_status status =
            sync_fence(adapter, node, adapter->jobs[node].tail->fence, reason, rule, NULL);
        if (status)
            return status;
        sync_due(adapter);
    }
}

bool sync_busy(const adapter_t *adapter, const uint32_t *marks)
{
    return !fence_marks_completed(&adapter->fences, marks);
}

bool allocation_busy(const adapter_t *adapter, const struct allocation *allocation)
{
    return sync_busy(adapter, allocation->marks);
}
