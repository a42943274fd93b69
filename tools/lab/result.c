/* SPDX-License-Identifier: MIT */
/*
 * result.c: from a process that ended to a line that says what it found.
 *
 * A line holds nothing of the machine, of the moment, or of the sweep that the run was part of: so
 * results that were made in pieces are the same bytes as those of one process.
 */
#include "tools/lab/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/hash.h"

/* ---- between processes ------------------------------------------------------------------------
 */

int result_answer(const struct measure_job *job, FILE *answer)
{
    struct measured *measured = base_alloc(1, sizeof *measured);
    measure_run(job, measured);
    int exit = (int)measured->exit;
    bool written = fwrite(measured, sizeof *measured, 1, answer) == 1;
    base_free(measured);
    return written ? exit : TOOL_LIMIT;
}

void result_take(struct result *result, const struct workers_answer *answer)
{
    static const char by[] = "vidmm: "; /* who prints the message says it */
    const char *said =
        answer->output + (strncmp(answer->output, by, sizeof by - 1) == 0 ? sizeof by - 1 : 0);
    char *message = result->measured.message;
    *result = (struct result){ .exit = answer->exit, .signal = answer->signal };
    result->known = !answer->signal && answer->count == sizeof result->measured;
    if (result->known)
        memcpy(&result->measured, answer->bytes, sizeof result->measured);
    bool good = !answer->signal && answer->exit == SCENARIO_EXIT_OK;
    if (!good && !message[0] && answer->output_count)
        (void)snprintf(message, sizeof result->measured.message, "%.*s", (int)strcspn(said, "\n"),
                       said);
    else if (!result->known && !answer->signal) /* what it had to say had no room either */
        (void)snprintf(message, sizeof result->measured.message,
                       "the process ended before its run did, with the exit code %d%s",
                       answer->exit,
                       answer->exit == SCENARIO_EXIT_LIMIT ? ": it lacked memory or files" : "");
    /* Where it was written down, to be reported. */
    if (answer->exit == SCENARIO_EXIT_INVARIANT)
        (void)fwrite(answer->output, 1, answer->output_count, stderr);
}

/* By a signal, or without an answer and for no reason of its own (a sanitizer, for one). */
static bool result_is_crash(const struct result *result)
{
    return result->signal || (!result->known && result->exit != SCENARIO_EXIT_LIMIT &&
                              result->exit != SCENARIO_EXIT_INVARIANT);
}

const char *result_verdict(const struct result *result)
{
    if (result_is_crash(result))
        return "crashed";
    switch (result->exit) {
    case SCENARIO_EXIT_OK: return "passed";
    case SCENARIO_EXIT_FAILED: return "failed";
    case TOOL_USAGE:
    case SCENARIO_EXIT_INPUT: return "error";
    case SCENARIO_EXIT_LIMIT: return "limit";
    case SCENARIO_EXIT_BUGCHECK: return "bugcheck";
    default: return "broken";
    }
}

enum tool_exit result_exit(const struct result *result)
{
    return result_is_crash(result) ? TOOL_BROKEN : (enum tool_exit)result->exit;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint64_t hash_options(uint64_t hash, const char *kind, const char *const *words,
                             size_t count)
{
    const char *sorted[MEASURE_OPTIONS];
    memcpy(sorted, words, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 0; i < count; i++)
        hash = hash_word(hash_word(hash, kind), sorted[i]);
    return hash;
}

uint64_t result_id(const struct measure_job *job)
{
    uint64_t hash = hash_word(HASH_BEGIN, job->file);
    hash = hash_options(hash, "set", job->settings, job->setting_count);
    hash = hash_options(hash, "param", job->parameters, job->parameter_count);
    if (job->has_seed)
        hash = hash_word(hash, text_print("seed %" PRIu64, job->seed).it);
    return hash_mix(hash);
}

void result_describe(const struct measure_job *job, struct text *text)
{
    text_add(text, "%s", job->file);
    for (size_t i = 0; i < job->setting_count; i++)
        text_add(text, " %s", job->settings[i]);
    for (size_t i = 0; i < job->parameter_count; i++)
        text_add(text, " %s", job->parameters[i]);
    if (job->has_seed)
        text_add(text, " seed=%" PRIu64, job->seed);
}

/* ---- a line -----------------------------------------------------------------------------------
 */

static void put_options(struct json *json, const char *name, const char *const *words, size_t count)
{
    char key[80];
    json_open(json, name, '{');
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(words[i], "=");
        (void)snprintf(key, sizeof key, "%.*s", (int)length, words[i]);
        json_string(json, key, words[i][length] ? words[i] + length + 1 : "");
    }
    json_close(json, '}');
}

static void put_segments(struct json *json, const struct spread_totals *spread)
{
    json_open(json, "segments", '[');
    for (uint32_t i = 0; i < spread->segment_count; i++) {
        const struct spread_segment *segment = &spread->segments[i];
        json_open(json, NULL, '{');
        json_string(json, "segment", segment->name);
        json_number(json, "bytes", segment->bytes);
        json_number(json, "peak_bytes", segment->peak);
        if (segment->memory)
            json_number(json, "reach_bytes", segment->reach);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_measured(struct json *json, const struct measured *measured)
{
    json_open(json, "metrics", '{');
    metrics_json(json, &measured->metrics);
    json_close(json, '}');
    put_segments(json, &measured->spread);
}

/* A message names files as they are opened; results as they are seen from the plan. */
static const char *message_of(const struct measure_job *job, const struct result *result)
{
    const char *message = result->measured.message;
    size_t folder = strlen(job->path) - strlen(job->file);
    return strncmp(message, job->path, folder) == 0 ? message + folder : message;
}

void result_write(FILE *out, const struct measure_job *job, const struct result *result)
{
    struct json json = { .out = out };
    json_open(&json, NULL, '{');
    json_string(&json, "run", text_print("%016" PRIx64, result_id(job)).it);
    json_number(&json, "lab", RESULT_FORMAT);
    json_string(&json, "vidmm", measure_version());
    json_string(&json, "input", text_print("%016" PRIx64, result->measured.input).it);
    json_string(&json, "file", job->file);
    if (job->policy)
        json_string(&json, "policy", job->policy);
    put_options(&json, "settings", job->settings, job->setting_count);
    if (job->parameter_count)
        put_options(&json, "parameters", job->parameters, job->parameter_count);
    if (job->has_seed)
        json_number(&json, "seed", job->seed);
    json_string(&json, "verdict", result_verdict(result));
    json_number(&json, "exit", (uint64_t)result_exit(result));
    if (result->signal)
        json_number(&json, "signal", (uint64_t)result->signal);
    if (result->measured.message[0])
        json_string(&json, "message", message_of(job, result));
    if (result->known && result->measured.exit != SCENARIO_EXIT_INPUT)
        put_measured(&json, &result->measured);
    json_close(&json, '}');
    json_end_line(&json);
}
