/* SPDX-License-Identifier: MIT */
/*
 * fuzz_twin.c: any bytes as a text with a twin, and any changes of a twin.
 *
 * From a twin comes the same text, whatever it was. With bytes of the twin changed, and its check
 * made right again, it is refused, or stands for another text; and then reading the twin and
 * reading that text give the same messages. The entry is that of fuzzing engines; fuzz_replay.c
 * calls it without one.
 */
#include "scenarios/lang/scenario.h"
#include "scenarios/lang/scenario_twin.h"
#include "scenarios/lang/text/twin.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES = 12, SIZE_MOST = 1 << 16 };

struct heard {
    struct scenario_host host;
    uint64_t hash, count;
};

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    struct heard *heard = CONTAINER_OF(host, struct heard, host);
    heard->count++;
    for (const char *at = message->rendered; *at; at++)
        heard->hash = (heard->hash ^ (unsigned char)*at) * 0x100000001B3;
}

static bool load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host;
    (void)path;
    (void)text;
    (void)bytes;
    return false;
}

static struct heard read_all(const char *bytes, size_t count)
{
    struct heard heard = { .host = { .message = hear, .load = load } };
    const struct scenario_options options = { .limits = { .operations = 200,
                                                          .live = 200,
                                                          .time = 1000000000000,
                                                          .memory_bytes = 64 << 20 } };
    struct scenario_result result;
    struct scenario *scenario = scenario_parse(bytes, count, "fuzz.vms", &heard.host);
    if (scenario_check(scenario)) {
        scenario_run(scenario, &options, &result);
        heard.hash += result.operations + result.failures + result.exit;
    }
    scenario_free(scenario);
    return heard;
}

/* Of a twin that says to be one. */
static void try_twin(const char *bytes, size_t count)
{
    char problem[160];
    size_t text_bytes;
    char *text = scenario_unpack(bytes, count, &text_bytes, problem);
    struct heard twin = read_all(bytes, count);
    if (!text) {
        CHECK(twin.count == 1);
        return;
    }
    if (!scenario_is_twin(text, text_bytes)) { /* what begins like a twin is read as one */
        struct heard plain = read_all(text, text_bytes);
        CHECK(plain.hash == twin.hash && plain.count == twin.count);
    }
    base_free(text);
}

static void change(char *bytes, size_t count, uint64_t *state)
{
    for (int i = 0; i < CHANGES; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        size_t at = 8 + (*state >> 20) % (count - 8);
        static const char values[] = { 0, 1, '#', '@', '\n', 'x', (char)0xFF, 2 };
        char old = bytes[at];
        bytes[at] = values[*state >> 61];
        twin_seal(bytes, count);
        try_twin(bytes, count);
        if (*state >> 60 & 1)
            bytes[at] = old;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char problem[160];
    size_t count, again;
    if (size > SIZE_MOST)
        return 0;
    uint64_t state = size;
    for (size_t i = 0; i < size; i++)
        state = (state ^ data[i]) * 0x100000001B3;
    char *twin = scenario_pack((const char *)data, size, &count);
    char *text = scenario_unpack(twin, count, &again, problem);
    CHECK(text && again == size && (!size || memcmp(text, data, size) == 0));
    try_twin(twin, count);
    change(twin, count, &state);
    /* Cut off somewhere. */
    size_t less = sizeof(struct twin_header) + state % (count - sizeof(struct twin_header) + 1);
    twin_seal(twin, less);
    try_twin(twin, less);
    base_free(twin);
    base_free(text);
    return 0;
}
