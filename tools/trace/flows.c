/* SPDX-License-Identifier: MIT */
/*
 * flows.c: where does an arrow begin and end?
 *
 * Best where something is drawn that its event began or ended: a stay, a packet. But Perfetto takes
 * the earlier end of an arrow for its cause, and a packet begins long after it was submitted. Where
 * the order would be wrong, the arrow begins or ends at the event itself.
 *
 * A submission causes the paging that it needs, and waits for it: the paging comes first, so its
 * arrow leads to the submission.
 */
#include <stdlib.h>

#include "tools/trace/stage.h"

/* Where an event is seen: at this time, in this stream. */
struct sight {
    vidmm_ns time;
    enum stream stream;
};

struct sights {
    struct stage *stage;
    struct sight *of; /* of each event of the act */
};

static bool in_act(const struct stage *stage, scene_index event)
{
    return event != SCENE_NONE && event - stage->act->events.first < stage->act->events.count;
}

static struct sight itself(const struct stage *stage, scene_index event)
{
    return (struct sight){ stage->scene->events[event].time, STREAM_EVENT };
}

/* The first one stays. */
static void see(struct sights *sights, scene_index event, vidmm_ns time, enum stream stream)
{
    if (!in_act(sights->stage, event))
        return;
    struct sight *sight = &sights->of[event - sights->stage->act->events.first];
    if (sight->stream == STREAM_EVENT)
        *sight = (struct sight){ time, stream };
}

static void see_all(struct sights *sights)
{
    const struct stage *stage = sights->stage;
    const struct scene *scene = stage->scene;
    const struct scene_act *act = stage->act;
    for (uint32_t i = 0; i < act->events.count; i++)
        sights->of[i] = itself(stage, act->events.first + i);
    for (uint32_t i = 0; i < act->stays.count; i++) {
        const struct scene_stay *stay = &scene->stays[act->stays.first + i];
        if (!stage->stays[i])
            continue;
        see(sights, stay->came, stay->begin, STREAM_STAY_BEGIN);
        see(sights, stay->left, stay->end, STREAM_STAY_END);
    }
    for (uint32_t i = 0; i < act->slices.count; i++) {
        const struct scene_slice *slice = &scene->slices[act->slices.first + i];
        if (stage->queues[i])
            see(sights, slice->submitted, slice->queued, STREAM_QUEUE_BEGIN);
        else if (stage->runs[i])
            see(sights, slice->submitted, slice->begin, STREAM_RUN_BEGIN);
        if (stage->runs[i])
            see(sights, slice->ended, slice->end, STREAM_RUN_END);
    }
}

/* In the order in which they stand in the file; in one stream that is the order of events. */
static bool is_before(struct sight from, struct sight to)
{
    return from.time < to.time || (from.time == to.time && from.stream <= to.stream);
}

static void add_end(struct stage *stage, scene_index event, struct sight sight, bool ends)
{
    stage->flow_ends[stage->flow_end_count++] = (struct flow_end){
        .event = event, .stream = sight.stream, .flow = stage->flows, .ends = ends
    };
}

static void add_arrow(struct sights *sights, const struct scene_arrow *arrow)
{
    struct stage *stage = sights->stage;
    scene_index events = stage->act->events.first;
    scene_index first = min_u32(arrow->from, arrow->to), last = max_u32(arrow->from, arrow->to);
    CHECK(in_act(stage, first) && in_act(stage, last));
    struct sight from = sights->of[first - events], to = sights->of[last - events];
    if (!is_before(from, to))
        from = itself(stage, first);
    if (!is_before(from, to))
        to = itself(stage, last);
    stage->flows++;
    add_end(stage, first, from, false);
    add_end(stage, last, to, true);
}

static int compare_ends(const void *a, const void *b)
{
    const struct flow_end *left = a, *right = b;
    if (left->event != right->event)
        return left->event < right->event ? -1 : 1;
    if (left->stream != right->stream)
        return left->stream < right->stream ? -1 : 1;
    return (left->flow > right->flow) - (left->flow < right->flow);
}

void flows_open(struct stage *stage)
{
    const struct scene_range *arrows = &stage->act->arrows;
    struct sights sights = { stage,
                             base_alloc((size_t)stage->act->events.count + 1, sizeof *sights.of) };
    stage->flow_ends = base_alloc(2 * (size_t)arrows->count + 1, sizeof *stage->flow_ends);
    see_all(&sights);
    for (uint32_t i = 0; i < arrows->count; i++)
        add_arrow(&sights, &stage->scene->arrows[arrows->first + i]);
    qsort(stage->flow_ends, stage->flow_end_count, sizeof *stage->flow_ends, compare_ends);
    base_free(sights.of);
}

void flows_put(struct stage *stage, scene_index event, enum stream stream)
{
    size_t low = 0, high = stage->flow_end_count;
    const struct flow_end wanted = { .event = event, .stream = stream };
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct flow_end *end = &stage->flow_ends[middle];
        bool less = end->event < wanted.event ||
                    (end->event == wanted.event && end->stream < wanted.stream);
        low = less ? middle + 1 : low;
        high = less ? high : middle;
    }
    for (; low < stage->flow_end_count; low++) {
        struct flow_end *end = &stage->flow_ends[low];
        if (end->event != event || end->stream != stream)
            return;
        if (end->flow)
            packets_flow(stage->packets, end->flow, end->ends);
        end->flow = 0; /* a place in several runs is drawn more than once */
    }
}
