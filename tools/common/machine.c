/* SPDX-License-Identifier: MIT */
/* machine.c: what the system says of its memory, where it says so. */
#include "tools/common/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "vidmm/base/base.h"

const struct machine_files machine_files = {
    .machine = "/proc/meminfo",
    .group_most = "/sys/fs/cgroup/memory.max",
    .group_used = "/sys/fs/cgroup/memory.current",
    .group_kinds = "/sys/fs/cgroup/memory.stat",
};

const uint64_t machine_least_bytes = UINT64_C(256) << 20;

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

/*
 * A container often has less than its machine. What its files keep in the page cache counts as
 * used, and goes as soon as somebody needs the memory.
 */
static uint64_t of_control_group(const struct machine_files *files)
{
    static const char *const caches[] = { "inactive_file ", "active_file " };
    uint64_t most = number_in(files->group_most, "");
    uint64_t used = number_in(files->group_used, "");
    if (most == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    for (size_t i = 0; i < ARRAY_COUNT(caches); i++) {
        uint64_t cache = number_in(files->group_kinds, caches[i]);
        if (cache != UINT64_MAX)
            used -= min_u64(used, cache);
    }
    return most > used ? most - used : 0;
}

/* No limit is the largest number. */
static uint64_t of_process(int resource)
{
    struct rlimit limit = { .rlim_cur = RLIM_INFINITY };
    (void)getrlimit((__rlimit_resource_t)resource, &limit);
    return limit.rlim_cur;
}

/* What the process itself was given is held however little it is. */
uint64_t machine_spare_bytes(const struct machine_files *files)
{
    uint64_t kib = number_in(files->machine, "MemAvailable: ");
    uint64_t machine = kib > UINT64_MAX / 1024 ? UINT64_MAX : kib * 1024;
    uint64_t spare = min_u64(machine, of_control_group(files)) / 4 * 3;
    uint64_t own = min_u64(of_process(RLIMIT_AS), of_process(RLIMIT_DATA)) / 4 * 3;
    return max_u64(min_u64(max_u64(spare, machine_least_bytes), own), 1);
}
