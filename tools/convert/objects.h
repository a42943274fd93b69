/* SPDX-License-Identifier: MIT */
/*
 * objects.h: private: the objects of a trace by name, numbered in the order of their first request.
 */
#ifndef TOOLS_CONVERT_OBJECTS_H
#define TOOLS_CONVERT_OBJECTS_H

#include "vidmm/base/base.h"

struct object {
    uint64_t name; /* or where its text begins */
    uint64_t size;
    uint32_t length; /* of its text; 0: the name is the number */
    uint32_t requests;
    uint64_t next; /* the request that its last record foretold; 0: none */
};

struct objects {
    struct object *list;
    size_t count, capacity;
    char *texts;
    size_t text_bytes, text_capacity;
    uint32_t *slots; /* numbers of objects from 1 */
    size_t slot_count;
    uint64_t key[2]; /* of the hashes */
};

/* Their index. A new one has `requests` 0. A name of a text and one of a number are never mixed. */
uint32_t objects_number(struct objects *objects, uint64_t name);
uint32_t objects_text(struct objects *objects, const char *text, size_t length);
void objects_free(struct objects *objects);

#endif
