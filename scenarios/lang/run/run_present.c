/* SPDX-License-Identifier: MIT */
/*
 * run_present.c: `submit NAME present`: what is read is its source, what is written its
 * destination.
 */
#include "scenarios/lang/run/statements.h"

/* The first element of this direction; false when there is another one. */
static bool only_one(const struct runner *runner, bool write, vidmm_handle *handle)
{
    size_t count = 0;
    for (size_t i = 1; i < runner->use_count; i++) {
        if (runner->uses[i].write != write)
            continue;
        *handle = runner->uses[i].allocation;
        count++;
    }
    return count <= 1;
}

bool run_present_read(struct runner *runner, const struct statement *statement,
                      const struct vidmm_work *work, struct vidmm_present_args *args)
{
    uint64_t rects = 0;
    if (attribute_find(statement, ATTRIBUTE_SUBMIT_RECTS) &&
        !evaluate_attribute(runner, statement, ATTRIBUTE_SUBMIT_RECTS, &rects))
        return false;
    if (!only_one(runner, false, &args->source) || !only_one(runner, true, &args->destination))
        return runner_stop(runner, "a present reads one allocation at most, and writes one");
    args->label = work->label;
    args->context = work->context;
    args->rects = (uint32_t)rects;
    args->dma_bytes = work->dma_bytes;
    args->adapters = work->adapters;
    args->null_rendering = work->null_rendering;
    return true;
}
