/* SPDX-License-Identifier: MIT */
/*
 * run_accident.c: `preempt`; and the calls of `reset`, `power`, `exclude`.
 */
#include "scenarios/lang/run/statements.h"

static vidmm_status run_exclude(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_ON);
}

static vidmm_status run_exclude_all(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_EVICT_ALL);
}

static vidmm_status run_include(struct vidmm_adapter *adapter)
{
    return vidmm_exclude(adapter, VIDMM_EXCLUDE_OFF);
}

static vidmm_status (*const calls[])(struct vidmm_adapter *adapter) = {
#define ACCIDENT(statement, symbol, word, call, help) call,
#include "scenarios/lang/tables/accidents.def"
#undef ACCIDENT
};

void run_accident(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = calls[statement->mode](runner->adapter);
    bindings_sweep(runner);
    run_outcome(runner, statement, status);
}

void run_preempt(struct runner *runner, const struct statement *statement)
{
    uint64_t node = 0;
    if (statement->value->kind == EXPR_NAME)
        node = bindings_number(bindings_of_word(runner, statement->value->name));
    else if (!runner_stop_unless(runner, evaluate(runner, statement->value, &node)))
        return;
    run_outcome(runner, statement,
                vidmm_preempt(runner->adapter, (uint32_t)min_u64(node, UINT32_MAX)));
}
