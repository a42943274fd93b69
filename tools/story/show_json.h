/* SPDX-License-Identifier: MIT */
/* show_json.h: private: what `show` shows (show.h), as members of an open object. */
#ifndef TOOLS_STORY_SHOW_JSON_H
#define TOOLS_STORY_SHOW_JSON_H

#include "tools/common/json.h"
#include "vidmm/vidmm.h"

void show_json_map(struct json *json, const struct vidmm_adapter *adapter, uint32_t segment);
void show_json_allocation(struct json *json, const struct vidmm_adapter *adapter,
                          vidmm_handle allocation);
void show_json_queue(struct json *json, const struct vidmm_adapter *adapter);
void show_json_counters(struct json *json, const struct vidmm_adapter *adapter, const bool *shown);

#endif
