/* SPDX-License-Identifier: MIT */
/*
 * check_operation.c: statements that drive the memory manager, but `create`.
 */
#include "scenarios/lang/check/parts.h"

static bool names_several(const struct expr *target)
{
    return target->kind == EXPR_CALL || (target->left && target->right);
}

void check_operation_resource(struct checker *checker, struct statement *statement)
{
    const struct expr *target = statement->subjects->from;
    if (names_several(target))
        check_report(checker, target->at, NULL, "'resource' makes one, and gives one name");
    check_values_attributes(checker, statement, statement->attributes);
    if (attribute_find(statement, ATTRIBUTE_RESOURCE_ADD))
        check_names_use(checker, statement, target, OBJECT_RESOURCE);
    else
        check_names_create(checker, statement, target, OBJECT_RESOURCE);
    const struct attribute *call = attribute_find(statement, ATTRIBUTE_RESOURCE_KMT);
    if (call && !check_silent(statement))
        check_flags_version(checker, call, call->whole, VIDMM_FLAGS_KMT);
    check_block_call(checker, statement);
}

/* ---- sharing -------------------------------------------------------------------------------- */

/* A resource brings its allocations as members of the new name. */
static enum object opened_object(const struct checker *checker, const struct expr *target)
{
    if (target->kind != EXPR_NAME || target->left)
        return OBJECT_ALLOCATION;
    struct name_info info = check_states_at(checker, name_key_plain(target->name));
    return info.state != NAME_UNKNOWN && info.object == OBJECT_RESOURCE ? OBJECT_RESOURCE
                                                                        : OBJECT_ALLOCATION;
}

void check_operation_open(struct checker *checker, struct statement *statement)
{
    const struct expr *from = statement->subjects->from;
    const struct expr *to = statement->value;
    check_values_attributes(checker, statement, statement->attributes);
    check_names_use(checker, statement, from, OBJECT_ALLOCATION | OBJECT_RESOURCE);
    if (names_several(from) || names_several(to)) {
        check_report(checker, names_several(from) ? from->at : to->at, NULL,
                     "'open' takes one name and gives one name");
        return;
    }
    enum object object = opened_object(checker, from);
    check_creation_begin(checker, statement, to, object);
    if (object == OBJECT_RESOURCE && to->kind == EXPR_NAME && !to->left)
        check_names_family(checker, to, OBJECT_ALLOCATION);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What the names of a statement may stand for. */
static int operation_objects(enum statement_kind kind)
{
    switch ((int)kind) {
    case STATEMENT_CLOSE:
    case STATEMENT_SHARE:
    case STATEMENT_GRANT:
    case STATEMENT_OFFER:
    case STATEMENT_RECLAIM:
    case STATEMENT_PRIORITY: return OBJECT_ALLOCATION | OBJECT_RESOURCE;
    case STATEMENT_DESTROY:
        return OBJECT_ALLOCATION | OBJECT_RESOURCE | OBJECT_PROCESS | OBJECT_DEVICE |
               OBJECT_CONTEXT;
    case STATEMENT_FREE: return OBJECT_SYSMEM;
    case STATEMENT_WAIT: return OBJECT_SUBMISSION;
    default: return OBJECT_ALLOCATION;
    }
}

static bool is_end(const struct statement *statement)
{
    return statement->kind == STATEMENT_CLOSE || statement->kind == STATEMENT_DESTROY ||
           statement->kind == STATEMENT_FREE;
}

void check_operation_names(struct checker *checker, struct statement *statement)
{
    int objects = operation_objects((enum statement_kind)statement->kind);
    bool ends = is_end(statement);
    check_values_attributes(checker, statement, statement->attributes);
    if (ends && statement->mode == MODE_ALL)
        checker->now.epoch++;
    for (const struct item *item = statement->subjects; item; item = item->next) {
        if (ends)
            check_names_destroy(checker, statement, item->from, objects);
        else
            check_names_use(checker, statement, item->from, objects);
    }
}

int check_operation_uses(const struct statement *statement)
{
    bool names_only = !statement->bad && !statement->attributes && !statement->outcome;
    return names_only && !is_end(statement)
               ? operation_objects((enum statement_kind)statement->kind)
               : 0;
}

/* Resources, too: all that they hold. */
void check_offer_names(struct checker *checker, struct statement *statement)
{
    check_operation_names(checker, statement);
    if (statement->kind == STATEMENT_OFFER &&
        !attribute_find(statement, ATTRIBUTE_OFFER_PRIORITY) && !check_silent(statement))
        check_report(checker, statement->at, NULL,
                     "an offer needs a priority: priority=low, normal, high or auto");
}

void check_operation_update(struct checker *checker, struct statement *statement)
{
    check_operation_names(checker, statement);
    if (!statement->attributes && !check_silent(statement))
        check_report(checker, statement->at,
                     "give it segments=, prefer=, AccessedPhysically= or Unmoveable=",
                     "this update changes nothing");
}

/* A name of an instance may be given again: instances come back. */
void check_operation_lock(struct checker *checker, struct statement *statement)
{
    check_operation_names(checker, statement);
    if (statement->name)
        check_names_instance(checker, statement);
}

void check_operation_priority(struct checker *checker, struct statement *statement)
{
    check_values_expression(checker, statement, statement->value);
    check_values_most(checker, statement->value, "priority", UINT32_MAX);
    check_operation_names(checker, statement);
}

/* ---- the GPU -------------------------------------------------------------------------------- */

/* SUBMIT-024: the lists of a present are the kernel's own. */
static void check_present(struct checker *checker, const struct statement *statement)
{
    static const enum attribute_id callers[] = { ATTRIBUTE_SUBMIT_BYTES, ATTRIBUTE_SUBMIT_WITH,
                                                 ATTRIBUTE_SUBMIT_KEEP, ATTRIBUTE_SUBMIT_OFFER };
    static const enum attribute_id sides[] = { ATTRIBUTE_SUBMIT_READ, ATTRIBUTE_SUBMIT_WRITE };
    const struct attribute *present = attribute_find(statement, ATTRIBUTE_SUBMIT_PRESENT);
    const struct attribute *rects = attribute_find(statement, ATTRIBUTE_SUBMIT_RECTS);
    if (rects && !present)
        check_report(checker, rects->whole, NULL, "only a present has rectangles");
    if (!present)
        return;
    for (size_t i = 0; i < ARRAY_COUNT(callers); i++) {
        const struct attribute *caller = attribute_find(statement, callers[i]);
        if (caller)
            check_report(checker, caller->whole, NULL,
                         "the driver makes the buffer of a present: '%s' has no meaning",
                         caller->row->name);
    }
    for (size_t i = 0; i < ARRAY_COUNT(sides); i++) {
        /* More than one allocation, as far as the text tells. */
        const struct attribute *side = attribute_find(statement, sides[i]);
        const struct item *first = side ? side->items : NULL;
        if (first &&
            (first->next || (first->from->kind != EXPR_CALL && names_several(first->from))))
            check_report(checker, side->whole, NULL,
                         "a present reads one allocation at most, and writes one");
    }
    if (!attribute_find(statement, ATTRIBUTE_SUBMIT_WRITE) && !check_silent(statement))
        check_report(checker, present->whole, NULL, "a present needs a destination, write=");
}

/* What the link does not have is for the call to refuse where that is meant (LINK-006). */
static void check_adapters(struct checker *checker, const struct statement *statement)
{
    char help[96] = "`link adapters=N`, above the segments, makes more than one";
    uint32_t count = (uint32_t)max_u64(checker->now.link_adapters, 1);
    if (checker->now.link_adapters)
        snprintf(help, sizeof help, "those of the link are 0 to %u", count - 1);
    for (const struct item *item = attribute_items(statement, ATTRIBUTE_SUBMIT_ADAPTERS); item;
         item = item->next) {
        const struct expr *ends[] = { item->from, item->to };
        for (size_t i = 0; i < ARRAY_COUNT(ends); i++) {
            uint64_t value = 0;
            if (!ends[i] || ends[i]->kind == EXPR_NAME ||
                !check_values_constant(checker, ends[i], &value))
                continue;
            if (value >= VIDMM_LINK_MAX || (value >= count && !check_silent(statement)))
                check_report(checker, ends[i]->at, help, "there is no adapter %" PRIu64, value);
        }
    }
}

/* True as well where only the run knows. */
static bool submit_may_use(const struct statement *submit, const struct expr *target)
{
    static const enum attribute_id lists[] = { ATTRIBUTE_SUBMIT_READ, ATTRIBUTE_SUBMIT_WRITE };
    if (target->kind != EXPR_NAME || submit->body)
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++)
        for (const struct item *item = attribute_items(submit, lists[i]); item; item = item->next)
            if (item->from->kind != EXPR_NAME || item->from->name == target->name)
                return true;
    return false;
}

