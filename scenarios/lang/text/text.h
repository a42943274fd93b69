/* SPDX-License-Identifier: MIT */
/*
 * text.h: private to scenarios/lang: text, messages, words, tokens, the tree.
 *
 * Everything that is read from a text lives in the arena of its `struct scenario` and dies with it.
 * A word is an interned name: equal names have equal numbers, keywords of statements.def come
 * first. A place is a run of bytes in one source; line and column are worked out only for a
 * message.
 *
 * Bulk lines. A generated file repeats a few hundred forms of line with other numbers. A form is
 * parsed once; its numbers are "holes" that each further line fills (bulk.c). So a tree node of a
 * form has no value of its own: whoever evaluates it hands over the numbers of the line.
 */
#ifndef SCENARIOS_LANG_TEXT_TEXT_H
#define SCENARIOS_LANG_TEXT_TEXT_H

#include "scenarios/lang/scenario.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LANG_VERSION = 1,
    LANG_LINE_MAX = 64 * 1024,
    LANG_NESTING_MAX = 64,
    LANG_INCLUDE_MAX = 16,
    LANG_MESSAGES_MAX = 50,
    LANG_ERRORS_MAX = 10000,   /* reading stops there */
    LANG_OPERATORS_MAX = 1000, /* of one expression */
    LANG_SOURCES_MAX = 4096,
};

/* ---- text and messages: source.c, message.c ------------------------------------------------- */

struct place {
    uint32_t offset;
    uint16_t length, source;
};

struct source {
    char *name;
    const char *text;
    uint32_t bytes;
    char *owned;           /* the text, when it came through an include */
    uint32_t *line_starts; /* of every 1024th line, made for the first message */
    size_t line_start_count;
};

struct line_view {
    uint32_t number, start, end; /* 1-based; [start, end) without the line break */
};

struct line_view source_line(struct source *source, uint32_t offset);
/* Columns count characters, from 1. */
uint32_t source_column(const struct source *source, const struct line_view *line, uint32_t offset);
/* Bytes of the UTF-8 sequence at `text`, 0 when it is none. */
size_t source_character(const char *text, size_t bytes);
/* Does this character steer a terminal, or the direction of writing? A tab does not. */
bool source_is_control(const char *text, size_t length, uint32_t *code);
/* Whether `path` (already joined) is one of the sources that led here. */
char *source_join(const char *including, const char *path, size_t bytes);

struct message {
    enum scenario_severity severity;
    struct place at;
    char *text, *help; /* help: NULL for none */
};

struct messages {
    struct message list[LANG_MESSAGES_MAX];
    size_t count, dropped, errors;
    bool muted; /* a line is read once more: it was all said */
};

struct scenario;

/* Keeps a message until message_flush(). `help` may be NULL. */
VIDMM_PRINTF(4, 5)
void message_error(struct scenario *scenario, struct place at, const char *help, const char *format,
                   ...);
/* So many errors came that nobody reads on. */
bool message_enough(const struct scenario *scenario);
/* Hands everything kept so far to the host, in the order of the text. */
void message_flush(struct scenario *scenario);
/* "file:line:col: ", the beginning of a message that goes on otherwise. */
void message_where(struct scenario *scenario, struct place at, struct scenario_span *span);

/* ---- words: words.c ------------------------------------------------------------------------- */

typedef uint32_t word; /* 0 is no word */

struct words {
    const char **list;
    size_t count, capacity;
    struct word_entry *table; /* by text */
};

struct arena;

void words_init(struct words *words);
void words_fini(struct words *words);
word words_intern(struct words *words, struct arena *arena, const char *text, size_t length);
const char *words_text(const struct words *words, word name);

/* The nearest of many candidates; one place for every "did you mean". */
struct nearest {
    const char *wanted;
    char best[64]; /* "" when none is near enough */
    size_t length;
    unsigned distance;
    char tried[160]; /* the names that were tried, as many as fit */
    bool more;       /* and there were more */
};
void nearest_init(struct nearest *nearest, const char *wanted, size_t length);
void nearest_try(struct nearest *nearest, const char *candidate);
/* Each of "a|b|c". */
void nearest_try_words(struct nearest *nearest, const char *words);
/* "did you mean 'x'?" written to `help`, or NULL when nothing is near enough. */
const char *nearest_help(const struct nearest *nearest, char *help, size_t bytes);
/* The same, but names what was tried when nothing is near enough. */
const char *nearest_choice(const struct nearest *nearest, char *help, size_t bytes);

/* ---- tokens: lexer.c ------------------------------------------------------------------------ */

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_FRACTION, /* only versions have one */
    TOKEN_PERCENT,
    TOKEN_HANDLE,
    TOKEN_VARIABLE,
    TOKEN_STRING,
    TOKEN_MARK,
};

enum unit { UNIT_NONE, UNIT_SIZE, UNIT_TIME };

/* Marks of two characters; those of one are their character. */
enum { MARK_RANGE = 128, MARK_ARROW, MARK_EQUAL, MARK_UNEQUAL, MARK_AT_MOST, MARK_AT_LEAST };

struct token {
    uint8_t kind, mark, unit;
    bool spaced;   /* white space before it */
    uint16_t hole; /* 1-based rank among the plain decimals of the line; 0: none */
    uint32_t offset, length;
    word name;       /* WORD, VARIABLE */
    uint64_t value;  /* NUMBER (unit applied), PERCENT, HANDLE */
    uint64_t factor; /* of the unit */
};

struct lexer {
    struct scenario *scenario;
    uint16_t source;
    struct token *tokens; /* the last one is always TOKEN_END */
    size_t count, capacity;
    uint32_t comment; /* where it begins; at the end of the line: none */
    bool hurt;        /* a number of the line is not what was meant */
};

/* Reads [from, to) of the source. False: a message was kept, and there are no tokens. */
bool lexer_line(struct lexer *lexer, uint32_t from, uint32_t to);
void lexer_fini(struct lexer *lexer);
/* The unit at the end of a number; false when `text` is none. */
bool lexer_unit(const char *text, size_t length, uint64_t *factor, enum unit *unit);

/* ---- tree: tree.c --------------------------------------------------------------------------- */

struct arena {
    struct arena_chunk *chunks;
    char *next, *end;
    uint64_t bytes;
};

void *arena_alloc(struct arena *arena, size_t bytes); /* zeroed */
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_fini(struct arena *arena);

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

enum statement_kind {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) STATEMENT_##symbol,
#include "scenarios/lang/syntax/statements.def"
#undef STATEMENT
    STATEMENT_KINDS,
    /* Lines that only their block knows. */
    STATEMENT_EVENT_LINE = STATEMENT_KINDS, /* word: 'next', 'not' or 0 */
    STATEMENT_MAP_LINE,
    STATEMENT_BULK,
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
    struct place name_at, text; /* text: inside the quotes */
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
