/* SPDX-License-Identifier: MIT */
/*
 * diff.h: what differs between two logs. The second door of this folder.
 *
 * Side 0 is what is expected (a golden, the first log), side 1 what was found.
 *
 *     struct diff *diff = diff_open(file, "a.golden", &options);
 *     struct sink *sink = record_open(&recorded, diff_out(diff), NULL, true);   and a run with it
 *     if (!diff_end(diff))           the run was the other log
 *         diff_print(diff, &labels, &screen);
 *     diff_close(diff);
 */
#ifndef TOOLS_RECORD_DIFF_H
#define TOOLS_RECORD_DIFF_H

#include "tools/common/json.h"
#include "tools/record/record.h"

enum { DIFF_BEFORE = 10 };

struct diff_count {
    uint64_t changed; /* counterparts that are not the same */
    uint64_t only[2]; /* without counterpart */
};

struct diff_counts {
    struct diff_count placements, victims, others;
    uint64_t follow;   /* the same, but at the place that a placement before had changed */
    uint64_t times;    /* the same at another time */
    uint64_t order;    /* sections whose decisions are the same in another order */
    uint64_t trails;   /* the same decision, after looking at something else */
    uint64_t tests[2]; /* sections that only one log has */
};

/* The first decision in which the logs part. */
struct diff_first {
    bool known;
    struct text section;      /* `test "..."`, "" for none */
    struct text decision[2];  /* "": the log has none there */
    struct text statement[2]; /* that led to it */
    uint64_t line[2];         /* of the statement; 0: unknown */
    struct text trail[2];     /* lines */
    struct text before[DIFF_BEFORE];
    unsigned before_count, before_next; /* a ring: the oldest is at before_next when it is full */
};

struct diff_options {
    bool times;                /* the same decision at another time is a difference */
    bool partial;              /* side 1 may lack tests: only some were asked for */
    bool trail;                /* the same decision with another trail is one, too */
    struct record_kinds kinds; /* of JSON lines */
    bool only;                 /* those of logs, too: the others are left out */
};

struct diff;

/* The log of side 0; the file stays the caller's. NULL: `problem` says why. */
struct diff *diff_open(FILE *file, const char *name, const struct diff_options *options,
                       struct text *problem);
const struct record_kinds *diff_kinds(const struct diff *diff);
/* Side 1 as a run writes it. */
struct record_out *diff_out(struct diff *diff);
/* Side 1 from a log. False: `problem`. */
bool diff_read(struct diff *diff, FILE *file, const char *name, struct text *problem);
/* Nothing more comes. True: no difference. `problem` is not empty when side 0 could not be read to
   its end. */
bool diff_end(struct diff *diff, struct text *problem);
/* The section of side 1 is over. True: no difference in it, and in those before it since the last
   call: what is counted and first is forgotten when the next one begins. */
bool diff_section(struct diff *diff);
/* Why side 0 could not be read on; "": it could, so far. */
const char *diff_problem(const struct diff *diff);
/* Of the scenario, where the first difference comes from; 0: unknown. */
uint64_t diff_line_number(const struct diff *diff);
void diff_close(struct diff *diff);

const struct diff_counts *diff_counts(const struct diff *diff);
/* Changed ones, and the larger number of those without counterpart: another victim is one. */
uint64_t diff_total(const struct diff_count *count);
/* How many decisions a side has. */
uint64_t diff_decisions(const struct diff *diff, unsigned side);

/* What the sides are called: "golden", "now". */
struct diff_labels {
    const char *of[2];
    const char *only[2]; /* "2 tests only ..."; NULL: on the first side, on the second side */
};
/* "3 placements and 1 victim differ; first: ov at 80 MiB -> 90 MiB by PLACE-2"; labels or NULL. */
void diff_summary(const struct diff *diff, const struct diff_labels *labels, struct text *out);
/* The rest: where, what came before, both decisions and both trails. */
void diff_print(const struct diff *diff, const struct diff_labels *labels,
                const struct screen *screen);
/* Members of an object that is open. */
void diff_print_json(const struct diff *diff, struct json *json);

#endif
