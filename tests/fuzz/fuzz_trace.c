/* SPDX-License-Identifier: MIT */
/*
 * fuzz_trace.c: any bytes as a trace, in every format, plain and packed.
 *
 * Nothing may crash, hang or grow without bound; a refusal says why in lines that no terminal
 * obeys, and what is accepted is a scenario without errors. The entry is that of fuzzing engines;
 * fuzz_replay.c calls it without one.
 */
#define _POSIX_C_SOURCE 200809L /* fmemopen, open_memstream */
#include "scenarios/lang/scenario.h"
#include "tools/convert/convert.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKED_MOST = 1 << 16 };

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    (void)fputs(message->rendered, stderr);
}

static void check_lines(const struct text *text)
{
    CHECK(!text->length || text->bytes[text->length - 1] == '\n');
    for (size_t i = 0; i < text->length; i++)
        CHECK((unsigned char)text->bytes[i] >= ' ' || text->bytes[i] == '\n' ||
              text->bytes[i] == '\t');
}

static void check_scenario(const char *text, size_t bytes)
{
    struct scenario_host host = { .message = hear };
    const struct scenario_options options = {
        .limits = { .operations = 300, .time = 1000000000000, .memory_bytes = 64 << 20 }
    };
    struct scenario_result result;
    struct scenario *scenario = scenario_parse(text, bytes, "fuzz.vms", &host);
    CHECK(scenario_check(scenario));
    scenario_run(scenario, &options, &result);
    CHECK(result.exit == SCENARIO_EXIT_OK || result.exit == SCENARIO_EXIT_LIMIT);
    scenario_free(scenario);
}

static void convert(const void *bytes, size_t size, const struct convert_options *options)
{
    struct convert_report report = { 0 };
    char *text = NULL;
    size_t length = 0;
    FILE *in = fmemopen((void *)(uintptr_t)bytes, size, "rb");
    FILE *out = open_memstream(&text, &length);
    CHECK(in && out);
    bool whole = convert_trace(in, "fuzz", options, out, &report);
    CHECK(fclose(in) == 0 && fclose(out) == 0);
    CHECK(whole == !report.problem.length);
    check_lines(&report.problem);
    check_lines(&report.assumed);
    check_lines(&report.doubts);
    if (!whole)
        CHECK(length == 0);
    else if (options->from != CONVERT_AUTO)
        check_scenario(text, length);
    convert_report_free(&report);
    free(text);
}

/* As it is, and with a byte changed: what that does depends on the bytes only. */
static void convert_packed(const uint8_t *data, size_t size, const struct convert_options *options)
{
    size_t room = ZSTD_compressBound(size);
    unsigned char *packed = base_alloc(room, 1);
    size_t count = ZSTD_compress(packed, room, data, size, 1);
    CHECK(!ZSTD_isError(count));
    convert(packed, count, options);
    packed[data[0] % count] ^= (unsigned char)(data[size - 1] | 1);
    convert(packed, count, options);
    base_free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    /* A copy of just this length: a read past the end is noticed. */
    uint8_t *bytes = base_alloc(size, 1);
    memcpy(bytes, data, size);
    for (int from = CONVERT_AUTO; from < CONVERT_VMS; from++) {
        struct convert_options options = { .from = (enum convert_format)from };
        convert(bytes, size, &options);
        options.capacity.amount = 1 + data[size / 2];
        options.capacity.unit = data[0] % 3;
        options.object_size = data[0] % 2 ? 4096 : 0;
        options.unit = data[size - 1] % 4 ? 0 : UINT64_C(1) << data[size - 1] % 50;
        options.header = data[size / 3] % 3;
        options.limit = data[size / 3] % 2 ? 1 + data[size / 4] % 8 : 0;
        options.columns = data[size - 1] % 3 ? NULL : "id=1,size=2";
        convert(bytes, size, &options);
        if (size <= PACKED_MOST)
            convert_packed(bytes, size, &options);
    }
    base_free(bytes);
    return 0;
}
