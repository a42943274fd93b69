/* SPDX-License-Identifier: MIT */
/* trial.c: see trial.h. */
#include "tests/support/trial.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

VIDMM_PRINTF(2, 3) static void complain(struct trial *trial, const char *format, ...)
{
    va_list arguments;
    if (trial->problem[0])
        return;
    va_start(arguments, format);
    (void)vsnprintf(trial->problem, sizeof trial->problem, format, arguments);
    va_end(arguments);
}

/* ---- events -------------------------------------------------------------------------------- */

bool trial_is_complaint(const struct vidmm_event *event)
{
    return event->kind == VIDMM_EVENT_REFUSE || event->kind == VIDMM_EVENT_WARN ||
           event->kind == VIDMM_EVENT_FINDING || event->kind == VIDMM_EVENT_BUGCHECK;
}

static uint64_t number_of(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return event->fields[i].value;
    return 0;
}

static void note_submission(struct trial *trial, const struct vidmm_event *event)
{
    uint64_t node = number_of(event, "node");
    if (node < TRIAL_NODES)
        trial->submitted[node] = number_of(event, "fence");
}

static const char *text_of(const struct vidmm_event *event)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, "text") == 0)
            return event->fields[i].text;
    return "";
}

/* The field contains `word`. */
static bool has_word(const struct vidmm_event *event, const char *name, const char *word)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return event->fields[i].text && strstr(event->fields[i].text, word) != NULL;
    return false;
}

static struct trial_allocation *allocation_of(struct trial *trial, vidmm_handle handle)
{
    for (size_t i = 0; i < trial->allocation_count; i++)
        if (trial->allocations[i].handle == handle)
            return &trial->allocations[i];
    return NULL;
}

/* Findings and stops about operations of the scenario itself, and about content that a rule
 * discards. */
static bool of_scenario(struct trial *trial, const struct vidmm_event *event)
{
    static const enum vidmm_rule rules[] = { VIDMM_RULE_SUBMIT_008, VIDMM_RULE_TDR_035,
                                             VIDMM_RULE_PAGE_024, VIDMM_RULE_TDR_027,
                                             VIDMM_RULE_SUBMIT_037 };
    for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
        if (rules[i] == event->rule)
            return true;
    const struct trial_allocation *allocation = allocation_of(trial, event->subject);
    return (trial->wild || (allocation && (allocation->lost || allocation->raced))) &&
           (event->rule == VIDMM_RULE_LOCK_067 || event->rule == VIDMM_RULE_SUBMIT_006);
}

static void judge(struct trial *trial, const struct vidmm_event *event, const char *name)
{
    if (trial_is_complaint(event) && event->rule == VIDMM_RULE_NONE)
        complain(trial, "a %s without a rule: %s", name, text_of(event));
    if (trial->planted && strcmp(trial->planted, name) == 0)
        complain(trial, "planted: %s", name);
    if (trial->lenient || trial->injected)
        return;
    bool stop = event->kind == VIDMM_EVENT_BUGCHECK;
    if (trial->shortage && event->rule == VIDMM_RULE_TDR_033)
        return; /* memory that has to be emptied cannot be */
    if ((event->kind != VIDMM_EVENT_FINDING && !stop) || (stop && trial->hung))
        return;
    if (of_scenario(trial, event))
        trial->excused = true;
    else
        complain(trial, "a %s of %s without a fault: %s", name, vidmm_rule_id(event->rule),
                 text_of(event));
}

/* A test of a scenario has an adapter of its own, with handles and fences of its own. */
static void begin_anew(struct trial *trial)
{
    trial->allocation_count = 0;
    memset(trial->submitted, 0, sizeof trial->submitted);
}

static void watch(struct vidmm_observer *self, const struct vidmm_event *event)
{
    struct trial *trial = CONTAINER_OF(self, struct trial, observer);
    judge(trial, event, vidmm_event_info(event->kind)->name);
    trial->events[event->kind]++;
    if (event->kind == VIDMM_EVENT_START_ADAPTER)
        begin_anew(trial);
    /* A write without a lock may hit memory that the GPU is using: the content is unknown then. */
    trial->wild |= event->kind == VIDMM_EVENT_WARN && event->rule == VIDMM_RULE_LOCK_067;
    trial->refused |= event->kind == VIDMM_EVENT_REFUSE;
    trial->stopped |= event->kind == VIDMM_EVENT_BUGCHECK;
    if (event->kind == VIDMM_EVENT_SUBMIT)
        note_submission(trial, event);
    if (event->kind == VIDMM_EVENT_CREATE && trial->allocation_count < TRIAL_ALLOCATIONS)
        trial->allocations[trial->allocation_count++].handle = event->subject;
    struct trial_allocation *allocation = allocation_of(trial, event->subject);
    if (event->kind == VIDMM_EVENT_LOST && allocation)
        allocation->lost = true;
    if (event->kind == VIDMM_EVENT_LOCK && allocation)
        allocation->raced |= has_word(event, "flags", "IgnoreSync");
}

/* ---- between statements -------------------------------------------------------------------- */

/*
 * Every submitted packet is reported. A preempt request has a number, too; packets that a reset
 * took away, and queued packets of a device in error, are never reported.
 */
