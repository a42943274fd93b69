/* SPDX-License-Identifier: MIT */
/*
 * workers.c: which job starts when, and how each of them ends.
 *
 * A ring of slots holds the jobs that were started and not yet handed out. Job N has slot N modulo
 * the size of the ring, which therefore bounds how far jobs run ahead of the one whose turn it is.
 * A slot keeps its two temporary files for the next job.
 *
 * Each job leads a process group of its own: Ctrl-C reaches the calling process alone, which then
 * decides who ends.
 */
#define _GNU_SOURCE /* ppoll, sched_getaffinity, CPU_COUNT */
#include "tools/common/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/host.h"
#include "vidmm/base/base.h"

enum { AHEAD_MOST = 256, FILES_KEPT = 64, SECOND_NS = 1000000000, MERCY_NS = SECOND_NS };

enum slot_state { SLOT_FREE, SLOT_RUNS, SLOT_ENDED };

struct slot {
    enum slot_state state;
    pid_t process;
    int status; /* of waitpid() */
    bool cut;
    FILE *answer, *output;
};

struct crew {
    const struct workers *workers;
    struct slot *slots;
    size_t slot_count;
    unsigned most, running;
    size_t started, handed, finished; /* jobs */
    sigset_t outside;                 /* the signals that were blocked before */
    struct sigaction child;
    enum tool_exit end;
};

/* ---- a job ------------------------------------------------------------------------------------
 */

static struct slot *slot_of(const struct crew *crew, size_t job)
{
    return &crew->slots[job % crew->slot_count];
}

/*
 * What a terminal sends to the group of the crew also reaches a child that leads none yet, where it
 * waits. It is for the crew, which then ends its children itself.
 */
static void forget_interrupt(void)
{
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction before;
    if (sigaction(SIGINT, &ignore, &before) == 0)
        (void)sigaction(SIGINT, &before, NULL);
}

/* Standard output and error are one file, and lines reach it in the order of printing. */
static void redirect(struct slot *slot)
{
    int nothing = open("/dev/null", O_RDONLY);
    bool good = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(fileno(slot->output), STDOUT_FILENO) >= 0 &&
                dup2(fileno(slot->output), STDERR_FILENO) >= 0;
    if (!good || setvbuf(stdout, NULL, _IOLBF, 0) != 0)
        _exit(TOOL_LIMIT);
    (void)close(nothing);
}

VIDMM_NORETURN static void work(const struct crew *crew, size_t job, pid_t parent)
{
    struct slot *slot = slot_of(crew, job);
    (void)setpgid(0, 0);
    forget_interrupt();
    /* A parent that was killed cannot end its children. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != parent)
        _exit(TOOL_INTERRUPTED);
    (void)sigaction(SIGCHLD, &crew->child, NULL);
    interrupt_end();
    redirect(slot);
    (void)sigprocmask(SIG_SETMASK, &crew->outside, NULL);
    int code = crew->workers->work(crew->workers->context, job, slot->answer);
    if (fflush(slot->answer) != 0 || ferror(slot->answer)) {
        (void)fprintf(stderr, "vidmm: a temporary file: %s\n", strerror(errno));
        code = code > TOOL_INPUT ? code : TOOL_INPUT;
    }
    exit(code);
}

/* False and errno: the machine has none left. */
static bool slot_prepare(struct slot *slot)
{
    FILE **files[] = { &slot->answer, &slot->output };
    for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
        if (!*files[i])
            *files[i] = tmpfile();
        if (!*files[i] || ftruncate(fileno(*files[i]), 0) != 0 ||
            lseek(fileno(*files[i]), 0, SEEK_SET) != 0)
            return false;
    }
    return true;
}

