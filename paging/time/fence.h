/* SPDX-License-Identifier: MIT */
/*
 * fence.h: fence numbers of all nodes, and sets of fences: one number per node.
 *
 * Numbers are 32 bits wide, one sequence per node, beginning with 1; 0 means "none" (SUBMIT-050).
 * They never wrap, so plain comparison is their order. For each node
 *
 *     issued >= submitted >= ended        what the GPU knows (TIME-005)
 *               submitted >= completed    what the miniport has reported (TIME-006, SUBMIT-052)
 *
 * Sets are plain arrays of `nodes` numbers owned by the caller: the last fence per node that
 * refers to an allocation (SUBMIT-062), or what a packet or the CPU has to wait for. A fence of 0
 * waits for nothing. All loops over sets are here, inline, because they run for each reference of
 * each submission; one and two nodes are the usual adapters.
 */
#ifndef PAGING_FENCE_H
#define PAGING_FENCE_H

#include "vidmm/base/base.h"
#include "vidmm/vidmm_types.h"

struct fence_ref {
    uint32_t node, fence;
};

struct fence_board {
    uint32_t nodes;
    uint32_t *issued;    /* last number given out */
    uint32_t *submitted; /* last packet given to the node; preempt requests are not packets */
    uint32_t *ended;     /* last packet that the GPU finished */
    uint32_t *completed; /* last number reported to the CPU */
};

void fence_board_init(struct fence_board *board, uint32_t nodes);
void fence_board_fini(struct fence_board *board);

/* The next number of the node; 0 when all are used up: the run has to end with a finding. */
uint32_t fence_issue(struct fence_board *board, uint32_t node);

/*
 * The miniport says that everything of `node` up to `fence` is complete. False, and nothing
 * changed, when the node does not exist or the number is not between the last completed and the
 * last submitted one (SUBMIT-053). Repeating the last completed number is legal.
 */
bool fence_report(struct fence_board *board, uint32_t node, uint32_t fence);

/* The hardware was reset: `fence` and all before it are over, whatever ran. */
void fence_reset(struct fence_board *board, uint32_t node, uint32_t fence);

static inline void fences_raise(uint32_t *fences, struct fence_ref ref)
{
    fences[ref.node] = max_u32(fences[ref.node], ref.fence);
}

static inline void fences_merge(const struct fence_board *board, uint32_t *into,
                                const uint32_t *from)
{
    for (uint32_t node = 0; node < board->nodes; node++)
        into[node] = max_u32(into[node], from[node]);
}

/* fences[n] <= reached[n] for each node. */
static inline bool fences_reached(const struct fence_board *board, const uint32_t *fences,
                                  const uint32_t *reached)
{
    if (board->nodes == 2)
        return (fences[0] <= reached[0]) & (fences[1] <= reached[1]);
    bool all = true;
    for (uint32_t node = 0; node < board->nodes; node++)
        all &= fences[node] <= reached[node];
    return all;
}

/* The CPU may rely on it. */
static inline bool fences_completed(const struct fence_board *board, const uint32_t *fences)
{
    return fences_reached(board, fences, board->completed);
}

/* The GPU may rely on it. */
static inline bool fences_ended(const struct fence_board *board, const uint32_t *fences)
{
    return fences_reached(board, fences, board->ended);
}

/* The first node, `node` or later, whose fence is not completed; board->nodes: none. */
static inline uint32_t fences_pending(const struct fence_board *board, const uint32_t *fences,
                                      uint32_t node)
{
    while (node < board->nodes && fences[node] <= board->completed[node])
        node++;
    return node;
}

#endif
