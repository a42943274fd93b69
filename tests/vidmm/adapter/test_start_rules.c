/* SPDX-License-Identifier: MIT */
/*
 * test_start_rules.c: each rule of the start, broken alone in an adapter that would start
 * otherwise, and reports that only warn.
 */
#include <string.h>

#include "tests/support/unit.h"
#include "tests/vidmm/adapter/start_fixture.h"
#include "vidmm/ddi/ntstatus.h"

/* ---- starts that fail -------------------------------------------------------------------------
 */

typedef void edit(struct fixture *fixture);

struct failure {
    const char *what;
    uint32_t wddm;
    edit *edit;
    enum vidmm_rule rule;
    vidmm_status status;
    enum vidmm_rule also;
    const char *text;
};

#define EDIT(name, ...)                                                                            \
    static void name(struct fixture *f)                                                            \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

EDIT(caps_fail, fixture_switch(f, "query-status", "DRIVER_MISMATCH@1"))
EDIT(caps_strange, fixture_switch(f, "query-status", "NOT_SUPPORTED@1"))
EDIT(no_nodes, f->mock_config.nodes = 0)
EDIT(many_nodes, f->mock_config.nodes = 65)
EDIT(low_memory, fixture_cap(f, "HighestAcceptableAddress", 0xFFFFFFFF))
EDIT(preemption_alone, fixture_cap(f, "MultiEngineAware", 0); fixture_cap(f, "PreemptionAware", 1))
EDIT(patching_alone, fixture_cap(f, "NoDmaPatching", 1))
EDIT(cancel_alone, fixture_cap(f, "MultiEngineAware", 0); fixture_cap(f, "CancelCommandAware", 1))
EDIT(paging_node_off, fixture_cap(f, "PagingNode", 7))
EDIT(both_mmus, fixture_cap(f, "GpuMmuSupported", 1); fixture_cap(f, "IoMmuSupported", 1))
EDIT(mmu_alone, fixture_cap(f, "GpuMmuSupported", 1))
EDIT(gpu_mmu, fixture_cap(f, "GpuMmuSupported", 1); fixture_cap(f, "VirtualAddressingSupported", 1))
EDIT(first_fails, fixture_switch(f, "query-status", "NO_MEMORY@2"))
EDIT(second_fails, fixture_switch(f, "query-status", "NO_MEMORY@3"))
EDIT(no_segments, f->mock_config.segment_count = 0)
EDIT(many_segments, f->mock_config.segment_count = 32)
EDIT(count_changes, fixture_switch(f, "segment-count-2", "1"))
EDIT(unset_size, fixture_switch(f, "leave-unset", "size"))
EDIT(unset_buffer, fixture_switch(f, "leave-unset", "buffer-size"))
EDIT(agp, f->segments[0].flags = 0x2)
EDIT(agp_and_more, f->segments[0].flags = 0x12)
EDIT(odd_transfer, f->config.settings.value[VIDMM_SETTING_PAGE] = 8192;
     f->config.settings.value[VIDMM_SETTING_MAX_TRANSFER] = 4096)
EDIT(unknown_policy, f->config.settings.value[VIDMM_SETTING_PLACEMENT] = 7)
EDIT(unknown_eviction, f->config.settings.value[VIDMM_SETTING_EVICTION] = 99)
EDIT(no_foresight, f->config.settings.value[VIDMM_SETTING_EVICTION] = 10) /* belady */
EDIT(odd_size, f->segments[0].size = 0x1800)
EDIT(no_size, f->segments[0].size = 0)
EDIT(odd_large_size, f->segments[0].flags |= 0x800; f->segments[0].size = 0x11000)
EDIT(large_aperture, f->segments[1].flags |= 0x800)
EDIT(system_segment, f->segments[0].flags |= 0x1000)
EDIT(reserved_bit, f->segments[0].flags |= 0x00400000)
EDIT(new_bit, f->segments[0].flags |= 0x800)
EDIT(second_aperture, f->segments[0].flags = 1)
EDIT(no_aperture, f->segments[1].flags = 0; f->segments[1].base = GIB)
EDIT(no_banks, f->segments[0].flags |= 8)
EDIT(no_bank_table, f->segments[0].flags |= 8; f->segments[0].bank_count = 2)
EDIT(banked_aperture, f->segments[1].flags |= 8; f->segments[1].bank_count = 1)
EDIT(many_banks, f->segments[0].flags |= 8; f->segments[0].bank_count = 128;
     f->segments[0].bank_ends = 128)
