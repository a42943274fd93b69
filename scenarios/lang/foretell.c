/* SPDX-License-Identifier: MIT */
/*
 * foretell.c: a scenario that runs under a policy which foresees (POLICY-013).
 *
 * It runs three times. The first run only starts its adapters, and shows whether one of them is
 * refused for want of a future. The second one, under the documented order, notes the references to
 * come; nobody hears of either. The third one is the run. It has to make the same references again:
 * where it departs from them, its victims were chosen by a future that does not come, which is an
 * error.
 *
 * A future is that of one start of an adapter: each test has its own.
 */
#include "scenarios/lang/foretell.h"

#include "scenarios/lang/run/run.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/vidmm_eviction.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct future {
    vidmm_handle *uses;
    uint64_t *next; /* of each: the number of the next one of the same allocation */
    size_t count, capacity, made;
};

struct foretelling {
    struct scenario_host host; /* the scenario's own, while nobody hears of it */
    struct scenario_host *heard;
    const struct scenario *scenario;
    const struct scenario_result *result; /* of a silent run */
    struct vidmm_foresight foresight;
    bool wanted; /* an adapter was refused for want of a future */
    bool recording, departed;
    struct future *futures, *now; /* by start; that of the adapter which runs */
    size_t count, capacity, started;
};

/* ---- the future ------------------------------------------------------------------------------ */

struct last_use {
    vidmm_handle allocation;
    uint64_t number;
    UT_hash_handle hh;
};

static void find_next_uses(struct future *future)
{
    struct last_use *uses = NULL, *use, *following;
    future->next = base_alloc(future->count, sizeof *future->next);
    for (size_t i = future->count; i > 0; i--) {
        HASH_FIND(hh, uses, &future->uses[i - 1], sizeof(vidmm_handle), use);
        future->next[i - 1] = use ? use->number : UINT64_MAX;
        if (!use) {
            use = base_alloc(1, sizeof *use);
            use->allocation = future->uses[i - 1];
            HASH_ADD(hh, uses, allocation, sizeof use->allocation, use);
        }
        use->number = i;
    }
    HASH_ITER(hh, uses, use, following)
    {
        HASH_DEL(uses, use);
        base_free(use);
    }
}

static void begun(void *caller)
{
    struct foretelling *telling = caller;
    size_t index = telling->started++;
    if (telling->recording) {
        BASE_GROW(telling->futures, telling->capacity, index + 1);
        telling->futures[index] = (struct future){ 0 };
        telling->count = index + 1;
    }
    telling->now = index < telling->count ? &telling->futures[index] : NULL;
    if (!telling->recording && telling->now)
        find_next_uses(telling->now);
}

static void referenced(void *caller, vidmm_handle allocation, uint64_t bytes)
{
    struct foretelling *telling = caller;
    const struct vidmm_foresight *heard = telling->heard->foresight;
    if (telling->recording) {
        struct future *now = telling->now;
        BASE_GROW(now->uses, now->capacity, now->count + 1);
        now->uses[now->count++] = allocation;
        return;
    }
    if (telling->now)
        telling->now->made++;
    if (heard && heard->referenced)
        heard->referenced(heard->caller, allocation, bytes);
}

/* Once: what follows from it would only repeat it. */
static void complain(struct foretelling *telling, size_t number)
{
    const char *name = telling->scenario->sources[0]->name;
    const char *text =
        "the run departs from the references that were foretold: which ones it makes "
        "depends on what was evicted, so no policy can know its future";
    char rendered[400];
    if (telling->departed)
        return;
    telling->departed = true;
    (void)snprintf(rendered, sizeof rendered,
                   "%s: error: reference %zu: %s (POLICY-013)\n"
                   "      = help: waits, locks and refusals that depend on time can do that\n",
                   name, number, text);
    const struct scenario_message message = {
        .severity = SCENARIO_ERROR, .at = { name, 1, 1, 0 }, .text = text, .rendered = rendered
    };
    telling->heard->message(telling->heard, &message);
}

static uint64_t next_use(void *caller, vidmm_handle allocation)
{
    struct foretelling *telling = caller;
    struct future *now = telling->now;
    size_t index = now ? now->made - 1 : 0; /* referenced() came before */
    if (now && index < now->count && now->uses[index] == allocation)
        return now->next[index];
    complain(telling, index + 1);
    return UINT64_MAX;
}

/* A run that came to its end made all of them, under every policy. */
static void expect_all(struct foretelling *telling)
{
    for (size_t i = 0; i < telling->count; i++)
        if (telling->futures[i].made < telling->futures[i].count)
            complain(telling, telling->futures[i].made + 1);
}

static void free_futures(struct foretelling *telling)
{
    for (size_t i = 0; i < telling->count; i++) {
        base_free(telling->futures[i].uses);
        base_free(telling->futures[i].next);
    }
    base_free(telling->futures);
}

/* ---- silent runs ----------------------------------------------------------------------------- */

static struct foretelling *foretelling_of(struct scenario_host *host)
{
    return CONTAINER_OF(host, struct foretelling, host);
}

