/* SPDX-License-Identifier: MIT */
/*
 * names.h: private: what names stand for, by (word, index) and by bulk handle.
 *
 * Both tables hold one 64-bit value for each name; 0 is "never heard of". The checker keeps states
 * in them, the runner handles. Bulk handles live in pages, so that a dense range costs one page
 * look up and a hostile sparse one a bounded amount of memory.
 */
#ifndef SCENARIOS_LANG_TEXT_NAMES_H
#define SCENARIOS_LANG_TEXT_NAMES_H

#include "scenarios/lang/text/text.h"

/* A name with or without index. Above all indexes: members made with an unknown index, and whether
   any member was made at all. */
typedef uint64_t name_key;
enum { NAME_INDEX_MAX = 0x7FFFFFFE };
#define NAME_FAMILY 0xFFFFFFFEu
#define NAME_SOME   0xFFFFFFFDu

static inline name_key name_key_of(word name, bool indexed, uint32_t index)
{
    return (uint64_t)name << 32 | (indexed ? index + 1 : 0);
}

struct names {
    struct name_slot {
        name_key key; /* 0: empty */
        uint64_t value;
    } * slots;
    size_t slot_count, count;
};

void names_init(struct names *names);
void names_fini(struct names *names);
/* NULL when the key was never set. */
struct name_slot *names_find(const struct names *names, name_key key);
/* The slot of the key, made when it is new. Invalidates other slot pointers. */
struct name_slot *names_slot(struct names *names, name_key key);

struct handles {
    uint64_t ***root;
};

uint64_t handles_get(const struct handles *handles, uint32_t handle);
void handles_set(struct handles *handles, uint32_t handle, uint64_t value);
void handles_fini(struct handles *handles);

#endif
