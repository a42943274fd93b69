/* SPDX-License-Identifier: MIT */
/* submit.h: render packets on their way. Private to submit*.c, bus.c and sync.c. */
#ifndef VIDMM_SUBMIT_H
#define VIDMM_SUBMIT_H

#include "vidmm/dma_buffer.h"

/* A list element of a packet: what it binds, and whether it writes. */
struct binding {
    struct allocation *allocation; /* NULL: the NULL element, or not named by a patch location */
    HANDLE driver_handle;          /* hDeviceSpecificAllocation */
    bool write;
    bool keep;  /* DoNotRetireInstance (RENAME-009) */
    bool again; /* an earlier element is the same allocation (SUBMIT-008) */
    /* Where it was when the buffer was patched: it may have left before the GPU gets there. */
    uint32_t segment;
    uint64_t address;
};

struct render_packet {
    struct job job;
    struct render_packet *next_free;
    struct context *context;
    struct binding *bindings; /* one per list element */
    size_t count, capacity;
    struct dma_buffer *buffer;
    bool unpatched;     /* Patch was omitted (SUBMIT-043) */
    size_t patch_count; /* locations in the scratch list, while it is prepared */
    D3DDDI_PATCHLOCATIONLIST *locations; /* a copy of them, to be patched once more (SUBMIT-056) */
    size_t location_count, location_capacity;
};

/* submit_check.c: before anything is built, and the driver's output lists. */
vidmm_status submit_check(adapter_t *adapter, const struct vidmm_work *work,
                          struct context **context);
vidmm_status submit_check_lists(adapter_t *adapter, const struct vidmm_work *work,
                                const struct render_packet *packet);
/* submit_call.c: the three calls of one buffer. */
vidmm_status submit_render(adapter_t *adapter, const struct vidmm_work *work,
                           struct render_packet *packet);
/* Final addresses of a packet that waits for the answer to a preempt request. */
void submit_bind(adapter_t *adapter, struct render_packet *packet);
vidmm_status submit_patch(adapter_t *adapter, struct render_packet *packet, uint32_t fence);
/* `again`: after a preemption or a reset of the node (SUBMIT-056). */
vidmm_status submit_command(adapter_t *adapter, struct render_packet *packet, uint32_t fence,
                            bool again);
/* The lists of a packet that was patched before, at the addresses that were bound then. */
vidmm_status submit_patch_again(adapter_t *adapter, struct render_packet *packet, uint32_t fence);

/* Its fence was reported: references drop, the buffer is free again. */
void submit_done(adapter_t *adapter, struct job *job);
/* The first allocation that it uses, NULL: none. */
const struct allocation *submit_subject(const struct job *job);

#endif
