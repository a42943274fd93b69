/* SPDX-License-Identifier: MIT */
/* run_file.c: see run_file.h. */
#include "tests/support/run_file.h"
#include "tests/support/read_file.h"
#include "vidmm/base/base.h"

bool run_file_load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host;
    return read_file(path, text, bytes);
}

static void ignore(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    (void)message;
}

void run_file(const char *path, struct scenario_host host)
{
    const struct scenario_options options = { 0 };
    struct scenario_result result;
    char *text;
    size_t bytes;
    host.load = run_file_load;
    host.message = ignore;
    bool read = read_file(path, &text, &bytes);
    CHECK(read);
    struct scenario *scenario = scenario_parse(text, bytes, path, &host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text);
}
