/* SPDX-License-Identifier: MIT */
/*
 * hues.c: which colour gets an allocation, so that no two boxes are alike that touch?
 *
 * Two allocations meet when one took a place of the other, or when one lies beside the other. A
 * list of who lay where last, through which the stays of an act go in the order of time, finds
 * those: a stay meets the ones that it covers, and the nearest one on each side. An allocation has
 * the hue of its number unless one that it meets has it; a few rounds mend what the first could not
 * know. All of it costs about as much as sorting the stays.
 *
 * Two runs beside each other get one colouring of what meets in either: an allocation of the one
 * and that of the same name of the other are one to it.
 *
 * The spots of the list are the begins and ends of all stays. A bit for each, in levels of words,
 * says where a range begins, so that the one before any spot is found in a few steps.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/scene/scene_state.h"

enum { LEVELS = 6, WORD = 64, ROUNDS = 6 };

/* What it costs to be alike: those with a hole between them should differ, too, if that is free. */
enum { COST_TOUCH = 1 << 16, COST_NEAR = 1 };

struct spot {
    uint64_t offset;
    scene_index segment;
};

struct meeting {
    uint32_t one, other, cost;
};

/* A range of spots that belongs to a stay, by its first spot. */
struct range {
    scene_index stay;
    uint32_t end, next;
};

/* An act that is coloured, and which hue each of its allocations has, by a number. */
struct side {
    struct scene *scene;
    const struct scene_act *act;
    uint32_t *numbers;
};

struct hues {
    const struct side *side; /* whose stays come now */
    struct spot *spots;
    size_t spot_count;
    uint64_t *levels[LEVELS];
    struct range *ranges;
    uint32_t head; /* the first range; SCENE_NONE: there is none */
    struct meeting *meetings;
    size_t count, capacity;
    uint8_t *given; /* by number */
    size_t number_count;
};

/* ---- spots ----------------------------------------------------------------------------------- */

