/* SPDX-License-Identifier: MIT */
/*
 * run_create.c: `create` and `resource`: what the mock shall answer, the calls, and what comes
 * back.
 *
 * Attributes are the members of DXGK_ALLOCATIONINFO; those of the class come first, then the
 * statement's own.
 *
 * NumAllocations may differ from the number of allocations that are written: then fewer are handed
 * over, or the last one again and again, without a name. What the mock shall answer is the
 * beginning of the private data of each allocation; PrivateDriverDataSize cuts or lengthens it.
 * Where it is cut the mock hears of the answer beside the call.
 */
#include "scenarios/lang/run/creation.h"

#include <string.h>

/* ---- private data ---------------------------------------------------------------------------- */

/* For elements whose private data does not say it. */
static void tell_mock(struct runner *runner, size_t count, const struct creation *list,
                      size_t written)
{
    struct vidmm_mock_allocation *wishes = base_alloc(count, sizeof *wishes);
    for (size_t i = 0; i < count; i++)
        wishes[i] = list[min_u64(i, written - 1)].answer;
    vidmm_mock_next_allocations(runner->mock, wishes, count);
    base_free(wishes);
}

static void fill_elements(struct runner *runner, struct vidmm_allocation_args *args, size_t count,
                          struct creation *list, size_t written)
{
    for (size_t i = 0; i < written; i++)
        run_surface_end(runner, &list[i]);
    bool cut = false;
    for (size_t i = 0; i < count; i++) {
        struct creation *creation = &list[min_u64(i, written - 1)];
        creation->args.private_bytes =
            (uint32_t)min_u64(creation->args.private_bytes, PRIVATE_BYTES_MAX);
        uint32_t bytes = creation->args.private_bytes;
        cut |= bytes < sizeof creation->answer ||
               (creation->args.standard && creation->described.bytes < sizeof creation->answer);
        args[i] = creation->args;
        args[i].label = creation->label;
        args[i].private_data = &creation->answer;
        if (bytes != sizeof creation->answer) {
            uint8_t *data = base_alloc(bytes ? bytes : 1, 1); /* freed by free_elements() */
            memcpy(data, &creation->answer, min_u64(bytes, sizeof creation->answer));
            args[i].private_data = data;
        }
    }
    if (cut)
        tell_mock(runner, count, list, written);
}

static void free_elements(struct vidmm_allocation_args *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].private_bytes != sizeof(struct vidmm_mock_allocation))
            base_free((void *)(uintptr_t)args[i].private_data);
    base_free(args);
}

/* ---- the call -------------------------------------------------------------------------------- */

static void describe_standard(struct runner *runner, struct creation_call *call,
                              struct creation *list, size_t count)
{
    const uint32_t standard = VIDMM_KMT_StandardAllocation;
    if (!(call->args.flags & standard) || call->null_description)
        return;
    if (count)
        run_surface_end_heap(runner, &list[0]);
    if (!call->sized && count)
        call->standard.existing_heap_bytes = list[0].answer.size;
    call->args.standard = &call->standard;
}

static void bind_new(struct runner *runner, const struct creation *list, size_t written,
                     const vidmm_handle *handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct creation *creation = &list[min_u64(i, written - 1)];
        bool named = creation->named && i < written;
        live_add(runner, named && creation->bulk, named ? creation->key : 0, handles[i]);
    }
}

/* Makes the call; the new allocations get their names. */
static vidmm_status make_call(struct runner *runner, struct creation_call *call,
                              struct creation *list, size_t written)
{
    uint8_t none[1] = { 0 };
    size_t count = written;
    if (call->counted && (written || !call->claimed))
        count = (size_t)min_u64(call->claimed, CREATIONS_MAX);
    struct vidmm_allocation_args *args = base_alloc(count + 1, sizeof *args);
    vidmm_handle *handles = base_alloc(count + 1, sizeof *handles);
    uint8_t *data = call->args.private_bytes ? base_alloc(call->args.private_bytes, 1) : none;
    struct vidmm_creation_result result = { 0 };
    fill_elements(runner, args, count, list, written);
    describe_standard(runner, call, list, written);
    call->args.allocations = args;
    call->args.count = count;
    call->args.private_data = data;
    vidmm_status status = vidmm_create_allocations(runner->adapter, &call->args, handles, &result);
    run_out_clear(runner);
    if (status >= 0) {
        bind_new(runner, list, written, handles, count);
        run_out_set(runner, OUT_H_RESOURCE, result.resource);
        run_out_set(runner, OUT_FLAGS, result.flags);
        run_out_set(runner, OUT_H_GLOBAL_SHARE, result.global_share);
        run_out_set(runner, OUT_ZEROED, (result.flags & VIDMM_KMT_Zeroed) != 0);
    }
    free_elements(args, count);
    base_free(handles);
    if (data != none)
        base_free(data);
    return status;
}

/* `create ... context=C`: an allocation that the mock makes by a callback; the name of the
   statement is only its label. */
