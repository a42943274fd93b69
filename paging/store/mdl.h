/* SPDX-License-Identifier: MIT */
/*
 * mdl.h: what a driver is told about system pages: a memory descriptor list, as wdm.h declares it.
 *
 * The list of a store is made when an operation names it, and lives as long as operations do
 * (PAGE-014). It lists every page, but no more than a list can have: ByteCount has 32 bits. Pages
 * behind that are reached with the list and their number, on the bus (vidmm_memory.h).
 */
#ifndef PAGING_STORE_MDL_H
#define PAGING_STORE_MDL_H

#include "vidmm/tell/tell.h"

struct backing;

/* The list of the store, which has pages. */
MDL *mdl_of(const adapter_t *adapter, struct backing *backing);
/* It names nothing any more, with its mapping. */
void mdl_end(struct backing *backing);
/* Whose it is. Only for what mdl_of() gave. */
const struct backing *mdl_backing(const MDL *mdl);

#endif
