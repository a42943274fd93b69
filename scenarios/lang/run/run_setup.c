/* SPDX-License-Identifier: MIT */
/*
 * run_setup.c: the statements that describe a machine, its adapter and its owners.
 *
 * DMA buffers: without multi-engine support the members are those of DXGK_DEVICEINFO, else of
 * DXGK_CONTEXTINFO; what a device is given then holds for its contexts that say nothing else.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

/* ---- DMA buffers ----------------------------------------------------------------------------- */

static const struct {
    enum attribute_id device, context;
    enum vidmm_mock_buffer member;
} members[] = {
    { ATTRIBUTE_DEVICE_DMA_BUFFER_SEGMENT_SET, ATTRIBUTE_CONTEXT_DMA_BUFFER_SEGMENT_SET,
      VIDMM_MOCK_DMA_SEGMENT_SET },
    { ATTRIBUTE_DEVICE_DMA_BUFFER_SIZE, ATTRIBUTE_CONTEXT_DMA_BUFFER_SIZE, VIDMM_MOCK_DMA_SIZE },
    { ATTRIBUTE_DEVICE_DMA_BUFFER_PRIVATE_DATA_SIZE, ATTRIBUTE_CONTEXT_DMA_BUFFER_PRIVATE_DATA_SIZE,
      VIDMM_MOCK_DMA_PRIVATE_SIZE },
    { ATTRIBUTE_DEVICE_ALLOCATION_LIST_SIZE, ATTRIBUTE_CONTEXT_ALLOCATION_LIST_SIZE,
      VIDMM_MOCK_LIST_SIZE },
    { ATTRIBUTE_DEVICE_PATCH_LOCATION_LIST_SIZE, ATTRIBUTE_CONTEXT_PATCH_LOCATION_LIST_SIZE,
      VIDMM_MOCK_PATCH_SIZE },
};

/* A number, a size, or the bit of a segment. */
static bool buffers_value_of(struct runner *runner, const struct attribute *attribute,
                             const struct item *item, uint64_t *value)
{
    if (item->from->kind != EXPR_NAME)
        return evaluate_item(runner, attribute, item, value);
    *value = bindings_segment_bit(bindings_of_word(runner, item->from->name));
    return true;
}

static void buffers_read_member(struct runner *runner, const struct attribute *attribute,
                                enum vidmm_mock_buffer member, struct vidmm_mock_buffers *buffers)
{
    buffers->given[member] = true;
    for (const struct item *item = attribute->items; item; item = item->next) {
        uint64_t value = 0;
        if (evaluate_word(runner, attribute, item, NULL))
            continue; /* none */
        runner_stop_unless(runner, buffers_value_of(runner, attribute, item, &value));
        buffers->value[member] |= (uint32_t)value;
    }
}

static void run_buffers(struct runner *runner, const struct statement *statement)
{
    struct vidmm_mock_buffers buffers = { 0 };
    for (const struct attribute *at = statement->attributes; at; at = at->next)
        for (size_t i = 0; i < ARRAY_COUNT(members); i++)
            if (at->row->id == members[i].device || at->row->id == members[i].context)
                buffers_read_member(runner, at, members[i].member, &buffers);
    vidmm_mock_next_buffers(runner->mock, &buffers);
}

/* ---- adapter --------------------------------------------------------------------------------- */

void run_setup_adapter(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    const char *why = "";
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        if (!evaluate_choice(runner, at, &value))
            continue;
        if (at->row->argument >= ATTRIBUTE_CAP)
            vidmm_mock_cap_set(&runner->mock_config, at->row->name, value);
        else if (!vidmm_setting_store(&runner->config.settings, (size_t)at->row->argument, value,
                                      &why))
            runner_stop(runner, "%s", why);
    }
}

