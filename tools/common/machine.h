/* SPDX-License-Identifier: MIT */
/*
 * machine.h: how much memory of this machine a run may take without a limit of its own.
 *
 * The answer only moves the point at which a run is stopped: a run that ends gives the same bytes
 * on every machine.
 */
#ifndef TOOLS_COMMON_MACHINE_H
#define TOOLS_COMMON_MACHINE_H

#include <stdint.h>

/* Where the system says it. */
struct machine_files {
    const char *machine;     /* /proc/meminfo */
    const char *group_most;  /* of its control group: a number, or "max" */
    const char *group_used;  /* with the page cache */
    const char *group_kinds; /* what of that is what: lines "NAME NUMBER" */
};
extern const struct machine_files machine_files;

/* However little the machine and the group have left: a small scenario always runs. */
extern const uint64_t machine_least_bytes;

/*
 * Three quarters of what is left, of the machine, the process and its control group. Never 0, which
 * means "no limit" wherever a limit is given. A file that is not there limits nothing.
 */
uint64_t machine_spare_bytes(const struct machine_files *files);

#endif
