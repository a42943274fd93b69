/* SPDX-License-Identifier: MIT */
/*
 * checker.h: private: what the checker knows.
 *
 * The checker walks the text once, in order, and keeps for each name what is known about it. What
 * happens in a loop or a choice is known less well: names become "maybe" and nothing is said about
 * them that might be wrong. Where a statement has an outcome, whatever that outcome may be about is
 * left to the run.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECKER_H
#define SCENARIOS_LANG_CHECK_CHECKER_H

#include "scenarios/lang/check/check.h"
#include "scenarios/lang/text/scope.h"

/* What the subject of an event may be. */
enum { OBJECT_ANY = 0x7FF };

enum name_state { NAME_UNKNOWN, NAME_LIVE, NAME_GONE, NAME_MAYBE };

/* Packed into the 64 bits of a name table. */
struct name_info {
    enum name_state state;
    enum object object;
    unsigned epoch; /* of the last `destroy all`: older names may be gone */
    struct place at;
};

struct name_change {
    bool handle;
    name_key key;
    uint64_t before;
};

/* What a value measures, as far as the text shows. */
enum measure {
    MEASURE_ANY,  /* it does not show */
    MEASURE_BARE, /* a number without a unit, which may be any of these */
    MEASURE_COUNT,
    MEASURE_SIZE,
    MEASURE_TIME,
};

struct variable {
    bool constant, known; /* known: what it measures has been looked at */
    enum measure measure;
    uint64_t value;
};

struct segment_info {
    word name;
    bool sized, aperture, agp, maybe; /* maybe: a choice may not declare it */
    struct place at;
    uint64_t bytes;
    const struct attribute *flags; /* NULL: none, or already blamed */
};

/* A use of a name that was not heard of yet, where it may still come, or where its lack may be
 * meant. */
struct pending_use {
    name_key key;
    struct place at;
    int objects;
};

/* What the text has said of the adapter so far: what a test adds ends with it. */
struct known {
    uint32_t link_adapters; /* 0: no link statement */
    bool agp;               /* the machine has an AGP aperture, or may have one */
    size_t segment_count;
    unsigned epoch;
    uint64_t nodes; /* bit N: node N is declared */
    bool nodes_unknown, paging_node;
    uint32_t wddm; /* that both sides know; 0: not known */
    uint32_t driver_wddm, system_wddm;
    bool started, stopped;
    struct place started_at;
};

struct checker {
    struct scenario *scenario;
    struct known now;
    struct names names;
    struct handles handles;
    struct name_change *changes;
    size_t change_count, change_capacity;
    struct scope variables;
    struct variable *values; /* of the variables */
    size_t value_capacity;
    size_t vary; /* how many of the first are not constant, whatever their values say */
    struct segment_info segments[VIDMM_SEGMENTS_MAX + 1];
    struct scope classes;
    const struct statement **class_statements;
    size_t class_capacity;
    struct pending_use *pending;
    size_t pending_count, pending_capacity;
    unsigned uncertain; /* depth of choices and loops that may not run */
    bool uncounted;     /* in a `repeat` without `as` */
    uint64_t members;   /* that ranges of names came to so far */
    /* Injected switches that only a start reads, and how many starts came after the first. */
    const struct attribute *late[64];
    size_t late_count, late_before; /* before: those of the preamble, in a test */
    unsigned restarts;
    bool tests_begun, in_test, apertures_told;
    struct names tests;           /* by name, where each stands */
    const struct statement *call; /* the resource or submission whose lines are checked */
    /* The bulk line being checked: problems are only noted, and told on a second pass. */
    const uint32_t *numbers;
    uint32_t line_offset;
    bool problem;
};

/* check_states.c */
/* Like message_error(), and silent in the first pass over a bulk line. */
VIDMM_PRINTF(4, 5)
void check_report(struct checker *checker, struct place at, const char *help, const char *format,
                  ...);
const char *check_word(const struct checker *checker, word name);
/* True: leave it to the run. */
bool check_silent(const struct statement *statement);
bool check_has_variable(const struct checker *checker, word name, struct variable **variable);
void check_declare_variable(struct checker *checker, word name, bool constant, uint64_t value);
/* Is it declared, and does it have the same value wherever it is used from here on? */
bool check_constant_variable(const struct checker *checker, word name, uint64_t *value);
/* A loop begins: what they hold after its first round is not what they held before. */
void check_vary_variables(struct checker *checker);
/* Back to the first `count` at the end of a block. */
void check_cut_variables(struct checker *checker, size_t count);

enum { EPOCH_MAX = 1023 };
/* One name or bulk handle. */
struct reference {
    bool handle;
    name_key key;
};
void check_states_init(struct checker *checker);
void check_states_undo(struct checker *checker, size_t mark);
struct name_info check_states_get(const struct checker *checker, struct reference reference);
void check_states_set(struct checker *checker, struct reference reference,
                      const struct name_info *info);
struct name_info check_states_at(const struct checker *checker, name_key key);
const struct segment_info *check_states_segment(const struct checker *checker, word name);

#endif
