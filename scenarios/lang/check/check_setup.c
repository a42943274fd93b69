/* SPDX-License-Identifier: MIT */
/*
 * check_setup.c: machine, adapter, segments, owners and narration.
 */
#include "scenarios/lang/check/parts.h"

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
            checker->now.driver_wddm = version;
        else
            checker->now.system_wddm = version;
    }
    checker->now.wddm = (uint32_t)min_u64(checker->now.driver_wddm, checker->now.system_wddm);
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
        checker->now.agp = agp->items->from->kind != EXPR_NAME &&
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
    info.flags = attribute_find(statement, ATTRIBUTE_SEGMENT_FLAGS);
    info.sized = check_values_attribute(checker, statement, ATTRIBUTE_SEGMENT_SIZE, &info.bytes);
    if (kind)
        word_list_has(kind->row->words, check_word(checker, kind->items->from->name), &index);
    info.aperture = index != 0;
    info.agp = index == KIND_AGP;
    info.maybe = checker->uncertain;
    info.sized &= index != KIND_AGP; /* as large as the machine's aperture (SEG-016) */
    if (checker->now.segment_count < VIDMM_SEGMENTS_MAX) {
        checker->segments[checker->now.segment_count++] = info;
        return;
    }
    check_report(checker, statement->at, NULL, "an adapter has at most %d segments (SEG-006)",
                 VIDMM_SEGMENTS_MAX);
}

/* `flags=Aperture` makes one of any segment, and so may a number. */
static bool is_aperture(const struct checker *checker, const struct segment_info *segment,
                        bool *certain)
{
    bool aperture = segment->aperture;
    for (const struct item *at = segment->flags ? segment->flags->items : NULL; at; at = at->next) {
        *certain = *certain && at->from->kind == EXPR_NAME;
        aperture |= at->from->kind == EXPR_NAME &&
                    strcmp(check_word(checker, at->from->name), "Aperture") == 0;
    }
    return aperture;
}

static void check_apertures(struct checker *checker)
{
    char help[160];
    size_t count = 0;
    bool certain = checker->now.segment_count > 0 && !checker->uncertain;
    struct place at = { 0 };
    for (size_t i = 0; i < checker->now.segment_count; i++) {
        bool aperture = is_aperture(checker, &checker->segments[i], &certain);
        count += aperture;
        certain = certain && !checker->segments[i].maybe;
        if (count <= 2 && (aperture || !count))
            at = checker->segments[i].at;
    }
    if (!certain || count == 1 || checker->now.wddm < VIDMM_WDDM_2_0 || checker->apertures_told)
        return;
    checker->apertures_told = true; /* once is enough */
    snprintf(help, sizeof help, "%s; or write `start -> fails` where that is meant",
             count ? "keep one of them" : "add one: `segment aper id=N kind=aperture size=32M`");
    check_report(checker, at, help,
                 "a driver of WDDM 2.0 or later reports exactly one aperture segment, and this one "
                 "reports %zu (SEG-034)",
                 count);
}

void check_setup_settled(struct checker *checker)
{
    check_flags_segments(checker);
    check_apertures(checker);
    for (size_t i = 0; i < checker->now.segment_count; i++) {
        struct segment_info *segment = &checker->segments[i];
        if (segment->agp && !checker->now.agp)
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
    check_values_attributes(checker, statement, statement->attributes);
    if (checker->now.segment_count)
        check_report(checker, statement->at, "the names of segments depend on it",
                     "'link' stands before the segments");
    checker->now.link_adapters = VIDMM_LINK_MAX; /* at most, as far as is known */
    if (!check_values_constant(checker, adapters->items->from, &count))
        return;
    if (!checker->uncertain)
        checker->now.link_adapters = (uint32_t)min_u64(count, VIDMM_LINK_MAX);
    if (!count || count > VIDMM_LINK_MAX)
        check_report(checker, adapters->whole, NULL, "a link has 1 to %d adapters", VIDMM_LINK_MAX);
}

void check_setup_segment(struct checker *checker, struct statement *statement)
{
    uint64_t id = 0;
    need(checker, statement, ATTRIBUTE_SEGMENT_ID, "id");
    need(checker, statement, ATTRIBUTE_SEGMENT_KIND, "kind");
    need(checker, statement, ATTRIBUTE_SEGMENT_SIZE, "size");
    check_values_attributes(checker, statement, statement->attributes);
    check_names_declare(checker, statement, OBJECT_SEGMENT);
    check_names_members(checker, statement, OBJECT_SEGMENT, checker->now.link_adapters);
    if (check_values_attribute(checker, statement, ATTRIBUTE_SEGMENT_ID, &id) &&
        !checker->scenario->segment_blamed && id != checker->now.segment_count + 1 &&
        checker->now.segment_count < VIDMM_SEGMENTS_MAX)
        check_report(checker, attribute_find(statement, ATTRIBUTE_SEGMENT_ID)->whole,
                     "segments are declared in the order of their ids, from 1 on",
                     "the id of this segment has to be %zu", checker->now.segment_count + 1);
    remember_segment(checker, statement);
}

/* ---- nodes and owners ----------------------------------------------------------------------- */

static void declare_node(struct checker *checker, const struct statement *statement)
{
    uint64_t number = 0;
    const struct attribute *paging = attribute_find(statement, ATTRIBUTE_NODE_PAGING);
    if (paging && checker->now.paging_node && !checker->uncertain)
        check_report(checker, paging->whole, NULL, "another node executes the paging buffers");
    checker->now.paging_node |= paging != NULL;
    if (!check_values_constant(checker, statement->value, &number) || checker->uncertain) {
        checker->now.nodes_unknown = true;
        return;
    }
    if (number >= VIDMM_NODES_MAX) {
        check_report(checker, statement->value->at, NULL, "nodes are numbered from 0 to %d",
                     VIDMM_NODES_MAX - 1);
        return;
    }
    if (checker->now.nodes >> number & 1)
        check_report(checker, statement->value->at, NULL, "node %" PRIu64 " has a name already",
                     number);
    checker->now.nodes |= UINT64_C(1) << number;
}

void check_setup_node(struct checker *checker, struct statement *statement)
{
    const struct attribute *name = attribute_find(statement, ATTRIBUTE_NODE_NAME);
    check_values_expression(checker, statement, statement->value);
    declare_node(checker, statement);
    need(checker, statement, ATTRIBUTE_NODE_NAME, "name");
    check_values_attributes(checker, statement, statement->attributes);
    if (name)
        check_names_create(checker, statement, name->items->from, OBJECT_NODE);
}

static void check_owner(struct checker *checker, const struct statement *statement,
                        enum object object)
{
    check_values_attributes(checker, statement, statement->attributes);
    check_names_declare(checker, statement, object);
}

void check_setup_owner(struct checker *checker, struct statement *statement)
{
    check_owner(checker, statement,
                statement->kind == STATEMENT_PROCESS  ? OBJECT_PROCESS
                : statement->kind == STATEMENT_DEVICE ? OBJECT_DEVICE
                                                      : OBJECT_CONTEXT);
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
    scope_add(&checker->classes, statement->name);
    BASE_GROW(checker->class_statements, checker->class_capacity, checker->classes.count);
    checker->class_statements[checker->classes.count - 1] = statement;
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
    } else {
        check_declare_variable(checker, statement->name, constant, value);
    }
    check_unit_remember(checker, statement->name, statement->value);
}

