/* SPDX-License-Identifier: MIT */
/*
 * compare_print.c: which numbers stand in which table, under which words?
 *
 * Text and Markdown are for people: two narrow tables for a file, rounded numbers. CSV has a row
 * for each run with every metric, exactly.
 */
#include "tools/lab/compare.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/screen.h"
#include "tools/lab/table.h"

struct column {
    const char *head;
    enum metric metric;
};

static const struct column of_residency[] = {
    { "hits", METRIC_HIT_RATIO },      { "byte hits", METRIC_BYTE_HIT_RATIO },
    { "misses", METRIC_MISSES },       { "x bound", METRIC_OVER_LEAST },
    { "in", METRIC_BYTES_IN },         { "out", METRIC_BYTES_OUT },
    { "evictions", METRIC_EVICTIONS }, { "refused", METRIC_REFUSALS },
};

static const struct column of_place[] = {
    { "stalled", METRIC_STALL },       { "time", METRIC_TIME },
    { "peak", METRIC_PEAK },           { "touched/peak", METRIC_REACH_RATIO },
    { "frag", METRIC_FRAGMENTS_TIME }, { "frag max", METRIC_FRAGMENTS_MOST },

};

static enum table_format table_format(enum compare_format format)
{
    return format == COMPARE_MARKDOWN ? TABLE_MARKDOWN : TABLE_TEXT;
}

/* ---- one file ---------------------------------------------------------------------------------
 */

static void print_columns(enum table_format format, const struct policies *policies,
                          const struct result *results, const struct column *columns, size_t count,
                          bool verdicts)
{
    struct table table = { .columns = 1 + count + verdicts };
    table_add(&table, "policy");
    for (size_t i = 0; i < count; i++)
        table_add(&table, columns[i].head);
    if (verdicts)
        table_add(&table, "verdict");
    for (size_t p = 0; p < policies->count; p++) {
        table_add(&table, policies->list[p].name);
        for (size_t i = 0; i < count; i++)
            table_add(&table, metrics_words(&results[p].measured.metrics, columns[i].metric).it);
        if (verdicts)
            table_add(&table, result_verdict(&results[p]));
    }
    table_print(&table, format, stdout);
    table_free(&table);
}

/* A row is as good as the optimum or worse, the lower bound as good or better; `belady`, which has
   to be among them, need not be the best. Half of a run says nothing. */
static void print_optimum(const struct policies *policies, const struct result *results)
{
    const char *name = NULL;
    uint64_t least = 0, most = UINT64_MAX;
    bool foreseen = false;
    for (size_t p = 0; p < policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        if (result_exit(&results[p]) > TOOL_FAILED || !metrics->known[METRIC_LEAST_MISSES])
            continue;
        foreseen |= policies_foresees(&policies->list[p]);
        if (metrics->value[METRIC_MISSES] >= most)
            continue;
        name = policies->list[p].name;
        least = metrics->value[METRIC_LEAST_MISSES];
        most = metrics->value[METRIC_MISSES];
    }
    if (foreseen && least == most)
        (void)printf("\nThe optimum is %" PRIu64 " misses.\n", least);
    else if (foreseen)
        (void)printf("\nThe optimum lies between %" PRIu64 " (lower bound) and %" PRIu64
                     " misses (%s).\n",
                     least, most, name);
}

static bool is_any_measured(const struct policies *policies, const struct result *results)
{
    bool measured = false;
    for (size_t p = 0; p < policies->count; p++)
        measured |= compare_is_measured(&results[p]);
    return measured;
}

/* What a file expects may be what its own policy does; then a better one fails it. Whether it does
   shows where it ran. */
static const char *failure_heading(const struct policies *policies, const struct result *results)
{
    bool failed = false, own_ran = false, own_failed = false;
    for (size_t p = 0; p < policies->count; p++) {
        bool own = strcmp(policies->list[p].name, "file") == 0;
        enum tool_exit code = result_exit(&results[p]);
        failed |= !own && code == TOOL_FAILED;
        own_failed |= own && code != TOOL_GOOD;
        own_ran |= own;
    }
    if (!failed || own_failed)
        return NULL;
    return own_ran ? "These policies fail an expectation that the file's own policy meets:"
                   : "What a file expects may hold under its own policy only. What failed:";
}

/* In one line where a program may search it, up to the edge of a terminal. */
static void print_message(enum table_format format, const char *policy, const char *message)
{
    struct screen screen;
    struct text line = { 0 };
    screen_init(&screen, stdout, SCREEN_COLOR_NEVER, SCREEN_LETTERS_ALL, 0);
    text_add(&line, "%s%s: ", format == TABLE_MARKDOWN ? "- " : "", policy);
    (void)fputs(text_get(&line), stdout);
    if (format == TABLE_TEXT && isatty(STDOUT_FILENO) == 1)
        wrap_from(&(struct wrap){ stdout, 2, screen.width }, (int)line.length, message);
    else
        (void)fputs(message, stdout);
    (void)fputc('\n', stdout);
    text_free(&line);
}

