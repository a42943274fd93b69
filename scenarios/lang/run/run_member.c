/* SPDX-License-Identifier: MIT */
/*
 * run_member.c: which member of a creation an attribute writes.
 *
 * A row names the attribute, the member, and how the value gets there; an attribute that writes
 * several members has several rows. What the miniport answers is `answer`, what it says of a
 * standard allocation `described`; the call has its own struct.
 *
 * Of a standard allocation the statement says two things: what the kernel asks for (width, height,
 * format), and what the mock answers when it is asked (everything else).
 */
#include "scenarios/lang/run/creation.h"
#include "scenarios/lang/run/statements.h"

#include <string.h>

/* ---- attributes as one number ---------------------------------------------------------------- */

static uint32_t value_segments(const struct runner *runner, const struct attribute *attribute)
{
    uint32_t set = 0;
    for (const struct item *item = attribute->items; item; item = item->next)
        set |= bindings_segment_bit(bindings_of_word(runner, item->from->name));
    return set;
}

/* SegmentId0, Direction0, SegmentId1 ..., or Bank0, Direction0, Bank1 ...: `bits` bits and one for
   each, lowest first. */
static bool value_directed(struct runner *runner, const struct attribute *attribute, unsigned bits,
                           uint32_t *value)
{
    unsigned shift = 0;
    *value = 0;
    for (const struct item *item = attribute->items; item && shift + bits < 32;
         item = item->next, shift += bits + 1) {
        uint64_t number = 0;
        bool top = item->suffix && strcmp(runner_word(runner, item->suffix), "top") == 0;
        if (attribute->row->kind == VALUE_PREFER)
            number = bindings_number(bindings_of_word(runner, item->from->name));
        else if (!evaluate_item(runner, attribute, item, &number))
            return false;
        *value |= (((uint32_t)number & ((1u << bits) - 1)) | (top ? 1u << bits : 0)) << shift;
    }
    return true;
}

static bool value_flags(struct runner *runner, const struct attribute *attribute,
                        enum vidmm_flag_set set, uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = attribute->items; item; item = item->next) {
        uint64_t value = 0;
        if (item->from->kind != EXPR_NAME) {
            if (!evaluate_item(runner, attribute, item, &value))
                return false;
        } else {
            const char *name = runner_word(runner, item->from->name);
            enum vidmm_flag_set seen = set;
            const struct vidmm_flag *flag = vidmm_flag_by_name(set, name);
            /* Its bit is reserved in this version: the manager says so. */
            if (!flag)
                flag = vidmm_flag_by_other_name(&seen, name);
            CHECK(flag);
            value = flag->value;
        }
        *flags |= (uint32_t)value;
    }
    return true;
}

/* A name of a set as its value, or a number. */
static bool run_value_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                            uint32_t *number)
{
    const struct vidmm_flag *named =
        expr->kind == EXPR_NAME ? vidmm_flag_by_name(set, runner_word(runner, expr->name)) : NULL;
    if (!named)
        return evaluate_32(runner, expr, number);
    *number = named->value;
    return true;
}

bool run_value_flag_list(struct runner *runner, const struct item *items, enum vidmm_flag_set set,
                         uint32_t *flags)
{
    *flags = 0;
    for (const struct item *item = items; item; item = item->next) {
        uint32_t value = 0;
        if (!runner_stop_unless(runner, run_value_named(runner, item->from, set, &value)))
            return false;
        *flags |= value;
    }
    return true;
}

/* Words count from 1; a word that stands alone is 1. */
bool run_value(struct runner *runner, const struct attribute *attribute, uint64_t *value)
{
    const struct attribute_row *row = attribute->row;
    const struct expr *first = attribute->items ? attribute->items->from : NULL;
    uint32_t bits = 0;
    bool known = true;
    size_t index = 0;
    switch (row->kind) {
    case VALUE_BARE: bits = 1; break;
    case VALUE_NAME: bits = bindings_number(bindings_of_word(runner, first->name)); break;
    case VALUE_SEGMENTS: bits = value_segments(runner, attribute); break;
    case VALUE_PREFER: known = value_directed(runner, attribute, 5, &bits); break;
    case VALUE_BANKS: known = value_directed(runner, attribute, 7, &bits); break;
    case VALUE_FLAGS:
        known = value_flags(runner, attribute, (enum vidmm_flag_set)row->argument, &bits);
        break;
    case VALUE_NAMED:
        known = run_value_named(runner, first, (enum vidmm_flag_set)row->argument, &bits);
        break;
    case VALUE_PRIORITY: known = run_value_named(runner, first, VIDMM_FLAGS_PRIORITY, &bits); break;
    default:
        if (!evaluate_word(runner, attribute, attribute->items, &index))
            return evaluate_item(runner, attribute, attribute->items, value);
        bits = (uint32_t)index + 1;
    }
    *value = bits;
    return known;
}

