/* SPDX-License-Identifier: MIT */
/*
 * run_gpu.c: submissions, presents, waits, time, recovery, faults, settings.
 *
 * In a plain submission element 0 of the list is NULL and element i has one patch location of its
 * own: slot i - 1, at 16 times i, SplitOffset 0. With `with` the lines say all of that, and what
 * only the lists name stands in the allocation list without a location (PAGE-002). What a present
 * reads is its source, what it writes its destination.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { SLOT_BYTES = 16 };
#define DEFAULT_COST 1000000u

/* ---- submit ---------------------------------------------------------------------------------- */

enum gpu_access { GPU_READS, GPU_WRITES };

static void add_use(struct runner *runner, vidmm_handle allocation, enum gpu_access access)
{
    BASE_GROW(runner->steps->uses, runner->steps->use_capacity, runner->steps->use_count + 1);
    runner->steps->uses[runner->steps->use_count++] =
        (struct vidmm_use){ .allocation = allocation, .write = access == GPU_WRITES };
}

static void add_patch(struct runner *runner, const struct vidmm_patch *patch)
{
    BASE_GROW(runner->steps->patches, runner->steps->patch_capacity,
              runner->steps->patch_count + 1);
    runner->steps->patches[runner->steps->patch_count++] = *patch;
}

static bool add_list(struct runner *runner, const struct statement *statement, enum attribute_id id,
                     enum gpu_access access)
{
    runner->target_count = 0;
    if (!evaluate_targets(runner, attribute_items(statement, id)))
        return false;
    for (size_t i = 0; i < runner->target_count; i++) {
        uint32_t index = (uint32_t)runner->steps->use_count;
        struct vidmm_patch patch = { .allocation_index = index,
                                     .slot = index - 1,
                                     .patch_offset = index * SLOT_BYTES };
        if (index >= VIDMM_LIST_MAX)
            return runner_stop(runner, "a submission names at most %d allocations",
                               VIDMM_LIST_MAX - 1);
        add_use(runner, bindings_number(runner->targets[i]), access);
        if (!statement->opens)
            add_patch(runner, &patch);
    }
    return true;
}

static struct vidmm_use *find_use(const struct runner *runner, vidmm_handle allocation)
{
    size_t element = 1;
    while (element < runner->steps->use_count &&
           runner->steps->uses[element].allocation != allocation)
        element++;
    return element < runner->steps->use_count ? &runner->steps->uses[element] : NULL;
}

/* Elements come in the order in which the lines name their allocations first. */
static bool gpu_find_element(struct runner *runner, const struct statement *line, uint32_t *index)
{
    vidmm_handle handle = evaluate_handle(runner, line->subjects->from);
    struct vidmm_use *use = find_use(runner, handle);
    if (!use && runner->steps->use_count == VIDMM_LIST_MAX)
        return runner_stop(runner, "a submission names at most %d allocations", VIDMM_LIST_MAX - 1);
    if (!use) {
        add_use(runner, handle, GPU_READS);
        use = &runner->steps->uses[runner->steps->use_count - 1];
    }
    use->write = use->write || line->mode == MODE_WRITE;
    *index = (uint32_t)(use - runner->steps->uses);
    return true;
}

static bool gpu_add_line(struct runner *runner, const struct statement *line)
{
    struct vidmm_patch patch = { 0 };
    const struct item *split = attribute_items(line, ATTRIBUTE_AT_SPLIT);
    const struct item *offset = attribute_items(line, ATTRIBUTE_AT_OFFSET);
    bool known = evaluate_32(runner, line->value, &patch.patch_offset) &&
                 evaluate_32(runner, line->extra, &patch.slot);
    patch.split_offset = patch.patch_offset;
    known = known && (!split || evaluate_32(runner, split->from, &patch.split_offset)) &&
            (!offset || evaluate_32(runner, offset->from, &patch.allocation_offset));
    if (!runner_stop_unless(runner, known) ||
        (line->subjects && !gpu_find_element(runner, line, &patch.allocation_index)))
        return false;
    add_patch(runner, &patch);
    return true;
}

/* The names of `keep` and `offer` have to be among those before. DoNotRetireInstance is a bit of a
   list element, OfferPriority a bit field; `priority` is NULL for the bit. */
