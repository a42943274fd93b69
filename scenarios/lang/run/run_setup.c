/* SPDX-License-Identifier: MIT */
/* run_setup.c: machine, adapter, segments, nodes, owners, values. */
#include "scenarios/lang/run/statements.h"

#include <string.h>

static const char *setup_text_of(const struct runner *runner, struct place place, char *text,
                                 size_t size)
{
    snprintf(text, size, "%.*s", (int)place.length,
             runner->scenario->sources[place.source]->text + place.offset);
    return text;
}

/* The value of an attribute, or `otherwise`. */
static uint64_t value_or(struct runner *runner, const struct statement *statement,
                         enum attribute_id id, uint64_t otherwise)
{
    uint64_t value = 0;
    return evaluate_attribute(runner, statement, id, &value) ? value : otherwise;
}

static size_t word_index(const struct runner *runner, const struct attribute *attribute)
{
    size_t index = SIZE_MAX;
    const struct expr *expr = attribute->items->from;
    bool found = expr->kind == EXPR_NAME && attribute->row->words &&
                 word_list_has(attribute->row->words, runner_word(runner, expr->name), &index);
    return found ? index : SIZE_MAX;
}

/* ---- adapter --------------------------------------------------------------------------------- */

static void set_setting(struct runner *runner, const struct attribute *attribute)
{
    uint64_t value = word_index(runner, attribute);
    const char *why = "";
    if (value == SIZE_MAX &&
        !runner_stop_unless(runner, evaluate(runner, attribute->items->from, &value)))
        return;
    if (!vidmm_setting_store(&runner->config.settings, (size_t)attribute->row->argument, value,
                             &why))
        runner_stop(runner, "%s", why);
}

void run_setup_adapter(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        if (at->row->argument < ATTRIBUTE_CAP)
            set_setting(runner, at);
        else if (runner_stop_unless(runner, evaluate_item(runner, at, at->items, &value)))
            vidmm_mock_cap_set(&runner->mock_config, at->row->name, value);
    }
}

void run_setup_machine(struct runner *runner, const struct statement *statement)
{
    const struct attribute *commit = attribute_find(statement, ATTRIBUTE_MACHINE_COMMIT);
    struct vidmm_machine *machine = &runner->config.machine;
    machine->memory_bytes =
        value_or(runner, statement, ATTRIBUTE_MACHINE_MEMORY, machine->memory_bytes);
    if (commit && word_index(runner, commit) != SIZE_MAX)
        machine->commit_bytes = 0; /* none */
    else if (commit)
        machine->commit_bytes = value_or(runner, statement, ATTRIBUTE_MACHINE_COMMIT, 0);
    const struct attribute *agp = attribute_find(statement, ATTRIBUTE_MACHINE_AGP);
    if (agp && word_index(runner, agp) != SIZE_MAX)
        machine->agp_bytes = 0; /* none */
    else if (agp)
        machine->agp_bytes = value_or(runner, statement, ATTRIBUTE_MACHINE_AGP, 0);
}

void run_setup_link(struct runner *runner, const struct statement *statement)
{
    uint64_t count = value_or(runner, statement, ATTRIBUTE_LINK_ADAPTERS, 1);
    if (!count || count > VIDMM_LINK_MAX)
        runner_stop(runner, "a link has 1 to %d adapters", VIDMM_LINK_MAX);
    else
        runner->config.link_adapters = (uint32_t)count;
}

/* ---- segments -------------------------------------------------------------------------------- */

static uint32_t segment_flags(const struct runner *runner, const struct statement *statement)
{
    static const uint32_t kinds[] = { 0, 0x1, 0x2 }; /* memory, Aperture, Agp */
    const struct attribute *kind = attribute_find(statement, ATTRIBUTE_SEGMENT_KIND);
    const struct attribute *flags = attribute_find(statement, ATTRIBUTE_SEGMENT_FLAGS);
    uint32_t value = kinds[word_index(runner, kind)];
    for (const struct item *item = flags ? flags->items : NULL; item; item = item->next) {
        uint64_t number = 0;
        const struct vidmm_flag *flag =
            item->from->kind == EXPR_NAME
                ? vidmm_flag_by_name(VIDMM_FLAGS_SEGMENT, runner_word(runner, item->from->name))
                : NULL;
        if (flag)
            value |= flag->value;
        else if (evaluate_quietly(runner, item->from, &number))
            value |= (uint32_t)number;
    }
    return value;
}

