/* SPDX-License-Identifier: MIT */
/*
 * tell.c: what a run says: messages, failures, expectations, and the end of a test.
 *
 * What the preamble says while it runs again is neither told nor counted. What a run says again and
 * again is told once and counted, and so is what comes after the fiftieth message: two messages of
 * a test are equal when one statement said the same in both, whatever the variables of the loops
 * around it held, and whatever a complaint calls the allocation that it is about.
 */
#include "scenarios/lang/session/session.h"

#include <stdarg.h>
#include <string.h>

/* ---- repeats --------------------------------------------------------------------------------- */

/* True: this statement did not say that yet. What it says again is counted. */
static bool repeats_first(struct runner *runner, enum scenario_severity severity, const char *text)
{
    struct repeats *repeats = &runner->repeats;
    const struct repeat new = { .severity = severity,
                                .at = describe_place(runner),
                                .hash = random_hash(text, strlen(text)) };
    for (size_t i = 0; i < repeats->count; i++) {
        struct repeat *told = &repeats->told[i];
        if (told->severity != severity || told->hash != new.hash ||
            told->at.offset != new.at.offset || told->at.source != new.at.source)
            continue;
        told->more++;
        return false;
    }
    if (repeats->count < REPEATS_MOST)
        repeats->told[repeats->count++] = new;
    return true;
}

/* False, and counted: there were enough messages. */
static bool repeats_shown(struct runner *runner, enum scenario_severity severity)
{
    bool failed = severity == SCENARIO_FAILED;
    struct unshown *unshown = failed ? &runner->repeats.failures : &runner->repeats.complaints;
    if (severity == SCENARIO_STOPPED || unshown->shown < REPEATS_MOST) {
        unshown->shown++;
        return true;
    }
    if (!unshown->count++)
        unshown->at = describe_place(runner);
    return false;
}

void repeats_settle(struct runner *runner)
{
    char text[64];
    struct repeats *repeats = &runner->repeats;
    for (const struct repeat *told = repeats->told; told < repeats->told + repeats->count; told++) {
        text_format(text, sizeof text, "and %" PRIu64 " more like it", told->more);
        if (told->more)
            message_say(runner->scenario, told->at,
                        (struct scenario_message){ told->severity, .text = text,
                                                   .like = told->more });
    }
    repeats->count = 0;
}

static void tell_unshown(struct runner *runner, const struct unshown *unshown,
                         enum scenario_severity severity, const char *one, const char *many)
{
    char text[96];
    text_format(text, sizeof text, "%" PRIu64 " more %s not shown", unshown->count,
                unshown->count == 1 ? one : many);
    if (unshown->count)
        message_say(runner->scenario, unshown->at,
                    (struct scenario_message){ severity, .text = text });
}

void repeats_end(struct runner *runner)
{
    repeats_settle(runner);
    tell_unshown(runner, &runner->repeats.failures, SCENARIO_FAILED, "failure is", "failures are");
    tell_unshown(runner, &runner->repeats.complaints, SCENARIO_WARNING, "warning or finding is",
                 "warnings and findings are");
}

/* ---- warnings and findings ------------------------------------------------------------------ */

/* `-> warns` with these rules, or with any. */
static bool is_expected(const struct statement *statement, enum vidmm_rule rule)
{
    const struct outcome *outcome = statement ? statement->outcome : NULL;
    if (!outcome || outcome->kind != OUTCOME_WARNS)
        return false;
    const struct rule_item *item = outcome->rules;
    while (item && vidmm_rule_canonical(item->rule) != vidmm_rule_canonical(rule))
        item = item->next;
    return item || !outcome->rules;
}

