/* SPDX-License-Identifier: MIT */
/*
 * prop_world.c: random adapters and operations, see prop_manager.h.
 *
 * Sizes are small against the segments and there are many allocations: one always has to leave.
 * Creations are legal (a refusal is of no interest here), except where placement itself decides
 * about the refusal.
 */
#include "tests/model/prop_manager.h"
#include "tests/support/random.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

#include <string.h>

enum { K64 = 64 * 1024, PHYSICAL = 0x8000, PINNED = 0x300, EXISTING = 0x10, LIVE_WANTED = 34 };

/* One in each statement: compilers order those of one statement as they like. */
static uint32_t below(uint64_t *random, uint64_t limit)
{
    return (uint32_t)(random_below(random, limit));
}

static bool percent(uint64_t *random, unsigned percent_of_cases)
{
    return below(random, 100) < percent_of_cases;
}

/* ---- adapters ---------------------------------------------------------------------------------
 */

static void random_banks(struct model_segment_wish *segment, uint64_t *random)
{
    uint64_t pages = segment->bytes / segment->page_bytes, end = 0;
    while (segment->banks + 1 < MODEL_BANKS && end + 1 < pages && percent(random, 75)) {
        end += 1 + below(random, (pages - end + 1) / 2);
        if (end >= pages)
            break;
        segment->bank_ends[segment->banks++] = end * segment->page_bytes;
    }
    segment->bank_ends[segment->banks++] = segment->bytes;
}

static void random_segment(struct prop_round *round, struct model_segment_wish *segment,
                           uint64_t *random)
{
    bool pages_only = round->adapter.wddm >= VIDMM_WDDM_2_0;
    *segment = (struct model_segment_wish){ .page_bytes = MODEL_HOST_PAGE };
    segment->aperture = !pages_only && round->mode != PROP_FLOWING && percent(random, 40);
    segment->cpu_visible = !segment->aperture && percent(random, 50);
    if (pages_only && percent(random, 30))
        segment->page_bytes = K64;
    uint64_t pages = 3 + below(random, percent(random, 20) ? 100 : 40);
    if (segment->page_bytes == K64)
        pages = 2 + pages % 6;
    segment->bytes = pages * segment->page_bytes;
    if (segment->aperture && percent(random, 30))
        segment->limit = (1 + below(random, pages + 4)) * MODEL_HOST_PAGE;
    if (!segment->aperture && !pages_only && percent(random, 35))
        random_banks(segment, random);
}

static void random_buffers(struct model_adapter_wish *adapter, uint64_t *random)
{
    adapter->paging_buffer_segment = 0;
    adapter->paging_buffers = 1 + below(random, 4);
    adapter->paging_buffer_bytes = MODEL_HOST_PAGE * (1 + below(random, 3));
    uint32_t id = 1 + below(random, adapter->segment_count);
    if (adapter->segments[id - 1].aperture && percent(random, 40))
        adapter->paging_buffer_segment = id;
}

static void draw_adapter(struct prop_round *round, uint64_t *random)
{
    static const uint32_t VERSIONS[] = { 10, 11, 12, 13, 11, 20, 20 };
    struct model_adapter_wish *adapter = &round->adapter;
    *adapter = (struct model_adapter_wish){ .memory_bytes = (uint64_t)8 << 30 };
    round->mode = percent(random, 70)   ? PROP_STILL
                  : percent(random, 50) ? PROP_FLOWING
                                        : PROP_LOOSE;
    adapter->wddm = VERSIONS[below(random, ARRAY_COUNT(VERSIONS))];
    if (adapter->wddm >= VIDMM_WDDM_2_0)
        round->mode = PROP_STILL;
    adapter->pinned_percent = percent(random, 60) ? 20 : below(random, 101);
    adapter->direction_zero = percent(random, 70) ? 0 : below(random, 3);
    adapter->fallback_lost = percent(random, 25);
    adapter->segment_count = 1 + below(random, MODEL_SEGMENTS);
    if (adapter->wddm >= VIDMM_WDDM_2_0 && adapter->segment_count == 1)
        adapter->segment_count = 2;
    uint32_t aperture = below(random, adapter->segment_count);
    for (uint32_t i = 0; i < adapter->segment_count; i++) {
        random_segment(round, &adapter->segments[i], random);
        if (adapter->wddm >= VIDMM_WDDM_2_0 && i == aperture)
            adapter->segments[i] =
                (struct model_segment_wish){ .aperture = true,
                                             .page_bytes = MODEL_HOST_PAGE,
                                             .bytes = (uint64_t)(4 + below(random, 40)) * 4096 };
    }
    if (percent(random, 35))
        adapter->aperture_commit_limit = (uint64_t)(2 + below(random, 50)) * MODEL_HOST_PAGE;
    if (percent(random, 15))
        adapter->commit_bytes = (uint64_t)(60 + below(random, 300)) * MODEL_HOST_PAGE;
    random_buffers(adapter, random);
}

