/* SPDX-License-Identifier: MIT */
/*
 * check_expect.c: expectations: what they name exists, events and states have the fields that they
 * ask for, and they can be false.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

/* ---- fields of events, keys of `state` ------------------------------------------------------- */

static void check_rule(struct checker *checker, const struct item *item)
{
    char help[96] = "`vidmm rules` lists all rules", text[80];
    source_copy(checker->scenario, item->from->at, text, sizeof text);
    if (vidmm_rule_by_id(text) != VIDMM_RULE_NONE)
        return;
    enum vidmm_rule nearest = vidmm_rule_nearest(text);
    if (nearest != VIDMM_RULE_NONE)
        snprintf(help, sizeof help, "did you mean '%s'?", vidmm_rule_id(nearest));
    check_report(checker, item->from->at, help, "'%s' is not a rule", text);
}

/* A word that this key of `state` never is, of whatever it is asked. */
static void check_state_word(struct checker *checker, const char *key, const struct expr *value)
{
    char help[224];
    const char *text = check_word(checker, value->name);
    const struct vidmm_event_field_info *field;
    struct nearest nearest = nearest_begin(text, strlen(text));
    for (size_t i = 0; (field = state_words_field(key, i)) != NULL; i++) {
        if (event_fields_word(field, text))
            return;
        event_fields_suggest(field, &nearest);
    }
    check_report(checker, value->at, nearest_choice(&nearest, help, sizeof help),
                 "'%s' of 'state' is never '%s'", key, text);
}

static void complain_never(struct checker *checker, enum vidmm_event_kind event,
                           const struct vidmm_event_field_info *info, const struct expr *value)
{
    char help[224];
    char text[80];
    bool named = value->kind == EXPR_NAME;
    const char *wanted = named ? check_word(checker, value->name)
                               : source_copy(checker->scenario, value->at, text, sizeof text);
    struct nearest nearest = nearest_begin(wanted, strlen(wanted));
    event_fields_suggest(info, &nearest);
    for (size_t i = 0; event_fields_stands(info, "SEGMENT") && i < checker->now.segment_count; i++)
        nearest_try(&nearest, check_word(checker, checker->segments[i].name));
    check_report(checker, value->at, nearest_choice(&nearest, help, sizeof help),
                 "'%s' of '%s' is never '%s'", info->name, vidmm_event_info(event)->name, wanted);
}

/* What is named elsewhere: false when the field is no such name. */
static bool check_fields_named(struct checker *checker, const struct vidmm_event_field_info *info,
                               const struct expr *value)
{
    static const struct {
        const char *word;
        enum object object;
    } names[] = { { "DEVICE", OBJECT_DEVICE }, { "PROCESS", OBJECT_PROCESS } };
    int object = info->kind == VIDMM_FIELD_NODE         ? OBJECT_NODE
                 : info->kind == VIDMM_FIELD_ALLOCATION ? OBJECT_ALLOCATION
                                                        : 0;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        object |= event_fields_stands(info, names[i].word) ? (int)names[i].object : 0;
    if (event_fields_stands(info, "SEGMENT") && check_states_segment(checker, value->name))
        object = OBJECT_SEGMENT;
    if (object)
        check_names_known(checker, value, object);
    return object != 0;
}

/* A word that the field of this event never is. */
static void check_listed(struct checker *checker, enum vidmm_event_kind event, const char *key,
                         const struct expr *value)
{
    if (event == VIDMM_EVENT_NONE) {
        check_state_word(checker, key, value);
        return;
    }
    const struct vidmm_event_field_info *info = event_fields_find(event, key);
    if (!info || check_fields_named(checker, info, value))
        return;
    if (!event_fields_word(info, check_word(checker, value->name)))
        complain_never(checker, event, info, value);
}

/* A handle is that of an allocation, and a text stands where words are printed. */
static bool check_operand(struct checker *checker, enum vidmm_event_kind event,
                          const struct vidmm_event_field_info *info, const struct expr *value)
{
    bool words = info->kind == VIDMM_FIELD_WORD || info->kind == VIDMM_FIELD_TEXT;
    if ((value->kind != EXPR_HANDLE || info->kind == VIDMM_FIELD_ALLOCATION) &&
        (value->kind != EXPR_STRING || words))
        return true;
    complain_never(checker, event, info, value);
    return false;
}

