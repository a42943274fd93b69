/* SPDX-License-Identifier: MIT */
/*
 * plan.h: what a sweep runs: the cross product of files, policies, settings, parameters and seeds.
 *
 * The runs of a plan are numbered: the first file comes first, and of each file the seeds change
 * fastest. A run is made when it is asked for, so a large plan takes no memory.
 */
#ifndef TOOLS_SWEEP_PLAN_H
#define TOOLS_SWEEP_PLAN_H

#include "tools/lab/measure.h"
#include "tools/lab/policy.h"
#include "tools/sweep/plan_text.h"

enum { PLAN_AXES = 32, PLAN_VALUES = 10000, PLAN_RUNS = 1000000 };

/* One line `set` or `param`. */
struct plan_axis {
    bool parameter;
    struct plan_text line; /* where it stands, to be blamed */
    struct plan_word name;
    char **values; /* "NAME=VALUE" */
    size_t count, capacity;
};

struct plan {
    char *text;            /* of its file */
    char **files, **paths; /* as results call them, seen from the plan; and from here */
    size_t file_count, file_capacity, path_capacity;
    struct policies policies;
    struct plan_axis axes[PLAN_AXES];
    size_t axis_count;
    uint64_t *seeds;
    size_t seed_count, seed_capacity;
    struct scenario_limits limits;
    size_t runs;
};

/* False: it cannot be read or has mistakes, which were all told. Free it in both cases. `loaded`
   has policies that the plan may name. */
bool plan_read(struct plan *plan, const char *path, const struct run_settings *loaded);
void plan_free(struct plan *plan);
/* Run `index` of the plan. Points into it. */
void plan_job(const struct plan *plan, size_t index, struct measure_job *job);
size_t plan_file(const struct plan *plan, size_t index);

#endif
