/* SPDX-License-Identifier: MIT */
/*
 * base_hash.h: the one door to uthash, for whatever is looked up by a key, and to its utlist, whose
 * macros keep linked lists: DL_ those with a way back (that of the first leads to the last), LL_
 * those without.
 *
 * Tables take their memory from base.c, so it is counted like any other, and uthash_fatal() is
 * never reached: base_alloc() does not return without memory. uthash walks over a table in the
 * order in which it was filled, so no address and no hash decides what is printed.
 */
#ifndef VIDMM_BASE_HASH_H
#define VIDMM_BASE_HASH_H

#include "vidmm/base/base.h"

#define uthash_malloc(bytes)       base_alloc(1, bytes)
#define uthash_free(memory, bytes) base_free(memory)
#define uthash_fatal(text)         base_check_failed(__FILE__, __LINE__, text)

#include <uthash.h>
#include <utlist.h>

#endif
