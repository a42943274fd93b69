/* SPDX-License-Identifier: MIT */
/*
 * things.c: what is said of a statement, an event, a stay, a packet, a counter?
 */
#include <inttypes.h>

#include "tools/trace/stage.h"

/* ---- what is said --------------------------------------------------------------------------- */

const char *stage_text(const struct stage *stage, scene_text text)
{
    return scene_string(stage->scene, text);
}

static void put_rule(struct stage *stage, const struct scene_event *event)
{
    if (event->rule)
        packets_text(stage->packets, PACKET_RULE,
                     vidmm_rule_info((enum vidmm_rule)event->rule)->id);
}

static void put_place(struct stage *stage, scene_index statement)
{
    if (statement == SCENE_NONE)
        return;
    const struct scene_statement *at = &stage->scene->statements[statement];
    text_clear(&stage->words);
    text_add(&stage->words, "%s:%" PRIu32, stage_text(stage, at->file), at->line);
    packets_text(stage->packets, PACKET_PLACE, text_get(&stage->words));
}

/* Its sentence and its rule. */
static void put_event_words(struct stage *stage, scene_index event)
{
    if (event == SCENE_NONE)
        return;
    const struct scene_event *it = &stage->scene->events[event];
    packets_text(stage->packets, PACKET_SENTENCE, stage_text(stage, it->sentence));
    put_rule(stage, it);
}

/* What a decision looked at. */
static void put_trail(struct stage *stage, scene_index event)
{
    enum { TRAIL_MOST = 16 };
    const struct scene_event *it = &stage->scene->events[event];
    uint32_t told = it->trail < TRAIL_MOST ? it->trail : TRAIL_MOST;
    uint64_t more = (uint64_t)it->trail - told + it->trail_more;
    for (uint32_t k = 0; k < told; k++)
        packets_text(stage->packets, PACKET_TRAIL,
                     stage_text(stage, stage->scene->events[event - it->trail + k].sentence));
    if (more)
        packets_text(stage->packets, PACKET_TRAIL,
                     text_print(told ? "%" PRIu64 " more" : "%" PRIu64 ", left out here", more).it);
}

/* ---- packets of each stream ----------------------------------------------------------------- */

static void put_statement(struct stage *stage, scene_index i)
{
    static const char *const verdicts[] = { [SCENE_RAN] = "",
                                            [SCENE_HELD] = "held",
                                            [SCENE_FAILED] = "failed",
                                            [SCENE_WARNED] = "warned" };
    const struct scene_statement *statement = &stage->scene->statements[i];
    packets_event(stage->packets,
                  &(struct packet_event){ .type = PACKET_INSTANT,
                                          .time = statement->time,
                                          .track = stage->story,
                                          .name = packets_name_text(statement->text) });
    put_place(stage, i);
    packets_text(stage->packets, PACKET_VERDICT, verdicts[statement->verdict]);
    packets_text(stage->packets, PACKET_MESSAGE, stage_text(stage, statement->message));
    packets_event_end(stage->packets);
}

static void put_said(struct stage *stage, scene_index i)
{
    const struct scene_said *said = &stage->scene->said[i];
    if (said->kind == SCENE_MAP || said->kind == SCENE_GIVEN || said->kind == SCENE_SETTING)
        return;
    packets_event(stage->packets, &(struct packet_event){ .type = PACKET_INSTANT,
                                                          .time = said->time,
                                                          .track = stage->story,
                                                          .name = packets_name_text(said->text) });
    packets_text(stage->packets, PACKET_ANSWER, stage_text(stage, said->answer));
    packets_event_end(stage->packets);
}

static void put_event(struct stage *stage, scene_index i)
{
    const struct scene_event *event = &stage->scene->events[i];
    if (stage->trail[i - stage->act->events.first])
        return;
    packets_event(stage->packets, &(struct packet_event){ .type = PACKET_INSTANT,
                                                          .time = event->time,
                                                          .track = stage->events,
                                                          .name = packets_name_kind(event->kind) });
    packets_text(stage->packets, PACKET_SENTENCE, stage_text(stage, event->sentence));
    put_rule(stage, event);
    put_place(stage, event->statement);
    put_trail(stage, i);
    packets_number(stage->packets, PACKET_SEQ, event->seq);
    flows_put(stage, i, STREAM_EVENT);
    packets_event_end(stage->packets);
}

static void end_slice(struct stage *stage, uint64_t track, vidmm_ns time)
{
    packets_event(stage->packets,
                  &(struct packet_event){ .type = PACKET_END, .time = time, .track = track });
}

static void put_stay_end(struct stage *stage, scene_index i)
{
    const struct scene_stay *stay = &stage->scene->stays[i];
    end_slice(stage, stage->stays[i - stage->act->stays.first], stay->end);
    packets_text(stage->packets, PACKET_WHY_LEFT, stage_text(stage, stay->why_left));
    if (stay->left != SCENE_NONE)
        flows_put(stage, stay->left, STREAM_STAY_END);
    packets_event_end(stage->packets);
}

