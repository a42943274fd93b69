/* SPDX-License-Identifier: MIT */
/*
 * check_fields.c: what an expectation asks of the fields of events and of the keys of `state`.
 */
#include "scenarios/lang/check/parts.h"

#include <string.h>

static void check_rule(struct checker *checker, const struct item *item)
{
    char help[96];
    const char *text = check_word(checker, item->from->name);
    if (item->from->kind == EXPR_NAME && vidmm_rule_by_id(text) != VIDMM_RULE_NONE)
        return;
    enum vidmm_rule nearest = vidmm_rule_nearest(text);
    snprintf(help, sizeof help, "did you mean '%s'?", vidmm_rule_id(nearest));
    check_report(checker, item->from->at, nearest != VIDMM_RULE_NONE ? help : NULL,
                 "'%s' is not a rule", text);
}

/* A word that this key of `state` never is. */
static void check_state_word(struct checker *checker, const char *key, const struct expr *value)
{
    char help[224];
    const char *text = check_word(checker, value->name);
    const char *words = state_words_values(key);
    if (!words || word_list_has(words, text, NULL))
        return;
    struct nearest nearest = nearest_begin(text, strlen(text));
    nearest_try_words(&nearest, words);
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
                               : check_spelled(checker, value->at, text, sizeof text);
    struct nearest nearest = nearest_begin(wanted, strlen(wanted));
    event_fields_suggest(info, &nearest);
    for (size_t i = 0; event_fields_stands(info, "SEGMENT") && i < checker->segment_count; i++)
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

/* A number where words are printed: `flags=0`. */
static void check_number(struct checker *checker, enum vidmm_event_kind event, const char *key,
                         const struct item *item)
{
    char text[32];
    uint64_t value = 0;
    const struct vidmm_event_field_info *info = event_fields_find(event, key);
    if (info && info->kind == VIDMM_FIELD_NODE && checker->started && !item->to)
        check_fields_node(checker, item->from);
    if (!info || info->kind != VIDMM_FIELD_WORD || !*info->words ||
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

static void check_field(struct checker *checker, enum vidmm_event_kind event, const char *key,
                        const struct item *item)
{
    const struct expr *value = item->from;
    if (strcmp(key, "rule") == 0) {
        check_rule(checker, item);
        return;
    }
    if (value->kind == EXPR_NAME && strcmp(key, "subject") == 0) {
        check_names_known(checker, value, OBJECT_ANY);
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
    check_number(checker, event, key, item);
}

void check_fields_all(struct checker *checker, enum vidmm_event_kind event,
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
