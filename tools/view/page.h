/* SPDX-License-Identifier: MIT */
/*
 * page.h: scenes to a page. Private to tools/view/.
 */
#ifndef TOOLS_VIEW_PAGE_H
#define TOOLS_VIEW_PAGE_H

#include "tools/scene/scene.h"

struct json;

/* A run of the page, and how it is called: "03-no-room.vms", "03-no-room.vms eviction=fifo". */
struct page_run {
    const struct scene *scene;
    const char *name;
};

enum { PAGE_RUNS_MOST = 2 };

/* ---- page.c ---------------------------------------------------------------------------------- */

/* What went wrong while writing is in the stream's error flag. */
void page_write(FILE *out, const struct page_run *runs, size_t count);
/* What the page is called: the title of the lesson, or the name of the file. */
const char *page_title(const struct page_run *run);

/* ---- about.c --------------------------------------------------------------------------------- */

/* A member "about" of the object that is open: title, totals, what is left out, the rules. */
void about_write(struct json *json, const struct page_run *run);

/* ---- columns.c ------------------------------------------------------------------------------- */

/* The tables of a scene, packed, as an element of the page with this id; the texts that the first
   picture does without, as another one: "scene-late". */
void columns_write(FILE *out, const char *id, const struct page_run *run);

/* ---- pack.c: raw deflate in base64 ------------------------------------------------------------
 */

struct pack;
struct pack *pack_open(FILE *out);
void pack_bytes(struct pack *pack, const void *bytes, size_t count);
void pack_close(struct pack *pack);

/* ---- made by embed.cmake of the files in page/ ------------------------------------------------
 */

extern const unsigned char page_template[];
extern const size_t page_template_bytes;

#endif
