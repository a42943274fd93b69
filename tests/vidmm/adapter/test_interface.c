/* SPDX-License-Identifier: MIT */
/*
 * test_interface.c: DXGKRNL_INTERFACE: no callback is NULL; the device on its bus, the data of
 * a handle, and the parts that are not simulated (MINI-084 to MINI-087).
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

static struct mock_adapter mock;

static struct {
    HANDLE allocation, resource; /* handles of the mock */
    HANDLE opened;               /* its handle for the device */
    unsigned opens, closes, stubs;
    D3DKMT_HANDLE handle;
    D3DKMT_HANDLE instance; /* that a lock has made of it */
    D3DKMT_HANDLE resource_handle;
} driver;

static VOID *data_of(D3DKMT_HANDLE handle, DXGK_HANDLE_TYPE type, bool device)
{
    const DXGKARGCB_GETHANDLEDATA arg = { .hObject = handle,
                                          .Type = type,
                                          .Flags.DeviceSpecific = device };
    DXGKARG_RELEASE_HANDLE release = &driver;
    VOID *data = mock_front.system.DxgkCbGetHandleData(&arg);
    assert_ptr_equal(mock_front.system.DxgkCbAcquireHandleData(&arg, &release), data);
    assert_ptr_not_equal(release, &driver);
    mock_front.system.DxgkCbReleaseHandleData(
        (DXGKARGCB_RELEASEHANDLEDATA){ .ReleaseHandle = release });
    return data;
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    NTSTATUS status = mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
    driver.allocation = arg->pAllocationInfo[0].hAllocation;
    driver.resource = arg->hResource;
    return status;
}

static struct mock_adapter *within; /* another adapter, that the driver calls */

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    vidmm_handle made;
    if (within) {
        assert_int_equal(vidmm_device_create(within->adapter, "d", within->process, &made), 0);
        assert_int_equal(vidmm_destroy(within->adapter, &made, 1), 0);
    }
    driver.handle = arg->pOpenAllocation[0].hAllocation;
    assert_ptr_equal(data_of(driver.handle, DXGK_HANDLE_ALLOCATION, false), driver.allocation);
    NTSTATUS status = mock_front.real.DxgkDdiOpenAllocation(device, arg);
    driver.opened = arg->pOpenAllocation[0].hDeviceSpecificAllocation;
    driver.opens++;
    return status;
}

/* Those that have an instance here end with the adapter: then their names are gone. */
static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    HANDLE own = driver.instance ? NULL : driver.allocation;
    HANDLE opened = driver.instance ? NULL : driver.opened;
    assert_ptr_equal(data_of(driver.handle, DXGK_HANDLE_ALLOCATION, false), own);
    assert_ptr_equal(data_of(driver.handle, DXGK_HANDLE_ALLOCATION, true), opened);
    assert_null(data_of(driver.instance, DXGK_HANDLE_ALLOCATION, false));
    assert_null(data_of(driver.handle, DXGK_HANDLE_RESOURCE, false));
    assert_null(data_of(driver.handle + 1000, DXGK_HANDLE_ALLOCATION, false));
    if (driver.resource_handle) {
        assert_non_null(driver.resource);
        assert_ptr_equal(data_of(driver.resource_handle, DXGK_HANDLE_RESOURCE, false),
                         driver.resource);
        assert_null(data_of(driver.resource_handle, DXGK_HANDLE_ALLOCATION, false));
        assert_null(data_of(driver.resource_handle, (DXGK_HANDLE_TYPE)3, false));
    }
    driver.closes++;
    return mock_front.real.DxgkDdiCloseAllocation(device, arg);
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    if (driver.instance)
        assert_ptr_equal(data_of(driver.instance, DXGK_HANDLE_ALLOCATION, false),
                         driver.allocation);
    return mock_front.real.DxgkDdiRender(context, arg);
}

