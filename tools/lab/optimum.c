/* SPDX-License-Identifier: MIT */
/*
 * optimum.c: lower bounds of misses, from the references of a run.
 *
 * Segments that some allocation may choose between are one cache with the sum of their sizes;
 * others are caches of their own, each with a time that counts its references. An object that was
 * there at its first reference (something else brought it) has no first miss.
 */
#include "tools/lab/optimum.h"

#include <stdlib.h>

#include "vidmm/base/base_hash.h"

enum { USES_MOST = 1 << 26 };

__extension__ typedef unsigned __int128 volume;

struct object {
    uint64_t name, bytes;
    uint32_t index, set;
    bool there, exempt; /* at its first reference */
    UT_hash_handle hh;
};

struct optimum {
    struct object *table;    /* by name */
    struct object **objects; /* by index */
    size_t object_count, object_capacity;
    uint32_t *uses; /* indexes of objects */
    size_t use_count, use_capacity;
    bool lost; /* more uses than are remembered */
};

/* ---- recording --------------------------------------------------------------------------------
 */

struct optimum *optimum_new(void)
{
    return base_alloc(1, sizeof(struct optimum));
}

void optimum_free(struct optimum *optimum)
{
    HASH_CLEAR(hh, optimum->table);
    for (size_t i = 0; i < optimum->object_count; i++)
        base_free(optimum->objects[i]);
    base_free(optimum->objects);
    base_free(optimum->uses);
    base_free(optimum);
}

static struct object *find(const struct optimum *optimum, uint64_t name)
{
    struct object *object = NULL;
    HASH_FIND(hh, optimum->table, &name, sizeof name, object);
    return object;
}

static struct object *add(struct optimum *optimum, uint64_t name, bool there)
{
    struct object *object = base_alloc(1, sizeof *object);
    *object =
        (struct object){ .name = name, .index = (uint32_t)optimum->object_count, .there = there };
    HASH_ADD(hh, optimum->table, name, sizeof object->name, object);
    BASE_GROW(optimum->objects, optimum->object_capacity, optimum->object_count + 1);
    return optimum->objects[optimum->object_count++] = object;
}

/* Of a size that changes the smallest counts, and every segment that was ever allowed: so the bound
   stays one. */
void optimum_use(struct optimum *optimum, uint64_t name, uint64_t bytes, uint32_t set, bool hit)
{
    struct object *object = find(optimum, name);
    if (optimum->use_count == USES_MOST) {
        optimum->lost = true;
        return;
    }
    if (!object)
        object = add(optimum, name, hit);
    object->bytes = object->bytes ? min_u64(object->bytes, bytes) : bytes;
    object->set |= set;
    BASE_GROW(optimum->uses, optimum->use_capacity, optimum->use_count + 1);
    optimum->uses[optimum->use_count++] = object->index;
}

void optimum_exempt(struct optimum *optimum, uint64_t name)
{
    struct object *object = find(optimum, name);
    if (!object)
        object = add(optimum, name, true);
    object->exempt = true;
}

/* ---- caches -----------------------------------------------------------------------------------
 */

/* Of each segment, the set of segments that belong together with it. */
static void join_segments(const struct optimum *optimum, uint32_t sets[OPTIMUM_SEGMENTS])
{
    for (uint32_t i = 0; i < OPTIMUM_SEGMENTS; i++)
        sets[i] = UINT32_C(1) << i;
    for (size_t i = 0; i < optimum->object_count; i++) {
        uint32_t joined = optimum->objects[i]->set;
        for (uint32_t k = 0; k < OPTIMUM_SEGMENTS; k++)
            if (optimum->objects[i]->set >> k & 1)
                joined |= sets[k];
        for (uint32_t k = 0; k < OPTIMUM_SEGMENTS; k++)
            if (joined >> k & 1)
                sets[k] = joined;
    }
}

