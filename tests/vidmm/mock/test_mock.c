/* SPDX-License-Identifier: MIT */
/*
 * test_mock.c: the mock miniport: its reports, its objects, its misbehaviours.
 * Commands and rendering: test_mock_gpu.c.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/vidmm/mock/mock_port.h"

enum { PATTERN = 0xC7 };

struct fixture {
    struct port port;
    struct vidmm_mock_config config;
    struct vidmm_mock_segment segments[3];
};

static struct fixture *set_up(uint32_t wddm)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    port_config(&fixture->config, wddm, fixture->segments);
    return fixture;
}

static void tear_down(struct fixture *fixture)
{
    port_stop(&fixture->port);
    free(fixture);
}

static NTSTATUS query(struct fixture *fixture, DXGK_QUERYADAPTERINFOTYPE type, void *output,
                      size_t bytes)
{
    DXGKARG_QUERYADAPTERINFO arg = {
        .Type = type,
        .pOutputData = output,
        .OutputDataSize = (UINT)bytes,
    };
    return fixture->port.ddi->DxgkDdiQueryAdapterInfo(fixture->port.adapter, &arg);
}

/* ---- caps ------------------------------------------------------------------------------------ */

static DXGK_DRIVERCAPS caps_of(struct fixture *fixture)
{
    DXGK_DRIVERCAPS caps;
    memset(&caps, PATTERN, sizeof caps);
    assert_int_equal(query(fixture, DXGKQAITYPE_DRIVERCAPS, &caps, sizeof caps), STATUS_SUCCESS);
    return caps;
}

