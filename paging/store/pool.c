/* SPDX-License-Identifier: MIT */
/*
 * pool.c: blocks that grow with what they hold, and a list for each size of what was given back.
 *
 * A block is a 32nd of those before it, and so is what is not used yet at most. What was given back
 * serves only pieces of its own size, and blocks go only with the last piece of all: this suits
 * records of few sizes, whose number grows and ends.
 */
#include "paging/store/pool.h"

#include <string.h>

enum { FIRST_BYTES = 8 << 10, MOST_BYTES = 32 << 20, SHARE = 32 };

struct pool_block {
    struct pool_block *before;
    size_t bytes;
};

static void add_block(struct pool *pool)
{
    size_t bytes = max_u64(FIRST_BYTES, min_u64(pool->bytes / SHARE, MOST_BYTES));
    struct pool_block *block = base_alloc_uncounted(bytes);
    *block = (struct pool_block){ pool->blocks, bytes };
    pool->blocks = block;
    pool->bytes += bytes;
    pool->end = (char *)block + bytes;
    pool->next = (char *)(block + 1);
    pool->next += POOL_STEP - (uintptr_t)pool->next % POOL_STEP;
}

void *pool_take(struct pool *pool, size_t bytes)
{
    size_t size = (bytes + POOL_STEP - 1) / POOL_STEP;
    if (POOL_PIECES_ALONE || size >= POOL_SIZES)
        return base_alloc(1, bytes);
    base_count_piece(bytes, true);
    pool->pieces++;
    void *piece = pool->back[size];
    if (piece) {
        memcpy(&pool->back[size], piece, sizeof piece);
        return memset(piece, 0, bytes);
    }
    if ((size_t)(pool->end - pool->next) < size * POOL_STEP)
        add_block(pool);
    piece = pool->next;
    pool->next += size * POOL_STEP;
    return piece;
}

void pool_give(struct pool *pool, void *piece, size_t bytes)
{
    size_t size = (bytes + POOL_STEP - 1) / POOL_STEP;
    if (POOL_PIECES_ALONE || size >= POOL_SIZES) {
        base_free(piece);
        return;
    }
    base_count_piece(bytes, false);
    memcpy(piece, &pool->back[size], sizeof piece);
    pool->back[size] = piece;
    if (--pool->pieces)
        return;
    for (struct pool_block *before; pool->blocks; pool->blocks = before) {
        before = pool->blocks->before;
        pool->bytes -= pool->blocks->bytes;
        base_free(pool->blocks);
    }
    CHECK(!pool->bytes); /* all have gone */
    *pool = (struct pool){ 0 };
}