/* False and errno: there is no process for it. */
static bool start_job(struct crew *crew)
{
    struct slot *slot = slot_of(crew, crew->started);
    pid_t parent = getpid();
    CHECK(slot->state == SLOT_FREE);
    if (!slot_prepare(slot))
        return false;
    /* What stands in a buffer now would be written twice. */
    (void)fflush(NULL);
    slot->process = fork();
    if (slot->process < 0)
        return false;
    if (slot->process == 0)
        work(crew, crew->started, parent);
    slot->state = SLOT_RUNS;
    slot->cut = false;
    crew->started++;
    crew->running++;
    return true;
}

/* ---- its end ----------------------------------------------------------------------------------
 */

/*
 * Signals are noted while other code runs here, and wait while the crew's own does. The end of a
 * child always waits for wait_for_news(), or it would be missed there.
 */
static void let_signals(const struct crew *crew, bool in)
{
    sigset_t awaited = crew->outside;
    (void)sigaddset(&awaited, SIGCHLD);
    if (!in) {
        (void)sigaddset(&awaited, SIGINT);
        (void)sigaddset(&awaited, SIGTERM);
    }
    (void)sigprocmask(SIG_SETMASK, &awaited, NULL);
}

static void tick(const struct crew *crew)
{
    if (!crew->workers->tick)
        return;
    let_signals(crew, true);
    crew->workers->tick(crew->workers->context, crew->finished);
    let_signals(crew, false);
}

/* Only our own children: the caller may have others. */
static void collect(struct crew *crew, bool cut)
{
    for (size_t i = 0; i < crew->slot_count; i++) {
        struct slot *slot = &crew->slots[i];
        if (slot->state != SLOT_RUNS ||
            waitpid(slot->process, &slot->status, WNOHANG) != slot->process)
            continue;
        slot->state = SLOT_ENDED;
        /* A signal to the whole group can end a child before the crew ends it. */
        slot->cut =
            cut || (interrupt_seen() && WIFSIGNALED(slot->status) &&
                    (WTERMSIG(slot->status) == SIGINT || WTERMSIG(slot->status) == SIGTERM));
        crew->running--;
        crew->finished++;
        tick(crew);
    }
}

/* Until a child ends, a signal comes, or a second has passed. */
static void wait_for_news(const struct crew *crew)
{
    const struct timespec second = { .tv_sec = 1 };
    sigset_t open = crew->outside;
    (void)sigdelset(&open, SIGCHLD);
    if (ppoll(NULL, 0, &second, &open) == 0)
        tick(crew);
}

static void end_all(const struct crew *crew, int signal)
{
    for (size_t i = 0; i < crew->slot_count; i++)
        if (crew->slots[i].state == SLOT_RUNS && kill(-crew->slots[i].process, signal) != 0)
            (void)kill(crew->slots[i].process, signal); /* it leads no group yet */
}

/* Those under way may say how far they came, if that is soon. */
static void end_crew(struct crew *crew)
{
    struct timespec now, begin;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    collect(crew, false);
    end_all(crew, SIGTERM);
    for (collect(crew, true); crew->running; collect(crew, true)) {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t passed_ns = (now.tv_sec - begin.tv_sec) * SECOND_NS + now.tv_nsec - begin.tv_nsec;
        if (passed_ns >= MERCY_NS)
            end_all(crew, SIGKILL);
        wait_for_news(crew);
    }
}

/* ---- its answer -------------------------------------------------------------------------------
 */

