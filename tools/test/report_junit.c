/* SPDX-License-Identifier: MIT */
/*
 * report_junit.c: verdicts as JUnit XML: a suite for each file, a case for each test and seed.
 *
 * The counts of all stand in the first element, so the suites wait in a temporary file. There is no
 * time in it: the same verdicts are the same bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/text.h"
#include "tools/test/report.h"

struct junit_report {
    struct report report;
    FILE *suites;      /* that ended */
    char *file;        /* of the present suite, NULL: none */
    struct text cases; /* of the present suite */
    struct totals here;
    unsigned errors_here, errors; /* tests that were broken off, of it and of all */
};

/* ---- XML --------------------------------------------------------------------------------------
 */

static void add_attribute(struct text *text, const char *name, const char *value)
{
    text_add(text, " %s=\"", name);
    text_add_xml(text, value, strlen(value));
    text_add(text, "\"");
}

/* Between tags a line break stays one. */
static void add_content(struct text *text, const char *content)
{
    while (*content) {
        size_t length = strcspn(content, "\n");
        text_add_xml(text, content, length);
        content += length;
        if (*content)
            text_add(text, "\n");
        content += *content != 0;
    }
}

/* ---- cases ------------------------------------------------------------------------------------
 */

static void add_messages(struct text *text, const struct verdict *verdict, const struct unit *unit,
                         bool complaints)
{
    for (size_t i = unit->first; i < unit->first + unit->count; i++) {
        const struct unit_message *message = &verdict->messages[i];
        bool complaint = unit_complains(message);
        if (complaint == complaints && !(complaint && message->foreseen))
            add_content(text, message->rendered);
    }
}

/* What was expected and what came instead, for readers that show a failure in one line: the first
   two lines below the statement. */
static void add_reason(struct text *text, const char *rendered)
{
    static const char indent[] = "   ", circumstances[] = "   in test \"";
    const char *between = ": ";
    for (int lines = 0; lines < 2 && (rendered = strchr(rendered, '\n')) != NULL; lines++) {
        size_t length = strcspn(++rendered, "\n");
        if (strncmp(rendered, indent, strlen(indent)) != 0 ||
            strncmp(rendered, circumstances, strlen(circumstances)) == 0)
            return;
        text_add(text, "%s%.*s", between, (int)(length - strlen(indent)),
                 rendered + strlen(indent));
        between = "; ";
    }
}

static void add_failure(struct text *text, const struct verdict *verdict, const struct unit *unit)
{
    struct text words = { 0 };
    const struct unit_message *first = NULL;
    for (size_t i = unit->first; i < unit->first + unit->count && !first; i++)
        if (!unit_complains(&verdict->messages[i]))
            first = &verdict->messages[i];
    if (first)
        text_add(&words, "%s", first->text);
    if (first && first->severity == SCENARIO_FAILED && !first->golden)
        add_reason(&words, first->rendered);
    text_add(text, "      <failure");
    add_attribute(text, "type", first && first->golden ? "golden" : verdict_kind(verdict));
    add_attribute(text, "message", text_get(&words));
    text_add(text, ">");
    add_messages(text, verdict, unit, false);
    text_add(text, "</failure>\n");
    text_free(&words);
}

static void add_case(struct junit_report *report, const struct verdict *verdict,
                     const struct unit *unit)
{
    struct text *text = &report->cases;
    struct text name = { 0 }, output = { 0 };
    text_add(&name, "%s", *unit->name ? unit->name : verdict->file);
    if (verdict->seeded)
        text_add(&name, " [seed %" PRIu64 "]", verdict->seed);
    text_add(text, "    <testcase");
    add_attribute(text, "name", text_get(&name));
    add_attribute(text, "classname", verdict->file);
    add_attribute(text, "file", verdict->file);
    text_add(text, " line=\"%" PRIu32 "\">\n", unit->line + !unit->line);
    if (unit->state == UNIT_FAILED)
        add_failure(text, verdict, unit);
    if (unit->state < UNIT_PASSED)
        text_add(text, "      <error type=\"interrupted\" message=\"broken off\"/>\n");
    if (unit->state == UNIT_SKIPPED) {
        text_add(text, "      <skipped");
        add_attribute(text, "message", unit->why);
        text_add(text, "/>\n");
    }
    add_messages(&output, verdict, unit, true);
    if (output.length)
        text_add(text, "      <system-out>%s</system-out>\n", text_get(&output));
    text_add(text, "    </testcase>\n");
    text_free(&name);
    text_free(&output);
}

