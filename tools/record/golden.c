/* SPDX-License-Identifier: MIT */
/*
 * golden.c: yesterday's decisions of a scenario, compared with today's, or written anew.
 *
 * A run is compared as it goes on, and nothing is stored. An update goes to a file without a name,
 * which nothing leaves behind. When the run was whole and good it is copied beside the golden and
 * takes its place: so a golden is never half written.
 */
#include "tools/record/golden.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/record/diff.h"

struct golden {
    struct golden_options options;
    struct record_options recorded;
    bool trail; /* counts */
    struct text path;
    FILE *file;        /* that is compared; NULL: there is none */
    FILE *written;     /* by an update; without a name */
    struct diff *diff; /* NULL: nothing to compare with, and `problem` */
    struct record_file to;
    struct record_out nowhere;
    struct text problem;
    bool broken; /* the golden, and that was said */
    struct sink *sink;
};

void golden_told_free(struct golden_told *told)
{
    text_free(&told->text);
    text_free(&told->details);
    *told = (struct golden_told){ .line = 0 };
}

/* ---- which file ----------------------------------------------------------------------------- */

/* In a folder for all of them the path of the scenario leads to it: no two files share one. */
static void name_golden(struct golden *golden, const char *path)
{
    static const char *const endings[] = { ".vms", ".vmb" };
    size_t length = strlen(path), ending = 0;
    struct text *name = &golden->path;
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (length > 4 && strcmp(path + length - 4, endings[i]) == 0)
            ending = 4;
    length -= ending;
    if (golden->options.folder)
        text_add(name, "%s/", golden->options.folder);
    for (size_t at = 0; at < length;) {
        size_t part = strcspn(path + at, "/");
        part = part < length - at ? part : length - at;
        bool up = part == 2 && memcmp(path + at, "..", 2) == 0;
        bool here = part == 1 && path[at] == '.';
        if (golden->options.folder && (up || here || !part))
            text_add(name, up ? "_/" : "");
        else {
            text_add_bytes(name, path + at, part);
            text_add(name, at + part < length ? "/" : "");
        }
        at += part + 1;
    }
    text_add(name, ".golden");
}

/* The first that is not there and cannot be made stands in `failed`, and why. */
static void make_folders(const char *path, struct text *failed)
{
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        char *folder = base_strndup(path, (size_t)(slash - path));
        if (mkdir(folder, 0777) != 0 && errno != EEXIST && !failed->length)
            text_add(failed, "%s: %s", folder, strerror(errno));
        base_free(folder);
    }
}

/* ---- opening -------------------------------------------------------------------------------- */

/* What the scenario says of it. */
struct golden_wish {
    struct record_kinds kinds;
    bool trail;
};

/* False: the scenario asks for none. */
static bool read_wish(struct scenario *scenario, struct golden_wish *wish)
{
    struct record_kinds *kinds = &wish->kinds;
    struct scenario_item item = { 0 };
    struct text why = { 0 };
    record_kinds_default(kinds);
    if (!scenario_next(scenario, SCENARIO_GOLDEN, &item))
        return false;
    if (item.length) {
        char *list = base_strndup(item.text, item.length);
        (void)record_kinds_read(kinds, list, &why); /* the check has read it */
        base_free(list);
    }
    kinds->times |= item.more_length >= 5 && memcmp(item.more, "times", 5) == 0;
    wish->trail =
        item.more_length >= 5 && memcmp(item.more + item.more_length - 5, "trail", 5) == 0;
    text_free(&why);
    return true;
}

static bool same_kinds(const struct record_kinds *a, const struct record_kinds *b)
{
    return memcmp(a->of, b->of, sizeof a->of) == 0 && a->times == b->times;
}

/* The command that writes it. */
static void add_update(struct golden *golden)
{
    text_add(&golden->problem, "`vidmm test --update");
    if (golden->options.folder) {
        text_add(&golden->problem, " --golden=");
        text_add_word(&golden->problem, golden->options.folder);
    }
    text_add(&golden->problem, "`");
}

