/* SPDX-License-Identifier: MIT */
/* pages.h: what the files of this folder ask each other. Private to it. */
#ifndef PAGING_STORE_PAGES_H
#define PAGING_STORE_PAGES_H

#include "paging/store/store.h"

/* Its store goes, whoever supplied the pages. */
void backing_fini(adapter_t *adapter, struct pageable *allocation);
/* Whose list it is. Only for what mdl_of() gave. */
const struct backing *mdl_backing(const MDL *mdl);
/* Its pages are of several stores: another one may have written them. */
bool content_shares_pages(const struct pageable *allocation);

#endif
