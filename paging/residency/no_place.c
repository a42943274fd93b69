/* SPDX-License-Identifier: MIT */
/*
 * no_place.c: why no segment takes an allocation, segment by segment: what is free, the largest
 * hole, and what is in the way and stays. Asked only after every search has failed.
 */
#include <string.h>

#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

enum { HOLDERS_NAMED = 2 };

/* An allocation in the window that no victim plan may push out, and why. */
struct holder {
    const struct pageable *allocation;
    uint64_t bytes;
    const char *why;
};

struct shortage {
    uint32_t segment;
    struct range window;    /* where the searches looked */
    uint64_t need;          /* footprint in this segment */
    uint64_t alignment;     /* largest of the searches */
    uint64_t free, largest; /* inside the window */
    uint64_t commit_left;   /* UINT64_MAX: no limit counts here */
    uint64_t stays;         /* bytes inside the window whose owner stays */
    bool fits_alone;        /* but not at the same offset on the other adapters (PLACE-021) */
    bool pages;             /* single pages would do (PLACE-016) */
    bool pinned_region;     /* the window is the pinned region (PLACE-022) */
    struct holder holders[HOLDERS_NAMED];
    size_t holder_count;
    const char *cause; /* value of the field `cause` */
};

/* ---- what stays ----------------------------------------------------------------------------- */

static uint64_t bytes_inside(const struct pageable *allocation, struct range window)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < allocation->place.at.run_count; i++) {
        struct range run = place_runs(&allocation->place.at)[i];
        if (range_overlaps(run, window))
            bytes +=
                min_u64(range_end(run), range_end(window)) - max_u64(run.offset, window.offset);
    }
    return bytes;
}

/* The largest are named, the older handle first among equals. */
static void add_holder(struct shortage *shortage, const struct pageable *allocation,
                       const char *why)
{
    struct holder holder = { allocation, bytes_inside(allocation, shortage->window), why };
    if (!holder.bytes)
        return;
    shortage->stays += holder.bytes;
    size_t at = min_u64(shortage->holder_count++, HOLDERS_NAMED);
    while (at && (shortage->holders[at - 1].bytes < holder.bytes ||
                  (shortage->holders[at - 1].bytes == holder.bytes &&
                   shortage->holders[at - 1].allocation->handle > allocation->handle))) {
        if (at < HOLDERS_NAMED)
            shortage->holders[at] = shortage->holders[at - 1];
        at--;
    }
    if (at < HOLDERS_NAMED)
        shortage->holders[at] = holder;
}

/* NULL: it could leave. */
static const char *why_it_stays(const adapter_t *adapter, const struct pageable *allocation)
{
    const struct pageable *whole = allocation_whole_of(allocation);
    if (allocation->place.pinned)
        return "is pinned";
    if (whole->place.bound_in == paging_preparation(adapter))
        return "is needed at the same time";
    if (evict_route(adapter, allocation->store.owner) == OUT_LATER)
        return "has no way out while its eviction apertures are in use";
    return NULL;
}

static void find_holders(const adapter_t *adapter, struct shortage *shortage)
{
    const struct residents *residents = &adapter->residency->residents[shortage->segment];
    struct victim_cursor cursor =
        victim_first(&turns_of(adapter, shortage->segment)->tree, VICTIM_ANY_PRIORITY);
    struct victim_node *node;
    for (const struct pageable *a = pinned_first(residents); a; a = pinned_next(a))
        add_holder(shortage, a, why_it_stays(adapter, a));
    while ((node = victim_next(&cursor)) != NULL) {
        base_work(1);
        const struct pageable *a = CONTAINER_OF(node, struct pageable, place.victim);
        const char *why = why_it_stays(adapter, a);
        if (why)
            add_holder(shortage, a, why);
    }
}

/* ---- what is there -------------------------------------------------------------------------- */

