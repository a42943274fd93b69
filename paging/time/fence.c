/* SPDX-License-Identifier: MIT */
/* fence.c: giving out fence numbers and believing, or not, what a miniport reports. */
#include "paging/time/fence.h"

void fence_board_init(struct fence_board *board, uint32_t nodes)
{
    CHECK(nodes >= 1 && nodes <= VIDMM_NODES_MAX);
    uint32_t *numbers = base_alloc((size_t)nodes * 4, sizeof *numbers);
    *board = (struct fence_board){
        .nodes = nodes,
        .issued = numbers, /* owns the memory of all four */
        .submitted = numbers + nodes,
        .ended = numbers + nodes * 2,
        .completed = numbers + nodes * 3,
    };
}

void fence_board_fini(struct fence_board *board)
{
    base_free(board->issued);
    *board = (struct fence_board){ 0 };
}

uint32_t fence_issue(struct fence_board *board, uint32_t node)
{
    CHECK(node < board->nodes);
    if (board->issued[node] == UINT32_MAX)
        return 0;
    return ++board->issued[node];
}

bool fence_report(struct fence_board *board, uint32_t node, uint32_t fence)
{
    if (node >= board->nodes)
        return false;
    if (fence < board->completed[node] || fence > board->submitted[node])
        return false;
    board->completed[node] = fence;
    return true;
}

void fence_reset(struct fence_board *board, uint32_t node, uint32_t fence)
{
    CHECK(node < board->nodes && fence <= board->issued[node]);
    fence = max_u32(fence, board->ended[node]); /* executed before, and not reported any more */
    board->submitted[node] = fence;
    board->ended[node] = fence;
    board->completed[node] = fence;
}
