/* SPDX-License-Identifier: MIT */
/* report.c: what every report calls alike. */
#include "tools/test/report.h"

#include <inttypes.h>
#include <string.h>

void report_name(const struct verdict *verdict, const struct unit *unit, struct text *name)
{
    text_add(name, "%s%s%s", verdict->file, *unit->name ? ": " : "", unit->name);
    if (verdict->seeded)
        text_add(name, " [seed %" PRIu64 "]", verdict->seed);
}
