/* SPDX-License-Identifier: MIT */
/*
 * main.c: which subcommand is meant.
 *
 * The first word names it; a first word that is a file is run. Everything else is the subcommand's
 * own business.
 */
#include <stdio.h>
#include <string.h>

#include "tools/bench/bench.h"
#include "tools/common/host.h"
#include "tools/common/text.h"
#include "tools/convert/convert.h"
#include "tools/lab/lab.h"
#include "tools/make/make.h"
#include "tools/manual/manual.h"
#include "tools/quiz/quiz.h"
#include "tools/record/record.h"
#include "tools/step/step.h"
#include "tools/sweep/sweep.h"
#include "tools/test/test.h"
#include "tools/tools.h"
#include "tools/view/view.h"

static int cmd_help(int argc, char **argv);
static int cmd_manual(int argc, char **argv);

static const struct command commands[] = {
    { "run", cmd_run, "FILE...", "run scenarios and report what happens" },
    { "view", cmd_view, "FILE [FILE]", "a page for the browser: what lay where, when, and why" },
    { "step", cmd_step, "FILE", "run one step at a time, forwards and back, and ask why" },
    { "trace", cmd_trace, "FILE...", "write a run as a trace for Perfetto" },
    { "diff", cmd_diff, "A [B]", "which decisions of two runs differ" },
    { "quiz", cmd_quiz, "FILE...", "ask the questions of lessons and exercises, and count" },
    { "test", cmd_test, "PATH...", "run files and folders as tests, in parallel" },
    { "check", cmd_check, "FILE...", "look for errors without running" },
    { "fmt", cmd_fmt, "FILE...", "print scenarios in the canonical layout" },
    { "compare", cmd_compare, "FILE...", "run scenarios under several policies, side by side" },
    { "make", cmd_make, "KIND", "write a workload: game, video, training, llm" },
    { "convert", cmd_convert, "INPUT", "make a scenario of a cache trace or an allocation trace" },
    { "sweep", cmd_sweep, "PLAN", "run all that a plan combines, on one machine or many" },
    { "bench", cmd_bench, "[NAME...]", "how fast this machine reads, checks, runs and tells" },
    { "report", cmd_report, "FILE...", "how much memory an adapter has, as it is reported" },
    { "explain", cmd_explain, "WORD...", "what a rule, flag, status, event or setting means" },
    { "events", cmd_events, "[EVENT...]", "list the events of a run, and their fields" },
    { "flags", cmd_flags, "[STRUCTURE]", "list the documented flags" },
    { "policies", cmd_policies, "[NAME]", "list the policies of placement and eviction" },
    { "rules", cmd_rules, "", "list the rules of the memory manager" },
    { "manual", cmd_manual, "WHAT", "man pages, completion for shells, colours for editors" },
    { "help", cmd_help, "[COMMAND]", "this page, or the options of a command" },
};

static const char about[] =
    "vidmm simulates the video memory manager of Windows (VidMm): it runs a scenario,\n"
    "a text file that creates, uses and locks allocations, and reports where each of\n"
    "them goes, when, and by which rule.\n";

static const char exits[] =
    "Exit codes: 0 all as expected, 1 an expectation failed, 2 wrong command line,\n"
    "3 a file is missing or has errors, 4 stopped by a limit or for want of memory,\n"
    "5 the simulated system stopped unexpectedly, 70 a bug of vidmm,\n"
    "130 interrupted by Ctrl-C.\n";

