/* SPDX-License-Identifier: MIT */
/*
 * model_eviction.h: eviction policies as their papers tell them, with arrays.
 *
 * A model decides one eviction at a time, and changes its state for it. An order of leaving is what
 * evictions from a copy give, one after the other. A victim that is not the next one is found by
 * evictions that set aside what is in front of it; what was set aside stays in its place.
 */
#ifndef TESTS_MODEL_EVICTION_H
#define TESTS_MODEL_EVICTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_ITEMS = 48, MODEL_PAGE = 4096 };

enum model_queue {
    QUEUE_FIFO,
    QUEUE_SMALL,
    QUEUE_MAIN,
    QUEUE_T1,
    QUEUE_T2,
    GHOSTS_SMALL,
    GHOSTS_T1,
    GHOSTS_T2,
    MODEL_QUEUES
};

struct model_item {
    uint64_t bytes, arrival, last_use, next_use, cost;
    uint64_t uses; /* or a reference bit */
    double worth;  /* gds */
    bool aside, returning;
};

struct model_list {
    int item[MODEL_ITEMS];
    int count;
};

struct model {
    const char *policy;
    uint64_t pages; /* of the segment */
    struct model_item items[MODEL_ITEMS];
    bool resident[MODEL_ITEMS];
    struct model_list queue[MODEL_QUEUES]; /* the oldest first */
    int hand;                              /* of sieve: an item, or -1 */
    uint64_t inflation;                    /* of gds */
    double p;                              /* of arc, in bytes */
    int wanted, heard;
};

void model_init(struct model *model, const char *policy, uint64_t pages);
void model_missed(struct model *model, int item);
void model_arrived(struct model *model, int item);
void model_used(struct model *model, int item);
void model_left(struct model *model, int item, bool victim);
void model_forgotten(struct model *model, int item);
/* All residents, the first to leave first. */
int model_order(const struct model *model, int *order);

#endif
