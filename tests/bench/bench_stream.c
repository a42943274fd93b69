/* SPDX-License-Identifier: MIT */
/*
 * bench_stream.c: references of a cache's trace, one at a time, through the C API.
 *
 *     bench_stream [page-in|submit [clean|dirty [REQUESTS [OBJECTS [PERCENT [REPLAY]]]]]]
 *
 * OBJECTS allocations of one page are referenced REQUESTS times, with the popularity of Zipf's law
 * (exponent 0.9); the segment holds PERCENT of them. "page-in" calls vidmm_page_in() for each,
 * "submit" vidmm_submit() with one element, 32 packets in flight. "dirty" wrote each allocation
 * before, so whatever leaves has to be copied; "clean" ones hold a pattern, which is dropped.
 *
 * The misses have to be those of an exact LRU of the same size, which is counted beside it.
 * REPLAY: a file for the requests in libCacheSim's format oracleGeneral, for peers.
 *
 * The requests are made before the clock runs. Rates are those of the processor's time.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/support/mock_adapter.h"
#include "tests/support/random.h"
#include "vidmm/vidmm_mock.h"
#include "vidmm/vidmm_render.h"

enum { IN_FLIGHT = 32 };

struct stream {
    size_t requests, objects, room;
    bool submits, dirty;
    uint32_t *request; /* numbers of objects */
    struct mock_adapter mock;
    vidmm_handle *handle;
    struct vidmm_submission flight[IN_FLIGHT];
    uint64_t submitted;
};

/* ---- requests ------------------------------------------------------------------------------- */

static void make_requests(struct stream *stream)
{
    uint64_t random = 42;
    double *sum = base_alloc(stream->objects, sizeof *sum), all = 0;
    uint32_t *name = base_alloc(stream->objects, sizeof *name);
    for (size_t i = 0; i < stream->objects; i++) {
        sum[i] = all += pow((double)i + 1, -0.9);
        /* The popular ones lie anywhere. */
        size_t other = random_below(&random, i + 1);
        name[i] = name[other];
        name[other] = (uint32_t)i;
    }
    stream->request = base_alloc(stream->requests, sizeof *stream->request);
    for (size_t i = 0; i < stream->requests; i++) {
        double at = (double)(random_next(&random) >> 11) * 0x1p-53 * all;
        size_t low = 0, high = stream->objects - 1;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (sum[middle] < at)
                low = middle + 1;
            else
                high = middle;
        }
        stream->request[i] = name[low];
    }
    base_free(sum);
    base_free(name);
}

/* Little-endian, 24 bytes each: time, object, size, the next request of it (not told). */
static void write_replay(const struct stream *stream, const char *path)
{
    FILE *file = fopen(path, "wb");
    CHECK(file);
    for (size_t i = 0; i < stream->requests; i++) {
        const uint64_t object = stream->request[i] + UINT64_C(1), next = UINT64_MAX;
        const uint32_t time = (uint32_t)i, bytes = 1;
        uint8_t record[24];
        memcpy(record, &time, 4);
        memcpy(record + 4, &object, 8);
        memcpy(record + 12, &bytes, 4);
        memcpy(record + 16, &next, 8);
        CHECK(fwrite(record, sizeof record, 1, file) == 1);
    }
    CHECK(fclose(file) == 0);
}

/* ---- an exact LRU: a ring with its head at 0 ------------------------------------------------- */

struct ring {
    uint32_t *next, *prev; /* by number of the object + 1; 0 and 0 of one that is not there */
};

static void unlink_from(struct ring *ring, uint32_t object)
{
    ring->next[ring->prev[object]] = ring->next[object];
    ring->prev[ring->next[object]] = ring->prev[object];
}

static void link_last(struct ring *ring, uint32_t object)
{
    ring->prev[object] = ring->prev[0];
    ring->next[object] = 0;
    ring->next[ring->prev[0]] = object;
    ring->prev[0] = object;
}

/* The misses of the requests; "dirty" objects came once before, in the order of their numbers. */
static uint64_t count_misses(const struct stream *stream)
{
    struct ring ring = { base_alloc(stream->objects + 1, sizeof *ring.next),
                         base_alloc(stream->objects + 1, sizeof *ring.prev) };
    bool *here = base_alloc(stream->objects + 1, sizeof *here);
    uint64_t misses = 0;
    size_t count = 0, warm = stream->dirty ? stream->objects : 0;
    for (size_t i = 0; i < warm + stream->requests; i++) {
        uint32_t object = 1 + (i < warm ? (uint32_t)i : stream->request[i - warm]);
        if (here[object]) {
            unlink_from(&ring, object);
        } else {
            misses += i >= warm;
            here[object] = true;
            if (count++ == stream->room) {
                here[ring.next[0]] = false;
                unlink_from(&ring, ring.next[0]);
                count--;
            }
        }
        link_last(&ring, object);
    }
    base_free(ring.next);
    base_free(ring.prev);
    base_free(here);
    return misses;
}

