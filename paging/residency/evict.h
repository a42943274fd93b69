/* SPDX-License-Identifier: MIT */
/* evict.h: making room: who leaves, why, and by which way. Part of vidmm/manager.h. */
#ifndef PAGING_RESIDENCY_EVICT_H
#define PAGING_RESIDENCY_EVICT_H

#include "vidmm/tell/tell.h"

enum evict_reason {
    EVICT_ROOM,
    EVICT_RETRY, /* SUBMIT-031, step 6 */
    EVICT_PIN,
    EVICT_COMMIT,
    EVICT_RANGE,
    EVICT_SCRIPT,
    EVICT_LOCK,
    EVICT_DESTROY,
    EVICT_LEVEL3,
    EVICT_STANDBY,
    EVICT_HIBERNATE,
    EVICT_PNP_STOP,
    EVICT_EXCLUDE,
    EVICT_TDR,
    EVICT_MIGRATION,
};

/* Pushes one out, in the open preparation. Afterwards it is evicted, without content, or lost. */
vidmm_status evict_allocation(adapter_t *adapter, struct pageable *allocation,
                              enum evict_reason reason, enum vidmm_rule rule);
/* By which way content leaves, as a word for events or the name of an aperture, and the rule that
   decided this way. */
struct evict_way {
    const char *via;
    enum vidmm_rule rule;
    bool fell_back; /* PLACE-033: straight out, although it has an eviction set */
};
/* Event and counters of one eviction, before it is carried out (PAGE-065). `rule` is why it has to
   leave. */
void evict_tell(adapter_t *adapter, const struct pageable *allocation, enum evict_reason reason,
                enum vidmm_rule rule, struct evict_way way);

#endif