/* A number where words are printed: `flags=0`. */
static void check_number(struct checker *checker, enum vidmm_event_kind event, const char *key,
                         const struct item *item)
{
    char text[32];
    uint64_t value = 0;
    const struct vidmm_event_field_info *info = event_fields_find(event, key);
    if (!info || !check_operand(checker, event, info, item->from))
        return;
    if (info->kind == VIDMM_FIELD_NODE && checker->now.started && !item->to)
        check_fields_node(checker, item->from);
    if (info->kind != VIDMM_FIELD_WORD || !*info->words ||
        !check_values_constant(checker, item->from, &value))
        return;
    snprintf(text, sizeof text, "%" PRIu64, value);
    if (item->to || !event_fields_stands(info, text))
        complain_never(checker, event, info, item->from);
}

static void check_fields_name(struct checker *checker, enum vidmm_event_kind event, const char *key,
                              const struct expr *value)
{
    const char *text = check_word(checker, value->name);
    if (strcmp(key, "segment") == 0 && value->name != checker->scenario->word_system)
        check_names_use(checker, NULL, value, OBJECT_SEGMENT);
    if (strcmp(key, "status") == 0 && !vidmm_status_by_name(text))
        check_report(checker, value->at, NULL, "'%s' is not a status", text);
    check_listed(checker, event, key, value);
}

/* `any`, `new` and `auto` are none. */
static void check_event_subject(struct checker *checker, const struct expr *subject)
{
    const struct scenario *scenario = checker->scenario;
    char text[80];
    if (subject->kind == EXPR_CALL || subject->name == scenario->word_any ||
        subject->name == scenario->word_new || subject->name == scenario->word_auto)
        check_report(checker, subject->at, "leave it out where any is meant",
                     "no event is about '%s', which is another one each time",
                     source_copy(scenario, subject->at, text, sizeof text));
    else
        check_names_known(checker, subject, OBJECT_ANY);
}

/* NULL: it is not known, or one thing of a segment and another of an allocation. */
static const struct vidmm_event_field_info *state_field(const char *key)
{
    const struct vidmm_event_field_info *other, *field = state_words_field(key, 0);
    for (size_t i = 1; (other = state_words_field(key, i)) != NULL; i++)
        if (other->kind != field->kind)
            return NULL;
    return field;
}

static void check_measure(struct checker *checker, enum vidmm_event_kind event, const char *key,
                          const struct item *item)
{
    static const struct vidmm_event_field_info time = { "time", VIDMM_FIELD_NS, true, "", "" };
    bool state = event == VIDMM_EVENT_NONE;
    const struct vidmm_event_field_info *field = state ? state_field(key)
                                                 : strcmp(key, "time") == 0
                                                     ? &time
                                                     : event_fields_find(event, key);
    const char *of = state ? "state" : vidmm_event_info(event)->name;
    if (field)
        check_unit_field(checker, item->from, field, of);
    if (field && item->to)
        check_unit_field(checker, item->to, field, of);
}

static void check_field(struct checker *checker, enum vidmm_event_kind event, const char *key,
                        const struct item *item)
{
    const struct expr *value = item->from;
    if (strcmp(key, "rule") == 0) {
        check_rule(checker, item);
        return;
    }
    if (value->kind == EXPR_NAME && strcmp(key, "subject") == 0) {
        check_event_subject(checker, value);
        return;
    }
    if (value->kind == EXPR_NAME) {
        check_fields_name(checker, event, key, value);
        return;
    }
    if (value->kind != EXPR_STRING && value->kind != EXPR_HANDLE)
        check_values_expression(checker, NULL, value);
    if (item->to)
        check_values_expression(checker, NULL, item->to);
    if (check_values_ask(checker, value) || check_values_ask(checker, item->to))
        check_report(checker, item->at, "write `let n = ...` above it, and $n here",
                     "what an event or a state is compared with asks nothing of the adapter");
    check_measure(checker, event, key, item);
    check_number(checker, event, key, item);
}

static void check_fields_all(struct checker *checker, enum vidmm_event_kind event,
                             const struct attribute *fields)
{
    for (const struct attribute *field = fields; field; field = field->next) {
        for (const struct item *item = field->items; item; item = item->next)
            check_field(checker, event, check_word(checker, field->key), item);
    }
}

