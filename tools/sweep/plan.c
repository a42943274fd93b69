/* SPDX-License-Identifier: MIT */
/*
 * plan.c: which runs does a plan describe?
 *
 * All mistakes of a plan are told in one pass. What a plan can ask for is bounded: a million runs.
 */
#define _DEFAULT_SOURCE /* glob */
#include "tools/sweep/plan.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"
#include "tools/common/run_options.h"
#include "tools/sweep/plan_text.h"

struct reader {
    struct plan *plan;
    struct plan_text text;
    const char *folder; /* of the plan, with its last '/'; "" for this one */
    bool policies, seeds;
};

static struct plan_word rest_of(const struct reader *reader, const char *at)
{
    return (struct plan_word){ at, (size_t)(reader->text.end - at) };
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* A pattern finds no file twice: only those of the patterns before it, `others`, are looked at. */
static void add_file(struct plan *plan, const char *path, size_t folder, size_t others)
{
    for (size_t i = 0; i < others; i++)
        if (strcmp(plan->paths[i], path) == 0)
            return;
    BASE_GROW(plan->files, plan->file_capacity, plan->file_count + 1);
    BASE_GROW(plan->paths, plan->path_capacity, plan->file_count + 1);
    plan->paths[plan->file_count] = base_strndup(path, strlen(path));
    plan->files[plan->file_count++] = base_strndup(path + folder, strlen(path + folder));
}

/* As glob() marks it. */
static bool is_folder(const char *path)
{
    return path[strlen(path) - 1] == '/';
}

/* Patterns are seen from the folder of the plan. */
static void read_pattern(struct reader *reader, struct plan_word word)
{
    struct text pattern = { 0 };
    glob_t found = { .gl_pathc = 0 };
    size_t folder = word.at[0] == '/' ? 0 : strlen(reader->folder);
    size_t others = reader->plan->file_count;
    text_add(&pattern, "%.*s%.*s", (int)folder, reader->folder, (int)word.length, word.at);
    int why = glob(text_get(&pattern), GLOB_MARK, NULL, &found);
    if (why == 0)
        for (size_t i = 0; i < found.gl_pathc && reader->plan->file_count <= PLAN_RUNS; i++) {
            if (is_folder(found.gl_pathv[i]))
                plan_text_mistake(&reader->text, word, "its files: FOLDER/*.vms",
                                  "'%s' is a folder", found.gl_pathv[i]);
            else
                add_file(reader->plan, found.gl_pathv[i], folder, others);
        }
    else
        plan_text_mistake(&reader->text, word, "names are seen from the folder of the plan",
                          why == GLOB_NOMATCH ? "no file has the name '%.*s'"
                                              : "'%.*s' could not be looked up",
                          (int)word.length, word.at);
    globfree(&found);
    text_free(&pattern);
}

static void read_files(struct reader *reader, const char *at)
{
    struct plan_word word = plan_text_word(&reader->text, &at);
    if (!word.length)
        plan_text_mistake(&reader->text, word, "files *.vms", "names of files are missing");
    for (; word.length; word = plan_text_word(&reader->text, &at))
        read_pattern(reader, word);
}

/* ---- policies ---------------------------------------------------------------------------------
 */

static void read_policies(struct reader *reader, const char *at)
{
    struct text why = { 0 };
    reader->policies = true;
    do {
        struct plan_word word = plan_text_item(&reader->text, &at);
        if (!word.length)
            plan_text_mistake(&reader->text, word, "policies wddm,lru", "a policy is missing");
        else if (!policies_add(&reader->plan->policies, word.at, word.length, &why))
            plan_text_mistake(&reader->text, word, NULL, "%s", text_get(&why));
    } while (at < reader->text.end);
    text_free(&why);
}

/* ---- settings and parameters ------------------------------------------------------------------
 */

static bool axis_has(const struct plan_axis *axis, const char *value)
{
    for (size_t i = 0; i < axis->count; i++)
        if (strcmp(axis->values[i], value) == 0)
            return true;
    return false;
}

struct value_host {
    struct scenario_host base;
    struct text mistake, help; /* of the first one */
};

static void on_value_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct value_host *host = CONTAINER_OF(base, struct value_host, base);
    if (host->mistake.length)
        return;
    text_add(&host->mistake, "%s", message->text);
    text_add(&host->help, "%s", message->help ? message->help : "");
}

