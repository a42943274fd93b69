/* SPDX-License-Identifier: MIT */
/*
 * victim.c: a red-black tree of residents in victim order, with a finger at the end of each
 * priority, and of each rank below 0.
 *
 * Side 0 is towards the first victim, side 1 towards the last. Rebalancing after an insertion or a
 * removal takes constant amortized time in such trees; the fingers save the searches.
 *
 * I1  The tree is in the order of rank, priority, `filed` and offset; no two nodes are equal in it.
 * I2  filed <= last_use: a use makes a node younger only, so no node is older than its place says.
 * I3  A level has all nodes of one rank and, in rank 0, of one priority; they stand together, and
 *     `last` is the last of them. No level is empty.
 * I4  Red has no red child, and all ways down have as many black nodes.
 *
 * Rejected: a list for each priority. It serves uses as well, but sorts every submission whose
 * allocations share one number of use, and walks when a node enters in the middle (README.md).
 */
#include "segments/victim.h"

/* One for each priority or rank that occurs. Nodes point to it, so it never moves. */
struct victim_level {
    struct victim_node *last;
    struct victim_level *prev, *next;
};

/* How far before the last use a node may belong and still be placed by walking there: submissions
   touch a handful of allocations in any order of offsets. */
enum { FINGER_REACH = 8 };

/* PRIO-006, PLACE-012. */
bool victim_before(const struct victim_node *a, const struct victim_node *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    if (!a->rank && a->priority != b->priority)
        return a->priority < b->priority;
    if (a->filed != b->filed)
        return a->filed < b->filed;
    return a->offset < b->offset;
}

static bool same_level(const struct victim_node *a, const struct victim_node *b)
{
    return a->rank == b->rank && (a->rank || a->priority == b->priority);
}

static bool is_red(const struct victim_node *node)
{
    return node && node->red;
}

static int side_of(const struct victim_node *node)
{
    return node->parent->child[1] == node;
}

static struct victim_node *outermost(const struct victim_node *node, int side)
{
    while (node->child[side])
        node = node->child[side];
    return (struct victim_node *)node;
}

static struct victim_node *neighbour(const struct victim_node *node, int side)
{
    if (node->child[side])
        return outermost(node->child[side], !side);
    while (node->parent && side_of(node) == side)
        node = node->parent;
    return node->parent;
}

/* `heir`, which may be NULL, becomes the child that `node` is. */
static void inherit(struct victim_index *index, const struct victim_node *node,
                    struct victim_node *heir)
{
    if (!node->parent)
        index->root = heir;
    else
        node->parent->child[side_of(node)] = heir;
    if (heir)
        heir->parent = node->parent;
}

/* `node` goes down to `side`; its child on the other side takes its place. */
static void victim_rotate(struct victim_index *index, struct victim_node *node, int side)
{
    struct victim_node *up = node->child[!side];
    inherit(index, node, up);
    node->child[!side] = up->child[side];
    if (up->child[side])
        up->child[side]->parent = node;
    up->child[side] = node;
    node->parent = up;
}

/* `node` is red; its parent may be, too. */
static void settle_insertion(struct victim_index *index, struct victim_node *node)
{
    while (is_red(node->parent)) {
        struct victim_node *parent = node->parent, *grand = parent->parent;
        int side = side_of(parent);
        struct victim_node *uncle = grand->child[!side];
        grand->red = true;
        if (is_red(uncle)) {
            parent->red = uncle->red = false;
            node = grand;
            continue;
        }
        if (side_of(node) != side) {
            victim_rotate(index, parent, side);
            parent = node;
        }
        parent->red = false;
        victim_rotate(index, grand, !side);
        break;
    }
    index->root->red = false;
}

/* Paths through `side` of `parent` have one black node too few. */
static void settle_removal(struct victim_index *index, struct victim_node *parent, int side)
{
    for (;;) {
        struct victim_node *sibling = parent->child[!side];
        if (sibling->red) {
            sibling->red = false;
            parent->red = true;
            victim_rotate(index, parent, side);
            sibling = parent->child[!side];
        }
        if (is_red(sibling->child[0]) || is_red(sibling->child[1]))
            break;
        sibling->red = true;
        if (parent->red || !parent->parent) {
            parent->red = false;
            return;
        }
        side = side_of(parent);
        parent = parent->parent;
    }
    struct victim_node *sibling = parent->child[!side];
    if (!is_red(sibling->child[!side])) {
        sibling->red = true;
        sibling->child[side]->red = false;
        victim_rotate(index, sibling, !side);
        sibling = parent->child[!side];
    }
    sibling->red = parent->red;
    parent->red = false;
    sibling->child[!side]->red = false;
    victim_rotate(index, parent, side);
}

