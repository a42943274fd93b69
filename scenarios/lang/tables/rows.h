/* SPDX-License-Identifier: MIT */
/*
 * rows.h: what the tables of the language say of each row.
 *
 * statements.def, attributes.def and functions.def are the language: parser, checks, help,
 * suggestions and layout are loops over their rows. A row with TRAIT_LATER is known by name and
 * refused as not supported yet.
 */
#ifndef SCENARIOS_LANG_TABLES_ROWS_H
#define SCENARIOS_LANG_TABLES_ROWS_H

#include "scenarios/lang/text/text.h"

/* ---- statements.def ---------------------------------------------------------------------- */

enum statement_kind {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) STATEMENT_##symbol,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
    STATEMENT_KINDS,
    /* Lines that only their block knows. */
    STATEMENT_EVENT_LINE = STATEMENT_KINDS, /* word: 'next', 'not' or 0 */
    STATEMENT_MAP_LINE,
    STATEMENT_BULK,
};

enum trait {
    TRAIT_SETUP = 1,       /* before the start */
    TRAIT_OPERATION = 2,   /* starts the adapter, may have an outcome */
    TRAIT_BLOCK = 4,       /* closed by `end` */
    TRAIT_LATER = 8,       /* known, not supported yet */
    TRAIT_AFTER_STOP = 16, /* may follow a bug check */
    TRAIT_TOP = 32,        /* only at the top of a file or test */
    TRAIT_FILE = 64,       /* only outside every block */
    TRAIT_COLUMNS = 128,   /* neighbours are laid out in columns */
    TRAIT_32_BITS = 256,   /* of an attribute, where its kind has not so many */
    TRAIT_64_BITS = 512,
    TRAIT_NAMES = 1024, /* what it is about is a list of names */
    TRAIT_GIVES = 2048, /* gives a name to what it makes */
    TRAIT_MANY = 4096,  /* of a number: also with K, M, G, T */
    TRAIT_BIT = 8192,   /* of a number: 0 or 1 */
};

struct statement_row {
    const char *name;
    unsigned traits;
    const char *syntax, *help;
};

/* ---- attributes.def -------------------------------------------------------------------------- */

/* What a name stands for; one namespace, as bits so that a reference can allow several. */
enum object {
    OBJECT_SEGMENT = 1,
    OBJECT_ALLOCATION = 2,
    OBJECT_SUBMISSION = 4,
    OBJECT_PROCESS = 8,
    OBJECT_DEVICE = 16,
    OBJECT_CONTEXT = 32,
    OBJECT_NODE = 64,
    OBJECT_RESOURCE = 128,
    OBJECT_SYSMEM = 256,
    OBJECT_CLASS = 512,
    OBJECT_MARK = 1024,
    OBJECT_SYSTEM = 2048, /* only in references: the word `system` is meant, too */
};

enum value_kind {
    VALUE_BARE, /* a word without value */
    VALUE_NUMBER,
    VALUE_SIZE,
    VALUE_TIME,
    VALUE_VERSION,
    VALUE_WORD,     /* one of `words` */
    VALUE_FLAGS,    /* argument: the flag set; -1: numbers only */
    VALUE_PRIORITY, /* a level or a number */
    VALUE_NAMED,    /* argument: the set that has the name; or a number */
    VALUE_NAME,     /* argument: objects */
    VALUE_NAMES,
    VALUE_SEGMENTS,
    VALUE_SEGMENT_SET, /* names, or numbers as the documented member has them */
    VALUE_PREFER,      /* segments with :top */
    VALUE_BANKS,       /* bank numbers with :top */
    VALUE_OFFERS,      /* names with :low, :normal, :high or :auto */
    VALUE_SIZES,
    VALUE_RANGES,      /* 0..3,7 */
    VALUE_RANGE,       /* A..B */
    VALUE_SIZE_RANGES, /* A..B,C..D */
    VALUE_NODE,        /* number or name */
    VALUE_NEW,         /* a name made here */
    VALUE_RAW,         /* as written, for the driver */
};

/* D3DDDI_OFFER_PRIORITY in the order of its numbers. */
#define OFFER_WORDS "none|low|normal|high|auto"

enum attribute_id {
    ATTRIBUTE_NONE, /* rows made at run time, and those of later */
#define ATTRIBUTE(statement, symbol, name, kind, argument, words, traits, help)                    \
    ATTRIBUTE_##statement##_##symbol,
#define LATER(statement, name)
#include "scenarios/lang/tables/attributes.def"
#undef ATTRIBUTE
#undef LATER
};

/* The argument of driver caps is their index from here on, that of settings their own. */
enum { ATTRIBUTE_CAP = 1024 };

struct attribute_row {
    int statement;
    const char *name;
    enum value_kind kind;
    int argument;
    const char *words; /* also allowed as value, '|' between; NULL: none */
    unsigned traits;
    enum attribute_id id;
    const char *help;
};

/* ---- functions.def, outs.def ----------------------------------------------------------------- */

struct function_row {
    const char *name;
    int subject;    /* objects; -1: other arguments */
    enum unit unit; /* of the result */
    bool optional;  /* may stand without arguments */
    const char *help;
};

enum function {
#define FUNCTION(symbol, name, subject, unit, optional, help) FUNCTION_##symbol,
#include "scenarios/lang/tables/functions.def"
#undef FUNCTION
    FUNCTIONS
};

enum out {
#define OUT(symbol, name, help) OUT_##symbol,
#include "scenarios/lang/tables/outs.def"
#undef OUT
    OUTS
};

#endif
