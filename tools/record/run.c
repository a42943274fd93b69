/* SPDX-License-Identifier: MIT */
/*
 * run.c: a scenario as one side of a comparison: it is run for its decisions and nothing else.
 */
#include "tools/record/run.h"

#include "tools/common/host.h"

struct quiet_host {
    struct host host;
    void (*message)(struct scenario_host *base, const struct scenario_message *message);
};

static void quiet_message(struct scenario_host *base, const struct scenario_message *message)
{
    struct quiet_host *quiet =
        CONTAINER_OF(CONTAINER_OF(base, struct host, base), struct quiet_host, host);
    if (message->severity == SCENARIO_ERROR || message->severity == SCENARIO_STOPPED)
        quiet->message(base, message);
}

static enum tool_exit run_open(struct quiet_host *quiet, const char *path,
                               const struct record_run *run)
{
    struct scenario_options options = run->options;
    struct scenario_result result = { 0 };
    struct host_file file;
    struct host *host = &quiet->host;
    enum tool_exit code = TOOL_INPUT;
    if (options.limits.memory_bytes)
        host_limit(host, options.limits.memory_bytes);
    options.machine_bytes = host->memory_bytes;
    options.tell_statements = true;
    host->sink->begin(host->sink, host_name(path));
    if (host_open(host, path, &file) && host_define(host, &file, &run->defines, &code) &&
        scenario_check(file.scenario)) {
        code = host_run(host, &file, &options, &result);
        host->sink->end(host->sink, file.name, &result);
    }
    host_close(&file);
    return code;
}

enum tool_exit record_run(const char *path, const struct record_run *run, struct record_out *out)
{
    struct quiet_host quiet;
    struct sink *sink = record_open(&run->recorded, out, NULL, true);
    host_init(&quiet.host, sink, SCREEN_COLOR_AUTO);
    run_options_load(run->loaded, &quiet.host.base);
    quiet.message = quiet.host.base.message;
    quiet.host.base.message = quiet_message;
    enum tool_exit code = run_open(&quiet, path, run);
    sink->close(sink);
    return code;
}
