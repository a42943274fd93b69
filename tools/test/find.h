/* SPDX-License-Identifier: MIT */
/*
 * find.h: private: the files that the words of a command line mean.
 */
#ifndef TOOLS_TEST_FIND_H
#define TOOLS_TEST_FIND_H

#include <stdbool.h>
#include <stddef.h>

struct found {
    char **paths;
    size_t count, capacity, met; /* met: also those that were found before */
    struct found_file *files;    /* by their real paths */
};

/*
 * Finds each file once, as it was met first, however often it is named or linked to.
 * A file is itself, whatever its name, and whether or not it is there. A folder is all *.vms below
 * it, in the order of their bytes, without vidmm-repro-*.vms, pipes and devices, hidden files and
 * folders, and links to folders. False, and a message: a folder cannot be read, or holds none.
 */
bool find_files(struct found *found, const char *path);
void find_free(struct found *found);

#endif
