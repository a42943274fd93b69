/* SPDX-License-Identifier: MIT */
/*
 * run_call.c: the creation call itself: its members by their documented names, and what comes back.
 *
 * NumAllocations may differ from the number of allocations that are written: then fewer are handed
 * over, or the last one again and again, without a name. What the mock shall answer is the
 * beginning of the private data of each allocation; PrivateDriverDataSize cuts or lengthens it.
 * Where it is cut the mock hears of the answer beside the call.
 */
#include "scenarios/lang/run/creation.h"

#include <string.h>

enum { PRIVATE_BYTES_MAX = 64 * 1024 };

/* ---- members -----------------------------------------------------------------------------------
 */

enum member {
    MEMBER_KMT,
    MEMBER_ORIGIN,
    MEMBER_RESOURCE,
    MEMBER_COUNT,
    MEMBER_INFO,
    MEMBER_INFO2,
    MEMBER_STANDARD,
    MEMBER_TYPE,
    MEMBER_HEAP_SIZE,
    MEMBER_RESERVED,
    MEMBER_RUNTIME_SIZE,
    MEMBER_PRIVATE_SIZE,
    MEMBER_DDI_FLAGS,
};

#define BOTH(attribute, member)                                                                    \
    { ATTRIBUTE_CREATE_##attribute, MEMBER_##member },                                             \
    {                                                                                              \
        ATTRIBUTE_RESOURCE_##attribute, MEMBER_##member                                            \
    }

static const struct {
    enum attribute_id attribute;
    enum member member;
} members[] = {
    BOTH(KMT, KMT),
    BOTH(ORIGIN, ORIGIN),
    BOTH(MEMBER_RESOURCE, RESOURCE),
    BOTH(MEMBER_NUM_ALLOCATIONS, COUNT),
    BOTH(MEMBER_INFO, INFO),
    BOTH(MEMBER_INFO2, INFO2),
    BOTH(MEMBER_STANDARD, STANDARD),
    BOTH(MEMBER_TYPE, TYPE),
    BOTH(MEMBER_HEAP_SIZE, HEAP_SIZE),
    BOTH(MEMBER_RESERVED, RESERVED),
    BOTH(MEMBER_RUNTIME_SIZE, RUNTIME_SIZE),
    { ATTRIBUTE_RESOURCE_MEMBER_PRIVATE_SIZE, MEMBER_PRIVATE_SIZE },
    { ATTRIBUTE_RESOURCE_MEMBER_FLAGS, MEMBER_DDI_FLAGS },
};

static void set_array(struct creation_call *call, uint32_t array, bool given)
{
    if (given)
        call->args.arrays |= array;
    else
        call->args.arrays &= ~array;
}

static void apply_number(struct creation_call *call, enum member member, uint64_t value)
{
    struct vidmm_creation_args *args = &call->args;
    switch (member) {
    case MEMBER_COUNT:
        call->counted = true;
        call->claimed = value;
        break;
    case MEMBER_INFO: set_array(call, VIDMM_ALLOCATION_INFO, value != 0); break;
    case MEMBER_INFO2: set_array(call, VIDMM_ALLOCATION_INFO2, value != 0); break;
    case MEMBER_STANDARD: call->null_description = !value; break;
    case MEMBER_TYPE: call->standard.type = (uint32_t)value; break;
    case MEMBER_HEAP_SIZE:
        call->sized = true;
        call->standard.existing_heap_bytes = value;
        break;
    case MEMBER_RESERVED: call->standard.flags = (uint32_t)value; break;
    case MEMBER_RUNTIME_SIZE: args->runtime_bytes = (uint32_t)value; break;
    default: args->private_bytes = (uint32_t)value; break;
    }
}

static bool apply_word(struct runner *runner, const struct attribute *attribute,
                       struct creation_call *call, enum member member)
{
    const char *text = runner_word(runner, attribute->items->from->name);
    size_t index = 0;
    if (member == MEMBER_ORIGIN)
        call->args.kernel = strcmp(text, "kernel") == 0;
    if (member == MEMBER_TYPE && word_list_has(attribute->row->words, text, &index))
        call->standard.type = (uint32_t)index + 1;
    return true;
}

static bool apply_member(struct runner *runner, const struct attribute *attribute,
                         struct creation_call *call, enum member member)
{
    const struct expr *first = attribute->items->from;
    uint64_t value = 0;
    switch (member) {
    case MEMBER_KMT: return run_create_flags(runner, attribute, VIDMM_FLAGS_KMT, &call->args.flags);
    case MEMBER_DDI_FLAGS:
        return run_create_flags(runner, attribute, VIDMM_FLAGS_DDI_CREATE, &call->args.ddi_flags);
    case MEMBER_RESOURCE:
        call->args.resource = bindings_number(bindings_of_word(runner, first->name));
        return true;
    default: break;
    }
    if (first->kind == EXPR_NAME)
        return apply_word(runner, attribute, call, member);
    if (!evaluate_item(runner, attribute, attribute->items, &value))
        return false;
    if (member == MEMBER_PRIVATE_SIZE && value > PRIVATE_BYTES_MAX)
        return evaluate_problem(runner, "'%s' is at most %d here", attribute->row->name,
                                PRIVATE_BYTES_MAX);
    apply_number(call, member, value);
    return true;
}

enum applied run_call_apply(struct runner *runner, const struct attribute *attribute,
                            struct creation_call *call)
{
    for (size_t i = 0; i < ARRAY_COUNT(members); i++) {
        if (members[i].attribute != attribute->row->id)
            continue;
        return apply_member(runner, attribute, call, members[i].member) ? APPLIED : APPLIED_WRONG;
    }
    return APPLIED_NOT_MINE;
}

/* ---- private data ------------------------------------------------------------------------------
 */

/* What the mock shall answer, cut or lengthened; to be freed. */
static uint8_t *private_data(const struct creation *creation)
{
    uint32_t bytes = creation->args.private_bytes;
    uint8_t *data = base_alloc(bytes ? bytes : 1, 1);
    memcpy(data, &creation->answer, min_u64(bytes, sizeof creation->answer));
    return data;
}

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

static bool is_cut(const struct creation *creation)
{
    return creation->args.private_bytes < sizeof creation->answer ||
           (creation->args.standard && creation->described.bytes < sizeof creation->answer);
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
        cut |= is_cut(creation);
        args[i] = creation->args;
        args[i].label = creation->label;
        args[i].private_data = &creation->answer;
        if (args[i].private_bytes != sizeof creation->answer)
            args[i].private_data = private_data(creation);
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

/* ---- the call ----------------------------------------------------------------------------------
 */

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

static size_t how_many(const struct creation_call *call, size_t written)
{
    if (!call->counted || (!written && call->claimed))
        return written;
    return (size_t)min_u64(call->claimed, CREATIONS_MAX);
}

static void bind_new(struct runner *runner, const struct creation *list, size_t written,
                     const vidmm_handle *handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct creation *creation = &list[min_u64(i, written - 1)];
        bool named = creation->named && i < written;
        bindings_add_allocation(runner, named && creation->bulk, named ? creation->key : 0,
                                handles[i]);
    }
}

vidmm_status run_call_make(struct runner *runner, struct creation_call *call, struct creation *list,
                           size_t written)
{
    uint8_t none[1] = { 0 };
    size_t count = how_many(call, written);
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
    if (status >= 0)
        bind_new(runner, list, written, handles, count);
    run_out_creation(runner, status, &result);
    free_elements(args, count);
    base_free(handles);
    if (data != none)
        base_free(data);
    return status;
}