/* A mirrored allocation commits as much on every adapter, and the limit of all apertures is one. */
static uint32_t copies_of(const adapter_t *adapter, const struct pageable *allocation)
{
    return allocation_is_mirrored(allocation) ? adapter->setup->link_count : 1;
}

/* For each copy. */
static uint64_t commit_left(const adapter_t *adapter, const struct pageable *allocation,
                            uint32_t id)
{
    const struct segment *segment = segment_at(adapter, id);
    uint64_t shared = adapter->setup->shared_limit - places_committed(adapter);
    shared /= copies_of(adapter, allocation);
    if (!id)
        return shared;
    if (!segment_is_aperture(&segment->desc))
        return UINT64_MAX;
    return min_u64(segment->desc.limit - segment->committed_bytes, shared);
}

static const char *cause_of(const adapter_t *adapter, const struct pageable *allocation,
                            const struct shortage *shortage)
{
    if (shortage->commit_left < shortage->need)
        return "commit-limit";
    if (!vpr_allows(adapter, allocation, shortage->segment))
        return "protected-limit";
    if (shortage->free < shortage->need)
        return "full";
    if (shortage->largest < shortage->need)
        return "fragmented";
    return shortage->fits_alone ? "common-offset" : "alignment";
}

/* On one adapter of a link; the searches are those of adapter 0. */
static struct shortage measure(const adapter_t *adapter, const struct pageable *allocation,
                               const struct vidmm_search *searches, size_t count, uint32_t index)
{
    uint32_t id = segment_of_adapter(adapter, searches[0].segment, index);
    bool system = means_system_memory(adapter, allocation, id);
    uint64_t low = UINT64_MAX, high = 0, offset;
    struct shortage shortage = { .segment = system ? 0 : id, .need = searches[0].footprint };
    bool mirrored = allocation_is_mirrored(allocation);
    for (size_t i = 0; i < count; i++) {
        low = min_u64(low, mirrored ? places_low(adapter, &searches[i]) : searches[i].low);
        high = max_u64(high, searches[i].high);
        shortage.alignment = max_u64(shortage.alignment, searches[i].alignment);
    }
    if (system) {
        shortage.need = allocation->info.bytes;
        shortage.commit_left = commit_left(adapter, allocation, 0);
        shortage.cause = "commit-limit";
        return shortage;
    }
    const struct segment *segment = segment_at(adapter, id);
    high = min_u64(high, segment->desc.bytes); /* that of adapter 0 may be larger */
    low = min_u64(low, high);
    shortage.window = (struct range){ low, high - low };
    shortage.pages = !needs_range(adapter, allocation, id);
    shortage.pinned_region = allocation_is_overlay(allocation);
    shortage.commit_left = commit_left(adapter, allocation, id);
    for (size_t i = 0; i < count; i++) {
        struct vidmm_search search = searches[i];
        search.low = max_u64(search.low, low);
        search.segment = id;
        shortage.fits_alone |= segment_find(segment, &search, &offset);
    }
    shortage.free = segment_free_in(segment, low, high);
    shortage.largest = range_tree_largest_in(&segment->space, low, high).bytes;
    find_holders(adapter, &shortage);
    shortage.cause = cause_of(adapter, allocation, &shortage);
    return shortage;
}

/* ---- telling -------------------------------------------------------------------------------- */

enum { TEXT_BYTES = VIDMM_REFUSAL_TEXT_MAX };

static void say_holders(char *text, const struct shortage *shortage)
{
    for (size_t i = 0; i < min_u64(shortage->holder_count, HOLDERS_NAMED); i++) {
        const struct holder *holder = &shortage->holders[i];
        words_add(text, TEXT_BYTES, ", %s (%s) %s", holder->allocation->label,
                  words_size(holder->bytes).it, holder->why);
    }
    size_t more = shortage->holder_count - min_u64(shortage->holder_count, HOLDERS_NAMED);
    if (more)
        words_add(text, TEXT_BYTES, ", and %zu more %s", more, more == 1 ? "stays" : "stay");
}

