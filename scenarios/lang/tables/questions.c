/* SPDX-License-Identifier: MIT */
/*
 * questions.c: what an expression and an expectation can ask: functions, members that a call gives
 * back, and the keys of `state` by kind of subject. run/ answers.
 */
#include "scenarios/lang/tables/tables.h"

#include <string.h>

/* ---- functions ------------------------------------------------------------------------------ */

static const struct function_row functions[] = {
#define FUNCTION(symbol, name, subject, unit, optional, help)                                      \
    { name, subject, unit, optional, help },
#include "scenarios/lang/tables/functions.def"
#undef FUNCTION
};

const struct function_row *function_row_of(unsigned function)
{
    return &functions[function];
}

enum function function_find(const char *name)
{
    unsigned i = 0;
    while (i < FUNCTIONS && strcmp(functions[i].name, name) != 0)
        i++;
    return (enum function)i;
}

/* ---- out(MEMBER) ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *help;
} outs[OUTS] = {
#define OUT(symbol, name, help) { name, help },
#include "scenarios/lang/tables/outs.def"
#undef OUT
};

const char *out_name(size_t index)
{
    return index < OUTS ? outs[index].name : NULL;
}

const char *out_help(size_t index)
{
    return index < OUTS ? outs[index].help : NULL;
}

const char *out_flaw(size_t index, bool indexed)
{
    bool array = index == OUT_P_DISCARDED || index == OUT_P_RESULTS;
    if (array == indexed)
        return NULL;
    return array ? "'%s' is an array: which element?" : "'%s' is no array";
}

/* ---- state ---------------------------------------------------------------------------------- */

/* "|KEY|KEY": the keys of each kind of subject. */
#define STATE_KEY(key, kind, value, words) "|" key
static const char keys_of_adapter[] =
#define STATE_OF_ADAPTER
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_segment[] =
#define STATE_OF_SEGMENT
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_allocation[] =
#define STATE_OF_ALLOCATION
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_resource[] =
#define STATE_OF_RESOURCE
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_device[] =
#define STATE_OF_DEVICE
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_context[] =
#define STATE_OF_CONTEXT
#include "scenarios/lang/tables/state_keys.def"
    ;
static const char keys_of_node[] =
#define STATE_OF_NODE
#include "scenarios/lang/tables/state_keys.def"
    ;
#undef STATE_KEY

/* Those without an object cannot be named in a scenario yet; the adapter needs no name. */
static const struct state_words states[] = {
    { 0, "adapter", &keys_of_adapter[1], true },
    { OBJECT_SEGMENT, "SEGMENT", &keys_of_segment[1], true },
    { OBJECT_ALLOCATION, "ALLOCATION", &keys_of_allocation[1], true },
    { OBJECT_RESOURCE, "RESOURCE", &keys_of_resource[1], true },
    { OBJECT_DEVICE, "DEVICE", &keys_of_device[1], true },
    { OBJECT_CONTEXT, "CONTEXT", &keys_of_context[1], true },
    { OBJECT_NODE, "NODE", &keys_of_node[1], true },
    { -1, "PROCESS", "budget|usage|reservation|available|blocked", false },
    { -1, "QUEUE", "value|queued", false },
};

static const struct {
    const char *key, *words;
} values[] = {
#define STATE_OF_ALL
#define STATE_KEY(key, kind, value, words) { key, words },
#include "scenarios/lang/tables/state_keys.def"
#undef STATE_KEY
};

const char *state_words_values(const char *key)
{
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        if (values[i].words && strcmp(values[i].key, key) == 0)
            return values[i].words;
    return NULL;
}

const struct state_words *state_words_row(size_t index)
{
    return index < ARRAY_COUNT(states) ? &states[index] : NULL;
}

bool state_words_known(const char *key)
{
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (word_list_has(states[i].words, key, NULL))
            return true;
    return false;
}

const char *state_words_of(int object)
{
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (states[i].object == object)
            return states[i].words;
    return "";
}

void state_words_suggest(struct nearest *nearest)
{
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        nearest_try_words(nearest, states[i].words);
}
