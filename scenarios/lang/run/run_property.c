/* SPDX-License-Identifier: MIT */
/*
 * run_property.c: `update`: UpdateAllocationProperty of WDDM 2.
 */
#include "scenarios/lang/run/creation.h"

static bool read_flag(struct runner *runner, const struct statement *statement,
                      enum attribute_id id, bool *given, bool *value)
{
    uint64_t number = 0;
    *given = attribute_find(statement, id) != NULL;
    if (!*given)
        return true;
    if (!evaluate_attribute(runner, statement, id, &number)) {
        runner_stop(runner, "%s", runner->problem);
        return false;
    }
    *value = number != 0;
    return true;
}

void run_property_update(struct runner *runner, const struct statement *statement)
{
    struct vidmm_property_args args = { 0 };
    struct vidmm_property_result result = { 0 };
    const struct attribute *segments = attribute_find(statement, ATTRIBUTE_UPDATE_SEGMENTS);
    const struct attribute *prefer = attribute_find(statement, ATTRIBUTE_UPDATE_PREFER);
    vidmm_status status = 0;
    runner->target_count = 0;
    if (!evaluate_targets(runner, statement->subjects) ||
        !read_flag(runner, statement, ATTRIBUTE_UPDATE_ACCESSED_PHYSICALLY, &args.set_physically,
                   &args.physically) ||
        !read_flag(runner, statement, ATTRIBUTE_UPDATE_UNMOVEABLE, &args.set_unmoveable,
                   &args.unmoveable))
        return;
    args.set_segments = segments != NULL;
    args.segments = segments ? run_create_segments(runner, segments) : 0;
    args.set_preferred = prefer != NULL;
    args.preferred = prefer ? run_create_preferences(runner, prefer) : 0;
    run_out_clear(runner);
    for (size_t i = 0; i < runner->target_count && status >= 0; i++) {
        args.allocation = bindings_number(runner->targets[i]);
        status = vidmm_update_property(runner->adapter, &args, &result);
        run_out_set(runner, OUT_PAGING_FENCE_VALUE, result.paging_fence_value);
    }
    run_outcome(runner, statement, status);
}
