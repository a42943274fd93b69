/* SPDX-License-Identifier: MIT */
/*
 * names.c: two tables from names to values, one for words, one for bulk handles.
 */
#include "scenarios/lang/text/text.h"

/* A handle has 12 bits for its table, 12 for its page and 8 inside the page. */
enum { FIRST_SLOTS = 64, ROOT_TABLES = 4096, TABLE_PAGES = 4096, PAGE_HANDLES = 256 };

void names_init(struct names *names)
{
    *names = (struct names){ .slot_count = FIRST_SLOTS };
    names->slots = base_alloc(FIRST_SLOTS, sizeof *names->slots);
}

void names_fini(struct names *names)
{
    base_free(names->slots);
}

static struct name_slot *probe(const struct names *names, name_key key)
{
    size_t mask = names->slot_count - 1;
    size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & mask;
    while (names->slots[at].key && names->slots[at].key != key)
        at = (at + 1) & mask;
    return &names->slots[at];
}

struct name_slot *names_find(const struct names *names, name_key key)
{
    struct name_slot *slot = probe(names, key);
    return slot->key ? slot : NULL;
}

struct name_slot *names_slot(struct names *names, name_key key)
{
    struct name_slot *slot = probe(names, key);
    if (slot->key)
        return slot;
    if (2 * (names->count + 1) > names->slot_count) {
        struct names old = *names;
        names->slot_count *= 2;
        names->slots = base_alloc(names->slot_count, sizeof *names->slots);
        for (size_t i = 0; i < old.slot_count; i++)
            if (old.slots[i].key)
                *probe(names, old.slots[i].key) = old.slots[i];
        base_free(old.slots);
        slot = probe(names, key);
    }
    names->count++;
    slot->key = key;
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
