/* SPDX-License-Identifier: MIT */
/*
 * pool.h: pieces of host memory that lie side by side, without a header.
 *
 * For records of which there may be a million, and which are met in no order: each is a miss of the
 * caches then, and of the table of pages too unless the pages are large. So they come out of large
 * blocks, which have large pages (base_alloc()). Counted are the pieces, each as one of
 * base_alloc(), and not the blocks: so the account (vidmm/vidmm_host.h) is the same whether pieces
 * are alone or not.
 */
#ifndef PAGING_STORE_POOL_H
#define PAGING_STORE_POOL_H

#include "vidmm/base/base.h"

enum { POOL_STEP = 16, POOL_SIZES = 128 }; /* multiples of the step; larger pieces are few */

/* Each piece is one of base_alloc() where misuse of memory is looked for (CMakeLists.txt). */
#ifdef VIDMM_PIECES_ALONE
enum { POOL_PIECES_ALONE = true };
#else
enum { POOL_PIECES_ALONE = false };
#endif

/* A zeroed struct is an empty pool. */
struct pool {
    struct pool_block *blocks; /* the youngest first */
    char *next, *end;          /* what is left of it */
    size_t bytes, pieces;      /* of all blocks; that are out */
    void *back[POOL_SIZES];    /* given back, by size: each points to the next one */
};

/* Zeroed. */
void *pool_take(struct pool *pool, size_t bytes);
/* `bytes` as it was taken. With the last piece all blocks go. */
void pool_give(struct pool *pool, void *piece, size_t bytes);

#endif