/* Is it a value in any file? One that uses a name of a file is left to the runs. */
static bool check_parameter(struct reader *reader, const char *value, struct plan_word word)
{
    struct value_host host = { .base = { .message = on_value_message } };
    struct text file = { 0 };
    if (strpbrk(value, "$("))
        return true;
    text_add(&file, "vidmm-scenario 1\nparam %.*s = 0\n", (int)strcspn(value, "="), value);
    struct scenario *scenario =
        scenario_parse(text_get(&file), file.length, reader->text.name, &host.base);
    /* A name that no file can have is told when the files are looked at. */
    bool good = host.mistake.length || !scenario_define(scenario, value) ||
                scenario_check(scenario) || !host.mistake.length;
    if (!good)
        plan_text_mistake(&reader->text, word, host.help.length ? text_get(&host.help) : NULL, "%s",
                          text_get(&host.mistake));
    scenario_free(scenario);
    text_free(&file);
    text_free(&host.mistake);
    text_free(&host.help);
    return good;
}

static void read_value(struct reader *reader, struct plan_axis *axis, struct plan_word name,
                       struct plan_word word)
{
    struct text value = { 0 }, why = { 0 };
    text_add(&value, "%.*s=%.*s", (int)name.length, name.at, (int)word.length, word.at);
    if (!word.length)
        plan_text_mistake(&reader->text, word, NULL, "a value is missing");
    else if (axis_has(axis, text_get(&value)))
        plan_text_mistake(&reader->text, word, NULL, "this value stands here twice");
    else if (!axis->parameter &&
             !run_options_check_setting(text_get(&value), reader->plan->policies.loaded, &why))
        plan_text_mistake(&reader->text, word, NULL, "%s", text_get(&why));
    else if (!axis->parameter || check_parameter(reader, text_get(&value), word)) {
        BASE_GROW(axis->values, axis->capacity, axis->count + 1);
        axis->values[axis->count++] = base_strndup(text_get(&value), value.length);
    }
    text_free(&value);
    text_free(&why);
}

/* The place of NAME among the axes; NULL: a mistake was told. */
static struct plan_axis *new_axis(struct reader *reader, struct plan_word name, bool parameter)
{
    struct plan *plan = reader->plan;
    struct text why = { 0 };
    bool known = parameter || run_options_find_setting(name.at, name.length, &why);
    if (!known)
        plan_text_mistake(&reader->text, name, NULL, "%s", text_get(&why));
    text_free(&why);
    if (!known)
        return NULL;
    for (size_t i = 0; i < plan->axis_count; i++) {
        const char *value = plan->axes[i].count ? plan->axes[i].values[0] : "";
        if (plan->axes[i].parameter == parameter && strncmp(value, name.at, name.length) == 0 &&
            value[name.length] == '=') {
            plan_text_mistake(&reader->text, name, "write all its values in one line",
                              "'%.*s' has values already", (int)name.length, name.at);
            return NULL;
        }
    }
    if (plan->axis_count == PLAN_AXES) {
        plan_text_mistake(&reader->text, name, NULL, "more than %d lines of values", PLAN_AXES);
        return NULL;
    }
    plan->axes[plan->axis_count] =
        (struct plan_axis){ .parameter = parameter, .line = reader->text, .name = name };
    return &plan->axes[plan->axis_count++];
}

static void read_axis(struct reader *reader, const char *at, bool parameter)
{
    struct plan_text *text = &reader->text;
    const char *form = parameter ? "param NAME = 1,2,4" : "set NAME = VALUE,VALUE";
    const char *equal = memchr(at, '=', (size_t)(text->end - at));
    struct plan_word name = plan_text_word(text, &at);
    /* NAME=VALUE is NAME = VALUE. */
    name.length = equal ? min_u64(name.length, (uint64_t)(equal - name.at)) : 0;
    if (!name.length) {
        plan_text_mistake(text, equal ? name : rest_of(reader, text->end), form,
                          equal ? "a name is missing" : "'=' is missing");
        return;
    }
    struct plan_axis *axis = new_axis(reader, name, parameter);
    at = equal + 1;
    do {
        struct plan_word word = plan_text_item(text, &at);
        if (axis && axis->count == PLAN_VALUES) {
            plan_text_mistake(text, word, NULL, "more than %d values", PLAN_VALUES);
            return;
        }
        if (axis)
            read_value(reader, axis, name, word);
    } while (at < text->end);
}

