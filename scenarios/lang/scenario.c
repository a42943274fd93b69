/* SPDX-License-Identifier: MIT */
/*
 * scenario.c: the life of a scenario: read, checked, run, freed.
 */
#include "scenarios/lang/check/check.h"
#include "scenarios/lang/foretell.h"
#include "scenarios/lang/run/run.h"
#include "scenarios/lang/scenario_items.h"
#include "scenarios/lang/scenario_twin.h"
#include "scenarios/lang/text/twin.h"

#include <string.h>

static void intern_words(struct scenario *scenario)
{
    const struct {
        word *name;
        const char *text;
    } names[] = {
        { &scenario->word_any, "any" },
        { &scenario->word_new, "new" },
        { &scenario->word_auto, "auto" },
        { &scenario->word_system, "system" },
    };
    statements_intern(&scenario->words, &scenario->arena);
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        *names[i].name =
            words_intern(&scenario->words, &scenario->arena, names[i].text, strlen(names[i].text));
}

/* The file is asked for its tags once for each of its tests. */
static void list_tags(struct scenario *scenario)
{
    size_t count = 0;
    for (const struct statement *at = scenario->statements; at; at = at->next)
        count += at->kind == STATEMENT_TAGS;
    scenario->tags = arena_alloc(&scenario->arena, (count + 1) * sizeof(struct statement *));
    for (struct statement *at = scenario->statements; at; at = at->next)
        if (at->kind == STATEMENT_TAGS)
            scenario->tags[scenario->tag_count++] = at;
}

struct scenario *scenario_parse(const char *text, size_t bytes, const char *name,
                                struct scenario_host *host)
{
    uint64_t held = vidmm_host_held();
    struct scenario *scenario = base_alloc(1, sizeof *scenario);
    scenario->host = host;
    scenario->held = held;
    words_init(&scenario->words);
    names_init(&scenario->blamed);
    intern_words(scenario);
    scenario->bulk = base_alloc(1, sizeof *scenario->bulk);
    lines_read_text(scenario, name, text, bytes);
    list_tags(scenario);
    return scenario;
}

bool scenario_is_twin(const char *bytes, size_t count)
{
    return twin_is(bytes, count);
}

char *scenario_pack(const char *text, size_t bytes, size_t *count)
{
    return twin_pack(text, bytes, count);
}

char *scenario_unpack(const char *bytes, size_t count, size_t *text_bytes, char problem[160])
{
    struct twin *twin = twin_open(bytes, count, problem);
    if (!twin)
        return NULL;
    twin_complete(twin);
    char *text = twin->text;
    twin->text = NULL;
    *text_bytes = twin->text_bytes;
    twin_free(twin);
    return text;
}

bool scenario_check(struct scenario *scenario)
{
    check_scenario(scenario);
    bool whole = scenario->messages.errors == 0;
    message_flush(scenario);
    return whole;
}

bool scenario_misdefined(const struct scenario *scenario)
{
    const struct messages *messages = &scenario->messages;
    return messages->errors && messages->errors == messages->defined;
}

bool scenario_check_strict(struct scenario *scenario)
{
    scenario->strict = true;
    return scenario_check(scenario);
}

enum scenario_exit scenario_run(struct scenario *scenario, const struct scenario_options *options,
                                struct scenario_result *result)
{
    scenario->foresight = scenario->host->foresight;
    if (foretell_run(scenario, options, result))
        return result->exit;
    *result = (struct scenario_result){ .exit = SCENARIO_EXIT_OK };
    run_scenario(scenario, options, result);
    return result->exit;
}

/* A line of a twin is not asked for: all of its text would be unpacked. */
bool scenario_progress(struct scenario *scenario, struct scenario_progress *progress)
{
    const struct run_now *now = &scenario->now;
    struct scenario_span span = { .line = 0 };
    if (!now->result)
        return false;
    if (!scenario->sources[scenario->now_at.source]->twin)
        message_where(scenario, scenario->now_at, &span);
    *progress =
        (struct scenario_progress){ .file = scenario->sources[scenario->now_at.source]->name,
                                    .line = span.line,
                                    .operations = now->result->operations,
                                    .time = now->time,
                                    .rounds = now->begun - (now->begun > 0),
                                    .of = now->of,
                                    .before = now->before };
    return true;
}

void scenario_free(struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->messages.count; i++) {
        base_free(scenario->messages.list[i].text);
        base_free(scenario->messages.list[i].help);
    }
    for (size_t i = 0; i < scenario->source_count; i++) {
        base_free(scenario->sources[i]->name);
        base_free(scenario->sources[i]->owned);
        twin_free(scenario->sources[i]->twin);
        base_free(scenario->sources[i]->line_starts);
        base_free(scenario->sources[i]);
    }
    base_free(scenario->sources);
    bulk_free(scenario->bulk);
    words_fini(&scenario->words);
    names_fini(&scenario->blamed);
    arena_fini(&scenario->arena);
    base_free(scenario);
}
