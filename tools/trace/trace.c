/* SPDX-License-Identifier: MIT */
/*
 * trace.c: in which order do the things of a scene become packets, and what is said of them?
 *
 * An act is a process. What happens in it lies in several lists, each in the order of time; here
 * they are merged, so the file is in the order of time, and nothing is held twice.
 */
#include "tools/trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/trace/stage.h"

/* A list, and how far it was read. */
struct reading {
    struct scene_range range;
    scene_index *order; /* NULL: as it stands in the scene */
    uint32_t next;
};

struct merge {
    struct stage *stage;
    struct reading of[STREAMS];
};

/* ---- when ------------------------------------------------------------------------------------ */

static vidmm_ns time_of(const struct scene *scene, enum stream stream, scene_index i)
{
    switch (stream) {
    case STREAM_STATEMENT: return scene->statements[i].time;
    case STREAM_SAID: return scene->said[i].time;
    case STREAM_EVENT: return scene->events[i].time;
    case STREAM_STAY_END: return scene->stays[i].end;
    case STREAM_RUN_END: return scene->slices[i].end;
    case STREAM_QUEUE_END: return scene->slices[i].begin;
    case STREAM_STAY_BEGIN: return scene->stays[i].begin;
    case STREAM_QUEUE_BEGIN: return scene->slices[i].queued;
    case STREAM_RUN_BEGIN: return scene->slices[i].begin;
    case STREAM_POINT: return scene->points[i].time;
    }
    return 0;
}

/* Of those that end at one moment, the one whose event came first. */
static scene_index event_of(const struct scene *scene, enum stream stream, scene_index i)
{
    return stream == STREAM_RUN_END    ? scene->slices[i].ended
           : stream == STREAM_STAY_END ? scene->stays[i].left
                                       : 0;
}

struct sort_key {
    vidmm_ns time;
    scene_index event, index;
};

static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *left = a, *right = b;
    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    if (left->event != right->event)
        return left->event < right->event ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

static void sort_stream(struct merge *merge, enum stream stream)
{
    struct reading *reading = &merge->of[stream];
    const struct scene *scene = merge->stage->scene;
    uint32_t count = reading->range.count;
    struct sort_key *keys = base_alloc((size_t)count + 1, sizeof *keys);
    reading->order = base_alloc((size_t)count + 1, sizeof *reading->order);
    for (uint32_t k = 0; k < count; k++) {
        scene_index i = reading->range.first + k;
        keys[k] = (struct sort_key){ time_of(scene, stream, i), event_of(scene, stream, i), i };
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t k = 0; k < count; k++)
        reading->order[k] = keys[k].index;
    base_free(keys);
}

/* Points stand counter by counter. */
static struct scene_range points_of(const struct stage *stage)
{
    const struct scene_range *counters = &stage->act->counters;
    struct scene_range range = { 0 };
    for (uint32_t i = 0; i < counters->count; i++) {
        const struct scene_counter *counter = &stage->scene->counters[counters->first + i];
        range.first = i ? range.first : counter->first;
        range.count += counter->count;
    }
    return range;
}

static void open_streams(struct merge *merge)
{
    static const enum stream sorted[] = { STREAM_STAY_END, STREAM_RUN_END, STREAM_QUEUE_BEGIN,
                                          STREAM_POINT };
    const struct scene_act *act = merge->stage->act;
    const struct scene_range ranges[STREAMS] = {
        [STREAM_STATEMENT] = act->statements, [STREAM_SAID] = act->said,
        [STREAM_EVENT] = act->events,         [STREAM_STAY_END] = act->stays,
        [STREAM_RUN_END] = act->slices,       [STREAM_QUEUE_END] = act->slices,
        [STREAM_STAY_BEGIN] = act->stays,     [STREAM_QUEUE_BEGIN] = act->slices,
        [STREAM_RUN_BEGIN] = act->slices,     [STREAM_POINT] = points_of(merge->stage),
    };
    for (unsigned i = 0; i < STREAMS; i++)
        merge->of[i].range = ranges[i];
    for (size_t i = 0; i < ARRAY_COUNT(sorted); i++)
        sort_stream(merge, sorted[i]);
}

/* ---- merging -------------------------------------------------------------------------------- */

static scene_index next_of(const struct reading *reading)
{
    return reading->order ? reading->order[reading->next] : reading->range.first + reading->next;
}

static void put_merged(struct stage *stage)
{
    struct merge merge = { .stage = stage };
    open_streams(&merge);
    for (;;) {
        unsigned first = STREAMS;
        vidmm_ns time = 0;
        for (unsigned k = 0; k < STREAMS; k++) {
            const struct reading *reading = &merge.of[k];
            if (reading->next == reading->range.count)
                continue;
            vidmm_ns its = time_of(stage->scene, (enum stream)k, next_of(reading));
            if (first == STREAMS || its < time) {
                first = k;
                time = its;
            }
        }
        if (first == STREAMS)
            break;
        scene_index i = next_of(&merge.of[first]);
        merge.of[first].next++;
        things_put(stage, (enum stream)first, i);
    }
    for (unsigned k = 0; k < STREAMS; k++)
        base_free(merge.of[k].order);
}

/* ---- acts ----------------------------------------------------------------------------------- */

static void find_trails(struct stage *stage)
{
    const struct scene_range *events = &stage->act->events;
    stage->trail = base_alloc((size_t)events->count + 1, sizeof *stage->trail);
    for (uint32_t i = 0; i < events->count; i++) {
        uint32_t trail = stage->scene->events[events->first + i].trail;
        CHECK(trail <= i); /* those before it */
        for (uint32_t k = 1; k <= trail; k++)
            stage->trail[i - k] = true;
    }
}

