/* SPDX-License-Identifier: MIT */
/*
 * trace.c: what the readers of all formats share: requests, sizes, and what is said of them.
 */
#include "tools/convert/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- what is said -------------------------------------------------------------------------- */

void trace_assume(struct trace *trace, const char *what, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(&trace->report->assumed, "%-10s%s\n", what, line);
}

void trace_doubt(struct trace *trace, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(&trace->report->doubts, "%s: warning: %s\n", trace->input->name, line);
    trace_assume(trace, "warning:", "%s", line);
}

bool trace_refuse(struct trace *trace, const char *format, ...)
{
    char line[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!input_failed(trace->input))
        text_add(&trace->input->problem, "%s: error: %s\n", trace->input->name, line);
    return false;
}

/* Where it lies is no business of those who get the scenario. */
static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

void trace_assume_input(struct trace *trace)
{
    const struct input *input = trace->input;
    struct text name = { 0 };
    text_add(&name, "%s", last_part(input->name));
    for (size_t i = 0; i < name.length; i++)
        if ((unsigned char)name.bytes[i] < ' ' || (unsigned char)name.bytes[i] >= 0x7F)
            name.bytes[i] = '?';
    trace_assume(trace, "input:", "%.200s, %" PRIu64 " bytes read%s, FNV-1a %016" PRIx64,
                 text_get(&name), input->read_bytes, input->zstd ? " (packed by zstd)" : "",
                 input->hash);
    text_free(&name);
}

void trace_write_head(const struct trace *trace, FILE *out, const char *title)
{
    const char *line = text_get(&trace->report->assumed);
    (void)fprintf(out, "vidmm-scenario 1\n# %s, made by vidmm convert.\n#\n", title);
    while (*line) {
        size_t length = strcspn(line, "\n");
        (void)fprintf(out, "# %.*s\n", (int)length, line);
        line += length + 1;
    }
    (void)fputc('\n', out);
}

/* ---- sizes --------------------------------------------------------------------------------- */

struct text_short trace_size(uint64_t bytes)
{
    return bytes % 1024 ? text_print("%" PRIu64, bytes) : text_print("%" PRIu64 "K", bytes / 1024);
}

uint64_t trace_bytes(const struct trace *trace, uint64_t size, uint64_t unit)
{
    if (trace->options->object_size)
        size = trace->options->object_size;
    else
        size = multiply_capped(size, unit);
    return size > TRACE_SIZE_MOST ? 0 : align_up(max_u64(size, 1), TRACE_PAGE);
}

uint64_t trace_percent(uint64_t bytes, uint64_t percent)
{
    uint64_t sum = multiply_capped(bytes / 100, percent);
    return add_fits(sum, multiply_capped(bytes % 100, percent) / 100, &sum) ? sum : UINT64_MAX;
}

/* ---- requests ------------------------------------------------------------------------------ */

static void show_first(struct trace *trace, const struct trace_request *request)
{
    char time[40] = "";
    const struct object *object = &trace->objects.list[request->object];
    if (trace->request_count > TRACE_FIRST_ROWS)
        return;
    if (trace->has_time)
        (void)snprintf(time, sizeof time, "time %" PRIu64 ", ", request->time);
    text_add(&trace->first, "%sobject ", time);
    for (uint32_t i = 0; i < object->length && i < 40; i++) {
        char c = trace->objects.texts[object->name + i];
        text_add(&trace->first, "%c", c > ' ' && c < 0x7F ? c : '?');
    }
    if (!object->length)
        text_add(&trace->first, "%" PRIu64, object->name);
    if (trace->has_size)
        text_add(&trace->first, ", size %" PRIu64, request->size);
    text_add(&trace->first, " -> page-in @%" PRIu32 "\n", request->object + 1);
}

static void count_time(struct trace *trace, uint64_t time)
{
    if (!trace->request_count)
        trace->time_first = time;
    else
        trace->time_back += time < trace->time_last;
    trace->time_last = time;
}

static void count_size(struct trace *trace, struct object *object, uint64_t size)
{
    if (!object->requests)
        object->size = size;
    trace->other_sizes += object->size != size;
    trace->size_least = trace->request_count ? min_u64(trace->size_least, size) : size;
    trace->size_most = max_u64(trace->size_most, size);
}

/* The records count requests from 0 or from 1, and empty ones too. */
static void count_foretold(struct trace *trace, struct object *object, uint64_t next)
{
    uint64_t number = trace->request_count + trace->empty;
    if (object->requests && object->next) {
        trace->foretold++;
        trace->right += object->next == number || object->next == number + 1;
    }
    object->next = next == TRACE_NEVER ? 0 : next;
    if (object->requests && next != TRACE_NEVER && next <= number) {
        trace->foretold++; /* the past */
        object->next = 0;
    }
}

bool trace_request(struct trace *trace, const struct trace_request *request)
{
    struct object *object = &trace->objects.list[request->object];
    count_time(trace, request->time);
    count_size(trace, object, request->size);
    count_foretold(trace, object, request->next);
    object->requests += object->requests < UINT32_MAX;
    BASE_GROW(trace->requests, trace->request_capacity, trace->request_count + 1);
    trace->requests[trace->request_count++] = request->object;
    show_first(trace, request);
    return !trace->options->limit || trace->request_count < trace->options->limit;
}
