/* SPDX-License-Identifier: MIT */
/*
 * state_words.c: what `state` can ask, by kind of subject; state_keys.c answers.
 */
#include "scenarios/lang/syntax/syntax.h"

#include <string.h>

/* The kind of subject of each row below, as far as one can be named in a scenario. */
static const int objects[] = {
    0,          OBJECT_SEGMENT, OBJECT_ALLOCATION, OBJECT_RESOURCE, OBJECT_DEVICE, OBJECT_CONTEXT,
    OBJECT_NODE
};

static const struct scenario_word_help rows[] = {
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

const char *scenario_state_words(const char *key)
{
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        if (strcmp(values[i].key, key) == 0)
            return values[i].words;
    return NULL;
}

bool scenario_state_help(size_t index, struct scenario_word_help *help)
{
    if (index >= ARRAY_COUNT(rows))
        return false;
    *help = rows[index];
    help->name = "state";
    help->help = help->value = "";
    return true;
}

bool state_words_known(const char *key)
{
    size_t index = 0;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (attribute_word(rows[i].words, key, &index))
            return true;
    return false;
}

const char *state_words_of(int object)
{
    for (size_t i = 0; i < ARRAY_COUNT(objects); i++)
        if (objects[i] == object)
            return rows[i].words;
    return "";
}

void state_words_suggest(struct nearest *nearest)
{
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        nearest_try_words(nearest, rows[i].words);
}
