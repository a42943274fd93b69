/* SPDX-License-Identifier: MIT */
/*
 * options.c: reading a command line, and naming the option that was meant.
 *
 * argp says that an option is unknown and no more. So long options are looked at first: the nearest
 * one, or what other tools call it.
 */
#include "tools/common/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/output.h"
#include "tools/common/text.h"
#include "tools/common/workers.h"
#include "vidmm/vidmm.h"

static const struct {
    const char *words, *help;
} habits[] = {
    { "json|jsonl|output-format", "--format=jsonl" },
    { "test|filter|match|name|grep", "--only=TEST" },
    { "debug|trace|log|all|details|events", "--verbose, and --calls for the driver" },
    { "explain|rules|reason", "--why, or the command `vidmm explain WORD`" },
    { "silent|summary", "--quiet" },
    { "no-color|nocolor|no-colour|plain", "--color=never" },
    { "colour", "--color" },
    { "random|rand", "--seed=N" },
    { "ops|live|memory|timeout|max-ops|limits", "--limit=ops=N, live=N, time=T or memory=SIZE" },
    { "start|since|begin", "--from=TIME" },
    { "until|end|stop", "--to=TIME" },
    { "ask|questions", "--quiz" },
    { "interactive|step|break|debugger|gdb", "the command `vidmm step FILE`" },
    { "columns|cols", "--width=N" },
    { "output|out|file",
      "-o FILE, with `vidmm run`; elsewhere `> FILE` keeps what goes to stdout" },
    { "dry-run|lint|syntax", "the command `vidmm check FILE`" },
    { "fix|write|inplace", "--in-place, with the command `vidmm fmt FILE`" },
    { "param|parameter|params|variable|var", "-D NAME=VALUE" },
    { "setting|option", "--set=NAME=VALUE" },
    { "tags|labels", "the command `vidmm test --tags=A,-B PATH`" },
    { "report|junit|tap|xml", "the command `vidmm test --report=junit:FILE PATH`" },
    { "update|bless|golden|known", "the command `vidmm test --update PATH`" },
    { "jobs|parallel|threads", "the command `vidmm test --jobs=N PATH`" },
};

static bool begins(const char *text, const char *start, size_t length)
{
    return strncmp(text, start, length) == 0;
}

const struct argp_option *options_row(const struct argp *grammar, size_t index)
{
    const struct argp_child *child = grammar->children;
    while (grammar) {
        for (const struct argp_option *at = grammar->options; at && at->name; at++)
            if (!index--)
                return at;
        grammar = child ? child++->argp : NULL;
    }
    return NULL;
}

/* NULL: there is none; argp takes the beginning of a name too. */
static const struct argp_option *options_find(const struct argp *grammar, const char *name,
                                              size_t length)
{
    const struct argp_option *at;
    for (size_t i = 0; (at = options_row(grammar, i)) != NULL; i++)
        if (begins(at->name, name, length))
            return at;
    return NULL;
}

static const char *const always[] = { "help", "usage", "version" };

static void options_suggest(const struct argp *grammar, const char *name, struct text *help)
{
    for (size_t i = 0; i < ARRAY_COUNT(habits); i++) {
        if (text_listed(habits[i].words, name)) {
            text_add(help, "; what it does here: %s", habits[i].help);
            return;
        }
    }
    struct text_likeness likeness = text_likeness(name);
    const struct argp_option *at;
    for (size_t i = 0; i < ARRAY_COUNT(always); i++)
        text_liken(&likeness, always[i]);
    for (size_t i = 0; (at = options_row(grammar, i)) != NULL; i++)
        text_liken(&likeness, at->name);
    if (likeness.best) {
        text_add(help, "; did you mean '--%s'?", likeness.best);
        return;
    }
    if (vidmm_setting_by_name(name) != SIZE_MAX && options_find(grammar, "set", 3)) {
        text_add(help, "; a setting is --set=%s=VALUE", name);
        return;
    }
    text_add(help, "; there are");
    for (size_t i = 0; (at = options_row(grammar, i)) != NULL; i++)
        text_add(help, " --%s", at->name);
}

