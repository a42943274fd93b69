/* SPDX-License-Identifier: MIT */
/*
 * scenario.h: the scenario language as a library: parse, check, run, format.
 *
 * The library touches no file, no clock and no terminal: it takes a text and a table of callbacks.
 * Memory is counted by vidmm (vidmm_host.h): reading and checking keep the limits of this thread, a
 * run sets its own. Messages come out in the order of the text, all of a file in one pass, at most
 * fifty. The text and the name handed to scenario_parse() must live as long as the scenario.
 *
 *     struct scenario *scenario = scenario_parse(text, bytes, "a.vms", &host);
 *     if (scenario_check(scenario))
 *         scenario_run(scenario, &options, &result);
 *     scenario_free(scenario);
 */
#ifndef SCENARIOS_LANG_SCENARIO_H
#define SCENARIOS_LANG_SCENARIO_H

#include "scenarios/lang/scenario_telling.h"

struct scenario;

enum scenario_severity {
    SCENARIO_ERROR,
    SCENARIO_WARNING,
    SCENARIO_FAILED,
    SCENARIO_STOPPED,
    SCENARIO_FINDING
};
const char *scenario_severity_word(enum scenario_severity severity); /* "error" */

struct scenario_message {
    enum scenario_severity severity;
    struct scenario_span at;
    const char *text;     /* one line, without position */
    const char *rendered; /* as people see it: several lines, each with its line break */
    const char *help;     /* what to write instead; may be NULL */
    const char *details;  /* lines under it: what came instead, and where, or why; or NULL */
    enum vidmm_rule rule; /* that a warning or finding of a run names; else 0 */
    uint64_t like;        /* it only says that so many more came like one at this place; else 0 */
};

struct scenario_result;

struct scenario_host { /* the only door out of the language */
    void (*message)(struct scenario_host *host, const struct scenario_message *message);
    /* The text of an included file, in memory of base_alloc(). False: it cannot be read. */
    bool (*load)(struct scenario_host *host, const char *path, char **text, size_t *bytes);
    void (*tell)(struct scenario_host *host, const struct scenario_telling *telling); /* or NULL */
    /* An adapter started: the host may observe it. Or NULL. */
    void (*started)(struct scenario_host *host, struct vidmm_adapter *adapter);
    /* An adapter is about to go, however its test ended: a last look. May be NULL. */
    void (*ended)(struct scenario_host *host, struct vidmm_adapter *adapter);
    /*
     * A limit was passed, or the machine has no memory left, in the middle of an operation: the
     * message is handed out, the result is that of exit code 4, or 130 where the host interrupted
     * it. It shall end the process and not touch the scenario or an adapter; when it is NULL or
     * returns, the process exits with that code.
     */
    void (*stopped)(struct scenario_host *host, const struct scenario_result *result);
    /* Asked between operations, in each round of a loop, and at times in the middle of one: true
       ends the run there, with exit code 130. Shall only look. Or NULL. */
    bool (*interrupted)(struct scenario_host *host);
    /* The same, but never in the middle of one, so that the host can go on; no message says so. */
    bool (*done)(struct scenario_host *host);     /* or NULL */
    const struct vidmm_foresight *foresight;      /* hears of every reference; or NULL */
    const struct vidmm_policies *const *policies; /* loaded: settings and the text may name them */
    size_t policy_count;
    /* Observers for every adapter, chained by `next`; they see the start already. */
    struct vidmm_observer *observers;
};

/* Never NULL. `name` is the file's name as it shall stand in messages. */
struct scenario *scenario_parse(const char *text, size_t bytes, const char *name,
                                struct scenario_host *host);
/* All checks that need no adapter; hands out every message. False: there were errors. */
bool scenario_check(struct scenario *scenario);
/* The same, and `-> fails` or `-> warns` that any reason satisfies is an error. */
bool scenario_check_strict(struct scenario *scenario);
void scenario_free(struct scenario *scenario);

/*
 * The canonical layout, handed to `write` in pieces. False: the text has errors, which were handed
 * out; nothing was written then. Formatting what was formatted changes nothing.
 */
bool scenario_format(struct scenario *scenario,
                     void (*write)(void *context, const char *text, size_t bytes), void *context);

struct scenario_limits {
    uint64_t operations, work, live, memory_bytes;
    vidmm_ns time;
};

struct scenario_options {
    const char *const *settings; /* "NAME=VALUE", applied after the adapter statement */
    size_t setting_count;
    size_t implied_count; /* the first ones: they yield to a loaded policy that the text names */
    bool has_seed;
    uint64_t seed;
    const char *only; /* run tests whose name contains this; NULL: all */
    /* "a,b,-c": run tests that have the tag a or b, and not c; NULL: all. Those of a file count for
       each of its tests, and for the file if it has none. */
    const char *tags;
    bool check_invariants;
    bool start_only;      /* the setup alone: every adapter starts, and nothing else happens */
    bool tell_complaints; /* each warning and finding is a message, unless `-> warns` expects it */
    bool tell_params;     /* SCENARIO_TELL_PARAM for each `param` */
    bool tell_statements; /* SCENARIO_TELL_STATEMENT before each statement */
    struct scenario_limits limits; /* members that are not 0 replace those of the text */
    uint64_t machine_bytes; /* that it can spare: no text sets its limit above; 0: any amount */
};

enum scenario_exit {
    SCENARIO_EXIT_OK = 0,
    SCENARIO_EXIT_FAILED = 1,
    SCENARIO_EXIT_USAGE = 2, /* a value that came with the command line */
    SCENARIO_EXIT_INPUT = 3,
    SCENARIO_EXIT_LIMIT = 4,
    SCENARIO_EXIT_BUGCHECK = 5,
    SCENARIO_EXIT_INVARIANT = 70,
    SCENARIO_EXIT_INTERRUPTED = 130,
};

struct scenario_result {
    enum scenario_exit exit;
    uint64_t tests, tests_failed; /* a file without `test` is one test */
    uint64_t operations, expectations;
    uint64_t failures;   /* expectations that did not hold */
    uint64_t unexpected; /* statements that did not end as they should */
    uint64_t met;        /* statements that ended as their outcome says */
    uint64_t findings, warnings;
    uint32_t bugcheck; /* that was not expected; 0: none, or a finding under findings=fatal */
    uint64_t seed;
};

/* Only after a scenario_check() that was true. */
enum scenario_exit scenario_run(struct scenario *scenario, const struct scenario_options *options,
                                struct scenario_result *result);

enum scenario_words {
    SCENARIO_STATEMENTS, /* `value` is how one is written */
    SCENARIO_ATTRIBUTES, /* of all statements */
    SCENARIO_FUNCTIONS,  /* of expressions */
    SCENARIO_PREDICATES, /* what `expect` can ask */
    SCENARIO_ACCIDENTS,  /* what may follow `reset`, `exclude`, `power` */
    SCENARIO_STATE_KEYS, /* the `words` are what `state` can ask of one kind of subject, `of` */
};

struct scenario_word_help {
    const char *of; /* the statement, or what a function is asked of */
    const char *name, *help;
    const char *value; /* what an attribute takes; "" for a bare word */
    const char *words; /* also allowed, '|' between; NULL: none */
    bool supported;
    uint64_t most;    /* the largest number that an attribute takes */
    unsigned members; /* bits: of the interface; no statement has two attributes that share one */
};
/* Row `index` of these words; false after the last. */
bool scenario_word_help(enum scenario_words words, size_t index, struct scenario_word_help *help);
/* "a|b|c", the words that a key of `state` has as its value; NULL: a number, or yes or no. */
const char *scenario_state_words(const char *key);

#endif
