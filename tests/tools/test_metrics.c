/* SPDX-License-Identifier: MIT */
/* test_metrics.c: numbers at their highest, and what a line says of a run that gave none. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"

#include "tools/lab/metrics.h"
#include "tools/lab/result.h"

static void numbers_have_units(void **state)
{
    (void)state;
    assert_string_equal(metrics_value_words(METRIC_COUNT, 7).it, "7");
    assert_string_equal(metrics_value_words(METRIC_BYTES, UINT64_C(3) << 51).it, "6144.0 TiB");
    assert_string_equal(metrics_value_words(METRIC_NS, UINT64_C(5000) * 1000000000).it, "5000.0 s");
    assert_int_equal(metrics_ratio(UINT64_MAX, UINT64_MAX), METRIC_WHOLE);
    assert_int_equal(metrics_ratio(UINT64_MAX / 2, UINT64_MAX), METRIC_WHOLE / 2 - 1);
}

/* A ratio of sums that do not fit would be wrong: there is none. */
static void what_does_not_fit_has_no_ratio(void **state)
{
    static const struct {
        uint64_t hits, misses, hit_bytes, miss_bytes;
        bool known;
    } rows[] = { { 3, 1, 3, 1, true },
                 { UINT64_MAX, 1, 3, 1, false },
                 { 3, 1, UINT64_MAX, 1, false } };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct metrics metrics = { .known = { false } };
        metrics_derive(&metrics);
        assert_false(metrics.known[METRIC_USES]);
        metrics_set(&metrics, METRIC_HITS, rows[i].hits);
        metrics_set(&metrics, METRIC_MISSES, rows[i].misses);
        metrics_set(&metrics, METRIC_HIT_BYTES, rows[i].hit_bytes);
        metrics_set(&metrics, METRIC_MISS_BYTES, rows[i].miss_bytes);
        metrics_derive(&metrics);
        assert_int_equal(metrics.known[METRIC_USES], rows[i].known);
        assert_int_equal(metrics.known[METRIC_HIT_RATIO], rows[i].known);
        assert_int_equal(metrics.value[METRIC_HIT_RATIO], rows[i].known ? 750000 : 0);
        /* Nothing is known of the least. */
        assert_false(metrics.known[METRIC_OVER_LEAST]);
    }
}

static void a_killed_run_has_a_line(void **state)
{
    const struct workers_answer answer = { .bytes = "", .output = "", .signal = SIGKILL };
    const struct measure_job job = {
        .file = "b.vms", .path = "a/b.vms", .settings = { "strict", "page=4K" }, .setting_count = 2
    };
    struct result *result = calloc(1, sizeof *result);
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    (void)state;
    assert_non_null(result);
    assert_non_null(out);
    result_take(result, &answer);
    assert_string_equal(result->measured.message, "");
    assert_string_equal(result_verdict(result), "crashed");
    (void)snprintf(result->measured.message, sizeof result->measured.message, "elsewhere:1: no");
    result_write(out, &job, result);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text,
                           "\"file\":\"b.vms\",\"settings\":{\"strict\":\"\",\"page\":\"4K\"},"
                           "\"verdict\":\"crashed\",\"exit\":70,\"signal\":9,"
                           "\"message\":\"elsewhere:1: no\"}\n"));
    free(text);
    free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_units),
        cmocka_unit_test(what_does_not_fit_has_no_ratio),
        cmocka_unit_test(a_killed_run_has_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
