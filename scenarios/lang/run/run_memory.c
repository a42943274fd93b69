/* SPDX-License-Identifier: MIT */
/*
 * run_memory.c: statements about allocations that exist.
 */
#include "scenarios/lang/run/statements.h"

#include <stdlib.h>
#include <string.h>

bool run_memory_targets(struct runner *runner, const struct statement *statement)
{
    runner->target_count = 0;
    return evaluate_targets(runner, statement->subjects);
}

vidmm_handle *run_memory_handles(struct runner *runner)
{
    BASE_GROW(runner->steps->handle_list, runner->steps->handle_capacity, runner->target_count + 1);
    for (size_t i = 0; i < runner->target_count; i++)
        runner->steps->handle_list[i] = bindings_number(runner->targets[i]);
    return runner->steps->handle_list;
}

/* ---- destroy --------------------------------------------------------------------------------- */

static int by_position(const void *left, const void *right)
{
    uint32_t a = bindings_extra(*(const binding *)left);
    uint32_t b = bindings_extra(*(const binding *)right);
    return a < b ? 1 : a > b ? -1 : 0;
}

/* From the last position to the first: what takes a free position is then none of the others. */
static void forget_live(struct runner *runner)
{
    if (runner->target_count > 1)
        qsort(runner->targets, runner->target_count, sizeof *runner->targets, by_position);
    for (size_t i = 0; i < runner->target_count; i++) {
        size_t index = bindings_extra(runner->targets[i]);
        if (bindings_object(runner->targets[i]) == OBJECT_ALLOCATION &&
            index < runner->live_count &&
            runner->live[index].handle == bindings_number(runner->targets[i]))
            live_drop(runner, index);
    }
}

/* Only a range of system memory takes nothing with it. */
static void forget_owner(struct runner *runner, binding owner)
{
    vidmm_handle number = bindings_number(owner);
    if (bindings_object(owner) == OBJECT_SYSMEM)
        return;
    if (runner->process == number)
        runner->process = 0;
    if (vidmm_object_kind(runner->adapter, runner->context) != VIDMM_OBJECT_CONTEXT)
        runner->context = 0;
    if (vidmm_object_kind(runner->adapter, runner->device) != VIDMM_OBJECT_DEVICE)
        runner->device = 0;
    live_sweep(runner);
}

/* `destroy all`: what was opened goes, too, and what is closed already is left out. */
static void target_all(struct runner *runner)
{
    live_sweep(runner);
    BASE_GROW(runner->targets, runner->target_capacity,
              runner->live_count + runner->opened_count + 1);
    size_t kept = 0;
    for (size_t i = 0; i < runner->live_count; i++)
        if (!bindings_is_closed(runner, runner->live[i].handle))
            runner->targets[kept++] =
                bindings_make(OBJECT_ALLOCATION, (uint32_t)i, runner->live[i].handle);
    for (size_t i = 0; i < runner->opened_count; i++)
        if (vidmm_object_kind(runner->adapter, runner->opened[i].handle) == VIDMM_OBJECT_ALLOCATION)
            runner->targets[kept++] =
                bindings_make(OBJECT_ALLOCATION, NO_POSITION, runner->opened[i].handle);
    runner->target_count = kept;
}

void run_memory_destroy(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = 0;
    if (!run_memory_targets(runner, statement))
        return;
    if (statement->mode == MODE_ALL)
        target_all(runner);
    size_t count = runner->target_count;
    if (count)
        status = vidmm_destroy(runner->adapter, run_memory_handles(runner), count);
    if (status >= 0) {
        forget_live(runner);
        for (size_t i = 0; i < count; i++)
            if (bindings_object(runner->targets[i]) != OBJECT_ALLOCATION)
                forget_owner(runner, runner->targets[i]);
    } else {
        live_doubt(runner);
    }
    run_outcome(runner, statement, status);
}

/* ---- CPU access ------------------------------------------------------------------------------ */

enum { PAGE_RUNS_MAX = 1024 };

/* "0..3,7": runs of pages. */
static bool read_pages(struct runner *runner, const struct item *items,
                       struct vidmm_page_range *runs, size_t *count)
{
    *count = 0;
    for (const struct item *item = items; item; item = item->next) {
        uint64_t first = 0;
        uint64_t last = 0;
        bool known = evaluate_ends(runner, item->from, item->to, &first, &last);
        if (known && (last < first || last - first == UINT64_MAX || *count == PAGE_RUNS_MAX))
            known = evaluate_problem(runner, "this is no list of pages");
        if (!runner_stop_unless(runner, known))
            return false;
        runs[(*count)++] = (struct vidmm_page_range){ first, last - first + 1 };
    }
    return true;
}

