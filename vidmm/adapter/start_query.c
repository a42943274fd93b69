/* SPDX-License-Identifier: MIT */
/* start_query.c: DxgkDdiQueryAdapterInfo, which costs nothing (TIME-003). MINI-008. */
#include "vidmm/adapter/start.h"

#include <string.h>

static const char ddi[] = "DxgkDdiQueryAdapterInfo";

enum { FIELDS_MAX = 16 };

NTSTATUS start_query(adapter_t *adapter, DXGKARG_QUERYADAPTERINFO *arg)
{
    DXGKARG_QUERYADAPTERINFO given = *arg; /* who reads the answer relies on the question */
    return DRIVER_CALL(adapter, 0, QueryAdapterInfo, adapter->setup->driver, &given);
}

void start_query_tell(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg, NTSTATUS answer,
                      const struct vidmm_field *fields, size_t count)
{
    struct vidmm_field all[FIELDS_MAX] = { f_number("Type", (uint64_t)arg->Type) };
    CHECK(count < FIELDS_MAX);
    if (count)
        memcpy(all + 1, fields, count * sizeof *fields);
    driver_call_end(adapter, ddi, answer, 0, all, count + 1);
}

/* Those that the start asks for. */
static const char *type_name(const DXGKARG_QUERYADAPTERINFO *arg)
{
#define NAME(type) [DXGKQAITYPE_##type] = #type
    static const char *const names[] = {
        NAME(DRIVERCAPS),    NAME(QUERYSEGMENT),       NAME(QUERYSEGMENT3),
        NAME(QUERYSEGMENT4), NAME(SEGMENTMEMORYSTATE), NAME(PHYSICALADAPTERCAPS),
    };
#undef NAME
    return names[arg->Type];
}

vidmm_status start_query_end(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg,
                             NTSTATUS answer, const struct vidmm_field *fields, size_t count)
{
    bool of_segments = arg->Type == DXGKQAITYPE_QUERYSEGMENT ||
                       arg->Type == DXGKQAITYPE_QUERYSEGMENT3 ||
                       arg->Type == DXGKQAITYPE_QUERYSEGMENT4;
    start_query_tell(adapter, arg, answer, fields, count);
    if (answer != STATUS_SUCCESS && answer != STATUS_INVALID_PARAMETER &&
        answer != STATUS_NO_MEMORY && answer != STATUS_GRAPHICS_DRIVER_MISMATCH)
        finding(adapter, RULE(MINI_008), 0, "%s may not answer 0x%08x to %s", ddi, (unsigned)answer,
                type_name(arg));
    if (!NT_SUCCESS(answer))
        return refuse(adapter, of_segments ? RULE(SEG_001) : RULE(MINI_008), answer,
                      "the miniport fails the query %s", type_name(arg));
    return adapter_stopped(adapter) ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS;
}
