/* SPDX-License-Identifier: MIT */
/*
 * questions.c: what an expression and an expectation can ask: functions, members that a call gives
 * back, and the keys of `state` by kind of subject. run/ answers.
 */
#include "scenarios/lang/tables/tables.h"

#include <string.h>

/* ---- functions ------------------------------------------------------------------------------ */

static const struct function_row functions[] = {
#define FUNCTION(symbol, name, subject, unit, optional, traits, help)                              \
    { name, subject, unit, optional, traits, help },
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

/* The kind of subject of each row below, as far as one can be named in a scenario. */
static const int objects[] = {
    0,          OBJECT_SEGMENT, OBJECT_ALLOCATION, OBJECT_RESOURCE, OBJECT_DEVICE, OBJECT_CONTEXT,
    OBJECT_NODE
};

static const struct scenario_word_help states[] = {
    { .of = "adapter",
      .words = "wddm|shared|dedicated-video|dedicated-system|total|local|nonlocal|nonbudget|"
               "committed|findings",
      .supported = true },
    { .of = "SEGMENT",
      .words = "kind|size|page|base|cpu|limit|committed|used|free|pinned|pinstart|banks|flags|"
               "memory-end|vpr-start|vpr-size|vpr-limit|uefi-ranges|group|host-aperture|"
               "host-aperture-free",
      .supported = true },
    { .of = "ALLOCATION",
      .words = "residency|segment|offset|adapter|copies|runs|size|footprint|alignment|flags|flags2|"
               "view|kmt|primary|displayed|vidpn|standard|width|height|pitch|format|hint|usage|"
               "backing|backing-runs|holds|written|type|address|layout|instance|generation|dirty|"
               "cpu-dirty|pattern-only|encrypted|pinned|lost|locks|priority|set|prefer|offer|owner|"
               "resource|shared|hGlobalShare|openings|read-only",
      .supported = true },
    { .of = "RESOURCE", .words = "kmt|owner|allocations|runtime-data", .supported = true },
    { .of = "DEVICE", .words = "state", .supported = true },
    { .of = "CONTEXT",
      .words = "owner|DmaBufferSegmentSet|DmaBufferSize|DmaBufferPrivateDataSize|"
               "AllocationListSize|PatchLocationListSize",
      .supported = true },
    { .of = "NODE", .words = "issued|completed|queued", .supported = true },
    { .of = "PROCESS", .words = "budget|usage|reservation|available|blocked" },
    { .of = "QUEUE", .words = "value|queued" },
};

/* Keys whose value is one of a few words, as vidmm/inspect.c answers them. */
static const struct {
    const char *key;
    const char *words;
} values[] = {
    { "kind", "memory|aperture|agp" },
    { "group", "local|nonlocal|none" },
    { "residency", "none|evicted|resident|lost" },
    { "backing", "kept|stale|none|supplied|kernel" },
    { "holds", "nothing|zeros|stale|data" },
    { "type", "wc|cached|uncached" },
    { "layout", "none|linear|swizzled" },
    { "instance", "current|superseded|retired|reusable|older" },
    { "offer", "no|pending|offered|discarded" },
    { "shared", "no|global|nt" },
    { "view", "Flags|FlagsWddm2" },
    { "standard", "none|shared-primary|shadow|staging|gdi|virtual-gpu" },
    { "primary", "on|off|yes|no" },
    { "displayed", "on|off|yes|no" },
    { "encrypted", "on|off|yes|no" },
    { "dirty", "on|off|yes|no" },
    { "pattern-only", "on|off|yes|no" },
    { "read-only", "on|off|yes|no" },
    { "lost", "on|off|yes|no" },
    { "state", "active|out-of-memory|dma-fault|page-fault|stopped|hung|reset|gone" },
};

const char *state_words_values(const char *key)
{
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        if (strcmp(values[i].key, key) == 0)
            return values[i].words;
    return NULL;
}

const struct scenario_word_help *state_words_row(size_t index)
{
    return index < ARRAY_COUNT(states) ? &states[index] : NULL;
}

bool state_words_known(const char *key)
{
    size_t index = 0;
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (word_list_has(states[i].words, key, &index))
            return true;
    return false;
}

const char *state_words_of(int object)
{
    for (size_t i = 0; i < ARRAY_COUNT(objects); i++)
        if (objects[i] == object)
            return states[i].words;
    return "";
}

void state_words_suggest(struct nearest *nearest)
{
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        nearest_try_words(nearest, states[i].words);
}
