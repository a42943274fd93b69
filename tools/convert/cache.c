/* SPDX-License-Identifier: MIT */
/*
 * cache.c: a cache trace as a scenario: objects are allocations, the cache is a segment, a request
 * is a reference.
 *
 * A request is `page-in`: it needs the allocation in its segment, as a submission would, and counts
 * one reference; but no DMA buffer is built, patched, scheduled or waited for. Nothing has content
 * or is written, so a miss fills and an eviction copies nothing. An allocation is created just
 * before its first request and never destroyed: what is destroyed gives room back, and no cache
 * knows that it will not be asked again.
 */
#include "tools/convert/trace.h"

#include <inttypes.h>
#include <string.h>

/* How much all objects need, and the largest of them. */
struct footprint {
    uint64_t sum, largest;
    uint64_t unit;
    uint32_t largest_object;
};

/* ---- what cannot be a trace ---------------------------------------------------------------- */

static uint64_t count_repeated(const struct trace *trace)
{
    return trace->request_count - trace->objects.count;
}

static bool judge(struct trace *trace)
{
    bool uniform = trace->options->object_size != 0;
    if (!trace->request_count && trace->empty)
        return trace_refuse(trace,
                            "each of its %" PRIu64 " requests has the size 0: "
                            "--object-size=SIZE gives all objects one size",
                            trace->empty);
    if (!trace->request_count)
        return trace_refuse(trace, "it has no request");
    if (trace->objects.count == 1 && trace->request_count > 1)
        trace_doubt(trace, "all %zu requests are for one object; is the right column the object?",
                    trace->request_count);
    else if (!count_repeated(trace))
        trace_doubt(trace,
                    "no object is asked for twice, so no policy can score a hit; is the right "
                    "column the object?");
    if (trace->has_size && !uniform && trace->size_most < 512 && !trace->options->unit)
        trace_doubt(trace,
                    "no object has more than %" PRIu64 " bytes, and each takes a whole page; "
                    "--unit=SIZE says what one unit of a size is",
                    trace->size_most);
    if (trace->foretold > trace->right)
        trace_doubt(trace,
                    "%" PRIu64 " of %" PRIu64 " records foretell another next access than what "
                    "follows: is this oracleGeneral, and whole?",
                    trace->foretold - trace->right, trace->foretold);
    if (trace->time_back)
        trace_doubt(trace, "the time goes back %s; requests stay in their order",
                    text_count(trace->time_back, "time").it);
    if (trace->other_sizes && !uniform)
        trace_doubt(trace, "%s %s another size than the first of the same object, which counts",
                    text_count(trace->other_sizes, "request").it,
                    trace->other_sizes == 1 ? "has" : "have");
    return true;
}

/* ---- what is assumed ----------------------------------------------------------------------- */

static bool measure(struct trace *trace, struct footprint *footprint)
{
    footprint->unit = max_u64(trace->options->unit, 1);
    for (uint32_t i = 0; i < trace->objects.count; i++) {
        uint64_t bytes = trace_bytes(trace, trace->objects.list[i].size, footprint->unit);
        footprint->sum += bytes;
        if (!bytes || footprint->sum > TRACE_SUM_MOST)
            return trace_refuse(trace, "its objects are too large for any segment");
        if (bytes > footprint->largest) {
            footprint->largest = bytes;
            footprint->largest_object = i;
        }
    }
    return true;
}

/* Of the segment, in bytes; 0: `problem` says why not. */
static uint64_t choose_capacity(struct trace *trace, const struct footprint *footprint)
{
    const struct convert_options *options = trace->options;
    uint64_t amount = options->capacity.amount ? options->capacity.amount : 10;
    uint64_t bytes = amount;
    const char *how = "";
    bool percent = !options->capacity.amount || options->capacity.unit == CAPACITY_PERCENT;
    if (percent) {
        bytes = trace_percent(footprint->sum, amount);
        how = options->capacity.amount ? ", a part of all objects"
                                       : ", a tenth of all objects (--capacity says otherwise)";
        bytes = max_u64(align_down(bytes, TRACE_PAGE), footprint->largest);
    } else if (options->capacity.unit == CAPACITY_OBJECTS) {
        if (!options->object_size && trace->has_size && trace->size_least != trace->size_most)
            return trace_refuse(trace, "objects differ in size: a capacity in objects needs "
                                       "--object-size=SIZE");
        bytes = multiply_capped(amount, footprint->largest);
        how = ", as many objects as wanted";
    } else {
        bytes = align_down(bytes, TRACE_PAGE);
    }
    if (bytes < footprint->largest)
        return trace_refuse(trace,
                            "object %" PRIu32 " (its first request is `page-in @%" PRIu32
                            "`) needs %s, more than the capacity of %s",
                            footprint->largest_object + 1, footprint->largest_object + 1,
                            text_size(footprint->largest).it, text_size(amount).it);
    if (bytes > TRACE_SUM_MOST)
        return trace_refuse(trace, "the capacity is too large for any segment");
    trace_assume(trace, "segment:", "%s%s", text_size(bytes).it, how);
    return bytes;
}