static void victim_attach(struct victim_index *index, struct victim_node *node,
                          struct victim_node *parent, int side)
{
    node->parent = parent;
    node->child[0] = node->child[1] = NULL;
    node->red = true;
    if (parent)
        parent->child[side] = node;
    else
        index->root = node;
    settle_insertion(index, node);
}

/* Takes out a node with at most one child. */
static void unlink_outer(struct victim_index *index, struct victim_node *node)
{
    struct victim_node *child = node->child[0] ? node->child[0] : node->child[1];
    struct victim_node *parent = node->parent;
    int side = parent ? side_of(node) : 0;
    inherit(index, node, child);
    if (child)
        child->red = false;
    else if (parent && !node->red)
        settle_removal(index, parent, side);
}

static void detach(struct victim_index *index, struct victim_node *node)
{
    if (!node->child[0] || !node->child[1]) {
        unlink_outer(index, node);
        return;
    }
    /* The next node leaves its own place and takes this one's. */
    struct victim_node *heir = outermost(node->child[1], 0);
    unlink_outer(index, heir);
    inherit(index, node, heir);
    heir->red = node->red;
    for (int side = 0; side < 2; side++) {
        heir->child[side] = node->child[side];
        if (heir->child[side])
            heir->child[side]->parent = heir;
    }
}

/* Puts `node` in its place by a search from the root; its level is not looked at. */
static void attach_in_order(struct victim_index *index, struct victim_node *node)
{
    struct victim_node *parent = NULL;
    int side = 0;
    for (struct victim_node *at = index->root; at; at = at->child[side]) {
        parent = at;
        side = victim_before(at, node);
        CHECK(side || victim_before(node, at));
    }
    victim_attach(index, node, parent, side);
}

static void attach_after(struct victim_index *index, struct victim_node *node,
                         struct victim_node *before)
{
    if (before->child[1])
        victim_attach(index, node, outermost(before->child[1], 0), 0);
    else
        victim_attach(index, node, before, 1);
}

static struct victim_level *make_level(struct victim_index *index, struct victim_node *node)
{
    struct victim_level *level = base_alloc(1, sizeof *level);
    level->last = node;
    level->next = index->levels;
    if (level->next)
        level->next->prev = level;
    index->levels = level;
    return level;
}

static void drop_level(struct victim_index *index, struct victim_level *level)
{
    if (index->recent == level)
        index->recent = NULL;
    if (level->prev)
        level->prev->next = level->next;
    else
        index->levels = level->next;
    if (level->next)
        level->next->prev = level->prev;
    base_free(level);
}

/* Neighbours in the order share a level if they share a rank and, in rank 0, a priority (I3). */
static void join_level(struct victim_index *index, struct victim_node *node)
{
    const struct victim_node *before = neighbour(node, 0);
    const struct victim_node *after = neighbour(node, 1);
    if (after && same_level(after, node)) {
        node->level = after->level;
    } else if (before && same_level(before, node)) {
        node->level = before->level;
        node->level->last = node;
    } else {
        node->level = make_level(index, node);
    }
}

static void leave_level(struct victim_index *index, struct victim_node *node)
{
    struct victim_level *level = node->level;
    node->level = NULL;
    if (level->last != node)
        return;
    struct victim_node *before = neighbour(node, 0);
    if (before && before->level == level)
        level->last = before;
    else
        drop_level(index, level);
}

void victim_fini(struct victim_index *index)
{
    while (index->levels)
        drop_level(index, index->levels);
    *index = (struct victim_index){ 0 };
}

void victim_remove(struct victim_index *index, struct victim_node *node)
{
    CHECK(node->level);
    leave_level(index, node);
    detach(index, node);
    index->count--;
}

/* Attaches it after the nodes of its priority that were used before it, most often all of them. */
static void attach_by_use(struct victim_index *index, struct victim_node *node)
{
    struct victim_level *level = node->level;
    struct victim_node *before = level->last;
    for (int i = 0; i < FINGER_REACH && before && victim_before(node, before); i++)
        before = neighbour(before, 0);
    if (before && victim_before(before, node))
        attach_after(index, node, before);
    else
        attach_in_order(index, node);
    if (victim_before(level->last, node))
        level->last = node;
}

/* Most enter the level of the one before them, as its youngest: no search, 340 instructions less.
 */
