/* SPDX-License-Identifier: MIT */
/*
 * functions.c: what a scenario can ask the adapter for: functions and counters.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

const char *functions_missing(struct runner *runner, const struct expr *target, char *text,
                              size_t size)
{
    if (bindings_number(evaluate_binding(runner, target)) == RUN_NO_HANDLE)
        return run_missing_describe(runner, target, text, size);
    return "there is no such allocation any more";
}

static bool view_allocation(struct runner *runner, const struct expr *expr,
                            struct vidmm_allocation_view *view)
{
    binding subject = evaluate_binding(runner, expr->items->from);
    if (bindings_object(subject) == OBJECT_ALLOCATION &&
        vidmm_allocation_view(runner->adapter, bindings_number(subject), view))
        return true;
    char missing[160];
    return evaluate_problem(runner, "%s",
                            functions_missing(runner, expr->items->from, missing, sizeof missing));
}

static bool view_segment(struct runner *runner, const struct expr *expr,
                         struct vidmm_segment_view *view)
{
    binding subject = evaluate_binding(runner, expr->items->from);
    if (bindings_object(subject) == OBJECT_SEGMENT &&
        vidmm_segment_view(runner->adapter, bindings_number(subject), view))
        return true;
    return evaluate_problem(runner, "the adapter did not start with such a segment");
}

static bool call_offset(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    struct vidmm_allocation_view view;
    if (!view_allocation(runner, expr, &view))
        return false;
    *value = view.offset;
    if (view.residency == VIDMM_RESIDENCY_RESIDENT && view.segment)
        return true;
    return evaluate_problem(runner, "it is in no segment and has no offset");
}

static bool call_size(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    struct vidmm_segment_view segment;
    struct vidmm_allocation_view allocation;
    binding subject = evaluate_binding(runner, expr->items->from);
    if (bindings_object(subject) == OBJECT_SEGMENT) {
        if (!view_segment(runner, expr, &segment))
            return false;
        *value = segment.bytes;
        return true;
    }
    if (!view_allocation(runner, expr, &allocation))
        return false;
    *value = allocation.bytes;
    return true;
}

static bool call_allocation(struct runner *runner, const struct expr *expr, enum function function,
                            uint64_t *value)
{
    struct vidmm_allocation_view view;
    if (!view_allocation(runner, expr, &view))
        return false;
    bool resident = view.residency == VIDMM_RESIDENCY_RESIDENT;
    if (function == FUNCTION_INSTANCES)
        *value = view.instances;
    else
        *value = function == FUNCTION_PRIORITY ? view.priority : resident ? view.segment : 0;
    return true;
}

static bool call_segment(struct runner *runner, const struct expr *expr, enum function function,
                         uint64_t *value)
{
    struct vidmm_segment_view view;
    if (!view_segment(runner, expr, &view))
        return false;
    switch (function) {
    case FUNCTION_USED: *value = expr->items->next ? view.pinned : view.used; break;
    case FUNCTION_FREE: *value = view.free_bytes; break;
    case FUNCTION_LARGEST_FREE: *value = view.largest_free; break;
    case FUNCTION_HOLES: *value = view.holes; break;
    default: *value = view.committed; break;
    }
    return true;
}

static bool call_node(struct runner *runner, const struct expr *expr, enum function function,
                      uint64_t *value)
{
    char missing[160];
    struct vidmm_node_view view;
    uint64_t node = 0;
    const struct expr *subject = expr->items->from;
    if (subject->kind == EXPR_NUMBER) {
        node = expr_number(subject, runner->numbers);
    } else {
        binding named = evaluate_binding(runner, subject);
        if (bindings_object(named) == OBJECT_SUBMISSION) {
            *value = bindings_number(named);
            return true;
        }
        if (bindings_number(named) == RUN_NO_HANDLE)
            return evaluate_problem(runner, "%s",
                                    run_missing_describe(runner, subject, missing, sizeof missing));
        node = bindings_number(named);
    }
    if (node >= VIDMM_NODES_MAX || !vidmm_node_view(runner->adapter, (uint32_t)node, &view))
        return evaluate_problem(runner, "the adapter has no such node");
    *value = function == FUNCTION_FENCE ? view.issued : view.completed;
    return true;
}

static bool call_stall(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    if (!expr->items) {
        *value = vidmm_counter(runner->adapter, VIDMM_COUNTER_STALL_NS);
        return true;
    }
    const char *name = runner_word(runner, expr->items->from->name);
    *value = vidmm_stall_of(runner->adapter, vidmm_wait_reason_by_name(name));
    return true;
}

static bool call_view(struct runner *runner, enum function function, uint64_t *value)
{
    struct vidmm_adapter_view view;
    if (function == FUNCTION_TIME) {
        *value = vidmm_now(runner->adapter);
        return true;
    }
    vidmm_adapter_view(runner->adapter, &view);
    *value = view.live;
    return true;
}

bool functions_call(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    enum function function = function_find(runner_word(runner, expr->name));
    if (function == FUNCTION_RAND)
        return evaluate_random(runner, expr->items, value);
    if (!run_start_implied(runner))
        return evaluate_problem(runner, "the adapter did not start");
    switch (function) {
    case FUNCTION_OFFSET: return call_offset(runner, expr, value);
    case FUNCTION_SIZE: return call_size(runner, expr, value);
    case FUNCTION_SEGMENT:
    case FUNCTION_INSTANCES:
    case FUNCTION_PRIORITY: return call_allocation(runner, expr, function, value);
    case FUNCTION_USED:
    case FUNCTION_FREE:
    case FUNCTION_LARGEST_FREE:
    case FUNCTION_HOLES:
    case FUNCTION_COMMITTED: return call_segment(runner, expr, function, value);
    case FUNCTION_LIVE:
    case FUNCTION_TIME: return call_view(runner, function, value);
    case FUNCTION_FENCE:
    case FUNCTION_COMPLETED: return call_node(runner, expr, function, value);
    case FUNCTION_STALL: return call_stall(runner, expr, value);
    case FUNCTION_OUT: return run_out_find(runner, expr, value);
    case FUNCTION_COUNT: *value = expr->watch->count; return true;
    case FUNCTION_BYTES: return functions_counter(runner, expr->items->from, value);
    case FUNCTIONS: return functions_counter(runner, expr, value);
    default: return evaluate_problem(runner, "this names allocations and is no number");
    }
}

/* ---- counters -------------------------------------------------------------------------------- */

