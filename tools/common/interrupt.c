/* SPDX-License-Identifier: MIT */
/*
 * interrupt.c: signals that end a run are noted, and those that end the process take half-written
 * files with it; see host.h and interrupt.h.
 */
#define _DEFAULT_SOURCE /* sigaction, poll */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/interrupt.h"
#include "vidmm/base/base.h"

static const int signals[] = { SIGINT, SIGTERM };

enum { FILES_MOST = 16 };

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen;
static const char *volatile taken[FILES_MOST];
static volatile pid_t taker; /* a child has these names, too, but not the files */

/* ---- signals --------------------------------------------------------------------------------- */

static void take_files(void)
{
    for (size_t i = 0; i < FILES_MOST; i++)
        if (taken[i] && taker == getpid())
            (void)unlink(taken[i]);
}

static void set_action(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = (int)SA_RESTART };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

static void on_last_signal(int number)
{
    take_files();
    set_action(number, SIG_DFL);
    (void)raise(number); /* when this function is left */
}

static void on_signal(int number)
{
    seen = 1;
    set_action(number, on_last_signal);
}

/* What is ignored stays ignored: so shells start what runs in the background. */
static void set_handler(void (*handler)(int))
{
    for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
        struct sigaction action = { 0 };
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            set_action(signals[i], handler);
    }
}

void interrupt_begin(void)
{
    set_handler(on_signal);
}

void interrupt_end(void)
{
    set_handler(on_last_signal);
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

/* ---- files ----------------------------------------------------------------------------------- */

static void listen_for_files(void)
{
    (void)atexit(take_files);
    for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
        struct sigaction action = { 0 };
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            set_action(signals[i], on_last_signal);
    }
}

void interrupt_take(const char *path)
{
    if (!taker)
        listen_for_files();
    taker = getpid();
    for (size_t i = 0; i < FILES_MOST; i++)
        if (!taken[i]) {
            taken[i] = path;
            break;
        }
}

void interrupt_spare(const char *path)
{
    for (size_t i = 0; i < FILES_MOST; i++)
        if (taken[i] == path)
            taken[i] = NULL;
}