void check_fields_item(struct checker *checker, enum vidmm_event_kind event,
                       const struct item *item)
{
    char help[224];
    const char *key = check_word(checker, item->key);
    if (event_fields_known(event, key)) {
        check_field(checker, event, key, item);
        return;
    }
    check_report(checker, item->at, event_fields_help(event, key, help, sizeof help),
                 "'%s' is not a field of '%s'", key, vidmm_event_info(event)->name);
}

void check_fields_node(struct checker *checker, const struct expr *expr)
{
    enum { NODES_BY_ITSELF = 2 };
    uint64_t number = 0;
    uint64_t count = checker->now.nodes ? 0 : NODES_BY_ITSELF;
    while (count < VIDMM_NODES_MAX && checker->now.nodes >> count)
        count++;
    if (!checker->now.nodes_unknown && check_values_constant(checker, expr, &number) &&
        number >= count)
        check_report(checker, expr->at,
                     checker->now.nodes
                         ? "`node N name=NAME` declares one, above the first operation"
                         : "they are 0, and 1 for paging; `node N name=NAME` declares "
                           "others, above the first operation",
                     "there is no node %" PRIu64 ": the adapter has %" PRIu64, number, count);
}

/* ---- expectations ---------------------------------------------------------------------------- */

static bool same_items(const struct item *a, const struct item *b);

/* The same text means the same value: random numbers are never the same. */
static bool same_expression(const struct expr *a, const struct expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op || a->name != b->name || a->value != b->value)
        return false;
    return same_expression(a->left, b->left) && same_expression(a->right, b->right) &&
           same_items(a->items, b->items);
}

static bool same_items(const struct item *a, const struct item *b)
{
    while (a && b) {
        if (a->key != b->key || !same_expression(a->from, b->from) ||
            !same_expression(a->to, b->to))
            return false;
        a = a->next;
        b = b->next;
    }
    return a == b;
}

static bool is_random(struct checker *checker, const struct expr *expr)
{
    if (!expr)
        return false;
    if (expr->kind == EXPR_CALL) {
        enum function function = function_find(check_word(checker, expr->name));
        return function == FUNCTION_RAND || function == FUNCTION_ANY;
    }
    return is_random(checker, expr->left) || is_random(checker, expr->right);
}

static bool is_always_true(struct checker *checker, const struct predicate *predicate)
{
    uint64_t left = 0;
    uint64_t right = 0;
    bool left_known = check_values_constant(checker, predicate->left, &left);
    bool right_known = check_values_constant(checker, predicate->right, &right);
    /* What asks the adapter can be false, even when the text says what it should answer. */
    if (left_known && right_known && !check_values_ask(checker, predicate->left) &&
        !check_values_ask(checker, predicate->right))
        return arithmetic_compare(predicate->op, left, right);
    if (right_known && right == 0 && predicate->op == MARK_AT_LEAST)
        return true;
    if (left_known && left == 0 && predicate->op == MARK_AT_MOST)
        return true;
    bool reflexive = predicate->op == MARK_EQUAL || predicate->op == MARK_AT_LEAST ||
                     predicate->op == MARK_AT_MOST;
    return reflexive && same_expression(predicate->left, predicate->right) &&
           !is_random(checker, predicate->left);
}

static void check_comparison(struct checker *checker, const struct statement *statement,
                             const struct predicate *predicate)
{
    check_values_expression(checker, statement, predicate->left);
    check_values_expression(checker, statement, predicate->right);
    check_unit_pair(checker, predicate->left, predicate->right);
    if (is_always_true(checker, predicate))
        check_report(checker, predicate->at,
                     "ask what the adapter has: used(vram), offset(NAME), count(evict) ...",
                     "this expectation can never be false");
}

static void use_segment(struct checker *checker, const struct statement *statement,
                        const struct expr *segment, int objects)
{
    if (segment->left || segment->name != checker->scenario->word_system)
        check_names_use(checker, statement, segment, objects);
}

void check_expect_subject(struct checker *checker, const struct expr *subject)
{
    bool adapter = subject->kind == EXPR_NAME && !subject->left &&
                   strcmp(check_word(checker, subject->name), "adapter") == 0;
    if (!adapter)
        check_names_use(checker, NULL, subject, OBJECT_ANY);
}

