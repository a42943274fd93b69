/* SPDX-License-Identifier: MIT */
/*
 * trail.h: what a decision about a place looked at, for observers that ask for it. A door of this
 * folder, to trail.c.
 */
#ifndef PAGING_STORE_TRAIL_H
#define PAGING_STORE_TRAIL_H

#include "paging/pageable.h"
#include "vidmm/tell/tell.h"

/* Event pass-over: `resident` could have made room for `comes`, and stays. */
void trail_pass_over(adapter_t *adapter, const struct pageable *resident,
                     const struct pageable *comes, const char *cause);
/* Events hole: free ranges that the search met in vain, then the one that has the place, if it has
   one that is free now. */
void trail_holes(adapter_t *adapter, const struct pageable *comes,
                 const struct vidmm_search *search, const struct place *place);

#endif
