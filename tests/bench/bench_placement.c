/* SPDX-License-Identifier: MIT */
/*
 * bench_placement.c: how far each placement policy is from the best possible peak.
 *
 *     bench_placement FILE.csv...        MiniMalloc problems (id,lower,upper,size), optimum 1048576
 *     bench_placement --cut SEED COUNT   problems of our own, made of a rectangle that was cut up
 *
 * A problem is a set of boxes, time by bytes. A policy sees them one after the other, in the order
 * of their begin, the largest first; what ends at that time has gone. Measured is the smallest size
 * of segment in which everything finds a place, in steps of one percent. The optimum is known, by
 * the source of the problem or because the boxes fill a rectangle. With --cut the exit code is 1
 * when a policy is better than the optimum, or its mean worse than its limit.
 */
#include "segments/policies/policies.h"
#include "segments/segment.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, CHALLENGING = 1048576, CUT_BYTES = 4096, CUTS = 400 };

struct box {
    uint64_t begin, end, pages, place;
};

struct problem {
    struct box *boxes;
    size_t count, capacity;
    uint64_t best; /* pages */
};

struct space {
    struct vidmm_space view;
    const struct segment *segment;
};

static bool next(const struct vidmm_space *space, struct vidmm_search *rest, struct vidmm_fit *fit)
{
    return segment_next_fit(CONTAINER_OF(space, const struct space, view)->segment, rest, fit);
}

static void add_box(struct problem *problem, struct box box)
{
    BASE_GROW(problem->boxes, problem->capacity, problem->count + 1);
    problem->boxes[problem->count++] = box;
}

/* ---- problems ------------------------------------------------------------------------------- */

static bool read_csv(const char *path, struct problem *problem)
{
    char line[512];
    FILE *file = fopen(path, "r");
    problem->best = CHALLENGING;
    while (file && fgets(line, sizeof line, file)) {
        struct box box = { 0 };
        if (sscanf(line, "%*[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64, &box.begin, &box.end,
                   &box.pages) == 3)
            add_box(problem, box);
    }
    if (file)
        (void)fclose(file);
    return problem->count > 0;
}

/* Cuts a box across time or across bytes, again and again: they still fill the rectangle. */
static void cut(uint64_t seed, struct problem *problem)
{
    problem->best = CUT_BYTES;
    add_box(problem, (struct box){ 0, CUT_BYTES, CUT_BYTES, 0 });
    for (int i = 0; i < CUTS; i++) {
        struct box *box = &problem->boxes[random_below(&seed, problem->count)];
        struct box other = *box;
        bool time = random_below(&seed, 2);
        uint64_t length = time ? box->end - box->begin : box->pages;
        if (length < 2)
            continue;
        uint64_t at = 1 + random_below(&seed, length - 1);
        if (time)
            other.begin = box->end = box->begin + at;
        else
            other.pages = box->pages - at;
        if (!time)
            box->pages = at;
        add_box(problem, other);
    }
}

static int by_begin(const void *left, const void *right)
{
    const struct box *a = left, *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : a->pages > b->pages ? -1 : 1;
}

/* ---- one policy ----------------------------------------------------------------------------- */

static void release_ended(const struct problem *problem, size_t count, struct segment *segment)
{
    for (size_t i = 0; i < count; i++) {
        struct box *old = &problem->boxes[i];
        if (old->end > problem->boxes[count].begin || old->place == UINT64_MAX)
            continue;
        segment_release(segment, (struct range){ old->place, old->pages * PAGE }, SEGMENT_MOVABLE);
        old->place = UINT64_MAX;
    }
}

