/* SPDX-License-Identifier: MIT */
/*
 * wdm.h: the part of the kernel's own interface that memory callbacks look at.
 *
 * Data only, with macros and inline helpers that need no kernel: the memory descriptor list, pages,
 * lists, interlocked arithmetic, power states, the resource list of a device. Kernel functions
 * (pools, locks, mappings) are not declared here: whoever hosts a driver brings them.
 *
 * Objects that drivers only pass on (device, driver, request packet) are opaque.
 */
#ifndef VIDMM_DDI_WDM_H
#define VIDMM_DDI_WDM_H
#define _WDMDDK_

#include "ntdef.h"
#include "ntstatus.h"

typedef UCHAR KIRQL, *PKIRQL;
typedef ULONG_PTR KSPIN_LOCK, *PKSPIN_LOCK;
typedef ULONG_PTR PFN_NUMBER, *PPFN_NUMBER;
typedef CHAR KPROCESSOR_MODE;
typedef LONG KPRIORITY;

#define PASSIVE_LEVEL  0
#define APC_LEVEL      1
#define DISPATCH_LEVEL 2
#define HIGH_LEVEL     15

typedef struct _DEVICE_OBJECT DEVICE_OBJECT, *PDEVICE_OBJECT;
typedef struct _DRIVER_OBJECT DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef struct _FILE_OBJECT FILE_OBJECT, *PFILE_OBJECT;
typedef struct _IRP IRP, *PIRP;
typedef struct _EPROCESS *PEPROCESS;
typedef struct _KTHREAD *PKTHREAD;

typedef const PDEVICE_OBJECT IN_CONST_PDEVICE_OBJECT;

/* The first function of every driver: RegistryPath names its service key. */
typedef NTSTATUS DRIVER_INITIALIZE(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath);
typedef DRIVER_INITIALIZE *PDRIVER_INITIALIZE;

typedef BOOLEAN KSYNCHRONIZE_ROUTINE(PVOID SynchronizeContext);
typedef KSYNCHRONIZE_ROUTINE *PKSYNCHRONIZE_ROUTINE;

typedef enum _MODE { KernelMode = 0, UserMode = 1, MaximumMode = 2 } MODE;

typedef enum _POOL_TYPE {
    NonPagedPool = 0,
    NonPagedPoolExecute = 0,
    PagedPool = 1,
    NonPagedPoolNx = 512
} POOL_TYPE;

typedef enum _MEMORY_CACHING_TYPE {
    MmNonCached = 0,
    MmCached = 1,
    MmWriteCombined = 2,
    MmHardwareCoherentCached = 3,
    MmNonCachedUnordered = 4,
    MmUSWCCached = 5,
    MmMaximumCacheType = 6,
    MmNotMapped = -1
} MEMORY_CACHING_TYPE;

typedef enum _MM_PAGE_PRIORITY {
    LowPagePriority = 0,
    NormalPagePriority = 16,
    HighPagePriority = 32
} MM_PAGE_PRIORITY;

typedef enum _DEVICE_POWER_STATE {
    PowerDeviceUnspecified = 0,
    PowerDeviceD0,
    PowerDeviceD1,
    PowerDeviceD2,
    PowerDeviceD3,
    PowerDeviceMaximum
} DEVICE_POWER_STATE,
    *PDEVICE_POWER_STATE;

typedef enum _SYSTEM_POWER_STATE {
    PowerSystemUnspecified = 0,
    PowerSystemWorking,
    PowerSystemSleeping1,
    PowerSystemSleeping2,
    PowerSystemSleeping3,
    PowerSystemHibernate,
    PowerSystemShutdown,
    PowerSystemMaximum
} SYSTEM_POWER_STATE,
    *PSYSTEM_POWER_STATE;

typedef enum _POWER_ACTION {
    PowerActionNone = 0,
    PowerActionReserved,
    PowerActionSleep,
    PowerActionHibernate,
    PowerActionShutdown,
    PowerActionShutdownReset,
    PowerActionShutdownOff,
    PowerActionWarmEject
} POWER_ACTION,
    *PPOWER_ACTION;

typedef DEVICE_POWER_STATE IN_DEVICE_POWER_STATE;
typedef POWER_ACTION IN_POWER_ACTION;

/* Pages. */
#define PAGE_SHIFT 12
#define PAGE_SIZE  0x1000
#define BYTES_TO_PAGES(bytes)                                                                      \
    (((ULONG_PTR)(bytes) >> PAGE_SHIFT) + (((ULONG_PTR)(bytes) & (PAGE_SIZE - 1)) != 0))
