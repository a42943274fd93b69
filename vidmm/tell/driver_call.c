/* SPDX-License-Identifier: MIT */
/*
 * driver_call.c: what surrounds every call of the miniport.
 *
 * The time of a call passes before the driver runs, so that what it hands to hardware is handed
 * over when the call returns (TIME-005), and an interrupt that becomes due meanwhile comes first: a
 * driver function is never interrupted half-way.
 *
 * Rules not named below: BUG-030.
 */
#include <string.h>

#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

enum { FIELDS_MAX = 24 };

void driver_call_begin(adapter_t *adapter, const char *ddi, vidmm_ns cost)
{
    adapter->tell->last_call = ddi;
    adapter->tell->driver_calls++;
    base_work(1);
    applies(adapter, RULE(TIME_003));
    cpu_spend(adapter, adapter->tell->untimed ? 0 : cost);
    (void)door_out(adapter, ddi);
}

void driver_call_returned(adapter_t *adapter)
{
    adapter->tell->in_scheduler_call = false;
    door_in(adapter, NULL);
}

/* BUG-030: a part of a creation, a destruction or a paging operation has the rest still to come,
   and while memory is emptied, what is built and what is handed over are not the same. */
static bool books_are_closed(const adapter_t *adapter, const char *ddi)
{
    static const char *const parts[] = { "Allocation", "BuildPagingBuffer", "SwizzlingRange",
                                         "HostAperture" };
    bool part = adapter->tell->open_books != 0;
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
        part |= strstr(ddi, parts[i]) != NULL;
    return !part;
}

void driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status, vidmm_handle subject,
                     const struct vidmm_field *fields, size_t count)
{
    driver_call_returned(adapter);
    if (setting(adapter, VIDMM_SETTING_CHECKED) && books_are_closed(adapter, ddi))
        adapter->tell_hooks->check(adapter);
    if (!heard(adapter))
        return;
    struct vidmm_field all[FIELDS_MAX];
    CHECK(count + 2 <= FIELDS_MAX);
    all[0] = f_word("ddi", ddi);
    all[1] = f_status("status", status);
    if (count)
        memcpy(all + 2, fields, count * sizeof *fields);
    emit_fields(adapter, VIDMM_EVENT_DRIVER_CALL, VIDMM_RULE_NONE, subject, all, count + 2);
}

void callbacks_called(adapter_t *adapter, const char *name)
{
    if (adapter->tell->in_scheduler_call)
        finding(adapter, RULE(MINI_001), 0,
                "%s is called inside %s: only interrupts and handle "
                "look-ups are allowed there",
                name, adapter->tell->last_call);
}

void driver_call_start(adapter_t *adapter, const char *ddi)
{
    adapter->tell->last_call = ddi;
    (void)door_out(adapter, ddi);
}

const char *driver_call_now(const adapter_t *adapter)
{
    return adapter->tell->outside;
}

/* ---- MINI-001 ------------------------------------------------------------------------------- */

void scheduler_call_begin(adapter_t *adapter)
{
    adapter->tell->in_scheduler_call = true;
}

void scheduler_call_end(adapter_t *adapter)
{
    adapter->tell->in_scheduler_call = false;
}

bool scheduler_call_is_on(const adapter_t *adapter)
{
    return adapter->tell->in_scheduler_call;
}

bool scheduler_call_pause(adapter_t *adapter)
{
    bool was_on = adapter->tell->in_scheduler_call;
    adapter->tell->in_scheduler_call = false;
    return was_on;
}

void scheduler_call_resume(adapter_t *adapter, bool was_on)
{
    adapter->tell->in_scheduler_call = was_on;
}
