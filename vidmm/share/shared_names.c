/* SPDX-License-Identifier: MIT */
/*
 * shared_names.c: what callers call that which a handle names, and an allocation that they have
 * open under another name.
 *
 * Events have one subject, and one label, whoever opened it: that of the creation. But a refusal
 * answers one call, and speaks of what that call named: both names are told then.
 */
#include <stdio.h>
#include <string.h>

#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

void shared_name(struct opening *opening, const struct allocation *named, const char *label)
{
    enum { INDEX_MOST = 24 };
    size_t length = label ? strlen(label) : 0, bytes = length + INDEX_MOST;
    if (!length)
        return;
    if (named) {
        opening->members[named->part].label = base_strndup(label, length);
        return;
    }
    opening->label = base_strndup(label, length);
    for (size_t i = 0; i < opening->resource->sharing->part_count; i++) {
        opening->members[i].label = base_alloc(bytes, 1);
        (void)snprintf(opening->members[i].label, bytes, "%s[%zu]", label, i);
    }
}

/* ---- asking for them ------------------------------------------------------------------------ */

const char *resource_label(const struct resource *resource, vidmm_handle handle)
{
    const struct opening *opening = resource->sharing ? shared_opening(resource, handle) : NULL;
    if (opening && opening->label)
        return opening->label;
    if (resource->label)
        return resource->label;
    return resource->allocations ? resource->allocations->pageable.label : "";
}

const char *allocation_label(const struct allocation *allocation, vidmm_handle handle)
{
    if (!allocation_is_shared(allocation))
        return allocation->pageable.label;
    const struct opening *opening = shared_opening(allocation->resource, handle);
    const char *label = opening ? opening->members[allocation->part].label : NULL;
    return label ? label : allocation->pageable.label;
}

/* ---- both names ----------------------------------------------------------------------------- */

void shared_spoken(adapter_t *adapter, vidmm_handle handle)
{
    struct share *share = adapter->share;
    vidmm_handle *handles = share->recent_handles.handles;
    const struct allocation *allocation =
        share->shares ? handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION) : NULL;
    if (!allocation || !allocation_is_shared(allocation))
        return;
    for (size_t i = 0; i < ARRAY_COUNT(share->recent_handles.handles); i++)
        if (handle_object(adapter, handles[i], VIDMM_OBJECT_ALLOCATION) == allocation) {
            handles[i] = handle;
            return;
        }
    handles[share->recent_handles.next++] = handle;
    share->recent_handles.next %= ARRAY_COUNT(share->recent_handles.handles);
}

void shared_forget_spoken(adapter_t *adapter)
{
    memset(adapter->share->recent_handles.handles, 0,
           sizeof adapter->share->recent_handles.handles);
}

uint32_t shared_number(adapter_t *adapter)
{
    return ++adapter->share->shares;
}

struct shared_word shared_word(const adapter_t *adapter, vidmm_handle handle)
{
    struct shared_word word;
    const struct vidmm_config *config = &adapter->setup->config;
    const char *name = config->handle_name ? config->handle_name(config->caller, handle) : NULL;
    if (name)
        (void)snprintf(word.it, sizeof word.it, "%s", name);
    else
        (void)snprintf(word.it, sizeof word.it, "0x%x", handle);
    return word;
}

static bool is_of_name(char c)
{
    return c && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-[]@", c);
}

/* As a whole word. */
static bool mentions(const char *text, const char *label)
{
    size_t length = strlen(label);
    for (const char *at = strstr(text, label); at; at = strstr(at + 1, label))
        if ((at == text || !is_of_name(at[-1])) && !is_of_name(at[length]))
            return true;
    return false;
}

void shared_add_names(const adapter_t *adapter, char *text, size_t bytes)
{
    for (size_t i = 0; i < ARRAY_COUNT(adapter->share->recent_handles.handles); i++) {
        vidmm_handle handle = adapter->share->recent_handles.handles[i];
        const struct allocation *allocation =
            handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
        if (!allocation || !*allocation->pageable.label ||
            !mentions(text, allocation->pageable.label))
            continue;
        const char *label = allocation_label(allocation, handle);
        size_t used = strlen(text);
        if (strcmp(label, allocation->pageable.label) != 0)
            (void)snprintf(text + used, bytes - used, "; %s is %s", label,
                           allocation->pageable.label);
    }
}

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