static void put_stay_begin(struct stage *stage, scene_index i)
{
    const struct scene *scene = stage->scene;
    const struct scene_stay *stay = &scene->stays[i];
    const struct scene_allocation *allocation =
        stay->allocation == SCENE_NONE ? NULL : &scene->allocations[stay->allocation];
    uint64_t label = allocation ? packets_name_text(allocation->label) : 0;
    packets_event(stage->packets, &(struct packet_event){
                                      .type = PACKET_BEGIN,
                                      .time = stay->begin,
                                      .track = stage->stays[i - stage->act->stays.first],
                                      .name = label ? label : packets_name_stay(stay->kind),
                                      .colour = allocation ? (uint64_t)stay->allocation + 1 : 0,
                                  });
    if (stay->kind == SCENE_STAY_EVICTION)
        packets_text(stage->packets, PACKET_FLAGS, "on its way through to system memory");
    packets_number(stage->packets, PACKET_OFFSET, stay->offset);
    packets_number(stage->packets, PACKET_BYTES, stay->bytes);
    put_event_words(stage, stay->came);
    flows_put(stage, stay->came, STREAM_STAY_BEGIN);
    packets_event_end(stage->packets);
    if (stay->end == stay->begin)
        put_stay_end(stage, i);
}

static void put_run_end(struct stage *stage, scene_index i)
{
    const struct scene_slice *slice = &stage->scene->slices[i];
    end_slice(stage, stage->runs[i - stage->act->slices.first], slice->end);
    if (slice->ended != SCENE_NONE)
        flows_put(stage, slice->ended, STREAM_RUN_END);
    packets_event_end(stage->packets);
}

/* Waits of the CPU have no submission, but an event at their end. */
static void put_slice_words(struct stage *stage, const struct scene_slice *slice,
                            enum stream stream)
{
    packets_number(stage->packets, PACKET_FENCE, slice->fence);
    put_event_words(stage, slice->submitted != SCENE_NONE ? slice->submitted : slice->ended);
    if (slice->submitted != SCENE_NONE)
        flows_put(stage, slice->submitted, stream);
    packets_event_end(stage->packets);
}

static void put_run_begin(struct stage *stage, scene_index i)
{
    const struct scene_slice *slice = &stage->scene->slices[i];
    packets_event(stage->packets,
                  &(struct packet_event){ .type = PACKET_BEGIN,
                                          .time = slice->begin,
                                          .track = stage->runs[i - stage->act->slices.first],
                                          .name = packets_name_text(slice->name) });
    put_slice_words(stage, slice, STREAM_RUN_BEGIN);
    if (slice->end == slice->begin)
        put_run_end(stage, i);
}

static void put_queue_begin(struct stage *stage, scene_index i)
{
    const struct scene_slice *slice = &stage->scene->slices[i];
    packets_event(stage->packets,
                  &(struct packet_event){ .type = PACKET_BEGIN,
                                          .time = slice->queued,
                                          .track = stage->queues[i - stage->act->slices.first],
                                          .name = packets_name_text(slice->name) });
    put_slice_words(stage, slice, STREAM_QUEUE_BEGIN);
}

/* The last counter that begins at or before it. */
static uint64_t counter_track(const struct stage *stage, scene_index point)
{
    const struct scene_counter *counters = &stage->scene->counters[stage->act->counters.first];
    uint32_t low = 0, high = stage->act->counters.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        bool before = counters[middle].first <= point;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return stage->counters[low];
}

/* A track has one value at a time: that after the last event. */
static bool is_passing(const struct stage *stage, scene_index i)
{
    const struct scene *scene = stage->scene;
    return i + 1 < scene->point_count && scene->points[i + 1].time == scene->points[i].time &&
           counter_track(stage, i + 1) == counter_track(stage, i);
}

static void put_point(struct stage *stage, scene_index i)
{
    const struct scene_point *point = &stage->scene->points[i];
    if (is_passing(stage, i))
        return;
    packets_event(stage->packets, &(struct packet_event){ .type = PACKET_COUNTER,
                                                          .time = point->time,
                                                          .track = counter_track(stage, i),
                                                          .value = point->value });
    packets_event_end(stage->packets);
}

void things_put(struct stage *stage, enum stream stream, scene_index i)
{
    const struct scene *scene = stage->scene;
    const struct scene_act *act = stage->act;
    switch (stream) {
    case STREAM_STATEMENT: put_statement(stage, i); break;
    case STREAM_SAID: put_said(stage, i); break;
    case STREAM_EVENT: put_event(stage, i); break;
    case STREAM_STAY_BEGIN:
        if (stage->stays[i - act->stays.first])
            put_stay_begin(stage, i);
        break;
    case STREAM_STAY_END:
        if (stage->stays[i - act->stays.first] && scene->stays[i].begin < scene->stays[i].end)
            put_stay_end(stage, i);
        break;
    case STREAM_RUN_BEGIN:
        if (stage->runs[i - act->slices.first])
            put_run_begin(stage, i);
        break;
    case STREAM_RUN_END:
        if (stage->runs[i - act->slices.first] && scene->slices[i].begin < scene->slices[i].end)
            put_run_end(stage, i);
        break;
    case STREAM_QUEUE_BEGIN:
        if (stage->queues[i - act->slices.first])
            put_queue_begin(stage, i);
        break;
    case STREAM_QUEUE_END:
        if (stage->queues[i - act->slices.first]) {
            end_slice(stage, stage->queues[i - act->slices.first], scene->slices[i].begin);
            packets_event_end(stage->packets);
        }
        break;
    case STREAM_POINT: put_point(stage, i); break;
    }
}
