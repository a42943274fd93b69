/* SPDX-License-Identifier: MIT */
/* create_flags.h: what create flags of the kernel thunk mean. Private to vidmm/allocation. */
#ifndef VIDMM_CREATE_FLAGS_H
#define VIDMM_CREATE_FLAGS_H

#include "vidmm/allocation/allocation_make.h"

/* Flags as they come back from the call (KMT-022). */
uint32_t create_flags_out(const struct creation *creation);
/* Pages that have to be there from the creation on (KMT-038). */
vidmm_status create_flags_pages(adapter_t *adapter, struct allocation *allocation);
/* Element i, of which the driver is told nothing: the caller alone says what it is (KMT-039). */
vidmm_status create_flags_unseen(const struct creation *creation, size_t i);
/* Flags that only have to be remembered came into play. */
void create_flags_note(adapter_t *adapter, const struct allocation *allocation);

#endif
