/* SPDX-License-Identifier: MIT */
/*
 * check_names.c: names that begin, are used, and end.
 */
#include "scenarios/lang/check/parts.h"

enum { MEMBERS_MAX = 65536, MEMBERS_SUM = 1 << 24 };

/* ---- which names ---------------------------------------------------------------------------- */

/* The names of one target: a handle, a name, or a run of members. */
struct target {
    bool handle, unknown; /* unknown: the index is not known before the run */
    bool none;            /* any, new, auto: no name */
    bool indexed;
    word name;
    uint64_t first, last;
};

/* `t[0-3]` */
static bool complain_span(struct checker *checker, const struct expr *expr)
{
    char help[96];
    uint64_t from = 0, to = 0;
    bool span = expr->kind == EXPR_BINARY && expr->op == '-' &&
                check_values_constant(checker, expr->left, &from) &&
                check_values_constant(checker, expr->right, &to) && from < to;
    if (!span)
        return false;
    snprintf(help, sizeof help, "a range is written [%" PRIu64 "..%" PRIu64 "]", from, to);
    check_report(checker, expr->at, help, "this is less than zero");
    return true;
}

static bool find_index(struct checker *checker, const struct expr *expr, uint64_t *index,
                       bool *unknown)
{
    if (complain_span(checker, expr))
        return false;
    check_values_expression(checker, NULL, expr);
    *unknown = !check_values_constant(checker, expr, index);
    if (*unknown || *index <= NAME_INDEX_MAX)
        return true;
    check_report(checker, expr->at, NULL, "an index is at most %d", NAME_INDEX_MAX);
    return false;
}

static bool names_find_members(struct checker *checker, const struct expr *expr,
                               struct target *target)
{
    bool unknown_last = false;
    target->indexed = expr->left != NULL;
    target->name = expr->name;
    if (!expr->left)
        return true;
    if (!find_index(checker, expr->left, &target->first, &target->unknown))
        return false;
    target->last = target->first;
    if (expr->right && !find_index(checker, expr->right, &target->last, &unknown_last))
        return false;
    target->unknown = target->unknown || unknown_last;
    if (target->unknown)
        return true;
    if (target->last < target->first || target->last - target->first >= MEMBERS_MAX) {
        check_report(checker, expr->at, NULL,
                     target->last < target->first ? "this range runs backwards"
                                                  : "a range names at most 65536 members");
        return false;
    }
    /* Of a text that names hundreds of millions of members the rest is left to the run. */
    checker->members += target->last - target->first;
    target->unknown = checker->members > MEMBERS_SUM;
    return true;
}

static bool find_target(struct checker *checker, const struct expr *expr, struct target *target)
{
    const struct scenario *scenario = checker->scenario;
    *target = (struct target){ 0 };
    if (expr->kind == EXPR_HANDLE) {
        target->handle = true;
        target->first = target->last = expr_number(expr, checker->numbers);
        return true;
    }
    target->none = expr->kind != EXPR_NAME || expr->name == scenario->word_any ||
                   expr->name == scenario->word_new || expr->name == scenario->word_auto;
    return target->none || names_find_members(checker, expr, target);
}

static struct reference member(const struct target *target, uint64_t index)
{
    CHECK(!target->none && !target->unknown);
    if (target->handle)
        return (struct reference){ true, index };
    return (struct reference){ false, name_key_of(target->name, target->indexed, (uint32_t)index) };
}

static uint32_t line_of(struct checker *checker, struct place at)
{
    struct scenario_span span;
    message_where(checker->scenario, at, &span);
    return span.line;
}

/* ---- states --------------------------------------------------------------------------------- */

/* What is known now: older than the last `destroy all`, or changed in a choice, is "maybe". */
static enum name_state current_state(const struct checker *checker, const struct name_info *info)
{
    bool perishable = info->object & (OBJECT_ALLOCATION | OBJECT_RESOURCE);
    if (info->state == NAME_LIVE && perishable && info->epoch != checker->now.epoch)
        return NAME_MAYBE;
    return info->state;
}

