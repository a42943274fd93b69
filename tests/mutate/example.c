/* SPDX-License-Identifier: MIT */
/* example.c: every kind of mistake that sites.c makes, and what it leaves alone. */
#include "vidmm/base/base.h"

static const struct row rows[] = { { 3, true } };

static bool decide(struct thing *thing, uint32_t a, uint32_t b)
{
    char text[80];
    CHECK(a < b);
    if (a <= b && !thing->over)
        thing->count += a - 1;
    for (uint32_t i = 0; i < b; i++) {
        tell(thing, a, b);
        if (min_u32(a, b) == 0x10)
            break;
    }
    VIDMM_PREFETCH(thing + 1);
    BASE_GROW(thing->list, thing->capacity, memcmp(text, thing->text, 80) + 1);
    (void)finish(thing, text,
                 a);
    while (thing)
        thing = a ? thing->next : NULL;
    switch (text[0] | a | b) {
    case 'x':
    case 'y': break;
    default: a = 0;
    }
    return false;
}
