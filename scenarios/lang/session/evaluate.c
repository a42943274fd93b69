/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c: expressions and targets while a scenario runs, and what they ask the adapter for.
 */
#include "scenarios/lang/session/session.h"

#include <stdarg.h>
#include <string.h>

bool evaluate_problem(struct runner *runner, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(runner->problem, sizeof runner->problem, format, arguments);
    va_end(arguments);
    runner->problem_at = (struct place){ 0 };
    return false;
}

/* ---- what the last call gave back ------------------------------------------------------------ */

void run_out_clear(struct runner *runner)
{
    memset(runner->out.known, 0, sizeof runner->out.known);
    runner->out.result_count = 0;
}

void run_out_set(struct runner *runner, enum out out, uint64_t value)
{
    runner->out.value[out] = value;
    runner->out.known[out] = true;
}

/* A member that is an array: one for each element of the call. */
static bool out_find_element(struct runner *runner, enum out out, const struct expr *index,
                             uint64_t *value)
{
    uint64_t i = 0;
    if (!evaluate(runner, index, &i))
        return false;
    if (i >= runner->out.result_count)
        return evaluate_problem(runner, "the last call had %zu elements, the first is [0]",
                                runner->out.result_count);
    uint32_t result = runner->out.results[i];
    *value = out == OUT_P_DISCARDED ? result != 0 : result;
    return true;
}

static bool out_find(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    const char *name = runner_word(runner, expr->items->from->name);
    for (size_t i = 0; i < OUTS; i++) {
        if (strcmp(out_name(i), name) != 0 || !runner->out.known[i])
            continue;
        const struct expr *index = expr->items->from->left;
        if (index)
            return out_find_element(runner, (enum out)i, index, value);
        *value = runner->out.value[i];
        return true;
    }
    return evaluate_problem(runner, "the last call gave back no '%s'", name);
}

