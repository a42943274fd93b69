/* SPDX-License-Identifier: MIT */
/* model_eviction.c: slow references of the eviction policies; see model_eviction.h. */
#include "tests/segments/policies/model_eviction.h"

#include "vidmm/base/base.h"

#include <string.h>

/* ---- lists ----------------------------------------------------------------------------------- */

static int find(const struct model_list *list, int item)
{
    for (int i = 0; i < list->count; i++)
        if (list->item[i] == item)
            return i;
    return -1;
}

static bool take(struct model_list *list, int item)
{
    int at = find(list, item);
    if (at < 0)
        return false;
    list->count--;
    memmove(&list->item[at], &list->item[at + 1], (size_t)(list->count - at) * sizeof(int));
    return true;
}

static void append(struct model_list *list, int item)
{
    list->item[list->count++] = item;
}

/* The oldest that was not set aside; -1: none. */
static int oldest(const struct model *model, enum model_queue queue)
{
    const struct model_list *list = &model->queue[queue];
    for (int i = 0; i < list->count; i++)
        if (!model->items[list->item[i]].aside)
            return list->item[i];
    return -1;
}

static uint64_t bytes_of(const struct model *model, enum model_queue queue)
{
    uint64_t bytes = 0;
    for (int i = 0; i < model->queue[queue].count; i++)
        if (!model->items[model->queue[queue].item[i]].aside)
            bytes += model->items[model->queue[queue].item[i]].bytes;
    return bytes;
}

static bool is(const struct model *model, const char *policy)
{
    return strcmp(model->policy, policy) == 0;
}

/* ---- one eviction ---------------------------------------------------------------------------- */

static int evict_clock(struct model *model)
{
    for (;;) {
        int item = oldest(model, QUEUE_FIFO);
        if (item < 0 || !model->items[item].uses)
            return item;
        model->items[item].uses = 0;
        take(&model->queue[QUEUE_FIFO], item);
        append(&model->queue[QUEUE_FIFO], item);
    }
}

static int evict_sieve(struct model *model)
{
    const struct model_list *list = &model->queue[QUEUE_FIFO];
    if (oldest(model, QUEUE_FIFO) < 0)
        return -1;
    for (int at = model->hand < 0 ? 0 : find(list, model->hand);; at = (at + 1) % list->count) {
        int item = list->item[at];
        model->hand = at + 1 < list->count ? list->item[at + 1] : -1;
        if (model->items[item].aside)
            continue;
        if (!model->items[item].uses)
            return item;
        model->items[item].uses = 0;
    }
}

static int evict_s3_fifo(struct model *model)
{
    uint64_t share = (model->pages - model->pages / 10) * MODEL_PAGE;
    for (;;) {
        int small = oldest(model, QUEUE_SMALL), main = oldest(model, QUEUE_MAIN);
        if (small < 0 && main < 0)
            return -1;
        if (bytes_of(model, QUEUE_MAIN) > share || small < 0) {
            for (;; main = oldest(model, QUEUE_MAIN)) {
                struct model_item *item = &model->items[main];
                if (!item->uses)
                    return main;
                item->uses = (item->uses > 3 ? 3 : item->uses) - 1;
                take(&model->queue[QUEUE_MAIN], main);
                append(&model->queue[QUEUE_MAIN], main);
            }
        }
        for (; small >= 0; small = oldest(model, QUEUE_SMALL)) {
            if (model->items[small].uses < 2)
                return small;
            model->items[small].uses = 0;
            take(&model->queue[QUEUE_SMALL], small);
            append(&model->queue[QUEUE_MAIN], small);
        }
    }
}

/* Where the ghost goes, or -1, and which ghost is forgotten for it. */
static int arc_ghosts(struct model *model, int item)
{
    uint64_t t1 = bytes_of(model, QUEUE_T1), t2 = bytes_of(model, QUEUE_T2);
    uint64_t b1 = bytes_of(model, GHOSTS_T1), b2 = bytes_of(model, GHOSTS_T2);
    uint64_t capacity = model->pages * MODEL_PAGE;
    uint64_t wanted = model->wanted < 0 ? 0 : model->items[model->wanted].bytes;
    bool first = find(&model->queue[QUEUE_T1], item) >= 0;
    if (!model->heard && t1 + b1 + wanted > capacity) {
        if (!b1 && first)
            return -1;
        if (b1)
            take(&model->queue[GHOSTS_T1], model->queue[GHOSTS_T1].item[0]);
    } else if (!model->heard && t1 + t2 + b1 + b2 >= 2 * capacity && b2) {
        take(&model->queue[GHOSTS_T2], model->queue[GHOSTS_T2].item[0]);
    }
    return first ? GHOSTS_T1 : GHOSTS_T2;
}

/* What is set aside is gone in every respect: here it moves to its ghosts at once. */
static int evict_arc(struct model *model)
{
    uint64_t t1 = bytes_of(model, QUEUE_T1), b1 = bytes_of(model, GHOSTS_T1);
    uint64_t wanted = model->wanted < 0 ? 0 : model->items[model->wanted].bytes;
    int first = oldest(model, QUEUE_T1), second = oldest(model, QUEUE_T2);
    bool full = !model->heard && t1 + b1 + wanted > model->pages * MODEL_PAGE;
    if (first < 0 || second < 0)
        return first < 0 ? second : first;
    if (full && !b1)
        return first;
    if ((double)t1 > model->p || ((double)t1 == model->p && model->heard == 2))
        return first;
    return second;
}

static double rank_of(const struct model *model, int item)
{
    const struct model_item *it = &model->items[item];
    if (is(model, "fifo"))
        return (double)it->arrival;
    if (is(model, "lru"))
        return (double)it->last_use;
    if (is(model, "largest"))
        return -(double)it->bytes;
    if (is(model, "gds"))
        return it->worth;
    return it->next_use == UINT64_MAX ? -1e18 : -(double)it->next_use; /* belady */
}

