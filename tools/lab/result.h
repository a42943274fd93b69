/* SPDX-License-Identifier: MIT */
/*
 * result.h: how a measured run ended, and its line of JSON: tools/sweep/sweeps.md describes each
 * member.
 */
#ifndef TOOLS_LAB_RESULT_H
#define TOOLS_LAB_RESULT_H

#include "tools/common/workers.h"
#include "tools/lab/measure.h"

enum { RESULT_FORMAT = 2 };

struct result {
    int exit, signal;
    bool known; /* `measured` is; else the process ended before it could say so */
    struct measured measured;
};

/* In the process of the run: what its answer is. Returns the exit code. */
int result_answer(const struct measure_job *job, FILE *answer);
/* In the calling process: what became of it. */
void result_take(struct result *result, const struct workers_answer *answer);

/* passed, failed, error, limit, bugcheck, broken, crashed */
const char *result_verdict(const struct result *result);
/* What `vidmm` exits with for it. */
enum tool_exit result_exit(const struct result *result);

/* The stable id: 16 hexadecimal digits that depend on file, settings, parameters and seed alone, in
 * whatever order the settings stand. */
uint64_t result_id(const struct measure_job *job);
/* "placement=wddm eviction=lru seed=3" */
void result_describe(const struct measure_job *job, struct text *text);
/* One line, with its line end. */
void result_write(FILE *out, const struct measure_job *job, const struct result *result);

#endif
