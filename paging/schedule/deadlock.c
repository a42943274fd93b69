/* SPDX-License-Identifier: MIT */
/*
 * deadlock.c: what is in the way of a wait that can never end.
 *
 * A node executes in order, and a packet may wait for packets of other nodes. The chain begins at
 * the fence that the CPU waits for, and leads from packet to packet to the one that never ends.
 */
#include <stdio.h>
#include <string.h>

#include "paging/schedule/schedule_state.h"

/* The first node whose packet has to end before this one can begin; caps.nodes: none. */
static uint32_t node_ahead(const adapter_t *adapter, const struct packet *packet)
{
    uint32_t node = 0;
    while (node < adapter->setup->caps.nodes &&
           packet->waits[node] <= adapter->schedule->fences.ended[node])
        node++;
    return node;
}

/* A refusal has room for a few steps after its first words, for the last step, and for the end. */
enum { STEPS_TEXT = 64, WAITS_TEXT = 160 };

/* Whether there was room for it. */
static bool add_step(char text[WAITS_TEXT], const char *what, uint32_t fence, uint32_t node)
{
    size_t used = strlen(text);
    bool room = used < STEPS_TEXT;
    if (room)
        (void)snprintf(text + used, WAITS_TEXT - used, "%s fence %u of node %u, ", what, fence,
                       node);
    return room;
}

/* TIME-017: from the fence that is waited for to the packet that is in the way. */
static void tell_waits(const adapter_t *adapter, uint32_t node, uint32_t fence,
                       char text[WAITS_TEXT])
{
    const char *end = "which never ends";
    bool told = true;
    for (uint32_t i = 0; i < adapter->setup->caps.nodes; i++) {
        const struct engine *engine = &adapter->schedule->engines.engines[node];
        const struct packet *first = engine->running ? engine->running : engine->waiting.head;
        bool ended = adapter->schedule->fences.ended[node] >= fence;
        if (ended || !first) {
            end = ended ? "which has ended, and no interrupt tells of it"
                        : "which the node gets when it has stopped";
            break;
        }
        if (first->fence < fence) {
            fence = first->fence;
            told = add_step(text, "behind", fence, node);
        }
        uint32_t ahead = node_ahead(adapter, first); /* of one that runs there is none */
        if (ahead == adapter->setup->caps.nodes)
            break;
        node = ahead;
        fence = first->waits[ahead];
        told = add_step(text, "which waits for", fence, node);
    }
    size_t used = strlen(text);
    if (told)
        (void)snprintf(text + used, WAITS_TEXT - used, "%s", end);
    else
        (void)snprintf(text + used, WAITS_TEXT - used, "in the end for fence %u of node %u, %s",
                       fence, node, end);
}

vidmm_status deadlock_refuse(adapter_t *adapter, uint32_t node, uint32_t fence,
                             enum vidmm_wait_reason reason)
{
    char waits[WAITS_TEXT] = "";
    tell_waits(adapter, node, fence, waits);
    return refuse(adapter, RULE(TIME_017), STATUS_UNSUCCESSFUL,
                  "deadlock: the CPU waits for fence %u of node %u (reason %s), %s", fence, node,
                  vidmm_wait_reason_name(reason), waits);
}
