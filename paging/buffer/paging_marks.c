/* SPDX-License-Identifier: MIT */
/*
 * paging_marks.c: the fences that paging and the last uses of allocations wait for. They have other
 * numbers after a preemption or a reset (SUBMIT-056).
 */
#include "paging/buffer/buffer_state.h"
#include "paging/buffer/paging.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"

struct pageable *allocation_new(adapter_t *adapter, const char *label)
{
    uint32_t nodes = adapter->setup->caps.nodes;
    struct pageable *allocation = pageable_new(adapter, label, 2 * nodes * sizeof(uint32_t));
    char *marks = (char *)allocation + adapter->pageable_hooks->record_bytes;
    allocation->transfer.marks = (uint32_t *)(void *)marks;
    allocation->transfer.write_marks = allocation->transfer.marks + nodes;
    return allocation;
}

static void renumber_marks(const adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    for (struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        if (a->place.whole) /* its marks are those of the first copy */
            continue;
        a->transfer.marks[node] = preempt_new_number(renaming, a->transfer.marks[node]);
        a->transfer.write_marks[node] = preempt_new_number(renaming, a->transfer.write_marks[node]);
    }
}

void paging_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    struct paging_state *paging = adapter->buffers->paging;
    renumber_marks(adapter, node, renaming);
    paging->waits[node] = preempt_new_number(renaming, paging->waits[node]);
    if (node != adapter->setup->caps.paging_node)
        return;
    adapter->buffers->sync_fence = preempt_new_number(renaming, adapter->buffers->sync_fence);
    for (uint32_t i = 0; i < paging->count; i++) {
        struct paging_buffer *buffer = &paging->buffers[i];
        buffer->last_fence = preempt_new_number(renaming, buffer->last_fence);
    }
}