static void begin(struct checker *checker, const struct statement *statement,
                  const struct expr *target, struct reference reference, enum object object)
{
    char text[80];
    struct place at = target ? target->at : statement->name_at;
    if (checker->numbers)
        at.offset = checker->line_offset;
    struct name_info info = check_states_get(checker, reference);
    bool again = object == OBJECT_SUBMISSION && info.object == OBJECT_SUBMISSION;
    bool taken = current_state(checker, &info) == NAME_LIVE && !again &&
                 info.at.offset; /* else it is one by default */
    if (taken && !check_silent(statement))
        check_report(checker, target ? target->at : statement->name_at,
                     object == OBJECT_SUBMISSION
                         ? "a submission has a name of its own: `submit NAME read=ALLOCATION`"
                     : info.object == OBJECT_ALLOCATION ? "take another name, or `destroy` it first"
                                                        : "take another name",
                     "'%s' is already %s, made in line %" PRIu32,
                     target ? source_copy(checker->scenario, target->at, text, sizeof text)
                            : check_word(checker, statement->name),
                     check_unknown_noun((int)info.object), line_of(checker, info.at));
    bool certain = !checker->uncertain && !check_silent(statement);
    struct name_info now = { .state = certain ? NAME_LIVE : NAME_MAYBE,
                             .object = object,
                             .epoch = checker->now.epoch,
                             .at = at };
    check_states_set(checker, reference, &now);
    struct reference some = { false, name_key_member((word)(reference.key >> 32), NAME_SOME) };
    if (!reference.handle && (uint32_t)reference.key && !check_states_get(checker, some).state)
        check_states_set(checker, some, &now);
}

void check_names_family(struct checker *checker, const struct expr *target, enum object object)
{
    struct reference family = { false, name_key_member(target->name, NAME_FAMILY) };
    struct name_info info = { .state = NAME_MAYBE, .object = object, .at = target->at };
    check_states_set(checker, family, &info);
}

void check_names_create(struct checker *checker, const struct statement *statement,
                        const struct expr *target, enum object object)
{
    struct target found;
    if (!find_target(checker, target, &found) || found.none)
        return;
    if (found.unknown) {
        check_names_family(checker, target, object);
        return;
    }
    for (uint64_t index = found.first; index <= found.last; index++)
        begin(checker, statement, target, member(&found, index), object);
}

void check_names_declare(struct checker *checker, const struct statement *statement,
                         enum object object)
{
    struct reference reference = { false, name_key_plain(statement->name) };
    begin(checker, statement, NULL, reference, object);
}

void check_names_members(struct checker *checker, const struct statement *statement,
                         enum object object, uint32_t count)
{
    for (uint32_t index = 0; index < count; index++)
        begin(checker, statement, NULL,
              (struct reference){ false, name_key_member(statement->name, index) }, object);
}

void check_names_instance(struct checker *checker, const struct statement *statement)
{
    struct reference reference = { false, name_key_plain(statement->name) };
    struct name_info info = check_states_get(checker, reference);
    if (info.object == OBJECT_ALLOCATION && current_state(checker, &info) == NAME_LIVE)
        return;
    begin(checker, statement, NULL, reference, OBJECT_ALLOCATION);
}

/* `free` of an allocation ends nothing, `destroy` does; else those of the right kind. */
static const char *wrong_kind(struct checker *checker, const struct statement *statement,
                              const struct expr *target, const struct name_info *info, int objects,
                              char *help, size_t bytes)
{
    bool ends =
        statement && (statement->kind == STATEMENT_FREE || statement->kind == STATEMENT_CLOSE);
    const char *text = target->kind == EXPR_NAME ? check_word(checker, target->name) : "";
    if (ends && info->object == OBJECT_ALLOCATION)
        return text_format(help, bytes, "`destroy %s` ends an allocation", *text ? text : "NAME");
    if (checker->scenario->messages.count >= LANG_MESSAGES_MAX || checker->numbers)
        return NULL;
    struct expr plain = { .kind = EXPR_STRING, .at = target->at };
    return check_suggest_name(checker, &plain, objects, help, bytes);
}

/* Members of a family of which one is known at all. */
static bool is_known(struct checker *checker, const struct statement *statement,
                     const struct expr *target, const struct target *found,
                     struct reference reference, int objects)
{
    struct name_info info = check_states_get(checker, reference);
    bool silent = statement && check_silent(statement);
    if (info.state == NAME_UNKNOWN) {
        if (!found->handle && found->indexed &&
            check_states_at(checker, name_key_member(found->name, NAME_FAMILY)).state)
            return false;
        if (!silent && !checker->uncertain)
            check_unknown_tell(checker, target, objects);
        else if (!reference.handle)
            check_unknown_later(checker, target, reference.key, objects);
        return false;
    }
    if (!((int)info.object & objects)) {
        char text[80];
        char help[256];
        check_report(checker, target->at,
                     wrong_kind(checker, statement, target, &info, objects, help, sizeof help),
                     "'%s' is %s, expected %s",
                     source_copy(checker->scenario, target->at, text, sizeof text),
                     check_unknown_noun((int)info.object), check_unknown_noun(objects));
        return false;
    }
    return true;
}

