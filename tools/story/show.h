/* SPDX-License-Identifier: MIT */
/*
 * show.h: pictures and tables of the present state, for `show` in a scenario.
 */
#ifndef TOOLS_STORY_SHOW_H
#define TOOLS_STORY_SHOW_H

#include "scenarios/lang/scenario.h"
#include "tools/common/json.h"
#include "tools/common/screen.h"
#include "vidmm/vidmm.h"

/* The letters that stand for allocations in maps. All zero: nothing has one yet. An allocation
   keeps its letter for the whole run, so that maps of different moments can be compared. */
enum { MAP_LETTERS = 62 };
struct map_letters {
    vidmm_handle owners[MAP_LETTERS];
};

void show_map(const struct screen *screen, struct map_letters *letters,
              const struct vidmm_adapter *adapter, uint32_t segment);
void show_allocation(const struct screen *screen, const struct vidmm_adapter *adapter,
                     vidmm_handle allocation);
void show_state(const struct screen *screen, const struct scenario_state_row *rows, size_t count);
void show_queue(const struct screen *screen, const struct vidmm_adapter *adapter);
/* Only counters that are not 0. */
/* `shown`: which of VIDMM_COUNTERS; NULL: all that are not 0. Says how many others are not 0. */
void show_counters(const struct screen *screen, const struct vidmm_adapter *adapter,
                   const bool *shown);
void show_memory(const struct screen *screen, const struct vidmm_adapter *adapter);

/* The same as members of an open object. */
void show_json_map(struct json *json, const struct vidmm_adapter *adapter, uint32_t segment);
void show_json_allocation(struct json *json, const struct vidmm_adapter *adapter,
                          vidmm_handle allocation);
void show_json_queue(struct json *json, const struct vidmm_adapter *adapter);
void show_json_counters(struct json *json, const struct vidmm_adapter *adapter, const bool *shown);
void show_json_memory(struct json *json, const struct vidmm_adapter *adapter);

#endif
