/* SPDX-License-Identifier: MIT */
/* output.h: a file that appears under its name once it is whole. */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <sys/types.h>

#include "tools/common/text.h"

struct output {
    const char *path;        /* NULL: stdout */
    FILE *file;              /* NULL: closed */
    struct text real, other; /* where links lead to; the name until then */
};

#define OUTPUT_NOT_WHOLE "vidmm: %s is not written: not every file ran to its end\n"
/* NULL or "-" is stdout; links are followed, devices written. False, and a message: it cannot, or
   would replace what somebody wrote: a scenario, or a policy that was built. */
bool output_begin(struct output *output, const char *path);
/* For what writes scenarios itself. */
bool output_begin_scenario(struct output *output, const char *path);
/* All is written, the name comes later. False, and a message, when something was lost. */
bool output_close(struct output *output);
/* Under its name now, with the rights of the file that it replaces, or gone if not `whole`. False:
   it is not there; a message says why, unless it was not whole. */
bool output_end(struct output *output, bool whole);
/* Would both be one file, which need not be there yet? `other` as above. */
bool output_same(const char *one, const char *other);
bool output_is_terminal(const char *path);
/* A stream into a function, which gets `context` first. Never NULL. */
FILE *output_into(ssize_t (*write)(void *context, const char *bytes, size_t count), void *context);

#endif
