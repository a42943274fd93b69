/* SPDX-License-Identifier: MIT */
/*
 * scenario_items.h: what a scenario that was read says of itself, before it runs: its tests, tags
 * and parameters; and what the options of a run say.
 */
#ifndef SCENARIOS_LANG_SCENARIO_ITEMS_H
#define SCENARIOS_LANG_SCENARIO_ITEMS_H

#include "scenarios/lang/scenario.h"

enum scenario_items {
    SCENARIO_TESTS,     /* text: the name; more: its own tags, "a,b" */
    SCENARIO_TAGS,      /* of the file */
    SCENARIO_GOLDEN,    /* text: kinds, "" for the usual ones; more: "times", "trail" or both */
    SCENARIO_PARAMS,    /* text: the name; more: the default, as it is written */
    SCENARIO_EXERCISES, /* text: the title */
};

struct scenario_item {
    struct scenario_span at;
    const char *text, *more; /* not 0-terminated */
    size_t length, more_length;
    const void *statement, *part; /* private: where the next one is looked for */
};
/* The first one of an item that is {0}, then the next; false after the last. */
bool scenario_next(struct scenario *scenario, enum scenario_items which,
                   struct scenario_item *item);
/* Would a run with these options run the test? NULL: the file, which has no tests? */
bool scenario_chosen(struct scenario *scenario, const struct scenario_item *test,
                     const struct scenario_options *options);
/* False: there is no operation and no expectation; such a file is made to be included. */
bool scenario_acts(struct scenario *scenario);
uint32_t scenario_line_from(struct scenario *scenario, uint32_t line); /* that acts; 0: none */
/*
 * Does the scenario speak of such a warning or finding: does it prove its rule, or expect something
 * of warnings or findings, in this test or before the first? `test` NULL is anywhere, `rule` 0 is
 * one that is not known.
 */
bool scenario_foresees(struct scenario *scenario, const struct scenario_item *test,
                       enum scenario_severity severity, enum vidmm_rule rule);

/* How far a run has come. */
struct scenario_progress {
    const char *file;
    uint32_t line; /* 0: unknown without unpacking a twin */
    uint64_t operations;
    vidmm_ns time;
    /* Of the outermost loop that it is in, or of neighbouring bulk lines: those that were done, how
       many there are in all (0: unknown, or no loop), and the operations before the first. */
    uint64_t rounds, of, before;
};
/* For scenario_host.interrupted: asks no adapter. False: nothing runs. */
bool scenario_progress(struct scenario *scenario, struct scenario_progress *now);

/* "NAME=VALUE": `param NAME` has this value; false: the text has no such parameter. Before the
   check, which hands out what is wrong with the value. The option must live as long as the text. */
bool scenario_define(struct scenario *scenario, const char *option);
/* After the check: nothing but such values was wrong. */
bool scenario_misdefined(const struct scenario *scenario);

/* Carries out a setting of the command line, "NAME=VALUE", which may name one of the policies of
   the host. False: it is none, and *why says why. */
bool scenario_option_store(const struct scenario_host *host, const char *option,
                           struct vidmm_settings *settings, const char **why);

#endif
