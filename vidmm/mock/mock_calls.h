/* SPDX-License-Identifier: MIT */
/* mock_calls.h: what the driver's table points to (mock_miniport.c), file by file. */
#ifndef VIDMM_MOCK_CALLS_H
#define VIDMM_MOCK_CALLS_H

#include "vidmm/vidmm_mock.h"

NTSTATUS mock_query_adapter_info(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg);
NTSTATUS mock_paging_build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg);

/* mock_render.c, mock_present.c */
NTSTATUS mock_render_translate(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg);
NTSTATUS mock_render_patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg);
NTSTATUS mock_render_submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg);
NTSTATUS mock_present_build(IN_CONST_HANDLE context, INOUT_PDXGKARG_PRESENT arg);

/* mock_standard.c */
NTSTATUS mock_standard_driver_data(IN_CONST_HANDLE adapter,
                                   INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg);

/* mock_swizzle.c: windows through which the CPU sees an allocation as linear */
NTSTATUS mock_swizzle_acquire(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg);
NTSTATUS mock_swizzle_release(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE arg);

/* mock_memory.c: calls without books */
NTSTATUS mock_memory_describe(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_DESCRIBEALLOCATION arg);
NTSTATUS mock_memory_set_store(IN_CONST_HANDLE adapter,
                               IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE arg);
NTSTATUS mock_memory_map_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE arg);
NTSTATUS mock_memory_unmap_host(IN_CONST_HANDLE adapter,
                                IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE arg);

/* mock_gpu.c */
BOOLEAN mock_gpu_interrupt_routine(IN_CONST_PVOID adapter, IN_ULONG message);
VOID mock_gpu_dpc_routine(IN_CONST_PVOID adapter);
NTSTATUS mock_gpu_query_current_fence(IN_CONST_HANDLE adapter,
                                      INOUT_PDXGKARG_QUERYCURRENTFENCE arg);

/* mock_recovery.c: preemption, and what follows a timeout */
NTSTATUS mock_recovery_preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg);
NTSTATUS mock_recovery_cancel(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND arg);
NTSTATUS mock_recovery_collect(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO arg);
NTSTATUS mock_recovery_reset(IN_CONST_HANDLE adapter);
NTSTATUS mock_recovery_restart(IN_CONST_HANDLE adapter);
NTSTATUS mock_recovery_group(IN_CONST_HANDLE adapter, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP arg);
NTSTATUS mock_recovery_status(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYENGINESTATUS arg);
NTSTATUS mock_recovery_reset_engine(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg);

#endif
