/* SPDX-License-Identifier: MIT */
/*
 * report_text.c: verdicts for people: short when all is well.
 *
 * A file is printed when its last seed is done. What it says under several seeds at the same place
 * and in the same words is printed once, as the first of these seeds has it, and counted. A test
 * that passed is silent, but for complaints that its scenario does not foresee.
 */
#include "tools/test/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/host.h"
#include "vidmm/base/base_hash.h"

enum { SEEDS_SHOWN = 10, SEEDS_SHOWN_LAST = 20 };

struct seeds {
    uint64_t count, shown[SEEDS_SHOWN];
};

struct told {
    struct told *next;
    struct unit_message message; /* its texts are copies, one after the other in `text` */
    struct text text;
    struct seeds seeds;
    uint64_t times;
};

struct fold {
    UT_hash_handle hh;
    char *name;
    struct told *told;
    struct seeds failed;
    bool known; /* it fails, as it should not */
};

struct text_report {
    struct report report;
    char *file;                 /* NULL: none yet */
    struct fold *folds;         /* by name; printed as they came */
    struct text skipped;        /* "a|b": reasons */
    uint64_t skips[8];          /* of each reason */
    uint8_t *failing;           /* by seed */
    uint64_t seeds, seeds_here; /* that were run, of any file and of this one */
    bool printed, after_failed;
};

/* ---- seeds ------------------------------------------------------------------------------------
 */

static void seeds_add(struct seeds *seeds, uint64_t seed)
{
    if (seeds->count < SEEDS_SHOWN)
        seeds->shown[seeds->count] = seed;
    seeds->count++;
}

static void print_seeds(const struct text_report *report, const struct seeds *seeds)
{
    const struct report_options *options = report->report.options;
    if (options->seed_count < 2)
        return;
    if (seeds->count == report->seeds_here && seeds->count > 1) {
        (void)fprintf(options->screen.out, "   %sin all %" PRIu64 " seeds%s\n",
                      screen_on(&options->screen, SCREEN_QUIET), seeds->count,
                      screen_off(&options->screen));
        return;
    }
    (void)fprintf(options->screen.out, "   %sin %" PRIu64 " of %" PRIu64 " seeds: ",
                  screen_on(&options->screen, SCREEN_QUIET), seeds->count, report->seeds_here);
    for (size_t i = 0; i < seeds->count && i < SEEDS_SHOWN; i++)
        (void)fprintf(options->screen.out, "%s%" PRIu64, i ? ", " : "", seeds->shown[i]);
    (void)fprintf(options->screen.out, "%s%s\n", seeds->count > SEEDS_SHOWN ? ", ..." : "",
                  screen_off(&options->screen));
}

/* ---- what one file says -----------------------------------------------------------------------
 */

static struct fold *fold_of(struct text_report *report, const char *name)
{
    struct fold *fold;
    size_t length = strlen(name);
    HASH_FIND(hh, report->folds, name, length, fold);
    if (fold)
        return fold;
    fold = base_alloc(1, sizeof *fold);
    fold->name = base_strndup(name, length);
    HASH_ADD_KEYPTR(hh, report->folds, fold->name, length, fold);
    return fold;
}

/* Complaints are alike by their rule: one line of a loop breaks it with many names. */
static bool is_same(const struct unit_message *left, const struct unit_message *right)
{
    bool counts = unit_complains(right) && right->like;
    bool alike = left->rule ? left->rule == right->rule : strcmp(left->text, right->text) == 0;
    return left->severity == right->severity && left->line == right->line &&
           left->column == right->column && strcmp(left->file, right->file) == 0 &&
           (counts || alike);
}

static void told_add(struct fold *fold, const struct unit_message *message, uint64_t seed)
{
    struct told *told;
    LL_FOREACH(fold->told, told)
    if (is_same(&told->message, message))
        break;
    if (!told) {
        const char *const texts[] = { message->file, message->text, message->rendered };
        told = base_alloc(1, sizeof *told);
        told->message = *message;
        for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
            text_add_bytes(&told->text, texts[i], strlen(texts[i]) + 1);
        told->message.file = told->text.bytes;
        told->message.text = told->message.file + strlen(message->file) + 1;
        told->message.rendered = told->message.text + strlen(message->text) + 1;
        LL_APPEND(fold->told, told);
    }
    told->times += unit_complains(message) && message->like ? message->like : 1;
    /* A seed may say it twice: with other values of a loop. */
    if (!told->seeds.count || told->seeds.count > SEEDS_SHOWN ||
        told->seeds.shown[told->seeds.count - 1] != seed)
        seeds_add(&told->seeds, seed);
}

