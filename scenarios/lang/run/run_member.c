/* SPDX-License-Identifier: MIT */
/*
 * run_member.c: which member of a creation an attribute writes.
 *
 * A row names the attribute, the member, and how the value gets there; an attribute that writes
 * several members has several rows. What the miniport answers is `answer`, what it says of a
 * standard allocation `described`; the call has its own struct.
 */
#include "scenarios/lang/run/creation.h"

enum { HINT_VERSION = 1 };

enum how {
    STORE, /* the value; `argument`: the largest, 0 for any */
    OR,    /* its bits, besides those that are there */
    BIT,   /* the bits of `argument`, set or taken away */
    MARK,  /* the bits of `argument`, whatever the value */
    RAISE, /* true, if the value has a bit of `argument` */
    IS,    /* whether the value is `argument` */
    GIVEN, /* that it was written */
};

static const struct member {
    enum attribute_id attribute;
    enum how how;
    bool of_call;
    uint16_t offset, width;
    uint32_t argument;
} members[] = {
#define PLACE(type, member) offsetof(struct type, member), sizeof((struct type *)0)->member
#define ONE(id, how, member, argument)                                                             \
    { ATTRIBUTE_CREATE_##id, how, false, PLACE(creation, member), argument },
#define CALL(statement, id, how, member, argument)                                                 \
    { ATTRIBUTE_##statement##_##id, how, true, PLACE(creation_call, member), argument },
#define BOTH(id, how, member, argument)                                                            \
    CALL(CREATE, id, how, member, argument) CALL(RESOURCE, id, how, member, argument)
#include "scenarios/lang/run/members.def"
#undef PLACE
#undef ONE
#undef CALL
#undef BOTH
};

static uint64_t member_read(const struct member *row, const void *at)
{
    switch (row->width) {
    case sizeof(bool): return *(const bool *)at;
    case sizeof(uint32_t): return *(const uint32_t *)at;
    default: return *(const uint64_t *)at;
    }
}

static void member_write(const struct member *row, uint64_t value, void *at)
{
    uint64_t before = member_read(row, at);
    switch (row->how) {
    case STORE: break;
    case OR: value |= before; break;
    case BIT: value = value ? before | row->argument : before & ~(uint64_t)row->argument; break;
    case MARK: value = before | row->argument; break;
    case RAISE: value = before || value & row->argument; break;
    case IS: value = value == row->argument; break;
    case GIVEN: value = true; break;
    }
    switch (row->width) {
    case sizeof(bool): *(bool *)at = value != 0; break;
    case sizeof(uint32_t): *(uint32_t *)at = (uint32_t)value; break;
    default: *(uint64_t *)at = value; break;
    }
}

/* Any member of the hint means that there is one. */
static void member_hint(struct vidmm_mock_allocation *answer)
{
    if (!answer->hinted)
        answer->hint = (DXGK_ALLOCATIONUSAGEHINT){ .Version = HINT_VERSION };
    answer->hinted = true;
}

/* What goes beside the value. */
static bool member_begin(struct runner *runner, const struct attribute *attribute,
                         struct creation *creation, uint64_t *value)
{
    uint32_t flags = 0;
    bool wddm2 = runner->mock_config.wddm >= VIDMM_WDDM_2_0;
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_USAGE:
    case ATTRIBUTE_CREATE_USAGE_VERSION:
    case ATTRIBUTE_CREATE_USAGE_FORMAT:
    case ATTRIBUTE_CREATE_USAGE_PRIVATE_FORMAT: member_hint(&creation->answer); return true;
    case ATTRIBUTE_CREATE_MEMBER_FLAGS: creation->answer.fills_wddm2 = false; return true;
    case ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2: creation->answer.fills_wddm2 = true; return true;
    case ATTRIBUTE_CREATE_FLAGS:
        creation->answer.fills_wddm2 = wddm2;
        if (wddm2 && !run_value_flags(runner, attribute, VIDMM_FLAGS_ALLOCATION2_0, &flags))
            return false;
        *value = wddm2 ? flags : *value;
        return true;
    default: return true;
    }
}

bool run_member_apply(struct runner *runner, const struct attribute *attribute,
                      struct creation *creation, struct creation_call *call)
{
    uint64_t value = 0;
    bool known = false;
    for (size_t i = 0; i < ARRAY_COUNT(members); i++) {
        const struct member *row = &members[i];
        if (row->attribute != attribute->row->id)
            continue;
        if (!known && (!run_value(runner, attribute, &value) ||
                       !member_begin(runner, attribute, creation, &value)))
            return false;
        known = true;
        if (row->how == STORE && row->argument && value > row->argument)
            return evaluate_problem(runner, "'%s' is at most %" PRIu32 " here",
                                    attribute->row->name, row->argument);
        member_write(row, value, (char *)(row->of_call ? (void *)call : creation) + row->offset);
    }
    return true;
}
