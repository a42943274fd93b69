/* SPDX-License-Identifier: MIT */
/*
 * record.h: the decisions of a run as a log, and what differs between two of them.
 *
 *     vidmm-decisions 1
 *     kinds place,evict
 *     file a.vms
 *     test "the third does not fit"
 *     > 12: create o[2] : ovl
 *     place o[2] segment=vram offset=80M bytes=8M rule=PLACE-023
 *       candidate o[2] segment=vram low=80M high=100M pass=1 result=free rule=PLACE-023
 *
 * A decision is a line that `expect events` takes. Above it stands the statement that led to it,
 * below it, indented, what it looked at (the trail). Neither counts when logs are compared.
 */
#ifndef TOOLS_RECORD_RECORD_H
#define TOOLS_RECORD_RECORD_H

#include "tools/common/host.h"
#include "tools/common/sink.h"
#include "tools/common/text.h"

int cmd_diff(int argc, char **argv);

/* ---- kinds.c -------------------------------------------------------------------------------- */

enum { RECORD_VERSION = 1 };

struct record_kinds {
    bool of[VIDMM_EVENT_KINDS];
    bool times; /* each decision says when */
};

void record_kinds_default(struct record_kinds *kinds);
/* "place,evict", also "times". False: nothing was changed, `why` has a sentence. */
bool record_kinds_read(struct record_kinds *kinds, const char *list, struct text *why);

/* ---- writer.c ------------------------------------------------------------------------------- */

/* Where lines go, one at a time, without their end. */
struct record_out {
    void (*line)(struct record_out *out, const char *text, size_t bytes);
    void (*end)(struct record_out *out); /* of a scenario, however it ended; may be NULL */
};

struct record_options {
    struct record_kinds kinds;
    bool files; /* `file NAME` where a file begins */
    bool lines; /* where a statement stands: a golden does not say so, or each comment changed it */
};

/*
 * A sink that writes a log and hands everything on to `inner`, which may be NULL; `quiet`: only
 * messages and ends. Nothing of what inner puts out changes. Statements have to be told.
 * close() closes inner, too.
 */
struct sink *record_open(const struct record_options *options, struct record_out *out,
                         struct sink *inner, bool quiet);

/* Lines into a file, which is not closed. */
struct record_file {
    struct record_out out;
    FILE *file;
    struct text held;
};
void record_file_open(struct record_file *to, FILE *file);
/* False, and errno: something was lost. */
bool record_file_end(struct record_file *to);

#endif
