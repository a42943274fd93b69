/* SPDX-License-Identifier: MIT */
/*
 * run_create.c: `create` and `resource`: what the mock shall answer, and the calls.
 *
 * Attributes are the members of DXGK_ALLOCATIONINFO; those of the class come first, then the
 * statement's own. Members of the call are run_call.c's. The documented bit layouts of preferences
 * and bank hints are put together here.
 */
#include "scenarios/lang/run/creation.h"

#include <string.h>

enum { PRIORITY_NORMAL = 0x78000000 };

/* ---- attributes --------------------------------------------------------------------------------
 */

static uint32_t segment_bit(const struct runner *runner, const struct expr *expr)
{
    uint32_t id = bindings_number(bindings_of_word(runner, expr->name));
    return id >= 1 && id <= 32 ? 1u << (id - 1) : 0;
}

uint32_t run_create_segments(const struct runner *runner, const struct attribute *attribute)
{
    uint32_t set = 0;
    for (const struct item *item = attribute->items; item; item = item->next)
        set |= segment_bit(runner, item->from);
    return set;
}

static bool is_top(const struct runner *runner, const struct item *item)
{
    return item->suffix && strcmp(runner_word(runner, item->suffix), "top") == 0;
}

/* SegmentId0, Direction0, SegmentId1 ...: five bits and one, lowest first. */
uint32_t run_create_preferences(const struct runner *runner, const struct attribute *attribute)
{
    uint32_t value = 0;
    unsigned shift = 0;
    for (const struct item *item = attribute->items; item && shift < 30; item = item->next) {
        uint32_t id = bindings_number(bindings_of_word(runner, item->from->name)) & 0x1F;
        value |= (id | (is_top(runner, item) ? 0x20u : 0)) << shift;
        shift += 6;
    }
    return value;
}

/* Bank0, Direction0, Bank1 ...: seven bits and one. */
static bool bank_hints(struct runner *runner, const struct attribute *attribute, uint32_t *value)
{
    uint64_t bank = 0;
    unsigned shift = 0;
    *value = 0;
    for (const struct item *item = attribute->items; item && shift < 32; item = item->next) {
        if (!evaluate_item(runner, attribute, item, &bank))
            return false;
        *value |= (uint32_t)((bank & 0x7F) | (is_top(runner, item) ? 0x80u : 0)) << shift;
        shift += 8;
    }
    return true;
}

bool run_create_flags(struct runner *runner, const struct attribute *attribute,
                      enum vidmm_flag_set set, uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = attribute->items; item; item = item->next) {
        uint64_t value = 0;
        if (item->from->kind != EXPR_NAME) {
            if (!evaluate_item(runner, attribute, item, &value))
                return false;
        } else {
            const char *name = runner_word(runner, item->from->name);
            enum vidmm_flag_set seen = set;
            const struct vidmm_flag *flag = vidmm_flag_by_name(set, name);
            /* Its bit is reserved in this version: the manager says so. */
            if (!flag)
                flag = vidmm_flag_by_other_name(&seen, name);
            value = flag ? flag->value : 0;
        }
        *flags |= (uint32_t)value;
    }
    return true;
}

