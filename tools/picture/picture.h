/* SPDX-License-Identifier: MIT */
/*
 * picture.h: a run as a still picture (SVG) for slides and papers.
 */
#ifndef TOOLS_PICTURE_PICTURE_H
#define TOOLS_PICTURE_PICTURE_H

#include "tools/common/sink.h"

/* A sink whose close() draws each start of an adapter, or with `maps` each `show map`. */
struct sink *picture_open(const struct sink_options *options);

/* "map-%d.svg": the one place of the number in a name; NULL: there is none. */
const char *picture_place(const char *pattern);

#endif
