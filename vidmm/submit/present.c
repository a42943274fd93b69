/* SPDX-License-Identifier: MIT */
/*
 * present.c: a command that DxgkDdiPresent builds, in as many DMA buffers as it takes (SUBMIT-024).
 *
 * Source and destination are elements 1 and 2 of an allocation list of three; without a source the
 * destination is filled with a colour. What there is to do is a list of sub-rectangles. A driver
 * that runs out of space notes in MultipassOffset how far it has come: its buffer goes the way of
 * any other (submit.c), as a submission with a fence of its own, and the call is repeated with an
 * empty buffer and the same rectangles. The command is done when its last buffer is.
 *
 * Time may pass between two buffers: before each of them everything that can be wrong with a
 * submission is looked at again. What an earlier buffer has handed over runs on.
 *
 * Rules not named below: SUBMIT-001.
 */
#include "vidmm/cpu/cpu.h"
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

enum { ELEMENTS = DXGK_PRESENT_DESTINATION_INDEX + 1, PASSES_SPARE = 1024 };

struct present {
    const struct vidmm_present_args *args;
    struct submission submission;
    RECT whole, *rects;
    UINT count;     /* sub-rectangles */
    UINT locations; /* that a buffer may have */
    UINT multipass; /* MultipassOffset, as the driver left it */
    uint64_t passes;
    bool more; /* the driver ran out of space */
};

/* ---- rectangles ----------------------------------------------------------------------------- */

static LONG to_long(uint64_t pixels)
{
    return (LONG)min_u64(pixels, INT32_MAX);
}

/* All of a surface. What nobody has described is a row of 32-bit pixels for each page. */
static RECT whole_of(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct surface *surface = allocation->surface;
    RECT whole = { 0, 0, to_long(adapter->setup->page / sizeof(uint32_t)),
                   to_long(divide_up(allocation->pageable.info.bytes, adapter->setup->page)) };
    if (surface && surface->width && surface->height) {
        whole.right = to_long(surface->width);
        whole.bottom = to_long(surface->height);
    }
    return whole;
}

/* A grid of as few columns as can be; in its last row there may be fewer, and wider ones. */
static void divide(struct present *present)
{
    uint64_t width = (uint64_t)present->whole.right, height = (uint64_t)present->whole.bottom;
    uint64_t columns = divide_up(present->count, height);
    uint64_t rows = divide_up(present->count, columns);
    present->rects = base_alloc(present->count, sizeof *present->rects);
    for (UINT i = 0; i < present->count; i++) {
        uint64_t x = i % columns, y = i / columns;
        uint64_t across = min_u64(columns, present->count - y * columns);
        present->rects[i] =
            (RECT){ to_long(x * width / across), to_long(y * height / rows),
                    to_long((x + 1) * width / across), to_long((y + 1) * height / rows) };
    }
}

/* ---- the call ------------------------------------------------------------------------------- */

static void tell(adapter_t *adapter, const struct present *present, const DXGKARG_PRESENT *arg,
                 NTSTATUS answer)
{
    const struct submission *submission = &present->submission;
    const struct allocation *source = submission->elements[DXGK_PRESENT_SOURCE_INDEX].allocation;
    static const char ddi[] = "DxgkDdiPresent";
    const uint8_t *end = arg->pDmaBuffer;
    struct vidmm_field fields[16];
    size_t n = 0;
    if (!heard(adapter, VIDMM_EVENT_DRIVER_CALL)) {
        driver_call_end(adapter, ddi, answer, submission->work->context, NULL, 0);
        return;
    }
    fields[n++] = f_number("AllocationListSize", ELEMENTS);
    fields[n++] = f_number("PatchLocationListOutSize", present->locations);
    if (source)
        fields[n++] = f_allocation("source", source->pageable.handle);
    n += submit_tell_element(adapter,
                             submission->elements[DXGK_PRESENT_DESTINATION_INDEX].allocation,
                             DXGK_PRESENT_DESTINATION_INDEX, fields + n);
    fields[n++] = f_hex("Flags", arg->Flags.Value);
    fields[n++] = f_number("SubRectCnt", present->count);
    fields[n++] = f_number("MultipassOffset", present->multipass);
    fields[n++] = f_number("DmaSize", submission->buffer->bytes);
    fields[n++] =
        f_number("written", (uint64_t)((uintptr_t)end - (uintptr_t)submission->buffer->memory));
    driver_call_end(adapter, ddi, answer, submission->work->context, fields, n);
    submit_show_elements(adapter, ddi, submission);
    size_t written = submit_count_locations(adapter, arg->pPatchLocationListOut);
    bool built = answer == STATUS_SUCCESS || answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (built && written <= present->locations)
        submit_show_locations(adapter, submission,
                              &(struct shown_locations){ ddi, "pPatchLocationListOut",
                                                         adapter->submit->scratch.out, written });
}

