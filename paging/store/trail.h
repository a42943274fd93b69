/* SPDX-License-Identifier: MIT */
/*
 * trail.h: what a decision about a place looked at, for observers that ask for it. A door of this
 * folder, to trail.c.
 */
#ifndef PAGING_STORE_TRAIL_H
#define PAGING_STORE_TRAIL_H

#include "paging/pageable.h"
#include "vidmm/tell/tell.h"

/* Of D3DDDI_OFFER_PRIORITY, as events say it. */
const char *offer_priority_word(uint32_t priority);
/* Event pass-over: `resident` could have made room for `comes`, and stays. */
void trail_pass_over(adapter_t *adapter, const struct pageable *resident,
                     const struct pageable *comes, const char *cause);
/* Events turn of one walk: whose turn it is to leave, while all before it are pretended away. */
struct trail_turn {
    const struct pageable *resident, *next; /* NULL: nobody is next */
    uint64_t lack;                          /* of a limit, then; 0: not in bytes */
    bool enough;
};
struct trail_turns {
    const struct pageable *comes;
    const struct vidmm_search *searches; /* of one segment; there is no room for them yet */
    size_t count;
    bool sized, hole;       /* bytes are what is short; they have to be in one hole */
    struct trail_turn last; /* from here on trail.c's; largest hole before the first; turns */
    uint64_t before, told, untold;
};
void trail_turns_begin(const adapter_t *adapter, struct trail_turns *turns);
void trail_turn(adapter_t *adapter, struct trail_turns *turns, struct trail_turn turn);
void trail_turns_end(adapter_t *adapter, struct trail_turns *turns);
/* Events hole: free ranges that the search met in vain, then the one that has the place, if it has
   one that is free now. */
void trail_holes(adapter_t *adapter, const struct pageable *comes,
                 const struct vidmm_search *search, const struct place *place);

#endif