static void open_expected(struct golden *golden)
{
    const struct diff_options options = { .times = golden->recorded.kinds.times,
                                          .partial = golden->options.partial,
                                          .trail = golden->trail,
                                          .kinds = golden->recorded.kinds };
    const char *path = text_get(&golden->path);
    golden->file = fopen(path, "rb");
    if (!golden->file && errno == ENOENT) {
        text_add(&golden->problem, "its golden %s is missing: ", path);
        add_update(golden);
        text_add(&golden->problem, " writes it");
    } else if (!golden->file)
        text_add(&golden->problem, "its golden %s %s", path, strerror(errno));
    else
        golden->diff = diff_open(golden->file, path, &options, &golden->problem);
    if (golden->file && !golden->diff) {
        text_add(&golden->problem, "; ");
        add_update(golden);
        text_add(&golden->problem, " writes it anew");
    }
    if (!golden->diff || same_kinds(diff_kinds(golden->diff), &golden->recorded.kinds))
        return;
    diff_close(golden->diff);
    golden->diff = NULL;
    text_add(&golden->problem, "%s holds other kinds of events than `golden` asks for; ", path);
    add_update(golden);
    text_add(&golden->problem, " writes it anew");
}

static void open_written(struct golden *golden)
{
    golden->written = tmpfile();
    if (golden->written)
        record_file_open(&golden->to, golden->written);
    else
        text_add(&golden->problem, "a temporary file: %s", strerror(errno));
}

static void say_nowhere(struct record_out *out, const char *text, size_t bytes)
{
    (void)out;
    (void)text;
    (void)bytes;
}

struct golden *golden_open(const struct golden_options *options, struct scenario *scenario,
                           const char *path)
{
    struct golden_wish wish = { .trail = false };
    if ((!read_wish(scenario, &wish) && !options->folder) || strcmp(path, "-") == 0)
        return NULL;
    struct golden *golden = base_alloc(1, sizeof *golden);
    golden->options = *options;
    golden->recorded = (struct record_options){ .kinds = wish.kinds, .lines = !options->update };
    golden->trail = wish.trail;
    golden->nowhere.line = say_nowhere;
    name_golden(golden, path);
    if (options->update)
        open_written(golden);
    else
        open_expected(golden);
    return golden;
}

struct sink *golden_sink(struct golden *golden, struct sink *inner)
{
    struct record_out *out = golden->written ? &golden->to.out
                             : golden->diff  ? diff_out(golden->diff)
                                             : &golden->nowhere;
    golden->sink = record_open(&golden->recorded, out, inner, false);
    return golden->sink;
}

/* ---- what came out -------------------------------------------------------------------------- */

static void tell_difference(const struct diff *diff, const char *path, struct golden_told *told)
{
    static const struct diff_labels labels = { { "golden", "now" }, { "in the golden", "now" } };
    char bytes[1024];
    size_t got;
    struct screen screen;
    FILE *out = tmpfile();
    told->failed = true;
    told->line = diff_line_number(diff);
    text_add(&told->text, "other decisions than in %s: ", path);
    diff_summary(diff, &labels, &told->text);
    if (!out)
        return;
    screen_init(&screen, out, SCREEN_COLOR_NEVER, SCREEN_LETTERS_ASCII, 0);
    diff_print(diff, &labels, &screen);
    rewind(out);
    while ((got = fread(bytes, 1, sizeof bytes, out)) > 0)
        text_add_bytes(&told->details, bytes, got);
    (void)fclose(out);
}

void golden_test_ended(struct golden *golden, struct golden_told *told)
{
    bool same = !golden->diff || diff_section(golden->diff);
    /* What follows a place that cannot be read is no difference. */
    if (golden->diff && *diff_problem(golden->diff) && !golden->broken) {
        golden->broken = true;
        text_add(&golden->problem, "%s", diff_problem(golden->diff));
    }
    if (!same && !golden->broken && !golden->problem.length)
        tell_difference(golden->diff, text_get(&golden->path), told);
}

/* ---- an update ------------------------------------------------------------------------------ */

/* What becomes of the old one: "" when nothing changed. */
static void compare_old(struct golden *golden, FILE *old, struct text *what)
{
    const struct diff_options options = { .times = true,
                                          .trail = true,
                                          .kinds = golden->recorded.kinds };
    struct text problem = { 0 };
    struct diff *diff = diff_open(old, text_get(&golden->path), &options, &problem);
    rewind(golden->written);
    if (!diff)
        text_add(what, "what was there was no golden: %s", text_get(&problem));
    else if (!same_kinds(diff_kinds(diff), &golden->recorded.kinds))
        text_add(what, "it holds other kinds of events now");
    else if (diff_read(diff, golden->written, "the new one", &problem) && !diff_end(diff, &problem))
        diff_summary(diff, NULL, what);
    if (diff)
        diff_close(diff);
    text_free(&problem);
}

