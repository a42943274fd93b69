/* SPDX-License-Identifier: MIT */
/*
 * paging_transfer.c: TRANSFER, with the fields that the documents give it.
 *
 * Transfers take an allocation as a whole, cut where max-transfer says (MINI-064) and, from 2.0 on,
 * where the runs of a page set end. The MDL describes the whole store, so MdlOffset follows
 * TransferOffset (MINI-062).
 *
 * Rules not named below: FLAG-057, MINI-059, MINI-065, SWIZ-008.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

/* One side of a transfer: the store, or ranges of a segment. */
struct side {
    uint32_t segment; /* 0: the MDL */
    const struct range *runs;
    size_t count;
};

static const struct side mdl_side = { .segment = 0 };

static struct side place_side(const struct place *place)
{
    return (struct side){ place->segment, place_runs(place), place->run_count };
}

/* Where byte `offset` of the allocation lies on this side, and how far the run goes on. */
static uint64_t side_at(const struct side *side, uint64_t offset, uint64_t *left)
{
    const struct range *run = side->runs;
    while (offset >= run->bytes) {
        offset -= run->bytes;
        run++;
        CHECK(run < side->runs + side->count);
    }
    *left = run->bytes - offset;
    return run->offset + offset;
}

/* TransferOffset has 32 bits: whole 4 GiB steps go into the address. */
static uint64_t offset_field(uint64_t offset)
{
    return offset & UINT32_MAX;
}

struct transfer {
    struct paging_call call;
    struct pageable *allocation;
    struct side from, to;
    enum vidmm_event_kind event; /* transfer, update or special-lock-transfer */
    uint32_t convert;            /* Swizzle, Unswizzle: the whole of it at once (SWIZ-026) */
    bool special;                /* SPECIAL_LOCK_TRANSFER */
    enum vidmm_rule rule;
};

static void set_side(adapter_t *adapter, UINT *segment, LARGE_INTEGER *address, MDL **mdl,
                     const struct side *side, struct pageable *allocation, uint64_t offset)
{
    *segment = segment_driver_id(adapter, side->segment);
    if (!side->segment) {
        *mdl = mdl_of(adapter, allocation->store.owner->store.backing);
        return;
    }
    uint64_t left;
    uint64_t at = side_at(side, offset, &left);
    applies(adapter, RULE(SEG_020));
    address->QuadPart =
        (LONGLONG)(segment_desc(adapter, side->segment)->base + at - offset_field(offset));
}

enum where { SYSTEM_PAGES, IN_APERTURE, IN_MEMORY };

static enum where where_is(const adapter_t *adapter, const struct side *side)
{
    if (!side->segment)
        return SYSTEM_PAGES;
    return segment_is_aperture(segment_desc(adapter, side->segment)) ? IN_APERTURE : IN_MEMORY;
}

static const char *word_of(const adapter_t *adapter, uint32_t segment)
{
    return segment ? segment_name(adapter, segment) : "system";
}

/* Kept per segment for the memory segment that is filled or emptied. Between system pages, at two
   addresses, nothing counts. */
static void count_transfer(adapter_t *adapter, const struct transfer *transfer, uint64_t bytes)
{
    static const enum vidmm_counter counters[][IN_MEMORY + 1] = {
        [SYSTEM_PAGES] = { [IN_MEMORY] = VIDMM_COUNTER_BYTES_MDL_TO_MEM },
        [IN_APERTURE] = { [IN_MEMORY] = VIDMM_COUNTER_BYTES_AP_TO_MEM },
        [IN_MEMORY] = { VIDMM_COUNTER_BYTES_MEM_TO_MDL, VIDMM_COUNTER_BYTES_MEM_TO_AP,
                        VIDMM_COUNTER_BYTES_MEM_TO_MEM },
    };
    enum where from = where_is(adapter, &transfer->from), to = where_is(adapter, &transfer->to);
    struct pageable *allocation = transfer->allocation;
    bool in = to == IN_MEMORY;
    if (!in && from != IN_MEMORY)
        return;
    count_segment(adapter, counters[from][to], in ? transfer->to.segment : transfer->from.segment,
                  bytes);
    if (from == to)
        return;
    *(in ? &allocation->transfer.paged_in_bytes : &allocation->transfer.paged_out_bytes) += bytes;
    count_device(adapter, in ? VIDMM_COUNTER_BYTES_PAGED_IN : VIDMM_COUNTER_BYTES_PAGED_OUT,
                 allocation->creator, bytes);
}

