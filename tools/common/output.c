/* SPDX-License-Identifier: MIT */
/* output.c: a file that appears under its name once it is whole. */
#define _POSIX_C_SOURCE 200809L /* fchmod */
#include "tools/common/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool complain_output(const char *path)
{
    (void)fprintf(stderr, "vidmm: %s: %s\n", path, strerror(errno));
    return false;
}

bool output_begin(struct output *output, const char *path)
{
    *output = (struct output){ .file = stdout };
    if (!path || strcmp(path, "-") == 0)
        return true;
    struct stat status;
    output->path = path;
    /* A device or a pipe is written as it is: nothing can take its place. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file || complain_output(path);
    }
    text_add(&output->other, "%s.new", path);
    output->file = fopen(text_get(&output->other), "wxb");
    if (output->file)
        return true;
    if (errno == EEXIST)
        (void)fprintf(stderr,
                      "vidmm: %s is in the way: %s begins there, and another run left it or still "
                      "writes\n",
                      text_get(&output->other), path);
    else
        (void)complain_output(path);
    text_free(&output->other);
    return false;
}

bool output_end(struct output *output, bool whole)
{
    struct stat status;
    const char *other = text_get(&output->other);
    bool good = whole;
    if (!output->path)
        return whole;
    if (good && *other && stat(output->path, &status) == 0)
        good = fchmod(fileno(output->file), status.st_mode) == 0;
    if (good)
        good = !ferror(output->file);
    if (fclose(output->file) != 0)
        good = false;
    if (good && *other)
        good = rename(other, output->path) == 0;
    if (whole && !good)
        (void)complain_output(output->path);
    if (!good && *other)
        (void)remove(other);
    text_free(&output->other);
    return good;
}
