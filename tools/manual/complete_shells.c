/* SPDX-License-Identifier: MIT */
/* complete_shells.c: which words complete a command line in zsh and in fish, and what are they? */
#include <string.h>

#include "tools/manual/parts.h"

struct shell {
    FILE *out;
    const struct manual *manual;
    const struct command *command;
};

static bool has_letter(const struct argp_option *option)
{
    return option->key > ' ' && option->key < 127;
}

/* In single quotes: a quote ends them, stands for itself, and begins new ones. */
static void print_quoted(FILE *out, const char *text, const char *escaped)
{
    for (; *text; text++) {
        const char one[] = { *text, '\0' };
        if (*text == '\'')
            (void)fputs("'\\''", out);
        else
            print_escaped(out, one, escaped);
    }
}

/* ---- zsh ----------------------------------------------------------------------------------- */

static void zsh_completion(FILE *out, const struct completion *completion)
{
    switch (completion->kind) {
    case COMPLETE_FILES: (void)fputs("_files", out); return;
    case COMPLETE_COMMANDS: (void)fputs("_vidmm_commands", out); return;
    case COMPLETE_NOTHING: return;
    case COMPLETE_WORDS:
        (void)fputs("(", out);
        completion_print(out, completion, "");
        (void)fputs(")", out);
        return;
    case COMPLETE_NAMES:
        (void)fputs("_vidmm_names ", out);
        completion_print(out, completion, "");
        return;
    }
}

static void zsh_option(FILE *out, const struct argp_option *option)
{
    (void)fputs(" \\\n            ", out);
    if (has_letter(option))
        (void)fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", (char)option->key, option->name,
                      (char)option->key, option->arg ? "+" : "", option->name,
                      option->arg ? "=" : "");
    else
        (void)fprintf(out, "'--%s%s[", option->name, option->arg ? "=" : "");
    print_quoted(out, option->doc, "[]\\:");
    (void)fputs("]", out);
    if (option->arg) {
        (void)fputs(":", out);
        print_quoted(out, option->arg, ":\\");
        (void)fputs(":", out);
        const struct completion completion = completion_of_option(option);
        zsh_completion(out, &completion);
    }
    (void)fputs("'", out);
}

static void zsh_command(void *context, const struct argp *grammar)
{
    const struct shell *shell = context;
    struct argp_option option;
    bool run = shell->command == shell->manual->commands;
    (void)fprintf(shell->out, "    %s)\n        _arguments -s", run ? "*" : shell->command->name);
    for (size_t i = 0; grammar_next_option(grammar, &i, &option);)
        zsh_option(shell->out, &option);
    const struct completion completion = completion_of_command(shell->command, grammar);
    if (completion.kind != COMPLETE_NOTHING) {
        (void)fputs(" \\\n            '*:word:", shell->out);
        zsh_completion(shell->out, &completion);
        (void)fputs("'", shell->out);
    }
    (void)fputs("\n        ;;\n", shell->out);
}

void complete_write_zsh(FILE *out, const struct manual *manual)
{
    (void)fputs("#compdef vidmm\n# Made by `vidmm manual zsh`.\n\n"
                "_vidmm_commands() {\n    local -a commands\n    commands=(\n",
                out);
    for (size_t i = 0; i < manual->count; i++) {
        (void)fprintf(out, "        '%s:", manual->commands[i].name);
        print_quoted(out, manual->commands[i].summary, ":\\");
        (void)fputs("'\n", out);
    }
    (void)fputs("    )\n    _describe -t commands 'command' commands\n}\n\n"
                "# NAME= and no space after it.\n"
                "_vidmm_names() {\n    compadd -S '' \"$@\"\n}\n\n"
                "_vidmm() {\n"
                "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
                "        _vidmm_commands\n        _files -g '*.vm[sb](-.)'\n        return\n"
                "    fi\n"
                "    local command=$words[2]\n"
                "    if [[ $command != [-./]* ]]; then\n"
                "        shift words\n        ((CURRENT--))\n    fi\n"
                "    case $command in\n",
                out);
    for (size_t i = 1; i <= manual->count; i++) { /* the first one is the last case: "*" */
        struct shell shell = { out, manual, &manual->commands[i % manual->count] };
        grammar_of(shell.command, zsh_command, &shell);
    }
    (void)fputs("    esac\n}\n\n_vidmm \"$@\"\n", out);
}

/* ---- fish ---------------------------------------------------------------------------------- */

static void fish_quoted(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    print_escaped(out, text, "'\\");
    (void)fputc('\'', out);
}

static void fish_completion(FILE *out, const struct completion *completion,
                            const struct manual *manual)
{
    if (completion->kind == COMPLETE_NOTHING || completion->kind == COMPLETE_FILES)
        return;
    (void)fputs(" -a '", out);
    for (size_t i = 0; completion->kind == COMPLETE_COMMANDS && i < manual->count; i++)
        (void)fprintf(out, "%s%s", i ? " " : "", manual->commands[i].name);
    if (completion->kind != COMPLETE_COMMANDS)
        completion_print(out, completion, "'\\");
    (void)fputs("'", out);
}

static void fish_command(void *context, const struct argp *grammar)
{
    const struct shell *shell = context;
    FILE *out = shell->out;
    const char *name = shell->command->name;
    struct argp_option option;
    (void)fprintf(out, "\ncomplete -c vidmm -n __fish_use_subcommand -a %s -d ", name);
    fish_quoted(out, shell->command->summary);
    (void)fputc('\n', out);
    struct completion completion = completion_of_command(shell->command, grammar);
    if (completion.kind != COMPLETE_FILES) {
        (void)fprintf(out, "complete -c vidmm -n '__vidmm_is %s' -f", name);
        fish_completion(out, &completion, shell->manual);
        (void)fputc('\n', out);
    }
    for (size_t i = 0; grammar_next_option(grammar, &i, &option);) {
        (void)fprintf(out, "complete -c vidmm -n '__vidmm_is %s'", name);
        if (has_letter(&option))
            (void)fprintf(out, " -s '%c'", (char)option.key);
        (void)fprintf(out, " -l %s", option.name);
        completion = completion_of_option(&option);
        if (option.arg)
            (void)fputs(completion.kind == COMPLETE_FILES ? " -r -F" : " -x", out);
        fish_completion(out, &completion, shell->manual);
        (void)fputs(" -d ", out);
        fish_quoted(out, option.doc);
        (void)fputc('\n', out);
    }
}

/* As in bash: what is no command, or is not there yet, means the first one. */
static void fish_head(FILE *out, const struct manual *manual)
{
    (void)fputs("# fish completion for vidmm, made by `vidmm manual fish`.\n\n"
                "function __vidmm_is\n    set -l words (commandline -opc)\n"
                "    if contains -- \"$words[2]\"",
                out);
    for (size_t i = 0; i < manual->count; i++)
        (void)fprintf(out, " %s", manual->commands[i].name);
    (void)fprintf(out,
                  "\n        test \"$words[2]\" = $argv[1]\n    else\n        test %s = "
                  "$argv[1]\n    end\nend\n",
                  manual->commands[0].name);
}

void complete_write_fish(FILE *out, const struct manual *manual)
{
    fish_head(out, manual);
    for (size_t i = 0; i < manual->count; i++) {
        struct shell shell = { out, manual, &manual->commands[i] };
        grammar_of(shell.command, fish_command, &shell);
    }
}