static void caps_default_by_version(void **state)
{
    static const struct {
        uint32_t wddm;
        DXGK_WDDMVERSION version;
        ULONG interface;
        UINT preemption, per_engine, ranges;
    } rows[] = {
        { 10, DXGKDDI_WDDMv1, DXGKDDI_INTERFACE_VERSION_VISTA_SP1, 0, 0, 8 },
        { 11, DXGKDDI_WDDMv1, DXGKDDI_INTERFACE_VERSION_WIN7, 0, 0, 8 },
        { 12, DXGKDDI_WDDMv1_2, DXGKDDI_INTERFACE_VERSION_WIN8, 100, 1, 8 },
        { 13, DXGKDDI_WDDMv1_3, DXGKDDI_INTERFACE_VERSION_WDDM1_3, 100, 1, 8 },
        { 20, DXGKDDI_WDDMv2, DXGKDDI_INTERFACE_VERSION_WDDM2_0, 100, 1, 0 },
        { 27, DXGKDDI_WDDMv2_7, DXGKDDI_INTERFACE_VERSION_WDDM2_7, 100, 1, 0 },
        { 32, DXGKDDI_WDDMv3_2, DXGKDDI_INTERFACE_VERSION_WDDM3_2, 100, 1, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *fixture = set_up(rows[i].wddm);
        port_start(&fixture->port, &fixture->config);
        DXGK_DRIVERCAPS caps = caps_of(fixture);
        assert_int_equal(fixture->port.ddi->Version, rows[i].interface);
        assert_int_equal(caps.WDDMVersion, rows[i].version);
        assert_int_equal(caps.PreemptionCaps.GraphicsPreemptionGranularity, rows[i].preemption);
        assert_int_equal(caps.SupportPerEngineTDR, rows[i].per_engine);
        assert_int_equal(caps.SupportNonVGA, rows[i].per_engine);
        assert_int_equal(caps.NumberOfSwizzlingRanges, rows[i].ranges);
        assert_int_equal(caps.SchedulingCaps.Value, 1);
        assert_int_equal(caps.MemoryManagementCaps.Value, 0);
        assert_int_equal(caps.MemoryManagementCaps.PagingNode, 1);
        assert_int_equal(caps.GpuEngineTopology.NbAsymetricProcessingNodes, 2);
        assert_int_equal(caps.MaxAllocationListSlotId, 1024);
        assert_int_equal(caps.HighestAcceptableAddress.QuadPart, -1);
        tear_down(fixture);
    }
}

static void caps_are_set_by_name(void **state)
{
    struct fixture *fixture = set_up(11);
    (void)state;
    fixture->config.nodes = 1;
    assert_true(vidmm_mock_cap_set(&fixture->config, "PreemptionAware", 1));
    assert_true(vidmm_mock_cap_set(&fixture->config, "HwQueuePacketCap", 5));
    assert_true(vidmm_mock_cap_set(&fixture->config, "ApertureSegmentCommitLimit", 4096));
    assert_true(vidmm_mock_cap_set(&fixture->config, "GpuMmuSupported", 1));
    assert_false(vidmm_mock_cap_set(&fixture->config, "NoSuchCap", 1));
    assert_string_equal(vidmm_mock_cap_name(0), "MultiEngineAware");
    assert_null(vidmm_mock_cap_name(VIDMM_MOCK_CAP_COUNT));

    port_start(&fixture->port, &fixture->config);
    DXGK_DRIVERCAPS caps = caps_of(fixture);
    assert_int_equal(caps.SchedulingCaps.PreemptionAware, 1);
    assert_int_equal(caps.SchedulingCaps.HwQueuePacketCap, 5);
    assert_int_equal(caps.ApertureSegmentCommitLimit, 4096);
    assert_int_equal(caps.MemoryManagementCaps.GpuMmuSupported, 1);
    assert_int_equal(caps.MemoryManagementCaps.PagingNode, 0);
    assert_int_equal(query(fixture, DXGKQAITYPE_DRIVERCAPS, &caps, 8), STATUS_INVALID_PARAMETER);
    assert_int_equal(query(fixture, DXGKQAITYPE_SCANOUT_CAPS, &caps, sizeof caps),
                     STATUS_INVALID_PARAMETER);
    tear_down(fixture);
}

/* ---- segments -------------------------------------------------------------------------------- */

static void segments_below_1_2(void **state)
{
    struct fixture *fixture = set_up(11);
    DXGK_SEGMENTDESCRIPTOR table[2];
    DXGK_QUERYSEGMENTOUT out = { .PagingBufferSize = PATTERN };
    (void)state;
    fixture->segments[0].flags |= 0x8;
    fixture->segments[0].bank_count = 2;
    fixture->segments[0].banks[0] = 4096;
    fixture->segments[0].bank_ends = 1;
    port_start(&fixture->port, &fixture->config);

    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 2);
    assert_int_equal(out.PagingBufferSize, PATTERN);

    out.pSegmentDescriptor = table;
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 2);
    assert_int_equal(out.PagingBufferSize, 65536);
    assert_int_equal(out.PagingBufferSegmentId, 0);
    assert_int_equal(table[0].Flags.Value, 0xC);
    assert_int_equal(table[0].NbOfBanks, 2);
    assert_int_equal(table[0].pBankRangeTable[0], 4096);
    assert_int_equal(table[0].CpuTranslatedAddress.QuadPart, INT64_C(0x1000000000));
    assert_int_equal(table[1].BaseAddress.QuadPart, 1 << 30);
    assert_int_equal(table[1].Size, 64 << 20);
    assert_null(table[1].pBankRangeTable);
    tear_down(fixture);
}

static void segments_of_1_3(void **state)
{
    struct fixture *fixture = set_up(13);
    DXGK_SEGMENTDESCRIPTOR3 table[2];
    DXGK_QUERYSEGMENTOUT3 out = { 0 };
    (void)state;
    fixture->segments[1].commit_limit = 8192;
    fixture->segments[0].system_memory_end = 77;
    port_start(&fixture->port, &fixture->config);
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT3, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 2);
    out.pSegmentDescriptor = table;
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT3, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(table[0].SystemMemoryEndAddress, 77);
    assert_int_equal(table[0].Flags.Value, 4);
    assert_int_equal(table[1].CommitLimit, 8192);
    tear_down(fixture);
}

