/* SPDX-License-Identifier: MIT */
/*
 * scenario.c: the life of a scenario: read, checked, run, freed.
 */
#include "scenarios/lang/check/check.h"
#include "scenarios/lang/run/run.h"

#include <string.h>

static word scenario_intern(struct scenario *scenario, const char *text)
{
    return words_intern(&scenario->words, &scenario->arena, text, strlen(text));
}

static void intern_words(struct scenario *scenario)
{
    statements_intern(&scenario->words, &scenario->arena);
    scenario->word_any = scenario_intern(scenario, "any");
    scenario->word_new = scenario_intern(scenario, "new");
    scenario->word_auto = scenario_intern(scenario, "auto");
    scenario->word_system = scenario_intern(scenario, "system");
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
    scenario->bulk = bulk_new();
    lines_read_text(scenario, name, text, bytes);
    return scenario;
}

bool scenario_check(struct scenario *scenario)
{
    check_scenario(scenario);
    bool whole = scenario->messages.errors == 0;
    message_flush(scenario);
    return whole;
}

bool scenario_check_strict(struct scenario *scenario)
{
    scenario->strict = true;
    return scenario_check(scenario);
}

enum scenario_exit scenario_run(struct scenario *scenario, const struct scenario_options *options,
                                struct scenario_result *result)
{
    *result = (struct scenario_result){ .exit = SCENARIO_EXIT_OK };
    run_scenario(scenario, options, result);
    return result->exit;
}

void scenario_size(const struct scenario *scenario, struct scenario_size *size)
{
    const struct bulk *bulk = scenario->bulk;
    *size = (struct scenario_size){
        .lines = scenario->lines,
        .bulk_lines = bulk->line_count,
        .bulk_forms = bulk->form_count,
        .memory_bytes = scenario->arena.bytes + bulk->line_capacity * sizeof *bulk->lines +
                        bulk->number_capacity * sizeof *bulk->numbers,
    };
    for (size_t i = 0; i < scenario->source_count; i++)
        size->bytes += scenario->sources[i]->bytes;
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
