/* SPDX-License-Identifier: MIT */
/*
 * engine.c: from submission to interrupt. A packet moves through three places of its node: waiting,
 * running, ended; its one timer is the end first and the interrupt afterwards.
 *
 * I1  A packet is in exactly one place, and `state` names it; the owner's packet is TAKEN.
 * I2  A node executes one packet at a time, in the order of submission, which is that of numbers.
 * I3  No interrupt of a node overtakes another: `ended` is in the order of the timers.
 * I4  The timer is armed while the packet runs (unless it is endless) or has ended, else never.
 * I5  Nothing that is ready waits: a node that is free and not held starts its first packet as soon
 *     as the GPU has finished all that it waits for. Where the owner took a packet out or changed
 *     the board, engine_kick() makes it so again.
 */
#include "paging/time/engine.h"

#include <string.h>

static void engine_push(struct packet_fifo *fifo, struct packet *packet)
{
    packet->next = NULL;
    if (fifo->tail)
        fifo->tail->next = packet;
    else
        fifo->head = packet;
    fifo->tail = packet;
    fifo->count++;
}

static struct packet *pop(struct packet_fifo *fifo)
{
    struct packet *packet = fifo->head;
    CHECK(packet);
    fifo->head = packet->next;
    if (!fifo->head)
        fifo->tail = NULL;
    fifo->count--;
    return packet;
}

static void engine_give_back(struct engine_set *set, struct packet *packet)
{
    packet->next = set->pool;
    set->pool = packet;
}

static void on_interrupt(struct timer *timer, void *context)
{
    struct packet *packet = context;
    struct engine_set *set = packet->set;
    CHECK(timer == &packet->timer);
    /* Ends of one node are in order, and so are its interrupts (I3). */
    CHECK(set->engines[packet->node].ended.head == packet);
    pop(&set->engines[packet->node].ended);
    set->hooks->interrupt(set->owner, packet);
    engine_give_back(set, packet);
}

/* The moment from which the head of the queue had only dependencies in its way. */
static vidmm_ns unblocked_at(const struct engine *engine, const struct packet *head)
{
    return max_u64(head->ready, engine->free_at);
}

static void on_end(struct timer *timer, void *context);

static void engine_start(struct engine_set *set, struct engine *engine)
{
    struct packet *packet = pop(&engine->waiting);
    vidmm_ns now = set->timeline->now;
    engine->past.dependency_ns += now - unblocked_at(engine, packet);
    engine->past.packets++;
    engine->running = packet;
    packet->state = PACKET_RUNNING;
    packet->start = now;
    packet->end = TIMELINE_END;
    packet->cost = set->hooks->begin(set->owner, packet);
    packet->left = 0;
    if (packet->endless || packet->cost >= TIMELINE_END - now) {
        packet->endless = true;
        return;
    }
    packet->end = now + packet->cost;
    packet->timer.fire = on_end;
    timeline_arm(set->timeline, &packet->timer, packet->end);
}

static void start_if_ready(struct engine_set *set, uint32_t node)
{
    struct engine *engine = &set->engines[node];
    if (engine->running || engine->held || !engine->waiting.head)
        return;
    if (fences_ended(set->board, engine->waiting.head->waits))
        engine_start(set, engine);
}

static void on_end(struct timer *timer, void *context)
{
    struct packet *packet = context;
    struct engine_set *set = packet->set;
    struct engine *engine = &set->engines[packet->node];
    CHECK(timer == &packet->timer);
    CHECK(engine->running == packet); /* I2 */
    engine->running = NULL;
    engine->free_at = packet->end;
    engine->past.busy_ns += packet->cost;
    packet->state = PACKET_ENDED;
    /* irq_ns may be shorter than it was (I3). */
    vidmm_ns report_at = timeline_after(set->timeline, set->irq_ns);
    if (engine->ended.tail)
        report_at = max_u64(report_at, engine->ended.tail->timer.due);
    engine_push(&engine->ended, packet);
    set->board->ended[packet->node] = packet->fence;
    set->hooks->finish(set->owner, packet);

    packet->timer.fire = on_interrupt;
    timeline_arm(set->timeline, &packet->timer, report_at);
    /* I5: others may have waited for this end. */
    for (uint32_t node = 0; node < set->nodes; node++)
        if (set->engines[node].waiting.head)
            start_if_ready(set, node);
}

void engine_set_init(struct engine_set *set, struct timeline *timeline, struct fence_board *board,
                     const struct engine_hooks *hooks, void *owner)
{
    *set = (struct engine_set){
        .nodes = board->nodes,
        .engines = base_alloc(board->nodes, sizeof *set->engines),
        .timeline = timeline,
        .board = board,
        .hooks = hooks,
        .owner = owner,
    };
}

static void engine_drop(struct engine_set *set, struct packet *packet)
{
    timeline_cancel(set->timeline, &packet->timer);
    engine_give_back(set, packet);
}

