/* SPDX-License-Identifier: MIT */
/* cmd_check.c: `vidmm check FILE...` looks for errors without running anything. */

#include "scenarios/lang/scenario_items.h"
#include "tools/common/host.h"
#include "tools/common/policy_load.h"
#include "tools/tools.h"

enum { KEY_STRICT = 256, KEY_POLICY };

struct check {
    struct options_words files;
    struct run_settings settings;
    bool quiet, strict;
};

static error_t cmd_check_parse(int key, char *argument, struct argp_state *state)
{
    struct check *check = state->input;
    switch (key) {
    case 'q': check->quiet = true; return 0;
    case KEY_POLICY: policy_load(&check->settings, argument, state); return 0;
    case KEY_STRICT: check->strict = true; return 0;
    default: return options_words(&check->files, "a file to check is missing", key, state);
    }
}

/* What -D can set. */
static void print_params(struct scenario *scenario)
{
    struct scenario_item item = { 0 };
    while (scenario_next(scenario, SCENARIO_PARAMS, &item))
        (void)printf("  param %.*s = %.*s\n", (int)item.length, item.text, (int)item.more_length,
                     item.more);
}

int cmd_check(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "strict", KEY_STRICT, NULL, 0,
          "outcomes that any reason satisfies (-> fails, -> warns) are errors, too", 0 },
        { "policy", KEY_POLICY, "FILE", 0,
          "policies in a shared object, which the files may name (segments/policies/README.md)",
          0 },
        { "quiet", 'q', NULL, 0, "say nothing about files without errors", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_check_parse,
        .args_doc = "FILE...",
        .doc = "Looks for errors in scenarios without running them. '-' reads stdin.",
    };
    struct check check = { 0 };
    struct host host;
    bool good = true;
    if (!options_parse(&grammar, argc, argv, &check))
        return TOOL_USAGE;
    host_init(&host, NULL, SCREEN_COLOR_AUTO);
    run_options_load(&check.settings, &host.base);
    for (int i = 0; i < check.files.count; i++) {
        struct host_file file;
        bool right = host_open(&host, check.files.first[i], &file) &&
                     (check.strict ? scenario_check_strict : scenario_check)(file.scenario);
        if (right && !check.quiet) {
            (void)printf("%s: no errors\n", file.name);
            print_params(file.scenario);
        }
        host_close(&file);
        good = right && good;
    }
    return host_end(good ? TOOL_GOOD : TOOL_INPUT);
}
