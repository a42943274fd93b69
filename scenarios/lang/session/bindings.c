/* SPDX-License-Identifier: MIT */
/*
 * bindings.c: what names and expressions stand for, as far as an observer may ask: without a
 * message, and without the adapter.
 *
 * Random numbers are those of language version 1: xoshiro256**, filled by splitmix64. They are part
 * of the language: the same seed gives the same scenario for ever. README.md of the folder above
 * writes the algorithm down.
 */
#include "scenarios/lang/session/session.h"

/* ---- random numbers -------------------------------------------------------------------------- */

uint64_t random_hash(const char *text, size_t bytes)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    return hash;
}

void random_init(struct random *random, uint64_t seed, const char *name, size_t bytes)
{
    uint64_t state = seed ^ random_hash(name, bytes); /* adding a test changes no other */
    for (size_t i = 0; i < ARRAY_COUNT(random->state); i++) {
        uint64_t mixed = state += 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
        random->state[i] = mixed ^ mixed >> 31;
    }
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

uint64_t random_next(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t bound)
{
    CHECK(bound);
    /* The lowest (2^64 mod bound) values would come once more often: they are thrown again. */
    uint64_t unfair = (0 - bound) % bound;
    uint64_t value = random_next(random);
    while (value < unfair)
        value = random_next(random);
    return value % bound;
}

/* ---- names ----------------------------------------------------------------------------------- */

enum { OBJECT_SHIFT = 60, EXTRA_SHIFT = 32, EXTRA_MASK = 0x0FFFFFFF };

binding bindings_make(enum object object, uint32_t extra, uint32_t number)
{
    unsigned rank = 1;
    while (1u << (rank - 1) != (unsigned)object)
        rank++;
    return (uint64_t)rank << OBJECT_SHIFT | (uint64_t)(extra & EXTRA_MASK) << EXTRA_SHIFT | number;
}

enum object bindings_object(binding value)
{
    unsigned rank = (unsigned)(value >> OBJECT_SHIFT);
    return (enum object)(rank ? 1u << (rank - 1) : 0);
}

uint32_t bindings_number(binding value)
{
    return (uint32_t)value;
}

uint32_t bindings_extra(binding value)
{
    return (uint32_t)(value >> EXTRA_SHIFT) & EXTRA_MASK;
}

binding bindings_get(const struct runner *runner, bool bulk, name_key key)
{
    if (bulk)
        return handles_get(&runner->handles, (uint32_t)key);
    const struct name_slot *slot = names_find(&runner->names, key);
    return slot ? slot->value : 0;
}

void bindings_set(struct runner *runner, bool bulk, name_key key, binding value)
{
    if (bulk)
        handles_set(&runner->handles, (uint32_t)key, value);
    else
        names_slot(&runner->names, key)->value = value;
    if (!bulk && runner->watched_names)
        watches_bound(runner, key, value);
}

void bindings_name(struct runner *runner, word name, enum object object, uint32_t number)
{
    bindings_set(runner, false, name_key_plain(name), bindings_make(object, 0, number));
}

binding bindings_of_word(const struct runner *runner, word name)
{
    return bindings_get(runner, false, name_key_plain(name));
}

/* ---- opened handles -------------------------------------------------------------------------- */

/* Where the handle stands, or would stand. */
static size_t opened_position(const struct runner *runner, vidmm_handle handle)
{
    size_t low = 0;
    size_t high = runner->opened_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runner->opened[middle].handle < handle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

vidmm_handle bindings_identity(const struct runner *runner, vidmm_handle handle)
{
    size_t at = opened_position(runner, handle);
    bool found = at < runner->opened_count && runner->opened[at].handle == handle;
    return found ? runner->opened[at].identity : handle;
}

/* Closed ones are kept for events that are still to be matched, until room is needed. */
static void opened_drop_closed(struct runner *runner)
{
    size_t kept = 0;
    for (size_t i = 0; i < runner->opened_count; i++)
        if (vidmm_object_kind(runner->adapter, runner->opened[i].handle) != VIDMM_OBJECT_NONE)
            runner->opened[kept++] = runner->opened[i];
    runner->opened_count = kept;
}

void bindings_open(struct runner *runner, vidmm_handle handle, vidmm_handle identity)
{
    watches_loosen(runner);
    if (runner->opened_count == runner->opened_capacity)
        opened_drop_closed(runner);
    size_t at = opened_position(runner, handle);
    if (at == runner->opened_count || runner->opened[at].handle != handle) {
        BASE_GROW(runner->opened, runner->opened_capacity, 2 * runner->opened_count + 8);
        memmove(&runner->opened[at + 1], &runner->opened[at],
                (runner->opened_count++ - at) * sizeof *runner->opened);
    }
    runner->opened[at] = (struct opened_handle){ handle, identity };
}

bool bindings_is_closed(const struct runner *runner, vidmm_handle handle)
{
    struct vidmm_allocation_view view;
    return runner->opened_count && vidmm_allocation_view(runner->adapter, handle, &view) &&
           !view.device;
}

/* ---- values ---------------------------------------------------------------------------------- */

bool evaluate_variable(const struct runner *runner, word name, uint64_t *value)
{
    size_t index;
    if (!scope_find(&runner->variables, name, &index))
        return false;
    *value = runner->values[index];
    return true;
}

bool evaluate_percent(const struct runner *runner, const struct expr *expr, uint64_t *value)
{
    binding segment = bindings_of_word(runner, expr->left->name);
    uint32_t id = bindings_number(segment);
    CHECK(bindings_object(segment) == OBJECT_SEGMENT && id);
    return arithmetic_percent(expr_number(expr, runner->numbers), runner->segments[id - 1].size,
                              value) == ARITHMETIC_OK;
}

bool evaluate_quietly(const struct runner *runner, const struct expr *expr, uint64_t *value)
{
    uint64_t left = 0, right = 0;
    switch (expr->kind) {
    case EXPR_NUMBER: *value = expr_number(expr, runner->numbers); return true;
    case EXPR_VARIABLE: return evaluate_variable(runner, expr->name, value);
    case EXPR_PERCENT: return evaluate_percent(runner, expr, value);
    case EXPR_BINARY:
        return evaluate_quietly(runner, expr->left, &left) &&
               evaluate_quietly(runner, expr->right, &right) &&
               arithmetic_apply(expr->op, left, right, value) == ARITHMETIC_OK;
    default: return false;
    }
}

bool evaluate_binding_quietly(const struct runner *runner, const struct expr *expr, binding *value)
{
    uint64_t index = 0;
    *value = 0;
    if (expr->kind == EXPR_HANDLE)
        *value = bindings_get(runner, true, expr_number(expr, runner->numbers));
    else if (!expr->left)
        *value = bindings_of_word(runner, expr->name);
    else if (evaluate_quietly(runner, expr->left, &index) && index <= NAME_INDEX_MAX)
        *value = bindings_get(runner, false, name_key_member(expr->name, (uint32_t)index));
    return *value != 0;
}

/* What all members of a range have in common is kept without an index. */
bool evaluate_key(const struct runner *runner, const struct expr *target, name_key *key)
{
    uint64_t index = 0;
    const struct scenario *scenario = runner->scenario;
    if (target->kind != EXPR_NAME || target->name == scenario->word_new ||
        target->name == scenario->word_auto)
        return false;
    bool one = target->left && !target->right;
    if (one && (!evaluate_quietly(runner, target->left, &index) || index > NAME_INDEX_MAX))
        return false;
    *key = name_key_of(target->name, one, (uint32_t)index);
    return true;
}
