/* SPDX-License-Identifier: MIT */
/*
 * requests.c: cache traces as lines of columns: an object, and a time and a size where there are.
 *
 * Objects may have any name; "7" and "07" are two. The size of an object is that of its first
 * request.
 */
#include "tools/convert/trace.h"

#include <inttypes.h>

static void say_columns(struct trace *trace, const struct table *table)
{
    struct text text = { 0 };
    static const enum role roles[] = { ROLE_TIME, ROLE_ID, ROLE_SIZE };
    for (size_t i = 0; i < ARRAY_COUNT(roles); i++)
        if (table->columns[roles[i]] >= 0)
            text_add(&text, "%s%s in column %d", text.length ? ", " : "", table_role(roles[i]),
                     table->columns[roles[i]] + 1);
    trace_assume(trace, "format:", "CSV, delimiter: %s, %s", table_delimiter(table),
                 table->has_header ? "the first line is a header" : "no header");
    trace_assume(trace, "columns:", "%s; all others are ignored", text_get(&text));
    text_free(&text);
}

static bool read_request(struct trace *trace, struct table *table, struct trace_request *request)
{
    struct field id;
    bool sizes_count = trace->has_size && !trace->options->object_size;
    if (!table_field(table, ROLE_ID, &id) ||
        (trace->has_time && !table_number(table, ROLE_TIME, &request->time)) ||
        (trace->has_size && !table_number(table, ROLE_SIZE, &request->size)))
        return false;
    if (trace->request_count == UINT32_MAX)
        return table_wrong(table, &id, "more than %" PRIu32 " requests", UINT32_MAX);
    if (trace->has_size && !trace_bytes(trace, request->size, max_u64(trace->options->unit, 1))) {
        struct field size;
        bool found = table_field(table, ROLE_SIZE, &size);
        CHECK(found);
        return table_wrong(table, &size, "no object is larger than 4 PiB");
    }
    /* An object that is never really asked for gets no number. */
    if (sizes_count && !request->size)
        trace->empty++;
    else
        request->object = objects_text(&trace->objects, id.text, id.length);
    return true;
}

bool requests_read(struct trace *trace, struct table *table)
{
    if (table->columns[ROLE_ID] < 0)
        return table_wrong(table, &table->fields[0],
                           "no column of this header is known to be the object: write "
                           "--columns=id=N, and time=N and size=N if there are");
    trace->has_time = table->columns[ROLE_TIME] >= 0;
    trace->has_size = table->columns[ROLE_SIZE] >= 0;
    say_columns(trace, table);
    while (table_next(table)) {
        struct trace_request request = { .next = TRACE_NEVER };
        uint64_t empty = trace->empty;
        if (!read_request(trace, table, &request))
            return false;
        if (trace->empty == empty && !trace_request(trace, &request))
            break;
    }
    return !input_failed(trace->input);
}
