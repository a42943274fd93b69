/* SPDX-License-Identifier: MIT */
/*
 * door.c: says who has control: the manager, or the code that it calls, and surrounds every call of
 * the miniport.
 *
 * The manager calls a driver, its hardware and observers in the middle of what it does: lists are
 * half changed, an allocation may be on its way out. A function of vidmm.h that came from there
 * would find a state that no function is written for, so it is refused. What a driver may do there
 * are its callbacks: they enter by a door of their own (door_callback), and callbacks.c says when.
 *
 * The questions of vidmm.h that change nothing do not come here: they only read.
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

/* The adapter whose call this thread is outside in; set and reset in pairs, as on a stack. */
static _Thread_local adapter_t *caller;

adapter_t *door_caller(void)
{
    return caller;
}

/* One adapter may be called from inside a call of another one. */
const char *door_out(adapter_t *adapter, const char *whom)
{
    struct tell *tell = adapter->tell;
    const char *before = tell->outside;
    if (whom && !before) {
        tell->called_from = caller;
        caller = adapter;
    } else if (!whom && before) {
        caller = tell->called_from;
    }
    tell->outside = whom;
    return before;
}

void door_in(adapter_t *adapter, const char *before)
{
    (void)door_out(adapter, before);
}

vidmm_status door_check(adapter_t *adapter)
{
    if (!adapter->tell->outside)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(BUG_051), STATUS_UNSUCCESSFUL,
                  "the call comes from inside %s: the call that is under way has to end first",
                  adapter->tell->outside);
}

/* What the interrupted call has half done does not agree (BUG-030). */
const char *door_callback(adapter_t *adapter)
{
    adapter->tell->open_books += adapter->tell->outside != NULL;
    return door_out(adapter, NULL);
}

void door_callback_end(adapter_t *adapter, const char *before)
{
    adapter->tell->open_books -= before != NULL;
    door_in(adapter, before);
}

/* ---- calls of the miniport ------------------------------------------------------------------ */

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

VIDMM_APART static void tell_call(adapter_t *adapter, const char *ddi, NTSTATUS status,
                                  vidmm_handle subject, const struct vidmm_field *fields,
                                  size_t count)
{
    struct vidmm_field all[FIELDS_MAX];
    CHECK(count + 2 <= FIELDS_MAX);
    all[0] = f_word("ddi", ddi);
    all[1] = f_status("status", status);
    if (count)
        memcpy(all + 2, fields, count * sizeof *fields);
    emit_fields(adapter, VIDMM_EVENT_DRIVER_CALL, VIDMM_RULE_NONE, subject, all, count + 2);
}

void driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status, vidmm_handle subject,
                     const struct vidmm_field *fields, size_t count)
{
    driver_call_returned(adapter);
    if (setting(adapter, VIDMM_SETTING_CHECKED) && books_are_closed(adapter, ddi))
        adapter->tell_hooks->check(adapter);
    if (heard(adapter, VIDMM_EVENT_DRIVER_CALL))
        tell_call(adapter, ddi, status, subject, fields, count);
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

bool driver_call_is(const adapter_t *adapter, const char *const *calls, size_t count)
{
    const char *now = adapter->tell->outside;
    for (size_t i = 0; now && i < count; i++)
        if (strcmp(now, calls[i]) == 0)
            return true;
    return false;
}

bool scheduler_call(adapter_t *adapter, bool on)
{
    bool was_on = adapter->tell->in_scheduler_call;
    adapter->tell->in_scheduler_call = on;
    return was_on;
}

bool scheduler_call_is_on(const adapter_t *adapter)
{
    return adapter->tell->in_scheduler_call;
}
