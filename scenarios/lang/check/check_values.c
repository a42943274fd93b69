/* SPDX-License-Identifier: MIT */
/*
 * check_values.c: expressions and attributes: what they name exists, what is constant fits.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

/* ---- constants ------------------------------------------------------------------------------ */

static bool values_combine(struct checker *checker, const struct expr *expr, uint64_t *value)
{
    uint64_t left = 0;
    uint64_t right = 0;
    if (!check_values_constant(checker, expr->left, &left) ||
        !check_values_constant(checker, expr->right, &right))
        return false;
    return arithmetic_apply(expr->op, left, right, value) == ARITHMETIC_OK;
}

static bool is_size_of_segment(struct checker *checker, const struct expr *expr, uint64_t *value)
{
    const struct item *item = expr->items;
    if (function_find(check_word(checker, expr->name)) != FUNCTION_SIZE || !item || item->next ||
        item->from->kind != EXPR_NAME)
        return false;
    const struct segment_info *segment = check_states_segment(checker, item->from->name);
    if (!segment || !segment->sized)
        return false;
    *value = segment->bytes;
    return true;
}

bool check_values_constant(struct checker *checker, const struct expr *expr, uint64_t *value)
{
    const struct segment_info *segment;
    switch (expr->kind) {
    case EXPR_NUMBER: *value = expr_number(expr, checker->numbers); return true;
    case EXPR_BINARY: return values_combine(checker, expr, value);
    case EXPR_PERCENT:
        segment = check_states_segment(checker, expr->left->name);
        return segment && segment->sized &&
               arithmetic_percent(expr_number(expr, checker->numbers), segment->bytes, value) ==
                   ARITHMETIC_OK;
    case EXPR_CALL: return is_size_of_segment(checker, expr, value);
    case EXPR_VARIABLE: return check_constant_variable(checker, expr->name, value);
    default: return false;
    }
}