/* ---- suites -----------------------------------------------------------------------------------
 */

static void add_counts(struct text *text, const struct totals *totals, unsigned errors)
{
    text_add(text,
             " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%u\" skipped=\"%" PRIu64
             "\"",
             totals->passed + totals->failed + totals->skipped + errors, totals->failed, errors,
             totals->skipped);
}

/* A file of which no test was chosen has no suite. */
static void end_suite(struct junit_report *report)
{
    struct text head = { 0 };
    if (!report->file)
        return;
    text_add(&head, "  <testsuite");
    add_attribute(&head, "name", report->file);
    add_counts(&head, &report->here, report->errors_here);
    if (report->cases.length)
        (void)fprintf(report->suites, "%s>\n%s  </testsuite>\n", text_get(&head),
                      text_get(&report->cases));
    text_free(&head);
    text_clear(&report->cases);
    base_free(report->file);
    report->file = NULL;
    report->here = (struct totals){ 0 };
    report->errors += report->errors_here;
    report->errors_here = 0;
}

static void junit_verdict(struct report *self, const struct verdict *verdict)
{
    struct junit_report *report = CONTAINER_OF(self, struct junit_report, report);
    uint64_t last = self->options->seed_first + self->options->seed_count - 1;
    if (!report->file)
        report->file = base_strndup(verdict->file, strlen(verdict->file));
    for (size_t i = 0; i < verdict->unit_count; i++) {
        const struct unit *unit = &verdict->units[i];
        if (unit->state < UNIT_PASSED && verdict->known)
            continue;
        report->errors_here += unit->state < UNIT_PASSED;
        report->here.passed += unit->state == UNIT_PASSED;
        report->here.failed += unit->state == UNIT_FAILED;
        report->here.skipped += unit->state == UNIT_SKIPPED;
        add_case(report, verdict, unit);
    }
    if (!self->options->seed_count || verdict->seed == last)
        end_suite(report);
}

/* What did not run must not look like what passed. */
static void print_unfinished(FILE *out)
{
    struct text suite = { 0 };
    text_add(&suite, "  <testsuite name=\"vidmm test\"");
    add_counts(&suite, &(struct totals){ 0 }, 1);
    (void)fprintf(out,
                  "%s>\n"
                  "    <testcase name=\"all files\" classname=\"vidmm test\">\n"
                  "      <error type=\"unfinished\" message=\"not all files were run\"/>\n"
                  "    </testcase>\n"
                  "  </testsuite>\n",
                  text_get(&suite));
    text_free(&suite);
}

static void junit_end(struct report *self, const struct totals *totals)
{
    struct junit_report *report = CONTAINER_OF(self, struct junit_report, report);
    FILE *out = self->options->screen.out;
    struct text head = { 0 };
    char piece[4096];
    size_t count;
    end_suite(report);
    text_add(&head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vidmm test\"");
    add_counts(&head, totals, report->errors + !totals->whole);
    (void)fprintf(out, "%s>\n", text_get(&head));
    rewind(report->suites);
    while ((count = fread(piece, 1, sizeof piece, report->suites)) > 0)
        (void)fwrite(piece, 1, count, out);
    (void)fclose(report->suites);
    if (!totals->whole)
        print_unfinished(out);
    (void)fputs("</testsuites>\n", out);
    text_free(&head);
    text_free(&report->cases);
    base_free(report);
}

struct report *report_junit_open(const struct report_options *options)
{
    struct junit_report *report = base_alloc(1, sizeof *report);
    report->report = (struct report){ options, junit_verdict, junit_end };
    report->suites = tmpfile();
    if (!report->suites) {
        (void)fprintf(stderr, "vidmm: a temporary file: %s\n", strerror(errno));
        exit(TOOL_LIMIT);
    }
    return &report->report;
}
