/* SPDX-License-Identifier: MIT */
/*
 * mock_gpu.c: the chip of the mock miniport.
 *
 * It knows what DxgkDdiSubmitCommand gave it, a range of a buffer for each fence, and executes
 * exactly the commands that stand in that range when virtual time says that the packet ends. Memory
 * is reached through the bus alone, by the addresses found in the buffer. Costs are charged for
 * what stands there too (TIME-010): commands that continue each other cost as much as one.
 *
 * Rules not named below: BUG-005, SUBMIT-052 to SUBMIT-054, TIME-007, TIME-010, TIME-011.
 */
#include "vidmm/mock/mock_gpu.h"
#include "vidmm/mock/mock_faults.h"

enum { RING_FIRST = 64 };

/* ---- what the nodes have been given --------------------------------------------------------- */

struct mock_packet *mock_gpu_slot(const struct mock_ring *ring, uint32_t fence)
{
    return &ring->packets[fence & (ring->capacity - 1)];
}

/* NULL: the chip does not have it. */
static struct mock_packet *mock_gpu_find(const struct mock_ring *ring, uint32_t fence)
{
    struct mock_packet *packet = ring->capacity ? mock_gpu_slot(ring, fence) : NULL;
    return packet && packet->fence == fence ? packet : NULL;
}

bool mock_gpu_broadcast(const struct vidmm_mock *mock, uint32_t node,
                        const struct mock_packet *packet)
{
    const struct mock_ring *ring = &mock->rings[node];
    struct mock_packet *there = ring->capacity ? mock_gpu_slot(ring, packet->fence) : NULL;
    bool alone = packet->paging && !packet->switches;
    if (!there || there->fence != packet->fence || alone || !packet->fence)
        return false;
    there->adapters |= packet->adapters;
    return true;
}

static bool slot_is_taken(const struct mock_ring *ring, uint32_t fence)
{
    uint32_t there = mock_gpu_slot(ring, fence)->fence;
    return there && there != fence;
}

void mock_gpu_submit(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet)
{
    struct mock_ring *ring = &mock->rings[node];
    while (!ring->capacity || slot_is_taken(ring, packet->fence)) {
        /* Twice the room: packets less than the new capacity apart have different slots. */
        struct mock_packet *old = ring->packets;
        uint32_t count = ring->capacity;
        ring->capacity = count ? count * 2 : RING_FIRST;
        ring->packets = base_alloc(ring->capacity, sizeof *ring->packets);
        for (uint32_t i = 0; i < count; i++)
            if (old[i].fence)
                *mock_gpu_slot(ring, old[i].fence) = old[i];
        base_free(old);
    }
    *mock_gpu_slot(ring, packet->fence) = *packet;
    ring->submitted = packet->fence;
}

void mock_gpu_reset(struct vidmm_mock *mock)
{
    for (uint32_t node = 0; node < mock->nodes; node++) {
        struct mock_ring *ring = &mock->rings[node];
        for (uint32_t i = 0; i < ring->capacity; i++)
            ring->packets[i].fence = 0;
        ring->finished = ring->reported = ring->submitted;
        ring->line = ring->running = ring->preempt_id = ring->lost = 0;
        ring->stuck = false;
        mock_fault_forget(mock, node);
    }
    mock->taken_count = mock->written_count = 0;
}

void mock_gpu_start(struct vidmm_mock *mock)
{
    mock_gpu_reset(mock);
    for (uint32_t node = 0; node < mock->nodes; node++) {
        struct mock_ring *ring = &mock->rings[node];
        ring->submitted = ring->finished = ring->reported = 0;
    }
    mock->unmapped_segment = 0;
}

void mock_gpu_fini(struct vidmm_mock *mock)
{
    for (uint32_t node = 0; node < VIDMM_NODES_MAX; node++)
        base_free(mock->rings[node].packets);
    base_free(mock->taken);
    base_free(mock->faults);
    base_free(mock->translations);
    base_free(mock->written);
}

/* ---- reading the stream --------------------------------------------------------------------- */

struct reader {
    const uint8_t *at, *end;
    bool paging;
};

static void skip_nothing(struct reader *reader)
{
    uint64_t word;
    while (reader->end - reader->at >= (ptrdiff_t)sizeof word) {
        memcpy(&word, reader->at, sizeof word);
        if (word)
            break;
        reader->at += sizeof word;
    }
    while (reader->at < reader->end && !*reader->at)
        reader->at++;
}

