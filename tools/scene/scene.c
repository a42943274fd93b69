/* SPDX-License-Identifier: MIT */
/*
 * scene.c: a sink that collects a run as data: acts begin and end here, and every event goes from
 * here to the files that know what it means.
 */
#include "scenarios/lang/scenario_twin.h"
#include "tools/scene/scene_state.h"

enum { SOURCE_MOST = 4 << 20, EVENTS_MOST = 1000000 };

static struct scene_sink *scene_sink_of(struct sink *sink)
{
    return CONTAINER_OF(sink, struct scene_sink, sink);
}

/* ---- acts ----------------------------------------------------------------------------------- */

static void begin_act(struct scene_sink *self)
{
    if (self->in_act)
        return;
    struct scene *scene = &self->scene;
    struct scene_act *act = SCENE_ADD(self, acts, act_count);
    *act = (struct scene_act){
        .file = self->file,
        .events.first = (scene_index)scene->event_count,
        .statements.first = (scene_index)scene->statement_count,
        .said.first = (scene_index)scene->said_count,
        .segments.first = (scene_index)scene->segment_count,
        .allocations.first = (scene_index)scene->allocation_count,
        .stays.first = (scene_index)scene->stay_count,
        .marks.first = (scene_index)scene->mark_count,
        .lanes.first = (scene_index)scene->lane_count,
        .slices.first = (scene_index)scene->slice_count,
        .arrows.first = (scene_index)scene->arrow_count,
        .counters.first = (scene_index)scene->counter_count,
    };
    self->in_act = true;
    self->page = UINT64_MAX;
    self->now = 0;
    self->statement = self->seeker = SCENE_NONE;
    lanes_begin(self);
}

static void count_range(struct scene_range *range, size_t count)
{
    range->count = (uint32_t)count - range->first;
}

/* The newest act has what is at the ends of the arrays. */
static void settle(struct scene_sink *self)
{
    const struct scene *scene = &self->scene;
    if (!scene->act_count)
        return;
    struct scene_act *act = &self->scene.acts[scene->act_count - 1];
    count_range(&act->events, scene->event_count);
    count_range(&act->statements, scene->statement_count);
    count_range(&act->said, scene->said_count);
    count_range(&act->segments, scene->segment_count);
    count_range(&act->allocations, scene->allocation_count);
    count_range(&act->stays, scene->stay_count);
    count_range(&act->marks, scene->mark_count);
    count_range(&act->lanes, scene->lane_count);
    count_range(&act->slices, scene->slice_count);
    count_range(&act->arrows, scene->arrow_count);
    count_range(&act->counters, scene->counter_count);
    act->end = max_u64(act->end, self->now);
}

static void end_act(struct scene_sink *self)
{
    if (!self->in_act)
        return;
    self->in_act = false; /* first: without memory, break_off() comes from below */
    events_release_trail(self);
    stays_settle(self);
    marks_end(self);
    stays_end(self);
    arrows_end(self);
    counters_end(self);
    lanes_end(self);
    objects_end(self);
    settle(self);
    hues_give(self);
    narrate_reset(&self->narrator);
    self->adapter = NULL;
    self->statement = SCENE_NONE;
}

/* In the middle of something: the adapter may be half-way, and is not asked any more. */
static void break_off(struct scene_sink *self)
{
    self->adapter = self->narrator.names.adapter = NULL;
    end_act(self);
}

/* ---- what is heard -------------------------------------------------------------------------- */

static void scene_on_event(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct scene_sink *self = scene_sink_of(CONTAINER_OF(observer, struct sink, observer));
    struct heard heard = { .tale = { &self->narrator, event, &self->sentence }, .event = event };
    begin_act(self);
    self->now = event->time;
    self->scene.told++;
    self->scene.told_by_kind[event->kind]++;
    if (events_pass_by(self, event->kind))
        return;
    thin_all(self);
    objects_find(self, &heard);
    events_add(self, &heard);
    stays_hear(self, &heard);
    marks_hear(self, &heard);
    arrows_hear(self, &heard);
    counters_hear(self, &heard);
    lanes_hear(self, &heard);
    objects_hear(self, &heard);
}

static void scene_begin(struct sink *sink, const char *file)
{
    struct scene_sink *self = scene_sink_of(sink);
    break_off(self);
    settle(self); /* what was said after its end is the last act's, too */
    self->file = texts_add(self, file);
    self->first_act = self->scene.act_count;
}

static void scene_source(struct sink *sink, const char *name, const char *text, size_t bytes)
{
    struct scene_sink *self = scene_sink_of(sink);
    char problem[160];
    /* Of a binary twin, what people read. */
    size_t length = 0;
    char *unpacked =
        scenario_is_twin(text, bytes) ? scenario_unpack(text, bytes, &length, problem) : NULL;
    text = unpacked ? unpacked : text;
    bytes = unpacked ? length : bytes;
    size_t kept = min_u64(bytes, SOURCE_MOST);
    self->scene.omitted.sources += bytes - kept;
    struct scene_source *row = SCENE_ADD(self, sources, source_count);
    *row = (struct scene_source){ .name = texts_add(self, name),
                                  .text = texts_add_bytes(self, text, kept),
                                  .bytes = bytes };
    base_free(unpacked);
}

