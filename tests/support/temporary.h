/* SPDX-License-Identifier: MIT */
/* temporary.h: where a test keeps its files. */
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>

enum { TEMPORARY_BYTES = 256 };

/* What mkdtemp() and mkstemp() make one of: below TMPDIR, as mktemp does it for the shell. */
static inline char *temporary(char path[TEMPORARY_BYTES], const char *name)
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, TEMPORARY_BYTES, "%.200s/vidmm-%.32s-XXXXXX",
                   folder && *folder ? folder : "/tmp", name);
    return path;
}

#endif
