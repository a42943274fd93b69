/* SPDX-License-Identifier: MIT */
/*
 * twins.c: scenarios as text and as binary twins, in both directions.
 *
 * Either is in memory as a whole, as it is when it runs.
 */
#include <inttypes.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/common/output.h"
#include "tools/convert/trace.h"

#define FILE_BYTES_MOST UINT32_MAX

static bool read_all(struct trace *trace, struct text *text)
{
    struct input *input = trace->input;
    size_t have;
    while ((have = input_have(input, INPUT_WINDOW / 2)) > 0) {
        if (text->length + have >= FILE_BYTES_MOST)
            return input_wrong(input, input->offset, "a scenario is at most 4 GiB long");
        text_add_bytes(text, input->window + input->at, have);
        input_take(input, have);
    }
    return !input_failed(input);
}

static bool write_twin(struct trace *trace, const struct text *text, FILE *out)
{
    size_t bytes;
    if (text->length >= FILE_BYTES_MOST)
        return trace_refuse(trace, "the scenario would be longer than 4 GiB");
    char *twin = scenario_pack(text_get(text), text->length, &bytes);
    (void)fwrite(twin, 1, bytes, out);
    base_free(twin);
    return true;
}

static bool write_text(struct trace *trace, const struct text *twin, FILE *out)
{
    char problem[160];
    size_t bytes;
    char *text = scenario_unpack(text_get(twin), twin->length, &bytes, problem);
    if (!text)
        return trace_refuse(trace, "this binary twin %s", problem);
    (void)fwrite(text, 1, bytes, out);
    base_free(text);
    return true;
}

bool twins_convert(struct trace *trace, bool is_twin, FILE *out)
{
    struct text bytes = { 0 };
    enum convert_to to = trace->options->to;
    if (to == CONVERT_TO_AUTO)
        to = is_twin ? CONVERT_TO_TEXT : CONVERT_TO_TWIN;
    trace_assume(trace, "format:", is_twin ? "a binary twin" : "a scenario");
    bool whole = read_all(trace, &bytes);
    if (whole && is_twin == (to == CONVERT_TO_TWIN))
        (void)fwrite(text_get(&bytes), 1, bytes.length, out);
    else if (whole)
        whole = is_twin ? write_text(trace, &bytes, out) : write_twin(trace, &bytes, out);
    text_free(&bytes);
    return whole;
}

static ssize_t collect(void *cookie, const char *bytes, size_t count)
{
    text_add_bytes(cookie, bytes, count);
    return (ssize_t)count;
}

bool twins_of_scenario(struct trace *trace, bool (*convert)(struct trace *trace, FILE *out),
                       FILE *out)
{
    struct text text = { 0 };
    FILE *stream = output_into(collect, &text);
    bool whole = convert(trace, stream);
    (void)fclose(stream);
    whole = whole && write_twin(trace, &text, out);
    text_free(&text);
    return whole;
}