static void repeats_hear(struct vidmm_observer *observer, const struct vidmm_event *event)
{
    char text[640], nameless[2 * sizeof text];
    const struct vidmm_field *told = event_match_find(event, "text");
    CHECK(told && told->text); /* every complaint has one */
    const char *words = told->text;
    struct runner *runner = CONTAINER_OF(observer, struct runner, complaints);
    enum scenario_severity severity =
        event->kind == VIDMM_EVENT_WARN ? SCENARIO_WARNING : SCENARIO_FINDING;
    const char *label = event->label, *name = strstr(words, label);
    const char *rest = name ? name + strlen(label) : words, *id = vidmm_rule_id(event->rule);
    int before = name ? (int)(name - words) : 0;
    snprintf(text, sizeof text, "%s%s%s (%s)", name ? "" : label, name ? "" : ": ", words, id);
    snprintf(nameless, sizeof nameless, "%s %.*s%s", id, before, words, rest);
    if (!runner->repeated && !is_expected(runner->statement, event->rule) &&
        repeats_first(runner, severity, nameless) && repeats_shown(runner, severity))
        message_say(runner->scenario, describe_place(runner),
                    (struct scenario_message){ severity, .text = text, .rule = event->rule });
}

struct vidmm_observer *repeats_observer(struct runner *runner)
{
    runner->complaints = (struct vidmm_observer){ .on_event = repeats_hear };
    return runner->options->tell_complaints ? &runner->complaints : NULL;
}

/* ---- messages -------------------------------------------------------------------------------- */

enum { TEXT_BYTES = 1024, RULES_TOLD_MOST = 16 };

void runner_message(struct runner *runner, enum scenario_severity severity, const char *details,
                    const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    if ((severity != SCENARIO_STOPPED && runner->repeated) || !repeats_shown(runner, severity))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message_say(runner->scenario, describe_place(runner),
                (struct scenario_message){ severity, .text = text, .details = details });
}

/* ---- failures ------------------------------------------------------------------------------- */

static void set_exit(struct runner *runner, enum scenario_exit exit)
{
    static const enum scenario_exit order[] = { SCENARIO_EXIT_OK,       SCENARIO_EXIT_FAILED,
                                                SCENARIO_EXIT_BUGCHECK, SCENARIO_EXIT_INPUT,
                                                SCENARIO_EXIT_LIMIT,    SCENARIO_EXIT_INTERRUPTED,
                                                SCENARIO_EXIT_INVARIANT };
    size_t now = 0, new = 0;
    while (order[now] != runner->result->exit)
        now++;
    while (order[new] != exit)
        new ++;
    if (new > now)
        runner->result->exit = exit;
}

static void tell(struct runner *runner, struct scenario_telling *telling, struct place text)
{
    char words[TEXT_BYTES];
    struct scenario_host *host = runner->scenario->host;
    if (!host->tell || runner->repeated)
        return;
    telling->text = source_copy(runner->scenario, text, words, sizeof words);
    telling->adapter = runner->adapter;
    telling->quiet = runner->quiet > 0;
    message_where(runner->scenario, text, &telling->at);
    host->tell(host, telling);
}

void runner_tell(struct runner *runner, enum scenario_telling_kind kind, struct place text,
                 uint64_t value)
{
    struct scenario_telling telling = { .kind = kind, .answer = "", .value = value };
    if (runner->shown_name)
        telling.answer = runner->shown_name;
    if (kind == SCENARIO_TELL_TEST_END) {
        telling.test.unexpected = runner->result->unexpected - runner->before.unexpected;
        telling.test.passed = runner->failures == 0;
    }
    telling.test.reached = !runner->unreached;
    uint32_t number = bindings_number(runner->shown);
    if (kind == SCENARIO_TELL_SHOW && bindings_object(runner->shown) == OBJECT_SEGMENT)
        telling.segment = number;
    else if (kind == SCENARIO_TELL_SHOW)
        telling.handle = number;
    telling.counters = runner->shown_counters;
    telling.state = runner->shown_state;
    telling.state_count = runner->shown_state_count;
    tell(runner, &telling, text);
}