/* Without an adapter in its arguments: the adapter of the call under way gets the event. So does it
   of the two whose arguments no public page has. */
static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    const void *const members[] = { &mock_front.system.DxgkCbMitigatedRangeUpdate,
                                    &mock_front.system.DxgkCbUnblockUEFIFrameBufferRanges };
    assert_int_equal(mock_front.system.DxgkCbGetHandleParent(1), 0);
    for (size_t i = 0; i < 2; i++) {
        VOID (*call)(VOID);
        memcpy(&call, members[i], sizeof call);
        call();
    }
    driver.stubs += 3;
    return mock_front.real.DxgkDdiCreateContext(device, arg);
}

static void stand(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&driver, 0, sizeof driver);
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiRender = render;
    table->DxgkDdiCreateContext = create_context;
}

static int setup(void **state)
{
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, stand);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mock_adapter_stop(&mock);
    return 0;
}

static HANDLE self(void)
{
    return mock_front.system.DeviceHandle;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void no_callback_is_null(void **state)
{
    const size_t first = offsetof(DXGKRNL_INTERFACE, DxgkCbEvalAcpiMethod);
    (void)state;
    for (size_t at = first; at < sizeof(DXGKRNL_INTERFACE); at += sizeof(void *)) {
        void *call;
        memcpy(&call, (const char *)&mock_front.system + at, sizeof call);
        if (!call)
            fail_msg("member at offset %zu is NULL", at);
    }
}

/* MINI-087: the system says what it is, whatever the driver is. */
static void it_has_the_version_of_the_system(void **state)
{
    struct mock_adapter old;
    (void)state;
    assert_int_equal(mock_front.system.Version, DXGKDDI_INTERFACE_VERSION_WDDM3_2);
    assert_int_equal(mock_front.system.Size, sizeof mock_front.system);
    mock_adapter_init(&old, VIDMM_WDDM_2_0);
    old.hook = stand;
    old.config.settings.value[VIDMM_SETTING_SYSTEM_WDDM] = VIDMM_WDDM_1_3;
    mock_adapter_start(&old);
    assert_int_equal(mock_front.system.Version, DXGKDDI_INTERFACE_VERSION_WDDM1_3);
    mock_adapter_stop(&old);
}

static void what_is_not_simulated_says_so(void **state)
{
    const DXGKRNL_INTERFACE *system = &mock_front.system;
    (void)state;
    assert_true(driver.stubs);
    assert_int_equal(mock_findings(&mock), driver.stubs);
    assert_int_equal(system->DxgkCbIndicateChildStatus(self(), NULL), STATUS_NOT_SUPPORTED);
    assert_int_equal(system->DxgkCbQueryServices(self(), DxgkServicesAgp, NULL),
                     STATUS_NOT_SUPPORTED);
    system->DxgkCbSetPowerComponentActive(self(), 0);
    assert_int_equal(system->DxgkCbMapContextAllocation(self(), NULL), 0);
    assert_int_equal(mock_findings(&mock), driver.stubs + 4);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_084)), driver.stubs + 4);
    assert_string_equal(mock.finding,
                        "DxgkCbMapContextAllocation is not simulated: it does nothing");
    /* Outside a call its adapter is unknown. */
    assert_int_equal(system->DxgkCbSignalEvent(NULL), STATUS_NOT_SUPPORTED);
    assert_int_equal(mock_findings(&mock), driver.stubs + 4);
}

/* `given`: an adapter. Outside of a call nobody else can be told. */
static void check_told(const char *name, bool given, uint64_t *findings)
{
    char text[120];
    (void)snprintf(text, sizeof text, "%s is not simulated: it does nothing", name);
    *findings += given;
    assert_int_equal(mock_findings(&mock), *findings);
    if (given)
        assert_string_equal(mock.finding, text);
}

