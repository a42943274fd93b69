/* SPDX-License-Identifier: MIT */
/*
 * run_context.c: `create ... context=C`: an allocation that the mock makes by a callback. The name
 * of the statement is only its label.
 */
#include "scenarios/lang/run/creation.h"

vidmm_status run_context_make(struct runner *runner, const struct creation_call *call,
                              const struct creation *creation)
{
    vidmm_handle owner = creation->across_contexts ? call->args.device : creation->context;
    vidmm_handle handle = 0;
    vidmm_name_next(runner->adapter, creation->label);
    vidmm_status status =
        vidmm_mock_context_allocation(runner->mock, owner, creation->across_contexts,
                                      &creation->answer, &handle);
    vidmm_name_next(runner->adapter, NULL);
    if (status >= 0)
        bindings_add_allocation(runner, creation->bulk, creation->named ? creation->key : 0,
                                handle);
    return status;
}
