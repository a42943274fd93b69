/* SPDX-License-Identifier: MIT */
/*
 * bench_memory.c: host memory of an allocation that lives, and of a packet in flight.
 *
 *     bench_memory [ALLOCATIONS [PACKETS]]
 *
 * An allocation has one page; "created" is one that was never used, "resident" was paged in,
 * "written" by the GPU after that, "evicted" was copied to a store of its own. A packet reads one
 * allocation, and waits for the first one, which never ends. The figures are those of the account
 * of vidmm_host_held(), divided.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/mock_adapter.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"
#include "vidmm/vidmm_mock.h"
#include "vidmm/vidmm_render.h"

static void submit(struct mock_adapter *mock, vidmm_handle allocation, bool write, uint64_t cost_ns)
{
    const struct vidmm_mock_command command = { .cost_ns = cost_ns };
    CHECK(mock_use(mock, allocation, write, command, NULL) == 0);
}

/* Nothing in flight: what packets need is not the allocation's. */
static void wait(struct mock_adapter *mock)
{
    CHECK(vidmm_wait_idle(mock->adapter) == 0);
}

static void say(const char *what, uint64_t before, size_t count)
{
    printf("%-22s %7.1f bytes\n", what, (double)(vidmm_host_held() - before) / (double)count);
}

static void start(struct mock_adapter *mock, size_t allocations)
{
    mock_adapter_init(mock, 11);
    mock->segments[0].size = mock->segments[0].commit_limit = allocations * MOCK_PAGE;
    mock->segments[1].base = UINT64_C(1) << 40;
    mock->config.machine.memory_bytes = UINT64_C(1) << 36;
    mock_adapter_start(mock);
}

static void measure_allocations(size_t count)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle *handle = base_alloc(count, sizeof *handle);
    start(&mock, count);
    wish.read_set = wish.write_set = 0x1;
    wish.eviction_set = 0;
    uint64_t before = vidmm_host_held();
    for (size_t i = 0; i < count; i++)
        CHECK(mock_allocate(&mock, &wish, &handle[i]) == 0);
    say("created", before, count);
    for (size_t i = 0; i < count; i++, wait(&mock))
        CHECK(vidmm_page_in(mock.adapter, handle[i], false) == 0);
    say("resident", before, count);
    for (size_t i = 0; i < count; i++, wait(&mock))
        submit(&mock, handle[i], true, 1);
    say("written", before, count);
    for (size_t i = 0; i < count; i++, wait(&mock))
        CHECK(vidmm_evict(mock.adapter, handle[i]) == 0);
    say("evicted", before, count);
    mock_adapter_free(&mock);
    base_free(handle);
}

static void measure_packets(size_t count)
{
    struct mock_adapter mock;
    start(&mock, 16);
    vidmm_handle allocation = mock_make(&mock);
    submit(&mock, allocation, false, UINT64_C(1) << 30);
    uint64_t before = vidmm_host_held();
    for (size_t i = 0; i < count; i++)
        submit(&mock, allocation, false, 1);
    say("a packet in flight", before, count);
    mock_adapter_free(&mock);
}

int main(int argc, char **argv)
{
    size_t allocations = argc > 1 ? strtoull(argv[1], NULL, 10) : 16384;
    measure_allocations(allocations);
    measure_packets(argc > 2 ? strtoull(argv[2], NULL, 10) : 1024);
    return 0;
}
