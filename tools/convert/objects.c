/* SPDX-License-Identifier: MIT */
/*
 * objects.c: which object a request names.
 *
 * A trace may have hundreds of millions of objects. So this is a plain table of 4 bytes for each
 * slot, beside 40 for each object; the handle of a uthash table alone would be 56.
 */
#include "tools/convert/objects.h"

#include <string.h>

enum { SLOTS_FIRST = 1 << 10 };

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 32) * 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9u;
    return value ^ value >> 32;
}

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3;
    return mix(hash);
}

static uint64_t hash_object(const struct objects *objects, const struct object *object)
{
    return object->length ? hash_text(objects->texts + object->name, object->length)
                          : mix(object->name);
}

static void put(struct objects *objects, uint64_t hash, uint32_t number)
{
    size_t at = hash & (objects->slot_count - 1);
    while (objects->slots[at])
        at = (at + 1) & (objects->slot_count - 1);
    objects->slots[at] = number;
}

static void make_room(struct objects *objects)
{
    if (objects->count * 2 < objects->slot_count)
        return;
    base_free(objects->slots);
    objects->slot_count = objects->slot_count ? objects->slot_count * 2 : SLOTS_FIRST;
    objects->slots = base_alloc(objects->slot_count, sizeof *objects->slots);
    for (size_t i = 0; i < objects->count; i++)
        put(objects, hash_object(objects, &objects->list[i]), (uint32_t)i + 1);
}

static uint32_t add(struct objects *objects, uint64_t hash, struct object object)
{
    CHECK(objects->count < UINT32_MAX);
    BASE_GROW(objects->list, objects->capacity, objects->count + 1);
    objects->list[objects->count++] = object;
    put(objects, hash, (uint32_t)objects->count);
    return (uint32_t)objects->count - 1;
}

uint32_t objects_number(struct objects *objects, uint64_t name)
{
    make_room(objects);
    uint64_t hash = mix(name);
    for (size_t at = hash & (objects->slot_count - 1); objects->slots[at];
         at = (at + 1) & (objects->slot_count - 1))
        if (objects->list[objects->slots[at] - 1].name == name)
            return objects->slots[at] - 1;
    return add(objects, hash, (struct object){ .name = name });
}

uint32_t objects_text(struct objects *objects, const char *text, size_t length)
{
    CHECK(length > 0 && length <= UINT32_MAX);
    make_room(objects);
    uint64_t hash = hash_text(text, length);
    for (size_t at = hash & (objects->slot_count - 1); objects->slots[at];
         at = (at + 1) & (objects->slot_count - 1)) {
        const struct object *object = &objects->list[objects->slots[at] - 1];
        if (object->length == length && memcmp(objects->texts + object->name, text, length) == 0)
            return objects->slots[at] - 1;
    }
    BASE_GROW(objects->texts, objects->text_capacity, objects->text_bytes + length);
    memcpy(objects->texts + objects->text_bytes, text, length);
    objects->text_bytes += length;
    return add(objects, hash,
               (struct object){ .name = objects->text_bytes - length, .length = (uint32_t)length });
}

void objects_free(struct objects *objects)
{
    base_free(objects->list);
    base_free(objects->texts);
    base_free(objects->slots);
    *objects = (struct objects){ 0 };
}