static DXGKARG_PRESENT arguments(const adapter_t *adapter, const struct present *present)
{
    bool copies = present->args->source != 0;
    DXGKARG_PRESENT arg = { 0 };
    SUBMIT_EMPTY_BUFFER(arg, present->submission.buffer);
    arg.pAllocationList = adapter->submit->scratch.list;
    arg.pPatchLocationListOut = adapter->submit->scratch.out;
    arg.PatchLocationListOutSize = present->locations;
    arg.MultipassOffset = present->multipass;
    arg.DstRect = present->whole;
    arg.SrcRect = present->whole;
    arg.SubRectCnt = present->count;
    arg.pDstSubRects = present->rects;
    arg.Flags.Blt = copies;
    arg.Flags.ColorFill = !copies;
    arg.NumSrcAllocations = copies;
    arg.NumDstAllocations = 1;
    arg.PrivateDriverDataSize = present->args->data_bytes;
    arg.pPrivateDriverData = present->args->data;
    return arg;
}

/* What the page lists goes back to the caller. */
static vidmm_status failed(adapter_t *adapter, const struct submission *submission, NTSTATUS answer)
{
    static const NTSTATUS legal[] = {
        STATUS_NO_MEMORY,
        STATUS_INSUFFICIENT_RESOURCES,
        STATUS_GRAPHICS_CANNOTCOLORCONVERT,
        STATUS_PRIVILEGED_INSTRUCTION,
        STATUS_ILLEGAL_INSTRUCTION,
        STATUS_INVALID_HANDLE,
    };
    static const struct translator present = { "DxgkDdiPresent", RULE(SUBMIT_024), legal,
                                               ARRAY_COUNT(legal) };
    return submit_failed(adapter, submission, &present, answer);
}

/* Nothing written and nothing noted twice, or far more buffers than there are rectangles. */
static vidmm_status check_progress(adapter_t *adapter, const struct present *present,
                                   const DXGKARG_PRESENT *arg)
{
    const struct submission *submission = &present->submission;
    bool stalled = present->passes > 1 && !submission->buffer->used &&
                   arg->MultipassOffset == present->multipass;
    if (!stalled && present->passes <= 2 * (uint64_t)present->count + PASSES_SPARE)
        return STATUS_SUCCESS;
    finding(adapter, RULE(MINI_055), submission->context->handle, "no progress in DxgkDdiPresent");
    return bugcheck(adapter, RULE(MINI_055), 0x10E, 0xB,
                    (uint64_t[3]){ submission->context->handle, 0, 0 },
                    "the miniport asks for DMA buffers again and again and makes no progress");
}

static vidmm_status build(adapter_t *adapter, struct present *present)
{
    struct submission *submission = &present->submission;
    submit_make_list(adapter, submission);
    BASE_GROW(adapter->submit->scratch.in, adapter->submit->scratch.in_capacity,
              present->locations);
    BASE_GROW(adapter->submit->scratch.out, adapter->submit->scratch.out_capacity,
              present->locations + 1);
    DXGKARG_PRESENT arg = arguments(adapter, present);
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, Present,
                                  submission->context->driver_handle, &arg);
    driver_call_returned(adapter);
    present->passes++;
    present->more = answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    bool done = answer == STATUS_SUCCESS || present->more;
    vidmm_status status = STATUS_SUCCESS;
    if (done)
        status = submit_check_advance(adapter, submission, "DxgkDdiPresent", arg.pDmaBuffer,
                                      arg.pDmaBufferPrivateData);
    tell(adapter, present, &arg, answer);
    applies(adapter, RULE(SUBMIT_024));
    if (!done)
        return failed(adapter, submission, answer);
    if (status)
        return status;
    submission->patch_count = submit_count_locations(adapter, arg.pPatchLocationListOut);
    if (submission->patch_count > present->locations)
        return bugcheck(adapter, RULE(SUBMIT_024), 0x10E, 0x12,
                        (uint64_t[3]){ submission->context->handle, 0, 0 },
                        "DxgkDdiPresent wrote behind the end of the patch-location list");
    if (present->more)
        status = check_progress(adapter, present, &arg);
    present->multipass = arg.MultipassOffset;
    return status ? status : adapter_usable(adapter);
}