void check_setup_param(struct checker *checker, struct statement *statement)
{
    struct variable *variable = NULL;
    if (check_has_variable(checker, statement->name, &variable))
        check_report(checker, statement->name_at, "take another name", "$%s has a value already",
                     check_word(checker, statement->name));
    check_values_expression(checker, statement, statement->value);
    check_declare_variable(checker, statement->name, false, 0); /* it may be any other time */
    check_unit_remember(checker, statement->name, statement->value);
}

void check_setup_golden(struct checker *checker, struct statement *statement)
{
    char name[64], help[224];
    const struct attribute *kinds = attribute_find(statement, ATTRIBUTE_GOLDEN_KINDS);
    struct place at = kinds ? kinds->text : statement->at;
    const char *list = kinds ? source_text(checker->scenario, at) : "";
    for (size_t left = kinds ? at.length : 0, step; left; left -= step) {
        const char *comma = memchr(list, ',', left);
        at.length = (uint16_t)(comma ? (size_t)(comma - list) : left);
        snprintf(name, sizeof name, "%.*s", (int)min_u64(at.length, sizeof name), list);
        if (vidmm_event_by_name(name) == VIDMM_EVENT_NONE)
            check_report(checker, at, event_suggest(name, help, sizeof help), "'%s' is no event",
                         name);
        step = (size_t)at.length + (comma ? 1 : 0);
        list += step;
        at.offset += (uint32_t)step;
    }
}

/* ---- narration ------------------------------------------------------------------------------ */

void check_teach_show(struct checker *checker, struct statement *statement)
{
    for (const struct item *item = statement->subjects; item; item = item->next)
        check_values_counter(checker, item->from);
    if (!statement->value)
        return;
    const char *what = check_word(checker, statement->name);
    if (strcmp(what, "state") == 0)
        check_expect_subject(checker, statement->value);
    else
        check_names_use(checker, statement, statement->value,
                        strcmp(what, "map") == 0 ? OBJECT_SEGMENT : OBJECT_ALLOCATION);
}

/* ---- proofs ---------------------------------------------------------------------------------- */

static void check_clause(struct checker *checker, const struct rule_item *rule,
                         const struct item *clause, const char *help)
{
    char letter[16];
    const struct vidmm_rule_clause *clauses = vidmm_rule_info(rule->rule)->clauses;
    source_copy(checker->scenario, clause->at, letter, sizeof letter);
    for (int i = 0; clauses && clauses[i].text; i++)
        if (letter[0] == 'a' + i && !letter[1])
            return;
    message_error(checker->scenario, clause->at, help, "%s has no clause '%s'",
                  vidmm_rule_id(rule->rule), letter);
}

/* A proof names clauses where the rule numbers them; tidy.sh asks whether each has a proof. */
static void check_clauses(struct checker *checker, const struct rule_item *rule)
{
    const struct vidmm_rule_clause *clauses = vidmm_rule_info(rule->rule)->clauses;
    char help[256] = "its clauses are not numbered";
    for (int i = 0; clauses && clauses[i].text; i++) {
        help[0] = i ? help[0] : '\0';
        words_add(help, sizeof help, "%s(%c)", i ? ", " : "it has ", 'a' + i);
    }
    if (clauses)
        words_add(help, sizeof help, ": `vidmm explain %s` tells them", vidmm_rule_id(rule->rule));
    if (clauses && !rule->clauses)
        message_error(checker->scenario, rule->at, help, "which clauses of %s?",
                      vidmm_rule_id(rule->rule));
    for (const struct item *clause = rule->clauses; clause; clause = clause->next)
        check_clause(checker, rule, clause, help);
}

void check_setup_proves(struct checker *checker, struct statement *statement)
{
    for (const struct rule_item *rule = statement->rules; rule; rule = rule->next)
        check_clauses(checker, rule);
}
