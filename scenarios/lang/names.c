/* SPDX-License-Identifier: MIT */
/*
 * names.c: two tables from names to values, one for words, one for bulk handles.
 */
#include "scenarios/lang/names.h"

enum { FIRST_SLOTS = 64, PAGE_HANDLES = 256 };

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

static void grow(struct names *names)
{
    struct names old = *names;
    names->slot_count *= 2;
    names->slots = base_alloc(names->slot_count, sizeof *names->slots);
    for (size_t i = 0; i < old.slot_count; i++) {
        if (old.slots[i].key)
            *probe(names, old.slots[i].key) = old.slots[i];
    }
    base_free(old.slots);
}

struct name_slot *names_slot(struct names *names, name_key key)
{
    struct name_slot *slot = probe(names, key);
    if (slot->key)
        return slot;
    if (2 * (names->count + 1) > names->slot_count) {
        grow(names);
        slot = probe(names, key);
    }
    names->count++;
    slot->key = key;
    return slot;
}

uint64_t handles_get(const struct handles *handles, uint32_t handle)
{
    size_t page = handle / PAGE_HANDLES;
    if (page >= handles->page_count || !handles->pages[page])
        return 0;
    return handles->pages[page][handle % PAGE_HANDLES];
}

static void grow_pages(struct handles *handles, size_t page)
{
    size_t capacity = handles->page_count;
    size_t before = capacity;
    BASE_GROW(handles->pages, capacity, page + 1);
    for (size_t i = before; i < capacity; i++)
        handles->pages[i] = NULL;
    handles->page_count = capacity;
}

void handles_set(struct handles *handles, uint32_t handle, uint64_t value)
{
    size_t page = handle / PAGE_HANDLES;
    if (page >= handles->page_count)
        grow_pages(handles, page);
    if (!handles->pages[page]) {
        handles->pages[page] = base_alloc(PAGE_HANDLES, sizeof **handles->pages);
        handles->pages_used++;
    }
    handles->pages[page][handle % PAGE_HANDLES] = value;
}

uint64_t handles_bytes(const struct handles *handles)
{
    return handles->page_count * sizeof *handles->pages +
           handles->pages_used * PAGE_HANDLES * sizeof **handles->pages;
}

void handles_fini(struct handles *handles)
{
    for (size_t i = 0; i < handles->page_count; i++)
        base_free(handles->pages[i]);
    base_free(handles->pages);
}
