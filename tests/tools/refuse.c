/* SPDX-License-Identifier: MIT */
/*
 * refuse.c: preloaded, it lets one call of a program to its system fail, or all from it on.
 *
 *     VIDMM_REFUSE=fork:2       the second fork() fails, once
 *     VIDMM_REFUSE=fork:2+      ... and all that follow
 *     VIDMM_REFUSE=fopen:1:.log the first fopen() of a path that ends so
 *
 * Calls count from main() on: what runs before it is not the program's. errno becomes EIO.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef int main_function(int argc, char **argv, char **environment);

static struct {
    const char *name, *end; /* of a path; NULL: any */
    size_t length;          /* of the name */
    unsigned long at, count;
    bool lasts;
    main_function *main;
} refuse;

static bool ends(const char *path, const char *end)
{
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

static bool refused(const char *name, const char *path)
{
    if (!refuse.name || strlen(name) != refuse.length || memcmp(name, refuse.name, refuse.length))
        return false;
    if (refuse.end && !ends(path ? path : "", refuse.end))
        return false;
    refuse.count++;
    if (refuse.count < refuse.at || (refuse.count > refuse.at && !refuse.lasts))
        return false;
    errno = EIO;
    return true;
}

/* The function of the C library that this one stands in front of. */
static void *next_of(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (!next)
        abort();
    return next;
}

static int begin(int argc, char **argv, char **environment)
{
    const char *wish = getenv("VIDMM_REFUSE");
    const char *colon = wish ? strchr(wish, ':') : NULL;
    if (!colon)
        abort();
    refuse.name = wish;
    refuse.length = (size_t)(colon - wish);
    char *rest;
    refuse.at = strtoul(colon + 1, &rest, 10);
    refuse.lasts = *rest == '+';
    rest += refuse.lasts;
    refuse.end = *rest == ':' ? rest + 1 : NULL;
    return refuse.main(argc, argv, environment);
}

int __libc_start_main(main_function *entry, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld)(void), void *stack);

int __libc_start_main(main_function *entry, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld)(void), void *stack)
{
    int (*next)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);
    *(void **)&next = next_of("__libc_start_main");
    refuse.main = entry;
    return next(begin, argc, argv, init, fini, rtld, stack);
}

#define REFUSE(type, name, path, parameters, arguments, failure)                                   \
    type name parameters                                                                           \
    {                                                                                              \
        type(*next) parameters;                                                                    \
        *(void **)&next = next_of(#name);                                                          \
        return refused(#name, path) ? (failure) : next arguments;                                  \
    }

REFUSE(int, access, path, (const char *path, int mode), (path, mode), -1)
REFUSE(int, clock_gettime, NULL, (clockid_t clock, struct timespec *now), (clock, now), -1)
REFUSE(int, dup2, NULL, (int from, int to), (from, to), -1)
REFUSE(int, fchmod, NULL, (int file, mode_t mode), (file, mode), -1)
REFUSE(int, fclose, NULL, (FILE * file), (file), EOF)
REFUSE(int, fflush, NULL, (FILE * file), (file), EOF)
REFUSE(FILE *, fopen, path, (const char *path, const char *mode), (path, mode), NULL)
REFUSE(FILE *, fopencookie, NULL, (void *cookie, const char *mode, cookie_io_functions_t functions),
       (cookie, mode, functions), NULL)
REFUSE(pid_t, fork, NULL, (void), (), -1)
REFUSE(int, fstat, NULL, (int file, struct stat *status), (file, status), -1)
REFUSE(int, ftruncate, NULL, (int file, off_t length), (file, length), -1)
REFUSE(pid_t, getppid, NULL, (void), (), 0)
REFUSE(off_t, lseek, NULL, (int file, off_t offset, int whence), (file, offset, whence), -1)
REFUSE(void *, mmap, NULL,
       (void *at, size_t bytes, int protection, int flags, int file, off_t offset),
       (at, bytes, protection, flags, file, offset), MAP_FAILED)
REFUSE(DIR *, opendir, path, (const char *path), (path), NULL)
REFUSE(int, rename, from, (const char *from, const char *to), (from, to), -1)
REFUSE(int, setvbuf, NULL, (FILE * file, char *buffer, int mode, size_t bytes),
       (file, buffer, mode, bytes), -1)
REFUSE(int, sigaction, NULL, (int number, const struct sigaction *now, struct sigaction *before),
       (number, now, before), -1)
REFUSE(int, stat, path, (const char *path, struct stat *status), (path, status), -1)
REFUSE(int, ferror, NULL, (FILE * file), (file), 1)
REFUSE(FILE *, fdopen, NULL, (int file, const char *mode), (file, mode), NULL)
REFUSE(int, fseeko, NULL, (FILE * file, off_t offset, int whence), (file, offset, whence), -1)
REFUSE(int, mkdir, path, (const char *path, mode_t mode), (path, mode), -1)
REFUSE(FILE *, tmpfile, NULL, (void), (), NULL)

int prctl(int option, ...)
{
    int (*next)(int, ...);
    va_list arguments;
    va_start(arguments, option);
    unsigned long argument = va_arg(arguments, unsigned long);
    va_end(arguments);
    *(void **)&next = next_of("prctl");
    return refused("prctl", NULL) ? -1 : next(option, argument);
}
