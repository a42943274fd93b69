/* SPDX-License-Identifier: MIT */
/*
 * cmd_run.c: `vidmm run FILE...` runs scenarios and says what happens.
 *
 * Each file is parsed, checked and run by itself; a file with errors does not keep the next from
 * running. The exit code is that of the worst file.
 */
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/common/text.h"
#include "tools/picture/picture.h"
#include "tools/quiz/quiz.h"
#include "tools/record/record.h"
#include "tools/story/story.h"
#include "tools/tools.h"
#include "tools/trace/trace.h"
#include "tools/view/view.h"

enum {
    KEY_CHECK = 256,
    KEY_FORMAT,
    KEY_FROM,
    KEY_MAPS,
    KEY_MOST_EVENTS,
    KEY_QUIZ,
    KEY_RECORD,
    KEY_RECORD_KINDS,
    KEY_TO,
    KEY_WIDTH
};

/* Who reads it while the run goes on? Nobody what is drawn: it is whole when the run is over. */
enum run_reader { READ_BY_PEOPLE, READ_BY_PROGRAMS, DRAWN, DRAWN_IN_BYTES };

/* Options that not every format can honour. */
enum run_taken { TAKES_MOST = 1, TAKES_TIMES = 2, TAKES_MAPS = 4 };

/* What a run becomes: `--format=NAME`. */
struct run_format {
    const char *name, *what;
    enum run_reader reader;
    unsigned takes; /* enum run_taken; the others have no use for such an option */
    struct sink *(*open)(const struct sink_options *options);
};

static const struct run_format formats[] = {
    { "text", "for people", READ_BY_PEOPLE, TAKES_TIMES, sink_text_open },
    { "jsonl", "for programs", READ_BY_PROGRAMS, 0, sink_jsonl_open },
    { "html", "for browsers", DRAWN, TAKES_MOST, view_open },
    { "svg", "a picture", DRAWN, TAKES_MOST | TAKES_TIMES | TAKES_MAPS, picture_open },
    { "perfetto", "a trace for ui.perfetto.dev", DRAWN_IN_BYTES, TAKES_MOST, trace_open },
};

struct run {
    struct run_line line;
    const struct run_format *format;
    const char *path; /* of the output; NULL: stdout */
    struct output output;
    int width;
    bool unfinished; /* a file did not run to its end */
    bool unread;     /* what is written is dropped */
    bool whole;      /* every one did, and nobody interrupted */
    enum sink_drawn drawn;
    const char *record; /* the log of decisions; NULL: none */
    struct record_options recorded;
    struct record_file record_file;
    struct output record_output;
};

/* ---- options ------------------------------------------------------------------------------- */

static void read_time(const char *word, vidmm_ns *value, struct argp_state *state)
{
    if (!text_read_time(word, value))
        argp_error(state, "'%s' is no time: write 500ns, 1.5us, 2ms or 3s", word);
}

static void read_width(struct run *run, const char *word, struct argp_state *state)
{
    uint64_t width = 0;
    if (!text_read_size(word, &width) || width < 40 || width > 400)
        argp_error(state, "'%s' is no width: write --width=N, 40 to 400 columns", word);
    run->width = (int)width;
}

static void read_kinds(struct run *run, const char *list, struct argp_state *state)
{
    struct text why = { 0 };
    if (!record_kinds_read(&run->recorded.kinds, list, &why))
        argp_error(state, "--record-kinds: %s", text_get(&why));
    text_free(&why);
}

/* "--format=text (for people), --format=jsonl (for programs)" */
static void list_formats(struct text *list)
{
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
        text_add(list, "%s--format=%s (%s)", i ? ", " : "", formats[i].name, formats[i].what);
}

static const struct run_format *find_format(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
        if (strcmp(name, formats[i].name) == 0)
            return &formats[i];
    return NULL;
}

static void read_format(struct run *run, const char *word, struct argp_state *state)
{
    struct text list = { 0 };
    run->format = find_format(word);
    if (run->format)
        return;
    list_formats(&list);
    argp_error(state, "'%s' is no format: write %s", word, text_get(&list));
}

