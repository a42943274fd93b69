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
#include "paging/schedule/scheduler.h"

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
        guard->timeout_due = true;
        guard->timed_out_at = clock_now(guard->adapter);
    } else {
        guard->request_due = true;
    }
    guard->adapter->schedule->tdr->due = true;
}

void tdr_watch(adapter_t *adapter, const struct packet *packet, vidmm_ns cost)
{
    struct node_guard *guard = &adapter->schedule->tdr->guards[packet->node];
    /* Most packets end long before anybody would look. */
    if ((!packet->endless && cost <= adapter->setup->cost.permit_ns) || !detects(adapter))
        return;
    guard->fence = packet->fence;
    guard->waiting = guard->request_due = guard->timeout_due = false;
    timeline_arm(clock_of(adapter), &guard->timer,
                 timeline_after(clock_of(adapter), adapter->setup->cost.permit_ns));
}

void tdr_unwatch(adapter_t *adapter, struct node_guard *guard)
{
    timeline_cancel(clock_of(adapter), &guard->timer);
    guard->fence = 0;
    guard->waiting = guard->request_due = guard->timeout_due = false;
}

void tdr_watch_answer(adapter_t *adapter, struct node_guard *guard, uint32_t fence)
{
    if (guard->waiting || !detects(adapter))
        return;
    tdr_unwatch(adapter, guard);
    guard->fence = fence;
    guard->waiting = true;
    timeline_arm(clock_of(adapter), &guard->timer,
                 timeline_after(clock_of(adapter), setting(adapter, VIDMM_SETTING_TDR_DELAY)));
}

void tdr_packet_ended(adapter_t *adapter, const struct packet *packet)
{
    struct node_guard *guard = &adapter->schedule->tdr->guards[packet->node];
    bool answer_missing = guard->holds && guard->waiting && guard->preempt_id;
    if (guard->fence == packet->fence && !answer_missing)
        tdr_unwatch(adapter, guard);
}

/* From now on: what is watched no longer is, or what executes is as if it had begun now. */
void tdr_detection_changed(adapter_t *adapter)
{
    for (uint32_t node = 0; adapter->schedule->tdr && node < adapter->schedule->engines.nodes;
         node++) {
        struct node_guard *guard = &adapter->schedule->tdr->guards[node];
        const struct packet *running = adapter->schedule->engines.engines[node].running;
        bool watched = guard->fence || guard->waiting;
        if (!detects(adapter))
            tdr_unwatch(adapter, guard);
        else if (!watched && guard->holds && guard->preempt_id)
            tdr_watch_answer(adapter, guard, running ? running->fence : 0);
        else if (!watched && running)
            tdr_watch(adapter, running, VIDMM_NEVER);
    }
}

void tdr_start(adapter_t *adapter)
{
    struct tdr *tdr = base_alloc(1, sizeof *tdr);
    tdr->guards = base_alloc(adapter->setup->caps.nodes, sizeof *tdr->guards);
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        struct node_guard *guard = &tdr->guards[node];
        guard->adapter = adapter;
        guard->timer = (struct timer){
            .class = TIMER_OTHER, .node = node, .fire = on_timer, .context = guard
        };
    }
    adapter->schedule->tdr = tdr;
}

void tdr_stop(adapter_t *adapter)
{
    struct tdr *tdr = adapter->schedule->tdr;
    if (!tdr)
        return;
    for (uint32_t node = 0; node < adapter->schedule->engines.nodes; node++) {
        timeline_cancel(clock_of(adapter), &tdr->guards[node].timer);
        timeline_cancel(clock_of(adapter), &tdr->guards[node].stop);
    }
    base_free(tdr->guards);
    base_free(tdr->dumps);
    base_free(tdr->renamed);
    base_free(tdr);
    adapter->schedule->tdr = NULL;
}

uint64_t tdr_renders(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->tdr->guards[node].renders;
}

uint64_t tdr_preempts(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->tdr->guards[node].preempts;
}

void tdr_count_render(adapter_t *adapter, uint32_t node)
{
    adapter->schedule->tdr->guards[node].renders++;
}

/* ---- what is due ---------------------------------------------------------------------------- */

bool tdr_in_the_middle(const adapter_t *adapter)
{
    return adapter->schedule->building || adapter->schedule->doing_due;
}

bool watch_recovering(const adapter_t *adapter)
{
    return adapter->schedule->tdr->busy;
}

bool tdr_pending(const adapter_t *adapter)
{
    bool pending = false;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes && adapter->schedule->tdr->due;
         node++)
        pending |= adapter->schedule->tdr->guards[node].timeout_due ||
                   adapter->schedule->tdr->guards[node].demanded != NO_RESET;
    return pending && tdr_in_the_middle(adapter);
}

/* Time that a driver spends inside a call (TDR-006). */
void tdr_driver_spent(adapter_t *adapter)
{
    vidmm_ns delay = setting(adapter, VIDMM_SETTING_TDR_DDI_DELAY);
    for (uint32_t node = 0; adapter->schedule->tdr && node < adapter->setup->caps.nodes; node++) {
        const struct node_guard *guard = &adapter->schedule->tdr->guards[node];
        if (guard->timeout_due && clock_now(adapter) - guard->timed_out_at > delay)
            adapter->schedule->tdr->stuck = true;
    }
}
