/* SPDX-License-Identifier: MIT */
/*
 * check_lists.c: lists whose members have to stand in another list of the same statement: prefer=
 * in segments= (ALLOC-024), keep= and offer= in read= and write=.
 */
#include "scenarios/lang/check/parts.h"

/* ---- preferred segments ------------------------------------------------------------------------
 */

/* What writes a set, the later one first: a creation over its class, its own word over both. */
static const struct attribute *find_set(const struct creation *creation, enum attribute_id own)
{
    const struct statement *const writers[] = { creation->statement, creation->class };
    for (size_t i = 0; i < ARRAY_COUNT(writers); i++) {
        const struct attribute *list = writers[i] ? attribute_find(writers[i], own) : NULL;
        if (!list && writers[i])
            list = attribute_find(writers[i], ATTRIBUTE_CREATE_SEGMENTS);
        if (list)
            return list;
    }
    return NULL;
}

/* No list at all names every segment. */
static bool holds(const struct attribute *list, word segment)
{
    const struct item *item = list ? list->items : NULL;
    while (item && item->from->name != segment)
        item = item->next;
    return !list || item;
}

void check_lists_prefer(struct checker *checker, const struct creation *creation)
{
    bool from_2_0 = checker->wddm >= VIDMM_WDDM_2_0;
    const struct attribute *list = check_creation_find(creation, ATTRIBUTE_CREATE_PREFER);
    if (attribute_find(creation->statement, ATTRIBUTE_CREATE_MEMBER_PREFERRED_SEGMENT) ||
        check_creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_READ_SEGMENT_SET) ||
        check_creation_find(creation, ATTRIBUTE_CREATE_MEMBER_SUPPORTED_WRITE_SEGMENT_SET))
        return;
    const struct attribute *read = find_set(creation, ATTRIBUTE_CREATE_READ);
    const struct attribute *write = find_set(creation, ATTRIBUTE_CREATE_WRITE);
    for (const struct item *item = list ? list->items : NULL; item; item = item->next) {
        char help[192];
        word name = item->from->name;
        if (!check_states_segment(checker, name) || holds(write, name) ||
            (!from_2_0 && holds(read, name)))
            continue;
        snprintf(help, sizeof help,
                 "add '%.60s' to segments=, or write `-> fails` where that is "
                 "meant",
                 check_word(checker, name));
        check_report(checker, check_creation_place(creation, list), help,
                     "'%s' is preferred and is none of the segments that the allocation may %s "
                     "(ALLOC-024)",
                     check_word(checker, name),
                     from_2_0 ? "be written in; in 2.0 and later no others count" : "use");
    }
}

/* ---- submissions -------------------------------------------------------------------------------
 */

/* True as well where only the run knows. */
static bool may_be_used(const struct statement *submit, const struct expr *target)
{
    static const enum attribute_id lists[] = { ATTRIBUTE_SUBMIT_READ, ATTRIBUTE_SUBMIT_WRITE };
    if (target->kind != EXPR_NAME || submit->body)
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        const struct attribute *list = attribute_find(submit, lists[i]);
        for (const struct item *item = list ? list->items : NULL; item; item = item->next)
            if (item->from->kind != EXPR_NAME || item->from->name == target->name)
                return true;
    }
    return false;
}

void check_lists_submit(struct checker *checker, const struct statement *submit)
{
    static const enum attribute_id lists[] = { ATTRIBUTE_SUBMIT_KEEP, ATTRIBUTE_SUBMIT_OFFER };
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++) {
        const struct attribute *list = attribute_find(submit, lists[i]);
        for (const struct item *item = list ? list->items : NULL; item; item = item->next)
            if (!may_be_used(submit, item->from))
                check_report(checker, item->at, "name it in read= or write=, too",
                             "%s= names what the submission does not use", list->row->name);
    }
}
