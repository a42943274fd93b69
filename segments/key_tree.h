/* SPDX-License-Identifier: MIT */
/*
 * key_tree.h: a B-tree of numbers in ascending order.
 *
 * An entry is a key and one or more values, all 64-bit words. Runs of page content
 * (segments/page_store.h) and of page tables (segments/aperture.h) are kept this way: wide nodes,
 * because with a million entries the time goes into cache misses and not into comparisons. Keys of
 * inner nodes are exact: the lowest key of the child.
 *
 * A node is a few rows of KEY_NODE_SLOTS words. Row KEY_ROW holds keys. In a leaf the rows after
 * it hold values; in an inner node KEY_ROW_CHILD holds pointers. One piece of code can therefore
 * split and join leaves and inner nodes alike.
 *
 * A cursor is the path to one entry. Every insert or erase invalidates all cursors.
 */
#ifndef SEGMENTS_KEY_TREE_H
#define SEGMENTS_KEY_TREE_H

#include "vidmm/base/base.h"

enum { KEY_NODE_SLOTS = 32, KEY_TREE_HEIGHT = 12, KEY_TREE_VALUES = 2 };
enum { KEY_ROW, KEY_ROW_CHILD, KEY_ROW_VALUE = KEY_ROW_CHILD };

struct key_node {
    int count;
    bool leaf;
    uint64_t row[][KEY_NODE_SLOTS];
};

struct key_tree {
    struct key_node *root;
    int height; /* levels of inner nodes above the leaves */
    int values; /* words after the key in each entry */
    size_t count, leaves, inners;
};

struct key_cursor {
    struct key_node *node[KEY_TREE_HEIGHT]; /* root first, leaf last */
    int slot[KEY_TREE_HEIGHT];
};

void key_tree_init(struct key_tree *tree, int values);
void key_tree_fini(struct key_tree *tree);

/* The last entry whose key is at most `key`. False: no such entry, cursor before the first. */
bool key_tree_seek(const struct key_tree *tree, uint64_t key, struct key_cursor *cursor);
bool key_tree_next(const struct key_tree *tree, struct key_cursor *cursor);
bool key_tree_previous(const struct key_tree *tree, struct key_cursor *cursor);

static inline uint64_t key_tree_key(const struct key_tree *tree, const struct key_cursor *cursor)
{
    return cursor->node[tree->height]->row[KEY_ROW][cursor->slot[tree->height]];
}

static inline uint64_t key_tree_value(const struct key_tree *tree, const struct key_cursor *cursor,
                                      int index)
{
    return cursor->node[tree->height]->row[KEY_ROW_VALUE + index][cursor->slot[tree->height]];
}

/* The key of the next entry; `end` after the last one. Keys of inner nodes are exact, so the path
   knows it, and the cursor stays. */
static inline uint64_t key_tree_next_key(const struct key_tree *tree,
                                         const struct key_cursor *cursor, uint64_t end)
{
    for (int depth = tree->height; depth >= 0; depth--) {
        const struct key_node *node = cursor->node[depth];
        if (cursor->slot[depth] + 1 < node->count)
            return node->row[KEY_ROW][cursor->slot[depth] + 1];
    }
    return end;
}

/* `cursor` comes from key_tree_seek() with this very key, which is not in the tree yet. */
void key_tree_insert(struct key_tree *tree, struct key_cursor *cursor, uint64_t key,
                     const uint64_t *values);
/* Changes an entry in place: the new key must keep the order. */
void key_tree_change(struct key_tree *tree, struct key_cursor *cursor, uint64_t key,
                     const uint64_t *values);
void key_tree_erase(struct key_tree *tree, struct key_cursor *cursor);

size_t key_tree_host_bytes(const struct key_tree *tree);
/* CHECKs order, fill and keys of every node. */
void key_tree_check(const struct key_tree *tree);

/* The child of an inner node. Its first two rows are going to be read: ask for all of their cache
   lines at once instead of meeting them one after the other. */
static inline struct key_node *key_node_child(const struct key_node *node, int slot)
{
    enum { CACHE_LINE = 64, WORDS = CACHE_LINE / sizeof(uint64_t) };
    struct key_node *child = (struct key_node *)(uintptr_t)node->row[KEY_ROW_CHILD][slot];
    for (int word = 0; word < 2 * KEY_NODE_SLOTS; word += WORDS)
        VIDMM_PREFETCH(&child->row[word / KEY_NODE_SLOTS][word % KEY_NODE_SLOTS]);
    return child;
}

/* The last slot whose key is at most `key`, or -1. */
static inline int key_node_slot(const struct key_node *node, uint64_t key)
{
    int base = -1;
    for (int step = KEY_NODE_SLOTS; step > 0; step /= 2)
        if (base + step < node->count && node->row[KEY_ROW][base + step] <= key)
            base += step;
    return base;
}

#endif
