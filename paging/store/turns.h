/* SPDX-License-Identifier: MIT */
/*
 * turns.h: a door of this folder: whose turn it is to leave a segment, and what the eviction policy
 * of the adapter is told of references, arrivals and departures.
 */
#ifndef PAGING_STORE_TURNS_H
#define PAGING_STORE_TURNS_H

#include "paging/pageable.h"
#include "vidmm/tell/tell.h"

/* The segments are known: their orders begin, under the policy of the configuration. */
vidmm_status turns_start(adapter_t *adapter);
void turns_stop(adapter_t *adapter);

struct eviction_order *turns_of(const adapter_t *adapter, uint32_t segment); /* 0: system memory */

void turns_arrive(adapter_t *adapter, struct pageable *allocation); /* it got its place */
/* It becomes one of those that may leave; not any longer. */
void turns_enter(adapter_t *adapter, struct pageable *allocation);
void turns_leave(adapter_t *adapter, struct pageable *allocation);
/* It may take another turn. */
void turns_set_priority(adapter_t *adapter, struct pageable *allocation, uint32_t priority);
void turns_set_rank(adapter_t *adapter, struct pageable *allocation, int rank, uint64_t last_use);
/* NULL: its looks for room have not been long (segments/prospect.h). Ends by itself. */
struct prospect *turns_prospect(const adapter_t *adapter, uint32_t segment);
void turns_foresee(adapter_t *adapter, uint32_t segment);
void turns_forget(struct pageable *allocation); /* it ends */

/* A call begins that may refer to allocations, to each of them once (POLICY-012). */
void turns_begin(adapter_t *adapter);
/* The call needs it and it is there: a hit. Youngest in the documented order, by `use`, the number
   of the preparation or lock; with all copies. */
void turns_used(adapter_t *adapter, struct pageable *allocation, uint64_t use);
void turns_wanted(adapter_t *adapter, struct pageable *allocation); /* it is not there: a miss */
/* Now it is looked for, in this segment first. */
void turns_missed(adapter_t *adapter, struct pageable *allocation, uint32_t segment);

/* POLICY-011: the finding about these flaws of a walk (enum eviction_flaw). 0: there are none. */
void turns_tell_flaw(adapter_t *adapter, uint32_t flaws);

#endif
