/* SPDX-License-Identifier: MIT */
/*
 * model_space.c: the reference for holes in one segment, see model_manager.h.
 *
 * First fit PLACE-006, directions PLACE-008, windows PLACE-010, contiguity PLACE-015, page sets
 * PLACE-016.
 */
#include "tests/model/model_manager.h"
#include "vidmm/base/base.h"

enum { FLAG_FROM_END = 0x40, FLAG_PINNED = 0x300, FLAG_PHYSICAL = 0x8000 };

/* ---- free pages -------------------------------------------------------------------------------
 */

struct window {
    enum { WHOLE, INSIDE, CROSSING } kind;
    uint64_t low, high; /* of the bank */
    bool from_end;
};

struct hunt {
    const struct model_segment *segment;
    const uint8_t *owner;             /* as it is, or with victims treated as gone */
    uint64_t pages, alignment, first; /* `first`: start of the allowed range */
    bool contiguous;
};

static bool window_allows(const struct window *window, uint64_t start, uint64_t end)
{
    if (window->kind == INSIDE)
        return start >= window->low && end <= window->high;
    if (window->kind == CROSSING && window->from_end)
        return end > window->low && end <= window->high;
    if (window->kind == CROSSING)
        return start >= window->low && start < window->high;
    return true;
}

static bool run_is_free(const struct hunt *hunt, uint64_t start)
{
    if (start < hunt->first || start + hunt->pages > hunt->segment->pages)
        return false;
    for (uint64_t page = start; page < start + hunt->pages; page++) {
        if (hunt->owner[page] != MODEL_FREE)
            return false;
    }
    return true;
}

static bool find_run(const struct hunt *hunt, const struct window *window, bool *pages)
{
    uint64_t count = hunt->segment->pages;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = window->from_end ? count - 1 - i : i;
        if (start * hunt->segment->page_bytes % hunt->alignment != 0 ||
            !window_allows(window, start, start + hunt->pages) || !run_is_free(hunt, start))
            continue;
        for (uint64_t page = start; page < start + hunt->pages; page++)
            pages[page] = true;
        return true;
    }
    return false;
}

static bool find_set(const struct hunt *hunt, const struct window *window, bool *pages)
{
    uint64_t count = hunt->segment->pages, free_pages = 0;
    for (uint64_t page = hunt->first; page < count; page++)
        free_pages += hunt->owner[page] == MODEL_FREE;
    if (free_pages < hunt->pages)
        return false;
    uint64_t need = hunt->pages;
    for (uint64_t i = 0; i < count && need > 0; i++) {
        uint64_t page = window->from_end ? count - 1 - i : i;
        if (page < hunt->first || hunt->owner[page] != MODEL_FREE)
            continue;
        pages[page] = true;
        need--;
    }
    return true;
}

/* ---- the driver's preferences -----------------------------------------------------------------
 */

uint32_t model_preferred(const struct model_wish *wish, unsigned position)
{
    return wish->preferred >> (6 * position) & 31;
}

/* PLACE-008 outside of banks. */
static bool from_end(const struct model *model, const struct model_wish *wish, uint32_t id)
{
    bool flag = wish->flags & FLAG_FROM_END;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        if (model_preferred(wish, i) != id)
            continue;
        if (wish->preferred >> (6 * i + 5) & 1)
            return true;
        bool free_choice =
            model->direction_zero == VIDMM_DIRECTION_ZERO_VIDMM ||
            (model->direction_zero == VIDMM_DIRECTION_ZERO_AUTO && model->wddm >= VIDMM_WDDM_2_0);
        return free_choice && flag;
    }
    return flag;
}

static size_t list_windows(const struct model *model, const struct model_wish *wish, uint32_t id,
                           struct window *windows)
{
    const struct model_segment *segment = &model->segments[id];
    size_t count = 0;
    bool hinted = segment->banks > 0 && model_preferred(wish, 0) == id;
    for (unsigned kind = INSIDE; hinted && kind <= CROSSING; kind++) {
        for (unsigned i = 0; i < VIDMM_BANK_HINTS_MAX; i++) {
            uint32_t bank = wish->hinted_bank >> (8 * i) & 127;
            if (bank == 0)
                continue;
            windows[count++] = (struct window){
                .kind = kind == INSIDE ? INSIDE : CROSSING,
                .low = bank > 1 ? segment->bank_ends[bank - 2] : 0,
                .high = segment->bank_ends[bank - 1],
                .from_end = wish->hinted_bank >> (8 * i + 7) & 1,
            };
        }
    }
    windows[count++] = (struct window){ .kind = WHOLE, .from_end = from_end(model, wish, id) };
    return count;
}

uint64_t model_footprint(const struct model *model, const struct model_allocation *allocation,
                         uint32_t segment)
{
    uint64_t page = model->segments[segment].page_bytes;
    return (allocation->bytes + page - 1) / page;
}

bool model_hole(const struct model *model, const struct model_allocation *allocation, uint32_t id,
                const uint8_t *owner, bool *pages)
{
    const struct model_wish *wish = &allocation->wish;
    const struct model_segment *segment = &model->segments[id];
    struct hunt hunt = { .segment = segment,
                         .owner = owner,
                         .pages = model_footprint(model, allocation, id),
                         .alignment = max_u64(wish->alignment, segment->page_bytes),
                         .first = wish->flags & FLAG_PINNED ? segment->pin_start : 0 };
    hunt.contiguous = model->wddm < VIDMM_WDDM_2_0 || segment->aperture ||
                      wish->flags & (FLAG_PHYSICAL | FLAG_PINNED);
    struct window windows[2 * VIDMM_BANK_HINTS_MAX + 1];
    size_t count = list_windows(model, wish, id, windows);
    for (size_t i = 0; i < count; i++) {
        if (hunt.contiguous ? find_run(&hunt, &windows[i], pages)
                            : find_set(&hunt, &windows[i], pages))
            return true;
    }
    return false;
}

/* All of its bytes in one piece, at any page, from the bottom (PLACE-028). */
bool model_eviction_hole(const struct model *model, const struct model_allocation *allocation,
                         uint32_t id, const uint8_t *owner, bool *pages)
{
    const struct model_segment *segment = &model->segments[id];
    struct hunt hunt = { .segment = segment,
                         .owner = owner,
                         .pages = allocation->bytes / segment->page_bytes,
                         .alignment = segment->page_bytes };
    struct window window = { .kind = WHOLE };
    return find_run(&hunt, &window, pages);
}