vidmm_handle run_memory_device(struct runner *runner, const struct statement *statement,
                               enum attribute_id id, vidmm_handle first)
{
    struct vidmm_allocation_view allocation;
    struct vidmm_resource_view resource;
    const struct item *name = attribute_items(statement, id);
    if (name)
        return bindings_number(bindings_of_word(runner, name->from->name));
    if (vidmm_allocation_view(runner->adapter, first, &allocation))
        return allocation.device;
    if (vidmm_resource_view(runner->adapter, first, &resource))
        return resource.device;
    return run_start_device(runner);
}

void run_memory_lock(struct runner *runner, const struct statement *statement)
{
    struct vidmm_page_range runs[PAGE_RUNS_MAX];
    struct vidmm_lock_result result;
    struct vidmm_lock_args args = { .pages = runs };
    vidmm_status status = 0;
    args.lock2 = evaluate_is_word(runner, statement, ATTRIBUTE_LOCK_API, "lock2");
    if (!run_memory_targets(runner, statement) ||
        !run_value_flag_list(runner, attribute_items(statement, ATTRIBUTE_LOCK_FLAGS),
                             VIDMM_FLAGS_LOCK, &args.flags) ||
        !read_pages(runner, attribute_items(statement, ATTRIBUTE_LOCK_PAGES), runs,
                    &args.page_runs) ||
        !evaluate_optional_32(runner, statement, ATTRIBUTE_LOCK_DATA, &args.private_data))
        return;
    run_out_clear(runner);
    for (size_t i = 0; i < runner->target_count; i++) {
        args.allocation = bindings_number(runner->targets[i]);
        args.device = run_memory_device(runner, statement, ATTRIBUTE_LOCK_DEVICE, args.allocation);
        status = vidmm_lock(runner->adapter, &args, &result);
        if (status < 0)
            break;
        run_out_set(runner, OUT_P_DATA, result.address);
        run_out_set(runner, OUT_BYTES, result.bytes);
        runner->locked = result.allocation;
        if (statement->name)
            bindings_set(runner, false, name_key_plain(statement->name),
                         bindings_make(OBJECT_ALLOCATION, NO_POSITION, result.allocation));
        if (result.allocation != args.allocation)
            live_follow(runner, runner->targets[i], result.allocation);
    }
    run_outcome(runner, statement, status);
}

void run_memory_unlock(struct runner *runner, const struct statement *statement)
{
    if (!run_memory_targets(runner, statement))
        return;
    vidmm_handle *handles = run_memory_handles(runner);
    size_t count = runner->target_count;
    if (statement->mode == MODE_ALL)
        handles[count++] = runner->locked ? runner->locked : RUN_NO_HANDLE;
    if (!count)
        return;
    vidmm_handle device = run_memory_device(runner, statement, ATTRIBUTE_UNLOCK_DEVICE, handles[0]);
    run_outcome(runner, statement, vidmm_unlock(runner->adapter, device, handles, count));
}

/* What one `write` or `read` touches: bytes, as runs. */
static bool read_extent(struct runner *runner, const struct statement *statement,
                        struct vidmm_page_range *runs, size_t *count)
{
    bool writes = statement->kind == STATEMENT_WRITE;
    const struct item *pages =
        attribute_items(statement, writes ? ATTRIBUTE_WRITE_PAGES : ATTRIBUTE_READ_PAGES);
    const struct item *range =
        attribute_items(statement, writes ? ATTRIBUTE_WRITE_RANGE : ATTRIBUTE_READ_RANGE);
    uint64_t page = runner->config.settings.value[VIDMM_SETTING_PAGE];
    if (!read_pages(runner, pages, runs, count))
        return false;
    for (size_t i = 0; i < *count; i++) {
        runs[i].first *= page;
        runs[i].count *= page;
    }
    if (!range)
        return true;
    struct vidmm_page_range *run = &runs[(*count)++];
    uint64_t end = 0;
    bool known = evaluate_ends(runner, range->from, range->to, &run->first, &end);
    if (known && end < run->first)
        known = evaluate_problem(runner, "this range runs backwards");
    run->count = known ? end - run->first : 0;
    return runner_stop_unless(runner, known);
}

static vidmm_status touch(struct runner *runner, const struct statement *statement,
                          vidmm_handle allocation, const struct vidmm_page_range *run, bool *intact)
{
    bool right = true;
    if (statement->kind == STATEMENT_WRITE)
        return vidmm_cpu_write(runner->adapter, allocation, run->first, run->count);
    vidmm_status status =
        vidmm_cpu_read(runner->adapter, allocation, run->first, run->count, &right);
    *intact &= right;
    return status;
}