/* An option that would do nothing is a mistake. */
static void check_taken(const struct run *run, bool given, enum run_taken what, const char *name,
                        struct argp_state *state)
{
    struct text takers = { 0 };
    if (!given || run->format->takes & what)
        return;
    for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
        if (formats[i].takes & what)
            text_add(&takers, "%s--format=%s", takers.length ? ", " : "", formats[i].name);
    argp_error(state, "--%s does nothing with --format=%s; it belongs to %s", name,
               run->format->name, text_get(&takers));
}

/* What cannot work together. */
static void check_together(const struct run *run, struct argp_state *state)
{
    const struct sink_options *shown = &run->line.shown;
    check_taken(run, shown->most_events, TAKES_MOST, "most-events", state);
    check_taken(run, shown->from, TAKES_TIMES, "from", state);
    check_taken(run, shown->to != UINT64_MAX, TAKES_TIMES, "to", state);
    check_taken(run, shown->maps, TAKES_MAPS, "maps", state);
    if (shown->from > shown->to)
        argp_error(state, "--from is later than --to: nothing would be shown");
    if (run->record && strcmp(run->record, "-") == 0)
        argp_error(state, "--record needs a file: stdout has what is told");
    if (run->format->reader == DRAWN_IN_BYTES && output_is_terminal(run->path))
        argp_error(state, "--format=%s is nothing that a terminal shows: write -o FILE",
                   run->format->name);
    options_spare(&run->line.files, run->path, state);
    options_spare(&run->line.files, run->record, state);
    if (run->record && output_same(run->record, run->path))
        argp_error(state, "--record and %s are the same file",
                   run->path ? "--output" : "what stdout goes to");
    if (shown->quiz && shown->quiet)
        argp_error(state, "--quiz asks questions, --quiet shows none: leave one of them out");
    if (shown->quiz && run->format->reader != READ_BY_PEOPLE)
        argp_error(state,
                   "--quiz asks people while it runs, which --format=%s does not: leave one "
                   "of them out",
                   run->format->name);
    if (shown->quiz && run->path)
        argp_error(state, "--quiz asks on the terminal, --output is a file: leave one of them out");
    for (int i = 0; shown->quiz && i < run->line.files.count; i++)
        if (strcmp(run->line.files.first[i], "-") == 0)
            argp_error(state, "--quiz reads the answers from stdin, so the scenario has to be a "
                              "file");
}

static error_t cmd_run_parse(int key, char *argument, struct argp_state *state)
{
    struct run *run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = state->child_inputs[2] =
            state->child_inputs[3] = state->child_inputs[4] = &run->line;
        return 0;
    case 'q': run->line.shown.quiet = true; return 0;
    case KEY_QUIZ: run->line.shown.quiz = true; return 0;
    case KEY_CHECK: run->line.options.check_invariants = true; return 0;
    case KEY_FORMAT: read_format(run, argument, state); return 0;
    case 'o': run->path = argument; return 0;
    case KEY_MAPS: run->line.shown.maps = true; return 0;
    case KEY_MOST_EVENTS: run->line.shown.most_events = run_options_most(argument, state); return 0;
    case KEY_FROM: read_time(argument, &run->line.shown.from, state); return 0;
    case KEY_RECORD: run->record = argument; return 0;
    case KEY_RECORD_KINDS: read_kinds(run, argument, state); return 0;
    case KEY_TO: read_time(argument, &run->line.shown.to, state); return 0;
    case KEY_WIDTH: read_width(run, argument, state); return 0;
    case ARGP_KEY_END: check_together(run, state); return 0;
    default:
        return options_words(&run->line.files,
                             "a file to run is missing, such as "
                             "scenarios/lessons/01-segments.vms",
                             key, state);
    }
}

/* ---- running ------------------------------------------------------------------------------- */

/* Where the run goes: its output, and in front of it the log, if one is asked for. NULL: a file
   cannot be written. */
static struct sink *begin_outputs(struct run *run)
{
    if (run->format->open == picture_open && run->path && picture_place(run->path))
        run->line.shown.many = run->path;
    run->line.shown.whole = &run->whole;
    run->line.shown.drawn = &run->drawn;
    run->line.shown.unread = &run->unread;
    if (!output_begin(&run->output, run->line.shown.many ? NULL : run->path))
        return NULL;
    if (run->record && !output_begin(&run->record_output, run->record)) {
        (void)output_end(&run->output, false);
        return NULL;
    }
    screen_init(&run->line.shown.screen, run->output.file, run->line.color, run->line.letters,
                run->width);
    struct sink *sink = run->line.shown.quiz ? quiz_open(&run->line.shown, false)
                                             : run->format->open(&run->line.shown);
    if (!run->record)
        return sink;
    record_file_open(&run->record_file, run->record_output.file);
    run->recorded.files = run->recorded.lines = true;
    run->line.options.tell_statements = true;
    return record_open(&run->recorded, &run->record_file.out, sink,
                       run->line.shown.quiet && run->format->reader == READ_BY_PEOPLE);
}