/* SEG-063: protected content leaves and enters such a memory segment encrypted. */
static bool is_encrypted(const adapter_t *adapter, const struct transfer *transfer)
{
    uint32_t flags = segment_desc(adapter, transfer->from.segment)->flags |
                     segment_desc(adapter, transfer->to.segment)->flags;
    return allocation_has(transfer->allocation, ALLOCATION_HARDWARE_PROTECTED) &&
           (flags & SEGMENT_ENCRYPTED_PAGING);
}

static void tell_transfer(adapter_t *adapter, const struct transfer *transfer, uint64_t offset,
                          uint64_t bytes)
{
    uint32_t from = transfer->from.segment, to = transfer->to.segment;
    applies(adapter, transfer->rule);
    if (!heard(adapter, transfer->event))
        return;
    const DXGKARG_BUILDPAGINGBUFFER *arg = &transfer->call.arg;
    uint32_t flags = arg->Transfer.Flags.Value; /* of a special one, too */
    const struct vidmm_field fields[] = {
        f_word("from", word_of(adapter, from)),
        f_word("to", word_of(adapter, to)),
        f_hex("offset", offset),
        f_bytes("bytes", bytes),
        f_hex("flags", flags),
        f_number("pages", bytes / adapter->setup->page),
        f_flag("encrypted", is_encrypted(adapter, transfer)),
    };
    emit_fields(adapter, transfer->event, transfer->rule, transfer->allocation->handle, fields,
                ARRAY_COUNT(fields));
}

_Static_assert(offsetof(DXGKARG_BUILDPAGINGBUFFER, Transfer.Flags) ==
                   offsetof(DXGKARG_BUILDPAGINGBUFFER, SpecialLockTransfer.Flags),
               "both begin alike");

/* MINI-077: the fields of a transfer stay where they are, and the range of the lock follows. */
static void make_special(adapter_t *adapter, DXGKARG_BUILDPAGINGBUFFER *arg,
                         const struct pageable *allocation)
{
    applies(adapter, RULE(MINI_077));
    arg->Operation = DXGK_OPERATION_SPECIAL_LOCK_TRANSFER;
    adapter->pageable_hooks->range(allocation, &arg->SpecialLockTransfer.SwizzlingRangeId,
                                   &arg->SpecialLockTransfer.SwizzlingRangeData);
}

/* One sub-transfer: bytes [offset, offset + bytes) of the allocation. */
static vidmm_status piece(adapter_t *adapter, struct transfer *transfer, uint64_t offset,
                          uint64_t bytes, bool first, bool last)
{
    DXGKARG_BUILDPAGINGBUFFER *arg = &transfer->call.arg;
    struct pageable *allocation = transfer->allocation;
    arg->Operation = DXGK_OPERATION_TRANSFER;
    arg->Transfer.hAllocation = allocation->driver_handle;
    arg->Transfer.TransferOffset = (UINT)offset_field(offset);
    arg->Transfer.TransferSize = bytes;
    arg->Transfer.MdlOffset = (UINT)(offset / adapter->setup->page);
    arg->Transfer.Flags.Value = transfer->convert;
    arg->Transfer.Flags.TransferStart = first;
    arg->Transfer.Flags.TransferEnd = last;
    arg->Transfer.Flags.AllocationIsIdle = paging_idle_at_first(adapter, allocation);
    set_side(adapter, &arg->Transfer.Source.SegmentId, &arg->Transfer.Source.SegmentAddress,
             &arg->Transfer.Source.pMdl, &transfer->from, allocation, offset);
    set_side(adapter, &arg->Transfer.Destination.SegmentId,
             &arg->Transfer.Destination.SegmentAddress, &arg->Transfer.Destination.pMdl,
             &transfer->to, allocation, offset);
    transfer->call.may_be_busy = !arg->Transfer.Flags.AllocationIsIdle;
    if (transfer->special)
        make_special(adapter, &transfer->call.arg, allocation);
    /* Which form arrives? */
    applies(adapter, transfer->convert                                ? RULE(SWIZ_026)
                     : allocation_is(allocation, ALLOCATION_SWIZZLED) ? RULE(SWIZ_003)
                                                                      : RULE(SWIZ_002));
    applies(adapter, RULE(MINI_057));
    applies(adapter, RULE(MINI_061));
    applies(adapter, RULE(MINI_062));
    transfer->call.part = !last;
    vidmm_status status = paging_build(adapter, &transfer->call);
    if (status)
        return status;
    count_transfer(adapter, transfer, bytes);
    allocation->store.encrypted =
        is_encrypted(adapter, transfer) && where_is(adapter, &transfer->to) != IN_MEMORY;
    tell_transfer(adapter, transfer, offset, bytes);
    return STATUS_SUCCESS;
}

