/* SPDX-License-Identifier: MIT */
/*
 * stamp.c: who wrote a page, and when.
 *
 * A tag is stamp x 2^36 + page number, so a page that is stale, foreign or in the wrong place
 * shows. Tag 0 with step 0 is the fill pattern of a fresh allocation. The last writes are
 * remembered by their stamps; of an older one only the page is known.
 */
#include "paging/store/pages.h"
#include "paging/store/store_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PAGE_BITS = 36, NOTES = 1024 };

/* Stamps of first contents have a half of their own (allocation.c). */
static const uint64_t first_contents = UINT64_C(1) << 63;

struct stamp_note {
    uint64_t stamp;
    vidmm_ns at;
    const char *writer;
    char label[40];
};

uint64_t content_stamp(adapter_t *adapter, const char *label, const char *writer)
{
    uint64_t stamp = ++adapter->store->next_stamp;
    if (!adapter->store->stamps)
        adapter->store->stamps = base_alloc(NOTES, sizeof *adapter->store->stamps);
    struct stamp_note *note = &adapter->store->stamps[stamp % NOTES];
    *note = (struct stamp_note){ .stamp = stamp, .at = clock_now(adapter), .writer = writer };
    size_t length = min_u64(strlen(label), sizeof note->label - 1);
    memcpy(note->label, label, length); /* the rest is zero */
    return stamp << PAGE_BITS;
}

/* The only allocation that has such a page now, NULL: none, or several. */
static const struct pageable *owner_of(const adapter_t *adapter, uint64_t tag)
{
    const struct pageable *owner = NULL;
    bool several = false;
    for (struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        const struct content_run *runs = content_runs(&a->store.content);
        base_work(1);
        for (size_t i = 0; i < a->store.content.count; i++) {
            if (!runs[i].step || tag < runs[i].tag || tag - runs[i].tag >= runs[i].pages)
                continue;
            several |= owner != NULL;
            owner = a;
        }
    }
    return several ? NULL : owner;
}

static struct content_words first_content_words(const adapter_t *adapter, uint64_t tag)
{
    struct content_words words;
    uint64_t page = tag & ((UINT64_C(1) << PAGE_BITS) - 1);
    uint64_t number = (tag & ~first_contents) >> PAGE_BITS;
    const struct pageable *owner = owner_of(adapter, tag);
    if (owner)
        (void)snprintf(words.it, sizeof words.it,
                       "page %" PRIu64 " of %.40s (first content %" PRIu64 ")", page, owner->label,
                       number);
    else
        (void)snprintf(words.it, sizeof words.it, "page %" PRIu64 " of first content %" PRIu64,
                       page, number);
    return words;
}

struct content_words content_words(const adapter_t *adapter, uint64_t tag)
{
    struct content_words words;
    uint64_t stamp = tag >> PAGE_BITS, page = tag & ((UINT64_C(1) << PAGE_BITS) - 1);
    const struct stamp_note *note =
        adapter->store->stamps ? &adapter->store->stamps[stamp % NOTES] : NULL;
    if (tag == PAGE_STORE_POISON)
        (void)snprintf(words.it, sizeof words.it, "nothing that was ever written");
    else if (tag & first_contents)
        words = first_content_words(adapter, tag);
    else if (!stamp)
        (void)snprintf(words.it, sizeof words.it, "the fill pattern 0x%" PRIX64, tag);
    else if (note && note->stamp == stamp)
        (void)snprintf(words.it, sizeof words.it,
                       "page %" PRIu64 " of %s as %s wrote it at %" PRIu64 ".%03" PRIu64 " us",
                       page, note->label, note->writer, note->at / 1000, note->at % 1000);
    else
        (void)snprintf(words.it, sizeof words.it, "page %" PRIu64 " of a write long ago", page);
    return words;
}
