/* SPDX-License-Identifier: MIT */
/*
 * picture.c: which pictures are drawn, and in which file is each?
 */
#include "tools/picture/picture.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/picture/sheet.h"

struct picture {
    const struct scene *scene;
    struct sink_options options;
    struct part *parts;
    size_t count, capacity;
    struct scene_act nothing; /* of a file that says nothing at all */
    struct present present;
};

/* ---- which ----------------------------------------------------------------------------------- */

static void add_part(struct picture *picture, const struct part *part)
{
    BASE_GROW(picture->parts, picture->capacity, picture->count + 1);
    picture->parts[picture->count++] = *part;
}

/* A run without adapter is a picture of its own, as it is a page: one that says so. */
static void add_nothing(struct picture *picture)
{
    const struct scene *scene = picture->scene;
    add_part(picture, &(struct part){ .act = scene->act_count ? scene->acts : &picture->nothing });
}

/* An act in which nothing happened is none beside others. */
static void find_parts(struct picture *picture)
{
    const struct scene *scene = picture->scene;
    uint64_t maps = 0;
    for (size_t i = 0; i < scene->act_count; i++) {
        const struct scene_act *act = &scene->acts[i];
        if (!picture->options.maps && act->segments.count)
            add_part(picture, &(struct part){ .act = act, .maps = maps });
        for (uint32_t k = 0; k < act->said.count; k++) {
            const struct scene_said *said = &scene->said[act->said.first + k];
            if (!act_is_map(said))
                continue;
            if (picture->options.maps)
                add_part(picture, &(struct part){ .act = act, .map = said, .maps = maps });
            maps++;
        }
    }
    if (!picture->count && !picture->options.maps && *picture->options.whole)
        add_nothing(picture);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void sheet_init(struct sheet *sheet, const struct picture *picture, const struct part *part)
{
    *sheet = (struct sheet){ .scene = picture->scene, .act = part->act };
    if (part->map)
        return;
    axis_init(&sheet->axis, picture->scene, part->act, &picture->options);
    sheet->used = segments_look(sheet);
    sheet->busy = lanes_look(sheet);
}

static void sheet_fini(struct sheet *sheet)
{
    axis_fini(&sheet->axis);
    base_free(sheet->used);
    base_free(sheet->busy);
}

static uint64_t part_height(struct picture *picture, const struct part *part)
{
    struct sheet sheet;
    if (part->map) {
        present_go(&picture->present, picture->scene, part);
        return moment_height(part, &picture->present);
    }
    sheet_init(&sheet, picture, part);
    uint64_t height = act_height(&sheet);
    sheet_fini(&sheet);
    return height;
}

static void draw_part(struct picture *picture, const struct part *part, FILE *out, uint64_t *y)
{
    struct sheet sheet;
    sheet_init(&sheet, picture, part);
    sheet.out = out;
    sheet.y = *y;
    if (part->map) {
        present_go(&picture->present, picture->scene, part);
        moment_draw(&sheet, part, &picture->present);
    } else {
        act_draw(&sheet, part);
    }
    *y = sheet.y;
    sheet_fini(&sheet);
}

/* Of one map: the segment at its moment. */
static void add_title(const struct picture *picture, const struct part *part, bool alone,
                      struct text *title)
{
    const struct sheet sheet = { .scene = picture->scene, .act = part->act };
    if (part->map && alone)
        text_add(title, "%s at %s",
                 scene_string(picture->scene, picture->scene->segments[part->map->segment].name),
                 text_time(part->map->time).it);
    else
        text_add(title, "%s", act_title(&sheet));
}

static void describe(const struct picture *picture, const struct part *first, struct text *desc)
{
    const char *file = scene_string(picture->scene, first->act->file);
    if (!first->act->segments.count)
        text_add(desc, "A run of %s in which no adapter started.", file);
    else
        text_add(desc,
                 "Segments of video memory %s, of %s: %" PRIu32 " stays of allocations. "
                 "Boxes have a text that says what they are.",
                 first->map ? "at one moment" : "over virtual time", file, first->act->stays.count);
}

static void open_picture(struct picture *picture, const struct part *first, size_t count, FILE *out)
{
    struct text desc = { 0 }, title = { 0 }, style = style_sheet();
    struct svg_head head = { .width = SHEET_WIDE };
    for (size_t i = 0; i < count; i++)
        head.height += part_height(picture, &first[i]);
    add_title(picture, first, count == 1, &title);
    describe(picture, first, &desc);
    head.title = text_get(&title);
    head.desc = text_get(&desc);
    head.style = text_get(&style);
    svg_open(out, &head);
    style_patterns(out);
    text_free(&desc);
    text_free(&title);
    text_free(&style);
}

/* One below the other. */
static void draw_parts(struct picture *picture, const struct part *first, size_t count, FILE *out)
{
    uint64_t y = 0;
    open_picture(picture, first, count, out);
    for (size_t i = 0; i < count; i++)
        draw_part(picture, &first[i], out, &y);
    svg_close(out);
}

/* ---- files ----------------------------------------------------------------------------------- */

const char *picture_place(const char *pattern)
{
    const char *place = strstr(pattern, "%d");
    return place && !strchr(place + 1, '%') && strchr(pattern, '%') == place ? place : NULL;
}

/* Files of their own: none has its name before all are written. */
struct files {
    struct file {
        struct text name;
        struct output output;
    } * at;
    size_t count, capacity;
};

static bool draw_file(struct picture *picture, struct files *files, size_t number)
{
    const char *pattern = picture->options.many, *place = picture_place(pattern);
    BASE_GROW(files->at, files->capacity, files->count + 1);
    struct file *file = &files->at[files->count++];
    *file = (struct file){ 0 };
    text_add_bytes(&file->name, pattern, (size_t)(place - pattern));
    text_add(&file->name, "%zu%s", number, place + 2);
    if (!output_begin(&file->output, text_get(&file->name)))
        return false;
    draw_parts(picture, &picture->parts[number - 1], 1, file->output.file);
    return output_close(&file->output);
}

/* False: none is written. */
static bool draw_files(struct picture *picture)
{
    struct files files = { 0 };
    bool good = true;
    for (size_t i = 1; good && i <= picture->count; i++)
        good = draw_file(picture, &files, i) && !interrupt_seen();
    for (size_t i = 0; i < files.count; i++) {
        good = output_end(&files.at[i].output, good) && good;
        text_free(&files.at[i].name);
    }
    base_free(files.at);
    return good;
}

/* The exit code says why there is no picture of a run that did not come to its end. */
static enum sink_drawn tell_nothing(const struct picture *picture)
{
    if (!*picture->options.whole)
        return SINK_DRAWN;
    (void)fputs(
        "vidmm: there is nothing to draw: --maps is a picture of each `show map SEGMENT`, and "
        "none was reached\n",
        stderr);
    return SINK_NOTHING;
}

static void finished(const struct scene *scene, void *context)
{
    struct picture *picture = context;
    enum sink_drawn drawn = SINK_DRAWN;
    picture->scene = scene;
    find_parts(picture);
    if (!picture->count)
        drawn = tell_nothing(picture);
    else if (!picture->options.many)
        draw_parts(picture, picture->parts, picture->count, picture->options.screen.out);
    else if (*picture->options.whole && !draw_files(picture))
        drawn = SINK_LOST;
    *picture->options.drawn = drawn;
    present_fini(&picture->present);
    base_free(picture->parts);
    base_free(picture);
}

struct sink *picture_open(const struct sink_options *options)
{
    struct picture *picture = base_alloc(1, sizeof *picture);
    picture->options = *options;
    const struct scene_options scene = { .most_events = options->most_events,
                                         .finished = finished,
                                         .context = picture };
    return scene_open(&scene);
}
