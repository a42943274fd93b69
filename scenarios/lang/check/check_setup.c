/* SPDX-License-Identifier: MIT */
/*
 * check_setup.c: machine, adapter, segments, owners, loops and narration.
 */
#include "scenarios/lang/check/check.h"

#include <string.h>

void check_setup_plain(struct checker *checker, struct statement *statement)
{
    check_values_attributes(checker, statement, statement->attributes);
}

void check_setup_adapter(struct checker *checker, struct statement *statement)
{
    check_values_attributes(checker, statement, statement->attributes);
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        if (at->row->kind != VALUE_VERSION)
            continue;
        uint32_t version = (uint32_t)at->items->from->value;
        if (at->row->argument == VIDMM_SETTING_WDDM)
            checker->driver_wddm = version;
        else
            checker->system_wddm = version;
    }
    checker->wddm = (uint32_t)min_u64(checker->driver_wddm, checker->system_wddm);
}

/* What only a start can change. */
void check_setup_set(struct checker *checker, struct statement *statement)
{
    char help[160];
    const struct attribute *at = statement->attributes;
    const struct vidmm_setting_info *info = vidmm_setting_row((size_t)at->row->argument);
    check_values_attributes(checker, statement, at);
    if (info->at_run_time || check_silent(statement))
        return;
    snprintf(help, sizeof help,
             "write `adapter %s=...` above the first operation, or `-> fails` where that is meant",
             info->name);
    check_report(checker, at->whole, help, "only a start can change '%s' (%s)", info->name,
                 vidmm_rule_id(info->rule));
}

void check_setup_machine(struct checker *checker, struct statement *statement)
{
    uint64_t bytes = 0;
    const struct attribute *agp = attribute_find(statement, ATTRIBUTE_MACHINE_AGP);
    check_values_attributes(checker, statement, statement->attributes);
    if (agp)
        checker->agp = agp->items->from->kind != EXPR_NAME &&
                       (!check_values_constant(checker, agp->items->from, &bytes) || bytes);
}

/* ---- segments ------------------------------------------------------------------------------- */

enum { KIND_AGP = 2 }; /* in the words of `kind` */

static void remember_segment(struct checker *checker, const struct statement *statement)
{
    size_t index = 0;
    const struct attribute *kind = attribute_find(statement, ATTRIBUTE_SEGMENT_KIND);
    struct segment_info info = { .name = statement->name,
                                 .at = kind ? kind->whole : statement->at };
    if (!check_silent(statement))
        info.flags = attribute_find(statement, ATTRIBUTE_SEGMENT_FLAGS);
    info.sized = check_values_attribute(checker, statement, ATTRIBUTE_SEGMENT_SIZE, &info.bytes);
    if (kind && kind->items)
        word_list_has(kind->row->words, check_word(checker, kind->items->from->name), &index);
    info.aperture = index != 0;
    info.agp = index == KIND_AGP && !check_silent(statement);
    info.sized &= index != KIND_AGP; /* as large as the machine's aperture (SEG-016) */
    if (checker->segment_count < VIDMM_SEGMENTS_MAX) {
        checker->segments[checker->segment_count++] = info;
        return;
    }
    if (!check_silent(statement))
        check_report(checker, statement->at, NULL, "an adapter has at most %d segments (SEG-006)",
                     VIDMM_SEGMENTS_MAX);
}

void check_setup_settled(struct checker *checker)
{
    check_flags_segments(checker);
    for (size_t i = 0; i < checker->segment_count; i++) {
        struct segment_info *segment = &checker->segments[i];
        if (segment->agp && !checker->agp)
            check_report(checker, segment->at,
                         "give it one: `machine agp=64M`; or write `start -> fails` where that is "
                         "meant",
                         "'%s' needs an AGP aperture, and the machine has none (SEG-015)",
                         check_word(checker, segment->name));
        segment->agp = false; /* once is enough */
    }
}

static void need(struct checker *checker, const struct statement *statement, enum attribute_id id,
                 const char *name)
{
    char help[384];
    snprintf(help, sizeof help, "the form is `%s`", statements_row(statement->kind)->syntax);
    if (!attribute_find(statement, id))
        check_report(checker, statement->at, help, "'%s' needs '%s'",
                     statements_row(statement->kind)->name, name);
}

