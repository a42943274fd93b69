/* SPDX-License-Identifier: MIT */
/*
 * run_share.c: `open`, `close`, `share`, `grant`: one resource and several devices.
 *
 * An opened name is bound to the handle of its device. Events know one subject for all of them, the
 * handle of the creation, so each opened handle is kept with it.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

/* The position among the live allocations: none, `any` picks what was created. */
enum { NO_POSITION = 0x0FFFFFFF, LABEL_BYTES = 96 };

void run_share_target_all(struct runner *runner)
{
    size_t kept = 0;
    for (size_t i = 0; i < runner->target_count; i++)
        if (!bindings_is_closed(runner, bindings_number(runner->targets[i])))
            runner->targets[kept++] = runner->targets[i];
    runner->target_count = kept;
    BASE_GROW(runner->targets, runner->target_capacity, kept + runner->opened_count);
    for (size_t i = 0; i < runner->opened_count; i++)
        if (vidmm_object_kind(runner->adapter, runner->opened[i].handle) == VIDMM_OBJECT_ALLOCATION)
            runner->targets[runner->target_count++] =
                bindings_make(OBJECT_ALLOCATION, NO_POSITION, runner->opened[i].handle);
}

/* ---- open ------------------------------------------------------------------------------------ */

static void name_opened(struct runner *runner, bool bulk, name_key key, enum object object,
                        vidmm_handle handle)
{
    bindings_set(runner, bulk, key, bindings_make(object, NO_POSITION, handle));
}

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
            name_opened(runner, false, name_key_member(target->name, (uint32_t)i),
                        OBJECT_ALLOCATION, member);
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
    if (target->left && !evaluate(runner, target->left, &index))
        return runner_stop(runner, "%s", runner->problem);
    if (index > NAME_INDEX_MAX)
        return runner_stop(runner, "an index is at most %d", NAME_INDEX_MAX);
    *key = name_key_of(target->name, target->left, (uint32_t)index);
    snprintf(label, LABEL_BYTES, "%.60s", runner_word(runner, target->name));
    if (target->left)
        snprintf(label + strlen(label), LABEL_BYTES - strlen(label), "[%" PRIu64 "]", index);
    return true;
}

static vidmm_handle share_device_of(struct runner *runner, const struct statement *statement,
                                    enum attribute_id id)
{
    const struct attribute *attribute = attribute_find(statement, id);
    if (!attribute)
        return run_start_device(runner);
    binding device = bindings_of_word(runner, attribute->items->from->name);
    return device ? bindings_number(device) : RUN_NO_HANDLE;
}

void run_share_open(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    name_key key = 0;
    char label[LABEL_BYTES];
    const struct expr *target = statement->value;
    binding named = evaluate_binding(runner, statement->subjects->from);
    vidmm_handle device = share_device_of(runner, statement, ATTRIBUTE_OPEN_DEVICE);
    if (!key_of(runner, target, &key, label))
        return;
    vidmm_handle from = named ? bindings_number(named) : RUN_NO_HANDLE;
    vidmm_status status = vidmm_open(runner->adapter, label, device, from, &handle);
    if (status >= 0) {
        vidmm_handle identity = bindings_identity(runner, from);
        bindings_open(runner, handle, identity);
        name_opened(runner, target->kind == EXPR_HANDLE, key, bindings_object(named), handle);
        if (bindings_object(named) == OBJECT_RESOURCE)
            name_members(runner, target, identity, handle);
    }
    run_outcome(runner, statement, status);
}

/* ---- close, share, grant --------------------------------------------------------------------- */

static vidmm_handle subject(struct runner *runner, const struct item *item)
{
    binding named = evaluate_binding(runner, item->from);
    return named ? bindings_number(named) : RUN_NO_HANDLE;
}

void run_share_close(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = vidmm_close(runner->adapter, subject(runner, statement->subjects));
    if (status >= 0)
        bindings_sweep(runner);
    run_outcome(runner, statement, status);
}

void run_share_share(struct runner *runner, const struct statement *statement)
{
    uint32_t nt_handle = 0;
    const struct attribute *access = attribute_find(statement, ATTRIBUTE_SHARE_ACCESS);
    bool read_only = access && strcmp(runner_word(runner, access->items->from->name), "read") == 0;
    runner->target_count = 0;
    if (!evaluate_targets(runner, statement->subjects))
        return;
    size_t count = runner->target_count;
    vidmm_handle *handles = base_alloc(count, sizeof *handles);
    for (size_t i = 0; i < count; i++)
        handles[i] = bindings_number(runner->targets[i]);
    vidmm_status status = vidmm_share(runner->adapter, handles, count, read_only, &nt_handle);
    base_free(handles);
    run_out_clear(runner);
    run_out_set(runner, OUT_H_SHARED_NT_HANDLE, nt_handle);
    run_outcome(runner, statement, status);
}

void run_share_grant(struct runner *runner, const struct statement *statement)
{
    vidmm_handle device = share_device_of(runner, statement, ATTRIBUTE_GRANT_DEVICE);
    run_outcome(runner, statement,
                vidmm_grant(runner->adapter, subject(runner, statement->subjects), device));
}
