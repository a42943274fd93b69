/* SPDX-License-Identifier: MIT */
/*
 * plot.h: results of several policies as a picture (SVG): hit ratios as bars, fragmentation over
 * virtual time as lines, for each file a row. The same results give the same bytes.
 */
#ifndef TOOLS_LAB_PLOT_H
#define TOOLS_LAB_PLOT_H

#include "tools/lab/policy.h"
#include "tools/lab/result.h"

enum { PLOT_FILES = 16 };

struct plot {
    const struct policies *policies;
    char *const *files;
    size_t file_count;            /* at most PLOT_FILES */
    const struct result *results; /* file by file, by policy */
};

/* False, and a message: `path` could not be written. */
bool plot_write(const struct plot *plot, const char *path);

#endif
