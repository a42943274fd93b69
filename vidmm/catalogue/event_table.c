/* SPDX-License-Identifier: MIT */
/* event_table.c: the kinds of events and their fields, as data: what vidmm_event*.def say. */
#include <string.h>

#include "vidmm/base/base.h"
#include "vidmm/vidmm.h"

#define GROUP_LIFE   "life"
#define GROUP_PLACE  "place"
#define GROUP_PAGING "paging"
#define GROUP_GPU    "gpu"
#define GROUP_CPU    "cpu"
#define GROUP_POLICY "policy"
#define GROUP_SYSTEM "system"

static const struct vidmm_event_info events[VIDMM_EVENT_KINDS] = {
    [VIDMM_EVENT_NONE] = { "none", "system", "no event", "", "" },
#define EVENT(symbol, name, group, text, subject, rules)                                           \
    [VIDMM_EVENT_##symbol] = { name, GROUP_##group, text, subject, rules },
#include "vidmm/vidmm_event.def"
#undef EVENT
};

const struct vidmm_event_info *vidmm_event_info(enum vidmm_event_kind kind)
{
    CHECK((size_t)kind < ARRAY_COUNT(events));
    return &events[kind];
}

enum vidmm_event_kind vidmm_event_by_name(const char *name)
{
    for (size_t i = VIDMM_EVENT_NONE + 1; i < ARRAY_COUNT(events); i++)
        if (strcmp(events[i].name, name) == 0)
            return (enum vidmm_event_kind)i;
    return VIDMM_EVENT_NONE;
}

/* ---- fields --------------------------------------------------------------------------------- */

#define ALWAYS               true
#define SOME                 false
#define REASON(symbol, name) "|" name
#define WAIT_REASONS         (&VIDMM_WAIT_REASONS(REASON)[1])

static const struct {
    enum vidmm_event_kind event;
    struct vidmm_event_field_info info;
} fields[] = {
#define FIELD(event, name, kind, when, words, text)                                                \
    { VIDMM_EVENT_##event, { name, VIDMM_FIELD_##kind, when, words, text } },
#include "vidmm/vidmm_event_fields.def"
#undef FIELD
};

const struct vidmm_event_field_info *vidmm_event_field(enum vidmm_event_kind kind, size_t index)
{
    for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
        if (fields[i].event == kind && index-- == 0)
            return &fields[i].info;
    return NULL;
}
