/* SPDX-License-Identifier: MIT */
/*
 * convert.h: the door of tools/convert: traces of other programs as scenarios, and scenarios as
 * text and as binary twins.
 */
#ifndef TOOLS_CONVERT_CONVERT_H
#define TOOLS_CONVERT_CONVERT_H

#include <stdint.h>
#include <stdio.h>

#include "tools/common/options.h"
#include "tools/common/text.h"

int cmd_convert(int argc, char **argv);

/* What the bytes of an input are. */
enum convert_format {
    CONVERT_AUTO,   /* they show it themselves */
    CONVERT_ORACLE, /* oracleGeneral of libCacheSim: binary records, one for each request */
    CONVERT_CSV,    /* requests as lines of columns */
    CONVERT_LIVES,  /* MiniMalloc: allocations with the span of their lives */
    CONVERT_VMS,    /* a scenario, as text or as a twin */
    CONVERT_FORMATS,
};

/* What it becomes. */
enum convert_to {
    CONVERT_TO_AUTO, /* the twin of a scenario; text of everything else */
    CONVERT_TO_TEXT,
    CONVERT_TO_TWIN,
};

struct convert_options {
    enum convert_format from;
    enum convert_to to;
    struct {
        uint64_t amount; /* 0: nothing was said */
        enum capacity_unit { CAPACITY_BYTES, CAPACITY_OBJECTS, CAPACITY_PERCENT } unit;
    } capacity;
    uint64_t object_size; /* of every object; 0: as the trace says */
    uint64_t unit;        /* bytes in one unit of a size; 0: by the format */
    uint64_t limit;       /* requests or allocations; 0: all of them */
    const char *columns;  /* "time=1,id=key": NULL: by the header, or in the usual order */
    char delimiter;       /* 0: by the first line */
    bool no_twin;         /* the output is for eyes: no bytes that are no text */
    enum header_choice { HEADER_AUTO, HEADER_YES, HEADER_NO } header;
};

/* What was made of a trace, beside the scenario. */
struct convert_report {
    struct text assumed; /* lines "format:   ..." */
    struct text doubts;  /* lines "NAME: warning: ..." */
    struct text problem; /* lines; empty unless it failed */
    bool was_twin;       /* it failed because a twin would go where there may be none */
};

/*
 * Reads all of `in` and then writes the scenario; nothing is written when it returns false. `name`
 * is that of the input. The report is to be freed either way.
 */
bool convert_trace(FILE *in, const char *name, const struct convert_options *options, FILE *out,
                   struct convert_report *report);
void convert_report_free(struct convert_report *report);

#endif
