/* SPDX-License-Identifier: MIT */
/*
 * vidmm_accidents.h: what happens to an adapter as a whole: synchronisation of all threads, sleep
 * of the machine, Plug and Play, exclusive access of the driver. Part of vidmm.h.
 */
#ifndef VIDMM_ACCIDENTS_H
#define VIDMM_ACCIDENTS_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* Level two synchronisation: everything queued ends, and all stays where it is. */
VIDMM_CHECKED vidmm_status vidmm_level2(struct vidmm_adapter *adapter);
/* Level three synchronisation: drain, then evict everything, pinned allocations too. */
VIDMM_CHECKED vidmm_status vidmm_level3(struct vidmm_adapter *adapter);

/*
 * Recovery as after a timeout of what runs on the lowest busy node: the engine alone, where the
 * driver can do that (else refused), or the adapter as a whole. A request to preempt asks a node to
 * stop; the answer comes later.
 */
VIDMM_CHECKED vidmm_status vidmm_reset_engine(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_reset_adapter(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_preempt(struct vidmm_adapter *adapter, uint32_t node);

/*
 * The driver asks for exclusive access (DxgkCbExcludeAdapterAccess), and gives it back. Meanwhile
 * calls that need the GPU, and new locks, are refused: they would wait for the driver. Access under
 * existing locks is suspended, with EVICT_ALL it goes on in system memory.
 */
enum vidmm_exclusion { VIDMM_EXCLUDE_OFF, VIDMM_EXCLUDE_ON, VIDMM_EXCLUDE_EVICT_ALL };
VIDMM_CHECKED vidmm_status vidmm_exclude(struct vidmm_adapter *adapter,
                                         enum vidmm_exclusion exclusion);

/*
 * Plug and Play stops and removes the adapter: its devices are stopped for good, its allocations
 * are destroyed. Until vidmm_pnp_start() only looking and vidmm_destroy() are possible. A start
 * asks the miniport everything once more; fence numbers go on.
 */
VIDMM_CHECKED vidmm_status vidmm_pnp_stop(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_pnp_start(struct vidmm_adapter *adapter);
/* The hardware is gone without a word: what was on its way never ends, nothing is submitted. */
VIDMM_CHECKED vidmm_status vidmm_surprise_removal(struct vidmm_adapter *adapter);

/*
 * The machine goes to sleep: what the flags of a segment do not preserve is evicted (SEG-043).
 * Until vidmm_resume() only vidmm_set(), vidmm_advance() and looking are possible. A hybrid sleep
 * is a standby that purges like a hibernation, as under the setting `hybrid-sleep`.
 */
VIDMM_CHECKED vidmm_status vidmm_standby(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_hibernate(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_hybrid_sleep(struct vidmm_adapter *adapter);
VIDMM_CHECKED vidmm_status vidmm_resume(struct vidmm_adapter *adapter);

#ifdef __cplusplus
}
#endif
#endif
