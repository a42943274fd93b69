/* SPDX-License-Identifier: MIT */
/*
 * wiring.c: every place where a lower floor reaches a higher one.
 *
 * Calls go down the floors. Where a floor needs an answer from above, it has a table of hooks in
 * its header, and calls what this file puts there. The tables are constant: all adapters share
 * them.
 */
#include "vidmm/wiring.h"
#include "vidmm/manager.h"
#include "vidmm/share/share.h"

/* vidmm/tell: how events and refusals name objects, and whether everything holds. */
static const struct tell_hooks tell_hooks = {
    .label = vidmm_label,
    .add_names = shared_add_names,
    .check = self_check,
};

void wiring_connect(adapter_t *adapter)
{
    adapter->tell_hooks = &tell_hooks;
}
