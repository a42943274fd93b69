/* SPDX-License-Identifier: MIT */
/*
 * sheet.h: what the files of this folder share while a picture is drawn.
 *
 * Coordinates are tenths of a pixel. A part is asked for its height first, because the head of a
 * picture has that of the whole.
 */
#ifndef TOOLS_PICTURE_SHEET_H
#define TOOLS_PICTURE_SHEET_H

#include "tools/common/svg.h"
#include "tools/scene/scene.h"

enum {
    PX = SVG_PIXEL,
    SHEET_WIDE = 1280 * PX,
    SHEET_EDGE = 24 * PX,
    PLOT_LEFT = 128 * PX, /* names and scales stand before it */
    PLOT_RIGHT = 104 * PX,
    PLOT_WIDE = SHEET_WIDE - PLOT_LEFT - PLOT_RIGHT,
    COLOURS = 8
};

/* What a legend explains. */
enum legend {
    LEGEND_STAY,
    LEGEND_LEAVING,
    LEGEND_PINNED,
    LEGEND_DIRTY,
    LEGEND_LOCKED,
    LEGEND_OFFERED,
    LEGEND_MOVING,
    LEGEND_OTHER,
    LEGEND_RUN,
    LEGEND_PAGING,
    LEGEND_WAIT,
    LEGEND_QUEUED,
    LEGENDS
};

struct axis {
    vidmm_ns *moments; /* when something begins or ends, each once */
    size_t count;
    vidmm_ns from, to;
    uint64_t step; /* that each moment gets, however little time passes */
};

struct sheet {
    FILE *out;
    const struct scene *scene;
    const struct scene_act *act;
    struct axis axis;
    uint64_t y; /* the next part begins here */
    bool seen[LEGENDS];
    uint64_t merged; /* stays too small to be seen alone */
};

/* ---- axis.c: where on the axis is a moment? ------------------------------------------------- */

void axis_init(struct axis *axis, const struct scene *scene, const struct scene_act *act,
               const struct sink_options *options);
void axis_fini(struct axis *axis);
uint64_t axis_x(const struct axis *axis, vidmm_ns time);
/* `part` of `whole`, as a length. */
uint64_t axis_scale(uint64_t part, uint64_t whole, uint64_t length);
/* Lines from `top` to the present y, and the times below them. */
void axis_draw(struct sheet *sheet, uint64_t top);
uint64_t axis_height(void);
struct text_short axis_words(const struct axis *axis, vidmm_ns time);

/* ---- segments.c: who lay where, over time --------------------------------------------------- */

uint64_t segments_height(const struct sheet *sheet);
void segments_draw(struct sheet *sheet);

/* ---- boxes.c: one box, and what is written in it -------------------------------------------- */

/* The class of its colour: the same in each picture of an act. */
const char *box_colour(const struct sheet *sheet, const struct scene_stay *stay);
const char *box_name(const struct sheet *sheet, const struct scene_stay *stay);
void box_label(const struct sheet *sheet, struct svg_box box, const char *name, const char *more);
/* About how wide a text is. */
uint64_t box_text_wide(const char *text);
struct text_short box_state(const struct sheet *sheet, scene_index allocation, vidmm_ns time);
extern const char *const box_mark_kinds[];

/* ---- lanes.c: what ran and waited ----------------------------------------------------------- */

uint64_t lanes_height(const struct sheet *sheet);
void lanes_draw(struct sheet *sheet);

/* ---- moment.c: segments at one moment -------------------------------------------------------- */

uint64_t moment_height(const struct sheet *sheet, const struct scene_said *said);
void moment_draw(struct sheet *sheet, const struct scene_said *said, uint64_t number);

/* ---- style.c: how everything looks ----------------------------------------------------------- */

extern const char sheet_style[];
void style_patterns(FILE *out);
uint64_t style_legend_height(void);
void style_legend(struct sheet *sheet);

static inline const char *sheet_text(const struct sheet *sheet, scene_text text)
{
    return scene_string(sheet->scene, text);
}

#endif