static bool is_last(const struct scenario_result *result)
{
    return result->exit == SCENARIO_EXIT_LIMIT || result->exit == SCENARIO_EXIT_INTERRUPTED;
}

/* Only that a limit was passed, or that the user has enough: then there is no other run. */
static void message(struct scenario_host *host, const struct scenario_message *message)
{
    const struct foretelling *telling = foretelling_of(host);
    if (message->severity == SCENARIO_STOPPED && is_last(telling->result))
        telling->heard->message(telling->heard, message);
}

static void started(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    const struct vidmm_refusal *refusal = vidmm_last_refusal(adapter);
    if (refusal && refusal->rules[0] == VIDMM_RULE(POLICY_013))
        foretelling_of(host)->wanted = true;
}

static void stopped(struct scenario_host *host, const struct scenario_result *result)
{
    struct scenario_host *heard = foretelling_of(host)->heard;
    if (heard->stopped)
        heard->stopped(heard, result);
}

static bool interrupted(struct scenario_host *host)
{
    struct scenario_host *heard = foretelling_of(host)->heard;
    return heard->interrupted(heard);
}

/* False: it was stopped. */
static bool run_silently(struct foretelling *telling, struct scenario *scenario,
                         const struct scenario_options *options, struct scenario_result *result)
{
    struct scenario_options silent = *options;
    silent.check_invariants = silent.tell_complaints = silent.tell_statements = false;
    telling->host = (struct scenario_host){
        .message = message,
        .started = started,
        .stopped = stopped,
        .interrupted = telling->heard->interrupted ? interrupted : NULL,
        .policies = telling->heard->policies,
        .policy_count = telling->heard->policy_count,
    };
    scenario->host = &telling->host;
    scenario->foresight = telling->recording ? &telling->foresight : NULL;
    *result = (struct scenario_result){ .exit = SCENARIO_EXIT_OK };
    telling->result = result;
    run_scenario(scenario, &silent, result);
    scenario->host = telling->heard;
    scenario->foresight = telling->heard->foresight;
    return !is_last(result);
}

static bool record(struct foretelling *telling, struct scenario *scenario,
                   const struct scenario_options *options, struct scenario_result *result)
{
    struct scenario_options documented = *options;
    const char **settings = base_alloc(options->setting_count + 1, sizeof *settings);
    for (size_t i = 0; i < options->setting_count; i++)
        settings[i] = options->settings[i];
    settings[documented.setting_count++] = "eviction=wddm";
    documented.settings = settings;
    telling->recording = true;
    bool whole = run_silently(telling, scenario, &documented, result);
    telling->recording = false;
    base_free(settings);
    return whole;
}

/* ---- is it needed? --------------------------------------------------------------------------- */

static bool mentions(const char *text, size_t bytes, const char *part)
{
    size_t length = strlen(part);
    for (const char *end = text + bytes; (size_t)(end - text) >= length; text++) {
        text = memchr(text, part[0], (size_t)(end - text) - length + 1);
        if (!text)
            return false;
        if (memcmp(text, part, length) == 0)
            return true;
    }
    return false;
}

/* May an adapter have another order of victims than the documented one? The options decide before
   the text. */
static bool chooses(const struct scenario *scenario, const struct scenario_options *options)
{
    static const char setting[] = "eviction=";
    for (size_t i = options->setting_count; i > 0; i--) {
        const char *option = options->settings[i - 1];
        if (strncmp(option, setting, sizeof setting - 1) != 0)
            continue;
        const struct vidmm_setting_info *info = vidmm_setting_row(VIDMM_SETTING_EVICTION);
        const struct vidmm_eviction_policy *policy =
            vidmm_eviction_policy_row(vidmm_setting_word(info, option + sizeof setting - 1));
        return !policy || policy->foresees;
    }
    for (size_t i = 0; i < scenario->source_count; i++)
        if (mentions(scenario->sources[i]->text, scenario->sources[i]->bytes, setting))
            return true;
    return false;
}

bool foretell_run(struct scenario *scenario, const struct scenario_options *options,
                  struct scenario_result *result)
{
    struct foretelling telling = { .heard = scenario->host, .scenario = scenario };
    struct scenario_options first = *options;
    first.start_only = true;
    if (options->start_only || !chooses(scenario, options))
        return false;
    bool whole = run_silently(&telling, scenario, &first, result);
    if (whole && !telling.wanted)
        return false;
    telling.foresight = (struct vidmm_foresight){ begun, referenced, next_use, &telling };
    whole = whole && record(&telling, scenario, options, result);
    if (whole) {
        telling.started = 0;
        scenario->foresight = &telling.foresight;
        *result = (struct scenario_result){ .exit = SCENARIO_EXIT_OK };
        run_scenario(scenario, options, result);
        if (result->exit == SCENARIO_EXIT_OK)
            expect_all(&telling);
        if (telling.departed && result->exit < SCENARIO_EXIT_INPUT)
            result->exit = SCENARIO_EXIT_INPUT;
    }
    scenario->foresight = scenario->host->foresight;
    free_futures(&telling);
    return true;
}
