/* SPDX-License-Identifier: MIT */
/* sweep_parts.h: what the parts of `vidmm sweep` share. Private to sweep*.c. */
#ifndef TOOLS_SWEEP_SWEEP_PARTS_H
#define TOOLS_SWEEP_SWEEP_PARTS_H

#include "tools/common/options.h"
#include "tools/common/progress.h"
#include "tools/lab/result.h"
#include "tools/sweep/plan.h"
#include "tools/sweep/results.h"

struct sweep_id {
    uint64_t id;
    size_t index;
};

struct sweep {
    /* The command line. */
    struct options_words words; /* the plan, and the files to merge */
    bool list, merge, retry, forced;
    uint64_t shard, shards; /* shards 0: all runs */
    const char *output;     /* NULL: stdout */
    struct run_settings loaded;
    unsigned processes;

    struct plan plan;
    struct sweep_id *ids; /* of all runs, by id */
    uint64_t *inputs;     /* by file: what measure_input() says */

    /* The runs of this process. */
    uint8_t *state; /* of all runs: enum sweep_state */
    size_t *chosen; /* those that will run */
    size_t chosen_count, done, failed, there;
    size_t first; /* of those done, that did not pass */
    struct text why;
    FILE *out;
    struct progress progress;
};

enum sweep_state { SWEEP_OPEN, SWEEP_PASSED, SWEEP_FAILED };

/* The run with this id; SIZE_MAX: the plan has none. */
size_t sweep_find(const struct sweep *sweep, uint64_t id);
bool sweep_in_shard(const struct sweep *sweep, uint64_t id);
/* False, and a message: the line is of another version. */
bool sweep_check_version(const struct results_line *line);
/* "  3f...  file.vms eviction=lru" */
void sweep_print_run(const struct sweep *sweep, size_t index, FILE *out);

enum tool_exit sweep_run(struct sweep *sweep);
enum tool_exit sweep_merge(struct sweep *sweep);

#endif
