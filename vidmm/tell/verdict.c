/* SPDX-License-Identifier: MIT */
/*
 * verdict.c: what a series of checks finds: all broken rules in one refusal, the first gives the
 * status (C3 of the segments catalogue).
 */
#include <stdarg.h>
#include <stdio.h>

#include "vidmm/tell/tell.h"

/* Not the text, which is nearly always left empty: 180 of 4,200 instructions of a creation. */
void verdict_begin(struct verdict *verdict, adapter_t *adapter, const char *label)
{
    verdict->adapter = adapter;
    verdict->label = label;
    verdict->broken.count = 0;
    verdict->status = STATUS_SUCCESS;
    verdict->used = 0;
    verdict->untold = 0;
}

/* Keeps room for the last words. */
enum { MORE_BYTES = sizeof "; and 4294967295 more" };

/* Adds a whole sentence or none; only a label of the caller can make the first one too long. */
static void verdict_tell(struct verdict *verdict, const char *message)
{
    bool first = !verdict->used;
    size_t room = sizeof verdict->text - MORE_BYTES - verdict->used;
    char *end = verdict->text + verdict->used;
    int length =
        snprintf(end, room, "%s%s%s", first ? verdict->label : "", first ? ": " : "; ", message);
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
                 const char *format, ...)
{
    struct broken_rules *broken = &verdict->broken;
    char message[VIDMM_REFUSAL_TEXT_MAX];
    if (broken->count == ARRAY_COUNT(broken->rules))
        return;
    if (!broken->count)
        verdict->status = status;
    bool named = false;
    for (size_t i = 0; i < broken->count; i++)
        named |= broken->rules[i] == rule;
    if (!named)
        broken->rules[broken->count++] = rule;
    if (verdict->untold) {
        verdict->untold++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    verdict_tell(verdict, message);
}

void verdict_reserved(struct verdict *verdict, enum vidmm_rule rule, enum vidmm_flag_set set,
                      uint32_t flags, const char *message)
{
    char names[160];
    uint32_t wddm = verdict->adapter->setup->caps.wddm;
    if (flags & ~verdict->adapter->setup->caps.defined[set])
        verdict_add(verdict, rule, STATUS_INVALID_PARAMETER, "%s: %s", message,
                    vidmm_flags_reserved_text(set, flags, wddm, names, sizeof names));
}

vidmm_status verdict_end(struct verdict *verdict)
{
    if (!verdict->broken.count)
        return STATUS_SUCCESS;
    if (verdict->untold)
        (void)snprintf(verdict->text + verdict->used, MORE_BYTES, "; and %u more", verdict->untold);
    return refuse_all(verdict->adapter, &verdict->broken, verdict->status, verdict->text);
}
