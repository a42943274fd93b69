/* SPDX-License-Identifier: MIT */
/* narrate_system.c: a sentence for each event of the system: synchronisation, power, recovery. */
#include <inttypes.h>

#include "tools/tale.h"
#include "vidmm/base/base.h"

void narrate_system_level3(const struct tale *tale)
{
    text_add(tale->out, "%s",
             tale_is(tale, "phase", "drain")
                 ? "level three synchronisation began: what is queued ends"
                 : "level three synchronisation ended: memory is empty");
}

void narrate_system_level2(const struct tale *tale)
{
    text_add(tale->out, "%s",
             tale_is(tale, "phase", "drain")
                 ? "level two synchronisation began: what is queued ends"
                 : "level two synchronisation ended: the GPU is idle");
}

void narrate_system_power(const struct tale *tale)
{
    bool begin = tale_is(tale, "phase", "begin");
    if (tale_is(tale, "state", "resume"))
        text_add(tale->out, "%s", begin ? "the machine wakes up" : "the machine is awake");
    else
        text_add(tale->out, "%s (%s)", begin ? "the machine goes to sleep" : "the machine sleeps",
                 tale_word(tale, "state"));
}

void narrate_system_pnp(const struct tale *tale)
{
    static const struct wording states[] = {
        { "stopping", "Plug and Play stops the adapter" },
        { "surprise-removal", "the adapter is gone without a word" },
        { "stopped", "the adapter is stopped and removed" },
        { "starting", "Plug and Play starts the adapter once more" },
        { "started", "the adapter is back" },
        { "failed", "the adapter does not start any more" },
    };
    text_add(tale->out, "%s", tale_wording(states, ARRAY_COUNT(states), tale_word(tale, "state")));
}

void narrate_system_exclude(const struct tale *tale)
{
    static const struct wording states[] = {
        { "on", "the driver has the adapter for itself" },
        { "evict-all", "the driver has the adapter for itself, and video memory is empty" },
        { "off", "the driver gave the adapter back" },
    };
    text_add(tale->out, "%s", tale_wording(states, ARRAY_COUNT(states), tale_word(tale, "state")));
}

void narrate_system_preempt(const struct tale *tale)
{
    if (tale_is(tale, "phase", "request"))
        text_add(tale->out, "%s is asked to stop", tale_node(tale).it);
    else
        text_add(tale->out, "%s has stopped behind fence %" PRIu64, tale_node(tale).it,
                 tale_number(tale, "completed"));
}

void narrate_system_tdr(const struct tale *tale)
{
    static const struct wording phases[] = {
        { "reset", "the adapter is reset" },
        { "clean-up", "the driver is told that video memory is empty" },
        { "recovered", "the adapter works again" },
    };
    if (tale_is(tale, "phase", "timeout")) {
        tale_add_buffer(tale);
        text_add(tale->out, " does not end, and %s does not stop", tale_node(tale).it);
    } else if (tale_is(tale, "phase", "engine-reset")) {
        text_add(tale->out, "%s was reset", tale_node(tale).it);
    } else if (tale_is(tale, "phase", "live-dump")) {
        text_add(tale->out, "a live dump 0x%" PRIX64 " is recorded", tale_number(tale, "code"));
        if (tale->event->subject)
            text_add(tale->out, ": process %s may not use the GPU any more", tale_who(tale));
    } else {
        text_add(tale->out, "%s",
                 tale_wording(phases, ARRAY_COUNT(phases), tale_word(tale, "phase")));
    }
}

void narrate_system_page_fault(const struct tale *tale)
{
    if (tale_number(tale, "fence"))
        text_add(tale->out, "the packet with fence %" PRIu64 " of %s ended in a page fault",
                 tale_number(tale, "fence"), tale_node(tale).it);
    else
        text_add(tale->out, "%s met a page fault, and nobody knows in which packet",
                 tale_node(tale).it);
}

/* A device can be in error for what another one did. */
static const char *why_hung(const struct tale *tale)
{
    static const struct wording rules[] = {
        { "TDR-016", "is in error: paging of what it owns did not end" },
        { "TDR-019", "is in error: its process may not use the GPU any more" },
    };
    const char *rule = vidmm_rule_id(tale->event->rule);
    const char *text = tale_wording(rules, ARRAY_COUNT(rules), rule);
    return text == rule ? "is in error: its work did not end" : text;
}

void narrate_system_device_state(const struct tale *tale)
{
    static const struct wording states[] = {
        { "out-of-memory", "is in error: there was no memory for its work" },
        { "dma-fault", "is in error: a packet of it faulted" },
        { "page-fault", "is in error: a page fault of the GPU" },
        { "stopped", "was stopped" },
        { "reset", "is in error: its work was lost in a reset" },
    };
    text_add(tale->out, "device %s %s", tale_who(tale),
             tale_is(tale, "state", "hung")
                 ? why_hung(tale)
                 : tale_wording(states, ARRAY_COUNT(states), tale_word(tale, "state")));
}
