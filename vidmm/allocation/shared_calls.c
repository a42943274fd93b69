/* SPDX-License-Identifier: MIT */
/*
 * shared_calls.c: what callers ask about shared resources: open, close, share, grant.
 *
 * hGlobalShare and NT handles stand for themselves: whoever names a shared resource knows the
 * handle by which it is opened. What the simulator checks is whether such a handle exists, and
 * whether this device may use it.
 *
 * Rules not named below: KMT-018.
 */
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/share/share.h"

/* ---- which resource ------------------------------------------------------------------------- */

static const char *label_of(const struct resource *resource, vidmm_handle handle)
{
    const char *label = resource_label(resource, handle);
    return *label ? label : "the resource";
}

static vidmm_status find_shared(adapter_t *adapter, vidmm_handle handle, enum vidmm_rule rule,
                                struct resource **resource)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    const struct allocation *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    *resource =
        allocation ? allocation->resource : handle_object(adapter, handle, VIDMM_OBJECT_RESOURCE);
    shared_spoken(adapter, handle);
    if (!*resource || !(*resource)->sharing)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER, "%s",
                      *resource ? "the resource was created without CreateShared"
                                : "this names neither a resource nor an allocation of one");
    return STATUS_SUCCESS;
}

static vidmm_status find_device(adapter_t *adapter, vidmm_handle handle, struct device **device)
{
    *device = handle_object(adapter, handle, VIDMM_OBJECT_DEVICE);
    if (!*device)
        return refuse(adapter, RULE(KMT_003), STATUS_INVALID_PARAMETER, "no such device");
    if ((*device)->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED, "device %s is in error",
                      (*device)->label);
    return STATUS_SUCCESS;
}

/* ---- who may open --------------------------------------------------------------------------- */

static bool is_granted(const struct sharing *sharing, const struct device *device)
{
    for (size_t i = 0; i < sharing->granted_count; i++)
        if (sharing->granted[i] == device->handle)
            return true;
    return device->process->handle == sharing->process;
}

static vidmm_status check_open(adapter_t *adapter, const struct resource *resource,
                               vidmm_handle shared, const struct device *device)
{
    const struct sharing *sharing = resource->sharing;
    const char *label = label_of(resource, shared);
    if (sharing->flags & VIDMM_KMT_NtSecuritySharing && !sharing->nt_handle)
        return refuse(adapter, RULE(KMT_016), STATUS_INVALID_PARAMETER,
                      "%s has no global handle, and nobody made an NT handle for it", label);
    if (sharing->flags & VIDMM_KMT_RestrictSharedAccess) {
        if (!is_granted(sharing, device))
            return refuse(adapter, RULE(KMT_014), STATUS_INVALID_PARAMETER,
                          "%s is restricted to the process that created it, and device %s was "
                          "not granted access",
                          label, device->label);
    }
    if (sharing->flags & VIDMM_KMT_NonSecure || sharing->secure == device->process->secure)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(KMT_011), STATUS_INVALID_PARAMETER,
                  "%s was created by %s process without NonSecure, process %s is %s", label,
                  sharing->secure ? "a secure" : "an ordinary", device->process->label,
                  device->process->secure ? "secure" : "not");
}

vidmm_status vidmm_open(adapter_t *adapter, const char *label, vidmm_handle device_handle,
                        vidmm_handle shared, vidmm_handle *handle)
{
    struct resource *resource = NULL;
    struct device *device = NULL;
    struct opening *opening = NULL;
    vidmm_status status = find_shared(adapter, shared, RULE(ALLOC_049), &resource);
    if (!status)
        status = find_device(adapter, device_handle, &device);
    if (!status)
        status = check_open(adapter, resource, shared, device);
    if (status)
        return status;
    const struct sharing *sharing = resource->sharing;
    const struct allocation *named = handle_object(adapter, shared, VIDMM_OBJECT_ALLOCATION);
    const struct open_request request = {
        .resource = resource,
        .device = device,
        .named = named,
        .label = label,
        .read_only = sharing->flags & VIDMM_KMT_ReadOnly || sharing->nt_read_only,
    };
    status = shared_open(adapter, &request, &opening);
    if (!status)
        *handle = named ? opening->members[named->part].handle : opening->handle;
    return status;
}