/* The references to one cache. */
struct cache {
    const struct optimum *optimum;
    uint32_t set;
    uint64_t bytes;  /* its capacity */
    uint64_t *last;  /* by object: 1 + the time of its latest reference; 0: none yet */
    uint64_t *next;  /* by time: when the same object comes again; UINT64_MAX: never */
    uint32_t *which; /* by time: the object */
    uint64_t count;  /* of references */
    uint64_t size;   /* of each object; 0: they differ */
};

static bool is_of(const struct cache *cache, const struct object *object)
{
    return object->set & cache->set && !object->exempt;
}

static void cache_fill(struct cache *cache)
{
    const struct optimum *optimum = cache->optimum;
    cache->last = base_alloc(optimum->object_count, sizeof *cache->last);
    cache->next = base_alloc(optimum->use_count, sizeof *cache->next);
    cache->which = base_alloc(optimum->use_count, sizeof *cache->which);
    bool differ = false;
    for (size_t i = 0; i < optimum->use_count; i++) {
        uint32_t index = optimum->uses[i];
        const struct object *object = optimum->objects[index];
        if (!is_of(cache, object))
            continue;
        uint64_t now = cache->count++;
        if (cache->last[index])
            cache->next[cache->last[index] - 1] = now;
        cache->last[index] = now + 1;
        cache->next[now] = UINT64_MAX;
        cache->which[now] = index;
        differ = differ || (cache->size && cache->size != object->bytes);
        cache->size = object->bytes;
    }
    if (differ)
        cache->size = 0;
}

static void cache_empty(struct cache *cache)
{
    base_free(cache->last);
    base_free(cache->next);
    base_free(cache->which);
}

/* First misses that nothing can avoid. */
static void count_first(const struct cache *cache, struct optimum_bounds *bounds)
{
    for (size_t i = 0; i < cache->optimum->object_count; i++) {
        const struct object *object = cache->optimum->objects[i];
        if (!is_of(cache, object) || object->there)
            continue;
        bounds->misses++;
        bounds->miss_bytes += object->bytes;
    }
}

/* ---- PFOO-L -----------------------------------------------------------------------------------
 */

struct interval {
    uint64_t length, bytes; /* in references; of the object */
};

static volume volume_of(const struct interval *interval)
{
    return (volume)interval->length * interval->bytes;
}

static int by_volume(const void *a, const void *b)
{
    volume left = volume_of(a), right = volume_of(b);
    return (left > right) - (left < right);
}

static int by_length(const void *a, const void *b)
{
    const struct interval *left = a, *right = b;
    return (left->length > right->length) - (left->length < right->length);
}

/* Each hit is worth one: the cheapest first. Worth its bytes: the shortest first, the last in part.
 */
static void pfoo(const struct cache *cache, struct optimum_bounds *bounds)
{
    struct interval *list = base_alloc(cache->count, sizeof *list);
    size_t count = 0;
    volume room = (volume)cache->bytes * cache->count, left = room;
    for (uint64_t now = 0; now < cache->count; now++)
        if (cache->next[now] != UINT64_MAX)
            list[count++] = (struct interval){ cache->next[now] - now,
                                               cache->optimum->objects[cache->which[now]]->bytes };
    qsort(list, count, sizeof *list, by_volume);
    for (size_t i = 0; i < count; i++) {
        bool taken = volume_of(&list[i]) <= left;
        left = taken ? left - volume_of(&list[i]) : 0;
        bounds->misses += !taken;
    }
    qsort(list, count, sizeof *list, by_length);
    left = room;
    for (size_t i = 0; i < count; i++) {
        volume fits = left / list[i].length;
        uint64_t taken = fits < list[i].bytes ? (uint64_t)fits : list[i].bytes;
        bounds->miss_bytes += list[i].bytes - taken;
        left -= (volume)taken * list[i].length;
    }
    base_free(list);
}

/* ---- MIN --------------------------------------------------------------------------------------
 */

/* A heap of times at which residents come again, the latest on top. What was used before then, or
   has left, stays in it until it comes up. */
struct heap {
    uint64_t *times;
    uint32_t *objects;
    size_t count;
};

