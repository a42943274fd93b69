/* SPDX-License-Identifier: MIT */
/*
 * ddi_facts.h: sizes and offsets of the display driver interface on a 64-bit machine, as numbers.
 *
 * Written down from the documented member lists, not computed from our headers. Expand DDI_SIZES
 * with a macro of (type, bytes) and DDI_OFFSETS with one of (type, member, bytes).
 */
#ifndef TESTS_DDI_FACTS_H
#define TESTS_DDI_FACTS_H

#define DDI_SIZES(X)                                                                               \
    X(LONG, 4)                                                                                     \
    X(ULONG, 4)                                                                                    \
    X(BOOLEAN, 1)                                                                                  \
    X(WCHAR, 2)                                                                                    \
    X(SIZE_T, 8)                                                                                   \
    X(NTSTATUS, 4)                                                                                 \
    X(PHYSICAL_ADDRESS, 8)                                                                         \
    X(UNICODE_STRING, 16)                                                                          \
    X(GUID, 16)                                                                                    \
    X(MDL, 48)                                                                                     \
    X(PFN_NUMBER, 8)                                                                               \
    X(CM_PARTIAL_RESOURCE_DESCRIPTOR, 20)                                                          \
    X(CM_RESOURCE_LIST, 40)                                                                        \
    X(D3DKMT_HANDLE, 4)                                                                            \
    X(D3DDDIFORMAT, 4)                                                                             \
    X(D3DGPU_PHYSICAL_ADDRESS, 16)                                                                 \
    X(D3DDDI_SEGMENTPREFERENCE, 4)                                                                 \
    X(D3DDDI_PATCHLOCATIONLIST, 24)                                                                \
    X(D3DDDI_ALLOCATIONLIST, 8)                                                                    \
    X(D3DDDI_ALLOCATIONINFO, 40)                                                                   \
    X(D3DDDI_ALLOCATIONINFO2, 96)                                                                  \
    X(D3DDDI_MAKERESIDENT, 48)                                                                     \
    X(D3DDDICB_LOCKFLAGS, 4)                                                                       \
    X(DXGK_PTE, 16)                                                                                \
    X(D3DKMT_CREATEALLOCATIONFLAGS, 4)                                                             \
    X(D3DKMT_CREATEALLOCATION, 72)                                                                 \
    X(D3DKMT_LOCK, 48)                                                                             \
    X(D3DKMDT_SHAREDPRIMARYSURFACEDATA, 24)                                                        \
    X(D3DKMDT_GDISURFACEDATA, 24)                                                                  \
    X(DXGK_NODEMETADATA, 80)                                                                       \
    X(DXGK_SEGMENTFLAGS, 4)                                                                        \
    X(DXGK_SEGMENTBANKPREFERENCE, 4)                                                               \
    X(DXGK_QUERYSEGMENTIN, 24)                                                                     \
    X(DXGK_SEGMENTDESCRIPTOR, 56)                                                                  \
    X(DXGK_SEGMENTDESCRIPTOR3, 72)                                                                 \
    X(DXGK_SEGMENTDESCRIPTOR4, 96)                                                                 \
    X(DXGK_QUERYSEGMENTOUT, 32)                                                                    \
    X(DXGK_QUERYSEGMENTOUT3, 32)                                                                   \
    X(DXGK_QUERYSEGMENTOUT4, 40)                                                                   \
    X(DXGK_QUERYSEGMENTMEMORYSTATE, 16)                                                            \
    X(DXGK_MEMORYRANGE, 16)                                                                        \
    X(DXGK_VIDMMCAPS, 8)                                                                           \
    X(DXGK_GPUENGINETOPOLOGY, 260)                                                                 \
    X(DXGK_DRIVERCAPS, 592)                                                                        \
    X(DXGKARG_QUERYADAPTERINFO, 48)                                                                \
    X(DXGK_ALLOCATIONINFOFLAGS, 4)                                                                 \
    X(DXGK_ALLOCATIONINFOFLAGS_WDDM2_0, 4)                                                         \
    X(DXGK_ALLOCATIONINFOFLAGS2, 4)                                                                \
    X(DXGK_ALLOCATIONUSAGEHINT, 40)                                                                \
    X(DXGK_ALLOCATIONINFO, 88)                                                                     \
    X(DXGKARG_CREATEALLOCATION, 40)                                                                \
    X(DXGKARG_DESTROYALLOCATION, 32)                                                               \
    X(DXGK_OPENALLOCATIONINFO, 32)                                                                 \
    X(DXGKARG_OPENALLOCATION, 56)                                                                  \
    X(DXGKARG_CLOSEALLOCATION, 16)                                                                 \
    X(DXGKARG_DESCRIBEALLOCATION, 48)                                                              \
    X(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA, 48)                                                 \
    X(DXGK_DEVICEINFO, 24)                                                                         \
    X(DXGKARG_CREATEDEVICE, 32)                                                                    \
    X(DXGK_CONTEXTINFO, 32)                                                                        \
    X(DXGKARG_CREATECONTEXT, 72)                                                                   \
    X(DXGK_ADL, 16)                                                                                \
    X(DXGKARG_BUILDPAGINGBUFFER, 320)                                                              \
    X(DXGK_ALLOCATIONLIST, 24)                                                                     \
    X(DXGKARG_RENDER, 112)                                                                         \
    X(DXGKARG_PRESENT, 168)                                                                        \
    X(DXGKARG_PATCH, 120)                                                                          \
    X(DXGKARG_SUBMITCOMMAND, 96)                                                                   \
    X(DXGKARG_PREEMPTCOMMAND, 16)                                                                  \
    X(DXGKARG_QUERYCURRENTFENCE, 12)                                                               \
    X(DXGKARG_ACQUIRESWIZZLINGRANGE, 40)                                                           \
    X(DXGKARG_MAPCPUHOSTAPERTURE, 40)                                                              \
    X(DXGKARGCB_GETHANDLEDATA, 12)                                                                 \
    X(DXGKARGCB_NOTIFY_INTERRUPT_DATA, 80)                                                         \
    X(DXGKARGCB_CREATECONTEXTALLOCATION, 88)                                                       \
    X(DXGK_DEVICE_INFO, 80)                                                                        \
    X(DXGK_START_INFO, 28)

