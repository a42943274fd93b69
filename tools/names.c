/* SPDX-License-Identifier: MIT */
/* names.c: what handles, segments and nodes are called. */
#include "tools/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct vidmm_field *names_field(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return &event->fields[i];
    return NULL;
}

void names_learn(struct names *names, const struct vidmm_event *event)
{
    /* The first event of an adapter: the one before it is gone. */
    if (event->seq == 1)
        *names = (struct names){ .adapter = NULL };
    if (event->kind != VIDMM_EVENT_REPORT_SEGMENT)
        return;
    const struct vidmm_field *segment = names_field(event, "segment");
    const struct vidmm_field *name = names_field(event, "name");
    if (segment && name && name->text && segment->value < ARRAY_COUNT(names->segments))
        (void)snprintf(names->segments[segment->value], NAMES_SEGMENT_BYTES, "%s", name->text);
}

const char *names_subject(const struct vidmm_event *event)
{
    return event->label ? event->label : "";
}

struct text_short names_allocation(const struct names *names, vidmm_handle handle)
{
    struct text_short name;
    const char *label = names->adapter ? vidmm_label(names->adapter, handle) : "";
    if (!handle)
        (void)snprintf(name.it, sizeof name.it, "none");
    else if (*label)
        (void)snprintf(name.it, sizeof name.it, "%s", label);
    else
        (void)snprintf(name.it, sizeof name.it, "object %" PRIu32, handle);
    return name;
}

struct text_short names_segment(const struct names *names, uint32_t segment)
{
    struct text_short name;
    struct vidmm_segment_view view;
    if (!segment)
        (void)snprintf(name.it, sizeof name.it, "system memory");
    else if (names->adapter && vidmm_segment_view(names->adapter, segment, &view))
        (void)snprintf(name.it, sizeof name.it, "%s", view.name);
    else if (segment < ARRAY_COUNT(names->segments) && *names->segments[segment])
        (void)snprintf(name.it, sizeof name.it, "%s", names->segments[segment]);
    else
        (void)snprintf(name.it, sizeof name.it, "segment %" PRIu32, segment);
    return name;
}

struct text_short names_node(const struct names *names, uint32_t node)
{
    struct text_short name;
    struct vidmm_adapter_view view = { 0 };
    if (names->adapter)
        vidmm_adapter_view(names->adapter, &view);
    bool paging = view.nodes > 1 && node == view.paging_node;
    const char *kind = paging ? " (paging)" : "";
    struct vidmm_node_view one = { .name = "" };
    if (names->adapter)
        (void)vidmm_node_view(names->adapter, node, &one);
    if (*one.name)
        (void)snprintf(name.it, sizeof name.it, "node %.40s%s", one.name, kind);
    else
        (void)snprintf(name.it, sizeof name.it, "node %" PRIu32 "%s", node, kind);
    return name;
}

struct text_short names_status(vidmm_status status)
{
    struct text_short name;
    const struct vidmm_status_info *info = vidmm_status_info(status);
    if (info)
        (void)snprintf(name.it, sizeof name.it, "%s", info->name);
    else
        (void)snprintf(name.it, sizeof name.it, "0x%08" PRIX32, (uint32_t)status);
    return name;
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