static bool set_uses(struct runner *runner, const struct item *names, const uint32_t *priority)
{
    runner->target_count = 0;
    if (!evaluate_targets(runner, names))
        return false;
    for (size_t i = 0; i < runner->target_count; i++) {
        struct vidmm_use *use = find_use(runner, bindings_number(runner->targets[i]));
        if (!use)
            return runner_stop(runner, "%s= names what the submission does not use",
                               priority ? "offer" : "keep");
        if (priority)
            use->offer = *priority;
        else
            use->keep = true;
    }
    return true;
}

static bool add_all(struct runner *runner, const struct statement *statement)
{
    runner->steps->use_count = runner->steps->patch_count = 0;
    add_use(runner, 0, GPU_READS);
    if (!add_list(runner, statement, ATTRIBUTE_SUBMIT_READ, GPU_READS) ||
        !add_list(runner, statement, ATTRIBUTE_SUBMIT_WRITE, GPU_WRITES))
        return false;
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (!gpu_add_line(runner, line))
            return false;
    }
    if (!set_uses(runner, attribute_items(statement, ATTRIBUTE_SUBMIT_KEEP), NULL))
        return false;
    for (const struct item *item = attribute_items(statement, ATTRIBUTE_SUBMIT_OFFER); item;
         item = item->next) {
        const struct item one = { .from = item->from };
        size_t index = 0;
        (void)word_list_has(OFFER_WORDS, runner_word(runner, item->suffix), &index);
        const uint32_t priority = (uint32_t)index;
        if (!set_uses(runner, &one, &priority))
            return false;
    }
    return true;
}

static bool read_command(struct runner *runner, const struct statement *statement,
                         struct vidmm_mock_command *command)
{
    const struct item *cost = attribute_items(statement, ATTRIBUTE_SUBMIT_COST);
    command->cost_ns = DEFAULT_COST;
    if (cost && cost->from->kind == EXPR_NAME)
        command->flags |= VIDMM_MOCK_COMMAND_HANG;
    else if (cost && !evaluate_or_stop(runner, cost->from, &command->cost_ns))
        return false;
    return evaluate_optional_32(runner, statement, ATTRIBUTE_SUBMIT_BYTES, &command->bytes);
}

static bool is_nameless(const struct runner *runner, const struct expr *target)
{
    return target->name == runner->scenario->word_auto ||
           target->name == runner->scenario->word_new;
}

/* What it is called, and its index in a family: known before anything is handed over. */
static bool name_submission(struct runner *runner, const struct expr *target, uint64_t *index,
                            char *text, size_t size)
{
    *index = 0;
    if (target->kind == EXPR_HANDLE) {
        *index = expr_number(target, runner->numbers);
        snprintf(text, size, "@%" PRIu64, *index);
    } else if (is_nameless(runner, target)) {
        snprintf(text, size, "auto%" PRIu64, ++runner->fresh);
    } else if (!target->left) {
        snprintf(text, size, "%.79s", runner_word(runner, target->name));
    } else {
        if (!evaluate_or_stop(runner, target->left, index))
            return false;
        if (*index > NAME_INDEX_MAX)
            return runner_stop(runner, "an index is at most %d", NAME_INDEX_MAX);
        snprintf(text, size, "%.60s[%" PRIu64 "]", runner_word(runner, target->name), *index);
    }
    return true;
}

static void bind_submission(struct runner *runner, const struct expr *target, uint64_t index,
                            struct vidmm_submission submission)
{
    binding value = bindings_make(OBJECT_SUBMISSION, submission.node, submission.fence);
    if (target->kind == EXPR_HANDLE)
        bindings_set(runner, true, index, value);
    else if (!is_nameless(runner, target))
        bindings_set(runner, false, name_key_of(target->name, target->left, (uint32_t)index),
                     value);
}