/* What the answer is; `text` is as people write it. */
static enum scenario_answer describe_answer(const struct runner *runner,
                                            const struct predicate *answer, uint64_t value,
                                            char text[TEXT_BYTES])
{
    const struct expr *expr = answer->left;
    if (answer->kind != PREDICATE_VALUE) {
        text_format(text, TEXT_BYTES, value ? "yes" : "no");
        return SCENARIO_ANSWER_YES;
    }
    if (expr->kind == EXPR_STRING) {
        text_format(text, TEXT_BYTES, "%.*s", expr->at.length - 2,
                    source_text(runner->scenario, expr->at) + 1);
        return SCENARIO_ANSWER_WORD;
    }
    if (expr->kind == EXPR_CALL &&
        function_find(runner_word(runner, expr->name)) == FUNCTION_SEGMENT) {
        text_format(text, TEXT_BYTES, "%s", describe_segment(runner, (uint32_t)value));
        return SCENARIO_ANSWER_SEGMENT;
    }
    enum unit unit = describe_unit(runner, expr);
    (void)spell_value(value, unit, text, TEXT_BYTES);
    return (enum scenario_answer)unit; /* the first three, in their order */
}

void runner_ask(struct runner *runner, const struct predicate *answer, uint64_t value)
{
    char text[TEXT_BYTES], hint[TEXT_BYTES];
    enum vidmm_rule rules[RULES_TOLD_MOST];
    const struct statement *statement = runner->statement;
    struct scenario_telling telling = {
        .kind = SCENARIO_TELL_ASK, .answer = text, .value = value, .rules = rules
    };
    telling.form = describe_answer(runner, answer, value, text);
    for (const struct rule_item *at = statement->rules;
         at && telling.rule_count < ARRAY_COUNT(rules); at = at->next)
        rules[telling.rule_count++] = at->rule;
    if (statement->name_at.length)
        telling.hint = source_copy(runner->scenario, statement->name_at, hint, sizeof hint);
    tell(runner, &telling, statement->text);
}

void runner_tell_param(struct runner *runner, uint64_t value)
{
    char answer[64];
    const struct statement *statement = runner->statement;
    enum unit unit = describe_unit(runner, statement->value);
    struct scenario_telling telling = {
        .kind = SCENARIO_TELL_PARAM,
        .answer = spell_value(value, unit, answer, sizeof answer),
        .value = value,
    };
    tell(runner, &telling, statement->name_at);
}

static void tell_held(struct runner *runner, enum scenario_telling_kind kind)
{
    struct scenario_telling telling = { .kind = kind,
                                        .answer = runner->why,
                                        .value = !runner->missed };
    tell(runner, &telling, describe_place(runner));
}

void runner_expect_begin(struct runner *runner)
{
    runner->expecting = true;
    runner->missed = false;
    runner->why[0] = '\0';
    runner->result->expectations += !runner->repeated;
}

void runner_expect_end(struct runner *runner)
{
    runner->expecting = false;
    tell_held(runner, SCENARIO_TELL_HELD);
}

/* Details of several failures of one expectation are lines of one text. */
static void count_failure(struct runner *runner, const char *details)
{
    if (!runner->expecting)
        runner->why[0] = '\0';
    words_add(runner->why, sizeof runner->why, "%s%s", runner->why[0] ? "\n" : "", details);
    runner->failures++;
    if (!runner->expecting)
        runner->result->unexpected++;
    else if (!runner->missed)
        runner->result->failures++;
    runner->missed = true;
    if (!runner->expecting)
        tell_held(runner, SCENARIO_TELL_UNEXPECTED);
}

/* After which operation, of what `always` expects after each. */
static void add_operation(const struct runner *runner, char *text, size_t size)
{
    enum { SHOWN_BYTES = 100 };
    struct scenario_span span;
    if (!runner->after.length)
        return;
    message_where(runner->scenario, runner->after, &span);
    bool here = runner->after.source == describe_place(runner).source;
    words_add(text, size, "%safter %s%s%" PRIu32 ": %.*s", *text ? "\n" : "",
              here ? "line " : span.file, here ? "" : ":", span.line,
              (int)min_u64(runner->after.length, SHOWN_BYTES),
              source_text(runner->scenario, runner->after));
}

