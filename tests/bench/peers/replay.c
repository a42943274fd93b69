/* SPDX-License-Identifier: MIT */
/*
 * replay.c: a workload of `bench_ranges write`, on the allocator that is linked behind peer.h.
 *
 *     replay FILE
 *
 * Prints one line: the number of operations, the seconds of processor time that they took without
 * the reading, and a hash of the placements. The hash begins as 0 and becomes hash * 31 + offset at
 * each take. A take that finds no place has an offset of all ones, and its release does nothing.
 * Exit code 77: the allocator cannot have such a range.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/bench/peers/peer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 77 };

struct step {
    uint64_t bytes, alignment; /* bytes is 0: a release */
    size_t slot;
    bool high;
};

struct workload {
    uint64_t bytes, page;
    struct step *steps;
    size_t count, capacity;
    size_t *slot_of, *unused; /* of each id; those that came back */
    size_t ids, slots, unused_count;
};

static void *room_for(void *memory, size_t count, size_t size)
{
    memory = realloc(memory, count * size);
    if (!memory) {
        (void)fprintf(stderr, "replay: no memory\n");
        exit(4);
    }
    return memory;
}

/* Slots are reused, so that what is kept for live ranges is no larger than it has to be. */
static size_t slot_of(struct workload *workload, uint64_t id, bool take)
{
    if (id >= workload->ids) {
        workload->ids = (size_t)(id + 1) * 2;
        workload->slot_of = room_for(workload->slot_of, workload->ids, sizeof *workload->slot_of);
        workload->unused = room_for(workload->unused, workload->ids, sizeof *workload->unused);
    }
    if (take)
        workload->slot_of[id] =
            workload->unused_count ? workload->unused[--workload->unused_count] : workload->slots++;
    else
        workload->unused[workload->unused_count++] = workload->slot_of[id];
    return workload->slot_of[id];
}

static bool read_line(struct workload *workload, const char *line)
{
    struct step step = { 0 };
    uint64_t id;
    char end[8];
    if (sscanf(line, "range %" SCNu64 " %" SCNu64, &workload->bytes, &workload->page) == 2)
        return true;
    bool take = sscanf(line, "take %" SCNu64 " %" SCNu64 " %" SCNu64 " %7s", &id, &step.bytes,
                       &step.alignment, end) == 4;
    if (!take && sscanf(line, "release %" SCNu64, &id) != 1)
        return false;
    step.high = take && strcmp(end, "high") == 0;
    step.slot = slot_of(workload, id, take);
    if (workload->count == workload->capacity) {
        workload->capacity = workload->capacity * 2 + 1024;
        workload->steps = room_for(workload->steps, workload->capacity, sizeof step);
    }
    workload->steps[workload->count++] = step;
    return true;
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t play(const struct workload *workload)
{
    uint64_t hash = 0;
    uint64_t *offsets = room_for(NULL, workload->slots + 1, sizeof *offsets);
    for (size_t i = 0; i < workload->count; i++) {
        const struct step *step = &workload->steps[i];
        if (step->bytes) {
            offsets[step->slot] = peer_take(step->slot, step->bytes, step->alignment, step->high);
            hash = hash * 31 + offsets[step->slot];
        } else if (offsets[step->slot] != UINT64_MAX) {
            peer_release(step->slot);
        }
    }
    free(offsets);
    return hash;
}

int main(int argc, char **argv)
{
    struct workload workload = { 0 };
    char line[128];
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    bool good = file;
    while (good && fgets(line, sizeof line, file))
        good = read_line(&workload, line);
    if (!good) {
        (void)fprintf(stderr, "replay: a file that `bench_ranges write` wrote was expected\n");
        return 3;
    }
    (void)fclose(file);
    if (!peer_open(workload.bytes, workload.page, workload.slots))
        return SKIPPED;
    double start = seconds();
    uint64_t hash = play(&workload);
    printf("%zu %.6f %016" PRIx64 "\n", workload.count, seconds() - start, hash);
    free(workload.steps);
    free(workload.slot_of);
    free(workload.unused);
    return 0;
}
