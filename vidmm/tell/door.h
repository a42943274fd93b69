/* SPDX-License-Identifier: MIT */
/*
 * door.h: says who has control: the manager, or the code that it calls. Part of tell.h.
 */
#ifndef VIDMM_TELL_DOOR_H
#define VIDMM_TELL_DOOR_H

#include "vidmm/ddi/ntdef.h"
#include "vidmm/vidmm_event.h"

struct vidmm_adapter;

/*
 * The manager calls code outside: `whom` names a function of the driver, or what is called. Until
 * door_in() the functions of vidmm.h that change something are refused (BUG-051). Returns who was
 * outside before, for door_in(): such calls nest.
 */
const char *door_out(struct vidmm_adapter *adapter, const char *whom);
void door_in(struct vidmm_adapter *adapter, const char *before);

/*
 * The adapter whose driver, hardware or observer this thread is in; NULL: none. Some callbacks of
 * the documented interface are given no adapter at all.
 */
struct vidmm_adapter *door_caller(void);

/* Refuses a call that comes from inside of another one. The first question of each call. */
vidmm_status door_check(struct vidmm_adapter *adapter);

/*
 * A callback of the driver goes on in the manager: returns who was outside, for
 * door_callback_end().
 */
const char *door_callback(struct vidmm_adapter *adapter);
void door_callback_end(struct vidmm_adapter *adapter, const char *before);

/* ---- every call of the miniport ------------------------------------------------------------- */

/* Remembers the call, spends ddi-ns unless it is free (TIME-003); the driver has control then. */
void driver_call_begin(struct vidmm_adapter *adapter, const char *ddi, vidmm_ns cost);
/* The driver has returned; for callers that have something to do before the event. */
void driver_call_returned(struct vidmm_adapter *adapter);
/* The driver has returned: event driver-call with the answer and the arguments. */
void driver_call_end(struct vidmm_adapter *adapter, const char *ddi, NTSTATUS status,
                     vidmm_handle subject, const struct vidmm_field *fields, size_t count);
/* NTSTATUS answer = DRIVER_CALL(adapter, ns, CloseAllocation, device, &arg): begins and calls. */
#define DRIVER_CALL(adapter, cost, Name, ...)                                                      \
    (driver_call_begin((adapter), "DxgkDdi" #Name, (cost)),                                        \
     (adapter)->setup->ddi->DxgkDdi##Name(__VA_ARGS__))
/* The same of a call of the scheduler class, until the driver has returned (MINI-001). */
#define SCHEDULER_CALL(adapter, cost, Name, ...)                                                   \
    (driver_call_begin((adapter), "DxgkDdi" #Name, (cost)), (void)scheduler_call((adapter), true), \
     (adapter)->setup->ddi->DxgkDdi##Name(__VA_ARGS__))
/* DRIVER_CALL_END(adapter, CloseAllocation, answer, subject, f_number("NumAllocations", 1)) */
#define FIELDS_(...) ((const struct vidmm_field[]){ __VA_ARGS__ })
#define DRIVER_CALL_END(adapter, Name, answer, subject, ...)                                       \
    driver_call_end((adapter), "DxgkDdi" #Name, (answer), (subject),                               \
                    heard((adapter), VIDMM_EVENT_DRIVER_CALL) ? FIELDS_(__VA_ARGS__) : NULL,       \
                    ARRAY_COUNT(FIELDS_(__VA_ARGS__)))
/* The driver calls back: any callback but those that MINI-001 allows in scheduler-class calls. */
void callbacks_called(struct vidmm_adapter *adapter, const char *name);

#endif
