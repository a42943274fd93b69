/* SPDX-License-Identifier: MIT */
/*
 * eviction.c: one eviction policy at work in one segment.
 *
 * I1  The tree holds the residents, whatever the policy is: by its numbers if it is keyed, else by
 *     the last use. So ranks and priorities are the tree's business under every policy, and the
 *     documented order is at hand when a listed policy breaks its word.
 * I2  A record is known to one group, that of its segment and of its priority at the time; a group
 *     lives as long as it knows one.
 * I3  The residents of a group are the nodes of its priority in the tree, those of a rank below 0
 *     included: they leave before the group is asked, which is not told of their rank.
 */
#include "segments/eviction.h"

#include "vidmm/base/base_hash.h"

#include <string.h>

struct eviction_group {
    uint32_t priority;
    size_t known, residents; /* records, and those of them that are in the tree */
    void *state;
    UT_hash_handle hh;
};

struct eviction_record {
    struct vidmm_resident view;
    struct vidmm_resident *address; /* of `view`: the key */
    struct eviction_order *order;
    struct eviction_group *group;
    struct victim_node *node;
    uint64_t walk; /* the last one that named it */
    uint64_t key;  /* of a keyed policy: its number, whatever the rank is meanwhile */
    bool resident;
    UT_hash_handle hh;
};

/* ---- groups and records ---------------------------------------------------------------------- */

static struct eviction_group *group_of(struct eviction_order *order, uint32_t priority)
{
    struct eviction_group *group;
    HASH_FIND(hh, order->groups, &priority, sizeof priority, group);
    if (group)
        return group;
    group = base_alloc(1, sizeof *group);
    group->priority = priority;
    group->state = base_alloc(1, order->policy->state_bytes);
    HASH_ADD(hh, order->groups, priority, sizeof group->priority, group);
    if (order->policy->begin)
        order->policy->begin(group->state, &order->terms);
    return group;
}

static void group_free(struct eviction_order *order, struct eviction_group *group)
{
    HASH_DEL(order->groups, group);
    base_free(group->state);
    base_free(group);
}

/* Its group forgets a record that is not resident, or whose order ends. What the manager wrote
   stays. */
static void unbind(struct eviction_record *record)
{
    struct eviction_order *order = record->order;
    struct eviction_group *group = record->group;
    if (order->policy->forgotten)
        order->policy->forgotten(group->state, &record->view);
    HASH_DEL(order->records, record);
    if (--group->known == 0)
        group_free(order, group);
    const struct vidmm_resident facts = record->view;
    record->view = (struct vidmm_resident){
        .id = facts.id,
        .bytes = facts.bytes,
        .arrival = facts.arrival,
        .last_use = facts.last_use,
        .next_use = facts.next_use,
        .cost = facts.cost,
    };
}

static void bind(struct eviction_order *order, struct eviction_record *record)
{
    if (record->order != order)
        record->view.id = 0; /* its bytes may be others in this segment */
    record->order = order;
    record->group = group_of(order, record->node->priority);
    record->group->known++;
    record->walk = 0;
    HASH_ADD_PTR(order->records, address, record);
}

struct vidmm_resident *eviction_known(const struct eviction_order *order, struct victim_node *node)
{
    struct eviction_record *record = node->record;
    if (!order->policy)
        return NULL;
    if (!record) {
        record = node->record = base_alloc(1, sizeof *record);
        record->address = &record->view;
        record->view.next_use = UINT64_MAX;
        record->node = node;
    }
    return &record->view;
}

struct vidmm_resident *eviction_view(struct eviction_order *order, struct victim_node *node)
{
    struct eviction_record *record = node->record;
    if (!order->policy || (record && record->group && record->order == order &&
                           record->group->priority == node->priority))
        return record ? &record->view : NULL;
    if (record && record->group) {
        CHECK(!record->resident);
        unbind(record);
    }
    struct vidmm_resident *view = eviction_known(order, node);
    bind(order, node->record);
    return view;
}

void eviction_forget(struct victim_node *node)
{
    if (!node->record)
        return;
    if (node->record->group)
        unbind(node->record);
    base_free(node->record);
    node->record = NULL;
}

void eviction_fini(struct eviction_order *order)
{
    CHECK(!order->records && !order->groups); /* each was forgotten */
    victim_fini(&order->tree);
}

/* ---- what happens to residents --------------------------------------------------------------- */

void eviction_missed(struct eviction_order *order, struct victim_node *node)
{
    CHECK(order->policy); /* who else would have counted a miss? */
    struct vidmm_resident *view = eviction_view(order, node);
    if (order->policy->missed)
        order->policy->missed(node->record->group->state, view);
}

void eviction_insert(struct eviction_order *order, struct victim_node *node)
{
    const struct vidmm_eviction_policy *policy = order->policy;
    struct eviction_record *record = node->record;
    node->chosen = false;
    if (policy) {
        CHECK(record && record->order == order && record->group->priority == node->priority);
        record->resident = true;
        record->group->residents++;
        if (policy->arrived)
            policy->arrived(record->group->state, &record->view);
        if (policy->key)
            record->key = policy->key(record->group->state, &record->view);
        if (policy->key && !node->rank)
            node->last_use = record->key;
    }
    victim_insert(&order->tree, node);
}