void prop_random_adapter(struct prop_round *round, uint64_t *random)
{
    struct model model;
    do {
        draw_adapter(round, random);
    } while (!model_start(&model, &round->adapter));
}

static void describe_segments(const struct model_adapter_wish *adapter,
                              struct vidmm_mock_segment *segments)
{
    for (uint32_t i = 0; i < adapter->segment_count; i++) {
        const struct model_segment_wish *wish = &adapter->segments[i];
        struct vidmm_mock_segment *segment = &segments[i];
        segment->flags = (wish->aperture ? 0x1u : 0) | (wish->cpu_visible ? 0x4u : 0) |
                         (wish->banks ? 0x8u : 0) |
                         (wish->page_bytes > MODEL_HOST_PAGE ? 0x800u : 0);
        segment->base = (uint64_t)i << 30;
        segment->size = wish->bytes;
        segment->commit_limit = wish->limit;
        segment->cpu_base = wish->cpu_visible ? segment->base + 0x1000000000u : 0;
        segment->bank_count = wish->banks;
        segment->bank_ends = wish->banks;
        memcpy(segment->banks, wish->bank_ends, sizeof wish->bank_ends);
    }
}

struct vidmm_mock *prop_world_mock(const struct model_adapter_wish *adapter,
                                   struct vidmm_mock_segment *segments)
{
    struct vidmm_mock_config config;
    vidmm_mock_config_init(&config, adapter->wddm);
    describe_segments(adapter, segments);
    config.segments = segments;
    config.segment_count = adapter->segment_count;
    config.paging_buffer_segment = adapter->paging_buffer_segment;
    config.paging_buffer_bytes = (uint32_t)adapter->paging_buffer_bytes;
    config.caps[VIDMM_MOCK_CAP_ApertureSegmentCommitLimit] = adapter->aperture_commit_limit;
    return vidmm_mock_create(&config);
}

/* ---- creations --------------------------------------------------------------------------------
 */

static uint32_t segments_where(const struct model_adapter_wish *adapter, bool aperture)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < adapter->segment_count; i++)
        set |= adapter->segments[i].aperture == aperture ? 1u << i : 0;
    return set;
}

static uint32_t random_subset(uint32_t set, uint64_t *random)
{
    uint32_t some = below(random, 32);
    return percent(random, 30) ? set : set & some;
}

static void random_sets(const struct model_adapter_wish *adapter, struct model_wish *wish,
                        uint64_t *random)
{
    uint32_t all = segments_where(adapter, false) | segments_where(adapter, true);
    do {
        wish->write_set = random_subset(all, random);
        wish->read_set = percent(random, 65) ? wish->write_set : random_subset(all, random);
    } while (wish->write_set == 0 &&
             (wish->read_set == 0 || adapter->wddm >= VIDMM_WDDM_2_0 || percent(random, 80)));
    if (adapter->wddm >= VIDMM_WDDM_2_0)
        wish->read_set = wish->write_set;
    if (percent(random, 80))
        wish->eviction_set = random_subset(segments_where(adapter, true), random);
}

static void random_preferences(const struct model_adapter_wish *adapter, struct model_wish *wish,
                               uint64_t *random)
{
    uint32_t set = wish->read_set | wish->write_set;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = 1 + below(random, adapter->segment_count);
        if (set >> (id - 1) & 1 && percent(random, 50))
            wish->preferred |= (id | below(random, 2) << 5) << (6 * i);
    }
    uint32_t first = wish->preferred & 31;
    if (first == 0 || adapter->segments[first - 1].banks == 0 || percent(random, 30))
        return;
    for (unsigned i = 0; i < VIDMM_BANK_HINTS_MAX; i++) {
        uint32_t bank = 1 + below(random, adapter->segments[first - 1].banks);
        if (percent(random, 50))
            wish->hinted_bank |= (bank | below(random, 2) << 7) << (8 * i);
    }
}

/* Flags of 1.x that affect placement or paging. */
static uint32_t random_flags(uint64_t *random)
{
    uint32_t flags = percent(random, 55) ? 0x1 : 0;
    if (flags && percent(random, 30))
        flags |= 0x2;
    else if (flags && percent(random, 8))
        flags |= EXISTING;
    flags |= flags && percent(random, 10) ? 0x4 : 0;
    flags |= percent(random, 25) ? 0x40 : 0;
    flags |= percent(random, 10) ? 0x800 : 0;
    if (percent(random, 7))
        flags |= below(random, 2) ? 0x100 : 0x200;
    return flags;
}