/* ---- printing ---------------------------------------------------------------------------------
 */

/* The command that shows everything about it. */
static void print_again(const struct text_report *report, const struct fold *fold)
{
    const struct report_options *options = report->report.options;
    const struct told *told;
    struct text command = { 0 };
    bool golden = false;
    LL_FOREACH(fold->told, told)
    golden = golden || (told->message.golden && !unit_complains(&told->message));
    text_add(&command, "vidmm %s %s", golden ? "test" : "run", options->options);
    if (golden && options->update)
        text_add(&command, "--update ");
    if (golden && options->goldens) {
        text_add(&command, "--golden=");
        text_add_word(&command, options->goldens);
        text_add(&command, " ");
    }
    if (options->seed_count)
        text_add(&command, "--seed=%" PRIu64 " ", fold->failed.shown[0]);
    if (*fold->name) {
        text_add(&command, "--only=");
        text_add_word(&command, fold->name);
        text_add(&command, " ");
    }
    text_add_word(&command, report->file);
    (void)fprintf(options->screen.out, "   %sagain: %s%s\n",
                  screen_on(&options->screen, SCREEN_QUIET), text_get(&command),
                  screen_off(&options->screen));
    text_free(&command);
}

/* What a test that passed says needs no heading: it names the place. */
static void print_heading(struct text_report *report, const struct fold *fold)
{
    const struct screen *screen = &report->report.options->screen;
    bool failed = fold->failed.count != 0;
    if (report->printed && (failed || report->after_failed))
        (void)fputc('\n', screen->out);
    report->printed = true;
    report->after_failed = failed;
    if (failed || fold->known)
        (void)fprintf(screen->out, "%s%s%s %s%s%s\n",
                      screen_on(screen, failed ? SCREEN_BAD : SCREEN_WARN),
                      failed ? "FAILED" : "known failure:", screen_off(screen), report->file,
                      *fold->name ? ": " : "", fold->name);
}

static void print_fold(struct text_report *report, const struct fold *fold)
{
    const struct screen *screen = &report->report.options->screen;
    const struct told *told;
    print_heading(report, fold);
    LL_FOREACH(fold->told, told)
    {
        screen_message(screen, told->message.severity, told->message.rendered);
        if (unit_complains(&told->message) && told->times > told->seeds.count)
            (void)fprintf(screen->out, "   %sand %" PRIu64 " more of this rule here%s\n",
                          screen_on(screen, SCREEN_QUIET), told->times - told->seeds.count,
                          screen_off(screen));
        print_seeds(report, &told->seeds);
    }
    if (!fold->failed.count)
        return;
    print_again(report, fold);
}

static void end_file(struct text_report *report)
{
    struct fold *fold, *next_fold;
    struct told *told, *next_told;
    HASH_ITER(hh, report->folds, fold, next_fold)
    {
        print_fold(report, fold);
        LL_FOREACH_SAFE(fold->told, told, next_told)
        {
            text_free(&told->text);
            base_free(told);
        }
        HASH_DEL(report->folds, fold);
        base_free(fold->name);
        base_free(fold);
    }
    report->seeds_here = 0;
    base_free(report->file);
    report->file = NULL;
}

/* ---- verdicts ---------------------------------------------------------------------------------
 */

static void count_skip(struct text_report *report, const char *why)
{
    size_t at = 0;
    if (!text_listed(text_get(&report->skipped), why))
        text_add(&report->skipped, "%s%s", report->skipped.length ? "|" : "", why);
    for (const char *reason = text_get(&report->skipped); strncmp(reason, why, strlen(why)) != 0;
         reason += strcspn(reason, "|") + 1)
        at++;
    if (at < ARRAY_COUNT(report->skips))
        report->skips[at]++;
}

