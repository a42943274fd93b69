/* SPDX-License-Identifier: MIT */
/*
 * door.c: says who has control: the manager, or the code that it calls.
 *
 * The manager calls a driver, its hardware and observers in the middle of what it does: lists are
 * half changed, an allocation may be on its way out. A function of vidmm.h that came from there
 * would find a state that no function is written for, so it is refused. What a driver may do there
 * are its callbacks: they enter by a door of their own (door_callback), and callbacks.c says when.
 *
 * The questions of vidmm.h that change nothing do not come here: they only read.
 */
#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

/* The adapter whose call this thread is outside in; set and reset in pairs, as on a stack. */
static _Thread_local adapter_t *caller;

adapter_t *door_caller(void)
{
    return caller;
}

/* One adapter may be called from inside a call of another one. */
static void pass(adapter_t *adapter, const char *whom)
{
    struct tell *tell = adapter->tell;
    if (whom && !tell->outside) {
        tell->called_from = caller;
        caller = adapter;
    } else if (!whom && tell->outside) {
        caller = tell->called_from;
    }
    tell->outside = whom;
}

const char *door_out(adapter_t *adapter, const char *whom)
{
    const char *before = adapter->tell->outside;
    pass(adapter, whom);
    return before;
}

void door_in(adapter_t *adapter, const char *before)
{
    pass(adapter, before);
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
