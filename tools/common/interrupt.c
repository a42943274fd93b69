/* SPDX-License-Identifier: MIT */
/* interrupt.c: signals that end a run are noted; see host.h. */
#define _DEFAULT_SOURCE /* sigaction, poll */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "vidmm/base/base.h"

static const int signals[] = { SIGINT, SIGTERM };

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen;

static void on_signal(int number)
{
    (void)number;
    seen = 1;
}

/* What is ignored stays ignored: so shells start what runs in the background. */
static void set_handler(void (*handler)(int), int flags)
{
    for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
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
    set_handler(on_signal, (int)(SA_RESTART | SA_RESETHAND));
}

void interrupt_end(void)
{
    set_handler(SIG_DFL, 0);
}

bool interrupt_seen(void)
{
    return seen != 0;
}

void interrupt_drop(void)
{
    seen = 0;
    interrupt_begin();
}

bool interrupt_wait_input(void)
{
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    if (interrupt_seen())
        return false;
    /* Lines of a file or a pipe may have been read ahead. */
    return !isatty(STDIN_FILENO) || poll(&input, 1, -1) >= 0 || errno != EINTR;
}
