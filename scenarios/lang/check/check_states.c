/* SPDX-License-Identifier: MIT */
/*
 * check_states.c: what is known of each name and variable, since when, and how a mistake is
 * reported.
 *
 * The state of a name is one 64-bit value: state 2 bits, object 4, epoch 10, source 16, offset 32.
 * Every change is logged, so that a test and a bulk line with a problem can be taken back.
 */
#include "scenarios/lang/check/checker.h"

#include <stdarg.h>
#include <string.h>

/* ---- reports --------------------------------------------------------------------------------- */

enum { REPORT_BYTES = 1024 };

void check_report(struct checker *checker, struct place at, const char *help, const char *format,
                  ...)
{
    char text[REPORT_BYTES];
    checker->problem = true;
    if (checker->numbers)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    message_error(checker->scenario, at, help, "%s", text);
}

const char *check_word(const struct checker *checker, word name)
{
    return words_text(&checker->scenario->words, name);
}

bool check_silent(const struct statement *statement)
{
    return statement->outcome && statement->outcome->kind != OUTCOME_OK;
}

/* ---- variables ------------------------------------------------------------------------------ */

bool check_has_variable(const struct checker *checker, word name, struct variable **variable)
{
    size_t index;
    if (!scope_find(&checker->variables, name, &index))
        return false;
    *variable = &checker->values[index];
    return true;
}

void check_declare_variable(struct checker *checker, word name, bool constant, uint64_t value)
{
    scope_add(&checker->variables, name);
    BASE_GROW(checker->values, checker->value_capacity, checker->variables.count);
    checker->values[checker->variables.count - 1] =
        (struct variable){ .constant = constant, .value = value };
}

bool check_constant_variable(const struct checker *checker, word name, uint64_t *value)
{
    size_t index;
    if (!scope_find(&checker->variables, name, &index) || index < checker->vary ||
        !checker->values[index].constant)
        return false;
    *value = checker->values[index].value;
    return true;
}

void check_vary_variables(struct checker *checker)
{
    checker->vary = checker->variables.count;
}

void check_cut_variables(struct checker *checker, size_t count)
{
    scope_cut(&checker->variables, count);
    checker->vary = min_u64(checker->vary, checker->variables.count);
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t states_pack(const struct name_info *info)
{
    unsigned object = 0;
    while (1u << object != (unsigned)info->object)
        object++;
    return (uint64_t)info->state | (uint64_t)object << 2 | (uint64_t)info->epoch << 6 |
           (uint64_t)info->at.source << 16 | (uint64_t)info->at.offset << 32;
}

static struct name_info states_unpack(uint64_t value)
{
    return (struct name_info){
        .state = (enum name_state)(value & 3),
        .object = (enum object)(1u << (value >> 2 & 15)),
        .epoch = (unsigned)(value >> 6 & EPOCH_MAX),
        .at = { .source = (uint16_t)(value >> 16), .offset = (uint32_t)(value >> 32) },
    };
}

struct name_info check_states_get(const struct checker *checker, struct reference reference)
{
    if (reference.handle)
        return states_unpack(handles_get(&checker->handles, (uint32_t)reference.key));
    const struct name_slot *slot = names_find(&checker->names, reference.key);
    return states_unpack(slot ? slot->value : 0);
}

static uint64_t states_exchange(struct checker *checker, struct reference reference, uint64_t value)
{
    uint64_t before;
    if (reference.handle) {
        before = handles_get(&checker->handles, (uint32_t)reference.key);
        handles_set(&checker->handles, (uint32_t)reference.key, value);
        return before;
    }
    struct name_slot *slot = names_slot(&checker->names, reference.key);
    before = slot->value;
    slot->value = value;
    return before;
}

void check_states_set(struct checker *checker, struct reference reference,
                      const struct name_info *info)
{
    uint64_t before = states_exchange(checker, reference, states_pack(info));
    if (!checker->in_test && !checker->numbers)
        return;
    BASE_GROW(checker->changes, checker->change_capacity, checker->change_count + 1);
    checker->changes[checker->change_count++] =
        (struct name_change){ reference.handle, reference.key, before };
}

void check_states_undo(struct checker *checker, size_t mark)
{
    while (checker->change_count > mark) {
        const struct name_change *change = &checker->changes[--checker->change_count];
        states_exchange(checker, (struct reference){ change->handle, change->key }, change->before);
    }
}

struct name_info check_states_at(const struct checker *checker, name_key key)
{
    return check_states_get(checker, (struct reference){ false, key });
}

const struct segment_info *check_states_segment(const struct checker *checker, word name)
{
    for (size_t i = 0; i < checker->now.segment_count; i++) {
        if (checker->segments[i].name == name)
            return &checker->segments[i];
    }
    return NULL;
}

static void declare_default(struct checker *checker, const char *name, enum object object)
{
    struct scenario *scenario = checker->scenario;
    struct name_info info = { .state = NAME_LIVE, .object = object };
    word interned = words_intern(&scenario->words, &scenario->arena, name, strlen(name));
    check_states_set(checker, (struct reference){ false, name_key_plain(interned) }, &info);
}

void check_states_init(struct checker *checker)
{
    names_init(&checker->names);
    declare_default(checker, "app", OBJECT_PROCESS);
    declare_default(checker, "dev", OBJECT_DEVICE);
    declare_default(checker, "ctx", OBJECT_CONTEXT);
    declare_default(checker, "render", OBJECT_NODE);
    declare_default(checker, "paging", OBJECT_NODE);
}
