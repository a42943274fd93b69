/* SPDX-License-Identifier: MIT */
/* run_options.h: options of a run that subcommands share; mistakes end the process (argp_error). */
#ifndef TOOLS_COMMON_RUN_OPTIONS_H
#define TOOLS_COMMON_RUN_OPTIONS_H

#include <argp.h>

#include "tools/common/options.h"
#include "tools/common/sink.h"
#include "tools/common/text.h"

enum { RUN_SETTINGS_MOST = 64, RUN_CHOSEN_MOST = 2 * VIDMM_POLICIES_MAX, RUN_POLICY_NAME = 32 };

/* For `settings` and `setting_count` of scenario_options, and the same for `policies`. */
struct run_settings {
    const char *words[RUN_SETTINGS_MOST]; /* "NAME=VALUE", not copied */
    size_t count;
    /* Those that were loaded (policy_load.h), and what chooses them: first in `words`. */
    const struct vidmm_policies *policies[VIDMM_POLICIES_MAX];
    size_t policy_count;
    uint64_t policy_hash; /* of their files; 0: there are none */
    char chosen[RUN_CHOSEN_MOST][16 + RUN_POLICY_NAME];
    size_t chosen_count;
};

/* What a command line says of the runs that it asks for. */
struct run_line {
    struct options_words files;
    struct run_settings settings, defines; /* --set and --policy; -D */
    struct scenario_options options;
    struct sink_options shown;
    enum screen_color color;
    enum screen_letters letters;
    const char *given; /* the last of these options that is about a run; NULL: none came */
};

/* Children of the grammar of a command: options with the same words and meaning everywhere. At
   ARGP_KEY_INIT, `child_inputs` of each is a struct run_line. They are --why, --verbose, --calls;
   -D, --seed, --limit; --only, --set; --policy; --color, --ascii. */
extern const struct argp run_options_story, run_options_given, run_options_chosen,
    run_options_policy, run_options_letters;

/* The setting that is named by the first `length` bytes; NULL: `why` has a sentence. */
const struct vidmm_setting_info *run_options_find_setting(const char *word, size_t length,
                                                          struct text *why);
/* Is "NAME=VALUE" a setting? False: `why` has a sentence. The value may yet be too small for the
   pages of a file. It may name a policy that `loaded` has, which may be NULL. */
bool run_options_check_setting(const char *word, const struct run_settings *loaded,
                               struct text *why);
void run_options_set(struct run_settings *settings, const char *word, struct argp_state *state);
/* -D NAME=VALUE, for scenario_define(); its mistakes are found with the file. */
void run_options_define(struct run_settings *defines, const char *word, struct argp_state *state);
/* Adds "; did you mean ...", or all of the words, which are "a|b|c". */
void run_options_nearest(const char *word, const char *words, struct text *why);
/* "no parameter ..." and the nearest of the names, which are "a|b|c". */
void run_options_unknown(const char *define, const char *names, struct text *why);
/* Before the check of a file. False: it has no such parameter, and `why` has a sentence. */
bool run_options_give_params(struct scenario *scenario, const char *const *defines, size_t count,
                             struct text *why);
bool run_options_read_limit(struct scenario_limits *limits, const char *word); /* "ops=N" */
void run_options_limit(struct scenario_limits *limits, const char *word, struct argp_state *state);
enum screen_color run_options_color(const char *word, struct argp_state *state);
/* What --set and --policy said, for a run; what --policy loaded, before a file is checked. */
void run_options_give(const struct run_settings *settings, struct scenario_options *options);
void run_options_load(const struct run_settings *settings, struct scenario_host *host);
/* The value of a setting as a scenario writes it: "fifo", "24 MiB", "2ms". */
void run_options_write_value(struct text *out, const struct vidmm_setting_info *info, uint64_t);
uint64_t run_options_seed(const char *word, struct argp_state *state);
uint64_t run_options_most(const char *word, struct argp_state *state); /* --most-events=N */

#endif
