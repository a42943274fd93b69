/* SPDX-License-Identifier: MIT */
/*
 * nothing_left.c: whatever comes of a scenario, its memory comes back (vidmm/vidmm_host.h).
 *
 *     nothing_left SCENARIO...
 */
#include "scenarios/lang/scenario.h"
#include "tests/support/read_file.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"

#include <inttypes.h>
#include <stdio.h>

static bool load(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    (void)host;
    return read_file(path, text, bytes);
}

static void ignore(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    (void)message;
}

static void run(const char *path)
{
    struct scenario_host host = { .load = load, .message = ignore };
    const struct scenario_options options = { 0 };
    struct scenario_result result;
    char *text;
    size_t bytes;
    CHECK(load(&host, path, &text, &bytes));
    struct scenario *scenario = scenario_parse(text, bytes, path, &host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text);
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        uint64_t before = vidmm_host_held();
        run(argv[i]);
        uint64_t after = vidmm_host_held();
        if (after != before) {
            (void)printf("%s: it held %" PRIu64 " bytes before, and holds %" PRIu64 " afterwards\n",
                         argv[i], before, after);
            failed++;
        }
    }
    (void)printf("%d scenarios, %d problems\n", argc - 1, failed);
    return failed || argc < 2;
}
