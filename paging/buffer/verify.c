/* SPDX-License-Identifier: MIT */
/*
 * verify.c: has a paging operation done what it was built for?
 *
 *   FILL, TRANSFER in, moves, updates   the place holds the content
 *   TRANSFER out, copies back           the store holds the content
 *   MAP_APERTURE_SEGMENT                the range shows the pages of the store, in their order
 *   UNMAP_APERTURE_SEGMENT              the range shows no system page but the dummy page
 *
 * Looked at when the packet ends that carries its last command. Of an operation for which the
 * driver wrote none, which then counts as done (MINI-058), right after the call.
 *
 * Rules not named below: LOCK-067.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

bool paging_still_there(const struct paging_op *op)
{
    const struct pageable *allocation = op->allocation;
    return allocation->store.state == ALLOCATION_RESIDENT &&
           allocation->place.placements == op->placements;
}

struct range paging_shown(const struct pageable *allocation, struct range range)
{
    return (struct range){ range.offset, min_u64(range.bytes, allocation->info.bytes) };
}

/* The system page that page `at` of the store lies in, and how many follow it. */
static uint64_t page_of_store(const struct backing *backing, uint64_t at, uint64_t *pages)
{
    size_t i = 0;
    while (at >= backing_runs(backing)[i].bytes)
        at -= backing_runs(backing)[i++].bytes;
    *pages = backing_runs(backing)[i].bytes - at;
    return backing_runs(backing)[i].offset + at;
}

static void not_mapped(adapter_t *adapter, const struct paging_op *op, uint64_t at, uint64_t shown)
{
    struct content_words words = { "the dummy page" };
    if (shown != adapter->setup->dummy_page)
        words = content_words(adapter, system_page(adapter, shown));
    finding(adapter, RULE(MINI_071), op->allocation->handle,
            "after MAP_APERTURE_SEGMENT page %llu of %s does not show page %llu of %s, but %s",
            (unsigned long long)(op->range.offset / adapter->setup->page + at),
            segment_name(adapter, op->segment), (unsigned long long)at, op->allocation->label,
            words.it);
}

static void verify_mapped(adapter_t *adapter, const struct paging_op *op)
{
    const struct aperture *table = &segment_at(adapter, op->segment)->table;
    const struct backing *backing = backing_of(op->allocation->store.owner);
    uint64_t first = op->range.offset / adapter->setup->page;
    uint64_t count = paging_shown(op->allocation, op->range).bytes / adapter->setup->page;
    for (uint64_t at = 0; at < count && backing->populated;) {
        uint64_t shown, shown_pages, pages;
        uint64_t wanted = page_of_store(backing, at, &pages);
        enum aperture_target target =
            aperture_translate(table, first + at, count - at, &shown, &shown_pages);
        if (target != APERTURE_SYSTEM || shown != wanted) {
            not_mapped(adapter, op, at, shown);
            return;
        }
        at += min_u64(pages, shown_pages);
    }
}

static void verify_unmapped(adapter_t *adapter, const struct paging_op *op)
{
    const struct aperture *table = &segment_at(adapter, op->segment)->table;
    uint64_t page = op->range.offset / adapter->setup->page;
    uint64_t end = range_end(op->range) / adapter->setup->page;
    while (page < end) {
        uint64_t system, pages;
        if (aperture_translate(table, page, end - page, &system, &pages) == APERTURE_SYSTEM) {
            finding(adapter, RULE(MINI_074), op->allocation->handle,
                    "after UNMAP_APERTURE_SEGMENT page %llu of %s does not show the dummy page, "
                    "but %s",
                    (unsigned long long)page, segment_name(adapter, op->segment),
                    content_words(adapter, system_page(adapter, system)).it);
            return;
        }
        page += pages;
    }
}

void paging_verify_op(adapter_t *adapter, const struct paging_op *op)
{
    struct pageable *allocation = op->allocation;
    switch (op->kind) {
    case PAGING_FILL:
    case PAGING_TRANSFER_IN:
    case PAGING_MOVE:
    case PAGING_UPDATE:
        if (paging_still_there(op))
            content_verify(adapter, allocation, &allocation->place.at, "page-in");
        break;
    case PAGING_TRANSFER_OUT:
    case PAGING_TRANSFER_VIA:
    case PAGING_COPY_BACK:
        if (backing_of(allocation->store.owner)->populated &&
            op->discards == allocation->store.owner->place.discards)
            content_verify(adapter, allocation, NULL, "eviction");
        break;
    case PAGING_MAP: verify_mapped(adapter, op); break;
    case PAGING_UNMAP: verify_unmapped(adapter, op); break;
    case PAGING_DISCARD:
    case PAGING_READ_PHYSICAL:
    case PAGING_UNMAP_BUFFER:
    case PAGING_MAP_BUFFER:
    case PAGING_NOTIFY:
    case PAGING_CLEAN:
    case PAGING_GIVEN_UP: break;
    }
}

/* A mapping that the same packet took away again is not there any more. */
static bool is_undone(const struct paging_packet *packet, size_t index)
{
    const struct paging_op *op = &packet->ops[index];
    bool undone = false;
    for (size_t i = index; op->kind == PAGING_MAP && i < packet->count; i++)
        undone |= packet->ops[i].kind == PAGING_UNMAP && packet->ops[i].segment == op->segment &&
                  range_overlaps(packet->ops[i].range, op->range);
    return undone;
}

void paging_verify(adapter_t *adapter, const struct paging_packet *packet)
{
    for (size_t i = 0; i < packet->count; i++)
        if (!is_undone(packet, i))
            paging_verify_op(adapter, &packet->ops[i]);
}
