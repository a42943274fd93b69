/* SPDX-License-Identifier: MIT */
/*
 * run_create.c: `create` and `resource`: what the mock shall answer, and the calls.
 *
 * Attributes are the members of DXGK_ALLOCATIONINFO; those of the class come first, then the
 * statement's own.
 */
#include "scenarios/lang/run/creation.h"

#include <string.h>

enum { PRIORITY_NORMAL = 0x78000000 };

/* ---- attributes ----------------------------------------------------------------------------- */

static bool apply_all(struct runner *runner, const struct attribute *attributes,
                      struct creation *creation, struct creation_call *call)
{
    for (const struct attribute *at = attributes; at; at = at->next) {
        if (!runner_stop_unless(runner, run_member_apply(runner, at, creation, call)))
            return false;
    }
    return true;
}

static bool create_prepare(struct runner *runner, const struct statement *statement,
                           struct creation *creation, struct creation_call *call)
{
    uint32_t count = (uint32_t)min_u64(runner->mock_config.segment_count, 32);
    uint32_t all = count ? UINT32_MAX >> (32 - count) : 0;
    binding class = statement->name ? bindings_of_word(runner, statement->name) : 0;
    creation->answer =
        (struct vidmm_mock_allocation){ .read_set = all,
                                        .write_set = all,
                                        .fills_wddm2 = runner->mock_config.wddm >= VIDMM_WDDM_2_0,
                                        .priority = PRIORITY_NORMAL };
    creation->context = 0;
    creation->across_contexts = false;
    creation->args = (struct vidmm_allocation_args){ .private_bytes = sizeof creation->answer };
    const struct statement *declared =
        bindings_object(class) == OBJECT_CLASS ? runner->classes[bindings_number(class)] : NULL;
    run_surface_begin(runner, declared, statement, creation);
    if (declared && !apply_all(runner, declared->attributes, creation, call))
        return false;
    return apply_all(runner, statement->attributes, creation, call);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void name_bulk(struct creation *creation, uint32_t handle)
{
    creation->bulk = creation->named = true;
    creation->key = handle;
    snprintf(creation->label, sizeof creation->label, "@%" PRIu32, handle);
}

static void name_member(struct runner *runner, const struct expr *target, uint64_t index,
                        struct creation *creation)
{
    const char *name = runner_word(runner, target->name);
    creation->named = true;
    creation->bulk = false;
    creation->key = name_key_of(target->name, target->left, (uint32_t)index);
    if (target->left)
        snprintf(creation->label, sizeof creation->label, "%.60s[%" PRIu64 "]", name, index);
    else
        snprintf(creation->label, sizeof creation->label, "%.79s", name);
}

static void name_fresh(struct runner *runner, struct creation *creation)
{
    creation->named = creation->bulk = false;
    creation->key = 0;
    snprintf(creation->label, sizeof creation->label, "new%" PRIu64, ++runner->fresh);
}

static bool create_find_members(struct runner *runner, const struct expr *target, uint64_t *first,
                                uint64_t *last)
{
    *first = *last = 0;
    if (target->kind != EXPR_NAME || !target->left)
        return true;
    bool known = evaluate(runner, target->left, first) &&
                 (!target->right || evaluate(runner, target->right, last));
    if (!target->right)
        *last = *first;
    if (known && (*last < *first || *last > NAME_INDEX_MAX))
        known =
            evaluate_problem(runner, "there are no members %" PRIu64 "..%" PRIu64, *first, *last);
    return runner_stop_unless(runner, known);
}

static void give_name(struct runner *runner, const struct expr *target, uint64_t index,
                      struct creation *creation)
{
    bool fresh = target->kind == EXPR_NAME && (target->name == runner->scenario->word_new ||
                                               target->name == runner->scenario->word_auto);
    if (target->kind == EXPR_HANDLE)
        name_bulk(creation, (uint32_t)expr_number(target, runner->numbers));
    else if (fresh)
        name_fresh(runner, creation);
    else
        name_member(runner, target, index, creation);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_room(struct runner *runner, uint64_t more)
{
    if (runner->live_count + more <= runner->limits.live)
        return true;
    runner_message(runner, SCENARIO_STOPPED, NULL, "%" PRIu64 " live allocations are the limit",
                   runner->limits.live);
    runner_halt(runner, SCENARIO_EXIT_LIMIT);
    return false;
}

/* Room for what the call claims, and the device that is written or the one declared last. */
static bool make_ready(struct runner *runner, struct creation_call *call, size_t count)
{
    if (!has_room(runner, call->counted ? min_u64(call->claimed, CREATIONS_MAX) : count))
        return false;
    if (!call->args.device)
        call->args.device = run_start_device(runner);
    return call->args.device != 0;
}

static void begin_call(struct creation_call *call)
{
    enum { EXISTING_HEAP = 1 };
    *call = (struct creation_call){ .standard.type = EXISTING_HEAP };
}

void run_memory_create(struct runner *runner, const struct statement *statement)
{
    struct creation creation;
    struct creation_call call;
    const struct expr *target = statement->subjects->from;
    uint64_t first = 0;
    uint64_t last = 0;
    vidmm_status status = 0;
    if (!create_find_members(runner, target, &first, &last) || !has_room(runner, last - first + 1))
        return;
    /* One call per name; random attributes are drawn for each. */
    for (uint64_t index = first; index <= last && status >= 0; index++) {
        runner->rounds += index > first; /* each is work */
        if (!runner_within_limits(runner))
            return;
        begin_call(&call);
        give_name(runner, target, index, &creation);
        if (!create_prepare(runner, statement, &creation, &call) || !make_ready(runner, &call, 1))
            return;
        status = creation.context || creation.across_contexts
                     ? run_context_make(runner, &call, &creation)
                     : run_call_make(runner, &call, &creation, 1);
    }
    if (status < 0)
        run_missing_note(runner, target);
    run_outcome(runner, statement, status);
}

/* ---- resource -------------------------------------------------------------------------------- */

struct creation_list {
    struct creation *creations;
    size_t count, capacity;
};

static bool add_creations(struct runner *runner, const struct statement *statement,
                          struct creation_list *list, struct creation_call *call)
{
    const struct expr *target = statement->subjects->from;
    uint64_t first = 0;
    uint64_t last = 0;
    if (!create_find_members(runner, target, &first, &last))
        return false;
    if (last - first >= CREATIONS_MAX - list->count)
        return runner_stop(runner, "one call creates at most %d allocations", CREATIONS_MAX);
    for (uint64_t index = first; index <= last; index++) {
        BASE_GROW(list->creations, list->capacity, list->count + 1);
        struct creation *creation = &list->creations[list->count++];
        give_name(runner, target, index, creation);
        if (!create_prepare(runner, statement, creation, call))
            return false;
    }
    return true;
}

/* `resource NAME` makes one, `resource NAME add` names the one that grows. */
static bool prepare_resource(struct runner *runner, const struct statement *statement,
                             struct creation_list *list, struct creation_call *call)
{
    const struct attribute *named = attribute_find(statement, ATTRIBUTE_RESOURCE_DEVICE);
    bool add = attribute_find(statement, ATTRIBUTE_RESOURCE_ADD) != NULL;
    begin_call(call);
    for (const struct statement *at = statement->body; at; at = at->next)
        if (!add_creations(runner, at, list, call))
            return false;
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        if (run_member_apply(runner, at, NULL, call))
            continue;
        return runner_stop(runner, "%s", runner->problem);
    }
    if (add)
        call->args.resource = bindings_number(evaluate_binding(runner, statement->subjects->from));
    else
        call->args.flags |= VIDMM_KMT_CreateResource;
    if (named)
        call->args.device = bindings_number(bindings_of_word(runner, named->items->from->name));
    return make_ready(runner, call, list->count);
}

/* The resource, unless it was there before, and every allocation of the block. */
static void note_refused(struct runner *runner, const struct statement *statement,
                         const struct expr *resource)
{
    if (resource)
        run_missing_note(runner, resource);
    for (const struct statement *at = statement->body; at; at = at->next)
        run_missing_note(runner, at->subjects->from);
}

void run_memory_resource(struct runner *runner, const struct statement *statement)
{
    struct creation_list list = { 0 };
    struct creation_call call;
    const struct expr *target = statement->subjects->from;
    if (prepare_resource(runner, statement, &list, &call)) {
        bool adds = !(call.args.flags & VIDMM_KMT_CreateResource);
        if (target->kind == EXPR_NAME)
            call.args.label = runner_word(runner, target->name);
        vidmm_status status = run_call_make(runner, &call, list.creations, list.count);
        if (status >= 0 && !adds && target->kind == EXPR_NAME && !target->left)
            bindings_name(runner, target->name,
                          bindings_make(OBJECT_RESOURCE, 0,
                                        (uint32_t)runner->out.value[OUT_H_RESOURCE]));
        if (status < 0)
            note_refused(runner, statement, adds ? NULL : target);
        run_outcome(runner, statement, status);
    }
    base_free(list.creations);
}