/* The stride of the caller counts, or that of the switch. */
static void segments_from_2_0(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct fixture *fixture = set_up(20);
        UCHAR table[2 * 256];
        DXGK_QUERYSEGMENTOUT4 out, before;
        DXGK_SEGMENTDESCRIPTOR4 second;
        if (own)
            port_switch(&fixture->config, "stride", "256");
        port_start(&fixture->port, &fixture->config);
        memset(&out, PATTERN, sizeof out);
        out.NbSegment = 0;
        before = out;
        before.NbSegment = 2;
        assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT4, &out, sizeof out),
                         STATUS_SUCCESS);
        assert_memory_equal(&out, &before, sizeof out);

        out.pSegmentDescriptor = table;
        out.SegmentDescriptorStride = 128;
        assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT4, &out, sizeof out),
                         STATUS_SUCCESS);
        assert_int_equal(out.SegmentDescriptorStride, own ? 256 : 128);
        memcpy(&second, table + out.SegmentDescriptorStride, sizeof second);
        assert_int_equal(second.Size, 64 << 20);
        assert_int_equal(second.Flags.Aperture, 1);
        tear_down(fixture);
    }
}

static void segment_queries_can_lie(void **state)
{
    struct fixture *fixture = set_up(11);
    DXGK_SEGMENTDESCRIPTOR table[40];
    DXGK_QUERYSEGMENTOUT out = { .PagingBufferSize = PATTERN };
    (void)state;
    port_switch(&fixture->config, "segment-count", "33");
    port_switch(&fixture->config, "segment-count-2", "1");
    port_switch(&fixture->config, "first-query-writes", NULL);
    port_switch(&fixture->config, "leave-unset", "size");
    port_switch(&fixture->config, "query-status", "NO_MEMORY@3");
    port_start(&fixture->port, &fixture->config);
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 33);
    assert_int_equal(out.PagingBufferSize, 65536);
    memset(table, PATTERN, sizeof table);
    out.pSegmentDescriptor = table;
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.NbSegment, 1);
    assert_int_equal(table[0].Size, 256 << 20);
    assert_int_not_equal(table[1].Size, 64 << 20);
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_NO_MEMORY);

    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(fixture->port.mock);
    assert_true(vidmm_mock_switch_set(switches, "leave-unset", "buffer-size"));
    out.NbSegment = 2;
    out.PagingBufferSize = PATTERN;
    assert_int_equal(query(fixture, DXGKQAITYPE_QUERYSEGMENT, &out, sizeof out), STATUS_SUCCESS);
    assert_int_equal(out.PagingBufferSize, PATTERN);
    assert_int_equal(table[1].Size, 64 << 20);
    tear_down(fixture);
}

/* ---- switches -------------------------------------------------------------------------------- */

