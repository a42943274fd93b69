/* SPDX-License-Identifier: MIT */
/*
 * rename.c: a lock with Discard gets another instance instead of waiting for the GPU.
 *
 * An instance is an allocation of its own towards callers: handle, store, place, fences, locks. To
 * the miniport all are one: they share hAllocation, and only the original is known to its device
 * and its resource.
 *
 *   current     the newest; handed out when idle, if nothing refers to it
 *   older       not the newest, and no submission used a newer one; handed out the same
 *   superseded  a submission used a newer one, but kept this; handed out the same
 *   retired     the same, and nothing kept it; handed out when idle
 *
 * Discard alone takes the oldest idle retired instance, else makes one, else fails. With
 * NoExistingReference the caller promises that its command buffer names no instance: then any idle
 * one will do, and when the list is full the lock waits.
 *
 * Rules not named below: LOCK-018, RENAME-016, RENAME-018.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/share/share.h"

#include <stdio.h>
#include <string.h>

/* Without a limit of the driver a list still has one: looking for an instance goes through it. */
enum { LIST_MAX = 4096 };

/* ---- the list, in the order in which they were handed out ------------------------------------ */

/* The newest from now on. */
static void append(struct rename_list *list, struct allocation *instance)
{
    instance->rename.entry->retired = instance->rename.entry->superseded = false;
    DL_APPEND2(list->first, instance, rename.entry->prev, rename.entry->next);
    DL_APPEND2(list->live, instance, rename.entry->live_prev, rename.entry->live_next);
}

static void join(struct rename_list *list, struct allocation *allocation)
{
    allocation->rename.entry = base_alloc(1, sizeof *allocation->rename.entry);
    allocation->rename.entry->list = list;
}

/* That of the allocation; a new one when it has none. */
static struct rename_list *list_of(struct allocation *allocation)
{
    if (allocation->rename.entry)
        return allocation->rename.entry->list;
    struct rename_list *list = base_alloc(1, sizeof *list);
    *list = (struct rename_list){ .original = allocation, .count = 1 };
    join(list, allocation);
    append(list, allocation);
    return list;
}

static void retire(struct rename_list *list, struct allocation *instance)
{
    instance->rename.entry->retired = true;
    DL_DELETE2(list->live, instance, rename.entry->live_prev, rename.entry->live_next);
}

/* It leaves the order, but still counts. */
static void take_out(struct rename_list *list, struct allocation *instance)
{
    if (!rename_of(instance)->retired)
        DL_DELETE2(list->live, instance, rename.entry->live_prev, rename.entry->live_next);
    DL_DELETE2(list->first, instance, rename.entry->prev, rename.entry->next);
}

struct allocation *rename_take(struct allocation *instance)
{
    take_out(instance->rename.entry->list, instance);
    instance->rename.entry->list->count--;
    return instance;
}

void rename_fini(struct allocation *allocation)
{
    struct rename_entry *entry = allocation->rename.entry;
    if (entry && entry->list->original == allocation)
        base_free(entry->list);
    base_free(entry);
}

/* ---- making one ----------------------------------------------------------------------------- */

/* No submission, offer or display has named it yet; its hAllocation belongs to the original. */
static void free_made(adapter_t *adapter, struct allocation *instance)
{
    CHECK(!instance->pageable.packet_refs && !cpu_of(instance)->lock_count);
    if (instance->pageable.handle)
        handle_end(adapter, instance->pageable.handle);
    cpu_end(adapter, instance);
    rename_fini(instance);
    link_free_copies(adapter, &instance->pageable);
    pageable_free(adapter, &instance->pageable);
}

/* RENAME-011: the driver is not asked. */
static struct allocation *make(adapter_t *adapter, struct rename_list *list)
{
    struct allocation *original = list->original;
    char label[120];
    (void)snprintf(label, sizeof label, "%s#%u", original->pageable.label, ++list->made);
    struct allocation *instance = allocation_of(allocation_new(adapter, label));
    instance->pageable.info = original->pageable.info;
    instance->pageable.creator = original->pageable.creator;
    instance->pageable.kmt = original->pageable.kmt;
    instance->pageable.driver_handle = original->pageable.driver_handle;
    instance->open_handle = original->open_handle;
    turns_set_priority(adapter, &instance->pageable, original->pageable.place.victim.priority);
    join(list, instance);
    instance->pageable.handle = handle_new(adapter, VIDMM_OBJECT_ALLOCATION, instance);
    applies(adapter, RULE(LINK_012));
    if (!instance->pageable.handle || allocation_charge(adapter, &instance->pageable) ||
        link_make_copies(adapter, &instance->pageable)) {
        free_made(adapter, instance);
        return NULL;
    }
    append(list, instance);
    list->count++;
    applies(adapter, RULE(RENAME_011));
    return instance;
}