/* Of equal ones that with the lower number, which lies lower. */
static int evict_smallest(const struct model *model)
{
    int best = -1;
    for (int i = 0; i < MODEL_ITEMS; i++)
        if (model->resident[i] && !model->items[i].aside &&
            (best < 0 || rank_of(model, i) < rank_of(model, best)))
            best = i;
    return best;
}

static int evict(struct model *model)
{
    if (is(model, "clock"))
        return evict_clock(model);
    if (is(model, "sieve"))
        return evict_sieve(model);
    if (is(model, "s3-fifo"))
        return evict_s3_fifo(model);
    if (is(model, "arc"))
        return evict_arc(model);
    return evict_smallest(model);
}

int model_order(const struct model *model, int *order)
{
    struct model copy = *model;
    int count = 0;
    for (int item; (item = evict(&copy)) >= 0; count++) {
        order[count] = item;
        if (is(model, "arc")) {
            int ghosts = arc_ghosts(&copy, item);
            if (!take(&copy.queue[QUEUE_T1], item))
                take(&copy.queue[QUEUE_T2], item);
            if (ghosts >= 0)
                append(&copy.queue[ghosts], item);
        } else {
            copy.items[item].aside = true;
        }
    }
    return count;
}

/* ---- what happens ---------------------------------------------------------------------------- */

void model_init(struct model *model, const char *policy, uint64_t pages)
{
    *model = (struct model){ .policy = policy, .pages = pages, .hand = -1, .wanted = -1 };
}

static void price(struct model *model, int item)
{
    struct model_item *it = &model->items[item];
    it->worth = (double)(model->inflation + (it->cost << 20) / it->bytes);
}

void model_missed(struct model *model, int item)
{
    struct model_item *it = &model->items[item];
    it->returning = take(&model->queue[GHOSTS_SMALL], item);
    if (!is(model, "arc"))
        return;
    double b1 = (double)bytes_of(model, GHOSTS_T1), b2 = (double)bytes_of(model, GHOSTS_T2);
    double all = (double)(model->pages * MODEL_PAGE), bytes = (double)it->bytes;
    model->wanted = item;
    model->heard = 0;
    if (take(&model->queue[GHOSTS_T1], item)) {
        model->heard = 1;
        model->p += (b2 / b1 > 1 ? b2 / b1 : 1) * bytes;
        model->p = model->p > all ? all : model->p;
    } else if (take(&model->queue[GHOSTS_T2], item)) {
        model->heard = 2;
        model->p -= (b1 / b2 > 1 ? b1 / b2 : 1) * bytes;
        model->p = model->p < 0 ? 0 : model->p;
    }
}

void model_arrived(struct model *model, int item)
{
    struct model_item *it = &model->items[item];
    enum model_queue to = QUEUE_FIFO;
    if (is(model, "s3-fifo"))
        to = it->returning ? QUEUE_MAIN : QUEUE_SMALL;
    if (is(model, "arc"))
        to = model->wanted == item && model->heard ? QUEUE_T2 : QUEUE_T1;
    for (int ghosts = GHOSTS_SMALL; ghosts < MODEL_QUEUES; ghosts++)
        take(&model->queue[ghosts], item);
    if (model->wanted == item) {
        model->wanted = -1;
        model->heard = 0;
    }
    it->returning = false;
    it->uses = 0;
    price(model, item);
    model->resident[item] = true;
    append(&model->queue[to], item);
}

void model_used(struct model *model, int item)
{
    model->items[item].uses++;
    price(model, item);
    if (!is(model, "arc"))
        return;
    if (!take(&model->queue[QUEUE_T1], item))
        take(&model->queue[QUEUE_T2], item);
    append(&model->queue[QUEUE_T2], item);
}

static void keep_ghost(struct model *model, int item)
{
    uint64_t most = model->pages - model->pages / 10 - (model->pages % 10 != 0);
    struct model_list *ghosts = &model->queue[GHOSTS_SMALL];
    if (model->items[item].bytes > most * MODEL_PAGE)
        return;
    while (bytes_of(model, GHOSTS_SMALL) + model->items[item].bytes > most * MODEL_PAGE)
        take(ghosts, ghosts->item[0]);
    append(ghosts, item);
}

void model_left(struct model *model, int item, bool victim)
{
    int ghosts = -1;
    if (victim && is(model, "arc"))
        ghosts = arc_ghosts(model, item);
    else if (victim)
        for (int next; (next = evict(model)) != item;)
            model->items[next].aside = true;
    if (victim && is(model, "gds") && model->items[item].worth > (double)model->inflation)
        model->inflation = (uint64_t)model->items[item].worth;
    for (int i = 0; i < MODEL_ITEMS; i++)
        model->items[i].aside = false;
    if (model->hand == item) {
        const struct model_list *list = &model->queue[QUEUE_FIFO];
        int at = find(list, item);
        model->hand = at + 1 < list->count ? list->item[at + 1] : -1;
    }
    bool small = find(&model->queue[QUEUE_SMALL], item) >= 0;
    for (int queue = 0; queue < GHOSTS_SMALL; queue++)
        take(&model->queue[queue], item);
    model->resident[item] = false;
    if (victim && small)
        keep_ghost(model, item);
    if (ghosts >= 0)
        append(&model->queue[ghosts], item);
}

void model_forgotten(struct model *model, int item)
{
    for (int queue = 0; queue < MODEL_QUEUES; queue++)
        take(&model->queue[queue], item);
    model->items[item].returning = false;
    if (model->wanted == item) {
        model->wanted = -1;
        model->heard = 0;
    }
}
