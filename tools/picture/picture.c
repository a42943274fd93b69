/* SPDX-License-Identifier: MIT */
/*
 * picture.c: which pictures are drawn, what stands above and below each, and in which file is it?
 */
#include "tools/picture/picture.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/picture/sheet.h"

enum { HEAD = 64 * PX, NOTES = 24 * PX, MARKERS = 22 * PX };

struct picture {
    const struct scene *scene;
    struct sink_options options;
};

/* One picture: an act, or a map of it. */
struct part {
    const struct scene_act *act;
    const struct scene_said *map; /* NULL: it is the act */
    uint64_t number;              /* of the map, in the run */
};

/* ---- which ----------------------------------------------------------------------------------- */

/* The part with this number; false: there are fewer. An act in which nothing happened is none. */
static bool find_part(const struct picture *picture, uint64_t wanted, struct part *part)
{
    const struct scene *scene = picture->scene;
    uint64_t number = 0;
    for (size_t i = 0; i < scene->act_count; i++) {
        const struct scene_act *act = &scene->acts[i];
        if (!picture->options.maps && act->segments.count && ++number == wanted) {
            *part = (struct part){ .act = act };
            return true;
        }
        for (uint32_t k = 0; picture->options.maps && k < act->said.count; k++) {
            const struct scene_said *said = &scene->said[act->said.first + k];
            if (said->kind != SCENE_MAP || said->segment == SCENE_NONE || ++number != wanted)
                continue;
            *part = (struct part){ .act = act, .map = said, .number = wanted };
            return true;
        }
    }
    return false;
}

/* ---- an act ---------------------------------------------------------------------------------- */

static const char *lesson_of(const struct sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->act->said.count; i++) {
        const struct scene_said *said = &sheet->scene->said[sheet->act->said.first + i];
        if (said->kind == SCENE_LESSON)
            return sheet_text(sheet, said->text);
    }
    return "";
}

/* The lesson or the test, else the file. */
static const char *title_of(const struct sheet *sheet)
{
    const char *test = sheet_text(sheet, sheet->act->name), *lesson = lesson_of(sheet);
    const char *file = sheet_text(sheet, sheet->act->file), *slash = strrchr(file, '/');
    return *test ? test : *lesson ? lesson : slash ? slash + 1 : file;
}

static uint64_t act_height(const struct sheet *sheet)
{
    return HEAD + MARKERS + segments_height(sheet) + lanes_height(sheet) + axis_height() +
           style_legend_height() + NOTES;
}

/* Where the scenario says `show map`: the numbers that --maps gives them. */
static void draw_markers(struct sheet *sheet, uint64_t first)
{
    uint64_t number = first;
    for (uint32_t i = 0; i < sheet->act->said.count; i++) {
        const struct scene_said *said = &sheet->scene->said[sheet->act->said.first + i];
        if (said->kind != SCENE_MAP)
            continue;
        number++;
        if (said->time < sheet->axis.from || said->time > sheet->axis.to)
            continue;
        uint64_t x = axis_x(&sheet->axis, said->time);
        svg_box(sheet->out, (struct svg_box){ x - 9 * PX, sheet->y, 18 * PX, 14 * PX }, "flag",
                text_print("show map, line %" PRIu32, said->line).it);
        svg_text(sheet->out, x, sheet->y + 11 * PX, "flagged", text_print("%" PRIu64, number).it);
        svg_line(sheet->out, (struct svg_box){ x, sheet->y + 14 * PX, 0, MARKERS }, "axis");
    }
    sheet->y += MARKERS;
}

/* Maps before those of this act. */
static uint64_t maps_before(const struct sheet *sheet)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sheet->act->said.first; i++)
        count += sheet->scene->said[i].kind == SCENE_MAP;
    return count;
}

static void draw_head(struct sheet *sheet)
{
    struct text words = { 0 };
    const char *file = sheet_text(sheet, sheet->act->file);
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 34 * PX, "title", title_of(sheet));
    text_add(&words, "%s, virtual time %s to %s", file,
             axis_words(&sheet->axis, sheet->axis.from).it,
             axis_words(&sheet->axis, sheet->axis.to).it);
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 55 * PX, "sub", text_get(&words));
    if (!sheet->act->passed)
        svg_text(sheet->out, SHEET_WIDE - SHEET_EDGE, sheet->y + 34 * PX, "bad end",
                 "not everything was as expected");
    text_free(&words);
    sheet->y += HEAD;
}

static void draw_notes(struct sheet *sheet)
{
    struct text words = { 0 };
    text_add(&words, "Addresses go up, time goes right.");
    if (sheet->axis.step)
        text_add(&words, " Where much happens at once the axis is stretched: the times below it "
                         "are exact.");
    if (sheet->merged)
        text_add(&words, " %s not drawn: others are there in the same pixels.",
                 text_count(sheet->merged, "box").it);
    if (sheet->scene->omitted.stays || sheet->scene->omitted.slices)
        text_add(&words, " %" PRIu64 " stays and %" PRIu64 " packets were too many to be kept.",
                 sheet->scene->omitted.stays, sheet->scene->omitted.slices);
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 10 * PX, "small", text_get(&words));
    text_free(&words);
    sheet->y += NOTES;
}

