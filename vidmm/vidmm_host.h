/* SPDX-License-Identifier: MIT */
/*
 * vidmm_host.h: what vidmm takes from its host: memory and work.
 *
 * Each thread has one account. Held is what vidmm asked for on this thread and has not given back:
 * the bytes asked for and VIDMM_HOST_PIECE_BYTES for each piece, so the figure is the same on every
 * machine. Worked is the number of calls of the miniport, of commands that the mock's chip reads,
 * of steps of virtual time, and of victims that a plan looked at. The account is the one thing that
 * outlives a call and belongs to no adapter: memory comes from the whole process.
 *
 * A limit is an absolute figure of the account. What would pass one calls `passed` in the middle of
 * whatever vidmm is doing, so `passed` may not return, may not call an adapter, and nothing of this
 * thread's adapters may be used or freed afterwards. Without `passed`, or when it returns, the
 * process says why on stderr and exits with code 4 (130 after `enough`). The same happens when the
 * host itself has no memory left; a small reserve is given back first, so that `passed` can still
 * say so.
 */
#ifndef VIDMM_HOST_H
#define VIDMM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { VIDMM_HOST_PIECE_BYTES = 16 };

enum vidmm_host_limit {
    VIDMM_HOST_MEMORY,  /* the limit of memory */
    VIDMM_HOST_WORK,    /* the limit of work */
    VIDMM_HOST_MACHINE, /* no limit of ours: malloc() failed */
    VIDMM_HOST_ENOUGH,  /* `enough` said so */
};

struct vidmm_host_limits {
    uint64_t memory_bytes, work; /* UINT64_MAX: no limit */
    void (*passed)(void *caller, enum vidmm_host_limit limit);
    /* Asked at each step of work: true ends it, as a limit does. May be NULL. */
    bool (*enough)(void *caller);
    void *caller;
};

/* Replaces the limits of this thread; `before`, unless NULL, receives those that held until now. */
void vidmm_host_limit(const struct vidmm_host_limits *limits, struct vidmm_host_limits *before);

/* 0 on a thread that gave back more than it asked for. */
uint64_t vidmm_host_held(void);
uint64_t vidmm_host_worked(void);

#ifdef __cplusplus
}
#endif

#endif
