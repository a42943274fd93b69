/* SPDX-License-Identifier: MIT */
/*
 * host.h: the host side of the scenario language: files come from here, messages go to stderr.
 *
 * While a scenario runs it is remembered: if vidmm then breaks a promise of its own (exit code 70),
 * the text is written to vidmm-repro-N.vms in the current folder, to go with a report. Its second
 * line is the command that repeats the run, without the paths of this machine.
 */
#ifndef TOOLS_COMMON_HOST_H
#define TOOLS_COMMON_HOST_H

#include "scenarios/lang/scenario.h"
#include "tools/common/screen.h"
#include "tools/common/sink.h"

struct host {
    struct scenario_host base;
    struct sink *sink; /* NULL: no listener */
    struct screen errors;
    const char *path;      /* of the file that was opened last, NULL: none yet */
    uint64_t memory_bytes; /* the most that reading and checking may take */
};

/* `sink` may be NULL. */
void host_init(struct host *host, struct sink *sink, enum screen_color color);

/*
 * The most memory while a text is read and checked; a run has its own limit. At first it is what
 * the machine can spare. Whoever passes it, or finds the machine without memory, ends here: the
 * output is brought to its end, and the process exits with TOOL_LIMIT.
 */
void host_limit(struct host *host, uint64_t bytes);

/* Is there a file of this name and ending? */
bool host_has_file(const char *path, const char *ending);
/* The bytes of a file, or of stdin ("-"); free them with base_free(). NULL and errno when it cannot
   be read. */
char *host_read(const char *path, size_t *bytes);
/* A message as it is, with the word that says how bad it is in colour. */
void host_print(const struct screen *screen, enum scenario_severity severity, const char *rendered);
/* How messages call the file. */
const char *host_name(const char *path);

/* A text and what was made of it. `scenario` is NULL when the file could not be read. */
struct host_file {
    const char *name, *path; /* `path` as it stands on the command line */
    char *text;
    size_t bytes;
    struct scenario *scenario;
};

/* The error of a file that cannot run, on stderr and to the sink. */
void host_tell_error(struct host *host, const char *file, const char *text);
bool host_open(struct host *host, const char *path, struct host_file *file);
void host_close(struct host_file *file);

/* What to write down when vidmm fails while this file runs; NULL: nothing runs. Not copied. */
void host_running(const struct host *host, const struct host_file *file);
/* Writes it down. Happens by itself when the process exits with TOOL_BROKEN. */
void host_report(void);
/* At the start of the process: its command line, for that report; what it prints shall arrive.
   Later: another command that does the same; its words have to live as long as the process. */
void host_remember_command(int argc, char **argv);
/* How many files will not run. */
void host_tell_left(const struct host *host);
/* Those words of it that are files. */
void host_remember_files(int count, char **files);

/*
 * Ctrl-C while a scenario runs: the output so far ends with a whole line, and the last line says
 * how far it came. From now on SIGINT and SIGTERM are noted; each a second time ends the process at
 * once.
 */
void interrupt_begin(void);
void interrupt_end(void);  /* they end the process again */
bool interrupt_seen(void); /* one came */
/* Waits for something to read where somebody types; false: it is an interrupt. */
bool interrupt_wait_input(void);

/* False, and a message, when something written to stdout was lost. */
bool host_flush(void);

#endif
