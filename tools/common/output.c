/* SPDX-License-Identifier: MIT */
/*
 * output.c: a file that appears under its name once it is whole.
 *
 * Until then it has another name beside that one. What ends the process takes it away: a signal, or
 * a limit that was passed while something was read.
 */
#define _DEFAULT_SOURCE /* fchmod, readlink */
#define _GNU_SOURCE     /* fopencookie */
#include "tools/common/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/common/interrupt.h"
#include "tools/common/options.h"

/* Where a link leads to, which need not be there yet. False, and errno: in a circle. */
static bool follow_links(const char *path, struct text *real)
{
    enum { LINKS_MOST = 40, NAME_MOST = 4096 };
    char target[NAME_MOST];
    text_add(real, "%s", path);
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t length = readlink(text_get(real), target, sizeof target - 1);
        if (length < 0)
            return true;
        target[length] = '\0';
        const char *slash = *target == '/' ? NULL : strrchr(text_get(real), '/');
        struct text next = { 0 };
        text_add_bytes(&next, text_get(real), slash ? (size_t)(slash + 1 - text_get(real)) : 0);
        text_add(&next, "%s", target);
        text_free(real);
        *real = next;
    }
    errno = ELOOP;
    return false;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder of a file that has no slash at its end. */
static void add_folder(struct text *folder, const char *path)
{
    text_add_bytes(folder, path, (size_t)(last_part(path) - path));
    if (folder->length > 1)
        folder->bytes[--folder->length] = '\0';
    else if (!folder->length)
        text_add(folder, ".");
}

/* "No such file" is no news of a file that is about to be made. */
static bool complain_output(const char *path)
{
    int reason = errno;
    struct text real = { 0 }, folder = { 0 };
    struct stat status;
    bool linked = follow_links(path, &real);
    add_folder(&folder, text_get(&real));
    (void)fprintf(stderr, "vidmm: %s: ", path);
    if (!*path)
        (void)fputs("a file needs a name\n", stderr);
    else if (linked && reason == ENOENT && stat(text_get(&folder), &status) != 0)
        (void)fprintf(stderr, "there is no folder %s\n", text_get(&folder));
    else
        (void)fprintf(stderr, "%s\n", strerror(reason));
    text_free(&folder);
    text_free(&real);
    return false;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* What the shell opened for us. */
static bool is_stdout(const struct stat *there)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && is_same(there, &out);
}

static bool begin_beside(struct output *output)
{
    text_add(&output->other, "%s" INTERRUPT_ENDING, text_get(&output->real));
    output->file = fopen(text_get(&output->other), "wxb");
    if (output->file) {
        interrupt_take(text_get(&output->other));
        return true;
    }
    if (errno == EEXIST)
        (void)fprintf(stderr,
                      "vidmm: %s is in the way: %s begins there, and another run left it or still "
                      "writes; delete it if none does\n",
                      text_get(&output->other), output->path);
    else
        (void)complain_output(output->path);
    return false;
}

static bool begin_file(struct output *output)
{
    struct stat there, real;
    bool exists = stat(output->path, &there) == 0;
    /* Under the name of a file, or as /dev/stdout. */
    if (exists && is_stdout(&there)) {
        output->path = NULL;
        return true;
    }
    if (!follow_links(output->path, &output->real))
        return complain_output(output->path);
    /* A device, a pipe, or what has no name: nothing can take its place. */
    if (exists && (!S_ISREG(there.st_mode) || stat(text_get(&output->real), &real) != 0 ||
                   !is_same(&there, &real))) {
        output->file = fopen(output->path, "wb");
        if (!output->file)
            return complain_output(output->path);
        return true;
    }
    if (exists && access(output->path, W_OK) != 0)
        return complain_output(output->path);
    return begin_beside(output);
}

bool output_begin_scenario(struct output *output, const char *path)
{
    *output = (struct output){ .file = stdout };
    if (!path || strcmp(path, "-") == 0)
        return true;
    output->path = path;
    if (begin_file(output))
        return true;
    output->file = NULL;
    text_free(&output->other);
    text_free(&output->real);
    return false;
}

/* Whatever reads it: the command line, an include, --policy, in this process or another. */
static bool is_source(const char *path)
{
    static const char *const marks[] = { "vidmm-scenario", "\xEF\xBB\xBFvidmm-scenario",
                                         "\177ELF" };
    char first[32] = "";
    bool found = false;
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || is_stdout(&there))
        return false;
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(first, 1, sizeof first, file) : 0;
    for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
        found =
            found || (length >= strlen(marks[i]) && memcmp(first, marks[i], strlen(marks[i])) == 0);
    if (file)
        (void)fclose(file);
    return found || scenario_is_twin(first, length);
}

bool output_begin(struct output *output, const char *path)
{
    bool good = !path || strcmp(path, "-") == 0 || !is_source(path);
    if (good)
        return output_begin_scenario(output, path);
    *output = (struct output){ .file = NULL };
    (void)fprintf(stderr, "vidmm: %s is a scenario or a program: it would be replaced\n", path);
    return false;
}

/* With the rights of the file that it replaces. */
static bool close_file(struct output *output)
{
    struct stat status;
    bool good = !*text_get(&output->other) || stat(text_get(&output->real), &status) != 0 ||
                fchmod(fileno(output->file), status.st_mode) == 0;
    good = good && !ferror(output->file);
    if (fclose(output->file) != 0)
        good = false;
    output->file = NULL;
    return good;
}

bool output_close(struct output *output)
{
    if (!output->path || close_file(output))
        return true;
    return complain_output(output->path);
}

bool output_end(struct output *output, bool whole)
{
    const char *other = text_get(&output->other), *real = text_get(&output->real);
    if (!output->path)
        return whole;
    bool good = !output->file || close_file(output);
    good = good && whole;
    if (good && *other)
        good = rename(other, real) == 0;
    if (whole && !good)
        (void)complain_output(output->path);
    if (!good && *other)
        (void)remove(other);
    if (*other)
        interrupt_spare(other);
    text_free(&output->other);
    text_free(&output->real);
    return good;
}

bool output_same(const char *one, const char *other)
{
    const char *const paths[] = { one, other };
    struct stat there;
    /* A terminal, or /dev/null, can be both. */
    if (!other || strcmp(other, "-") == 0)
        return stat(one, &there) == 0 && is_stdout(&there) && !S_ISCHR(there.st_mode);
    struct text real[2] = { { 0 } }, folder[2] = { { 0 } };
    struct stat status[2];
    bool same = true;
    for (size_t i = 0; i < 2; i++) {
        same = follow_links(paths[i], &real[i]) && same;
        add_folder(&folder[i], text_get(&real[i]));
        same = same && stat(text_get(&folder[i]), &status[i]) == 0;
    }
    same = same && is_same(&status[0], &status[1]) &&
           strcmp(last_part(text_get(&real[0])), last_part(text_get(&real[1]))) == 0;
    for (size_t i = 0; i < 2; i++) {
        text_free(&real[i]);
        text_free(&folder[i]);
    }
    return same;
}

bool output_is_terminal(const char *path)
{
    struct stat there;
    if (!isatty(STDOUT_FILENO))
        return false;
    return !path || strcmp(path, "-") == 0 || (stat(path, &there) == 0 && is_stdout(&there));
}

FILE *output_into(ssize_t (*write)(void *context, const char *bytes, size_t count), void *context)
{
    FILE *file = fopencookie(context, "w", (cookie_io_functions_t){ .write = write });
    if (!file) {
        (void)fprintf(stderr, "vidmm: this machine has no memory left\n");
        exit(TOOL_LIMIT);
    }
    return file;
}
