/* SPDX-License-Identifier: MIT */
/*
 * starve.c: the program while its machine has no memory left, or no room for what it writes.
 *
 *     starve [--every=N] VIDMM LIBRARY COMMANDS
 *
 * Each line of COMMANDS is a command line. It runs once as it is, to count its allocations and the
 * bytes that it writes; then again for every N-th allocation, which fails alone, and with all that
 * follow (LIBRARY is no_memory.so); and again for every block of its output that finds no room. A
 * run ends as if nothing had happened, with the same output; or with a message and exit code 4 (no
 * memory, not even for a temporary file) or 3 (no output). In a file that it was to write stands
 * everything or nothing.
 */
#define _DEFAULT_SOURCE /* setenv, mkdtemp */
#include "tests/support/read_file.h"
#include "tests/support/temporary.h"
#include "vidmm/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WORDS = 32,
    PATH_BYTES = 2 * TEMPORARY_BYTES,
    BLOCK = 4096,
    EXIT_FILE = 3,
    EXIT_LIMIT = 4,
    SECONDS = 20
};

static const char *program, *library;
static char folder[TEMPORARY_BYTES];

/* ---- one command ----------------------------------------------------------------------------- */

struct command {
    char *line; /* as it was read */
    char *input;
    char *words[WORDS + 1];
};

static char *in_folder(const char *name)
{
    char path[PATH_BYTES];
    int bytes = snprintf(path, sizeof path, "%s/%s", folder, name);
    return base_strndup(path, (size_t)bytes);
}

/* A word, in which "%" is the file to write. */
static char *word_of(const char *text, size_t length)
{
    char word[2 * PATH_BYTES];
    const char *at = memchr(text, '%', length);
    int before = at ? (int)(at - text) : (int)length;
    int bytes = snprintf(word, sizeof word, "%.*s%s%s", before, text, at ? folder : "",
                         at ? "/written" : "");
    return base_strndup(word, (size_t)bytes);
}

static void parse(struct command *command, const char *line)
{
    size_t count = 0;
    const char *input = strstr(line, " < ");
    const char *end = input ? input : line + strlen(line);
    *command = (struct command){ .line = base_strndup(line, strlen(line)) };
    command->words[count++] = base_strndup(program, strlen(program));
    for (const char *at = line; at < end && count < WORDS; at += strspn(at, " ")) {
        size_t length = min_u64(strcspn(at, " "), (uint64_t)(end - at));
        command->words[count++] = word_of(at, length);
        at += length;
    }
    if (!input)
        return;
    input += strlen(" < ");
    command->input = base_strndup(input, strlen(input));
    for (char *at = command->input; *at; at++)
        *at = *at == '|' ? '\n' : *at;
}

static void command_fini(struct command *command)
{
    for (size_t i = 0; command->words[i]; i++)
        base_free(command->words[i]);
    base_free(command->input);
    base_free(command->line);
}

/* ---- one run --------------------------------------------------------------------------------- */

struct fault {
    unsigned long allocation; /* 0: none */
    bool lasts;
    long room; /* for each file that it writes; -1: as much as it wants */
};

/* A file as it is after a run; NULL: there is none. */
struct text {
    char *bytes;
    size_t count;
};

struct outcome {
    int code; /* 128 and more: of a signal */
    struct text out, err, written;
};

static void text_read(struct text *text, const char *name)
{
    char *path = in_folder(name), *bytes;
    *text = (struct text){ 0 };
    if (read_file(path, &bytes, &text->count)) {
        text->bytes = base_strndup(bytes ? bytes : "", text->count);
        base_free(bytes);
    }
    base_free(path);
}

static bool text_same(const struct text *a, const struct text *b)
{
    if (!a->bytes || !b->bytes)
        return a->bytes == b->bytes;
    return a->count == b->count && memcmp(a->bytes, b->bytes, a->count) == 0;
}

static void outcome_fini(struct outcome *outcome)
{
    base_free(outcome->out.bytes);
    base_free(outcome->err.bytes);
    base_free(outcome->written.bytes);
}

static void redirect(const char *name, int to)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, to ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0600);
    if (file < 0 || dup2(file, to) < 0)
        _exit(126);
    (void)close(file);
}

/* In the child. Messages go into a pipe, which always has room. */
static void become(const struct command *command, const struct fault *fault, int messages)
{
    char number[24], count[PATH_BYTES];
    redirect("in", STDIN_FILENO);
    redirect("out", STDOUT_FILENO);
    if (dup2(messages, STDERR_FILENO) < 0)
        _exit(126);
    (void)snprintf(number, sizeof number, "%lu", fault->allocation);
    (void)snprintf(count, sizeof count, "%s/count", folder);
    (void)setenv("VIDMM_STARVE_AT", number, 1);
    (void)setenv("LD_PRELOAD", library, 1);
    if (fault->lasts)
        (void)setenv("VIDMM_STARVE_LASTS", "1", 1);
    if (!fault->allocation)
        (void)setenv("VIDMM_STARVE_COUNT", count, 1);
    if (fault->room >= 0) {
        struct rlimit limit = { (rlim_t)fault->room, (rlim_t)fault->room };
        (void)signal(SIGXFSZ, SIG_IGN);
        (void)setrlimit(RLIMIT_FSIZE, &limit);
    }
    (void)alarm(SECONDS);
    (void)execv(program, command->words);
    _exit(126);
}

