/* SPDX-License-Identifier: MIT */
/* host.c: the host side of the scenario language: files come from here, messages go to stderr. */
#define _DEFAULT_SOURCE /* on_exit */
#include "tools/common/host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/common/interrupt.h"
#include "tools/common/machine.h"
#include "tools/common/options.h"
#include "tools/common/policy_guard.h"
#include "tools/common/text.h"
#include "vidmm/base/base.h"

/* What is no regular file may never end; no pipe brings more than this. */
enum { ENDLESS_BYTES = 1 << 29, READ_BYTES = 1 << 16, REPRO_MOST = 99, PROGRESS_QUIET_MS = 2000 };

/* ---- files --------------------------------------------------------------------------------- */

char *host_read(const char *path, size_t *bytes)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct stat status;
    char *text = NULL;
    size_t length = 0, capacity = 0, most = ENDLESS_BYTES, got;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode)) {
        most = UINT32_MAX;
        BASE_GROW(text, capacity, min_u64((uint64_t)status.st_size, most) + READ_BYTES);
    }
    do {
        BASE_GROW(text, capacity, length + READ_BYTES);
        got = fread(text + length, 1, READ_BYTES, file);
        length += got;
    } while (got > 0 && length <= most);
    int why = length > most ? EFBIG : ferror(file) ? errno : 0;
    if (file != stdin)
        (void)fclose(file);
    *bytes = length;
    if (!why)
        return text;
    base_free(text);
    errno = why;
    return NULL;
}

bool host_has_file(const char *path, const char *ending)
{
    struct text name = { 0 };
    text_add(&name, "%s%s", path, ending);
    bool there = access(text_get(&name), R_OK) == 0;
    text_free(&name);
    return there;
}

const char *host_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

static bool flush(FILE *file)
{
    errno = 0; /* of an earlier failure nobody knows the reason any more */
    if (fflush(file) == 0 && !ferror(file))
        return true;
    (void)fprintf(stderr, "vidmm: the output could not be written%s%s\n", errno ? ": " : "",
                  errno ? strerror(errno) : "");
    return false;
}

bool host_flush(void)
{
    return flush(stdout);
}

int host_end(enum tool_exit code)
{
    return host_flush() || code > TOOL_INPUT ? (int)code : TOOL_INPUT;
}

/* ---- a report of our own failure ----------------------------------------------------------- */

/* Read by the exit handler only: a broken promise leaves no way to hand it over. */
static struct {
    const struct host *host;
    const struct host_file *file;
    int argc, file_count;
    char **argv, **files;
    bool left; /* we end the process, in the middle of the run */
} running;

/* Of an absolute path, the last part: the rest says where somebody keeps his files. */
static const char *without_folder(const char *word)
{
    const char *slash = strrchr(word, '/');
    return word[0] == '/' && slash[1] ? slash + 1 : word;
}

static void write_word(FILE *file, const char *word)
{
    struct text quoted = { 0 };
    text_add_word(&quoted, without_folder(word));
    (void)fprintf(file, " %s", text_get(&quoted));
    text_free(&quoted);
}

/* The first line has to stay the first. */
static void write_repro(FILE *file, const char *name, const struct host_file *scenario)
{
    const char *end = memchr(scenario->text, '\n', scenario->bytes);
    size_t first = end ? (size_t)(end - scenario->text) + 1 : scenario->bytes;
    (void)fwrite(scenario->text, 1, first, file);
    if (!end)
        (void)fputc('\n', file);
    /* Of several files, only that one. */
    (void)fputs("# vidmm", file);
    for (int i = 1; i < running.argc; i++) {
        const char *word = running.argv[i];
        bool other = false;
        for (int j = 0; j < running.file_count; j++)
            other = other || running.files[j] == word;
        if (word == scenario->path || !other)
            write_word(file, word == scenario->path ? name : word);
    }
    (void)fputc('\n', file);
    (void)fprintf(file,
                  "# vidmm " VIDMM_VERSION " broke a promise here, as it ran %s.\n"
                  "# Files that it includes are not part of this copy.\n",
                  without_folder(scenario->name));
    (void)fwrite(scenario->text + first, 1, scenario->bytes - first, file);
}

/* Of a binary twin, what people read. The process is about to end: nobody frees it. */
static struct host_file read_as_text(const struct host_file *scenario)
{
    struct host_file file = *scenario;
    char problem[160];
    if (scenario_is_twin(scenario->text, scenario->bytes))
        file.text = scenario_unpack(scenario->text, scenario->bytes, &file.bytes, problem);
    CHECK(file.text); /* it was unpacked before it ran */
    return file;
}

