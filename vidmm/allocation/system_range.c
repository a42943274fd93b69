/* SPDX-License-Identifier: MIT */
/*
 * system_range.c: memory that a caller already owns, to become the store of allocations.
 *
 * Its pages are taken when it is declared and hold content of their own from then on. The address
 * is a token: user and kernel ranges lie in different halves, so that one is not taken for the
 * other. A section has a handle and no address.
 *
 * A range can also be the CPU address of an allocation. It has no pages until it becomes the store
 * of another one: then it owns those of the allocation, which goes on using them like a supplied
 * range, until the range is freed. Content that two stores share is compared with nothing.
 *
 * Rules not named below: FLAG-023.
 */
#include <string.h>

#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"

static const uint64_t kernel_half = UINT64_C(0xFFFF800000000000);

static bool take_pages(adapter_t *adapter, const struct vidmm_system_range_args *args,
                       struct system_range *range)
{
    range->page_count = divide_up(args->bytes + args->misaligned, adapter->setup->page);
    range->run_count = system_take(adapter, range->page_count, &range->pages);
    if (!range->run_count)
        return false;
    /* A section is no address: only its handle names it. */
    uint64_t address = cpu_address_take(adapter, range->page_count * adapter->setup->page);
    range->address = args->section ? 0 : address + args->misaligned;
    range->address += args->kernel ? kernel_half : 0;
    /* The caller wrote its memory once; each run continues the tags of the one before. */
    uint64_t tag = content_stamp(adapter, range->label, "its owner");
    for (size_t i = 0; i < range->run_count; i++) {
        system_write(adapter, range->pages[i], tag);
        tag += range->pages[i].bytes;
    }
    return true;
}

/* ---- the CPU address of an allocation ------------------------------------------------------- */

static vidmm_status check_source(adapter_t *adapter, const struct vidmm_system_range_args *args,
                                 const struct allocation *source)
{
    if (!source)
        return refuse(adapter, RULE(FLAG_022), STATUS_INVALID_PARAMETER,
                      "%s: it is made of no live allocation", args->label);
    if (!allocation_cpu_visible(&source->pageable) || !range_has_address(adapter, source))
        return refuse(adapter, RULE(FLAG_022), STATUS_INVALID_PARAMETER,
                      "%s: %s has no address for the CPU now", args->label, source->pageable.label);
    if (cpu_of(source)->cpu_range || backing_of(&source->pageable)->existing)
        return refuse(adapter, RULE(FLAG_022), STATUS_INVALID_PARAMETER,
                      "%s: the memory of %s is named by another range already", args->label,
                      source->pageable.label);
    if (args->bytes >
        source->pageable.info.bytes - min_u64(args->misaligned, source->pageable.info.bytes))
        return refuse(adapter, RULE(FLAG_022), STATUS_INVALID_PARAMETER,
                      "%s: it does not end inside %s", args->label, source->pageable.label);
    return STATUS_SUCCESS;
}

static void name_source(adapter_t *adapter, const struct vidmm_system_range_args *args,
                        struct system_range *range, struct allocation *source)
{
    range->source = source;
    range->view = true;
    range->cached = coherency_store_cached(&source->pageable);
    range->uncached = false;
    range->process = source->pageable.creator->process->handle;
    range->page_count = source->pageable.info.bytes / adapter->setup->page;
    cpu_address_name(source, range);
    range->address = cpu_of(source)->lock_address;
    if (!range->address)
        range->address = cpu_address_take(adapter, source->pageable.info.bytes);
    range->address += args->misaligned;
}

vidmm_status system_range_fetch(adapter_t *adapter, struct system_range *range)
{
    struct allocation *source = range->source;
    if (!source || range->shared_with_source)
        return STATUS_SUCCESS;
    vidmm_status status = allocation_make_store(adapter, &source->pageable);
    if (status)
        return status;
    const struct backing *backing = backing_of(&source->pageable);
    range->run_count = backing->run_count;
    range->pages = base_alloc(backing->run_count, sizeof *range->pages);
    memcpy(range->pages, backing_runs(backing), backing->run_count * sizeof *range->pages);
    range->shared_with_source = range->multiple_stores = true;
    backing_lend(&source->pageable, range);
    return STATUS_SUCCESS;
}