static void options_look(const struct argp *grammar, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = argv[i] + 2;
        bool known = false;
        if (!begins(argv[i], "--", 2))
            continue;
        size_t length = strcspn(name, "=");
        for (size_t j = 0; j < ARRAY_COUNT(always); j++)
            known = known || begins(always[j], name, length);
        const struct argp_option *option = options_find(grammar, name, length);
        if (!option && !known) {
            struct text help = { 0 }, wrong = { 0 };
            text_add_bytes(&wrong, name, length);
            options_suggest(grammar, text_get(&wrong), &help);
            (void)fprintf(stderr, "%s: '--%s' is no option%s\nTry '%s --help'.\n", argv[0],
                          text_get(&wrong), text_get(&help), argv[0]);
            exit(TOOL_USAGE);
        }
        /* The next word is its value, whatever it looks like. */
        i += option && option->arg && !name[length];
    }
}

/* Of options_describe(), while it calls a command; between them there is only argv. */
static struct {
    void (*hear)(void *context, const struct argp *grammar);
    void *context;
} listener;

void options_describe(int (*command)(int argc, char **argv),
                      void (*hear)(void *context, const struct argp *grammar), void *context)
{
    char name[] = "vidmm";
    char *arguments[] = { name, NULL };
    listener.hear = hear;
    listener.context = context;
    (void)command(1, arguments);
    listener.hear = NULL;
}

bool options_parse(const struct argp *grammar, int argc, char **argv, void *input)
{
    if (listener.hear) {
        listener.hear(listener.context, grammar);
        return false;
    }
    argp_err_exit_status = TOOL_USAGE;
    options_look(grammar, argc, argv);
    error_t failed = argp_parse(grammar, argc, argv, 0, NULL, input);
    if (failed == ENOMEM) { /* argp does not say it */
        (void)fprintf(stderr, "%s: this machine has no memory left\n", argv[0]);
        exit(TOOL_LIMIT);
    }
    return failed == 0;
}

error_t options_words(struct options_words *words, const char *missing, int key,
                      struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "%s", missing);
    if (key != ARGP_KEY_ARGS)
        return ARGP_ERR_UNKNOWN;
    *words = (struct options_words){ state->argv + state->next, state->argc - state->next };
    int pipes = 0;
    for (int i = 0; i < words->count; i++)
        pipes += strcmp(words->first[i], "-") == 0;
    if (pipes > 1)
        argp_error(state, "stdin can be read once, and '-' asks for it twice");
    return 0;
}

void options_reread(const struct options_words *words, struct argp_state *state)
{
    struct stat there;
    for (int i = 0; i < words->count; i++) {
        const char *path = words->first[i];
        bool standard = strcmp(path, "-") == 0;
        if (standard ||
            (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)))
            argp_error(state, "%s is read more than once, so it has to be a file",
                       standard ? "stdin" : path);
    }
}

void options_spare(const struct options_words *words, const char *output, struct argp_state *state)
{
    for (int i = 0; output && strcmp(output, "-") != 0 && i < words->count; i++)
        if (strcmp(words->first[i], "-") != 0 && output_same(words->first[i], output))
            argp_error(state, "%s is read: it would be replaced by what is written to %s",
                       words->first[i], output);
}

unsigned options_jobs(const char *argument, struct argp_state *state)
{
    uint64_t jobs = 0;
    if (!text_read_size(argument, &jobs) || !jobs || jobs > WORKERS_MOST)
        argp_error(state, "'%s' is no number of processes: write -j N, 1 to %d", argument,
                   WORKERS_MOST);
    return (unsigned)jobs;
}

bool options_jsonl(const char *argument, struct argp_state *state)
{
    bool jsonl = strcmp(argument, "jsonl") == 0;
    if (!jsonl && strcmp(argument, "text") != 0)
        argp_error(state, "'%s' is no format: text or jsonl", argument);
    return jsonl;
}
