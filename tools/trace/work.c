/* SPDX-License-Identifier: MIT */
/*
 * work.c: which track has a packet that runs or waits for its node, and a wait of the CPU?
 *
 * A node runs one packet at a time; what stands in its queue is on tracks below it, one below the
 * other like a stack.
 */
#include "tools/trace/stage.h"

enum { RUN_ROWS = 4, QUEUE_ROWS = 32 };

struct work_rows {
    struct shelf runs, queues;
    uint64_t run_tracks, queue_tracks; /* the one before the first */
    uint64_t hidden;
};

static uint64_t put_row(struct shelf *shelf, vidmm_ns begin, vidmm_ns end, uint64_t *hidden)
{
    uint32_t row = shelf_put(shelf, begin, end);
    *hidden += row == SCENE_NONE;
    return row == SCENE_NONE ? 0 : (uint64_t)row + 1;
}

static void put_slices(struct stage *stage, struct work_rows *rows)
{
    for (uint32_t i = 0; i < stage->act->slices.count; i++) {
        const struct scene_slice *slice = &stage->scene->slices[stage->act->slices.first + i];
        struct work_rows *of = &rows[slice->lane - stage->act->lanes.first];
        stage->runs[i] = put_row(&of->runs, slice->begin, slice->end, &of->hidden);
        if (slice->queued < slice->begin)
            stage->queues[i] = put_row(&of->queues, slice->queued, slice->begin, &of->hidden);
    }
}

static void open_rows(struct stage *stage, const struct packet_track *track, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        (void)packets_track(stage->packets, track);
}

static void open_lane(struct stage *stage, struct work_rows *rows, const struct scene_lane *lane,
                      uint32_t rank)
{
    static const char *const says[] = {
        [SCENE_LANE_NODE] = "What this engine of the adapter ran.",
        [SCENE_LANE_PAGING] = "What the engine ran that moves memory.",
        [SCENE_LANE_CPU] = "What the CPU waited for, and for how long.",
    };
    struct text words = { 0 }, name = { 0 };
    struct packet_track track = { .name = stage_text(stage, lane->name),
                                  .parent = stage->process,
                                  .rank = rank };
    text_add(&words, "%s", says[lane->kind]);
    if (rows->hidden)
        text_add(&words, " %s not drawn: too many at once.", text_count(rows->hidden, "packet").it);
    track.says = text_get(&words);
    rows->run_tracks = stage->packets->tracks;
    open_rows(stage, &track, rows->runs.count);
    text_add(&name, "%s: queue", track.name);
    track.name = text_get(&name);
    track.says = "Submitted, and not begun: waits for the engine, or for what runs on another one.";
    track.rank++;
    track.stacked = true;
    rows->queue_tracks = stage->packets->tracks;
    open_rows(stage, &track, rows->queues.count);
    stage->hidden += rows->hidden;
    text_free(&name);
    text_free(&words);
}

void work_open(struct stage *stage, uint32_t rank)
{
    const struct scene_range *lanes = &stage->act->lanes;
    struct work_rows *rows = base_alloc((size_t)lanes->count + 1, sizeof *rows);
    for (uint32_t i = 0; i < lanes->count; i++) {
        rows[i].runs.most = RUN_ROWS;
        rows[i].queues.most = QUEUE_ROWS;
    }
    put_slices(stage, rows);
    for (uint32_t i = 0; i < lanes->count; i++)
        open_lane(stage, &rows[i], &stage->scene->lanes[lanes->first + i], rank + 2 * i);
    for (uint32_t i = 0; i < stage->act->slices.count; i++) {
        const struct scene_slice *slice = &stage->scene->slices[stage->act->slices.first + i];
        const struct work_rows *of = &rows[slice->lane - lanes->first];
        stage->runs[i] += stage->runs[i] ? of->run_tracks : 0;
        stage->queues[i] += stage->queues[i] ? of->queue_tracks : 0;
    }
    base_free(rows);
}