void system_range_orphan(adapter_t *adapter, struct allocation *allocation)
{
    struct system_range *range = cpu_of(allocation)->cpu_range;
    if (!range)
        return;
    range->source = NULL;
    if (!range->shared_with_source)
        return;
    range->shared_with_source = false;
    backing_hand_over(adapter, &allocation->pageable);
}

/* ---- both ----------------------------------------------------------------------------------- */

static vidmm_status check_args(adapter_t *adapter, const struct vidmm_system_range_args *args)
{
    uint64_t end;
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (args->cached && args->uncached)
        return refuse(adapter, RULE(FLAG_026), STATUS_INVALID_PARAMETER,
                      "%s: a range is mapped cacheable or uncacheable, not both", args->label);
    if (args->process && !handle_object(adapter, args->process, VIDMM_OBJECT_PROCESS))
        return refuse(adapter, RULE(FLAG_022), STATUS_INVALID_PARAMETER, "%s: no such process",
                      args->label);
    if (!args->bytes)
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY, "%s: it has no size", args->label);
    if (!add_fits(args->bytes, args->misaligned, &end) || end > system_space(adapter)->bytes)
        return system_refuse(adapter, RULE(PAGE_015), args->bytes, "", args->label);
    if (!args->of)
        return STATUS_SUCCESS;
    return check_source(adapter, args, handle_object(adapter, args->of, VIDMM_OBJECT_ALLOCATION));
}

vidmm_status vidmm_system_range_create(adapter_t *adapter,
                                       const struct vidmm_system_range_args *args,
                                       vidmm_handle *handle)
{
    vidmm_status status = check_args(adapter, args);
    if (status)
        return status;
    struct system_range *range = base_alloc(1, sizeof *range);
    range->label = base_strndup(args->label, strlen(args->label));
    if (args->of || take_pages(adapter, args, range))
        range->handle = handle_new(adapter, VIDMM_OBJECT_SYSTEM_RANGE, range);
    if (!range->handle) {
        system_release(adapter, range->pages, range->run_count);
        base_free(range->pages);
        base_free(range->label);
        base_free(range);
        return system_refuse(adapter, RULE(PAGE_015), args->bytes + args->misaligned, "",
                             args->label);
    }
    range->kernel = args->kernel;
    range->cached = args->cached;
    range->uncached = args->uncached;
    range->section = args->section;
    range->bytes = args->bytes;
    range->process = args->process;
    if (args->of)
        name_source(adapter, args, range,
                    handle_object(adapter, args->of, VIDMM_OBJECT_ALLOCATION));
    *handle = range->handle;
    EMIT(adapter, CREATE, RULE(PAGE_013), range->handle,
         f_word("kind", range->section ? "section" : "system-range"),
         f_hex("address", range->address), f_bytes("bytes", range->bytes));
    return STATUS_SUCCESS;
}

vidmm_status system_range_destroy(adapter_t *adapter, struct system_range *range)
{
    if (range->users)
        return refuse(adapter, RULE(KMT_035), STATUS_INVALID_PARAMETER,
                      "%s is the store of %u allocation%s and stays secured", range->label,
                      range->users, range->users == 1 ? "" : "s");
    system_range_free(adapter, range);
    return STATUS_SUCCESS;
}

void system_range_free(adapter_t *adapter, struct system_range *range)
{
    CHECK(!range->users);
    EMIT(adapter, DESTROY, RULE(PAGE_013), range->handle,
         f_word("kind", range->section ? "section" : "system-range"));
    handle_end(adapter, range->handle);
    if (range->shared_with_source) { /* the source has its store for itself; who wrote it is not
                                        known */
        backing_lend(&range->source->pageable, NULL);
        content_clear(&range->source->pageable.store.content);
        range->run_count = 0;
        range->shared_with_source = false;
    }
    if (range->source)
        cpu_address_name(range->source, NULL);
    system_release(adapter, range->pages, range->run_count);
    base_free(range->pages);
    base_free(range->label);
    base_free(range);
}