void run_setup_machine(struct runner *runner, const struct statement *statement)
{
    struct vidmm_machine *machine = &runner->config.machine;
    evaluate_optional(runner, statement, ATTRIBUTE_MACHINE_MEMORY, &machine->memory_bytes);
    evaluate_optional(runner, statement, ATTRIBUTE_MACHINE_COMMIT, &machine->commit_bytes);
    evaluate_optional(runner, statement, ATTRIBUTE_MACHINE_AGP, &machine->agp_bytes);
}

void run_setup_link(struct runner *runner, const struct statement *statement)
{
    uint64_t count = 1;
    evaluate_optional(runner, statement, ATTRIBUTE_LINK_ADAPTERS, &count);
    if (!count || count > VIDMM_LINK_MAX)
        runner_stop(runner, "a link has 1 to %d adapters", VIDMM_LINK_MAX);
    else
        runner->config.link_adapters = (uint32_t)count;
}

/* ---- segments -------------------------------------------------------------------------------- */

static uint32_t segment_flags(struct runner *runner, const struct statement *statement)
{
    static const uint32_t kinds[] = { 0, 0x1, 0x2 }; /* memory, Aperture, Agp */
    const struct attribute *kind = attribute_find(statement, ATTRIBUTE_SEGMENT_KIND);
    size_t index = 0;
    evaluate_word(runner, kind, kind->items, &index);
    uint32_t value = kinds[index];
    for (const struct item *item = attribute_items(statement, ATTRIBUTE_SEGMENT_FLAGS); item;
         item = item->next) {
        uint64_t number = 0;
        const struct vidmm_flag *flag =
            item->from->kind == EXPR_NAME
                ? vidmm_flag_by_name(VIDMM_FLAGS_SEGMENT, runner_word(runner, item->from->name))
                : NULL;
        if (flag)
            value |= flag->value;
        else if (evaluate_or_stop(runner, item->from, &number))
            value |= (uint32_t)number;
    }
    return value;
}

static void set_banks(struct runner *runner, const struct statement *statement,
                      struct vidmm_mock_segment *segment)
{
    const struct item *banks = attribute_items(statement, ATTRIBUTE_SEGMENT_BANKS);
    for (const struct item *item = banks; item; item = item->next) {
        if (segment->bank_ends == ARRAY_COUNT(segment->banks)) {
            runner_stop(runner, "a segment has at most %d banks", VIDMM_BANKS_MAX);
            return;
        }
        evaluate_or_stop(runner, item->from, &segment->banks[segment->bank_ends++]);
    }
    if (banks)
        segment->flags |= 0x8; /* UseBanking */
    segment->bank_count = segment->bank_ends;
    evaluate_optional_32(runner, statement, ATTRIBUTE_SEGMENT_NB_OF_BANKS, &segment->bank_count);
}

/* MINI-016: what of the segment is broken. */
static void set_invalid(struct runner *runner, const struct statement *statement,
                        struct vidmm_mock_segment *segment)
{
    uint64_t end = 0;
    segment->invalid_count = 0;
    for (const struct item *item = attribute_items(statement, ATTRIBUTE_SEGMENT_INVALID); item;
         item = item->next) {
        if (segment->invalid_count == ARRAY_COUNT(segment->invalid)) {
            runner_stop(runner, "a segment has at most %d invalid ranges", VIDMM_MOCK_INVALID_MAX);
            return;
        }
        DXGK_MEMORYRANGE *range = &segment->invalid[segment->invalid_count++];
        runner_stop_unless(runner, evaluate_ends(runner, item->from, item->to,
                                                 &range->SegmentOffset, &end));
        range->SizeInBytes = end - range->SegmentOffset;
    }
}