#define ROUND_TO_PAGES(bytes) (((ULONG_PTR)(bytes) + PAGE_SIZE - 1) & ~((ULONG_PTR)PAGE_SIZE - 1))
#define BYTE_OFFSET(address)  ((ULONG)((ULONG_PTR)(address) & (PAGE_SIZE - 1)))
#define PAGE_ALIGN(address)   ((PVOID)((ULONG_PTR)(address) & ~((ULONG_PTR)PAGE_SIZE - 1)))
#define ADDRESS_AND_SIZE_TO_SPAN_PAGES(address, bytes)                                             \
    ((ULONG)((BYTE_OFFSET(address) + (ULONG_PTR)(bytes) + PAGE_SIZE - 1) >> PAGE_SHIFT))

#define MdlMappingNoWrite   0x80000000
#define MdlMappingNoExecute 0x40000000

/*
 * Memory descriptor list: ByteCount bytes that begin ByteOffset bytes into the page at StartVa.
 * The page numbers of the range follow the structure in memory, one PFN_NUMBER a page.
 * MappedSystemVa counts only with MDL_MAPPED_TO_SYSTEM_VA. Source: "MDL structure" (wdm.h).
 */
typedef struct _MDL {
    struct _MDL *Next;
    CSHORT Size;
    CSHORT MdlFlags;
    struct _EPROCESS *Process;
    PVOID MappedSystemVa;
    PVOID StartVa;
    ULONG ByteCount;
    ULONG ByteOffset;
} MDL, *PMDL;

#define MDL_MAPPED_TO_SYSTEM_VA     0x0001
#define MDL_PAGES_LOCKED            0x0002
#define MDL_SOURCE_IS_NONPAGED_POOL 0x0004
#define MDL_ALLOCATED_FIXED_SIZE    0x0008
#define MDL_PARTIAL                 0x0010
#define MDL_PARTIAL_HAS_BEEN_MAPPED 0x0020
#define MDL_IO_PAGE_READ            0x0040
#define MDL_WRITE_OPERATION         0x0080
#define MDL_PARENT_MAPPED_SYSTEM_VA 0x0100
#define MDL_FREE_EXTRA_PTES         0x0200
#define MDL_DESCRIBES_AWE           0x0400
#define MDL_IO_SPACE                0x0800
#define MDL_NETWORK_HEADER          0x1000
#define MDL_MAPPING_CAN_FAIL        0x2000
#define MDL_ALLOCATED_MUST_SUCCEED  0x4000
#define MDL_INTERNAL                0x8000

#define MmGetMdlPfnArray(mdl)       ((PPFN_NUMBER)(void *)((mdl) + 1))
#define MmGetMdlByteCount(mdl)      ((mdl)->ByteCount)
#define MmGetMdlByteOffset(mdl)     ((mdl)->ByteOffset)
#define MmGetMdlBaseVa(mdl)         ((mdl)->StartVa)
#define MmGetMdlVirtualAddress(mdl) ((PVOID)((PCHAR)((mdl)->StartVa) + (mdl)->ByteOffset))
/* Where the kernel sees the pages of the list, which it maps when it has not before. */
#define MmGetSystemAddressForMdlSafe(mdl, priority)                                                \
    (((mdl)->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL))                   \
         ? (mdl)->MappedSystemVa                                                                   \
         : MmMapLockedPagesSpecifyCache((mdl), KernelMode, MmCached, NULL, FALSE,                  \
                                        (ULONG)(priority)))
EXTERN_C PVOID MmMapLockedPagesSpecifyCache(PMDL mdl, KPROCESSOR_MODE mode,
                                            MEMORY_CACHING_TYPE cache, PVOID requested, ULONG stop,
                                            ULONG priority);
EXTERN_C VOID MmUnmapLockedPages(PVOID address, PMDL mdl);
/* Bytes that a list and its page numbers take. */
#define MmSizeOfMdl(address, bytes)                                                                \
    (sizeof(MDL) + sizeof(PFN_NUMBER) * ADDRESS_AND_SIZE_TO_SPAN_PAGES(address, bytes))

/* Resource list of a device: what StartDevice finds in DXGK_DEVICE_INFO. */
typedef enum _INTERFACE_TYPE {
    InterfaceTypeUndefined = -1,
    Internal = 0,
    Isa = 1,
    PCIBus = 5
} INTERFACE_TYPE;

#define PCI_WHICHSPACE_CONFIG 0x0
#define PCI_WHICHSPACE_ROM    0x52696350

