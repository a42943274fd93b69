/* SPDX-License-Identifier: MIT */
/*
 * fuzz_driver.c: any calls of the API, on a driver that lies.
 *
 * The bytes choose the adapter, the calls with their handles and numbers, and how the driver in
 * front of the mock misbehaves in each of its calls: any status, any value in a member that it
 * fills, interrupts of any kind with fences that were never issued, its DPC at any time, context
 * allocations made and ended from inside, callbacks with any arguments, and calls of the API, which
 * have to be refused there. Its hardware stops, repeats itself and reaches for any address. Nothing
 * may crash, do unlimited work or break an invariant. The entry is that of fuzzing engines, as is
 * the one of edit_records.c, which changes whole records; fuzz_replay.c calls both without one.
 */
#include "tests/fuzz/life.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RECORDS = 62, AFTER_THE_END = 3, HARD_WORK = 20000000 };

struct life life;

/* ---- bytes ---------------------------------------------------------------------------------- */

uint8_t life_byte(void)
{
    return (uint8_t)dice_below(&life.dice, 256);
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
    return life_byte() < of_256;
}

uint32_t life_flags(enum vidmm_flag_set set)
{
    uint8_t kind = life_byte();
    uint32_t flags = 0;
    if (kind > 250)
        return life_word();
    for (uint32_t left = kind < 128 ? 0 : 1 + kind % 3; left > 0; left--) {
        const struct vidmm_flag *row = vidmm_flag_row(set, life_byte() % 32);
        flags |= row ? row->value : 0;
    }
    return flags;
}

vidmm_handle life_handle(enum vidmm_object kind)
{
    uint8_t which = life_byte();
    uint32_t row = which < 240 ? kind : which % LIFE_KINDS;
    size_t kept = min_u64(life.handle_count[row], LIFE_KEPT);
    if (which == 255 || !kept)
        return which ? life_number() : 0;
    /* Most calls are about the first owners, so that their arguments belong together. */
    return life.handles[row][which < 128 && row <= VIDMM_OBJECT_CONTEXT ? 0 : which % kept];
}

void life_keep(enum vidmm_object kind, vidmm_status status, vidmm_handle made)
{
    if (!status)
        life.handles[kind][life.handle_count[kind]++ % LIFE_KEPT] = made;
}

bool life_harm(void)
{
    life.chances++;
    return life.harm < 128 ? life.chances == life.harm
                           : dice_throw(&life.dice) % 256 < life.harm - 127u;
}

const uint8_t *life_dice_only(void)
{
    const uint8_t *at = life.dice.at;
    life.dice.at = life.dice.end;
    return at;
}

void life_bytes_again(const uint8_t *at)
{
    life.dice.at = at;
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

static void read_record(const uint8_t *data, size_t size, size_t index)
{
    record_read(data, size, index, life.record);
    life.dice = record_dice(life.record);
    life.harm = life.record[RECORD_CHOICES];
    life.chances = 0;
}

static void begin(struct vidmm_adapter *adapter)
{
    vidmm_handle process, device, context;
    if (vidmm_process_create(adapter, "game", &process))
        return;
    life_keep(VIDMM_OBJECT_PROCESS, 0, process);
    if (vidmm_device_create(adapter, "dev", process, &device))
        return;
    life_keep(VIDMM_OBJECT_DEVICE, 0, device);
    if (!vidmm_context_create(adapter, "ctx", device, 0, &context))
        life_keep(VIDMM_OBJECT_CONTEXT, 0, context);
}

/* After a stop for good all calls are refused: a few show that. */
static void live(struct vidmm_adapter *adapter, const uint8_t *data, size_t size)
{
    begin(adapter);
    size_t records = record_count(size, RECORDS);
    for (size_t i = 1, stopped = 0; i < records && stopped < AFTER_THE_END; i++) {
        read_record(data, size, i);
        life_call(adapter);
        check(adapter);
        stopped += vidmm_bugcheck(adapter) != NULL;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t held = vidmm_host_held();
    const struct vidmm_host_limits limits = { .memory_bytes = held + (1024u << 20),
                                              .work = vidmm_host_worked() + HARD_WORK,
                                              .passed = passed };
    struct vidmm_host_limits before;
    if (!size)
        return 0;
    vidmm_host_limit(&limits, &before);
    life = (struct life){ .inside = false };
    read_record(data, size, 0);
    life_prepare();
    if (!vidmm_adapter_start(&life.mock.config, &life.mock.adapter))
        live(life.mock.adapter, data, size);
    vidmm_adapter_free(life.mock.adapter);
    vidmm_mock_destroy(life.mock.mock);
    CHECK(vidmm_host_held() == held);
    vidmm_host_limit(&before, NULL);
    return 0;
}
