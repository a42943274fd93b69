/* SPDX-License-Identifier: MIT */
/*
 * fuzz_language.c: any bytes at all are read, checked, laid out, and run for a while.
 *
 * Nothing may crash, hang or grow without bound, and the layout has to be a fixed point. The entry
 * is that of fuzzing engines; fuzz_replay.c calls it without one.
 */
#include "scenarios/lang/scenario.h"
#include "vidmm/base/base.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct output {
    char *text;
    size_t length, capacity;
};

static void write_text(void *context, const char *text, size_t bytes)
{
    struct output *output = context;
    BASE_GROW(output->text, output->capacity, output->length + bytes + 1);
    memcpy(output->text + output->length, text, bytes);
    output->length += bytes;
}

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    CHECK(message->rendered[strlen(message->rendered) - 1] == '\n');
}

static void tell(struct scenario_host *host, const struct scenario_telling *telling)
{
    (void)host;
    CHECK(telling->text);
}

/* One file that can be included, besides those that cannot. */
static bool load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    static const char card[] = "vidmm-scenario 1\nsegment s id=1 kind=memory size=4M\n";
    (void)host;
    if (strcmp(path, "card.vms") != 0)
        return false;
    *text = base_strndup(card, strlen(card));
    *bytes = strlen(card);
    return true;
}

static bool format(struct scenario_host *host, const char *text, size_t bytes,
                   struct output *output)
{
    struct scenario *scenario = scenario_parse(text, bytes, "fuzz.vms", host);
    bool whole = scenario_format(scenario, write_text, output);
    scenario_free(scenario);
    return whole;
}

static void check_layout(struct scenario_host *host, const char *text, size_t bytes)
{
    struct output once = { 0 };
    struct output twice = { 0 };
    if (format(host, text, bytes, &once)) {
        CHECK(format(host, once.text, once.length, &twice));
        CHECK(once.length == twice.length && memcmp(once.text, twice.text, once.length) == 0);
    }
    base_free(once.text);
    base_free(twice.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scenario_host host = { .message = hear, .tell = tell, .load = load };
    const struct scenario_options options = { .limits = { .operations = 2000,
                                                          .live = 2000,
                                                          .time = 1000000000000,
                                                          .memory_bytes = 64 << 20 } };
    struct scenario_result result;
    /* A copy of just this length: a read past the end is noticed. */
    char *text = base_alloc(size, 1);
    memcpy(text, data, size);
    check_layout(&host, text, size);
    struct scenario *scenario = scenario_parse(text, size, "fuzz.vms", &host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text);
    return 0;
}
