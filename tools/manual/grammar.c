/* SPDX-License-Identifier: MIT */
/* grammar.c: which options has a command, and what can stand after each of them? */
#include "tools/common/options.h"

#include <ctype.h>
#include <string.h>

#include "tools/manual/parts.h"
#include "vidmm/base/base.h"

bool grammar_next_option(const struct argp *grammar, size_t *index, struct argp_option *option)
{
    static const struct argp_option help = { "help", 0, NULL, 0, "what the command does", 0 };
    const struct argp_option *row = NULL;
    if (!grammar || *index == SIZE_MAX)
        return false;
    while ((row = options_row(grammar, *index)) != NULL && row->flags & OPTION_HIDDEN)
        ++*index;
    *option = row ? *row : help;
    *index = row ? *index + 1 : SIZE_MAX;
    return true;
}

/* A table that says "text|jsonl" names the words that the command reads. */
static bool find_choices(const char *argument, struct completion *completion)
{
    if (!strchr(argument, '|') || !islower((unsigned char)*argument))
        return false;
    completion->kind =
        strcspn(argument, "=") < strcspn(argument, " ") ? COMPLETE_NAMES : COMPLETE_WORDS;
    completion->choices = argument;
    return true;
}

/* By what the table calls its value, then by the name of the option. */
struct completion completion_of_option(const struct argp_option *option)
{
    static const struct {
        const char *name;
        struct completion completion;
    } named[] = {
        { "set", { COMPLETE_NAMES, WORDS_SETTINGS, NULL } },
        { "with", { COMPLETE_NAMES, WORDS_SETTINGS, NULL } },
        { "policies", { COMPLETE_WORDS, WORDS_POLICIES, NULL } },
        { "record-kinds", { COMPLETE_WORDS, WORDS_EVENTS, NULL } },
        { "kinds", { COMPLETE_WORDS, WORDS_EVENTS, NULL } },
        { "area", { COMPLETE_WORDS, WORDS_AREAS, NULL } },
    };
    static const char *const files[] = { "FILE", "DIR", "LOG", "PATH", "FOLDER" };
    struct completion completion = { COMPLETE_NOTHING, WORD_KINDS, NULL };
    if (!option->arg || find_choices(option->arg, &completion))
        return completion;
    for (size_t i = 0; i < ARRAY_COUNT(named); i++)
        if (strcmp(option->name, named[i].name) == 0)
            return named[i].completion;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        if (strstr(option->arg, files[i]))
            completion.kind = COMPLETE_FILES;
    return completion;
}

struct completion completion_of_command(const struct command *command, const struct argp *grammar)
{
    static const struct {
        const char *arguments;
        struct completion completion;
    } rows[] = {
        { "", { COMPLETE_NOTHING, WORD_KINDS, NULL } },
        { "[STRUCTURE]", { COMPLETE_NOTHING, WORD_KINDS, NULL } },
        { "WORD...", { COMPLETE_WORDS, WORDS_EXPLAINED, NULL } },
        { "[EVENT...]", { COMPLETE_WORDS, WORDS_EVENTS, NULL } },
        { "[NAME]", { COMPLETE_WORDS, WORDS_POLICIES, NULL } },
        { "[COMMAND]", { COMPLETE_COMMANDS, WORD_KINDS, NULL } },
    };
    struct completion completion = { COMPLETE_FILES, WORD_KINDS, NULL };
    if (grammar && grammar->args_doc && find_choices(grammar->args_doc, &completion))
        return completion;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].arguments, command->arguments) == 0)
            completion = rows[i].completion;
    return completion;
}

void completion_print(FILE *out, const struct completion *completion, const char *escaped)
{
    const char *after = completion->kind == COMPLETE_NAMES ? "=" : "";
    struct word_list list = { 0 };
    if (completion->choices)
        words_split(completion->choices, &list);
    else
        words_list(completion->words, &list);
    for (size_t i = 0; i < list.count; i++) {
        (void)fputs(i ? " " : "", out);
        print_escaped(out, list.words[i], escaped);
        (void)fputs(after, out);
    }
    words_free(&list);
}

struct hearing {
    void (*hear)(void *context, const struct argp *grammar);
    void *context;
    bool heard;
};

static void pass_on(void *context, const struct argp *grammar)
{
    struct hearing *hearing = context;
    hearing->heard = true;
    hearing->hear(hearing->context, grammar);
}

void grammar_of(const struct command *command,
                void (*hear)(void *context, const struct argp *grammar), void *context)
{
    struct hearing hearing = { hear, context, false };
    /* Commands without options have a page of their own, and would print it. */
    if (strcmp(command->arguments, "[COMMAND]") != 0)
        options_describe(command->run, pass_on, &hearing);
    if (!hearing.heard)
        hear(context, NULL);
}

void print_escaped(FILE *out, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (strchr(escaped, *text))
            (void)fputc('\\', out);
        (void)fputc(*text == '\n' ? ' ' : *text, out);
    }
}
