/* SPDX-License-Identifier: MIT */
/* complete_bash.c: which words complete a command line in bash? */
#include <string.h>

#include "tools/manual/parts.h"

static const char head[] =
    "# bash completion for vidmm, made by `vidmm manual bash`.\n\n"
    "# Folders and scenarios; what is no scenario only if there is none.\n"
    "_vidmm_files() {\n"
    "    local file\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r file; do\n"
    "        if [[ -d $file || $file == *.vm[sb] ]]; then COMPREPLY+=(\"$file\"); fi\n"
    "    done < <(compgen -f -- \"$1\")\n"
    "    if ((${#COMPREPLY[@]} == 0)); then\n"
    "        while IFS= read -r file; do COMPREPLY+=(\"$file\"); done < <(compgen -f -- \"$1\")\n"
    "    fi\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    return 0\n"
    "}\n\n"
    "_vidmm_words() {\n"
    "    local word\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$2\" -- "
    "\"$1\")\n"
    "    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then\n"
    "        compopt -o nospace 2>/dev/null\n"
    "    fi\n"
    "    return 0\n"
    "}\n\n"
    "_vidmm() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]-} options=''\n"
    "    COMPREPLY=()\n"
    "    # --name=value comes as three words.\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=''\n"
    "    elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
    "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

static void write_commands(FILE *out, const struct manual *manual)
{
    for (size_t i = 0; i < manual->count; i++)
        (void)fprintf(out, "%s%s", i ? " " : "", manual->commands[i].name);
}

static void write_completion(FILE *out, const struct completion *completion,
                             const struct manual *manual)
{
    switch (completion->kind) {
    case COMPLETE_FILES: (void)fputs("_vidmm_files \"$cur\"", out); return;
    case COMPLETE_NOTHING: (void)fputs(":", out); return;
    case COMPLETE_WORDS:
    case COMPLETE_NAMES:
        (void)fputs("_vidmm_words \"$cur\" '", out);
        completion_print(out, completion, "");
        break;
    case COMPLETE_COMMANDS:
        (void)fputs("_vidmm_words \"$cur\" '", out);
        write_commands(out, manual);
        break;
    }
    (void)fputs("'", out);
}

struct bash {
    FILE *out;
    const struct manual *manual;
    const struct command *command;
};

/* `run` is also what a file as the first word, or an option, means. */
static void write_command(void *context, const struct argp *grammar)
{
    const struct bash *bash = context;
    FILE *out = bash->out;
    struct argp_option option;
    (void)fprintf(out, "    %s)\n        case $before in\n",
                  bash->command == bash->manual->commands ? "*" : bash->command->name);
    for (size_t i = 0; grammar_next_option(grammar, &i, &option);) {
        if (!option.arg)
            continue;
        (void)fprintf(out, "        --%s", option.name);
        if (option.key > ' ' && option.key < 127)
            (void)fprintf(out, "|-%c", (char)option.key);
        (void)fputs(") ", out);
        const struct completion completion = completion_of_option(&option);
        write_completion(out, &completion, bash->manual);
        (void)fputs("; return ;;\n", out);
    }
    (void)fputs("        esac\n        options='", out);
    for (size_t i = 0; grammar_next_option(grammar, &i, &option);)
        (void)fprintf(out, "--%s%s ", option.name, option.arg ? "=" : "");
    (void)fputs("'\n        if [[ $cur == -* ]]; then _vidmm_words \"$cur\" \"$options\"; "
                "return; fi\n        ",
                out);
    const struct completion completion = completion_of_command(bash->command, grammar);
    write_completion(out, &completion, bash->manual);
    (void)fputs("\n        ;;\n", out);
}

void complete_write_bash(FILE *out, const struct manual *manual)
{
    (void)fputs(head, out);
    (void)fputs("    if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then\n"
                "        _vidmm_words \"$cur\" '",
                out);
    write_commands(out, manual);
    (void)fputs("'\n"
                "        if ((${#COMPREPLY[@]} == 0)); then _vidmm_files \"$cur\"; fi\n"
                "        return\n"
                "    fi\n"
                "    case $command in\n",
                out);
    for (size_t i = 1; i <= manual->count; i++) { /* the first one is the last case: "*" */
        struct bash bash = { out, manual, &manual->commands[i % manual->count] };
        grammar_of(bash.command, write_command, &bash);
    }
    (void)fputs("    esac\n}\n\ncomplete -F _vidmm vidmm\n", out);
}
