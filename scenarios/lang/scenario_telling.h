/* SPDX-License-Identifier: MIT */
/*
 * scenario_telling.h: what a scenario says beside what it does: narration, questions, expectations.
 */
#ifndef SCENARIOS_LANG_SCENARIO_TELLING_H
#define SCENARIOS_LANG_SCENARIO_TELLING_H

#include "vidmm/vidmm.h"

struct scenario_span {
    const char *file;
    uint32_t line, column, length; /* from 1; length in characters */
};

enum scenario_telling_kind {
    SCENARIO_TELL_LESSON, /* text; `value` is 1: an exercise */
    SCENARIO_TELL_NOTE,
    SCENARIO_TELL_ASK,        /* text, and the answer in `value` and `answer` */
    SCENARIO_TELL_SHOW,       /* text: map, alloc, ...; segment or handle; `answer`: whose state */
    SCENARIO_TELL_TEST_BEGIN, /* text: the name of the test */
    SCENARIO_TELL_TEST_END,   /* text, `test`; `value`: expectations that failed */
    SCENARIO_TELL_STATEMENT,  /* text: the line that is about to run */
    SCENARIO_TELL_HELD,       /* text: an expectation; `value`: it held; `answer`: why not */
    SCENARIO_TELL_UNEXPECTED, /* text: a statement that did not end as it should; `answer`: why */
    SCENARIO_TELL_PARAM,      /* text: its name; its value in `value` and `answer` */
};

/* What answers a question; the first three are units of an expression. */
enum scenario_answer {
    SCENARIO_ANSWER_NUMBER,
    SCENARIO_ANSWER_SIZE,    /* `value` counts bytes */
    SCENARIO_ANSWER_TIME,    /* nanoseconds */
    SCENARIO_ANSWER_SEGMENT, /* `value` is its id, 0 for system memory; `answer` is its name */
    SCENARIO_ANSWER_YES,     /* `value` is 1 or 0; `answer` is yes or no */
    SCENARIO_ANSWER_WORD,    /* `answer` alone */
};

/* A key of `state` and its value, as an expectation writes them. */
struct scenario_state_row {
    char key[32], value[128];
};

struct scenario_telling {
    enum scenario_telling_kind kind;
    const char *text, *answer;
    uint64_t value;
    enum scenario_answer form;    /* of ASK; so are the next two */
    const char *hint;             /* NULL: the text has none */
    const enum vidmm_rule *rules; /* that the answer follows from */
    uint32_t segment;
    vidmm_handle handle;
    const bool *counters; /* the shown ones of VIDMM_COUNTERS; NULL: all that are not 0 */
    const struct scenario_state_row *state; /* `show state`: all keys of its subject */
    size_t rule_count, state_count;         /* of `rules`, of `state` */
    struct vidmm_adapter *adapter;          /* for views only; NULL before the start */
    struct scenario_span at;
    bool quiet; /* inside `quietly` */
    struct {
        uint64_t unexpected; /* statements that did not end as they should */
        bool passed, reached; /* not reached: the preamble stopped */
    } test;
};

#endif
