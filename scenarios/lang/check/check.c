/* SPDX-License-Identifier: MIT */
/*
 * check.c: the walk over a scenario, and what holds for every statement of a kind.
 */
#include "scenarios/lang/check/parts.h"

void check_nothing(struct checker *checker, struct statement *statement)
{
    (void)checker;
    (void)statement;
}

static check_kind *const checks[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) check,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

/* ---- order of statements -------------------------------------------------------------------- */

/* It starts once in a test. Its line may stand in another file: an included one, or the first. */
static void check_unstarted(struct checker *checker, const struct statement *statement)
{
    char line[120], help[160];
    struct scenario_span span;
    message_where(checker->scenario, checker->now.started_at, &span);
    snprintf(line, sizeof line, "line %" PRIu32, span.line);
    if (checker->now.started_at.source != statement->at.source)
        words_add(line, sizeof line, " of %.80s", span.file);
    snprintf(help, sizeof help, "move it above %s", line);
    if (statement->kind != STATEMENT_START) {
        check_report(checker, statement->at, help,
                     "'%s' has to stand above %s, which starts the adapter",
                     statements_row(statement->kind)->name, line);
        return;
    }
    words_add(help, sizeof help, ", or leave it out");
    check_report(checker, statement->at, help, "the adapter has already started, in %s", line);
}

/* So does what asks it for a value: `let n = free(vram)`. */
static bool starts_adapter(const struct checker *checker, const struct statement *statement)
{
    const struct predicate *answer = statement->predicate;
    switch (statement->kind) {
    case STATEMENT_EXPECT:
    case STATEMENT_SHOW: return true;
    case STATEMENT_ASK:
        return answer &&
               (answer->kind != PREDICATE_VALUE || check_values_ask(checker, answer->left));
    default:
        return statements_row(statement->kind)->traits & TRAIT_OPERATION ||
               check_values_ask(checker, statement->value) ||
               check_values_ask(checker, statement->extra);
    }
}

static void check_order(struct checker *checker, const struct statement *statement)
{
    unsigned traits = statements_row(statement->kind)->traits;
    if (checker->now.stopped && !(traits & TRAIT_AFTER_STOP))
        check_report(checker, statement->at, NULL,
                     "after a bug check only expect, show and narration may follow");
    if (checker->tests_begun && statement->kind != STATEMENT_TEST && !(traits & TRAIT_AFTER_STOP))
        check_report(checker, statement->at,
                     "every test starts from the state before the first one",
                     "'%s' has to stand in a test or before the first test",
                     statements_row(statement->kind)->name);
    bool again = statement->kind == STATEMENT_START && !checker->uncertain;
    if (checker->now.started && ((traits & TRAIT_SETUP) || again))
        check_unstarted(checker, statement);
    if (starts_adapter(checker, statement) && !checker->now.started) {
        checker->now.started = true;
        checker->now.started_at = statement->at;
        if (!check_silent(statement))
            check_setup_settled(checker);
    }
}

static void check_outcome(struct checker *checker, const struct statement *statement)
{
    const struct outcome *outcome = statement->outcome;
    bool fails = outcome && outcome->kind == OUTCOME_FAILS;
    bool any = outcome && !outcome->rules && !outcome->status;
    if (checker->scenario->strict && any && (fails || outcome->kind == OUTCOME_WARNS))
        check_report(checker, outcome->at,
                     fails ? "write -> fails STATUS, or -> fails by RULE; a run without the "
                             "outcome tells both"
                           : "write -> warns RULE; a run tells which",
                     fails ? "any failure is accepted here"
                           : "any warning or finding is accepted here");
    if (outcome && outcome->kind == OUTCOME_BUGCHECK && !checker->uncertain)
        checker->now.stopped = true;
}

