/* SPDX-License-Identifier: MIT */
/*
 * fault_corpus.h: scenarios that run again and again, each time with a fault somewhere else.
 *
 *     PROGRAM [--every=N] [--from=M] SCENARIO...
 *
 * Every N-th scenario is taken: numbers M, M + N ...; M is 0 without --from. With
 * VIDMM_FAULT_VERBOSE in the environment each run is announced, in case the process stops in it.
 */
#ifndef TESTS_FAULT_CORPUS_H
#define TESTS_FAULT_CORPUS_H

#include "tests/support/trial.h"
#include "vidmm/base/base.h"

struct fault_file {
    const char *path;
    char *text;
    size_t bytes;
};

/* One run; ends the process with 1, the problem, and what the format says of the fault, when
   something is wrong. */
VIDMM_PRINTF(3, 4)
void fault_run(const struct fault_file *file, struct trial *trial, const char *format, ...);
/* A fault costs a run. A scenario of a thousand events repeats itself, and not each of its
   possible faults has to happen: every so many do. `whole` ran without one. */
uint64_t fault_step(const struct trial *whole, uint64_t faults);
/* `run_faults` returns how often it ran. */
int fault_corpus(int argc, char **argv, uint64_t (*run_faults)(const struct fault_file *file));

#endif