/* The byte that the next whole command begins with; 0 at the end. Other bytes are not executed. */
static uint8_t mock_gpu_peek(struct reader *reader)
{
    for (;;) {
        skip_nothing(reader);
        if (reader->at == reader->end)
            return MOCK_NOTHING;
        /* Commands on memory are the system's alone: rendering cannot smuggle them in. */
        uint8_t op = *reader->at;
        bool known = reader->paging ? (op >= MOCK_TRANSFER && op <= MOCK_READ) || op == MOCK_NOTE
                                    : op == MOCK_REFERENCE;
        size_t bytes = reader->paging ? MOCK_COMMAND_BYTES : MOCK_REFERENCE_BYTES;
        if (known && (size_t)(reader->end - reader->at) >= bytes)
            return op;
        reader->at++;
    }
}

void mock_gpu_advance(const struct vidmm_mock *mock, struct mock_command *command, uint64_t bytes)
{
    bool has_mdl = command->op == MOCK_TRANSFER || command->op == MOCK_MAP;
    if (command->from_segment)
        command->from += bytes;
    if (command->to_segment)
        command->to += bytes;
    if (has_mdl)
        command->word += (uint32_t)(bytes / mock->config.page_bytes);
}

/* Does `next` do what the part after `command` would? */
static bool mock_gpu_continues(const struct vidmm_mock *mock, const struct mock_command *command,
                               const struct mock_command *next)
{
    struct mock_command part = *command;
    if (!(next->flags & MOCK_CONTINUES))
        return false;
    mock_gpu_advance(mock, &part, command->bytes);
    part.flags |= MOCK_CONTINUES;
    part.bytes = next->bytes;
    return !memcmp(&part, next, sizeof part);
}

/* The next operation on memory, with all commands that continue it. */
static struct mock_command take_command(const struct vidmm_mock *mock, struct reader *reader)
{
    struct mock_command command;
    memcpy(&command, reader->at, sizeof command);
    reader->at += sizeof command;
    for (;;) {
        struct mock_command next;
        base_work(1);
        uint8_t op = mock_gpu_peek(reader);
        if (op != command.op)
            return command;
        memcpy(&next, reader->at, sizeof next);
        if (!mock_gpu_continues(mock, &command, &next))
            return command;
        command.bytes += next.bytes;
        reader->at += sizeof next;
    }
}

/* ---- operations on memory ------------------------------------------------------------------- */

static struct vidmm_bus_place place_at(uint8_t segment, uint64_t address, uint32_t page)
{
    if (segment)
        return (struct vidmm_bus_place){ .segment = segment, .address = address };
    return (struct vidmm_bus_place){ .mdl = (const MDL *)(uintptr_t)address, .mdl_page = page };
}

static struct vidmm_bus_place to_place(const struct mock_command *command)
{
    return place_at(command->to_segment, command->to, command->word);
}

static struct vidmm_bus_place from_place(const struct mock_command *command)
{
    if (command->op == MOCK_TRANSFER || command->op == MOCK_MAP)
        return place_at(command->from_segment, command->from, command->word);
    return (struct vidmm_bus_place){ 0 };
}

/* The memory of one physical adapter of a link. */
static struct vidmm_bus *bus_of(struct vidmm_mock *mock, uint32_t adapter)
{
    return adapter ? mock->bus->of_adapter(mock->bus, adapter) : mock->bus;
}

static vidmm_ns cost_of(struct vidmm_bus *bus, const struct mock_command *command)
{
    static const enum vidmm_bus_op kinds[] = { VIDMM_BUS_TRANSFER, VIDMM_BUS_FILL, VIDMM_BUS_MAP,
                                               VIDMM_BUS_UNMAP, VIDMM_BUS_READ };
    struct vidmm_bus_place to = to_place(command);
    struct vidmm_bus_place from = from_place(command);
    if (command->op == MOCK_NOTE)
        return 0;
    return bus->cost(bus, kinds[command->op - MOCK_TRANSFER], &to, &from, command->bytes,
                     command->flags & MOCK_TRANSFER_FLAGS);
}

static void execute(struct vidmm_mock *mock, struct vidmm_bus *bus,
                    const struct mock_command *command)
{
    struct vidmm_bus_place to = to_place(command);
    struct vidmm_bus_place from = from_place(command);
    uint64_t first = command->to / mock->config.page_bytes;
    uint64_t pages = command->bytes / mock->config.page_bytes;

    switch (command->op) {
    case MOCK_TRANSFER: mock_mdl_copy(mock, bus, &to, &from, command->bytes); break;
    case MOCK_FILL: bus->fill(bus, &to, command->bytes, command->word); break;
    case MOCK_MAP:
        if (command->from_segment == MOCK_SYSTEM)
            bus->map_pages(bus, command->to_segment, first, pages,
                           command->from / mock->config.page_bytes);
        else
            mock_mdl_map(mock, bus, command, &from);
        break;
    case MOCK_READ: /* what is read does not matter (MINI-070) */
    case MOCK_NOTE: break;
    default:
        if (pages) /* `keep-mapping` */
            bus->unmap(bus, command->to_segment, first, pages,
                       command->from / mock->config.page_bytes);
        mock->unmapped_segment = command->to_segment;
        mock->unmapped_offset = command->to;
        break;
    }
}

