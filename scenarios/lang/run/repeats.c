/* SPDX-License-Identifier: MIT */
/*
 * repeats.c: what a run says again and again is told once and counted, and so is what comes after
 * the fiftieth message.
 *
 * Two messages of a test are equal when one statement said the same in both, whatever the variables
 * of the loops around it held.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xCBF29CE484222325;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3;
    return hash;
}

bool repeats_first(struct runner *runner, enum scenario_severity severity, const char *text)
{
    struct repeats *repeats = &runner->repeats;
    struct place at = describe_place(runner);
    const struct repeat new = { .severity = severity, .at = at, .hash = hash_of(text) };
    if (runner->repeated)
        return true;
    for (size_t i = 0; i < repeats->count; i++) {
        struct repeat *told = &repeats->told[i];
        if (told->severity != severity || told->hash != new.hash || told->at.offset != at.offset ||
            told->at.source != at.source)
            continue;
        told->more++;
        return false;
    }
    if (repeats->count < REPEATS_MOST)
        repeats->told[repeats->count++] = new;
    return true;
}

bool repeats_shown(struct runner *runner, enum scenario_severity severity)
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
    struct repeats *repeats = &runner->repeats;
    for (size_t i = 0; i < repeats->count; i++)
        if (repeats->told[i].more)
            runner_message_at(runner, repeats->told[i].at, repeats->told[i].severity,
                              "and %" PRIu64 " more like it", repeats->told[i].more);
    repeats->count = 0;
}

static void tell_unshown(struct runner *runner, const struct unshown *unshown,
                         enum scenario_severity severity, const char *one, const char *many)
{
    if (unshown->count)
        runner_message_at(runner, unshown->at, severity, "%" PRIu64 " more %s not shown",
                          unshown->count, unshown->count == 1 ? one : many);
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
    enum { TEXT_BYTES = 640 };
    char text[TEXT_BYTES];
    const char *words = "";
    struct runner *runner = CONTAINER_OF(observer, struct runner, complaints);
    enum scenario_severity severity =
        event->kind == VIDMM_EVENT_WARN ? SCENARIO_WARNING : SCENARIO_FINDING;
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0 && event->fields[i].text)
            words = event->fields[i].text;
    bool named = !event->label || !*event->label || strstr(words, event->label);
    snprintf(text, sizeof text, "%s%s%s (%s)", named ? "" : event->label, named ? "" : ": ", words,
             vidmm_rule_id(event->rule));
    if (!is_expected(runner->statement, event->rule) && repeats_first(runner, severity, text))
        runner_message(runner, severity, NULL, "%s", text);
}

struct vidmm_observer *repeats_observer(struct runner *runner)
{
    runner->complaints = (struct vidmm_observer){ .on_event = repeats_hear };
    return runner->options->tell_complaints ? &runner->complaints : NULL;
}
