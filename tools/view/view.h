/* SPDX-License-Identifier: MIT */
/*
 * view.h: a run as one page for a browser, which holds everything that it shows.
 */
#ifndef TOOLS_VIEW_VIEW_H
#define TOOLS_VIEW_VIEW_H

#include "tools/common/sink.h"

int cmd_view(int argc, char **argv);

/* A sink whose close() writes the page to the screen's stream: `vidmm run --format=html`. */
struct sink *view_open(const struct sink_options *options);

#endif
