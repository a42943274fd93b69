/* SPDX-License-Identifier: MIT */
/* submit.h: render packets on their way. Private to submit*.c, bus.c and sync.c. */
#ifndef VIDMM_SUBMIT_H
#define VIDMM_SUBMIT_H

#include "vidmm/manager.h"

/* A list element of a packet: what it binds, and whether it writes. */
struct binding {
    struct allocation *allocation; /* NULL: the NULL element, or not named by a patch location */
    bool write;
};

struct render_packet {
    struct job job;
    struct render_packet *next_free;
    struct context *context;
    struct binding *bindings; /* one per list element */
    size_t count, capacity;
    uint8_t *dma; /* the DMA buffer */
    size_t dma_capacity;
    uint8_t *private_data;
    size_t private_capacity;
};

/* Its fence was reported: references drop, the buffer is free again. */
void submit_done(adapter_t *adapter, struct job *job);

#endif
