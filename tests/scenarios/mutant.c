/* SPDX-License-Identifier: MIT */
/*
 * mutant.c: the program with one rule switched off, so that a test can ask what notices it.
 *
 * The linker puts these functions before those of vidmm/tell/refuse.c. The environment
 * (VIDMM_MUTANT) names a rule that is no longer refused, warned about or found; it still counts as
 * applied, so `proves` alone does not notice. The rule in VIDMM_BREAKS breaks a promise of vidmm
 * itself when it is refused; "all" breaks an invariant of the manager. Some rules end a loop.
 * Without them the run would not end, so it stops here after more checks of the rule than any
 * scenario makes: a number of steps, so that the speed of the machine decides nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vidmm/tell/tell.h"
#include "vidmm/vidmm_view.h"

vidmm_status __real_refuse(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                           const char *format, ...);
vidmm_status __real_refuse_all(adapter_t *adapter, const struct broken_rules *broken,
                               vidmm_status status, const char *text);
vidmm_status __real_warn(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                         const char *format, ...);
void __real_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                    const char *format, ...);
vidmm_status __real_bugcheck(adapter_t *adapter, enum vidmm_rule rule, uint32_t code,
                             uint64_t parameter1, const uint64_t parameters[3], const char *format,
                             ...);

vidmm_status __wrap_refuse(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                           const char *format, ...);
vidmm_status __wrap_refuse_all(adapter_t *adapter, const struct broken_rules *broken,
                               vidmm_status status, const char *text);
vidmm_status __wrap_warn(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                         const char *format, ...);
void __wrap_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                    const char *format, ...);
vidmm_status __wrap_bugcheck(adapter_t *adapter, enum vidmm_rule rule, uint32_t code,
                             uint64_t parameter1, const uint64_t parameters[3], const char *format,
                             ...);

bool __real_vidmm_check(const struct vidmm_adapter *adapter, char *problem, size_t bytes);
bool __wrap_vidmm_check(const struct vidmm_adapter *adapter, char *problem, size_t bytes);

/* The message of a call, as the real function would have written it. */
#define TELL(text, format)                                                                         \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        (void)vsnprintf(text, sizeof(text), format, arguments);                                    \
        va_end(arguments);                                                                         \
    } while (0)

enum { LOOKS_MOST = 100000, NO_END = 4 };

static bool is_off(adapter_t *adapter, enum vidmm_rule rule)
{
    static int looks;
    const char *id = getenv("VIDMM_MUTANT");
    const char *breaks = getenv("VIDMM_BREAKS");
    CHECK(!breaks || strcmp(breaks, vidmm_rule_id(rule)) != 0);
    if (!id || strcmp(id, vidmm_rule_id(rule)) != 0)
        return false;
    if (++looks > LOOKS_MOST) {
        (void)fprintf(stderr, "%s: without it the run does not end\n", id);
        exit(NO_END);
    }
    applies(adapter, rule);
    return true;
}

vidmm_status __wrap_refuse(adapter_t *adapter, enum vidmm_rule rule, vidmm_status status,
                           const char *format, ...)
{
    char text[sizeof((struct vidmm_refusal *)NULL)->text];
    if (is_off(adapter, rule))
        return STATUS_SUCCESS;
    TELL(text, format);
    return __real_refuse(adapter, rule, status, "%s", text);
}

vidmm_status __wrap_refuse_all(adapter_t *adapter, const struct broken_rules *broken,
                               vidmm_status status, const char *text)
{
    struct broken_rules rest = { .count = 0 };
    for (size_t i = 0; i < broken->count; i++)
        if (!is_off(adapter, broken->rules[i]))
            rest.rules[rest.count++] = broken->rules[i];
    return rest.count ? __real_refuse_all(adapter, &rest, status, text) : STATUS_SUCCESS;
}

vidmm_status __wrap_warn(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                         const char *format, ...)
{
    char text[sizeof((struct vidmm_refusal *)NULL)->text];
    if (is_off(adapter, rule))
        return STATUS_SUCCESS;
    TELL(text, format);
    return __real_warn(adapter, rule, subject, "%s", text);
}

void __wrap_finding(adapter_t *adapter, enum vidmm_rule rule, vidmm_handle subject,
                    const char *format, ...)
{
    char text[sizeof((struct vidmm_bugcheck *)NULL)->text];
    if (is_off(adapter, rule))
        return;
    TELL(text, format);
    __real_finding(adapter, rule, subject, "%s", text);
}

vidmm_status __wrap_bugcheck(adapter_t *adapter, enum vidmm_rule rule, uint32_t code,
                             uint64_t parameter1, const uint64_t parameters[3], const char *format,
                             ...)
{
    char text[sizeof((struct vidmm_bugcheck *)NULL)->text];
    if (is_off(adapter, rule))
        return STATUS_SUCCESS;
    TELL(text, format);
    return __real_bugcheck(adapter, rule, code, parameter1, parameters, "%s", text);
}

bool __wrap_vidmm_check(const struct vidmm_adapter *adapter, char *problem, size_t bytes)
{
    const char *breaks = getenv("VIDMM_BREAKS");
    if (!breaks || strcmp(breaks, "all") != 0)
        return __real_vidmm_check(adapter, problem, bytes);
    (void)snprintf(problem, bytes, "nothing holds any more");
    return false;
}
