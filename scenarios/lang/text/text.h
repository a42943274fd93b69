/* SPDX-License-Identifier: MIT */
/*
 * text.h: the door of scenarios/lang/text: sources, messages, words, tokens, names.
 */
#ifndef SCENARIOS_LANG_TEXT_TEXT_H
#define SCENARIOS_LANG_TEXT_TEXT_H

#include "scenarios/lang/text/parts.h"

/* ---- text and messages: source.c, message.c ------------------------------------------------- */

struct source *source_add(struct scenario *scenario, const char *name, const char *text,
                          size_t bytes);
/* If it is a binary twin: `text` becomes the text that it stands for, but for the lines of its
   records. False, and a message: it is damaged. */
bool source_untwin(struct scenario *scenario, struct source *source);
/* Those lines are there, too. Whoever looks at the text of a bulk line calls it first. */
void source_complete(struct source *source);
/* The words of the bulk line that begins at `from`. */
struct place source_bulk_line(struct scenario *scenario, uint16_t index, uint32_t from);
/* Where the place begins in its text; a copy of what stands there, cut to `bytes`. */
const char *source_text(const struct scenario *scenario, struct place at);
const char *source_copy(const struct scenario *scenario, struct place at, char *text, size_t bytes);
char *source_join(const char *including, const char *path, size_t bytes);

/* Keeps a message until message_flush(). `help` may be NULL. False, for callers to return. */
VIDMM_PRINTF(4, 5)
bool message_error(struct scenario *scenario, struct place at, const char *help, const char *format,
                   ...);
/* So many errors came that reading stops. */
bool message_enough(const struct scenario *scenario);
/* Hands everything kept so far to the host, in the order of the text. */
void message_flush(struct scenario *scenario);
/* At once; where it stands, and its rendered form, are added here. */
void message_say(struct scenario *scenario, struct place at, struct scenario_message message);
/* "file:line:col: ", the beginning of a message that goes on otherwise. */
void message_where(struct scenario *scenario, struct place at, struct scenario_span *span);

/* ---- words: words.c ------------------------------------------------------------------------- */

void words_init(struct words *words);
void words_fini(struct words *words);
word words_intern(struct words *words, struct arena *arena, const char *text, size_t length);
const char *words_text(const struct words *words, word name);
/* Writes to `text` as far as there is room, and returns it. words_add() adds to one. */
VIDMM_PRINTF(3, 4) const char *text_format(char *text, size_t bytes, const char *format, ...);

/* The list "a|b|c" has the word; its index goes to *index, unless that is NULL. */
bool word_list_has(const char *list, const char *text, size_t *index);

/* The nearest of many candidates; one place for every "did you mean". */
struct nearest {
    const char *wanted;
    char best[64]; /* "" when none is near enough */
    size_t length;
    unsigned distance;
    char tried[160]; /* the names that were tried, as many as fit */
    bool more;       /* and there were more */
};
struct nearest nearest_begin(const char *wanted, size_t length);
void nearest_try(struct nearest *nearest, const char *candidate);
/* Each of "a|b|c". */
void nearest_try_words(struct nearest *nearest, const char *words);
/* "did you mean 'x'?" written to `help`, or NULL when nothing is near enough. */
const char *nearest_help(const struct nearest *nearest, char *help, size_t bytes);
/* The same, but names what was tried when nothing is near enough. */
const char *nearest_choice(const struct nearest *nearest, char *help, size_t bytes);

/* ---- words of other languages: words.c ------------------------------------------------------- */

/* Where a word of habits.def stands. */
enum habit {
    HABIT_STATEMENT, /* as the first word of a line */
    HABIT_LATER,     /* a statement that is not supported yet */
    HABIT_MARK,      /* one to three marks */
    HABIT_UNIT,      /* after a number; the help is the unit that is meant */
    HABIT_LONG_TIME, /* the same, of more than a second */
    HABIT_OUTCOME,   /* after '->'; the help is the outcome that is meant */
    HABIT_TAIL,      /* where the line should end */
    HABIT_LOCK,      /* as an attribute of `lock` */
    HABIT_CREATE,    /* as an attribute of `create` */
    HABIT_ADAPTER,   /* as an attribute of `adapter` */
    HABIT_FUNCTION,  /* as a function or counter */
    HABIT_EVENT,     /* as an event; the help is the event that is meant */
    HABIT_FIELD,     /* as a field of an event; the help is the field that is meant */
    HABIT_PRIORITY,  /* as a priority; the help is the level that is meant */
};

/* What stands for the word here; NULL: nothing is known of it. */
const char *habit_find(enum habit where, const char *text, size_t length);

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

/* ---- arena: words.c -------------------------------------------------------------------------- */

void *arena_alloc(struct arena *arena, size_t bytes); /* zeroed */
char *arena_text(struct arena *arena, const char *text, size_t length);
void arena_fini(struct arena *arena);

/* ---- names: names.c -------------------------------------------------------------------------- */

void names_init(struct names *names);
void names_fini(struct names *names);
/* NULL when the key was never set. */
struct name_slot *names_find(const struct names *names, name_key key);
/* The slot of the key, made when it is new. Invalidates other slot pointers. */
struct name_slot *names_slot(struct names *names, name_key key);

uint64_t handles_get(const struct handles *handles, uint32_t handle);
void handles_set(struct handles *handles, uint32_t handle, uint64_t value);
void handles_fini(struct handles *handles);

/* ---- arithmetic: arithmetic.c ---------------------------------------------------------------- */

enum arithmetic { ARITHMETIC_OK, ARITHMETIC_OVERFLOW, ARITHMETIC_NEGATIVE, ARITHMETIC_ZERO };
enum arithmetic arithmetic_apply(uint8_t op, uint64_t a, uint64_t b, uint64_t *result);
enum arithmetic arithmetic_percent(uint64_t percent, uint64_t whole, uint64_t *result);
bool arithmetic_compare(uint8_t op, uint64_t a, uint64_t b);
const char *arithmetic_problem(enum arithmetic problem);

/* source.c */
bool source_is_scenario(const char *text, size_t bytes, uint32_t *start); /* of its first word */

#endif