/* What the statement says, else enough for the slots that the mock is going to write. */
static uint32_t room_wanted(struct runner *runner, const struct statement *statement,
                            vidmm_handle context)
{
    struct vidmm_context_view view;
    uint64_t wanted = (runner->steps->use_count + 1) * SLOT_BYTES;
    if (!attribute_find(statement, ATTRIBUTE_SUBMIT_DMA_BUFFER_SIZE) &&
        (statement->opens || attribute_find(statement, ATTRIBUTE_SUBMIT_PRESENT) ||
         !vidmm_context_view(runner->adapter, context, &view) || wanted <= view.dma_bytes))
        return 0;
    evaluate_optional(runner, statement, ATTRIBUTE_SUBMIT_DMA_BUFFER_SIZE, &wanted);
    return (uint32_t)min_u64(wanted, UINT32_MAX);
}

/* 0: all of them. What a link does not have is refused by the call. */
static bool read_adapters(struct runner *runner, const struct statement *statement,
                          uint32_t *adapters)
{
    for (const struct item *item = attribute_items(statement, ATTRIBUTE_SUBMIT_ADAPTERS); item;
         item = item->next) {
        uint64_t first = 0;
        uint64_t last = 0;
        if (item->from->kind == EXPR_NAME)
            return true;
        bool known = evaluate_ends(runner, item->from, item->to, &first, &last);
        if (known && last < first)
            known = evaluate_problem(runner, "this range runs backwards");
        if (known && last >= VIDMM_LINK_MAX)
            known = evaluate_problem(runner, "a link has no more than %d adapters", VIDMM_LINK_MAX);
        if (!runner_stop_unless(runner, known))
            return false;
        for (uint64_t i = first; i <= last; i++)
            *adapters |= 1u << i;
    }
    return true;
}

/* The first element of this direction; false when there is another one. */
static bool only_one(const struct runner *runner, enum gpu_access access, vidmm_handle *handle)
{
    size_t count = 0;
    for (size_t i = 1; i < runner->steps->use_count; i++) {
        if (runner->steps->uses[i].write != (access == GPU_WRITES))
            continue;
        *handle = runner->steps->uses[i].allocation;
        count++;
    }
    return count <= 1;
}

/* What `present` makes of a submission that is read already. */
static bool read_present(struct runner *runner, const struct statement *statement,
                         const struct vidmm_work *work, struct vidmm_present_args *args)
{
    if (!evaluate_optional_32(runner, statement, ATTRIBUTE_SUBMIT_RECTS, &args->rects))
        return false;
    if (!only_one(runner, GPU_READS, &args->source) ||
        !only_one(runner, GPU_WRITES, &args->destination))
        return runner_stop(runner, "a present reads one allocation at most, and writes one");
    args->label = work->label;
    args->context = work->context;
    args->dma_bytes = work->dma_bytes;
    args->adapters = work->adapters;
    args->null_rendering = work->null_rendering;
    return true;
}