static void read_set(struct reader *reader, const char *at)
{
    read_axis(reader, at, false);
}

static void read_param(struct reader *reader, const char *at)
{
    read_axis(reader, at, true);
}

/* ---- seeds and limits -------------------------------------------------------------------------
 */

static void add_seeds(struct reader *reader, struct plan_word word, uint64_t from, uint64_t to)
{
    struct plan *plan = reader->plan;
    if (from > to) {
        plan_text_mistake(&reader->text, word, NULL, "the range ends before it begins");
        return;
    }
    if (to - from >= PLAN_RUNS - plan->seed_count) {
        plan_text_mistake(&reader->text, word, NULL, "more than %d seeds", PLAN_RUNS - 1);
        return;
    }
    BASE_GROW(plan->seeds, plan->seed_capacity, plan->seed_count + (to - from) + 1);
    for (uint64_t seed = from;; seed++) {
        plan->seeds[plan->seed_count++] = seed;
        if (seed == to)
            return;
    }
}

static void read_seeds(struct reader *reader, const char *at)
{
    reader->seeds = true;
    do {
        struct plan_word word = plan_text_item(&reader->text, &at);
        char *copy = plan_word_copy(word);
        char *dots = strstr(copy, "..");
        uint64_t from = 0, to = 0;
        if (dots)
            *dots = '\0';
        if (!word.length)
            plan_text_mistake(&reader->text, word, "seeds 1..10, or seeds 1,5,9",
                              "a seed or a range FIRST..LAST is missing");
        else if (text_read_size(copy, &from) && text_read_size(dots ? dots + 2 : copy, &to))
            add_seeds(reader, word, from, to);
        else
            plan_text_mistake(&reader->text, word, "seeds 1..10, or seeds 1,5,9",
                              "'%.*s' is no seed and no range FIRST..LAST", (int)word.length,
                              word.at);
        base_free(copy);
    } while (at < reader->text.end);
}

static void read_limit(struct reader *reader, const char *at)
{
    struct plan_word word = plan_text_word(&reader->text, &at);
    for (bool any = false; word.length || !any; word = plan_text_word(&reader->text, &at)) {
        char *copy = plan_word_copy(word);
        any = true;
        if (!run_options_read_limit(&reader->plan->limits, copy))
            plan_text_mistake(&reader->text, word, "ops=N, work=N, live=N, time=T or memory=SIZE",
                              "'%s' is no limit", copy);
        base_free(copy);
    }
}

/* ---- statements -------------------------------------------------------------------------------
 */

static void read_statement(struct reader *reader)
{
    static const struct {
        const char *name;
        void (*read)(struct reader *reader, const char *at);
    } rows[] = {
        { "files", read_files }, { "policies", read_policies }, { "set", read_set },
        { "param", read_param }, { "seeds", read_seeds },       { "limit", read_limit },
    };
    const char *at = reader->text.line;
    struct plan_word word = plan_text_word(&reader->text, &at);
    if (!word.length)
        return;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        if (plan_word_is(word, rows[i].name)) {
            rows[i].read(reader, at);
            return;
        }
    }
    char *copy = plan_word_copy(word);
    struct text_likeness likeness = text_likeness(copy);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        text_liken(&likeness, rows[i].name);
    struct text_short help = likeness.best
                                 ? text_print("did you mean '%s'?", likeness.best)
                                 : text_print("files, policies, set, param, seeds, limit");
    plan_text_mistake(&reader->text, word, help.it, "'%.40s' is no statement of a plan", copy);
    base_free(copy);
}