static void set_banks(struct runner *runner, const struct statement *statement,
                      struct vidmm_mock_segment *segment)
{
    const struct attribute *banks = attribute_find(statement, ATTRIBUTE_SEGMENT_BANKS);
    for (const struct item *item = banks ? banks->items : NULL; item; item = item->next) {
        if (segment->bank_ends == ARRAY_COUNT(segment->banks)) {
            runner_stop(runner, "a segment has at most %d banks", VIDMM_BANKS_MAX);
            return;
        }
        if (!evaluate(runner, item->from, &segment->banks[segment->bank_ends++]))
            runner_stop(runner, "%s", runner->problem);
    }
    if (banks)
        segment->flags |= 0x8; /* UseBanking */
    segment->bank_count =
        (uint32_t)value_or(runner, statement, ATTRIBUTE_SEGMENT_NB_OF_BANKS, segment->bank_ends);
}

/* MINI-016: what of the segment is broken. */
static void set_invalid(struct runner *runner, const struct statement *statement,
                        struct vidmm_mock_segment *segment)
{
    const struct attribute *ranges = attribute_find(statement, ATTRIBUTE_SEGMENT_INVALID);
    uint64_t end = 0;
    segment->invalid_count = 0;
    for (const struct item *item = ranges ? ranges->items : NULL; item; item = item->next) {
        if (segment->invalid_count == ARRAY_COUNT(segment->invalid)) {
            runner_stop(runner, "a segment has at most %d invalid ranges", VIDMM_MOCK_INVALID_MAX);
            return;
        }
        DXGK_MEMORYRANGE *range = &segment->invalid[segment->invalid_count++];
        if (!evaluate(runner, item->from, &range->SegmentOffset) ||
            !evaluate(runner, item->to, &end))
            runner_stop(runner, "%s", runner->problem);
        range->SizeInBytes = end - range->SegmentOffset;
    }
}

static uint32_t value_32(struct runner *runner, const struct statement *statement,
                         enum attribute_id attribute, uint32_t otherwise)
{
    return (uint32_t)value_or(runner, statement, attribute, otherwise);
}

/* Members that only the fourth form of a descriptor has. */
static void set_version_4(struct runner *runner, const struct statement *statement,
                          struct vidmm_mock_segment *segment)
{
    segment->host_aperture = value_or(runner, statement, ATTRIBUTE_SEGMENT_CPU_HOST_APERTURE, 0);
    segment->vpr_start = value_or(runner, statement, ATTRIBUTE_SEGMENT_VPR_RANGE_START_OFFSET, 0);
    segment->vpr_size = value_or(runner, statement, ATTRIBUTE_SEGMENT_VPR_RANGE_SIZE, 0);
    segment->vpr_alignment = value_32(runner, statement, ATTRIBUTE_SEGMENT_VPR_ALIGNMENT, 0);
    segment->vpr_supported = value_32(runner, statement, ATTRIBUTE_SEGMENT_NUM_VPR_SUPPORTED, 0);
    segment->vpr_reserve = value_32(runner, statement, ATTRIBUTE_SEGMENT_VPR_RESERVE_SIZE, 0);
    segment->uefi_ranges =
        value_32(runner, statement, ATTRIBUTE_SEGMENT_NUM_UEFI_FRAME_BUFFER_RANGES, 0);
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
    struct vidmm_mock_segment *segment = &runner->segments[index];
    segment->flags = segment_flags(runner, statement);
    segment->size = value_or(runner, statement, ATTRIBUTE_SEGMENT_SIZE, 0);
    segment->base = value_or(runner, statement, ATTRIBUTE_SEGMENT_BASE, default_base(runner));
    /* The size that is written down for an AGP segment is not the one it gets (SEG-016). */
    uint64_t limit = segment->flags & VIDMM_SEGMENT_Agp ? 0 : segment->size;
    segment->commit_limit = value_or(runner, statement, ATTRIBUTE_SEGMENT_COMMIT, limit);
    bool visible = (segment->flags & 0x5) == 0x4 || /* CpuVisible memory */
                   (segment->flags & VIDMM_SEGMENT_SupportsCpuHostAperture);
    segment->cpu_base = value_or(runner, statement, ATTRIBUTE_SEGMENT_CPU_BASE,
                                 visible ? segment->base + 0x1000000000 : 0);
    segment->system_memory_end =
        value_or(runner, statement, ATTRIBUTE_SEGMENT_SYSTEM_MEMORY_END_ADDRESS, 0);
    set_version_4(runner, statement, segment);
    set_banks(runner, statement, segment);
    set_invalid(runner, statement, segment);
    if (index + 1 < ARRAY_COUNT(runner->config.segment_names))
        runner->config.segment_names[index + 1] = runner_word(runner, statement->name);
    runner->mock_config.segment_count = index + 1;
    bindings_name(runner, statement->name, bindings_make(OBJECT_SEGMENT, 0, index + 1));
}

