/* SPDX-License-Identifier: MIT */
/* find.c: which files does a folder hold? */
#define _DEFAULT_SOURCE /* lstat, realpath */
#include "tools/test/find.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/text.h"
#include "vidmm/base/base_hash.h"

enum { DEEP_MOST = 64 };

struct found_file {
    char *path; /* of realpath() */
    UT_hash_handle hh;
};

/* Tests of one file, twice at a time, would also write the same golden. */
static bool is_new(struct found *found, const char *path)
{
    struct found_file *file = NULL;
    char real[PATH_MAX];
    if (!realpath(path, real))
        return true;
    HASH_FIND_STR(found->files, real, file);
    if (file)
        return false;
    file = base_alloc(1, sizeof *file);
    file->path = base_strndup(real, strlen(real));
    HASH_ADD_KEYPTR(hh, found->files, file->path, strlen(file->path), file);
    return true;
}

static void find_add(struct found *found, const char *path)
{
    found->met++;
    if (!is_new(found, path))
        return;
    BASE_GROW(found->paths, found->capacity, found->count + 1);
    found->paths[found->count++] = base_strndup(path, strlen(path));
}

static bool is_scenario(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && text_listed(".vms|.vmb", name + length - 4) &&
           strncmp(name, "vidmm-repro-", 12) != 0;
}

static bool find_below(struct found *found, const char *folder, int depth)
{
    struct dirent *entry;
    struct text path = { 0 };
    struct stat status;
    bool good = true;
    DIR *open = depth < DEEP_MOST ? opendir(folder) : NULL;
    if (!open) {
        (void)fprintf(stderr, "vidmm: %s: %s\n", folder,
                      depth < DEEP_MOST ? strerror(errno) : "too many folders in each other");
        return false;
    }
    while ((entry = readdir(open)) != NULL) {
        bool slash = folder[strlen(folder) - 1] == '/';
        if (entry->d_name[0] == '.')
            continue;
        text_clear(&path);
        text_add(&path, "%s%s%s", folder, slash ? "" : "/", entry->d_name);
        if (lstat(text_get(&path), &status) == 0 && S_ISDIR(status.st_mode))
            good = find_below(found, text_get(&path), depth + 1) && good;
        else if (is_scenario(entry->d_name) &&
                 (stat(text_get(&path), &status) != 0 || S_ISREG(status.st_mode)))
            find_add(found, text_get(&path)); /* a link to nowhere is one, too: it fails */
    }
    (void)closedir(open);
    text_free(&path);
    return good;
}

static int find_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

bool find_files(struct found *found, const char *path)
{
    struct stat status;
    size_t first = found->count, met = found->met;
    if (!*path || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        find_add(found, path);
        return true;
    }
    bool good = find_below(found, path, 0);
    if (found->count > first)
        qsort(found->paths + first, found->count - first, sizeof *found->paths, find_compare);
    else if (good && found->met == met)
        (void)fprintf(stderr, "vidmm: %s: no file ends in .vms in this folder\n", path);
    return good && found->met > met;
}

void find_free(struct found *found)
{
    struct found_file *file, *next;
    HASH_ITER(hh, found->files, file, next) {
        HASH_DEL(found->files, file);
        base_free(file->path);
        base_free(file);
    }
    for (size_t i = 0; i < found->count; i++)
        base_free(found->paths[i]);
    base_free(found->paths);
    *found = (struct found){ 0 };
}
