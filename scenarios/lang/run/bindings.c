/* SPDX-License-Identifier: MIT */
/*
 * bindings.c: what names stand for while a scenario runs, and which allocations live.
 *
 * `any` picks from one array of live allocations; a name knows its position there, so that a
 * destruction takes one exchange with the last. Allocations that went with their owner are found
 * and dropped when something meets them.
 */
#include "scenarios/lang/run/statements.h"

enum { OBJECT_SHIFT = 60, EXTRA_SHIFT = 32, EXTRA_MASK = 0x0FFFFFFF };

binding bindings_make(enum object object, uint32_t extra, uint32_t number)
{
    unsigned rank = 1;
    while (1u << (rank - 1) != (unsigned)object)
        rank++;
    return (uint64_t)rank << OBJECT_SHIFT | (uint64_t)(extra & EXTRA_MASK) << EXTRA_SHIFT | number;
}

enum object bindings_object(binding value)
{
    unsigned rank = (unsigned)(value >> OBJECT_SHIFT);
    return (enum object)(rank ? 1u << (rank - 1) : 0);
}

uint32_t bindings_number(binding value)
{
    return (uint32_t)value;
}

uint32_t bindings_extra(binding value)
{
    return (uint32_t)(value >> EXTRA_SHIFT) & EXTRA_MASK;
}

binding bindings_get(const struct runner *runner, bool bulk, name_key key)
{
    if (bulk)
        return handles_get(&runner->handles, (uint32_t)key);
    const struct name_slot *slot = names_find(&runner->names, key);
    return slot ? slot->value : 0;
}

void bindings_set(struct runner *runner, bool bulk, name_key key, binding value)
{
    if (bulk)
        handles_set(&runner->handles, (uint32_t)key, value);
    else
        names_slot(&runner->names, key)->value = value;
}

void bindings_name(struct runner *runner, word name, binding value)
{
    bindings_set(runner, false, name_key_plain(name), value);
}

binding bindings_of_word(const struct runner *runner, word name)
{
    return bindings_get(runner, false, name_key_plain(name));
}

/* ---- live allocations ------------------------------------------------------------------------ */

/* Key 0 without `bulk` is no name: made by `new`. */
static bool bindings_is_named(const struct live_allocation *live)
{
    return live->bulk || live->key;
}

static void set_position(struct runner *runner, size_t index)
{
    const struct live_allocation *live = &runner->live[index];
    if (!bindings_is_named(live))
        return;
    binding value = bindings_get(runner, live->bulk, live->key);
    /* The name may stand for a newer allocation by now. */
    if (bindings_number(value) == live->handle)
        bindings_set(runner, live->bulk, live->key,
                     bindings_make(OBJECT_ALLOCATION, (uint32_t)index, live->handle));
}

void bindings_add_allocation(struct runner *runner, bool bulk, name_key key, vidmm_handle handle)
{
    size_t index = runner->live_count++;
    BASE_GROW(runner->live, runner->live_capacity, runner->live_count);
    runner->live[index] = (struct live_allocation){ handle, bulk, key };
    if (bindings_is_named(&runner->live[index]))
        bindings_set(runner, bulk, key, bindings_make(OBJECT_ALLOCATION, (uint32_t)index, handle));
}

void bindings_drop_live(struct runner *runner, size_t index)
{
    CHECK(index < runner->live_count);
    runner->live[index] = runner->live[--runner->live_count];
    if (index < runner->live_count)
        set_position(runner, index);
}

void bindings_sweep(struct runner *runner)
{
    for (size_t i = runner->live_count; i; i--) {
        vidmm_handle handle = runner->live[i - 1].handle;
        if (vidmm_object_kind(runner->adapter, handle) != VIDMM_OBJECT_ALLOCATION)
            bindings_drop_live(runner, i - 1);
    }
}

/* An instance has no position among the live allocations. */
enum { NO_POSITION = (1 << 28) - 1 };

void bindings_instance(struct runner *runner, word name, vidmm_handle instance)
{
    bindings_name(runner, name, bindings_make(OBJECT_ALLOCATION, NO_POSITION, instance));
}

/* Whose instance is it? Looked for when the lock named an instance by a name of its own. */
static size_t position_of(const struct runner *runner, vidmm_handle instance)
{
    struct vidmm_allocation_view wanted, live;
    if (!vidmm_allocation_view(runner->adapter, instance, &wanted))
        return runner->live_count;
    for (size_t i = 0; i < runner->live_count; i++)
        if (vidmm_allocation_view(runner->adapter, runner->live[i].handle, &live) &&
            live.original == wanted.original)
            return i;
    return runner->live_count;
}

void bindings_follow(struct runner *runner, binding target, vidmm_handle instance)
{
    size_t index = bindings_extra(target);
    if (index >= runner->live_count || runner->live[index].handle != bindings_number(target))
        index = position_of(runner, instance);
    if (index == runner->live_count)
        return;
    struct live_allocation *live = &runner->live[index];
    bool means_it = bindings_is_named(live) &&
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

void bindings_pick(struct runner *runner, uint64_t count)
{
    BASE_GROW(runner->targets, runner->target_capacity,
              runner->target_count + (size_t)min_u64(count, runner->live_count) + 1);
    for (size_t i = 0; i < count && i < runner->live_count;) {
        size_t other = i + (size_t)random_below(&runner->random, runner->live_count - i);
        vidmm_handle handle = runner->live[other].handle;
        if (vidmm_object_kind(runner->adapter, handle) != VIDMM_OBJECT_ALLOCATION ||
            bindings_is_closed(runner, handle)) {
            bindings_drop_live(runner, other);
            continue;
        }
        exchange(runner, i, other);
        runner->targets[runner->target_count++] =
            bindings_make(OBJECT_ALLOCATION, (uint32_t)i, handle);
        runner->rounds += i > 0; /* each is work */
        i++;
    }
}

/* ---- opened handles -------------------------------------------------------------------------- */

/* Where the handle stands, or would stand. */
static size_t opened_position(const struct runner *runner, vidmm_handle handle)
{
    size_t low = 0;
    size_t high = runner->opened_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runner->opened[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

vidmm_handle bindings_identity(const struct runner *runner, vidmm_handle handle)
{
    size_t at = opened_position(runner, handle);
    bool found = at < runner->opened_count && runner->opened[at].handle == handle;
    return found ? runner->opened[at].identity : handle;
}

/* Closed ones are kept for events that are still to be matched, until room is needed. */
static void opened_drop_closed(struct runner *runner)
{
    size_t kept = 0;
    for (size_t i = 0; i < runner->opened_count; i++)
        if (vidmm_object_kind(runner->adapter, runner->opened[i].handle) != VIDMM_OBJECT_NONE)
            runner->opened[kept++] = runner->opened[i];
    runner->opened_count = kept;
}

void bindings_open(struct runner *runner, vidmm_handle handle, vidmm_handle identity)
{
    if (runner->opened_count == runner->opened_capacity)
        opened_drop_closed(runner);
    size_t at = opened_position(runner, handle);
    if (at == runner->opened_count || runner->opened[at].handle != handle) {
        BASE_GROW(runner->opened, runner->opened_capacity, 2 * runner->opened_count + 8);
        memmove(&runner->opened[at + 1], &runner->opened[at],
                (runner->opened_count++ - at) * sizeof *runner->opened);
    }
    runner->opened[at] = (struct opened_handle){ handle, identity };
}

bool bindings_is_closed(const struct runner *runner, vidmm_handle handle)
{
    struct vidmm_allocation_view view;
    return runner->opened_count && vidmm_allocation_view(runner->adapter, handle, &view) &&
           !view.device;
}
