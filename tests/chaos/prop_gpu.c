/* SPDX-License-Identifier: MIT */
/*
 * prop_gpu.c: random lives of an adapter with several nodes, contexts and devices.
 *
 *   prop_gpu [--lives=N] [--seed=N] [--plant=EVENT] [--to=FILE] [--print] [SCENARIO...]
 *
 * Every seed is a scenario (chaos.h): divided transfers, small paging buffers, accidents, linked
 * adapters, preemption, timeouts and resets, faults of the driver. trial.h says what must hold in
 * each of them. A life that breaks it is made as short as possible, written to FILE (else
 * prop_gpu-SEED.vms), and ends the run. With --plant an event counts as a failure, so that a test
 * can see this happen. With --print only the life of the first seed is printed. A SCENARIO is
 * checked in the same way.
 *
 * Lives run in a child: a promise that vidmm breaks (CHECK), a crash, and a life that never ends
 * are failures like others.
 */
#define _DEFAULT_SOURCE /* fork, mmap, setitimer */

#include "tests/chaos/chaos.h"
#include "tests/support/shrink.h"
#include "tests/support/trial.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of processor time, which a busy machine does not lengthen. */
enum { SECONDS_OF_A_LIFE = 10, ENOUGH = 2000, PATH_BYTES = 256 };

/* Shared with the child; the child writes, and the parent reads the result. */
struct progress {
    uint64_t lives, started, tame;
    uint64_t events[VIDMM_EVENT_KINDS];
    uint64_t seed; /* that is running */
    bool failed;
    char problem[TRIAL_PROBLEM];
};

static struct progress *shared;
static const char *planted;

/* ---- a child ------------------------------------------------------------------------------- */

void __wrap_base_check_failed(const char *file, int line, const char *text);

/* The linker puts this before the function of base.c: the parent shall know the promise. */
void __wrap_base_check_failed(const char *file, int line, const char *text)
{
    (void)snprintf(shared->problem, sizeof shared->problem,
                   "vidmm broke its own promise: %s (%s:%d)", text, file, line);
    _exit(1);
}

static void live(const char *text)
{
    struct trial trial = { .planted = planted };
    const struct itimerval end = { .it_value.tv_sec = SECONDS_OF_A_LIFE };
    (void)snprintf(shared->problem, sizeof shared->problem, "a crash");
    (void)setitimer(ITIMER_PROF, &end, NULL);
    shared->failed = true;
    bool good = trial_run(&trial, "life.vms", text, strlen(text));
    shared->failed = !good;
    (void)snprintf(shared->problem, sizeof shared->problem, "%s", trial.problem);
    shared->lives++;
    shared->started += trial.adapter != NULL;
    shared->tame += !trial.injected && !trial.wild;
    for (size_t i = 0; i < VIDMM_EVENT_KINDS; i++)
        shared->events[i] += trial.events[i];
}

static void live_all(uint64_t seed, uint64_t lives)
{
    struct script *script = base_alloc(1, sizeof *script);
    for (shared->seed = seed; shared->seed < seed + lives; shared->seed++) {
        chaos_write(script, shared->seed);
        live(script->text);
        if (shared->failed)
            break;
    }
    base_free(script);
}

/* True: the child ended by itself, and nothing failed. */
static bool wait_for(pid_t child)
{
    int status = 0;
    CHECK(child > 0);
    CHECK(waitpid(child, &status, 0) == child);
    shared->failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (WIFSIGNALED(status))
        (void)snprintf(shared->problem, sizeof shared->problem, "%s (signal %d)",
                       WTERMSIG(status) == SIGPROF ? "a life without an end" : "a crash",
                       WTERMSIG(status));
    return !shared->failed;
}

static bool run_lives(uint64_t seed, uint64_t lives)
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        live_all(seed, lives);
        _exit(0);
    }
    return wait_for(child);
}

static bool run_text(const char *text, bool quiet)
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            _exit(1);
        live(text);
        _exit(0);
    }
    return wait_for(child);
}

/* ---- a failure ----------------------------------------------------------------------------- */

static bool fails_alike(void *self, const char *text)
{
    const char *wanted = self;
    return !run_text(text, true) && shrink_same_kind(wanted, shared->problem);
}

static void keep(const char *text, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        (void)fprintf(stderr, "%s cannot be written\n", path);
    else
        printf("shortened in %s\n", path);
}

