/* SPDX-License-Identifier: MIT */
/*
 * make.c: `vidmm make KIND [NAME=VALUE...]` writes a workload: a scenario that asks a question.
 *
 * The same words give the same bytes on every machine. Every line of work has a handle instead of a
 * name, so a workload of millions of lines is read as fast as its bytes come, and its future is
 * known, which the best possible eviction needs.
 */
#include "tools/make/make.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/options.h"
#include "tools/common/output.h"
#include "tools/make/workload.h"

#define LINES_MOST 100000000

static const struct make_kind *const kinds[] = { &make_game, &make_video, &make_training,
                                                 &make_llm };

static struct make_param *find_param(struct make *make, const char *name)
{
    for (size_t i = 0; make->params[i].name; i++)
        if (strcmp(make->params[i].name, name) == 0)
            return &make->params[i];
    return NULL;
}

struct command {
    struct make make;
    struct options_words words;
    const char *output;
};

static bool read_value(struct make_param *param, const char *word)
{
    uint64_t value = 0;
    bool good =
        param->kind == MAKE_TIME ? text_read_time(word, &value) : text_read_size(word, &value);
    if (!good || value < param->least || value > param->most)
        return false;
    param->value = param->kind == MAKE_SIZE ? align_up(value, 4096) : value;
    return true;
}

static void complain_value(const struct make_param *param, const char *word,
                           struct argp_state *state)
{
    struct make_param least = *param;
    struct make_param most = *param;
    least.value = param->least;
    most.value = param->most;
    argp_error(state, "%s: a value from %s to %s was expected (%s)", word, make_text(&least).it,
               make_text(&most).it, param->help);
}

static bool has_param(const struct make_kind *kind, const char *name)
{
    for (size_t i = 0; kind->params[i].name; i++)
        if (strcmp(kind->params[i].name, name) == 0)
            return true;
    return false;
}

/* The other workloads that have it, in a sentence; "": none. */
static void add_owners(struct text *owners, const char *name)
{
    size_t count = 0, said = 0;
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        count += has_param(kinds[i], name);
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        if (!has_param(kinds[i], name))
            continue;
        text_add(owners, "%s%s", text_between(said, count - said - 1), kinds[i]->name);
        said++;
    }
    if (count)
        text_add(owners, count > 1 ? " have it" : " has it");
}

static void complain_param(const struct make *make, const char *word, struct argp_state *state)
{
    struct text names = { 0 }, name = { 0 }, owners = { 0 };
    text_add_bytes(&name, word, strcspn(word, "="));
    struct text_likeness likeness = text_likeness(text_get(&name));
    for (size_t i = 0; make->params[i].name; i++) {
        text_add(&names, "%s%s", i ? ", " : "", make->params[i].name);
        text_liken(&likeness, make->params[i].name);
    }
    bool here = likeness.best && strcmp(likeness.best, likeness.word) == 0;
    if (!here)
        add_owners(&owners, likeness.word);
    if (owners.length)
        argp_error(state, "'%s' is no parameter of %s: %s; there are %s", word, make->kind->name,
                   text_get(&owners), text_get(&names));
    if (likeness.best && !here)
        argp_error(state, "'%s' is no parameter of %s; did you mean '%s'? There are %s", word,
                   make->kind->name, likeness.best, text_get(&names));
    argp_error(state, "'%s' is no parameter of %s: write NAME=VALUE; there are %s", word,
               make->kind->name, text_get(&names));
}

static void read_param(struct make *make, const char *word, struct argp_state *state)
{
    char name[32];
    size_t length = strcspn(word, "=");
    (void)snprintf(name, sizeof name, "%.*s", (int)min_u64(length, sizeof name - 1), word);
    struct make_param *param = find_param(make, name);
    if (!param || word[length] != '=')
        complain_param(make, word, state);
    else if (make->given[param - make->params])
        argp_error(state, "'%s' gives %s a second value", word, param->name);
    else if (!read_value(param, word + length + 1))
        complain_value(param, word, state);
    else
        make->given[param - make->params] = true;
}

static void read_kind(struct make *make, const char *word, struct argp_state *state)
{
    struct text names = { 0 };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        if (strcmp(kinds[i]->name, word) == 0) {
            make->kind = kinds[i];
            memcpy(make->params, kinds[i]->params, sizeof make->params);
            text_free(&names);
            return;
        }
        text_add(&names, "%s%s", i ? ", " : "", kinds[i]->name);
    }
    argp_error(state, "'%s' is no workload; there are %s", word, text_get(&names));
}

static void read_words(struct command *command, struct argp_state *state)
{
    struct make *make = &command->make;
    struct text why = { 0 };
    read_kind(make, command->words.first[0], state);
    for (int i = 1; i < command->words.count; i++)
        read_param(make, command->words.first[i], state);
    if (!make->kind->fits(make, &why))
        argp_error(state, "%s", text_get(&why));
    text_free(&why);
    if (make->kind->lines(make) > LINES_MOST)
        argp_error(state, "that would be %" PRIu64 " lines; %d are the most",
                   make->kind->lines(make), LINES_MOST);
}

static error_t parse_make(int key, char *argument, struct argp_state *state)
{
    struct command *command = state->input;
    switch (key) {
    case 'o': command->output = argument; return 0;
    case ARGP_KEY_END: read_words(command, state); return 0;
    default:
        return options_words(&command->words, "a workload is missing: game, video, training or llm",
                             key, state);
    }
}

/* What --help says, with the parameters of all kinds. */
static void describe_kinds(struct text *help)
{
    text_add(help, "Writes a workload: a scenario of a typical program, whose first lines ask a "
                   "question. The same words give the same bytes.\v"
                   "KIND is one of these. Each has its parameters; `layers=24` gives another value "
                   "than the default below, a size is written 64K, 4M or 2G, a time 500us or "
                   "2ms.\n");
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
        text_add(help, "\n%s: %s\n", kinds[i]->name, kinds[i]->summary);
        for (size_t j = 0; kinds[i]->params[j].name; j++) {
            const struct make_param *param = &kinds[i]->params[j];
            text_add(help, "  %s=%s: %s\n", param->name, make_text(param).it, param->help);
        }
    }
    text_add(help, "\nExamples:\n  vidmm make game -o game.vms; vidmm run game.vms\n"
                   "  vidmm make llm layers=24 card=128M -o llm.vms\n"
                   "  vidmm compare --policies=all llm.vms");
}

int cmd_make(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "output", 'o', "FILE", 0, "where the scenario goes; stdout without it", 0 },
        { 0 },
    };
    struct text help = { 0 };
    describe_kinds(&help);
    const struct argp grammar = {
        .options = options,
        .parser = parse_make,
        .args_doc = "game|video|training|llm [NAME=VALUE...]",
        .doc = text_get(&help),
    };
    struct command command = { 0 };
    struct output output;
    bool good = options_parse(&grammar, argc, argv, &command);
    text_free(&help);
    if (!good)
        return TOOL_USAGE;
    if (!output_begin_scenario(&output, command.output))
        return TOOL_INPUT;
    struct make *make = &command.make;
    make->out = output.file;
    for (size_t i = 0; make->params[i].name; i++)
        if (make->params[i].kind == MAKE_SEED)
            make->random = make->params[i].value;
    make->kind->write(make);
    return output_end(&output, true) && host_flush() ? TOOL_GOOD : TOOL_INPUT;
}
