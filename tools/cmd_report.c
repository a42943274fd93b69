/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.c: `vidmm report FILE...` reports how much memory the adapter of a scenario has.
 *
 * Only the setup runs: each adapter is started, reported and given back. A file with tests may
 * describe several; one that says the same as the one before it is left out.
 */
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/policy_load.h"
#include "tools/common/text.h"
#include "tools/story/show.h"
#include "tools/tools.h"

enum { KEY_POLICY = 256 };

struct reporter {
    struct host host;
    struct run_settings settings;
    struct screen screen;
    bool jsonl;
    struct options_words files;
    const char *file; /* that is being reported */
    /* What was reported last: the numbers, and those of each segment. */
    struct told {
        struct vidmm_memory_report report;
        struct {
            uint64_t flags, bytes, limit;
        } segments[VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX];
        uint64_t count;
    } told;
};

static error_t cmd_report_parse(int key, char *argument, struct argp_state *state)
{
    struct reporter *reporter = state->input;
    switch (key) {
    case 'f': reporter->jsonl = options_jsonl(argument, state); return 0;
    case KEY_POLICY: policy_load(&reporter->settings, argument, state); return 0;
    default: return options_words(&reporter->files, "a file to report is missing", key, state);
    }
}

/* ---- one adapter --------------------------------------------------------------------------- */

static void cmd_report_print(struct reporter *reporter, const struct vidmm_adapter *adapter)
{
    struct json json = { .out = stdout };
    if (!reporter->jsonl) {
        (void)printf("%s\n", reporter->file);
        show_memory(&reporter->screen, adapter);
        return;
    }
    json_open(&json, NULL, '{');
    json_string(&json, "report", "memory");
    json_string(&json, "file", reporter->file);
    show_json_memory(&json, adapter);
    json_close(&json, '}');
    json_end_line(&json);
}

static void cmd_report_started(struct scenario_host *host, struct vidmm_adapter *adapter)
{
    struct reporter *reporter =
        CONTAINER_OF(CONTAINER_OF(host, struct host, base), struct reporter, host);
    struct told now = { .count = vidmm_segment_count(adapter) };
    struct vidmm_segment_view view;
    vidmm_memory_report(adapter, &now.report);
    for (uint32_t id = 1; vidmm_segment_view(adapter, id, &view); id++) {
        now.segments[id - 1].flags = view.flags;
        now.segments[id - 1].bytes = view.bytes;
        now.segments[id - 1].limit = view.limit;
    }
    bool failed = vidmm_last_refusal(adapter) || vidmm_bugcheck(adapter);
    if (failed || memcmp(&now, &reporter->told, sizeof now) == 0)
        return;
    if (reporter->told.count && !reporter->jsonl)
        (void)puts("");
    reporter->told = now;
    cmd_report_print(reporter, adapter);
}

/* ---- files --------------------------------------------------------------------------------- */

static enum tool_exit report_file(struct reporter *reporter, const char *path)
{
    const struct scenario_options options = {
        .start_only = true,
        .machine_bytes = reporter->host.memory_bytes,
    };
    struct scenario_result result = { 0 };
    struct host_file file;
    if (!host_open(&reporter->host, path, &file))
        return TOOL_INPUT;
    enum tool_exit code = TOOL_INPUT;
    if (scenario_check(file.scenario)) {
        reporter->file = file.name;
        code = host_run(&reporter->host, &file, &options, &result);
    }
    host_close(&file);
    return code;
}

int cmd_report(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl, for programs", 0 },
        { "policy", KEY_POLICY, "FILE", 0,
          "policies in a shared object, which the files may name (segments/policies/README.md)",
          0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = cmd_report_parse,
        .args_doc = "FILE...",
        .doc = "Tells how much memory the adapter of a scenario has: dedicated video memory, "
               "dedicated and shared system memory, and the commit limits. Only the setup of the "
               "scenario runs. '-' reads stdin.\v"
               "Examples:\n"
               "  vidmm report scenarios/adapters/discrete.vms\n"
               "  vidmm report --format=jsonl FILE\n\n"
               "'show memory' in a scenario tells the same at that moment.",
    };
    struct reporter reporter = { 0 };
    enum tool_exit worst = TOOL_GOOD;
    if (!options_parse(&grammar, argc, argv, &reporter))
        return TOOL_USAGE;
    host_init(&reporter.host, NULL, SCREEN_COLOR_AUTO);
    run_options_load(&reporter.settings, &reporter.host.base);
    reporter.host.base.started = cmd_report_started;
    screen_init(&reporter.screen, stdout, SCREEN_COLOR_AUTO, SCREEN_LETTERS_ALL, 0);
    for (int i = 0; i < reporter.files.count && worst != TOOL_INTERRUPTED; i++) {
        enum tool_exit code = report_file(&reporter, reporter.files.first[i]);
        worst = code > worst ? code : worst;
    }
    return host_end(worst);
}
