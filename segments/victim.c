/* SPDX-License-Identifier: MIT */
/*
 * victim.c: residents in victim order, as a B-tree of their keys.
 *
 * A key is the level (a rank below 0, or a priority), the last use and the offset. Leaves are
 * linked, and a node knows its leaf: what goes first, comes last or follows is found without a
 * search, and what is filed again is found a place among keys that lie together. A page knows how
 * many nodes are below it.
 *
 * I1  A leaf has the key of each of its nodes: its level, `filed` and offset. Keys ascend, through
 *     all leaves.
 * I2  filed <= last_use: a use makes a node younger only, so no node is older than its place says.
 * I3  The key of a child is not above those below it, and not below those of the children before
 *     it; that of a first child is the lowest of all, whatever comes.
 * I4  No page is empty, and none that is filled to a quarter or less has a neighbour of the same
 *     parent with which it would fill three quarters or less when its last entry went.
 *
 * Rejected: a binary tree of nodes inside the allocations, where each step of a search is a cache
 * miss: 15 % of a page-in among a million allocations. A list for each priority, as an LRU has it:
 * it sorts every submission, and walks when a node enters in the middle (README.md).
 */
#include "segments/victim.h"

#include <string.h>

enum { PAGE_SLOTS = 32, SPARSE_SLOTS = PAGE_SLOTS / 4, JOIN_SLOTS = PAGE_SLOTS * 3 / 4, SOON = 4 };

/* The first level that is a priority: ranks have eight bits. */
enum { LEVEL_OF_PRIORITY = 1 << 8 };

struct victim_key {
    uint64_t level, use, offset;
};

static const struct victim_key lowest_key;

struct victim_entry {
    struct victim_key key;
    union {
        struct victim_page *child;
        struct victim_node *node; /* of a leaf */
    };
};

struct victim_page {
    struct victim_page *parent;      /* NULL: the root */
    struct victim_page *prev, *next; /* of a leaf */
    size_t total;                    /* nodes below */
    int count;
    bool is_leaf;
    struct victim_entry entry[PAGE_SLOTS];
};

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t level_of(const struct victim_node *node)
{
    return node->rank ? (uint64_t)(LEVEL_OF_PRIORITY + node->rank)
                      : LEVEL_OF_PRIORITY + (uint64_t)node->priority;
}

static struct victim_key key_of(const struct victim_node *node, uint64_t use)
{
    return (struct victim_key){ level_of(node), use, node->offset };
}

static inline bool key_before(const struct victim_key *a, const struct victim_key *b)
{
    if (a->level != b->level)
        return a->level < b->level;
    return a->use != b->use ? a->use < b->use : a->offset < b->offset;
}

/* PRIO-006, PLACE-012. */
bool victim_before(const struct victim_node *a, const struct victim_node *b)
{
    const struct victim_key left = key_of(a, a->last_use), right = key_of(b, b->last_use);
    return key_before(&left, &right);
}

/* ---- searches -------------------------------------------------------------------------------- */

