/* SPDX-License-Identifier: MIT */
/*
 * man.c: vidmm(1), from the table of subcommands and the options that each of them reads.
 */
#include <ctype.h>
#include <string.h>

#include "tools/manual/parts.h"

static void write_option(FILE *out, const struct argp_option *option)
{
    (void)fputs(".TP\n", out);
    if (isgraph(option->key) && option->key < 128) {
        (void)fputs("\\fB\\-", out);
        roff_word(out, (const char[]){ (char)option->key, '\0' });
        (void)fprintf(out, "\\fR%s%s, ", option->arg ? " " : "", option->arg ? option->arg : "");
    }
    (void)fputs("\\fB\\-\\-", out);
    roff_word(out, option->name);
    (void)fprintf(out, "\\fR%s", option->arg ? "=" : "");
    roff_word(out, option->arg ? option->arg : "");
    (void)fputc('\n', out);
    roff_text(out, option->doc);
}

/* A line for each way to call it. */
static void write_calls(FILE *out, const char *name, const char *arguments)
{
    do {
        size_t length = strcspn(arguments, "\n");
        char line[160];
        (void)snprintf(line, sizeof line, "%.*s", (int)length, arguments);
        (void)fprintf(out, ".br\n\\fBvidmm %s\\fR [OPTION...] ", name);
        roff_word(out, line);
        (void)fputc('\n', out);
        arguments += length + (arguments[length] != '\0');
    } while (*arguments);
}

struct section {
    FILE *out;
    const struct command *command;
};

static void write_command(void *context, const struct argp *grammar)
{
    const struct section *section = context;
    FILE *out = section->out;
    struct argp_option option;
    const char *arguments = grammar && grammar->args_doc ? grammar->args_doc : "";
    (void)fprintf(out, ".SS %s\n", section->command->name);
    write_calls(out, section->command->name, grammar ? arguments : section->command->arguments);
    (void)fputs(".PP\n", out);
    roff_text(out, grammar && grammar->doc ? grammar->doc : section->command->summary);
    for (size_t i = 0; grammar_next_option(grammar, &i, &option);)
        write_option(out, &option);
}

void man_write_program(FILE *out, const struct manual *manual)
{
    (void)fputs(".TH VIDMM 1 \"\" \"vidmm " VIDMM_VERSION "\" \"User Commands\"\n.ad l\n"
                ".SH NAME\nvidmm \\- simulates the video memory manager of Windows\n"
                ".SH SYNOPSIS\n\\fBvidmm\\fR FILE...\n"
                ".br\n\\fBvidmm\\fR COMMAND [OPTION...] [ARGUMENT...]\n"
                ".SH DESCRIPTION\n",
                out);
    roff_text(out, manual->about);
    (void)fputs(".PP\n", out);
    for (size_t i = 0; i < manual->count; i++) {
        (void)fprintf(out, ".TP\n\\fB%s\\fR ", manual->commands[i].name);
        roff_word(out, manual->commands[i].arguments);
        (void)fputc('\n', out);
        roff_text(out, manual->commands[i].summary);
    }
    (void)fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < manual->count; i++) {
        struct section section = { out, &manual->commands[i] };
        grammar_of(section.command, write_command, &section);
    }
    (void)fputs(".SH EXIT STATUS\n", out);
    roff_text(out, manual->exits);
    (void)fputs(".SH SEE ALSO\n.BR vidmm\\-scenario (5)\n", out);
}
