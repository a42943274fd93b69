/* SPDX-License-Identifier: MIT */
/*
 * scene_books.c: at the end of every act, what the scene still shows in a segment is what the
 * manager says lies there.
 *
 *     scene_books SCENARIO...
 *
 * Each allocation: the same segment, offset and size, with nothing missing and nothing beside it.
 * Everything else that is taken (paging buffers, DMA buffers, ranges of evictions): the same bytes.
 */
#include "tests/support/read_file.h"
#include "tests/tools/scene/sound.h"
#include "tests/tools/scene/stage.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MOST = 40, FEW = 60 };

/* What one segment holds, as either side says it. */
struct part {
    uint32_t segment;
    uint64_t offset, bytes;
    vidmm_handle allocation; /* 0: anything else */
};

struct parts {
    struct part *at;
    size_t count, capacity;
};

/* A state of an allocation that holds. */
struct mark {
    vidmm_handle allocation;
    enum scene_mark_kind kind;
};

struct books {
    const char *file;
    struct parts manager, scene;
    struct mark *marks; /* of the manager */
    size_t mark_count, mark_capacity;
    uint64_t *values; /* of counters, in their order */
    size_t value_count, value_capacity;
    uint64_t acts, parts, marked, skipped;
    unsigned problems;
};

static void add_part(struct parts *parts, struct part part)
{
    struct part *last = parts->count ? &parts->at[parts->count - 1] : NULL;
    /* What belongs to no allocation is one piece, however it came there. */
    if (last && !last->allocation && !part.allocation && last->segment == part.segment &&
        last->offset + last->bytes == part.offset) {
        last->bytes += part.bytes;
        return;
    }
    BASE_GROW(parts->at, parts->capacity, parts->count + 1);
    parts->at[parts->count++] = part;
}

/* Of the allocations that the scene knows. */
static void look_at_marks(struct books *books, const struct scene *scene,
                          const struct vidmm_adapter *adapter)
{
    const struct scene_range *all = &scene->acts[scene->act_count - 1].allocations;
    struct vidmm_allocation_view view;
    books->mark_count = 0;
    for (uint32_t i = all->first; i < all->first + all->count; i++) {
        vidmm_handle handle = scene->allocations[i].handle;
        if (scene->allocations[i].destroyed != SCENE_NONE ||
            !vidmm_allocation_view(adapter, handle, &view))
            continue;
        const bool on[] = { [SCENE_PINNED] = view.pinned,
                            [SCENE_DIRTY] =
                                view.gpu_dirty && view.residency == VIDMM_RESIDENCY_RESIDENT,
                            [SCENE_LOCKED] = view.locks != 0 };
        for (unsigned kind = 0; kind < ARRAY_COUNT(on); kind++) {
            if (!on[kind])
                continue;
            BASE_GROW(books->marks, books->mark_capacity, books->mark_count + 1);
            books->marks[books->mark_count++] = (struct mark){ handle, (enum scene_mark_kind)kind };
        }
    }
}

static void add_value(struct books *books, uint64_t value)
{
    BASE_GROW(books->values, books->value_capacity, books->value_count + 1);
    books->values[books->value_count++] = value;
}

static void look_at_counters(struct books *books, const struct vidmm_adapter *adapter)
{
    struct vidmm_segment_view view;
    books->value_count = 0;
    add_value(books, vidmm_counter(adapter, VIDMM_COUNTER_BYTES_PAGED_IN));
    add_value(books, vidmm_counter(adapter, VIDMM_COUNTER_BYTES_PAGED_OUT));
    add_value(books, vidmm_counter(adapter, VIDMM_COUNTER_STALL_NS));
    for (uint32_t id = 1; vidmm_segment_view(adapter, id, &view); id++) {
        add_value(books, view.used);
        add_value(books, view.free_bytes);
        add_value(books, view.largest_free);
        add_value(books, view.pinned);
        add_value(books, UINT64_MAX);
    }
}