void victim_insert(struct victim_index *index, struct victim_node *node)
{
    CHECK(!node->level);
    node->filed = node->last_use;
    if (index->recent && same_level(index->recent->last, node)) {
        node->level = index->recent;
        attach_by_use(index, node);
    } else {
        attach_in_order(index, node);
        join_level(index, node);
        index->recent = node->level;
    }
    index->count++;
}

/* A node that a use has made younger than it is filed moves further back. Returns what stands where
   it stood. */
static struct victim_node *refile(struct victim_index *index, struct victim_node *node)
{
    struct victim_node *after = neighbour(node, 1);
    node->filed = node->last_use;
    if (!after || victim_before(node, after))
        return node;
    detach(index, node);
    attach_by_use(index, node);
    return after;
}

void victim_refile(struct victim_index *index, struct victim_node *node)
{
    if (node->filed != node->last_use)
        (void)refile(index, node);
}

/* Finds the next victim at or after `node`; NULL: none. A node that is filed right is next: those
   after it are filed later (I1), and none of them is older than it is filed (I2). */
static struct victim_node *victim_settle(struct victim_index *index, struct victim_node *node)
{
    while (node && node->filed != node->last_use)
        node = refile(index, node);
    return node;
}

/* Side 0: the last node before the key; side 1: the first one that is not. */
static struct victim_node *beside(const struct victim_index *index, const struct victim_node *key,
                                  int side)
{
    struct victim_node *found = NULL;
    for (struct victim_node *node = index->root; node;) {
        bool before = victim_before(node, key);
        if (before != side)
            found = node;
        node = node->child[before];
    }
    return found;
}

struct victim_node *victim_last_before(const struct victim_index *index,
                                       const struct victim_node *key)
{
    return beside(index, key, 0);
}

struct victim_node *victim_first_from(struct victim_index *index, const struct victim_node *key)
{
    return victim_settle(index, beside(index, key, 1));
}

void victim_change_priority(struct victim_index *index, struct victim_node *node, uint32_t priority)
{
    if (node->priority == priority)
        return;
    victim_remove(index, node);
    node->priority = priority;
    victim_insert(index, node);
}

void victim_change_rank(struct victim_index *index, struct victim_node *node, int8_t rank,
                        uint64_t last_use)
{
    victim_remove(index, node);
    node->rank = rank;
    node->last_use = last_use;
    victim_insert(index, node);
}

struct victim_cursor victim_first(const struct victim_index *index, uint64_t below_priority)
{
    /* A walk does not change the order of victims, only where the tree files them (I2). */
    struct victim_index *filing = (struct victim_index *)index;
    return (struct victim_cursor){
        .index = filing,
        .next = index->root ? victim_settle(filing, outermost(index->root, 0)) : NULL,
        .below_priority = below_priority,
    };
}

struct victim_node *victim_next(struct victim_cursor *cursor)
{
    struct victim_node *node = cursor->next;
    if (!node || (!node->rank && node->priority >= cursor->below_priority))
        return NULL;
    cursor->next = victim_settle(cursor->index, neighbour(node, 1));
    return node;
}

void victim_skip_level(struct victim_cursor *cursor, const struct victim_node *node)
{
    cursor->next = victim_settle(cursor->index, neighbour(node->level->last, 1));
}

/* Returns the number of black nodes on every way down. */
static size_t check_subtree(const struct victim_node *node)
{
    if (!node)
        return 1;
    for (int side = 0; side < 2; side++) {
        const struct victim_node *child = node->child[side];
        CHECK(!child || child->parent == node);
        CHECK(!node->red || !is_red(child));
    }
    size_t black = check_subtree(node->child[0]);
    CHECK(check_subtree(node->child[1]) == black);
    return black + (node->red ? 0 : 1);
}

void victim_check(const struct victim_index *index)
{
    CHECK(!is_red(index->root));
    check_subtree(index->root);
    const struct victim_node *before = NULL;
    const struct victim_node *node = index->root ? outermost(index->root, 0) : NULL;
    size_t count = 0, levels = 0;
    for (; node; before = node, node = neighbour(node, 1), count++) {
        CHECK(node->level);
        CHECK(node->filed <= node->last_use); /* I2 */
        levels += node->level->last == node;
        CHECK(!before || victim_before(before, node)); /* I1 */
        bool same = before && before->level == node->level;
        CHECK(!before || same == same_level(before, node)); /* I3 */
        CHECK(!before || same == (before->level->last != before));
    }
    CHECK(!before || before->level->last == before);
    CHECK(count == index->count);
    for (const struct victim_level *level = index->levels; level; level = level->next)
        levels--;
    CHECK(levels == 0);
}