/* What is kept or offered is used, too. */
static void check_submit_lists(struct checker *checker, const struct statement *submit)
{
    static const enum attribute_id lists[] = { ATTRIBUTE_SUBMIT_KEEP, ATTRIBUTE_SUBMIT_OFFER };
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        const struct attribute *list = attribute_find(submit, lists[i]);
        for (const struct item *item = list ? list->items : NULL; item; item = item->next)
            if (!submit_may_use(submit, item->from))
                check_report(checker, item->at, "name it in read= or write=, too",
                             "%s= names what the submission does not use", list->row->name);
    }
}

void check_operation_submit(struct checker *checker, struct statement *statement)
{
    const struct expr *target = statement->subjects->from;
    check_values_attributes(checker, statement, statement->attributes);
    check_present(checker, statement);
    check_adapters(checker, statement);
    check_block_call(checker, statement);
    check_submit_lists(checker, statement);
    check_creation_begin(checker, statement, target, OBJECT_SUBMISSION);
}

void check_operation_at(struct checker *checker, struct statement *statement)
{
    const struct statement *submit = checker->call ? checker->call : statement;
    check_values_expression(checker, submit, statement->value);
    check_values_expression(checker, submit, statement->extra);
    check_values_most(checker, statement->value, "at", UINT32_MAX);
    check_values_most(checker, statement->extra, "slot", UINT32_MAX);
    check_values_attributes(checker, submit, statement->attributes);
    if (statement->subjects)
        check_names_use(checker, submit, statement->subjects->from, OBJECT_ALLOCATION);
}

void check_operation_advance(struct checker *checker, struct statement *statement)
{
    check_values_expression(checker, statement, statement->value);
    (void)check_unit_wanted(checker, statement->value, MEASURE_TIME, "advance");
}

void check_preempt(struct checker *checker, struct statement *statement)
{
    if (statement->value->kind == EXPR_NAME)
        check_names_use(checker, statement, statement->value, OBJECT_NODE);
    else
        check_values_expression(checker, statement, statement->value);
    if (statement->value->kind != EXPR_NAME && !check_silent(statement))
        check_fields_node(checker, statement->value);
}
