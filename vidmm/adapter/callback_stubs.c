/* SPDX-License-Identifier: MIT */
/*
 * callback_stubs.c: callbacks that do not belong to memory management. Each names itself in a
 * finding, does nothing, and says so to the driver (MINI-084).
 *
 * Half of them are given no DeviceHandle: then the adapter is that whose driver is being called
 * now (door_caller), and outside of such a call nobody can be told.
 */
#include <string.h>

#include "vidmm/adapter/start.h"

static void refuse_callback(void *handle, const char *name)
{
    adapter_t *adapter = handle ? handle : door_caller();
    if (adapter)
        finding(adapter, RULE(MINI_084), 0, "%s is not simulated: it does nothing", name);
}

/* What a stub answers. */
#define TYPE_status    NTSTATUS
#define TYPE_nothing   VOID
#define TYPE_handle    D3DKMT_HANDLE
#define TYPE_address   D3DGPU_VIRTUAL_ADDRESS
#define ANSWER_status  return STATUS_NOT_SUPPORTED
#define ANSWER_nothing return
#define ANSWER_handle  return 0
#define ANSWER_address return 0

#define BODY(answer, member, adapter)                                                              \
    {                                                                                              \
        refuse_callback(adapter, #member);                                                         \
        ANSWER_##answer;                                                                           \
    }
#define NAME(answer, member) static TYPE_##answer stub_##member

#define STUB_1(answer, member, adapter, a)                                                         \
    NAME(answer, member)(a one)                                                                    \
    {                                                                                              \
        (void)one;                                                                                 \
        BODY(answer, member, adapter)                                                              \
    }
#define STUB_2(answer, member, adapter, a, b)                                                      \
    NAME(answer, member)(a one, b two)                                                             \
    {                                                                                              \
        (void)one, (void)two;                                                                      \
        BODY(answer, member, adapter)                                                              \
    }
#define STUB_3(answer, member, adapter, a, b, c)                                                   \
    NAME(answer, member)(a one, b two, c three)                                                    \
    {                                                                                              \
        (void)one, (void)two, (void)three;                                                         \
        BODY(answer, member, adapter)                                                              \
    }
#define STUB_4(answer, member, adapter, a, b, c, d)                                                \
    NAME(answer, member)(a one, b two, c three, d four)                                            \
    {                                                                                              \
        (void)one, (void)two, (void)three, (void)four;                                             \
        BODY(answer, member, adapter)                                                              \
    }
#define STUB_6(answer, member, adapter, a, b, c, d, e, f)                                          \
    NAME(answer, member)(a one, b two, c three, d four, e five, f six)                             \
    {                                                                                              \
        (void)one, (void)two, (void)three, (void)four, (void)five, (void)six;                      \
        BODY(answer, member, adapter)                                                              \
    }
#define STUB_7(answer, member, adapter, a, b, c, d, e, f, g)                                       \
    NAME(answer, member)(a one, b two, c three, d four, e five, f six, g seven)                    \
    {                                                                                              \
        (void)one, (void)two, (void)three, (void)four, (void)five, (void)six, (void)seven;         \
        BODY(answer, member, adapter)                                                              \
    }
#include "vidmm/adapter/callback_stubs.def"

/* Two members have no public page, so nobody can call them rightly. */
static VOID without_a_page(VOID)
{
    refuse_callback(NULL, "a callback without a public page");
}

void interface_fill_stubs(DXGKRNL_INTERFACE *interface)
{
#define FILL(member)                interface->member = stub_##member;
#define STUB_1(answer, member, ...) FILL(member)
#define STUB_2(answer, member, ...) FILL(member)
#define STUB_3(answer, member, ...) FILL(member)
#define STUB_4(answer, member, ...) FILL(member)
#define STUB_6(answer, member, ...) FILL(member)
#define STUB_7(answer, member, ...) FILL(member)
#include "vidmm/adapter/callback_stubs.def"
    VOID (*const call)(VOID) = without_a_page;
    memcpy(&interface->DxgkCbMitigatedRangeUpdate, &call, sizeof call);
    memcpy(&interface->DxgkCbUnblockUEFIFrameBufferRanges, &call, sizeof call);
}