static uint64_t piece_bytes(const adapter_t *adapter, const struct transfer *transfer,
                            uint64_t offset, uint64_t bytes)
{
    uint64_t from_left = UINT64_MAX, to_left = UINT64_MAX;
    uint64_t most = setting(adapter, VIDMM_SETTING_MAX_TRANSFER);
    if (transfer->from.segment)
        (void)side_at(&transfer->from, offset, &from_left);
    if (transfer->to.segment)
        (void)side_at(&transfer->to, offset, &to_left);
    bytes = min_u64(bytes, min_u64(from_left, to_left));
    if (transfer->convert)
        most = 0;
    return most ? min_u64(bytes, most) : bytes;
}

/* Every byte of `ranges`, in ascending order, as one logical transfer (MINI-063). */
static vidmm_status run_transfer(adapter_t *adapter, struct transfer *transfer,
                                 const struct range *ranges, size_t count)
{
    vidmm_status status = paging_ready(adapter, transfer->allocation, RULE(PAGE_040));
    bool first = true;
    if (status)
        paging_give_up(adapter, &transfer->call);
    if (setting(adapter, VIDMM_SETTING_MAX_TRANSFER))
        applies(adapter, RULE(MINI_064));
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = ranges[i].offset;
        while (offset < range_end(ranges[i]) && !status) {
            uint64_t bytes = piece_bytes(adapter, transfer, offset, range_end(ranges[i]) - offset);
            bool last = i + 1 == count && offset + bytes == range_end(ranges[i]);
            status = piece(adapter, transfer, offset, bytes, first, last);
            offset += bytes;
            first = false;
        }
    }
    applies(adapter, RULE(MINI_063));
    return status;
}

static vidmm_status whole(adapter_t *adapter, struct transfer *transfer)
{
    struct range all = { 0, transfer->allocation->info.bytes };
    return run_transfer(adapter, transfer, &all, 1);
}

static struct transfer new_transfer(enum paging_kind kind, struct pageable *allocation,
                                    struct side from, struct side to, enum vidmm_rule rule)
{
    struct transfer transfer = { .allocation = allocation, .from = from, .to = to, .rule = rule };
    transfer.event = VIDMM_EVENT_TRANSFER;
    transfer.call.op = paging_new_op(kind, allocation);
    return transfer;
}

/* SWIZ-022: the system side is the alternate address, whose pages the MDL describes. */
static struct transfer special_transfer(struct transfer transfer)
{
    transfer.special = true;
    transfer.event = VIDMM_EVENT_SPECIAL_LOCK_TRANSFER;
    transfer.rule = RULE(SWIZ_022);
    return transfer;
}

vidmm_status paging_transfer_in(adapter_t *adapter, struct pageable *allocation)
{
    struct transfer transfer = new_transfer(PAGING_TRANSFER_IN, allocation, mdl_side,
                                            place_side(&allocation->place.at), RULE(PAGE_006));
    if (allocation->store.linear)
        transfer.convert = VIDMM_TRANSFER_Swizzle;
    if (pageable_cpu_use(adapter, allocation, CPU_ELSEWHERE))
        transfer = special_transfer(transfer);
    paging_lock_pages(adapter, &transfer.call.op);
    coherency_paging(adapter, allocation, allocation->place.at.segment);
    coherency_gpu_reads(adapter, allocation);
    vidmm_status status = whole(adapter, &transfer);
    if (status)
        return status;
    content_is_linear(allocation, false);
    if (transfer.special)
        adapter->pageable_hooks->arrived(adapter, allocation);
    return STATUS_SUCCESS;
}

/* What its format is afterwards, the hook `leave` writes down. */
static uint32_t out_conversion(const adapter_t *adapter, const struct pageable *allocation)
{
    return pageable_cpu_use(adapter, allocation, CPU_UNSWIZZLES) ? VIDMM_TRANSFER_Unswizzle : 0;
}