/* By itself when the process exits with TOOL_BROKEN. */
static void host_report(void)
{
    char name[32];
    const struct host_file *scenario = running.file;
    running.file = NULL;
    if (!scenario)
        return;
    struct host_file text = read_as_text(scenario);
    FILE *file = NULL;
    for (int i = 1; i <= REPRO_MOST && !file && (i == 1 || errno == EEXIST); i++) {
        (void)snprintf(name, sizeof name, "vidmm-repro-%d.vms", i);
        file = fopen(name, "wx");
    }
    if (!file) {
        (void)fprintf(stderr, "vidmm: a reproducing scenario could not be written: %s\n",
                      strerror(errno));
        return;
    }
    write_repro(file, name, &text);
    bool whole = !ferror(file);
    if (fclose(file) == 0 && whole) {
        (void)fprintf(stderr, "The scenario was written to %s.\n", name);
        return;
    }
    (void)fprintf(stderr, "vidmm: %s could not be written: %s\n", name, strerror(errno));
    (void)remove(name);
}

static const struct vidmm_host_limits no_limits = { .memory_bytes = UINT64_MAX,
                                                    .work = UINT64_MAX };

/* Help that was lost is no success either, and argp leaves by itself after it. */
static void on_process_exit(int status, void *context)
{
    (void)context;
    const char *policies = policy_guard_names();
    bool stolen = *policies && running.file && !running.left && status != TOOL_BROKEN;
    if (stolen)
        (void)fprintf(stderr,
                      "vidmm: %s: the process was ended in the middle of the run, with the exit "
                      "code %d, by a policy of %s\n",
                      running.file->name, status, policies);
    if (*policies && status == TOOL_BROKEN)
        (void)fprintf(stderr, "Policies of %s were loaded: without them it is a bug of vidmm.\n",
                      policies);
    if ((stolen || status == TOOL_BROKEN) && running.file && running.host->sink)
        running.host->sink->refused(running.host->sink, running.file->name,
                                    SCENARIO_EXIT_INVARIANT);
    if (status == TOOL_BROKEN)
        host_report();
    vidmm_host_limit(&no_limits, NULL); /* its reserve */
    if (status == TOOL_GOOD && !host_flush())
        _exit(TOOL_INPUT);
    if (stolen) {
        (void)fflush(NULL);
        _exit(TOOL_BROKEN);
    }
}

void host_keep_memory(void)
{
#ifdef __GLIBC__
    /* Each adapter lies at the end of the heap, which glibc gives back and takes again page by
       page: that was five sixths of the time of a file of 4,096 small tests. */
    enum { KEPT_BYTES = 256 << 20 };
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

/* What is opened later must not take the place of a stream that was closed: what is written there
   would get into that file. Uses of the stream fail, as they did. */
static void fill_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void host_remember_command(int argc, char **argv)
{
    if (!running.argv) {
        fill_streams();
        (void)on_exit(on_process_exit, NULL);
    }
    running.argc = argc;
    running.argv = argv;
}

void host_remember_files(int count, char **files)
{
    running.file_count = count;
    running.files = files;
}

/* ---- callbacks ----------------------------------------------------------------------------- */

static struct host *host_of(struct scenario_host *base)
{
    return CONTAINER_OF(base, struct host, base);
}

static void on_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct host *host = host_of(base);
    progress_clear(&host->progress);
    if (host->sink)
        host->sink->message(host->sink, message);
    screen_message(&host->errors, message->severity, message->rendered);
}

static void tell_source(const struct host *host, const char *name, const char *text, size_t bytes)
{
    if (host->sink && host->sink->source)
        host->sink->source(host->sink, name, text, bytes);
}

/* Only regular files: a pipe that nobody writes would keep a run for ever. */
static bool on_load(struct scenario_host *base, const char *path, char **text, size_t *bytes)
{
    struct stat status;
    *text = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? host_read(path, bytes) : NULL;
    if (*text)
        tell_source(host_of(base), path, *text, *bytes);
    return *text != NULL;
}

static void on_tell(struct scenario_host *base, const struct scenario_telling *telling)
{
    struct host *host = host_of(base);
    host->sink->tell(host->sink, telling);
}

static void on_started(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct host *host = host_of(base);
    host->sink->started(host->sink, adapter);
}

static void on_ended(struct scenario_host *base, struct vidmm_adapter *adapter)
{
    struct host *host = host_of(base);
    host->sink->ended(host->sink, adapter);
}

enum tool_exit host_run(struct host *host, const struct host_file *file,
                        const struct scenario_options *options, struct scenario_result *result)
{
    running.host = host;
    running.file = file;
    interrupt_begin();
    if (host->progress_wanted)
        progress_begin(&host->progress, PROGRESS_QUIET_MS, false);
    enum scenario_exit code = scenario_run(file->scenario, options, result);
    progress_clear(&host->progress);
    interrupt_end();
    if (code == SCENARIO_EXIT_INVARIANT)
        host_report();
    running.host = NULL;
    running.file = NULL;
    return (enum tool_exit)code;
}

/* ---- limits -------------------------------------------------------------------------------- */

void host_tell_left(const struct host *host)
{
    int left = 0;
    for (int i = 0; i < running.file_count; i++)
        if (running.files[i] == host->path)
            left = running.file_count - i - 1;
    (void)host_flush();
    if (left)
        (void)fprintf(stderr, "vidmm: not run: %d file%s after %s\n", left, left == 1 ? "" : "s",
                      host_name(host->path));
}

/* Half-way through something there is no next file. */
VIDMM_NORETURN static void host_leave(const struct host *host, int code)
{
    host_tell_left(host);
    interrupt_tell();
    running.left = true;
    exit(code);
}

