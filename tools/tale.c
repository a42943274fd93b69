/* SPDX-License-Identifier: MIT */
/* tale.c: what the sentences of events are made of. */
#include "tools/tale.h"

#include <inttypes.h>
#include <string.h>

/* NULL when the event has no such field. */
static const struct vidmm_field *tale_find(const struct tale *tale, const char *name)
{
    for (size_t i = 0; i < tale->event->field_count; i++)
        if (strcmp(tale->event->fields[i].name, name) == 0)
            return &tale->event->fields[i];
    return NULL;
}

uint64_t tale_number(const struct tale *tale, const char *name)
{
    const struct vidmm_field *field = tale_find(tale, name);
    return field ? field->value : 0;
}

const char *tale_word(const struct tale *tale, const char *name)
{
    const struct vidmm_field *field = tale_find(tale, name);
    return field && field->text ? field->text : "";
}

bool tale_is(const struct tale *tale, const char *name, const char *value)
{
    return strcmp(tale_word(tale, name), value) == 0;
}

struct text_short tale_offset(const struct tale *tale)
{
    return text_offset(tale_number(tale, "offset"));
}

struct text_short tale_segment(const struct tale *tale)
{
    return names_segment(&tale->narrator->names, (uint32_t)tale_number(tale, "segment"));
}

struct text_short tale_node(const struct tale *tale)
{
    return names_node(&tale->narrator->names, (uint32_t)tale_number(tale, "node"));
}

const char *tale_who(const struct tale *tale)
{
    return names_subject(tale->event);
}

void tale_add_target(const struct tale *tale, const char *after)
{
    uint64_t all = tale_number(tale, "adapters");
    text_add(tale->out, " was submitted to %s", tale_node(tale).it);
    const char *before = (all & (all - 1)) ? " of adapters " : " of adapter ";
    for (unsigned i = 0; i < VIDMM_LINK_MAX; i++) {
        if (!(all >> i & 1))
            continue;
        text_add(tale->out, "%s%u", before, i);
        uint64_t more = all >> i >> 1;
        before = (more & (more - 1)) ? ", " : " and ";
    }
    text_add(tale->out, "%s", after);
}

/* "1 (vram)": the argument as the driver gets it. 0 is none, or system memory. */
static void tale_add_segment(const struct names *names, uint32_t segment, struct text *out)
{
    text_add(out, "%" PRIu32, segment);
    if (segment)
        text_add(out, " (%s)", names_segment(names, segment).it);
}

/* "0x18 (TransferStart,TransferEnd)", where the names are known. */
static void add_flags(const struct tale *tale, const struct vidmm_field *field)
{
    static const struct {
        const char *ddi, *operation, *name;
        enum vidmm_flag_set set;
    } known[] = {
        { "DxgkDdiBuildPagingBuffer", "TRANSFER", "Flags", VIDMM_FLAGS_TRANSFER },
        { "DxgkDdiBuildPagingBuffer", "SPECIAL_LOCK_TRANSFER", "Flags", VIDMM_FLAGS_TRANSFER },
        { "DxgkDdiCreateAllocation", "", "Flags", VIDMM_FLAGS_DDI_CREATE },
    };
    char words[200];
    text_add(tale->out, "0x%" PRIX64, field->value);
    for (size_t i = 0; i < ARRAY_COUNT(known) && field->value; i++)
        if (strcmp(known[i].name, field->name) == 0 && tale_is(tale, "ddi", known[i].ddi) &&
            tale_is(tale, "Operation", known[i].operation))
            text_add(tale->out, " (%s)",
                     vidmm_flags_text(known[i].set, (uint32_t)field->value, words, sizeof words));
}

/* "name=value", for the sentences without words of their own. */
static void tale_add_field(const struct tale *tale, const struct vidmm_field *field)
{
    const struct names *names = &tale->narrator->names;
    struct text *out = tale->out;
    text_add(out, "%s=", field->name);
    switch (field->kind) {
    case VIDMM_FIELD_NUMBER:
    case VIDMM_FIELD_FLAG:
    case VIDMM_FIELD_NODE: text_add(out, "%" PRIu64, field->value); break;
    case VIDMM_FIELD_HEX: add_flags(tale, field); break;
    case VIDMM_FIELD_BYTES: text_add(out, "%s", text_size(field->value).it); break;
    case VIDMM_FIELD_NS: text_add(out, "%s", text_span(field->value).it); break;
    case VIDMM_FIELD_SEGMENT: tale_add_segment(names, (uint32_t)field->value, out); break;
    case VIDMM_FIELD_ALLOCATION:
        text_add(out, "%s", names_allocation(names, (vidmm_handle)field->value).it);
        break;
    case VIDMM_FIELD_STATUS:
        text_add(out, "%s", names_status((vidmm_status)(uint32_t)field->value).it);
        break;
    case VIDMM_FIELD_WORD:
    case VIDMM_FIELD_TEXT: text_add(out, "%s", field->text ? field->text : ""); break;
    }
}

void tale_add_fields(const struct tale *tale, size_t from, const char *before)
{
    for (size_t i = from; i < tale->event->field_count; i++) {
        text_add(tale->out, "%s", i == from ? before : ", ");
        tale_add_field(tale, &tale->event->fields[i]);
    }
}