/* How many entries are before the key. */
static int slots_before(const struct victim_page *page, const struct victim_key *key)
{
    int low = 0, high = page->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (key_before(&page->entry[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The leaf where the key belongs. There is one. */
static struct victim_page *leaf_for(const struct victim_index *index, const struct victim_key *key)
{
    struct victim_page *page = index->root;
    while (!page->is_leaf)
        page = page->entry[slots_before(page, key) - 1].child;
    return page;
}

static int slot_of(const struct victim_node *node)
{
    if (node->leaf->entry[0].node == node) /* most often: it is the first victim */
        return 0;
    const struct victim_key key = key_of(node, node->filed);
    int slot = slots_before(node->leaf, &key);
    CHECK(slot < node->leaf->count && node->leaf->entry[slot].node == node); /* I1 */
    return slot;
}

static int slot_in_parent(const struct victim_page *page)
{
    int slot = 0;
    while (page->parent->entry[slot].child != page)
        slot++;
    return slot;
}

/* The node at that slot of a leaf, or of the next one if this has no more; NULL: there is none. */
static struct victim_node *node_at(const struct victim_page *leaf, int slot)
{
    if (leaf && slot == leaf->count) {
        leaf = leaf->next;
        slot = 0;
    }
    return leaf ? leaf->entry[slot].node : NULL;
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Entries from that slot on have come into the page. */
static void adopt(struct victim_page *page, int slot, int count)
{
    for (int i = slot; i < slot + count; i++)
        if (page->is_leaf)
            page->entry[i].node->leaf = page;
        else
            page->entry[i].child->parent = page;
}

static struct victim_page *page_create(struct victim_index *index, struct victim_page *before)
{
    struct victim_page *page = base_alloc(1, sizeof *page);
    page->is_leaf = !before || before->is_leaf;
    if (!page->is_leaf)
        return page;
    page->prev = before;
    page->next = before ? before->next : NULL;
    *(page->next ? &page->next->prev : &index->last) = page;
    *(before ? &before->next : &index->first) = page;
    return page;
}

static void page_destroy(struct victim_index *index, struct victim_page *page)
{
    if (page->is_leaf) {
        *(page->next ? &page->next->prev : &index->last) = page->prev;
        *(page->prev ? &page->prev->next : &index->first) = page->next;
    }
    base_free(page);
}

static void page_insert(struct victim_index *index, struct victim_page *page, int slot,
                        struct victim_entry entry);

static void grow_root(struct victim_index *index)
{
    struct victim_page *root = base_alloc(1, sizeof *root);
    root->entry[0].child = index->root;
    root->count = 1;
    root->total = index->root->total;
    adopt(root, 0, 1);
    index->root = root;
}

/* Moves the later half to a new page, or nothing if the page is the last leaf, which grows at its
   end. `key`: of the entry that needs room. */
static struct victim_page *page_split(struct victim_index *index, struct victim_page *page,
                                      int slot, const struct victim_key *key)
{
    if (!page->parent)
        grow_root(index);
    struct victim_page *right = page_create(index, page);
    bool grows = page->is_leaf && !right->next && slot == PAGE_SLOTS;
    int kept = grows ? PAGE_SLOTS : PAGE_SLOTS / 2;
    right->count = page->count - kept;
    page->count = kept;
    memcpy(right->entry, page->entry + kept, (size_t)right->count * sizeof right->entry[0]);
    adopt(right, 0, right->count);
    for (int i = 0; i < right->count; i++)
        right->total += right->is_leaf ? 1 : right->entry[i].child->total;
    page->total -= right->total;
    page_insert(index, page->parent, slot_in_parent(page) + 1,
                (struct victim_entry){ right->count ? right->entry[0].key : *key,
                                       { .child = right } });
    if (!right->is_leaf)
        right->entry[0].key = lowest_key;
    return right;
}

static void page_insert(struct victim_index *index, struct victim_page *page, int slot,
                        struct victim_entry entry)
{
    if (page->count == PAGE_SLOTS) {
        struct victim_page *right = page_split(index, page, slot, &entry.key);
        if (slot > page->count || !right->count) {
            size_t moved = page->is_leaf ? 0 : entry.child->total; /* counts here so far */
            page->total -= moved;
            right->total += moved;
            slot -= page->count;
            page = right;
        }
    }
    memmove(page->entry + slot + 1, page->entry + slot,
            (size_t)(page->count - slot) * sizeof entry);
    page->entry[slot] = entry;
    page->count++;
    adopt(page, slot, 1);
}

static void page_remove(struct victim_index *index, struct victim_page *page, int slot);

/* The children at that slot and after it become one, if both are small. */
static bool join_children(struct victim_index *index, struct victim_page *parent, int slot)
{
    if (slot < 0 || slot + 1 >= parent->count)
        return false;
    struct victim_page *left = parent->entry[slot].child, *right = parent->entry[slot + 1].child;
    if (left->count + right->count > JOIN_SLOTS)
        return false;
    if (!right->is_leaf)
        right->entry[0].key = parent->entry[slot + 1].key; /* it is no first child any longer */
    memcpy(left->entry + left->count, right->entry, (size_t)right->count * sizeof left->entry[0]);
    left->count += right->count;
    left->total += right->total;
    adopt(left, left->count - right->count, right->count);
    page_destroy(index, right);
    page_remove(index, parent, slot + 1);
    return true;
}

static void page_remove(struct victim_index *index, struct victim_page *page, int slot)
{
    struct victim_page *parent = page->parent;
    page->count--;
    memmove(page->entry + slot, page->entry + slot + 1,
            (size_t)(page->count - slot) * sizeof page->entry[0]);
    if (!page->is_leaf)
        page->entry[0].key = lowest_key;
    else if (slot + SOON < page->count) /* to be the first one: by then its line is there */
        VIDMM_PREFETCH(page->entry[slot + SOON].node);
    if (page->count == 0) {
        if (parent)
            page_remove(index, parent, slot_in_parent(page));
        else
            index->root = NULL;
        page_destroy(index, page);
    } else if (!parent && page->count == 1 && !page->is_leaf) {
        index->root = page->entry[0].child;
        index->root->parent = NULL;
        page_destroy(index, page);
    } else if (parent && page->count <= SPARSE_SLOTS) {
        int at = slot_in_parent(page);
        if (!join_children(index, parent, at - 1))
            join_children(index, parent, at);
    }
}

/* ---- what happens to residents --------------------------------------------------------------- */

/* From the end, a page at a time: no recursion, and no node is looked at. */
void victim_fini(struct victim_index *index)
{
    struct victim_page *page = index->root;
    while (page) {
        struct victim_page *parent = page->parent;
        if (!page->is_leaf && page->count) {
            page = page->entry[--page->count].child;
            continue;
        }
        base_free(page);
        page = parent;
    }
    *index = (struct victim_index){ 0 };
}

/* In the totals of its leaf, and of the pages above. */
static void count_node(const struct victim_node *node, bool more)
{
    for (struct victim_page *page = node->leaf; page; page = page->parent)
        page->total = more ? page->total + 1 : page->total - 1;
}

static void victim_file(struct victim_index *index, struct victim_node *node)
{
    const struct victim_entry entry = { key_of(node, node->last_use), { .node = node } };
    struct victim_page *leaf = index->last;
    node->filed = node->last_use;
    if (!leaf) {
        index->root = page_create(index, NULL);
        page_insert(index, index->root, 0, entry);
    } else if (key_before(&leaf->entry[leaf->count - 1].key, &entry.key)) {
        page_insert(index, leaf, leaf->count, entry); /* most often: it was used just now */
    } else {
        leaf = leaf_for(index, &entry.key);
        page_insert(index, leaf, slots_before(leaf, &entry.key), entry);
    }
    count_node(node, true);
}

static void victim_unfile(struct victim_index *index, struct victim_node *node)
{
    int slot = slot_of(node);
    count_node(node, false);
    page_remove(index, node->leaf, slot);
}

void victim_insert(struct victim_index *index, struct victim_node *node)
{
    CHECK(!node->listed);
    victim_file(index, node);
    node->listed = true;
}

void victim_remove(struct victim_index *index, struct victim_node *node)
{
    CHECK(node->listed);
    victim_unfile(index, node);
    node->listed = false;
}

/* A node that a use has made younger than it is filed moves further back. Returns what stands where
   it stood. */
static struct victim_node *refile(struct victim_index *index, struct victim_node *node)
{
    int slot = slot_of(node);
    struct victim_node *after = node_at(node->leaf, slot + 1);
    const struct victim_key key = key_of(node, node->last_use);
    const struct victim_key limit = after ? key_of(after, after->filed) : key;
    bool stays = !after || key_before(&key, &limit);
    if (stays && (!after || after->leaf == node->leaf)) {
        node->leaf->entry[slot].key = key;
        node->filed = node->last_use;
    } else {
        victim_unfile(index, node);
        victim_file(index, node);
    }
    return stays ? node : after;
}

void victim_refile(struct victim_index *index, struct victim_node *node)
{
    if (node->filed != node->last_use)
        (void)refile(index, node);
}

void victim_change_priority(struct victim_index *index, struct victim_node *node, uint32_t priority)
{
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

/* ---- walks ----------------------------------------------------------------------------------- */

/* Finds the next victim at or after `node`; NULL: none. A node that is filed right is next: those
   after it are filed later (I1), and none of them is older than it is filed (I2). */
static struct victim_node *victim_settle(struct victim_index *index, struct victim_node *node)
{
    while (node && node->filed != node->last_use)
        node = refile(index, node);
    return node;
}

struct victim_node *victim_last_before(const struct victim_index *index,
                                       const struct victim_node *key)
{
    const struct victim_key sought = key_of(key, key->last_use);
    if (!index->root)
        return NULL;
    const struct victim_page *leaf = leaf_for(index, &sought);
    int before = slots_before(leaf, &sought);
    if (!before && (leaf = leaf->prev) != NULL)
        before = leaf->count;
    return leaf ? leaf->entry[before - 1].node : NULL;
}

size_t victim_count_before(const struct victim_index *index, const struct victim_node *key)
{
    const struct victim_key sought = key_of(key, key->last_use);
    const struct victim_page *page = index->root;
    size_t count = 0;
    while (page && !page->is_leaf) {
        int slot = slots_before(page, &sought) - 1;
        for (int i = 0; i < slot; i++)
            count += page->entry[i].child->total;
        page = page->entry[slot].child;
    }
    return page ? count + (size_t)slots_before(page, &sought) : 0;
}

static struct victim_node *first_from(struct victim_index *index, const struct victim_key *key)
{
    if (!index->root)
        return NULL;
    const struct victim_page *leaf = leaf_for(index, key);
    return victim_settle(index, node_at(leaf, slots_before(leaf, key)));
}

struct victim_node *victim_first_from(struct victim_index *index, const struct victim_node *key)
{
    const struct victim_key sought = key_of(key, key->last_use);
    return first_from(index, &sought);
}

struct victim_cursor victim_first(const struct victim_index *index, uint64_t below_priority)
{
    struct victim_index *filing = (struct victim_index *)index; /* changes no order (I2) */
    return (struct victim_cursor){ filing, victim_settle(filing, node_at(index->first, 0)),
                                   below_priority };
}

struct victim_node *victim_next(struct victim_cursor *cursor)
{
    struct victim_node *node = cursor->next;
    if (!node || (!node->rank && node->priority >= cursor->below_priority))
        return NULL;
    cursor->next = victim_settle(cursor->index, node_at(node->leaf, slot_of(node) + 1));
    return node;
}

void victim_skip_level(struct victim_cursor *cursor, const struct victim_node *node)
{
    const struct victim_key next_level = { .level = level_of(node) + 1 };
    cursor->next = first_from(cursor->index, &next_level);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* CHECKs that what is below lies between the keys, that of the last before it and that of the child
   after it. Returns the last key below. */
static struct victim_key check_page(const struct victim_page *page, struct victim_key last,
                                    const struct victim_key *end)
{
    CHECK(page->count > 0 && page->count <= PAGE_SLOTS); /* I4 */
    CHECK(page->is_leaf || page->parent || page->count > 1);
    CHECK(page->is_leaf || !key_before(&lowest_key, &page->entry[0].key)); /* I3 */
    size_t total = page->is_leaf ? (size_t)page->count : 0;
    for (int i = 0; i < page->count; i++) {
        const struct victim_entry *entry = &page->entry[i];
        if (page->is_leaf) {
            const struct victim_key key = key_of(entry->node, entry->node->filed);
            CHECK(memcmp(&key, &entry->key, sizeof key) == 0); /* I1 */
            CHECK(entry->node->listed && entry->node->leaf == page);
            CHECK(entry->node->filed <= entry->node->last_use); /* I2 */
            CHECK(key_before(&last, &key));
            CHECK(!end || !key_before(end, &key)); /* I3 */
            last = key;
        } else {
            CHECK(entry->child->parent == page);
            CHECK(i == 0 || !key_before(&entry->key, &last)); /* I3 */
            last =
                check_page(entry->child, last, i + 1 < page->count ? &page->entry[i + 1].key : end);
            total += entry->child->total;
        }
    }
    CHECK(page->total == total);
    return last;
}

void victim_check(const struct victim_index *index)
{
    const struct victim_page *before = NULL;
    size_t count = 0;
    CHECK(!index->root || !index->root->parent);
    if (index->root)
        check_page(index->root, lowest_key, NULL);
    for (const struct victim_page *leaf = index->first; leaf; before = leaf, leaf = leaf->next) {
        CHECK(leaf->prev == before);
        count += (size_t)leaf->count;
    }
    CHECK(index->last == before && count == (index->root ? index->root->total : 0));
}