static void check_statement(struct checker *checker, struct statement *statement)
{
    check_order(checker, statement);
    if (statement->bad) {
        if (statement->partly)
            check_values_attributes(checker, statement, statement->attributes);
        checker->uncertain++;
        check_block(checker, statement->body);
        checker->uncertain--;
        return;
    }
    checks[statement->kind](checker, statement);
    check_outcome(checker, statement);
}

/* ---- bulk lines ----------------------------------------------------------------------------- */

static void tell_problem(struct checker *checker, const struct statement *bulk, size_t line)
{
    const uint32_t *numbers = checker->numbers;
    checker->numbers = NULL;
    check_statement(checker, lines_expand(checker->scenario, &checker->scenario->bulk->lines[line],
                                          bulk->at.source));
    checker->numbers = numbers;
}

/*
 * Most lines use handles that may be used: then there is nothing to find, and nothing changes. Of
 * 500 instructions for `page-in @12345` 90 are left.
 */
static bool is_good(const struct checker *checker, const struct statement *statement, int objects)
{
    if (!objects)
        return false;
    for (const struct item *item = statement->subjects; item; item = item->next)
        if (!check_names_good(checker, item->from, objects))
            return false;
    return true;
}

/* What the handles of such lines may stand for; 0: more has to be looked at. */
static int objects_used(const struct checker *checker, const struct statement *statement)
{
    bool anywhere = checker->now.started && !checker->now.stopped && !checker->tests_begun;
    return anywhere && checks[statement->kind] == check_operation_names
               ? check_operation_uses(statement)
               : 0;
}

static void check_bulk(struct checker *checker, const struct statement *statement)
{
    const struct bulk *bulk = checker->scenario->bulk;
    const struct bulk_run *run = statement->bulk;
    const struct bulk_form *last = NULL;
    size_t number = run->first_number;
    int objects = 0;
    for (size_t i = 0; i < run->line_count; i++) {
        size_t line = run->first_line + i;
        const struct bulk_form *form = &bulk->forms[bulk->lines[line].form];
        size_t mark = checker->change_count;
        checker->problem = false;
        checker->numbers = bulk->numbers + number;
        checker->line_offset = bulk->lines[line].offset;
        number += form->holes;
        if (form != last)
            objects = objects_used(checker, form->statement);
        last = form;
        if (is_good(checker, form->statement, objects))
            continue;
        last = NULL; /* what is looked at may stop the adapter */
        check_statement(checker, form->statement);
        if (checker->problem) {
            check_states_undo(checker, mark);
            tell_problem(checker, statement, line);
        }
        if (!checker->in_test)
            checker->change_count = 0;
        if (message_enough(checker->scenario))
            break;
    }
    checker->numbers = NULL;
}

void check_block(struct checker *checker, struct statement *first)
{
    for (struct statement *statement = first; statement; statement = statement->next) {
        if (message_enough(checker->scenario))
            return;
        if (statement->kind == STATEMENT_BULK)
            check_bulk(checker, statement);
        else if (statement->kind < STATEMENT_KINDS)
            check_statement(checker, statement);
    }
}

void check_scenario(struct scenario *scenario)
{
    struct checker *checker = base_alloc(1, sizeof *checker);
    checker->scenario = scenario;
    checker->now.wddm = checker->now.driver_wddm = VIDMM_WDDM_1_1;
    checker->now.system_wddm = VIDMM_WDDM_3_2;
    check_states_init(checker);
    names_init(&checker->tests);
    check_block(checker, scenario->statements);
    if (!checker->now.started && !checker->tests_begun)
        check_setup_settled(checker);
    check_unknown_settle(checker);
    check_inject_settle(checker);
    names_fini(&checker->names);
    handles_fini(&checker->handles);
    base_free(checker->changes);
    base_free(checker->pending);
    base_free(checker->values);
    base_free(checker->class_statements);
    scope_fini(&checker->variables);
    scope_fini(&checker->classes);
    names_fini(&checker->tests);
    base_free(checker);
}
