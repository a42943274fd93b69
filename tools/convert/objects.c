/* SPDX-License-Identifier: MIT */
/*
 * objects.c: which object a request names.
 *
 * A trace may have hundreds of millions of objects. So this is a plain table of 4 bytes for each
 * slot, beside 40 for each object; the handle of a uthash table alone would be 56.
 */
#define _DEFAULT_SOURCE /* getrandom */
#include "tools/convert/objects.h"

#include <string.h>
#include <sys/random.h>

enum { SLOTS_FIRST = 1 << 10 };

/* ---- hashes ----------------------------------------------------------------------------------
 *
 * SipHash-1-3 (Aumasson and Bernstein, 2012). The key is another one in each run, because whoever
 * writes a trace could otherwise choose names that all want the same slot. No output depends on it:
 * objects are numbered by their first requests.
 */

struct sip {
    uint64_t a, b, c, d;
};

static uint64_t turn(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static void sip_round(struct sip *sip)
{
    sip->a += sip->b;
    sip->c += sip->d;
    sip->b = turn(sip->b, 13) ^ sip->a;
    sip->d = turn(sip->d, 16) ^ sip->c;
    sip->a = turn(sip->a, 32) + sip->d;
    sip->c += sip->b;
    sip->d = turn(sip->d, 21) ^ sip->a;
    sip->b = turn(sip->b, 17) ^ sip->c;
    sip->c = turn(sip->c, 32);
}

static void sip_word(struct sip *sip, uint64_t word)
{
    sip->d ^= word;
    sip_round(sip);
    sip->a ^= word;
}

static uint64_t hash_bytes(const struct objects *objects, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    const uint64_t *key = objects->key;
    struct sip sip = { key[0] ^ 0x736F6D6570736575, key[1] ^ 0x646F72616E646F6D,
                       key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573 };
    uint64_t word = 0;
    for (size_t left = count; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sip_word(&sip, word);
    }
    word = 0;
    memcpy(&word, at, count % sizeof word);
    sip_word(&sip, word | (uint64_t)count << 56);
    sip.c ^= 0xFF;
    for (int i = 0; i < 3; i++)
        sip_round(&sip);
    return sip.a ^ sip.b ^ sip.c ^ sip.d;
}

/* Where there are no random numbers, traces are still read, and only honest ones fast. */
static void choose_key(struct objects *objects)
{
    if (getrandom(objects->key, sizeof objects->key, GRND_NONBLOCK) != sizeof objects->key)
        memset(objects->key, 0, sizeof objects->key);
}

/* ---- the table ----------------------------------------------------------------------------- */

static uint64_t hash_object(const struct objects *objects, const struct object *object)
{
    return object->length ? hash_bytes(objects, objects->texts + object->name, object->length)
                          : hash_bytes(objects, &object->name, sizeof object->name);
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
    if (!objects->slot_count)
        choose_key(objects);
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
    uint64_t hash = hash_bytes(objects, &name, sizeof name);
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
    uint64_t hash = hash_bytes(objects, text, length);
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
