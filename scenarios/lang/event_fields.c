/* SPDX-License-Identifier: MIT */
/*
 * event_fields.c: which fields an event has, and what can stand in them, for those who ask.
 *
 * A line that asks for a field which its event never has, or for a word which that field never is,
 * matches nothing: `expect no` would hold whatever happens.
 */
#include "scenarios/lang/scenario_state.h"

#include <string.h>

/* What every event has besides its own fields. */
static const char common[] = "rule|subject|time";

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
    size_t index = 0;
    return kind == VIDMM_EVENT_DRIVER_CALL || event_fields_find(kind, name) ||
           attribute_word(common, name, &index);
}

const char *event_fields_help(enum vidmm_event_kind kind, const char *name, char *help,
                              size_t bytes)
{
    const struct vidmm_event_field_info *info;
    struct nearest nearest;
    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; (info = vidmm_event_field(kind, i)) != NULL; i++)
        nearest_try(&nearest, info->name);
    nearest_try_words(&nearest, common);
    return nearest_choice(&nearest, help, bytes);
}

/* Where a segment's name is as good, only the run can tell. */
static bool is_listed(const struct vidmm_event_field_info *info)
{
    return info->kind == VIDMM_FIELD_WORD && *info->words && !strstr(info->words, "SEGMENT");
}

bool event_fields_word(const struct vidmm_event_field_info *info, const char *text)
{
    size_t index = 0;
    return !is_listed(info) || attribute_word(info->words, text, &index);
}

const char *event_fields_words(const struct vidmm_event_field_info *info, const char *text,
                               char *help, size_t bytes)
{
    struct nearest nearest;
    nearest_init(&nearest, text, strlen(text));
    nearest_try_words(&nearest, info->words);
    return nearest_choice(&nearest, help, bytes);
}