void eviction_remove(struct eviction_order *order, struct victim_node *node)
{
    struct eviction_record *record = node->record;
    victim_remove(&order->tree, node);
    if (!order->policy)
        return;
    record->resident = false;
    record->group->residents--;
    if (order->policy->left)
        order->policy->left(record->group->state, &record->view, node->chosen && !node->rank);
}

void eviction_used(struct eviction_order *order, struct victim_node *node)
{
    const struct vidmm_eviction_policy *policy = order->policy;
    struct eviction_record *record = node->record;
    CHECK(policy && record);
    if (!record->resident)
        return;
    if (policy->used)
        policy->used(record->group->state, &record->view);
    if (!policy->key)
        return;
    record->key = policy->key(record->group->state, &record->view);
    if (node->rank)
        return;
    if (record->key >= node->last_use) {
        victim_touch(node, record->key);
    } else {
        victim_remove(&order->tree, node);
        node->last_use = record->key;
        victim_insert(&order->tree, node);
    }
}

void eviction_change_priority(struct eviction_order *order, struct victim_node *node,
                              uint32_t priority)
{
    if (!victim_listed(node) || node->priority == priority) {
        node->priority = priority;
    } else if (!order->policy) {
        victim_change_priority(&order->tree, node, priority);
    } else {
        node->chosen = false;
        eviction_remove(order, node);
        node->priority = priority;
        (void)eviction_view(order, node);
        eviction_insert(order, node);
    }
}

void eviction_change_rank(struct eviction_order *order, struct victim_node *node, int8_t rank,
                          uint64_t last_use)
{
    if (!victim_listed(node)) {
        node->rank = rank;
        node->last_use = last_use;
        return;
    }
    if (!rank && order->policy && order->policy->key)
        last_use = node->record->key;
    victim_change_rank(&order->tree, node, rank, last_use);
}

/* ---- the walk -------------------------------------------------------------------------------- */

struct eviction_cursor eviction_first(const struct eviction_order *order, uint64_t below_priority)
{
    /* A walk does not change the order; it numbers itself, and files nodes in the tree. */
    return (struct eviction_cursor){ .tree = victim_first(&order->tree, below_priority),
                                     .order = (struct eviction_order *)order };
}

static void begin_group(struct eviction_cursor *cursor, const struct victim_node *first)
{
    cursor->group = first->record->group;
    cursor->named = 0;
    cursor->walk = (struct vidmm_eviction_walk){ .number = ++cursor->order->walks };
}

/* NULL: the group has named all that it will name. */
static struct eviction_record *name_next(struct eviction_cursor *cursor, enum eviction_flaw *flaw)
{
    struct vidmm_resident *view = cursor->order->policy->next(cursor->group->state, &cursor->walk);
    struct eviction_record *record = NULL;
    *flaw = EVICTION_FAIR;
    if (!view) {
        if (cursor->named < cursor->group->residents)
            *flaw = EVICTION_EARLY;
        return NULL;
    }
    HASH_FIND_PTR(cursor->order->records, &view, record);
    if (!record || record->group != cursor->group || !record->resident)
        *flaw = EVICTION_STRANGER;
    else if (record->walk == cursor->walk.number)
        *flaw = EVICTION_TWICE;
    if (*flaw)
        return NULL;
    record->walk = cursor->walk.number;
    cursor->named++;
    return record;
}

/* The next of the group that has its turn among its priority; NULL: the tree goes on. */
static struct victim_node *next_of_group(struct eviction_cursor *cursor)
{
    struct eviction_record *record;
    enum eviction_flaw flaw;
    while ((record = name_next(cursor, &flaw)) != NULL)
        if (!record->node->rank) /* else it was offered, and came before */
            return record->node;
    if (flaw) {
        cursor->rest = cursor->group;
        cursor->flaws |= flaw;
    } else {
        victim_skip_level(&cursor->tree, cursor->first);
    }
    cursor->group = NULL;
    return NULL;
}

struct victim_node *eviction_next(struct eviction_cursor *cursor)
{
    for (;;) {
        struct victim_node *node = cursor->group ? next_of_group(cursor) : NULL;
        if (node)
            return node;
        struct victim_cursor here = cursor->tree;
        node = victim_next(&cursor->tree);
        if (!node || node->rank || !eviction_is_listed(cursor->order))
            return node;
        if (cursor->rest != node->record->group) {
            cursor->first = node;
            cursor->tree = here; /* whence the rest would follow */
            begin_group(cursor, node);
        } else if (node->record->walk != cursor->walk.number) {
            return node;
        }
    }
}

void eviction_check(const struct eviction_order *order)
{
    static const struct victim_node behind = { .offset = UINT64_MAX,
                                               .last_use = UINT64_MAX,
                                               .priority = UINT32_MAX };
    victim_check(&order->tree);
    size_t residents = 0;
    for (const struct eviction_group *group = order->groups; group; group = group->hh.next) {
        CHECK(group->known);
        residents += group->residents;
    }
    CHECK(!order->policy || residents == victim_count_before(&order->tree, &behind));
    for (const struct eviction_record *record = order->records; record; record = record->hh.next) {
        CHECK(record->order == order && record->node->record == record);
        CHECK(record->resident == victim_listed(record->node));
    }
}
