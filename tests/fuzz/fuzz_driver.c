/* SPDX-License-Identifier: MIT */
/*
 * fuzz_driver.c: any calls of the API, on a driver that lies.
 *
 * The bytes choose the adapter, the calls with their handles and numbers, and how the driver in
 * front of the mock misbehaves in each of its calls: any status, any value in a member that it
 * fills, interrupts of any kind with fences that were never issued, its DPC at any time, context
 * allocations made and ended from inside, and calls of the API, which have to be refused there.
 * Nothing may crash, do unlimited work or break an invariant. The entry is that of fuzzing engines;
 * fuzz_replay.c calls it without one.
 */
#include "tests/fuzz/life.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CALLS = 60, HARD_WORK = 20000000 };

struct life life;

/* ---- bytes ---------------------------------------------------------------------------------- */

uint8_t life_byte(void)
{
    return life.at < life.size ? life.data[life.at++] : 0;
}

uint32_t life_word(void)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | life_byte();
    return word;
}

uint32_t life_number(void)
{
    static const uint32_t edges[] = { 0,      1,         2,         0xFFF,     0x1000,
                                      0x1001, INT32_MAX, 1u << 31u, UINT32_MAX };
    uint8_t kind = life_byte();
    if (kind < 128)
        return kind % 16;
    return kind < 224 ? edges[kind % ARRAY_COUNT(edges)] : life_word();
}

uint64_t life_long_number(void)
{
    uint8_t kind = life_byte();
    uint64_t low = life_number();
    return kind < 200 ? low : kind < 240 ? low << 12 : low << 32 | life_number();
}

bool life_chance(unsigned of_256)
{
    return of_256 && life_byte() < of_256;
}

vidmm_handle life_handle(void)
{
    uint8_t which = life_byte();
    if (which == 255 || !life.handle_count)
        return life_number();
    return life.handles[which % life.handle_count];
}

void life_keep(vidmm_status status, vidmm_handle made)
{
    if (!status && life.handle_count < LIFE_HANDLES)
        life.handles[life.handle_count++] = made;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void passed(void *caller, enum vidmm_host_limit limit)
{
    (void)caller;
    (void)fprintf(stderr, "a few calls take %s without end\n",
                  limit == VIDMM_HOST_WORK ? "work" : "memory");
    abort();
}

static void check(const struct vidmm_adapter *adapter)
{
    char problem[200];
    if (vidmm_check(adapter, problem, sizeof problem))
        return;
    (void)fprintf(stderr, "%s\n", problem);
    abort();
}

static void prepare(void)
{
    static const uint32_t versions[] = { 10, 11, 12, 13, 20, 21, 23, 26, 30, 32 };
    mock_adapter_init(&life.mock, versions[life_byte() % ARRAY_COUNT(versions)]);
    life.malice = life_byte();
    life.mock.hook = life_stand_in_front;
    if (life_chance(64))
        life.mock.segments[0].flags = life_number();
    if (life_chance(32))
        life.mock.segments[1].commit_limit = life_long_number();
    life.mock.mock_config.aperture_mmio = life_chance(64);
    mock_adapter_prepare(&life.mock);
}

static void begin(struct vidmm_adapter *adapter)
{
    vidmm_handle handles[3];
    if (vidmm_process_create(adapter, "game", &handles[0]) ||
        vidmm_device_create(adapter, "dev", handles[0], &handles[1]))
        return;
    life_keep(0, handles[0]);
    life_keep(0, handles[1]);
    life_keep(vidmm_context_create(adapter, "ctx", handles[1], 0, &handles[2]), handles[2]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t held = vidmm_host_held();
    const struct vidmm_host_limits limits = { .memory_bytes = held + (256u << 20),
                                              .work = vidmm_host_worked() + HARD_WORK,
                                              .passed = passed };
    struct vidmm_host_limits before;
    vidmm_host_limit(&limits, &before);
    life = (struct life){ .data = data, .size = size };
    prepare();
    vidmm_status status = vidmm_adapter_start(&life.mock.config, &life.mock.adapter);
    if (!status)
        begin(life.mock.adapter);
    for (int i = 0; i < CALLS && !status && life.at < life.size; i++) {
        life_call(life.mock.adapter);
        check(life.mock.adapter);
    }
    vidmm_adapter_free(life.mock.adapter);
    vidmm_mock_destroy(life.mock.mock);
    CHECK(vidmm_host_held() == held);
    vidmm_host_limit(&before, NULL);
    return 0;
}
