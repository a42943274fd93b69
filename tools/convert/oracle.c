/* SPDX-License-Identifier: MIT */
/*
 * oracle.c: oracleGeneral, the binary form of cache traces that libCacheSim reads.
 *
 * A record has 24 bytes, little endian and without gaps: u32 time in seconds, u64 object, u32 size
 * in bytes, i64 number of the object's next request (-1, or the largest number: there is none).
 * Like libCacheSim, requests of no byte are left out; with --object-size they count. The last
 * member decides nothing here; it shows whether the bytes are what they seem.
 */
#include "tools/convert/trace.h"

#include <inttypes.h>
#include <string.h>

enum { RECORD_BYTES = 24 };

struct record {
    uint64_t object;
    int64_t next;
    uint32_t time, size;
};

static struct record unpack_record(const char *bytes)
{
    struct record record;
    memcpy(&record.time, bytes, sizeof record.time);
    memcpy(&record.object, bytes + 4, sizeof record.object);
    memcpy(&record.size, bytes + 12, sizeof record.size);
    memcpy(&record.next, bytes + 16, sizeof record.next);
    return record;
}

/* False: no more of them. */
static bool take_record(struct trace *trace, const struct record *record)
{
    struct trace_request request = { .time = record->time,
                                     .size = record->size,
                                     .next = TRACE_NEVER };
    if (!record->size && !trace->options->object_size) {
        trace->empty++;
        return true;
    }
    if (record->next >= 0 && record->next < INT64_MAX)
        request.next = (uint64_t)record->next;
    request.object = objects_number(&trace->objects, record->object);
    return trace_request(trace, &request);
}

bool oracle_read(struct trace *trace)
{
    struct input *input = trace->input;
    size_t have;
    trace->has_time = trace->has_size = true;
    while ((have = input_have(input, RECORD_BYTES)) == RECORD_BYTES) {
        struct record record = unpack_record(input->window + input->at);
        if (record.next < -1)
            return input_wrong(input, input->offset + 16,
                               "the next access of record %" PRIu64 " is %" PRId64
                               ": a number of a request, or -1 for none, was expected; is this "
                               "oracleGeneral?",
                               input->offset / RECORD_BYTES, record.next);
        if (trace->request_count == UINT32_MAX)
            return input_wrong(input, input->offset, "more than %" PRIu32 " requests", UINT32_MAX);
        input_take(input, RECORD_BYTES);
        if (!take_record(trace, &record))
            return true;
    }
    if (input_failed(input))
        return false;
    if (have)
        return input_wrong(input, input->offset, "the last record has %zu of %d bytes", have,
                           RECORD_BYTES);
    return true;
}
