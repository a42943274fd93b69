/* SPDX-License-Identifier: MIT */
/*
 * run_out.c: output members of the last call, for `out(MEMBER)`.
 */
#include "scenarios/lang/run.h"

#include <string.h>

static const struct {
    const char *name, *help;
} rows[OUTS] = {
#define OUT(symbol, name, help) { name, help },
#include "scenarios/lang/outs.def"
#undef OUT
};

const char *run_out_name(size_t index)
{
    return index < OUTS ? rows[index].name : NULL;
}

const char *run_out_help(size_t index)
{
    return index < OUTS ? rows[index].help : NULL;
}

void run_out_clear(struct runner *runner)
{
    memset(&runner->out, 0, sizeof runner->out);
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

bool run_out_find(struct runner *runner, const struct expr *expr, uint64_t *value)
{
    const char *name = runner_word(runner, expr->items->from->name);
    for (size_t i = 0; i < OUTS; i++) {
        if (strcmp(rows[i].name, name) != 0 || !runner->out.known[i])
            continue;
        *value = runner->out.value[i];
        return true;
    }
    return evaluate_problem(runner, "the last call gave back no '%s'", name);
}
