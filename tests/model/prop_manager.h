/* SPDX-License-Identifier: MIT */
/*
 * prop_manager.h: a random adapter, operations on it, and the comparison with the model.
 *
 * A round is data: an adapter and a list of operations in which allocations are slots. So it can be
 * run again, run in part (an operation on a slot that does not exist is skipped), and printed as a
 * scenario.
 */
#ifndef TESTS_PROP_MANAGER_H
#define TESTS_PROP_MANAGER_H

#include "tests/model/model_manager.h"
#include "vidmm/vidmm_mock.h"

#include <stdio.h>

enum { PROP_ROUND = 400 }; /* operations on one adapter */
enum { PROP_DEVICES = 2 };

enum prop_kind {
    PROP_CREATE,
    PROP_DESTROY,
    PROP_PAGE_IN,
    PROP_EVICT,
    PROP_PIN,
    PROP_UNPIN,
    PROP_PRIORITY,
    PROP_SUBMIT,
    PROP_LOCK,
    PROP_UNLOCK,
    PROP_LEVEL3,
    PROP_ADVANCE,
    PROP_OPEN,
    PROP_CLOSE,
    PROP_OFFER,
    PROP_RECLAIM,
};

struct prop_op {
    enum prop_kind kind;
    uint8_t slot;
    uint8_t device;           /* that creates, opens, closes, submits, locks */
    bool shared;              /* of a creation */
    bool write;               /* page in for writing; write under the lock */
    uint32_t value;           /* priority, also of an offer, lock flags, microseconds */
    struct model_pages pages; /* of a lock */
    struct model_wish wish;
    struct model_use uses[MODEL_USES];
    size_t use_count;
};

/*
 * Still: everything settles after each operation, everything is compared. Flowing: memory segments
 * only, nothing waits; state that time cannot change is compared. Loose: apertures without waiting,
 * where unmaps in flight decide offsets; only invariants are checked.
 */
enum prop_mode { PROP_STILL, PROP_FLOWING, PROP_LOOSE };

struct prop_round {
    uint64_t seed;
    enum prop_mode mode;
    struct model_adapter_wish adapter;
    struct prop_op ops[PROP_ROUND];
    size_t count;
};

/* The material of operations. */
struct prop_known {
    const struct model *model; /* NULL in loose rounds */
    bool live[MODEL_ALLOCATIONS];
    uint32_t locks[MODEL_ALLOCATIONS];
    uint64_t bytes[MODEL_ALLOCATIONS];
    uint32_t flags[MODEL_ALLOCATIONS];
    bool shared[MODEL_ALLOCATIONS];
    bool open[PROP_DEVICES][MODEL_ALLOCATIONS];
};

/* prop_world.c */
void prop_random_adapter(struct prop_round *round, uint64_t *random);
void prop_random_op(const struct prop_round *round, const struct prop_known *known,
                    uint64_t *random, struct prop_op *op);

/* The miniport that reports this adapter; `segments` lives as long as it does. */
struct vidmm_mock *prop_world_mock(const struct model_adapter_wish *adapter,
                                   struct vidmm_mock_segment *segments);

/* Coverage of the rounds: a test that meets nothing proves nothing. */
struct prop_totals {
    uint64_t done, passed_over, refused;
    uint64_t left[MODEL_REASONS], lost;
    uint64_t outlived; /* closed by one device and kept by the other */
    uint64_t splits;   /* of DMA buffers */
    uint64_t discarded;
};

/* prop_run.c */
struct prop_run;
const struct prop_totals *prop_run_totals(const struct prop_run *run);
struct prop_run *prop_run_start(const struct prop_round *round, unsigned check_every);
void prop_run_end(struct prop_run *run);
const struct prop_known *prop_run_known(const struct prop_run *run);
/* False when manager and model differ; prop_run_problem() says how. */
bool prop_run_step(struct prop_run *run, const struct prop_op *op);
bool prop_run_finish(struct prop_run *run);
const char *prop_run_problem(const struct prop_run *run);

/* prop_compare.c: NULL when the views agree, else a sentence that lives until the next call. */
struct prop_views {
    const struct vidmm_adapter *adapter;
    const struct model *model;
    const vidmm_handle *handles;
    bool settled; /* nothing is in flight */
};
bool prop_compare(const struct prop_views *views, char *problem, size_t bytes);
/* Of those that live; loose rounds have no more to compare. */
bool prop_contents_intact(const struct prop_views *views, const bool *live, char *problem,
                          size_t bytes);
void prop_print_views(FILE *file, const struct prop_views *views);
void prop_run_print(FILE *file, const struct prop_run *run);

/* prop_script.c */
void prop_print_scenario(FILE *file, const struct prop_round *round);

#endif