void run_setup_paging_buffer(struct runner *runner, const struct statement *statement)
{
    struct vidmm_mock_config *mock = &runner->mock_config;
    const struct attribute *segment = attribute_find(statement, ATTRIBUTE_PAGING_BUFFER_SEGMENT);
    if (segment)
        mock->paging_buffer_segment =
            bindings_number(bindings_of_word(runner, segment->items->from->name));
    mock->paging_buffer_bytes =
        value_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_SIZE, mock->paging_buffer_bytes);
    mock->paging_buffer_private_bytes = value_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_PRIVATE,
                                                 mock->paging_buffer_private_bytes);
    runner->config.paging_buffers =
        value_32(runner, statement, ATTRIBUTE_PAGING_BUFFER_COUNT, runner->config.paging_buffers);
}

/* ---- nodes, miniport ------------------------------------------------------------------------- */

void run_setup_node(struct runner *runner, const struct statement *statement)
{
    uint64_t number = 0;
    const struct attribute *name = attribute_find(statement, ATTRIBUTE_NODE_NAME);
    if (!runner_stop_unless(runner, evaluate(runner, statement->value, &number)))
        return;
    runner->nodes_declared =
        (uint32_t)max_u64(runner->nodes_declared, min_u64(number, VIDMM_NODES_MAX) + 1);
    runner->mock_config.nodes = runner->nodes_declared;
    if (number < VIDMM_NODES_MAX)
        runner->config.node_names[number] = runner_word(runner, name->items->from->name);
    bindings_name(runner, name->items->from->name, bindings_make(OBJECT_NODE, 0, (uint32_t)number));
    if (attribute_find(statement, ATTRIBUTE_NODE_PAGING))
        runner->mock_config.caps[VIDMM_MOCK_CAP_PagingNode] = number;
}

void run_setup_miniport(struct runner *runner, const struct statement *statement)
{
    char value[128];
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        const char *given =
            at->text.length ? setup_text_of(runner, at->text, value, sizeof value) : NULL;
        if (!vidmm_mock_switch_set(runner->mock_config.switches, at->row->name, given))
            runner_stop(runner, "'%s' cannot be set like this", at->row->name);
    }
}

/* ---- owners ---------------------------------------------------------------------------------- */

static vidmm_handle named_handle(const struct runner *runner, const struct statement *statement,
                                 enum attribute_id id, vidmm_handle otherwise)
{
    const struct attribute *attribute = attribute_find(statement, id);
    if (!attribute)
        return otherwise;
    binding value = bindings_of_word(runner, attribute->items->from->name);
    return value ? bindings_number(value) : RUN_NO_HANDLE;
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
    if (status >= 0) {
        runner->process = handle;
        bindings_name(runner, statement->name, bindings_make(OBJECT_PROCESS, 0, handle));
    }
    run_outcome(runner, statement, status);
}

void run_setup_device(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    if (is_there(runner, statement))
        return;
    vidmm_handle process = named_handle(runner, statement, ATTRIBUTE_DEVICE_PROCESS, 0);
    if (!process)
        process = run_start_process(runner);
    run_buffers(runner, statement);
    vidmm_status status = vidmm_device_create(runner->adapter, runner_word(runner, statement->name),
                                              process, &handle);
    if (status >= 0) {
        runner->device = handle;
        BASE_GROW(runner->devices, runner->device_capacity, runner->device_count + 1);
        runner->devices[runner->device_count++] = handle;
        bindings_name(runner, statement->name, bindings_make(OBJECT_DEVICE, 0, handle));
    }
    run_outcome(runner, statement, status);
}

static bool find_node(struct runner *runner, const struct statement *statement, uint64_t *node)
{
    const struct attribute *attribute = attribute_find(statement, ATTRIBUTE_CONTEXT_NODE);
    *node = 0;
    if (!attribute)
        return true;
    const struct expr *expr = attribute->items->from;
    if (expr->kind == EXPR_NAME) {
        *node = bindings_number(bindings_of_word(runner, expr->name));
        return true;
    }
    return runner_stop_unless(runner, evaluate(runner, expr, node));
}