static void draw_act(struct sheet *sheet)
{
    draw_head(sheet);
    uint64_t top = sheet->y + MARKERS, room = segments_height(sheet) + lanes_height(sheet);
    draw_markers(sheet, maps_before(sheet));
    sheet->y = top + room;
    axis_draw(sheet, top);
    uint64_t bottom = sheet->y;
    sheet->y = top;
    segments_draw(sheet);
    lanes_draw(sheet);
    sheet->y = bottom;
    style_legend(sheet);
    draw_notes(sheet);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void begin_part(const struct picture *picture, const struct part *part, struct sheet *sheet)
{
    *sheet = (struct sheet){ .scene = picture->scene, .act = part->act };
    axis_init(&sheet->axis, picture->scene, part->act, &picture->options);
}

static uint64_t part_height(const struct picture *picture, const struct part *part)
{
    struct sheet sheet;
    begin_part(picture, part, &sheet);
    uint64_t height =
        part->map ? moment_height(&sheet, part->map) + style_legend_height() : act_height(&sheet);
    axis_fini(&sheet.axis);
    return height;
}

static void draw_part(const struct picture *picture, const struct part *part, FILE *out,
                      uint64_t *y)
{
    struct sheet sheet;
    begin_part(picture, part, &sheet);
    sheet.out = out;
    sheet.y = *y;
    if (part->map) {
        moment_draw(&sheet, part->map, part->number);
        style_legend(&sheet);
    } else {
        draw_act(&sheet);
    }
    *y = sheet.y;
    axis_fini(&sheet.axis);
}

/* Parts `first` to `last`, one below the other. */
static void draw_parts(const struct picture *picture, uint64_t first, uint64_t last, FILE *out)
{
    struct part part = { 0 };
    struct svg_head head = { .width = SHEET_WIDE, .style = sheet_style };
    struct text desc = { 0 }, title = { 0 };
    for (uint64_t i = first; i <= last && find_part(picture, i, &part); i++)
        head.height += part_height(picture, &part);
    if (find_part(picture, first, &part)) {
        struct sheet sheet;
        begin_part(picture, &part, &sheet);
        text_add(&title, "%s", title_of(&sheet));
        text_add(&desc,
                 "Segments of video memory %s, of %s: %" PRIu32 " stays of allocations. "
                 "Boxes have a text that says what they are.",
                 part.map ? "at one moment" : "over virtual time",
                 sheet_text(&sheet, part.act->file), part.act->stays.count);
        axis_fini(&sheet.axis);
    }
    head.title = text_get(&title);
    head.desc = text_get(&desc);
    svg_open(out, &head);
    style_patterns(out);
    uint64_t y = 0;
    for (uint64_t i = first; i <= last && find_part(picture, i, &part); i++)
        draw_part(picture, &part, out, &y);
    svg_close(out);
    text_free(&desc);
    text_free(&title);
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

static bool draw_file(const struct picture *picture, struct files *files, uint64_t number)
{
    const char *pattern = picture->options.many, *place = picture_place(pattern);
    BASE_GROW(files->at, files->capacity, files->count + 1);
    struct file *file = &files->at[files->count++];
    *file = (struct file){ 0 };
    text_add_bytes(&file->name, pattern, (size_t)(place - pattern));
    text_add(&file->name, "%" PRIu64 "%s", number, place + 2);
    if (!output_begin(&file->output, text_get(&file->name)))
        return false;
    draw_parts(picture, number, number, file->output.file);
    return output_close(&file->output);
}

/* False: none is written. */
static bool draw_files(const struct picture *picture)
{
    struct files files = { 0 };
    struct part part;
    bool good = true;
    for (uint64_t i = 1; good && find_part(picture, i, &part); i++)
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
    (void)fprintf(stderr, "vidmm: there is nothing to draw: %s\n",
                  picture->options.maps
                      ? "--maps is a picture of each `show map SEGMENT`, and none was reached"
                      : "no adapter started");
    return SINK_NOTHING;
}

static void finished(const struct scene *scene, void *context)
{
    struct picture *picture = context;
    struct part part;
    enum sink_drawn drawn = SINK_DRAWN;
    picture->scene = scene;
    if (!find_part(picture, 1, &part))
        drawn = tell_nothing(picture);
    else if (!picture->options.many)
        draw_parts(picture, 1, UINT64_MAX, picture->options.screen.out);
    else if (*picture->options.whole && !draw_files(picture))
        drawn = SINK_LOST;
    *picture->options.drawn = drawn;
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