void check_setup_link(struct checker *checker, struct statement *statement)
{
    uint64_t count = 1;
    const struct attribute *adapters = attribute_find(statement, ATTRIBUTE_LINK_ADAPTERS);
    need(checker, statement, ATTRIBUTE_LINK_ADAPTERS, "adapters");
    check_values_attributes(checker, statement, statement->attributes);
    if (checker->segment_count)
        check_report(checker, statement->at, "the names of segments depend on it",
                     "'link' stands before the segments");
    if (!adapters || !check_values_attribute(checker, statement, ATTRIBUTE_LINK_ADAPTERS, &count))
        return;
    if (count < 1 || count > VIDMM_LINK_MAX)
        check_report(checker, adapters->whole, NULL, "a link has 1 to %d adapters", VIDMM_LINK_MAX);
    checker->link_adapters = count < 1 || count > VIDMM_LINK_MAX ? 1 : (uint32_t)count;
}

void check_setup_segment(struct checker *checker, struct statement *statement)
{
    uint64_t id = 0;
    need(checker, statement, ATTRIBUTE_SEGMENT_ID, "id");
    need(checker, statement, ATTRIBUTE_SEGMENT_KIND, "kind");
    need(checker, statement, ATTRIBUTE_SEGMENT_SIZE, "size");
    check_values_attributes(checker, statement, statement->attributes);
    check_names_declare(checker, statement, OBJECT_SEGMENT);
    check_names_members(checker, statement, OBJECT_SEGMENT, checker->link_adapters);
    if (check_values_attribute(checker, statement, ATTRIBUTE_SEGMENT_ID, &id) &&
        !checker->scenario->segment_blamed && id != checker->segment_count + 1 &&
        checker->segment_count < VIDMM_SEGMENTS_MAX)
        check_report(checker, attribute_find(statement, ATTRIBUTE_SEGMENT_ID)->whole,
                     "segments are declared in the order of their ids, from 1 on",
                     "the id of this segment has to be %zu", checker->segment_count + 1);
    remember_segment(checker, statement);
}

/* ---- nodes and owners ----------------------------------------------------------------------- */

static void declare_node(struct checker *checker, const struct statement *statement)
{
    uint64_t number = 0;
    const struct attribute *paging = attribute_find(statement, ATTRIBUTE_NODE_PAGING);
    if (paging && checker->paging_node && !checker->uncertain)
        check_report(checker, paging->whole, NULL, "another node executes the paging buffers");
    checker->paging_node |= paging != NULL;
    if (!check_values_constant(checker, statement->value, &number) || checker->uncertain) {
        checker->nodes_unknown = true;
        return;
    }
    if (number >= VIDMM_NODES_MAX) {
        check_report(checker, statement->value->at, NULL, "nodes are numbered from 0 to %d",
                     VIDMM_NODES_MAX - 1);
        return;
    }
    if (checker->nodes >> number & 1)
        check_report(checker, statement->value->at, NULL, "node %" PRIu64 " has a name already",
                     number);
    checker->nodes |= UINT64_C(1) << number;
}

void check_setup_node(struct checker *checker, struct statement *statement)
{
    const struct attribute *name = attribute_find(statement, ATTRIBUTE_NODE_NAME);
    check_values_expression(checker, statement, statement->value);
    declare_node(checker, statement);
    need(checker, statement, ATTRIBUTE_NODE_NAME, "name");
    check_values_attributes(checker, statement, statement->attributes);
    if (name && name->items)
        check_names_create(checker, statement, name->items->from, OBJECT_NODE);
}

void check_setup_node_number(struct checker *checker, const struct expr *expr)
{
    enum { NODES_BY_ITSELF = 2 };
    uint64_t number = 0;
    uint64_t count = checker->nodes ? 0 : NODES_BY_ITSELF;
    while (count < VIDMM_NODES_MAX && checker->nodes >> count)
        count++;
    if (!checker->nodes_unknown && check_values_constant(checker, expr, &number) && number >= count)
        check_report(checker, expr->at,
                     checker->nodes ? "`node N name=NAME` declares one, above the first operation"
                                    : "they are 0, and 1 for paging; `node N name=NAME` declares "
                                      "others, above the first operation",
                     "there is no node %" PRIu64 ": the adapter has %" PRIu64, number, count);
}

static void check_owner(struct checker *checker, const struct statement *statement,
                        enum object object)
{
    check_values_attributes(checker, statement, statement->attributes);
    check_names_declare(checker, statement, object);
}

void check_setup_process(struct checker *checker, struct statement *statement)
{
    check_owner(checker, statement, OBJECT_PROCESS);
}

void check_setup_device(struct checker *checker, struct statement *statement)
{
    check_owner(checker, statement, OBJECT_DEVICE);
}

void check_setup_context(struct checker *checker, struct statement *statement)
{
    check_owner(checker, statement, OBJECT_CONTEXT);
}

