/* SPDX-License-Identifier: MIT */
/*
 * session.h: a run that stops where somebody wants to look. Private.
 *
 * The run goes on in scenario_run() until an event or a statement is where it shall stop; there the
 * callback reads commands and returns when one of them moves. Going back is a run from the start,
 * for it is deterministic: the run that there is ends where it can end whole.
 *
 * A moment is an event, a statement about to run, or an expectation that fails; they are counted
 * from 1 in the order of the run. A step is a moment that `next` stops at: one that something is
 * printed of, other than a statement.
 */
#ifndef TOOLS_STEP_SESSION_H
#define TOOLS_STEP_SESSION_H

#include "tools/common/host.h"
#include "tools/step/capture.h"
#include "tools/step/prompt.h"
#include "tools/step/trail.h"
#include "tools/step/where.h"
#include "tools/story/show.h"

enum { SESSION_BREAKS = 32 };

/* Where the run stops next. */
enum target_kind {
    TARGET_STEP,      /* number `count` */
    TARGET_STATEMENT, /* number `count`, before it runs */
    TARGET_MOMENT,    /* number `count` */
    TARGET_WHERE,     /* `where` */
    TARGET_BREAK,     /* at a break */
    TARGET_LAST,      /* when the last adapter goes: all that is over, and can still be asked */
};

struct target {
    enum target_kind kind;
    uint64_t count;
    struct where where;
    bool loud;      /* what happens on the way is printed */
    bool tries;     /* without such a place, back to the moment `home` */
    bool restarts;  /* ... but first it is looked for from the start */
    bool restarted; /* so it was, and that is worth a line */
    uint64_t home;
    bool over; /* home is the end of the run, which is here again when nothing was there */
};

/* What follows the commands that were read. */
enum session_go {
    SESSION_STAY, /* read another one */
    SESSION_ON,   /* the run goes on */
    SESSION_AGAIN,
    SESSION_QUIT,
};

struct session {
    struct sink sink;
    bool hears[VIDMM_EVENT_KINDS]; /* all: only so are they numbered as everywhere */
    struct host host;
    void (*on_message)(struct scenario_host *host, const struct scenario_message *message);
    struct host_file file;
    const struct run_line *line;
    struct sink *story; /* prints what `vidmm run` prints, into `out` */
    struct capture out, errors;
    bool unread; /* what the story says of this moment is dropped */
    struct prompt *prompt;
    struct trail *trail;

    /* of the run that there is */
    const struct vidmm_adapter *adapter; /* NULL: none can be asked */
    uint64_t moment, step, statement;
    uint64_t seq;                       /* of the last event; 0: none yet */
    const struct vidmm_event *standing; /* the one where commands are read; NULL: it is none */
    vidmm_ns time;
    struct scenario_span at; /* of the last statement */
    struct text last;        /* how it was printed */
    vidmm_handle *created;   /* allocations; dead ones stay for a while */
    size_t created_count, created_capacity;
    uint64_t gone;           /* adapters that came to their end */
    bool on_step;            /* the last moment was one */
    bool failed;             /* an expectation, or a statement ended otherwise */
    enum session_go leaving; /* SESSION_STAY: it goes on */

    /* of the session */
    bool begun, over; /* a run; it came to its end */
    struct target target;
    struct where breaks[SESSION_BREAKS];
    size_t break_count;
    struct map_memory maps;
    uint64_t farthest;   /* moment up to which messages were told */
    uint64_t adapters;   /* of the run that was over */
    enum tool_exit code; /* of that one */
    struct text repeat;  /* the command that an empty line repeats */
    struct text pending; /* the one that is asked again at the end of another run */
    bool wrong;          /* a command was, and nobody saw it on a terminal */
    bool missed;         /* the same of a place that did not come */
    bool interrupted;
};

/* The caller opens `file`. */
void session_open(struct session *session, struct run_line *line);
void session_close(struct session *session);
/* Reads commands and runs the file until somebody has enough; what the process exits with. */
enum tool_exit session_hold(struct session *session);

/* ---- commands.c ----------------------------------------------------------------------------- */

/* Reads and carries out commands until one of them moves. */
enum session_go commands_read(struct session *session);
/* Says what is wrong with a command, and stays. */
VIDMM_PRINTF(2, 3)
enum session_go commands_refuse(struct session *session, const char *format, ...);
/* The words that Tab completes. */
prompt_words commands_words;
/* "event 57, line 25, 5891.758 us" */
void commands_say_where(const struct session *session);

/* ---- looks.c: commands that only look ------------------------------------------------------- */

typedef enum session_go look(struct session *session, char **words, size_t count);
look looks_why, looks_print, looks_map, looks_queue, looks_counters, looks_memory, looks_where,
    looks_list;

#endif
