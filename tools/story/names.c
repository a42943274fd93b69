/* SPDX-License-Identifier: MIT */
/* names.c: what handles, segments and nodes are called. */
#include "tools/story/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct vidmm_field *names_field(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (*event->fields[i].name == *name && strcmp(event->fields[i].name, name) == 0)
            return &event->fields[i];
    return NULL;
}

uint64_t names_number(const struct vidmm_event *event, const char *name)
{
    const struct vidmm_field *field = names_field(event, name);
    return field ? field->value : 0;
}

const char *names_word(const struct vidmm_event *event, const char *name)
{
    const struct vidmm_field *field = names_field(event, name);
    return field && field->text ? field->text : "";
}

void names_learn(struct names *names, const struct vidmm_event *event)
{
    /* The first event of an adapter: the one before it is gone. */
    if (event->seq == 1)
        *names = (struct names){ .adapter = NULL };
    if (event->kind != VIDMM_EVENT_REPORT_SEGMENT)
        return;
    uint64_t segment = names_number(event, "segment");
    CHECK(segment < ARRAY_COUNT(names->segments));
    (void)snprintf(names->segments[segment], NAMES_SEGMENT_BYTES, "%s", names_word(event, "name"));
}

static struct text_short short_of(const char *string)
{
    struct text_short said = { "" };
    text_short_add(&said, string);
    return said;
}

const char *names_subject(const struct vidmm_event *event)
{
    return event->label ? event->label : "";
}

struct text_short names_allocation(const struct names *names, vidmm_handle handle)
{
    const char *label = names->adapter ? vidmm_label(names->adapter, handle) : "";
    if (!handle)
        return short_of("none");
    return *label ? short_of(label) : text_print("object %" PRIu32, handle);
}

struct text_short names_meant(const struct names *names, const struct vidmm_field *field)
{
    return field->text ? short_of(field->text)
                       : names_allocation(names, (vidmm_handle)field->value);
}

struct text_short names_segment(const struct names *names, uint32_t segment)
{
    struct vidmm_segment_view view;
    if (!segment)
        return short_of("system memory");
    if (names->adapter && vidmm_segment_view(names->adapter, segment, &view))
        return short_of(view.name);
    if (segment < ARRAY_COUNT(names->segments) && *names->segments[segment])
        return short_of(names->segments[segment]);
    return text_print("segment %" PRIu32, segment);
}

struct text_short names_node(const struct names *names, uint32_t node)
{
    struct vidmm_adapter_view view = { 0 };
    struct vidmm_node_view one = { .name = "" };
    if (names->adapter) {
        vidmm_adapter_view(names->adapter, &view);
        (void)vidmm_node_view(names->adapter, node, &one);
    }
    const char *kind = view.nodes > 1 && node == view.paging_node ? " (paging)" : "";
    if (*one.name)
        return text_print("node %.40s%s", one.name, kind);
    struct text_short said = { "node " };
    text_short_add(&said, text_number(node).it);
    text_short_add(&said, kind);
    return said;
}

bool names_makes_room(const struct vidmm_event *event)
{
    return event->kind == VIDMM_EVENT_EVICT &&
           text_listed("room|pin|commit|evictrange|retry", names_word(event, "reason"));
}

struct text_short names_status(vidmm_status status)
{
    const struct vidmm_status_info *info = vidmm_status_info(status);
    return info ? short_of(info->name) : text_print("0x%08" PRIX32, (uint32_t)status);
}

const char *names_standing(enum vidmm_rule_standing standing)
{
    static const char *const words[] = {
        [VIDMM_RULE_STANDING_DOCUMENTED] = "documented",
        [VIDMM_RULE_STANDING_CHOICE] = "our choice",
        [VIDMM_RULE_STANDING_MIXED] = "documented, partly our choice",
    };
    return words[standing];
}
