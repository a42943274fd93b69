/* SPDX-License-Identifier: MIT */
/* model_ranges.c: a byte a page, scanned. */
#include "tests/segments/model_ranges.h"

#include <string.h>

void model_ranges_init(struct model_ranges *model, uint64_t pages)
{
    memset(model, 0, sizeof *model);
    model->pages = pages;
}

void model_ranges_set(struct model_ranges *model, struct model_range range, bool used)
{
    memset(&model->used[range.page], used, range.pages);
}

static bool fits_at(const struct model_ranges *model, const struct model_request *request,
                    uint64_t page)
{
    if (page % request->alignment != 0 || page < request->low)
        return false;
    if (page + request->pages > request->high || page + request->pages > model->pages)
        return false;
    for (uint64_t i = 0; i < request->pages; i++)
        if (model->used[page + i])
            return false;
    return true;
}

bool model_ranges_find(const struct model_ranges *model, const struct model_request *request,
                       uint64_t *page)
{
    for (uint64_t i = 0; i < model->pages; i++) {
        uint64_t start = request->from_end ? model->pages - 1 - i : i;
        if (fits_at(model, request, start)) {
            *page = start;
            return true;
        }
    }
    return false;
}

size_t model_ranges_evict(const struct model_ranges *model, const struct model_request *request,
                          const struct model_range *victims, size_t count, bool *chosen,
                          uint64_t *page)
{
    struct model_ranges copy = *model;
    for (size_t i = 0; i < count; i++) {
        model_ranges_set(&copy, victims[i], false);
        if (!model_ranges_find(&copy, request, page))
            continue;
        for (size_t k = 0; k <= i; k++)
            chosen[k] = victims[k].page < *page + request->pages &&
                        *page < victims[k].page + victims[k].pages;
        return i + 1;
    }
    return 0;
}

struct model_totals model_ranges_totals(const struct model_ranges *model)
{
    struct model_totals totals = { 0 };
    uint64_t run = 0;
    for (uint64_t page = 0; page < model->pages; page++) {
        run = model->used[page] ? 0 : run + 1;
        totals.free_pages += run > 0;
        totals.holes += run == 1;
        totals.largest = run > totals.largest ? run : totals.largest;
    }
    return totals;
}

bool model_ranges_agree(const struct model_ranges *model, const struct range_tree *tree)
{
    struct model_totals totals = model_ranges_totals(model);
    uint64_t page_bytes = tree->bytes / model->pages, page = 0, at = 0;
    struct range hole;
    while (range_tree_next_hole(tree, at, &hole)) {
        for (; page < hole.offset / page_bytes; page++)
            if (!model->used[page])
                return false;
        for (; page < range_end(hole) / page_bytes; page++)
            if (model->used[page])
                return false;
        at = range_end(hole);
    }
    for (; page < model->pages; page++)
        if (!model->used[page])
            return false;
    return totals.free_pages * page_bytes == tree->free_bytes &&
           totals.holes == range_tree_hole_count(tree) &&
           totals.largest * page_bytes == range_tree_largest_hole(tree);
}