/* Members that only the fourth form of a descriptor has. */
static void set_version_4(struct runner *runner, const struct statement *statement,
                          struct vidmm_mock_segment *segment)
{
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_CPU_HOST_APERTURE,
                      &segment->host_aperture);
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_VPR_RANGE_START_OFFSET,
                      &segment->vpr_start);
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_VPR_RANGE_SIZE, &segment->vpr_size);
    evaluate_optional_32(runner, statement, ATTRIBUTE_SEGMENT_VPR_ALIGNMENT,
                         &segment->vpr_alignment);
    evaluate_optional_32(runner, statement, ATTRIBUTE_SEGMENT_NUM_VPR_SUPPORTED,
                         &segment->vpr_supported);
    evaluate_optional_32(runner, statement, ATTRIBUTE_SEGMENT_VPR_RESERVE_SIZE,
                         &segment->vpr_reserve);
    evaluate_optional_32(runner, statement, ATTRIBUTE_SEGMENT_NUM_UEFI_FRAME_BUFFER_RANGES,
                         &segment->uefi_ranges);
}

/* Behind the segment before, at the next GiB. */
static uint64_t default_base(const struct runner *runner)
{
    uint32_t count = runner->mock_config.segment_count;
    if (!count)
        return 0;
    const struct vidmm_mock_segment *before = &runner->segments[count - 1];
    return align_up(before->base + before->size, 1ull << 30);
}

void run_setup_segment(struct runner *runner, const struct statement *statement)
{
    uint32_t index = runner->mock_config.segment_count;
    if (index == SEGMENTS_DECLARED_MAX) {
        runner_stop(runner, "a scenario declares at most %d segments", SEGMENTS_DECLARED_MAX);
        return;
    }
    uint64_t id = index + 1;
    if (evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_ID, &id) && id != index + 1) {
        runner_stop(runner, "the id of this segment has to be %" PRIu32, index + 1);
        return;
    }
    BASE_GROW(runner->segments, runner->segment_capacity, index + 1);
    runner->mock_config.segments = runner->segments;
    struct vidmm_mock_segment *segment = &runner->segments[index];
    *segment = (struct vidmm_mock_segment){ 0 }; /* it may be another adapter's */
    segment->flags = segment_flags(runner, statement);
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_SIZE, &segment->size);
    segment->base = default_base(runner);
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_BASE, &segment->base);
    /* The size that is written down for an AGP segment is not the one it gets (SEG-016). */
    segment->commit_limit = segment->flags & VIDMM_SEGMENT_Agp ? 0 : segment->size;
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_COMMIT, &segment->commit_limit);
    bool visible = (segment->flags & 0x5) == 0x4 || /* CpuVisible memory */
                   (segment->flags & VIDMM_SEGMENT_SupportsCpuHostAperture);
    segment->cpu_base = visible ? segment->base + 0x1000000000 : 0;
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_CPU_BASE, &segment->cpu_base);
    evaluate_optional(runner, statement, ATTRIBUTE_SEGMENT_SYSTEM_MEMORY_END_ADDRESS,
                      &segment->system_memory_end);
    set_version_4(runner, statement, segment);
    set_banks(runner, statement, segment);
    set_invalid(runner, statement, segment);
    if (index + 1 < ARRAY_COUNT(runner->config.segment_names))
        runner->config.segment_names[index + 1] = runner_word(runner, statement->name);
    runner->mock_config.segment_count = index + 1;
    bindings_name(runner, statement->name, OBJECT_SEGMENT, index + 1);
}

void run_setup_paging_buffer(struct runner *runner, const struct statement *statement)
{
    struct vidmm_mock_config *mock = &runner->mock_config;
    const struct item *segment = attribute_items(statement, ATTRIBUTE_PAGING_BUFFER_SEGMENT);
    if (segment)
        mock->paging_buffer_segment =
            bindings_number(bindings_of_word(runner, segment->from->name));
    evaluate_optional_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_SIZE,
                         &mock->paging_buffer_bytes);
    evaluate_optional_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_PRIVATE,
                         &mock->paging_buffer_private_bytes);
    evaluate_optional_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_COUNT,
                         &runner->config.paging_buffers);
}

/* ---- nodes, miniport ------------------------------------------------------------------------- */

