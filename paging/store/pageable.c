/* SPDX-License-Identifier: MIT */
/*
 * pageable.c: the birth and the end of what is paged, and the only place where its state changes.
 *
 * It is one block of host memory: the record, its fences, its label. Its commitment, its store
 * and what its pages should hold begin and end here; names, owners and places are not of this
 * floor.
 *
 * Rules not named below: ALLOC-013, PAGE-003.
 */
#include "paging/store/store_state.h"

#include <string.h>

/* ---- states --------------------------------------------------------------------------------- */

#define TO(state) (1u << ALLOCATION_##state)

/* PAGE-003. Resident to resident is a move (PAGE-008); nothing follows on closed. */
static const uint8_t legal_moves[] = {
    [ALLOCATION_NO_CONTENT] = TO(RESIDENT) | TO(EVICTED) | TO(CLOSED),
    [ALLOCATION_EVICTED] = TO(RESIDENT) | TO(NO_CONTENT) | TO(LOST) | TO(CLOSED),
    [ALLOCATION_RESIDENT] = TO(EVICTED) | TO(RESIDENT) | TO(NO_CONTENT) | TO(LOST) | TO(CLOSED),
    [ALLOCATION_LOST] = TO(CLOSED),
};

void allocation_become(struct pageable *allocation, enum allocation_state state)
{
    CHECK((size_t)allocation->store.state < ARRAY_COUNT(legal_moves));
    CHECK(legal_moves[allocation->store.state] & 1u << state);
    allocation->store.state = state;
    if (state == ALLOCATION_NO_CONTENT)
        content_clear(&allocation->store.content);
    /* A fence may have said before that nobody needs the store (PAGE-011). */
    if (state == ALLOCATION_EVICTED)
        backing_keep(allocation);
}

void allocation_lose(adapter_t *adapter, struct pageable *allocation)
{
    allocation_become(allocation, ALLOCATION_LOST);
    content_clear(&allocation->store.content);
    count_up(adapter, VIDMM_COUNTER_CONTENT_LOST_BYTES, allocation->info.bytes);
}

/* ---- birth and end -------------------------------------------------------------------------- */

struct pageable *pageable_new(adapter_t *adapter, const char *label, size_t more_bytes)
{
    size_t label_bytes = strlen(label) + 1;
    size_t record_bytes = adapter->pageable_hooks->record_bytes;
    struct pageable *allocation =
        pool_take(&adapter->store->records, record_bytes + more_bytes + label_bytes);
    allocation->label = (char *)allocation + record_bytes + more_bytes;
    memcpy(allocation->label, label, label_bytes);
    allocation->store.owner = allocation;
    allocation->store.all.next = adapter->store->pageables;
    if (adapter->store->pageables)
        adapter->store->pageables->store.all.prev = allocation;
    adapter->store->pageables = allocation;
    return allocation;
}

void commitment_change(adapter_t *adapter, struct pageable *allocation, bool charged)
{
    CHECK(allocation->store.charged != charged);
    adapter->store->commit_charged += charged ? allocation->info.bytes : 0 - allocation->info.bytes;
    allocation->store.charged = charged;
}

/* Memory that a caller supplies was charged to the caller: it is no commitment of ours (ALLOC-009).
 */
vidmm_status allocation_charge(adapter_t *adapter, struct pageable *allocation)
{
    uint64_t bytes = allocation->info.bytes;
    if (allocation_has(allocation, ALLOCATION_EXISTING | ALLOCATION_EXISTING_KERNEL))
        return STATUS_SUCCESS;
    if (!adapter->shrinker->commitment(adapter, bytes))
        return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY,
                      "%s: %s exceed the commit limit of the machine", allocation->label,
                      words_size(bytes).it);
    commitment_change(adapter, allocation, true);
    return STATUS_SUCCESS;
}

void pageable_forget(adapter_t *adapter, struct pageable *allocation)
{
    const char *end = strchr(allocation->label, '\0') + 1;
    if (allocation->store.all.prev)
        allocation->store.all.prev->store.all.next = allocation->store.all.next;
    else
        adapter->store->pageables = allocation->store.all.next;
    if (allocation->store.all.next)
        allocation->store.all.next->store.all.prev = allocation->store.all.prev;
    backing_end(allocation);
    content_fini(&allocation->store.content);
    page_set_fini(&allocation->store.cpu_dirty);
    page_set_fini(&allocation->store.uncertain);
    base_free(allocation->place.offer);
    pool_give(&adapter->store->records, allocation, (size_t)(end - (const char *)allocation));
}

void pageable_free(adapter_t *adapter, struct pageable *allocation)
{
    backing_fini(adapter, allocation);
    if (allocation->store.charged)
        adapter->store->commit_charged -= allocation->info.bytes;
    pageable_forget(adapter, allocation);
}

/* ---- the first content ---------------------------------------------------------------------- */

vidmm_status allocation_make_store(adapter_t *adapter, struct pageable *allocation)
{
    if (!backing_populate(adapter, allocation))
        return system_refuse(adapter, RULE(PAGE_015), allocation->info.bytes,
                             "the backing store of ", allocation->label);
    if (allocation->store.state == ALLOCATION_NO_CONTENT) {
        allocation_first_content(adapter, allocation);
        allocation_become(allocation, ALLOCATION_EVICTED);
    }
    return STATUS_SUCCESS;
}

struct pageable *pageable_first(const adapter_t *adapter)
{
    return adapter->store->pageables;
}

uint64_t commitment_charged(const adapter_t *adapter)
{
    return adapter->store->commit_charged;
}

uint64_t commitment_left(const adapter_t *adapter)
{
    uint64_t limit = adapter->setup->config.machine.commit_bytes;
    return limit ? limit - adapter->store->commit_charged : UINT64_MAX;
}

struct pin_cause pageable_pinned_by(const struct pageable *pageable)
{
    /* A further copy in a link is pinned with the first one, which alone knows why. */
    const struct pageable *allocation = allocation_whole_of(pageable);
    if (allocation->place.displayed)
        return (struct pin_cause){ "display", "it is displayed", RULE(RES_057) };
    if (allocation->shared_primary)
        return (struct pin_cause){ "shared-primary", "it is the shared primary", RULE(ALLOC_046) };
    if (allocation->of_context && !allocation->place.pinned_anyway)
        return (struct pin_cause){ "context", "its context is loaded", RULE(PAGE_062) };
    if (allocation_has(allocation, ALLOCATION_OVERLAY))
        return (struct pin_cause){ "overlay", "it is an overlay", RULE(FLAG_035) };
    if (allocation_has(allocation, ALLOCATION_CAPTURE))
        return (struct pin_cause){ "capture", "it is a capture buffer", RULE(FLAG_041) };
    return (struct pin_cause){ "script", "a request pinned it", RULE(PAGE_051) };
}