EDIT(banks_of_2_0, f->segments[0].flags |= 8; f->segments[0].bank_count = 1)
EDIT(hibernate_alone, f->segments[0].flags |= 0x100)
EDIT(both_hibernates, f->segments[0].flags |= 0x380)
EDIT(visible_host, f->segments[0].flags = 0x2004)
EDIT(cached_host, f->segments[0].flags = 0x4000)
EDIT(two_groups, f->segments[0].flags |= 0x180000)
EDIT(wrapping, f->segments[0].base = UINT64_MAX - 4095)
EDIT(endless, f->segments[0].size = UINT64_C(1) << 63)
EDIT(no_aperture_calls, fixture_switch(f, "no-aperture-ops", NULL))
EDIT(buffer_nowhere, f->mock_config.paging_buffer_segment = 3)
EDIT(buffer_hidden, f->mock_config.paging_buffer_segment = 1; f->segments[0].flags = 0)
EDIT(buffer_strict, f->mock_config.paging_buffer_segment = 1;
     f->config.settings.value[VIDMM_SETTING_STRICT] = 1)
EDIT(buffer_empty, f->mock_config.paging_buffer_bytes = 0)
EDIT(buffer_huge, f->mock_config.paging_buffer_bytes = UINT32_MAX)
EDIT(buffer_too_large, f->mock_config.paging_buffer_segment = 2;
     f->mock_config.paging_buffer_bytes = 17 * MIB)
EDIT(buffer_over_limit, f->mock_config.paging_buffer_segment = 2;
     f->segments[1].commit_limit = 3 * 65536)
EDIT(buffer_without_pages, f->mock_config.paging_buffer_segment = 2;
     f->config.machine.memory_bytes = 65536)
EDIT(coherent_memory, f->segments[0].flags |= 0x10;
     f->config.settings.value[VIDMM_SETTING_STRICT] = 1)
EDIT(overlap, f->segments[1].base = 0; f->config.settings.value[VIDMM_SETTING_STRICT] = 1)
EDIT(invalid_misaligned, f->segments[0].invalid_count = 1;
     f->segments[0].invalid[0] = (DXGK_MEMORYRANGE){ 0x800, 0x1000 })
EDIT(invalid_outside, f->segments[0].invalid_count = 1;
     f->segments[0].invalid[0] = (DXGK_MEMORYRANGE){ 256 * MIB, 0x1000 })
EDIT(invalid_twice, f->segments[0].invalid_count = 2;
     f->segments[0].invalid[0] = f->segments[0].invalid[1] = (DXGK_MEMORYRANGE){ 0, 0x1000 })
EDIT(invalid_many, f->segments[0].size = 0x8000; f->segments[0].invalid_count = 9)
EDIT(invalid_changes, f->segments[0].invalid_count = 1; fixture_switch(f, "ranges", "2");
     f->segments[0].invalid[0] = (DXGK_MEMORYRANGE){ 0, 0x1000 })

static void bad_ends(struct fixture *f)
{
    f->segments[0].flags |= 8;
    f->segments[0].bank_count = 3;
    f->segments[0].bank_ends = 2;
    f->segments[0].banks[0] = f->segments[0].banks[1] = 0x40000;
}

static void misaligned_end(struct fixture *f)
{
    f->segments[0].flags |= 8;
    f->segments[0].bank_count = 2;
    f->segments[0].bank_ends = 1;
    f->segments[0].banks[0] = 0x40800;
}

static void end_at_size(struct fixture *f)
{
    misaligned_end(f);
    f->segments[0].banks[0] = f->segments[0].size;
}

#define INVALID STATUS_INVALID_PARAMETER
#define ROW(wddm, edit, rule, status, text)                                                        \
    {                                                                                              \
#edit, wddm, edit, VIDMM_RULE(rule), status, VIDMM_RULE_NONE, text                         \
    }
