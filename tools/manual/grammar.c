/* SPDX-License-Identifier: MIT */
/* grammar.c: which options has a command, and what can stand after each of them? */
#include "tools/common/options.h"

#include <string.h>

#include "tools/manual/parts.h"
#include "vidmm/base/base.h"

bool grammar_next_option(const struct argp *grammar, size_t *index, struct argp_option *option)
{
    static const struct argp_option help = { "help", 0, NULL, 0, "what the command does", 0 };
    const struct argp_option *rows = grammar ? grammar->options : NULL;
    if (!grammar || *index == SIZE_MAX)
        return false;
    while (rows && rows[*index].name && rows[*index].flags & OPTION_HIDDEN)
        ++*index;
    bool more = rows && rows[*index].name;
    *option = more ? rows[*index] : help;
    *index = more ? *index + 1 : SIZE_MAX;
    return true;
}

/* By the name of the option, then by what the table calls its value. */
enum completion completion_of_option(const struct argp_option *option, enum word_kind *words)
{
    static const struct {
        const char *name;
        enum word_kind words;
    } named[] = {
        { "set", WORDS_SETTINGS },
        { "with", WORDS_SETTINGS },
        { "policies", WORDS_POLICIES },
        { "record-kinds", WORDS_EVENTS },
    };
    static const char *const files[] = { "FILE", "DIR", "LOG", "PATH", "FOLDER", "KIND:FILE" };
    if (!option->arg)
        return COMPLETE_NOTHING;
    for (size_t i = 0; i < ARRAY_COUNT(named); i++)
        if (strcmp(option->name, named[i].name) == 0) {
            *words = named[i].words;
            return COMPLETE_WORDS;
        }
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        if (strstr(option->arg, files[i]))
            return COMPLETE_FILES;
    return COMPLETE_NOTHING;
}

enum completion completion_of_command(const struct command *command, enum word_kind *words)
{
    static const struct {
        const char *arguments;
        enum completion completion;
        enum word_kind words;
    } rows[] = {
        { "", COMPLETE_NOTHING, WORD_KINDS },
        { "KIND", COMPLETE_NOTHING, WORD_KINDS },
        { "[STRUCTURE]", COMPLETE_NOTHING, WORD_KINDS },
        { "WORD...", COMPLETE_WORDS, WORDS_EXPLAINED },
        { "[EVENT...]", COMPLETE_WORDS, WORDS_EVENTS },
        { "[NAME]", COMPLETE_WORDS, WORDS_POLICIES },
        { "[COMMAND]", COMPLETE_COMMANDS, WORD_KINDS },
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].arguments, command->arguments) == 0) {
            *words = rows[i].words;
            return rows[i].completion;
        }
    return COMPLETE_FILES;
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
