/* SPDX-License-Identifier: MIT */
/*
 * policy_guard.c: what is said when the process crashes while policies are loaded.
 *
 * Their code runs in the middle of ours, and nothing tells the two apart afterwards; so the files
 * are named, and the process ends by the signal as it would have. The handler has a stack of its
 * own, because a recursion without end uses up the other one.
 */
#define _DEFAULT_SOURCE /* sigaltstack */
#include "tools/common/policy_guard.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vidmm/base/base.h"

enum { NAMES_BYTES = 1024, STACK_BYTES = 1 << 16 };

static const struct {
    int number;
    const char *text;
} crashes[] = {
    { SIGSEGV, "vidmm: crashed by SIGSEGV; policies of " },
    { SIGBUS, "vidmm: crashed by SIGBUS; policies of " },
    { SIGFPE, "vidmm: crashed by SIGFPE; policies of " },
    { SIGILL, "vidmm: crashed by SIGILL; policies of " },
    { SIGABRT, "vidmm: crashed by SIGABRT; policies of " },
};

/* A signal handler can reach nothing else. */
static struct {
    char names[NAMES_BYTES], stack[STACK_BYTES];
    struct sigaction before[ARRAY_COUNT(crashes)];
} guard;

const char *policy_guard_names(void)
{
    return guard.names;
}

/* If that fails, there is nobody else to tell. */
static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

/* Whoever handled it before (a sanitizer) does so now. */
static void on_crash(int number)
{
    for (size_t i = 0; i < ARRAY_COUNT(crashes); i++) {
        if (crashes[i].number != number)
            continue;
        say(crashes[i].text);
        say(guard.names);
        say(" were loaded, and code that is loaded is not confined\n");
        (void)sigaction(number, &guard.before[i], NULL);
    }
    (void)raise(number);
}

static void set_handlers(void)
{
    const stack_t stack = { .ss_sp = guard.stack, .ss_size = sizeof guard.stack };
    stack_t now = { .ss_flags = SS_DISABLE }; /* or a sanitizer's */
    struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaltstack(NULL, &now);
    if (now.ss_flags & SS_DISABLE)
        (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(crashes); i++)
        (void)sigaction(crashes[i].number, &action, &guard.before[i]);
}

void policy_guard_add(const char *path)
{
    size_t length = strlen(guard.names);
    if (!length)
        set_handlers();
    (void)snprintf(guard.names + length, sizeof guard.names - length, "%s%s", length ? ", " : "",
                   path);
}
