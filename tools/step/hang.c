/* SPDX-License-Identifier: MIT */
/*
 * hang.c: why is a node asked to stop, and why is it reset?
 *
 *     frame1 (fence 1) has run on node 0 for 100 ms, since 1662.862 us, and redraw (fence 2) waits
 *     for the node. If frame1 (fence 1) still runs when TdrDelay is over, the node is reset.
 *
 * A node runs what began there and has not ended. A request to stop it stands until it answers,
 * ends the packet, or begins another one.
 */
#include "tools/step/hang.h"

#include <string.h>

/* ---- hearing -------------------------------------------------------------------------------- */

static struct hang_node *node_of(struct hang *hang, uint64_t node)
{
    while (hang->count <= node) {
        BASE_GROW(hang->nodes, hang->capacity, hang->count + 1);
        hang->nodes[hang->count++] = (struct hang_node){ 0 };
    }
    return &hang->nodes[node];
}

void hang_hear(struct hang *hang, const struct vidmm_event *event)
{
    bool begins = event->kind == VIDMM_EVENT_BEGIN;
    if (!begins && event->kind != VIDMM_EVENT_END && event->kind != VIDMM_EVENT_PREEMPT)
        return;
    struct hang_node *node = node_of(hang, names_number(event, "node"));
    if (strcmp(names_word(event, "phase"), "request") == 0) { /* a preemption has phases */
        node->is_asked = true;
        node->asked = event->time;
        return;
    }
    *node = (struct hang_node){ .running = begins ? names_number(event, "fence") : 0,
                                .since = event->time };
}

void hang_forget(struct hang *hang)
{
    base_free(hang->nodes);
    *hang = (struct hang){ 0 };
}

/* ---- telling -------------------------------------------------------------------------------- */

/* "frame1 (fence 1)" */
static void add_packet(struct narrator *narrator, uint64_t node, uint64_t fence, struct text *out)
{
    const struct vidmm_field fields[] = {
        { .name = "node", .value = node },
        { .name = "fence", .value = fence },
    };
    const struct vidmm_event event = { .fields = fields, .field_count = ARRAY_COUNT(fields) };
    tale_add_buffer(&(struct tale){ narrator, &event, out });
}

/* The first that waits for the node after packet `running`; 0: none does. */
static uint64_t find_waiting(const struct narrator *narrator, uint64_t node, uint64_t running)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < narrator->work_count; i++)
        if (narrator->work[i].node == node && narrator->work[i].fence > running)
            first = min_u64(first, narrator->work[i].fence);
    return first == UINT64_MAX ? 0 : first;
}

bool hang_tell(const struct hang *hang, struct narrator *narrator, const struct vidmm_event *event,
               struct text *out)
{
    bool asks = event->kind == VIDMM_EVENT_PREEMPT;
    uint64_t number = names_number(event, "node");
    if ((!asks && event->kind != VIDMM_EVENT_TDR) || number >= hang->count)
        return false;
    const struct hang_node *node = &hang->nodes[number];
    if (!node->running || !node->is_asked)
        return false;
    uint64_t waiting = find_waiting(narrator, number, node->running);
    add_packet(narrator, number, node->running, out);
    text_add(out, " has run on %s for %s, since %s",
             names_node(&narrator->names, (uint32_t)number).it,
             text_span(event->time - node->since).it, text_time(node->since).it);
    if (waiting) {
        text_add(out, ", and ");
        add_packet(narrator, number, waiting, out);
        text_add(out, " waits for the node");
    }
    if (asks)
        text_add(out, ". If it still runs when TdrDelay is over, the node is reset.");
    else
        text_add(out, ". The node was asked at %s to stop it, and still runs it %s later.",
                 text_time(node->asked).it, text_span(event->time - node->asked).it);
    return true;
}
