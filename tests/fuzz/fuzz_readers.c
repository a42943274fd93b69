/* SPDX-License-Identifier: MIT */
/*
 * fuzz_readers.c: any bytes as one of the files that the program reads besides scenarios.
 *
 * The first byte says which: a decision log or JSON lines of a run against others, results of a
 * sweep, a plan, a list of known failures, or the answer to a question of a lesson. Nothing may
 * crash; a log does not differ from itself, and what is told of two is JSON without control
 * characters. The entry is that of fuzzing engines; fuzz_replay.c calls it without one.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tools/quiz/answer.h"
#include "tools/record/diff.h"
#include "tools/sweep/plan.h"
#include "tools/sweep/results.h"
#include "tools/test/known.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_characters(const char *text)
{
    for (; *text; text++)
        CHECK((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t');
}

/* ---- logs ----------------------------------------------------------------------------------- */

static void check_json(const struct diff *diff)
{
    char *text = NULL;
    size_t bytes;
    struct json json = { .out = open_memstream(&text, &bytes) };
    CHECK(json.out);
    json_open(&json, NULL, '{');
    diff_print_json(diff, &json);
    json_close(&json, '}');
    CHECK(fclose(json.out) == 0);
    cJSON *parsed = cJSON_ParseWithLength(text, bytes);
    CHECK(parsed);
    cJSON_Delete(parsed);
    free(text);
}

static void compare(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                    bool times)
{
    struct diff_options options = { .times = times, .trail = times };
    struct text problem = { 0 };
    struct text summary = { 0 };
    record_kinds_default(&options.kinds);
    FILE *expected = fmemopen((void *)(uintptr_t)one, one_size, "rb");
    FILE *found = fmemopen((void *)(uintptr_t)other, other_size, "rb");
    CHECK(expected && found);
    struct diff *diff = diff_open(expected, "one", &options, &problem);
    if (diff) {
        bool whole = diff_read(diff, found, "other", &problem);
        bool same = diff_end(diff, &problem);
        CHECK(one != other || !whole || same || problem.length);
        diff_summary(diff, NULL, &summary);
        check_json(diff);
        diff_close(diff);
    }
    check_characters(text_get(&problem));
    text_free(&problem);
    text_free(&summary);
    CHECK(fclose(expected) == 0 && fclose(found) == 0);
}

/* Cut in two at the first empty line, if there is one. */
static void try_logs(const uint8_t *data, size_t size)
{
    const uint8_t *gap = memmem(data, size, "\n\n", 2);
    compare(data, size, data, size, true);
    if (gap && (size_t)(gap - data) + 2 < size)
        compare(data, (size_t)(gap - data) + 1, gap + 2, size - (size_t)(gap - data) - 2,
                data[0] % 2);
}

/* ---- sweeps and tests ------------------------------------------------------------------------ */

static bool hear_line(void *context, const struct results_line *line)
{
    uint64_t *lines = context;
    CHECK(line->verdict && line->vidmm && line->bytes && line->number > *lines);
    *lines = line->number;
    (void)results_may_change(line->verdict);
    return !results_passed(line->verdict) || line->run != 77;
}

static void try_results(const uint8_t *data, size_t size)
{
    uint64_t lines = 0;
    struct results_reader reader = { .file = "r", .context = &lines, .line = hear_line };
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "rb");
    CHECK(in);
    (void)results_read(in, &reader);
    CHECK(reader.whole <= size && fclose(in) == 0);
}

static void try_plan(const char *path)
{
    struct plan plan;
    struct measure_job job;
    if (plan_read(&plan, path, NULL))
        for (size_t i = 0; i < plan.runs; i += 1 + plan.runs / 64) {
            plan_job(&plan, i, &job);
            CHECK(job.path && plan_file(&plan, i) < plan.file_count);
        }
    plan_free(&plan);
}

static void try_known(const char *path)
{
    struct run_settings settings = { .words = { "placement=best-fit" }, .count = 1 };
    struct known known = { .path = NULL };
    if (known_open(&known, path, NULL, &settings)) {
        (void)known_has(&known, "a.vms", "");
        (void)known_has(&known, "scenarios/rules/PLACE-004.vms", "two of them fit");
        known_tell(&known, true);
    }
    known_close(&known);
}

/* A file without a folder. */
static void try_file(const uint8_t *data, size_t size, void (*try)(const char *path))
{
    char path[40];
    int file = memfd_create("fuzz", 0);
    CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    try(path);
    (void)close(file);
}

static void try_answer(const uint8_t *data, size_t size)
{
    struct scenario_telling asked = { .kind = SCENARIO_TELL_ASK, .text = "?", .answer = "vram" };
    struct text out = { 0 };
    char *given = base_strndup((const char *)data, size);
    asked.value = size;
    for (int form = SCENARIO_ANSWER_NUMBER; form <= SCENARIO_ANSWER_WORD; form++) {
        asked.form = (enum scenario_answer)form;
        enum answer_verdict verdict = answer_judge(given, &asked);
        if (verdict == ANSWER_UNREAD)
            answer_complain(given, &asked, &out);
        else if (verdict == ANSWER_WRONG)
            answer_understood(given, &asked, &out);
        text_clear(&out);
    }
    text_free(&out);
    base_free(given);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    /* A copy of just this length: a read past the end is noticed. */
    size_t rest = size - 1;
    uint8_t *bytes = base_alloc(rest, 1);
    memcpy(bytes, data + 1, rest);
    switch (data[0] % 8) {
    case 0: try_results(bytes, rest); break;
    case 1: try_file(bytes, rest, try_plan); break;
    case 2: try_file(bytes, rest, try_known); break;
    case 3: try_answer(bytes, rest); break;
    default: try_logs(bytes, rest);
    }
    base_free(bytes);
    return 0;
}
