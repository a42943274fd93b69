/* SPDX-License-Identifier: MIT */
/* packet.h: packets of rendering, and the DMA buffers in them. Private to vidmm/submit. */
#ifndef VIDMM_PACKET_H
#define VIDMM_PACKET_H

#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/submit/submit.h"

/* What a packet binds. */
struct binding {
    struct allocation *allocation;
    HANDLE driver_handle;
    uint32_t index;   /* of the list element; ascending */
    bool write;       /* this or another element writes it (SUBMIT-008) */
    bool listed;      /* WriteOperation of this element */
    bool again;       /* an earlier one is the same allocation (SUBMIT-008) */
    uint32_t stamped; /* the adapters that have written `stamp`, the same for all of them: */
    uint64_t stamp;   /* of the last write */
    /* Where it was when the buffer was patched: it may have left before the GPU gets there. */
    uint32_t segment;
    uint64_t address;
    struct vidmm_bus_place *copies; /* the same of all instances in a link, by adapter */
};

/* A portion of a DMA buffer: all of it where nothing was split (SUBMIT-032). */
struct render_packet {
    struct job job;
    struct render_packet *next_free;
    struct context *context;
    uint32_t adapters; /* of a link: which of them execute it, never 0 (LINK-006) */
    struct binding *bindings;
    size_t count, capacity;
    struct dma_buffer *buffer;
    uint32_t start, end;  /* bytes of the buffer */
    size_t first, length; /* patch locations */
    bool unpatched;       /* Patch was omitted (SUBMIT-043) */
    bool null_rendering;  /* SUBMIT-049 */
    bool present;         /* built by DxgkDdiPresent */
    bool switches;        /* empty: the node lets go of the context (SUBMIT-047), */
    bool paged;           /* which has worked for paging last */
    /* To be patched once more (SUBMIT-056): a copy of all locations, and how long the list is. */
    D3DDDI_PATCHLOCATIONLIST *locations;
    size_t location_count, location_capacity, list_count;
};

/* What the driver gets of a DMA buffer and its packet, in each argument that has these members. */
#define SUBMIT_BUFFER_MEMBERS(arg, packet)                                                         \
    do {                                                                                           \
        (arg).DmaBufferSize = (UINT)(packet)->buffer->bytes;                                       \
        (arg).DmaBufferSubmissionStartOffset = (packet)->start;                                    \
        (arg).DmaBufferSubmissionEndOffset = (packet)->end;                                        \
        (arg).pDmaBufferPrivateData = (packet)->buffer->private_data;                              \
        (arg).DmaBufferPrivateDataSize = (packet)->buffer->private_bytes;                          \
        (arg).DmaBufferPrivateDataSubmissionEndOffset = (packet)->buffer->private_used;            \
    } while (0)

/* An empty packet of the context, and back. */
struct render_packet *submit_take_packet(adapter_t *adapter, struct context *context);
void submit_give_packet(adapter_t *adapter, struct render_packet *packet);
/* The queue of the packet's node has room for one more, and no synchronous paging is under way
   (PAGE-041). */
vidmm_status submit_wait_for_turn(adapter_t *adapter, const struct render_packet *packet);
/* PAGE-062: the packet saves the state of its context. */
void submit_mark_saved(adapter_t *adapter, const struct context *context, struct packet *queued);
/* The binding of a list element, NULL: this packet has none. */
struct binding *submit_binding(const struct render_packet *packet, uint32_t index);

/* The allocation list of a packet with the addresses that were bound; the caller frees it. */
DXGK_ALLOCATIONLIST *submit_list_again(const struct render_packet *packet);
/* The lists of a packet that was patched before, at the addresses that were bound then. */
vidmm_status submit_patch_again(adapter_t *adapter, const struct render_packet *packet,
                                uint32_t fence);
/* `again`: the driver had it before, until a preemption or a reset of the node (SUBMIT-056). */
vidmm_status submit_command(adapter_t *adapter, struct render_packet *packet, uint32_t fence,
                            bool again);

/* submit_job.c: rendering, and the packet that makes a node let go of a context. */
extern const struct job_ops submit_job_ops, switch_job_ops;
/* Event `submit`; a packet without a name is handed over once more. */
void submit_tell(adapter_t *adapter, const struct render_packet *packet, const char *name,
                 uint32_t fence);

/* ---- context_load.c -------------------------------------------------------------------------- */

/* What the driver made for the context, then for all of its device, after `last` (NULL: the first);
   NULL after the last one. */
struct allocation *context_saved_after(const struct context *context,
                                       const struct allocation *last);
/* PAGE-062: all that the context needs, in the open preparation. */
vidmm_status context_require(adapter_t *adapter, struct context *context);
/* A packet of the context was queued. */
void context_load(adapter_t *adapter, struct context *context);

/* ---- dma_buffer.c ---------------------------------------------------------------------------- */

/* One for the next translation: idle, of the size that the context has now. */
struct dma_buffer *dma_buffer_take(adapter_t *adapter, struct context *context);
/* Something that it is in has ended. */
void dma_buffer_drop(adapter_t *adapter, struct dma_buffer *buffer);
/* Makes sure that the GPU can find it, in the open preparation (SUBMIT-021). May wait. */
vidmm_status dma_buffer_place(adapter_t *adapter, struct dma_buffer *buffer);
void dma_buffers_stop(adapter_t *adapter);

/* ---- dma_memory.c ---------------------------------------------------------------------------- */

/* Memory for a translation, with its guard. */
void dma_memory_take(adapter_t *adapter, struct dma_buffer *buffer);
/* The translation, of the buffer that took memory last, is `used` bytes long. */
void dma_memory_trim(struct dma_buffer *buffer);
void dma_memory_give(adapter_t *adapter, struct dma_buffer *buffer);
void dma_memory_stop(adapter_t *adapter);

#endif
