/* SPDX-License-Identifier: MIT */
/*
 * verdict.h: private: what came out of one file with one seed, test by test.
 */
#ifndef TOOLS_TEST_VERDICT_H
#define TOOLS_TEST_VERDICT_H

#include "scenarios/lang/scenario.h"
#include "tools/common/text.h"
#include "tools/common/workers.h"

enum unit_state {
    UNIT_CHOSEN, /* not run: nobody knows, the run was interrupted */
    UNIT_BEGUN,
    UNIT_PASSED,
    UNIT_FAILED,
    UNIT_SKIPPED,
};

/* A test, or a file without tests. Or what failed in a file beside its tests. */
struct unit {
    enum unit_state state;
    const char *name;       /* "": the file */
    const char *tags, *why; /* why: it was skipped */
    bool known;             /* it failed, as is known (known.h) */
    uint32_t line;
    size_t first, count; /* its messages */
};

struct unit_message {
    enum scenario_severity severity;
    bool foreseen, golden;
    enum vidmm_rule rule; /* these two as in struct scenario_message */
    uint64_t like;
    uint32_t line, column;
    const char *file, *text, *rendered;
};

struct verdict {
    const char *file;
    uint64_t seed;
    bool seeded;     /* the seed was asked for */
    int exit;        /* the exit code of this file; 70 after a crash */
    bool known;      /* false: it was interrupted on its way */
    bool uncompared; /* with its golden, for the values of the command line */
    bool goldenless; /* it should write one, and has none */
    struct unit *units;
    size_t unit_count, unit_capacity;
    struct unit_message *messages;
    size_t message_count, message_capacity;
    struct text own;          /* what nobody said: a crash */
    struct text tags, params; /* tags: "a|b"; params: lines */
    struct text file_tags;    /* "a,b": those of the whole file */
};

/* It fails nothing. */
static inline bool unit_complains(const struct unit_message *message)
{
    return message->severity == SCENARIO_WARNING || message->severity == SCENARIO_FINDING;
}

/* Its texts are those of the answer. `file`, `seed` and `seeded` are set already. */
void verdict_read(struct verdict *verdict, const struct workers_answer *answer);
void verdict_free(struct verdict *verdict);
/* How people call it: "scenarios/a.vms: one", "[seed 3]" if there are seeds. */
void verdict_name(const struct verdict *verdict, const struct unit *unit, struct text *name);
/* "expectation", "input", "limit", "bugcheck" or "crash": why it failed. */
const char *verdict_kind(const struct verdict *verdict);

#endif
