/* SPDX-License-Identifier: MIT */
/* narrate_calls.c: a sentence for each call of the miniport, and for what its lists hold. */
#include "tools/tale.h"

#include <inttypes.h>

void narrate_calls_driver_call(const struct tale *tale)
{
    text_add(tale->out, "%s answered %s", tale_word(tale, "ddi"),
             names_status((vidmm_status)(uint32_t)tale_number(tale, "status")).it);
    if (*tale_who(tale))
        text_add(tale->out, " for %s", tale_who(tale));
    tale_add_fields(tale, 2, ": ");
}

void narrate_calls_list_element(const struct tale *tale)
{
    enum { FIELDS_NAMED = 3 };
    bool null = !tale_number(tale, "hDeviceSpecificAllocation");
    text_add(tale->out, "element %" PRIu64 " of its list: %s", tale_number(tale, "index"),
             null ? "NULL" : tale_who(tale));
    if (!null)
        tale_add_fields(tale, FIELDS_NAMED, ", ");
}

void narrate_calls_patch_location(const struct tale *tale)
{
    enum { FIELDS_NAMED = 3 };
    text_add(tale->out, "location %" PRIu64 " of %s", tale_number(tale, "index"),
             tale_word(tale, "list"));
    if (*tale_who(tale))
        text_add(tale->out, " for %s", tale_who(tale));
    tale_add_fields(tale, FIELDS_NAMED, ": ");
}
