/* SPDX-License-Identifier: MIT */
/*
 * read_file.c: see read_file.h.
 */
#include "tests/support/read_file.h"
#include "vidmm/base/base.h"

#include <stdio.h>
#include <string.h>

bool read_file(const char *path, char **text, size_t *bytes)
{
    FILE *stream = fopen(path, "rb");
    char buffer[4096];
    size_t capacity = 0, more;
    *text = NULL;
    *bytes = 0;
    if (!stream)
        return false;
    while ((more = fread(buffer, 1, sizeof buffer, stream)) > 0) {
        BASE_GROW(*text, capacity, *bytes + more);
        memcpy(*text + *bytes, buffer, more);
        *bytes += more;
    }
    return fclose(stream) == 0;
}