void engine_set_fini(struct engine_set *set)
{
    for (uint32_t node = 0; node < set->nodes; node++) {
        struct engine *engine = &set->engines[node];
        while (engine->ended.head)
            engine_drop(set, pop(&engine->ended));
        if (engine->running)
            engine_drop(set, engine->running);
        while (engine->waiting.head)
            engine_drop(set, pop(&engine->waiting));
    }
    while (set->pool) {
        struct packet *packet = set->pool;
        set->pool = packet->next;
        base_free(packet);
    }
    base_free(set->engines);
    *set = (struct engine_set){ 0 };
}

struct packet *engine_packet_take(struct engine_set *set)
{
    size_t bytes = sizeof(struct packet) + set->nodes * sizeof(uint32_t);
    struct packet *packet = set->pool;
    if (packet) {
        set->pool = packet->next;
        memset(packet, 0, bytes);
    } else {
        packet = base_alloc(1, bytes);
    }
    packet->set = set;
    return packet;
}

void engine_packet_release(struct engine_set *set, struct packet *packet)
{
    CHECK(packet->state == PACKET_TAKEN);
    engine_give_back(set, packet);
}

/* The highest number that the node holds or has executed. */
static uint32_t newest(const struct engine_set *set, uint32_t node)
{
    const struct engine *engine = &set->engines[node];
    if (engine->waiting.tail)
        return engine->waiting.tail->fence;
    return engine->running ? engine->running->fence : set->board->ended[node];
}

void engine_submit(struct engine_set *set, struct packet *packet)
{
    uint32_t node = packet->node;
    CHECK(packet->state == PACKET_TAKEN);
    CHECK(node < set->nodes);
    CHECK(packet->fence > newest(set, node)); /* I2 */
    CHECK(packet->fence <= set->board->issued[node]);
    CHECK(packet->waits[node] < packet->fence);
    packet->state = PACKET_WAITING;
    packet->ready = set->timeline->now;
    packet->timer = (struct timer){
        .class = TIMER_COMPLETION, .node = node, .fence = packet->fence, .context = packet
    };
    engine_push(&set->engines[node].waiting, packet);
    set->board->submitted[node] = max_u32(set->board->submitted[node], packet->fence);
    start_if_ready(set, node);
}

/* ---- taking back ---------------------------------------------------------------------------- */

/* Makes it what it was before it was submitted (I1, I4). */
static struct packet *untie(struct engine_set *set, struct packet *packet)
{
    timeline_cancel(set->timeline, &packet->timer);
    packet->state = PACKET_TAKEN;
    packet->next = NULL;
    return packet;
}

struct packet *engine_unqueue(struct engine_set *set, uint32_t node)
{
    struct packet *first = NULL, **end = &first;
    CHECK(node < set->nodes);
    while (set->engines[node].waiting.head) {
        *end = untie(set, pop(&set->engines[node].waiting));
        end = &(*end)->next;
    }
    return first;
}

struct packet *engine_interrupt(struct engine_set *set, uint32_t node)
{
    struct engine *engine = &set->engines[node];
    struct packet *packet = engine->running;
    if (!packet)
        return NULL;
    engine->past.busy_ns += set->timeline->now - packet->start;
    engine->free_at = set->timeline->now;
    engine->running = NULL;
    if (!packet->endless)
        packet->left = max_u64(packet->end - set->timeline->now, 1);
    packet->endless = false; /* the hooks say so anew */
    return untie(set, packet);
}

struct packet *engine_abort(struct engine_set *set, uint32_t node)
{
    struct engine *engine = &set->engines[node];
    while (engine->ended.head)
        engine_drop(set, pop(&engine->ended));
    struct packet *first = engine_interrupt(set, node);
    struct packet *rest = engine_unqueue(set, node);
    engine->held = false;
    if (!first)
        return rest;
    first->next = rest;
    return first;
}

void engine_hold(struct engine_set *set, uint32_t node, bool hold)
{
    set->engines[node].held = hold;
}

void engine_kick(struct engine_set *set)
{
    for (uint32_t node = 0; node < set->nodes; node++)
        start_if_ready(set, node);
}

void engine_rename(struct engine_set *set, uint32_t node,
                   uint32_t (*rename)(void *context, uint32_t fence), void *context)
{
    for (uint32_t i = 0; i < set->nodes; i++)
        for (struct packet *packet = set->engines[i].waiting.head; packet; packet = packet->next)
            packet->waits[node] = rename(context, packet->waits[node]);
}

/* ---- looking -------------------------------------------------------------------------------- */

size_t engine_length(const struct engine_set *set, uint32_t node)
{
    CHECK(node < set->nodes);
    const struct engine *engine = &set->engines[node];
    return engine->waiting.count + (engine->running ? 1 : 0);
}

bool engine_idle(const struct engine_set *set, uint32_t node)
{
    return engine_length(set, node) == 0 && set->engines[node].ended.count == 0;
}

struct engine_stats engine_stats(const struct engine_set *set, uint32_t node)
{
    CHECK(node < set->nodes);
    const struct engine *engine = &set->engines[node];
    vidmm_ns now = set->timeline->now;
    struct engine_stats stats = engine->past;
    if (engine->running)
        stats.busy_ns += now - engine->running->start;
    else if (engine->waiting.head)
        stats.dependency_ns += now - unblocked_at(engine, engine->waiting.head);
    return stats;
}