/* NULL and errno: it cannot be read. The byte after the last becomes 0. */
static char *map(FILE *file, size_t *count)
{
    off_t length = lseek(fileno(file), 0, SEEK_END);
    if (length < 0 || ftruncate(fileno(file), length + 1) != 0)
        return NULL;
    *count = (size_t)length;
    void *bytes = mmap(NULL, *count + 1, PROT_READ, MAP_SHARED, fileno(file), 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static bool hand_out(struct crew *crew, struct slot *slot)
{
    const struct workers *workers = crew->workers;
    struct workers_answer answer = {
        .exit = WIFEXITED(slot->status) ? WEXITSTATUS(slot->status) : 0,
        .signal = WIFSIGNALED(slot->status) ? WTERMSIG(slot->status) : 0,
        .cut = slot->cut,
    };
    char *bytes = map(slot->answer, &answer.count);
    char *output = bytes ? map(slot->output, &answer.output_count) : NULL;
    bool more = output != NULL;
    if (more) {
        answer.bytes = bytes;
        answer.output = output;
        let_signals(crew, true);
        more = workers->done(workers->context, crew->handed, &answer);
        let_signals(crew, false);
        (void)munmap(output, answer.output_count + 1);
    } else {
        (void)fprintf(stderr, "vidmm: a temporary file: %s\n", strerror(errno));
        crew->end = TOOL_LIMIT;
    }
    if (bytes)
        (void)munmap(bytes, answer.count + 1);
    slot->state = SLOT_FREE;
    crew->handed++;
    return more;
}

static bool hand_out_ended(struct crew *crew)
{
    while (crew->handed < crew->started && slot_of(crew, crew->handed)->state == SLOT_ENDED)
        if (!hand_out(crew, slot_of(crew, crew->handed)))
            return false;
    return true;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static void start_jobs(struct crew *crew)
{
    while (crew->running < crew->most && crew->started < crew->workers->count &&
           crew->started - crew->handed < crew->slot_count && !interrupt_seen()) {
        if (start_job(crew))
            continue;
        /* One that ends makes room for it. */
        if (crew->running == 0) {
            (void)fprintf(stderr, "vidmm: no process for a job: %s\n", strerror(errno));
            crew->end = TOOL_LIMIT;
        }
        return;
    }
}

static void run_jobs(struct crew *crew)
{
    while (crew->handed < crew->workers->count && crew->end == TOOL_GOOD) {
        if (interrupt_seen()) {
            crew->end = TOOL_INTERRUPTED;
            break;
        }
        start_jobs(crew);
        if (crew->running)
            wait_for_news(crew);
        collect(crew, false);
        if (!hand_out_ended(crew))
            break;
    }
    end_crew(crew);
    if (crew->end == TOOL_INTERRUPTED)
        (void)hand_out_ended(crew);
}

/* Each has two files, and the process needs some of its own. */
static size_t count_slots(const struct crew *crew)
{
    struct rlimit files = { .rlim_cur = 1024 };
    (void)getrlimit(RLIMIT_NOFILE, &files);
    uint64_t left = files.rlim_cur > FILES_KEPT ? (files.rlim_cur - FILES_KEPT) / 2 : 0;
    uint64_t most = min_u64(left, AHEAD_MOST);
    return most > crew->most ? most : crew->most;
}

static void on_child(int number)
{
    (void)number;
}

enum tool_exit workers_run(const struct workers *workers)
{
    struct crew crew = { .workers = workers, .end = TOOL_GOOD };
    struct sigaction action = { .sa_handler = on_child };
    crew.most = workers->most ? workers->most : workers_processors();
    crew.most = crew.most < WORKERS_MOST ? crew.most : WORKERS_MOST;
    crew.slot_count = count_slots(&crew);
    crew.slots = base_alloc(crew.slot_count, sizeof *crew.slots);
    (void)sigprocmask(SIG_BLOCK, NULL, &crew.outside);
    interrupt_begin();
    let_signals(&crew, false);
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGCHLD, &action, &crew.child);
    run_jobs(&crew);
    (void)sigaction(SIGCHLD, &crew.child, NULL);
    (void)sigprocmask(SIG_SETMASK, &crew.outside, NULL);
    interrupt_end();
    for (size_t i = 0; i < crew.slot_count; i++) {
        if (crew.slots[i].answer)
            (void)fclose(crew.slots[i].answer);
        if (crew.slots[i].output)
            (void)fclose(crew.slots[i].output);
    }
    base_free(crew.slots);
    return crew.end;
}

unsigned workers_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    (void)sched_getaffinity(0, sizeof set, &set);
    return (unsigned)CPU_COUNT(&set);
}
