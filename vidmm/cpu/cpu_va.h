/* SPDX-License-Identifier: MIT */
/* cpu_va.h: addresses by which the CPU sees allocations. */
#ifndef VIDMM_CPU_VA_H
#define VIDMM_CPU_VA_H

#include "vidmm/tell/tell.h"

/* In the books of addresses. False: none is left. */
bool cpu_va_take(adapter_t *adapter, uint64_t bytes);
void cpu_va_release(adapter_t *adapter, uint64_t bytes);
/* FLAG-070: has it an address from its creation to its end? */
bool cpu_va_is_kept(const adapter_t *adapter, const struct allocation *allocation);
/* The number of an address that it has now. */
void cpu_va_assign(adapter_t *adapter, struct allocation *allocation);
/* LOCK-014: who has no address of its own has one while it is locked. Unlock: the last one. */
vidmm_status cpu_va_lock(adapter_t *adapter, struct allocation *allocation);
void cpu_va_unlock(adapter_t *adapter, struct allocation *allocation);

#endif