static void look(struct stage *stage, const struct vidmm_adapter *adapter)
{
    struct books *books = stage->caller;
    look_at_marks(books, scene_of(stage->sink), adapter);
    look_at_counters(books, adapter);
    books->manager.count = 0;
    for (uint32_t id = 1; id <= vidmm_segment_count(adapter); id++) {
        size_t count = vidmm_segment_map(adapter, id, NULL, 0);
        struct vidmm_segment_span *spans = base_alloc(count, sizeof *spans);
        count = vidmm_segment_map(adapter, id, spans, count);
        books->skipped += count == 0;
        for (size_t i = 0; i < count; i++)
            if (strcmp(spans[i].what, "free") != 0)
                add_part(&books->manager,
                         (struct part){ id, spans[i].offset, spans[i].bytes, spans[i].allocation });
        base_free(spans);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct part *left = a, *right = b;
    if (left->segment != right->segment)
        return left->segment < right->segment ? -1 : 1;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return 0;
}

static void collect(struct books *books, const struct scene *scene)
{
    const struct scene_act *act = &scene->acts[scene->act_count - 1];
    struct parts all = { 0 };
    for (uint32_t i = 0; i < act->stays.count; i++) {
        const struct scene_stay *stay = &scene->stays[act->stays.first + i];
        if (!stay->still_there)
            continue;
        bool resident = stay->kind == SCENE_STAY_ALLOCATION && !stay->why_left &&
                        stay->allocation != SCENE_NONE;
        BASE_GROW(all.at, all.capacity, all.count + 1);
        all.at[all.count++] =
            (struct part){ scene->segments[stay->segment].id, stay->offset, stay->bytes,
                           resident ? scene->allocations[stay->allocation].handle : 0 };
    }
    if (all.count)
        qsort(all.at, all.count, sizeof *all.at, by_place);
    books->scene.count = 0;
    for (size_t i = 0; i < all.count; i++)
        add_part(&books->scene, all.at[i]);
    base_free(all.at);
}

static void print_part(const char *who, const struct parts *parts, size_t i)
{
    if (i < parts->count)
        (void)printf("  %s: segment %" PRIu32 " 0x%" PRIx64 "+0x%" PRIx64 " of %" PRIu32 "\n", who,
                     parts->at[i].segment, parts->at[i].offset, parts->at[i].bytes,
                     parts->at[i].allocation);
    else
        (void)printf("  %s: nothing more\n", who);
}

static bool same_part(const struct part *a, const struct part *b)
{
    return by_place(a, b) == 0 && a->bytes == b->bytes && a->allocation == b->allocation;
}

static void complain(struct books *books, const struct scene *scene, const char *what)
{
    const char *act =
        scene->act_count ? scene_string(scene, scene->acts[scene->act_count - 1].name) : "";
    if (books->problems++ < PROBLEMS_MOST)
        (void)printf("%s, %s: %s\n", books->file, act, what);
}

static bool has_mark(const struct books *books, const struct scene *scene,
                     const struct scene_mark *mark)
{
    for (size_t i = 0; i < books->mark_count; i++)
        if (books->marks[i].kind == mark->kind &&
            books->marks[i].allocation == scene->allocations[mark->allocation].handle)
            return true;
    return false;
}

static void compare_marks(struct books *books, const struct scene *scene)
{
    static const char *const names[] = { "pinned", "dirty", "locked" };
    const struct scene_range *all = &scene->acts[scene->act_count - 1].marks;
    size_t shown[ARRAY_COUNT(names)] = { 0 }, real[ARRAY_COUNT(names)] = { 0 };
    for (size_t i = 0; i < books->mark_count; i++)
        real[books->marks[i].kind]++;
    for (uint32_t i = all->first; i < all->first + all->count; i++) {
        const struct scene_mark *mark = &scene->marks[i];
        if (!mark->still_there || mark->kind >= ARRAY_COUNT(names))
            continue;
        shown[mark->kind]++;
        if (!has_mark(books, scene, mark))
            complain(books, scene, names[mark->kind]);
    }
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (shown[i] != real[i])
            complain(books, scene, names[i]);
    books->marked += books->mark_count;
}

/* The last point of each counter, and the ranges that are taken. */
static void compare_counters(struct books *books, const struct scene *scene)
{
    const struct scene_act *act = &scene->acts[scene->act_count - 1];
    if (act->counters.count < books->value_count && act->lanes.count)
        complain(books, scene, "counters are missing");
    for (uint32_t i = 0; i < act->counters.count && i < books->value_count; i++) {
        const struct scene_counter *counter = &scene->counters[act->counters.first + i];
        uint64_t value =
            counter->count ? scene->points[counter->first + counter->count - 1].value : 0;
        size_t at = i; /* those of the adapter, then those of each segment */
        if (counter->segment != SCENE_NONE)
            at = 5 * (scene->segments[counter->segment].id - 1) + (i - 3) % 5 + 3;
        if (at < books->value_count && books->values[at] != UINT64_MAX &&
            value != books->values[at])
            complain(books, scene, scene_string(scene, counter->name));
    }
    for (uint32_t i = 0; i < act->segments.count && books->manager.count; i++) {
        uint64_t used = 0;
        for (uint32_t j = act->stays.first; j < act->stays.first + act->stays.count; j++)
            if (scene->stays[j].still_there && scene->stays[j].segment == act->segments.first + i)
                used += scene->stays[j].bytes;
        uint32_t id = scene->segments[act->segments.first + i].id;
        if (5 * id <= books->value_count && used != books->values[3 + 5 * (id - 1)])
            complain(books, scene, "used is not the sum of what is there");
    }
}

static void after(struct stage *stage)
{
    struct books *books = stage->caller;
    const struct scene *scene = scene_of(stage->sink);
    const struct scene_act *act = &scene->acts[scene->act_count - 1];
    collect(books, scene);
    compare_marks(books, scene);
    compare_counters(books, scene);
    books->acts++;
    for (size_t i = 0; i < books->manager.count || i < books->scene.count; i++) {
        books->parts++;
        if (i < books->manager.count && i < books->scene.count &&
            same_part(&books->manager.at[i], &books->scene.at[i]))
            continue;
        if (books->problems++ < PROBLEMS_MOST) {
            (void)printf("%s, %s:\n", books->file, scene_string(scene, act->name));
            print_part("manager", &books->manager, i);
            print_part("scene  ", &books->scene, i);
        }
        return;
    }
}

/* Once as it is, and once with room for few rows: what is still there does not depend on it. */
static void run_one(struct books *books, const char *file, uint64_t most)
{
    const struct scene_options options = { .most_events = most, .calls = most != 0 };
    struct stage stage;
    char *text = NULL;
    size_t bytes = 0;
    if (!read_file(file, &text, &bytes)) {
        (void)printf("%s: cannot be read\n", file);
        books->problems++;
        return;
    }
    books->file = file;
    stage_open(&stage, &options);
    stage.look = look;
    stage.after = after;
    stage.caller = books;
    (void)stage_run(&stage, file, text ? text : "", bytes);
    const char *problem = sound_problem(stage.scene, options.calls);
    if (problem)
        complain(books, stage.scene, problem);
    stage_close(&stage);
    base_free(text);
}

int main(int argc, char **argv)
{
    struct books books = { 0 };
    for (int i = 1; i < argc; i++) {
        run_one(&books, argv[i], 0);
        run_one(&books, argv[i], FEW);
    }
    base_free(books.manager.at);
    base_free(books.scene.at);
    base_free(books.marks);
    base_free(books.values);
    (void)printf("%" PRIu64 " acts, %" PRIu64 " ranges and %" PRIu64 " marks compared, %" PRIu64
                 " segments of adapters that ended\n",
                 books.acts, books.parts, books.marked, books.skipped);
    return books.problems || !books.parts || !books.marked;
}