static int compare_spots(const void *a, const void *b)
{
    const struct spot *left = a, *right = b;
    if (left->segment != right->segment)
        return left->segment < right->segment ? -1 : 1;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

static void find_spots(struct hues *hues)
{
    const struct scene_range stays = hues->side->act->stays;
    size_t kept = 0;
    hues->spot_count = 0;
    hues->spots = base_alloc(2 * (size_t)stays.count + 1, sizeof *hues->spots);
    for (size_t i = 0; i < stays.count; i++) {
        const struct scene_stay *stay = &hues->side->scene->stays[stays.first + i];
        hues->spots[hues->spot_count++] = (struct spot){ stay->offset, stay->segment };
        hues->spots[hues->spot_count++] =
            (struct spot){ stay->offset + stay->bytes, stay->segment };
    }
    qsort(hues->spots, hues->spot_count, sizeof *hues->spots, compare_spots);
    for (size_t i = 0; i < hues->spot_count; i++)
        if (!kept || compare_spots(&hues->spots[kept - 1], &hues->spots[i]) != 0)
            hues->spots[kept++] = hues->spots[i];
    hues->spot_count = kept;
}

static uint32_t spot_of(const struct hues *hues, scene_index segment, uint64_t offset)
{
    const struct spot wanted = { offset, segment };
    const struct spot *spot =
        bsearch(&wanted, hues->spots, hues->spot_count, sizeof wanted, compare_spots);
    return (uint32_t)(spot - hues->spots);
}

static void mark(struct hues *hues, uint32_t spot)
{
    for (size_t i = 0; i < LEVELS; i++, spot /= WORD)
        hues->levels[i][spot / WORD] |= (uint64_t)1 << spot % WORD;
}

static void unmark(struct hues *hues, uint32_t spot)
{
    for (size_t i = 0; i < LEVELS; i++, spot /= WORD) {
        hues->levels[i][spot / WORD] &= ~((uint64_t)1 << spot % WORD);
        if (hues->levels[i][spot / WORD])
            return;
    }
}

static uint32_t last_of(uint64_t word)
{
    return WORD - 1 - (uint32_t)__builtin_clzll(word);
}

/* The last marked spot that is not behind this one, or SCENE_NONE. */
static uint32_t last_mark(const struct hues *hues, uint32_t spot)
{
    for (size_t level = 0;; level++) {
        CHECK(level < LEVELS); /* the last one has one word */
        uint64_t word = hues->levels[level][spot / WORD] & UINT64_MAX >> (WORD - 1 - spot % WORD);
        if (word) {
            spot = spot / WORD * WORD + last_of(word);
            while (level--)
                spot = spot * WORD + last_of(hues->levels[level][spot]);
            return spot;
        }
        if (spot < WORD)
            return SCENE_NONE;
        spot = spot / WORD - 1;
    }
}

/* ---- who meets whom -------------------------------------------------------------------------- */

static void meet(struct hues *hues, scene_index stay, uint32_t spot, bool touches)
{
    if (spot == SCENE_NONE)
        return;
    const struct side *side = hues->side;
    const uint32_t *numbers = side->numbers;
    const scene_index first = side->act->allocations.first;
    const struct scene_stay *one = &side->scene->stays[stay];
    const struct scene_stay *other = &side->scene->stays[hues->ranges[spot].stay];
    if (one->segment != other->segment || one->allocation == other->allocation ||
        one->allocation == SCENE_NONE || other->allocation == SCENE_NONE)
        return;
    BASE_GROW(hues->meetings, hues->capacity, hues->count + 1);
    hues->meetings[hues->count++] =
        (struct meeting){ numbers[one->allocation - first], numbers[other->allocation - first],
                          touches ? COST_TOUCH : COST_NEAR };
}

/* One that is over lies beside nothing that comes later. */
static bool is_beside(const struct hues *hues, scene_index stay, uint32_t spot)
{
    const struct scene *scene = hues->side->scene;
    return scene->stays[hues->ranges[spot].stay].end >= scene->stays[stay].begin;
}

/* What of a range lies behind `spot` begins there. */
static void put_rest(struct hues *hues, uint32_t spot, struct range range)
{
    hues->ranges[spot] = range;
    mark(hues, spot);
}

/* The ranges from `spot` on that end before `end`, or in part do, are no more; returns the next. */
static uint32_t cover(struct hues *hues, scene_index stay, uint32_t spot, uint32_t end)
{
    while (spot != SCENE_NONE && spot < end) {
        struct range range = hues->ranges[spot];
        meet(hues, stay, spot, true);
        unmark(hues, spot);
        spot = range.next;
        if (range.end > end) {
            put_rest(hues, end, range);
            spot = end;
        }
    }
    return spot;
}

static void come(struct hues *hues, scene_index stay)
{
    const struct scene_stay *row = &hues->side->scene->stays[stay];
    uint32_t begin = spot_of(hues, row->segment, row->offset);
    uint32_t end = spot_of(hues, row->segment, row->offset + row->bytes);
    uint32_t before = begin ? last_mark(hues, begin - 1) : SCENE_NONE;
    struct range *left = before == SCENE_NONE ? NULL : &hues->ranges[before];
    uint32_t next = left ? left->next : hues->head;
    if (begin == end)
        return;
    if (left) {
        struct range range = *left;
        meet(hues, stay, before,
             range.end > begin || (range.end == begin && is_beside(hues, stay, before)));
        left->end = min_u32(range.end, begin);
        if (range.end > end) {
            put_rest(hues, end, range);
            next = end;
        }
    }
    next = cover(hues, stay, next, end);
    meet(hues, stay, next, next == end && is_beside(hues, stay, next));
    put_rest(hues, begin, (struct range){ stay, end, next });
    *(left ? &left->next : &hues->head) = begin;
}

static void find_meetings(struct hues *hues)
{
    const struct scene_range stays = hues->side->act->stays;
    size_t words = hues->spot_count;
    hues->head = SCENE_NONE;
    hues->ranges = base_alloc(hues->spot_count + 1, sizeof *hues->ranges);
    for (size_t i = 0; i < LEVELS; i++) {
        words = words / WORD + 1;
        hues->levels[i] = base_alloc(words, sizeof *hues->levels[i]);
    }
    for (uint32_t i = 0; i < stays.count; i++)
        come(hues, stays.first + i);
    for (size_t i = 0; i < LEVELS; i++)
        base_free(hues->levels[i]);
    base_free(hues->ranges);
}

/* ---- hues ------------------------------------------------------------------------------------ */

/* Those that each meets, one behind the other; `ends`: where they end. */
static uint32_t *list_others(const struct hues *hues, size_t *ends)
{
    uint32_t *others = base_alloc(2 * hues->count + 1, sizeof *others);
    size_t all = 0;
    for (size_t i = 0; i < hues->count; i++) {
        ends[hues->meetings[i].one]++;
        ends[hues->meetings[i].other]++;
    }
    for (size_t i = 0; i < hues->number_count; i++) {
        size_t count = ends[i];
        ends[i] = all;
        all += count;
    }
    for (uint32_t i = 0; i < hues->count; i++) {
        others[ends[hues->meetings[i].one]++] = i;
        others[ends[hues->meetings[i].other]++] = i;
    }
    return others;
}

/* What each hue would cost this allocation; in the first round those behind it have none. */
static void add_costs(const struct hues *hues, const uint32_t *others, size_t count, uint32_t self,
                      uint64_t costs[SCENE_HUES + 1])
{
    for (size_t i = 0; i < count; i++) {
        const struct meeting *meeting = &hues->meetings[others[i]];
        uint32_t other = meeting->one == self ? meeting->other : meeting->one;
        costs[hues->given[other]] += meeting->cost;
    }
}

/* The cheapest, beginning with that of its number, or in later rounds with the one that it has. */
static bool choose(uint8_t *hue, uint32_t first, const uint64_t *costs)
{
    uint32_t best = first % SCENE_HUES, before = *hue;
    for (uint32_t i = 1; i < SCENE_HUES; i++)
        if (costs[(first + i) % SCENE_HUES] < costs[best])
            best = (first + i) % SCENE_HUES;
    *hue = (uint8_t)best;
    return best != before;
}

static void give_hues(struct hues *hues)
{
    size_t *ends = base_alloc(hues->number_count + 1, sizeof *ends);
    uint32_t *others = list_others(hues, ends);
    bool changes = true;
    for (size_t i = 0; i < hues->number_count; i++)
        hues->given[i] = SCENE_HUES; /* none yet */
    for (size_t round = 0; changes && round < ROUNDS; round++) {
        changes = false;
        for (uint32_t i = 0; i < hues->number_count; i++) {
            size_t begin = i ? ends[i - 1] : 0;
            uint64_t costs[SCENE_HUES + 1] = { 0 };
            add_costs(hues, others + begin, ends[i] - begin, i, costs);
            changes |= choose(&hues->given[i], round ? hues->given[i] : i, costs);
        }
    }
    base_free(others);
    base_free(ends);
}

/* The sides have numbers below `number_count`. */
static void colour(const struct side *sides, size_t count, size_t number_count)
{
    struct hues hues = { .number_count = number_count };
    for (size_t i = 0; i < count; i++) {
        hues.side = &sides[i];
        find_spots(&hues);
        find_meetings(&hues);
        base_free(hues.spots);
    }
    hues.given = base_alloc(number_count + 1, sizeof *hues.given);
    give_hues(&hues);
    for (size_t i = 0; i < count; i++) {
        const struct scene_range range = sides[i].act->allocations;
        for (uint32_t k = 0; k < range.count; k++)
            sides[i].scene->allocations[range.first + k].hue = hues.given[sides[i].numbers[k]];
    }
    base_free(hues.given);
    base_free(hues.meetings);
}

static void number(struct side *side)
{
    const uint32_t count = side->act->allocations.count;
    side->numbers = base_alloc((size_t)count + 1, sizeof *side->numbers);
    for (uint32_t i = 0; i < count; i++)
        side->numbers[i] = i;
}

void hues_give(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    struct side side = { .scene = scene, .act = &scene->acts[scene->act_count - 1] };
    number(&side);
    colour(&side, 1, side.act->allocations.count);
    base_free(side.numbers);
}

/* ---- two runs -------------------------------------------------------------------------------- */

struct name {
    const char *text;
    uint32_t index;
};

static int compare_names(const void *a, const void *b)
{
    const struct name *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->index > right->index) - (left->index < right->index);
}

