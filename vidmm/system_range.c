/* SPDX-License-Identifier: MIT */
/*
 * system_range.c: memory that a caller already owns, to become the store of allocations.
 *
 * Its pages are taken when it is declared and hold content of their own from then on. The address
 * is a token: user and kernel ranges lie in different halves, so that one is not taken for the
 * other.
 *
 * Rules: FLAG-022, FLAG-023, PAGE-013.
 */
#include <string.h>

#include "vidmm/manager.h"

static const uint64_t kernel_half = UINT64_C(0xFFFF800000000000);

/* The caller wrote its memory once; each run continues the tags of the one before. */
static void write_pages(adapter_t *adapter, const struct system_range *range)
{
    uint64_t tag = content_stamp(adapter);
    for (size_t i = 0; i < range->run_count; i++) {
        page_store_write(&adapter->system_pages, range->pages[i].offset, range->pages[i].bytes, tag,
                         1);
        tag += range->pages[i].bytes;
    }
}

vidmm_status vidmm_system_range_create(adapter_t *adapter,
                                       const struct vidmm_system_range_args *args,
                                       vidmm_handle *handle)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    uint64_t end;
    if (!args->bytes || !add_fits(args->bytes, args->misaligned, &end) ||
        end > adapter->system_space.bytes)
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY,
                      "%s: the machine has no such memory", args->label);
    struct system_range *range = base_alloc(1, sizeof *range);
    range->page_count = divide_up(end, adapter->page);
    range->run_count = system_take(adapter, range->page_count, &range->pages);
    if (range->run_count)
        range->handle = handle_new(adapter, VIDMM_OBJECT_SYSTEM_RANGE, range);
    if (!range->handle) {
        system_release(adapter, range->pages, range->run_count);
        base_free(range->pages);
        base_free(range);
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY, "%s: system memory is exhausted",
                      args->label);
    }
    range->label = base_strndup(args->label, strlen(args->label));
    range->kernel = args->kernel;
    range->cached = args->cached;
    range->bytes = args->bytes;
    range->address = adapter->next_address + args->misaligned + (args->kernel ? kernel_half : 0);
    adapter->next_address += range->page_count * adapter->page;
    write_pages(adapter, range);
    *handle = range->handle;
    EMIT(adapter, CREATE, RULE(PAGE_013), range->handle, f_word("kind", "system-range"),
         f_hex("address", range->address), f_bytes("bytes", range->bytes));
    return STATUS_SUCCESS;
}

void system_range_free(adapter_t *adapter, struct system_range *range)
{
    CHECK(!range->users);
    EMIT(adapter, DESTROY, RULE(PAGE_013), range->handle, f_word("kind", "system-range"));
    handle_end(adapter, range->handle);
    system_release(adapter, range->pages, range->run_count);
    base_free(range->pages);
    base_free(range->label);
    base_free(range);
}