/* Where the first parameter is a HANDLE, it is the adapter. */
#define IS_ADAPTER(type)    _Generic((type)0, HANDLE : true, default : false)
#define FIRST(type)         ((type)(IS_ADAPTER(type) ? (uintptr_t)self() : 0))
#define CHECK_status(call)  assert_int_equal(call, STATUS_NOT_SUPPORTED)
#define CHECK_nothing(call) call
#define CHECK_handle(call)  assert_int_equal(call, 0)
#define CHECK_address(call) assert_int_equal(call, 0)

#define ASK(answer, member, type, arguments)                                                       \
    CHECK_##answer(mock_front.system.member arguments);                                            \
    check_told(#member, IS_ADAPTER(type), &findings);
#define STUB_1(answer, member, x, a)          ASK(answer, member, a, (FIRST(a)))
#define STUB_2(answer, member, x, a, b)       ASK(answer, member, a, (FIRST(a), 0))
#define STUB_3(answer, member, x, a, b, c)    ASK(answer, member, a, (FIRST(a), 0, 0))
#define STUB_4(answer, member, x, a, b, c, d) ASK(answer, member, a, (FIRST(a), 0, 0, 0))
#define STUB_6(answer, member, x, a, b, c, d, e, f)                                                \
    ASK(answer, member, a, (FIRST(a), 0, 0, 0, 0, 0))
#define STUB_7(answer, member, x, a, b, c, d, e, f, g)                                             \
    ASK(answer, member, a, (FIRST(a), 0, 0, 0, 0, 0, 0))

static void so_does_each_that_knows_its_adapter(void **state)
{
    uint64_t findings = mock_findings(&mock);
    (void)state;
#include "vidmm/adapter/callback_stubs.def"
}

/* ---- handles -------------------------------------------------------------------------------- */

static void a_handle_leads_to_what_the_driver_made(void **state)
{
    (void)state;
    vidmm_handle handle = mock_make(&mock);
    assert_int_equal(driver.opens, 1);
    assert_null(data_of(handle, DXGK_HANDLE_ALLOCATION, false)); /* outside of a call */
    assert_int_equal(vidmm_destroy(mock.adapter, &handle, 1), 0);
    assert_int_equal(driver.closes, 1);
}

static void so_does_that_of_a_resource(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args = mock_args("part", &wish);
    const struct vidmm_creation_args call = {
        .device = mock.device,
        .flags = VIDMM_KMT_CreateResource,
        .allocations = &args,
        .count = 1,
    };
    struct vidmm_creation_result result;
    vidmm_handle handle;
    (void)state;
    assert_int_equal(vidmm_create_allocations(mock.adapter, &call, &handle, &result), 0);
    driver.resource_handle = result.resource;
    assert_int_not_equal(driver.resource_handle, 0);
    assert_int_equal(vidmm_destroy(mock.adapter, &result.resource, 1), 0);
    assert_int_equal(driver.closes, 1);
}

/* RENAME-011: an instance is another name of what the driver made, as long as it lives. */
static void the_names_of_instances_end_with_the_adapter(void **state)
{
    struct mock_adapter own;
    struct vidmm_lock_result locked;
    (void)state;
    mock_front_start(&own, VIDMM_WDDM_1_1, stand);
    vidmm_handle handle = mock_make(&own);
    const struct vidmm_mock_command command = { .cost_ns = 1000000 };
    const struct vidmm_lock_args args = { .device = own.device,
                                          .allocation = handle,
                                          .flags = VIDMM_LOCK_Discard };
    assert_int_equal(mock_use(&own, handle, false, command, NULL), 0);
    assert_int_equal(vidmm_lock(own.adapter, &args, &locked), 0);
    assert_int_not_equal(locked.allocation, handle);
    assert_int_equal(vidmm_unlock(own.adapter, own.device, &locked.allocation, 1), 0);
    driver.instance = locked.allocation;
    assert_int_equal(mock_use(&own, locked.allocation, false, command, NULL), 0);
    mock_adapter_free(&own);
    assert_int_equal(driver.closes, 1);
}

/* ---- the device ----------------------------------------------------------------------------- */

static CM_PARTIAL_RESOURCE_LIST *resources(void)
{
    DXGK_DEVICE_INFO info;
    assert_int_equal(mock_front.system.DxgkCbGetDeviceInformation(self(), &info), 0);
    assert_non_null(info.TranslatedResourceList);
    assert_int_equal(info.HighestPhysicalAddress.QuadPart, info.SystemMemorySize.QuadPart - 1);
    assert_int_equal(info.TranslatedResourceList->Count, 1);
    assert_int_equal(info.TranslatedResourceList->List[0].InterfaceType, PCIBus);
    return &info.TranslatedResourceList->List[0].PartialResourceList;
}

static void resources_are_those_of_configuration_space(void **state)
{
    const DXGKRNL_INTERFACE *system = &mock_front.system;
    CM_PARTIAL_RESOURCE_LIST *list = resources();
    CM_PARTIAL_RESOURCE_DESCRIPTOR *at = list->PartialDescriptors;
    uint32_t registers, ids;
    uint8_t interrupt[2];
    uint64_t buffer;
    ULONG bytes;
    (void)state;
    assert_int_equal(list->Count, 3);
    assert_int_equal(list->Version, 1);
    assert_int_equal(list->Revision, 1);
    assert_int_equal(at[0].Type, CmResourceTypeMemory);
    assert_int_equal(at[1].Type, CmResourceTypeMemory);
    assert_int_equal(at[2].Type, CmResourceTypeInterrupt);
    assert_int_equal(at[0].u.Memory.Start.QuadPart, 0xF0000000);
    assert_int_equal(at[0].u.Memory.Length, 16 << 20);
    assert_int_equal(at[0].Flags, CM_RESOURCE_MEMORY_READ_WRITE);
    assert_int_equal(at[1].u.Memory.Start.QuadPart, UINT64_C(0x1000000000));
    assert_int_equal(at[1].u.Memory.Length, 256 << 20);
    assert_int_equal(at[1].Flags, CM_RESOURCE_MEMORY_PREFETCHABLE);
    assert_int_equal(at[0].ShareDisposition, CmResourceShareDeviceExclusive);
    assert_int_equal(at[1].ShareDisposition, CmResourceShareDeviceExclusive);
    assert_int_equal(at[2].u.Interrupt.Level, 16);
    assert_int_equal(at[2].u.Interrupt.Affinity, 1);
    assert_int_equal(at[2].u.Interrupt.Vector, 16);
    assert_int_equal(at[2].Flags, CM_RESOURCE_INTERRUPT_LEVEL_SENSITIVE);
    assert_int_equal(at[2].ShareDisposition, CmResourceShareShared);
    assert_int_equal(system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &ids, 0, 4,
                                                   &bytes),
                     0);
    assert_int_equal(bytes, 4);
    assert_int_equal(ids, 0x56491234);
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &ids, 4, 4, &bytes);
    assert_int_equal(ids, 0x6); /* it decodes memory, and is a bus master */
    static const ULONG unused[][2] = {
        { 0xC, 0x10 }, { 0x14, 0x18 }, { 0x20, 0x3C }, { 0x3E, 0x100 }
    };
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        for (ULONG offset = unused[i][0]; offset < unused[i][1]; offset++) {
            uint8_t value = 0xFF;
            (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &value, offset, 1,
                                                &bytes);
            assert_int_equal(value, 0);
        }
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &ids, 8, 4, &bytes);
    assert_int_equal(ids, 0x03000001); /* a display controller */
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &registers, 0x10, 4,
                                        &bytes);
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &buffer, 0x18, 8, &bytes);
    assert_int_equal(registers, at[0].u.Memory.Start.QuadPart);
    assert_int_equal(buffer, at[1].u.Memory.Start.QuadPart | 0xC); /* 64 bits, prefetchable */
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, interrupt, 0x3C, 2, &bytes);
    assert_int_equal(interrupt[0], at[2].u.Interrupt.Vector);
    assert_int_equal(interrupt[1], 1); /* INTA */
}

