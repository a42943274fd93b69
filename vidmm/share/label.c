/* SPDX-License-Identifier: MIT */
/* label.c: how callers call what a handle names, whatever it is. */
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

void vidmm_name_next(adapter_t *adapter, const char *label)
{
    adapter->share->next_label = label;
}

const char *shared_next_label(const adapter_t *adapter)
{
    return adapter->share->next_label;
}

const char *vidmm_label(const adapter_t *adapter, vidmm_handle handle)
{
    enum vidmm_object kind;
    const void *object = handle_behind(adapter, handle, &kind);
    switch (kind) {
    case VIDMM_OBJECT_PROCESS: return ((const struct process *)object)->label;
    case VIDMM_OBJECT_DEVICE: return ((const struct device *)object)->label;
    case VIDMM_OBJECT_CONTEXT: return ((const struct context *)object)->label;
    case VIDMM_OBJECT_ALLOCATION: return allocation_label(object, handle);
    case VIDMM_OBJECT_SYSTEM_RANGE: return ((const struct system_range *)object)->label;
    case VIDMM_OBJECT_RESOURCE: return resource_label(object, handle);
    case VIDMM_OBJECT_NONE: break;
    }
    return "";
}