void check_setup_sysmem(struct checker *checker, struct statement *statement)
{
    const struct attribute *section = attribute_find(statement, ATTRIBUTE_SYSMEM_SECTION);
    if (!attribute_find(statement, ATTRIBUTE_SYSMEM_OF))
        need(checker, statement, ATTRIBUTE_SYSMEM_SIZE, "size");
    if (section && (attribute_find(statement, ATTRIBUTE_SYSMEM_KERNEL) ||
                    attribute_find(statement, ATTRIBUTE_SYSMEM_OF)))
        check_report(checker, section->whole, NULL,
                     "a section is neither memory of the kernel nor that of an allocation");
    const struct attribute *uncached = attribute_find(statement, ATTRIBUTE_SYSMEM_UNCACHED);
    if (uncached && attribute_find(statement, ATTRIBUTE_SYSMEM_CACHED))
        check_report(checker, uncached->whole, "without either word it is write-combined",
                     "memory is mapped cacheable or uncacheable, not both");
    check_owner(checker, statement, OBJECT_SYSMEM);
}

void check_setup_class(struct checker *checker, struct statement *statement)
{
    check_owner(checker, statement, OBJECT_CLASS);
    check_members(checker, statement);
    struct class_info *info = arena_alloc(&checker->scenario->arena, sizeof *info);
    info->statement = statement;
    info->next = checker->classes;
    checker->classes = info;
}

/* ---- values --------------------------------------------------------------------------------- */

void check_setup_value(struct checker *checker, struct statement *statement)
{
    check_values_expression(checker, statement, statement->value);
}

void check_setup_let(struct checker *checker, struct statement *statement)
{
    uint64_t value = 0;
    struct variable *variable = NULL;
    check_values_expression(checker, statement, statement->value);
    bool constant = check_values_constant(checker, statement->value, &value);
    constant = constant && !checker->uncertain;
    if (check_has_variable(checker, statement->name, &variable)) {
        variable->constant = false;
        return;
    }
    check_declare_variable(checker, statement->name, constant, value);
}

/* ---- loops, choices, tests ------------------------------------------------------------------ */

/* Runs the checks of a body whose effects are not certain. */
static void check_body(struct checker *checker, struct statement *first, bool certain)
{
    size_t variables = checker->variable_count;
    unsigned restarts = checker->restarts;
    checker->uncertain += !certain;
    check_block(checker, first);
    checker->uncertain -= !certain;
    checker->variable_count = variables;
    check_inject_loop(checker, restarts);
}

/* A body that makes the same name in each of several rounds and leaves it alive. */
static void check_rounds(struct checker *checker, const struct statement *first)
{
    for (const struct statement *at = first; at; at = at->next) {
        if (at->kind != STATEMENT_CREATE || at->bad || check_silent(at))
            continue;
        const struct expr *target = at->subjects->from;
        if (target->kind != EXPR_NAME || target->left)
            continue;
        struct name_info info = check_names_info(checker, target->name);
        bool lives = info.state == NAME_LIVE && info.epoch == checker->epoch &&
                     info.at.source == target->at.source && info.at.offset == target->at.offset;
        char help[160];
        const char *name = check_word(checker, target->name);
        snprintf(help, sizeof help, "write %.60s[$i] in `for i in 0..3`, or `create new`", name);
        if (lives)
            check_report(checker, target->at, help,
                         "'%s' is made again in each round while it "
                         "lives",
                         name);
    }
}

void check_block_repeat(struct checker *checker, struct statement *statement)
{
    uint64_t count = 0;
    size_t variables = checker->variable_count;
    check_values_expression(checker, statement, statement->value);
    bool some = check_values_constant(checker, statement->value, &count) && count > 0;
    /* What a variable holds after the first round is not what it held before. */
    for (size_t i = 0; i < variables; i++)
        checker->variables[i].constant = false;
    if (statement->name)
        check_declare_variable(checker, statement->name, false, 0);
    check_body(checker, statement->body, some);
    if (some && count > 1)
        check_rounds(checker, statement->body);
    checker->variable_count = variables;
}

