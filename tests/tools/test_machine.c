/* SPDX-License-Identifier: MIT */
/* test_machine.c: the memory that a run may take by default, from made-up files. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp() */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/support/unit.h"
#include "tools/common/machine.h"
#include "vidmm/base/base.h"

#define GIB (UINT64_C(1) << 30)

static char folder[TEMPORARY_BYTES];
static char paths[4][TEMPORARY_BYTES + 8];
static const struct machine_files files = {
    .machine = paths[0],
    .group_most = paths[1],
    .group_used = paths[2],
    .group_kinds = paths[3],
};

static void write_file(const char *path, const char *content)
{
    (void)unlink(path);
    if (!content)
        return;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The spare memory of a machine with these files; NULL: there is no such file. */
static uint64_t spare(const char *machine, const char *most, const char *used, const char *kinds)
{
    const char *contents[] = { machine, most, used, kinds };
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        write_file(paths[i], contents[i]);
    return machine_spare_bytes(&files);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(temporary(folder, "machine")))
        return -1;
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        (void)snprintf(paths[i], sizeof paths[i], "%s/%zu", folder, i);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        (void)unlink(paths[i]);
    return rmdir(folder);
}

/* 8 GiB, of which 4 are available. */
static const char machine[] = "MemTotal:        8388608 kB\nMemFree:          123456 kB\n"
                              "MemAvailable:    4194304 kB\n";

static void the_machine_limits_where_no_group_does(void **state)
{
    (void)state;
    assert_int_equal(spare(machine, NULL, NULL, NULL), 3 * GIB);
    assert_int_equal(spare(machine, "max\n", "1073741824\n", NULL), 3 * GIB);
}

static void a_group_may_have_less(void **state)
{
    (void)state;
    assert_int_equal(spare(machine, "3221225472\n", "1073741824\n", NULL), GIB + GIB / 2);
    /* A limit above the machine's memory has no effect. */
    assert_int_equal(spare(machine, "99999999999\n", "0\n", NULL), 3 * GIB);
}

/* After a build: all of it is used, nearly all of that by files which were read and written. */
static void page_cache_counts_as_spare(void **state)
{
    static const char kinds[] = "anon 1073741824\nfile 2147483648\nkernel 0\n"
                                "inactive_anon 5\nactive_anon 7\n"
                                "inactive_file 1610612736\nactive_file 536870912\n";
    (void)state;
    assert_int_equal(spare(machine, "3221225472\n", "3221225472\n", kinds), GIB + GIB / 2);
    /* The files were read at different moments: less is used than the cache holds. */
    assert_int_equal(spare(machine, "1073741824\n", "1073741824\n", kinds), GIB / 4 * 3);
}

static void there_is_always_enough_for_a_small_run(void **state)
{
    (void)state;
    assert_int_equal(machine_least_bytes, GIB / 4);
    assert_int_equal(spare(machine, "1073741824\n", "1073741824\n", NULL), machine_least_bytes);
    assert_int_equal(spare(machine, "1\n", "1073741824\n", NULL), machine_least_bytes);
    /* Half a group says nothing; a machine without bounds has no more than its group. */
    assert_int_equal(spare(machine, "1\n", NULL, NULL), spare(machine, NULL, NULL, NULL));
    assert_int_equal(spare("MemAvailable: 18446744073709551615 kB\n", "3221225472\n", "0\n", NULL),
                     (GIB * 3) / 4 * 3);
    assert_int_equal(spare("MemAvailable: 0 kB\n", NULL, NULL, NULL), machine_least_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_limits_where_no_group_does),
        cmocka_unit_test(a_group_may_have_less),
        cmocka_unit_test(page_cache_counts_as_spare),
        cmocka_unit_test(there_is_always_enough_for_a_small_run),
    };
    return cmocka_run_group_tests_name("machine", tests, make_folder, remove_folder);
}
