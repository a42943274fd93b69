/* SPDX-License-Identifier: MIT */
/*
 * prop_compare.c: the views of the manager against those of the model, see prop_manager.h.
 */
#include "tests/model/prop_manager.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <string.h>

static const char *const RESIDENCIES[] = { "no content", "evicted", "resident", "lost" };

struct difference {
    const char *what;
    uint64_t is, expected;
};

static bool same(struct difference *difference, const char *what, uint64_t is, uint64_t expected)
{
    if (is == expected)
        return true;
    *difference = (struct difference){ what, is, expected };
    return false;
}

/* ---- allocations ------------------------------------------------------------------------------
 */

static bool same_pages(const struct prop_views *views, uint8_t slot, struct difference *difference)
{
    const struct model_allocation *allocation = &views->model->allocations[slot];
    const struct model_segment *segment = &views->model->segments[allocation->segment];
    bool held[MODEL_PAGES] = { false };
    uint64_t offset, bytes;
    for (size_t i = 0;
         vidmm_allocation_run(views->adapter, views->handles[slot], i, &offset, &bytes); i++) {
        for (uint64_t at = offset; at < offset + bytes; at += segment->page_bytes)
            held[at / segment->page_bytes] = true;
    }
    for (uint64_t page = 0; page < segment->pages; page++) {
        bool expected = segment->owner[page] == slot + 1;
        if (held[page] == expected)
            continue;
        *difference = (struct difference){ held[page] ? "a page too much" : "a page too little",
                                           page, expected ? page : 0 };
        return false;
    }
    return true;
}

static uint64_t dirty_pages(const struct model_allocation *allocation)
{
    uint64_t count = 0;
    for (size_t page = 0; page < MODEL_PAGES; page++)
        count += allocation->written[page];
    return count;
}

/* State that is settled only when the operations have run (PAGE-034). */
static bool same_marks(const struct prop_views *views, const struct vidmm_allocation_view *view,
                       const struct model_allocation *allocation, struct difference *difference)
{
    bool memory = allocation->state == VIDMM_RESIDENCY_RESIDENT && allocation->segment != 0 &&
                  !views->model->segments[allocation->segment].aperture;
    if (!views->settled || !memory)
        return true;
    if (!same(difference, "gpu-dirty", view->gpu_dirty, allocation->gpu_dirty) ||
        !same(difference, "pattern-only", view->pattern_only, allocation->pattern_only))
        return false;
    return !(allocation->wish.flags & 0x32) ||
           same(difference, "cpu-dirty pages", view->cpu_dirty_pages, dirty_pages(allocation));
}

static enum vidmm_offer_state offer_of(const struct model_allocation *allocation)
{
    if (!allocation->offer)
        return VIDMM_OFFER_NONE;
    return allocation->discarded ? VIDMM_OFFER_DISCARDED : VIDMM_OFFER_OFFERED;
}

static bool same_allocation(const struct prop_views *views, uint8_t slot,
                            struct difference *difference)
{
    const struct model_allocation *allocation = &views->model->allocations[slot];
    struct vidmm_allocation_view view;
    bool live = vidmm_allocation_view(views->adapter, views->handles[slot], &view);
    if (!same(difference, "live", live, allocation->live) || !live)
        return live == allocation->live;
    if (!same(difference, "residency", view.residency, allocation->state) ||
        !same(difference, "priority", view.priority, allocation->priority) ||
        !same(difference, "locks", view.locks, allocation->locks) ||
        !same(difference, "pinned", view.pinned, model_is_pinned(allocation)) ||
        !same(difference, "offer", vidmm_offer_state(views->adapter, views->handles[slot]),
              offer_of(allocation)) ||
        !same_marks(views, &view, allocation, difference))
        return false;
    if (allocation->state != VIDMM_RESIDENCY_RESIDENT)
        return true;
    return same(difference, "segment", view.segment, allocation->segment) &&
           (view.segment == 0 || same_pages(views, slot, difference));
}

/* ---- segments ---------------------------------------------------------------------------------
 */

static bool same_segment(const struct prop_views *views, uint32_t id, struct difference *difference)
{
    const struct model_segment *segment = &views->model->segments[id];
    struct vidmm_segment_view view;
    uint64_t used = model_committed(views->model, id);
    if (!vidmm_segment_view(views->adapter, id, &view))
        return same(difference, "segment exists", false, true);
    if (!same(difference, "size", view.bytes, segment->pages * segment->page_bytes) ||
        !same(difference, "limit", view.limit, segment->limit) ||
        !same(difference, "pinned region", view.pin_start,
              segment->pin_start * segment->page_bytes))
        return false;
    return !views->settled || (same(difference, "used", view.used, used) &&
                               same(difference, "free", view.free_bytes, view.bytes - used) &&
                               same(difference, "committed", view.committed, used));
}