static bool is_usable(struct checker *checker, const struct statement *statement,
                      const struct expr *target, const struct target *found, uint64_t index,
                      int objects)
{
    char text[80];
    struct reference reference = member(found, index);
    if (!is_known(checker, statement, target, found, reference, objects))
        return false;
    struct name_info info = check_states_get(checker, reference);
    if (current_state(checker, &info) != NAME_GONE || (statement && check_silent(statement)))
        return true;
    bool fails = statement && statements_row(statement->kind)->traits & TRAIT_OPERATION;
    check_report(checker, target->at,
                 fails ? "`-> fails` where that is meant; else move the `destroy` down"
                       : "move the `destroy` down, or this above it",
                 "'%s' was destroyed in line %" PRIu32,
                 source_copy(checker->scenario, target->at, text, sizeof text),
                 checker->numbers ? 0 : line_of(checker, info.at));
    return false;
}

bool check_names_good(const struct checker *checker, const struct expr *target, int objects)
{
    if (target->kind != EXPR_HANDLE)
        return false;
    struct reference reference = { true, expr_number(target, checker->numbers) };
    struct name_info info = check_states_get(checker, reference);
    return info.state != NAME_UNKNOWN && ((int)info.object & objects) &&
           current_state(checker, &info) != NAME_GONE;
}

/* False: nothing can be said of its names. */
static bool find_used(struct checker *checker, const struct statement *statement,
                      const struct expr *target, int objects, struct target *found)
{
    if (target->kind == EXPR_CALL)
        check_values_expression(checker, statement, target);
    if (!find_target(checker, target, found))
        return false;
    if (found->unknown)
        check_unknown_member(checker, target, objects);
    return true;
}

void check_names_use(struct checker *checker, const struct statement *statement,
                     const struct expr *target, int objects)
{
    struct target found;
    if (check_names_good(checker, target, objects))
        return;
    if (!find_used(checker, statement, target, objects, &found))
        return;
    bool makes_names = target->kind == EXPR_NAME && (target->name == checker->scenario->word_new ||
                                                     target->name == checker->scenario->word_auto);
    if (makes_names)
        check_report(checker, target->at, NULL, "'%s' makes a new name, here one is used",
                     check_word(checker, target->name));
    if (found.none || found.unknown)
        return;
    for (uint64_t index = found.first; index <= found.last; index++) {
        if (!is_usable(checker, statement, target, &found, index, objects))
            return;
    }
}

void check_names_destroy(struct checker *checker, const struct statement *statement,
                         const struct expr *target, int objects)
{
    struct target found;
    if (!find_used(checker, statement, target, objects, &found))
        return;
    if (found.none || found.unknown) {
        checker->now.epoch += checker->now.epoch < EPOCH_MAX;
        return;
    }
    for (uint64_t index = found.first; index <= found.last; index++) {
        if (!is_usable(checker, statement, target, &found, index, objects))
            return;
        struct name_info info = check_states_get(checker, member(&found, index));
        bool owner = info.object & (OBJECT_PROCESS | OBJECT_DEVICE | OBJECT_RESOURCE);
        bool certain = !checker->uncertain && !check_silent(statement);
        info.state = certain ? NAME_GONE : NAME_MAYBE;
        info.at = target->at;
        if (checker->numbers)
            info.at.offset = checker->line_offset;
        check_states_set(checker, member(&found, index), &info);
        if (owner)
            checker->now.epoch += checker->now.epoch < EPOCH_MAX;
    }
}

void check_names_known(struct checker *checker, const struct expr *target, int objects)
{
    struct target found;
    if (!find_target(checker, target, &found) || found.none)
        return;
    if (found.unknown) {
        check_unknown_member(checker, target, objects);
        return;
    }
    for (uint64_t index = found.first; index <= found.last; index++) {
        if (!is_known(checker, NULL, target, &found, member(&found, index), objects))
            return;
    }
}