vidmm_ns mock_gpu_execute_now(struct vidmm_mock *mock, const struct mock_command *command,
                              uint32_t adapter)
{
    vidmm_ns cost = cost_of(bus_of(mock, adapter), command);
    execute(mock, bus_of(mock, adapter), command);
    return cost;
}

/* ---- packets -------------------------------------------------------------------------------- */

static struct reader open_packet(const struct mock_packet *packet)
{
    return (struct reader){ packet->buffer + packet->start, packet->buffer + packet->end,
                            packet->paging };
}

static void mock_gpu_attach(void *self, struct vidmm_bus *bus)
{
    struct vidmm_mock *mock = self;
    mock->bus = bus;
}

/* The first of them; a paging packet has no other. */
static struct vidmm_bus *executor(struct vidmm_mock *mock, const struct mock_packet *packet)
{
    uint32_t adapter = 0;
    while (!(packet->adapters >> adapter & 1))
        adapter++;
    return bus_of(mock, adapter);
}

/* Each adapter that was given the packet, with its own memory. */
static void mock_gpu_touch(struct vidmm_mock *mock, uint32_t node, const struct mock_packet *packet,
                           const struct mock_reference *slot)
{
    for (uint32_t i = 0; packet->adapters >> i; i++) {
        struct vidmm_bus *bus = packet->adapters >> i & 1 ? bus_of(mock, i) : NULL;
        if (bus)
            bus->touch(bus, node, packet->fence, slot->index, slot->write != 0, slot->segment,
                       slot->address);
    }
}

/* A driver in front of the mock kept the packet to itself, and said that it handed it over. The
   system waits for it: to the chip it is one that hangs. */
static const struct mock_packet *hang_instead(struct vidmm_mock *mock, uint32_t node,
                                              uint32_t fence)
{
    struct mock_ring *ring = &mock->rings[node];
    uint32_t last = ring->submitted;
    mock_gpu_submit(mock, node, &(struct mock_packet){ .fence = fence, .hangs = true });
    if (last > fence)
        ring->submitted = last;
    return mock_gpu_find(ring, fence);
}

static vidmm_ns mock_gpu_begin(void *self, uint32_t node, uint32_t fence)
{
    struct vidmm_mock *mock = self;
    const struct mock_packet *packet = mock_gpu_find(&mock->rings[node], fence);
    if (!packet)
        packet = hang_instead(mock, node, fence);
    mock->rings[node].running = fence;
    if (packet->hangs || mock->rings[node].stuck)
        return VIDMM_NEVER;
    struct reader reader = open_packet(packet);
    vidmm_ns cost = packet->cost_ns;
    uint64_t begun = ++mock->begun; /* `hang=n`: the n-th packet, whatever it is */
    if (mock->config.switches[VIDMM_MOCK_HANG].on &&
        begun == (uint64_t)mock_faults_value(mock, VIDMM_MOCK_HANG))
        return VIDMM_NEVER;
    while (packet->paging && mock_gpu_peek(&reader)) {
        struct mock_command command = take_command(mock, &reader);
        cost += cost_of(executor(mock, packet), &command);
    }
    return cost;
}

/* `stale-write`: through the range that was unmapped last, else the end of the first aperture. */
static void write_stale(struct vidmm_mock *mock)
{
    uint32_t segment = mock->unmapped_segment;
    uint64_t offset = mock->unmapped_offset;
    if (!segment) {
        const DXGK_SEGMENTFLAGS aperture = { .Aperture = 1, .Agp = 1 };
        while (segment < mock->config.segment_count &&
               !(mock->config.segments[segment].flags & aperture.Value))
            segment++;
        if (segment++ == mock->config.segment_count)
            return;
        offset = mock->config.segments[segment - 1].size - mock->config.page_bytes;
    }
    struct vidmm_bus_place to = {
        .segment = segment,
        .address = mock->config.segments[segment - 1].base + offset,
    };
    mock->bus->fill(mock->bus, &to, mock->config.page_bytes, 0xDEADBEEF);
}

static void mock_gpu_finish(void *self, uint32_t node, uint32_t fence)
{
    struct vidmm_mock *mock = self;
    struct mock_packet *packet = mock_gpu_find(&mock->rings[node], fence);
    if (!packet) /* a driver, or hardware, in front of the mock says so: nothing of it is done */
        return;
    struct reader reader = open_packet(packet);
    bool faults = mock_fault_hits(mock, node, packet);
    uint8_t op;

    while (!faults && (op = mock_gpu_peek(&reader)) != MOCK_NOTHING) {
        if (op == MOCK_REFERENCE) {
            struct mock_reference slot;
            memcpy(&slot, reader.at, sizeof slot);
            reader.at += sizeof slot;
            mock_gpu_touch(mock, node, packet, &slot);
        } else {
            struct mock_command command = take_command(mock, &reader);
            execute(mock, executor(mock, packet), &command);
        }
    }
    bool renders = !packet->paging && !packet->switches;
    if (renders && !faults && mock_faults_hit(mock, VIDMM_MOCK_STALE_WRITE))
        write_stale(mock);
    packet->fence = 0;
    mock->rings[node].finished = fence;
    mock->rings[node].running = 0;
}

