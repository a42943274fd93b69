/* SPDX-License-Identifier: MIT */
/*
 * scope.c: words that are declared in blocks, found by name among any number of them.
 */
#include "scenarios/lang/text/scope.h"

void scope_add(struct scope *scope, word name)
{
    if (!scope->latest.slot_count)
        names_init(&scope->latest);
    struct name_slot *slot = names_slot(&scope->latest, name_key_plain(name));
    BASE_GROW(scope->entries, scope->capacity, scope->count + 1);
    scope->entries[scope->count++] = (struct scope_entry){ name, slot->value };
    slot->value = scope->count;
}

bool scope_find(const struct scope *scope, word name, size_t *index)
{
    const struct name_slot *slot =
        scope->count ? names_find(&scope->latest, name_key_plain(name)) : NULL;
    if (!slot || !slot->value)
        return false;
    *index = slot->value - 1;
    return true;
}

void scope_cut(struct scope *scope, size_t count)
{
    while (scope->count > count) {
        const struct scope_entry *entry = &scope->entries[--scope->count];
        names_slot(&scope->latest, name_key_plain(entry->name))->value = entry->before;
    }
}

void scope_fini(struct scope *scope)
{
    names_fini(&scope->latest);
    base_free(scope->entries);
}
