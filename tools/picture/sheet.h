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
#include "tools/picture/axis.h"
#include "tools/picture/present.h"

enum {
    PX = SVG_PIXEL,
    SHEET_WIDE = 1100 * PX,
    SHEET_EDGE = 24 * PX,
    PLOT_LEFT = 136 * PX, /* names and scales stand before it */
    PLOT_RIGHT = 48 * PX, /* numbers of banks behind it */
    PLOT_WIDE = SHEET_WIDE - PLOT_LEFT - PLOT_RIGHT,
    NAME_WIDE = PLOT_LEFT - SHEET_EDGE - 8 * PX
};

/* What a legend explains: memory in its first line, time in the second. */
enum legend {
    LEGEND_STAY,
    LEGEND_MOVING,
    LEGEND_LEAVING,
    LEGEND_DIRTY,
    LEGEND_PINNED,
    LEGEND_LOCKED,
    LEGEND_OFFERED,
    LEGEND_OTHER,
    LEGEND_FREE,
    LEGEND_PIN_LINE,
    LEGEND_RUN,
    LEGEND_PAGING,
    LEGEND_WAIT,
    LEGEND_QUEUED,
    LEGEND_MADE_ROOM,
    LEGEND_CAUSED_PAGING,
    LEGEND_HANG,
    LEGEND_MAP,
    LEGENDS,
    LEGEND_OF_TIME = LEGEND_RUN
};

struct sheet {
    FILE *out;
    const struct scene *scene;
    const struct scene_act *act;
    struct axis axis;
    bool *used, *busy; /* segments in which something lay, lanes on which something ran */
    uint64_t y;        /* the next part begins here */
    bool seen[LEGENDS];
    uint64_t merged;    /* stays too small to be seen alone */
    uint64_t unpointed; /* arrows that would be too many */
};

/* ---- axis.c ---------------------------------------------------------------------------------- */

/* Lines from `top` to the present y, and the times below them. */
void axis_draw(struct sheet *sheet, uint64_t top);

/* ---- act.c: a run over time ----------------------------------------------------------------- */

uint64_t act_height(const struct sheet *sheet);
void act_draw(struct sheet *sheet, const struct part *part);
/* The test or the lesson, else the file. */
const char *act_title(const struct sheet *sheet);
bool act_is_map(const struct scene_said *said);

/* ---- segments.c: who lay where, over time --------------------------------------------------- */

bool *segments_look(const struct sheet *sheet); /* free it */
uint64_t segments_height(const struct sheet *sheet);
void segments_draw(struct sheet *sheet);
/* The box of a stay, with the first segment's panel beginning at `top`; false: it has none. */
bool segments_box(const struct sheet *sheet, uint64_t top, const struct scene_stay *stay,
                  struct svg_box *box);
/* Where the pinned region begins; the size: there is none. */
uint64_t segments_pin(const struct scene_segment *segment);

/* ---- marks.c: states of allocations over their stays ---------------------------------------- */

scene_index *marks_sort(const struct sheet *sheet);
/* Calls `draw` for each mark that holds during a part of the stay, frames last. */
struct marks_visitor {
    void (*draw)(struct marks_visitor *visitor, const struct scene_mark *mark);
};
void marks_visit(const struct sheet *sheet, const scene_index *sorted,
                 const struct scene_stay *stay, struct marks_visitor *visitor);
/* A state over a box. */
void marks_draw(struct sheet *sheet, struct svg_box box, enum scene_mark_kind kind);

/* ---- boxes.c: one box, and what is written in it -------------------------------------------- */

/* The number of its colour: the same in each picture of an act, and on the page. */
unsigned box_hue(const struct sheet *sheet, const struct scene_stay *stay);
const char *box_name(const struct sheet *sheet, const struct scene_stay *stay);
void box_draw(struct sheet *sheet, struct svg_box box, const struct scene_stay *stay,
              const char *says);
/* A name and a second line, as far as there is room; `halo` is a class. False: there is none. */
bool box_label(const struct sheet *sheet, struct svg_box box, const char *halo, const char *name,
               const char *more);
/* About how wide a text is, in a letter of so many pixels. */
uint64_t box_text_wide(const char *text, unsigned size);
/* A text in the room that it has. */
void box_text(FILE *out, struct svg_box at, unsigned size, const char *kind, const char *text);

/* ---- lanes.c: what ran and waited ----------------------------------------------------------- */

bool *lanes_look(const struct sheet *sheet); /* free it */
uint64_t lanes_height(const struct sheet *sheet);
void lanes_draw(struct sheet *sheet);
/* The box of a slice, with the first lane's beginning at `top`. */
struct svg_box lanes_box(const struct sheet *sheet, uint64_t top, const struct scene_slice *slice);

/* ---- arrows.c: what caused what ------------------------------------------------------------- */

void arrows_draw(struct sheet *sheet, uint64_t segments_top, uint64_t lanes_top);

/* ---- moment.c: segments at one moment -------------------------------------------------------- */

uint64_t moment_height(const struct part *part, const struct present *present);
void moment_draw(struct sheet *sheet, const struct part *part, const struct present *present);

/* ---- style.c: how everything looks ----------------------------------------------------------- */

/* CSS; free it. */
struct text style_sheet(void);
void style_patterns(FILE *out);
uint64_t style_legend_height(bool with_time);
void style_legend(struct sheet *sheet, bool with_time);

static inline const char *sheet_text(const struct sheet *sheet, scene_text text)
{
    return scene_string(sheet->scene, text);
}

#endif
