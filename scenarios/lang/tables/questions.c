/* SPDX-License-Identifier: MIT */
/*
 * questions.c: what an expression and an expectation can ask: functions, members that a call gives
 * back, the keys of `state` by kind of subject, and the fields of an event. run/ answers.
 *
 * A line that asks for a field which its event never has, or for a word which that field never is,
 * matches nothing: `expect no` would hold whatever happens.
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

static const struct vidmm_event_field_info values[] = {
#define STATE_OF_ALL
#define STATE_KEY(key, kind, value, words) { key, VIDMM_FIELD_##kind, true, words, "" },
#include "scenarios/lang/tables/state_keys.def"
#undef STATE_KEY
};

const struct vidmm_event_field_info *state_words_field(const char *key, size_t index)
{
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        if (strcmp(values[i].name, key) == 0 && !index--)
            return &values[i];
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

/* ---- fields of events ------------------------------------------------------------------------ */

/* What every event has besides its own fields. */
static const char common[] = "rule|subject|time";
static const char yes_or_no[] = "yes|no|on|off";

const char *event_suggest(const char *name, char *help, size_t bytes)
{
    const char *habit = habit_find(HABIT_EVENT, name, strlen(name));
    if (habit)
        return text_format(help, bytes, "did you mean '%s'?", habit);
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (int kind = VIDMM_EVENT_NONE + 1; kind < VIDMM_EVENT_KINDS; kind++)
        nearest_try(&nearest, vidmm_event_info((enum vidmm_event_kind)kind)->name);
    return nearest_help(&nearest, help, bytes) ? help : "`vidmm events` lists them";
}

const struct vidmm_event_field_info *event_fields_find(enum vidmm_event_kind kind, const char *name)
{
    const struct vidmm_event_field_info *info;
    for (size_t i = 0; (info = vidmm_event_field(kind, i)) != NULL; i++) {
        if (strcmp(info->name, name) == 0)
            return info;
    }
    return NULL;
}

bool event_fields_known(enum vidmm_event_kind kind, const char *name)
{
    return kind == VIDMM_EVENT_DRIVER_CALL || event_fields_find(kind, name) ||
           word_list_has(common, name, NULL);
}

const char *event_fields_help(enum vidmm_event_kind kind, const char *name, char *help,
                              size_t bytes)
{
    const struct vidmm_event_field_info *info;
    const char *habit = habit_find(HABIT_FIELD, name, strlen(name));
    if (habit && event_fields_find(kind, habit))
        return text_format(help, bytes, "did you mean '%s'?", habit);
    struct nearest nearest = nearest_begin(name, strlen(name));
    for (size_t i = 0; (info = vidmm_event_field(kind, i)) != NULL; i++)
        nearest_try(&nearest, info->name);
    nearest_try_words(&nearest, common);
    return nearest_choice(&nearest, help, bytes);
}

/* Words of the table that stand for the names of flags. */
static const struct {
    const char *word;
    enum vidmm_flag_set sets[2];
} flags[] = {
    { "LOCK_FLAGS", { VIDMM_FLAGS_LOCK, VIDMM_FLAGS_LOCK } },
    { "SEGMENT_FLAGS", { VIDMM_FLAGS_SEGMENT, VIDMM_FLAGS_SEGMENT } },
    { "TRANSFER_FLAGS", { VIDMM_FLAGS_TRANSFER, VIDMM_FLAGS_TRANSFER } },
    { "ALLOCATION_FLAGS", { VIDMM_FLAGS_ALLOCATION, VIDMM_FLAGS_ALLOCATION2_0 } },
    { "ALLOCATION2_FLAGS", { VIDMM_FLAGS_ALLOCATION2, VIDMM_FLAGS_ALLOCATION2 } },
    { "KMT_FLAGS", { VIDMM_FLAGS_KMT, VIDMM_FLAGS_KMT } },
    { "USAGE_FLAGS", { VIDMM_FLAGS_USAGE, VIDMM_FLAGS_USAGE } },
    { "FORMAT", { VIDMM_FLAGS_FORMAT, VIDMM_FLAGS_FORMAT } },
    { "PRIORITY", { VIDMM_FLAGS_PRIORITY, VIDMM_FLAGS_PRIORITY } },
};

bool event_fields_stands(const struct vidmm_event_field_info *info, const char *text)
{
    return *info->words && word_list_has(info->words, text, NULL);
}

static bool is_flag(const struct vidmm_event_field_info *info, const char *text)
{
    for (size_t i = 0; i < ARRAY_COUNT(flags); i++)
        if (event_fields_stands(info, flags[i].word) &&
            (vidmm_flag_by_name(flags[i].sets[0], text) ||
             vidmm_flag_by_name(flags[i].sets[1], text)))
            return true;
    return false;
}

/* In capitals: no word that comes. */
static bool is_stand_in(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == strlen(text);
}

bool event_fields_word(const struct vidmm_event_field_info *info, const char *text)
{
    switch (info->kind) {
    case VIDMM_FIELD_FLAG: return word_list_has(yes_or_no, text, NULL);
    case VIDMM_FIELD_NUMBER:
    case VIDMM_FIELD_BYTES:
    case VIDMM_FIELD_NS: return false;
    case VIDMM_FIELD_HEX: return is_flag(info, text);
    case VIDMM_FIELD_WORD:
        return !*info->words || is_flag(info, text) ||
               (!is_stand_in(text) && event_fields_stands(info, text));
    default: return true;
    }
}

void event_fields_suggest(const struct vidmm_event_field_info *info, struct nearest *nearest)
{
    const struct vidmm_flag *flag;
    char text[64];
    for (const char *at = info->words; *at; at += strcspn(at, "|"), at += *at == '|') {
        (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "|"), at);
        if (!is_stand_in(text))
            nearest_try(nearest, text);
    }
    for (size_t i = 0; i < ARRAY_COUNT(flags); i++)
        for (size_t j = 0; event_fields_stands(info, flags[i].word) &&
                           (flag = vidmm_flag_row(flags[i].sets[0], j)) != NULL;
             j++)
            nearest_try(nearest, flag->name);
    if (info->kind == VIDMM_FIELD_FLAG && !*info->words)
        nearest_try_words(nearest, yes_or_no);
}
