/* SPDX-License-Identifier: MIT */
/*
 * foresee.c: what does a reference need, and was it a hit?
 *
 * Of a link of adapters nothing is said: a reference there needs a copy on each.
 */
#include "tools/lab/foresee.h"

/* The counter moved just before: it says whether this one was a miss. */
static void on_reference(void *caller, vidmm_handle allocation, uint64_t bytes)
{
    struct foresee *foresee = caller;
    struct vidmm_allocation_view view;
    if (!foresee->optimum || !vidmm_allocation_view(foresee->adapter, allocation, &view))
        return;
    uint64_t misses = vidmm_counter(foresee->adapter, VIDMM_COUNTER_USE_MISSES);
    bool hit = misses == foresee->misses;
    foresee->misses = misses;
    optimum_use(foresee->optimum, allocation, bytes, view.read_set | view.write_set, hit);
    if (view.pinned)
        optimum_exempt(foresee->optimum, allocation);
}

void foresee_init(struct foresee *foresee)
{
    *foresee = (struct foresee){ .foresight = { .referenced = on_reference, .caller = foresee } };
}

void foresee_start(struct foresee *foresee, const struct vidmm_adapter *adapter)
{
    uint32_t count = vidmm_segment_count(adapter);
    foresee->adapter = adapter;
    foresee->misses = 0;
    if (count && count <= OPTIMUM_SEGMENTS && vidmm_segment_of(adapter, 1, 1) == 0)
        foresee->optimum = optimum_new();
}

void foresee_pinned(struct foresee *foresee, vidmm_handle allocation)
{
    if (foresee->optimum && allocation)
        optimum_exempt(foresee->optimum, allocation);
}

void foresee_end(struct foresee *foresee, struct metrics *metrics)
{
    uint64_t bytes[OPTIMUM_SEGMENTS] = { 0 };
    struct vidmm_segment_view view;
    struct optimum_bounds bounds;
    if (!foresee->optimum)
        return;
    for (uint32_t id = 1; id <= OPTIMUM_SEGMENTS; id++)
        if (vidmm_segment_view(foresee->adapter, id, &view))
            bytes[id - 1] = view.bytes;
    optimum_bounds(foresee->optimum, bytes, &bounds);
    optimum_free(foresee->optimum);
    foresee->optimum = NULL;
    if (!bounds.known)
        return;
    metrics_add(metrics, METRIC_LEAST_MISSES, bounds.misses);
    metrics_add(metrics, METRIC_LEAST_BYTES, bounds.miss_bytes);
}