#define ROW2(wddm, edit, rule, also, text)                                                         \
    {                                                                                              \
#edit, wddm, edit, VIDMM_RULE(rule), INVALID, VIDMM_RULE(also), text                       \
    }

static const struct failure failures[] = {
    ROW(11, caps_fail, MINI_008, STATUS_GRAPHICS_DRIVER_MISMATCH,
        "the miniport fails the query DRIVERCAPS"),
    ROW(11, caps_strange, MINI_008, STATUS_NOT_SUPPORTED,
        "the miniport fails the query DRIVERCAPS"),
    ROW(11, no_nodes, MINI_018, INVALID,
        "NbAsymetricProcessingNodes is 0, a GPU has 1 to 64 nodes"),
    ROW(11, many_nodes, MINI_018, INVALID,
        "NbAsymetricProcessingNodes is 65, a GPU has 1 to 64 nodes"),
    ROW(11, low_memory, MINI_019, INVALID,
        "the machine has memory up to 0x1ffffffff, HighestAcceptableAddress is 0xffffffff"),
    ROW(12, preemption_alone, MINI_021, INVALID, "PreemptionAware needs MultiEngineAware"),
    ROW(12, patching_alone, MINI_021, INVALID,
        "NoDmaPatching needs PreemptionAware and MultiEngineAware"),
    ROW(12, cancel_alone, MINI_021, INVALID, "CancelCommandAware needs MultiEngineAware"),
    ROW(11, paging_node_off, MINI_022, INVALID, "PagingNode is 7, the GPU has 2 nodes"),
    ROW(20, paging_node_off, MINI_022, INVALID, "PagingNodeIndex is 7, the GPU has 2 nodes"),
    ROW(20, both_mmus, MINI_024, INVALID, "GpuMmuSupported and IoMmuSupported exclude each other"),
    ROW(20, mmu_alone, MINI_024, INVALID,
        "GpuMmuSupported and IoMmuSupported need VirtualAddressingSupported"),
    ROW(11, gpu_mmu, MINI_024, INVALID, "GPU virtual addresses exist from 2.0 on"),
    ROW(20, gpu_mmu, MINI_024, INVALID, "GPU virtual addresses are not simulated"),
    ROW(11, first_fails, SEG_001, STATUS_NO_MEMORY, "the miniport fails the query QUERYSEGMENT"),
    ROW(11, second_fails, SEG_001, STATUS_NO_MEMORY, "the miniport fails the query QUERYSEGMENT"),
    ROW(11, no_segments, SEG_006, INVALID, "NbSegment is 0, a driver has 1 to 31 segments"),
    ROW(11, many_segments, SEG_006, INVALID, "NbSegment is 32, a driver has 1 to 31 segments"),
    ROW(13, first_fails, SEG_001, STATUS_NO_MEMORY, "the miniport fails the query QUERYSEGMENT3"),
    ROW(20, first_fails, SEG_001, STATUS_NO_MEMORY, "the miniport fails the query QUERYSEGMENT4"),
    ROW(13, count_changes, SEG_001, INVALID,
        "NbSegment was 2 in the first query and is 1 in the second"),
    ROW(11, unset_size, MINI_005, INVALID, "segment 2: Size is not answered"),
    ROW(13, unset_size, MINI_005, INVALID, "segment 2: Size is not answered"),
    ROW(20, unset_size, MINI_005, INVALID, "segment 2: Size is not answered"),
    ROW(20, unset_buffer, MINI_005, INVALID, "PagingBufferSize is not answered"),
    ROW(11, agp, SEG_015, INVALID, "segment 1: the machine has no AGP aperture"),
    ROW2(11, agp_and_more, SEG_013, SEG_015,
         "segment 1: Agp goes with no other flag; the machine has no AGP aperture"),
    ROW(11, odd_transfer, MINI_064, INVALID, "max-transfer is no multiple of the page"),
    ROW(11, unknown_policy, POLICY_001, INVALID, "no placement policy has the number 7"),
    ROW(11, unknown_eviction, POLICY_010, INVALID, "no eviction policy has the number 99"),
    ROW(11, no_foresight, POLICY_013, INVALID,
        "the eviction policy belady needs the references to come, and nobody knows them"),
    ROW(11, odd_size, SEG_019, INVALID, "segment 1: Size is no multiple of the page"),
    ROW(11, no_size, SEG_019, INVALID, "segment 1: Size is 0"),
    ROW(20, odd_large_size, SEG_019, INVALID, "segment 1: Size is no multiple of the page"),
    ROW(20, large_aperture, SEG_031, INVALID, "segment 2: Use64KBPages is for memory segments"),
    ROW(20, system_segment, SEG_032, INVALID, "segment 1: ReservedSysMem is not for drivers"),
    ROW(32, reserved_bit, SEG_033, INVALID, "segment 1: reserved bits of Flags are set: 0x400000"),
    ROW(13, new_bit, SEG_033, INVALID,
        "segment 1: reserved bits of Flags are set: Use64KBPages exists from WDDM 2.0 on"),
    ROW(20, second_aperture, SEG_034, INVALID,
        "a driver of WDDM 2.0 or later reports exactly one aperture segment, not 2"),
    ROW(20, no_aperture, SEG_034, INVALID,
        "a driver of WDDM 2.0 or later reports exactly one aperture segment, not 0"),
    ROW(11, no_banks, SEG_037, INVALID, "segment 1: UseBanking without bank data"),
    ROW(11, no_bank_table, SEG_037, INVALID, "segment 1: UseBanking without bank data"),
    ROW(12, banked_aperture, SEG_038, INVALID, "segment 2: an aperture has no banks"),
    ROW(11, bad_ends, SEG_039, INVALID, "segment 1: bank ends grow, below Size, by pages"),
    ROW(11, misaligned_end, SEG_039, INVALID, "segment 1: bank ends grow, below Size, by pages"),
    ROW(11, end_at_size, SEG_039, INVALID, "segment 1: bank ends grow, below Size, by pages"),
    ROW(11, many_banks, SEG_040, INVALID, "segment 1: there are at most 127 banks"),
    ROW(20, banks_of_2_0, SEG_042, INVALID, "segment 1: from 2.0 on there are no banks"),
    ROW(12, hibernate_alone, SEG_044, INVALID, "segment 1: invalid combination of Preserved flags"),
    ROW(12, both_hibernates, SEG_044, INVALID, "segment 1: invalid combination of Preserved flags"),
    ROW(20, visible_host, SEG_055, INVALID,
        "segment 1: SupportsCpuHostAperture excludes CpuVisible"),
    ROW(20, cached_host, SEG_056, INVALID, "segment 1: a cached host aperture needs the plain one"),
    ROW(20, two_groups, RES_044, INVALID, "segment 1: it is in two budget groups"),
    ROW(11, wrapping, MINI_010, INVALID, "segment 1: BaseAddress + Size wraps"),
    ROW(11, endless, MINI_010, INVALID, "segment 1: BaseAddress + Size wraps"),
    ROW(11, no_aperture_calls, SEG_012, INVALID,
        "segment 2 is an aperture, and the miniport cannot unmap pages of one"),
    ROW(11, buffer_nowhere, SEG_051, INVALID, "PagingBufferSegmentId is 3, there are 2 segments"),
    ROW(11, buffer_hidden, SEG_051, INVALID,
        "segment 1: a paging buffer has to be where the CPU can write it"),
    ROW(11, buffer_strict, SEG_051, INVALID,
        "segment 1: a paging buffer belongs into an aperture or system memory"),
    ROW(11, buffer_empty, SEG_052, INVALID, "a paging buffer cannot have 0 bytes"),
    ROW(11, buffer_huge, SEG_052, INVALID, "a paging buffer cannot have 4294967295 bytes"),
    ROW(11, buffer_too_large, SEG_052, INVALID,
        "segment 2 has no room for 4 paging buffers of 17 MiB"),
    ROW(11, buffer_over_limit, SEG_052, INVALID,
        "segment 2 has no room for 4 paging buffers of 64 KiB"),
    ROW(11, buffer_without_pages, MINI_013, STATUS_NO_MEMORY,
        "system memory is exhausted: a paging buffer needs 16 pages, and 15 are free"),
    ROW(11, coherent_memory, SEG_027, INVALID,
        "segment 1: CacheCoherent means nothing for a memory segment"),
    ROW(11, overlap, SEG_008, INVALID, "segment 1 and segment 2 share GPU addresses"),
    ROW(20, invalid_misaligned, SEG_065, INVALID,
        "segment 1: the invalid range 0x800, 0x1000 bytes long, is not made of pages of it or "
        "given twice"),
    ROW(20, invalid_outside, SEG_065, INVALID,
        "segment 1: the invalid range 0x10000000, 0x1000 bytes long, is not made of pages of it or "
        "given twice"),
    ROW(20, invalid_twice, SEG_065, INVALID,
        "segment 1: the invalid range 0x0, 0x1000 bytes long, is not made of pages of it or given "
        "twice"),
    ROW(20, invalid_many, SEG_065, INVALID, "segment 1: 9 invalid ranges are too many"),
    ROW(20, invalid_changes, MINI_016, STATUS_DEVICE_REMOVED,
        "the simulated system has stopped: segment 1 was announced with 1 invalid ranges and has "
        "2"),
};