static bool at_rest(const struct trial *trial)
{
    struct vidmm_node_view node;
    bool dropped = trial->hung || trial->events[VIDMM_EVENT_DEVICE_STATE];
    bool whole = !trial->lenient && !dropped && !trial->injected;
    for (uint32_t i = 0; i < TRIAL_NODES && vidmm_node_view(trial->adapter, i, &node); i++)
        if (node.queued || (whole && node.completed < trial->submitted[i]))
            return false;
    return true;
}

static void look_at_contents(struct trial *trial)
{
    struct vidmm_allocation_view view;
    for (size_t i = 0; i < trial->allocation_count; i++) {
        vidmm_handle handle = trial->allocations[i].handle;
        if (!vidmm_allocation_view(trial->adapter, handle, &view) ||
            view.residency == VIDMM_RESIDENCY_LOST || view.cpu_dirty_pages ||
            trial->allocations[i].raced || vidmm_content_intact(trial->adapter, handle))
            continue;
        complain(trial, "the content of %s is damaged", vidmm_label(trial->adapter, handle));
    }
}

/* Also called before the first statement, and after the last one. */
static void look(struct trial *trial)
{
    if (!trial->adapter || trial->stopped)
        return;
    bool rest = at_rest(trial);
    if (trial->settles && !rest && !trial->refused)
        complain(trial, "a wait ended, but the GPU has work left");
    if (trial->settles && rest && !trial->lenient && !trial->injected && !trial->wild)
        look_at_contents(trial);
    trial->settles = false;
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* From here on timeouts, and stops because there are too many, are not out of place. */
static bool mentions_hang(const char *text)
{
    static const char *const words[] = { "cost=hang", "reset tdr",    "reset engine",
                                         " hang=",    " page-fault=", " no-preempt" };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

/* No event reports settings before the start: a driver that hangs, and a delay that is too short.
 */
static bool begins_with_hang(const char *script, size_t bytes)
{
    char line[TRIAL_PROBLEM];
    char *text = base_strndup(script, bytes);
    const char *driver = strstr(text, "\nminiport ");
    (void)snprintf(line, sizeof line, "%.*s", driver ? (int)strcspn(driver + 1, "\n") : 0,
                   driver ? driver + 1 : "");
    bool hangs = mentions_hang(line) || strstr(text, " TdrDelay=") != NULL;
    base_free(text);
    return hangs;
}

static void tell(struct scenario_host *host, const struct scenario_telling *telling)
{
    struct trial *trial = CONTAINER_OF(host, struct trial, host);
    if (telling->kind != SCENARIO_TELL_STATEMENT)
        return;
    trial->adapter = telling->adapter;
    look(trial);
    trial->settles = begins(telling->text, "wait idle");
    trial->refused = false;
    trial->excused = false;
    trial->injected |= begins(telling->text, "inject");
    trial->hung |= mentions_hang(telling->text);
}

/* The subject of a message, without its place in the text: a shorter text has others. */
static const char *core_of(const struct scenario_message *message)
{
    const char *details = strchr(message->rendered, '\n');
    bool detailed = message->severity != SCENARIO_ERROR && details && details[1] == ' ';
    return detailed ? details + 1 + strspn(details + 1, " ") : message->text;
}

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    struct trial *trial = CONTAINER_OF(host, struct trial, host);
    bool failed = message->severity == SCENARIO_FAILED;
    bool stopped = message->severity == SCENARIO_STOPPED;
    bool excused = trial->lenient || trial->shortage || trial->stopped || trial->injected ||
                   trial->wild || trial->excused;
    /* A driver that fails changes which references are made, and no policy can foresee it. */
    bool departed = message->severity == SCENARIO_ERROR && strstr(message->rendered, "POLICY-013");
    if (stopped)
        (void)snprintf(trial->stop, sizeof trial->stop, "%s", core_of(message));
    if ((failed && excused) || ((stopped || departed) && (trial->lenient || trial->shortage)))
        return;
    if (message->severity != SCENARIO_WARNING)
        complain(trial, "%s", core_of(message));
}

static bool load_nothing(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host, (void)path, (void)text, (void)bytes;
    return false;
}

/* ---- the run ------------------------------------------------------------------------------- */

bool trial_run(struct trial *trial, const char *name, const char *text, size_t bytes)
{
    const struct scenario_options options = { .check_invariants = true, .tell_statements = true };
    struct scenario_result result = { .exit = SCENARIO_EXIT_OK };
    trial->host.message = hear;
    trial->host.tell = tell;
    trial->host.load = trial->host.load ? trial->host.load : load_nothing;
    trial->host.observers = &trial->observer;
    trial->observer.on_event = watch;
    trial->hung = begins_with_hang(text, bytes);
    struct scenario *scenario = scenario_parse(text, bytes, name, &trial->host);
    trial->understood = scenario_check(scenario);
    if (trial->understood)
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    if (result.exit == SCENARIO_EXIT_INVARIANT || result.exit == SCENARIO_EXIT_LIMIT)
        complain(trial, "%s", trial->stop);
    return !trial->problem[0];
}
