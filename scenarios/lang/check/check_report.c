/* SPDX-License-Identifier: MIT */
/*
 * check_report.c: how a mistake is reported, and the variables of a text.
 */
#include "scenarios/lang/check/checker.h"

#include <stdarg.h>

enum { REPORT_BYTES = 1024 };

void check_report(struct checker *checker, struct place at, const char *help, const char *format,
                  ...)
{
    char text[REPORT_BYTES];
    checker->problem = true;
    if (checker->numbers)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    message_error(checker->scenario, at, help, "%s", text);
}

const char *check_word(const struct checker *checker, word name)
{
    return words_text(&checker->scenario->words, name);
}

const char *check_spelled(const struct checker *checker, struct place at, char *text, size_t bytes)
{
    const char *source = checker->scenario->sources[at.source]->text;
    return text_format(text, bytes, "%.*s", (int)at.length, source + at.offset);
}

bool check_silent(const struct statement *statement)
{
    return statement->outcome && statement->outcome->kind != OUTCOME_OK;
}

/* ---- variables ------------------------------------------------------------------------------ */

bool check_has_variable(const struct checker *checker, word name, struct variable **variable)
{
    for (size_t i = checker->variable_count; i; i--) {
        if (checker->variables[i - 1].name == name) {
            *variable = &checker->variables[i - 1];
            return true;
        }
    }
    return false;
}

void check_declare_variable(struct checker *checker, word name, bool constant, uint64_t value)
{
    BASE_GROW(checker->variables, checker->variable_capacity, checker->variable_count + 1);
    checker->variables[checker->variable_count++] =
        (struct variable){ .name = name, .constant = constant, .value = value };
}
