/* SPDX-License-Identifier: MIT */
/*
 * engine.h: the nodes of the simulated GPU: one FIFO each, one packet in execution (TIME-004).
 *
 *     taken -> WAITING -> RUNNING -> ENDED -> (interrupt) -> back to the pool
 *
 * A packet starts when it is submitted, the node is free and the GPU has finished everything that
 * `waits` names, whichever is last (TIME-005); dependencies are met by the end of a packet, not by
 * its interrupt. The interrupt follows `irq_ns` after the end (TIME-006). When one end frees
 * several packets, they start at that moment, lowest node first.
 *
 * The owner learns of it through three hooks. They run while time is being moved, or inside
 * engine_submit() for the start. They book: they never submit, and never move time.
 *   begin      the packet starts now; returns what it costs. May set `endless`.
 *   finish     it ends now; the board already says so. Here the commands take effect.
 *   interrupt  the miniport is to report; it may call fence_report(). Afterwards the packet is
 * gone.
 *
 * An endless packet holds its node for ever (TIME-011); so does one whose end lies outside of 64
 * bits. Nothing here knows what a packet contains, decides, or emits.
 */
#ifndef PAGING_ENGINE_H
#define PAGING_ENGINE_H

#include "paging/time/fence.h"
#include "paging/time/timeline.h"

enum packet_state { PACKET_TAKEN, PACKET_WAITING, PACKET_RUNNING, PACKET_ENDED };

struct engine_set;

struct packet {
    /* filled by the owner between engine_packet_take() and engine_submit() */
    uint32_t node, fence;
    bool paging, endless;
    void *cookie;
    /* filled by the engine */
    enum packet_state state;
    vidmm_ns ready;      /* when it was submitted */
    vidmm_ns start, end; /* `end` is known once it runs, and TIMELINE_END if it never ends */
    vidmm_ns cost;
    vidmm_ns left; /* of one that was stopped half-way, for the hook that begins it; 0: all of it */
    /* private */
    struct engine_set *set;
    struct packet *next;
    struct timer timer; /* first the end, then the interrupt */
    /* filled by the owner: a fence per node (zeroed by engine_packet_take) */
    uint32_t waits[];
};

struct packet_fifo {
    struct packet *head, *tail;
    size_t count;
};

struct engine_stats {
    vidmm_ns busy_ns;       /* execution until now */
    vidmm_ns dependency_ns; /* a packet at the head of a free node waited for another node */
    uint64_t packets;       /* started */
};

struct engine {
    struct packet_fifo waiting;
    struct packet *running;
    struct packet_fifo ended; /* interrupt outstanding */
    bool held;                /* nothing starts */
    vidmm_ns free_at;         /* F(n) of TIME-004 while nothing runs */
    struct engine_stats past; /* without what is going on now */
};

struct engine_hooks {
    vidmm_ns (*begin)(void *owner, struct packet *packet);
    void (*finish)(void *owner, struct packet *packet);
    void (*interrupt)(void *owner, struct packet *packet);
};

struct engine_set {
    uint32_t nodes;
    struct engine *engines;
    struct timeline *timeline;
    struct fence_board *board;
    vidmm_ns irq_ns; /* set by the owner before the first packet */
    const struct engine_hooks *hooks;
    void *owner;
    /* private */
    struct packet *pool;
};

/* One node for each of `board`; timeline, board and hooks must outlive the set. */
void engine_set_init(struct engine_set *set, struct timeline *timeline, struct fence_board *board,
                     const struct engine_hooks *hooks, void *owner);
/* Drops every packet without a hook. */
void engine_set_fini(struct engine_set *set);

struct packet *engine_packet_take(struct engine_set *set);
/* Only for a packet that was never submitted. */
void engine_packet_release(struct engine_set *set, struct packet *packet);

/*
 * Queues the packet after everything its node has, and starts it at once if nothing is in the
 * way. Its number must be issued and above all that the node holds; a wait for its own node may
 * only name earlier numbers.
 */
void engine_submit(struct engine_set *set, struct packet *packet);

/*
 * Takes back what has not ended: all of it, or only what follows the packet in execution. Linked
 * by `next` in the order of the node, without a hook; the owner submits each once more, with a
 * number of its choice, or releases it. engine_abort() also forgets interrupts that are
 * outstanding: what becomes of those numbers is for the owner to write on the board.
 */
struct packet *engine_abort(struct engine_set *set, uint32_t node);
struct packet *engine_unqueue(struct engine_set *set, uint32_t node);
/* The packet in execution alone; NULL when there is none. */
struct packet *engine_interrupt(struct engine_set *set, uint32_t node);
/* While a node is held nothing starts there. */
void engine_hold(struct engine_set *set, uint32_t node, bool hold);
/* The board was changed by hand: starts what that has freed. */
void engine_kick(struct engine_set *set);
/* Numbers of `node` that waiting packets depend on become others. */
void engine_rename(struct engine_set *set, uint32_t node,
                   uint32_t (*rename)(void *context, uint32_t fence), void *context);

/* Packets that have not ended: the one in execution and those that wait. */
size_t engine_length(const struct engine_set *set, uint32_t node);
/* Nothing to execute, and no interrupt outstanding. */
bool engine_idle(const struct engine_set *set, uint32_t node);
/* Until now, a packet in execution and a waiting head included (TIME-022). */
struct engine_stats engine_stats(const struct engine_set *set, uint32_t node);

#endif
