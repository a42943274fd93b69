/* SPDX-License-Identifier: MIT */
/*
 * run_property.c: `update`: UpdateAllocationProperty of WDDM 2.
 */
#include "scenarios/lang/run/statements.h"

/* False: it has a value that is none. */
static bool property_read_member(struct runner *runner, const struct statement *statement,
                                 enum attribute_id id, bool *given, uint64_t *value)
{
    const struct attribute *attribute = attribute_find(statement, id);
    *given = attribute != NULL;
    if (!attribute || run_value(runner, attribute, value))
        return true;
    return runner_stop(runner, "%s", runner->problem);
}

void run_property_update(struct runner *runner, const struct statement *statement)
{
    struct vidmm_property_args args = { 0 };
    struct vidmm_property_result result = { 0 };
    uint64_t segments = 0;
    uint64_t preferred = 0;
    uint64_t physically = 0;
    uint64_t unmoveable = 0;
    vidmm_status status = 0;
    runner->target_count = 0;
    if (!evaluate_targets(runner, statement->subjects) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_ACCESSED_PHYSICALLY,
                              &args.set_physically, &physically) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_UNMOVEABLE, &args.set_unmoveable,
                              &unmoveable) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_SEGMENTS, &args.set_segments,
                              &segments) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_PREFER, &args.set_preferred,
                              &preferred))
        return;
    args.segments = (uint32_t)segments;
    args.preferred = (uint32_t)preferred;
    args.physically = physically != 0;
    args.unmoveable = unmoveable != 0;
    run_out_clear(runner);
    for (size_t i = 0; i < runner->target_count && status >= 0; i++) {
        args.allocation = bindings_number(runner->targets[i]);
        status = vidmm_update_property(runner->adapter, &args, &result);
        run_out_set(runner, OUT_PAGING_FENCE_VALUE, result.paging_fence_value);
    }
    run_outcome(runner, statement, status);
}