bool run_create_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                      uint32_t *number)
{
    uint64_t value = 0;
    const struct vidmm_flag *named =
        expr->kind == EXPR_NAME ? vidmm_flag_by_name(set, runner_word(runner, expr->name)) : NULL;
    if (named)
        value = named->value;
    else if (!evaluate_32(runner, expr, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

bool run_flags(struct runner *runner, const struct attribute *attribute, enum vidmm_flag_set set,
               uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = attribute ? attribute->items : NULL; item; item = item->next) {
        uint32_t value = 0;
        if (!run_create_named(runner, item->from, set, &value)) {
            runner_stop(runner, "%s", runner->problem);
            return false;
        }
        *flags |= value;
    }
    return true;
}

static bool level(struct runner *runner, const struct expr *expr, uint32_t *priority)
{
    return run_create_named(runner, expr, VIDMM_FLAGS_PRIORITY, priority);
}

static bool is_2_0(const struct runner *runner)
{
    return runner->mock_config.wddm >= VIDMM_WDDM_2_0;
}

static bool apply_flags(struct runner *runner, const struct attribute *attribute,
                        struct vidmm_mock_allocation *answer)
{
    bool wddm2 = attribute->row->id == ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2 ||
                 (attribute->row->id == ATTRIBUTE_CREATE_FLAGS && is_2_0(runner));
    answer->fills_wddm2 = wddm2;
    return run_create_flags(runner, attribute,
                            wddm2 ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION,
                            &answer->flags);
}

/* Attributes that are one number; false when it is none of them. */
static bool apply_number(enum attribute_id id, uint64_t value, struct creation *creation)
{
    struct vidmm_mock_allocation *answer = &creation->answer;
    uint32_t narrow = (uint32_t)value;
    switch (id) {
    case ATTRIBUTE_CREATE_SIZE: answer->size = creation->args.bytes = value; return true;
    case ATTRIBUTE_CREATE_ALIGNMENT: answer->alignment = narrow; return true;
    case ATTRIBUTE_CREATE_PITCH_ALIGNED_SIZE: answer->pitch_aligned_size = value; return true;
    case ATTRIBUTE_CREATE_RENAME_LIMIT:
    case ATTRIBUTE_CREATE_ADAPTER_INDEX: answer->rename_or_adapter = narrow; return true;
    case ATTRIBUTE_CREATE_CONTENT: creation->args.content = value; return true;
    case ATTRIBUTE_CREATE_MEMBER_HINTED_BANK: answer->hinted_bank = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_PREFERRED_SEGMENT: answer->preferred_segment = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET: answer->read_set = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET:
        answer->write_set = narrow;
        return true;
    case ATTRIBUTE_CREATE_MEMBER_EVICTION_SEGMENT_SET: answer->eviction_set = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_ALLOCATION_PRIORITY: answer->priority = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_PRIVATE_SIZE: creation->args.private_bytes = narrow; return true;
    case ATTRIBUTE_CREATE_MEMBER_ALLOCATION: answer->no_handle = !value; return true;
    case ATTRIBUTE_CREATE_MEMBER_OVERRIDE_PRIORITY:
        creation->args.override_priority = value != 0;
        return true;
    default: return run_surface_number(id, narrow, creation);
    }
}

static bool apply_set(const struct runner *runner, const struct attribute *attribute,
                      struct vidmm_mock_allocation *answer)
{
    uint32_t set = run_create_segments(runner, attribute);
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_SEGMENTS: answer->read_set = answer->write_set = set; return true;
    case ATTRIBUTE_CREATE_READ: answer->read_set = set; return true;
    case ATTRIBUTE_CREATE_WRITE: answer->write_set = set; return true;
    case ATTRIBUTE_CREATE_EVICT_TO: answer->eviction_set = set; return true;
    default: return false;
    }
}

/* What has no usual value any more. */
static void note_written(enum attribute_id id, struct creation *creation)
{
    creation->flagged |= id == ATTRIBUTE_CREATE_FLAGS || id == ATTRIBUTE_CREATE_MEMBER_FLAGS ||
                         id == ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2;
    creation->placed |= id == ATTRIBUTE_CREATE_SEGMENTS || id == ATTRIBUTE_CREATE_READ ||
                        id == ATTRIBUTE_CREATE_WRITE ||
                        id == ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET ||
                        id == ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET;
}

static bool apply(struct runner *runner, const struct attribute *attribute,
                  struct creation *creation, struct creation_call *call)
{
    uint64_t value = 0;
    bool known = false;
    if (!run_surface_apply(runner, attribute, creation, &known))
        return false;
    if (known)
        return true;
    enum applied applied = run_call_apply(runner, attribute, call);
    if (applied != APPLIED_NOT_MINE)
        return applied == APPLIED;
    if (attribute->row->id == ATTRIBUTE_CREATE_SHARED_ACROSS_CONTEXTS)
        return creation->across_contexts = true;
    const struct expr *first = attribute->items->from;
    note_written(attribute->row->id, creation);
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_FLAGS:
    case ATTRIBUTE_CREATE_MEMBER_FLAGS:
    case ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2:
        return apply_flags(runner, attribute, &creation->answer);
    case ATTRIBUTE_CREATE_FLAGS2:
        return run_create_flags(runner, attribute, VIDMM_FLAGS_ALLOCATION2,
                                &creation->answer.flags2);
    case ATTRIBUTE_CREATE_CONTEXT:
        creation->context = bindings_number(bindings_of_word(runner, first->name));
        return true;
    case ATTRIBUTE_CREATE_PREFER:
        creation->answer.preferred_segment = run_create_preferences(runner, attribute);
        return true;
    case ATTRIBUTE_CREATE_BANKS:
        return bank_hints(runner, attribute, &creation->answer.hinted_bank);
    case ATTRIBUTE_CREATE_PRIORITY: return level(runner, first, &creation->answer.priority);
    case ATTRIBUTE_CREATE_MEMBER_PRIORITY: return level(runner, first, &creation->args.priority);
    case ATTRIBUTE_CREATE_FROM:
        creation->args.system_range = bindings_number(bindings_of_word(runner, first->name));
        return true;
    case ATTRIBUTE_CREATE_CPU_USE:
        creation->args.cpu_use = strcmp(runner_word(runner, first->name), "read") == 0
                                     ? VIDMM_CPU_USE_READ
                                     : VIDMM_CPU_USE_WRITE;
        return true;
    case ATTRIBUTE_CREATE_DEVICE:
        call->args.device = bindings_number(bindings_of_word(runner, first->name));
        return true;
    default: break;
    }
    if (apply_set(runner, attribute, &creation->answer))
        return true;
    return evaluate_item(runner, attribute, attribute->items, &value) &&
           apply_number(attribute->row->id, value, creation);
}

