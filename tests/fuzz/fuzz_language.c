/* SPDX-License-Identifier: MIT */
/*
 * fuzz_language.c: any bytes at all are read, checked, laid out, and run for a while.
 *
 * Nothing may crash, hang, grow without bound or break an invariant. Text output is UTF-8 without
 * control characters, and the same a second time; every line of JSON lines is JSON. The
 * layout is a fixed point, and when it is run and nobody watches, it ends as the text does. The
 * entry is that of fuzzing engines, as is the one of edit_text.c, which changes whole lines and
 * words; fuzz_replay.c calls both without one.
 */
#define _POSIX_C_SOURCE 200809L

#include "scenarios/lang/scenario.h"
#include "tools/story/story.h"
#include "vidmm/base/base.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDTH = 80, OUTPUT_MOST = 1 << 18 };

struct output {
    char *text;
    size_t length, capacity;
};

/* One run, and where it is told. */
struct telling {
    struct scenario_host host;
    struct sink *sink; /* NULL: nowhere */
    FILE *out;
    char *text; /* of a sink; free() */
    size_t bytes;
    const char *given; /* the scenario */
    size_t given_bytes;
    bool good; /* it has no mistakes */
    struct scenario_result result;
};

static void write_text(void *context, const char *text, size_t bytes)
{
    struct output *output = context;
    BASE_GROW(output->text, output->capacity, output->length + bytes + 1);
    memcpy(output->text + output->length, text, bytes);
    output->length += bytes;
}

static struct telling *telling_of(struct scenario_host *host)
{
    return CONTAINER_OF(host, struct telling, host);
}

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    struct sink *sink = telling_of(host)->sink;
    CHECK(message->rendered[strlen(message->rendered) - 1] == '\n');
    if (sink)
        sink->message(sink, message);
}

static void tell(struct scenario_host *host, const struct scenario_telling *telling)
{
    struct sink *sink = telling_of(host)->sink;
    CHECK(telling->text);
    if (sink)
        sink->tell(sink, telling);
}

static void started(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    struct sink *sink = telling_of(host)->sink;
    if (sink)
        sink->started(sink, adapter);
}

static void ended(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    struct sink *sink = telling_of(host)->sink;
    if (sink && sink->ended)
        sink->ended(sink, adapter);
}

/* A limit in the middle of an operation ends a process. Here it ends a thread, and what that holds
   is left behind. */
static void stopped(struct scenario_host *host, const struct scenario_result *result)
{
    telling_of(host)->result = *result;
    pthread_exit(NULL);
}

