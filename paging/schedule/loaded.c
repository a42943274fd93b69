/* SPDX-License-Identifier: MIT */
/*
 * loaded.c: which context a node has loaded, and where its state is saved (PAGE-062).
 */
#include "paging/schedule/schedule_state.h"

struct context *node_loaded(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->loaded[node].context;
}

void node_load(adapter_t *adapter, uint32_t node, struct context *context)
{
    adapter->schedule->loaded[node] = (struct loaded_context){ .context = context };
}

bool node_paged_since(const adapter_t *adapter, uint32_t node)
{
    return adapter->schedule->loaded[node].paging;
}

void context_load_paging(adapter_t *adapter)
{
    adapter->schedule->loaded[adapter->setup->caps.paging_node].paging = true;
}

bool context_saves_to(const adapter_t *adapter, uint32_t node, const struct pageable *allocation)
{
    const struct context *context = adapter->schedule->loaded[node].context;
    if (!context || !allocation->of_context)
        return false;
    return allocation->context ? allocation->context == context
                               : allocation->creator == context->device;
}

bool context_is_loaded(const adapter_t *adapter, const struct pageable *allocation)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        if (context_saves_to(adapter, node, allocation))
            return true;
    return false;
}