static bool same_bytes(FILE *a, FILE *b)
{
    char of_a[4096], of_b[sizeof of_a];
    size_t got;
    rewind(a);
    rewind(b);
    do {
        got = fread(of_a, 1, sizeof of_a, a);
        if (fread(of_b, 1, sizeof of_b, b) != got || memcmp(of_a, of_b, got) != 0)
            return false;
    } while (got);
    return true;
}

/* False, and why. The same file may be named twice, so each process has a name of its own. */
static bool put_in_place(struct golden *golden, struct text *why)
{
    const char *path = text_get(&golden->path);
    struct text name = { 0 }, folder = { 0 };
    char bytes[4096];
    size_t got;
    text_add(&name, "%s.%ld.new", path, (long)getpid());
    make_folders(path, &folder);
    FILE *file = fopen(text_get(&name), "wb");
    rewind(golden->written);
    while (file && (got = fread(bytes, 1, sizeof bytes, golden->written)) > 0)
        (void)fwrite(bytes, 1, got, file);
    bool good = file && !ferror(golden->written) && !ferror(file);
    if (file && fclose(file) != 0)
        good = false;
    good = good && rename(text_get(&name), path) == 0;
    if (!file && folder.length)
        text_add(why, "%s", text_get(&folder));
    else if (!good)
        text_add(why, "%s: %s", path, strerror(errno));
    if (file && !good)
        (void)unlink(text_get(&name));
    text_free(&name);
    text_free(&folder);
    return good;
}

static void replace(struct golden *golden, struct golden_told *told)
{
    const char *path = text_get(&golden->path);
    struct text what = { 0 };
    FILE *old = fopen(path, "rb");
    bool same = old && same_bytes(old, golden->written);
    if (old && !same) {
        rewind(old);
        compare_old(golden, old, &what);
    }
    if (!same && !put_in_place(golden, &told->text))
        told->failed = told->unwritten = true;
    else if (!same)
        text_add(&told->text, "golden %s %s%s%s", path, old ? "written anew" : "written",
                 what.length ? ": "
                 : old       ? ": only statements or comments changed"
                             : "",
                 text_get(&what));
    if (old)
        (void)fclose(old);
    text_free(&what);
}

static void end_update(struct golden *golden, bool whole, const char *kept,
                       struct golden_told *told)
{
    const char *path = text_get(&golden->path);
    bool good = record_file_end(&golden->to);
    if (!good)
        text_add(&told->text, "golden %s stays as it is: %s", path, strerror(errno));
    told->unwritten = !good;
    told->failed = !good || !whole;
    if (!whole)
        kept = "the run was broken off";
    else if (!kept && golden->options.partial)
        kept = "only some of the tests ran";
    if (good && kept)
        text_add(&told->text, "golden %s %s: %s", path,
                 access(path, F_OK) == 0 ? "stays as it is" : "is not written", kept);
    else if (good)
        replace(golden, told);
    (void)fclose(golden->written);
}

/* What is wrong with the golden itself is said here: it is no fault of a test. */
void golden_end(struct golden *golden, bool whole, const char *kept, struct golden_told *told)
{
    struct text problem = { 0 };
    if (golden->sink)
        golden->sink->close(golden->sink);
    if (golden->problem.length) {
        told->failed = true;
        told->unwritten = golden->options.update;
        text_add(&told->text, "%s", text_get(&golden->problem));
    } else if (golden->written)
        end_update(golden, whole, kept, told);
    else if (golden->diff && whole && !golden->broken) {
        bool same = diff_end(golden->diff, &problem);
        if (problem.length) {
            told->failed = true;
            text_add(&told->text, "%s", text_get(&problem));
        } else if (!same)
            tell_difference(golden->diff, text_get(&golden->path), told);
    }
    if (golden->diff)
        diff_close(golden->diff);
    if (golden->file)
        (void)fclose(golden->file);
    text_free(&problem);
    text_free(&golden->path);
    text_free(&golden->problem);
    base_free(golden);
}
