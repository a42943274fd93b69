/* SPDX-License-Identifier: MIT */
/*
 * verdict.c: what a table of checks finds: all broken rules in one refusal, the first gives the
 * status (C3 of the segments catalogue).
 */
#include <stdio.h>

#include "vidmm/tell/tell.h"

/* Keeps room for the last words. */
enum { MORE_BYTES = sizeof "; and 4294967295 more" };

/* Adds a whole sentence or none; only a label of the caller can make the first one too long. */
static void tell(struct verdict *verdict, const char *label, const char *message)
{
    bool first = !verdict->used;
    size_t room = sizeof verdict->text - MORE_BYTES - verdict->used;
    char *end = verdict->text + verdict->used;
    int length = snprintf(end, room, "%s%s%s", first ? label : "", first ? ": " : "; ", message);
    CHECK(length >= 0);
    if ((size_t)length < room) {
        verdict->used += (size_t)length;
        return;
    }
    if (first) {
        verdict->used = room - 1;
    } else {
        *end = '\0';
        verdict->untold++;
    }
}

void verdict_add(struct verdict *verdict, enum vidmm_rule rule, vidmm_status status,
                 const char *label, const char *message)
{
    struct broken_rules *broken = &verdict->broken;
    if (broken->count == ARRAY_COUNT(broken->rules))
        return;
    if (!broken->count)
        verdict->status = status ? status : STATUS_INVALID_PARAMETER;
    bool named = false;
    for (size_t i = 0; i < broken->count; i++)
        named |= broken->rules[i] == rule;
    if (!named)
        broken->rules[broken->count++] = rule;
    if (verdict->untold)
        verdict->untold++;
    else
        tell(verdict, label, message);
}

vidmm_status verdict_end(adapter_t *adapter, struct verdict *verdict)
{
    if (!verdict->broken.count)
        return STATUS_SUCCESS;
    if (verdict->untold)
        (void)snprintf(verdict->text + verdict->used, MORE_BYTES, "; and %u more", verdict->untold);
    return refuse_all(adapter, &verdict->broken, verdict->status, verdict->text);
}