static bool apply_all(struct runner *runner, const struct attribute *attributes,
                      struct creation *creation, struct creation_call *call)
{
    for (const struct attribute *at = attributes; at; at = at->next) {
        if (!apply(runner, at, creation, call)) {
            runner_stop(runner, "%s", runner->problem);
            return false;
        }
    }
    return true;
}

static bool prepare(struct runner *runner, const struct statement *statement,
                    struct creation *creation, struct creation_call *call)
{
    uint32_t count = (uint32_t)min_u64(runner->mock_config.segment_count, 32);
    uint32_t all = count ? UINT32_MAX >> (32 - count) : 0;
    binding class = statement->name ? bindings_of_word(runner, statement->name) : 0;
    creation->answer = (struct vidmm_mock_allocation){ .read_set = all,
                                                       .write_set = all,
                                                       .fills_wddm2 = is_2_0(runner),
                                                       .priority = PRIORITY_NORMAL };
    creation->context = 0;
    creation->across_contexts = false;
    creation->args = (struct vidmm_allocation_args){ .private_bytes = sizeof creation->answer };
    const struct statement *declared =
        bindings_object(class) == OBJECT_CLASS ? runner->classes[bindings_number(class)] : NULL;
    run_surface_begin(runner, declared, statement, creation);
    if (declared && !apply_all(runner, declared->attributes, creation, call))
        return false;
    return apply_all(runner, statement->attributes, creation, call);
}

/* ---- names -------------------------------------------------------------------------------------
 */

static void name_bulk(struct creation *creation, uint32_t handle)
{
    creation->bulk = creation->named = true;
    creation->key = handle;
    snprintf(creation->label, sizeof creation->label, "@%" PRIu32, handle);
}

static void name_member(struct runner *runner, const struct expr *target, uint64_t index,
                        struct creation *creation)
{
    const char *name = runner_word(runner, target->name);
    creation->named = true;
    creation->bulk = false;
    creation->key = name_key_of(target->name, target->left, (uint32_t)index);
    if (target->left)
        snprintf(creation->label, sizeof creation->label, "%.60s[%" PRIu64 "]", name, index);
    else
        snprintf(creation->label, sizeof creation->label, "%.79s", name);
}

static void name_fresh(struct runner *runner, struct creation *creation)
{
    creation->named = creation->bulk = false;
    creation->key = 0;
    snprintf(creation->label, sizeof creation->label, "new%" PRIu64, ++runner->fresh);
}

static bool find_members(struct runner *runner, const struct expr *target, uint64_t *first,
                         uint64_t *last)
{
    *first = *last = 0;
    if (target->kind != EXPR_NAME || !target->left)
        return true;
    bool known = evaluate(runner, target->left, first) &&
                 (!target->right || evaluate(runner, target->right, last));
    if (!target->right)
        *last = *first;
    if (known && (*last < *first || *last > NAME_INDEX_MAX))
        known =
            evaluate_problem(runner, "there are no members %" PRIu64 "..%" PRIu64, *first, *last);
    if (!known)
        runner_stop(runner, "%s", runner->problem);
    return known;
}

static void give_name(struct runner *runner, const struct expr *target, uint64_t index,
                      struct creation *creation)
{
    bool fresh = target->kind == EXPR_NAME && (target->name == runner->scenario->word_new ||
                                               target->name == runner->scenario->word_auto);
    if (target->kind == EXPR_HANDLE)
        name_bulk(creation, (uint32_t)expr_number(target, runner->numbers));
    else if (fresh)
        name_fresh(runner, creation);
    else
        name_member(runner, target, index, creation);
}

/* ---- calls -------------------------------------------------------------------------------------
 */

static bool has_room(struct runner *runner, uint64_t more)
{
    if (runner->live_count + more <= runner->limits.live)
        return true;
    runner_message(runner, SCENARIO_STOPPED, NULL, "%" PRIu64 " live allocations are the limit",
                   runner->limits.live);
    runner_halt(runner, SCENARIO_EXIT_LIMIT);
    return false;
}

