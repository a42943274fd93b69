/* SPDX-License-Identifier: MIT */
/*
 * tree.c: the arena in which everything lives that was read from a text.
 */
#include "scenarios/lang/text/text.h"

#include <stdalign.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    alignas(max_align_t) char bytes[];
};

static void add_chunk(struct arena *arena, size_t bytes)
{
    size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct arena_chunk *chunk = base_alloc(1, sizeof *chunk + room);
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->next = chunk->bytes;
    arena->end = chunk->bytes + room;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t rounded = (size_t)align_up(bytes, alignof(max_align_t));
    if ((size_t)(arena->end - arena->next) < rounded || !arena->next)
        add_chunk(arena, rounded);
    void *memory = arena->next;
    arena->next += rounded;
    return memory;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void arena_fini(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks; chunk;) {
        struct arena_chunk *next = chunk->next;
        base_free(chunk);
        chunk = next;
    }
    *arena = (struct arena){ 0 };
}
