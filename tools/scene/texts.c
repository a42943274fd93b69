/* SPDX-License-Identifier: MIT */
/*
 * texts.c: one table of different texts. A text is found again by its bytes and keeps the number
 * that it got first, so nothing depends on the order of the hash.
 */
#include "tools/scene/scene_state.h"

#include <string.h>

enum { FIRST_SLOTS = 1024 };

static uint64_t texts_hash(const char *text, size_t bytes)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    return hash * UINT64_C(0x9E3779B97F4A7C15);
}

static const char *texts_at(const struct texts *texts, size_t index)
{
    return texts->bytes + texts->starts[index];
}

/* Where the text stands, or the free slot where it belongs. */
static struct text_slot *find_slot(const struct texts *texts, const char *text, size_t bytes,
                                   uint64_t hash)
{
    size_t at = (size_t)hash & (texts->slot_count - 1);
    for (; texts->slots[at].next; at = (at + 1) & (texts->slot_count - 1)) {
        if (texts->slots[at].hash != (uint32_t)(hash >> 32))
            continue;
        const char *other = texts_at(texts, texts->slots[at].next - 1);
        if (strncmp(other, text, bytes) == 0 && !other[bytes])
            break;
    }
    return &texts->slots[at];
}

static void fill_slots(struct texts *texts, size_t slot_count, size_t count)
{
    base_free(texts->slots);
    texts->slots = base_alloc(slot_count, sizeof *texts->slots);
    texts->slot_count = slot_count;
    for (size_t i = 0; i < count; i++) {
        const char *text = texts_at(texts, i);
        size_t bytes = strlen(text);
        uint64_t hash = texts_hash(text, bytes);
        *find_slot(texts, text, bytes, hash) =
            (struct text_slot){ (uint32_t)i + 1, (uint32_t)(hash >> 32) };
    }
}

scene_text texts_add_bytes(struct scene_sink *self, const char *text, size_t bytes)
{
    struct texts *texts = &self->texts;
    size_t count = self->scene.text_count;
    if (2 * (count + 1) > texts->slot_count)
        fill_slots(texts, texts->slot_count ? 2 * texts->slot_count : FIRST_SLOTS, count);
    const char *end = bytes ? memchr(text, '\0', bytes) : NULL;
    bytes = end ? (size_t)(end - text) : bytes;
    uint64_t hash = texts_hash(text, bytes);
    struct text_slot *slot = find_slot(texts, text, bytes, hash);
    if (slot->next)
        return slot->next - 1;
    BASE_GROW(texts->starts, texts->start_capacity, count + 1);
    BASE_GROW(texts->bytes, texts->byte_capacity, texts->length + bytes + 1);
    memcpy(texts->bytes + texts->length, text, bytes);
    texts->bytes[texts->length + bytes] = '\0';
    texts->starts[count] = texts->length;
    texts->length += bytes + 1;
    *slot = (struct text_slot){ (uint32_t)++self->scene.text_count, (uint32_t)(hash >> 32) };
    return (scene_text)count;
}

scene_text texts_add(struct scene_sink *self, const char *text)
{
    return texts_add_bytes(self, text, strlen(text));
}

const char *scene_string(const struct scene *scene, scene_text text)
{
    const struct scene_sink *self =
        (const struct scene_sink *)((const char *)scene - offsetof(struct scene_sink, scene));
    return text < scene->text_count ? texts_at(&self->texts, text) : "";
}

/* ---- those that nothing names any more ------------------------------------------------------- */

struct collection {
    struct visitor visitor;
    uint32_t *to;
};

static void note_used(const struct visitor *visitor, uint32_t *ref)
{
    CONTAINER_OF(visitor, const struct collection, visitor)->to[*ref] = 0;
}

static void renumber(const struct visitor *visitor, uint32_t *ref)
{
    *ref = CONTAINER_OF(visitor, const struct collection, visitor)->to[*ref];
}

void texts_collect(struct scene_sink *self)
{
    struct texts *texts = &self->texts;
    size_t count = self->scene.text_count, kept = 0, length = 0;
    struct collection used = { { note_used }, base_alloc(count, sizeof *used.to) };
    memset(used.to, 0xFF, count * sizeof *used.to);
    used.to[0] = 0;
    refs_visit(self, REF_TEXT, &used.visitor);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts_at(texts, i);
        size_t bytes = strlen(text) + 1;
        if (used.to[i] == SCENE_NONE)
            continue;
        memmove(texts->bytes + length, text, bytes);
        texts->starts[kept] = length;
        length += bytes;
        used.to[i] = (uint32_t)kept++;
    }
    texts->length = length;
    self->scene.text_count = kept;
    used.visitor.one = renumber;
    refs_visit(self, REF_TEXT, &used.visitor);
    base_free(used.to);
    fill_slots(texts, texts->slot_count, kept);
}

void texts_fini(struct texts *texts)
{
    base_free(texts->bytes);
    base_free(texts->starts);
    base_free(texts->slots);
    *texts = (struct texts){ 0 };
}
