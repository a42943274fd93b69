/* SPDX-License-Identifier: MIT */
/*
 * rename_list.c: the instances of one allocation, in the order in which they were handed out. Which
 * of them a lock gets, the renaming of vidmm/cpu decides.
 */
#include "vidmm/share/share.h"

struct rename_list *rename_list_of(struct allocation *allocation)
{
    if (allocation->rename.list)
        return allocation->rename.list;
    struct rename_list *list = base_alloc(1, sizeof *list);
    *list = (struct rename_list){
        .original = allocation, .first = allocation, .last = allocation, .count = 1
    };
    allocation->rename.list = list;
    return list;
}

void rename_append(struct rename_list *list, struct allocation *instance)
{
    instance->rename.next = NULL;
    if (list->last)
        list->last->rename.next = instance;
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
            *at = instance->rename.next;
        if (!*at)
            break;
        list->last = *at;
        at = &(*at)->rename.next;
    }
}

struct allocation *rename_other(const struct allocation *original)
{
    struct allocation *instance = original->rename.list ? original->rename.list->first : NULL;
    while (instance == original)
        instance = instance->rename.next;
    return instance;
}

struct allocation *rename_next_other(const struct allocation *instance)
{
    struct allocation *next = instance->rename.next;
    return next && next == instance->rename.list->original ? next->rename.next : next;
}

struct allocation *rename_take(struct allocation *instance)
{
    rename_take_out(instance->rename.list, instance);
    instance->rename.list->count--;
    return instance;
}

void rename_fini(struct allocation *original)
{
    base_free(original->rename.list);
    original->rename.list = NULL;
}
