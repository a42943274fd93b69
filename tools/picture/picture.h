/* SPDX-License-Identifier: MIT */
/*
 * picture.h: a run as a still picture (SVG) for slides and papers.
 */
#ifndef TOOLS_PICTURE_PICTURE_H
#define TOOLS_PICTURE_PICTURE_H

#include "tools/common/sink.h"

/* A sink whose close() draws: `vidmm run --format=svg`. Each start of an adapter is a picture; with
   `maps`, each `show map` is one. They stand one below the other on the screen's stream, or each in
   a file of its own where `many` is a pattern. */
struct sink *picture_open(const struct sink_options *options);

/* "map-%d.svg": the one place of the number in a name; NULL: there is none. */
const char *picture_place(const char *pattern);

#endif
