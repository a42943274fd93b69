/* SPDX-License-Identifier: MIT */
/*
 * reader.h: a log, line by line, however long it is. Private.
 *
 * Decision logs are read as they are; of JSON lines the same lines are made. Anything else, a line
 * that is too long, or an end in the middle of a line is a problem, which ends the reading.
 */
#ifndef TOOLS_RECORD_READER_H
#define TOOLS_RECORD_READER_H

#include "tools/record/line.h"
#include "tools/record/record.h"

enum line_kind {
    LINE_END,       /* of the log; or there is a problem */
    LINE_SECTION,   /* `file` or `test` */
    LINE_STATEMENT, /* the number in `line`, 0 for none; the text without it */
    LINE_DECISION,
    LINE_TRAIL, /* without its indentation */
};

struct reader_line {
    enum line_kind kind;
    struct slice text; /* until the next call */
    uint64_t number;   /* of the statement */
};

struct reader {
    FILE *file;
    const char *name;
    struct record_kinds kinds; /* of JSON lines: those that are read. Of a log: what it holds */
    char *bytes;
    size_t capacity, begin, end;
    uint64_t offset;                 /* in the file, of bytes[0] */
    uint64_t lines;                  /* read */
    const struct record_kinds *only; /* of a log: those that are read; NULL: all that it holds */
    bool left_out;                   /* the last decision, and so its trail */
    bool jsonl, last;
    struct text made; /* a line that was made of JSON */
    struct text problem;
    bool again; /* JSON: in a preamble that is run again */
};

/* The file is the caller's, and seekable. False: reader->problem says why. */
bool reader_open(struct reader *reader, FILE *file, const char *name,
                 const struct record_kinds *kinds);
void reader_close(struct reader *reader);
struct reader_line reader_next(struct reader *reader);
/* What a line of a log is. LINE_END: nothing, or, empty, a comment. */
struct reader_line reader_classify(struct slice line);
/* Where the next line begins, and back. */
uint64_t reader_place(const struct reader *reader);
void reader_seek(struct reader *reader, uint64_t place);

/* jsonl.c: one line of JSON as a line of a log. LINE_END: it is none of those. */
enum line_kind jsonl_convert(struct slice json, const struct record_kinds *kinds, struct text *out,
                             uint64_t *number);

#endif