bool check_values_ask(const struct checker *checker, const struct expr *expr)
{
    if (!expr)
        return false;
    if (expr->kind == EXPR_CALL)
        return function_find(check_word(checker, expr->name)) != FUNCTION_RAND;
    if (expr->kind == EXPR_NAME)
        return vidmm_counter_by_name(check_word(checker, expr->name)) != VIDMM_COUNTERS &&
               !check_states_segment(checker, expr->name);
    return check_values_ask(checker, expr->left) || check_values_ask(checker, expr->right);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void complain_arguments(struct checker *checker, const struct expr *expr, const char *what)
{
    check_report(checker, expr->at, NULL, "'%s' takes %s", check_word(checker, expr->name), what);
}

/* `count(place,tex)`: no event has a field without a name, and the count would always be 0. */
static void complain_bare(struct checker *checker, const char *event, const struct item *item)
{
    char help[160];
    char text[80];
    snprintf(help, sizeof help, "write count(%s,subject=%s)", event,
             source_copy(checker->scenario, item->at, text, sizeof text));
    check_report(checker, item->at,
                 item->from->kind == EXPR_NAME ? help : "such as count(evict,reason=room)",
                 "after the event stand fields: KEY=VALUE");
}

static void check_values_event(struct checker *checker, const struct expr *expr)
{
    const struct item *item = expr->items;
    if (!item || item->key || item->from->kind != EXPR_NAME) {
        complain_arguments(checker, expr, "an event and fields: count(evict,reason=room)");
        return;
    }
    const char *name = check_word(checker, item->from->name);
    enum vidmm_event_kind event = vidmm_event_by_name(name);
    if (event == VIDMM_EVENT_NONE) {
        char help[96];
        check_report(checker, item->from->at, event_suggest(name, help, sizeof help),
                     "'%s' is not an event", name);
        return;
    }
    if (strcmp(vidmm_event_info(event)->group, "trail") == 0)
        check_report(checker, item->from->at, "`vidmm run --record=FILE` shows them",
                     "'%s' is not told to expectations", name);
    for (item = item->next; item; item = item->next) {
        if (item->key)
            check_fields_item(checker, event, item);
        else
            complain_bare(checker, name, item);
    }
}

void check_values_counter(struct checker *checker, const struct expr *expr)
{
    char help[224], text[80];
    const char *name = expr->kind == EXPR_NAME ? check_word(checker, expr->name) : "";
    if (vidmm_counter_by_name(name) != VIDMM_COUNTERS)
        return;
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (int i = 0; i < VIDMM_COUNTERS; i++)
        nearest_try(&nearest, vidmm_counter_info((enum vidmm_counter)i)->name);
    check_report(checker, expr->at, nearest_choice(&nearest, help, sizeof help),
                 "expected the name of a counter, found '%s'",
                 source_copy(checker->scenario, expr->at, text, sizeof text));
}

static void check_reason(struct checker *checker, const struct expr *expr)
{
    const struct item *item = expr->items;
    char help[224];
    if (!item)
        return;
    if (item->next || item->from->kind != EXPR_NAME) {
        complain_arguments(checker, expr, "the reason of a wait, or nothing");
        return;
    }
    const char *name = check_word(checker, item->from->name);
    if (vidmm_wait_reason_by_name(name) != VIDMM_WAIT_REASON_COUNT)
        return;
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (int i = 0; i < VIDMM_WAIT_REASON_COUNT; i++)
        nearest_try(&nearest, vidmm_wait_reason_name((enum vidmm_wait_reason)i));
    check_report(checker, item->from->at, nearest_choice(&nearest, help, sizeof help),
                 "'%s' is not a reason of waits", name);
}

static void check_out(struct checker *checker, const struct expr *expr)
{
    const struct item *item = expr->items;
    char help[224];
    if (!item || item->next || item->from->kind != EXPR_NAME) {
        complain_arguments(checker, expr, "the name of an output member: out(hResource)");
        return;
    }
    const char *name = check_word(checker, item->from->name);
    if (item->from->left)
        check_values_expression(checker, NULL, item->from->left);
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (size_t i = 0; out_name(i); i++) {
        if (strcmp(out_name(i), name) == 0) {
            const char *flaw = out_flaw(i, item->from->left != NULL);
            if (flaw)
                check_report(checker, item->from->at, NULL, flaw, name);
            return;
        }
        nearest_try(&nearest, out_name(i));
    }
    check_report(checker, item->from->at, nearest_choice(&nearest, help, sizeof help),
                 "'%s' is not an output member", name);
}

static void check_random(struct checker *checker, const struct statement *statement,
                         const struct expr *expr, enum function function)
{
    const struct item *item = expr->items;
    bool any = function == FUNCTION_ANY;
    const char *form = any ? "a number or a range: any(1..6)" : "a range: rand(64K..8M,step=64K)";
    uint64_t from = 0;
    uint64_t to = 0;
    if (!item || (!any && !item->to) || item->key) {
        complain_arguments(checker, expr, form);
        return;
    }
    for (; item; item = item->next) {
        check_values_expression(checker, statement, item->from);
        if (item->to)
            check_values_expression(checker, statement, item->to);
    }
    item = expr->items;
    bool constant = item->to && check_values_constant(checker, item->from, &from) &&
                    check_values_constant(checker, item->to, &to);
    if (constant && to < from)
        check_report(checker, item->at, NULL, "this range runs backwards");
    const struct item *step = item->next;
    bool stepped = step && !any && strcmp(check_word(checker, step->key), "step") == 0;
    if (step && (!stepped || step->next)) {
        complain_arguments(checker, expr, form);
        return;
    }
    if (step && check_values_constant(checker, step->from, &from) && !from)
        check_report(checker, step->from->at, NULL, "a step of zero goes nowhere");
}

static void check_subject(struct checker *checker, const struct statement *statement,
                          const struct expr *expr, const struct function_row *row)
{
    const struct item *item = expr->items;
    if (row->subject == 0) {
        if (item)
            complain_arguments(checker, expr, "nothing between the parentheses");
        return;
    }
    bool pinned = item && item->next && function_row_of(FUNCTION_USED) == row &&
                  item->next->from->kind == EXPR_NAME && !item->next->next &&
                  strcmp(check_word(checker, item->next->from->name), "pinned") == 0;
    if (!item || (item->next && !pinned) || item->to || item->key) {
        complain_arguments(checker, expr, "one name");
        return;
    }
    enum expr_kind kind = (enum expr_kind)item->from->kind;
    if (row->subject & OBJECT_NODE && kind == EXPR_NUMBER)
        return;
    if (kind == EXPR_NAME || kind == EXPR_HANDLE || kind == EXPR_CALL)
        check_names_use(checker, statement, item->from, row->subject);
    else
        complain_arguments(checker, expr, "one name");
}

static void check_counter(struct checker *checker, const struct statement *statement,
                          const struct expr *expr)
{
    const char *name = check_word(checker, expr->name);
    enum vidmm_counter counter = vidmm_counter_by_name(name);
    int objects = 0;
    if (counter == VIDMM_COUNTERS) {
        char help[224];
        struct place at = expr->at;
        at.length = (uint16_t)strlen(name);
        check_report(checker, at, check_suggest_value(checker, expr, help, sizeof help),
                     "'%s' is not a function or a counter", name);
        return;
    }
    const char *scopes = vidmm_counter_info(counter)->scopes;
    objects |= strchr(scopes, 's') ? OBJECT_SEGMENT : 0;
    objects |= strchr(scopes, 'n') ? OBJECT_NODE : 0;
    objects |= strchr(scopes, 'd') ? OBJECT_DEVICE : 0;
    objects |= strchr(scopes, 'a') ? OBJECT_ALLOCATION : 0;
    struct function_row row = { .subject = objects };
    if (expr->kind == EXPR_CALL)
        check_subject(checker, statement, expr, &row);
}

static void check_call(struct checker *checker, const struct statement *statement,
                       const struct expr *expr)
{
    enum function function = function_find(check_word(checker, expr->name));
    if (function == FUNCTIONS) {
        check_counter(checker, statement, expr);
        return;
    }
    const struct function_row *row = function_row_of(function);
    switch (function) {
    case FUNCTION_COUNT: check_values_event(checker, expr); break;
    case FUNCTION_BYTES:
        if (expr->items)
            check_values_counter(checker, expr->items->from);
        else
            complain_arguments(checker, expr, "the name of a counter");
        break;
    case FUNCTION_STALL: check_reason(checker, expr); break;
    case FUNCTION_OUT: check_out(checker, expr); break;
    case FUNCTION_RAND:
    case FUNCTION_ANY: check_random(checker, statement, expr, function); break;
    default: check_subject(checker, statement, expr, row); break;
    }
}

static void check_arithmetic(struct checker *checker, const struct expr *expr)
{
    uint64_t left = 0;
    uint64_t right = 0;
    uint64_t value = 0;
    if (!check_values_constant(checker, expr->left, &left) ||
        !check_values_constant(checker, expr->right, &right))
        return;
    enum arithmetic problem = arithmetic_apply(expr->op, left, right, &value);
    if (problem)
        check_report(checker, expr->at,
                     problem == ARITHMETIC_NEGATIVE
                         ? "numbers are 0 and more; a range is written 0..3"
                         : NULL,
                     "%s", arithmetic_problem(problem));
}

static const char *named_help(const struct name_info *info, const char *name, char *help,
                              size_t bytes)
{
    if (info->object == OBJECT_ALLOCATION)
        snprintf(help, bytes, "offset(%.80s) and size(%.80s) are numbers", name, name);
    else if (info->object == OBJECT_SUBMISSION)
        snprintf(help, bytes, "fence(%.80s) is a number", name);
    else
        return NULL;
    return help;
}

/* What the name stands for, or the members of which it names one. */
static struct name_info info_of(const struct checker *checker, const struct expr *expr)
{
    return check_states_at(checker, expr->left ? name_key_member(expr->name, NAME_SOME)
                                               : name_key_plain(expr->name));
}

/* A name where a value is wanted: a segment stands for its number, else it has to be a counter. */
static void check_bare_name(struct checker *checker, const struct expr *expr)
{
    char help[224], name[80];
    enum function function = function_find(check_word(checker, expr->name));
    source_copy(checker->scenario, expr->at, name, sizeof name);
    if (function != FUNCTIONS) {
        const struct function_row *row = function_row_of(function);
        check_report(checker, expr->at, NULL, "'%s' is a function: write %s(%s)", name, row->name,
                     row->optional ? "" : "...");
        return;
    }
    if (expr->name == checker->scenario->word_system)
        return;
    struct name_info info = info_of(checker, expr);
    if (check_states_segment(checker, expr->name))
        check_names_use(checker, NULL, expr, OBJECT_SEGMENT);
    else if (info.state != NAME_UNKNOWN)
        check_report(checker, expr->at, named_help(&info, name, help, sizeof help),
                     "'%s' is a name and has no value", name);
    else
        check_counter(checker, NULL, expr);
}

/* `any` names no segment. */
static void check_percent(struct checker *checker, const struct statement *statement,
                          const struct expr *segment)
{
    if (segment->name == checker->scenario->word_any)
        check_unknown_tell(checker, segment, OBJECT_SEGMENT);
    else
        check_names_use(checker, statement, segment, OBJECT_SEGMENT);
}

void check_values_expression(struct checker *checker, const struct statement *statement,
                             const struct expr *expr)
{
    struct variable *variable = NULL;
    char help[224];
    switch (expr->kind) {
    case EXPR_PERCENT: check_percent(checker, statement, expr->left); break;
    case EXPR_VARIABLE:
        if (!check_has_variable(checker, expr->name, &variable) &&
            !names_find(&checker->scenario->blamed, name_key_plain(expr->name)))
            check_report(checker, expr->at,
                         check_suggest_variable(checker, expr, help, sizeof help),
                         "there is no variable '%s' here", check_word(checker, expr->name));
        break;
    case EXPR_STRING:
        check_report(checker, expr->at, "numbers and names stand without quotes",
                     "a text is not a number");
        break;
    case EXPR_NAME: check_bare_name(checker, expr); break;
    case EXPR_HANDLE: check_report(checker, expr->at, NULL, "a handle is not a number"); break;
    case EXPR_CALL: check_call(checker, statement, expr); break;
    case EXPR_BINARY:
        check_values_expression(checker, statement, expr->left);
        check_values_expression(checker, statement, expr->right);
        if (expr->op == '+' || expr->op == '-')
            check_unit_pair(checker, expr->left, expr->right);
        check_arithmetic(checker, expr);
        break;
    default: break;
    }
}

void check_values_most(struct checker *checker, const struct expr *expr, const char *name,
                       uint64_t most)
{
    uint64_t value = 0;
    if (check_values_constant(checker, expr, &value) && value > most)
        check_report(checker, expr->at, NULL, "'%s' is at most %" PRIu64, name, most);
}

/* ---- attributes ----------------------------------------------------------------------------- */

static bool is_word_value(const struct checker *checker, const struct attribute *attribute,
                          const struct item *item, size_t *index)
{
    return item->from->kind == EXPR_NAME && attribute->row->words &&
           word_list_has(attribute->row->words, check_word(checker, item->from->name), index);
}

static void check_setting(struct checker *checker, const struct attribute *attribute)
{
    uint64_t value = 0;
    size_t word_index = 0;
    const char *why = NULL;
    struct vidmm_settings settings;
    if (attribute->row->argument >= ATTRIBUTE_CAP)
        return;
    if (is_word_value(checker, attribute, attribute->items, &word_index))
        value = word_index;
    else if (!check_values_constant(checker, attribute->items->from, &value))
        return;
    vidmm_settings_init(&settings);
    if (!vidmm_setting_store(&settings, (size_t)attribute->row->argument, value, &why))
        check_report(checker, attribute->whole, why, "this is not a value of '%s'",
                     attribute->row->name);
}

static void check_ends(struct checker *checker, const struct item *item, bool may_be_one)
{
    uint64_t from = 0, to = 0;
    if (item->to && check_values_constant(checker, item->from, &from) &&
        check_values_constant(checker, item->to, &to) && (to < from || (to == from && !may_be_one)))
        check_report(checker, item->at, to < from ? NULL : "0..1 is the first byte",
                     to < from ? "this range runs backwards" : "this range is empty");
}

/* `segments=vram[1]`: every adapter of a link has the same sets. */
static void check_linked(struct checker *checker, const struct attribute_row *row,
                         const struct expr *segment)
{
    char help[96];
    const char *name = check_word(checker, segment->name);
    snprintf(help, sizeof help, "write %s=%.60s", row->name, name);
    if (segment->left && check_states_segment(checker, segment->name))
        check_report(checker, segment->at, help,
                     "'%s' is meant on every adapter alike: expected a segment without an index",
                     row->name);
}

/* False: what it measures is wrong, and nothing else need be said of it. */
static bool check_values_item(struct checker *checker, const struct statement *statement,
                              const struct attribute *attribute, const struct item *item)
{
    const struct attribute_row *row = attribute->row;
    if (is_word_value(checker, attribute, item, NULL))
        return true;
    switch (row->kind) {
    case VALUE_NAME:
    case VALUE_NAMES:
    case VALUE_OFFERS: check_names_use(checker, statement, item->from, row->argument); return true;
    case VALUE_SEGMENTS:
    case VALUE_PREFER:
        check_names_use(checker, statement, item->from, row->argument);
        check_linked(checker, row, item->from);
        return true;
    case VALUE_SEGMENT_SET:
    case VALUE_NODE:
        if (item->from->kind == EXPR_NAME) {
            check_names_use(checker, statement, item->from, row->argument);
            check_linked(checker, row, item->from);
            return true;
        }
        break;
    case VALUE_FLAGS:
    case VALUE_PRIORITY:
    case VALUE_NAMED:
        if (item->from->kind == EXPR_NAME)
            return true;
        break;
    case VALUE_WORD: check_switch_policy(checker, attribute->row, item); return true;
    case VALUE_NEW: return true;
    default: break;
    }
    check_values_expression(checker, statement, item->from);
    check_values_most(checker, item->from, row->name, attribute_most(row));
    if (item->to)
        check_values_expression(checker, statement, item->to);
    if (row->kind == VALUE_RANGES || row->kind == VALUE_RANGE)
        check_ends(checker, item, row->kind == VALUE_RANGES);
    return check_unit_attribute(checker, row, item);
}

void check_values_attributes(struct checker *checker, const struct statement *statement,
                             const struct attribute *attributes)
{
    bool settings = statement->kind == STATEMENT_ADAPTER || statement->kind == STATEMENT_SET;
    bool switches = attribute_takes_switches(statement->kind);
    for (const struct attribute *attribute = attributes; attribute; attribute = attribute->next) {
        bool good = true;
        for (const struct item *item = attribute->items; item; item = item->next)
            good = check_values_item(checker, statement, attribute, item) && good;
        if (settings && good)
            check_setting(checker, attribute);
        if (switches && statement->mode != MODE_OFF)
            check_switch(checker, attribute);
    }
}

bool check_values_attribute(struct checker *checker, const struct statement *statement,
                            enum attribute_id id, uint64_t *value)
{
    const struct attribute *attribute = attribute_find(statement, id);
    return attribute && check_values_constant(checker, attribute->items->from, value);
}