/* ---- standard allocations ------------------------------------------------------------------- */

void run_surface_begin(struct runner *runner, const struct statement *class,
                       const struct statement *statement, struct creation *creation)
{
    const struct attribute *standard =
        attribute_inherited(statement, class, ATTRIBUTE_CREATE_STANDARD);
    const struct attribute *gdi = attribute_inherited(statement, class, ATTRIBUTE_CREATE_GDI_TYPE);
    uint32_t gdi_type = 0;
    size_t index = 0;
    creation->described.bytes = sizeof creation->answer;
    if (!standard)
        return;
    (void)evaluate_word(runner, standard, standard->items, &index);
    if (gdi)
        (void)run_value_named(runner, gdi->items->from, VIDMM_FLAGS_GDI, &gdi_type);
    creation->standard.type = (uint32_t)index + 1;
    creation->described.answer = creation->answer;
    vidmm_mock_standard_defaults(&runner->mock_config, creation->standard.type, gdi_type,
                                 &creation->described);
    creation->answer = creation->described.answer;
}

void run_surface_end(struct runner *runner, struct creation *creation)
{
    struct vidmm_standard *standard = &creation->standard;
    if (!standard->type)
        return;
    standard->bytes = creation->answer.size;
    standard->alignment = creation->answer.alignment;
    creation->described.answer = creation->answer;
    creation->args.standard = standard;
    vidmm_mock_standard_set(runner->mock, &creation->described);
}

void run_surface_end_heap(struct runner *runner, struct creation *creation)
{
    struct vidmm_mock_allocation usual = creation->answer;
    vidmm_mock_heap_defaults(&runner->mock_config, &usual);
    if (!creation->flagged)
        creation->answer.flags = usual.flags;
    if (!creation->placed) {
        creation->answer.read_set = usual.read_set;
        creation->answer.write_set = usual.write_set;
    }
    creation->described.answer = creation->answer;
    vidmm_mock_standard_set(runner->mock, &creation->described);
}

/* ---- members --------------------------------------------------------------------------------- */

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
    CHECK(row->width == sizeof(bool) || row->width == 4 || row->width == 8);
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

/* What goes beside the value, which is known. */
static void member_begin(struct runner *runner, const struct attribute *attribute,
                         struct creation *creation, uint64_t *value)
{
    uint32_t flags = 0;
    bool wddm2 = runner->mock_config.wddm >= VIDMM_WDDM_2_0;
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_USAGE:
    case ATTRIBUTE_CREATE_USAGE_VERSION:
    case ATTRIBUTE_CREATE_USAGE_FORMAT:
    case ATTRIBUTE_CREATE_USAGE_PRIVATE_FORMAT:
        /* Any member of the hint means that there is one. */
        if (!creation->answer.hinted)
            creation->answer.hint = (DXGK_ALLOCATIONUSAGEHINT){ .Version = HINT_VERSION };
        creation->answer.hinted = true;
        break;
    case ATTRIBUTE_CREATE_MEMBER_FLAGS: creation->answer.fills_wddm2 = false; break;
    case ATTRIBUTE_CREATE_MEMBER_FLAGS_WDDM2: creation->answer.fills_wddm2 = true; break;
    case ATTRIBUTE_CREATE_FLAGS:
        creation->answer.fills_wddm2 = wddm2;
        if (!wddm2)
            break;
        bool known = value_flags(runner, attribute, VIDMM_FLAGS_ALLOCATION2_0, &flags);
        CHECK(known);
        *value = flags;
        break;
    default: break;
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
        if (!known && !run_value(runner, attribute, &value))
            return false;
        if (!known)
            member_begin(runner, attribute, creation, &value);
        known = true;
        if (row->how == STORE && row->argument && value > row->argument) {
            evaluate_problem(runner, "'%s' is at most %" PRIu32 " here", attribute->row->name,
                             row->argument);
            return evaluate_at(runner, attribute->items->from, false);
        }
        member_write(row, value, (char *)(row->of_call ? (void *)call : creation) + row->offset);
    }
    return true;
}