static void report(char *text, const char *path)
{
    char wanted[TRIAL_PROBLEM];
    memcpy(wanted, shared->problem, sizeof wanted);
    printf("%s\n", wanted);
    if (!fails_alike(wanted, text)) {
        printf("it does not happen again alone\n");
        return;
    }
    shrink_text(text, fails_alike, wanted);
    printf("%s", text);
    keep(text, path);
}

static void report_seed(uint64_t seed, const char *to)
{
    char path[PATH_BYTES];
    struct script *script = base_alloc(1, sizeof *script);
    (void)snprintf(path, sizeof path, "prop_gpu-%" PRIu64 ".vms", seed);
    printf("seed %" PRIu64 ": ", seed);
    chaos_write(script, seed);
    report(script->text, to ? to : path);
    base_free(script);
}

/* ---- coverage of the lives ----------------------------------------------------------------- */

/* A run that met none of these has tested nothing. */
static bool print_totals(void)
{
    static const enum vidmm_event_kind wanted[] = {
        VIDMM_EVENT_FILL,         VIDMM_EVENT_TRANSFER,      VIDMM_EVENT_MAP,
        VIDMM_EVENT_EVICT,        VIDMM_EVENT_LOST,          VIDMM_EVENT_LOCK,
        VIDMM_EVENT_UPDATE,       VIDMM_EVENT_ACQUIRE_RANGE, VIDMM_EVENT_RENAME,
        VIDMM_EVENT_WAIT,         VIDMM_EVENT_REFUSE,        VIDMM_EVENT_FINDING,
        VIDMM_EVENT_BUGCHECK,     VIDMM_EVENT_EXCLUDE,       VIDMM_EVENT_PNP,
        VIDMM_EVENT_POWER,        VIDMM_EVENT_LEVEL3,        VIDMM_EVENT_OPEN,
        VIDMM_EVENT_DEVICE_STATE, VIDMM_EVENT_PAGE_FAULT,    VIDMM_EVENT_INIT_CONTEXT,
        VIDMM_EVENT_OFFER,        VIDMM_EVENT_RECLAIM,       VIDMM_EVENT_DISCARD_OFFERED,
    };
    bool all = shared->started > shared->lives * 9 / 10 && shared->tame > shared->lives / 3;
    printf("%" PRIu64 " lives, %" PRIu64 " adapters started, %" PRIu64 " without a mistake;",
           shared->lives, shared->started, shared->tame);
    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
        printf(" %s %" PRIu64, vidmm_event_info(wanted[i])->name, shared->events[wanted[i]]);
        all &= shared->events[wanted[i]] > 0;
    }
    printf("\n%zu lines are left out: the language does not know them yet\n", chaos_left_out());
    return all;
}

static bool run_seeds(uint64_t seed, uint64_t lives, const char *to)
{
    if (!run_lives(seed, lives)) {
        report_seed(shared->seed, to);
        return false;
    }
    if (print_totals() || lives < ENOUGH)
        return true;
    printf("some of this never happened: the test does not test it any more\n");
    return false;
}

/* ---- the program --------------------------------------------------------------------------- */

static bool look_at_file(const char *path, const char *to)
{
    struct script *script = base_alloc(1, sizeof *script);
    FILE *file = fopen(path, "rb");
    CHECK(file);
    script->length = fread(script->text, 1, SCRIPT_BYTES - 1, file);
    (void)fclose(file);
    bool good = run_text(script->text, false);
    printf("%s: %s\n", path, good ? "all is well" : "fails");
    if (!good)
        report(script->text, to ? to : "prop_gpu-short.vms");
    base_free(script);
    return good;
}

static void print_life(uint64_t seed)
{
    struct script *script = base_alloc(1, sizeof *script);
    chaos_write(script, seed);
    printf("%s", script->text);
    base_free(script);
}

/* The text after `name`, if the argument begins with it. */
static const char *option(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

int main(int argc, char **argv)
{
    uint64_t lives = 1000, seed = 1;
    const char *to = NULL, *value;
    bool print = false, good = true;
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if ((value = option(argv[i], "--lives=")) != NULL)
            lives = strtoull(value, NULL, 0);
        else if ((value = option(argv[i], "--seed=")) != NULL)
            seed = strtoull(value, NULL, 0);
        else if ((value = option(argv[i], "--plant=")) != NULL)
            planted = value;
        else if ((value = option(argv[i], "--to=")) != NULL)
            to = value;
        else if (strcmp(argv[i], "--print") == 0)
            print = true;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    chaos_learn();
    if (print)
        print_life(seed);
    else if (i == argc)
        good = run_seeds(seed, lives, to);
    for (; i < argc; i++)
        good &= look_at_file(argv[i], to);
    return good ? 0 : 1;
}
