/* SPDX-License-Identifier: MIT */
/* cmd_step.c: `vidmm step FILE`: what is on its command line, and what does it exit with? */
#include <string.h>

#include "tools/common/host.h"
#include "tools/step/session.h"
#include "tools/step/step.h"

static void check_files(const struct options_words *files, struct argp_state *state)
{
    if (files->count > 1)
        argp_error(state, "one file at a time, not '%s' too", files->first[1]);
    else if (strcmp(files->first[0], "-") == 0)
        argp_error(state, "commands come from stdin, so the scenario has to be a file");
}

static error_t cmd_step_parse(int key, char *word, struct argp_state *state)
{
    struct run_line *line = state->input;
    (void)word;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = state->child_inputs[2] =
            state->child_inputs[3] = state->child_inputs[4] = line;
        return 0;
    case ARGP_KEY_END: check_files(&line->files, state); return 0;
    default:
        return options_words(&line->files,
                             "a file to step through is missing, such as "
                             "scenarios/lessons/03-no-room.vms",
                             key, state);
    }
}

static enum tool_exit step_through(struct run_line *line)
{
    struct session *session = base_alloc(1, sizeof *session);
    session_open(session, line);
    enum tool_exit code = run_file_open(&session->host, line, line->files.first[0], &session->file);
    code = run_file_only(&session->host.tests, line->options.only, code);
    if (code == TOOL_GOOD)
        code = session_hold(session);
    session_close(session);
    base_free(session);
    return code;
}

int cmd_step(int argc, char **argv)
{
    static const struct argp_child children[] = {
        { .argp = &run_options_story },   { .argp = &run_options_given },
        { .argp = &run_options_chosen },  { .argp = &run_options_policy },
        { .argp = &run_options_letters }, { 0 }
    };
    static const struct argp grammar = {
        .children = children,
        .parser = cmd_step_parse,
        .args_doc = "FILE",
        .doc =
            "Runs a scenario one step at a time, forwards and back, and answers questions about "
            "each moment: what lies where, what a node has to do, and why the last decision was "
            "taken. Commands come from stdin; 'help' lists them. On a terminal lines can be "
            "edited, and Tab completes words; elsewhere each command is printed after its prompt.\v"
            "Examples:\n"
            "  vidmm step scenarios/lessons/03-no-room.vms\n"
            "  printf 'to evict\\nwhy\\nmap vram\\n' | vidmm step FILE\n"
            "  printf 'break fail\\nrun\\nwhy\\nback\\nmap\\n' | vidmm step FILE\n\n"
            "An event is known by its number, the member 'seq' of 'vidmm run --format=jsonl'; in "
            "a file with tests each of them counts from 1. Going back runs the file again from "
            "the start, which takes as long as it took to come.\n\n"
            "Exit codes: 0 as it should be, as far as the run came; 1 an expectation failed, or a "
            "place that 'to' names never came (but fail) and a file or a pipe asked for it, 2 "
            "wrong command line, or a wrong command that came from a file or a pipe, 3 the file "
            "is missing or has errors, 4 stopped by a limit or for want of memory, 5 the "
            "simulated system stopped unexpectedly, 70 a bug of vidmm, 130 interrupted by Ctrl-C "
            "(which on a terminal leads to the next command).",
    };
    struct run_line line = { .shown.to = UINT64_MAX };
    if (!options_parse(&grammar, argc, argv, &line))
        return TOOL_USAGE;
    line.options.tell_statements = true;
    screen_init(&line.shown.screen, stdout, line.color, line.letters, 0);
    return host_end(step_through(&line));
}