/* ---- the manager ---------------------------------------------------------------------------- */

static void start(struct stream *stream)
{
    struct mock_adapter *mock = &stream->mock;
    mock_adapter_init(mock, 11);
    mock->segments[0].size = mock->segments[0].commit_limit = stream->room * MOCK_PAGE;
    mock->segments[1].base = UINT64_C(1) << 40;
    mock->config.machine.memory_bytes = UINT64_C(1) << 36;
    mock_adapter_prepare(mock);
    CHECK(vidmm_adapter_start(&mock->config, &mock->adapter) == 0);
    CHECK(vidmm_process_create(mock->adapter, "game", &mock->process) == 0);
    CHECK(vidmm_device_create(mock->adapter, "dev", mock->process, &mock->device) == 0);
    CHECK(vidmm_context_create(mock->adapter, "ctx", mock->device, 0, &mock->context) == 0);
    stream->handle = base_alloc(stream->objects, sizeof *stream->handle);
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    wish.read_set = wish.write_set = 0x1;
    wish.eviction_set = 0;
    for (size_t i = 0; i < stream->objects; i++)
        CHECK(mock_allocate(mock, &wish, &stream->handle[i]) == 0);
}

static void submit(struct stream *stream, uint32_t object, bool write)
{
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    struct vidmm_submission *flight = &stream->flight[stream->submitted % IN_FLIGHT];
    if (stream->submitted++ >= IN_FLIGHT)
        CHECK(vidmm_wait(stream->mock.adapter, *flight) == 0);
    CHECK(mock_use(&stream->mock, stream->handle[object], write, command, flight) == 0);
}

static void play(struct stream *stream)
{
    for (size_t i = 0; i < stream->requests; i++) {
        uint32_t object = stream->request[i];
        if (stream->submits)
            submit(stream, object, false);
        else
            CHECK(vidmm_page_in(stream->mock.adapter, stream->handle[object], false) == 0);
    }
}

int main(int argc, char **argv)
{
    struct stream stream = {
        .submits = argc > 1 && strcmp(argv[1], "submit") == 0,
        .dirty = argc > 2 && strcmp(argv[2], "dirty") == 0,
        .requests = argc > 3 ? strtoull(argv[3], NULL, 10) : 2000000,
        .objects = argc > 4 ? strtoull(argv[4], NULL, 10) : 1000000,
    };
    stream.room = stream.objects * (argc > 5 ? strtoull(argv[5], NULL, 10) : 10) / 100;
    CHECK(stream.objects && stream.objects < UINT32_MAX && stream.room);
    make_requests(&stream);
    if (argc > 6)
        write_replay(&stream, argv[6]);
    double ns = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    start(&stream);
    ns = bench_ns(CLOCK_PROCESS_CPUTIME_ID) - ns;
    printf("%zu allocations created, %.0f ns each\n", stream.objects, ns / (double)stream.objects);
    for (size_t i = 0; stream.dirty && i < stream.objects; i++)
        submit(&stream, (uint32_t)i, true);
    CHECK(vidmm_wait_idle(stream.mock.adapter) == 0);
    uint64_t before = vidmm_counter(stream.mock.adapter, VIDMM_COUNTER_USE_MISSES);
    ns = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    play(&stream);
    ns = bench_ns(CLOCK_PROCESS_CPUTIME_ID) - ns;
    uint64_t misses = vidmm_counter(stream.mock.adapter, VIDMM_COUNTER_USE_MISSES) - before;
    printf("%s, %s: %.3f M requests/s, %zu hits, %llu misses\n",
           stream.submits ? "submit" : "page-in", stream.dirty ? "dirty" : "clean",
           (double)stream.requests * 1e3 / ns, stream.requests - (size_t)misses,
           (unsigned long long)misses);
    uint64_t exact = count_misses(&stream);
    if (exact != misses)
        printf("an exact LRU has %llu misses\n", (unsigned long long)exact);
    vidmm_adapter_free(stream.mock.adapter);
    vidmm_mock_destroy(stream.mock.mock);
    base_free(stream.handle);
    base_free(stream.request);
    return exact != misses;
}