static void switch_values(void **state)
{
    static const struct {
        const char *name, *value;
        bool good;
        int64_t result;
        uint64_t at;
    } rows[] = {
        { "bpb-status", "0xC0000001@2", true, (int32_t)0xC0000001, 2 },
        { "bpb-status", "STATUS_NOT_SUPPORTED", true, (int32_t)0xC00000BB, 0 },
        { "bpb-status", "INSUFFICIENT_DMA_BUFFER@7", true, (int32_t)0xC01E0001, 7 },
        { "create-status", "GRAPHICS_DRIVER_MISMATCH", true, (int32_t)0xC01E0009, 0 },
        { "bpb-status", NULL, false, 0, 0 },
        { "bpb-status", "", false, 0, 0 },
        { "bpb-status", "NOT_SUPPORTE", false, 0, 0 },
        { "bpb-status", "0x1C0000001", false, 0, 0 },
        { "bpb-status", "NOT_SUPPORTED@0", false, 0, 0 },
        { "bpb-status", "NOT_SUPPORTED@", false, 0, 0 },
        { "bpb-status", "NOT_SUPPORTED@1x", false, 0, 0 },
        { "space", "4K", true, 4096, 0 },
        { "space", "1M@3", true, 1048576, 3 },
        { "space", "0x80", true, 128, 0 },
        { "space", "0xaF", true, 0xAF, 0 },
        { "space", "0XAf", true, 0xAF, 0 },
        { "space", "0xG", false, 0, 0 },
        { "space", "0xg", false, 0, 0 },
        { "space", "0x/", false, 0, 0 },
        { "space", "0x:", false, 0, 0 },
        { "space", "0x`", false, 0, 0 },
        { "space", "1A", false, 0, 0 },
        { "space", "8G", false, 0, 0 },
        { "space", "12345678901234567890123", false, 0, 0 },
        { "space", "K", false, 0, 0 },
        { "space", "0x", false, 0, 0 },
        { "space", "-1", false, 0, 0 },
        { "stride", "8", false, 0, 0 },
        { "stride", "8192", false, 0, 0 },
        { "patch-entry", "bad-slot", true, 1, 0 },
        { "patch-entry", "bad-split@4", true, 2, 4 },
        { "patch-entry", "bad", false, 0, 0 },
        { "patch-entry", "bad-slot|bad-split", false, 0, 0 },
        { "patch-entry", NULL, false, 0, 0 },
        { "fence", "high", true, 1, 0 },
        { "busy", NULL, true, 0, 0 },
        { "busy", "always-first", true, 0, 0 },
        { "busy", "always", false, 0, 0 },
        { "no-dpc", NULL, true, 0, 0 },
        { "no-dpc", "@2", true, 0, 2 },
        { "no-dpc", "1", false, 0, 0 },
        { "no-such-switch", NULL, false, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vidmm_mock_config config;
        vidmm_mock_config_init(&config, 11);
        bool good = vidmm_mock_switch_set(config.switches, rows[i].name, rows[i].value);
        if (good != rows[i].good)
            fail_msg("%s=%s", rows[i].name, rows[i].value ? rows[i].value : "(none)");
        for (size_t j = 0; j < VIDMM_MOCK_SWITCH_COUNT; j++) {
            bool is_it = !strcmp(vidmm_mock_switch_name(j), rows[i].name);
            assert_int_equal(config.switches[j].on, good && is_it);
            assert_int_equal(config.switches[j].value, is_it ? rows[i].result : 0);
            assert_int_equal(config.switches[j].at, is_it ? rows[i].at : 0);
        }
        assert_int_equal(vidmm_mock_switch_set(config.switches, rows[i].name, "off"),
                         strcmp(rows[i].name, "no-such-switch") != 0);
    }
    assert_null(vidmm_mock_switch_name(VIDMM_MOCK_SWITCH_COUNT));
}

/* ---- allocations ----------------------------------------------------------------------------- */

static NTSTATUS create(struct fixture *fixture, const struct vidmm_mock_allocation *wishes,
                       DXGK_ALLOCATIONINFO *infos, UINT count)
{
    DXGKARG_CREATEALLOCATION arg = { .NumAllocations = count, .pAllocationInfo = infos };
    for (UINT i = 0; i < count; i++)
        infos[i] = (DXGK_ALLOCATIONINFO){
            .pPrivateDriverData = (void *)(uintptr_t)&wishes[i],
            .PrivateDriverDataSize = sizeof wishes[i],
        };
    return fixture->port.ddi->DxgkDdiCreateAllocation(fixture->port.adapter, &arg);
}

static NTSTATUS destroy(struct fixture *fixture, const HANDLE *handles, UINT count)
{
    DXGKARG_DESTROYALLOCATION arg = { .NumAllocations = count, .pAllocationList = handles };
    return fixture->port.ddi->DxgkDdiDestroyAllocation(fixture->port.adapter, &arg);
}

static void creation_answers_its_private_data(void **state)
{
    struct fixture *fixture = set_up(11);
    const struct vidmm_mock_allocation wishes[2] = {
        { .size = 4096, .alignment = 64, .write_set = 1, .read_set = 3, .eviction_set = 2 },
        { .size = 8192,
          .pitch_aligned_size = 16384,
          .hinted_bank = 0x81,
          .preferred_segment = 0x22,
          .rename_or_adapter = 5,
          .flags = 0x21,
          .fills_wddm2 = true,
          .flags2 = 8,
          .priority = 0x78000000 },
    };
    DXGK_ALLOCATIONINFO infos[2];
    (void)state;
    port_start(&fixture->port, &fixture->config);
    assert_int_equal(create(fixture, wishes, infos, 2), STATUS_SUCCESS);
    assert_int_equal(infos[0].Size, 4096);
    assert_int_equal(infos[0].Alignment, 64);
    assert_int_equal(infos[0].SupportedReadSegmentSet, 3);
    assert_int_equal(infos[0].SupportedWriteSegmentSet, 1);
    assert_int_equal(infos[0].EvictionSegmentSet, 2);
    assert_int_equal(infos[1].PitchAlignedSize, 16384);
    assert_int_equal(infos[1].HintedBank.Value, 0x81);
    assert_int_equal(infos[1].PreferredSegment.SegmentId0, 2);
    assert_int_equal(infos[1].PreferredSegment.Direction0, 1);
    assert_int_equal(infos[1].MaximumRenamingListLength, 5);
    assert_int_equal(infos[1].FlagsWddm2.Value, 0x21);
    assert_int_equal(infos[1].Flags2.Value, 8);
    assert_int_equal(infos[1].AllocationPriority, 0x78000000);
    assert_non_null(infos[0].hAllocation);
    assert_ptr_not_equal(infos[0].hAllocation, infos[1].hAllocation);

    const struct vidmm_miniport *miniport = fixture->port.miniport;
    assert_false(miniport->fills_wddm2(miniport->physical_device, infos[0].hAllocation));
    assert_true(miniport->fills_wddm2(miniport->physical_device, infos[1].hAllocation));
    const HANDLE handles[] = { infos[0].hAllocation, infos[1].hAllocation };
    assert_int_equal(destroy(fixture, handles, 2), STATUS_SUCCESS);

    infos[0] = (DXGK_ALLOCATIONINFO){ .PrivateDriverDataSize = 8 };
    DXGKARG_CREATEALLOCATION arg = { .NumAllocations = 1, .pAllocationInfo = infos };
    assert_int_equal(fixture->port.ddi->DxgkDdiCreateAllocation(fixture->port.adapter, &arg),
                     STATUS_INVALID_PARAMETER);
    tear_down(fixture);
}

static NTSTATUS open_one(struct fixture *fixture, UINT create_flag,
                         struct vidmm_mock_allocation *data, HANDLE *handle)
{
    DXGK_OPENALLOCATIONINFO info = {
        .hAllocation = 17,
        .pPrivateDriverData = data,
        .PrivateDriverDataSize = sizeof *data,
    };
    DXGKARG_OPENALLOCATION arg = { .NumAllocations = 1, .pOpenAllocation = &info };
    arg.Flags.Create = create_flag & 1;
    NTSTATUS status = fixture->port.ddi->DxgkDdiOpenAllocation(fixture->port.device, &arg);
    *handle = info.hDeviceSpecificAllocation;
    return status;
}

static NTSTATUS close_one(struct fixture *fixture, const HANDLE *handle)
{
    DXGKARG_CLOSEALLOCATION arg = { .NumAllocations = 1, .pOpenHandleList = handle };
    return fixture->port.ddi->DxgkDdiCloseAllocation(fixture->port.device, &arg);
}

/* Objects are used again: a long run costs no more than its peak. */
static void handles_are_reused(void **state)
{
    struct fixture *fixture = set_up(11);
    struct vidmm_mock_allocation wish = { .size = 4096 };
    DXGK_ALLOCATIONINFO info;
    HANDLE first = NULL, first_binding = NULL, binding;
    (void)state;
    port_start(&fixture->port, &fixture->config);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(create(fixture, &wish, &info, 1), STATUS_SUCCESS);
        assert_int_equal(open_one(fixture, 1, &wish, &binding), STATUS_SUCCESS);
        assert_non_null(binding);
        if (!i) {
            first = info.hAllocation;
            first_binding = binding;
        }
        assert_ptr_equal(info.hAllocation, first);
        assert_ptr_equal(binding, first_binding);
        assert_int_equal(close_one(fixture, &binding), STATUS_SUCCESS);
        assert_int_equal(destroy(fixture, &info.hAllocation, 1), STATUS_SUCCESS);
    }
    tear_down(fixture);
}

