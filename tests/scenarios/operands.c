/* SPDX-License-Identifier: MIT */
/*
 * operands.c: an operand that cannot be computed ends the run, and says where.
 *
 *     operands SCENARIO...
 *
 * Numbers of the scenarios are divided by a zero that only the run knows, one number at a time: the
 * first for each statement and each of its attributes (`create size=`, `lock pages=`). Either the
 * text is refused, since the value has to be known before, or the run stops: "division by zero",
 * with its place in that line. Left out are expectations that compare: what cannot be computed
 * there is a failure like any other.
 */
#include "scenarios/lang/scenario.h"
#include "tests/support/read_file.h"
#include "tests/support/run_file.h"
#include "vidmm/base/base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS_MOST = 2000, FORM_BYTES = 80, NAME_BYTES = 24, SAID_BYTES = 400 };

static struct {
    char forms[FORMS_MOST][FORM_BYTES];
    size_t count, stopped, refused;
    unsigned wrong;
    uint32_t line;         /* of the first error or stop; 0: none */
    char said[SAID_BYTES]; /* it */
} seen;

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    bool ends = message->severity == SCENARIO_ERROR || message->severity == SCENARIO_STOPPED;
    if (!ends || seen.line)
        return;
    seen.line = message->at.line;
    (void)snprintf(seen.said, sizeof seen.said, "%s", message->text);
}

static bool is_new(const char *form)
{
    for (size_t i = 0; i < seen.count; i++)
        if (strcmp(seen.forms[i], form) == 0)
            return false;
    CHECK(seen.count < FORMS_MOST);
    (void)snprintf(seen.forms[seen.count++], FORM_BYTES, "%s", form);
    return true;
}

/* Runs the text with the number at `at` divided by zero. */
static void divide(const char *path, const char *text, const char *at, size_t length,
                   const char *form)
{
    static const char zero[] = "let zero_ = rand(0..0)\n";
    const char *second = strchr(text, '\n') + 1;
    size_t bytes = strlen(text) + sizeof zero + 32;
    char *changed = base_alloc(bytes, 1);
    uint32_t line = 2;
    (void)snprintf(changed, bytes, "%.*s%s%.*s(%.*s/$zero_)%s", (int)(second - text), text, zero,
                   (int)(at - second), second, (int)length, at, at + length);
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    struct scenario_host host = { .load = run_file_load, .message = hear };
    const struct scenario_options options = { .check_invariants = true };
    struct scenario_result result = { .exit = SCENARIO_EXIT_OK };
    seen.line = 0;
    struct scenario *scenario = scenario_parse(changed, strlen(changed), path, &host);
    bool understood = scenario_check(scenario);
    if (understood)
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(changed);
    bool stopped = understood && seen.line == line && strstr(seen.said, "division by zero") &&
                   result.exit == SCENARIO_EXIT_INPUT;
    seen.stopped += stopped;
    seen.refused += !understood && seen.line;
    if (stopped || (!understood && seen.line))
        return;
    (void)printf("%s:%u: %s: exit %d, %u: %s\n", path, line - 1, form, (int)result.exit,
                 seen.line ? seen.line - 1 : 0, seen.line ? seen.said : "nothing was said");
    seen.wrong++;
}

/* `expect no` and `expect state` hold patterns, as the lines of lists do. */
static bool compares(const char *start)
{
    return strncmp(start, "expect ", 7) == 0 && strncmp(start + 7, "no ", 3) != 0 &&
           strncmp(start + 7, "state ", 6) != 0;
}

/* The numbers of one line. */
static void look_at_line(const char *path, const char *text, const char *line, size_t length)
{
    char statement[NAME_BYTES] = "", attribute[NAME_BYTES] = "", form[FORM_BYTES];
    const char *start = line + strspn(line, " "), *end = line + length;
    (void)snprintf(statement, sizeof statement, "%.*s", (int)strcspn(start, " \n"), start);
    for (const char *at = start; at < end; at++) {
        if (*at == '#' || *at == '"' || strncmp(at, "->", 2) == 0)
            return;
        bool begins = at > line && (at[-1] == '=' || at[-1] == ' ');
        if (*at == '=') {
            const char *name = at;
            while (name > start &&
                   (isalnum((unsigned char)name[-1]) || name[-1] == '-' || name[-1] == '_'))
                name--;
            (void)snprintf(attribute, sizeof attribute, "%.*s", (int)(at - name), name);
        } else if (*at == ' ') {
            attribute[0] = '\0';
        }
        if (!begins || !isdigit((unsigned char)*at))
            continue;
        size_t digits = 0;
        while (isalnum((unsigned char)at[digits]))
            digits++;
        (void)snprintf(form, sizeof form, "%s %s", statement, attribute);
        if (is_new(form))
            divide(path, text, at, digits, form);
        at += digits - 1;
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *read;
        size_t bytes;
        if (!read_file(argv[i], &read, &bytes)) {
            (void)fprintf(stderr, "%s cannot be read\n", argv[i]);
            return 2;
        }
        char *text = base_strndup(read, bytes);
        base_free(read);
        const char *line = strchr(text, '\n') + 1; /* after the version */
        for (size_t length; *line; line += length + (line[length] != '\0')) {
            length = strcspn(line, "\n");
            if (!compares(line + strspn(line, " ")))
                look_at_line(argv[i], text, line, length);
        }
        base_free(text);
    }
    (void)printf("%zu operands: %zu end the run, %zu are refused before, %u wrong\n", seen.count,
                 seen.stopped, seen.refused, seen.wrong);
    return seen.wrong || !seen.stopped;
}
