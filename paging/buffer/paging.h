/* SPDX-License-Identifier: MIT */
/*
 * paging.h: paging buffers and what is under way in them. Private to this folder.
 *
 * An operation is built by one or more DxgkDdiBuildPagingBuffer calls into the current buffer of
 * the pool; a flush hands the new bytes to the paging node under one fence. The record of an
 * operation stays with the last fence that carries a part of it: at the end of that packet its
 * content is verified, when the fence is reported the books are closed.
 */
#ifndef PAGING_BUFFER_PAGING_H
#define PAGING_BUFFER_PAGING_H

#include "paging/buffer/buffer.h"
#include "vidmm/adapter.h"

enum paging_kind {
    PAGING_FILL,
    PAGING_TRANSFER_IN,
    PAGING_TRANSFER_OUT,
    PAGING_TRANSFER_VIA, /* to an aperture range that serves the eviction */
    PAGING_MOVE,         /* between segments */
    PAGING_COPY_BACK,
    PAGING_UPDATE,
    PAGING_DISCARD,
    PAGING_MAP,
    PAGING_UNMAP,
    PAGING_READ_PHYSICAL,
    PAGING_UNMAP_BUFFER, /* a DMA buffer that is given up (SUBMIT-021) */
    PAGING_MAP_BUFFER,   /* a paging buffer itself (MINI-013), or a DMA buffer */
    PAGING_NOTIFY,       /* tells, and moves nothing */
    PAGING_CLEAN,        /* the hardware was reset, and the place is empty */
    PAGING_GIVEN_UP,     /* what is left of one that failed half-way */
};

struct paging_op {
    enum paging_kind kind;
    struct pageable *allocation;
    uint32_t segment;   /* the aperture of VIA, MAP, UNMAP; the one left by MOVE */
    struct range range; /* bytes in it */
    bool last; /* MAP: nothing of its page-in follows; UNMAP, MOVE: an aperture place was left */
    bool page_lock;      /* holds a lock on the backing pages until it is done (PAGE-014) */
    bool stays_dirty;    /* MOVE within memory: the store learns nothing of it (PAGE-034) */
    uint32_t placements; /* of the allocation, when it was built */
    uint32_t dirty_count;
    uint32_t discards;         /* as it was built: content that was thrown away since is nobody's */
    struct dma_buffer *buffer; /* UNMAP_BUFFER */
};

struct paging_buffer {
    void *storage;                  /* what `memory` lies in, aligned (MINI-050) */
    uint8_t *memory, *private_data; /* each followed by guard bytes (MINI-051) */
    uint32_t used, submitted;
    uint32_t private_used, private_submitted;
    uint32_t last_fence; /* of its last submission; reusable when reported (TIME-019) */
    uint32_t segment;    /* where it lies; 0: locked system memory */
    uint64_t address;
    struct backing backing; /* its pages, when it is mapped into an aperture */
    uint32_t adapter;       /* of a link: for whom it was filled while nothing is submitted */
};

/* The bytes of one submission, and which adapter of a link executes them. */
struct paging_span {
    uint32_t start, end, private_start, private_end;
    uint32_t adapter;
};

struct paging_packet {
    struct job job;
    uint32_t buffer; /* what it executes, to be handed over once more (SUBMIT-056) */
    struct paging_span span;
    struct paging_op *ops; /* `own`, unless there were more */
    size_t count, capacity;
    struct paging_op own[2];
};

/* The state of this folder. */
struct buffers {
    uint64_t preparation;          /* number of the open preparation, 0 when none is open */
    struct device *waiter;         /* in it; NULL: the creator of what is waited for */
    uint64_t preparations;         /* how many there were; also the clock of last use */
    uint32_t sync_fence;           /* paging fence of the last synchronous operation (PAGE-041) */
    uint32_t drained;              /* drains inside of each other: AllocationIsIdle, NULL context */
    struct paging_buffer *buffers; /* NULL while the adapter is not started; then the rest is 0 */
    uint32_t count, current;
    struct paging_packet *open;        /* operations since the last flush */
    struct paging_packet *free;        /* linked by job.next */
    uint32_t *waits;                   /* what the next submission depends on (PAGE-044) */
    uint32_t adapter;                  /* of a link: whose memory the open buffer works on */
    bool synchronous;                  /* an operation of the open packet is (PAGE-041) */
    bool deferring;                    /* nothing is submitted (TDR-025) */
    uint32_t first_deferred, deferred; /* the buffer that was current then, how many followed */
    uint32_t ring;                     /* how many buffers there were before more were needed */
    uint64_t turns;                    /* how often a buffer was begun */
};

