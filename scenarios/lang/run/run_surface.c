/* SPDX-License-Identifier: MIT */
/*
 * run_surface.c: `create` for surfaces: primaries, usage hints, standard allocations.
 *
 * Of a standard allocation the statement says two things: what the kernel asks for (width, height,
 * format), and what the mock answers when it is asked (everything else).
 */
#include "scenarios/lang/run/creation.h"

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
        (void)run_value_named(runner, gdi->items->from, VIDMM_FLAGS_GDI, &gdi_type);
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