vidmm_status vidmm_close(adapter_t *adapter, vidmm_handle handle)
{
    struct resource *resource = NULL;
    vidmm_status status = find_shared(adapter, handle, RULE(ALLOC_049), &resource);
    if (status)
        return status;
    struct opening *opening = shared_opening(resource, handle);
    if (!opening)
        return refuse(adapter, RULE(ALLOC_049), STATUS_INVALID_HANDLE,
                      "%s is closed for the device of this handle", label_of(resource, handle));
    return shared_close(adapter, opening);
}

vidmm_handle vidmm_resource_member(const adapter_t *adapter, vidmm_handle handle, size_t index)
{
    const struct resource *resource = handle_object(adapter, handle, VIDMM_OBJECT_RESOURCE);
    if (!resource)
        return 0;
    const struct opening *opening = resource->sharing ? shared_opening(resource, handle) : NULL;
    if (opening)
        return index < resource->sharing->part_count ? opening->members[index].handle : 0;
    const struct allocation *at = resource->allocations;
    while (at && index--)
        at = at->resource_next;
    return at ? at->pageable.handle : 0;
}

/* ---- NT handles and grants ------------------------------------------------------------------ */

vidmm_status vidmm_share(adapter_t *adapter, const vidmm_handle *objects, size_t count,
                         bool read_only, uint32_t *nt_handle)
{
    struct resource *resource = NULL;
    *nt_handle = 0;
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (count != 1) /* keyed mutexes and synchronisation objects do not exist here */
        return refuse(adapter, RULE(KMT_017), STATUS_INVALID_PARAMETER,
                      "one call shares one allocation, these are %zu objects", count);
    status = find_shared(adapter, objects[0], RULE(KMT_017), &resource);
    if (status)
        return status;
    struct sharing *sharing = resource->sharing;
    if (!(sharing->flags & VIDMM_KMT_NtSecuritySharing))
        return refuse(adapter, RULE(KMT_017), STATUS_INVALID_PARAMETER,
                      "%s was created without NtSecuritySharing", label_of(resource, objects[0]));
    if (!shared_opening(resource, objects[0]))
        return refuse(adapter, RULE(KMT_017), STATUS_INVALID_HANDLE,
                      "%s is closed for the device of this handle", label_of(resource, objects[0]));
    sharing->nt_handle = 4 * shared_number(adapter);
    sharing->nt_read_only = read_only;
    *nt_handle = sharing->nt_handle;
    EMIT(adapter, SHARE, RULE(KMT_017), resource->handle, f_hex("handle", sharing->nt_handle),
         f_word("access", read_only ? "read" : "write"));
    return STATUS_SUCCESS;
}

/* Those of devices that are gone make room. */
static void add_granted(const adapter_t *adapter, struct sharing *sharing,
                        const struct device *device)
{
    size_t kept = 0;
    for (size_t i = 0; i < sharing->granted_count; i++)
        if (handle_object(adapter, sharing->granted[i], VIDMM_OBJECT_DEVICE))
            sharing->granted[kept++] = sharing->granted[i];
    BASE_GROW(sharing->granted, sharing->granted_capacity, kept + 1);
    sharing->granted[kept++] = device->handle;
    sharing->granted_count = kept;
}

vidmm_status vidmm_grant(adapter_t *adapter, vidmm_handle shared, vidmm_handle device_handle)
{
    struct resource *resource = NULL;
    struct device *device = NULL;
    vidmm_status status = find_shared(adapter, shared, RULE(KMT_014), &resource);
    if (!status)
        status = find_device(adapter, device_handle, &device);
    if (status)
        return status;
    struct sharing *sharing = resource->sharing;
    if (!(sharing->flags & VIDMM_KMT_RestrictSharedAccess))
        return refuse(adapter, RULE(KMT_014), STATUS_INVALID_PARAMETER,
                      "%s was created without RestrictSharedAccess: every device may open it",
                      label_of(resource, shared));
    if (!is_granted(sharing, device))
        add_granted(adapter, sharing, device);
    EMIT(adapter, GRANT, RULE(KMT_014), resource->handle, f_text("device", device->label));
    return STATUS_SUCCESS;
}
