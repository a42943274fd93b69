/* SPDX-License-Identifier: MIT */
/*
 * victim.h: the residents of one segment in the order in which they would have to leave.
 *
 * Order (PLACE-012): lower priority number, then older last use, then lower offset. `last_use` is
 * the number of a submission or lock, so all allocations of one submission share it. Only what may
 * be evicted at all is in the index; the cursor's limit or the caller skips what the present pass
 * excludes (PLACE-011).
 *
 * A rank below 0 goes before all of that, whatever its priority and the limit of a cursor
 * (PRIO-006): lower ranks first, and inside of one by `last_use`, which then is any number that
 * grows.
 *
 * The node is embedded in the allocation. Its owner sets rank, priority, last_use and offset before
 * victim_insert() and then changes them only through this interface. Two nodes never have the same
 * offset.
 *
 * A B-tree in victim order, which holds the keys, so that no search looks at an allocation. A use
 * only makes a node younger, so victim_touch() writes the number down and leaves the node where it
 * is filed; the cursor that comes by files it again. A thousand uses of an allocation that no pass
 * wants to evict cost a thousand stores. Everything else is O(log n), for one priority as for a
 * million different ones.
 */
#ifndef PAGING_VICTIM_H
#define PAGING_VICTIM_H

#include "vidmm/base/base.h"

/* Limit of a cursor that excludes no priority: priorities have 32 bits. */
#define VICTIM_ANY_PRIORITY ((uint64_t)UINT32_MAX + 1)

struct victim_page;
struct eviction_record;

struct victim_node {
    uint64_t last_use, offset; /* of a keyed policy: its number instead of the last use */
    uint32_t priority;
    int8_t rank;                    /* 0: by priority */
    bool chosen;                    /* it leaves to make room, for segments/eviction.c */
    bool away;                      /* it may be, of segments/prospect.c */
    bool listed;                    /* private: it is in an index */
    struct eviction_record *record; /* of segments/eviction.c; NULL: none */
    union {
        struct { /* private, in an index */
            struct victim_page *leaf;
            uint64_t filed; /* the last use by which the leaf has it */
        };
        struct { /* its owner's, in none */
            struct victim_node *prev, *next;
        };
    };
};

/* A zeroed struct is an empty index. */
struct victim_index {
    struct victim_page *root, *first, *last; /* the leaves; NULL: it is empty */
};

/* May be called with nodes in it: they are forgotten, not visited. */
void victim_fini(struct victim_index *index);

void victim_insert(struct victim_index *index, struct victim_node *node);
void victim_remove(struct victim_index *index, struct victim_node *node);
/* The allocation was used by submission or lock `use`, which is not older than its last use.
   Whether it is in an index or not. */
static inline void victim_touch(struct victim_node *node, uint64_t use)
{
    CHECK(use >= node->last_use);
    node->last_use = use;
}

void victim_change_priority(struct victim_index *index, struct victim_node *node,
                            uint32_t priority);
void victim_change_rank(struct victim_index *index, struct victim_node *node, int8_t rank,
                        uint64_t last_use);
/* Would `a` have to leave before `b`? Of two segments as of one. */
bool victim_before(const struct victim_node *a, const struct victim_node *b);

/* Files it where its last use belongs. */
void victim_refile(struct victim_index *index, struct victim_node *node);
/* The last one that is filed before `key`, and the first one that is not before it; NULL: none. Of
   the key, which need not be in the index, rank, priority, `last_use` and offset count. */
struct victim_node *victim_last_before(const struct victim_index *index,
                                       const struct victim_node *key);
struct victim_node *victim_first_from(struct victim_index *index, const struct victim_node *key);

/* How many are filed before `key`. */
size_t victim_count_before(const struct victim_index *index, const struct victim_node *key);

static inline bool victim_listed(const struct victim_node *node)
{
    return node->listed;
}

/*
 * From the first victim upwards, of rank 0 only priorities below the limit. The node returned last
 * may be removed from the index; any other change ends the walk.
 */
struct victim_cursor {
    struct victim_index *index;
    struct victim_node *next;
    uint64_t below_priority;
};

struct victim_cursor victim_first(const struct victim_index *index, uint64_t below_priority);
struct victim_node *victim_next(struct victim_cursor *cursor); /* NULL after the last */
/* The walk goes on behind all that share the rank and priority of `node`. */
void victim_skip_level(struct victim_cursor *cursor, const struct victim_node *node);

/* CHECKs the tree, and that it has each node where it is filed. */
void victim_check(const struct victim_index *index);

#endif
