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

enum tool_exit record_run(const char *path, struct record_run *run, struct record_out *out)
{
    struct quiet_host quiet;
    struct host_file file;
    struct sink *sink = record_open(&run->recorded, out, NULL, true);
    run_file_host(&quiet.host, sink, &run->line);
    run->line.options.tell_statements = true;
    quiet.message = quiet.host.base.message;
    quiet.host.base.message = quiet_message;
    enum tool_exit code = run_file_open(&quiet.host, &run->line, path, &file);
    code = run_file_end(&quiet.host, &run->line, &file, code);
    sink->close(sink);
    return code;
}
