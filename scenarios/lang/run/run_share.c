/* SPDX-License-Identifier: MIT */
/*
 * run_share.c: resources of several devices, and what a device gives up: `open`, `close`, `share`,
 * `grant`, `offer`, `reclaim`.
 *
 * An opened name is bound to the handle of its device. Events know one subject for all of them, the
 * handle of the creation, so each opened handle is kept with it.
 *
 * An offer is one call for all names, resources in one list and allocations in the other. Names of
 * both kinds in one statement are a wrong call, and so are the members that a statement gives by
 * their documented names.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { LABEL_BYTES = 96 };

/* ---- open ------------------------------------------------------------------------------------ */

/* Resources bring their allocations as members: NAME2[0] is the first of them. */
static void name_members(struct runner *runner, const struct expr *target, vidmm_handle identity,
                         vidmm_handle opened)
{
    for (size_t i = 0;; i++) {
        vidmm_handle member = vidmm_resource_member(runner->adapter, opened, i);
        if (!member)
            return;
        bindings_open(runner, member, vidmm_resource_member(runner->adapter, identity, i));
        if (target->kind == EXPR_NAME && !target->left)
            bindings_set(runner, false, name_key_member(target->name, (uint32_t)i),
                         bindings_make(OBJECT_ALLOCATION, NO_POSITION, member));
    }
}

/* What the opener calls it, as a key and as text. */
static bool key_of(struct runner *runner, const struct expr *target, name_key *key, char *label)
{
    uint64_t index = 0;
    if (target->kind == EXPR_HANDLE) {
        *key = (uint32_t)expr_number(target, runner->numbers);
        snprintf(label, LABEL_BYTES, "@%" PRIu64, *key);
        return true;
    }
    if (target->left && !evaluate_or_stop(runner, target->left, &index))
        return false;
    if (index > NAME_INDEX_MAX)
        return runner_stop(runner, "an index is at most %d", NAME_INDEX_MAX);
    *key = name_key_of(target->name, target->left, (uint32_t)index);
    snprintf(label, LABEL_BYTES, "%.60s", runner_word(runner, target->name));
    if (target->left)
        words_add(label, LABEL_BYTES, "[%" PRIu64 "]", index);
    return true;
}

void run_share_open(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    name_key key = 0;
    char label[LABEL_BYTES];
    const struct expr *target = statement->value;
    binding named = evaluate_binding(runner, statement->subjects->from);
    vidmm_handle device = run_start_owner(runner, statement, ATTRIBUTE_OPEN_DEVICE, OBJECT_DEVICE);
    if (!key_of(runner, target, &key, label))
        return;
    vidmm_handle from = named ? bindings_number(named) : RUN_NO_HANDLE;
    vidmm_status status = vidmm_open(runner->adapter, label, device, from, &handle);
    if (status >= 0) {
        vidmm_handle identity = bindings_identity(runner, from);
        bindings_open(runner, handle, identity);
        bindings_set(runner, target->kind == EXPR_HANDLE, key,
                     bindings_make(bindings_object(named), NO_POSITION, handle));
        if (bindings_object(named) == OBJECT_RESOURCE)
            name_members(runner, target, identity, handle);
    }
    run_outcome(runner, statement, status);
}

/* ---- close, share, grant --------------------------------------------------------------------- */

void run_share_close(struct runner *runner, const struct statement *statement)
{
    vidmm_status status =
        vidmm_close(runner->adapter, evaluate_handle(runner, statement->subjects->from));
    if (status >= 0)
        live_sweep(runner);
    else
        live_doubt(runner);
    run_outcome(runner, statement, status);
}

void run_share_share(struct runner *runner, const struct statement *statement)
{
    uint32_t nt_handle = 0;
    bool read_only = evaluate_is_word(runner, statement, ATTRIBUTE_SHARE_ACCESS, "read");
    if (!run_memory_targets(runner, statement))
        return;
    vidmm_status status = vidmm_share(runner->adapter, run_memory_handles(runner),
                                      runner->target_count, read_only, &nt_handle);
    run_out_clear(runner);
    run_out_set(runner, OUT_H_SHARED_NT_HANDLE, nt_handle);
    run_outcome(runner, statement, status);
}

void run_share_grant(struct runner *runner, const struct statement *statement)
{
    vidmm_handle device = run_start_owner(runner, statement, ATTRIBUTE_GRANT_DEVICE, OBJECT_DEVICE);
    run_outcome(runner, statement,
                vidmm_grant(runner->adapter, evaluate_handle(runner, statement->subjects->from),
                            device));
}

/* ---- offer, reclaim -------------------------------------------------------------------------- */

/* Which attributes of the statement are meant. */
struct offer_words {
    enum attribute_id device, count, list;
};

/* The handles stand in runner->steps->handle_list until the next statement. */
static bool read_list(struct runner *runner, const struct statement *statement,
                      const struct offer_words *words, struct vidmm_offer_list *list)
{
    uint64_t count = 0, given = 1;
    if (!run_memory_targets(runner, statement))
        return false;
    const vidmm_handle *handles = run_memory_handles(runner);
    list->count = runner->target_count;
    for (size_t i = 0; i < list->count; i++) {
        if (bindings_object(runner->targets[i]) == OBJECT_RESOURCE)
            list->resources = handles;
        else
            list->allocations = handles;
    }
    count = list->count;
    if (!evaluate_optional(runner, statement, words->count, &count) ||
        !evaluate_optional(runner, statement, words->list, &given))
        return false;
    if (count > list->count)
        return runner_stop(runner, "NumAllocations is more than the statement names");
    list->count = (size_t)count;
    if (!given)
        list->allocations = NULL;
    list->device =
        run_memory_device(runner, statement, words->device, runner->target_count ? handles[0] : 0);
    return true;
}

void run_offer(struct runner *runner, const struct statement *statement)
{
    static const struct offer_words words = { ATTRIBUTE_OFFER_DEVICE,
                                              ATTRIBUTE_OFFER_NUM_ALLOCATIONS,
                                              ATTRIBUTE_OFFER_HANDLE_LIST };
    struct vidmm_offer_args args = { .priority = 0 };
    args.callback = evaluate_is_word(runner, statement, ATTRIBUTE_OFFER_API, "callback");
    if (!read_list(runner, statement, &words, &args.list) ||
        !run_value_flag_list(runner, attribute_items(statement, ATTRIBUTE_OFFER_FLAGS),
                             args.callback ? VIDMM_FLAGS_OFFER_CALLBACK : VIDMM_FLAGS_OFFER,
                             &args.flags) ||
        !evaluate_optional_32(runner, statement, ATTRIBUTE_OFFER_PRIORITY, &args.priority))
        return;
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
        !evaluate_optional(runner, statement, ATTRIBUTE_RECLAIM_DISCARDED, &asked))
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