static void say_segment(const adapter_t *adapter, const struct pageable *allocation, char *text,
                        const struct shortage *shortage)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, shortage->segment);
    const char *name = shortage->segment ? segment_name(adapter, desc->id) : "system memory";
    struct range window = shortage->window;
    if (strcmp(shortage->cause, "commit-limit") == 0) {
        words_add(text, TEXT_BYTES, "; %s: its commit limit leaves %s%s", name,
                  words_size(shortage->commit_left).it,
                  copies_of(adapter, allocation) > 1 ? " for each copy" : "");
        say_holders(text, shortage);
        return;
    }
    if (strcmp(shortage->cause, "protected-limit") == 0) {
        words_add(text, TEXT_BYTES, "; %s: its protected range takes no more than %u allocations",
                  name, desc->vpr_limit);
        return;
    }
    words_add(text, TEXT_BYTES, "; %s", name);
    if (window.bytes < desc->bytes)
        words_add(text, TEXT_BYTES, ", %s%s to %s", shortage->pinned_region ? "pinned region " : "",
                  words_size(window.offset).it, words_size(range_end(window)).it);
    words_add(text, TEXT_BYTES, ": %s free", words_size(shortage->free).it);
    if (!shortage->pages && shortage->largest < shortage->free)
        words_add(text, TEXT_BYTES, ", the largest hole has %s", words_size(shortage->largest).it);
    if (strcmp(shortage->cause, "common-offset") == 0)
        words_add(text, TEXT_BYTES, ", none at an offset that is free on every adapter");
    if (strcmp(shortage->cause, "alignment") == 0)
        words_add(text, TEXT_BYTES, ", none begins at a multiple of %s",
                  words_size(shortage->alignment).it);
    say_holders(text, shortage);
}

static void tell_shortage(adapter_t *adapter, const struct pageable *allocation,
                          const struct shortage *shortage)
{
    const struct pageable *holder = shortage->holder_count ? shortage->holders[0].allocation : NULL;
    EMIT(adapter, SHORTAGE, RULE(PLACE_014), allocation->handle,
         f_segment("segment", shortage->segment), f_word("cause", shortage->cause),
         f_bytes("bytes", shortage->need), f_bytes("free", shortage->free),
         f_bytes("largest", shortage->largest), f_hex("low", shortage->window.offset),
         f_hex("high", range_end(shortage->window)), f_bytes("stays", shortage->stays),
         f_allocation("holder", holder ? holder->handle : 0));
}

size_t searches_of_segment(const struct vidmm_search *searches, size_t count)
{
    size_t n = 1;
    while (n < count && searches[n].segment == searches[0].segment)
        n++;
    return n;
}

vidmm_status no_place(adapter_t *adapter, const struct pageable *allocation,
                      const struct vidmm_search *searches, size_t count)
{
    char text[TEXT_BYTES] = "";
    words_add(text, TEXT_BYTES, "no place for %s (%s)", allocation->label,
              words_size(allocation->info.bytes).it);
    if (!count)
        words_add(text, TEXT_BYTES, "; no segment that this access may use is ever large enough");
    for (size_t i = 0, n; i < count; i += n) {
        n = searches_of_segment(&searches[i], count - i);
        for (uint32_t index = 0; index < copies_of(adapter, allocation); index++) {
            struct shortage shortage = measure(adapter, allocation, &searches[i], n, index);
            tell_shortage(adapter, allocation, &shortage);
            say_segment(adapter, allocation, text, &shortage);
        }
    }
    enum vidmm_rule rule = allocation_is_overlay(allocation) ? RULE(PLACE_023)
                           : allocation->place.displayed     ? RULE(RES_057)
                           : allocation->shared_primary      ? RULE(ALLOC_046)
                                                             : RULE(PLACE_014);
    return refuse(adapter, rule, STATUS_GRAPHICS_NO_VIDEO_MEMORY, "%s", text);
}
