/* SPDX-License-Identifier: MIT */
/* life_callbacks.c: what the driver that lies does besides its answers: callbacks of any kind. */
#include "tests/fuzz/life.h"

#include <string.h>

static void interrupt(void)
{
    static const uint8_t types[] = { DXGK_INTERRUPT_DMA_COMPLETED, DXGK_INTERRUPT_DMA_PREEMPTED,
                                     DXGK_INTERRUPT_DMA_FAULTED, DXGK_INTERRUPT_DMA_PAGE_FAULTED };
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { 0 };
    uint8_t type = life_byte();
    data.InterruptType =
        (DXGK_INTERRUPT_TYPE)(type < 240 ? types[type % ARRAY_COUNT(types)] : life_number());
    /* All kinds begin with numbers: fences, then the node. */
    for (size_t i = 0; i < 4; i++)
        data.Reserved.Reserved[i] =
            life_chance(128) ? life.last.fence + life_byte() % 3 - 1 : life_number();
    if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED && life_chance(200))
        data.DmaCompleted.NodeOrdinal = life_byte() % 2;
    if (data.InterruptType == DXGK_INTERRUPT_DMA_PREEMPTED && life_chance(200))
        data.DmaPreempted.NodeOrdinal = life_byte() % 2;
    if (data.InterruptType == DXGK_INTERRUPT_DMA_FAULTED && life_chance(200))
        data.DmaFaulted.NodeOrdinal = life_byte() % 2;
    if (data.InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED && life_chance(200)) {
        data.DmaPageFaulted.NodeOrdinal = life_byte() % 2;
        data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)(life_byte() % 32);
    }
    life.system.DxgkCbNotifyInterrupt(life.system.DeviceHandle, &data);
}

static void ask_for_handles(void)
{
    const D3DKMT_HANDLE handle = life_handle((enum vidmm_object)(life_byte() % LIFE_KINDS));
    DXGKARGCB_GETHANDLEDATA arg = { .hObject = handle };
    DXGKARG_RELEASE_HANDLE release = NULL;
    arg.Type = (DXGK_HANDLE_TYPE)(1 + life_byte() % 3);
    arg.Flags.DeviceSpecific = life_chance(128);
    (void)life.system.DxgkCbGetHandleData(&arg);
    (void)life.system.DxgkCbAcquireHandleData(&arg, &release);
    life.system.DxgkCbReleaseHandleData((DXGKARGCB_RELEASEHANDLEDATA){ release, arg.Type });
    (void)life.system.DxgkCbGetHandleParent(handle);
}

static void use_device_space(void)
{
    uint8_t bytes[64] = { 0 };
    PVOID mapped = NULL;
    ULONG done;
    PHYSICAL_ADDRESS address = { .QuadPart = 0xF0000000 + (LONGLONG)(life_number() % 8192) };
    ULONG offset = life_number(), length = life_byte() % sizeof bytes;
    ULONG type = life_chance(200) ? DXGK_WHICHSPACE_CONFIG : life_number();
    HANDLE device = life.system.DeviceHandle;
    (void)life.system.DxgkCbReadDeviceSpace(device, type, bytes, offset, length, &done);
    (void)life.system.DxgkCbWriteDeviceSpace(device, type, bytes, offset, length, &done);
    if (life_chance(64) && !life.system.DxgkCbMapMemory(device, address, life_number(), false,
                                                        false, MmNonCached, &mapped))
        memset(mapped, 1, 1);
    if (life_chance(128))
        (void)life.system.DxgkCbUnmapMemory(device, mapped);
}

/* The callbacks that are not simulated, with nothing. */
static void call_stub(uint32_t which)
{
    uint32_t at = 0;
#define STUB(member, ...)                                                                          \
    if (at++ == which)                                                                             \
        (void)life.system.member(__VA_ARGS__);
#define STUB_1(answer, member, ...) STUB(member, 0)
#define STUB_2(answer, member, ...) STUB(member, 0, 0)
#define STUB_3(answer, member, ...) STUB(member, 0, 0, 0)
#define STUB_4(answer, member, ...) STUB(member, 0, 0, 0, 0)
#define STUB_6(answer, member, ...) STUB(member, 0, 0, 0, 0, 0, 0)
#define STUB_7(answer, member, ...) STUB(member, 0, 0, 0, 0, 0, 0, 0)
#include "vidmm/adapter/callback_stubs.def"
#undef STUB
}

static BOOLEAN routine(PVOID context)
{
    (void)context;
    interrupt();
    return true;
}

static void make_context_allocation(void)
{
    struct vidmm_mock_allocation wish = mock_wish(4096);
    bool shared = life_chance(64);
    vidmm_handle owner = life_handle(shared ? VIDMM_OBJECT_DEVICE : VIDMM_OBJECT_CONTEXT);
    if (life.running)
        (void)!vidmm_mock_context_allocation(life.mock.mock, owner, shared, &wish, &life.owned);
}

static void call_back(void)
{
    BOOLEAN answer;
    DXGK_DEVICE_INFO info;
    HANDLE device = life.system.DeviceHandle;
    switch (life_byte() % 15) {
    case 0:
    case 1: interrupt(); break;
    case 2: life.system.DxgkCbNotifyDpc(device); break;
    case 3: life.system.DxgkCbQueueDpc(device); break;
    case 4: make_context_allocation(); break;
    case 5:
        life.system.DxgkCbDestroyContextAllocation(
            device, (HANDLE)(uintptr_t)(life_chance(192) ? life.owned : life_number()));
        break;
    case 6: ask_for_handles(); break;
    case 7: use_device_space(); break;
    case 8: (void)life.system.DxgkCbSynchronizeExecution(device, routine, NULL, 0, &answer); break;
    case 9: (void)life.system.DxgkCbGetDeviceInformation(device, &info); break;
    case 10: life.mock.adapter ? life_look(life.mock.adapter) : (void)0; break;
    case 11: call_stub(life_byte() % 64); break;
    case 12:
        if (life.running && life.bus)
            life_reach(life.bus);
        break;
    default:
        if (life.mock.adapter)
            life_call(life.mock.adapter);
    }
}

void life_meddle(void)
{
    if (!life.started || life.inside || !life_harm())
        return;
    const uint8_t *at = life_dice_only();
    life.inside = true;
    call_back();
    life.inside = false;
    life_bytes_again(at);
}