static vidmm_status make_for_context(struct runner *runner, const struct creation_call *call,
                                     const struct creation *creation)
{
    vidmm_handle owner = creation->across_contexts ? call->args.device : creation->context;
    vidmm_handle handle = 0;
    vidmm_name_next(runner->adapter, creation->label);
    vidmm_status status =
        vidmm_mock_context_allocation(runner->mock, owner, creation->across_contexts,
                                      &creation->answer, &handle);
    vidmm_name_next(runner->adapter, NULL);
    if (status >= 0)
        live_add(runner, creation->bulk, creation->named ? creation->key : 0, handle);
    return status;
}

enum { PRIORITY_NORMAL = 0x78000000 };

/* ---- attributes ----------------------------------------------------------------------------- */

/* `creation` is NULL for `resource`. */
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
    creation->args.private_bytes = sizeof creation->answer;
    const struct statement *declared = bindings_object(class) == OBJECT_CLASS
                                           ? runner->steps->classes[bindings_number(class)]
                                           : NULL;
    run_surface_begin(runner, declared, statement, creation);
    if (declared && !apply_all(runner, declared->attributes, creation, call))
        return false;
    return apply_all(runner, statement->attributes, creation, call);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void name_member(struct runner *runner, const struct expr *target, uint64_t index,
                        struct creation *creation)
{
    const char *name = runner_word(runner, target->name);
    creation->key = name_key_of(target->name, target->left, (uint32_t)index);
    if (target->left)
        snprintf(creation->label, sizeof creation->label, "%.60s[%" PRIu64 "]", name, index);
    else
        snprintf(creation->label, sizeof creation->label, "%.79s", name);
}

static bool create_find_members(struct runner *runner, const struct expr *target, uint64_t *first,
                                uint64_t *last)
{
    *first = *last = 0;
    return target->kind != EXPR_NAME || !target->left ||
           runner_stop_unless(runner, evaluate_members(runner, target, UINT64_MAX, first, last));
}

static void give_name(struct runner *runner, const struct expr *target, uint64_t index,
                      struct creation *creation)
{
    bool fresh = target->kind == EXPR_NAME && (target->name == runner->scenario->word_new ||
                                               target->name == runner->scenario->word_auto);
    *creation = (struct creation){ .named = !fresh, .bulk = target->kind == EXPR_HANDLE };
    if (creation->bulk) {
        creation->key = (uint32_t)expr_number(target, runner->numbers);
        snprintf(creation->label, sizeof creation->label, "@%" PRIu64, creation->key);
    } else if (fresh) {
        snprintf(creation->label, sizeof creation->label, "new%" PRIu64, ++runner->fresh);
    } else {
        name_member(runner, target, index, creation);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_room(struct runner *runner, uint64_t more)
{
    if (runner->live_count + more <= runner->limits.live)
        return true;
    limits_stop(runner, runner->limits.live, "live allocation is", "live allocations are");
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
    uint64_t first = 0, last = 0;
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
        if (creation.for_context && !creation.context) /* `ctx`, which is needed now */
            creation.context =
                run_start_context(runner, attribute_items(statement, ATTRIBUTE_CREATE_CONTEXT));
        status = creation.for_context || creation.across_contexts
                     ? make_for_context(runner, &call, &creation)
                     : make_call(runner, &call, &creation, 1);
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
    uint64_t first = 0, last = 0;
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
    const struct item *named = attribute_items(statement, ATTRIBUTE_RESOURCE_DEVICE);
    bool add = attribute_find(statement, ATTRIBUTE_RESOURCE_ADD) != NULL;
    begin_call(call);
    for (const struct statement *at = statement->body; at; at = at->next)
        if (!add_creations(runner, at, list, call))
            return false;
    if (!apply_all(runner, statement->attributes, NULL, call))
        return false;
    if (add)
        call->args.resource = bindings_number(evaluate_binding(runner, statement->subjects->from));
    else
        call->args.flags |= VIDMM_KMT_CreateResource;
    if (named)
        call->args.device = bindings_number(bindings_of_word(runner, named->from->name));
    return make_ready(runner, call, list->count);
}

void run_memory_resource(struct runner *runner, const struct statement *statement)
{
    struct creation_list list = { 0 };
    struct creation_call call;
    struct creation name; /* of the resource: what the statement calls it */
    uint64_t index = 0, last = 0;
    const struct expr *target = statement->subjects->from;
    if (prepare_resource(runner, statement, &list, &call) &&
        create_find_members(runner, target, &index, &last)) {
        bool adds = !(call.args.flags & VIDMM_KMT_CreateResource);
        give_name(runner, target, index, &name);
        call.args.label = name.label;
        vidmm_status status = make_call(runner, &call, list.creations, list.count);
        if (status >= 0 && !adds && name.named)
            bindings_set(runner, name.bulk, name.key,
                         bindings_make(OBJECT_RESOURCE, 0,
                                       (uint32_t)runner->out.value[OUT_H_RESOURCE]));
        /* The resource, unless it was there before, and every allocation of the block. */
        if (status < 0 && !adds)
            run_missing_note(runner, target);
        for (const struct statement *at = statement->body; status < 0 && at; at = at->next)
            run_missing_note(runner, at->subjects->from);
        run_outcome(runner, statement, status);
    }
    base_free(list.creations);
}
