/* SPDX-License-Identifier: MIT */
/*
 * mock_objects.h: what the driver's handles point to.
 */
#ifndef VIDMM_MOCK_OBJECTS_H
#define VIDMM_MOCK_OBJECTS_H

#include "vidmm/mock/mock_command.h"
#include "vidmm/mock/mock_state.h"

/* hAllocation: what creation answered. */
struct mock_surface {
    union {
        struct mock_link link; /* in the pool */
        struct {
            uint32_t answers; /* how often its handle was given out: once, but for `same-handle` */
            bool fills_wddm2;
        };
    };
    uint32_t width, height; /* of a picture, as its usage hint says; 0: no hint */
    D3DDDIFORMAT format;
};

/* hDeviceSpecificAllocation: what opening answered. */
struct mock_binding {
    union {
        struct mock_link link; /* in the pool */
        D3DKMT_HANDLE allocation;
    };
};

/* hDevice and hContext; a driver without multi-engine support renders on devices. */
struct mock_client {
    struct mock_link link;
    struct vidmm_mock *mock;
    uint32_t buffers[VIDMM_MOCK_BUFFER_COUNT];
    uint32_t adapter;       /* the lowest one of EngineAffinity */
    const uint8_t *dma;     /* the DMA buffer of the last DxgkDdiRender or DxgkDdiPresent */
    const uint8_t *patched; /* that of DxgkDdiPatch, until the submission that follows */
};

/* ---- mock_context.c: allocations that the mock makes for its contexts ------------------------ */

/* The command that brings the first content of the one that the operation names. */
void mock_context_command(const struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                          struct mock_command *command);
void mock_context_fini(struct vidmm_mock *mock);

/* ---- mock_render.c: what DxgkDdiRender and DxgkDdiPresent have in common, and hand over ------ */

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