static void some_of_configuration_space_can_be_written(void **state)
{
    const DXGKRNL_INTERFACE *system = &mock_front.system;
    uint8_t before[256], out[256], in[256];
    ULONG bytes;
    (void)state;
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, before, 0, 256, &bytes);
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = (uint8_t)~before[i];
    assert_int_equal(system->DxgkCbWriteDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, out, 0, 256,
                                                    &bytes),
                     0);
    assert_int_equal(bytes, 256);
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, in, 0, 256, &bytes);
    /* Command, cache line and latency, interrupt line. */
    for (size_t i = 0; i < sizeof in; i++)
        assert_int_equal(in[i] != before[i], i == 4 || i == 5 || i == 0xC || i == 0xD || i == 0x3C);
    /* One alone, and beside one that cannot be written. */
    const uint8_t some[] = { 0x77, 0x78 };
    assert_int_equal(system->DxgkCbWriteDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, (PVOID)some,
                                                    0xD, 2, &bytes),
                     0);
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, in, 0xC, 3, &bytes);
    assert_int_equal(in[0], out[0xC]);
    assert_int_equal(in[1], 0x77);
    assert_int_equal(in[2], before[0xE]);
    /* After the end there is nothing. */
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, in, 252, 8, &bytes);
    assert_int_equal(bytes, 4);
    assert_memory_equal(in, before + 252, 4);
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, in, 4000, 8, &bytes);
    assert_int_equal(bytes, 0);
}

