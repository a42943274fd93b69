/* SPDX-License-Identifier: MIT */
/*
 * nothing_left.c: whatever comes of a scenario, its memory comes back (vidmm/vidmm_host.h).
 *
 *     nothing_left SCENARIO...
 */
#include "tests/support/run_file.h"
#include "vidmm/vidmm_host.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        uint64_t before = vidmm_host_held();
        run_file(argv[i], (struct scenario_host){ 0 });
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