void check_block_for(struct checker *checker, struct statement *statement)
{
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t step = 1;
    size_t variables = checker->variable_count;
    check_values_expression(checker, statement, statement->value);
    check_values_expression(checker, statement, statement->extra);
    check_values_attributes(checker, statement, statement->attributes);
    bool known = check_values_constant(checker, statement->value, &from) &&
                 check_values_constant(checker, statement->extra, &to);
    if (known && to < from)
        check_report(checker, statement->value->at, NULL, "this range runs backwards");
    if (check_values_attribute(checker, statement, ATTRIBUTE_FOR_STEP, &step) && !step)
        check_report(checker, attribute_find(statement, ATTRIBUTE_FOR_STEP)->whole, NULL,
                     "a step of zero goes nowhere");
    check_declare_variable(checker, statement->name, false, 0);
    check_body(checker, statement->body, known);
    if (known && step && to >= from && to - from >= step)
        check_rounds(checker, statement->body);
    checker->variable_count = variables;
}

void check_block_choose(struct checker *checker, struct statement *statement)
{
    uint64_t weight = 0;
    uint64_t sum = 0;
    bool known = true;
    if (!statement->body && !statement->hurt)
        check_report(checker, statement->at, NULL, "'choose' without a case");
    for (struct statement *branch = statement->body; branch; branch = branch->next) {
        if (branch->kind != STATEMENT_CASE || branch->bad) {
            known = false;
            continue;
        }
        check_values_expression(checker, branch, branch->value);
        known = known && check_values_constant(checker, branch->value, &weight);
        sum += weight;
        check_body(checker, branch->body, false);
    }
    if (statement->body && known && !sum)
        check_report(checker, statement->at, NULL, "all cases have weight 0");
}

/* --only and the random numbers go by the name. */
static void check_test_name(struct checker *checker, const struct statement *statement)
{
    char help[96];
    struct scenario_span span;
    struct scenario *scenario = checker->scenario;
    const struct place *at = &statement->text;
    word name = words_intern(&scenario->words, &scenario->arena,
                             scenario->sources[at->source]->text + at->offset, at->length);
    struct name_slot *slot = names_slot(&checker->tests, name_key_of(name, false, 0));
    if (slot->value) {
        struct place first = { .offset = (uint32_t)slot->value,
                               .source = (uint16_t)(slot->value >> 32) };
        message_where(scenario, first, &span);
        snprintf(help, sizeof help, "the other is in line %" PRIu32 "; --only chooses by the name",
                 span.line);
        check_report(checker, *at, help, "there is another test with this name");
    }
    slot->value = (uint64_t)at->source << 32 | at->offset;
}

void check_block_test(struct checker *checker, struct statement *statement)
{
    check_unknown_settle(checker);
    check_test_name(checker, statement);
    struct checker before = *checker;
    checker->tests_begun = false;
    checker->in_test = true;
    size_t mark = check_names_mark(checker);
    check_inject_test(checker);
    check_block(checker, statement->body);
    check_unknown_settle(checker);
    check_inject_settle(checker);
    check_names_undo(checker, mark);
    checker->in_test = false;
    checker->tests_begun = true;
    checker->started = before.started;
    checker->agp = before.agp;
    checker->nodes = before.nodes;
    checker->nodes_unknown = before.nodes_unknown;
    checker->paging_node = before.paging_node;
    checker->stopped = before.stopped;
    checker->segment_count = before.segment_count;
    checker->link_adapters = before.link_adapters;
    checker->epoch = before.epoch;
    checker->wddm = before.wddm;
    checker->driver_wddm = before.driver_wddm;
    checker->system_wddm = before.system_wddm;
    checker->classes = before.classes;
    checker->variable_count = before.variable_count;
}

/* ---- narration ------------------------------------------------------------------------------ */

void check_teach_ask(struct checker *checker, struct statement *statement)
{
    check_values_expression(checker, statement, statement->value);
}

static void check_shown_counter(struct checker *checker, const struct expr *expr)
{
    struct nearest nearest;
    char help[224];
    const char *name = expr->kind == EXPR_NAME ? check_word(checker, expr->name) : "";
    if (vidmm_counter_by_name(name) != VIDMM_COUNTERS)
        return;
    nearest_init(&nearest, name, strlen(name));
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        nearest_try(&nearest, vidmm_counter_info((enum vidmm_counter)i)->name);
    check_report(checker, expr->at, nearest_choice(&nearest, help, sizeof help),
                 "expected the name of a counter");
}

void check_teach_show(struct checker *checker, struct statement *statement)
{
    for (const struct item *item = statement->subjects; item; item = item->next)
        check_shown_counter(checker, item->from);
    if (!statement->value)
        return;
    const char *what = check_word(checker, statement->name);
    if (strcmp(what, "state") == 0)
        check_expect_subject(checker, statement->value);
    else
        check_names_use(checker, statement, statement->value,
                        strcmp(what, "map") == 0 ? OBJECT_SEGMENT : OBJECT_ALLOCATION);
}