static bool evaluate_random(struct runner *runner, const struct item *items, uint64_t *value)
{
    uint64_t from = 0, to = 0;
    uint64_t step = 1;
    if (!evaluate_ends(runner, items->from, items->to, &from, &to))
        return false;
    if (items->next && !evaluate(runner, items->next->from, &step))
        return false;
    if (to < from || !step)
        return evaluate_problem(runner,
                                "the range %" PRIu64 "..%" PRIu64 " step %" PRIu64
                                " holds no number",
                                from, to, step);
    uint64_t last = (to - from) / step;
    uint64_t rank =
        last == UINT64_MAX ? random_next(&runner->random) : random_below(&runner->random, last + 1);
    *value = from + rank * step;
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

const char *functions_missing(struct runner *runner, const struct expr *target, char *text,
                              size_t size)
{
    if (bindings_number(evaluate_binding(runner, target)) == RUN_NO_HANDLE)
        return run_missing_describe(runner, target, text, size);
    return "there is no such allocation any more";
}

static bool view_allocation(struct runner *runner, const struct expr *expr,
                            struct vidmm_allocation_view *view)
{
    binding subject = evaluate_binding(runner, expr->items->from);
    if (bindings_object(subject) == OBJECT_ALLOCATION &&
        vidmm_allocation_view(runner->adapter, bindings_number(subject), view))
        return true;
    char missing[160];
    return evaluate_problem(runner, "%s",
                            functions_missing(runner, expr->items->from, missing, sizeof missing));
}

static bool call_allocation(struct runner *runner, const struct expr *expr, enum function function,
                            uint64_t *value)
{
    struct vidmm_allocation_view view;
    if (!view_allocation(runner, expr, &view))
        return false;
    bool resident = view.residency == VIDMM_RESIDENCY_RESIDENT;
    switch (function) {
    case FUNCTION_SIZE: *value = view.bytes; break;
    case FUNCTION_INSTANCES: *value = view.instances; break;
    case FUNCTION_PRIORITY: *value = view.priority; break;
    case FUNCTION_OFFSET:
        *value = view.offset;
        if (!resident || !view.segment)
            return evaluate_problem(runner, "it is in no segment and has no offset");
        break;
    default: *value = resident ? view.segment : 0; break;
    }
    return true;
}

static bool call_segment(struct runner *runner, const struct expr *expr, enum function function,
                         uint64_t *value)
{
    struct vidmm_segment_view view;
    binding subject = evaluate_binding(runner, expr->items->from);
    if (bindings_object(subject) != OBJECT_SEGMENT ||
        !vidmm_segment_view(runner->adapter, bindings_number(subject), &view))
        return evaluate_problem(runner, "the adapter did not start with such a segment");
    switch (function) {
    case FUNCTION_SIZE: *value = view.bytes; break;
    case FUNCTION_USED: *value = expr->items->next ? view.pinned : view.used; break;
    case FUNCTION_FREE: *value = view.free_bytes; break;
    case FUNCTION_LARGEST_FREE: *value = view.largest_free; break;
    case FUNCTION_HOLES: *value = view.holes; break;
    default: *value = view.committed; break;
    }
    return true;
}

static bool call_node(struct runner *runner, const struct expr *expr, enum function function,
                      uint64_t *value)
{
    char missing[160];
    struct vidmm_node_view view;
    uint64_t node = 0;
    const struct expr *subject = expr->items->from;
    if (subject->kind == EXPR_NUMBER) {
        node = expr_number(subject, runner->numbers);
    } else {
        binding named = evaluate_binding(runner, subject);
        if (bindings_object(named) == OBJECT_SUBMISSION) {
            *value = bindings_number(named);
            return true;
        }
        if (bindings_number(named) == RUN_NO_HANDLE)
            return evaluate_problem(runner, "%s",
                                    run_missing_describe(runner, subject, missing, sizeof missing));
        node = bindings_number(named);
    }
    if (node >= VIDMM_NODES_MAX || !vidmm_node_view(runner->adapter, (uint32_t)node, &view))
        return evaluate_problem(runner, "the adapter has no such node");
    *value = function == FUNCTION_FENCE ? view.issued : view.completed;
    return true;
}

static bool call_stall(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    if (!expr->items) {
        *value = vidmm_counter(runner->adapter, VIDMM_COUNTER_STALL_NS);
        return true;
    }
    const char *name = runner_word(runner, expr->items->from->name);
    *value = vidmm_stall_of(runner->adapter, vidmm_wait_reason_by_name(name));
    return true;
}

static bool functions_counter(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    enum vidmm_counter counter = vidmm_counter_by_name(runner_word(runner, expr->name));
    CHECK(counter != VIDMM_COUNTERS); /* the check knows all names */
    if (!run_start_implied(runner))
        return evaluate_problem(runner, "the adapter did not start");
    const struct expr *named = expr->kind == EXPR_CALL && expr->items ? expr->items->from : NULL;
    if (!named) {
        *value = vidmm_counter(runner->adapter, counter);
        return true;
    }
    binding subject =
        named->kind == EXPR_NUMBER
            ? bindings_make(OBJECT_NODE, 0, (uint32_t)expr_number(named, runner->numbers))
            : evaluate_binding(runner, named);
    if (!subject)
        return evaluate_problem(runner, "there is no such object");
    uint32_t number = bindings_number(subject);
    switch ((int)bindings_object(subject)) {
    case OBJECT_SEGMENT: *value = vidmm_counter_of_segment(runner->adapter, counter, number); break;
    case OBJECT_NODE: *value = vidmm_counter_of_node(runner->adapter, counter, number); break;
    default: *value = vidmm_counter_of_object(runner->adapter, counter, number); break;
    }
    return true;
}

static bool functions_call(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    struct vidmm_adapter_view view;
    enum function function = function_find(runner_word(runner, expr->name));
    if (function == FUNCTION_RAND)
        return evaluate_random(runner, expr->items, value);
    if (!run_start_implied(runner))
        return evaluate_problem(runner, "the adapter did not start");
    switch (function) {
    case FUNCTION_SIZE:
        return bindings_object(evaluate_binding(runner, expr->items->from)) == OBJECT_SEGMENT
                   ? call_segment(runner, expr, function, value)
                   : call_allocation(runner, expr, function, value);
    case FUNCTION_OFFSET:
    case FUNCTION_SEGMENT:
    case FUNCTION_INSTANCES:
    case FUNCTION_PRIORITY: return call_allocation(runner, expr, function, value);
    case FUNCTION_USED:
    case FUNCTION_FREE:
    case FUNCTION_LARGEST_FREE:
    case FUNCTION_HOLES:
    case FUNCTION_COMMITTED: return call_segment(runner, expr, function, value);
    case FUNCTION_LIVE:
        vidmm_adapter_view(runner->adapter, &view);
        *value = view.live;
        return true;
    case FUNCTION_TIME: *value = vidmm_now(runner->adapter); return true;
    case FUNCTION_FENCE:
    case FUNCTION_COMPLETED: return call_node(runner, expr, function, value);
    case FUNCTION_STALL: return call_stall(runner, expr, value);
    case FUNCTION_OUT: return out_find(runner, expr, value);
    case FUNCTION_COUNT:
        *value = watches_count(runner, expr->watch);
        return evaluate_all(runner, expr->items->next);
    case FUNCTION_BYTES: return functions_counter(runner, expr->items->from, value);
    case FUNCTIONS: return functions_counter(runner, expr, value);
    default: return evaluate_problem(runner, "this names allocations and is no number");
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

void evaluate_set_variable(struct runner *runner, word name, uint64_t value)
{
    size_t index = runner->variables.count;
    if (!scope_find(&runner->variables, name, &index))
        scope_add(&runner->variables, name);
    BASE_GROW(runner->values, runner->value_capacity, runner->variables.count);
    runner->values[index] = value;
}

void evaluate_seed(struct runner *runner)
{
    const struct place name = runner->test ? runner->test->text : (struct place){ 0 };
    random_init(&runner->random, runner->seed, source_text(runner->scenario, name), name.length);
}

static bool binary(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    uint64_t left = 0, right = 0;
    if (!evaluate(runner, expr->left, &left) || !evaluate(runner, expr->right, &right))
        return false;
    enum arithmetic problem = arithmetic_apply(expr->op, left, right, value);
    if (problem != ARITHMETIC_OK)
        return evaluate_problem(runner, "%s", arithmetic_problem(problem));
    return true;
}

/* A bare name: the number of a segment, or a counter. */
static bool bare_name(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    binding named = 0;
    (void)evaluate_binding_quietly(runner, expr, &named);
    if (bindings_object(named) == OBJECT_SEGMENT || expr->name == runner->scenario->word_system) {
        *value = bindings_number(named);
        return true;
    }
    return functions_counter(runner, expr, value);
}

static bool evaluate_kind(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    switch (expr->kind) {
    case EXPR_NUMBER: *value = expr_number(expr, runner->numbers); return true;
    case EXPR_BINARY: return binary(runner, expr, value);
    case EXPR_CALL: return functions_call(runner, expr, value);
    case EXPR_NAME: return bare_name(runner, expr, value);
    case EXPR_VARIABLE: CHECK(evaluate_variable(runner, expr->name, value)); return true;
    default: CHECK(expr->kind == EXPR_PERCENT); break;
    }
    if (!evaluate_percent(runner, expr, value))
        return evaluate_problem(runner, "there is no such part of a segment");
    return true;
}

bool evaluate_at(struct runner *runner, const struct expr *expr, bool known)
{
    if (!known && !runner->problem_at.length && !runner->line)
        runner->problem_at = expr->at;
    return known;
}

bool evaluate(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    return evaluate_at(runner, expr, evaluate_kind(runner, expr, value));
}

static bool evaluate_any(struct runner *runner, const struct expr *expr)
{
    uint64_t from, to;
    if (expr->kind == EXPR_NAME)
        return !expr->left || evaluate_ends(runner, expr->left, expr->right, &from, &to);
    return expr->kind == EXPR_STRING || expr->kind == EXPR_HANDLE || evaluate(runner, expr, &from);
}

bool evaluate_all(struct runner *runner, const struct item *items)
{
    for (const struct item *item = items; item; item = item->next) {
        if (!evaluate_any(runner, item->from) || (item->to && !evaluate_any(runner, item->to)))
            return false;
    }
    return true;
}

bool evaluate_pattern(struct runner *runner, const struct predicate *predicate)
{
    bool known = !predicate->left || evaluate_any(runner, predicate->left);
    for (const struct attribute *field = predicate->fields; field && known; field = field->next)
        known = evaluate_all(runner, field->items);
    return runner_stop_unless(runner, known);
}

bool evaluate_or_stop(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    return runner_stop_unless(runner, evaluate(runner, expr, value));
}

bool evaluate_ends(struct runner *runner, const struct expr *from, const struct expr *to,
                   uint64_t *first, uint64_t *last)
{
    if (!evaluate(runner, from, first))
        return false;
    *last = *first;
    return !to || evaluate(runner, to, last);
}

bool evaluate_32(struct runner *runner, const struct expr *expr, uint32_t *value)
{
    uint64_t wide = 0;
    if (!evaluate(runner, expr, &wide))
        return false;
    *value = (uint32_t)wide;
    if (wide > UINT32_MAX)
        evaluate_problem(runner, "this does not fit in 32 bits");
    return evaluate_at(runner, expr, wide <= UINT32_MAX);
}

/* ---- targets --------------------------------------------------------------------------------- */

/* Two spellings of one name. */
static bool is_same_name(const struct runner *runner, const struct expr *left,
                         const struct expr *right)
{
    name_key keys[2];
    return left == right ||
           (!left->right && !right->right && evaluate_key(runner, left, &keys[0]) &&
            evaluate_key(runner, right, &keys[1]) && keys[0] == keys[1]);
}

/* A name of nothing stands for no object, and is remembered for the message. */
static void push_target(struct runner *runner, const struct expr *expr, binding value)
{
    if (!value) {
        runner->missing_others |= runner->missing && !is_same_name(runner, runner->missing, expr);
        if (!runner->missing)
            runner->missing = expr;
        value = bindings_make(OBJECT_ALLOCATION, 0, RUN_NO_HANDLE);
    }
    BASE_GROW(runner->targets, runner->target_capacity, runner->target_count + 1);
    runner->targets[runner->target_count++] = value;
}

static bool pick(struct runner *runner, const struct expr *expr)
{
    uint64_t count = 1;
    if (expr->kind == EXPR_CALL &&
        !evaluate_at(runner, expr,
                     expr->items->to ? evaluate_random(runner, expr->items, &count)
                                     : evaluate(runner, expr->items->from, &count)))
        return false;
    live_pick(runner, count);
    return true;
}

bool evaluate_members(struct runner *runner, const struct expr *expr, uint64_t most,
                      uint64_t *first, uint64_t *last)
{
    if (!evaluate_ends(runner, expr->left, expr->right, first, last))
        return false;
    bool some = *last >= *first && *last <= NAME_INDEX_MAX && *last - *first <= most;
    if (!some)
        evaluate_problem(runner, "there are no members %" PRIu64 "..%" PRIu64, *first, *last);
    return evaluate_at(runner, expr, some);
}

static bool push_members(struct runner *runner, const struct expr *expr)
{
    uint64_t first = 0, last = 0;
    if (!evaluate_members(runner, expr, VIDMM_LIVE_MAX, &first, &last))
        return false;
    runner->rounds += last - first; /* each is work */
    for (uint64_t index = first; index <= last; index++)
        push_target(runner, expr,
                    bindings_get(runner, false, name_key_member(expr->name, (uint32_t)index)));
    return true;
}

static bool add_target(struct runner *runner, const struct expr *expr)
{
    if (expr->kind == EXPR_CALL || expr->name == runner->scenario->word_any)
        return pick(runner, expr);
    if (expr->left)
        return push_members(runner, expr);
    push_target(runner, expr,
                expr->kind == EXPR_HANDLE
                    ? bindings_get(runner, true, expr_number(expr, runner->numbers))
                    : bindings_of_word(runner, expr->name));
    return true;
}

bool evaluate_targets(struct runner *runner, const struct item *items)
{
    for (const struct item *item = items; item; item = item->next) {
        if (!runner_stop_unless(runner, add_target(runner, item->from)))
            return false;
    }
    return true;
}

binding evaluate_binding(struct runner *runner, const struct expr *expr)
{
    size_t before = runner->target_count;
    binding value = 0;
    if (runner_stop_unless(runner, add_target(runner, expr)) && runner->target_count > before)
        value = runner->targets[before];
    runner->target_count = before;
    return value;
}

vidmm_handle evaluate_handle(struct runner *runner, const struct expr *expr)
{
    binding named = evaluate_binding(runner, expr);
    return named ? bindings_number(named) : RUN_NO_HANDLE;
}