static void bad_manners_with_allocations(void **state)
{
    struct fixture *fixture = set_up(11);
    struct vidmm_mock_allocation wish = { .size = 4096 };
    struct vidmm_mock_allocation before = wish;
    DXGK_ALLOCATIONINFO infos[2];
    HANDLE binding;
    (void)state;
    port_switch(&fixture->config, "create-status", "NO_MEMORY@2");
    port_switch(&fixture->config, "same-handle", NULL);
    port_switch(&fixture->config, "null-handle", "@3");
    port_switch(&fixture->config, "open-status", "UNSUCCESSFUL@1");
    port_switch(&fixture->config, "null-open-handle", "@2");
    port_switch(&fixture->config, "change-private-data", NULL);
    port_switch(&fixture->config, "close-status", "0xC0000001");
    port_switch(&fixture->config, "destroy-status", "UNSUCCESSFUL");
    port_start(&fixture->port, &fixture->config);

    assert_int_equal(create(fixture, &wish, &infos[0], 1), STATUS_SUCCESS);
    assert_int_equal(create(fixture, &wish, &infos[1], 1), STATUS_NO_MEMORY);
    assert_int_equal(create(fixture, &wish, &infos[1], 1), STATUS_SUCCESS);
    assert_ptr_equal(infos[0].hAllocation, infos[1].hAllocation);
    assert_int_equal(create(fixture, &wish, &infos[1], 1), STATUS_SUCCESS);
    assert_null(infos[1].hAllocation);
    /* The handle that was given out twice survives its first destruction. */
    const HANDLE both[] = { infos[0].hAllocation, NULL };
    assert_int_equal(destroy(fixture, both, 2), STATUS_UNSUCCESSFUL);
    assert_false(fixture->port.miniport->fills_wddm2(NULL, both[0]));
    assert_int_equal(destroy(fixture, both, 1), STATUS_UNSUCCESSFUL);

    assert_int_equal(open_one(fixture, 1, &wish, &binding), STATUS_UNSUCCESSFUL);
    assert_int_equal(open_one(fixture, 1, &wish, &binding), STATUS_SUCCESS);
    assert_non_null(binding);
    assert_int_equal(close_one(fixture, &binding), STATUS_UNSUCCESSFUL);
    assert_int_equal(open_one(fixture, 1, &wish, &binding), STATUS_SUCCESS);
    assert_null(binding);
    assert_memory_equal(&wish, &before, sizeof wish);
    assert_int_equal(open_one(fixture, 0, &wish, &binding), STATUS_SUCCESS);
    assert_memory_not_equal(&wish, &before, sizeof wish);
    assert_int_equal(close_one(fixture, &binding), STATUS_UNSUCCESSFUL);
    tear_down(fixture);
}