/* In which test, and with which values of the loops around. */
static void add_circumstances(const struct runner *runner, char *text, size_t size)
{
    enum { SHOWN_MOST = 6 };
    const struct statement *test = runner->test;
    const struct scope *variables = &runner->variables;
    size_t first = variables->count - min_u64(variables->count, SHOWN_MOST);
    if (test)
        words_add(text, size, "%sin test \"%.*s\"", *text ? "\n" : "", (int)test->text.length,
                  source_text(runner->scenario, test->text));
    for (size_t i = first; i < variables->count; i++) {
        words_add(text, size, "%s$%s = %" PRIu64,
                  i > first || test ? ", "
                  : *text           ? "\nwith "
                                    : "with ",
                  runner_word(runner, variables->entries[i].name), runner->values[i]);
    }
    if (test && runner->seed)
        words_add(text, size, ", --seed=%" PRIu64, runner->seed);
    add_operation(runner, text, size);
}

void runner_failed(struct runner *runner, const char *details)
{
    char whole[2 * TEXT_BYTES];
    struct place at = describe_place(runner);
    runner->missed = runner->missed || runner->asking;
    if (runner->repeated || runner->asking || runner->halted)
        return; /* of a run that was stopped nothing more is said */
    snprintf(whole, sizeof whole, "%s", details);
    run_missing_add(runner, whole, sizeof whole);
    count_failure(runner, whole);
    set_exit(runner, SCENARIO_EXIT_FAILED);
    if (!repeats_first(runner, SCENARIO_FAILED, whole))
        return;
    add_circumstances(runner, whole, sizeof whole);
    /* "expect" is said by "failed". */
    const char *text = source_text(runner->scenario, at);
    size_t length = at.length;
    if (length > 7 && memcmp(text, "expect ", 7) == 0) {
        text += 7;
        length -= 7;
    }
    runner_message(runner, SCENARIO_FAILED, whole, "%.*s", (int)min_u64(length, 200), text);
}

void runner_halt(struct runner *runner, enum scenario_exit exit)
{
    runner->halted = true;
    runner->halted_at = describe_place(runner);
    runner->failures++;
    /* A statement that cannot be carried out ends its test; the others have nothing to do with it.
     */
    bool alone = exit == SCENARIO_EXIT_FAILED || exit == SCENARIO_EXIT_BUGCHECK ||
                 (exit == SCENARIO_EXIT_INPUT && runner->test);
    if (!alone)
        runner->ended = true;
    set_exit(runner, exit);
}

void runner_broke_off(struct runner *runner, enum scenario_exit exit, const char *text,
                      const char *details)
{
    char why[TEXT_BYTES];
    snprintf(why, sizeof why, "%s\n%s", text, details);
    if (!runner->repeated)
        count_failure(runner, why);
    runner_message(runner, SCENARIO_FAILED, details, "%s", text);
    runner_halt(runner, exit);
}

/* The reader has to mend this line, as after an error that was found before the run. */
static bool stop_at(struct runner *runner, struct place at, const char *text)
{
    if (runner->halted)
        return false;
    message_say(runner->scenario, at, (struct scenario_message){ SCENARIO_STOPPED, .text = text });
    runner_halt(runner, SCENARIO_EXIT_INPUT);
    return false;
}

bool runner_stop(struct runner *runner, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return stop_at(runner, describe_place(runner), text);
}

bool runner_stop_unless(struct runner *runner, bool known)
{
    bool placed = runner->problem_at.length > 0;
    if (!known)
        stop_at(runner, placed ? runner->problem_at : describe_place(runner), runner->problem);
    return known;
}