/* ---- interrupts ----------------------------------------------------------------------------- */

/* What the driver says about a finished packet: the truth, unless a switch says otherwise. */
static uint32_t distort(struct vidmm_mock *mock, const struct mock_ring *ring, uint32_t fence)
{
    if (!mock_faults_hit(mock, VIDMM_MOCK_FENCE))
        return fence;
    if (mock_faults_value(mock, VIDMM_MOCK_FENCE) == MOCK_FENCE_HIGH)
        return ring->submitted + 1;
    if (mock_faults_value(mock, VIDMM_MOCK_FENCE) == MOCK_FENCE_EARLY)
        return ring->submitted;
    if (mock_faults_value(mock, VIDMM_MOCK_FENCE) == MOCK_FENCE_PREEMPT)
        return ring->preempt_id ? ring->preempt_id : fence;
    /* Before the first completion no number is too low. */
    return ring->reported ? ring->reported - 1 : fence;
}

static void mock_gpu_report(struct vidmm_mock *mock, uint32_t node, uint32_t fence)
{
    struct mock_ring *ring = &mock->rings[node];
    if (!mock_fault_report(mock, node, fence)) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
        data.DmaCompleted.SubmissionFenceId = distort(mock, ring, fence);
        data.DmaCompleted.NodeOrdinal = node;
        mock->dxgkrnl.DxgkCbNotifyInterrupt(mock->dxgkrnl.DeviceHandle, &data);
    }
    ring->line = ring->lost = 0;
    ring->reported = fence;
    if (!mock_faults_hit(mock, VIDMM_MOCK_NO_DPC))
        (void)mock->dxgkrnl.DxgkCbQueueDpc(mock->dxgkrnl.DeviceHandle);
}

/* Asks the chip which of its nodes has something to say. */
BOOLEAN mock_gpu_interrupt_routine(IN_CONST_PVOID adapter, IN_ULONG message)
{
    struct vidmm_mock *mock = adapter;
    BOOLEAN ours = FALSE;
    UNREFERENCED_PARAMETER(message);
    for (uint32_t node = 0; node < mock->nodes; node++)
        if (mock->rings[node].line) {
            mock_gpu_report(mock, node, mock->rings[node].line);
            ours = TRUE;
        }
    return ours;
}

VOID mock_gpu_dpc_routine(IN_CONST_PVOID adapter)
{
    struct vidmm_mock *mock = adapter;
    mock->dxgkrnl.DxgkCbNotifyDpc(mock->dxgkrnl.DeviceHandle);
}

static void interrupt(void *self, uint32_t node, uint32_t fence)
{
    struct vidmm_mock *mock = self;
    struct mock_ring *ring = &mock->rings[node];
    /* What ended before a start or a reset of the driver is not known any more. */
    bool known = fence <= ring->finished;
    if (known && ring->reported < fence) {
        uint64_t completion = ++mock->completions; /* `no-irq=n`: the n-th one */
        bool forgotten = mock->config.switches[VIDMM_MOCK_NO_IRQ].on &&
                         completion == (uint64_t)mock_faults_value(mock, VIDMM_MOCK_NO_IRQ);
        ring->lost = forgotten ? fence : 0;
        ring->line = forgotten ? 0 : fence;
    }
    (void)mock_gpu_interrupt_routine(mock, 0);
    bool stopped = ring->running && fence == ring->running;
    mock_recovery_answer(mock, node, stopped ? MOCK_NODE_STOPPED : MOCK_NODE_RUNS);
}

/* What is finished and was not reported is reported before the answer (SUBMIT-055). */
NTSTATUS mock_gpu_query_current_fence(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYCURRENTFENCE arg)
{
    struct vidmm_mock *mock = adapter;
    if (arg->NodeOrdinal >= mock->nodes)
        return STATUS_INVALID_PARAMETER;
    struct mock_ring *ring = &mock->rings[arg->NodeOrdinal];
    if (ring->reported < ring->finished)
        mock_gpu_report(mock, arg->NodeOrdinal, ring->finished);
    arg->CurrentFence = ring->finished;
    return STATUS_SUCCESS;
}

const struct vidmm_hardware mock_gpu_hardware = {
    .attach = mock_gpu_attach,
    .begin = mock_gpu_begin,
    .finish = mock_gpu_finish,
    .interrupt = interrupt,
};
