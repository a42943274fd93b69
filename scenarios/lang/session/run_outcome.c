/* SPDX-License-Identifier: MIT */
/*
 * run_outcome.c: what a statement ended with against what it was meant to end with.
 *
 * A bug check that was not expected ends the test whatever the outcome says; everything else that
 * differs is a failed expectation, and the test goes on.
 */
#include "scenarios/lang/session/session.h"

#include <string.h>

enum { STATUS_IS_PENDING = 0x00000103, DETAIL_BYTES = 768 };

static void describe_bugcheck(const struct vidmm_bugcheck *stop, char *text, size_t size)
{
    char code[48] = "";
    /* A finding that ends the run has no code of its own. */
    if (stop->code)
        snprintf(code, sizeof code, "bug check 0x%" PRIX32 "/0x%" PRIX64 " ", stop->code,
                 stop->parameter[0]);
    snprintf(text, size, "%s%s: %s (%s)", code, stop->name, stop->text, vidmm_rule_id(stop->rule));
}

/* The first of the rules that did not come up; NULL: all of them did. */
static const struct rule_item *find_absent(const struct rule_item *wanted,
                                           const enum vidmm_rule *rules, size_t count)
{
    for (; wanted; wanted = wanted->next) {
        size_t i = 0;
        while (i < count && vidmm_rule_canonical(rules[i]) != vidmm_rule_canonical(wanted->rule))
            i++;
        if (i == count)
            break;
    }
    return wanted;
}

static void outcome_fail(struct runner *runner, const char *wanted, vidmm_status status)
{
    char text[DETAIL_BYTES];
    char details[DETAIL_BYTES + 256];
    snprintf(details, sizeof details, "expected %s\n%s", wanted,
             describe_refusal(runner, status, text, sizeof text));
    runner_failed(runner, details);
}

static void check_fails(struct runner *runner, const struct outcome *outcome, vidmm_status status)
{
    char wanted[96] = "a failure";
    const struct vidmm_refusal *refusal = vidmm_last_refusal(runner->adapter);
    if (outcome->status)
        spell_status(outcome->status->status, wanted, sizeof wanted);
    if (status >= 0 || (outcome->status && outcome->status->status != status)) {
        outcome_fail(runner, wanted, status);
        return;
    }
    const struct rule_item *absent = outcome->rules;
    if (refusal && refusal->status == status)
        absent = find_absent(outcome->rules, refusal->rules, refusal->rule_count);
    if (absent)
        outcome_fail(runner,
                     text_format(wanted, sizeof wanted, "a failure by %s",
                                 vidmm_rule_id(absent->rule)),
                     status);
}

static void check_warns(struct runner *runner, const struct outcome *outcome, vidmm_status status)
{
    char wanted[96] = "a warning or finding";
    const struct rule_item *absent =
        find_absent(outcome->rules, runner->warned, runner->warned_count);
    if (absent)
        words_add(wanted, sizeof wanted, " of %s", vidmm_rule_id(absent->rule));
    if (absent || (!outcome->rules && !runner->warned_count))
        outcome_fail(runner, wanted, status);
}

static void check_bugcheck(struct runner *runner, const struct outcome *outcome,
                           vidmm_status status)
{
    char wanted[96];
    uint64_t code = expr_number(outcome->code, runner->numbers);
    uint64_t parameter = outcome->parameter ? expr_number(outcome->parameter, runner->numbers) : 0;
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(runner->adapter);
    bool same =
        stop && stop->code == code && (!outcome->parameter || stop->parameter[0] == parameter);
    if (same)
        return;
    snprintf(wanted, sizeof wanted, "bug check 0x%" PRIX64, code);
    if (outcome->parameter)
        words_add(wanted, sizeof wanted, "/0x%" PRIX64, parameter);
    if (!stop) {
        outcome_fail(runner, wanted, status);
        return;
    }
    char text[DETAIL_BYTES];
    char details[DETAIL_BYTES + 128];
    describe_bugcheck(stop, text, sizeof text);
    snprintf(details, sizeof details, "expected %s\nthere was %s", wanted, text);
    runner_failed(runner, details);
}

/* Of those that were made. */
static size_t devices_in_error(const struct runner *runner)
{
    size_t count = 0;
    for (size_t i = 0; i < runner->device_count; i++) {
        const char *state = vidmm_device_state(runner->adapter, runner->devices[i]);
        count += state && strcmp(state, "active") != 0;
    }
    return count;
}

static void tell_bugcheck(struct runner *runner)
{
    char text[DETAIL_BYTES];
    describe_bugcheck(vidmm_bugcheck(runner->adapter), text, sizeof text);
    if (!runner->repeated)
        runner->result->bugcheck = vidmm_bugcheck(runner->adapter)->code;
    runner_broke_off(runner, SCENARIO_EXIT_BUGCHECK, "the simulated system stopped", text);
}

static void judge(struct runner *runner, const struct outcome *outcome, vidmm_status status)
{
    bool stop_told = runner->stop_seen;
    runner->stop_seen = vidmm_bugcheck(runner->adapter) != NULL;
    if (outcome->kind == OUTCOME_BUGCHECK) {
        check_bugcheck(runner, outcome, status);
        return;
    }
    if (runner->stop_seen && !stop_told) {
        tell_bugcheck(runner);
        return;
    }
    const char *missed = NULL;
    switch (outcome->kind) {
    case OUTCOME_FAILS: check_fails(runner, outcome, status); break;
    case OUTCOME_WARNS:
        if (status >= 0)
            check_warns(runner, outcome, status);
        else
            missed = "success with a warning";
        break;
    case OUTCOME_PENDING: missed = status != STATUS_IS_PENDING ? "STATUS_PENDING" : NULL; break;
    case OUTCOME_DEVICE_ERROR:
        /* Whether the call was carried out or refused: a mistake may be found later. */
        if (devices_in_error(runner) <= runner->in_error)
            missed = runner->in_error ? "one more device in error" : "a device in error";
        break;
    case OUTCOME_OK: missed = status < 0 ? "success" : NULL; break;
    default: break;
    }
    if (missed)
        outcome_fail(runner, missed, status);
}

void run_outcome_begin(struct runner *runner)
{
    const struct outcome *outcome = runner->statement->outcome;
    if (outcome && outcome->kind == OUTCOME_DEVICE_ERROR)
        runner->in_error = devices_in_error(runner);
}

void run_outcome(struct runner *runner, const struct statement *statement, vidmm_status status)
{
    static const struct outcome success = { .kind = OUTCOME_OK };
    const struct outcome *outcome = statement->outcome ? statement->outcome : &success;
    uint64_t failures = runner->failures;
    if (runner->ownerless || runner->halted)
        return; /* it has ended */
    judge(runner, outcome, status);
    bool asked = outcome->kind != OUTCOME_OK && outcome->kind != OUTCOME_EITHER;
    runner->result->met += asked && !runner->repeated && runner->failures == failures;
}
