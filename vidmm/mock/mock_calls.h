/* SPDX-License-Identifier: MIT */
/* mock_calls.h: what the driver's table points to (mock_miniport.c), as a driver declares it. */
#ifndef VIDMM_MOCK_CALLS_H
#define VIDMM_MOCK_CALLS_H

#include "vidmm/vidmm_mock.h"

DXGKDDI_QUERYADAPTERINFO mock_query_adapter_info;
DXGKDDI_BUILDPAGINGBUFFER mock_paging_build;
DXGKDDI_RENDER mock_render_translate;
DXGKDDI_PRESENT mock_present_build;
DXGKDDI_PATCH mock_render_patch;
DXGKDDI_SUBMITCOMMAND mock_render_submit;
DXGKDDI_GETSTANDARDALLOCATIONDRIVERDATA mock_standard_driver_data;

/* Calls without books. */
DXGKDDI_DESCRIBEALLOCATION mock_memory_describe;
DXGKDDI_SETALLOCATIONBACKINGSTORE mock_memory_set_store;
DXGKDDI_MAPCPUHOSTAPERTURE mock_memory_map_host;
DXGKDDI_UNMAPCPUHOSTAPERTURE mock_memory_unmap_host;
DXGKDDI_ACQUIRESWIZZLINGRANGE mock_memory_acquire;
DXGKDDI_RELEASESWIZZLINGRANGE mock_memory_release;

DXGKDDI_INTERRUPT_ROUTINE mock_gpu_interrupt_routine;
DXGKDDI_DPC_ROUTINE mock_gpu_dpc_routine;
DXGKDDI_QUERYCURRENTFENCE mock_gpu_query_current_fence;

/* Preemption, and what follows a timeout. */
DXGKDDI_PREEMPTCOMMAND mock_recovery_preempt;
DXGKDDI_CANCELCOMMAND mock_recovery_cancel;
DXGKDDI_COLLECTDBGINFO mock_recovery_collect;
DXGKDDI_RESETFROMTIMEOUT mock_recovery_reset;
DXGKDDI_RESTARTFROMTIMEOUT mock_recovery_restart;
DXGKDDI_QUERYDEPENDENTENGINEGROUP mock_recovery_group;
DXGKDDI_QUERYENGINESTATUS mock_recovery_status;
DXGKDDI_RESETENGINE mock_recovery_reset_engine;

#endif
