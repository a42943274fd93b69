/* SPDX-License-Identifier: MIT */
/*
 * metrics.c: how a measured number is written: exactly for programs, rounded for people.
 *
 * Shares and factors are whole millionths, so that no rounding of a processor decides a byte of the
 * output.
 */
#include "tools/lab/metrics.h"

#include <inttypes.h>

const struct metric_info *metric_info(enum metric metric)
{
    static const struct metric_info rows[] = {
#define METRIC(symbol, name, unit, better, text) { name, METRIC_##unit, METRIC_##better, text },
#include "tools/lab/metrics.def"
#undef METRIC
    };
    return &rows[metric];
}

void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value)
{
    metrics->value[metric] = value;
    metrics->known[metric] = true;
}

void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value)
{
    uint64_t sum = UINT64_MAX;
    (void)add_fits(metrics->value[metric], value, &sum);
    metrics_set(metrics, metric, sum);
}

/* Whole and part lose the same low bits until the product fits. */
uint64_t metrics_ratio(uint64_t part, uint64_t whole)
{
    while (part > UINT64_MAX / METRIC_WHOLE) {
        part >>= 1;
        whole >>= 1;
    }
    return whole ? part * METRIC_WHOLE / whole : 0;
}

void metrics_set_ratio(struct metrics *metrics, enum metric metric, uint64_t part, uint64_t whole)
{
    if (whole)
        metrics_set(metrics, metric, metrics_ratio(part, whole));
}

void metrics_derive(struct metrics *metrics)
{
    const uint64_t *value = metrics->value;
    uint64_t uses = value[METRIC_HITS], bytes = value[METRIC_HIT_BYTES];
    if (!metrics->known[METRIC_HITS] || !add_fits(uses, value[METRIC_MISSES], &uses) ||
        !add_fits(bytes, value[METRIC_MISS_BYTES], &bytes))
        return;
    if (metrics->known[METRIC_LEAST_MISSES])
        metrics_set_ratio(metrics, METRIC_OVER_LEAST, value[METRIC_MISSES],
                          value[METRIC_LEAST_MISSES]);
    metrics_set(metrics, METRIC_USES, uses);
    metrics_set_ratio(metrics, METRIC_HIT_RATIO, value[METRIC_HITS], uses);
    metrics_set_ratio(metrics, METRIC_BYTE_HIT_RATIO, value[METRIC_HIT_BYTES], bytes);
}

void metrics_sum(struct metrics *sum, const struct metrics *more)
{
    static const enum metric added[] = {
        METRIC_HITS,        METRIC_MISSES,    METRIC_HIT_BYTES,  METRIC_MISS_BYTES,
        METRIC_BYTES_IN,    METRIC_BYTES_OUT, METRIC_EVICTIONS,  METRIC_REFUSALS,
        METRIC_FINDINGS,    METRIC_FAILURES,  METRIC_STALL,      METRIC_LEAST_MISSES,
        METRIC_LEAST_BYTES, METRIC_TIME,      METRIC_OPERATIONS,
    };
    for (size_t i = 0; i < ARRAY_COUNT(added); i++)
        if (more->known[added[i]])
            metrics_add(sum, added[i], more->value[added[i]]);
    metrics_derive(sum);
}

/* Number and unit, rounded to one decimal, in the largest unit of which there is at least one. */
static struct text_short words_rounded(uint64_t value, uint64_t step, const char *const *units,
                                       size_t count)
{
    uint64_t unit = 1;
    size_t i = 0;
    while (i + 1 < count && value / unit >= step) {
        unit *= step;
        i++;
    }
    if (!i)
        return text_print("%" PRIu64 " %s", value, units[0]);
    uint64_t tenths = value / unit * 10 + (value % unit * 10 + unit / 2) / unit;
    return text_print("%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10, units[i]);
}

struct text_short metrics_value_words(enum metric_unit unit, uint64_t value)
{
    static const char *const sizes[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    static const char *const times[] = { "ns", "us", "ms", "s" };
    switch (unit) {
    case METRIC_COUNT: break;
    case METRIC_BYTES: return words_rounded(value, 1024, sizes, ARRAY_COUNT(sizes));
    case METRIC_NS: return words_rounded(value, 1000, times, ARRAY_COUNT(times));
    case METRIC_SHARE:
        value = (value + 500) / 1000;
        return text_print("%" PRIu64 ".%" PRIu64 "%%", value / 10, value % 10);
    case METRIC_TIMES:
        value = (value + 5000) / 10000;
        return text_print("%" PRIu64 ".%02" PRIu64, value / 100, value % 100);
    }
    return text_print("%" PRIu64, value);
}

struct text_short metrics_words(const struct metrics *metrics, enum metric metric)
{
    if (!metrics->known[metric])
        return text_print("-");
    return metrics_value_words(metric_info(metric)->unit, metrics->value[metric]);
}

struct text_short metrics_exact(const struct metrics *metrics, enum metric metric)
{
    uint64_t value = metrics->value[metric];
    enum metric_unit unit = metric_info(metric)->unit;
    if (!metrics->known[metric])
        return text_print("%s", "");
    if (unit == METRIC_SHARE || unit == METRIC_TIMES)
        return text_print("%" PRIu64 ".%06" PRIu64, value / METRIC_WHOLE, value % METRIC_WHOLE);
    return text_print("%" PRIu64, value);
}

void metrics_json(struct json *json, const struct metrics *metrics)
{
    for (int i = 0; i < METRICS; i++)
        json_literal(json, metric_info((enum metric)i)->name,
                     metrics->known[i] ? metrics_exact(metrics, (enum metric)i).it : "null");
}