static void each_mistake_has_its_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        const struct failure *failure = &failures[i];
        struct fixture *fixture = fixture_new(failure->wddm);
        failure->edit(fixture);
        vidmm_status status = fixture_start(fixture);
        const struct vidmm_refusal *refusal = vidmm_last_refusal(fixture->adapter);
        if (!refusal || status != failure->status || refusal->rules[0] != failure->rule)
            fail_msg("%s: status 0x%08x, %s: %s", failure->what, (unsigned)status,
                     refusal ? vidmm_rule_id(refusal->rules[0]) : "no refusal",
                     refusal ? refusal->text : "");
        assert_int_equal(refusal->rule_count, failure->also ? 2 : 1);
        assert_int_equal(refusal->rules[1], failure->also);
        assert_string_equal(refusal->text, failure->text);

        /* Whatever it was: no command is possible afterwards. */
        vidmm_handle handle;
        bool stopped = vidmm_bugcheck(fixture->adapter) != NULL;
        assert_int_equal(vidmm_process_create(fixture->adapter, "p", &handle),
                         stopped ? STATUS_DEVICE_REMOVED : STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER);
        fixture_free(fixture);
    }
}

/* ---- odd reports that start -------------------------------------------------------------------
 */

EDIT(first_writes, fixture_switch(f, "first-query-writes", NULL))
EDIT(coherent, f->segments[0].flags |= 0x10)
EDIT(aperture_from_system, f->segments[1].flags |= 0x40)
EDIT(memory_limit, f->segments[0].commit_limit = 4096)
EDIT(greater_limit, f->segments[0].commit_limit = 512 * MIB)
EDIT(equal_limit, f->segments[0].commit_limit = 256 * MIB)
EDIT(large_limit, f->segments[1].commit_limit = 65 * MIB)
EDIT(same_base, f->segments[1].base = 255 * MIB)
EDIT(buffer_in_memory, f->mock_config.paging_buffer_segment = 1)
EDIT(buffer_hungry, f->mock_config.paging_buffer_segment = 1; f->segments[0].size = 4 * 65536)
EDIT(neighbours, f->segments[1].base = 256 * MIB)
EDIT(last_end, f->segments[0].flags |= 8; f->segments[0].bank_count = f->segments[0].bank_ends = 1;
     f->segments[0].banks[0] = 4096)