static void empty_folder(const struct command *command)
{
    static const char *const names[] = { "in", "out", "written", "count" };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        char *path = in_folder(names[i]);
        (void)unlink(path);
        FILE *file = i ? NULL : fopen(path, "w");
        if (file && command->input)
            (void)fprintf(file, "%s\n", command->input);
        if (file)
            (void)fclose(file);
        base_free(path);
    }
}

static void text_hear(struct text *text, int messages)
{
    size_t capacity = 0;
    ssize_t more;
    do {
        BASE_GROW(text->bytes, capacity, text->count + BLOCK);
        more = read(messages, text->bytes + text->count, BLOCK - 1);
        text->count += more > 0 ? (size_t)more : 0;
    } while (more > 0);
    text->bytes[text->count] = '\0';
    (void)close(messages);
}

static struct outcome run(const struct command *command, const struct fault *fault)
{
    struct outcome outcome = { 0 };
    int status = 0, ends[2];
    empty_folder(command);
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (!child)
        become(command, fault, ends[1]);
    (void)close(ends[1]);
    text_hear(&outcome.err, ends[0]);
    while (waitpid(child, &status, 0) < 0)
        CHECK(errno == EINTR);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    text_read(&outcome.out, "out");
    text_read(&outcome.written, "written");
    return outcome;
}

/* ---- judging --------------------------------------------------------------------------------- */

static uint64_t runs, bad;

static void complain(const struct command *command, const struct fault *fault,
                     const struct outcome *outcome, const char *what)
{
    bad++;
    (void)printf("vidmm %s: ", command->line);
    if (fault->allocation)
        (void)printf("without memory for allocation %lu%s: ", fault->allocation,
                     fault->lasts ? " and all that follow" : "");
    else
        (void)printf("with room for %ld bytes in a file: ", fault->room);
    (void)printf("%s: exit code %d, \"%.300s\"\n", what, outcome->code,
                 outcome->err.bytes ? outcome->err.bytes : "");
}

static bool has(const struct outcome *outcome, const char *words)
{
    return outcome->err.bytes && strstr(outcome->err.bytes, words);
}

static void judge(const struct command *command, const struct fault *fault,
                  const struct outcome *whole)
{
    struct outcome outcome = run(command, fault);
    runs++;
    bool same = outcome.code == whole->code && text_same(&outcome.out, &whole->out) &&
                text_same(&outcome.written, &whole->written);
    bool half = outcome.written.bytes && !text_same(&outcome.written, &whole->written);
    if (getenv("VIDMM_FAULT_VERBOSE"))
        complain(command, fault, &outcome, "so");
    if (same) {
        outcome_fini(&outcome);
        return;
    }
    if (outcome.code == EXIT_LIMIT && fault->allocation) {
        if (!has(&outcome, "memory"))
            complain(command, fault, &outcome, "no message about memory");
    } else if (outcome.code == EXIT_FILE || outcome.code == EXIT_LIMIT) {
        if (!outcome.err.count)
            complain(command, fault, &outcome, "no message");
    } else {
        complain(command, fault, &outcome, "neither as without, nor an error");
    }
    if (half)
        complain(command, fault, &outcome, "half a file");
    outcome_fini(&outcome);
}

static unsigned long allocations_of(void)
{
    struct text text = { 0 };
    text_read(&text, "count");
    CHECK(text.bytes);
    unsigned long count = strtoul(text.bytes, NULL, 10);
    base_free(text.bytes);
    return count;
}

static void starve(const char *line, unsigned long every)
{
    struct command command;
    struct fault fault = { .room = -1 };
    parse(&command, line);
    struct outcome whole = run(&command, &fault);
    unsigned long allocations = allocations_of();
    long most = (long)max_u64(whole.out.count, whole.written.count);
    uint64_t before = runs;
    if (whole.code > EXIT_FILE)
        complain(&command, &fault, &whole, "not even without a fault");
    /* The sample begins elsewhere for each length of a line. */
    for (unsigned long i = 1 + strlen(line) % every; i <= allocations; i += every)
        for (int lasts = 0; lasts < 2; lasts++)
            judge(&command, &(struct fault){ .allocation = i, .lasts = lasts, .room = -1 }, &whole);
    for (long room = 0; room < most; room += BLOCK * (long)every)
        judge(&command, &(struct fault){ .room = room }, &whole);
    (void)printf("%5llu runs, %5lu allocations, %7ld bytes: vidmm %s\n",
                 (unsigned long long)(runs - before), allocations, most, line);
    outcome_fini(&whole);
    command_fini(&command);
}

int main(int argc, char **argv)
{
    unsigned long every = 1;
    char *text;
    size_t bytes;
    if (argc > 1 && strncmp(argv[1], "--every=", 8) == 0) {
        every = strtoul(argv[1] + 8, NULL, 10);
        argc--, argv++;
    }
    if (argc != 4 || !every || !read_file(argv[3], &text, &bytes) ||
        !mkdtemp(temporary(folder, "starve"))) {
        (void)fprintf(stderr, "usage: starve [--every=N] VIDMM LIBRARY COMMANDS\n");
        return 2;
    }
    char *list = base_strndup(text, bytes);
    program = argv[1];
    library = argv[2];
    for (char *line = list, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end ? (*end = '\0', 1) : 0;
        if (*line && *line != '#')
            starve(line, every);
    }
    base_free(list);
    base_free(text);
    empty_folder(&(struct command){ 0 });
    char *input = in_folder("in");
    (void)unlink(input);
    base_free(input);
    (void)rmdir(folder);
    (void)printf("%llu runs without something, %llu wrong\n", (unsigned long long)runs,
                 (unsigned long long)bad);
    return bad || !runs;
}