/* RENAME-010. */
static bool is_full(adapter_t *adapter, const struct rename_list *list)
{
    uint32_t limit = list->original->pageable.info.rename_limit;
    applies(adapter, RULE(RENAME_010));
    return list->count >= (limit && limit < LIST_MAX ? limit : LIST_MAX);
}

static struct allocation *grow(adapter_t *adapter, struct rename_list *list)
{
    /* ALLOC-009 without a refusal: the lock may have another way. */
    bool possible = !is_full(adapter, list) &&
                    lock_bytes(&list->original->pageable) <= commitment_left(adapter);
    return possible ? make(adapter, list) : NULL;
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* The list is in the order of generations. */
static struct allocation *oldest_idle(const adapter_t *adapter, const struct rename_list *list,
                                      bool retired_only)
{
    struct allocation *instance = list->first;
    for (; instance; instance = rename_of(instance)->next) {
        const struct pageable *pageable = &instance->pageable;
        bool usable =
            !allocation_is_lost(pageable) && offer_of(pageable)->state == VIDMM_OFFER_NONE;
        bool idle = !cpu_of(instance)->lock_count && !allocation_busy(adapter, pageable);
        if (usable && idle && (!retired_only || rename_of(instance)->retired))
            break;
    }
    return instance;
}

/* Whose last submission is the oldest; one that the CPU holds only when it holds all. */
static struct allocation *first_to_finish(const struct rename_list *list)
{
    struct allocation *best = NULL;
    for (struct allocation *a = list->first; a; a = rename_of(a)->next) {
        bool better = !best || (!cpu_of(a)->lock_count && cpu_of(best)->lock_count) ||
                      (!cpu_of(a)->lock_count == !cpu_of(best)->lock_count &&
                       a->rename.submitted < best->rename.submitted);
        if (!allocation_is_lost(&a->pageable) &&
            offer_of(&a->pageable)->state == VIDMM_OFFER_NONE && better)
            best = a;
    }
    return best;
}

/* RENAME-003. */
static vidmm_status choose_alone(adapter_t *adapter, struct lock_request *request,
                                 struct rename_list *list)
{
    struct allocation *chosen = oldest_idle(adapter, list, true);
    if (!chosen) {
        chosen = grow(adapter, list);
        request->rename = RENAME_MADE;
    }
    if (chosen) {
        request->allocation = chosen;
        return STATUS_SUCCESS;
    }
    bool full = is_full(adapter, list);
    if (!full)
        applies(adapter, RULE(RENAME_015));
    count_up(adapter,
             full ? VIDMM_COUNTER_NB_FAILURES_RENAMING_LIMIT
                  : VIDMM_COUNTER_NB_FAILURES_LOW_RESOURCE,
             1);
    return refuse(adapter, RULE(RENAME_003), STATUS_GRAPHICS_ALLOCATION_BUSY,
                  "no instance of %s can be had: %u there are, and none is retired and idle",
                  list->original->pageable.label, list->count);
}

/* RENAME-004; under low-memory rather a wait than one more (RENAME-015). */
static vidmm_status choose_any(adapter_t *adapter, struct lock_request *request,
                               struct rename_list *list)
{
    bool low = setting(adapter, VIDMM_SETTING_LOW_MEMORY) != 0;
    struct allocation *chosen = oldest_idle(adapter, list, false);
    if (low) {
        applies(adapter, RULE(RENAME_015));
    } else if (!chosen) {
        chosen = grow(adapter, list);
        request->rename = RENAME_MADE;
    }
    if (!chosen) {
        chosen = first_to_finish(list);
        request->rename = RENAME_WAITED;
    }
    if (!chosen)
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "every instance of %s was lost", list->original->pageable.label);
    request->allocation = chosen;
    if (!allocation_busy(adapter, &chosen->pageable))
        return STATUS_SUCCESS;
    request->waited = true;
    return schedule_wait_fences(adapter, chosen->pageable.transfer.fences, VIDMM_WAIT_LOCK,
                                RULE(RENAME_004), request->device);
}

bool rename_wanted(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    if (!(request->args->flags & VIDMM_LOCK_Discard))
        return false;
    if (!allocation->pageable.place.pinned && !allocation->pageable.info.primary &&
        !backing_of(&allocation->pageable)->existing && !allocation_is_shared(allocation))
        return true;
    applies(adapter, RULE(RENAME_013));
    return false;
}

