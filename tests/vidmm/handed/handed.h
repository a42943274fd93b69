/* SPDX-License-Identifier: MIT */
/*
 * handed.h: a call of the miniport as its driver saw it, and what can be said of its members beside
 * the fields of its event. Private to this folder.
 */
#ifndef TESTS_HANDED_H
#define TESTS_HANDED_H

#include "vidmm/tell/tell.h"

enum { ARGUMENT_MAX = 512 };

struct seen {
    const char *name; /* without DxgkDdi */
    _Alignas(16) unsigned char in[ARGUMENT_MAX];
    _Alignas(16) unsigned char out[ARGUMENT_MAX];
    uint64_t first, second; /* elements of its lists, which live as long as the call */
    /* of the event */
    adapter_t *adapter;
    vidmm_handle subject;
    const struct vidmm_field *fields;
    size_t count;
};

#define IN(seen, STRUCT) ((const STRUCT *)(const void *)(seen)->in)

/* A field of the event; NULL: it has none of this name. */
const struct vidmm_field *handed_field(const struct seen *seen, const char *name);

/* Each is true when `member`, of the copy in `seen`, is what it should be. */
bool look_input_size(const struct seen *seen, const void *member);
bool look_output_size(const struct seen *seen, const void *member);
bool look_engines(const struct seen *seen, const void *member);
bool look_elements_are_empty(const struct seen *seen, const void *member);
bool look_opened_data(const struct seen *seen, const void *member);
bool look_closed_elements(const struct seen *seen, const void *member);
bool look_room_for_data(const struct seen *seen, const void *member);
bool look_paging_buffer(const struct seen *seen, const void *member);
bool look_paging_data(const struct seen *seen, const void *member);
bool look_listed_pages(const struct seen *seen, const void *member);
bool look_command(const struct seen *seen, const void *member);
bool look_render_buffer(const struct seen *seen, const void *member);
bool look_present_buffer(const struct seen *seen, const void *member);
bool look_present_data(const struct seen *seen, const void *member);
bool look_render_list(const struct seen *seen, const void *member);
bool look_render_locations(const struct seen *seen, const void *member);
bool look_present_list(const struct seen *seen, const void *member);
bool look_whole_surface(const struct seen *seen, const void *member);
bool look_rects_inside(const struct seen *seen, const void *member);
bool look_present_counts(const struct seen *seen, const void *member);
bool look_debug_room(const struct seen *seen, const void *member);
bool look_portion(const struct seen *seen, const void *member);
bool look_private_portion(const struct seen *seen, const void *member);
bool look_same_buffer(const struct seen *seen, const void *member);
bool look_patch_lists(const struct seen *seen, const void *member);
bool look_cancel_lists(const struct seen *seen, const void *member);
bool look_handle_of_subject(const struct seen *seen, const void *member);
bool look_number_of_subject(const struct seen *seen, const void *member);
bool look_device_of_field(const struct seen *seen, const void *member);
bool look_mapped_allocation(const struct seen *seen, const void *member);
bool look_client(const struct seen *seen, const void *member);
bool look_system_context(const struct seen *seen, const void *member);
bool look_opened_elements(const struct seen *seen, const void *member);
bool look_destroyed_elements(const struct seen *seen, const void *member);
bool look_destroyed_resource(const struct seen *seen, const void *member);
bool look_placed_buffer(const struct seen *seen, const void *member);
bool look_kernel_address(const struct seen *seen, const void *member);
bool look_is_resident(const struct seen *seen, const void *member);
bool look_host_pages(const struct seen *seen, const void *member);
bool look_memory_pages(const struct seen *seen, const void *member);
bool look_engine(const struct seen *seen, const void *member);
bool look_responsive(const struct seen *seen, const void *member);
bool look_surface(const struct seen *seen, const void *member);

#endif
