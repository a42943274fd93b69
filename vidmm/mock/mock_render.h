/* SPDX-License-Identifier: MIT */
/* mock_render.h: what DxgkDdiRender and DxgkDdiPresent have in common, and what they hand over. */
#ifndef VIDMM_MOCK_RENDER_H
#define VIDMM_MOCK_RENDER_H

#include "vidmm/mock/mock_command.h"
#include "vidmm/mock/mock_objects.h"

/* What DxgkDdiRender or DxgkDdiPresent made, until all of it was submitted. */
struct mock_translation {
    const uint8_t *dma;
    uint32_t bytes;
    uint64_t cost_ns, cost_left;
    bool hangs;
};

/* The lists that switches spoil. */
struct mock_lists {
    DXGK_ALLOCATIONLIST *list;
    UINT size;
    D3DDDI_PATCHLOCATIONLIST *locations;
    UINT count;
};

/* DxgkDdiBuildPagingBuffer wrote something. */
void mock_render_wrote(struct vidmm_mock *mock, const uint8_t *begin, const uint8_t *end);
void mock_render_slot(uint8_t *at, UINT index, const DXGK_ALLOCATIONLIST *element, uint64_t offset,
                      bool prepatch);
void mock_render_spoil(struct vidmm_mock *mock, const struct mock_lists *lists);
void mock_render_translated(struct vidmm_mock *mock, struct mock_client *client,
                            const struct mock_translation *translation);
/* These return where the pointer comes to stand: in the private data, and in the DMA buffer. */
uint8_t *mock_render_count_up(uint8_t *data, UINT bytes);
uint8_t *mock_render_count_use(struct vidmm_mock *mock, uint8_t *data, UINT bytes);
uint8_t *mock_render_end(struct vidmm_mock *mock, uint8_t *start, UINT size, uint64_t length);

#endif
