/* SPDX-License-Identifier: MIT */
/* interrupt.c: the one place that knows of signals. */
#define _DEFAULT_SOURCE /* sigaction, poll */
#include "tools/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM };

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen;

static void interrupt_note(int number)
{
    (void)number;
    seen = 1;
}

/* What is ignored stays ignored: so shells start what runs in the background. */
static void handle(void (*handler)(int), int flags)
{
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action = { 0 };
        if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = handler;
        action.sa_flags = flags;
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(signals[i], &action, NULL);
    }
}

void interrupt_begin(void)
{
    handle(interrupt_note, (int)(SA_RESTART | SA_RESETHAND));
}

void interrupt_end(void)
{
    handle(SIG_DFL, 0);
}

bool interrupt_seen(void)
{
    return seen != 0;
}

bool interrupt_wait_input(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    if (seen)
        return false;
    /* Lines of a file or a pipe may have been read ahead. */
    return !isatty(STDIN_FILENO) || poll(&input, 1, -1) >= 0 || errno != EINTR;
}