/* Nobody waits for the end of a run whose output is lost. */
static void end_if_lost(struct host *host)
{
    if (!ferror(host->out))
        return;
    progress_clear(&host->progress);
    if (host->out != stdout)
        (void)flush(host->out);
    host_leave(host, TOOL_INPUT);
}

static bool on_interrupted(struct scenario_host *base)
{
    struct host *host = host_of(base);
    end_if_lost(host);
    if (host->progress.shown)
        progress_tell_run(&host->progress, running.file->scenario);
    return interrupt_seen();
}

static void on_stopped(struct scenario_host *base, const struct scenario_result *result)
{
    struct host *host = host_of(base);
    progress_clear(&host->progress);
    if (host->sink)
        host->sink->end(host->sink, host_name(host->path), result);
    host_leave(host, (int)result->exit);
}

/* Stops while a text is read or checked; the place in it is unknown. */
static void on_limit(void *caller, enum vidmm_host_limit limit)
{
    struct host *host = caller;
    char text[80] = "this machine has no memory left";
    const char *file = host_name(host->path); /* open: only so is it told */
    const struct scenario_message message = { .severity = SCENARIO_STOPPED,
                                              .at = { .file = file },
                                              .text = text };
    if (limit == VIDMM_HOST_MEMORY)
        (void)snprintf(text, sizeof text, "%s of memory is the limit",
                       words_size(host->memory_bytes).it);
    (void)fprintf(stderr, "%s: stopped: %s\n", file, text);
    if (host->sink) {
        host->sink->message(host->sink, &message);
        host->sink->refused(host->sink, file, SCENARIO_EXIT_LIMIT);
    }
    host_leave(host, TOOL_LIMIT);
}

/* As in a run, an eighth more is too much. Nobody reports it: base.c does. */
void host_limit(struct host *host, uint64_t bytes)
{
    struct vidmm_host_limits limits = no_limits;
    host->memory_bytes = bytes;
    (void)add_fits(bytes, bytes / 8, &limits.memory_bytes);
    vidmm_host_limit(&limits, NULL);
}

/* Who reports that a limit is passed: a host while it has a file open, which may be gone after. */
static void report_limits(void (*passed)(void *caller, enum vidmm_host_limit limit), void *caller)
{
    struct vidmm_host_limits limits;
    vidmm_host_limit(&no_limits, &limits);
    limits.passed = passed;
    limits.caller = caller;
    vidmm_host_limit(&limits, NULL);
}

void host_init(struct host *host, struct sink *sink, enum screen_color color)
{
    *host = (struct host){
        .base = { .message = on_message,
                  .load = on_load,
                  .stopped = on_stopped,
                  .interrupted = on_interrupted },
        .sink = sink,
        .out = stdout,
    };
    screen_init(&host->errors, stderr, color, SCREEN_LETTERS_ASCII, 0);
    host_limit(host, machine_spare_bytes(&machine_files));
    if (!sink)
        return;
    host->base.tell = on_tell;
    host->base.started = on_started;
    host->base.ended = sink->ended ? on_ended : NULL;
    host->base.observers = &sink->observer;
}

static void tell_sink(struct host *host, const char *file, const char *text)
{
    const struct scenario_message message = { .severity = SCENARIO_ERROR,
                                              .at = { .file = file },
                                              .text = text };
    if (host->sink)
        host->sink->message(host->sink, &message);
}

void host_tell_error(struct host *host, const char *file, const char *text)
{
    (void)fprintf(stderr, "vidmm: %s: %s\n", file, text);
    tell_sink(host, file, text);
}

static void say_unreadable(struct host *host, const char *path)
{
    int reason = errno;
    const char *why = strerror(reason);
    (void)fprintf(stderr, "vidmm: %s: %s", path, why);
    if (reason == EISDIR)
        (void)fprintf(stderr, "; name its files: %s%s*.vms or */*.vms", path,
                      path[strlen(path) - 1] == '/' ? "" : "/");
    else if (reason == ENOENT && host_has_file(path, ".vms"))
        (void)fprintf(stderr, "; did you mean '%s.vms'?", path);
    else if (reason == ENOENT && path[0] == '-')
        (void)fputs("; options stand before FILE or after it, and begin with '--'", stderr);
    (void)fputc('\n', stderr);
    tell_sink(host, path, why);
}

bool host_open(struct host *host, const char *path, struct host_file *file)
{
    *file = (struct host_file){ .name = host_name(path), .path = path };
    host->path = path;
    report_limits(on_limit, host);
    file->text = host_read(path, &file->bytes);
    if (!file->text) {
        say_unreadable(host, path);
        report_limits(NULL, NULL);
        return false;
    }
    tell_source(host, file->name, file->text, file->bytes);
    file->scenario = scenario_parse(file->text, file->bytes, file->name, &host->base);
    return true;
}

void host_close(struct host_file *file)
{
    if (file->scenario)
        scenario_free(file->scenario);
    base_free(file->text);
    *file = (struct host_file){ 0 };
    report_limits(NULL, NULL);
}
