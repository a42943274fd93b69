/* SPDX-License-Identifier: MIT */
/* shelf.c: on which of several rows has an interval room? */
#include "tools/trace/stage.h"

uint32_t shelf_put(struct shelf *shelf, vidmm_ns begin, vidmm_ns end)
{
    uint32_t row = 0;
    while (row < shelf->count && shelf->free_from[row] > begin)
        row++;
    if (row == shelf->count && shelf->count == min_u64(shelf->most, SHELF_ROWS))
        return SCENE_NONE;
    shelf->count += row == shelf->count;
    shelf->free_from[row] = end;
    return row;
}