vidmm_status paging_transfer_out(adapter_t *adapter, struct pageable *allocation,
                                 const struct place *from)
{
    bool aperture = place_in_aperture(adapter, from); /* then an unmap ends the place */
    struct transfer transfer = new_transfer(aperture ? PAGING_COPY_BACK : PAGING_TRANSFER_OUT,
                                            allocation, place_side(from), mdl_side, RULE(PAGE_021));
    transfer.convert = out_conversion(adapter, allocation);
    if (pageable_cpu_use(adapter, allocation, CPU_ALTERNATE))
        transfer = special_transfer(transfer);
    paging_lock_pages(adapter, &transfer.call.op);
    return whole(adapter, &transfer);
}

vidmm_status paging_transfer_via(adapter_t *adapter, struct pageable *allocation,
                                 const struct place *from, uint32_t segment, struct range range)
{
    struct side to = { segment, &range, 1 };
    struct transfer transfer =
        new_transfer(PAGING_TRANSFER_VIA, allocation, place_side(from), to, RULE(PAGE_020));
    transfer.convert = out_conversion(adapter, allocation);
    transfer.call.op.segment = segment;
    transfer.call.op.range = range;
    return whole(adapter, &transfer);
}

vidmm_status paging_transfer_move(adapter_t *adapter, struct pageable *allocation,
                                  const struct place *from)
{
    struct transfer transfer = new_transfer(PAGING_MOVE, allocation, place_side(from),
                                            place_side(&allocation->place.at), RULE(PAGE_008));
    if (place_in_aperture(adapter, from)) {
        coherency_paging(adapter, allocation, allocation->place.at.segment);
        coherency_gpu_reads(adapter, allocation);
    }
    transfer.call.op.segment = from->segment;
    transfer.call.op.range = *place_runs(from);
    transfer.call.op.last = segment_is_aperture(segment_desc(adapter, from->segment));
    transfer.call.op.stays_dirty =
        place_in_memory(adapter, from) && place_in_memory(adapter, &allocation->place.at);
    return whole(adapter, &transfer);
}

vidmm_status paging_copy_back(adapter_t *adapter, struct pageable *allocation)
{
    struct transfer transfer =
        new_transfer(PAGING_COPY_BACK, allocation, place_side(&allocation->place.at), mdl_side,
                     RULE(LOCK_038));
    paging_lock_pages(adapter, &transfer.call.op);
    return whole(adapter, &transfer);
}

vidmm_status paging_update(adapter_t *adapter, struct pageable *allocation)
{
    struct page_set *dirty = &allocation->store.cpu_dirty;
    struct transfer transfer = new_transfer(PAGING_UPDATE, allocation, mdl_side,
                                            place_side(&allocation->place.at), RULE(LOCK_039));
    transfer.event = VIDMM_EVENT_UPDATE;
    size_t count = page_set_count(dirty);
    struct range *ranges = base_alloc(count, sizeof *ranges);
    for (size_t i = 0; i < count; i++)
        ranges[i] = (struct range){ page_set_runs(dirty)[i].first * adapter->setup->page,
                                    page_set_runs(dirty)[i].pages * adapter->setup->page };
    paging_lock_pages(adapter, &transfer.call.op);
    applies(adapter, RULE(LOCK_040));
    coherency_gpu_reads(adapter, allocation);
    vidmm_status status = run_transfer(adapter, &transfer, ranges, count);
    base_free(ranges);
    page_set_clear(dirty); /* PAGE-036 */
    return status;
}

/* Nothing is copied, so the other side is nowhere. */
vidmm_status paging_clean(adapter_t *adapter, struct pageable *allocation)
{
    struct paging_call call = { .op = paging_new_op(PAGING_CLEAN, allocation) };
    struct side from = place_side(&allocation->place.at);
    call.arg.Operation = DXGK_OPERATION_TRANSFER;
    call.arg.Transfer.hAllocation = allocation->driver_handle;
    call.arg.Transfer.Flags.TransferStart = 1;
    call.arg.Transfer.Flags.TransferEnd = 1;
    call.arg.Transfer.Flags.AllocationIsIdle = 1;
    set_side(adapter, &call.arg.Transfer.Source.SegmentId, &call.arg.Transfer.Source.SegmentAddress,
             &call.arg.Transfer.Source.pMdl, &from, allocation, 0);
    applies(adapter, RULE(MINI_082));
    return paging_build(adapter, &call);
}
