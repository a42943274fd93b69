/* SPDX-License-Identifier: MIT */
/*
 * known.h: private: failures that are known, in a file of their own.
 *
 *     # SETTINGS                     SCENARIO               TEST
 *     placement=best-fit             ../policy/overlays.vms two overlays fit the last fifth
 *     placement=buddy,eviction=lru   ../policy/o*.vms       *
 *
 * A line is about runs with all of these --set=SETTING=VALUE ("-": about every run). SCENARIO and
 * TEST are patterns of a shell; a file without tests has the test "". SCENARIO counts from the
 * folder of the list, wherever the command runs and however the file is called there; one that
 * begins with '*' is about any folder.
 */
#ifndef TOOLS_TEST_KNOWN_H
#define TOOLS_TEST_KNOWN_H

#include "tools/common/run_options.h"
#include "tools/test/verdict.h"

struct known_line;

struct known {
    const char *path;
    char *folder;                        /* its real name */
    const struct run_settings *settings; /* of the command line */
    struct known_line *lines;
    size_t count, capacity;
};

/* `path` NULL: known-failures.txt in `folder`, if it is there; both NULL: none is known. False, and
   a message: it cannot be read, or is no such list. */
bool known_open(struct known *known, const char *path, const char *folder,
                const struct run_settings *settings);
/* Is a failure of this test known? */
bool known_has(const struct known *known, const char *file, const char *test);
/* Failed tests that are listed are skipped ones, and known; the exit code follows. */
void known_apply(struct known *known, struct verdict *verdict);
/* Which lines only name tests that pass now, no file, or no test of their file, on stderr. `every`:
   no test was left out. */
void known_tell(const struct known *known, bool every);
void known_close(struct known *known);

#endif
