/* SPDX-License-Identifier: MIT */
/* loads.c: the texts that are measured: allocations of a page, and lines that name one by chance.
 */
#include "tools/bench/loads.h"

#include "tools/common/text.h"

enum { PAGE_KIB = 4 };

/* Of the kind xorshift; only that it is the same everywhere matters. */
static uint32_t one_of(uint64_t *state, uint32_t count)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state % count);
}

static void add_line(struct text *text, const char *line, uint64_t number, const char *end)
{
    text_add_string(text, line);
    text_add_number(text, number);
    text_add_string(text, end);
}

char *loads_text(const struct load *load, size_t *bytes)
{
    struct text text = { 0 };
    uint64_t state = UINT64_C(88172645463325252), lines = (uint64_t)load->objects + load->lines;
    text_add(&text,
             "vidmm-scenario 1\nmachine memory=4G\nsegment s id=1 kind=memory size=%uK\n"
             "limit ops=%llu work=%llu live=%llu\nclass o segments=s size=%uK\n",
             PAGE_KIB * load->room, (unsigned long long)lines + 1,
             1000 * (unsigned long long)lines + 1, (unsigned long long)load->objects + 1, PAGE_KIB);
    for (uint32_t i = 1; i <= load->objects; i++)
        add_line(&text, "create @", i, " : o\n");
    for (uint32_t i = 1; i <= load->lines; i++) {
        if (load->makes)
            add_line(&text, load->makes, load->objects + i, "");
        add_line(&text, load->uses, 1 + one_of(&state, load->objects), "\n");
    }
    *bytes = text.length;
    return text.bytes;
}