static uint32_t random_priority(uint64_t *random)
{
    static const uint32_t LEVELS[] = { 0x28000000, 0x50000000, 0x78000000, 0x78000000, 0x78000000,
                                       0x78000001, 0xA0000000, 0xC8000000, 0xD0000000, 1 };
    return LEVELS[below(random, ARRAY_COUNT(LEVELS))];
}

static void fit_to_2_0(const struct model_adapter_wish *adapter, struct model_wish *wish,
                       uint64_t *random)
{
    uint32_t apertures = segments_where(adapter, true);
    wish->flags &= 0x40 | PINNED;
    wish->flags |= percent(random, 40) ? PHYSICAL : 0;
    if (wish->flags & PINNED && wish->write_set & apertures)
        wish->flags |= PHYSICAL;
    for (uint32_t i = 0; i < adapter->segment_count; i++) {
        if (wish->write_set >> i & 1 && adapter->segments[i].page_bytes == K64)
            wish->alignment = K64;
    }
}

static void random_wish(const struct prop_round *round, struct model_wish *wish, uint64_t *random)
{
    static const uint64_t ALIGNMENTS[] = { 0, 0, 0, 4096, 4096, 8192, 16384, 65536 };
    const struct model_adapter_wish *adapter = &round->adapter;
    const struct model_segment_wish *like =
        &adapter->segments[below(random, adapter->segment_count)];
    uint64_t most = like->bytes / MODEL_HOST_PAGE;
    *wish = (struct model_wish){ .alignment = ALIGNMENTS[below(random, ARRAY_COUNT(ALIGNMENTS))] };
    wish->priority = random_priority(random);
    wish->has_content = percent(random, 30);
    uint64_t pages = 1 + below(random, percent(random, 85) ? most / 3 + 1 : most + 2);
    uint64_t missing = below(random, 4095); /* of the last page */
    wish->bytes = min_u64(pages, MODEL_PAGES) * MODEL_HOST_PAGE - below(random, 2) * missing;
    random_sets(adapter, wish, random);
    random_preferences(adapter, wish, random);
    wish->flags = random_flags(random);
    if (adapter->wddm >= VIDMM_WDDM_2_0)
        fit_to_2_0(adapter, wish, random);
    if (wish->flags & EXISTING) {
        wish->bytes = align_up(wish->bytes, MODEL_HOST_PAGE);
        wish->has_content = true;
    }
}

/* ---- operations -------------------------------------------------------------------------------
 */

static size_t list_live(const struct prop_known *known, uint8_t *slots)
{
    size_t count = 0;
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (known->live[slot])
            slots[count++] = slot;
    }
    return count;
}

static void draw_uses(const uint8_t *live, size_t count, uint64_t *random, struct prop_op *op)
{
    op->use_count = 0;
    bool splits = percent(random, 40); /* else all in one group, each in its own slot */
    size_t wanted = 1 + below(random, !splits && percent(random, 60) ? 2 : MODEL_USES);
    uint8_t group = 0;
    bool used[MODEL_ALLOCATIONS] = { false };
    for (size_t i = 0; i < wanted; i++) {
        uint8_t slot = live[below(random, count)];
        if (used[slot])
            continue;
        used[slot] = true;
        group = (uint8_t)(group + (splits && percent(random, 60)));
        struct model_use *use = &op->uses[op->use_count];
        *use = (struct model_use){ .slot = slot, .group = group, .write = percent(random, 40) };
        use->slot_id = (uint8_t)(splits ? below(random, 4) : op->use_count);
        use->none = splits && percent(random, 10);
        op->use_count++;
    }
}

/* A submission that finds no place costs the device and all that it owns: seldom wanted. */
static void random_uses(const struct prop_known *known, uint64_t *random, struct prop_op *op)
{
    uint8_t live[MODEL_ALLOCATIONS];
    size_t count = 0;
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++)
        if (known->open[op->device][slot])
            live[count++] = slot;
    bool wanted = percent(random, 1);
    if (!count)
        return;
    for (int tries = 0; tries < 6; tries++) {
        draw_uses(live, count, random, op);
        if (!known->model || wanted)
            return;
        struct model model = *known->model;
        (void)model_submit(&model, op->uses, op->use_count);
        if (!model.gave_up)
            return;
    }
    op->kind = PROP_ADVANCE;
    op->value = 1;
}

