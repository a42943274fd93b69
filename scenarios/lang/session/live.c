/* SPDX-License-Identifier: MIT */
/*
 * live.c: the array of live allocations, from which `any` picks.
 *
 * A name knows its position there, so that a destruction takes one exchange with the last. What
 * went with its owner is dropped by the next sweep, from the last position to the first: this order
 * decides which allocation stands where, and so what `any` picks. A sweep asks for the positions of
 * what the manager reported as destroyed; it looks at every live allocation only after at least as
 * many destructions, or when an owner stayed half destroyed, without a report.
 */
#include "scenarios/lang/session/session.h"

#include <stdlib.h>

/* ---- positions ------------------------------------------------------------------------------- */

static void positions_forget(struct runner *runner)
{
    names_fini(&runner->positions);
    runner->positions = (struct names){ 0 };
}

/*
 * A table from the handle of the original, for a lock may give other ones, to 1 + the position. It
 * is made by the first question, and thrown away when most of it is about what is gone.
 */
static void file_position(struct runner *runner, size_t index)
{
    if (!runner->positions.slot_count)
        return;
    names_slot(&runner->positions, runner->live[index].original)->value = index + 1;
    if (runner->positions.count > 2 * runner->live_count + 64)
        positions_forget(runner);
}

/* live_count: it is none of them. */
static size_t position_of(struct runner *runner, vidmm_handle original)
{
    if (!runner->positions.slot_count) {
        names_init(&runner->positions);
        for (size_t i = 0; i < runner->live_count; i++)
            file_position(runner, i);
    }
    const struct name_slot *slot = names_find(&runner->positions, original);
    size_t index = slot ? (size_t)slot->value - 1 : runner->live_count;
    bool is_it = index < runner->live_count && runner->live[index].original == original;
    return is_it ? index : runner->live_count;
}

/* Key 0 without `bulk` is no name: made by `new`. */
static bool is_named(const struct live_allocation *live)
{
    return live->bulk || live->key;
}

static void set_position(struct runner *runner, size_t index)
{
    const struct live_allocation *live = &runner->live[index];
    file_position(runner, index);
    if (!is_named(live))
        return;
    binding value = bindings_get(runner, live->bulk, live->key);
    /* The name may stand for a newer allocation by now. */
    if (bindings_number(value) == live->handle)
        bindings_set(runner, live->bulk, live->key,
                     bindings_make(OBJECT_ALLOCATION, (uint32_t)index, live->handle));
}

void live_add(struct runner *runner, bool bulk, name_key key, vidmm_handle handle)
{
    size_t index = runner->live_count++;
    BASE_GROW(runner->live, runner->live_capacity, runner->live_count);
    runner->live[index] = (struct live_allocation){ handle, handle, key, bulk };
    file_position(runner, index);
    if (is_named(&runner->live[index]))
        bindings_set(runner, bulk, key, bindings_make(OBJECT_ALLOCATION, (uint32_t)index, handle));
}

void live_drop(struct runner *runner, size_t index)
{
    CHECK(index < runner->live_count);
    runner->live[index] = runner->live[--runner->live_count];
    if (index < runner->live_count)
        set_position(runner, index);
}

/* ---- what is gone ---------------------------------------------------------------------------- */

static void hear(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    struct runner *runner = CONTAINER_OF(observer, struct runner, ends);
    if (runner->gone_count >= runner->live_count)
        runner->sweep_all = true;
    if (runner->sweep_all)
        return;
    BASE_GROW(runner->gone, runner->gone_capacity, runner->gone_count + 1);
    runner->gone[runner->gone_count++] = event->subject;
}

struct vidmm_observer *live_attach(struct runner *runner, struct vidmm_observer *next)
{
    static const bool kinds[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_DESTROY] = true };
    runner->ends = (struct vidmm_observer){ .on_event = hear, .next = next, .kinds = kinds };
    return &runner->ends;
}

static bool is_gone(const struct runner *runner, size_t index)
{
    return vidmm_object_kind(runner->adapter, runner->live[index].handle) !=
           VIDMM_OBJECT_ALLOCATION;
}

static int by_position(const void *left, const void *right)
{
    size_t a = *(const size_t *)left;
    size_t b = *(const size_t *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

static void sweep_reported(struct runner *runner)
{
    size_t count = 0;
    size_t *positions = base_alloc(runner->gone_count, sizeof *positions);
    for (size_t i = 0; i < runner->gone_count; i++) {
        size_t position = position_of(runner, runner->gone[i]);
        if (position < runner->live_count && is_gone(runner, position))
            positions[count++] = position;
    }
    qsort(positions, count, sizeof *positions, by_position);
    for (size_t i = 0; i < count; i++)
        if (!i || positions[i] != positions[i - 1]) /* a handle may have been given out again */
            live_drop(runner, positions[i]);
    base_free(positions);
}

void live_sweep(struct runner *runner)
{
    for (size_t i = runner->sweep_all ? runner->live_count : 0; i; i--)
        if (is_gone(runner, i - 1))
            live_drop(runner, i - 1);
    if (!runner->sweep_all && runner->gone_count)
        sweep_reported(runner);
    runner->sweep_all = false;
    runner->gone_count = 0;
}

void live_doubt(struct runner *runner)
{
    runner->sweep_all = true;
}

void live_reset(struct runner *runner)
{
    runner->live_count = runner->gone_count = 0;
    runner->sweep_all = false;
    positions_forget(runner);
}

/* ---- what `any` and a lock change ------------------------------------------------------------ */

/* Whose instance is it? Asked when the lock named an instance by a name of its own. */
static size_t position_of_instance(struct runner *runner, vidmm_handle instance)
{
    struct vidmm_allocation_view view;
    bool known = vidmm_allocation_view(runner->adapter, instance, &view);
    CHECK(known);
    size_t index = position_of(runner, view.original);
    return index < runner->live_count && !is_gone(runner, index) ? index : runner->live_count;
}

void live_follow(struct runner *runner, binding target, vidmm_handle instance)
{
    size_t index = bindings_extra(target);
    if (index >= runner->live_count || runner->live[index].handle != bindings_number(target))
        index = position_of_instance(runner, instance);
    if (index == runner->live_count)
        return;
    struct live_allocation *live = &runner->live[index];
    bool means_it = is_named(live) &&
                    bindings_number(bindings_get(runner, live->bulk, live->key)) == live->handle;
    live->handle = instance;
    if (means_it)
        bindings_set(runner, live->bulk, live->key,
                     bindings_make(OBJECT_ALLOCATION, (uint32_t)index, instance));
}

static void exchange(struct runner *runner, size_t a, size_t b)
{
    struct live_allocation kept = runner->live[a];
    runner->live[a] = runner->live[b];
    runner->live[b] = kept;
    set_position(runner, a);
    set_position(runner, b);
}

void live_pick(struct runner *runner, uint64_t count)
{
    BASE_GROW(runner->targets, runner->target_capacity,
              runner->target_count + (size_t)min_u64(count, runner->live_count) + 1);
    for (size_t i = 0; i < count && i < runner->live_count;) {
        size_t other = i + (size_t)random_below(&runner->random, runner->live_count - i);
        vidmm_handle handle = runner->live[other].handle;
        if (vidmm_object_kind(runner->adapter, handle) != VIDMM_OBJECT_ALLOCATION ||
            bindings_is_closed(runner, handle)) {
            live_drop(runner, other);
            continue;
        }
        exchange(runner, i, other);
        runner->targets[runner->target_count++] =
            bindings_make(OBJECT_ALLOCATION, (uint32_t)i, handle);
        runner->rounds += i > 0; /* each is work */
        i++;
    }
}
