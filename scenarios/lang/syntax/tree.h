/* SPDX-License-Identifier: MIT */
/*
 * tree.h: a text that was read: statements and what they are made of.
 *
 * Bulk lines. A generated file repeats a few hundred forms of line with other numbers. A form is
 * parsed once; its numbers are "holes" that each further line fills (bulk.c). So a tree node of a
 * form has no value of its own: its evaluation is given the numbers of the line.
 */
#ifndef SCENARIOS_LANG_SYNTAX_TREE_H
#define SCENARIOS_LANG_SYNTAX_TREE_H

#include "scenarios/lang/tables/tables.h"

enum expr_kind {
    EXPR_NUMBER,
    EXPR_PERCENT,  /* value of left */
    EXPR_VARIABLE, /* name */
    EXPR_STRING,
    EXPR_NAME,   /* name, left: index, right: end of the range of indexes */
    EXPR_HANDLE, /* @value */
    EXPR_CALL,   /* name(items) */
    EXPR_BINARY, /* left op right */
};

struct item;

struct expr {
    uint8_t kind, op, unit;
    uint16_t hole;
    struct place at;
    word name;
    uint64_t value; /* with a hole: the factor */
    struct expr *left, *right;
    struct item *items;
    struct watch *watch; /* of count(...), made by the runner */
};

/* One element of a list or one argument: [key=] from [.. to] [:suffix]. */
struct item {
    struct item *next;
    struct expr *from, *to;
    word key, suffix;
    struct place at, suffix_at;
};

struct attribute {
    struct attribute *next;
    const struct attribute_row *row; /* NULL for fields of events and keys of `state` */
    struct item *items;              /* NULL: a bare word */
    word key;
    struct place at, whole, text; /* the key; key and value; the value as written, if RAW */
};

struct rule_item {
    struct rule_item *next;
    enum vidmm_rule rule;
    struct item *clauses; /* those that a proof names */
    struct place at;
};

enum outcome_kind {
    OUTCOME_OK,
    OUTCOME_EITHER,
    OUTCOME_PENDING,
    OUTCOME_DEVICE_ERROR,
    OUTCOME_FAILS,
    OUTCOME_BUGCHECK,
    OUTCOME_WARNS,
};

struct outcome {
    enum outcome_kind kind;
    struct place at;
    const struct vidmm_status_info *status; /* FAILS: NULL is any */
    struct expr *code, *parameter;          /* BUGCHECK */
    struct rule_item *rules;
};

enum predicate_kind {
    PREDICATE_COMPARE, /* left op right */
    PREDICATE_IN,      /* left in name [at right] */
    PREDICATE_IS,      /* left is the word `name` */
    PREDICATE_STATE,   /* fields of left */
    PREDICATE_CONTENT, /* of left: name is intact, lost or uncertain */
    PREDICATE_NO,      /* no event `event` with `fields` since `name` */
    PREDICATE_VALUE,   /* of `ask` alone: left is the answer */
};

struct predicate {
    uint8_t kind, op;
    struct place at;
    struct expr *left, *right;
    word name;
    struct place name_at;
    struct expr *segment; /* of PREDICATE_IN: vram, or vram[1] in a link */
    enum vidmm_event_kind event;
    struct attribute *fields;
    struct watch *watch; /* counts the events, made by the runner */
};

struct statement {
    uint16_t kind;
    bool opens;            /* its block follows */
    bool bad;              /* it had an error itself */
    bool partly;           /* bad, but what there is of it can be looked at */
    bool hurt;             /* a line of its block had an error */
    uint8_t mode;          /* of its kind: enum below, or the parser of that kind says */
    struct place at;       /* the first word */
    struct place line;     /* all of it */
    struct item *subjects; /* what it is about */
    struct attribute *attributes;
    struct expr *value, *extra;
    struct outcome *outcome;
    struct predicate *predicate;
    struct rule_item *rules;
    struct bulk_run *bulk;
    word name;
    struct place name_at, text; /* text: inside the quotes; name_at of `ask`: its hint */
    struct statement *body, *next;
};

/* Values of `mode`. */
enum statement_mode {
    MODE_NONE,
    MODE_NEXT, /* event lines */
    MODE_NOT,
    MODE_PREDICATE, /* expect */
    MODE_EVENTS,
    MODE_EVENTS_ANY_ORDER,
    MODE_MAP,
    MODE_ALL,  /* destroy all, wait idle, unlock last */
    MODE_READ, /* at */
    MODE_WRITE,
    MODE_OFF, /* inject */
};

/* A number of the tree; `numbers` are those of the bulk line, NULL elsewhere. */
static inline uint64_t expr_number(const struct expr *expr, const uint32_t *numbers)
{
    return expr->hole ? numbers[expr->hole - 1] * expr->value : expr->value;
}

#endif