/* Does everything find a place in a segment of so many pages? */
static bool fits(const struct vidmm_placement_policy *policy, const struct problem *problem,
                 uint64_t pages)
{
    struct vidmm_segment_desc desc = { .id = 1, .page_bytes = PAGE, .bytes = pages * PAGE };
    struct segment segment;
    uint64_t state[8] = { 0 };
    bool found = true;
    CHECK(policy->state_bytes <= sizeof state);
    segment_init(&segment, &desc, 20);
    for (size_t i = 0; i < problem->count && found; i++) {
        struct box *box = &problem->boxes[i];
        const struct space space = { { &segment.desc, next }, &segment };
        const struct vidmm_search search = {
            .segment = 1, .high = desc.bytes, .footprint = box->pages * PAGE, .alignment = PAGE
        };
        release_ended(problem, i, &segment);
        found = segment_find(&segment, &search, &box->place);
        if (found && policy->pick)
            (void)policy->pick(state, &space.view, &search, &box->place);
        if (found && policy->placed)
            policy->placed(state, &search, box->place);
        if (found)
            segment_take(&segment, (struct range){ box->place, search.footprint }, SEGMENT_MOVABLE);
    }
    segment_check(&segment);
    segment_fini(&segment);
    return found;
}

/* The smallest size that suffices, in percent of the best; smaller ones are tried first, because a
   policy may need more in a larger segment. */
static uint64_t need(const struct vidmm_placement_policy *policy, const struct problem *problem)
{
    uint64_t percent = 99;
    while (!fits(policy, problem, problem->best * percent / 100))
        percent++;
    return percent;
}

/* Prints a row. False: better than possible, so two lay in one place. */
static bool measure(const char *name, struct problem *problem, double *sums)
{
    const struct vidmm_placement_policy *policy;
    bool possible = true;
    qsort(problem->boxes, problem->count, sizeof *problem->boxes, by_begin);
    printf("%-24s %6zu", name, problem->count);
    for (size_t i = 0; (policy = vidmm_placement_policy_row(i)) != NULL; i++) {
        double ratio = (double)need(policy, problem) / 100;
        printf(" %10.2f", ratio);
        sums[i] += ratio;
        possible &= ratio >= 1;
    }
    printf("\n");
    base_free(problem->boxes);
    return possible;
}

/* The means of many cut rectangles, in percent of the optimum. */
static bool within_limits(const double *sums, int count)
{
    static const struct {
        const struct vidmm_placement_policy *policy;
        int most;
    } limits[] = {
        { &placement_wddm, 170 },     { &placement_best_fit, 165 }, { &placement_worst_fit, 200 },
        { &placement_next_fit, 210 }, { &placement_buddy, 190 },    { &placement_segregated, 165 },
    };
    bool within = true;
    for (size_t i = 0; i < ARRAY_COUNT(limits); i++) {
        CHECK(vidmm_placement_policy_row(i) == limits[i].policy);
        within &= sums[i] * 100 <= (double)limits[i].most * count;
    }
    return within && !vidmm_placement_policy_row(ARRAY_COUNT(limits));
}

int main(int argc, char **argv)
{
    const struct vidmm_placement_policy *policy;
    bool cuts = argc == 4 && strcmp(argv[1], "--cut") == 0;
    double sums[16] = { 0 };
    bool possible = true;
    int first = cuts ? (int)strtol(argv[2], NULL, 10) : 1;
    int end = cuts ? first + (int)strtol(argv[3], NULL, 10) : argc;
    printf("%-24s %6s", "size over optimum", "boxes");
    for (size_t i = 0; (policy = vidmm_placement_policy_row(i)) != NULL; i++)
        printf(" %10s", policy->name);
    printf("\n");
    for (int i = first; i < end; i++) {
        struct problem problem = { 0 };
        char name[64];
        const char *base = cuts ? NULL : strrchr(argv[i], '/');
        (void)snprintf(name, sizeof name, "seed %d", i);
        if (cuts) {
            cut((uint64_t)i, &problem);
        } else if (!read_csv(argv[i], &problem)) {
            (void)fprintf(stderr, "%s: no boxes\n", argv[i]);
            return 3;
        }
        possible &= measure(cuts ? name : base ? base + 1 : argv[i], &problem, sums);
    }
    printf("%-24s %6s", "mean", "");
    for (size_t i = 0; vidmm_placement_policy_row(i) && end > first; i++)
        printf(" %10.2f", sums[i] / (end - first));
    printf("\n");
    return cuts && !(possible && within_limits(sums, end - first));
}