void run_setup_context(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    uint64_t node = 0;
    if (is_there(runner, statement))
        return;
    vidmm_handle device = named_handle(runner, statement, ATTRIBUTE_CONTEXT_DEVICE, 0);
    if (!device)
        device = run_start_device(runner);
    if (!find_node(runner, statement, &node))
        return;
    const struct vidmm_context_args args = {
        .label = runner_word(runner, statement->name),
        .device = device,
        .node = (uint32_t)min_u64(node, UINT32_MAX),
        .gdi = attribute_find(statement, ATTRIBUTE_CONTEXT_GDI_CONTEXT),
    };
    run_buffers(runner, statement);
    vidmm_status status = vidmm_context_create_with(runner->adapter, &args, &handle);
    if (status >= 0) {
        runner->context = handle;
        bindings_name(runner, statement->name, bindings_make(OBJECT_CONTEXT, 0, handle));
    }
    run_outcome(runner, statement, status);
}

void run_setup_sysmem(struct runner *runner, const struct statement *statement)
{
    vidmm_handle handle = 0;
    struct vidmm_allocation_view view = { 0 };
    vidmm_handle of = named_handle(runner, statement, ATTRIBUTE_SYSMEM_OF, 0);
    bool known = of && vidmm_allocation_view(runner->adapter, of, &view);
    struct vidmm_system_range_args args = {
        .label = runner_word(runner, statement->name),
        .bytes = value_or(runner, statement, ATTRIBUTE_SYSMEM_SIZE, known ? view.bytes : 0),
        .misaligned = value_or(runner, statement, ATTRIBUTE_SYSMEM_OFFSET, 0),
        .kernel = attribute_find(statement, ATTRIBUTE_SYSMEM_KERNEL),
        .cached = attribute_find(statement, ATTRIBUTE_SYSMEM_CACHED),
        .uncached = attribute_find(statement, ATTRIBUTE_SYSMEM_UNCACHED),
        .section = attribute_find(statement, ATTRIBUTE_SYSMEM_SECTION),
        .process = named_handle(runner, statement, ATTRIBUTE_SYSMEM_PROCESS, 0),
        .of = of,
    };
    vidmm_status status = vidmm_system_range_create(runner->adapter, &args, &handle);
    if (status >= 0)
        bindings_name(runner, statement->name, bindings_make(OBJECT_SYSMEM, 0, handle));
    run_outcome(runner, statement, status);
}

/* ---- values ---------------------------------------------------------------------------------- */

void run_setup_class(struct runner *runner, const struct statement *statement)
{
    BASE_GROW(runner->classes, runner->class_capacity, runner->class_count + 1);
    runner->classes[runner->class_count] = statement;
    bindings_name(runner, statement->name,
                  bindings_make(OBJECT_CLASS, 0, (uint32_t)runner->class_count++));
}

void run_setup_seed(struct runner *runner, const struct statement *statement)
{
    uint64_t seed = 0;
    if (runner->options->has_seed ||
        !runner_stop_unless(runner, evaluate(runner, statement->value, &seed)))
        return;
    runner->seed = seed;
    evaluate_seed(runner);
}

void run_setup_let(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    if (runner_stop_unless(runner, evaluate(runner, statement->value, &value)))
        evaluate_set_variable(runner, statement->name, value);
}

/* Victims leave in one order only: `eviction` has one word, and nothing to choose. */
void run_setup_policy(struct runner *runner, const struct statement *statement)
{
    const struct attribute *placement = attribute_find(statement, ATTRIBUTE_POLICY_PLACEMENT);
    if (placement)
        runner->config.placement = runner_word(runner, placement->items->from->name);
}

void run_setup_limit(struct runner *runner, const struct statement *statement)
{
    const struct scenario_limits *forced = &runner->options->limits;
    struct scenario_limits *limits = &runner->limits;
    if (!forced->operations)
        limits->operations = value_or(runner, statement, ATTRIBUTE_LIMIT_OPS, limits->operations);
    if (!forced->work)
        limits->work = value_or(runner, statement, ATTRIBUTE_LIMIT_WORK, limits->work);
    if (!forced->live)
        limits->live = value_or(runner, statement, ATTRIBUTE_LIMIT_LIVE, limits->live);
    if (!forced->time)
        limits->time = value_or(runner, statement, ATTRIBUTE_LIMIT_TIME, limits->time);
    if (!forced->memory_bytes)
        limits->memory_bytes =
            value_or(runner, statement, ATTRIBUTE_LIMIT_MEMORY, limits->memory_bytes);
    limits_hold(runner);
}
