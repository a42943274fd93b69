/* SPDX-License-Identifier: MIT */
/*
 * tale.h: looking into an event while telling it.
 */
#ifndef TOOLS_TALE_H
#define TOOLS_TALE_H

#include "tools/narrate.h"

struct tale {
    struct narrator *narrator;
    const struct vidmm_event *event;
    struct text *out;
};

/* What is said for a word of the events' vocabulary. */
struct wording {
    const char *word, *text;
};

/* 0 or "" when the event has no such field. */
uint64_t tale_number(const struct tale *tale, const char *name);
const char *tale_word(const struct tale *tale, const char *name);
bool tale_is(const struct tale *tale, const char *name, const char *value);
struct text_short tale_size(const struct tale *tale, const char *name);
/* The fields `offset`, `segment` and `node`, and the subject. */
struct text_short tale_offset(const struct tale *tale);
struct text_short tale_segment(const struct tale *tale);
struct text_short tale_node(const struct tale *tale);
const char *tale_who(const struct tale *tale);
/* "frame1", "a paging buffer" or "a packet", and its fence. */
void tale_add_buffer(const struct tale *tale);
/* " was submitted to node 0", in a link " ... of adapters 0 and 2"; then `behind`. */
void tale_add_target(const struct tale *tale, const char *behind);
/* The word itself when the table has no text for it. */
const char *tale_wording(const struct wording *table, size_t count, const char *name);
/* Fields from number `from` on, `before` in front of the first. */
void tale_add_fields(const struct tale *tale, size_t from, const char *before);

void narrate_memory_candidate(const struct tale *tale);
void narrate_memory_shortage(const struct tale *tale);
void narrate_memory_place(const struct tale *tale);
void narrate_memory_unplace(const struct tale *tale);
void narrate_memory_pin(const struct tale *tale);
void narrate_memory_unpin(const struct tale *tale);
void narrate_memory_page_in(const struct tale *tale);
void narrate_memory_evict(const struct tale *tale);
void narrate_memory_map(const struct tale *tale);
void narrate_memory_unmap(const struct tale *tale);
void narrate_memory_transfer(const struct tale *tale);
void narrate_memory_fill(const struct tale *tale);
void narrate_memory_init_context(const struct tale *tale);
void narrate_memory_discard(const struct tale *tale);
void narrate_memory_notify(const struct tale *tale);
void narrate_memory_host_aperture(const struct tale *tale);
void narrate_memory_lost(const struct tale *tale);
void narrate_memory_arrive(const struct tale *tale);
void narrate_memory_leave(const struct tale *tale);

/* narrate_cpu.c */
void narrate_cpu_rename(const struct tale *tale);
void narrate_cpu_acquire_range(const struct tale *tale);
void narrate_cpu_release_range(const struct tale *tale);
void narrate_cpu_lock(const struct tale *tale);
void narrate_cpu_lock_part(const struct tale *tale);
void narrate_cpu_unlock(const struct tale *tale);
void narrate_cpu_access(const struct tale *tale);
void narrate_cpu_read_physical(const struct tale *tale);
void narrate_cpu_flush_cache(const struct tale *tale);

/* narrate_calls.c */
void narrate_calls_driver_call(const struct tale *tale);
void narrate_calls_list_element(const struct tale *tale);
void narrate_calls_patch_location(const struct tale *tale);

/* narrate_offer.c */
void narrate_offer(const struct tale *tale);
void narrate_reclaim(const struct tale *tale);
void narrate_discard_offered(const struct tale *tale);

/* narrate_system.c */
void narrate_system_level3(const struct tale *tale);
void narrate_system_level2(const struct tale *tale);
void narrate_system_power(const struct tale *tale);
void narrate_system_pnp(const struct tale *tale);
void narrate_system_exclude(const struct tale *tale);
void narrate_system_preempt(const struct tale *tale);
void narrate_system_tdr(const struct tale *tale);
void narrate_system_page_fault(const struct tale *tale);
void narrate_system_device_state(const struct tale *tale);

#endif
