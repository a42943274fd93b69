/* SPDX-License-Identifier: MIT */
/*
 * metrics.h: the numbers by which runs are compared. Each is a row of metrics.def; one that makes
 * no sense for a run (a hit ratio without uses) is not known, and is written as null.
 */
#ifndef TOOLS_LAB_METRICS_H
#define TOOLS_LAB_METRICS_H

#include "tools/common/json.h"
#include "tools/common/text.h"

enum metric {
#define METRIC(symbol, name, unit, better, text) METRIC_##symbol,
#include "tools/lab/metrics.def"
#undef METRIC
    METRICS
};

enum metric_unit { METRIC_COUNT, METRIC_BYTES, METRIC_NS, METRIC_SHARE, METRIC_TIMES };
enum metric_better { METRIC_LESS, METRIC_MORE, METRIC_NEITHER };
enum { METRIC_WHOLE = 1000000 }; /* a share, a factor: what 1 is */

struct metric_info {
    const char *name;
    enum metric_unit unit;
    enum metric_better better;
    const char *text;
};
const struct metric_info *metric_info(enum metric metric);

struct metrics {
    uint64_t value[METRICS];
    bool known[METRICS];
};

void metrics_set(struct metrics *metrics, enum metric metric, uint64_t value);
/* Adds to what is known; a sum that does not fit stays at its highest. */
void metrics_add(struct metrics *metrics, enum metric metric, uint64_t value);
/* `part` of `whole` in millionths, rounded down; not known where `whole` is 0. */
void metrics_set_ratio(struct metrics *metrics, enum metric metric, uint64_t part, uint64_t whole);
uint64_t metrics_ratio(uint64_t part, uint64_t whole);

/* Uses and both hit ratios, from hits and misses. */
void metrics_derive(struct metrics *metrics);
/* Adds what can be added: counts, bytes and times, but no peaks; what is derived is not. */
void metrics_sum(struct metrics *sum, const struct metrics *more);

/* For people, rounded: "91.2%", "1.25", "12.5 MiB", "5.9 ms"; "-" where it is not known. */
struct text_short metrics_value_words(enum metric_unit unit, uint64_t value);
struct text_short metrics_words(const struct metrics *metrics, enum metric metric);
/* For programs, exact; "" where it is not known. */
struct text_short metrics_exact(const struct metrics *metrics, enum metric metric);
/* Every metric as a member. */
void metrics_json(struct json *json, const struct metrics *metrics);

#endif
