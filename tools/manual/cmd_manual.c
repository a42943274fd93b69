/* SPDX-License-Identifier: MIT */
/*
 * cmd_manual.c: `vidmm manual WHAT`: man pages, shell completion, colours for editors.
 *
 * All of them are made of the tables that the parser and the command line read, by the program that
 * has them: there is no second list that could be forgotten, and what is printed fits the program
 * that prints it.
 */
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/options.h"
#include "tools/common/output.h"
#include "tools/common/text.h"
#include "tools/manual/parts.h"

static const struct manual_kind {
    const char *name, *what;
    manual_write *write;
} kinds[] = {
    { "man", "the manual page vidmm(1)", man_write_program },
    { "scenario", "the manual page vidmm-scenario(5), of the language", man_write_language },
    { "bash", "completion for bash", complete_write_bash },
    { "zsh", "completion for zsh", complete_write_zsh },
    { "fish", "completion for fish", complete_write_fish },
    { "vim", "a syntax file for Vim", editor_write_vim },
    { "textmate", "a TextMate grammar, as JSON", editor_write_textmate },
};

struct manual_line {
    const struct manual_kind *kind;
    const char *output; /* NULL: stdout */
};

static void find_kind(struct manual_line *line, const char *word, struct argp_state *state)
{
    struct text list = { 0 };
    for (size_t i = 0; i < ARRAY_COUNT(kinds) && !line->kind; i++) {
        if (strcmp(kinds[i].name, word) == 0)
            line->kind = &kinds[i];
        text_add(&list, "%s%s", i ? ", " : "", kinds[i].name);
    }
    if (!line->kind)
        argp_error(state, "'%s' is nothing that the manual has: %s", word, text_get(&list));
    text_free(&list);
}

static error_t parse_manual(int key, char *argument, struct argp_state *state)
{
    struct manual_line *line = state->input;
    switch (key) {
    case 'o': line->output = argument; return 0;
    case ARGP_KEY_ARG:
        if (line->kind)
            argp_error(state, "one at a time: '%s' is too much", argument);
        find_kind(line, argument, state);
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "what is missing, such as bash"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void describe_kinds(struct text *text)
{
    text_add(text, "Prints the manual for man, shells and editors.\vWHAT is one of:\n");
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        text_add(text, "  %-10s %s\n", kinds[i].name, kinds[i].what);
    text_add(text, "\n`cmake --install` puts each where the system looks for it. By hand:\n"
                   "  source <(vidmm manual bash)\n"
                   "  vidmm manual zsh -o ~/.zfunc/_vidmm\n"
                   "  vidmm manual fish -o ~/.config/fish/completions/vidmm.fish\n"
                   "  vidmm manual vim -o ~/.vim/syntax/vidmm.vim\n");
}

int manual_command(const struct manual *manual, int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "output", 'o', "FILE", 0, "where it goes; stdout without it", 0 },
        { 0 },
    };
    struct text help = { 0 };
    describe_kinds(&help);
    const struct argp grammar = { .options = options,
                                  .parser = parse_manual,
                                  .args_doc = "man|scenario|bash|zsh|fish|vim|textmate",
                                  .doc = text_get(&help) };
    struct manual_line line = { .kind = NULL };
    struct output output;
    bool good = options_parse(&grammar, argc, argv, &line);
    text_free(&help);
    if (!good)
        return TOOL_USAGE;
    if (!output_begin(&output, line.output))
        return TOOL_INPUT;
    line.kind->write(output.file, manual);
    return output_end(&output, true) && host_flush() ? TOOL_GOOD : TOOL_INPUT;
}