static void open_tracks(struct stage *stage, int32_t number)
{
    enum { RANK_PLACES = 1000, RANK_WORK = 2, RANK_EVENTS = 900 };
    const struct scene_act *act = stage->act;
    const char *file = stage_text(stage, act->file), *name = stage_text(stage, act->name);
    struct text title = { 0 };
    text_add(&title, "%s%s%s", file, *name ? ": " : "", name);
    stage->process =
        packets_track(stage->packets, &(struct packet_track){ .name = text_get(&title),
                                                              .says = "A start of an adapter. Its "
                                                                      "time begins at 0.",
                                                              .process = number,
                                                              .rank = (uint32_t)number,
                                                              .ranked = true });
    stage->story = packets_track(stage->packets,
                                 &(struct packet_track){ .name = "scenario",
                                                         .says = "Statements when they ran, and "
                                                                 "what the scenario says.",
                                                         .parent = stage->process,
                                                         .rank = 1 });
    work_open(stage, RANK_WORK);
    stage->events = packets_track(stage->packets,
                                  &(struct packet_track){ .name = "events",
                                                          .says = "Every event, with the rule that "
                                                                  "decided and what was looked at.",
                                                          .parent = stage->process,
                                                          .rank = RANK_EVENTS });
    places_open(stage, RANK_PLACES);
    text_free(&title);
}

static void put_act(struct stage *stage, int32_t number)
{
    const struct scene_act *act = stage->act;
    stage->stays = base_alloc((size_t)act->stays.count + 1, sizeof *stage->stays);
    stage->runs = base_alloc((size_t)act->slices.count + 1, sizeof *stage->runs);
    stage->queues = base_alloc((size_t)act->slices.count + 1, sizeof *stage->queues);
    stage->counters = base_alloc((size_t)act->counters.count + 1, sizeof *stage->counters);
    stage->flow_end_count = 0;
    open_tracks(stage, number);
    find_trails(stage);
    flows_open(stage);
    put_merged(stage);
    base_free(stage->flow_ends);
    base_free(stage->trail);
    base_free(stage->counters);
    base_free(stage->queues);
    base_free(stage->runs);
    base_free(stage->stays);
}

/* ---- what is not there ---------------------------------------------------------------------- */

static void add_count(struct text *words, uint64_t count, const char *what)
{
    if (count)
        text_add(words, "%s%s", words->length ? ", " : "", text_count(count, what).it);
}

static uint64_t count_events(const struct scene_omitted *omitted)
{
    uint64_t events = 0;
    for (unsigned i = 0; i < VIDMM_EVENT_KINDS; i++)
        events += omitted->events[i];
    return events;
}

static void find_omitted(const struct scene_omitted *omitted, struct text *words)
{
    add_count(words, count_events(omitted), "event");
    add_count(words, omitted->statements, "statement");
    add_count(words, omitted->said, "note");
    add_count(words, omitted->stays, "stay");
    add_count(words, omitted->slices, "packet");
    add_count(words, omitted->arrows, "arrow");
    add_count(words, omitted->points, "counter value");
}

/* "300 transfer", as vidmm run --format=jsonl calls them. */
static void put_kinds(struct stage *stage)
{
    const uint64_t *counts = stage->scene->omitted.events;
    for (unsigned i = 0; i < VIDMM_EVENT_KINDS; i++)
        if (counts[i])
            packets_text(stage->packets, PACKET_LEFT_OUT,
                         text_print("%" PRIu64 " %s", counts[i],
                                    vidmm_event_info((enum vidmm_event_kind)i)->name)
                             .it);
}

static void put_left_out(struct stage *stage)
{
    const struct packet_track track = { .name = "left out",
                                        .says = "What was too much for this file." };
    text_clear(&stage->words);
    find_omitted(&stage->scene->omitted, &stage->words);
    bool limited = stage->words.length > 0;
    if (stage->hidden)
        text_add(&stage->words, "%s%s for want of a lane", limited ? ", " : "",
                 text_count(stage->hidden, "slice").it);
    if (!stage->words.length)
        return;
    packets_event(stage->packets,
                  &(struct packet_event){ .type = PACKET_INSTANT,
                                          .track = packets_track(stage->packets, &track),
                                          .name = packets_name_left_out() });
    packets_text(stage->packets, PACKET_SENTENCE, text_get(&stage->words));
    put_kinds(stage);
    packets_event_end(stage->packets);
    (void)fprintf(stderr, "vidmm: left out of the trace: %s%s\n", text_get(&stage->words),
                  limited ? "; --most-events=N keeps another number" : "");
}

void trace_write(const struct scene *scene, FILE *out)
{
    struct packets packets;
    struct stage stage = { .packets = &packets, .scene = scene };
    packets_open(&packets, scene, out);
    for (size_t i = 0; i < scene->act_count; i++) {
        stage.act = &scene->acts[i];
        put_act(&stage, (int32_t)i + 1);
    }
    put_left_out(&stage);
    packets_close(&packets);
    text_free(&stage.words);
}

struct tracing {
    FILE *out;
    const bool *unread;
};

static void write_finished(const struct scene *scene, void *context)
{
    struct tracing *tracing = context;
    if (!*tracing->unread)
        trace_write(scene, tracing->out);
    base_free(tracing);
}

struct sink *trace_open(const struct sink_options *options)
{
    struct tracing *tracing = base_alloc(1, sizeof *tracing);
    *tracing = (struct tracing){ options->screen.out, options->unread };
    const struct scene_options scene = {
        .most_events = options->most_events,
        .calls = options->calls,
        .finished = write_finished,
        .context = tracing,
    };
    return scene_open(&scene);
}
