/* SPDX-License-Identifier: MIT */
/*
 * run_offer.c: `offer` and `reclaim`: one call for all names, resources in one list and allocations
 * in the other. Names of both kinds in one statement are a wrong call, and so are the members that
 * a statement gives by their documented names.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

/* Which attributes of the statement are meant. */
struct offer_words {
    enum attribute_id device, count, list;
};

static bool offer_read_number(struct runner *runner, const struct statement *statement,
                              enum attribute_id id, uint64_t *value)
{
    const struct attribute *at = attribute_find(statement, id);
    size_t index = 0;
    if (!at)
        return true;
    if (at->row->words && at->items->from->kind == EXPR_NAME &&
        word_list_has(at->row->words, runner_word(runner, at->items->from->name), &index)) {
        *value = index;
        return true;
    }
    return evaluate_attribute(runner, statement, id, value);
}

static vidmm_handle offer_device_of(struct runner *runner, const struct attribute *named)
{
    struct vidmm_allocation_view allocation;
    struct vidmm_resource_view resource;
    vidmm_handle first = runner->target_count ? bindings_number(runner->targets[0]) : 0;
    if (named)
        return bindings_number(bindings_of_word(runner, named->items->from->name));
    if (vidmm_allocation_view(runner->adapter, first, &allocation))
        return allocation.device;
    if (vidmm_resource_view(runner->adapter, first, &resource))
        return resource.device;
    return run_start_device(runner);
}

/* The handles stand in runner->handle_list until the next statement. */
static bool read_list(struct runner *runner, const struct statement *statement,
                      const struct offer_words *words, struct vidmm_offer_list *list)
{
    uint64_t count = 0, given = 1;
    runner->target_count = 0;
    if (!evaluate_targets(runner, statement->subjects))
        return false;
    BASE_GROW(runner->handle_list, runner->handle_capacity, runner->target_count + 1);
    list->count = runner->target_count;
    for (size_t i = 0; i < list->count; i++) {
        runner->handle_list[i] = bindings_number(runner->targets[i]);
        if (bindings_object(runner->targets[i]) == OBJECT_RESOURCE)
            list->resources = runner->handle_list;
        else
            list->allocations = runner->handle_list;
    }
    count = list->count;
    if (!offer_read_number(runner, statement, words->count, &count) ||
        !offer_read_number(runner, statement, words->list, &given))
        return false;
    if (count > list->count)
        return runner_stop(runner, "NumAllocations is more than the statement names");
    list->count = (size_t)count;
    if (!given)
        list->allocations = NULL;
    list->device = offer_device_of(runner, attribute_find(statement, words->device));
    return true;
}

void run_offer(struct runner *runner, const struct statement *statement)
{
    static const struct offer_words words = { ATTRIBUTE_OFFER_DEVICE,
                                              ATTRIBUTE_OFFER_NUM_ALLOCATIONS,
                                              ATTRIBUTE_OFFER_HANDLE_LIST };
    const struct attribute *api = attribute_find(statement, ATTRIBUTE_OFFER_API);
    struct vidmm_offer_args args = { .priority = 0 };
    uint64_t priority = 0;
    args.callback = api && strcmp(runner_word(runner, api->items->from->name), "callback") == 0;
    if (!read_list(runner, statement, &words, &args.list) ||
        !run_value_flag_list(runner, attribute_find(statement, ATTRIBUTE_OFFER_FLAGS),
                             args.callback ? VIDMM_FLAGS_OFFER_CALLBACK : VIDMM_FLAGS_OFFER,
                             &args.flags) ||
        !offer_read_number(runner, statement, ATTRIBUTE_OFFER_PRIORITY, &priority))
        return;
    args.priority = (uint32_t)priority;
    run_outcome(runner, statement, vidmm_offer(runner->adapter, &args));
}

void run_reclaim(struct runner *runner, const struct statement *statement)
{
    static const struct offer_words words = { ATTRIBUTE_RECLAIM_DEVICE,
                                              ATTRIBUTE_RECLAIM_NUM_ALLOCATIONS,
                                              ATTRIBUTE_RECLAIM_HANDLE_LIST };
    struct vidmm_offer_list list = { 0 };
    struct outs *out = &runner->out;
    uint64_t asked = 1;
    run_out_clear(runner);
    if (!read_list(runner, statement, &words, &list) ||
        !offer_read_number(runner, statement, ATTRIBUTE_RECLAIM_DISCARDED, &asked))
        return;
    BASE_GROW(out->results, out->result_capacity, list.count + 1);
    vidmm_status status = vidmm_reclaim(runner->adapter, &list, asked ? out->results : NULL);
    if (status >= 0 && asked) {
        out->result_count = list.count;
        run_out_set(runner, OUT_P_DISCARDED, 0);
        run_out_set(runner, OUT_P_RESULTS, 0);
    }
    run_outcome(runner, statement, status);
}