static void assume_all(struct trace *trace, const struct footprint *footprint)
{
    const struct convert_options *options = trace->options;
    trace_assume_input(trace);
    trace_assume(trace, "requests:", "%zu for %zu objects, %" PRIu64 " of them not the first",
                 trace->request_count, trace->objects.count, count_repeated(trace));
    if (trace->empty)
        trace_assume(trace, "", "left out: %s of size 0", text_count(trace->empty, "request").it);
    if (options->limit && trace->request_count == options->limit)
        trace_assume(trace, "", "no more were read (--limit)");
    if (trace->has_time)
        trace_assume(trace, "times:",
                     "%" PRIu64 " to %" PRIu64 "; not used, each request follows "
                     "the one before",
                     trace->time_first, trace->time_last);
    if (options->object_size)
        trace_assume(trace, "sizes:", "%s for every object (--object-size)%s",
                     text_size(footprint->largest).it, trace->has_size ? ", not the trace's" : "");
    else if (!trace->has_size)
        trace_assume(trace, "sizes:", "there are none: every object is one page of 4 KiB");
    else
        trace_assume(trace, "sizes:",
                     "%" PRIu64 " to %" PRIu64 ", in units of %s, rounded up to "
                     "pages of 4 KiB",
                     trace->size_least, trace->size_most,
                     footprint->unit == 1 ? "a byte" : text_size(footprint->unit).it);
    trace_assume(trace, "together:", "%s", text_size(footprint->sum).it);
    trace_assume(trace,
                 "content:", "none: a miss fills with a pattern, an eviction copies nothing");
    trace_assume(trace, "", "(so compare misses, or missed bytes)");
    const char *line = text_get(&trace->first);
    for (const char *what = "first:"; *line; what = "") {
        size_t length = strcspn(line, "\n");
        trace_assume(trace, what, "%.*s", (int)length, line);
        line += length + 1;
    }
}

/* ---- the scenario -------------------------------------------------------------------------- */

static bool is_uniform(const struct trace *trace)
{
    return trace->options->object_size || !trace->has_size;
}

static void write_requests(struct trace *trace, FILE *out, uint64_t unit)
{
    uint32_t seen = 0; /* objects are numbered in the order of their first requests */
    bool uniform = is_uniform(trace);
    for (size_t i = 0; i < trace->request_count; i++) {
        uint32_t object = trace->requests[i];
        if (object == seen) {
            uint64_t bytes = trace_bytes(trace, trace->objects.list[object].size, unit);
            (void)fprintf(out, "create @%" PRIu32 " : object", object + 1);
            (void)fprintf(out, uniform ? "\n" : " size=%s\n", trace_size(bytes).it);
            seen++;
        }
        (void)fprintf(out, "page-in @%" PRIu32 "\n", object + 1);
    }
}

bool cache_write(struct trace *trace, FILE *out)
{
    struct footprint footprint = { 0 };
    if (!judge(trace) || !measure(trace, &footprint))
        return false;
    assume_all(trace, &footprint);
    uint64_t capacity = choose_capacity(trace, &footprint);
    if (!capacity)
        return false;
    trace_write_head(trace, out, "A cache trace as references of allocations");
    uint64_t operations = trace->request_count + trace->objects.count + 10;
    (void)fprintf(out, "adapter wddm=1.1\nsegment cache id=1 kind=memory size=%s\n",
                  trace_size(capacity).it);
    (void)fprintf(out, "limit ops=%" PRIu64 " work=%" PRIu64 " live=%zu\n", operations,
                  multiply_capped(operations, 1000), trace->objects.count + 10);
    (void)fputs("class object segments=cache", out);
    if (is_uniform(trace))
        (void)fprintf(out, " size=%s", trace_size(footprint.largest).it);
    (void)fputs("\n\n", out);
    write_requests(trace, out, footprint.unit);
    (void)fputs("\nshow counters use_hits,use_misses,faults_first_access,evictions\n", out);
    return true;
}