void run_setup_node(struct runner *runner, const struct statement *statement)
{
    uint64_t number = 0;
    word name = attribute_items(statement, ATTRIBUTE_NODE_NAME)->from->name;
    if (!evaluate_or_stop(runner, statement->value, &number))
        return;
    runner->nodes_declared =
        (uint32_t)max_u64(runner->nodes_declared, min_u64(number, VIDMM_NODES_MAX) + 1);
    runner->mock_config.nodes = runner->nodes_declared;
    if (number < VIDMM_NODES_MAX)
        runner->config.node_names[number] = runner_word(runner, name);
    bindings_name(runner, name, OBJECT_NODE, (uint32_t)number);
    if (attribute_find(statement, ATTRIBUTE_NODE_PAGING))
        runner->mock_config.caps[VIDMM_MOCK_CAP_PagingNode] = number;
}

void run_setup_miniport(struct runner *runner, const struct statement *statement)
{
    char value[128];
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        source_copy(runner->scenario, at->text, value, sizeof value);
        bool known = vidmm_mock_switch_set(runner->mock_config.switches, at->row->name,
                                           at->text.length ? value : NULL);
        CHECK(known);
    }
}

/* ---- owners ---------------------------------------------------------------------------------- */

/* 0: the statement has no such attribute. */
static vidmm_handle named_handle(const struct runner *runner, const struct statement *statement,
                                 enum attribute_id id)
{
    const struct item *name = attribute_items(statement, id);
    binding value;
    if (!name)
        return 0;
    return evaluate_binding_quietly(runner, name->from, &value) ? bindings_number(value)
                                                                : RUN_NO_HANDLE;
}

/* app, dev and ctx come when they are needed, and a loop declares a name again and again; one name
   cannot mean two of them. */
static bool is_there(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = bindings_number(bindings_of_word(runner, statement->name));
    if (!handle || vidmm_object_kind(runner->adapter, handle) == VIDMM_OBJECT_NONE)
        return false;
    runner_stop(runner,
                "'%s' is there already: a statement before this one declared it or needed it; "
                "declare it ahead of that one, destroy it first, or take another name",
                runner_word(runner, statement->name));
    return true;
}

void run_setup_process(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    if (is_there(runner, statement))
        return;
    const struct vidmm_process_args args = {
        .label = runner_word(runner, statement->name),
        .secure = attribute_find(statement, ATTRIBUTE_PROCESS_SECURE),
    };
    vidmm_status status = vidmm_process_create_with(runner->adapter, &args, &handle);
    if (status >= 0)
        run_start_made(runner, OBJECT_PROCESS, statement->name, handle);
    run_outcome(runner, statement, status);
}

void run_setup_device(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    if (is_there(runner, statement))
        return;
    vidmm_handle process =
        run_start_owner(runner, statement, ATTRIBUTE_DEVICE_PROCESS, OBJECT_PROCESS);
    run_buffers(runner, statement);
    vidmm_status status = vidmm_device_create(runner->adapter, runner_word(runner, statement->name),
                                              process, &handle);
    if (status >= 0)
        run_start_made(runner, OBJECT_DEVICE, statement->name, handle);
    run_outcome(runner, statement, status);
}

void run_setup_context(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    uint64_t node = 0;
    if (is_there(runner, statement))
        return;
    const struct item *on = attribute_items(statement, ATTRIBUTE_CONTEXT_NODE);
    vidmm_handle device =
        run_start_owner(runner, statement, ATTRIBUTE_CONTEXT_DEVICE, OBJECT_DEVICE);
    if (on && !run_gpu_node(runner, on->from, &node))
        return;
    const struct vidmm_context_args args = {
        .label = runner_word(runner, statement->name),
        .device = device,
        .node = (uint32_t)min_u64(node, UINT32_MAX),
        .gdi = attribute_find(statement, ATTRIBUTE_CONTEXT_GDI_CONTEXT),
    };
    run_buffers(runner, statement);
    vidmm_status status = vidmm_context_create_with(runner->adapter, &args, &handle);
    if (status >= 0)
        run_start_made(runner, OBJECT_CONTEXT, statement->name, handle);
    run_outcome(runner, statement, status);
}