/* ---- one buffer after the other ------------------------------------------------------------- */

/* A buffer without a byte is submitted only where the command would have no fence else. */
static vidmm_status pass(adapter_t *adapter, struct present *present)
{
    struct submission *submission = &present->submission;
    submit_begin(adapter, submission);
    vidmm_status status = build(adapter, present);
    if (!status && (submission->buffer->used || (!present->more && !submission->handed)))
        status = submit_prepare(adapter, submission);
    dma_buffer_drop(adapter, submission->buffer);
    return status;
}

/* A device that has failed behind the first buffer: its state tells (SUBMIT-038). */
static bool given_up(const struct submission *submission)
{
    return submission->handed && submission->context->device->state != DEVICE_ACTIVE;
}

static vidmm_status run(adapter_t *adapter, struct present *present)
{
    struct submission *submission = &present->submission;
    vidmm_status status = pass(adapter, present);
    while (!status && present->more && !given_up(submission)) {
        status = submit_check(adapter, submission->work, &submission->context);
        if (!status)
            status = pass(adapter, present);
    }
    for (size_t i = 0; i < ELEMENTS && !status && !given_up(submission); i++)
        if (submission->elements[i].allocation)
            rename_retire(adapter, submission->elements[i].allocation);
    return status;
}

/* What only a present can be wrong about. */
static vidmm_status check(adapter_t *adapter, struct present *present)
{
    const struct allocation *destination =
        handle_object(adapter, present->args->destination, VIDMM_OBJECT_ALLOCATION);
    if (!adapter->setup->ddi->DxgkDdiPresent)
        return refuse(adapter, RULE(SUBMIT_024), STATUS_INVALID_PARAMETER,
                      "the miniport has no DxgkDdiPresent");
    if (!destination)
        return refuse(adapter, RULE(SUBMIT_024), STATUS_INVALID_PARAMETER,
                      "a present has a destination");
    present->whole = whole_of(adapter, destination);
    uint64_t pixels = (uint64_t)present->whole.right * (uint64_t)present->whole.bottom;
    present->count = max_u32(present->args->rects, 1);
    if (present->count > pixels || present->count > VIDMM_LIST_MAX)
        return refuse(adapter, RULE(SUBMIT_024), STATUS_INVALID_PARAMETER,
                      "%s cannot be divided into %u rectangles", destination->pageable.label,
                      present->count);
    return STATUS_SUCCESS;
}

vidmm_status vidmm_present(struct vidmm_adapter *adapter, const struct vidmm_present_args *args,
                           struct vidmm_submission *submission)
{
    const struct vidmm_use uses[ELEMENTS] = {
        [DXGK_PRESENT_SOURCE_INDEX] = { .allocation = args->source },
        [DXGK_PRESENT_DESTINATION_INDEX] = { .allocation = args->destination, .write = true },
    };
    const struct vidmm_work work = {
        .label = args->label,
        .context = args->context,
        .uses = uses,
        .use_count = ELEMENTS,
        .dma_bytes = args->dma_bytes,
        .adapters = args->adapters,
        .null_rendering = args->null_rendering,
    };
    struct present present = {
        .args = args,
        .submission = { .work = &work, .present = true, .result = submission },
    };
    vidmm_status status = submit_check(adapter, &work, &present.submission.context);
    if (!status)
        status = check(adapter, &present);
    if (status)
        return status;
    const struct context *context = present.submission.context;
    present.locations = (UINT)min_u64(context->patch_size, VIDMM_LIST_MAX);
    divide(&present);
    submit_resize(present.submission.context, &work);
    status = run(adapter, &present);
    base_free(present.rects);
    schedule_deferred(adapter);
    return status;
}