void run_gpu_submit(struct runner *runner, const struct statement *statement)
{
    char label[80];
    uint64_t index;
    struct vidmm_mock_command command = { 0 };
    struct vidmm_submission submission = { 0 };
    const struct expr *target = statement->subjects->from;
    struct vidmm_work work = { .command = &command, .command_bytes = sizeof command };
    struct vidmm_present_args present = { .data = &command, .data_bytes = sizeof command };
    bool presents = attribute_find(statement, ATTRIBUTE_SUBMIT_PRESENT) != NULL;
    work.context = run_start_context(runner, attribute_items(statement, ATTRIBUTE_SUBMIT_CTX));
    if (!work.context)
        run_missing_note(runner, target); /* the context was refused */
    if (!work.context || !add_all(runner, statement) ||
        !read_command(runner, statement, &command) ||
        !read_adapters(runner, statement, &work.adapters) ||
        !name_submission(runner, target, &index, label, sizeof label))
        return;
    work.label = label;
    work.uses = runner->steps->uses;
    work.use_count = runner->steps->use_count;
    work.patches = runner->steps->patches;
    work.patch_count = runner->steps->patch_count;
    work.null_rendering = attribute_find(statement, ATTRIBUTE_SUBMIT_NULL_RENDERING) != NULL;
    work.dma_bytes = room_wanted(runner, statement, work.context);
    if (presents && !read_present(runner, statement, &work, &present))
        return;
    vidmm_status status = presents ? vidmm_present(runner->adapter, &present, &submission)
                                   : vidmm_submit(runner->adapter, &work, &submission);
    if (status >= 0)
        bind_submission(runner, target, index, submission);
    else
        run_missing_note(runner, target);
    run_outcome(runner, statement, status);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Its submission was refused, or never tried: a failure like any other. */
static void wait_for_nothing(struct runner *runner, const struct statement *statement)
{
    char missing[160];
    char details[256];
    if (statement->outcome && statement->outcome->kind == OUTCOME_EITHER)
        return;
    snprintf(details, sizeof details, "there is nothing to wait for: %s",
             run_missing_describe(runner, statement->subjects->from, missing, sizeof missing));
    runner_failed(runner, details);
}

void run_gpu_wait(struct runner *runner, const struct statement *statement)
{
    if (statement->mode == MODE_ALL) {
        run_outcome(runner, statement, vidmm_wait_idle(runner->adapter));
        return;
    }
    binding named = evaluate_binding(runner, statement->subjects->from);
    if (bindings_object(named) != OBJECT_SUBMISSION) {
        wait_for_nothing(runner, statement);
        return;
    }
    struct vidmm_submission submission = { bindings_extra(named), bindings_number(named) };
    run_outcome(runner, statement, vidmm_wait(runner->adapter, submission));
}

void run_gpu_advance(struct runner *runner, const struct statement *statement)
{
    uint64_t duration = 0;
    if (!evaluate_or_stop(runner, statement->value, &duration))
        return;
    if (duration >= VIDMM_NEVER - vidmm_now(runner->adapter)) {
        limits_stop_clock(runner);
        return;
    }
    run_outcome(runner, statement, vidmm_advance(runner->adapter, duration));
}

/* ---- recovery -------------------------------------------------------------------------------- */

void run_accident(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = 0;
    struct vidmm_adapter *adapter = runner->adapter;
    switch ((enum accident)statement->mode) {
#define ACCIDENT(statement, symbol, word, call, help)                                              \
    case ACCIDENT_##symbol:                                                                        \
        status = call;                                                                             \
        break;
#include "scenarios/lang/tables/accidents.def"
#undef ACCIDENT
    case ACCIDENTS: break;
    }
    if (status < 0)
        live_doubt(runner);
    live_sweep(runner);
    run_outcome(runner, statement, status);
}

bool run_gpu_node(struct runner *runner, const struct expr *expr, uint64_t *node)
{
    if (expr->kind != EXPR_NAME)
        return evaluate_or_stop(runner, expr, node);
    *node = bindings_number(bindings_of_word(runner, expr->name));
    return true;
}

void run_preempt(struct runner *runner, const struct statement *statement)
{
    uint64_t node = 0;
    if (!run_gpu_node(runner, statement->value, &node))
        return;
    run_outcome(runner, statement,
                vidmm_preempt(runner->adapter, (uint32_t)min_u64(node, UINT32_MAX)));
}

/* ---- faults and settings --------------------------------------------------------------------- */

void run_gpu_inject(struct runner *runner, const struct statement *statement)
{
    char value[128];
    const struct attribute *at = statement->attributes;
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(runner->mock);
    if (statement->mode == MODE_OFF) {
        for (size_t i = 0; vidmm_mock_switch_name(i); i++) {
            if (strcmp(vidmm_mock_switch_name(i), at->row->name) == 0)
                switches[i] = (struct vidmm_mock_switch_state){ 0 };
        }
        return;
    }
    source_copy(runner->scenario, at->text, value, sizeof value);
    bool known = vidmm_mock_switch_set(switches, at->row->name, at->text.length ? value : NULL);
    CHECK(known);
}

void run_gpu_set(struct runner *runner, const struct statement *statement)
{
    uint64_t value = 0;
    const struct attribute *at = statement->attributes;
    if (!evaluate_choice(runner, at, &value))
        return;
    vidmm_status status = vidmm_set(runner->adapter, (size_t)at->row->argument, value);
    if (status >= 0 && at->row->argument == VIDMM_SETTING_APERTURE)
        vidmm_mock_set_aperture(runner->mock, value == 1); /* the miniport's own habit */
    run_outcome(runner, statement, status);
}
