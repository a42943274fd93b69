/* SPDX-License-Identifier: MIT */
/*
 * trace.h: private: what a reader of a format finds, and how it becomes a scenario.
 *
 *     convert.c -> the reader of the format -> trace_request() for each request -> cache_write()
 *                                           -> lives_read(), which writes allocations itself
 */
#ifndef TOOLS_CONVERT_TRACE_H
#define TOOLS_CONVERT_TRACE_H

#include "tools/convert/convert.h"
#include "tools/convert/input.h"
#include "tools/convert/objects.h"
#include "tools/convert/table.h"

enum { TRACE_PAGE = 4096, TRACE_FIRST_ROWS = 3 };
/* Of one object, and of all together: what a scenario can still add up. */
#define TRACE_SIZE_MOST (UINT64_C(1) << 52)
#define TRACE_SUM_MOST  (UINT64_C(1) << 62)

struct trace {
    struct input *input;
    const struct convert_options *options;
    struct convert_report *report;
    struct objects objects;
    uint32_t *requests; /* objects, in the order of the requests */
    size_t request_count, request_capacity;
    uint64_t empty;       /* requests of no byte, which were left out */
    uint64_t other_sizes; /* requests whose size is not that of the object's first one */
    uint64_t size_least, size_most, time_first, time_last, time_back;
    uint64_t foretold, right; /* records that name the next request of their object */
    bool has_time, has_size;
    struct text first; /* the first rows and what became of them */
};

/* One request of a cache trace. */
struct trace_request {
    uint32_t object;
    uint64_t time, size;
    uint64_t next; /* the number of the object's next request, from 0; TRACE_NEVER: there is none */
};
#define TRACE_NEVER UINT64_MAX

/* False: so many requests are enough. */
bool trace_request(struct trace *trace, const struct trace_request *request);
/* The size in bytes, in whole pages; 0: it is too large. */
uint64_t trace_bytes(const struct trace *trace, uint64_t size, uint64_t unit);
/* One line of what was assumed. */
VIDMM_PRINTF(3, 4)
void trace_assume(struct trace *trace, const char *what, const char *format, ...);
VIDMM_PRINTF(2, 3) void trace_doubt(struct trace *trace, const char *format, ...);
/* A mistake that stands at no place; false. */
VIDMM_PRINTF(2, 3) bool trace_refuse(struct trace *trace, const char *format, ...);
void trace_assume_input(struct trace *trace);
/* The first lines of the scenario: what it is, and what was assumed. */
void trace_write_head(const struct trace *trace, FILE *out, const char *title);
/* So many hundredths of it; UINT64_MAX: more than can be said. */
uint64_t trace_percent(uint64_t bytes, uint64_t percent);
/* A size as the language has it: "64K". */
struct text_short trace_size(uint64_t bytes);

/* oracle.c, requests.c: false when `input->problem` says why. */
bool oracle_read(struct trace *trace);
bool requests_read(struct trace *trace, struct table *table);
/* cache.c: judges the requests, then writes them. */
bool cache_write(struct trace *trace, FILE *out);
/* lives.c: reads allocations, and writes them. */
bool lives_convert(struct trace *trace, struct table *table, FILE *out);
/* twins.c: a scenario, or the twin of one; and the twin of the scenario that `convert` writes. */
bool twins_convert(struct trace *trace, bool is_twin, FILE *out);
bool twins_of_scenario(struct trace *trace, bool (*convert)(struct trace *trace, FILE *out),
                       FILE *out);

#endif
