/* SPDX-License-Identifier: MIT */
/*
 * measure.h: one run of one file, as numbers.
 *
 * Meant for a process of its own (tools/common/workers.h): a limit, or a broken promise of vidmm,
 * ends the process. `struct measured` has no pointers, so that it can be handed over as bytes.
 */
#ifndef TOOLS_LAB_MEASURE_H
#define TOOLS_LAB_MEASURE_H

#include "scenarios/lang/scenario.h"
#include "tools/lab/metrics.h"
#include "tools/lab/spread.h"

enum { MEASURE_MESSAGE = 480, MEASURE_OPTIONS = 72 };

/* What is run, and how. Nothing of it is copied. */
struct measure_job {
    const char *file;                      /* as it is called */
    const char *path;                      /* as it is opened */
    const char *policy;                    /* as it is called; NULL: what the file says */
    const struct run_settings *loaded;     /* by --policy, which settings may name; may be NULL */
    const char *settings[MEASURE_OPTIONS]; /* "NAME=VALUE", those of the policy too */
    size_t setting_count;
    const char *parameters[MEASURE_OPTIONS]; /* the same, of scenario_define() */
    size_t parameter_count;
    bool has_seed;
    uint64_t seed;
    struct scenario_limits limits; /* 0: those of the file */
};

struct measured {
    uint64_t input; /* see measure_input() */
    enum scenario_exit exit;
    bool undefined; /* the file has no such parameter as the job gives, or not its value */
    char message[MEASURE_MESSAGE]; /* of the limit that ended it, or the first; "" for none */
    struct metrics metrics;
    struct spread_totals spread;
};

/* All messages but the first are left out; nothing is printed. */
void measure_run(const struct measure_job *job, struct measured *measured);
/*
 * A hash of the text of a file, of every text that it includes, in order, and of what was loaded.
 * 0: it cannot be read. Errors in it are not told here.
 */
uint64_t measure_input(const char *path, const struct run_settings *loaded);

/* Of vidmm, as it stands in results. */
const char *measure_version(void);

#endif
