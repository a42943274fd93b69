/* SPDX-License-Identifier: MIT */
/*
 * model_ranges.h: the slow reference for segments/range_tree.h and segments/roster.h.
 *
 * One byte a page and a scan from the asked end, straight from the words of PLACE-006 and
 * PLACE-012: too simple to be wrong, too slow to be used. All numbers here are pages.
 */
#ifndef TESTS_MODEL_RANGES_H
#define TESTS_MODEL_RANGES_H

#include "segments/range_tree.h"

enum { MODEL_PAGES_MAX = 4096 };

struct model_ranges {
    uint64_t pages;
    uint8_t used[MODEL_PAGES_MAX];
};

struct model_range {
    uint64_t page, pages;
};

struct model_request {
    uint64_t pages, alignment, low, high;
    bool from_end;
};

void model_ranges_init(struct model_ranges *model, uint64_t pages);
void model_ranges_set(struct model_ranges *model, struct model_range range, bool used);
bool model_ranges_find(const struct model_ranges *model, const struct model_request *request,
                       uint64_t *page);

/* Treats the victims as gone one by one until there is a place. Marks in `chosen` those that
 * overlap it. Returns how many victims were considered; 0 when all of them together do not help. */
size_t model_ranges_evict(const struct model_ranges *model, const struct model_request *request,
                          const struct model_range *victims, size_t count, bool *chosen,
                          uint64_t *page);

/* Free pages, holes and the largest hole. */
struct model_totals {
    uint64_t free_pages, holes, largest;
};
struct model_totals model_ranges_totals(const struct model_ranges *model);

/* Does the tree have exactly the holes of the model? Reads every hole and every sum. A page of the
 * model may stand for many of the tree. */
bool model_ranges_agree(const struct model_ranges *model, const struct range_tree *tree);

#endif
