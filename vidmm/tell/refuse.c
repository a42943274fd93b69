/* SPDX-License-Identifier: MIT */
/*
 * refuse.c: says whose mistake something was.
 *
 * The caller's is refused: a documented status, a rule, a sentence, and nothing has changed. The
 * miniport's is a finding, or a bug check that ends the simulated system: then every later call is
 * refused with the rule of the stop. Ours is a CHECK (vidmm/base/base.h).
 *
 * A finding under `findings=fatal` stops the adapter like a bug check does, but with code 0: no
 * documented stop belongs to it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"
#include "vidmm/vidmm_stops.h"

/* ---- refusals ------------------------------------------------------------------------------- */

/* "ALLOC-013 FLAG-013" */
static void list_rules(const struct vidmm_refusal *refusal, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < refusal->rule_count; i++) {
        int more = snprintf(text + used, bytes - used, "%s%s", i ? " " : "",
                            vidmm_rule_id(refusal->rules[i]));
        CHECK(more >= 0 && used + (size_t)more < bytes);
        used += (size_t)more;
    }
}

static vidmm_status tell_refusal(adapter_t *adapter)
{
    const struct vidmm_refusal *refusal = &adapter->tell->refusal;
    char rules[ARRAY_COUNT(refusal->rules) * (VIDMM_RULE_ID_MAX + 1)];
    adapter->tell->refused = true;
    for (size_t i = 0; i < refusal->rule_count; i++)
        applies(adapter, refusal->rules[i]);
    if (!heard(adapter, VIDMM_EVENT_REFUSE))
        return refusal->status;
    list_rules(refusal, rules, sizeof rules);
    const struct vidmm_field fields[] = {
        f_status("status", refusal->status),
        f_text("text", refusal->text),
        f_text("rules", rules),
    };
    /* A single rule already stands in the event itself. */
    emit_fields(adapter, VIDMM_EVENT_REFUSE, refusal->rules[0], 0, fields,
                refusal->rule_count > 1 ? 3 : 2);
    return refusal->status;
}

VIDMM_PRINTF(4, 0)
static vidmm_status refuse_text(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                                const char *format, va_list arguments)
{
    struct vidmm_refusal *refusal = &adapter->tell->refusal;
    *refusal = (struct vidmm_refusal){ .status = status, .rules = { rule }, .rule_count = 1 };
    (void)vsnprintf(refusal->text, sizeof refusal->text, format, arguments);
    adapter->tell_hooks->add_names(adapter, refusal->text, sizeof refusal->text);
    return tell_refusal(adapter);
}

vidmm_status refuse(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = refuse_text(adapter, rule, status, format, arguments);
    va_end(arguments);
    return status;
}

vidmm_status refuse_all(adapter_t *adapter, const struct broken_rules *broken, vidmm_status status,
                        const char *text)
{
    struct vidmm_refusal *refusal = &adapter->tell->refusal;
    CHECK(broken->count && broken->count <= ARRAY_COUNT(refusal->rules));
    *refusal = (struct vidmm_refusal){ .status = status, .rule_count = broken->count };
    memcpy(refusal->rules, broken->rules, broken->count * sizeof *broken->rules);
    (void)snprintf(refusal->text, sizeof refusal->text, "%s", text);
    adapter->tell_hooks->add_names(adapter, refusal->text, sizeof refusal->text);
    return tell_refusal(adapter);
}

/* What nearly every call finds: nothing is in the way. */
static bool is_alive(const struct tell *tell)
{
    return !tell->outside && tell->started && !tell->stopped;
}

vidmm_status adapter_alive(adapter_t *adapter)
{
    if (is_alive(adapter->tell))
        return STATUS_SUCCESS;
    vidmm_status status = door_check(adapter);
    if (status)
        return status;
    if (adapter->tell->stopped)
        return refuse(adapter, adapter->tell->stop.rule, STATUS_DEVICE_REMOVED,
                      "the simulated system has stopped");
    /* The rule that made the start fail is that of the last refusal: nothing else came since. */
    enum vidmm_rule rule =
        adapter->tell->refused ? adapter->tell->refusal.rules[0] : VIDMM_RULE_NONE;
    return refuse(adapter, rule, STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER,
                  "the adapter did not start");
}

bool exclude_holds(const adapter_t *adapter)
{
    return adapter->tell->presence == ADAPTER_EXCLUDED ||
           adapter->tell->presence == ADAPTER_EXCLUDED_EMPTY;
}

VIDMM_APART static vidmm_status refuse_unusable(adapter_t *adapter)
{
    vidmm_status status = adapter_alive(adapter);
    if (status || adapter->tell->presence == ADAPTER_PRESENT)
        return status;
    if (adapter->tell->presence == ADAPTER_REMOVED)
        return refuse(adapter, RULE(TDR_031), STATUS_DEVICE_REMOVED, "the adapter is gone");
    if (exclude_holds(adapter))
        return refuse(
            adapter, RULE(TDR_035), STATUS_UNSUCCESSFUL,
            "the driver has the adapter for itself: the call would wait for the end of that");
    return refuse(
        adapter, RULE(TDR_044), STATUS_UNSUCCESSFUL,
        "the machine sleeps: the call would wait for a resume that cannot come before it");
}

