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
#include <string.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "tools/common/interrupt.h"
#include "vidmm/base/base.h"

/* A run can be ended by these, and come to its end. */
static const int signals[] = { SIGINT, SIGTERM };
/* All that ends a process which may be writing. */
static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };

/* A handler can reach nothing else. */
static volatile sig_atomic_t seen;
static struct {
    const char **paths;
    size_t count, capacity;
    pid_t taker; /* a child has these names, too, but not the files */
} taken;

/* ---- signals --------------------------------------------------------------------------------- */

static void take_files(void)
{
    for (size_t i = 0; i < taken.count && taken.taker == getpid(); i++)
        (void)unlink(taken.paths[i]);
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
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++) {
        struct sigaction action = { 0 };
        if (sigaction(endings[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            set_action(endings[i], on_last_signal);
    }
}

/* No handler may see the list while it changes. */
static void hold_signals(int how)
{
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        (void)sigaddset(&set, endings[i]);
    (void)sigprocmask(how, &set, NULL);
}

void interrupt_take(const char *path)
{
    if (!taken.taker)
        listen_for_files();
    hold_signals(SIG_BLOCK);
    taken.taker = getpid();
    BASE_GROW(taken.paths, taken.capacity, taken.count + 1);
    taken.paths[taken.count++] = path;
    hold_signals(SIG_UNBLOCK);
}

void interrupt_tell(void)
{
    for (size_t i = 0; i < taken.count && taken.taker == getpid(); i++)
        (void)fprintf(stderr, "vidmm: %.*s is not written: not every file ran to its end\n",
                      (int)(strlen(taken.paths[i]) - strlen(INTERRUPT_ENDING)), taken.paths[i]);
}

void interrupt_spare(const char *path)
{
    hold_signals(SIG_BLOCK);
    for (size_t i = taken.count; i > 0; i--)
        if (taken.paths[i - 1] == path) {
            taken.paths[i - 1] = taken.paths[--taken.count];
            break;
        }
    if (!taken.count) {
        base_free(taken.paths);
        taken.paths = NULL;
        taken.capacity = 0;
    }
    hold_signals(SIG_UNBLOCK);
}
