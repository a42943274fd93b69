/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_callbacks.h: what a miniport tells the system: interrupts, and questions about handles.
 *
 * DxgkCbNotifyInterrupt carries one DXGKARGCB_NOTIFY_INTERRUPT_DATA; DmaCompleted, DmaPreempted
 * and DmaFaulted are those that memory management lives on. Nobody else reports a fence.
 *
 * Source: public pages titled like the types (d3dkmddi.h).
 */
#ifndef VIDMM_DDI_D3DKMDDI_CALLBACKS_H
#define VIDMM_DDI_D3DKMDDI_CALLBACKS_H

#include "d3dkmddi_names.h"
#include "d3dkmdt.h"

typedef enum _DXGK_HANDLE_TYPE {
    DXGK_HANDLE_ALLOCATION = 1,
    DXGK_HANDLE_RESOURCE = 2
} DXGK_HANDLE_TYPE;

/* DeviceSpecific asks for what opening answered instead of what creation answered. */
typedef struct _DXGKCB_GETHANDLEDATAFLAGS {
    union {
        struct {
            UINT DeviceSpecific : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGKCB_GETHANDLEDATAFLAGS;

typedef struct _DXGKARGCB_GETHANDLEDATA {
    D3DKMT_HANDLE hObject;
    DXGK_HANDLE_TYPE Type;
    DXGKCB_GETHANDLEDATAFLAGS Flags;
} DXGKARGCB_GETHANDLEDATA;
VIDMM_DDI_POINTERS(DXGKARGCB_GETHANDLEDATA);

typedef VOID *DXGKARG_RELEASE_HANDLE;
typedef DXGKARG_RELEASE_HANDLE *PDXGKARG_RELEASE_HANDLE;

/* Passed by value. */
typedef struct _DXGKARGCB_RELEASEHANDLEDATA {
    DXGKARG_RELEASE_HANDLE ReleaseHandle;
    DXGK_HANDLE_TYPE Type;
} DXGKARGCB_RELEASEHANDLEDATA;
typedef const DXGKARGCB_RELEASEHANDLEDATA IN_CONST_DXGKARGCB_RELEASEHANDLEDATA;

typedef struct _DXGKARGCB_ENUMHANDLECHILDREN {
    D3DKMT_HANDLE hObject;
    UINT Index;
} DXGKARGCB_ENUMHANDLECHILDREN;
VIDMM_DDI_POINTERS(DXGKARGCB_ENUMHANDLECHILDREN);

typedef struct _DXGKARGCB_GETCAPTUREADDRESS {
    D3DKMT_HANDLE hAllocation;
    UINT SegmentId;
    PHYSICAL_ADDRESS PhysicalAddress;
} DXGKARGCB_GETCAPTUREADDRESS;
VIDMM_DDI_POINTERS(DXGKARGCB_GETCAPTUREADDRESS);

typedef struct _DXGKARGCB_UPDATECONTEXTALLOCATION {
    HANDLE hAllocation;
    PVOID pPrivateDriverData;
    UINT PrivateDriverDataSize;
} DXGKARGCB_UPDATECONTEXTALLOCATION;
VIDMM_DDI_POINTERS(DXGKARGCB_UPDATECONTEXTALLOCATION);

typedef enum _DXGK_INTERRUPT_TYPE {
    DXGK_INTERRUPT_DMA_COMPLETED = 1,
    DXGK_INTERRUPT_DMA_PREEMPTED = 2,
    DXGK_INTERRUPT_CRTC_VSYNC = 3,
    DXGK_INTERRUPT_DMA_FAULTED = 4,
    DXGK_INTERRUPT_DISPLAYONLY_VSYNC = 5,
    DXGK_INTERRUPT_DISPLAYONLY_PRESENT_PROGRESS = 6,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY = 7,
    DXGK_INTERRUPT_MICACAST_CHUNK_PROCESSING_COMPLETE = 8,
    DXGK_INTERRUPT_DMA_PAGE_FAULTED = 9,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY2 = 10,
    DXGK_INTERRUPT_MONITORED_FENCE_SIGNALED = 11,
    DXGK_INTERRUPT_HWQUEUE_PAGE_FAULTED = 12,
    DXGK_INTERRUPT_HWCONTEXTLIST_SWITCH_COMPLETED = 13,
    DXGK_INTERRUPT_PERIODIC_MONITORED_FENCE_SIGNALED = 14,
    DXGK_INTERRUPT_SCHEDULING_LOG_INTERRUPT = 15,
    DXGK_INTERRUPT_GPU_ENGINE_TIMEOUT = 16,
    DXGK_INTERRUPT_SUSPEND_CONTEXT_COMPLETED = 17,
    DXGK_INTERRUPT_CRTC_VSYNC_WITH_MULTIPLANE_OVERLAY3 = 18,
    DXGK_INTERRUPT_NATIVE_FENCE_SIGNALED = 19,
    DXGK_INTERRUPT_GPU_ENGINE_STATE_CHANGE = 20
} DXGK_INTERRUPT_TYPE;
typedef const DXGK_INTERRUPT_TYPE IN_CONST_DXGK_INTERRUPT_TYPE;

typedef enum _DXGK_ENGINE_STATE {
    DXGK_ENGINE_STATE_ACTIVE = 0,
    DXGK_ENGINE_STATE_TRANSITION_TO_F1 = 1,
    DXGK_ENGINE_STATE_HUNG = 2
} DXGK_ENGINE_STATE;

typedef enum _DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID {
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_COMPLETE = 0,
    DXGK_PRESENT_DISPLAYONLY_PROGRESS_ID_FAILED = 1
} DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID;

typedef struct _DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS {
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    DXGK_PRESENT_DISPLAY_ONLY_PROGRESS_ID ProgressId;
} DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS;
VIDMM_DDI_POINTERS(DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS);

typedef struct _DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS {
    union {
        struct {
            UINT ValidPhysicalAdapterMask : 1;
            UINT HsyncFlipCompletion : 1;
            UINT EvaluateLegacyMonitoredFences : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS;

typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO;
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2;
typedef struct _DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3;

typedef struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    DXGK_INTERRUPT_TYPE InterruptType;
    union {
        struct {
            UINT SubmissionFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaCompleted;
        struct {
            UINT PreemptionFenceId;
            UINT LastCompletedFenceId;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaPreempted;
        struct {
            UINT FaultedFenceId;
            NTSTATUS Status;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } DmaFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            PHYSICAL_ADDRESS PhysicalAddress;
            UINT PhysicalAdapterMask;
        } CrtcVsync;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
        } DisplayOnlyVsync;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO *pMultiPlaneOverlayVsyncInfo;
        } CrtcVsyncWithMultiPlaneOverlay;
        DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS DisplayOnlyPresentProgress;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            DXGK_MIRACAST_CHUNK_INFO ChunkInfo;
            PVOID pPrivateDriverData;
            UINT PrivateDataDriverSize;
            NTSTATUS Status;
        } MiracastEncodeChunkCompleted;
        struct {
            UINT FaultedFenceId;
            UINT64 FaultedPrimitiveAPISequenceNumber;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode;
            HANDLE FaultedProcessHandle;
        } DmaPageFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO2 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay2;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } MonitoredFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT64 ContextSwitchFence;
        } HwContextListSwitchCompleted;
        struct {
            UINT64 FaultedFenceId;
            D3DGPU_VIRTUAL_ADDRESS FaultedVirtualAddress;
            UINT64 FaultedPrimitiveAPISequenceNumber;
            union {
                HANDLE FaultedHwQueue;
                HANDLE FaultedHwContext;
                HANDLE FaultedProcessHandle;
            };
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_RENDER_PIPELINE_STAGE FaultedPipelineStage;
            UINT FaultedBindTableEntry;
            DXGK_PAGE_FAULT_FLAGS PageFaultFlags;
            UINT PageTableLevel;
            DXGK_FAULT_ERROR_CODE FaultErrorCode;
        } HwQueuePageFaulted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT NotificationID;
        } PeriodicMonitoredFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } SchedulingLogInterrupt;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
        } GpuEngineTimeout;
        struct {
            HANDLE hContext;
            UINT64 ContextSuspendFence;
        } SuspendContextCompleted;
        struct {
            D3DDDI_VIDEO_PRESENT_TARGET_ID VidPnTargetId;
            UINT PhysicalAdapterMask;
            UINT MultiPlaneOverlayVsyncInfoCount;
            DXGK_MULTIPLANE_OVERLAY_VSYNC_INFO3 *pMultiPlaneOverlayVsyncInfo;
            ULONGLONG GpuFrequency;
            ULONGLONG GpuClockCounter;
        } CrtcVsyncWithMultiPlaneOverlay3;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            UINT SignaledNativeFenceCount;
            HANDLE *pSignaledNativeFenceArray;
            HANDLE hHWQueue;
        } NativeFenceSignaled;
        struct {
            UINT NodeOrdinal;
            UINT EngineOrdinal;
            DXGK_ENGINE_STATE NewState;
        } EngineStateChange;
        struct {
            UINT Reserved[16];
        } Reserved;
    };
    DXGKCB_NOTIFY_INTERRUPT_DATA_FLAGS Flags;
} DXGKARGCB_NOTIFY_INTERRUPT_DATA;
VIDMM_DDI_POINTERS(DXGKARGCB_NOTIFY_INTERRUPT_DATA);

typedef enum _DXGK_INTERRUPT_STATE {
    DXGK_INTERRUPT_ENABLE = 0,
    DXGK_INTERRUPT_DISABLE = 1
} DXGK_INTERRUPT_STATE;

typedef enum _DXGK_CRTC_VSYNC_STATE {
    DXGK_VSYNC_ENABLE = 0,
    DXGK_VSYNC_DISABLE_KEEP_PHASE = 1,
    DXGK_VSYNC_DISABLE_NO_PHASE = 2
} DXGK_CRTC_VSYNC_STATE;

typedef struct _DXGKARG_CONTROLINTERRUPT2 {
    DXGK_INTERRUPT_TYPE InterruptType;
    union {
        DXGK_INTERRUPT_STATE InterruptState;
        DXGK_CRTC_VSYNC_STATE CrtcVsyncState;
    };
} DXGKARG_CONTROLINTERRUPT2;
typedef const DXGKARG_CONTROLINTERRUPT2 IN_CONST_DXGKARG_CONTROLINTERRUPT2;

#endif