/* Of a file with errors, or a run that did not come to its end, none is written: the one before
   stays. */
static bool end_outputs(struct run *run)
{
    bool good = run->drawn != SINK_LOST, whole = run->whole && run->drawn != SINK_NOTHING;
    const char *path = run->line.shown.many ? run->line.shown.many : run->output.path;
    if (path && !run->whole)
        (void)fprintf(stderr, OUTPUT_NOT_WHOLE, path);
    if (run->record && !run->whole)
        (void)fprintf(stderr, OUTPUT_NOT_WHOLE, run->record);
    if (run->record) {
        (void)record_file_end(&run->record_file); /* output_end() asks the file */
        good = (output_end(&run->record_output, run->whole) || !run->whole) && good;
    }
    if (!run->line.shown.many)
        good = (output_end(&run->output, whole) || !whole) && good;
    return good;
}

/* Drawings are made now. Ctrl-C keeps them from taking the place of those before. */
static enum tool_exit close_all(struct run *run, struct sink *sink, enum tool_exit worst)
{
    run->whole = !run->unfinished;
    interrupt_begin();
    sink->close(sink);
    if (interrupt_seen()) {
        worst = TOOL_INTERRUPTED;
        run->whole = false;
    }
    bool good = end_outputs(run);
    interrupt_end();
    if (!good && worst < TOOL_INPUT)
        worst = TOOL_INPUT;
    return run->drawn == SINK_NOTHING && worst < TOOL_USAGE ? TOOL_USAGE : worst;
}

static int cmd_run_run_all(struct run *run)
{
    struct host host;
    enum tool_exit worst = TOOL_GOOD;
    struct sink *sink = begin_outputs(run);
    if (!sink)
        return TOOL_INPUT;
    run_file_host(&host, sink, &run->line);
    /* What is told on a terminal is progress enough. */
    host.progress_wanted = run->line.shown.quiet || !output_is_terminal(run->path);
    /* Without a listener no event is composed. */
    if (run->line.shown.quiet && run->format->reader == READ_BY_PEOPLE && !run->record) {
        host.base.observers = NULL;
        host.base.tell = NULL;
    }
    for (int i = 0; i < run->line.files.count && worst != TOOL_INTERRUPTED; i++) {
        struct host_file file;
        enum tool_exit code = run_file_open(&host, &run->line, run->line.files.first[i], &file);
        code = run_file_end(&host, &run->line, &file, code);
        /* At the last question of a quiz: nothing came after it that would have stopped. */
        code = interrupt_seen() ? TOOL_INTERRUPTED : code;
        worst = code > worst ? code : worst;
        run->unfinished = run->unfinished || code == TOOL_INPUT || code == TOOL_USAGE ||
                          code == TOOL_LIMIT || code == TOOL_INTERRUPTED;
    }
    run->unread = run->unfinished && run->path;
    if (worst == TOOL_INTERRUPTED)
        host_tell_left(&host);
    worst = run_file_only(&host.tests, run->line.options.only, worst);
    run->unfinished = run->unfinished || worst == TOOL_USAGE;
    return host_end(close_all(run, sink, worst));
}

