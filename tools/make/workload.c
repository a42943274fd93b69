/* SPDX-License-Identifier: MIT */
/* workload.c: what all kinds of workloads write alike, and their numbers. */
#include "tools/make/workload.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

uint64_t make_value(const struct make *make, const char *name)
{
    size_t at = 0;
    for (; strcmp(make->params[at].name, name) != 0; at++)
        CHECK(make->params[at + 1].name);
    return make->params[at].value;
}

/* splitmix64; the rest of a division by so small a bound is even enough. */
uint64_t make_below(struct make *make, uint64_t bound)
{
    uint64_t value = make->random += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return (value ^ value >> 31) % bound;
}

struct text_short make_size(uint64_t bytes)
{
    static const char units[] = "TGMK";
    for (unsigned i = 0; i < 4; i++) {
        uint64_t unit = UINT64_C(1) << (40 - 10 * i);
        if (bytes && bytes % unit == 0)
            return text_print("%" PRIu64 "%c", bytes / unit, units[i]);
    }
    return text_print("%" PRIu64, bytes);
}

void make_line(struct make *make, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(make->out, format, arguments);
    va_end(arguments);
    (void)fputc('\n', make->out);
}

uint64_t make_next(struct make *make)
{
    return MAKE_SUBMISSIONS + ++make->submitted;
}

struct text_short make_text(const struct make_param *param)
{
    if (param->kind == MAKE_SIZE)
        return make_size(param->value);
    if (param->kind == MAKE_TIME && param->value % 1000 == 0)
        return text_print("%" PRIu64 "us", param->value / 1000);
    return text_print("%" PRIu64 "%s", param->value, param->kind == MAKE_TIME ? "ns" : "");
}

bool make_has_room(const struct make *make, uint64_t least, const char *what, struct text *why)
{
    if (least <= make_value(make, "card"))
        return true;
    text_add(why, "card=%s has no room for %s: the smallest card is card=%s",
             make_size(make_value(make, "card")).it, what,
             make_size(align_up(least, UINT64_C(1) << 20)).it);
    return false;
}

static uint64_t round_up_to_power(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

void make_begin(struct make *make, const struct make_head *head)
{
    make_line(make, "vidmm-scenario 1\n# SPDX-License-Identifier: MIT");
    (void)fprintf(make->out, "# vidmm make %s", make->kind->name);
    for (size_t i = 0; make->params[i].name; i++)
        (void)fprintf(make->out, " %s=%s", make->params[i].name, make_text(&make->params[i]).it);
    make_line(make, "\nlesson \"%s\"", head->title);
    for (const char *const *line = head->question; *line; line++)
        make_line(make, "note \"%s\"", *line);
    uint64_t lines = make->kind->lines(make) + 1000;
    make_line(make, "\nparam card = %s", make_size(make_value(make, "card")).it);
    make_line(make, "adapter wddm=1.1 profile=pcie3\nmachine memory=%s",
              make_size(round_up_to_power(2 * head->needs + ((uint64_t)256 << 20))).it);
    make_line(make, "segment vram id=1 kind=memory   size=$card flags=CpuVisible");
    make_line(make, "segment aper id=2 kind=aperture size=%s",
              make_size(round_up_to_power(max_u64(2 * head->largest, (uint64_t)64 << 20))).it);
    make_line(make, "limit ops=%" PRIu64 " work=%" PRIu64 " live=%" PRIu64, lines, lines * 10000,
              lines);
}
