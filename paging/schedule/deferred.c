/* SPDX-License-Identifier: MIT */
/*
 * deferred.c: work that completions made due. A finished packet and a reported fence only close
 * books; what has to follow is noted, and done from straight-line code.
 */
#include <string.h>

#include "paging/schedule/schedule_state.h"

void schedule_defer(adapter_t *adapter, struct deferred_work work)
{
    struct schedule *schedule = adapter->schedule;
    BASE_GROW(schedule->deferred, schedule->deferred_capacity, schedule->deferred_count + 1);
    schedule->deferred[schedule->deferred_count++] = work;
}

bool schedule_deferred_any(const adapter_t *adapter)
{
    return adapter->schedule->deferred_count != 0;
}

bool schedule_deferred_names(const adapter_t *adapter, const struct pageable *allocation)
{
    for (size_t i = 0; i < adapter->schedule->deferred_count; i++) {
        const struct pageable *named = adapter->schedule->deferred[i].allocation;
        if (named && allocation_whole_of(named) == allocation)
            return true;
    }
    return false;
}

void schedule_deferred_forget(adapter_t *adapter,
                              vidmm_status (*run)(adapter_t *adapter,
                                                  const struct deferred_work *work),
                              const struct pageable *allocation)
{
    for (size_t i = 0; i < adapter->schedule->deferred_count; i++) {
        struct deferred_work *due = &adapter->schedule->deferred[i];
        if (due->run == run && due->allocation == allocation)
            due->allocation = NULL;
    }
}

void schedule_deferred_filter(adapter_t *adapter,
                              bool (*keeps)(void *context, const struct deferred_work *work),
                              void *context)
{
    struct deferred_work *due = adapter->schedule->deferred;
    size_t kept = 0;
    for (size_t i = 0; i < adapter->schedule->deferred_count; i++)
        if (keeps(context, &due[i]))
            due[kept++] = due[i];
    adapter->schedule->deferred_count = kept;
}

/* What is added meanwhile is done too, but nothing twice: what cannot be done now stays due. */
VIDMM_APART static vidmm_status do_all_due(adapter_t *adapter)
{
    struct schedule *schedule = adapter->schedule;
    struct deferred_work work;
    size_t count = 0;
    vidmm_status status = STATUS_SUCCESS;
    CHECK(!schedule->watch.busy);
    schedule->doing = &work;
    applies(adapter, RULE(TIME_016));
    while (count < schedule->deferred_count && !watch_pending(adapter) && !status) {
        work = schedule->deferred[count++]; /* the list may grow and move meanwhile */
        status = work.run(adapter, &work);
    }
    schedule->deferred_count -= count;
    if (schedule->deferred_count)
        memmove(schedule->deferred, schedule->deferred + count,
                schedule->deferred_count * sizeof *schedule->deferred);
    schedule->doing = NULL;
    /* Inside a preparation the operations go out with the rest of the buffer (PAGE-009). */
    if (!schedule->building)
        (void)adapter->schedule_hooks->flush(adapter);
    return status;
}

void schedule_building(adapter_t *adapter, bool on)
{
    adapter->schedule->building = on;
}

vidmm_status schedule_deferred_now(adapter_t *adapter)
{
    schedule_recover(adapter);
    /* An unmap may wait for a paging buffer, and a wait comes back here. */
    if (adapter->schedule->doing || !adapter->schedule->deferred_count || adapter_stopped(adapter))
        return STATUS_SUCCESS;
    vidmm_status status = do_all_due(adapter);
    schedule_recover(adapter); /* a reset had to wait for the end of it */
    return status;
}
