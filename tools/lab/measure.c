/* SPDX-License-Identifier: MIT */
/*
 * measure.c: what is listened to while a file runs, and what is counted when its adapters end.
 *
 * Counters are read when an adapter is about to go; the layout is followed event by event. Neither
 * changes anything: a measured run decides as any other.
 */
#include "tools/lab/measure.h"

#include <inttypes.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/hash.h"
#include "tools/common/host.h"
#include "tools/common/run_options.h"
#include "tools/lab/foresee.h"

struct measure {
    struct host host;
    struct vidmm_observer observer;
    struct measured *out;
    struct spread *spread;
    struct foresee foresee;
    uint64_t messages;
    bool (*load)(struct scenario_host *base, const char *path, char **text, size_t *bytes);
};

static struct measure *measure_of(struct scenario_host *base)
{
    return CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct measure, host);
}

/* ---- what went in -----------------------------------------------------------------------------
 */

static bool on_load_hashed(struct scenario_host *base, const char *path, char **text, size_t *bytes)
{
    struct measure *measure = measure_of(base);
    if (!measure->load(base, path, text, bytes))
        return false;
    measure->out->input = hash_bytes(measure->out->input, *text, *bytes);
    return true;
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

/* What was expected, and what came instead: the first two lines. */
static void add_reason(struct text *text, const char *line)
{
    for (int lines = 0; *line && lines < 2; lines++) {
        size_t length = strcspn(line, "\n");
        text_add(text, "%s%.*s", lines ? "; " : ": ", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void on_measured_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct measure *measure = measure_of(base);
    struct text text = { 0 };
    if (message->severity == SCENARIO_WARNING)
        return;
    /* The limit that ended the run says more than what failed before. */
    if (measure->messages++ && message->severity != SCENARIO_STOPPED)
        return;
    if (message->at.file && message->at.line)
        text_add(&text, "%s:%" PRIu32 ":%" PRIu32 ": ", message->at.file, message->at.line,
                 message->at.column);
    text_add(&text, "%s", message->text);
    if (message->help)
        text_add(&text, " (%s)", message->help);
    if (message->severity == SCENARIO_FAILED && message->details)
        add_reason(&text, message->details);
    (void)snprintf(measure->out->message, sizeof measure->out->message, "%s", text_get(&text));
    text_free(&text);
}

static void on_measured_event(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct measure *measure = CONTAINER_OF(observer, struct measure, observer);
    if (event->kind == VIDMM_EVENT_PLACE || event->kind == VIDMM_EVENT_UNPLACE)
        spread_change(measure->spread, event);
    else if (event->kind == VIDMM_EVENT_REFUSE)
        metrics_add(&measure->out->metrics, METRIC_REFUSALS, 1);
    else /* it was pinned or unpinned */
        foresee_pinned(&measure->foresee, event->subject);
}

static void on_measure_started(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct measure *measure = measure_of(base);
    spread_start(measure->spread, adapter);
    foresee_start(&measure->foresee, adapter);
}

/* ---- when an adapter ends ---------------------------------------------------------------------
 */

static void add_counters(struct metrics *metrics, const struct vidmm_adapter *adapter)
{
    static const struct {
        enum metric metric;
        const char *counter;
    } rows[] = {
        { METRIC_HITS, "use_hits" },           { METRIC_MISSES, "use_misses" },
        { METRIC_HIT_BYTES, "use_hit_bytes" }, { METRIC_MISS_BYTES, "use_miss_bytes" },
        { METRIC_BYTES_IN, "bytes_paged_in" }, { METRIC_BYTES_OUT, "bytes_paged_out" },
        { METRIC_EVICTIONS, "evictions" },     { METRIC_STALL, "stall_ns" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        enum vidmm_counter counter = vidmm_counter_by_name(rows[i].counter);
        CHECK(counter != VIDMM_COUNTERS);
        metrics_add(metrics, rows[i].metric, vidmm_counter(adapter, counter));
    }
    metrics->value[METRIC_STALL] -=
        min_u64(metrics->value[METRIC_STALL], vidmm_stall_of(adapter, VIDMM_WAIT_SCRIPT));
    metrics_add(metrics, METRIC_TIME, vidmm_now(adapter));
}

static void on_measure_ended(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct measure *measure = measure_of(base);
    add_counters(&measure->out->metrics, adapter);
    spread_end(measure->spread);
    foresee_end(&measure->foresee, &measure->out->metrics);
}

static void finish(struct measure *measure, const struct scenario_result *result)
{
    struct metrics *metrics = &measure->out->metrics;
    spread_metrics(measure->spread, metrics);
    metrics_set(metrics, METRIC_FINDINGS, result->findings);
    metrics_set(metrics, METRIC_FAILURES, result->failures + result->unexpected);
    metrics_set(metrics, METRIC_OPERATIONS, result->operations);
    metrics_add(metrics, METRIC_REFUSALS, 0);
    metrics_derive(metrics);
}

/* ---- a run ------------------------------------------------------------------------------------
 */

static bool measure_open(struct measure *measure, const char *path,
                         const struct run_settings *loaded, struct host_file *file)
{
    host_init(&measure->host, NULL, SCREEN_COLOR_NEVER);
    measure->load = measure->host.base.load;
    measure->host.base.load = on_load_hashed;
    measure->host.base.message = on_measured_message;
    run_options_load(loaded, &measure->host.base);
    measure->out->input = HASH_BEGIN ^ loaded->policy_hash;
    if (!host_open(&measure->host, path, file)) {
        measure->out->input = 0;
        return false;
    }
    /* The texts that it includes came before it: they are read while it is. */
    measure->out->input = hash_bytes(measure->out->input, file->text, file->bytes);
    return true;
}

/* False: the file has no parameter of that name, which is the message then. */
static bool measure_define(const struct measure_job *job, const struct host_file *file,
                           struct measured *out)
{
    struct text why = { 0 };
    bool good =
        run_options_give_params(file->scenario, job->parameters, job->parameter_count, &why);
    out->undefined = !good;
    if (!good)
        (void)snprintf(out->message, sizeof out->message, "%s: %s", file->name, text_get(&why));
    text_free(&why);
    return good;
}

static void run_opened(struct measure *measure, const struct measure_job *job,
                       const struct host_file *file)
{
    struct scenario_result result = { 0 };
    struct scenario_options options = {
        .has_seed = job->has_seed,
        .seed = job->seed,
        .limits = job->limits,
        .machine_bytes = measure->host.memory_bytes,
    };
    options.settings = job->settings;
    options.setting_count = job->setting_count;
    static const bool kinds[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_PLACE] = true,
                                                   [VIDMM_EVENT_UNPLACE] = true,
                                                   [VIDMM_EVENT_PIN] = true,
                                                   [VIDMM_EVENT_UNPIN] = true,
                                                   [VIDMM_EVENT_REFUSE] = true };
    measure->observer = (struct vidmm_observer){ .on_event = on_measured_event, .kinds = kinds };
    foresee_init(&measure->foresee);
    measure->host.base.foresight = &measure->foresee.foresight;
    measure->host.base.observers = &measure->observer;
    measure->host.base.started = on_measure_started;
    measure->host.base.ended = on_measure_ended;
    measure->spread = spread_new(&measure->out->spread);
    measure->out->exit = (enum scenario_exit)host_run(&measure->host, file, &options, &result);
    finish(measure, &result);
    if (measure->out->exit == SCENARIO_EXIT_INPUT)
        measure->out->metrics = (struct metrics){ 0 }; /* half of a run is not compared */
    spread_free(measure->spread);
}

/* A file with several mistakes says where the others are. */
static void count_mistakes(const struct measure *measure, const char *path)
{
    size_t used = strlen(measure->out->message);
    uint64_t count = measure->messages - measure->out->undefined;
    if (measure->messages > 1)
        (void)snprintf(measure->out->message + used, sizeof measure->out->message - used,
                       "; `vidmm check %s` shows %s%s", path, count > 1 ? "all " : "",
                       text_count(count, "mistake").it);
}

void measure_run(const struct measure_job *job, struct measured *measured)
{
    struct measure measure = { .out = measured };
    struct host_file file;
    *measured = (struct measured){ .exit = SCENARIO_EXIT_INPUT };
    if (!measure_open(&measure, job->path, job->loaded, &file))
        return;                                               /* it was told why */
    measure.messages = !measure_define(job, &file, measured); /* the first one */
    bool legal = scenario_check(file.scenario);
    if (legal && !measured->undefined)
        run_opened(&measure, job, &file);
    else
        count_mistakes(&measure, job->path);
    measured->undefined |= scenario_misdefined(file.scenario);
    host_close(&file);
}

const char *measure_version(void)
{
    return VIDMM_VERSION;
}

uint64_t measure_input(const char *path, const struct run_settings *loaded)
{
    struct measured measured = { 0 };
    struct measure measure = { .out = &measured };
    struct host_file file;
    if (measure_open(&measure, path, loaded, &file))
        host_close(&file);
    return measured.input;
}
