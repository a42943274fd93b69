/* SPDX-License-Identifier: MIT */
/*
 * run_buffers.c: what the mock miniport shall ask for the DMA buffers of a device or a context.
 *
 * Without multi-engine support the members are those of DXGK_DEVICEINFO, else of DXGK_CONTEXTINFO;
 * what a device is given then holds for its contexts that say nothing else.
 */
#include "scenarios/lang/run/statements.h"

static const struct {
    enum attribute_id device, context;
    enum vidmm_mock_buffer member;
} members[] = {
    { ATTRIBUTE_DEVICE_DMA_BUFFER_SEGMENT_SET, ATTRIBUTE_CONTEXT_DMA_BUFFER_SEGMENT_SET,
      VIDMM_MOCK_DMA_SEGMENT_SET },
    { ATTRIBUTE_DEVICE_DMA_BUFFER_SIZE, ATTRIBUTE_CONTEXT_DMA_BUFFER_SIZE, VIDMM_MOCK_DMA_SIZE },
    { ATTRIBUTE_DEVICE_DMA_BUFFER_PRIVATE_DATA_SIZE, ATTRIBUTE_CONTEXT_DMA_BUFFER_PRIVATE_DATA_SIZE,
      VIDMM_MOCK_DMA_PRIVATE_SIZE },
    { ATTRIBUTE_DEVICE_ALLOCATION_LIST_SIZE, ATTRIBUTE_CONTEXT_ALLOCATION_LIST_SIZE,
      VIDMM_MOCK_LIST_SIZE },
    { ATTRIBUTE_DEVICE_PATCH_LOCATION_LIST_SIZE, ATTRIBUTE_CONTEXT_PATCH_LOCATION_LIST_SIZE,
      VIDMM_MOCK_PATCH_SIZE },
};

/* A number, a size, or the bit of a segment. */
static bool buffers_value_of(struct runner *runner, const struct attribute *attribute,
                             const struct item *item, uint64_t *value)
{
    if (item->from->kind != EXPR_NAME)
        return evaluate_item(runner, attribute, item, value);
    uint32_t id = bindings_number(bindings_of_word(runner, item->from->name));
    *value = id >= 1 && id <= 32 ? UINT64_C(1) << (id - 1) : 0;
    return true;
}

static void buffers_read_member(struct runner *runner, const struct attribute *attribute,
                                enum vidmm_mock_buffer member, struct vidmm_mock_buffers *buffers)
{
    buffers->given[member] = true;
    for (const struct item *item = attribute->items; item; item = item->next) {
        uint64_t value = 0;
        size_t index;
        const struct expr *expr = item->from;
        if (expr->kind == EXPR_NAME && attribute->row->words &&
            word_list_has(attribute->row->words, runner_word(runner, expr->name), &index))
            continue; /* none */
        if (!buffers_value_of(runner, attribute, item, &value))
            runner_stop(runner, "%s", runner->problem);
        buffers->value[member] |= (uint32_t)value;
    }
}

void run_buffers(struct runner *runner, const struct statement *statement)
{
    struct vidmm_mock_buffers buffers = { 0 };
    for (const struct attribute *at = statement->attributes; at; at = at->next)
        for (size_t i = 0; i < ARRAY_COUNT(members); i++)
            if (at->row->id == members[i].device || at->row->id == members[i].context)
                buffers_read_member(runner, at, members[i].member, &buffers);
    vidmm_mock_next_buffers(runner->mock, &buffers);
}