/* Room for what the call claims, and the device that is written or the one declared last. */
static bool make_ready(struct runner *runner, struct creation_call *call, size_t count)
{
    if (!has_room(runner, call->counted ? min_u64(call->claimed, CREATIONS_MAX) : count))
        return false;
    if (!call->args.device)
        call->args.device = run_start_device(runner);
    return call->args.device != 0;
}

static void begin_call(struct creation_call *call)
{
    enum { EXISTING_HEAP = 1 };
    *call = (struct creation_call){ .standard.type = EXISTING_HEAP };
}

void run_memory_create(struct runner *runner, const struct statement *statement)
{
    struct creation creation;
    struct creation_call call;
    const struct expr *target = statement->subjects->from;
    uint64_t first = 0;
    uint64_t last = 0;
    vidmm_status status = 0;
    if (!find_members(runner, target, &first, &last) || !has_room(runner, last - first + 1))
        return;
    /* One call per name; random attributes are drawn for each. */
    for (uint64_t index = first; index <= last && status >= 0; index++) {
        runner->rounds += index > first; /* each is work */
        if (!runner_within_limits(runner))
            return;
        begin_call(&call);
        give_name(runner, target, index, &creation);
        if (!prepare(runner, statement, &creation, &call) || !make_ready(runner, &call, 1))
            return;
        status = creation.context || creation.across_contexts
                     ? run_context_make(runner, &call, &creation)
                     : run_call_make(runner, &call, &creation, 1);
    }
    if (status < 0)
        run_missing_note(runner, target);
    run_outcome(runner, statement, status);
}

/* ---- resource ----------------------------------------------------------------------------------
 */

struct creation_list {
    struct creation *creations;
    size_t count, capacity;
};

static bool add_creations(struct runner *runner, const struct statement *statement,
                          struct creation_list *list, struct creation_call *call)
{
    const struct expr *target = statement->subjects->from;
    uint64_t first = 0;
    uint64_t last = 0;
    if (!find_members(runner, target, &first, &last))
        return false;
    if (last - first >= CREATIONS_MAX - list->count) {
        runner_stop(runner, "one call creates at most %d allocations", CREATIONS_MAX);
        return false;
    }
    for (uint64_t index = first; index <= last; index++) {
        BASE_GROW(list->creations, list->capacity, list->count + 1);
        struct creation *creation = &list->creations[list->count++];
        give_name(runner, target, index, creation);
        if (!prepare(runner, statement, creation, call))
            return false;
    }
    return true;
}

/* `resource NAME` makes one, `resource NAME add` names the one that grows. */
static bool prepare_resource(struct runner *runner, const struct statement *statement,
                             struct creation_list *list, struct creation_call *call)
{
    const struct attribute *named = attribute_find(statement, ATTRIBUTE_RESOURCE_DEVICE);
    bool add = attribute_find(statement, ATTRIBUTE_RESOURCE_ADD) != NULL;
    begin_call(call);
    for (const struct statement *at = statement->body; at; at = at->next)
        if (!add_creations(runner, at, list, call))
            return false;
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        if (run_call_apply(runner, at, call) != APPLIED_WRONG)
            continue;
        runner_stop(runner, "%s", runner->problem);
        return false;
    }
    if (add)
        call->args.resource = bindings_number(evaluate_binding(runner, statement->subjects->from));
    else
        call->args.flags |= VIDMM_KMT_CreateResource;
    if (named)
        call->args.device = bindings_number(bindings_of_word(runner, named->items->from->name));
    return make_ready(runner, call, list->count);
}

/* The resource, unless it was there before, and every allocation of the block. */
static void note_refused(struct runner *runner, const struct statement *statement,
                         const struct expr *resource)
{
    if (resource)
        run_missing_note(runner, resource);
    for (const struct statement *at = statement->body; at; at = at->next)
        run_missing_note(runner, at->subjects->from);
}

void run_memory_resource(struct runner *runner, const struct statement *statement)
{
    struct creation_list list = { 0 };
    struct creation_call call;
    const struct expr *target = statement->subjects->from;
    if (prepare_resource(runner, statement, &list, &call)) {
        bool adds = !(call.args.flags & VIDMM_KMT_CreateResource);
        if (target->kind == EXPR_NAME)
            call.args.label = runner_word(runner, target->name);
        vidmm_status status = run_call_make(runner, &call, list.creations, list.count);
        if (status >= 0 && !adds && target->kind == EXPR_NAME && !target->left)
            bindings_name(runner, target->name,
                          bindings_make(OBJECT_RESOURCE, 0,
                                        (uint32_t)runner->out.value[OUT_H_RESOURCE]));
        if (status < 0)
            note_refused(runner, statement, adds ? NULL : target);
        run_outcome(runner, statement, status);
    }
    base_free(list.creations);
}
