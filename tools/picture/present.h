/* SPDX-License-Identifier: MIT */
/* present.h: what is there at a moment? */
#ifndef TOOLS_PICTURE_PRESENT_H
#define TOOLS_PICTURE_PRESENT_H

#include "tools/scene/scene.h"

/* One picture: an act, or a map of it. */
struct part {
    const struct scene_act *act;
    const struct scene_said *map; /* NULL: it is the act */
    uint64_t maps;                /* in the run, before this one */
};

/* Goes through an act from map to map, so that all maps together cost what changed between them
   and what they show. */
struct present {
    const struct scene *scene;
    const struct scene_act *act;
    uint32_t next_stay, next_mark;
    scene_index last; /* event of the last map */
    scene_index *stays;
    size_t stay_count, stay_capacity;
    scene_index (*marks)[SCENE_MOVING + 1]; /* the last of each kind, by allocation */
};

void present_go(struct present *present, const struct scene *scene, const struct part *part);
void present_fini(struct present *present);
bool present_has(const struct present *present, const struct scene_said *said,
                 scene_index allocation, enum scene_mark_kind kind);

#endif
