/* SPDX-License-Identifier: MIT */
/* cpu.h: the door of vidmm/cpu: what the CPU sees, and what has to wait for it. */
#ifndef VIDMM_CPU_H
#define VIDMM_CPU_H

#include "vidmm/tell/tell.h"

/* ---- locks ---------------------------------------------------------------------------------- */

void lock_release_all(adapter_t *adapter, struct allocation *allocation);
/* A device closes what others keep: its locks end like by an unlock. */
vidmm_status lock_release_device(adapter_t *adapter, struct allocation *allocation,
                                 const struct device *device);
/* What the pager asks: bits of enum cpu_use. */
uint32_t lock_cpu_use(const struct pageable *pageable);
bool lock_any_alternate(const adapter_t *adapter); /* some lock has UseAlternateVA */
/* Has it a lock with this flag (D3DDDICB_LOCKFLAGS), or one without it? */
bool lock_has(const struct allocation *allocation, uint32_t flag);
bool lock_has_without(const struct allocation *allocation, uint32_t flag);
/* What is wrong with the books of its locks, and with those of all CPU access; NULL: nothing. */
const char *lock_problem(const struct allocation *allocation);
const char *cpu_problem(const adapter_t *adapter, const struct pageable **whose);
/* segment, range, backing, alternate: where a lock leads now. */
const char *lock_view_word(const struct allocation *allocation);
/* Does the CPU see the copy in a memory segment? Without a lock: where one would lead. */
bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation);
/* PAGE-029: an eviction under a lock suspends access of a device until its content has arrived. */
vidmm_status lock_follow_eviction(adapter_t *adapter, struct allocation *a, struct device *device);
/* The CPU writes pages where it sees them now. */
void content_cpu_write(adapter_t *adapter, struct allocation *allocation, uint64_t first,
                       uint64_t pages, uint64_t stamp);
/* While the driver has the adapter for itself: may the CPU use its locks of the allocation?
   Otherwise as adapter_usable(). */
vidmm_status exclude_access(adapter_t *adapter, const struct allocation *allocation);

/* ---- swizzling ranges ----------------------------------------------------------------------- */

/* SWIZ-023: a new primary gets an alternate address for as long as it lives. */
vidmm_status swizzle_keep(adapter_t *adapter, struct allocation *allocation);
bool swizzle_keeps(const struct allocation *allocation);
/* The allocation ends: also the range that was kept for it. */
vidmm_status swizzle_end(adapter_t *adapter, struct allocation *allocation);
/* All ranges of all allocations, in the order of their numbers (SWIZ-029). */
vidmm_status swizzle_release_every(adapter_t *adapter);
/* The content is on its way out: ranges go, locks lead to system memory, the format is noted. In
   the open preparation; may wait (SWIZ-009). */
vidmm_status swizzle_leave(adapter_t *adapter, struct pageable *pageable);
/* A reset took its ranges: locks that led through one lead to the store, if anything is there. */
void swizzle_redirect(struct allocation *allocation);
/* The content goes to another segment: the ranges go. */
vidmm_status swizzle_move(adapter_t *adapter, struct pageable *pageable);
/* The adapter goes away. */
void swizzle_stop(adapter_t *adapter);

/* ---- addresses ------------------------------------------------------------------------------ */

/* The content came from the alternate address to its place. */
void alternate_arrived(adapter_t *adapter, struct pageable *pageable);
/* Before anything is given out. */
void cpu_start(adapter_t *adapter);
uint64_t cpu_address_take(adapter_t *adapter, uint64_t bytes); /* never the same (LOCK-031) */
/* From its creation on, where its flags say so (FLAG-070). */
vidmm_status cpu_va_create(adapter_t *adapter, struct allocation *allocation);
/* The allocation goes: what the CPU has of it, and of its copies in a link. */
void cpu_end(adapter_t *adapter, struct allocation *allocation);
/* The adapter goes: only what the host keeps for it, locks too. */
void cpu_forget(adapter_t *adapter, struct allocation *allocation);
/* This range names its address as existing memory (KMT-034); NULL: none does any more. */
void cpu_address_name(struct allocation *allocation, struct system_range *range);

/* ---- the CPU host aperture ------------------------------------------------------------------ */

void host_aperture_start(adapter_t *adapter, uint32_t segment);
void host_aperture_stop(adapter_t *adapter);
/* Its place is left. */
void host_aperture_release(adapter_t *adapter, struct allocation *allocation);

/* ---- renaming ------------------------------------------------------------------------------- */

/* Another allocation list is checked from here on. */
void rename_check_begin(adapter_t *adapter);
/* RENAME-008: may this element of an allocation list name it, after those before it? */
vidmm_status rename_check_use(adapter_t *adapter, const struct allocation *allocation, bool keep);
/* A submission uses it; `keep` is DoNotRetireInstance. Then, for each again, older ones retire. */
void rename_note_use(adapter_t *adapter, struct allocation *allocation, bool keep);
void rename_retire(adapter_t *adapter, struct allocation *allocation);
/* It leaves the list; returns it. */
struct allocation *rename_take(struct allocation *instance);
/* It goes; with the original the list. */
void rename_fini(struct allocation *allocation);

struct cpu *cpu_new(void); /* the state of this folder, empty (base_free) */

#endif
