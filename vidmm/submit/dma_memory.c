/* SPDX-License-Identifier: MIT */
/*
 * dma_memory.c: host memory of DMA buffers.
 *
 * The driver is given all of a buffer, most often 64 KiB, and writes a few hundred bytes of it. So
 * buffers are cut from a chunk one after another: while one is translated it has its full size, and
 * its guard after that; what it did not write is there for the next one. Each begins at a page
 * (SUBMIT-020), so a packet in flight holds 4 KiB of host memory and not 68. A buffer that becomes
 * idle gives its piece back, and a chunk without pieces is used again.
 */
#include "paging/buffer/buffer.h"
#include "vidmm/submit/packet.h"
#include "vidmm/submit/submit_state.h"

#include <string.h>

struct dma_chunk {
    uint8_t *memory; /* at a page, in `room` */
    size_t bytes, used;
    uint32_t pieces; /* buffers that have memory in it */
    uint8_t room[];
};

/*
 * Room for further buffers in a chunk, which has 256 KiB with a first one of 64 KiB. The end of
 * each chunk is lost: no whole buffer fits. So chunks grow with what is in flight, by a part of it.
 */
enum { MORE_BYTES = 188 * 1024, MORE_PART = 8 };

static size_t piece_of(size_t bytes)
{
    return (size_t)align_up(bytes + PAGING_GUARD_BYTES, PAGE_SIZE);
}

static struct dma_chunk *new_chunk(struct submit *submit, size_t piece)
{
    size_t bytes = piece + (size_t)max_u64(MORE_BYTES, submit->chunk_bytes / MORE_PART);
    struct dma_chunk *chunk = base_alloc(1, sizeof *chunk + bytes + PAGE_SIZE);
    chunk->memory = (uint8_t *)(uintptr_t)align_up((uintptr_t)chunk->room, PAGE_SIZE);
    chunk->bytes = bytes;
    submit->chunk_bytes += bytes;
    return chunk;
}

/* Nothing lies in it: one is kept for when the next is full. */
static void drop_chunk(struct submit *submit, struct dma_chunk *chunk)
{
    chunk->used = 0;
    if (!submit->spare_chunk) {
        submit->spare_chunk = chunk;
        return;
    }
    bool larger = chunk->bytes > submit->spare_chunk->bytes;
    struct dma_chunk *smaller = larger ? submit->spare_chunk : chunk;
    if (larger)
        submit->spare_chunk = chunk;
    submit->chunk_bytes -= smaller->bytes;
    base_free(smaller);
}

static struct dma_chunk *chunk_for(struct submit *submit, size_t piece)
{
    struct dma_chunk *chunk = submit->chunk, *spare = submit->spare_chunk;
    if (chunk && piece <= chunk->bytes - chunk->used)
        return chunk;
    bool fits = spare && piece <= spare->bytes;
    submit->chunk = fits ? spare : new_chunk(submit, piece);
    if (fits)
        submit->spare_chunk = NULL;
    if (chunk && !chunk->pieces)
        drop_chunk(submit, chunk);
    return submit->chunk;
}

void dma_memory_take(adapter_t *adapter, struct dma_buffer *buffer)
{
    size_t piece = piece_of(buffer->bytes);
    struct dma_chunk *chunk = chunk_for(adapter->submit, piece);
    CHECK(!buffer->chunk && piece <= chunk->bytes - chunk->used);
    buffer->chunk = chunk;
    buffer->memory = chunk->memory + chunk->used;
    chunk->used += piece;
    chunk->pieces++;
    memset(buffer->memory + buffer->bytes, PAGING_GUARD, PAGING_GUARD_BYTES);
}

void dma_memory_trim(struct dma_buffer *buffer)
{
    struct dma_chunk *chunk = buffer->chunk;
    CHECK(buffer->memory + piece_of(buffer->bytes) == chunk->memory + chunk->used);
    chunk->used -= piece_of(buffer->bytes) - piece_of(buffer->used);
}

void dma_memory_give(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct submit *submit = adapter->submit;
    struct dma_chunk *chunk = buffer->chunk;
    buffer->chunk = NULL;
    buffer->memory = NULL;
    if (!chunk || --chunk->pieces)
        return;
    if (chunk == submit->chunk)
        chunk->used = 0;
    else
        drop_chunk(submit, chunk);
}

void dma_memory_stop(adapter_t *adapter)
{
    base_free(adapter->submit->chunk);
    base_free(adapter->submit->spare_chunk);
}