static void random_lock(const struct prop_known *known, uint64_t *random, struct prop_op *op)
{
    static const uint32_t FLAGS[] = { 0, 0, 0x1, 0x2, 0x10, 0x11 };
    uint64_t pages = align_up(known->bytes[op->slot], MODEL_HOST_PAGE) / MODEL_HOST_PAGE;
    op->value = FLAGS[below(random, ARRAY_COUNT(FLAGS))];
    op->write = percent(random, 60) && !(op->value & 0x1);
    if (op->value & 0x10 || percent(random, 50))
        return;
    op->pages.first = below(random, pages);
    op->pages.count = 1 + below(random, pages - op->pages.first);
}

static enum prop_kind random_kind(const struct prop_round *round, size_t live, uint64_t *random)
{
    if (live == 0 || below(random, LIVE_WANTED) > live + 2 ||
        (live < MODEL_ALLOCATIONS && percent(random, 6)))
        return PROP_CREATE;
    static const enum prop_kind KINDS[] = { PROP_DESTROY, PROP_PAGE_IN,  PROP_EVICT,   PROP_PIN,
                                            PROP_UNPIN,   PROP_PRIORITY, PROP_SUBMIT,  PROP_LOCK,
                                            PROP_UNLOCK,  PROP_LEVEL3,   PROP_ADVANCE, PROP_OPEN,
                                            PROP_CLOSE,   PROP_OFFER,    PROP_RECLAIM };
    static const unsigned OLD[] = { 40, 90, 50, 15, 30, 40, 370, 90, 120, 2, 23, 25, 25, 40, 40 };
    static const unsigned NEW[] = { 60, 550, 80, 20, 40, 60, 0, 0, 0, 4, 36, 40, 30, 40, 40 };
    const unsigned *weights = round->adapter.wddm >= VIDMM_WDDM_2_0 ? NEW : OLD;
    unsigned pick = below(random, 1000);
    size_t kind = 0;
    while (pick >= weights[kind])
        pick -= weights[kind++];
    return KINDS[kind];
}

static uint8_t free_slot(const struct prop_known *known)
{
    uint8_t slot = 0;
    while (known->live[slot])
        slot++;
    return slot;
}

/* Prefers slots that are locked, else unlocks would mostly be refused. */
static uint8_t slot_to_unlock(const struct prop_known *known, uint8_t otherwise, uint64_t *random)
{
    uint8_t start = (uint8_t)below(random, MODEL_ALLOCATIONS);
    for (unsigned i = 0; i < MODEL_ALLOCATIONS; i++) {
        uint8_t slot = (uint8_t)((start + i) % MODEL_ALLOCATIONS);
        if (known->live[slot] && known->locks[slot] > 0)
            return slot;
    }
    return otherwise;
}

/* One that is shared and not open on this device, if there is any. */
static uint8_t slot_to_open(const struct prop_known *known, const struct prop_op *op,
                            uint64_t *random)
{
    uint8_t start = (uint8_t)below(random, MODEL_ALLOCATIONS);
    for (unsigned i = 0; i < MODEL_ALLOCATIONS; i++) {
        uint8_t slot = (uint8_t)((start + i) % MODEL_ALLOCATIONS);
        if (known->live[slot] && known->shared[slot] && !known->open[op->device][slot])
            return slot;
    }
    return op->slot;
}

void prop_random_op(const struct prop_round *round, const struct prop_known *known,
                    uint64_t *random, struct prop_op *op)
{
    uint8_t live[MODEL_ALLOCATIONS];
    size_t count = list_live(known, live);
    *op = (struct prop_op){ .kind = random_kind(round, count, random) };
    op->device = (uint8_t)below(random, PROP_DEVICES);
    if (op->kind == PROP_CREATE) {
        op->slot = free_slot(known);
        op->shared = percent(random, 25);
        random_wish(round, &op->wish, random);
        return;
    }
    op->slot = live[below(random, count)];
    switch (op->kind) {
    case PROP_PAGE_IN: op->write = percent(random, 40); break;
    case PROP_PRIORITY: op->value = random_priority(random); break;
    case PROP_SUBMIT: random_uses(known, random, op); break;
    case PROP_LOCK: random_lock(known, random, op); break;
    case PROP_OPEN: op->slot = slot_to_open(known, op, random); break;
    case PROP_UNLOCK: op->slot = slot_to_unlock(known, op->slot, random); break;
    case PROP_OFFER: op->value = 1 + below(random, 4); break;
    case PROP_ADVANCE: op->value = 1 + below(random, 2000); break;
    default: break;
    }
}