static int run_as(const char *format, const char *doc, int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "quiet", 'q', NULL, 0,
          "only what fails, warnings and findings, and one line at the end of each file", 1 },
        { "format", KEY_FORMAT, "text|jsonl|html|svg|perfetto", 0,
          "text, for people (default); jsonl, for programs; html, for browsers; svg, a picture; "
          "perfetto, for "
          "ui.perfetto.dev",
          1 },
        { "output", 'o', "FILE", 0, "write what is told to FILE instead of stdout", 1 },
        { "maps", KEY_MAPS, NULL, 0, "--format=svg: a picture of each `show map`, not of the run",
          1 },
        { "most-events", KEY_MOST_EVENTS, "N", 0,
          "--format=html, svg, perfetto: keep N events at most, and N of everything else (default "
          "1000000); what is left out is said",
          1 },
        { "from", KEY_FROM, "TIME", 0, "--format=text, svg: show events from this virtual time on",
          1 },
        { "to", KEY_TO, "TIME", 0, "--format=text, svg: show events up to this virtual time", 1 },
        { "record", KEY_RECORD, "FILE", 0,
          "write the decisions to FILE, and what each looked at, for `vidmm diff`", 1 },
        { "record-kinds", KEY_RECORD_KINDS, "EVENT,...", 0,
          "which events are decisions there (place,evict ...), and 'times'", 1 },
        { "quiz", KEY_QUIZ, NULL, 0, "ask the questions of a lesson, answers come from stdin", 1 },
        { "check", KEY_CHECK, NULL, 0, "check all invariants after each operation", 2 },
        { "width", KEY_WIDTH, "N", 0, "columns of the output", 3 },
        { 0 },
    };
    static const struct argp_child children[] = {
        { .argp = &run_options_story },   { .argp = &run_options_given },
        { .argp = &run_options_chosen },  { .argp = &run_options_policy },
        { .argp = &run_options_letters }, { 0 }
    };
    struct argp_option shown[ARRAY_COUNT(options)];
    const struct argp grammar = {
        .options = shown,
        .children = children,
        .parser = cmd_run_parse,
        .args_doc = "FILE...",
        .doc = doc,
    };
    struct run run = { .line.shown.to = UINT64_MAX, .format = find_format(format) };
    record_kinds_default(&run.recorded.kinds);
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        shown[i] = options[i];
        if (run.format->reader == DRAWN_IN_BYTES && options[i].name &&
            text_listed("maps|from|to|quiz|width", options[i].name))
            shown[i].flags = OPTION_HIDDEN; /* refused with a reason, or of no use */
    }
    if (!options_parse(&grammar, argc, argv, &run))
        return TOOL_USAGE;
    run.line.options.tell_statements = !run.line.shown.quiet || run.format->reader >= DRAWN;
    run.line.options.tell_params = run.line.shown.quiz || run.format->reader >= DRAWN;
    run.line.options.tell_complaints = run.line.shown.quiet && run.format->reader == READ_BY_PEOPLE;
    return cmd_run_run_all(&run);
}

int cmd_run(int argc, char **argv)
{
    return run_as(
        "text",
        "Runs scenarios and reports what happens; one that is named twice runs twice. '-' reads "
        "stdin.\v"
        "Examples:\n"
        "  vidmm run scenarios/lessons/01-segments.vms\n"
        "  vidmm run --why --calls FILE\n"
        "  vidmm run --set strict=on --only overlay FILE\n\n"
        "A finding (the driver did something wrong) is reported and counted in the last line, "
        "but does not fail the run: '--set=findings=fatal' makes it a bug check, 'expect "
        "no finding' in the scenario an expectation.\n\n"
        "Exit codes: 0 all as expected, 1 an expectation failed, 2 wrong command line, "
        "no test for --only, no parameter or value for -D, 3 a file is missing or has errors, 4 "
        "stopped by a limit or for "
        "want of memory, 5 "
        "the simulated system stopped unexpectedly, 70 a bug of vidmm, "
        "130 interrupted by Ctrl-C.",
        argc, argv);
}

int cmd_trace(int argc, char **argv)
{
    return run_as("perfetto",
                  "Runs scenarios and writes what happened as a trace for Perfetto: open it at "
                  "https://ui.perfetto.dev, which keeps it on your machine.\v"
                  "Examples:\n"
                  "  vidmm trace scenarios/lessons/03-no-room.vms -o no-room.pftrace\n"
                  "  vidmm trace --most-events=5000000 -o long.pftrace FILE\n\n"
                  "Each start of an adapter is a process: what the scenario says, the CPU, the "
                  "nodes with their queues, all events, and for each segment its counters and a "
                  "lane for each allocation. Arrows lead from cause to effect. What is left out, "
                  "because there was too much, is said on stderr and in the trace.\n\n"
                  "It is `vidmm run --format=perfetto`, with the same options and exit codes.",
                  argc, argv);
}
