/* SPDX-License-Identifier: MIT */
/*
 * run_surface.c: `create` for surfaces: primaries, usage hints, standard allocations.
 *
 * Of a standard allocation the statement says two things: what the kernel asks for (width, height,
 * format), and what the mock answers when it is asked (everything else).
 */
#include "scenarios/lang/run/creation.h"

enum { HINT_VERSION = 1 };

/* ---- standard allocations ------------------------------------------------------------------- */

static const struct attribute *find(const struct statement *class,
                                    const struct statement *statement, enum attribute_id id)
{
    const struct attribute *own = attribute_find(statement, id);
    return own || !class ? own : attribute_find(class, id);
}

void run_surface_begin(struct runner *runner, const struct statement *class,
                       const struct statement *statement, struct creation *creation)
{
    const struct attribute *standard = find(class, statement, ATTRIBUTE_CREATE_STANDARD);
    const struct attribute *gdi = find(class, statement, ATTRIBUTE_CREATE_GDI_TYPE);
    uint32_t gdi_type = 0;
    size_t index = 0;
    creation->standard = (struct vidmm_standard){ .type = 0 };
    creation->described.bytes = sizeof creation->answer;
    creation->described.resource_bytes = 0;
    creation->described.pitched = false;
    creation->flagged = creation->placed = false;
    if (!standard)
        return;
    word_list_has(standard->row->words, runner_word(runner, standard->items->from->name), &index);
    if (gdi)
        (void)run_create_named(runner, gdi->items->from, VIDMM_FLAGS_GDI, &gdi_type);
    creation->standard.type = (uint32_t)index + 1;
    creation->described.answer = creation->answer;
    vidmm_mock_standard_defaults(&runner->mock_config, creation->standard.type, gdi_type,
                                 &creation->described);
    creation->answer = creation->described.answer;
}

void run_surface_end(struct runner *runner, struct creation *creation)
{
    struct vidmm_standard *standard = &creation->standard;
    if (!standard->type)
        return;
    standard->bytes = creation->answer.size;
    standard->alignment = creation->answer.alignment;
    creation->described.answer = creation->answer;
    creation->args.standard = standard;
    vidmm_mock_standard_set(runner->mock, &creation->described);
}

void run_surface_end_heap(struct runner *runner, struct creation *creation)
{
    struct vidmm_mock_allocation usual = creation->answer;
    vidmm_mock_heap_defaults(&runner->mock_config, &usual);
    if (!creation->flagged)
        creation->answer.flags = usual.flags;
    if (!creation->placed) {
        creation->answer.read_set = usual.read_set;
        creation->answer.write_set = usual.write_set;
    }
    creation->described.answer = creation->answer;
    vidmm_mock_standard_set(runner->mock, &creation->described);
}

/* ---- attributes ----------------------------------------------------------------------------- */

static bool apply_flags(struct runner *runner, const struct attribute *attribute,
                        struct vidmm_allocation_args *args)
{
    uint32_t flags = 0;
    if (!run_create_flags(runner, attribute, VIDMM_FLAGS_INFO, &flags))
        return false;
    args->info_flags |= flags;
    args->override_priority |= (flags & VIDMM_INFO_OverridePriority) != 0;
    return true;
}

/* Any member of the hint means that there is one. */
static DXGK_ALLOCATIONUSAGEINFO1 *hint_of(struct creation *creation)
{
    struct vidmm_mock_allocation *answer = &creation->answer;
    if (!answer->hinted)
        answer->hint = (DXGK_ALLOCATIONUSAGEHINT){ .Version = HINT_VERSION };
    answer->hinted = true;
    return &answer->hint.v1;
}

static bool apply_usage(struct runner *runner, const struct attribute *attribute,
                        struct creation *creation)
{
    uint32_t flags = 0;
    if (!run_create_flags(runner, attribute, VIDMM_FLAGS_USAGE, &flags))
        return false;
    hint_of(creation)->Flags.Value |= flags;
    return true;
}