/* What one DxgkDdiBuildPagingBuffer call is about, for build(). */
struct paging_call {
    DXGKARG_BUILDPAGINGBUFFER arg;
    struct paging_op op;
    vidmm_handle device; /* that hDevice names; 0: it is NULL (MINI-072) */
    uint64_t written;    /* bytes so far, all parts of the operation together */
    bool may_be_busy;    /* MINI-052 */
    bool part;           /* of the operation: a further one follows */
    bool repeated;       /* on a fresh buffer, for lack of space (MINI-055) */
    uint64_t passes;     /* that ended for lack of space */
};

/* The next buffer of the pool, empty (TIME-019). May wait. */
vidmm_status paging_next_buffer(adapter_t *adapter);
/* The driver patches and gets them. `again`: after a preemption or a reset (SUBMIT-056). */
vidmm_status paging_give(adapter_t *adapter, const struct paging_buffer *buffer,
                         const struct paging_span *span, uint32_t fence, bool again);
/* With what it depends on, one fence per node. `was`: its number before, 0 the first time. */
void paging_tell_submit(adapter_t *adapter, const uint32_t *waits, uint32_t fence, uint32_t bytes,
                        uint32_t was);
/* One operation, in as many passes as the driver asks for. It is recorded with its last part. */
vidmm_status paging_build(adapter_t *adapter, struct paging_call *call);
/* MINI-013: a paging buffer that lies in an aperture is mapped by itself. */
vidmm_status paging_map_buffer(adapter_t *adapter, struct paging_buffer *buffer,
                               struct range range);
/* The record of an operation that is about to be built. */
struct paging_op paging_new_op(enum paging_kind kind, struct pageable *allocation);
/* PAGE-014: the operation names pages of the store; they stay until it is done. */
void paging_lock_pages(adapter_t *adapter, struct paging_op *op);
/* What a mapping of the range shows: PitchAlignedSize may be more than the store has (SEG-028). */
struct range paging_shown(const struct pageable *allocation, struct range range);
/* A wait before the operation, or a pass of it, failed. What earlier passes have written is carried
   out nevertheless, and its pages stay until then. Those of a mapping go with the place. */
void paging_give_up(adapter_t *adapter, struct paging_call *call);
/* MINI-057: is AllocationIsIdle set on a first call? */
bool paging_idle_at_first(const adapter_t *adapter, const struct pageable *allocation);
/* paging_trace.c: the call in words; at most PAGING_OPERANDS_MAX fields. */
enum { PAGING_OPERANDS_MAX = 10 };
const char *paging_operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation);
size_t paging_operand_fields(const struct paging_call *call, struct vidmm_field *fields);
/* Ends an operation that wrote nothing, or whose fence was reported. */
void paging_op_done(adapter_t *adapter, const struct paging_op *op);
/* What follows works on the memory of this adapter of a link: a submission serves one. */
vidmm_status paging_turn_to(adapter_t *adapter, uint32_t index);

/* Is the allocation still where this operation put it? */
bool paging_still_there(const struct paging_op *op);
/* Has it done what it was built for? Findings if not. The same of all that a packet carries. */
void paging_verify_op(adapter_t *adapter, const struct paging_op *op);
void paging_verify(adapter_t *adapter, const struct paging_packet *packet);
extern const struct job_ops paging_job_ops;
/* The fence that the next flush is going to carry. */
uint32_t paging_next_fence(const adapter_t *adapter);

#endif