/* Output has an end, too. */
static bool done(struct scenario_host *host)
{
    const struct telling *telling = telling_of(host);
    return telling->out && ftell(telling->out) > OUTPUT_MOST;
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

static void telling_init(struct telling *telling)
{
    *telling = (struct telling){ .host = { .message = hear,
                                           .load = load,
                                           .tell = tell,
                                           .started = started,
                                           .ended = ended,
                                           .stopped = stopped,
                                           .done = done } };
}

/* ---- the layout ------------------------------------------------------------------------------ */

static bool format(const char *text, size_t bytes, struct output *output)
{
    struct telling telling;
    telling_init(&telling);
    struct scenario *scenario = scenario_parse(text, bytes, "fuzz.vms", &telling.host);
    bool whole = scenario_format(scenario, write_text, output);
    scenario_free(scenario);
    return whole;
}

static bool check_layout(const char *text, size_t bytes, struct output *once)
{
    struct output twice = { 0 };
    if (!format(text, bytes, once))
        return false;
    CHECK(format(once->text, once->length, &twice));
    CHECK(once->length == twice.length && memcmp(once->text, twice.text, once->length) == 0);
    base_free(twice.text);
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void *lead(void *context)
{
    const struct scenario_options options = { .tell_complaints = true,
                                              .check_invariants = true,
                                              .limits = { .operations = 200,
                                                          .work = 200000,
                                                          .live = 2000,
                                                          .time = 1000000000000,
                                                          .memory_bytes = 64 << 20 } };
    struct telling *telling = context;
    struct scenario *scenario =
        scenario_parse(telling->given, telling->given_bytes, "fuzz.vms", &telling->host);
    telling->good = scenario_check(scenario);
    if (telling->good)
        scenario_run(scenario, &options, &telling->result);
    scenario_free(scenario);
    return NULL;
}

/* False: it has mistakes. `open` NULL: nobody watches. */
static bool run(struct telling *telling, struct sink *(*open)(const struct sink_options *options),
                const char *text, size_t bytes)
{
    struct sink_options told = { .why = true, .calls = true, .verbose = true, .to = UINT64_MAX };
    pthread_t thread;
    telling_init(telling);
    telling->given = text;
    telling->given_bytes = bytes;
    if (open) {
        telling->out = open_memstream(&telling->text, &telling->bytes);
        CHECK(telling->out);
        screen_init(&told.screen, telling->out, SCREEN_COLOR_NEVER, SCREEN_LETTERS_ASCII, WIDTH);
        telling->sink = open(&told);
        telling->sink->begin(telling->sink, "fuzz.vms");
        telling->host.observers = &telling->sink->observer;
    }
    CHECK(pthread_create(&thread, NULL, lead, telling) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(telling->result.exit != SCENARIO_EXIT_INVARIANT);
    if (telling->sink) {
        if (telling->good)
            telling->sink->end(telling->sink, "fuzz.vms", &telling->result);
        else
            telling->sink->refused(telling->sink, "fuzz.vms", SCENARIO_EXIT_INPUT);
        telling->sink->close(telling->sink);
        CHECK(fclose(telling->out) == 0);
    }
    return telling->good;
}

/* How many bytes the character has; 0: it is none, or one that a terminal obeys. */
static size_t character_length(const unsigned char *at, size_t left)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    if (*at < 0x80) /* a string may hold a tab */
        return *at == '\n' || *at == '\t' || (*at >= ' ' && *at != 0x7F);
    size_t length = *at >= 0xF0 ? 4 : *at >= 0xE0 ? 3 : *at >= 0xC0 ? 2 : 0;
    if (!length || length > left || *at > 0xF4)
        return 0;
    uint32_t code = *at & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0u) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3Fu);
    }
    bool bidi = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    bool bad = code < least[length] || code < 0xA0 || code > 0x10FFFF || surrogate || bidi;
    return bad ? 0 : length;
}

static void check_characters(const char *text, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t i = 0, length; i < bytes; i += length) {
        length = character_length(at + i, bytes - i);
        CHECK(length);
    }
}

static void check_json(const char *text, size_t bytes)
{
    CHECK(!bytes || text[bytes - 1] == '\n');
    while (bytes) {
        const char *end = memchr(text, '\n', bytes);
        const char *parsed = NULL;
        cJSON *json = cJSON_ParseWithLengthOpts(text, (size_t)(end - text), &parsed, false);
        CHECK(cJSON_IsObject(json) && parsed == end);
        cJSON_Delete(json);
        bytes -= (size_t)(end + 1 - text);
        text = end + 1;
    }
}

static void check_same_end(const struct telling *one, const struct telling *other)
{
    CHECK(one->result.exit == other->result.exit);
    CHECK(one->result.operations == other->result.operations);
    CHECK(one->result.failures == other->result.failures);
    CHECK(one->result.unexpected == other->result.unexpected);
    CHECK(one->result.findings == other->result.findings);
    CHECK(one->result.bugcheck == other->result.bugcheck);
}

/* What else holds of a text without mistakes; `which` of it is tried. */
static void run_again(const struct telling *first, uint8_t which, const struct output *layout)
{
    static struct telling other;
    if (which == 0) {
        run(&other, sink_text_open, first->given, first->given_bytes);
        CHECK(first->bytes == other.bytes && memcmp(first->text, other.text, first->bytes) == 0);
    } else if (which == 1) {
        run(&other, sink_jsonl_open, first->given, first->given_bytes);
        check_json(other.text, other.bytes);
    } else {
        CHECK(run(&other, NULL, layout->text, layout->length));
        if (first->result.exit != SCENARIO_EXIT_LIMIT && first->bytes < OUTPUT_MOST)
            check_same_end(first, &other);
    }
    free(other.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct telling first;
    struct output layout = { 0 };
    uint8_t sum = 0;
    /* A copy of just this length: a read past the end is noticed. */
    char *text = base_alloc(size, 1);
    memcpy(text, data, size);
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + data[i]);
    bool laid_out = check_layout(text, size, &layout);
    bool good = run(&first, sink_text_open, text, size);
    check_characters(first.text, first.bytes);
    CHECK(!good || laid_out);
    if (good) /* one of them: each takes as long as all before it */
        run_again(&first, sum % 3, &layout);
    free(first.text);
    base_free(layout.text);
    base_free(text);
    return 0;
}
