/* SPDX-License-Identifier: MIT */
/*
 * sweep_merge.c: are the results of all runs there, and do they agree?
 *
 * Lines are printed as they are, in the order of the plan: what shards on many machines have found
 * is the same bytes as what one process finds.
 */
#define _DEFAULT_SOURCE /* fseeko */
#include "tools/sweep/sweep_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/common/hash.h"

enum { MISSING_SHOWN = 10 };

/* Where the line of a run is. */
struct found {
    uint64_t offset, number, hash;
    size_t bytes; /* 0: there is none yet */
    int file;
    bool may_change, passed;
};

struct merge {
    struct sweep *sweep;
    struct found *found; /* by run */
    FILE **files;
    int file; /* that is being read */
    uint64_t strangers, stale;
};

static const char *merge_name(const struct merge *merge, int file)
{
    return merge->sweep->words.first[1 + file];
}

/* In one file the last line counts: what failed may have been tried again. */
static bool on_line_merged(void *context, const struct results_line *line)
{
    struct merge *merge = context;
    struct sweep *sweep = merge->sweep;
    size_t index = sweep_find(sweep, line->run);
    if (!sweep_check_version(line))
        return false;
    if (index == SIZE_MAX) {
        merge->strangers++;
        return true;
    }
    if (line->input != sweep->inputs[plan_file(&sweep->plan, index)]) {
        merge->stale++;
        return true;
    }
    struct found *found = &merge->found[index];
    const struct found now = { .offset = line->offset,
                               .number = line->number,
                               .hash = hash_bytes(HASH_BEGIN, line->text, line->bytes),
                               .bytes = line->bytes,
                               .file = merge->file,
                               .may_change = results_may_change(line->verdict),
                               .passed = results_passed(line->verdict) };
    if (!found->bytes || found->file == merge->file || found->may_change)
        *found = now;
    else if (found->hash != now.hash && !now.may_change) {
        (void)fprintf(stderr,
                      "%s:%" PRIu64 ": error: the same run ended otherwise in %s:%" PRIu64 "\n",
                      line->file, line->number, merge_name(merge, found->file), found->number);
        return false;
    }
    return true;
}

static bool merge_read(struct merge *merge)
{
    for (; merge->file < merge->sweep->words.count - 1; merge->file++) {
        const char *name = merge_name(merge, merge->file);
        struct results_reader reader = { .file = name, .context = merge, .line = on_line_merged };
        merge->files[merge->file] = fopen(name, "rb");
        if (!merge->files[merge->file]) {
            (void)fprintf(stderr, "vidmm: %s: %s\n", name, strerror(errno));
            return false;
        }
        /* Lines are read again where they were found. */
        if (fseeko(merge->files[merge->file], 0, SEEK_SET) != 0) {
            (void)fprintf(stderr, "vidmm: %s: a file was expected, and this is a pipe\n", name);
            return false;
        }
        if (!results_read(merge->files[merge->file], &reader))
            return false;
    }
    return true;
}

/* False: some are missing. */
static bool merge_complete(const struct merge *merge)
{
    const struct sweep *sweep = merge->sweep;
    size_t missing = 0;
    for (size_t i = 0; i < sweep->plan.runs; i++)
        missing += merge->found[i].bytes == 0;
    if (merge->strangers)
        (void)fprintf(stderr, "vidmm: %s of runs that the plan does not have\n",
                      text_count(merge->strangers, "line").it);
    if (merge->stale)
        (void)fprintf(stderr, "vidmm: %s of files that have changed since\n",
                      text_count(merge->stale, "line").it);
    if (!missing)
        return true;
    (void)fprintf(stderr, "vidmm: %zu of %s %s missing:\n", missing,
                  text_count(sweep->plan.runs, "run").it, missing == 1 ? "is" : "are");
    size_t shown = 0;
    for (size_t i = 0; i < sweep->plan.runs && shown < MISSING_SHOWN; i++) {
        if (merge->found[i].bytes)
            continue;
        (void)fputs("  ", stderr);
        sweep_print_run(sweep, i, stderr);
        shown++;
    }
    if (missing > shown)
        (void)fputs("  ...\n", stderr);
    return false;
}

static bool merge_print(const struct merge *merge)
{
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    for (size_t i = 0; i < merge->sweep->plan.runs && good; i++) {
        const struct found *found = &merge->found[i];
        FILE *in = merge->files[found->file];
        BASE_GROW(line, capacity, found->bytes);
        good = fseeko(in, (off_t)found->offset, SEEK_SET) == 0 &&
               fread(line, 1, found->bytes, in) == found->bytes &&
               hash_bytes(HASH_BEGIN, line, found->bytes) == found->hash;
        if (good)
            (void)fwrite(line, 1, found->bytes, stdout);
        else
            (void)fprintf(stderr, "vidmm: %s changed while it was read\n",
                          merge_name(merge, found->file));
    }
    base_free(line);
    return good;
}

/* True: every run passed. Whoever merges asks for that, as whoever runs them does. */
static bool merge_tell_end(const struct merge *merge)
{
    const struct sweep *sweep = merge->sweep;
    size_t runs = sweep->plan.runs, first = runs, failed = 0;
    for (size_t i = runs; i-- > 0;) {
        if (merge->found[i].passed)
            continue;
        failed++;
        first = i;
    }
    if (!failed)
        return true;
    (void)fprintf(stderr,
                  "vidmm: %s: %zu passed, %zu did not; the first of them, %s:%" PRIu64 ":\n  ",
                  text_count(runs, "run").it, runs - failed, failed,
                  merge_name(merge, merge->found[first].file), merge->found[first].number);
    sweep_print_run(sweep, first, stderr);
    return false;
}

enum tool_exit sweep_merge(struct sweep *sweep)
{
    struct merge merge = { .sweep = sweep };
    enum tool_exit code = TOOL_GOOD;
    merge.found = base_alloc(sweep->plan.runs, sizeof *merge.found);
    merge.files = base_alloc((size_t)sweep->words.count, sizeof *merge.files);
    if (!merge_read(&merge))
        code = TOOL_INPUT;
    else if (!merge_complete(&merge))
        code = TOOL_FAILED;
    else if (!merge_print(&merge))
        code = TOOL_INPUT;
    else if (!merge_tell_end(&merge))
        code = TOOL_FAILED;
    for (int i = 0; i < sweep->words.count - 1; i++)
        if (merge.files[i])
            (void)fclose(merge.files[i]);
    base_free(merge.files);
    base_free(merge.found);
    return code;
}
