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
#include "tests/tools/scene/stage.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MOST = 40 };

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

struct books {
    const char *file;
    struct parts manager, scene;
    uint64_t acts, parts, skipped;
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

static void look(struct stage *stage, const struct vidmm_adapter *adapter)
{
    struct books *books = stage->caller;
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
        bool resident = stay->kind == SCENE_STAY_ALLOCATION && stay->left == SCENE_NONE &&
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

static void after(struct stage *stage)
{
    struct books *books = stage->caller;
    const struct scene *scene = scene_of(stage->sink);
    const struct scene_act *act = &scene->acts[scene->act_count - 1];
    collect(books, scene);
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

static void run_one(struct books *books, const char *file)
{
    struct stage stage;
    char *text = NULL;
    size_t bytes = 0;
    if (!read_file(file, &text, &bytes)) {
        (void)printf("%s: cannot be read\n", file);
        books->problems++;
        return;
    }
    books->file = file;
    stage_open(&stage, NULL);
    stage.look = look;
    stage.after = after;
    stage.caller = books;
    (void)stage_run(&stage, file, text ? text : "", bytes);
    stage_close(&stage);
    base_free(text);
}

int main(int argc, char **argv)
{
    struct books books = { 0 };
    for (int i = 1; i < argc; i++)
        run_one(&books, argv[i]);
    base_free(books.manager.at);
    base_free(books.scene.at);
    (void)printf("%" PRIu64 " acts, %" PRIu64 " ranges compared, %" PRIu64
                 " segments of adapters that ended\n",
                 books.acts, books.parts, books.skipped);
    return books.problems || !books.parts;
}
