/* SPDX-License-Identifier: MIT */
/*
 * rename_list.c: the instances of one allocation, in the order in which they were handed out. Which
 * of them a lock gets, the renaming of vidmm/cpu decides.
 */
#include "vidmm/share/share.h"

struct rename_list *rename_list_of(struct allocation *allocation)
{
    if (allocation->renaming)
        return allocation->renaming;
    struct rename_list *list = base_alloc(1, sizeof *list);
    *list = (struct rename_list){
        .original = allocation, .first = allocation, .last = allocation, .count = 1
    };
    allocation->renaming = list;
    return list;
}

void rename_append(struct rename_list *list, struct allocation *instance)
{
    instance->rename_next = NULL;
    if (list->last)
        list->last->rename_next = instance;
    else
        list->first = instance;
    list->last = instance;
}

void rename_take_out(struct rename_list *list, struct allocation *instance)
{
    struct allocation **at = &list->first;
    list->last = NULL;
    while (*at) {
        if (*at == instance)
            *at = instance->rename_next;
        if (!*at)
            break;
        list->last = *at;
        at = &(*at)->rename_next;
    }
}

struct allocation *rename_other(const struct allocation *original)
{
    struct allocation *instance = original->renaming ? original->renaming->first : NULL;
    while (instance == original)
        instance = instance->rename_next;
    return instance;
}

struct allocation *rename_next_other(const struct allocation *instance)
{
    struct allocation *next = instance->rename_next;
    return next && next == instance->renaming->original ? next->rename_next : next;
}

struct allocation *rename_take(struct allocation *instance)
{
    rename_take_out(instance->renaming, instance);
    instance->renaming->count--;
    return instance;
}

void rename_fini(struct allocation *original)
{
    base_free(original->renaming);
    original->renaming = NULL;
}
