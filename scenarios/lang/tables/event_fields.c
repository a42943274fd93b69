/* SPDX-License-Identifier: MIT */
/*
 * event_fields.c: which fields an event has, and what can stand in them.
 *
 * A line that asks for a field which its event never has, or for a word which that field never is,
 * matches nothing: `expect no` would hold whatever happens.
 */
#include "scenarios/lang/tables/tables.h"

#include <string.h>

/* What every event has besides its own fields. */
static const char common[] = "rule|subject|time";
static const char yes_or_no[] = "yes|no|on|off";

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
    if (info->kind == VIDMM_FIELD_FLAG)
        nearest_try_words(nearest, yes_or_no);
}