void run_setup_sysmem(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    struct vidmm_allocation_view view = { 0 };
    vidmm_handle of = named_handle(runner, statement, ATTRIBUTE_SYSMEM_OF);
    bool known = of && vidmm_allocation_view(runner->adapter, of, &view);
    struct vidmm_system_range_args args = {
        .label = runner_word(runner, statement->name),
        .bytes = known ? view.bytes : 0,
        .kernel = attribute_find(statement, ATTRIBUTE_SYSMEM_KERNEL),
        .cached = attribute_find(statement, ATTRIBUTE_SYSMEM_CACHED),
        .uncached = attribute_find(statement, ATTRIBUTE_SYSMEM_UNCACHED),
        .section = attribute_find(statement, ATTRIBUTE_SYSMEM_SECTION),
        .process = named_handle(runner, statement, ATTRIBUTE_SYSMEM_PROCESS),
        .of = of,
    };
    if (!evaluate_optional(runner, statement, ATTRIBUTE_SYSMEM_SIZE, &args.bytes) ||
        !evaluate_optional(runner, statement, ATTRIBUTE_SYSMEM_OFFSET, &args.misaligned))
        return;
    vidmm_status status = vidmm_system_range_create(runner->adapter, &args, &handle);
    if (status >= 0)
        bindings_name(runner, statement->name, OBJECT_SYSMEM, handle);
    run_outcome(runner, statement, status);
}

/* ---- values ---------------------------------------------------------------------------------- */

void run_setup_class(struct runner *runner, const struct statement *statement)
{
    BASE_GROW(runner->steps->classes, runner->steps->class_capacity,
              runner->steps->class_count + 1);
    runner->steps->classes[runner->steps->class_count] = statement;
    bindings_name(runner, statement->name, OBJECT_CLASS, (uint32_t)runner->steps->class_count++);
}

void run_setup_seed(struct runner *runner, const struct statement *statement)
{
    uint64_t seed = 0;
    if (runner->options->has_seed || !evaluate_or_stop(runner, statement->value, &seed))
        return;
    runner->seed = seed;
    evaluate_seed(runner);
}

void run_setup_let(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    if (!evaluate_or_stop(runner, statement->value, &value))
        return;
    evaluate_set_variable(runner, statement->name, value);
    if (statement->kind == STATEMENT_PARAM && runner->options->tell_params)
        runner_tell_param(runner, value);
}

/* The words are those of the settings. */
void run_setup_policy(struct runner *runner, const struct statement *statement)
{
    uint64_t *settings = runner->config.settings.value;
    for (const struct attribute *at = statement->attributes; at; at = at->next)
        evaluate_choice(
            runner, at,
            &settings[at->row->id == ATTRIBUTE_POLICY_PLACEMENT ? VIDMM_SETTING_PLACEMENT
                                                                : VIDMM_SETTING_EVICTION]);
}

void run_setup_limit(struct runner *runner, const struct statement *statement)
{
    const struct scenario_limits *forced = &runner->options->limits;
    struct scenario_limits *limits = &runner->limits;
    if (!forced->operations)
        evaluate_optional(runner, statement, ATTRIBUTE_LIMIT_OPS, &limits->operations);
    if (!forced->work)
        evaluate_optional(runner, statement, ATTRIBUTE_LIMIT_WORK, &limits->work);
    if (!forced->live)
        evaluate_optional(runner, statement, ATTRIBUTE_LIMIT_LIVE, &limits->live);
    if (!forced->time)
        evaluate_optional(runner, statement, ATTRIBUTE_LIMIT_TIME, &limits->time);
    if (!forced->memory_bytes)
        evaluate_optional(runner, statement, ATTRIBUTE_LIMIT_MEMORY, &limits->memory_bytes);
    limits_hold(runner);
}
