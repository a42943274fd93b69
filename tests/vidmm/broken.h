/* SPDX-License-Identifier: MIT */
/*
 * broken.h: a scenario makes a state; when its adapter is about to go, one member after another
 * gets a wrong value, and vidmm_check() has to say the right sentence, and nothing when the value
 * is restored.
 */
#ifndef TESTS_VIDMM_BROKEN_H
#define TESTS_VIDMM_BROKEN_H

#include <string.h>

#include "scenarios/lang/scenario.h"
#include "tests/support/unit.h"
#include "vidmm/share/share.h"

enum { MOST_BYTES = 8, TEXT_BYTES = 240 };

struct scene {
    struct scenario_host host;
    void (*look)(adapter_t *adapter);
    bool looked;
};

/* ---- what is broken ------------------------------------------------------------------------- */

static inline void expect_finding(const adapter_t *adapter, const char *sentence)
{
    char problem[TEXT_BYTES];
    bool right = vidmm_check(adapter, problem, sizeof problem);
    if (!sentence && !right)
        fail_msg("found: %s", problem);
    if (sentence && (right || strcmp(problem, sentence) != 0))
        fail_msg("found: %s\ninstead of: %s", right ? "nothing" : problem, sentence);
}

/* Puts a value of so many bytes in the place of the one that is there, which it returns. */
static inline uint64_t exchange(const void *member, size_t bytes, uint64_t value)
{
    uint64_t was = 0;
    assert_true(bytes <= MOST_BYTES);
    memcpy(&was, member, bytes);
    memcpy((void *)(uintptr_t)member, &value, bytes);
    return was;
}

/* BREAK(member, wrong value, sentence): NULL as the sentence if it is nothing to complain of. */
#define BREAK(member, value, sentence)                                                             \
    do {                                                                                           \
        uint64_t was_ = exchange(&(member), sizeof(member), (uint64_t)(value));                    \
        expect_finding(adapter, sentence);                                                         \
        (void)exchange(&(member), sizeof(member), was_);                                           \
        expect_finding(adapter, NULL);                                                             \
    } while (0)

/* The same with a member of a pageable that has no address. */
#define BREAK_BITS(whole, member, value, sentence)                                                 \
    do {                                                                                           \
        struct pageable *it_ = (struct pageable *)(uintptr_t)(whole), was_ = *it_;                 \
        it_->member = (value);                                                                     \
        expect_finding(adapter, sentence);                                                         \
        *it_ = was_;                                                                               \
        expect_finding(adapter, NULL);                                                             \
    } while (0)

#define POINTER(object) ((uintptr_t)(object))

static inline struct allocation *named(const adapter_t *adapter, const char *label)
{
    for (const struct device *device = device_first(adapter); device; device = device->next)
        for (struct allocation *a = device->allocations; a; a = a->device_next)
            if (strcmp(a->pageable.label, label) == 0)
                return a;
    fail_msg("no allocation %s", label);
    return NULL;
}

static inline void ended(struct scenario_host *host, adapter_t *adapter)
{
    struct scene *scene = CONTAINER_OF(host, struct scene, host);
    expect_finding(adapter, NULL);
    scene->look(adapter);
    scene->looked = true;
}

static inline void message(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    print_message("%s", message->rendered);
}

static inline void run(const char *text, void (*look)(adapter_t *adapter))
{
    struct scene scene = { .host = { .message = message, .ended = ended }, .look = look };
    struct scenario_options options = { 0 };
    struct scenario_result result = { 0 };
    struct scenario *scenario = scenario_parse(text, strlen(text), "scene.vms", &scene.host);
    assert_true(scenario_check(scenario));
    assert_int_equal(scenario_run(scenario, &options, &result), SCENARIO_EXIT_OK);
    assert_true(scene.looked);
    scenario_free(scenario);
}

#endif