static void there_is_no_other_space(void **state)
{
    const DXGKRNL_INTERFACE *system = &mock_front.system;
    static const ULONG spaces[] = { DXGK_WHICHSPACE_ROM, DXGK_WHICHSPACE_MCH,
                                    DXGK_WHICHSPACE_BRIDGE };
    uint64_t findings = mock_findings(&mock), uses = vidmm_rule_uses(mock.adapter, RULE(MINI_085));
    (void)state;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        uint8_t in[4] = { 0x5A };
        ULONG bytes = 7;
        char text[80];
        assert_int_equal(system->DxgkCbReadDeviceSpace(self(), spaces[i], in, 0, 4, &bytes),
                         STATUS_NOT_SUPPORTED);
        assert_int_equal(bytes, 0);
        assert_int_equal(in[0], 0x5A);
        (void)snprintf(text, sizeof text, "DxgkCbReadDeviceSpace: the device has no space 0x%x",
                       (unsigned)spaces[i]);
        assert_string_equal(mock.finding, text);
        bytes = 7;
        assert_int_equal(system->DxgkCbWriteDeviceSpace(self(), spaces[i], in, 4, 4, &bytes),
                         STATUS_NOT_SUPPORTED);
        assert_int_equal(bytes, 0);
        assert_int_equal(mock_findings(&mock), findings += 2);
    }
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_085)), uses + 6);
    uint32_t command = 0;
    ULONG bytes;
    (void)system->DxgkCbReadDeviceSpace(self(), DXGK_WHICHSPACE_CONFIG, &command, 4, 4, &bytes);
    assert_int_equal(command, 0x6); /* nothing was written either */
}

static PVOID map(uint64_t address, ULONG bytes, NTSTATUS answer)
{
    const PHYSICAL_ADDRESS at = { .QuadPart = (LONGLONG)address };
    PVOID memory;
    assert_int_equal(mock_front.system.DxgkCbMapMemory(self(), at, bytes, FALSE, FALSE, MmNonCached,
                                                       &memory),
                     answer);
    return memory;
}

