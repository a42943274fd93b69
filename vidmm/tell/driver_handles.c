/* SPDX-License-Identifier: MIT */
/*
 * driver_handles.c: the set of hAllocation values that live, to see that a miniport does not use
 * one twice (MINI-033).
 *
 * The values are the driver's and are compared, never looked through.
 */
#include "vidmm/base/base_hash.h"
#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

struct driver_handle {
    HANDLE handle;
    UT_hash_handle hh;
};

static struct driver_handle *find(const adapter_t *adapter, HANDLE handle)
{
    struct driver_handle *found;
    HASH_FIND_PTR(adapter->tell->driver_handles, &handle, found);
    return found;
}

bool driver_handle_add(adapter_t *adapter, HANDLE handle)
{
    CHECK(handle);
    if (find(adapter, handle))
        return false;
    struct driver_handle *added = base_alloc(1, sizeof *added);
    added->handle = handle;
    HASH_ADD_PTR(adapter->tell->driver_handles, handle, added);
    return true;
}

void driver_handle_remove(adapter_t *adapter, HANDLE handle)
{
    struct driver_handle *found = find(adapter, handle);
    CHECK(found);
    HASH_DEL(adapter->tell->driver_handles, found);
    base_free(found);
}

size_t driver_handle_count(const adapter_t *adapter)
{
    return HASH_COUNT(adapter->tell->driver_handles);
}

void driver_handles_fini(adapter_t *adapter)
{
    struct driver_handle *handle;
    struct driver_handle *next;
    HASH_ITER(hh, adapter->tell->driver_handles, handle, next)
    {
        HASH_DEL(adapter->tell->driver_handles, handle);
        base_free(handle);
    }
}
