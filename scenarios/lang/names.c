/* SPDX-License-Identifier: MIT */
/*
 * names.c: two tables from names to values, one for words, one for bulk handles.
 */
#include "scenarios/lang/names.h"

/* A handle has 12 bits for its table, 12 for its page and 8 inside the page. */
enum { ROOT_TABLES = 4096, TABLE_PAGES = 4096, PAGE_HANDLES = 256 };

void names_fini(struct names *names)
{
    struct name_slot *slot, *next;
    HASH_ITER(hh, names->table, slot, next)
    {
        HASH_DEL(names->table, slot);
        base_free(slot);
    }
}

/* Names are looked up many times for each line of a bulk text: one multiplication is enough. */
static unsigned hash_of(name_key key)
{
    return (unsigned)((key * 0x9E3779B97F4A7C15u) >> 32);
}

struct name_slot *names_find(const struct names *names, name_key key)
{
    struct name_slot *slot;
    HASH_FIND_BYHASHVALUE(hh, names->table, &key, sizeof key, hash_of(key), slot);
    return slot;
}

struct name_slot *names_slot(struct names *names, name_key key)
{
    struct name_slot *slot = names_find(names, key);
    if (slot)
        return slot;
    slot = base_alloc(1, sizeof *slot);
    slot->key = key;
    HASH_ADD_BYHASHVALUE(hh, names->table, key, sizeof slot->key, hash_of(key), slot);
    return slot;
}

static size_t root_index(uint32_t handle)
{
    return handle / (PAGE_HANDLES * TABLE_PAGES);
}

static size_t table_index(uint32_t handle)
{
    return handle / PAGE_HANDLES % TABLE_PAGES;
}

uint64_t handles_get(const struct handles *handles, uint32_t handle)
{
    uint64_t **table = handles->root ? handles->root[root_index(handle)] : NULL;
    const uint64_t *page = table ? table[table_index(handle)] : NULL;
    return page ? page[handle % PAGE_HANDLES] : 0;
}

void handles_set(struct handles *handles, uint32_t handle, uint64_t value)
{
    if (!handles->root)
        handles->root = base_alloc(ROOT_TABLES, sizeof *handles->root);
    uint64_t ***table = &handles->root[root_index(handle)];
    if (!*table)
        *table = base_alloc(TABLE_PAGES, sizeof **table);
    uint64_t **page = &(*table)[table_index(handle)];
    if (!*page)
        *page = base_alloc(PAGE_HANDLES, sizeof **page);
    (*page)[handle % PAGE_HANDLES] = value;
}

void handles_fini(struct handles *handles)
{
    for (size_t i = 0; handles->root && i < ROOT_TABLES; i++) {
        uint64_t **table = handles->root[i];
        for (size_t j = 0; table && j < TABLE_PAGES; j++)
            base_free(table[j]);
        base_free(table);
    }
    base_free(handles->root);
}