vidmm_status rename_choose(adapter_t *adapter, struct lock_request *request)
{
    struct rename_list *list = list_of(request->allocation);
    applies(adapter, RULE(RENAME_001));
    applies(adapter, RULE(LOCK_025));
    request->asked = request->allocation;
    vidmm_status status = request->args->flags & VIDMM_LOCK_NoExistingReference
                              ? choose_any(adapter, request, list)
                              : choose_alone(adapter, request, list);
    if (status)
        return status;
    /* RENAME-012: what it held is not asked for any more. */
    for (struct pageable *a = &request->allocation->pageable; a; a = a->place.next_copy) {
        pageable_is_clean(a);
        content_given_up(a, false, place_in_memory(adapter, &a->place.at));
    }
    return STATUS_SUCCESS;
}

void rename_commit(adapter_t *adapter, const struct lock_request *request)
{
    static const char *const kinds[] = {
        [RENAME_REUSED] = "reused", [RENAME_MADE] = "made", [RENAME_WAITED] = "waited"
    };
    struct allocation *instance = request->allocation;
    struct rename_list *list = rename_of(instance)->list;
    bool alone = !(request->args->flags & VIDMM_LOCK_NoExistingReference);
    take_out(list, instance);
    append(list, instance);
    instance->rename.entry->generation = ++list->generation;
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_DISCARD, 1);
    count_up(adapter, VIDMM_COUNTER_NB_RENAMED_BUFFER, instance != request->asked);
    if (request->rename == RENAME_MADE) {
        count_up(adapter, VIDMM_COUNTER_NB_ALLOCATIONS_RENAMED, list->count == 2);
        counter_raise(adapter, VIDMM_COUNTER_MAX_RENAMING_LIST_LENGTH, list->count);
    }
    applies(adapter, RULE(RENAME_002));
    applies(adapter, RULE(RENAME_007));
    EMIT(adapter, RENAME, alone ? RULE(RENAME_003) : RULE(RENAME_004), instance->pageable.handle,
         f_allocation("instance", instance->pageable.handle),
         f_allocation("from", request->asked->pageable.handle),
         f_word("kind", kinds[request->rename]),
         f_number("generation", rename_of(instance)->generation), f_number("count", list->count));
}

void rename_undo(adapter_t *adapter, const struct lock_request *request)
{
    if (request->rename == RENAME_MADE && request->allocation != request->asked)
        free_made(adapter, rename_take(request->allocation));
}

const char *rename_bars_lock(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct rename_list *list = rename_of(allocation)->list;
    if (!list || allocation == rename_of(list->first)->prev)
        return NULL;
    if (rename_of(allocation)->retired)
        return "is a retired instance (STATUS_GRAPHICS_INVALID_ALLOCATION_INSTANCE)";
    return adapter->setup->caps.out_of_order_lock
               ? NULL
               : "is not the latest instance (STATUS_GRAPHICS_INVALID_ALLOCATION_INSTANCE)";
}

/* ---- submissions ---------------------------------------------------------------------------- */

void rename_check_begin(adapter_t *adapter)
{
    adapter->cpu->rename_checks++;
}

/* The newest generation that the submission has named so far, and this one. */
static uint64_t name_generation(adapter_t *adapter, const struct allocation *allocation)
{
    struct rename_list *list = rename_of(allocation)->list;
    if (list->checking != adapter->cpu->rename_checks)
        list->newest = 0;
    list->checking = adapter->cpu->rename_checks;
    list->newest = max_u64(list->newest, rename_of(allocation)->generation);
    return list->newest;
}

vidmm_status rename_check_use(adapter_t *adapter, const struct allocation *allocation, bool keep)
{
    if (!rename_of(allocation)->list)
        return STATUS_SUCCESS;
    applies(adapter, RULE(RENAME_008));
    bool newer = name_generation(adapter, allocation) > rename_of(allocation)->generation;
    if (!rename_of(allocation)->retired && (keep || !newer))
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(RENAME_008), STATUS_GRAPHICS_INVALID_ALLOCATION_INSTANCE,
                  "%s is an instance that a newer one has replaced", allocation->pageable.label);
}

void rename_note_use(adapter_t *adapter, struct allocation *allocation, bool keep)
{
    allocation->rename.submitted = paging_uses(adapter);
    if (keep && allocation->rename.entry)
        allocation->rename.entry->kept_in = adapter->cpu->rename_checks;
}

void rename_retire(adapter_t *adapter, struct allocation *allocation)
{
    struct rename_list *list = rename_of(allocation)->list;
    if (!list)
        return;
    struct allocation *a = list->live;
    while (a && rename_of(a)->generation < list->newest) {
        struct allocation *next = rename_of(a)->live_next;
        a->rename.entry->superseded = true;
        if (rename_of(a)->kept_in == adapter->cpu->rename_checks)
            applies(adapter, RULE(RENAME_009));
        else
            retire(list, a);
        a = next;
    }
}