/* ---- devices --------------------------------------------------------------------------------- */

static void contexts_need_a_node(void **state)
{
    struct fixture *fixture = set_up(11);
    DXGKARG_CREATECONTEXT arg = { .NodeOrdinal = 2 };
    (void)state;
    port_start(&fixture->port, &fixture->config);
    assert_int_equal(fixture->port.ddi->DxgkDdiCreateContext(fixture->port.device, &arg),
                     STATUS_INVALID_PARAMETER);
    tear_down(fixture);

    /* Without multi-engine support the device says how large its buffers are. */
    fixture = set_up(11);
    assert_true(vidmm_mock_cap_set(&fixture->config, "MultiEngineAware", 0));
    port_start(&fixture->port, &fixture->config);
    tear_down(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_default_by_version),
        cmocka_unit_test(caps_are_set_by_name),
        cmocka_unit_test(segments_below_1_2),
        cmocka_unit_test(segments_of_1_3),
        cmocka_unit_test(segments_from_2_0),
        cmocka_unit_test(segment_queries_can_lie),
        cmocka_unit_test(switch_values),
        cmocka_unit_test(creation_answers_its_private_data),
        cmocka_unit_test(handles_are_reused),
        cmocka_unit_test(bad_manners_with_allocations),
        cmocka_unit_test(contexts_need_a_node),
    };
    return cmocka_run_group_tests_name("mock", tests, NULL, NULL);
}
