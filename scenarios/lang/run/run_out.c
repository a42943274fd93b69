/* SPDX-License-Identifier: MIT */
/*
 * run_out.c: output members of the last call, for `out(MEMBER)`.
 */
#include "scenarios/lang/run/statements.h"

#include <string.h>

void run_out_clear(struct runner *runner)
{
    memset(runner->out.known, 0, sizeof runner->out.known);
    runner->out.result_count = 0;
}

void run_out_set(struct runner *runner, enum out out, uint64_t value)
{
    runner->out.value[out] = value;
    runner->out.known[out] = true;
}

void run_out_creation(struct runner *runner, vidmm_status status,
                      const struct vidmm_creation_result *result)
{
    run_out_clear(runner);
    if (status < 0)
        return;
    run_out_set(runner, OUT_H_RESOURCE, result->resource);
    run_out_set(runner, OUT_FLAGS, result->flags);
    run_out_set(runner, OUT_H_GLOBAL_SHARE, result->global_share);
    run_out_set(runner, OUT_ZEROED, (result->flags & VIDMM_KMT_Zeroed) != 0);
}

/* A member that is an array: one for each element of the call. */
static bool out_find_element(struct runner *runner, enum out out, const struct expr *index,
                             uint64_t *value)
{
    uint64_t i = 0;
    if (!evaluate(runner, index, &i))
        return false;
    if (i >= runner->out.result_count)
        return evaluate_problem(runner, "the last call had %zu elements, the first is [0]",
                                runner->out.result_count);
    uint32_t result = runner->out.results[i];
    *value = out == OUT_P_DISCARDED ? result != 0 : result;
    return true;
}

bool run_out_find(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    const char *name = runner_word(runner, expr->items->from->name);
    for (size_t i = 0; i < OUTS; i++) {
        if (strcmp(out_name(i), name) != 0 || !runner->out.known[i])
            continue;
        const struct expr *index = expr->items->from->left;
        if (index)
            return out_find_element(runner, (enum out)i, index, value);
        *value = runner->out.value[i];
        return true;
    }
    return evaluate_problem(runner, "the last call gave back no '%s'", name);
}
