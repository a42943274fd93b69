/* SPDX-License-Identifier: MIT */
/* machine.c: what the system says of its memory, where it says so. */
#include "tools/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "vidmm/base.h"

/* The number after `name` in a file of /proc or /sys; UINT64_MAX when there is none ("max"). */
static uint64_t number_in(const char *path, const char *name)
{
    char line[256];
    char format[64];
    uint64_t value = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (!file)
        return UINT64_MAX;
    (void)snprintf(format, sizeof format, "%s%%" SCNu64, name);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, format, &value) == 1)
            break;
    (void)fclose(file);
    return value;
}

static uint64_t of_machine(void)
{
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable: ");
    return kib > UINT64_MAX / 1024 ? UINT64_MAX : kib * 1024;
}

/* A container often has less than its machine. */
static uint64_t of_control_group(void)
{
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", "");
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", "");
    if (most == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    return most > used ? most - used : 0;
}

static uint64_t of_process(int resource)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

uint64_t machine_spare_bytes(void)
{
    uint64_t least = min_u64(of_machine(), of_control_group());
    least = min_u64(least, min_u64(of_process(RLIMIT_AS), of_process(RLIMIT_DATA)));
    return least / 4 * 3;
}
