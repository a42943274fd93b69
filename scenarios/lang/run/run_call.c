/* SPDX-License-Identifier: MIT */
/*
 * run_call.c: the creation call itself, and what comes back.
 *
 * NumAllocations may differ from the number of allocations that are written: then fewer are handed
 * over, or the last one again and again, without a name. What the mock shall answer is the
 * beginning of the private data of each allocation; PrivateDriverDataSize cuts or lengthens it.
 * Where it is cut the mock hears of the answer beside the call.
 */
#include "scenarios/lang/run/creation.h"

#include <string.h>

/* ---- private data ---------------------------------------------------------------------------- */

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