static void take_unit(struct text_report *report, const struct verdict *verdict,
                      const struct unit *unit)
{
    const struct report_options *options = report->report.options;
    bool failed = unit->state == UNIT_FAILED;
    if (unit->state == UNIT_SKIPPED)
        count_skip(report, unit->why);
    if (unit->known)
        fold_of(report, unit->name)->known = true;
    for (size_t i = unit->first; i < unit->first + unit->count; i++) {
        const struct unit_message *message = &verdict->messages[i];
        bool news = message->golden && unit_complains(message); /* of the file, not of a test */
        if (failed || !message->foreseen)
            told_add(fold_of(report, news ? "" : unit->name), message, verdict->seed);
    }
    if (failed) {
        seeds_add(&fold_of(report, unit->name)->failed, verdict->seed);
        if (report->failing)
            report->failing[verdict->seed - options->seed_first] = 1;
    }
    if (!options->verbose || unit->state < UNIT_PASSED || failed)
        return;
    struct text name = { 0 };
    verdict_name(verdict, unit, &name);
    (void)fprintf(options->screen.out, "%s%s%s %s%s%s%s\n",
                  screen_on(&options->screen,
                            unit->state == UNIT_PASSED ? SCREEN_GOOD : SCREEN_QUIET),
                  unit->state == UNIT_PASSED ? "passed" : "skipped", screen_off(&options->screen),
                  text_get(&name), *unit->why ? " (" : "", unit->why, *unit->why ? ")" : "");
    report->printed = true;
    text_free(&name);
}

static void text_verdict(struct report *self, const struct verdict *verdict)
{
    struct text_report *report = CONTAINER_OF(self, struct text_report, report);
    uint64_t last = self->options->seed_first + self->options->seed_count - 1;
    if (!report->file)
        report->file = base_strndup(verdict->file, strlen(verdict->file));
    report->seeds_here += verdict->known;
    report->seeds = max_u64(report->seeds, report->seeds_here);
    for (size_t i = 0; i < verdict->unit_count; i++)
        take_unit(report, verdict, &verdict->units[i]);
    if (!self->options->seed_count || verdict->seed == last)
        end_file(report);
    (void)fflush(self->options->screen.out);
}

static void print_failing_seeds(const struct text_report *report)
{
    const struct report_options *options = report->report.options;
    FILE *out = options->screen.out;
    uint64_t count = 0, shown = 0;
    for (uint64_t i = 0; report->failing && i < options->seed_count; i++)
        count += report->failing[i];
    if (!count)
        return;
    bool all = count > 1 && count == report->seeds;
    (void)fputs("failing seeds: ", out);
    for (uint64_t i = 0; !all && shown < SEEDS_SHOWN_LAST && i < options->seed_count; i++)
        if (report->failing[i])
            (void)fprintf(out, "%s%" PRIu64, shown++ ? ", " : "", options->seed_first + i);
    if (all)
        (void)fprintf(out, "all %" PRIu64 "\n", count);
    else
        (void)fprintf(out, "%s (%" PRIu64 " of %" PRIu64 ")\n", count > shown ? ", ..." : "", count,
                      report->seeds);
}

static void text_end(struct report *self, const struct totals *totals)
{
    struct text_report *report = CONTAINER_OF(self, struct text_report, report);
    const struct screen *screen = &self->options->screen;
    if (report->file)
        end_file(report);
    if (report->printed)
        (void)fputc('\n', screen->out);
    print_failing_seeds(report);
    const char *reason = text_get(&report->skipped);
    for (size_t i = 0; *reason && i < ARRAY_COUNT(report->skips); i++) {
        (void)fprintf(screen->out, "%s%" PRIu64 " %.*s", i ? ", " : "skipped: ", report->skips[i],
                      (int)strcspn(reason, "|"), reason);
        reason += strcspn(reason, "|");
        reason += *reason == '|';
    }
    if (report->skipped.length)
        (void)fputc('\n', screen->out);
    bool good = !totals->failed && totals->whole;
    (void)fprintf(screen->out, "%s%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped%s\n",
                  screen_on(screen, good ? SCREEN_GOOD : SCREEN_BAD), totals->passed,
                  totals->failed, totals->skipped, screen_off(screen));
    text_free(&report->skipped);
    base_free(report->failing);
    base_free(report);
}

struct report *report_text_open(const struct report_options *options)
{
    struct text_report *report = base_alloc(1, sizeof *report);
    report->report = (struct report){ options, text_verdict, text_end };
    if (options->seed_count > 1)
        report->failing = base_alloc(options->seed_count, 1);
    return &report->report;
}
