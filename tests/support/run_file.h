/* SPDX-License-Identifier: MIT */
/* run_file.h: scenarios of the disk, for tests that only listen to some of what happens. */
#ifndef TESTS_RUN_FILE_H
#define TESTS_RUN_FILE_H

#include "scenarios/lang/scenario.h"

/* `load` of a host: what is included lies on the disk, too. */
bool run_file_load(struct scenario_host *host, const char *path, char **text, size_t *bytes);
/* Checks and runs it; its messages are nobody's. The host needs neither `load` nor `message`. */
void run_file(const char *path, struct scenario_host host);

#endif
