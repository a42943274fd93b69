/* SPDX-License-Identifier: MIT */
/*
 * key_tree.c: seeking and changing; first keys are repaired on the way up.
 *
 * A full node is split in halves before an entry goes in. After an entry has gone, an empty node
 * disappears, and a node is joined with a neighbour when both together fill at most three quarters:
 * two neighbours therefore always hold more than half a node, and the height stays logarithmic.
 */
#include "segments/key_tree.h"

#include <string.h>

enum { JOIN_SLOTS = KEY_NODE_SLOTS * 3 / 4 };

static int row_count(const struct key_tree *tree, bool leaf)
{
    return leaf ? KEY_ROW_VALUE + tree->values : KEY_ROW_CHILD + 1;
}

static size_t node_bytes(const struct key_tree *tree, bool leaf)
{
    size_t row_bytes = sizeof(uint64_t[KEY_NODE_SLOTS]);
    return sizeof(struct key_node) + (size_t)row_count(tree, leaf) * row_bytes;
}

/* What a node is created as. */
enum { INNER = false, LEAF = true };

static struct key_node *node_create(struct key_tree *tree, bool leaf)
{
    struct key_node *node = base_alloc(1, node_bytes(tree, leaf));
    node->leaf = leaf;
    *(leaf ? &tree->leaves : &tree->inners) += 1;
    return node;
}

static void node_destroy(struct key_tree *tree, struct key_node *node)
{
    *(node->leaf ? &tree->leaves : &tree->inners) -= 1;
    base_free(node);
}

static void destroy_below(struct key_tree *tree, struct key_node *node)
{
    for (int slot = 0; !node->leaf && slot < node->count; slot++)
        destroy_below(tree, key_node_child(node, slot));
    node_destroy(tree, node);
}

/* Writes what a parent knows about its child: where it is, and its lowest key. */
static void describe_child(struct key_node *parent, int slot, struct key_node *child)
{
    parent->row[KEY_ROW][slot] = child->row[KEY_ROW][0];
    parent->row[KEY_ROW_CHILD][slot] = (uintptr_t)child;
}

static void move_slots(const struct key_tree *tree, struct key_node *to, int to_slot,
                       const struct key_node *from, int from_slot, int count)
{
    for (int row = 0; row < row_count(tree, from->leaf); row++)
        memmove(&to->row[row][to_slot], &from->row[row][from_slot],
                (size_t)count * sizeof to->row[row][0]);
}

static void open_slot(const struct key_tree *tree, struct key_node *node, int slot)
{
    CHECK(node->count < KEY_NODE_SLOTS);
    move_slots(tree, node, slot + 1, node, slot, node->count - slot);
    node->count++;
}

static void close_slot(const struct key_tree *tree, struct key_node *node, int slot)
{
    CHECK(slot < node->count);
    move_slots(tree, node, slot, node, slot + 1, node->count - slot - 1);
    node->count--;
}

/* The first key of the node at `depth` has changed: so has the key of each parent that starts
   with it. */
static void repair_keys(struct key_cursor *cursor, int depth)
{
    for (; depth > 0; depth--) {
        int slot = cursor->slot[depth - 1];
        cursor->node[depth - 1]->row[KEY_ROW][slot] = cursor->node[depth]->row[KEY_ROW][0];
        if (slot > 0)
            return;
    }
}

static void grow_root(struct key_tree *tree)
{
    CHECK(tree->height + 1 < KEY_TREE_HEIGHT);
    struct key_node *root = node_create(tree, INNER);
    root->count = 1;
    describe_child(root, 0, tree->root);
    tree->root = root;
    tree->height++;
}

static void split_child(struct key_tree *tree, struct key_node *parent, int slot)
{
    struct key_node *left = key_node_child(parent, slot);
    struct key_node *right = node_create(tree, left->leaf);
    int half = left->count / 2;
    right->count = left->count - half;
    move_slots(tree, right, 0, left, half, right->count);
    left->count = half;
    open_slot(tree, parent, slot + 1);
    describe_child(parent, slot, left);
    describe_child(parent, slot + 1, right);
}

/* Splits full nodes from the top down until the leaf where `key` belongs has a free slot. */
static void key_tree_make_room(struct key_tree *tree, struct key_cursor *cursor, uint64_t key)
{
    while (cursor->node[tree->height]->count == KEY_NODE_SLOTS) {
        int depth = tree->height;
        while (depth > 0 && cursor->node[depth - 1]->count == KEY_NODE_SLOTS)
            depth--;
        if (depth == 0)
            grow_root(tree);
        else
            split_child(tree, cursor->node[depth - 1], cursor->slot[depth - 1]);
        key_tree_seek(tree, key, cursor);
    }
}

/* Joins children `slot` and `slot` + 1 when they are small enough. */
static bool join_children(struct key_tree *tree, struct key_node *parent, int slot)
{
    if (slot < 0 || slot + 1 >= parent->count)
        return false;
    struct key_node *left = key_node_child(parent, slot);
    struct key_node *right = key_node_child(parent, slot + 1);
    if (left->count + right->count > JOIN_SLOTS)
        return false;
    move_slots(tree, left, left->count, right, 0, right->count);
    left->count += right->count;
    node_destroy(tree, right);
    close_slot(tree, parent, slot + 1);
    return true;
}