static void scene_started(struct sink *sink, const struct vidmm_adapter *adapter)
{
    struct scene_sink *self = scene_sink_of(sink);
    begin_act(self);
    self->adapter = adapter;
    self->narrator.names.adapter = adapter;
    self->now = vidmm_now(adapter);
    statements_settings(self, vidmm_config_of(adapter));
    lanes_start(self);
    counters_start(self);
}

static void scene_tell(struct sink *sink, const struct scenario_telling *telling)
{
    struct scene_sink *self = scene_sink_of(sink);
    begin_act(self);
    if (telling->adapter)
        self->now = vidmm_now(telling->adapter);
    events_release_trail(self);
    if (telling->kind == SCENARIO_TELL_STATEMENT) {
        arrows_settle(self);
        marks_settle(self);
        self->seeker = SCENE_NONE;
    }
    struct scene_act *act = &self->scene.acts[self->scene.act_count - 1];
    if (telling->kind == SCENARIO_TELL_TEST_BEGIN)
        act->name = texts_add(self, telling->text);
    if (telling->kind == SCENARIO_TELL_TEST_END)
        act->passed = telling->test.passed;
    statements_tell(self, telling);
}

static void scene_message(struct sink *sink, const struct scenario_message *message)
{
    statements_message(scene_sink_of(sink), message);
}

static void scene_ended(struct sink *sink, const struct vidmm_adapter *adapter)
{
    struct scene_sink *self = scene_sink_of(sink);
    if (self->in_act)
        self->now = vidmm_now(adapter);
    end_act(self);
}

static void worsen(struct scene_sink *self, enum scenario_exit exit)
{
    self->scene.exit = exit > self->scene.exit ? exit : self->scene.exit;
}

static void scene_refused(struct sink *sink, const char *file, enum scenario_exit exit)
{
    (void)file;
    break_off(scene_sink_of(sink));
    worsen(scene_sink_of(sink), exit);
}

static void scene_end(struct sink *sink, const char *file, const struct scenario_result *result)
{
    struct scene_sink *self = scene_sink_of(sink);
    (void)file;
    break_off(self);
    worsen(self, result->exit);
    self->scene.seed = result->seed;
    self->scene.expectations += result->expectations;
    self->scene.failed += result->failures;
    self->scene.unexpected += result->unexpected;
    struct scene_act *act = self->scene.act_count > self->first_act
                                ? &self->scene.acts[self->scene.act_count - 1]
                                : NULL;
    if (act && !act->name)
        act->passed = result->exit == SCENARIO_EXIT_OK;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static void scene_close(struct sink *sink)
{
    struct scene_sink *self = scene_sink_of(sink);
    struct scene *scene = &self->scene;
    break_off(self);
    if (self->options.finished)
        self->options.finished(scene_of(sink), self->options.context);
    void *const arrays[] = { scene->acts,     scene->events,  scene->statements,  scene->said,
                             scene->segments, scene->stays,   scene->allocations, scene->marks,
                             scene->lanes,    scene->slices,  scene->arrows,      scene->counters,
                             scene->points,   scene->sources, self->listed,       self->victims.at,
                             self->paging.at, self->held };
    for (size_t i = 0; i < ARRAY_COUNT(arrays); i++)
        base_free(arrays[i]);
    texts_fini(&self->texts);
    text_free(&self->sentence);
    narrate_reset(&self->narrator);
    base_free(self);
}

struct sink *scene_open(const struct scene_options *options)
{
    struct scene_sink *self = base_alloc(1, sizeof *self);
    self->sink = (struct sink){
        .observer = { .on_event = scene_on_event, .kinds = self->hears },
        .begin = scene_begin,
        .source = scene_source,
        .started = scene_started,
        .tell = scene_tell,
        .message = scene_message,
        .ended = scene_ended,
        .refused = scene_refused,
        .end = scene_end,
        .close = scene_close,
    };
    if (options)
        self->options = *options;
    if (!self->options.most_events)
        self->options.most_events = EVENTS_MOST;
    /* All of them: numbers of events are those of `vidmm run --format=jsonl`. */
    for (size_t i = 0; i < ARRAY_COUNT(self->hears); i++)
        self->hears[i] = true;
    for (size_t i = 0; i < ARRAY_COUNT(self->segments); i++)
        self->segments[i] = SCENE_NONE;
    (void)texts_add(self, "");
    return &self->sink;
}

const struct scene *scene_of(struct sink *sink)
{
    struct scene_sink *self = scene_sink_of(sink);
    settle(self);
    return &self->scene;
}

void scene_share_hues(struct sink *one, struct sink *other)
{
    hues_share(&scene_sink_of(one)->scene, &scene_sink_of(other)->scene);
}