static void print_help(FILE *out)
{
    (void)fputs(about, out);
    (void)fputs("\nUsage: vidmm FILE...\n"
                "       vidmm COMMAND [OPTION...] [ARGUMENT...]\n\n"
                "Begin with:\n"
                "  vidmm scenarios/lessons/01-segments.vms   the first lesson\n"
                "  vidmm run --why FILE                      with the rule behind each step\n"
                "  vidmm explain PLACE-006                   what that rule says\n\n"
                "Commands:\n",
                out);
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        (void)fprintf(out, "  %-8s %-12s %s\n", commands[i].name, commands[i].arguments,
                      commands[i].summary);
    (void)fputs("\n'vidmm COMMAND --help' lists the options of a command.\n\n", out);
    (void)fputs(exits, out);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* `argv[0]` is replaced by the name of the command, in a copy. */
static int run_command(const struct command *command, int argc, char **argv)
{
    char name[32];
    char **copy = base_alloc((size_t)argc + 1, sizeof *copy);
    (void)snprintf(name, sizeof name, "vidmm %s", command->name);
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    copy[0] = name;
    int code = command->run(argc, copy);
    base_free(copy);
    return code;
}

/* What is called otherwise here. */
static const char *main_habit_of(const char *word)
{
    static const struct {
        const char *words, *help;
    } habits[] = {
        { "lesson|lessons|learn|tutorial|start|begin|course",
          "the first lesson is `vidmm scenarios/lessons/01-segments.vms`" },
        { "ask|questions|exam|exercise|exercises|score|grade",
          "`vidmm quiz FILE` asks the questions of a lesson" },
        { "scenario|scenarios|examples|list", "scenarios are files: `vidmm run FILE`" },
        { "import|pack|unpack|twin|trace2vms", "write `vidmm convert INPUT -o FILE`" },
        { "generate|workload|workloads|gen", "write `vidmm make KIND`; kinds are game, video, "
                                             "training and llm" },
        { "version|about", "write `vidmm --version`" },
        { "exec|execute|play|simulate|sim|start-adapter|load", "write `vidmm run FILE`" },
        { "tests|suite|ci|junit|tap", "write `vidmm test PATH`" },
        { "lint|verify|validate|parse|syntax", "write `vidmm check FILE`" },
        { "format|indent|pretty|tidy", "write `vidmm fmt FILE`" },
        { "why|what|rule|describe|doc|docs|define|info|show|lookup|search|glossary",
          "write `vidmm explain WORD`" },
        { "man|manpage|completion|completions|complete|bash|zsh|fish|vim|textmate|syntax-file",
          "write `vidmm manual WHAT`: man, scenario, bash, zsh, fish, vim or textmate" },
        { "memory|mem|caps|size", "write `vidmm report FILE`" },
        { "debug|debugger|gdb|stepper|stepi|walk|trace-through|interactive|repl",
          "write `vidmm step FILE`" },
        { "versus|vs|measure|policies", "write `vidmm compare FILE...`" },
        { "benchmark|benchmarks|speed|performance", "write `vidmm bench`" },
        { "grid|campaign|batch|matrix|shard|merge", "write `vidmm sweep PLAN`" },
        { "event", "write `vidmm events`" },
        { "flag", "write `vidmm flags`" },
        { "catalogue|catalog", "write `vidmm rules`" },
        { "settings|set|config", "`vidmm explain -v adapter` lists the settings, `vidmm run "
                                 "--set=NAME=VALUE FILE` uses one" },
        { "golden|goldens|snapshot|snapshots|update|approve|bless",
          "write `vidmm test --update FILE`, then `vidmm test FILE`" },
        { "record", "write `vidmm run --record=LOG FILE`" },
        { "perfetto|pftrace|tracing|systrace", "write `vidmm trace FILE -o OUT.pftrace`" },
        { "json|jsonl|log", "write `vidmm run --format=jsonl FILE`" },
        { "create|submit|lock|evict|expect|segment|adapter|wait|advance|destroy",
          "that is a statement of a scenario; `vidmm explain WORD` describes it" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(habits); i++)
        if (text_listed(habits[i].words, word))
            return habits[i].help;
    return NULL;
}

static int cmd_manual(int argc, char **argv)
{
    static const struct manual manual = { commands, ARRAY_COUNT(commands), about, exits };
    return manual_command(&manual, argc, argv);
}

static int unknown_command(const char *word)
{
    struct text_likeness likeness = text_likeness(word);
    const char *habit = main_habit_of(word);
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        text_liken(&likeness, commands[i].name);
    (void)fprintf(stderr, "vidmm: '%s' is no command and no file", word);
    if (host_has_file(word, ".vms"))
        (void)fprintf(stderr, "; did you mean '%s.vms'?", word);
    else if (habit)
        (void)fprintf(stderr, "; %s", habit);
    else if (likeness.best)
        (void)fprintf(stderr, "; did you mean '%s'?", likeness.best);
    (void)fputs("\nTry 'vidmm --help'.\n", stderr);
    return TOOL_USAGE;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "--usage") == 0;
}

static int cmd_help(int argc, char **argv)
{
    char option[] = "--help";
    char *arguments[] = { NULL, option, NULL };
    const struct command *command = argc < 2 ? NULL : find_command(argv[1]);
    if (argc >= 2 && !command && !asks_for_help(argv[1]))
        return unknown_command(argv[1]);
    if (command && command->run != cmd_help)
        return run_command(command, 2, arguments);
    print_help(stdout);
    return TOOL_GOOD;
}

/* Words come back in messages, and a terminal would obey what is in them. */
static int refuse_word(int index)
{
    (void)fprintf(stderr, "vidmm: word %d of the command line has a control character in it\n",
                  index);
    return TOOL_USAGE;
}

int main(int argc, char **argv)
{
    host_remember_command(argc, argv);
    host_keep_memory();
    if (argc < 2) {
        print_help(stderr);
        return TOOL_USAGE;
    }
    for (int i = 1; i < argc; i++)
        if (!text_is_plain(argv[i]))
            return refuse_word(i);
    const char *word = argv[1];
    const struct command *command = find_command(word);
    if (asks_for_help(word)) {
        print_help(stdout);
        return TOOL_GOOD;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        (void)puts("vidmm " VIDMM_VERSION);
        return TOOL_GOOD;
    }
    if (command)
        return run_command(command, argc - 1, argv + 1);
    /* `vidmm --why FILE` and `vidmm FILE` are `vidmm run ...`. */
    if (word[0] == '-' || strpbrk(word, "/.") || host_has_file(word, ""))
        return run_command(find_command("run"), argc, argv);
    return unknown_command(word);
}