static void print_tables(enum table_format format, const struct measure_job *job,
                         const struct policies *policies, const struct result *results)
{
    if (format == TABLE_MARKDOWN) {
        (void)fputs("## ", stdout);
        table_put_markdown(stdout, job->file);
    } else {
        (void)fputs(job->file, stdout);
    }
    (void)puts("\n");
    if (!is_any_measured(policies, results)) {
        (void)puts("no run of it was measured");
        return;
    }
    print_columns(format, policies, results, of_residency, ARRAY_COUNT(of_residency), false);
    print_optimum(policies, results);
    (void)puts("");
    print_columns(format, policies, results, of_place, ARRAY_COUNT(of_place), true);
    const char *between = "\n";
    const char *heading = failure_heading(policies, results);
    if (heading) {
        (void)printf("\n%s\n", heading);
        between = format == TABLE_MARKDOWN ? "\n" : "";
    }
    for (size_t p = 0; p < policies->count; p++) {
        if (!results[p].measured.message[0] || !compare_is_measured(&results[p]))
            continue; /* the latter was told on stderr */
        (void)fputs(between, stdout);
        print_message(format, policies->list[p].name, results[p].measured.message);
        between = "";
    }
}

static void print_csv_rows(const struct measure_job *job, const struct policies *policies,
                           const struct result *results)
{
    struct table table = { .columns = 3 + METRICS };
    for (size_t p = 0; p < policies->count; p++) {
        table_add(&table, job->file);
        table_add(&table, policies->list[p].name);
        table_add(&table, result_verdict(&results[p]));
        for (int i = 0; i < METRICS; i++)
            table_add(&table, metrics_exact(&results[p].measured.metrics, (enum metric)i).it);
    }
    table_print(&table, TABLE_CSV, stdout);
    table_free(&table);
}

void compare_print_csv_head(void)
{
    struct table table = { .columns = 3 + METRICS };
    table_add(&table, "file");
    table_add(&table, "policy");
    table_add(&table, "verdict");
    for (int i = 0; i < METRICS; i++)
        table_add(&table, metric_info((enum metric)i)->name);
    table_print(&table, TABLE_CSV, stdout);
    table_free(&table);
}

void compare_print_file(enum compare_format format, const struct measure_job *job,
                        const struct policies *policies, const struct result *results)
{
    if (format == COMPARE_CSV)
        print_csv_rows(job, policies, results);
    else
        print_tables(table_format(format), job, policies, results);
}

/* ---- several files ----------------------------------------------------------------------------
 */

bool compare_summarize(const struct policies *policies, const struct result *results,
                       struct compare_summary *summaries)
{
    uint64_t least = UINT64_MAX;
    for (size_t p = 0; p < policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        metrics_sum(&summaries[p].metrics, metrics);
        summaries[p].passed += result_exit(&results[p]) == TOOL_GOOD;
        if (metrics->known[METRIC_MISSES])
            least = min_u64(least, metrics->value[METRIC_MISSES]);
    }
    for (size_t p = 0; p < policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        if (metrics->known[METRIC_MISSES] && metrics->value[METRIC_MISSES] == least)
            summaries[p].best++;
    }
    return is_any_measured(policies, results);
}

void compare_print_summary(enum compare_format format, const struct policies *policies,
                           const struct compare_summary *summaries, int measured, int files)
{
    static const struct column columns[] = {
        { "hits", METRIC_HIT_RATIO }, { "byte hits", METRIC_BYTE_HIT_RATIO },
        { "misses", METRIC_MISSES },  { "in", METRIC_BYTES_IN },
        { "out", METRIC_BYTES_OUT },  { "stalled", METRIC_STALL },
    };
    struct table table = { .columns = 3 + ARRAY_COUNT(columns) };
    bool markdown = format == COMPARE_MARKDOWN;
    if (measured == files)
        (void)printf(markdown ? "## All %d files\n\n" : "all %d files\n\n", files);
    else
        (void)printf("%s%d of %d files\n\n", markdown ? "## " : "", measured, files);
    table_add(&table, "policy");
    for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
        table_add(&table, columns[i].head);
    table_add(&table, "best in");
    table_add(&table, "passed");
    for (size_t p = 0; p < policies->count; p++) {
        table_add(&table, policies->list[p].name);
        for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
            table_add(&table, metrics_words(&summaries[p].metrics, columns[i].metric).it);
        table_add(&table, text_print("%" PRIu64, summaries[p].best).it);
        table_add(&table, text_print("%" PRIu64, summaries[p].passed).it);
    }
    table_print(&table, table_format(format), stdout);
    table_free(&table);
}
