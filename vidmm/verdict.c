/* SPDX-License-Identifier: MIT */
/*
 * verdict.c: what a table of checks finds: all broken rules in one refusal, the first gives the
 * status (C3 of the segments catalogue).
 */
#include <stdio.h>

#include "vidmm/manager.h"

void verdict_add(struct verdict *verdict, enum vidmm_rule rule, vidmm_status status,
                 const char *label, const char *message)
{
    struct broken_rules *broken = &verdict->broken;
    if (broken->count == ARRAY_COUNT(broken->rules))
        return;
    const char *start = broken->count ? "; " : label;
    const char *colon = broken->count ? "" : ": ";
    if (!broken->count)
        verdict->status = status ? status : STATUS_INVALID_PARAMETER;
    int more = snprintf(verdict->text + verdict->used, sizeof verdict->text - verdict->used,
                        "%s%s%s", start, colon, message);
    CHECK(more >= 0);
    verdict->used = min_u64(verdict->used + (size_t)more, sizeof verdict->text - 1);
    broken->rules[broken->count++] = rule;
}

vidmm_status verdict_end(adapter_t *adapter, const struct verdict *verdict)
{
    if (!verdict->broken.count)
        return STATUS_SUCCESS;
    return refuse_all(adapter, &verdict->broken, verdict->status, verdict->text);
}
