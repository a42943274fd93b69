/* SPDX-License-Identifier: MIT */
/*
 * driver_call.c: what surrounds every call of the miniport.
 *
 * The time of a call passes before the driver runs, so that what it hands to hardware is handed
 * over when the call returns (TIME-005), and an interrupt that becomes due meanwhile comes first: a
 * driver function is never interrupted half-way.
 *
 * Rules: MINI-001, TIME-003.
 */
#include <string.h>

#include "vidmm/manager.h"

enum { FIELDS_MAX = 24 };

void driver_call_begin(adapter_t *adapter, const char *ddi, vidmm_ns cost)
{
    adapter->last_call = ddi;
    adapter->driver_calls++;
    applies(adapter, RULE(TIME_003));
    cpu_spend(adapter, adapter->starting ? 0 : cost);
}

void driver_call_end(adapter_t *adapter, const char *ddi, NTSTATUS status, vidmm_handle subject,
                     const struct vidmm_field *fields, size_t count)
{
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