EDIT(right_end, f->segments[0].flags |= 8; f->segments[0].bank_count = f->segments[0].bank_ends = 1;
     f->segments[0].banks[0] = 256 * MIB)
EDIT(unused_banks, f->segments[0].bank_count = f->segments[0].bank_ends = 1;
     f->segments[0].banks[0] = 4096)
EDIT(kept_in_standby, f->segments[0].flags |= 0x280; f->segments[0].system_memory_end = MIB)
EDIT(kept_to_nowhere, f->segments[0].flags |= 0x280)
EDIT(end_of_nothing, f->segments[0].system_memory_end = MIB)
EDIT(visible_aperture, f->segments[1].flags |= 0x4)
EDIT(unknown_preemption, fixture_cap(f, "PreemptionAware", 1);
     fixture_cap(f, "MultiEngineAware", 0))

static const struct {
    const char *what;
    uint32_t wddm;
    edit *edit;
    enum vidmm_rule rule; /* NONE: nothing is odd about it */
    const char *text;
} oddities[] = {
    { "first_writes", 11, first_writes, VIDMM_RULE(MINI_004),
      "the first segment query may set nothing but NbSegment" },
    { "first_writes", 13, first_writes, VIDMM_RULE(MINI_004),
      "the first segment query may set nothing but NbSegment" },
    { "first_writes", 20, first_writes, VIDMM_RULE(MINI_004),
      "the first segment query may set nothing but NbSegment" },
    { "coherent", 11, coherent, VIDMM_RULE(SEG_027),
      "segment 1: CacheCoherent means nothing for a memory segment" },
    { "aperture_from_system", 11, aperture_from_system, VIDMM_RULE(SEG_029),
      "segment 2: PopulatedFromSystemMemory is ignored on an aperture" },
    { "memory_limit", 13, memory_limit, VIDMM_RULE(SEG_067),
      "segment 1: the CommitLimit of a memory segment is its Size, not 0x1000" },
    { "greater_limit", 13, greater_limit, VIDMM_RULE(SEG_067),
      "segment 1: the CommitLimit of a memory segment is its Size, not 0x20000000" },
    { "equal_limit", 13, equal_limit, VIDMM_RULE_NONE, "" },
    { "memory_limit", 20, memory_limit, VIDMM_RULE_NONE, "" },
    { "large_limit", 11, large_limit, VIDMM_RULE(SEG_068),
      "segment 2: CommitLimit 0x4100000 is cut to Size" },
    { "same_base", 11, same_base, VIDMM_RULE(SEG_008),
      "segment 1 and segment 2 share GPU addresses" },
    { "neighbours", 11, neighbours, VIDMM_RULE_NONE, "" },
    { "buffer_in_memory", 11, buffer_in_memory, VIDMM_RULE(SEG_051),
      "segment 1: a paging buffer belongs into an aperture or system memory" },
    { "buffer_hungry", 11, buffer_hungry, VIDMM_RULE(SEG_051),
      "segment 1: a paging buffer belongs into an aperture or system memory" },
    { "last_end", 11, last_end, VIDMM_RULE(SEG_039),
      "segment 1: the last bank ends at Size, the 0x1000 in its place is not used" },
    { "right_end", 11, right_end, VIDMM_RULE_NONE, "" },
    { "unused_banks", 11, unused_banks, VIDMM_RULE_NONE, "" },
    { "kept_in_standby", 12, kept_in_standby, VIDMM_RULE_NONE, "" },
    { "kept_to_nowhere", 12, kept_to_nowhere, VIDMM_RULE(SEG_049),
      "segment 1: PartiallyPreservedDuringHibernate without a SystemMemoryEndAddress" },
    { "end_of_nothing", 12, end_of_nothing, VIDMM_RULE(SEG_049),
      "segment 1: SystemMemoryEndAddress without PartiallyPreservedDuringHibernate" },
    { "visible_aperture", 11, visible_aperture, VIDMM_RULE_NONE, "" },
    { "unknown_preemption", 11, unknown_preemption, VIDMM_RULE_NONE, "" },
};

static void oddities_do_not_stop_the_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
        struct fixture *fixture = fixture_new(oddities[i].wddm);
        struct vidmm_adapter_view view;
        char problem[240];
        oddities[i].edit(fixture);
        if (fixture_start(fixture))
            fail_msg("%s: %s", oddities[i].what, vidmm_last_refusal(fixture->adapter)->text);
        vidmm_adapter_view(fixture->adapter, &view);
        if (view.findings != (oddities[i].rule != VIDMM_RULE_NONE))
            fail_msg("%s: %u findings", oddities[i].what, (unsigned)view.findings);
        assert_string_equal(fixture->finding, oddities[i].text);
        if (oddities[i].rule)
            assert_true(vidmm_rule_uses(fixture->adapter, oddities[i].rule) >= 1);
        if (!vidmm_check(fixture->adapter, problem, sizeof problem))
            fail_msg("%s", problem);
        fixture_free(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_has_its_rule),
        cmocka_unit_test(oddities_do_not_stop_the_start),
    };
    return cmocka_run_group_tests_name("start_rules", tests, NULL, NULL);
}