static void what_is_mapped_twice_is_the_same(void **state)
{
    CM_PARTIAL_RESOURCE_DESCRIPTOR *at = resources()->PartialDescriptors;
    uint64_t start = (uint64_t)at[0].u.Memory.Start.QuadPart;
    (void)state;
    uint8_t *whole = map(start, at[0].u.Memory.Length, 0);
    uint8_t *part = map(start + MOCK_PAGE, MOCK_PAGE, 0);
    assert_non_null(map(start + 2 * MOCK_PAGE, MOCK_PAGE, 0));
    assert_int_equal(part[7], 0);
    whole[MOCK_PAGE + 7] = 0x5A;
    assert_int_equal(part[7], 0x5A);
    assert_int_equal(mock_front.system.DxgkCbUnmapMemory(self(), part), 0);
    uint64_t before = mock_findings(&mock);
    assert_int_equal(mock_front.system.DxgkCbUnmapMemory(self(), part), STATUS_INVALID_PARAMETER);
    assert_string_equal(mock.finding, "DxgkCbUnmapMemory: nothing is mapped at this address");
    assert_null(map(start - 1, 1, STATUS_INVALID_PARAMETER));
    assert_string_equal(mock.finding, "DxgkCbMapMemory: 1 bytes at 0xefffffff are no resource of "
                                      "the device");
    assert_null(map(start + 1, at[0].u.Memory.Length, STATUS_INVALID_PARAMETER));
    assert_null(map(UINT64_MAX, 2, STATUS_INVALID_PARAMETER));
    assert_null(map(start, 0, STATUS_INVALID_PARAMETER));
    PVOID ports = &before;
    assert_int_equal(mock_front.system.DxgkCbMapMemory(self(), at[0].u.Memory.Start, 1, TRUE, FALSE,
                                                       MmNonCached, &ports),
                     STATUS_INVALID_PARAMETER);
    assert_null(ports);
    assert_int_equal(mock_findings(&mock), before + 6);

    /* The other range has memory of its own. */
    start = (uint64_t)at[1].u.Memory.Start.QuadPart;
    uint8_t *frames = map(start, at[1].u.Memory.Length, 0);
    assert_int_equal(frames[MOCK_PAGE + 7], 0);
    frames[MOCK_PAGE + 7] = 0xA5;
    assert_int_equal(whole[MOCK_PAGE + 7], 0x5A);
    part = map(start + MOCK_PAGE, MOCK_PAGE, 0);
    assert_int_equal(part[7], 0xA5);
    assert_null(map(start + at[1].u.Memory.Length - 1, 2, STATUS_INVALID_PARAMETER));
    /* A remaining mapping ends with the adapter. */
}

/* BUG-051: another adapter may be called, and afterwards the driver is inside of its own call. */
static void another_adapter_may_be_called_meanwhile(void **state)
{
    struct mock_adapter other;
    (void)state;
    mock_adapter_init(&other, VIDMM_WDDM_1_1);
    mock_adapter_start(&other);
    (void)setup(NULL);
    within = &other;
    vidmm_handle made = mock_make(&mock);
    within = NULL;
    assert_int_equal(driver.opens, 1);
    assert_int_equal(vidmm_destroy(mock.adapter, &made, 1), 0);
    (void)teardown(NULL);
    mock_adapter_stop(&other);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(no_callback_is_null),
        TEST(it_has_the_version_of_the_system),
        TEST(what_is_not_simulated_says_so),
        TEST(so_does_each_that_knows_its_adapter),
        TEST(a_handle_leads_to_what_the_driver_made),
        TEST(so_does_that_of_a_resource),
        cmocka_unit_test(the_names_of_instances_end_with_the_adapter),
        TEST(resources_are_those_of_configuration_space),
        TEST(some_of_configuration_space_can_be_written),
        TEST(there_is_no_other_space),
        TEST(what_is_mapped_twice_is_the_same),
        cmocka_unit_test(another_adapter_may_be_called_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