static bool read_first_line(struct reader *reader)
{
    while (plan_text_line(&reader->text)) {
        const char *at = reader->text.line;
        struct plan_word word = plan_text_word(&reader->text, &at);
        if (!word.length)
            continue;
        if (plan_word_is(word, "vidmm-sweep") &&
            plan_word_is(plan_text_word(&reader->text, &at), "1"))
            return true;
        plan_text_mistake(&reader->text, word, NULL, "a plan begins with 'vidmm-sweep 1'");
        return false;
    }
    (void)fprintf(stderr, "%s: error: the file is empty; a plan begins with 'vidmm-sweep 1'\n",
                  reader->text.name);
    reader->text.mistakes++;
    return false;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* What only the whole plan shows. */
static void check_plan(struct reader *reader)
{
    struct plan *plan = reader->plan;
    struct text none = { 0 };
    const char *name = reader->text.name;
    if (!plan->file_count) {
        (void)fprintf(stderr, "%s: error: the plan has no file; write 'files *.vms'\n", name);
        reader->text.mistakes++;
    }
    for (size_t i = 0; i < plan->axis_count && reader->policies; i++) {
        if (plan->axes[i].parameter || !policy_is_setting(plan->axes[i].values[0]))
            continue;
        (void)fprintf(stderr, "%s: error: 'set %s' contradicts 'policies', which sets it too\n",
                      name, plan->axes[i].values[0]);
        reader->text.mistakes++;
    }
    if (!reader->policies)
        (void)policies_add(&plan->policies, "file", strlen("file"), &none);
    plan->runs = plan->file_count;
    plan->runs = multiply_capped(plan->runs, plan->policies.count);
    for (size_t i = 0; i < plan->axis_count; i++)
        plan->runs = multiply_capped(plan->runs, plan->axes[i].count);
    plan->runs = multiply_capped(plan->runs, reader->seeds ? plan->seed_count : 1);
    if (plan->runs > PLAN_RUNS) {
        (void)fprintf(stderr, "%s: error: the plan has %zu runs, more than %d\n", name, plan->runs,
                      PLAN_RUNS);
        reader->text.mistakes++;
    }
}

bool plan_read(struct plan *plan, const char *path, const struct run_settings *loaded)
{
    size_t bytes = 0;
    char *text = host_read(path, &bytes);
    const char *slash = strrchr(path, '/');
    char *folder = base_strndup(path, slash ? (size_t)(slash - path) + 1 : 0);
    struct reader reader = { .plan = plan, .folder = folder };
    *plan = (struct plan){ .text = text, .policies.loaded = loaded };
    if (!text) {
        (void)fprintf(stderr, "vidmm: %s: %s\n", path, strerror(errno));
        base_free(folder);
        return false;
    }
    reader.text =
        (struct plan_text){ .name = host_name(path), .next = text, .text_end = text + bytes };
    if (memchr(text, '\0', bytes)) {
        (void)fprintf(stderr, "%s: error: the plan has a byte 0: it is no text\n",
                      reader.text.name);
        reader.text.mistakes++;
    } else if (read_first_line(&reader)) {
        while (plan_text_line(&reader.text))
            read_statement(&reader);
        if (!reader.text.mistakes)
            check_plan(&reader);
    }
    base_free(folder);
    return reader.text.mistakes == 0;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->file_count; i++) {
        base_free(plan->files[i]);
        base_free(plan->paths[i]);
    }
    for (size_t i = 0; i < plan->axis_count; i++) {
        for (size_t k = 0; k < plan->axes[i].count; k++)
            base_free(plan->axes[i].values[k]);
        base_free(plan->axes[i].values);
    }
    base_free(plan->text);
    base_free(plan->files);
    base_free(plan->paths);
    base_free(plan->seeds);
    policies_free(&plan->policies);
    *plan = (struct plan){ 0 };
}

/* ---- runs -------------------------------------------------------------------------------------
 */

/* The last digit of `index`, whose number system has `count` digits, is taken off. */
static size_t digit(size_t *index, size_t count)
{
    size_t value = *index % count;
    *index /= count;
    return value;
}

void plan_job(const struct plan *plan, size_t index, struct measure_job *job)
{
    *job = (struct measure_job){ .limits = plan->limits };
    CHECK(index < plan->runs);
    if (plan->seed_count) {
        job->has_seed = true;
        job->seed = plan->seeds[digit(&index, plan->seed_count)];
    }
    for (size_t i = plan->axis_count; i-- > 0;) {
        const struct plan_axis *axis = &plan->axes[i];
        const char *value = axis->values[digit(&index, axis->count)];
        if (axis->parameter)
            job->parameters[job->parameter_count++] = value;
        else
            job->settings[job->setting_count++] = value;
    }
    const struct policy *policy = &plan->policies.list[digit(&index, plan->policies.count)];
    job->policy = policy->name;
    job->loaded = plan->policies.loaded;
    for (size_t i = 0; i < policy->setting_count; i++)
        job->settings[job->setting_count++] = policy->settings[i];
    job->file = plan->files[index];
    job->path = plan->paths[index];
}

size_t plan_file(const struct plan *plan, size_t index)
{
    return index / (plan->runs / plan->file_count);
}
