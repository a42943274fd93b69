/* SPDX-License-Identifier: MIT */
/* test_plan.c: the runs of a plan, their ids, and how even the shards are. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp() */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/support/unit.h"
#include "tools/lab/result.h"
#include "tools/sweep/plan.h"

static char folder[TEMPORARY_BYTES];
static char path[TEMPORARY_BYTES + 8], scenario[TEMPORARY_BYTES + 8];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(temporary(folder, "plan")))
        return 1;
    (void)snprintf(path, sizeof path, "%s/p.vsw", folder);
    (void)snprintf(scenario, sizeof scenario, "%s/a.vms", folder);
    FILE *file = fopen(scenario, "w");
    return !file || fclose(file) != 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    (void)unlink(scenario);
    return rmdir(folder);
}

/* The first line is there already. */
static bool read_text(struct plan *plan, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "vidmm-sweep 1\n%s", text) > 0);
    assert_int_equal(fclose(file), 0);
    return plan_read(plan, path, NULL);
}

static void every_combination_once(void **state)
{
    (void)state;
    struct plan plan;
    struct measure_job job, last = { .seed = 0 };
    assert_true(read_text(&plan, "files *.vms\n"
                                 "policies file\n"
                                 "set profile = pcie3 , unit # two\n"
                                 "param N=1,2,3\r\n"
                                 "\n"
                                 "seeds 7, 1..2\n"
                                 "limit ops=1K time=2s"));
    assert_int_equal(plan.runs, 2 * 3 * 3);
    plan_job(&plan, 0, &job);
    assert_string_equal(job.file, "a.vms");
    assert_string_equal(job.path, scenario);
    assert_string_equal(job.settings[0], "profile=pcie3");
    assert_string_equal(job.parameters[0], "N=1");
    assert_int_equal(job.seed, 7);
    assert_int_equal(job.limits.operations, 1024);
    plan_job(&plan, 17, &last);
    assert_string_equal(last.settings[0], "profile=unit");
    assert_string_equal(last.parameters[0], "N=3");
    assert_int_equal(last.seed, 2);
    for (size_t i = 0; i < plan.runs; i++) {
        plan_job(&plan, i, &job);
        assert_int_equal(plan_file(&plan, i), 0);
        for (size_t k = 0; k < i; k++) {
            plan_job(&plan, k, &last);
            assert_int_not_equal(result_id(&job), result_id(&last));
        }
    }
    plan_free(&plan);
}

/* Results that people keep have these ids: a change of the hash would lose them. */
static void ids_are_for_ever(void **state)
{
    (void)state;
    struct measure_job job = { .file = "games/one.vms",
                               .path = "/elsewhere/games/one.vms",
                               .policy = "lru",
                               .settings = { "placement=wddm", "eviction=lru" },
                               .setting_count = 2 };
    assert_int_equal(result_id(&job), UINT64_C(0xC223AF12DC24857F));
    job.settings[0] = "eviction=lru";
    job.settings[1] = "placement=wddm";
    job.path = "games/one.vms";
    job.policy = NULL;
    assert_int_equal(result_id(&job), UINT64_C(0xC223AF12DC24857F));
    job.has_seed = true;
    assert_int_equal(result_id(&job), UINT64_C(0x30E874AF550F9200));
    job.parameters[job.parameter_count++] = "N=1";
    assert_int_not_equal(result_id(&job), UINT64_C(0x30E874AF550F9200));
}

/* A parameter is no setting of that name, and two words are not one. */
static void ids_tell_things_apart(void **state)
{
    (void)state;
    const struct measure_job setting = { .file = "a", .settings = { "x=1" }, .setting_count = 1 };
    const struct measure_job parameter = { .file = "a",
                                           .parameters = { "x=1" },
                                           .parameter_count = 1 };
    const struct measure_job two = { .file = "a",
                                     .settings = { "x=1", "y=2" },
                                     .setting_count = 2 };
    const struct measure_job one = { .file = "a", .settings = { "x=1y=2" }, .setting_count = 1 };
    assert_int_not_equal(result_id(&setting), result_id(&parameter));
    assert_int_not_equal(result_id(&two), result_id(&one));
}

static void shards_are_even(void **state)
{
    (void)state;
    enum { RUNS = 20000, SHARDS_MOST = 64 };
    struct plan plan;
    struct measure_job job;
    char text[64];
    (void)snprintf(text, sizeof text, "files a.vms\nseeds 1..%d\n", RUNS);
    assert_true(read_text(&plan, text));
    for (uint64_t shards = 2; shards <= SHARDS_MOST; shards += 31) {
        uint64_t counts[SHARDS_MOST] = { 0 };
        for (size_t i = 0; i < plan.runs; i++) {
            plan_job(&plan, i, &job);
            counts[result_id(&job) % shards]++;
        }
        /* Five standard deviations are less than a fourth, of 312 runs. */
        for (uint64_t i = 0; i < shards; i++)
            assert_in_range(counts[i], RUNS / shards * 3 / 4, RUNS / shards * 5 / 4 + 1);
    }
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_once),
        cmocka_unit_test(ids_are_for_ever),
        cmocka_unit_test(ids_tell_things_apart),
        cmocka_unit_test(shards_are_even),
    };
    return cmocka_run_group_tests_name("plan", tests, make_folder, remove_folder);
}
