/* SPDX-License-Identifier: MIT */
/* compare.h: results of several policies, as they are printed. Private to compare*.c. */
#ifndef TOOLS_LAB_COMPARE_H
#define TOOLS_LAB_COMPARE_H

#include "tools/lab/policy.h"
#include "tools/lab/result.h"

enum compare_format { COMPARE_TEXT, COMPARE_CSV, COMPARE_MARKDOWN, COMPARE_JSONL };

struct compare_summary {
    struct metrics metrics; /* sums */
    uint64_t passed, best;  /* files that passed; of which it has the fewest misses */
};

/* False: there are no numbers of it, or of a part at most; its message says why. */
static inline bool compare_is_measured(const struct result *result)
{
    return result->known && result->exit != SCENARIO_EXIT_INPUT && result->exit != (int)TOOL_USAGE;
}

/* Of one file; `results` as many as policies. */
void compare_print_file(enum compare_format format, const struct measure_job *job,
                        const struct policies *policies, const struct result *results);
void compare_print_csv_head(void);
/* False: no run of it was measured. */
bool compare_summarize(const struct policies *policies, const struct result *results,
                       struct compare_summary *summaries);
/* `measured` of so many files. */
void compare_print_summary(enum compare_format format, const struct policies *policies,
                           const struct compare_summary *summaries, int measured, int files);

#endif
