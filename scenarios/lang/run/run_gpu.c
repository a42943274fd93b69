/* SPDX-License-Identifier: MIT */
/*
 * run_gpu.c: submissions, waits, time, faults, settings.
 *
 * In a plain submission element 0 of the list is NULL and element i has one patch location of its
 * own: slot i - 1, at 16 times i, SplitOffset 0. With `with` the lines say all of that, and what
 * only the lists name stands in the allocation list without a location (PAGE-002).
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

enum { SLOT_BYTES = 16 };
#define DEFAULT_COST 1000000u

/* ---- submit ---------------------------------------------------------------------------------- */

enum gpu_access { GPU_READS, GPU_WRITES };

static void add_use(struct runner *runner, vidmm_handle allocation, enum gpu_access access)
{
    BASE_GROW(runner->uses, runner->use_capacity, runner->use_count + 1);
    runner->uses[runner->use_count++] =
        (struct vidmm_use){ .allocation = allocation, .write = access == GPU_WRITES };
}

static void add_patch(struct runner *runner, const struct vidmm_patch *patch)
{
    BASE_GROW(runner->patches, runner->patch_capacity, runner->patch_count + 1);
    runner->patches[runner->patch_count++] = *patch;
}

static bool add_list(struct runner *runner, const struct statement *statement, enum attribute_id id,
                     enum gpu_access access)
{
    const struct attribute *list = attribute_find(statement, id);
    runner->target_count = 0;
    if (list && !evaluate_targets(runner, list->items))
        return false;
    for (size_t i = 0; i < runner->target_count; i++) {
        uint32_t index = (uint32_t)runner->use_count;
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

static bool gpu_value_of(struct runner *runner, const struct expr *expr, uint32_t *value)
{
    uint64_t wide = 0;
    if (!runner_stop_unless(runner, evaluate_32(runner, expr, &wide)))
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* Elements come in the order in which the lines name their allocations first. */
static bool gpu_find_element(struct runner *runner, const struct statement *line, uint32_t *index)
{
    binding named = evaluate_binding(runner, line->subjects->from);
    vidmm_handle handle = named ? bindings_number(named) : RUN_NO_HANDLE;
    size_t i = 1;
    while (i < runner->use_count && runner->uses[i].allocation != handle)
        i++;
    if (i == VIDMM_LIST_MAX)
        return runner_stop(runner, "a submission names at most %d allocations", VIDMM_LIST_MAX - 1);
    if (i == runner->use_count)
        add_use(runner, handle, GPU_READS);
    runner->uses[i].write = runner->uses[i].write || line->mode == MODE_WRITE;
    *index = (uint32_t)i;
    return true;
}

static bool gpu_add_line(struct runner *runner, const struct statement *line)
{
    struct vidmm_patch patch = { 0 };
    const struct attribute *split = attribute_find(line, ATTRIBUTE_AT_SPLIT);
    const struct attribute *offset = attribute_find(line, ATTRIBUTE_AT_OFFSET);
    if (!gpu_value_of(runner, line->value, &patch.patch_offset) ||
        !gpu_value_of(runner, line->extra, &patch.slot))
        return false;
    patch.split_offset = patch.patch_offset;
    if (split && !gpu_value_of(runner, split->items->from, &patch.split_offset))
        return false;
    if (offset && !gpu_value_of(runner, offset->items->from, &patch.allocation_offset))
        return false;
    if (line->subjects && !gpu_find_element(runner, line, &patch.allocation_index))
        return false;
    add_patch(runner, &patch);
    return true;
}

/* The names of `keep` and `offer` have to be among those before. */
static struct vidmm_use *find_use(const struct runner *runner, binding target)
{
    size_t element = 1;
    while (element < runner->use_count &&
           runner->uses[element].allocation != bindings_number(target))
        element++;
    return element < runner->use_count ? &runner->uses[element] : NULL;
}

/* DoNotRetireInstance is a bit of a list element. */
static bool add_keep(struct runner *runner, const struct statement *statement)
{
    const struct attribute *list = attribute_find(statement, ATTRIBUTE_SUBMIT_KEEP);
    runner->target_count = 0;
    if (list && !evaluate_targets(runner, list->items))
        return false;
    for (size_t i = 0; i < runner->target_count; i++) {
        struct vidmm_use *use = find_use(runner, runner->targets[i]);
        if (!use)
            return runner_stop(runner, "keep= names what the submission does not use");
        use->keep = true;
    }
    return true;
}

/* OfferPriority is a bit field of a list element, too. */
static bool add_offers(struct runner *runner, const struct statement *statement)
{
    const struct attribute *list = attribute_find(statement, ATTRIBUTE_SUBMIT_OFFER);
    for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
        const struct item one = { .from = item->from };
        size_t priority = 0;
        (void)word_list_has(OFFER_WORDS, runner_word(runner, item->suffix), &priority);
        runner->target_count = 0;
        if (!evaluate_targets(runner, &one))
            return false;
        for (size_t i = 0; i < runner->target_count; i++) {
            struct vidmm_use *use = find_use(runner, runner->targets[i]);
            if (!use)
                return runner_stop(runner, "offer= names what the submission does not use");
            use->offer = (uint32_t)priority;
        }
    }
    return true;
}

static bool add_all(struct runner *runner, const struct statement *statement)
{
    runner->use_count = runner->patch_count = 0;
    add_use(runner, 0, GPU_READS);
    if (!add_list(runner, statement, ATTRIBUTE_SUBMIT_READ, GPU_READS) ||
        !add_list(runner, statement, ATTRIBUTE_SUBMIT_WRITE, GPU_WRITES))
        return false;
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (!gpu_add_line(runner, line))
            return false;
    }
    return add_keep(runner, statement) && add_offers(runner, statement);
}

static bool read_command(struct runner *runner, const struct statement *statement,
                         struct vidmm_mock_command *command)
{
    uint64_t bytes = 0;
    const struct attribute *cost = attribute_find(statement, ATTRIBUTE_SUBMIT_COST);
    const struct attribute *length = attribute_find(statement, ATTRIBUTE_SUBMIT_BYTES);
    command->cost_ns = DEFAULT_COST;
    if (cost && cost->items->from->kind == EXPR_NAME)
        command->flags |= VIDMM_MOCK_COMMAND_HANG;
    else if (cost &&
             !runner_stop_unless(runner, evaluate(runner, cost->items->from, &command->cost_ns)))
        return false;
    if (length && !runner_stop_unless(runner, evaluate_item(runner, length, length->items, &bytes)))
        return false;
    command->bytes = (uint32_t)bytes;
    return true;
}

static const char *label_of(struct runner *runner, const struct expr *target, char *text,
                            size_t size)
{
    if (target->kind == EXPR_HANDLE)
        snprintf(text, size, "@%" PRIu64, expr_number(target, runner->numbers));
    else if (target->name == runner->scenario->word_auto ||
             target->name == runner->scenario->word_new)
        snprintf(text, size, "auto%" PRIu64, ++runner->fresh);
    else
        snprintf(text, size, "%.79s", runner_word(runner, target->name));
    return text;
}

static void bind_submission(struct runner *runner, const struct expr *target,
                            struct vidmm_submission submission)
{
    uint64_t index = 0;
    binding value = bindings_make(OBJECT_SUBMISSION, submission.node, submission.fence);
    if (target->kind == EXPR_HANDLE)
        bindings_set(runner, true, expr_number(target, runner->numbers), value);
    else if (target->name == runner->scenario->word_auto ||
             target->name == runner->scenario->word_new)
        return;
    else if (!target->left)
        bindings_name(runner, target->name, value);
    else if (evaluate(runner, target->left, &index) && index <= NAME_INDEX_MAX)
        bindings_set(runner, false, name_key_member(target->name, (uint32_t)index), value);
    else
        runner_stop(runner, "there is no such member");
}

/* What the statement says, else enough for the slots that the mock is going to write. */
static uint32_t room_wanted(struct runner *runner, const struct statement *statement,
                            vidmm_handle context)
{
    struct vidmm_context_view view;
    uint64_t wanted = (runner->use_count + 1) * SLOT_BYTES;
    const struct attribute *room = attribute_find(statement, ATTRIBUTE_SUBMIT_DMA_BUFFER_SIZE);
    if (room && !evaluate_item(runner, room, room->items, &wanted))
        runner_stop(runner, "%s", runner->problem);
    else if (!room &&
             (statement->opens || attribute_find(statement, ATTRIBUTE_SUBMIT_PRESENT) ||
              !vidmm_context_view(runner->adapter, context, &view) || wanted <= view.dma_bytes))
        return 0;
    return (uint32_t)min_u64(wanted, UINT32_MAX);
}

/* 0: all of them. What a link does not have is refused by the call. */
static bool read_adapters(struct runner *runner, const struct statement *statement,
                          uint32_t *adapters)
{
    const struct attribute *list = attribute_find(statement, ATTRIBUTE_SUBMIT_ADAPTERS);
    for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
        uint64_t first = 0;
        uint64_t last = 0;
        if (item->from->kind == EXPR_NAME)
            return true;
        bool known = evaluate(runner, item->from, &first);
        last = first;
        known = known && (!item->to || evaluate(runner, item->to, &last));
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

void run_gpu_submit(struct runner *runner, const struct statement *statement)
{
    char label[80];
    struct vidmm_mock_command command = { 0 };
    struct vidmm_submission submission = { 0 };
    const struct expr *target = statement->subjects->from;
    const struct attribute *context = attribute_find(statement, ATTRIBUTE_SUBMIT_CTX);
    struct vidmm_work work = { .command = &command, .command_bytes = sizeof command };
    struct vidmm_present_args present = { .data = &command, .data_bytes = sizeof command };
    bool presents = attribute_find(statement, ATTRIBUTE_SUBMIT_PRESENT) != NULL;
    work.context = context ? run_start_named_context(runner, context->items->from->name)
                           : run_start_context(runner);
    if (!work.context)
        run_missing_note(runner, target); /* the context was refused */
    if (!work.context || !add_all(runner, statement) ||
        !read_command(runner, statement, &command) ||
        !read_adapters(runner, statement, &work.adapters))
        return;
    work.label = label_of(runner, target, label, sizeof label);
    work.uses = runner->uses;
    work.use_count = runner->use_count;
    work.patches = runner->patches;
    work.patch_count = runner->patch_count;
    work.null_rendering = attribute_find(statement, ATTRIBUTE_SUBMIT_NULL_RENDERING) != NULL;
    work.dma_bytes = room_wanted(runner, statement, work.context);
    if (presents && !run_present_read(runner, statement, &work, &present))
        return;
    vidmm_status status = presents ? vidmm_present(runner->adapter, &present, &submission)
                                   : vidmm_submit(runner->adapter, &work, &submission);
    if (status >= 0)
        bind_submission(runner, target, submission);
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
    if (!runner_stop_unless(runner, evaluate(runner, statement->value, &duration)))
        return;
    if (duration >= VIDMM_NEVER - vidmm_now(runner->adapter)) {
        runner_stop(runner, "virtual time ends before that");
        return;
    }
    run_outcome(runner, statement, vidmm_advance(runner->adapter, duration));
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
    snprintf(value, sizeof value, "%.*s", (int)at->text.length,
             runner->scenario->sources[at->text.source]->text + at->text.offset);
    if (!vidmm_mock_switch_set(switches, at->row->name, at->text.length ? value : NULL))
        runner_stop(runner, "'%s' cannot be set like this", at->row->name);
}

void run_gpu_set(struct runner *runner, const struct statement *statement)
{
    size_t index = 0;
    uint64_t value = 0;
    const struct attribute *at = statement->attributes;
    const struct expr *expr = at->items->from;
    bool named = expr->kind == EXPR_NAME && at->row->words &&
                 word_list_has(at->row->words, runner_word(runner, expr->name), &index);
    if (named) {
        value = index;
    } else if (!runner_stop_unless(runner, evaluate(runner, expr, &value)))
        return;
    vidmm_status status = vidmm_set(runner->adapter, (size_t)at->row->argument, value);
    if (status >= 0 && at->row->argument == VIDMM_SETTING_APERTURE)
        vidmm_mock_set_aperture(runner->mock, value == 1); /* the miniport's own habit */
    run_outcome(runner, statement, status);
}