/* The allocations of an act by name; without one, the acts. */
static struct name *sort_names(const struct scene *scene, const struct scene_act *act, size_t count)
{
    struct name *names = base_alloc(count + 1, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        scene_text text =
            act ? scene->allocations[act->allocations.first + i].label : scene->acts[i].name;
        names[i] = (struct name){ scene_string(scene, text), i };
    }
    qsort(names, count, sizeof *names, compare_names);
    return names;
}

/* Of each of `right` the one of `left` with its name, in order where a name repeats. */
static void match(const struct name *left, size_t left_count, const struct name *right,
                  size_t right_count, uint32_t *found)
{
    for (size_t i = 0; i < right_count; i++)
        found[i] = SCENE_NONE;
    for (size_t i = 0, k = 0; i < left_count && k < right_count;) {
        int order = strcmp(left[i].text, right[k].text);
        if (order == 0)
            found[right[k].index] = left[i].index;
        i += order <= 0;
        k += order >= 0;
    }
}

static void share(struct side *one, struct side *other)
{
    const size_t count = one->act->allocations.count, others = other->act->allocations.count;
    struct name *left = sort_names(one->scene, one->act, count);
    struct name *right = sort_names(other->scene, other->act, others);
    size_t all = count;
    number(one);
    number(other);
    match(left, count, right, others, other->numbers);
    for (size_t i = 0; i < others; i++)
        if (other->numbers[i] == SCENE_NONE)
            other->numbers[i] = (uint32_t)all++;
    colour((struct side[]){ *one, *other }, 2, all);
    base_free(left);
    base_free(right);
    base_free(one->numbers);
    base_free(other->numbers);
}

void hues_share(struct scene *a, struct scene *b)
{
    struct name *left = sort_names(a, NULL, a->act_count);
    struct name *right = sort_names(b, NULL, b->act_count);
    uint32_t *found = base_alloc(b->act_count + 1, sizeof *found);
    match(left, a->act_count, right, b->act_count, found);
    for (size_t i = 0; i < b->act_count; i++) {
        /* One without a name is compared with that at its place. */
        bool unnamed = i < a->act_count && !(a->acts[i].name && b->acts[i].name);
        size_t act = found[i] != SCENE_NONE ? found[i] : unnamed ? i : SCENE_NONE;
        if (act != SCENE_NONE)
            share(&(struct side){ .scene = a, .act = &a->acts[act] },
                  &(struct side){ .scene = b, .act = &b->acts[i] });
    }
    base_free(left);
    base_free(right);
    base_free(found);
}
