/* SPDX-License-Identifier: MIT */
/* submission.h: a submission on its way to packets. Private to vidmm/submit. */
#ifndef VIDMM_SUBMISSION_H
#define VIDMM_SUBMISSION_H

#include "vidmm/submit/packet.h"

/* An element of the allocation list of a submission, while it is prepared. */
struct element {
    struct allocation *allocation; /* NULL: the NULL element */
    HANDLE driver_handle;          /* hDeviceSpecificAllocation */
    bool write;
    bool keep;             /* DoNotRetireInstance (RENAME-009) */
    bool kept;             /* bound over the last split: it stays where it is (SUBMIT-033) */
    uint32_t portion;      /* the last one that binds it; 0: none */
    uint32_t told_segment; /* where the driver was told that it is (SUBMIT-005) */
    uint64_t told_address;
    /* where it was when that was patched */
    uint32_t segment;
    uint64_t address;
};

/* A submission on its way through submit_work(), or a command on its way through vidmm_present().
 */
struct submission {
    const struct vidmm_work *work;
    bool present; /* its buffers are of DxgkDdiPresent (SUBMIT-024) */
    struct context *context;
    struct dma_buffer *buffer;
    struct element *elements; /* one per list element */
    size_t count;
    size_t patch_count;   /* locations that the driver gave back */
    uint32_t portion;     /* that is being prepared, from 1 */
    bool handed;          /* the node has a portion, of whichever buffer */
    uint64_t preparation; /* of the present portion */
    struct vidmm_submission *result;
};

/* What a call that is to write a buffer gets of it, with the place that it has from an earlier use
   (SUBMIT-020). */
#define SUBMIT_EMPTY_BUFFER(arg, buffer)                                                           \
    do {                                                                                           \
        (arg).pDmaBuffer = (buffer)->memory;                                                       \
        (arg).DmaSize = (UINT)(buffer)->bytes;                                                     \
        (arg).pDmaBufferPrivateData = (buffer)->private_data;                                      \
        (arg).DmaBufferPrivateDataSize = (buffer)->private_bytes;                                  \
        (arg).DmaBufferSegmentId = (buffer)->placed ? (buffer)->segment : 0;                       \
        (arg).DmaBufferPhysicalAddress.QuadPart =                                                  \
            (buffer)->placed ? (LONGLONG)(buffer)->address : 0;                                    \
    } while (0)

/* submit_check.c: before anything is built, and the driver's output lists. Leaves the elements in
   the scratch, for submit_begin(). */
vidmm_status submit_check(adapter_t *adapter, const struct vidmm_work *work,
                          struct context **context);
vidmm_status submit_check_lists(adapter_t *adapter, const struct submission *submission);
/* The lists again, from location `first` on: the driver could reach them (BUG-002, 0x8). */
vidmm_status submit_check_again(adapter_t *adapter, const struct submission *submission,
                                size_t first);
/* submit_call.c, submit_patch.c: the three calls of one buffer. */
vidmm_status submit_render(adapter_t *adapter, struct submission *submission);
/* What DxgkDdiPresent takes and gives in the same way. */
/* Which call refused to translate a command, and with what it may. */
struct translator {
    const char *ddi;
    enum vidmm_rule rule;
    const NTSTATUS *legal;
    size_t legal_count;
};
vidmm_status submit_failed(adapter_t *adapter, const struct submission *submission,
                           const struct translator *translator, NTSTATUS answer);
/* Where it was paged in last, as a list element says it (SUBMIT-005). */
void submit_set_address(const adapter_t *adapter, DXGK_ALLOCATIONLIST *element,
                        const struct pageable *allocation);
/* The allocation list as the driver sees it, with pre-patch information. */
void submit_make_list(adapter_t *adapter, const struct submission *submission);
/* Both pointers behind what the driver wrote: `ddi` has to stay inside of the buffer. */
vidmm_status submit_check_advance(adapter_t *adapter, const struct submission *submission,
                                  const char *ddi, const VOID *end, const VOID *private_end);
/* How many locations the driver wrote; far too many when it points to somewhere else. */
size_t submit_count_locations(const adapter_t *adapter, const D3DDDI_PATCHLOCATIONLIST *end);
/* Fields of a trace that tell of a list element; how many. */
size_t submit_tell_element(const adapter_t *adapter, const struct allocation *allocation,
                           size_t index, struct vidmm_field *fields);
/* submit_call.c: events `list-element` and `patch-location`, after the call's own event. */
struct shown_locations {
    const char *ddi, *name; /* the call, and which of its lists */
    const D3DDDI_PATCHLOCATIONLIST *list;
    size_t count;
};
void submit_show_elements(adapter_t *adapter, const char *ddi, const struct submission *submission);
void submit_show_locations(adapter_t *adapter, const struct submission *submission,
                           const struct shown_locations *shown);
/* The lists of the scratch, as far as the packet concerns them. */
void submit_show_patched(adapter_t *adapter, const struct render_packet *packet);
/* Final addresses. Fence 0: the packet waits for the answer to a preempt request, and is patched
   later. */
vidmm_status submit_patch(adapter_t *adapter, const struct submission *submission,
                          struct render_packet *packet, uint32_t fence);

/* submit.c: the parts of submit_work() that a command of several buffers repeats. */
void submit_resize(struct context *context, const struct vidmm_work *work);
/* A buffer for the next translation, and the elements of the list. */
void submit_begin(adapter_t *adapter, struct submission *submission);
/* What was translated becomes resident and goes to the node. */
vidmm_status submit_prepare(adapter_t *adapter, struct submission *submission);
/* split.c: prepares the buffer, in as many portions as it takes, and hands them over. */
vidmm_status split_run(adapter_t *adapter, struct submission *submission);
/* submit.c: bytes [start, end) with patch locations [first, behind) go to the node. */
struct portion {
    uint32_t start, end;
    size_t first, behind;
    bool last;
};
vidmm_status submit_portion(adapter_t *adapter, struct submission *submission,
                            const struct portion *portion);

#endif