#define CmResourceTypeNull           0
#define CmResourceTypePort           1
#define CmResourceTypeInterrupt      2
#define CmResourceTypeMemory         3
#define CmResourceTypeDma            4
#define CmResourceTypeDeviceSpecific 5
#define CmResourceTypeBusNumber      6
#define CmResourceTypeMemoryLarge    7
#define CmResourceTypeDevicePrivate  129
#define CmResourceTypeConnection     132

typedef enum _CM_SHARE_DISPOSITION {
    CmResourceShareUndetermined = 0,
    CmResourceShareDeviceExclusive,
    CmResourceShareDriverExclusive,
    CmResourceShareShared
} CM_SHARE_DISPOSITION;
#define CM_RESOURCE_INTERRUPT_LEVEL_SENSITIVE 0
#define CM_RESOURCE_INTERRUPT_LATCHED         1
#define CM_RESOURCE_INTERRUPT_MESSAGE         2

#define CM_RESOURCE_MEMORY_READ_WRITE   0x0000
#define CM_RESOURCE_MEMORY_READ_ONLY    0x0001
#define CM_RESOURCE_MEMORY_WRITE_ONLY   0x0002
#define CM_RESOURCE_MEMORY_PREFETCHABLE 0x0004
#define CM_RESOURCE_MEMORY_LARGE_40     0x0200
#define CM_RESOURCE_MEMORY_LARGE_48     0x0400
#define CM_RESOURCE_MEMORY_LARGE_64     0x0800

#pragma pack(push, 4)
typedef struct _CM_PARTIAL_RESOURCE_DESCRIPTOR {
    UCHAR Type;
    UCHAR ShareDisposition;
    USHORT Flags;
    union {
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length;
        } Generic;
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length;
        } Port;
        struct {
            USHORT Level;
            USHORT Group;
            ULONG Vector;
            KAFFINITY Affinity;
        } Interrupt;
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length;
        } Memory;
        /* With CM_RESOURCE_INTERRUPT_MESSAGE: as the bus has it, and as the processor does. */
        struct {
            union {
                struct {
                    USHORT Group;
                    USHORT MessageCount;
                    ULONG Vector;
                    KAFFINITY Affinity;
                } Raw;
                struct {
                    USHORT Level;
                    USHORT Group;
                    ULONG Vector;
                    KAFFINITY Affinity;
                } Translated;
            };
        } MessageInterrupt;
        struct {
            ULONG Channel;
            ULONG Port;
            ULONG Reserved1;
        } Dma;
        struct {
            ULONG Channel;
            ULONG RequestLine;
            UCHAR TransferWidth;
            UCHAR Reserved1;
            UCHAR Reserved2;
            UCHAR Reserved3;
        } DmaV3;
        struct {
            ULONG Data[3];
        } DevicePrivate;
        struct {
            ULONG Start;
            ULONG Length;
            ULONG Reserved;
        } BusNumber;
        struct {
            ULONG DataSize;
            ULONG Reserved1;
            ULONG Reserved2;
        } DeviceSpecificData;
        /* CmResourceTypeMemoryLarge: the length is shifted by 8, 16 or 32. */
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length40;
        } Memory40;
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length48;
        } Memory48;
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length64;
        } Memory64;
        struct {
            UCHAR Class;
            UCHAR Type;
            UCHAR Reserved1;
            UCHAR Reserved2;
            ULONG IdLowPart;
            ULONG IdHighPart;
        } Connection;
    } u;
} CM_PARTIAL_RESOURCE_DESCRIPTOR, *PCM_PARTIAL_RESOURCE_DESCRIPTOR;
#pragma pack(pop)

typedef struct _CM_PARTIAL_RESOURCE_LIST {
    USHORT Version;
    USHORT Revision;
    ULONG Count;
    CM_PARTIAL_RESOURCE_DESCRIPTOR PartialDescriptors[1];
} CM_PARTIAL_RESOURCE_LIST, *PCM_PARTIAL_RESOURCE_LIST;

typedef struct _CM_FULL_RESOURCE_DESCRIPTOR {
    INTERFACE_TYPE InterfaceType;
    ULONG BusNumber;
    CM_PARTIAL_RESOURCE_LIST PartialResourceList;
} CM_FULL_RESOURCE_DESCRIPTOR, *PCM_FULL_RESOURCE_DESCRIPTOR;

typedef struct _CM_RESOURCE_LIST {
    ULONG Count;
    CM_FULL_RESOURCE_DESCRIPTOR List[1];
} CM_RESOURCE_LIST, *PCM_RESOURCE_LIST;