#define DDI_OFFSETS(X)                                                                             \
    X(MDL, MdlFlags, 10)                                                                           \
    X(MDL, ByteCount, 40)                                                                          \
    X(D3DDDI_PATCHLOCATIONLIST, PatchOffset, 16)                                                   \
    X(D3DDDI_PATCHLOCATIONLIST, SplitOffset, 20)                                                   \
    X(D3DKMT_LOCK, Flags, 32)                                                                      \
    X(DXGK_SEGMENTDESCRIPTOR, Size, 16)                                                            \
    X(DXGK_SEGMENTDESCRIPTOR, Flags, 48)                                                           \
    X(DXGK_SEGMENTDESCRIPTOR3, BaseAddress, 8)                                                     \
    X(DXGK_SEGMENTDESCRIPTOR3, SystemMemoryEndAddress, 56)                                         \
    X(DXGK_SEGMENTDESCRIPTOR4, Size, 16)                                                           \
    X(DXGK_SEGMENTDESCRIPTOR4, CpuTranslatedAddress, 40)                                           \
    X(DXGK_SEGMENTDESCRIPTOR4, CpuHostAperture, 40)                                                \
    X(DXGK_SEGMENTDESCRIPTOR4, NumInvalidMemoryRanges, 56)                                         \
    X(DXGK_QUERYSEGMENTOUT4, SegmentDescriptorStride, 32)                                          \
    X(DXGK_QUERYSEGMENTMEMORYSTATE, pMemoryRanges, 8)                                              \
    X(DXGK_DRIVERCAPS, ApertureSegmentCommitLimit, 16)                                             \
    X(DXGK_DRIVERCAPS, NumberOfSwizzlingRanges, 40)                                                \
    X(DXGK_DRIVERCAPS, SchedulingCaps, 64)                                                         \
    X(DXGK_DRIVERCAPS, MemoryManagementCaps, 68)                                                   \
    X(DXGK_DRIVERCAPS, GpuEngineTopology, 76)                                                      \
    X(DXGK_DRIVERCAPS, WDDMVersion, 336)                                                           \
    X(DXGK_DRIVERCAPS, PreemptionCaps, 528)                                                        \
    X(DXGK_DRIVERCAPS, SupportPerEngineTDR, 538)                                                   \
    X(DXGK_DRIVERCAPS, MiscCaps, 576)                                                              \
    X(DXGK_ALLOCATIONINFO, Size, 16)                                                               \
    X(DXGK_ALLOCATIONINFO, PreferredSegment, 36)                                                   \
    X(DXGK_ALLOCATIONINFO, SupportedReadSegmentSet, 40)                                            \
    X(DXGK_ALLOCATIONINFO, EvictionSegmentSet, 48)                                                 \
    X(DXGK_ALLOCATIONINFO, hAllocation, 56)                                                        \
    X(DXGK_ALLOCATIONINFO, FlagsWddm2, 64)                                                         \
    X(DXGK_ALLOCATIONINFO, AllocationPriority, 80)                                                 \
    X(DXGK_ALLOCATIONINFO, Flags2, 84)                                                             \
    X(DXGKARG_CREATEALLOCATION, hResource, 24)                                                     \
    X(DXGKARG_CREATECONTEXT, ContextInfo, 36)                                                      \
    X(DXGKARG_BUILDPAGINGBUFFER, Operation, 28)                                                    \
    X(DXGKARG_BUILDPAGINGBUFFER, MultipassOffset, 32)                                              \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer, 40)                                                     \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer.TransferSize, 56)                                        \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer.Source.pMdl, 72)                                         \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer.Destination.SegmentAddress, 88)                          \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags, 96)                                               \
    X(DXGKARG_BUILDPAGINGBUFFER, Transfer.MdlOffset, 100)                                          \
    X(DXGKARG_BUILDPAGINGBUFFER, Fill.Destination.SegmentAddress, 72)                              \
    X(DXGKARG_BUILDPAGINGBUFFER, DiscardContent.SegmentAddress, 56)                                \
    X(DXGKARG_BUILDPAGINGBUFFER, ReadPhysical.PhysicalAddress, 48)                                 \
    X(DXGKARG_BUILDPAGINGBUFFER, MapApertureSegment.OffsetInPages, 64)                             \
    X(DXGKARG_BUILDPAGINGBUFFER, MapApertureSegment.MdlOffset, 92)                                 \
    X(DXGKARG_BUILDPAGINGBUFFER, UnmapApertureSegment.DummyPage, 80)                               \
    X(DXGKARG_BUILDPAGINGBUFFER, SpecialLockTransfer.SwizzlingRangeData, 104)                      \
    X(DXGKARG_BUILDPAGINGBUFFER, InitContextResource.Destination.VirtualAddress, 64)               \
    X(DXGKARG_BUILDPAGINGBUFFER, MapApertureSegment2.CpuVisibleAddress, 104)                       \
    X(DXGKARG_BUILDPAGINGBUFFER, hSystemContext, 296)                                              \
    X(DXGK_ALLOCATIONLIST, PhysicalAddress, 16)                                                    \
    X(DXGKARG_RENDER, pPatchLocationListOut, 80)                                                   \
    X(DXGKARG_PATCH, pDmaBuffer, 24)                                                               \
    X(DXGKARG_PATCH, pAllocationList, 72)                                                          \
    X(DXGKARG_PATCH, SubmissionFenceId, 108)                                                       \
    X(DXGKARG_SUBMITCOMMAND, SubmissionFenceId, 60)                                                \
    X(DXGKARG_SUBMITCOMMAND, NodeOrdinal, 88)                                                      \
    X(DXGKARGCB_NOTIFY_INTERRUPT_DATA, DmaCompleted, 8)                                            \
    X(DXGKARGCB_NOTIFY_INTERRUPT_DATA, Flags, 72)                                                  \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiAddDevice, 8 * 1)                                         \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiQueryAdapterInfo, 8 * 17)                                 \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiCreateAllocation, 8 * 19)                                 \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiBuildPagingBuffer, 8 * 28)                                \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiQueryCurrentFence, 8 * 36)                                \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiRender, 8 * 53)                                           \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiRenderKm, 8 * 68)                                         \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiCancelCommand, 8 * 78)                                    \
    X(DRIVER_INITIALIZATION_DATA, DxgkDdiMapCpuHostAperture, 8 * 93)                               \
    X(DXGKRNL_INTERFACE, DeviceHandle, 8)                                                          \
    X(DXGKRNL_INTERFACE, DxgkCbGetHandleData, 8 * 13)                                              \
    X(DXGKRNL_INTERFACE, DxgkCbNotifyInterrupt, 8 * 16)                                            \
    X(DXGKRNL_INTERFACE, DxgkCbNotifyDpc, 8 * 17)

#endif
