/* SPDX-License-Identifier: MIT */
/*
 * watch.c: does a node run for too long, and what has to be done about it?
 *
 * A packet that has executed for permit-ns makes a preempt request due; without an answer, and
 * without its end, its node has timed out TdrDelay later. Timers only set flags; recovery reads
 * them, and acts from straight-line code (TIME-016).
 *
 * Rules not named below: TDR-001 to TDR-003.
 */
#include "paging/schedule/schedule_state.h"

const struct node_state *watch_node(const adapter_t *adapter, uint32_t node)
{
    CHECK(node < adapter->setup->caps.nodes);
    return &guard_of(adapter, node)->now;
}

/* ---- watching ------------------------------------------------------------------------------- */

static bool detects(const adapter_t *adapter)
{
    return setting(adapter, VIDMM_SETTING_TDR_LEVEL) != 0 &&
           setting(adapter, VIDMM_SETTING_TDR_DEBUG_MODE) != DEBUG_IGNORE;
}

static void on_timer(struct timer *timer, void *context)
{
    struct node_guard *guard = context;
    CHECK(timer == &guard->timer);
    if (guard->waiting) {
        guard->now.timeout_due = true;
        guard->timed_out_at = clock_now(guard->adapter);
    } else {
        guard->request_due = true;
    }
    guard->adapter->schedule->watch.due = true;
}

void watch_packet(adapter_t *adapter, const struct packet *packet, vidmm_ns cost)
{
    struct node_guard *guard = guard_of(adapter, packet->node);
    /* Most packets end long before anybody would look. */
    if ((!packet->endless && cost <= adapter->setup->cost.permit_ns) || !detects(adapter))
        return;
    guard->fence = packet->fence;
    timeline_arm(clock_of(adapter), &guard->timer,
                 timeline_after(clock_of(adapter), adapter->setup->cost.permit_ns));
}

void watch_end(adapter_t *adapter, struct node_guard *guard)
{
    timeline_cancel(clock_of(adapter), &guard->timer);
    guard->fence = 0;
    guard->waiting = guard->request_due = guard->now.timeout_due = false;
}

void watch_answer(adapter_t *adapter, struct node_guard *guard, uint32_t fence)
{
    if (guard->waiting || !detects(adapter))
        return;
    guard->fence = fence;
    guard->waiting = true;
    timeline_arm(clock_of(adapter), &guard->timer,
                 timeline_after(clock_of(adapter), setting(adapter, VIDMM_SETTING_TDR_DELAY)));
}

/* What is watched no longer is, or what executes is as if it had begun now. */
void watch_detection_changed(adapter_t *adapter)
{
    const struct engine_set *engines = &adapter->schedule->engines;
    for (uint32_t node = 0; node < engines->nodes; node++) {
        struct node_guard *guard = guard_of(adapter, node);
        const struct packet *running = engines->engines[node].running;
        if (!detects(adapter))
            watch_end(adapter, guard);
        else if (guard->now.holds && guard->now.preempt_id)
            watch_answer(adapter, guard, running ? running->fence : 0);
        else if (!guard->fence && running)
            watch_packet(adapter, running, VIDMM_NEVER);
    }
}

void watch_start(adapter_t *adapter)
{
    uint32_t nodes = adapter->setup->caps.nodes;
    struct node_guard *guards = base_alloc(nodes, sizeof *guards);
    for (uint32_t node = 0; node < nodes; node++) {
        struct node_guard *guard = &guards[node];
        guard->adapter = adapter;
        guard->timer = guard->stop =
            (struct timer){ .class = TIMER_OTHER, .node = node, .context = guard };
        guard->timer.fire = on_timer;
        guard->stop.class = TIMER_PREEMPTION; /* an answer in time is in time (TIME-015) */
    }
    adapter->schedule->watch.guards = guards;
}

void watch_stop(adapter_t *adapter)
{
    struct watch *watch = &adapter->schedule->watch;
    for (uint32_t node = 0; node < adapter->schedule->engines.nodes; node++) {
        timeline_cancel(clock_of(adapter), &watch->guards[node].timer);
        timeline_cancel(clock_of(adapter), &watch->guards[node].stop);
    }
    base_free(watch->guards);
    base_free(watch->dropped);
    *watch = (struct watch){ 0 };
}

void watch_count_render(adapter_t *adapter, uint32_t node)
{
    guard_of(adapter, node)->now.renders++;
}

/* ---- what is due ---------------------------------------------------------------------------- */

bool watch_in_the_middle(const adapter_t *adapter)
{
    return adapter->schedule->building || adapter->schedule->doing;
}

void watch_recovery(adapter_t *adapter, bool under_way)
{
    CHECK(adapter->schedule->watch.busy != under_way); /* never nested */
    adapter->schedule->watch.busy = under_way;
}

void watch_begin_work(adapter_t *adapter)
{
    adapter->schedule->watch.due = false;
    watch_recovery(adapter, true);
}

void watch_work_again(adapter_t *adapter)
{
    adapter->schedule->watch.due = true;
}

uint32_t watch_take_timeout(adapter_t *adapter, uint32_t node, vidmm_ns *at)
{
    struct node_guard *guard = guard_of(adapter, node);
    uint32_t fence = guard->fence;
    *at = guard->timed_out_at;
    watch_end(adapter, guard);
    return fence;
}

bool watch_driver_stuck(const adapter_t *adapter)
{
    return adapter->schedule->watch.stuck;
}

void watch_demand_reset(adapter_t *adapter, uint32_t node)
{
    guard_of(adapter, node)->now.reset_due = adapter->schedule->watch.due = true;
}

void watch_take_back_due(adapter_t *adapter, uint32_t node)
{
    guard_of(adapter, node)->drop_due = adapter->schedule->watch.due = true;
}

bool watch_pending(const adapter_t *adapter)
{
    bool pending = false;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes && adapter->schedule->watch.due;
         node++)
        pending |=
            guard_of(adapter, node)->now.timeout_due || guard_of(adapter, node)->now.reset_due;
    return pending && watch_in_the_middle(adapter);
}

void watch_driver_spent(adapter_t *adapter)
{
    vidmm_ns delay = setting(adapter, VIDMM_SETTING_TDR_DDI_DELAY);
    for (uint32_t node = 0; node < adapter->schedule->engines.nodes; node++) {
        const struct node_guard *guard = guard_of(adapter, node);
        if (guard->now.timeout_due && clock_now(adapter) - guard->timed_out_at > delay)
            adapter->schedule->watch.stuck = true;
    }
}

/* ---- resets --------------------------------------------------------------------------------- */

void watch_ignore(adapter_t *adapter, uint32_t node)
{
    guard_of(adapter, node)->now.ignores = true;
}

void watch_close(adapter_t *adapter, uint32_t node)
{
    guard_of(adapter, node)->closed = true;
}

void watch_open_all(adapter_t *adapter)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        guard_of(adapter, node)->now.ignores = guard_of(adapter, node)->closed = false;
}

uint64_t watch_resets(const adapter_t *adapter)
{
    return adapter->schedule->watch.resets;
}

void watch_count_reset(adapter_t *adapter)
{
    adapter->schedule->watch.resets++;
}
