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

#include "tools/common/progress.h"
#include "tools/common/run_options.h"

/* The tests of the files that were opened, as far as --only asks for some of them. */
struct host_tests {
    bool chosen;            /* one of them is asked for */
    uint64_t count, listed; /* the names before that; those in `names`, which are whole */
    size_t steps;           /* from --only to `nearest` */
    char names[256], nearest[128];
};

struct host {
    struct scenario_host base;
    struct sink *sink; /* NULL: no listener */
    FILE *out;         /* where it tells what it hears; a run ends when that is lost */
    struct screen errors;
    const char *path;      /* of the file that was opened last, NULL: none yet */
    uint64_t memory_bytes; /* the most that reading and checking may take */
    bool progress_wanted;  /* of runs that take long; not where a run is told on a terminal */
    struct progress progress;
    struct host_tests tests; /* written by run_file.c */
};

void host_init(struct host *host, struct sink *sink, enum screen_color color);

/* The most memory while a text is read and checked; a run has its own limit. At first it is what
   the machine can spare. Whoever passes it, or finds the machine without memory, ends here: the
   output is brought to its end, and the process exits with TOOL_LIMIT. */
void host_limit(struct host *host, uint64_t bytes);

bool host_has_file(const char *path, const char *ending); /* is there one with this ending? */
/* A file, or stdin ("-"), for base_free(). NULL and errno: it cannot be read. */
char *host_read(const char *path, size_t *bytes);
const char *host_name(const char *path); /* how messages call the file */

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

/* Runs what was checked. Ctrl-C ends the run; when vidmm fails, the scenario is written down. */
enum tool_exit host_run(struct host *host, const struct host_file *file,
                        const struct scenario_options *options, struct scenario_result *result);
/* A file of the command line, in each command: run_file_host() once, open and end for each, only
   after the last one; between open and end it can be asked. */
void run_file_host(struct host *host, struct sink *sink, struct run_line *line);
/* Opens the file, gives it -D and checks it. Not TOOL_GOOD: it has been said why. */
enum tool_exit run_file_open(struct host *host, const struct run_line *line, const char *path,
                             struct host_file *file);
/* Runs it, unless `code` refuses it, tells the sink that it is over, and closes it. */
enum tool_exit run_file_end(struct host *host, const struct run_line *line, struct host_file *file,
                            enum tool_exit code);
/* TOOL_USAGE, and what there is: all is good, but no test is one that --only chooses. */
enum tool_exit run_file_only(const struct host_tests *tests, const char *only, enum tool_exit code);
void run_file_note(struct host_tests *tests, const char *only, const char *name); /* one more */

/* At the start of the process: its command line, for that report; what it prints shall arrive.
   Later: another command that does the same; its words have to live as long as the process. */
void host_remember_command(int argc, char **argv);
/* Memory that was freed is kept for the next adapter, of which there may be thousands. */
void host_keep_memory(void);
void host_tell_left(const struct host *host);      /* how many files will not run */
void host_remember_files(int count, char **files); /* those words of it that are files */

/* Ctrl-C while a scenario runs: the output so far ends with a whole line, and the last line says
   how far it came. From now on SIGINT and SIGTERM are noted; each a second time ends at once. */
void interrupt_begin(void);
void interrupt_end(void);  /* they end the process again */
bool interrupt_seen(void); /* one came */
void interrupt_drop(void); /* that one is forgotten: the next one is noted again */
/* Waits for something to read where somebody types; false: it is an interrupt. */
bool interrupt_wait_input(void);

/* False, and a message, when something written to stdout was lost. */
bool host_flush(void);
int host_end(enum tool_exit code); /* the exit code of a command: at least TOOL_INPUT then */

#endif
