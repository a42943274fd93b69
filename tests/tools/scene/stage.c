/* SPDX-License-Identifier: MIT */
/* stage.c: see stage.h. */
#include "tests/tools/scene/stage.h"

#include "tests/support/read_file.h"
#include "vidmm/base/base.h"

static struct stage *stage_of(struct scenario_host *host)
{
    return CONTAINER_OF(host, struct stage, host);
}

static void on_message(struct scenario_host *host, const struct scenario_message *message)
{
    struct sink *sink = stage_of(host)->sink;
    sink->message(sink, message);
}

static bool on_load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    struct sink *sink = stage_of(host)->sink;
    if (!read_file(path, text, bytes))
        return false;
    sink->source(sink, path, *text, *bytes);
    return true;
}

static void on_tell(struct scenario_host *host, const struct scenario_telling *telling)
{
    struct sink *sink = stage_of(host)->sink;
    sink->tell(sink, telling);
}

static void on_started(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    struct sink *sink = stage_of(host)->sink;
    sink->started(sink, adapter);
}

static void on_ended(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    struct stage *stage = stage_of(host);
    if (stage->look)
        stage->look(stage, adapter);
    stage->sink->ended(stage->sink, adapter);
    if (stage->after)
        stage->after(stage);
}

void stage_open(struct stage *stage, const struct scene_options *options)
{
    *stage = (struct stage){ .sink = scene_open(options) };
    stage->host = (struct scenario_host){ .message = on_message,
                                          .load = on_load,
                                          .tell = on_tell,
                                          .started = on_started,
                                          .ended = on_ended,
                                          .observers = &stage->sink->observer };
}

bool stage_run(struct stage *stage, const char *name, const char *text, size_t bytes)
{
    struct scenario_options options = { .tell_statements = true };
    struct scenario_result result = { 0 };
    struct sink *sink = stage->sink;
    sink->begin(sink, name);
    sink->source(sink, name, text, bytes);
    struct scenario *scenario = scenario_parse(text, bytes, name, &stage->host);
    bool good = scenario_check(scenario);
    if (good) {
        (void)scenario_run(scenario, &options, &result);
        sink->end(sink, name, &result);
    } else {
        sink->refused(sink, name, SCENARIO_EXIT_INPUT);
    }
    scenario_free(scenario);
    stage->scene = scene_of(sink);
    return good;
}

void stage_close(struct stage *stage)
{
    stage->sink->close(stage->sink);
}
