/* SPDX-License-Identifier: MIT */
/* sound.c: see sound.h. */
#include "tests/tools/scene/sound.h"

#include "tools/story/narrate.h"

static bool is_index(scene_index index, size_t count)
{
    return index == SCENE_NONE || index < count;
}

static bool of_trail(uint16_t kind)
{
    return kind == VIDMM_EVENT_CANDIDATE || kind == VIDMM_EVENT_HOLE ||
           kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN ||
           kind == VIDMM_EVENT_SHORTAGE;
}

static const char *problem_of_event(const struct scene *scene, size_t i)
{
    const struct scene_event *row = &scene->events[i];
    if (!is_index(row->allocation, scene->allocation_count) ||
        !is_index(row->other, scene->allocation_count) ||
        !is_index(row->segment, scene->segment_count) ||
        !is_index(row->statement, scene->statement_count) || row->sentence >= scene->text_count ||
        row->facts >= scene->text_count)
        return "an index of an event";
    if (!*scene_string(scene, row->sentence))
        return "an event without a sentence";
    if (row->trail > i)
        return "a trail is longer than the list";
    for (uint32_t j = 1; j <= row->trail; j++)
        if (!of_trail(scene->events[i - j].kind))
            return "something else stands in a trail";
    return NULL;
}

static const char *problem_of_stay(const struct scene *scene, const struct scene_stay *row)
{
    if (!is_index(row->allocation, scene->allocation_count) ||
        row->segment >= scene->segment_count || !is_index(row->came, scene->event_count) ||
        !is_index(row->left, scene->event_count) || !is_index(row->gone, scene->event_count))
        return "an index of a stay";
    if (row->begin > row->end || row->leaving < row->begin || row->leaving > row->end)
        return "the times of a stay";
    if (!row->bytes || row->bytes > scene->segments[row->segment].size ||
        row->offset > scene->segments[row->segment].size - row->bytes)
        return "a stay outside of its segment";
    if (row->came != SCENE_NONE && scene->events[row->came].kind != VIDMM_EVENT_PLACE &&
        scene->events[row->came].kind != VIDMM_EVENT_MAP)
        return "what a stay came with";
    if (row->gone != SCENE_NONE && row->came != SCENE_NONE && row->gone < row->came)
        return "a stay that was gone before it came";
    return NULL;
}

static const char *problem_of_rows(const struct scene *scene)
{
    const char *problem = NULL;
    for (size_t i = 0; i < scene->event_count && !problem; i++)
        problem = problem_of_event(scene, i);
    for (size_t i = 0; i < scene->stay_count && !problem; i++)
        problem = problem_of_stay(scene, &scene->stays[i]);
    for (size_t i = 0; i < scene->mark_count && !problem; i++)
        if (scene->marks[i].allocation >= scene->allocation_count ||
            !is_index(scene->marks[i].began, scene->event_count) ||
            !is_index(scene->marks[i].ended, scene->event_count) ||
            scene->marks[i].begin > scene->marks[i].end)
            problem = "a mark";
    for (size_t i = 0; i < scene->slice_count && !problem; i++)
        if (scene->slices[i].lane >= scene->lane_count ||
            !is_index(scene->slices[i].submitted, scene->event_count) ||
            !is_index(scene->slices[i].ended, scene->event_count) ||
            scene->slices[i].queued > scene->slices[i].begin ||
            scene->slices[i].begin > scene->slices[i].end)
            problem = "a slice";
    for (size_t i = 0; i < scene->arrow_count && !problem; i++)
        if (scene->arrows[i].from >= scene->event_count ||
            scene->arrows[i].to >= scene->event_count)
            problem = "an arrow";
    for (size_t i = 0; i < scene->statement_count && !problem; i++)
        if (scene->statements[i].first > scene->event_count)
            problem = "a statement";
    for (size_t i = 0; i < scene->allocation_count && !problem; i++)
        if (!is_index(scene->allocations[i].created, scene->event_count) ||
            !is_index(scene->allocations[i].destroyed, scene->event_count))
            problem = "an allocation";
    for (size_t i = 0; i < scene->point_count && !problem; i++)
        if (!is_index(scene->points[i].event, scene->event_count))
            problem = "a point";
    return problem;
}

/* ---- acts ----------------------------------------------------------------------------------- */

/* One behind the other, and all of them all. */
#define RANGES(range, total)                                                                       \
    do {                                                                                           \
        size_t at_ = 0;                                                                            \
        for (size_t i = 0; i < scene->act_count; i++) {                                            \
            if (scene->acts[i].range.first != at_)                                                 \
                return "the " #range " of an act";                                                 \
            at_ += scene->acts[i].range.count;                                                     \
        }                                                                                          \
        if (at_ != (total))                                                                        \
            return "the " #range " of all acts";                                                   \
    } while (0)

static const char *problem_of_ranges(const struct scene *scene)
{
    RANGES(events, scene->event_count);
    RANGES(statements, scene->statement_count);
    RANGES(said, scene->said_count);
    RANGES(segments, scene->segment_count);
    RANGES(allocations, scene->allocation_count);
    RANGES(stays, scene->stay_count);
    RANGES(marks, scene->mark_count);
    RANGES(lanes, scene->lane_count);
    RANGES(slices, scene->slice_count);
    RANGES(arrows, scene->arrow_count);
    RANGES(counters, scene->counter_count);
    return NULL;
}

static const char *problem_of_order(const struct scene *scene, const struct scene_act *act)
{
    for (uint32_t i = 1; i < act->events.count; i++)
        if (scene->events[act->events.first + i].time <
            scene->events[act->events.first + i - 1].time)
            return "the order of events";
    for (uint32_t i = 1; i < act->stays.count; i++)
        if (scene->stays[act->stays.first + i].begin < scene->stays[act->stays.first + i - 1].begin)
            return "the order of stays";
    for (uint32_t i = 1; i < act->slices.count; i++)
        if (scene->slices[act->slices.first + i].begin <
            scene->slices[act->slices.first + i - 1].begin)
            return "the order of slices";
    for (uint32_t i = 0; i < act->stays.count; i++)
        if (scene->stays[act->stays.first + i].end > act->end)
            return "the end of an act";
    return NULL;
}

/* ---- counts --------------------------------------------------------------------------------- */

static const char *problem_of_counts(const struct scene *scene, bool calls)
{
    uint64_t kept[VIDMM_EVENT_KINDS] = { 0 }, told = 0;
    for (size_t i = 0; i < scene->event_count; i++)
        kept[scene->events[i].kind]++;
    for (int kind = 0; kind < VIDMM_EVENT_KINDS; kind++) {
        bool wanted = calls || narrate_level((enum vidmm_event_kind)kind) != NARRATE_CALLS;
        told += scene->told_by_kind[kind];
        if (kept[kind] + scene->omitted.events[kind] != (wanted ? scene->told_by_kind[kind] : 0))
            return "what was told is not what is kept and left out";
    }
    return told == scene->told ? NULL : "the sum of what was told";
}

const char *sound_problem(const struct scene *scene, bool calls)
{
    const char *problem = problem_of_rows(scene);
    if (!problem)
        problem = problem_of_ranges(scene);
    for (size_t i = 0; i < scene->act_count && !problem; i++)
        problem = problem_of_order(scene, &scene->acts[i]);
    return problem ? problem : problem_of_counts(scene, calls);
}
