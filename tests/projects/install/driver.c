/* SPDX-License-Identifier: MIT */
/* driver.c: a miniport's source includes the same headers as on Windows, by the same names. */
#include <ntddk.h>
#include <dispmprt.h>

NTSTATUS DestroyNothing(CONST HANDLE adapter, CONST DXGKARG_DESTROYALLOCATION *argument);

NTSTATUS DestroyNothing(CONST HANDLE adapter, CONST DXGKARG_DESTROYALLOCATION *argument)
{
    return adapter && argument ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}