static void heap_swap(struct heap *heap, size_t a, size_t b)
{
    uint64_t time = heap->times[a];
    uint32_t object = heap->objects[a];
    heap->times[a] = heap->times[b];
    heap->objects[a] = heap->objects[b];
    heap->times[b] = time;
    heap->objects[b] = object;
}

static void heap_push(struct heap *heap, uint64_t time, uint32_t object)
{
    size_t at = heap->count++;
    heap->times[at] = time;
    heap->objects[at] = object;
    for (; at && heap->times[(at - 1) / 2] < heap->times[at]; at = (at - 1) / 2)
        heap_swap(heap, at, (at - 1) / 2);
}

static void heap_pop(struct heap *heap)
{
    heap_swap(heap, 0, --heap->count);
    for (size_t at = 0;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < heap->count && heap->times[child + 1] > heap->times[child])
            child++;
        if (child >= heap->count || heap->times[child] <= heap->times[at])
            return;
        heap_swap(heap, at, child);
        at = child;
    }
}

/* All objects have one size. What is referenced has to come in; of the others the one that comes
   again last leaves. */
static uint64_t min_misses(const struct cache *cache)
{
    struct heap heap = { .times = base_alloc(cache->count, sizeof *heap.times),
                         .objects = base_alloc(cache->count, sizeof *heap.objects) };
    /* When a resident comes again; 0: it is not resident. */
    uint64_t *comes = base_alloc(cache->optimum->object_count, sizeof *comes);
    bool *seen = base_alloc(cache->optimum->object_count, sizeof *seen);
    uint64_t slots = max_u64(cache->bytes / cache->size, 1), residents = 0, misses = 0;
    for (uint64_t now = 0; now < cache->count; now++) {
        uint32_t index = cache->which[now];
        if (!comes[index]) {
            misses += seen[index] || !cache->optimum->objects[index]->there;
            while (residents == slots) {
                uint32_t victim = heap.objects[0];
                bool present = comes[victim] == heap.times[0];
                heap_pop(&heap);
                comes[victim] = present ? 0 : comes[victim];
                residents -= present;
            }
            residents++;
        }
        seen[index] = true;
        comes[index] = cache->next[now];
        heap_push(&heap, cache->next[now], index);
    }
    base_free(heap.times);
    base_free(heap.objects);
    base_free(comes);
    base_free(seen);
    return misses;
}

/* ---- all caches -------------------------------------------------------------------------------
 */

static void bound_cache(struct cache *cache, struct optimum_bounds *bounds)
{
    struct optimum_bounds own = { .known = true };
    cache_fill(cache);
    if (cache->count) {
        count_first(cache, &own);
        pfoo(cache, &own);
    }
    if (cache->count && cache->size) {
        uint64_t exact = min_misses(cache);
        own.misses = max_u64(own.misses, exact);
        own.miss_bytes = max_u64(own.miss_bytes, multiply_capped(exact, cache->size));
    }
    bounds->misses += own.misses;
    if (!add_fits(bounds->miss_bytes, own.miss_bytes, &bounds->miss_bytes))
        bounds->known = false;
    cache_empty(cache);
}

void optimum_bounds(const struct optimum *optimum, const uint64_t *bytes,
                    struct optimum_bounds *bounds)
{
    uint32_t sets[OPTIMUM_SEGMENTS], done = 0;
    *bounds = (struct optimum_bounds){ .known = !optimum->lost };
    join_segments(optimum, sets);
    for (uint32_t i = 0; i < OPTIMUM_SEGMENTS && bounds->known; i++) {
        struct cache cache = { .optimum = optimum, .set = sets[i] };
        if (done & sets[i])
            continue;
        done |= sets[i];
        for (uint32_t k = 0; k < OPTIMUM_SEGMENTS; k++)
            if (sets[i] >> k & 1 && !add_fits(cache.bytes, bytes[k], &cache.bytes))
                cache.bytes = UINT64_MAX;
        bound_cache(&cache, bounds);
    }
}