vidmm_status adapter_usable(adapter_t *adapter)
{
    bool usable = is_alive(adapter->tell) && adapter->tell->presence == ADAPTER_PRESENT;
    return usable ? STATUS_SUCCESS : refuse_unusable(adapter);
}

/* ---- warnings and findings ------------------------------------------------------------------ */

vidmm_status warn(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                  const char *format, ...)
{
    char text[sizeof adapter->tell->refusal.text];
    vidmm_status status = STATUS_SUCCESS;
    va_list arguments;
    va_start(arguments, format);
    if (setting(adapter, VIDMM_SETTING_STRICT))
        status = refuse_text(adapter, rule, STATUS_INVALID_PARAMETER, format, arguments);
    else
        (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (status)
        return status;
    adapter->tell_hooks->add_names(adapter, text, sizeof text);
    count_up(adapter, VIDMM_COUNTER_FINDINGS, 1);
    adapter->tell->warnings++;
    EMIT_COMPLAINT(adapter, WARN, rule, subject, f_text("text", text));
    return STATUS_SUCCESS;
}

VIDMM_PRINTF(5, 0)
static void tell_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject, bool fatal,
                         const char *format, va_list arguments)
{
    char text[sizeof adapter->tell->stop.text];
    (void)vsnprintf(text, sizeof text, format, arguments);
    count_up(adapter, VIDMM_COUNTER_FINDINGS, 1);
    applies(adapter, RULE(BUG_050));
    EMIT_COMPLAINT(adapter, FINDING, rule, subject, f_text("text", text), f_flag("fatal", fatal),
                   f_number("call", adapter->tell->driver_calls),
                   f_text("last-call", adapter->tell->last_call));
    if (!fatal || adapter->tell->stopped)
        return;
    adapter->tell->stopped = true;
    adapter->tell->stop = (struct vidmm_bugcheck){
        .time = adapter->tell->timeline.now,
        .rule = rule,
        .last_call = adapter->tell->last_call,
    };
    (void)snprintf(adapter->tell->stop.name, sizeof adapter->tell->stop.name,
                   "a finding ends the run%s",
                   setting(adapter, VIDMM_SETTING_FINDINGS) ? " (findings=fatal)" : "");
    memcpy(adapter->tell->stop.text, text, sizeof text);
}

void finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject, const char *format,
             ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell_finding(adapter, rule, subject, setting(adapter, VIDMM_SETTING_FINDINGS) != 0, format,
                 arguments);
    va_end(arguments);
}

void last_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell_finding(adapter, rule, subject, true, format, arguments);
    va_end(arguments);
}

/* ---- bug checks ----------------------------------------------------------------------------- */

vidmm_status bugcheck(adapter_t *adapter, enum vidmm_rule rule, uint32_t code, uint64_t parameter1,
                      const uint64_t parameters[3], const char *format, ...)
{
    /* The first one ended the system: nothing that follows from it is a record of its own. */
    if (adapter->tell->stopped)
        return STATUS_DEVICE_REMOVED;
    struct vidmm_bugcheck *stop = &adapter->tell->stop;
    adapter->tell->stopped = true;
    *stop = (struct vidmm_bugcheck){
        .code = code,
        .parameter = { parameter1, parameters[0], parameters[1], parameters[2] },
        .time = adapter->tell->timeline.now,
        .rule = rule,
        .last_call = adapter->tell->last_call,
    };
    struct vidmm_stop known;
    (void)vidmm_stop(code, parameter1, &known);
    applies(adapter, RULE(BUG_001));
    if (code == 0x10E)
        applies(adapter, RULE(BUG_002));
    else
        applies(adapter, code == 0x119 ? RULE(BUG_003) : RULE(BUG_004));
    memcpy(stop->name, known.name, sizeof stop->name);
    memcpy(stop->meaning, known.meaning, sizeof stop->meaning);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(stop->text, sizeof stop->text, format, arguments);
    va_end(arguments);

    EMIT(adapter, BUGCHECK, rule, 0, f_hex("code", code), f_hex("p1", parameter1),
         f_hex("p2", parameters[0]), f_hex("p3", parameters[1]), f_hex("p4", parameters[2]),
         f_text("name", stop->name), f_text("meaning", stop->meaning), f_text("text", stop->text),
         f_text("last-call", stop->last_call));
    return refuse(adapter, rule, STATUS_DEVICE_REMOVED, "the simulated system has stopped: %s",
                  stop->text);
}

const struct vidmm_refusal *refusal_of(const adapter_t *adapter)
{
    return &adapter->tell->refusal;
}

void refusal_restore(adapter_t *adapter, const struct vidmm_refusal *refusal)
{
    adapter->tell->refusal = *refusal;
}

const struct vidmm_refusal *refusal_last(const adapter_t *adapter)
{
    return adapter->tell->refused ? &adapter->tell->refusal : NULL;
}

const struct vidmm_bugcheck *bugcheck_of(const adapter_t *adapter)
{
    return adapter->tell->stopped ? &adapter->tell->stop : NULL;
}

uint64_t warnings_of(const adapter_t *adapter)
{
    return adapter->tell->warnings;
}