/* An entry has left the leaf of the cursor. */
static void shrink(struct key_tree *tree, struct key_cursor *cursor)
{
    int depth = tree->height;
    while (depth > 0 && cursor->node[depth]->count == 0) {
        node_destroy(tree, cursor->node[depth]);
        depth--;
        close_slot(tree, cursor->node[depth], cursor->slot[depth]);
    }
    if (cursor->slot[depth] == 0)
        repair_keys(cursor, depth);
    for (; depth > 0; depth--) {
        struct key_node *parent = cursor->node[depth - 1];
        int slot = cursor->slot[depth - 1];
        if (!join_children(tree, parent, slot - 1) && !join_children(tree, parent, slot))
            break;
    }
    while (!tree->root->leaf && tree->root->count == 1) {
        struct key_node *root = tree->root;
        tree->root = key_node_child(root, 0);
        tree->height--;
        node_destroy(tree, root);
    }
    CHECK(tree->root->leaf || tree->root->count > 1); /* a last child was joined, or goes here */
}

void key_tree_init(struct key_tree *tree, int values)
{
    CHECK(values >= 1 && values <= KEY_TREE_VALUES);
    *tree = (struct key_tree){ .values = values };
    tree->root = node_create(tree, LEAF);
}

void key_tree_fini(struct key_tree *tree)
{
    destroy_below(tree, tree->root);
    tree->root = NULL;
}

bool key_tree_seek(const struct key_tree *tree, uint64_t key, struct key_cursor *cursor)
{
    struct key_node *node = tree->root;
    for (int depth = 0;; depth++) {
        int slot = key_node_slot(node, key);
        cursor->node[depth] = node;
        if (node->leaf) {
            cursor->slot[depth] = slot;
            return slot >= 0;
        }
        cursor->slot[depth] = slot < 0 ? 0 : slot;
        node = key_node_child(node, cursor->slot[depth]);
    }
}

bool key_tree_next(const struct key_tree *tree, struct key_cursor *cursor)
{
    int depth = tree->height;
    while (cursor->slot[depth] + 1 >= cursor->node[depth]->count) {
        if (depth == 0)
            return false;
        depth--;
    }
    cursor->slot[depth]++;
    for (; depth < tree->height; depth++) {
        cursor->node[depth + 1] = key_node_child(cursor->node[depth], cursor->slot[depth]);
        cursor->slot[depth + 1] = 0;
    }
    return true;
}

bool key_tree_previous(const struct key_tree *tree, struct key_cursor *cursor)
{
    int depth = tree->height;
    while (cursor->slot[depth] <= 0) {
        if (depth == 0)
            return false;
        depth--;
    }
    cursor->slot[depth]--;
    for (; depth < tree->height; depth++) {
        cursor->node[depth + 1] = key_node_child(cursor->node[depth], cursor->slot[depth]);
        cursor->slot[depth + 1] = cursor->node[depth + 1]->count - 1;
    }
    return true;
}

static void write_entry(const struct key_tree *tree, struct key_node *leaf, int slot, uint64_t key,
                        const uint64_t *values)
{
    leaf->row[KEY_ROW][slot] = key;
    for (int i = 0; i < tree->values; i++)
        leaf->row[KEY_ROW_VALUE + i][slot] = values[i];
}

void key_tree_insert(struct key_tree *tree, struct key_cursor *cursor, uint64_t key,
                     const uint64_t *values)
{
    key_tree_make_room(tree, cursor, key);
    struct key_node *leaf = cursor->node[tree->height];
    int slot = ++cursor->slot[tree->height];
    CHECK(slot == 0 || leaf->row[KEY_ROW][slot - 1] < key);
    open_slot(tree, leaf, slot);
    write_entry(tree, leaf, slot, key, values);
    tree->count++;
    if (slot == 0)
        repair_keys(cursor, tree->height);
}

void key_tree_change(struct key_tree *tree, struct key_cursor *cursor, uint64_t key,
                     const uint64_t *values)
{
    struct key_node *leaf = cursor->node[tree->height];
    int slot = cursor->slot[tree->height];
    write_entry(tree, leaf, slot, key, values);
    if (slot == 0)
        repair_keys(cursor, tree->height);
}

void key_tree_erase(struct key_tree *tree, struct key_cursor *cursor)
{
    struct key_node *leaf = cursor->node[tree->height];
    int slot = cursor->slot[tree->height];
    close_slot(tree, leaf, slot);
    tree->count--;
    shrink(tree, cursor);
}

size_t key_tree_host_bytes(const struct key_tree *tree)
{
    return tree->leaves * node_bytes(tree, LEAF) + tree->inners * node_bytes(tree, INNER);
}

static void check_entry_of_child(const struct key_node *node, int slot)
{
    const struct key_node *child = key_node_child(node, slot);
    CHECK(node->row[KEY_ROW][slot] == child->row[KEY_ROW][0]);
    if (slot > 0)
        CHECK(child->count + key_node_child(node, slot - 1)->count > KEY_NODE_SLOTS / 2);
}

/* Returns the number of entries below. */
static size_t check_node(const struct key_tree *tree, const struct key_node *node, int levels)
{
    CHECK(node->leaf == (levels == 0));
    CHECK(node->count > 0 || node == tree->root);
    CHECK(node->count <= KEY_NODE_SLOTS);
    size_t entries = node->leaf ? (size_t)node->count : 0;
    for (int slot = 0; slot < node->count; slot++) {
        if (slot > 0)
            CHECK(node->row[KEY_ROW][slot - 1] < node->row[KEY_ROW][slot]);
        if (!node->leaf) {
            check_entry_of_child(node, slot);
            entries += check_node(tree, key_node_child(node, slot), levels - 1);
        }
    }
    return entries;
}

void key_tree_check(const struct key_tree *tree)
{
    CHECK(check_node(tree, tree->root, tree->height) == tree->count);
    CHECK(tree->root->leaf || tree->root->count > 1);
}