static bool counter_of(struct runner *runner, enum vidmm_counter counter, binding subject,
                       uint64_t *value)
{
    uint32_t number = bindings_number(subject);
    switch ((int)bindings_object(subject)) {
    case OBJECT_SEGMENT: *value = vidmm_counter_of_segment(runner->adapter, counter, number); break;
    case OBJECT_NODE: *value = vidmm_counter_of_node(runner->adapter, counter, number); break;
    default: *value = vidmm_counter_of_object(runner->adapter, counter, number); break;
    }
    return true;
}

bool functions_counter(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    enum vidmm_counter counter = vidmm_counter_by_name(runner_word(runner, expr->name));
    if (counter == VIDMM_COUNTERS)
        return evaluate_problem(runner, "'%s' has no value", runner_word(runner, expr->name));
    if (!run_start_implied(runner))
        return evaluate_problem(runner, "the adapter did not start");
    const struct item *item = expr->kind == EXPR_CALL ? expr->items : NULL;
    if (!item) {
        *value = vidmm_counter(runner->adapter, counter);
        return true;
    }
    if (item->from->kind == EXPR_NUMBER) {
        uint32_t node = (uint32_t)expr_number(item->from, runner->numbers);
        return counter_of(runner, counter, bindings_make(OBJECT_NODE, 0, node), value);
    }
    binding subject = evaluate_binding(runner, item->from);
    if (!subject)
        return evaluate_problem(runner, "there is no such object");
    return counter_of(runner, counter, subject, value);
}