/* `write` and `read`. */
void run_memory_access(struct runner *runner, const struct statement *statement)
{
    struct vidmm_page_range runs[PAGE_RUNS_MAX + 1];
    struct vidmm_allocation_view view;
    size_t count = 0;
    vidmm_status status = 0;
    bool intact = true;
    if (!run_memory_targets(runner, statement) || !read_extent(runner, statement, runs, &count))
        return;
    for (size_t i = 0; i < runner->target_count && status >= 0; i++) {
        vidmm_handle allocation = bindings_number(runner->targets[i]);
        if (!count) {
            bool known = vidmm_allocation_view(runner->adapter, allocation, &view);
            runs[0] = (struct vidmm_page_range){ 0, known ? view.cpu_bytes : 0 };
        }
        for (size_t j = 0; j < (count ? count : 1) && status >= 0; j++)
            status = touch(runner, statement, allocation, &runs[j], &intact);
    }
    if (status >= 0 && !intact)
        runner_failed(runner, "the CPU does not read what should be there");
    else
        run_outcome(runner, statement, status);
}

/* ---- one call for each name ------------------------------------------------------------------ */

static vidmm_status call(struct runner *runner, const struct statement *statement,
                         vidmm_handle allocation)
{
    switch (statement->kind) {
    case STATEMENT_DISPLAY: return vidmm_display(runner->adapter, allocation);
    case STATEMENT_EVICT: return vidmm_evict(runner->adapter, allocation);
    case STATEMENT_PIN: return vidmm_pin(runner->adapter, allocation);
    case STATEMENT_RESET_WATCH: return vidmm_reset_watch(runner->adapter, allocation);
    case STATEMENT_UNPIN: return vidmm_unpin(runner->adapter, allocation);
    default:
        return vidmm_page_in(runner->adapter, allocation,
                             attribute_find(statement, ATTRIBUTE_PAGE_IN_WRITE));
    }
}

/* `page-in`, `evict`, `pin`, `unpin`, `reset-watch`, `display`. */
void run_memory_each(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = 0;
    if (!run_memory_targets(runner, statement))
        return;
    if (statement->mode == MODE_OFF)
        status = vidmm_display(runner->adapter, 0);
    for (size_t i = 0; i < runner->target_count && status >= 0; i++)
        status = call(runner, statement, bindings_number(runner->targets[i]));
    run_outcome(runner, statement, status);
}

/* A resource is one call with one value, allocations are one call with a list (ALLOC-034). */
void run_memory_priority(struct runner *runner, const struct statement *statement)
{
    uint32_t value = 0;
    vidmm_status status = 0;
    size_t count = 0;
    if (!run_memory_targets(runner, statement) ||
        !runner_stop_unless(runner, evaluate_32(runner, statement->value, &value)))
        return;
    vidmm_handle *handles = run_memory_handles(runner);
    uint32_t *priorities = base_alloc(runner->target_count + 1, sizeof *priorities);
    priorities[0] = value;
    for (size_t i = 0; i < runner->target_count && status >= 0; i++) {
        uint32_t number = bindings_number(runner->targets[i]);
        struct vidmm_priority_args args = { .resource = number, .priorities = priorities };
        if (bindings_object(runner->targets[i]) == OBJECT_RESOURCE) {
            status = vidmm_set_priority(runner->adapter, &args);
            continue;
        }
        priorities[count] = value;
        handles[count++] = number;
    }
    struct vidmm_priority_args list = { .allocations = handles,
                                        .count = count,
                                        .priorities = priorities };
    if (count && status >= 0)
        status = vidmm_set_priority(runner->adapter, &list);
    base_free(priorities);
    run_outcome(runner, statement, status);
}

/* ---- UpdateAllocationProperty of WDDM 2 ------------------------------------------------------ */

/* False: it has a value that is none. */
static bool property_read_member(struct runner *runner, const struct statement *statement,
                                 enum attribute_id id, bool *given, uint32_t *value)
{
    uint64_t wide = 0;
    const struct attribute *attribute = attribute_find(statement, id);
    *given = attribute && runner_stop_unless(runner, run_value(runner, attribute, &wide));
    *value = (uint32_t)wide;
    return !attribute || *given;
}

void run_property_update(struct runner *runner, const struct statement *statement)
{
    struct vidmm_property_args args = { 0 };
    struct vidmm_property_result result = { 0 };
    uint32_t physically = 0, unmoveable = 0;
    vidmm_status status = 0;
    if (!run_memory_targets(runner, statement) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_ACCESSED_PHYSICALLY,
                              &args.set_physically, &physically) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_UNMOVEABLE, &args.set_unmoveable,
                              &unmoveable) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_SEGMENTS, &args.set_segments,
                              &args.segments) ||
        !property_read_member(runner, statement, ATTRIBUTE_UPDATE_PREFER, &args.set_preferred,
                              &args.preferred))
        return;
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
