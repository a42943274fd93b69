/* SPDX-License-Identifier: MIT */
/* show.h: pictures and tables of the present state, for `show` in a scenario. */
#ifndef TOOLS_STORY_SHOW_H
#define TOOLS_STORY_SHOW_H

#include "scenarios/lang/scenario.h"
#include "tools/common/json.h"
#include "tools/common/screen.h"
#include "tools/common/text.h"
#include "vidmm/vidmm.h"

/* Where an allocation lay in the last map of a segment. */
struct map_place {
    uint32_t segment;
    vidmm_handle allocation; /* 0: only says that there was a map */
    uint64_t offset;
    struct text_short name; /* the allocation may be gone by the next map */
};

/* What the maps of a run remember, so that those of different moments can be compared. All zero:
 * nothing yet. An allocation keeps its letter, and each map says what came and left since the one
 * before. */
enum { MAP_LETTERS = 62 };
struct map_memory {
    vidmm_handle owners[MAP_LETTERS]; /* of the letters */
    uint8_t shifts[MAP_LETTERS];      /* so many colours after that of the letter */
    struct map_place *places;         /* of each segment in the order of offsets */
    size_t count, capacity;
    vidmm_handle leaving; /* evicted, and still there, where a run stands still; 0: none */
};

void show_map(const struct screen *screen, struct map_memory *memory,
              const struct vidmm_adapter *adapter, uint32_t segment);
void show_map_forget(struct map_memory *memory); /* another run begins */
void show_allocation(const struct screen *screen, const struct map_memory *memory,
                     const struct vidmm_adapter *adapter, vidmm_handle allocation);
void show_state(const struct screen *screen, const struct scenario_telling *telling);
void show_queue(const struct screen *screen, const struct vidmm_adapter *adapter);
/* `shown`: which of VIDMM_COUNTERS; NULL: all that are not 0. Says how many others are not 0. */
void show_counters(const struct screen *screen, const struct vidmm_adapter *adapter,
                   const bool *shown);
void show_memory(const struct screen *screen, const struct vidmm_adapter *adapter);
void show_json_memory(struct json *json, const struct vidmm_adapter *adapter);

#endif