static void check_expect_event(struct checker *checker, const struct predicate *predicate)
{
    if (predicate->left)
        check_event_subject(checker, predicate->left);
    check_fields_all(checker, predicate->event, predicate->fields);
}

static void check_predicate(struct checker *checker, const struct statement *statement)
{
    const struct predicate *predicate = statement->predicate;
    const struct expr *left = predicate->left;
    if (left && left->kind == EXPR_NAME && left->right && predicate->kind != PREDICATE_NO) {
        check_report(checker, left->at,
                     "ask for each: `for i in 0..3`, `expect NAME[$i] ...`, `end`",
                     "an expectation is about one allocation, this is a range");
        return;
    }
    switch ((enum predicate_kind)predicate->kind) {
    case PREDICATE_COMPARE: check_comparison(checker, statement, predicate); break;
    case PREDICATE_IN:
        check_names_use(checker, statement, predicate->left, OBJECT_ALLOCATION);
        use_segment(checker, statement, predicate->segment, OBJECT_SEGMENT | OBJECT_SYSTEM);
        if (predicate->right) {
            check_values_expression(checker, statement, predicate->right);
            (void)check_unit_wanted(checker, predicate->right, MEASURE_SIZE, "at");
        }
        break;
    case PREDICATE_IS:
    case PREDICATE_CONTENT:
        check_names_use(checker, statement, predicate->left, OBJECT_ALLOCATION);
        break;
    case PREDICATE_STATE:
        check_expect_subject(checker, predicate->left);
        check_fields_all(checker, VIDMM_EVENT_NONE, predicate->fields);
        break;
    case PREDICATE_VALUE: break;
    case PREDICATE_NO:
        check_expect_event(checker, predicate);
        if (predicate->name) {
            struct expr mark = { EXPR_NAME, .name = predicate->name, .at = predicate->name_at };
            check_names_use(checker, statement, &mark, OBJECT_MARK);
        }
        break;
    }
}

static void check_map_line(struct checker *checker, const struct statement *line,
                           uint64_t *expected)
{
    uint64_t from = 0;
    uint64_t to = 0;
    check_values_expression(checker, line, line->value);
    check_values_expression(checker, line, line->extra);
    if (line->subjects)
        check_names_known(checker, line->subjects->from, OBJECT_ALLOCATION);
    if (!check_values_constant(checker, line->value, &from) ||
        !check_values_constant(checker, line->extra, &to))
        return;
    if (to <= from)
        check_report(checker, line->at, NULL,
                     to < from ? "this range runs backwards" : "this range is empty");
    else if (from != *expected)
        check_report(checker, line->value->at, "the lines cover the segment from 0 to its end",
                     "this line does not begin where the one before ends");
    *expected = to;
}

static void check_list(struct checker *checker, const struct statement *statement)
{
    uint64_t expected = 0;
    if (!statement->body && !statement->hurt)
        check_report(
            checker, statement->at,
            statement->mode == MODE_MAP
                ? "its lines are such as `0..4M NAME` or `4M..8M free`, up to `end`"
                : "its lines are such as `evict NAME`, up to `end`; `expect no EVENT` says "
                  "that none came",
            "this list is empty: it can never be false");
    for (const struct statement *line = statement->body; line; line = line->next) {
        if (line->kind == STATEMENT_MAP_LINE)
            check_map_line(checker, line, &expected);
        else if (line->kind == STATEMENT_EVENT_LINE)
            check_expect_event(checker, line->predicate);
    }
}

void check_expect_statement(struct checker *checker, struct statement *statement)
{
    if (statement->mode == MODE_PREDICATE) {
        check_predicate(checker, statement);
        return;
    }
    if (statement->mode == MODE_MAP)
        use_segment(checker, statement, statement->value, OBJECT_SEGMENT);
    check_list(checker, statement);
}

/* The answer may be a text. */
void check_expect_ask(struct checker *checker, struct statement *statement)
{
    const struct predicate *answer = statement->predicate;
    if (answer->kind != PREDICATE_VALUE)
        check_predicate(checker, statement);
    else if (answer->left->kind != EXPR_STRING)
        check_values_expression(checker, statement, answer->left);
}

void check_expect_mark(struct checker *checker, struct statement *statement)
{
    struct name_info info = check_states_at(checker, name_key_plain(statement->name));
    if (info.object != OBJECT_MARK)
        check_names_declare(checker, statement, OBJECT_MARK);
}
