/* SPDX-License-Identifier: MIT */
/*
 * trace.h: a run as a trace for Perfetto (https://ui.perfetto.dev).
 */
#ifndef TOOLS_TRACE_TRACE_H
#define TOOLS_TRACE_TRACE_H

#include "tools/scene/scene.h"

/* A sink whose close() writes the trace to the screen's stream, unless nobody reads it. */
struct sink *trace_open(const struct sink_options *options);

/* The same scene gives the same bytes. */
void trace_write(const struct scene *scene, FILE *out);

#endif