static bool apply_format(struct runner *runner, const struct attribute *attribute,
                         struct creation *creation)
{
    uint32_t format = 0;
    if (!run_create_named(runner, attribute->items->from, VIDMM_FLAGS_FORMAT, &format))
        return false;
    if (attribute->row->id == ATTRIBUTE_CREATE_FORMAT)
        creation->standard.format = format;
    else
        hint_of(creation)->Format = (D3DDDIFORMAT)format;
    return true;
}

static void apply_hint_number(enum attribute_id id, uint32_t value, struct creation *creation)
{
    DXGK_ALLOCATIONUSAGEINFO1 *hint = hint_of(creation);
    if (id == ATTRIBUTE_CREATE_USAGE_VERSION) {
        creation->answer.hint.Version = value;
        return;
    }
    hint->Flags.PrivateFormat = 1;
    hint->PrivateFormat = value;
}

bool run_surface_number(enum attribute_id id, uint32_t value, struct creation *creation)
{
    struct vidmm_mock_standard *described = &creation->described;
    switch (id) {
    case ATTRIBUTE_CREATE_MEMBER_VIDPN_SOURCE_ID: creation->args.vidpn_source = value; return true;
    case ATTRIBUTE_CREATE_USAGE_VERSION:
    case ATTRIBUTE_CREATE_USAGE_PRIVATE_FORMAT: apply_hint_number(id, value, creation); return true;
    case ATTRIBUTE_CREATE_WIDTH: creation->standard.width = value; return true;
    case ATTRIBUTE_CREATE_HEIGHT: creation->standard.height = value; return true;
    case ATTRIBUTE_CREATE_MEMBER_ALLOCATION_DATA_SIZE: described->bytes = value; return true;
    case ATTRIBUTE_CREATE_MEMBER_RESOURCE_DATA_SIZE: described->resource_bytes = value; return true;
    case ATTRIBUTE_CREATE_MEMBER_PITCH:
        described->pitched = true;
        described->pitch = value;
        return true;
    default: return false;
    }
}

bool run_surface_apply(struct runner *runner, const struct attribute *attribute,
                       struct creation *creation, bool *known)
{
    struct vidmm_allocation_args *args = &creation->args;
    *known = true;
    switch (attribute->row->id) {
    case ATTRIBUTE_CREATE_PRIMARY: args->info_flags |= VIDMM_INFO_Primary; return true;
    case ATTRIBUTE_CREATE_STEREO: args->info_flags |= VIDMM_INFO_Stereo; return true;
    case ATTRIBUTE_CREATE_INFO_FLAGS: return apply_flags(runner, attribute, args);
    case ATTRIBUTE_CREATE_USAGE: return apply_usage(runner, attribute, creation);
    case ATTRIBUTE_CREATE_USAGE_FORMAT:
    case ATTRIBUTE_CREATE_FORMAT: return apply_format(runner, attribute, creation);
    case ATTRIBUTE_CREATE_GDI_TYPE:
        return run_create_named(runner, attribute->items->from, VIDMM_FLAGS_GDI,
                                &creation->standard.gdi_type);
    case ATTRIBUTE_CREATE_STANDARD: return true; /* known from the beginning */
    default: *known = false; return true;
    }
}

/* ---- display -------------------------------------------------------------------------------- */

void run_surface_display(struct runner *runner, const struct statement *statement)
{
    vidmm_status status = 0;
    runner->target_count = 0;
    if (statement->mode == MODE_OFF) {
        status = vidmm_display(runner->adapter, 0);
    } else {
        if (!evaluate_targets(runner, statement->subjects))
            return;
        for (size_t i = 0; i < runner->target_count && status >= 0; i++)
            status = vidmm_display(runner->adapter, bindings_number(runner->targets[i]));
    }
    run_outcome(runner, statement, status);
}
