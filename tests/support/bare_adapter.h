/* SPDX-License-Identifier: MIT */
/*
 * bare_adapter.h: an adapter without a miniport, for tests of single files of the manager: a
 * machine, segments that no driver reported, an observer that remembers the last event.
 */
#ifndef TESTS_BARE_ADAPTER_H
#define TESTS_BARE_ADAPTER_H

#include "vidmm/tell/tell.h"

struct bare_adapter {
    adapter_t adapter; /* first: one is the other */
    struct vidmm_observer observer;
    uint64_t events[VIDMM_EVENT_KINDS]; /* how many of each kind */
    enum vidmm_rule last_rule;
    char last_text[240]; /* field `text` of the last event that has one */
};

/* 4 KiB pages, interface version `wddm` times ten. */
struct bare_adapter *bare_adapter_create(uint64_t memory_bytes, uint32_t wddm);
/* The next segment, with a base after the others. */
void bare_adapter_segment(struct bare_adapter *bare, uint32_t flags, uint64_t bytes);
/* The same with `banks` banks of equal size. */
void bare_adapter_banks(struct bare_adapter *bare, uint64_t bytes, uint32_t banks);
void bare_adapter_destroy(struct bare_adapter *bare);

/* An allocation that only these tests know; `bytes` is a multiple of the page. base_free it. */
struct allocation *bare_allocation(struct bare_adapter *bare, uint64_t bytes);

#endif
