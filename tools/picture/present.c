/* SPDX-License-Identifier: MIT */
/*
 * present.c: what is there at a moment?
 *
 * Stays and marks are in the order in which they began, and maps in that of their events: each stay
 * comes in once, and goes out for good at the first map that it does not live to see.
 */
#include <string.h>

#include "tools/picture/sheet.h"

enum { KINDS = SCENE_MOVING + 1 };

static bool has_begun(const struct scene_said *said, scene_index began, vidmm_ns begin)
{
    return began == SCENE_NONE ? begin <= said->time : began < said->event;
}

static bool stays_on(const struct scene_said *said, const struct scene_stay *stay)
{
    return stay->still_there || stay->end > said->time ||
           (stay->end == said->time && stay->left != SCENE_NONE && stay->left >= said->event);
}

static void restart(struct present *present, const struct scene *scene, const struct scene_act *act)
{
    size_t bytes = (size_t)act->allocations.count * sizeof *present->marks;
    present_fini(present);
    *present = (struct present){ .scene = scene, .act = act };
    present->marks = base_alloc((size_t)act->allocations.count + 1, sizeof *present->marks);
    memset(present->marks, 0xFF, bytes); /* SCENE_NONE */
}

static void take_stays(struct present *present, const struct scene_said *said)
{
    const struct scene_range *range = &present->act->stays;
    size_t kept = 0;
    for (; present->next_stay < range->count; present->next_stay++) {
        scene_index index = range->first + present->next_stay;
        const struct scene_stay *stay = &present->scene->stays[index];
        if (!has_begun(said, stay->came, stay->begin))
            break;
        BASE_GROW(present->stays, present->stay_capacity, present->stay_count + 1);
        present->stays[present->stay_count++] = index;
    }
    for (size_t i = 0; i < present->stay_count; i++)
        if (stays_on(said, &present->scene->stays[present->stays[i]]))
            present->stays[kept++] = present->stays[i];
    present->stay_count = kept;
}

static void take_marks(struct present *present, const struct scene_said *said)
{
    const struct scene_range *range = &present->act->marks;
    for (; present->next_mark < range->count; present->next_mark++) {
        scene_index index = range->first + present->next_mark;
        const struct scene_mark *mark = &present->scene->marks[index];
        if (!has_begun(said, mark->began, mark->begin))
            break;
        present->marks[mark->allocation - present->act->allocations.first][mark->kind] = index;
    }
}

void present_go(struct present *present, const struct scene *scene, const struct part *part)
{
    if (present->act != part->act || part->map->event < present->last)
        restart(present, scene, part->act);
    present->last = part->map->event;
    take_stays(present, part->map);
    take_marks(present, part->map);
}

void present_fini(struct present *present)
{
    base_free(present->stays);
    base_free(present->marks);
    *present = (struct present){ 0 };
}

bool present_has(const struct present *present, const struct scene_said *said,
                 scene_index allocation, enum scene_mark_kind kind)
{
    if (allocation == SCENE_NONE)
        return false;
    scene_index index = present->marks[allocation - present->act->allocations.first][kind];
    const struct scene_mark *mark = &present->scene->marks[index == SCENE_NONE ? 0 : index];
    return index != SCENE_NONE && (mark->still_there || mark->end > said->time);
}