static bool same_adapter(const struct prop_views *views, struct difference *difference)
{
    const struct model *model = views->model;
    struct vidmm_adapter_view view;
    vidmm_adapter_view(views->adapter, &view);
    return same(difference, "global limit", view.shared_limit, model->global_limit) &&
           same(difference, "commit charge", view.commit_charged, model->commit_charged) &&
           (!views->settled ||
            same(difference, "global commit", view.committed, model_committed_global(model)));
}

bool prop_compare(const struct prop_views *views, char *problem, size_t bytes)
{
    struct difference difference;
    const char *of = "adapter";
    uint64_t number = 0;
    bool agree = same_adapter(views, &difference);
    for (uint8_t slot = 0; agree && slot < MODEL_ALLOCATIONS; slot++) {
        number = slot;
        of = "a";
        agree = views->handles[slot] == 0 || same_allocation(views, slot, &difference);
    }
    for (uint32_t id = 1; agree && id <= views->model->segment_count; id++) {
        number = id;
        of = "segment ";
        agree = same_segment(views, id, &difference);
    }
    if (!agree)
        (void)snprintf(problem, bytes,
                       "%s%" PRIu64 ", %s: the manager has %" PRIu64 ", the model %" PRIu64, of,
                       number, difference.what, difference.is, difference.expected);
    return agree;
}

/* ---- content ----------------------------------------------------------------------------------
 */

bool prop_contents_intact(const struct prop_views *views, const bool *live, char *problem,
                          size_t bytes)
{
    struct vidmm_allocation_view view;
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (!live[slot] || !vidmm_allocation_view(views->adapter, views->handles[slot], &view) ||
            view.residency == VIDMM_RESIDENCY_LOST || view.cpu_dirty_pages > 0 ||
            vidmm_content_intact(views->adapter, views->handles[slot]))
            continue;
        (void)snprintf(problem, bytes, "the content of a%u is damaged", slot);
        return false;
    }
    return true;
}

/* ---- both, for people -------------------------------------------------------------------------
 */

static void print_segment(FILE *file, const struct prop_views *views, uint32_t id)
{
    const struct model_segment *segment = &views->model->segments[id];
    struct vidmm_segment_span spans[MODEL_PAGES];
    (void)fprintf(file, "segment %u (%s, limit %" PRIu64 " pages)\n  model:  ", id,
                  segment->aperture ? "aperture" : "memory", segment->limit / segment->page_bytes);
    for (uint64_t page = 0; page < segment->pages; page++) {
        uint8_t owner = segment->owner[page];
        if (page > 0 && owner == segment->owner[page - 1])
            continue;
        (void)fprintf(file, owner == MODEL_FREE ? " %" PRIu64 ":free" : " %" PRIu64 ":a%d", page,
                      owner - 1);
    }
    size_t count = vidmm_segment_map(views->adapter, id, spans, MODEL_PAGES);
    (void)fprintf(file, "\n  manager:");
    for (size_t i = 0; i < count && i < MODEL_PAGES; i++) {
        const char *label = vidmm_label(views->adapter, spans[i].allocation);
        (void)fprintf(file, " %" PRIu64 ":%s", spans[i].offset / segment->page_bytes,
                      spans[i].allocation ? label : spans[i].what);
    }
    (void)fprintf(file, "\n");
}

void prop_print_views(FILE *file, const struct prop_views *views)
{
    static const char *const REASONS[] = { "room",   "pin",  "commit", "evictrange",
                                           "script", "lock", "move",   "level3" };
    const struct model *model = views->model;
    for (uint32_t id = 1; id <= model->segment_count; id++)
        print_segment(file, views, id);
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        struct vidmm_allocation_view view;
        if (views->handles[slot] == 0 ||
            !vidmm_allocation_view(views->adapter, views->handles[slot], &view))
            continue;
        (void)fprintf(file,
                      "a%u: manager %s in %u at page %" PRIu64 ", model %s in %u; %" PRIu64
                      " pages, priority %" PRIX32 ", use %" PRIu64
                      ", sets r%X w%X e%X, flags %X, locks %u%s%s\n",
                      slot, RESIDENCIES[view.residency], view.segment,
                      view.offset / MODEL_HOST_PAGE, RESIDENCIES[allocation->state],
                      allocation->segment, view.bytes / MODEL_HOST_PAGE, view.priority,
                      allocation->last_use, view.read_set, view.write_set, view.eviction_set,
                      view.flags, view.locks, view.gpu_dirty ? ", dirty" : "",
                      view.pinned ? ", pinned" : "");
    }
    for (size_t i = 0; i < model->leaver_count; i++)
        (void)fprintf(file, "the model evicted a%u (%s)%s\n", model->leavers[i].slot,
                      REASONS[model->leavers[i].reason], model->leavers[i].lost ? ", lost" : "");
}