typedef VOID (*PINTERFACE_REFERENCE)(PVOID Context);
typedef VOID (*PINTERFACE_DEREFERENCE)(PVOID Context);

typedef struct _INTERFACE {
    USHORT Size;
    USHORT Version;
    PVOID Context;
    PINTERFACE_REFERENCE InterfaceReference;
    PINTERFACE_DEREFERENCE InterfaceDereference;
} INTERFACE, *PINTERFACE;

/* Memory and assertions. */
#define RtlZeroMemory(target, bytes)         memset((target), 0, (bytes))
#define RtlSecureZeroMemory(target, bytes)   memset((target), 0, (bytes))
#define RtlFillMemory(target, bytes, fill)   memset((target), (fill), (bytes))
#define RtlCopyMemory(target, source, bytes) memcpy((target), (source), (bytes))
#define RtlMoveMemory(target, source, bytes) memmove((target), (source), (bytes))
#define RtlEqualMemory(left, right, bytes)   (!memcmp((left), (right), (bytes)))

/* As in a free build: never evaluated, but kept from rotting. */
#define ASSERT(expression)                ((void)sizeof(!!(expression)))
#define ASSERTMSG(message, expression)    ((void)sizeof(!!(expression)))
#define NT_ASSERT(expression)             ((void)sizeof(!!(expression)))
#define NT_ASSERTMSG(message, expression) ((void)sizeof(!!(expression)))
#define C_ASSERT(expression)              extern char vidmm_ddi_assert_[(expression) ? 1 : -1]
#define PAGED_CODE()                      ((void)0)
#define PAGED_CODE_LOCKED()               ((void)0)

#define KeMemoryBarrier() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define MemoryBarrier()   __atomic_thread_fence(__ATOMIC_SEQ_CST)

/* Interlocked arithmetic: Add and the bit operations answer as documented, some old, some new. */
#define InterlockedIncrement(target)       __atomic_add_fetch((target), 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement(target)       __atomic_sub_fetch((target), 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange(target, value) __atomic_exchange_n((target), (value), __ATOMIC_SEQ_CST)
#define InterlockedExchangeAdd(target, value)                                                      \
    __atomic_fetch_add((target), (value), __ATOMIC_SEQ_CST)
#define InterlockedOr(target, value)  __atomic_fetch_or((target), (value), __ATOMIC_SEQ_CST)
#define InterlockedAnd(target, value) __atomic_fetch_and((target), (value), __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(target, value, comparand)                                       \
    __sync_val_compare_and_swap((target), (comparand), (value))
#define InterlockedIncrement64            InterlockedIncrement
#define InterlockedDecrement64            InterlockedDecrement
#define InterlockedExchange64             InterlockedExchange
#define InterlockedExchangeAdd64          InterlockedExchangeAdd
#define InterlockedCompareExchange64      InterlockedCompareExchange
#define InterlockedExchangePointer        InterlockedExchange
#define InterlockedCompareExchangePointer InterlockedCompareExchange

/* Circular lists: an empty list points at itself. */
static inline VOID InitializeListHead(PLIST_ENTRY head)
{
    head->Flink = head;
    head->Blink = head;
}

static inline BOOLEAN IsListEmpty(const LIST_ENTRY *head)
{
    return (BOOLEAN)(head->Flink == head);
}

/* TRUE when the list is empty afterwards. */
static inline BOOLEAN RemoveEntryList(PLIST_ENTRY entry)
{
    PLIST_ENTRY next = entry->Flink;
    PLIST_ENTRY previous = entry->Blink;

    previous->Flink = next;
    next->Blink = previous;
    return (BOOLEAN)(next == previous);
}

static inline VOID InsertHeadList(PLIST_ENTRY head, PLIST_ENTRY entry)
{
    entry->Flink = head->Flink;
    entry->Blink = head;
    head->Flink->Blink = entry;
    head->Flink = entry;
}

static inline VOID InsertTailList(PLIST_ENTRY head, PLIST_ENTRY entry)
{
    entry->Flink = head;
    entry->Blink = head->Blink;
    head->Blink->Flink = entry;
    head->Blink = entry;
}

/* The head itself when the list is empty. */
static inline PLIST_ENTRY RemoveHeadList(PLIST_ENTRY head)
{
    PLIST_ENTRY entry = head->Flink;

    (void)RemoveEntryList(entry);
    return entry;
}

static inline PLIST_ENTRY RemoveTailList(PLIST_ENTRY head)
{
    PLIST_ENTRY entry = head->Blink;

    (void)RemoveEntryList(entry);
    return entry;
}

#endif
