/* SPDX-License-Identifier: MIT */
/*
 * check_block.c: the blocks: loops and choices, whose effects are not certain; tests, whose effects
 * end with them; the lines of one call; and switches of the mock that a running adapter never looks
 * at.
 *
 * `inject` runs when the adapter has started. What only a start reads waits for the next one,
 * `reset pnp-start`, which may follow it in the text, in the test, or in the same loop; where
 * none does, the statement would do nothing. What the driver's table lacks stays as it was loaded.
 */
#include "scenarios/lang/check/parts.h"
#include "vidmm/vidmm_mock.h"

/* ---- switches that only a start reads -------------------------------------------------------- */

void check_inject(struct checker *checker, struct statement *statement)
{
    check_values_attributes(checker, statement, statement->attributes);
    if (statement->mode == MODE_OFF)
        return;
    for (const struct attribute *at = statement->attributes; at; at = at->next) {
        enum vidmm_mock_moment moment = vidmm_mock_switch_moment((size_t)at->row->argument);
        if (moment == VIDMM_MOCK_AT_START && checker->late_count < ARRAY_COUNT(checker->late))
            checker->late[checker->late_count++] = at;
        if (moment == VIDMM_MOCK_AT_LOAD)
            check_report(checker, at->at, "it belongs into `miniport mock`",
                         "'%s' is read when the driver is loaded, and not any more now",
                         at->row->name);
    }
}

void check_inject_settle(struct checker *checker)
{
    for (size_t i = checker->late_before; i < checker->late_count; i++)
        check_report(checker, checker->late[i]->at,
                     "it belongs into `miniport mock`, or ahead of `reset pnp-start`",
                     "only a start reads '%s', and none follows", checker->late[i]->row->name);
    checker->late_count = checker->late_before;
    checker->late_before = 0;
}

void check_accident(struct checker *checker, struct statement *statement)
{
    check_setup_plain(checker, statement);
    if (statement->mode != ACCIDENT_RESET_PNP_START)
        return;
    checker->restarts++;
    checker->late_count = checker->late_before = 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Runs the checks of a body whose effects are not certain. */
static void check_body(struct checker *checker, struct statement *first, bool certain)
{
    size_t variables = checker->variables.count;
    unsigned restarts = checker->restarts;
    checker->uncertain += !certain;
    check_block(checker, first);
    checker->uncertain -= !certain;
    check_cut_variables(checker, variables);
    /* A start in the loop reads what stands below it. */
    if (checker->restarts != restarts)
        checker->late_count = checker->late_before;
}

/* A body that makes the same name in each of several rounds and leaves it alive. */
static void check_rounds(struct checker *checker, const struct statement *loop, uint64_t rounds)
{
    for (const struct statement *at = loop->body; at; at = at->next) {
        if (at->kind != STATEMENT_CREATE || at->bad || check_silent(at))
            continue;
        const struct expr *target = at->subjects->from;
        if (target->kind != EXPR_NAME || target->left)
            continue;
        struct name_info info = check_states_at(checker, name_key_plain(target->name));
        bool lives = info.state == NAME_LIVE && info.epoch == checker->now.epoch &&
                     info.at.source == target->at.source && info.at.offset == target->at.offset;
        char help[160];
        const char *name = check_word(checker, target->name);
        if (loop->name)
            snprintf(help, sizeof help, "write %.60s[$%.60s], or `create new`", name,
                     check_word(checker, loop->name));
        else
            snprintf(help, sizeof help,
                     "write %.60s[$i] in `for i in 0..%" PRIu64 "`, or `create new`", name,
                     rounds - 1);
        if (lives)
            check_report(checker, target->at, help,
                         "'%s' is made again in each round while it lives", name);
    }
}

void check_block_repeat(struct checker *checker, struct statement *statement)
{
    uint64_t count = 0;
    size_t variables = checker->variables.count;
    bool uncounted = checker->uncounted;
    check_values_expression(checker, statement, statement->value);
    bool some = check_values_constant(checker, statement->value, &count) && count > 0;
    check_vary_variables(checker);
    if (statement->name)
        check_declare_variable(checker, statement->name, false, 0);
    checker->uncounted = uncounted || !statement->name;
    check_body(checker, statement->body, some);
    checker->uncounted = uncounted;
    if (some && count > 1)
        check_rounds(checker, statement, count);
    check_cut_variables(checker, variables);
}

void check_block_for(struct checker *checker, struct statement *statement)
{
    uint64_t from = 0, to = 0, step = 1;
    size_t variables = checker->variables.count;
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
        check_rounds(checker, statement, 0);
    check_cut_variables(checker, variables);
}

void check_block_quietly(struct checker *checker, struct statement *statement)
{
    check_body(checker, statement->body, true);
}

void check_block_choose(struct checker *checker, struct statement *statement)
{
    uint64_t weight = 0, sum = 0;
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

/* --only, lists of known failures and the random numbers go by the name. */
static void check_test_name(struct checker *checker, const struct statement *statement)
{
    char help[96];
    struct scenario_span span;
    struct scenario *scenario = checker->scenario;
    const struct place *at = &statement->text;
    word name = words_intern(&scenario->words, &scenario->arena,
                             scenario->sources[at->source]->text + at->offset, at->length);
    struct name_slot *slot = names_slot(&checker->tests, name_key_plain(name));
    if (slot->value) {
        struct place first = { .offset = (uint32_t)slot->value,
                               .source = (uint16_t)(slot->value >> 32) };
        message_where(scenario, first, &span);
        snprintf(help, sizeof help, "the other is in line %" PRIu32 "; --only chooses by the name",
                 span.line);
        check_report(checker, *at, help, "there is another test with this name");
    }
    slot->value = (uint64_t)at->source << 32 | at->offset;
    if (!at->length)
        check_report(checker, statement->at, "test \"what it shows\"", "this test has no name");
}

void check_block_test(struct checker *checker, struct statement *statement)
{
    check_unknown_settle(checker);
    check_test_name(checker, statement);
    struct checker before = *checker;
    checker->tests_begun = false;
    checker->in_test = true;
    size_t mark = checker->change_count;
    checker->late_before = checker->late_count;
    check_block(checker, statement->body);
    check_unknown_settle(checker);
    check_inject_settle(checker);
    check_states_undo(checker, mark);
    checker->in_test = false;
    checker->tests_begun = true;
    checker->now = before.now;
    scope_cut(&checker->classes, before.classes.count);
    check_cut_variables(checker, before.variables.count);
}

void check_block_always(struct checker *checker, struct statement *statement)
{
    uint64_t every = 1;
    check_values_attributes(checker, statement, statement->attributes);
    if (check_values_attribute(checker, statement, ATTRIBUTE_ALWAYS_EVERY, &every) && !every)
        check_report(checker, attribute_find(statement, ATTRIBUTE_ALWAYS_EVERY)->whole, NULL,
                     "'every' counts operations from 1 on");
    const bool started = checker->now.started;
    checker->now.started = true; /* it runs after operations */
    check_block(checker, statement->body);
    checker->now.started = started;
}

void check_block_call(struct checker *checker, struct statement *statement)
{
    checker->call = statement;
    check_block(checker, statement->body);
    checker->call = NULL;
}
